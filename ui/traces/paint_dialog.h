// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/pass_example.h"
#include "ui/traces/shown_activity.h"

#include <QDialog>

#include <optional>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;

namespace pw::ui {

/// Asks what pass a stretch of a trace is, "F of stage 0 on rank 3", so that others like it follow.
class PaintDialog : public QDialog
{
    Q_OBJECT

public:
    PaintDialog(ShownActivityPtr activity, Ticks from, Ticks to, QWidget* parent = nullptr);

    /// The example; none where the stretch holds too few kernels.
    const std::optional<PassExample>& example() const { return m_example; }

private:
    void look();

    ShownActivityPtr m_activity;
    Ticks m_from;
    Ticks m_to;
    std::optional<PassExample> m_example;
    QComboBox* m_kind;
    QSpinBox* m_stage;
    QComboBox* m_rank;
    QLabel* m_words;
    QDialogButtonBox* m_buttons;
};

} // namespace pw::ui

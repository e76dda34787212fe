// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/rule_draft.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;

namespace pw::ui {

/// What a span says of itself, as buttons: a rule made by saying what each number stands for.
class RuleParts : public QWidget
{
    Q_OBJECT

public:
    explicit RuleParts(QWidget* parent = nullptr);

    /// What the next choices are about.
    void setDraft(const RuleDraft& draft);
    /// Nothing is chosen. @param sentence  what to do
    void setNone(const QString& sentence);
    const RuleDraft& draft() const { return m_draft; }

Q_SIGNALS:
    /// Somebody has said what something stands for.
    void changed();

private:
    void show();
    QWidget* rowOf(std::size_t source);
    QWidget* numberButton(std::size_t source, std::size_t piece);

    RuleDraft m_draft;
    QLabel* m_none;
    QComboBox* m_kind;
    QWidget* m_rows = nullptr;
    bool m_showing = false;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/trace_import.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace pw::ui {

/// Why a trace is shown as it was recorded and not as a run, and what leads on from there: the
/// passes that are proposed, and the rules by which its names are read.
class FoundBar : public QFrame
{
    Q_OBJECT

public:
    /// @param trace  without an order of its passes
    explicit FoundBar(const ImportedTracePtr& trace, QWidget* parent = nullptr);

    /// How many passes are proposed now.
    void setProposed(std::int64_t passes);
    QString sentence() const;

Q_SIGNALS:
    /// The proposals are to be shown.
    void proposalsAsked();
    /// What was found in the trace is to be shown, with its names and the rules for them.
    void foundAsked();

private:
    QLabel* m_words;
    QPushButton* m_proposals;
    QPushButton* m_found;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/propose.h"
#include "ui/traces/shown_activity.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace pw::ui {

class KeepingBar;
class TraceKeeping;

/// The passes that are proposed where none is labelled, with what speaks for each.
class ProposalTable : public QWidget
{
    Q_OBJECT

public:
    explicit ProposalTable(QWidget* parent = nullptr);

    void setProposal(const ShownActivityPtr& activity, const PassProposal& proposal);
    /// While the trace is being kept it cannot be asked for again; how far it is and a button that
    /// stops it are shown. Null: it is over.
    void setKeeping(TraceKeeping* keeping);
    /// Says that proposals are on their way, or what became of them.
    void say(const QString& sentence);
    QString sentence() const;
    const PassProposal& proposal() const { return m_proposal; }

Q_SIGNALS:
    /// A proposal is to be shown in the rows above.
    void chosen(pw::Ticks from, pw::Ticks to);
    /// Those that are at least so sure are to be passes. @param confidence  0 to 1
    void accepted(double confidence);
    /// The trace is to be kept as a run, with those that are at least so sure as its passes.
    void keepAsked(double confidence);

private:
    PassProposal m_proposal;
    QLabel* m_sentence;
    QTableWidget* m_table;
    QSpinBox* m_sure;
    QPushButton* m_accept;
    QPushButton* m_keep;
    KeepingBar* m_keeping;
};

} // namespace pw::ui

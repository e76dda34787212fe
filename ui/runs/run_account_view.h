// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/runs/run_account.h"
#include "ui/runs/run_history.h"

#include <QPointer>
#include <QWidget>

class QToolButton;

namespace pw::ui {

class AccountChart;

/// Where the time of a run's iteration went, as bars, and on demand as tables with messages and
/// what the run's log says of clocks. Computed in the store's thread, and only while it is shown.
class RunAccountView : public QWidget
{
    Q_OBJECT

public:
    explicit RunAccountView(QWidget* parent = nullptr);

    /// Accounts for another iteration. @param store  file of the run
    void setRun(RunHistory* history, const QString& store, const RunTimelinePtr& timeline,
                const RunRecordsPtr& records);
    /// What is shown; null until it is computed.
    const RunAccountPtr& account() const { return m_account; }
    AccountChart& chart() { return *m_chart; }
    /// Opens the figures as tables. @pre there is an account
    void showTables();

Q_SIGNALS:
    /// The account is there.
    void computed();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void compute();
    void take(const RunAccountPtr& account);

    QPointer<RunHistory> m_history;
    QString m_store;
    RunTimelinePtr m_timeline;
    RunRecordsPtr m_records;
    RunAccountPtr m_account;
    int m_wanted = 0;
    bool m_due = false; ///< to be computed when it is shown
    AccountChart* m_chart;
    QToolButton* m_tables;
};

} // namespace pw::ui

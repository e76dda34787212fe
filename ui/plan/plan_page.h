// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "ui/pages/page.h"
#include "ui/plan/earlier_plan.h"
#include "ui/plan/plan_fields.h"
#include "ui/plan/plan_search.h"
#include "ui/plan/plan_split.h"

#include <optional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace pw::ui {

class ScatterChart;

/// The best parallelism, layer split and schedule for a model on a cluster: fields, a search with
/// progress that can be stopped, and what it found as a table and a picture.
class PlanPage : public Page
{
    Q_OBJECT

public:
    explicit PlanPage(QWidget* parent = nullptr);
    ~PlanPage() override;

    /// Looks for plans of what the fields say.
    void plan();
    void stop() { m_search.stop(); }
    /// Asks again what a kept plan asked, and says what it was answered then.
    /// @return  false: the fields cannot ask it
    bool reopen(const StoredAnswer& kept);
    /// The plan that is shown, to be kept. @pre there is a row
    NewAnswer answer() const;
    bool busy() const { return m_search.busy(); }
    /// Fastest first; behind the wanted ones those of the Pareto set that are not among them.
    const std::vector<plan::Evaluation>& rows() const { return m_rows; }
    const plan::PlanTable& found() const { return m_found; }
    PlanFields& fields() { return *m_fields; }
    QTableWidget& table() { return *m_table; }
    ScatterChart& chart() { return *m_chart; }
    SplitBars& bars() { return m_split->bars(); }
    /// The chosen row as it runs.
    PlanPicture& picture() { return m_split->picture(); }
    /// The chosen row with its layers as they were dragged; null: no row is chosen.
    const plan::Evaluation* shaped() const
    {
        return m_split->shaped() ? &*m_split->shaped() : nullptr;
    }

    QString title() const override;
    QString figures() const override;
    PageDetails details() const override;

Q_SIGNALS:
    /// A row is to be opened as a schedule.
    void openAsked(const pw::Project& project);
    /// What would help is worked out, too.
    void helped();
    void refused(const QString& why);
    /// The plan that is shown is to be kept.
    void keepAsked();

private:
    void arrange();
    void clear();
    void showProgress(const plan::SearchProgress& now);
    void showBusy();
    void take(const plan::PlanTable& table);
    void takeRefusal(const QString& why);
    void takeRows();
    void showRows();
    void showChart();
    void showWords();
    void showKeep();
    void select(int row);
    void open(int row);
    void openPlan(const plan::Evaluation& plan);
    QString rowText(int row) const;

    PlanAsked m_asked;  ///< of the rows
    QString m_question; ///< the same as a command line
    bool m_planned = false;
    plan::PlanTable m_found;
    std::vector<plan::Evaluation> m_rows;
    QStringList m_help;
    EarlierPlan m_earlier; ///< what a kept plan was answered
    QString m_status;
    int m_row = -1;
    PlanSearch m_search;
    PlanFields* m_fields;
    QPushButton* m_button;
    QPushButton* m_keep;
    QProgressBar* m_progress;
    QLabel* m_words;
    ScatterChart* m_chart;
    QTableWidget* m_table;
    PlanSplit* m_split;
};

} // namespace pw::ui

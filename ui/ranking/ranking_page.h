// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/pages/page.h"
#include "ui/plan/latest_work.h"
#include "ui/ranking/ranking.h"

#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QStackedWidget;
class QTableWidget;

namespace pw::ui {

class CurveChart;
class FieldBar;
class ScatterChart;
class ScheduleCard;

/// All families for one model, machine and memory cap: time against memory with the Pareto line, a
/// list with the reason why not, and sweeps as curves. Worked out in other threads, and given up
/// with the page.
class RankingPage : public Page
{
    Q_OBJECT

public:
    /// @param project  whose shape, costs and cap the page begins with
    RankingPage(Project project, const QString& name, QWidget* parent = nullptr);
    ~RankingPage() override;

    /// Ordered, as far as they are there.
    const std::vector<Ranked>& rows() const { return m_rows; }
    const std::vector<SweepCurve>& sweep() const { return m_curves; }
    const std::vector<RankHelp>& help() const { return m_help; }
    bool busy() const { return m_work.busy() || m_sweepWork.busy(); }
    ScatterChart& chart() { return *m_chart; }
    QTableWidget& table() { return *m_table; }

    QString title() const override;
    QString figures() const override;
    PageDetails details() const override;

Q_SIGNALS:
    /// A row is to be opened as a schedule.
    void openAsked(const pw::Project& project);
    /// Everything that was asked for is there.
    void ranked();
    /// Something cannot be, in a sentence.
    void refused(const QString& why);

private:
    struct Fresh;

    void makeFields();
    void makeSweepFields();
    void connectParts();
    RankQuestion question() const;
    void showCap();
    void rank();
    void take(std::vector<Ranked> rows);
    void finishRanking(qint64 nanoseconds);
    void askForHelp();
    void beginSweep();
    void showRows();
    void showChart();
    void showSweep();
    void showStatus();
    void select(int row);
    void open(int row);
    void showCard(int point);
    QString figuresOf(const Ranked& row) const;
    QString againstBaseline(const Ranked& row, bool& good) const;
    const Ranked* baseline() const;
    bool sized() const;

    Project m_project;
    QString m_name;
    RankQuestion m_asked; ///< of the rows
    std::vector<Ranked> m_rows;
    std::vector<int> m_points; ///< row of each point of the chart
    std::vector<SweepCurve> m_curves;
    std::size_t m_candidates = 0;
    qint64 m_nanoseconds = 0;
    int m_row = -1;
    bool m_stale = false; ///< the rows are of what was asked before
    LatestWork m_work;
    LatestWork m_sweepWork;
    LatestWork m_helpWork;
    std::vector<RankHelp> m_help; ///< what would help the first row
    FieldBar* m_fields;
    QComboBox* m_costs = nullptr;
    QComboBox* m_machine = nullptr;
    QSpinBox* m_devices = nullptr;
    QSpinBox* m_microBatches = nullptr;
    QDoubleSpinBox* m_cap = nullptr;
    QCheckBox* m_searches = nullptr;
    QDoubleSpinBox* m_jitter = nullptr;
    QComboBox* m_sweep = nullptr;
    QSpinBox* m_from = nullptr;
    QSpinBox* m_to = nullptr;
    QComboBox* m_shown = nullptr;
    QStackedWidget* m_stack;
    ScatterChart* m_chart;
    CurveChart* m_curveChart;
    QTableWidget* m_table;
    ScheduleCard* m_card;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative.h"

#include <QWidget>

#include <vector>

namespace pw::ui {

class ScatterChart;
class ScheduleCard;

/// Alternatives by time and memory, with the Pareto line and the cap; the pointer shows a schedule
/// in small.
class AlternativesChart : public QWidget
{
    Q_OBJECT

public:
    explicit AlternativesChart(QWidget* parent = nullptr);

    /// @param base  what others are held against; 0: nothing
    void set(const std::vector<Alternative>& rows, const RankQuestion& question, const QString& cap,
             int base);
    void setCurrent(int id);
    /// What is said where there is no row.
    void setSentence(const QString& sentence);
    void hideCard();
    ScatterChart& scatter() { return *m_chart; }

Q_SIGNALS:
    void chosen(int id);
    /// A row is to be opened.
    void activated(int id);
    void told(const QString& sentence);

private:
    void setAxes(const RankQuestion& question, Ticks longest, bool bytes);
    void showCard(int point);

    ScatterChart* m_chart;
    ScheduleCard* m_card;
    std::vector<Alternative> m_points; ///< of each point of the chart
    Alternative m_base;                ///< id 0: nothing
};

} // namespace pw::ui

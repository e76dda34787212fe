// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternatives_chart.h"

#include "core/base/text.h"
#include "ui/alternatives/schedule_card.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

AlternativesChart::AlternativesChart(QWidget* parent)
    : QWidget(parent)
    , m_chart(new ScatterChart(this))
    , m_card(new ScheduleCard(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    setFocusProxy(m_chart);
    connect(m_chart, &ScatterChart::hovered, this, &AlternativesChart::showCard);
    connect(m_chart, &ScatterChart::chosen, this, [this](int point) {
        Q_EMIT chosen(m_points[static_cast<std::size_t>(point)].id);
        if (m_chart->hasFocus())
            showCard(point);
    });
    connect(m_chart, &ScatterChart::activated, this,
            [this](int point) { Q_EMIT activated(m_points[static_cast<std::size_t>(point)].id); });
}

void AlternativesChart::set(const std::vector<Alternative>& rows, const RankQuestion& question,
                            const QString& cap, int base)
{
    const bool bytes = std::any_of(rows.begin(), rows.end(),
                                   [](const Alternative& row) { return row.peakBytes > 0; });
    m_points.clear();
    m_base = {};
    std::vector<ScatterPoint> points;
    Ticks longest = 0;
    for (const Alternative& row : rows) {
        if (row.id == base)
            m_base = row;
        // Micro-batches have no place on an axis of bytes.
        if (!row.made() || (bytes && row.peakBytes <= 0))
            continue;
        points.push_back({static_cast<double>(row.time()), row.memory(), row.name, !row.fits(),
                          row.pareto, static_cast<double>(row.low), static_cast<double>(row.high),
                          row.kind != AlternativeKind::Family});
        m_points.push_back(row);
        longest = std::max(longest, row.time());
    }
    setAxes(question, longest, bytes);
    m_chart->setPoints(std::move(points));
    const QString limit = bytes ? bytesText(static_cast<double>(question.capBytes)) : cap;
    if (bytes ? question.capBytes > 0 : question.capShare > 0)
        m_chart->setLimit(bytes ? static_cast<double>(question.capBytes)
                                : microBatchesFromShare(question.capShare),
                          tr("memory limit %1").arg(limit));
    else
        m_chart->setLimit(std::nullopt, {});
}

void AlternativesChart::setAxes(const RankQuestion& question, Ticks longest, bool bytes)
{
    const Unit unit = timeUnit(longest);
    PlotAxis across;
    across.title = question.noise
                       ? tr("makespan that 95 % of runs stay below; the band begins at 5 %")
                       : tr("makespan, shorter is better");
    across.write = [unit](double value) {
        return text(plainNumber(value / unit.size) + " " + std::string(unit.name));
    };
    PlotAxis up;
    up.title = bytes ? tr("Peak memory of a device") : tr("Peak activation, micro-batches");
    up.sizes = bytes;
    up.write = [bytes](double value) {
        return bytes ? (value > 0 ? bytesText(value) : QStringLiteral("0"))
                     : text(plainNumber(value));
    };
    m_chart->setAxes(across, up);
}

void AlternativesChart::setCurrent(int id)
{
    const auto found = std::find_if(m_points.begin(), m_points.end(),
                                    [id](const Alternative& row) { return row.id == id; });
    m_chart->setCurrent(found == m_points.end() ? -1 : static_cast<int>(found - m_points.begin()));
}

void AlternativesChart::setSentence(const QString& sentence)
{
    m_chart->setSentence(sentence);
}

void AlternativesChart::hideCard()
{
    m_card->hide();
}

void AlternativesChart::showCard(int point)
{
    if (point < 0)
        return m_card->hide();
    const Alternative& row = m_points[static_cast<std::size_t>(point)];
    ScheduleCard::Content content;
    content.title = row.name;
    content.source =
        row.ranked != nullptr
            ? text(row.ranked->candidate.family->citation).section(QLatin1Char(','), 0, 0)
            : kindWord(row.kind);
    if (row.timeline != nullptr)
        content.lanes = row.timeline->lanes;
    else if (row.ranked != nullptr && row.ranked->schedule != nullptr)
        content.lanes = lanesOf(row.ranked->schedule, row.ranked->result);
    content.figures = figuresOf(row);
    content.verdict = againstWords(row, m_base.id != 0 ? &m_base : nullptr, content.good);
    m_card->show(content, m_chart->placeOf(point));
    Q_EMIT told(tr("%1: %2. Click opens it.").arg(content.title, content.figures));
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Sweeps of the ranking, and what it says in words.
#include "core/base/stop.h"
#include "core/base/text.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/core_words.h"
#include "ui/panels/field_bar.h"
#include "ui/ranking/ranking_page.h"
#include "ui/ranking/schedule_card.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QComboBox>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr int mostSwept = 4096;

} // namespace

void RankingPage::makeSweepFields()
{
    m_sweep = m_fields->addChoice(
        tr("Sweep"), {tr("none"), tr("devices"), tr("micro-batches"), tr("k"), tr("chunks")},
        QStringLiteral("sweep"));
    m_sweep->setToolTip(tr("Curves over a number: k of kFkB and groups, chunks a device."));
    m_from = m_fields->addCount(tr("Fro&m"), 1, mostSwept, 2, QStringLiteral("from"));
    m_to = m_fields->addCount(tr("T&o"), 1, mostSwept, 16, QStringLiteral("to"));
    m_shown = m_fields->addChoice(
        tr("Sho&w"), {tr("bubble"), tr("time of a micro-batch"), tr("makespan"), tr("peak")},
        QStringLiteral("shown"));
    for (QWidget* field : {static_cast<QWidget*>(m_from), static_cast<QWidget*>(m_to),
                           static_cast<QWidget*>(m_shown)})
        field->setEnabled(false);
}

PageDetails RankingPage::details() const
{
    PageDetails details;
    details.kind = tr("Ranking");
    DetailsPart part;
    part.heading = tr("Schedule");
    part.none = tr("Nothing is worked out yet.");
    if (m_row >= 0) {
        const Ranked& row = m_rows[static_cast<std::size_t>(m_row)];
        part.heading = text(row.candidate.family->title);
        part.rows.push_back({tr("As typed"), text(row.candidate.name)});
        if (row.made()) {
            part.rows.push_back({tr("Makespan"), text(timeText(row.makespan))});
            if (row.high > 0)
                part.rows.push_back(
                    {tr("5 … 95 % below"),
                     text(timeText(row.low)) + QStringLiteral(" … ") + text(timeText(row.high))});
            part.rows.push_back({tr("Wall bubble"), percentText(row.wallBubble)});
            part.rows.push_back({tr("Peak"), microBatchText(row.peakMicroBatches)});
            if (row.peakBytes > 0)
                part.rows.push_back({tr("Memory"), text(byteText(row.peakBytes))});
        }
        const QString why = rankReason(m_rows, static_cast<std::size_t>(m_row));
        if (!why.isEmpty())
            part.rows.push_back(
                {row.fits() ? tr("Why not") : tr("Refused"), why, {}, false, {}, !row.fits()});
        bool good = false;
        if (const QString against = againstBaseline(row, good); !against.isEmpty() && row.fits())
            part.rows.push_back({{}, against});
    }
    details.parts.push_back(std::move(part));
    if (!m_help.empty()) {
        DetailsPart helps;
        helps.heading = tr("What would help");
        for (const RankHelp& one : m_help)
            helps.rows.push_back({one.what, one.good ? QString() : one.brings,
                                  one.good ? one.brings : QString(), one.good});
        details.parts.push_back(std::move(helps));
    }
    if (m_row >= 0) {
        const Family& family = *m_rows[static_cast<std::size_t>(m_row)].candidate.family;
        DetailsPart about;
        about.heading = tr("About");
        about.rows.push_back({{}, coreWords(family.summary)});
        about.rows.push_back({{}, text(family.citation)});
        details.parts.push_back(std::move(about));
    }
    return details;
}

void RankingPage::beginSweep()
{
    const auto what = static_cast<SweepOf>(m_sweep->currentIndex());
    const bool on = what != SweepOf::Nothing;
    for (QWidget* field : {static_cast<QWidget*>(m_from), static_cast<QWidget*>(m_to),
                           static_cast<QWidget*>(m_shown)})
        field->setEnabled(on);
    m_stack->setCurrentWidget(on ? static_cast<QWidget*>(m_curveChart) : m_chart);
    m_curves.clear();
    if (!on) {
        m_sweepWork.drop();
        return;
    }
    showSweep();
    m_curveChart->setSentence(tr("Sweeping …"));
    m_sweepWork.begin(
        [this, asked = question(), what,
         values = sweepValues(m_from->value(), m_to->value())](const std::atomic<bool>& stop) {
            const StopScope scope(stop);
            auto curves = std::make_shared<std::vector<SweepCurve>>();
            for (const RankCandidate& candidate : sweepCandidates(asked, what)) {
                if (stop)
                    return LatestWork::Answer();
                curves->push_back(pw::ui::sweepOf(asked, candidate, what, values));
            }
            return LatestWork::Answer([this, curves] {
                m_curves = std::move(*curves);
                m_curveChart->setSentence(tr("No family takes these numbers; choose others."));
                showSweep();
                if (!m_work.busy())
                    Q_EMIT ranked();
            });
        });
}

void RankingPage::showSweep()
{
    enum Shown
    {
        Bubble,
        PerMicroBatch,
        Makespan,
        Peak
    };
    const auto shown = static_cast<Shown>(m_shown->currentIndex());
    const bool bytes = std::any_of(m_curves.begin(), m_curves.end(), [](const SweepCurve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [](const Ranked& point) { return point.peakBytes > 0; });
    });
    const auto valueOf = [shown, bytes](const Ranked& point) {
        const auto makespan = static_cast<double>(point.makespan);
        return shown == Bubble          ? 100 * point.wallBubble
               : shown == PerMicroBatch ? makespan / point.candidate.options.microBatches
               : shown == Makespan      ? makespan
               : bytes                  ? static_cast<double>(point.peakBytes)
                                        : point.peakMicroBatches;
    };
    std::vector<PlotCurve> curves;
    double longest = 0;
    for (const SweepCurve& one : m_curves) {
        PlotCurve curve{text(one.name), {}};
        for (std::size_t i = 0; i < one.points.size(); ++i) {
            curve.points.emplace_back(one.values[i], valueOf(one.points[i]));
            longest = std::max(longest, curve.points.back().y());
        }
        curves.push_back(std::move(curve));
    }
    const Unit unit = timeUnit(static_cast<Ticks>(longest));
    PlotAxis across;
    across.title = m_sweep->currentText();
    across.whole = true;
    across.write = [](double value) { return text(plainNumber(value)); };
    PlotAxis up;
    up.title = m_shown->currentText();
    up.sizes = shown == Peak && bytes;
    up.write = [shown, bytes, unit](double value) {
        if (shown == Bubble)
            return text(plainNumber(value) + " %");
        if (shown == Peak)
            return bytes ? bytesText(value) : text(plainNumber(value) + " mb");
        return text(plainNumber(value / unit.size) + " " + std::string(unit.name));
    };
    m_curveChart->setAxes(across, up);
    m_curveChart->setCurves(std::move(curves));
    showStatus();
}

QString RankingPage::figuresOf(const Ranked& row) const
{
    QStringList parts = {text(timeText(row.makespan)),
                         tr("bubble %1").arg(percentText(row.wallBubble)),
                         text(plainNumber(row.peakMicroBatches)) + tr(" mb")};
    if (row.peakBytes > 0)
        parts << text(byteText(row.peakBytes));
    return parts.join(QStringLiteral(" · "));
}

QString RankingPage::againstBaseline(const Ranked& row, bool& good) const
{
    const Ranked* base = baseline();
    good = false;
    if (!row.overCap.empty())
        return tr("above the memory cap");
    if (base == nullptr || base == &row || base->memory() <= 0)
        return row.asynchronous ? tr("asynchronous") : QString();
    const double time = static_cast<double>(row.makespan) / static_cast<double>(base->makespan);
    const double memory = row.memory() / base->memory();
    const auto than = [](double part, const QString& less, const QString& more,
                         const QString& same) {
        constexpr double noticed = 0.0005;
        return std::abs(part - 1) < noticed ? same
               : part < 1                   ? less.arg(percentText(1 - part))
                                            : more.arg(percentText(part - 1));
    };
    good = time <= 1 && memory <= 1 + 1e-9;
    return tr("against 1F1B: %1, %2")
        .arg(than(time, tr("%1 shorter"), tr("%1 longer"), tr("as long")),
             than(memory, tr("%1 less memory"), tr("%1 more memory"), tr("same memory")));
}

void RankingPage::showCard(int point)
{
    if (point < 0)
        return m_card->hide();
    const Ranked& row = m_rows[static_cast<std::size_t>(m_points[static_cast<std::size_t>(point)])];
    ScheduleCard::Content content;
    const Family& family = *row.candidate.family;
    content.title = text(row.candidate.name);
    content.source = text(family.citation).section(QLatin1Char(','), 0, 0);
    if (row.schedule != nullptr)
        content.lanes = lanesOf(row.schedule, row.result);
    content.figures = figuresOf(row);
    content.verdict = againstBaseline(row, content.good);
    m_card->show(content, QPointF(m_chart->mapTo(this, m_chart->placeOf(point).toPoint())));
    Q_EMIT told(tr("%1: %2. Click opens it.").arg(content.title, content.figures));
}

QString RankingPage::figures() const
{
    if (m_work.busy())
        return tr("%1 of %2 schedules").arg(m_stale ? 0 : m_rows.size()).arg(m_candidates);
    const auto count = [this](const auto& is) {
        return std::count_if(m_rows.begin(), m_rows.end(), is);
    };
    QString sentence =
        tr("%1 schedules in %2     %3 on the Pareto line     %4 above the cap     %5 cannot be")
            .arg(m_rows.size())
            .arg(text(timeText(m_nanoseconds)))
            .arg(count([](const Ranked& row) { return row.pareto; }))
            .arg(count([](const Ranked& row) { return row.made() && !row.fits(); }))
            .arg(count([](const Ranked& row) { return !row.made(); }));
    if (m_sweepWork.busy())
        sentence += tr("     sweeping …");
    return sentence;
}

} // namespace pw::ui

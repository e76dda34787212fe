// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compare_hover.h"

#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "core/trace/measured_gaps.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/number_rows.h"
#include "ui/plural.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

struct ComparedWords
{
    Q_DECLARE_TR_FUNCTIONS(StackedTimelines)
};

/// Why a device idles at a time, as far as the times themselves say it.
HoverNews idleNews(const Compared& timeline, int lane, Ticks time)
{
    const Lane& spans = timeline.lanes->lanes()[static_cast<std::size_t>(lane)];
    const std::size_t next = spans.firstEndingAfter(time);
    const bool busy = next < spans.size() && spans.start[next] <= time;
    if (busy || time < 0 || time >= timeline.times.makespan)
        return {};
    const Schedule& schedule = *timeline.schedule;
    const Gap gap = measuredGap(schedule, timeline.times, {}, DeviceId(lane),
                                EntryId(next < spans.size() ? spans.entry[next] : -1));
    const QString length = durationText(static_cast<double>(gap.end - gap.start));
    HoverNews news;
    news.title = ComparedWords::tr("Device %1 idles for %2").arg(lane).arg(length);
    news.lines += coreSentence(gap.text);
    news.sentence = QStringLiteral("%1: %2").arg(news.title, news.lines.back());
    const SpanRef after = spanOf(*timeline.lanes, schedule, gap.next);
    const SpanRef cause =
        spanOf(*timeline.lanes, schedule, schedule.entryOf(schedule.table().id(gap.cause)));
    const std::vector<SpanRef> waited = linkedSpans(*timeline.lanes, schedule, after, -1);
    if (std::find(waited.begin(), waited.end(), cause) != waited.end()) {
        news.lit = {cause};
        news.arrows.push_back({cause, after});
    }
    return news;
}

HoverNews passNews(const Compared& timeline, const Difference* difference, SpanRef span)
{
    const Lane& spans = timeline.lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const auto duration = [](Ticks ticks) { return durationText(static_cast<double>(ticks)); };
    HoverNews news;
    news.title = passText(timeline.lanes->pass(span), timeline.schedule->spec());
    news.sentence = ComparedWords::tr("%1, %2 – %3")
                        .arg(news.title, duration(spans.start[index]), duration(spans.end[index]));
    news.lines += ComparedWords::tr("%1, takes %2")
                      .arg(spanText(static_cast<double>(spans.start[index]),
                                    static_cast<double>(spans.end[index])),
                           duration(spans.end[index] - spans.start[index]));
    if (difference != nullptr) {
        const auto at = static_cast<std::size_t>(span.lane);
        const Ticks moved = difference->moved->values[at][index];
        const Ticks grown = difference->grown->values[at][index];
        if (moved == Heat::none)
            news.lines += ComparedWords::tr("the timeline above does not have it");
        else if (grown == Heat::none)
            news.lines += ComparedWords::tr("ends %1 against the one above").arg(shiftText(moved));
        else
            news.lines += ComparedWords::tr("ends %1, takes %2 against the one above")
                              .arg(shiftText(moved), shiftText(grown));
        news.sentence += QStringLiteral("; ") + news.lines.back();
    }
    news.lit = linkedSpans(*timeline.lanes, *timeline.schedule, span, -1);
    for (const SpanRef from : news.lit)
        if (from.lane != span.lane)
            news.arrows.push_back({from, span});
    return news;
}

/// All that the fullest device holds, by kind, and of it the activations.
void addPeaks(DetailsPart& part, const Compared& timeline)
{
    // Where more than activations has a size.
    if (timeline.memory.total > peakActivation(timeline.times)) {
        NumberRow whole{ComparedWords::tr("Peak memory"), text(byteText(timeline.memory.total))};
        whole.note = kindsText(timeline.memory);
        part.rows.push_back(whole);
    }
    if (const Bytes bytes = peakActivation(timeline.times); bytes > 0)
        part.rows.push_back({ComparedWords::tr("Peak activation"), text(byteText(bytes))});
}

/// The figures of a timeline that is compared.
/// @param above  what the difference is to; null: none
DetailsPart comparedPart(const Compared& timeline, const Difference* difference,
                         const ComparedPtr& above)
{
    const SimResult& times = timeline.times;
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(one.idle)),
                                             percentText(one.rate()));
    };
    DetailsPart part{timeline.title, {}, {}};
    if (!timeline.about.isEmpty())
        part.rows.push_back({ComparedWords::tr("Shown"), timeline.about});
    NumberRow makespan{ComparedWords::tr("Makespan"),
                       durationText(static_cast<double>(times.makespan))};
    if (above != nullptr) {
        makespan.verdict = shiftText(times.makespan - above->times.makespan);
        makespan.good = times.makespan < above->times.makespan;
        makespan.note = ComparedWords::tr("against %1").arg(above->title);
    }
    part.rows.push_back(makespan);
    part.rows.push_back({ComparedWords::tr("Span bubble"), bubble(spanBubble(times))});
    part.rows.push_back({ComparedWords::tr("Wall bubble"), bubble(wallBubble(times))});
    addPeaks(part, timeline);
    if (difference != nullptr) {
        part.rows.push_back({ComparedWords::tr("Passes in both"),
                             ComparedWords::tr("%1 of %2")
                                 .arg(difference->matched)
                                 .arg(difference->matched + difference->onlyHere)});
        if (difference->onlyThere > 0)
            part.rows.push_back(
                {ComparedWords::tr("Only above"), QString::number(difference->onlyThere)});
    }
    return part;
}

/// Adds what a timeline says of a selected span, an invalid one nothing.
void appendPass(DetailsPart& part, const Compared& timeline, const Difference* difference,
                SpanRef span)
{
    if (!timeline.lanes->holds(span))
        return;
    const HoverNews news = passNews(timeline, difference, span);
    part.rows.push_back({timeline.title, news.title});
    for (const QString& line : news.lines)
        part.rows.push_back({QString(), line});
}

} // namespace

HoverNews comparedNews(const Compared& timeline, const Difference* difference, SpanRef span,
                       int lane, Ticks time)
{
    if (lane < 0 || lane >= static_cast<int>(timeline.lanes->lanes().size()))
        return {};
    return timeline.lanes->holds(span) ? passNews(timeline, difference, span)
                                       : idleNews(timeline, lane, time);
}

QString aboutRow(const ComparedRow& row, const QString& above)
{
    if (!row.problem.isEmpty())
        return row.problem;
    if (row.timeline == nullptr)
        return ComparedWords::tr("reading…");
    QStringList about;
    if (!row.timeline->about.isEmpty())
        about += row.timeline->about;
    about += durationText(static_cast<double>(row.timeline->times.makespan));
    if (row.difference != nullptr) {
        about +=
            ComparedWords::tr("%1 against %2").arg(shiftText(row.difference->shifts.total), above);
        if (row.difference->onlyHere > 0)
            about += ComparedWords::tr("%1 only here")
                         .arg(plural(static_cast<qint64>(row.difference->onlyHere), Noun::Pass));
        if (row.difference->onlyThere > 0)
            about += ComparedWords::tr("%1 only above").arg(row.difference->onlyThere);
    }
    return about.join(QStringLiteral(" · "));
}

QString makespansOf(const std::vector<ComparedRow>& rows)
{
    QStringList all;
    for (const ComparedRow& row : rows) {
        if (row.timeline == nullptr)
            continue;
        QString one = QStringLiteral("%1: %2").arg(
            row.title, durationText(static_cast<double>(row.timeline->times.makespan)));
        if (row.difference != nullptr)
            one += QStringLiteral(" (%1)").arg(shiftText(row.difference->shifts.total));
        all += one;
    }
    return all.join(QStringLiteral("     "));
}

PageDetails detailsOf(const std::vector<ComparedRow>& rows)
{
    PageDetails details{ComparedWords::tr("Comparison"), {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ComparedRow& row = rows[i];
        if (row.timeline == nullptr)
            details.parts.push_back(
                {row.title,
                 {},
                 row.problem.isEmpty() ? ComparedWords::tr("Reading it…") : row.problem});
        else
            details.parts.push_back(comparedPart(*row.timeline, row.difference.get(),
                                                 i > 0 ? rows[i - 1].timeline : nullptr));
    }
    DetailsPart pass{ComparedWords::tr("Selected pass"),
                     {},
                     ComparedWords::tr("None. Click a pass in any of them.")};
    for (const ComparedRow& row : rows)
        if (row.timeline != nullptr)
            appendPass(pass, *row.timeline, row.difference.get(), row.current);
    details.parts.push_back(std::move(pass));
    return details;
}

} // namespace pw::ui

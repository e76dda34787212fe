// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_source.h"

#include "core/edit/phases.h"
#include "core/trace/waits.h"
#include "ui/core_sentences.h"
#include "ui/timeline/schedule_links.h"
#include "ui/window/run_curves.h"
#include "ui/window/run_details.h"

namespace pw::ui {

void RunSource::setRun(const RunTimelinePtr& run)
{
    m_run = run;
    m_records = nullptr;
    Q_EMIT lanesChanged();
}

void RunSource::setRecords(const RunRecordsPtr& records)
{
    m_records = records;
    Q_EMIT moreKnown();
}

const RecordedArrivals& RunSource::arrivals() const
{
    static const RecordedArrivals none;
    return m_records != nullptr ? m_records->arrivals : none;
}

LanesPtr RunSource::lanes() const
{
    return m_run != nullptr ? m_run->lanes : noLanes();
}

const PipelineSpec& RunSource::spec() const
{
    return m_run != nullptr ? m_run->schedule->spec() : TimelineSource::spec();
}

HoverNews RunSource::describe(SpanRef span, int lane, double time) const
{
    if (lane < 0 || m_run == nullptr)
        return {};
    if (m_run->lanes->holds(span))
        return runPassNews(*m_run, span);
    if (const std::optional<Gap> gap = gapAt(lane, static_cast<Ticks>(time)))
        return runGapNews(*m_run, *gap);
    return {};
}

std::optional<Gap> RunSource::gapAt(int lane, Ticks time) const
{
    if (m_run == nullptr || time < 0 || time >= m_run->measured.makespan)
        return std::nullopt;
    const Lane& spans = m_run->lanes->lanes()[static_cast<std::size_t>(lane)];
    const std::size_t next = spans.firstEndingAfter(time);
    if (next < spans.size() && spans.start[next] <= time)
        return std::nullopt;
    return measuredGap(*m_run->schedule, m_run->measured, arrivals(), DeviceId(lane),
                       EntryId(next < spans.size() ? spans.entry[next] : -1));
}

std::optional<IdleStretch> RunSource::idle(int lane, Ticks time) const
{
    const std::optional<Gap> gap = gapAt(lane, time);
    if (!gap)
        return std::nullopt;
    return IdleStretch{gap->start, gap->end,
                       gap->reason == WaitReason::Finished ? QString() : coreSentence(gap->text)};
}

std::vector<SpanRef> RunSource::linked(SpanRef span, int direction) const
{
    return linkedSpans(*lanes(), *m_run->schedule, span, direction);
}

std::vector<Arrow> RunSource::arrows(SpanRef span) const
{
    return messageArrows(*lanes(), *m_run->schedule, span);
}

std::vector<SpanRef> RunSource::strand(SpanRef span) const
{
    std::vector<SpanRef> spans;
    const Pass pass = m_run->lanes->pass(span);
    if (pass.kind == PassKind::U)
        return spans;
    for (const EntryId entry : strandOf(*m_run->schedule, m_run->measured, pass.microBatch))
        if (const SpanRef found = spanOf(*m_run->lanes, *m_run->schedule, entry); found.valid())
            spans.push_back(found);
    return spans;
}

std::vector<SpanRef> RunSource::critical() const
{
    std::vector<SpanRef> spans;
    if (m_run == nullptr)
        return spans;
    for (const ChainLink& link : decidingChain(*m_run->schedule, m_run->measured, arrivals()))
        spans.push_back(spanOf(*m_run->lanes, *m_run->schedule, EntryId(link.entry)));
    return spans;
}

std::optional<PhasesOf> RunSource::phases() const
{
    if (m_run == nullptr)
        return std::nullopt;
    return phasesOf(*m_run->schedule, m_run->measured);
}

/// Where there are samples and messages they stand in the place of what would follow from the
/// order.
Curves RunSource::curves(const TimelineChart& chart, int lane) const
{
    const DeviceId own = lane >= 0 ? DeviceId(lane) : fullestDevice(m_run->measured);
    const DeviceId device = lane >= 0 ? DeviceId(lane) : fullestDevice(m_run->predicted);
    Curves curves =
        chart.curves({m_run->order, m_run->orderTimes, m_run->costs, m_run->schedule.get()}, own);
    if (chart.id == memoryChart)
        showRunMemory(curves, *m_run, m_records, device);
    else if (chart.id == linkChart)
        showRunLinks(curves, m_records, device);
    return curves;
}

std::vector<BubbleRow> RunSource::bubbles() const
{
    return bubbleRows(m_run->measured);
}

std::optional<std::vector<BubbleRow>> RunSource::plannedBubbles() const
{
    return bubbleRows(m_run->predicted);
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/shown_step.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/trace/match.h"
#include "core/trace/measured_gaps.h"
#include "ui/plural.h"
#include "ui/runs/run_timeline.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

struct StepWords
{
    Q_DECLARE_TR_FUNCTIONS(ShownStep)
};

/// "0–4, 6–15"
QString rangesText(const std::vector<std::int32_t>& numbers)
{
    QStringList parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        parts += last == i ? QString::number(numbers[i])
                           : QStringLiteral("%1–%2").arg(numbers[i]).arg(numbers[last]);
        i = last + 1;
    }
    return parts.join(QStringLiteral(", "));
}

/// Lanes of one replica by themselves.
ShownReplica replicaOf(const ShownJobPtr& job, const RecoveredIteration& iteration,
                       std::int32_t number)
{
    ShownReplica shown;
    shown.replica = number;
    const RecoveredPipeline& pipeline = job->replica(static_cast<std::size_t>(number));
    // The schedule lives as long as the job does.
    const std::shared_ptr<const Schedule> schedule(job, &*pipeline.schedule);
    if (Result<SimResult> measured = measuredResult(*schedule, iteration.passes, {}); measured)
        shown.measured = std::move(*measured);
    else
        return shown; // passes of another order
    shown.lanes = measuredLanes(schedule, shown.measured);
    return shown;
}

/// What stands above the lanes of a replica.
QString headingOf(const ShownStep& step, std::int32_t replica)
{
    const Ticks span = step.job->job().steps[step.step].span[static_cast<std::size_t>(replica)];
    const QString length = durationText(static_cast<double>(span));
    const AlikeReplicas& alike = step.alike;
    if (replica == alike.typical)
        return StepWords::tr("%1 alike, within %2: %3     shown: replica %4, %5")
            .arg(plural(static_cast<qint64>(alike.alike.size()), Noun::Replica),
                 percentText(alike.within), rangesText(alike.alike))
            .arg(replica)
            .arg(length);
    const bool differs =
        !alike.alike.empty() &&
        std::find(alike.different.begin(), alike.different.end(), replica) != alike.different.end();
    return differs ? StepWords::tr("Replica %1 differs: %2").arg(replica).arg(length)
                   : StepWords::tr("Replica %1: %2").arg(replica).arg(length);
}

/// Which replicas have lanes, in their order.
std::vector<std::int32_t> chosenReplicas(const AlikeReplicas& alike,
                                         const std::vector<std::int32_t>& opened)
{
    std::vector<std::int32_t> chosen(
        alike.different.begin(),
        alike.different.begin() + static_cast<std::ptrdiff_t>(
                                      std::min(alike.different.size(), ShownStep::mostDifferent)));
    for (const std::int32_t one : opened)
        if (one != alike.typical && std::find(chosen.begin(), chosen.end(), one) == chosen.end())
            chosen.push_back(one);
    if (alike.typical >= 0)
        chosen.push_back(alike.typical);
    return chosen;
}

/// The lanes of a replica as a part of the picture.
void appendLanes(const ShownStep& step, const ShownReplica& shown, std::int32_t firstEntry,
                 std::vector<Lane>& lanes)
{
    const QString heading = headingOf(step, shown.replica);
    const RecoveredPipeline& pipeline = step.job->replica(static_cast<std::size_t>(shown.replica));
    for (std::size_t d = 0; d < shown.lanes->lanes().size(); ++d) {
        Lane lane = shown.lanes->lanes()[d];
        for (Ticks& time : lane.start)
            time += shown.shift;
        for (Ticks& time : lane.end)
            time += shown.shift;
        for (LaneCopy& copy : lane.copies) {
            copy.start += shown.shift;
            copy.end += shown.shift;
        }
        for (std::int32_t& entry : lane.entry)
            entry += firstEntry;
        const Worker worker{shown.replica, DeviceId(static_cast<std::int32_t>(d))};
        const bool oneStage = pipeline.stages == static_cast<int>(pipeline.rankOfDevice.size());
        lane.title =
            oneStage ? StepWords::tr("stage %1").arg(d) : StepWords::tr("device %1").arg(d);
        lane.detail = StepWords::tr("rank %1").arg(text(step.job->rankText(worker)));
        lane.group = heading;
        lanes.push_back(std::move(lane));
    }
}

} // namespace

const ShownReplica* ShownStep::replicaOf(int lane) const
{
    for (const ShownReplica& one : replicas)
        if (lane >= one.firstLane &&
            lane < one.firstLane + static_cast<int>(one.lanes->lanes().size()))
            return &one;
    return nullptr;
}

std::optional<Worker> ShownStep::workerOf(int lane) const
{
    const ShownReplica* own = replicaOf(lane);
    if (own == nullptr)
        return std::nullopt;
    return Worker{own->replica, DeviceId(lane - own->firstLane)};
}

int ShownStep::laneOf(const Worker& worker) const
{
    for (const ShownReplica& one : replicas)
        if (one.replica == worker.replica)
            return one.firstLane + worker.device.value;
    return -1;
}

SpanRef ShownStep::ownSpan(const ShownReplica& replica, SpanRef span) const
{
    return {span.lane - replica.firstLane, span.index};
}

SpanRef ShownStep::pictureSpan(const ShownReplica& replica, SpanRef span) const
{
    return span.valid() ? SpanRef{span.lane + replica.firstLane, span.index} : span;
}

std::optional<Gap> ShownStep::gapAt(int lane, Ticks time) const
{
    const ShownReplica* own = replicaOf(lane);
    if (own == nullptr || time < own->shift || time >= own->shift + own->measured.makespan)
        return std::nullopt;
    const Lane& spans = lanes->lanes()[static_cast<std::size_t>(lane)];
    const std::size_t next = spans.firstEndingAfter(time);
    if (next < spans.size() && spans.start[next] <= time)
        return std::nullopt;
    const Lane& alone = own->lanes->lanes()[static_cast<std::size_t>(lane - own->firstLane)];
    Gap gap = measuredGap(schedule(*own), own->measured, {}, DeviceId(lane - own->firstLane),
                          EntryId(next < alone.size() ? alone.entry[next] : -1));
    gap.start += own->shift;
    gap.end += own->shift;
    return gap;
}

Result<ShownStepPtr> shownStep(const ShownJobPtr& job, std::size_t step,
                               const std::vector<std::int32_t>& opened)
{
    auto made = std::make_shared<ShownStep>();
    made->job = job;
    made->step = step;
    PW_TRY(made->withPasses, job->step(step));
    const Job& own = *made->withPasses.job;
    const std::size_t at = made->withPasses.step;
    made->alike = alikeReplicas(own, at);
    made->window = *windowOf(own, at);
    made->busy = busyWorkers(own, at, made->window, ShownStep::columns);
    std::vector<Lane> lanes;
    std::vector<std::pair<std::int32_t, const Schedule*>> sources; // by first entry
    std::int32_t entries = 0;
    for (const std::int32_t number : chosenReplicas(made->alike, opened)) {
        const auto replica = static_cast<std::size_t>(number);
        const std::int32_t found = own.steps[at].iteration[replica];
        if (found < 0)
            continue;
        const RecoveredPipeline& pipeline = job->replica(replica);
        const RecoveredIteration& iteration =
            own.replicas[replica]->iterations[static_cast<std::size_t>(found)];
        ShownReplica shown = replicaOf(job, iteration, number);
        if (shown.lanes == nullptr)
            continue;
        shown.firstLane = static_cast<int>(lanes.size());
        shown.shift = iteration.first - made->window.first;
        appendLanes(*made, shown, entries, lanes);
        sources.emplace_back(entries, &*pipeline.schedule);
        entries += static_cast<std::int32_t>(pipeline.schedule->entryCount());
        made->replicas.push_back(std::move(shown));
    }
    made->lanes = std::make_shared<const Lanes>(
        std::move(lanes), [job, sources](std::int32_t entry, bool partner) {
            const auto behind = std::upper_bound(
                sources.begin(), sources.end(), entry,
                [](std::int32_t number, const auto& source) { return number < source.first; });
            const auto& [first, schedule] = *std::prev(behind);
            const OrderEntry both = schedule->entry(EntryId(entry - first));
            return partner ? both.partner : both.pass;
        });
    return ShownStepPtr(std::move(made));
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/dependencies.h"
#include "core/trace/align_clocks.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

/// What both ends of a labelled message say of it: forward, stage of the sender, micro-batch,
/// segment.
using MessageKey = std::tuple<bool, StageId, int, int>;

/// An end of a labelled message.
struct MessageEnd
{
    Ticks time = 0;
    DeviceId device{0};
};

struct MessageEnds
{
    std::vector<MessageEnd> sends, receives; // in time order, so one an iteration
};

std::map<MessageKey, MessageEnds> labelledEnds(const Trace& trace,
                                               const RecoveredPipeline& pipeline)
{
    std::vector<DeviceId> deviceOfRank(trace.ranks.size());
    for (const DeviceId device : Ids<DeviceId>(pipeline.rankOfDevice.size()))
        deviceOfRank[pipeline.rankOfDevice[device.index()].index()] = device;
    std::map<MessageKey, MessageEnds> ends;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        const DeviceId device = deviceOfRank[span.rank.index()];
        if (label == nullptr || device < 0 || label->stage < 0 || label->microBatch < 0 ||
            (label->role != SpanRole::Send && label->role != SpanRole::Receive))
            continue;
        const bool forward = label->kind == PassKind::F;
        const bool send = label->role == SpanRole::Send;
        const StageId sender = send ? label->stage : label->stage + (forward ? -1 : 1);
        MessageEnds& both = ends[{forward, sender, label->microBatch, std::max(label->segment, 0)}];
        (send ? both.sends : both.receives).push_back({send ? span.start : span.end, device});
    }
    const auto earlier = [](const MessageEnd& a, const MessageEnd& b) { return a.time < b.time; };
    for (auto& [key, both] : ends) {
        std::sort(both.sends.begin(), both.sends.end(), earlier);
        std::sort(both.receives.begin(), both.receives.end(), earlier);
    }
    return ends;
}

/// Times of the entries of one iteration; what was not recorded ends before it begins.
struct EntryTimes
{
    std::vector<Ticks> start, end;

    EntryTimes(const Schedule& schedule, const RecoveredIteration& iteration)
        : start(static_cast<std::size_t>(schedule.entryCount()), 0)
        , end(start.size(), -1)
    {
        for (const RecordedPass& record : iteration.passes) {
            if (record.entry < 0)
                continue;
            const std::size_t at = record.entry.index();
            start[at] = has(at) ? std::min(start[at], record.start) : record.start;
            end[at] = std::max(end[at], record.end);
        }
    }
    bool has(std::size_t place) const { return end[place] >= start[place]; }
};

} // namespace

std::vector<ClockMessage> clockMessages(const Trace& trace, const RecoveredPipeline& pipeline)
{
    std::vector<ClockMessage> messages;
    if (!pipeline.schedule)
        return messages;
    const Schedule& schedule = *pipeline.schedule;
    const Dependencies rules(schedule);
    const auto labelled = labelledEnds(trace, pipeline);
    const std::size_t iterations = pipeline.iterations.size();
    std::vector<Dependency> needs;
    for (std::size_t number = 0; number < iterations; ++number) {
        const EntryTimes times(schedule, pipeline.iterations[number]);
        for (const EntryId i : schedule.entries()) {
            const Schedule::Places& places = schedule.places()[static_cast<std::size_t>(i)];
            for (const PassId id : {places.first, places.second}) {
                needs.clear();
                if (id.valid())
                    rules.append(id, needs);
                for (const Dependency& need : needs) {
                    if (!need.message)
                        continue;
                    ClockMessage message;
                    message.iteration = static_cast<std::int32_t>(number);
                    message.producer = schedule.pass(need.producer);
                    message.consumer = schedule.pass(id);
                    message.from = schedule.device(need.producer);
                    message.to = schedule.device(id);
                    const auto found =
                        labelled.find({message.producer.kind == PassKind::F, message.producer.stage,
                                       message.producer.microBatch, message.producer.segment});
                    if (found != labelled.end() && message.consumer.kind != PassKind::U &&
                        found->second.sends.size() == iterations &&
                        found->second.receives.size() == iterations &&
                        found->second.sends[number].device == message.from &&
                        found->second.receives[number].device == message.to) {
                        message.labelled = true;
                        message.sent = found->second.sends[number].time;
                        message.received = found->second.receives[number].time;
                        messages.push_back(message);
                        continue;
                    }
                    const auto producer = static_cast<std::size_t>(schedule.entryOf(need.producer));
                    if (!times.has(static_cast<std::size_t>(i)) || !times.has(producer))
                        continue;
                    message.sent = times.end[producer];
                    message.received = times.start[static_cast<std::size_t>(i)];
                    messages.push_back(message);
                }
            }
        }
    }
    return messages;
}

} // namespace pw

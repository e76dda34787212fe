// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/measured_gaps.h"

#include "core/base/text.h"
#include "core/trace/waits.h"

#include <algorithm>

namespace pw {

RecordedArrivals::RecordedArrivals(const Schedule& schedule,
                                   std::span<const RecordedMessage> messages, Ticks base)
    : m_byProducer(static_cast<std::size_t>(schedule.table().size()), -1)
{
    const PipelineSpec& spec = schedule.spec();
    for (RecordedMessage message : messages) {
        const Pass& pass = message.producer;
        if (message.message < 0 || pass.kind == PassKind::U || pass.stage < 0 ||
            pass.stage >= spec.stages() || pass.microBatch < 0 ||
            pass.microBatch >= spec.totalMicroBatches() || pass.segment < 0 ||
            pass.segment >= spec.segments())
            continue;
        message.posted -= base;
        message.started -= base;
        message.ended -= base;
        m_byProducer[static_cast<std::size_t>(schedule.table().id(pass).value)] =
            static_cast<std::int32_t>(m_messages.size());
        m_messages.push_back(message);
    }
}

const RecordedMessage* RecordedArrivals::of(PassId producer) const
{
    const auto at = static_cast<std::size_t>(producer.value);
    if (at >= m_byProducer.size() || m_byProducer[at] < 0)
        return nullptr;
    return &m_messages[static_cast<std::size_t>(m_byProducer[at])];
}

Gap measuredGap(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
                DeviceId device, EntryId entry)
{
    Gap gap;
    gap.device = device;
    gap.next = entry;
    if (entry < 0) {
        for (const EntryId e : schedule.entries(device))
            gap.start = std::max(gap.start, times.end[static_cast<std::size_t>(e)]);
        gap.end = times.makespan;
        gap.text = said("nothing left to do");
        return gap;
    }
    const Wait wait =
        waitsOfDevice(schedule, times, arrivals,
                      device)[static_cast<std::size_t>(entry - schedule.begin(device))];
    gap.start = wait.free;
    gap.end = times.start[static_cast<std::size_t>(entry)];
    if (wait.producer < 0 || wait.there <= gap.start) {
        gap.reason = WaitReason::Order;
        gap.text = said("nothing is missing: the time between two passes (launch, host)");
        return gap;
    }
    gap.cause = schedule.pass(wait.pass);
    const Sentence pass = describe(gap.cause, schedule.spec());
    const Sentence cause =
        wait.message ? said("%1 on device %2", pass, schedule.device(wait.pass)) : pass;
    const Ticks flight = wait.there - wait.produced;
    const std::string took = millisecondText(flight, 4);
    const std::string end = millisecondText(wait.produced);
    if (wait.produced <= gap.start) {
        gap.reason = WaitReason::Message;
        gap.text = wait.known
                       ? said("waits for the message of %1, under way for %2", cause, took)
                       : said("waits for the message of %1, which was not recorded; usually %2",
                              cause, took);
    } else {
        gap.reason = WaitReason::Dependency;
        gap.text =
            flight > 0 && wait.known
                ? said("waits for %1, which ends at %2, and %3 for its message", cause, end, took)
                : said("waits for %1, which ends at %2", cause, end);
    }
    // What a message that was not recorded took is not told apart from launching.
    const Ticks there = wait.known || wait.produced <= gap.start ? wait.there : wait.produced;
    if (const Ticks rest = gap.end - std::min(there, gap.end); rest > 0)
        gap.text = said("%1; %2 of it is launching", gap.text, millisecondText(rest, 4));
    return gap;
}

} // namespace pw

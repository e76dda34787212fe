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
        gap.text = "nothing left to do";
        return gap;
    }
    const Wait wait =
        waitsOfDevice(schedule, times, arrivals,
                      device)[static_cast<std::size_t>(entry - schedule.begin(device))];
    gap.start = wait.free;
    gap.end = times.start[static_cast<std::size_t>(entry)];
    if (wait.producer < 0 || wait.there <= gap.start) {
        gap.reason = WaitReason::Order;
        gap.text = "nothing is missing: the time between two passes (launch, host)";
        return gap;
    }
    gap.cause = schedule.pass(wait.pass);
    gap.text = describe(gap.cause, schedule.spec());
    if (wait.message)
        gap.text += " on device " + std::to_string(schedule.device(wait.pass));
    const Ticks flight = wait.there - wait.produced;
    if (wait.produced <= gap.start) {
        gap.reason = WaitReason::Message;
        gap.text = "waits for the message of " + gap.text +
                   (wait.known ? ", under way for " : ", which was not recorded; usually ") +
                   millisecondText(flight, 4);
    } else {
        gap.reason = WaitReason::Dependency;
        gap.text = "waits for " + gap.text + ", which ends at " + millisecondText(wait.produced);
        if (flight > 0 && wait.known)
            gap.text += ", and " + millisecondText(flight, 4) + " for its message";
    }
    // What a message that was not recorded took is not told apart from launching.
    const Ticks there = wait.known || wait.produced <= gap.start ? wait.there : wait.produced;
    if (const Ticks rest = gap.end - std::min(there, gap.end); rest > 0)
        gap.text += "; " + millisecondText(rest, 4) + " of it is launching";
    return gap;
}

} // namespace pw

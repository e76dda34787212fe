// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/measured_gaps.h"

#include "core/base/text.h"
#include "core/trace/waits.h"

#include <algorithm>
#include <optional>

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

namespace {

/// What an entry waited for that was there last.
struct LastInput
{
    PassId producer;
    Ticks produced = 0;
    Ticks there = 0; ///< with its message, where that was recorded
    bool message = false;
};

std::optional<LastInput> lastInput(const Schedule& schedule, const SimResult& times,
                                   const RecordedArrivals& arrivals, std::int32_t entry)
{
    std::vector<EntryInput> inputs;
    EntryInputs(schedule).find(entry, inputs);
    std::optional<LastInput> last;
    for (const EntryInput& one : inputs) {
        LastInput input{one.pass, times.end[static_cast<std::size_t>(one.producer)], 0,
                        one.message};
        input.there = input.produced;
        if (const RecordedMessage* message = one.message ? arrivals.of(one.pass) : nullptr)
            input.there = std::max(input.produced, message->ended);
        if (!last || input.there > last->there)
            last = input;
    }
    return last;
}

} // namespace

Gap measuredGap(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
                int device, std::int32_t entry)
{
    Gap gap;
    gap.device = device;
    gap.next = entry;
    const std::int32_t behind = entry >= 0 ? entry : schedule.end(device);
    for (std::int32_t e = schedule.begin(device); e < behind; ++e)
        gap.start = std::max(gap.start, times.end[static_cast<std::size_t>(e)]);
    if (entry < 0) {
        gap.end = times.makespan;
        gap.text = "nothing left to do";
        return gap;
    }
    gap.end = times.start[static_cast<std::size_t>(entry)];
    const std::optional<LastInput> input = lastInput(schedule, times, arrivals, entry);
    if (!input || input->there <= gap.start) {
        gap.reason = WaitReason::Order;
        gap.text = "nothing is missing: the time between two passes (launch, host)";
        return gap;
    }
    gap.cause = schedule.pass(input->producer);
    gap.text = describe(gap.cause, schedule.spec());
    if (input->message)
        gap.text += " on device " + std::to_string(schedule.device(input->producer));
    const Ticks flight = input->there - input->produced;
    if (input->produced <= gap.start) {
        gap.reason = WaitReason::Message;
        gap.text = "waits for the message of " + gap.text + ", under way for " +
                   millisecondText(flight, 4);
    } else {
        gap.reason = WaitReason::Dependency;
        gap.text = "waits for " + gap.text + ", which ends at " + millisecondText(input->produced);
        if (flight > 0)
            gap.text += ", and " + millisecondText(flight, 4) + " for its message";
    }
    if (const Ticks rest = gap.end - std::min(input->there, gap.end); rest > 0)
        gap.text += "; " + millisecondText(rest, 4) + " of it is launching";
    return gap;
}

} // namespace pw

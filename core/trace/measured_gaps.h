// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/explain.h"
#include "core/trace/records.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw {

/// The messages of one recorded iteration, found by what they carry.
class RecordedArrivals
{
public:
    RecordedArrivals() = default;
    /// @param messages  of one iteration; those that carry no pass of the schedule are left out
    /// @param base      when its first pass began: times become relative to it
    RecordedArrivals(const Schedule& schedule, std::span<const RecordedMessage> messages,
                     Ticks base);

    /// The message that carries the result of a pass to another device; null where none was
    /// recorded. Times are relative.
    const RecordedMessage* of(PassId producer) const;

private:
    std::vector<std::int32_t> m_byProducer;
    std::vector<RecordedMessage> m_messages;
};

/// Why a device idled before an entry of a measured timeline, with the reason in one sentence: what
/// it waited for, how long that was under way, and how much of the gap nothing but launching
/// explains. Where nothing was missing the reason is Order.
///
/// @param times     as of `measuredResult`
/// @param entry     that the gap ends with, or −1 for the time behind the last one of the device
Gap measuredGap(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
                DeviceId device, EntryId entry);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/dependencies.h"
#include "core/sim/simulator.h"
#include "core/trace/measured_gaps.h"

#include <cstdint>
#include <vector>

namespace pw {

/// An entry that another one waits for.
struct EntryInput
{
    EntryId producer{0};
    PassId pass;          ///< of it, whose result is wanted
    bool message = false; ///< the result comes from another device
};

/// What entries wait for, entry by entry instead of pass by pass.
class EntryInputs
{
public:
    explicit EntryInputs(const Schedule& schedule) ///< outlives this
        : m_schedule(schedule)
        , m_rules(schedule)
    {
    }

    /// Replaces `inputs` by those of an entry; an overlapped pair does not wait for itself.
    void find(EntryId entry, std::vector<EntryInput>& inputs);

private:
    const Schedule& m_schedule;
    Dependencies m_rules;
    std::vector<Dependency> m_needs;
};

/// What an entry of a timeline waited for last, in the order in which it came.
struct Wait
{
    Ticks free = 0;       ///< the device has nothing else to do from here on
    Ticks begun = 0;      ///< the entry begins, not before `free`
    Ticks produced = 0;   ///< the last input is made
    Ticks sent = 0;       ///< its message starts
    Ticks there = 0;      ///< its message has ended
    EntryId before;       ///< that the device was busy with until `free`
    EntryId producer;     ///< that made the last input
    PassId pass;          ///< of the producer, whose result was wanted
    bool message = false; ///< it came from another device
    bool known = true;    ///< when the message ended was recorded, or there is none

    /// Whether the last input, and not the device, was what the entry waited for.
    bool forInput() const { return free < (there < begun ? there : begun); }
};

/// By entry, what it waited for; nothing for entries that were never recorded.
///
/// A message that was not recorded takes what is usual on its link: the lower median over those
/// that a device was already waiting for when they were made; where it never was, the least time
/// from end to start.
///
/// @param times     as of `measuredResult`, or simulated
/// @param arrivals  recorded messages; may be empty
/// @complexity      O(n log n) for n entries
std::vector<Wait> waitsOf(const Schedule& schedule, const SimResult& times,
                          const RecordedArrivals& arrivals);

/// The same for the entries of one device, the first of them first.
/// @complexity  O(n log n) for n entries of the device
std::vector<Wait> waitsOfDevice(const Schedule& schedule, const SimResult& times,
                                const RecordedArrivals& arrivals, DeviceId device);

/// An entry on the chain that decided when an iteration ended.
struct ChainLink
{
    EntryId entry{0};
    Ticks waited = 0;     ///< between the end of the link before and this start: message, launch
    bool message = false; ///< the link before is on another device
};

/// The chain of entries that decided the last end, in time order: each began after the one before
/// it, whose result was the last to be there of what it waited for, or with which its device was
/// busy for longer.
///
/// @param arrivals  recorded messages; may be empty, see `waitsOf`
std::vector<ChainLink> decidingChain(const Schedule& schedule, const SimResult& times,
                                     const RecordedArrivals& arrivals = {});

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/draft_times.h"
#include "core/sim/simulator.h"

#include <vector>

namespace pw {

/// Warm-up lasts until `steady`, the steady phase until `coolDown`, cool-down until the end.
struct Phases
{
    Ticks start = 0;    ///< first start
    Ticks steady = 0;   ///< start of the first backward; of all devices the latest
    Ticks coolDown = 0; ///< end of the last forward, of all devices the earliest; at least `steady`
    Ticks end = 0;      ///< last end

    friend bool operator==(const Phases&, const Phases&) = default;
};

/// Phases of every device, and of all together: every device is in its steady phase while all are.
/// Where forwards end before the first backward, as in GPipe, the steady phase is empty. A device
/// without a backward is warming up, one without a forward cooling down.
struct PhasesOf
{
    std::vector<Phases> devices;
    Phases all;
};

PhasesOf phasesOf(const Schedule& schedule, const SimResult& result);
/// Of the passes that a draft has. @pre the times are the draft's
PhasesOf phasesOf(const Draft& draft, const DraftTimes& times);

/// Entries with a pass of a micro-batch, by start.
std::vector<EntryId> strandOf(const Schedule& schedule, const SimResult& result, int microBatch);

/// For every entry how much later it could end, all others following, without a later end of the
/// whole; 0 on the critical path.
///
/// @param result  of `simulate` for the schedule and the costs
/// @complexity    O(passes); over links that change their speed, a logarithm more
std::vector<Ticks> slackOf(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// A count from a time on.
struct CountPoint
{
    Ticks time = 0;
    std::int32_t count = 0;

    friend bool operator==(const CountPoint&, const CountPoint&) = default;
};

/// Micro-batches on their way on a device over time: from the start of their first F there to the
/// end of their last pass, updates aside. A point at every change, the first at 0.
std::vector<CountPoint> inFlight(const Schedule& schedule, const SimResult& result,
                                 DeviceId device);
/// Of the passes that a draft has. @pre the times are the draft's
std::vector<CountPoint> inFlight(const Draft& draft, const DraftTimes& times, DeviceId device);

/// A message between two devices.
struct Flight
{
    PassId producer;
    PassId consumer;
    Ticks sent = 0;  ///< end of the producer
    Ticks there = 0; ///< arrival
    Bytes bytes = 0;

    friend bool operator==(const Flight&, const Flight&) = default;
};

/// What goes over the connection from one device to another.
struct LinkUse
{
    DeviceId from{0};
    DeviceId to{0};
    std::vector<Flight> flights;      ///< by time of sending
    std::vector<CountPoint> onTheWay; ///< messages under way over time; empty where none takes time

    friend bool operator==(const LinkUse&, const LinkUse&) = default;
};

/// All connections that are used, by `from`, then `to`. With committed messages a flight begins
/// when both sides have come to it.
std::vector<LinkUse> linkUse(const Schedule& schedule, const Costs& costs, const SimResult& result);

} // namespace pw

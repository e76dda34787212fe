// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pw {

/// Two moments on two clocks, the first of which cannot be later than the second.
struct ClockMessage
{
    std::int32_t iteration = 0; ///< index of `RecoveredPipeline::iterations`
    Pass producer;
    Pass consumer;
    DeviceId from{0};
    DeviceId to{0};
    Ticks sent = 0;        ///< by the clock of `from`: the send began, or the producer ended
    Ticks received = 0;    ///< by the clock of `to`: the receive ended, or the consumer began
    bool labelled = false; ///< send and receive are spans of the trace; else a dependency

    /// Above 0 the message is received before it is sent.
    Ticks early() const { return sent - received; }

    friend bool operator==(const ClockMessage&, const ClockMessage&) = default;
};

/// Every pair of moments of a pipeline that says something of clocks: the start of a labelled send
/// and the end of its receive; where a message has no labels, the end of a pass and the start of
/// one that waits for it on another device. All iterations, warm-up too; of what was not recorded
/// nothing is said.
std::vector<ClockMessage> clockMessages(const Trace& trace, const RecoveredPipeline& pipeline);

/// A time to add, and what it can be at all. A side that no message bounds is empty.
struct ClockBand
{
    Ticks value = 0;
    std::optional<Ticks> low{};
    std::optional<Ticks> high{};

    bool bounded() const { return low.has_value() && high.has_value(); }
    /// The larger distance from the value to an end. @pre bounded()
    Ticks error() const { return std::max(*high - value, value - *low); }

    friend bool operator==(const ClockBand&, const ClockBand&) = default;
};

/// What makes a rank's times those of the first rank's clock: a time to add that goes from
/// `atFirst` to `atLast` in a straight line.
struct RankClock
{
    Ticks first = 0; ///< the rank's first and last recorded time, by its own clock
    Ticks last = 0;
    ClockBand atFirst;
    ClockBand atLast;
    double drift = 0; ///< (atLast − atFirst) ⁄ (last − first), in millionths
    std::optional<double> driftLow{};
    std::optional<double> driftHigh{};

    Ticks corrected(Ticks time) const;

    friend bool operator==(const RankClock&, const RankClock&) = default;
};

enum class ClockOutcome : std::uint8_t
{
    Unknown,   ///< no messages, or no answer; nothing is shifted
    Kept,      ///< the recorded clocks contradict no message; nothing is shifted
    Shifted,   ///< they do, and an offset and a drift for each rank makes all messages possible
    Unsolvable ///< none does; nothing is shifted
};

/// "unknown", "kept", "shifted", "unsolvable".
std::string_view name(ClockOutcome outcome);

/// The clocks of the devices of a pipeline against that of device 0.
struct AlignedClocks
{
    static constexpr std::size_t listed = 1000;

    ClockOutcome outcome = ClockOutcome::Unknown;
    std::string text;             ///< the outcome in a sentence
    std::vector<RankClock> ranks; ///< by device; bands are empty but where messages tell them
    std::int64_t messages = 0;
    Ticks grain = 1; ///< times are as exact as this
    std::int64_t impossible = 0;
    std::vector<ClockMessage>
        impossibleList; ///< as recorded; the earliest by most, first; `listed`
    /// Where nothing solves them: a few messages that contradict each other, by themselves or with
    /// `mostDrift`.
    std::vector<ClockMessage> contradiction;
};

/// The largest drift that is believed, in millionths: crystals keep to 100 and disciplined clocks
/// are slewed by 500. A trace that needs more is unsolvable.
constexpr double mostDrift = 1000;

/// The most devices of a pipeline whose clocks are aligned all at once, with bands; seconds of
/// work, which grow by about the fourth power. Those of more are aligned one after the other along
/// messages, as `alignAlong` does, without bands.
constexpr std::size_t mostClocks = 64;

/// First and last time that a device recorded, by its own clock.
struct ClockWindow
{
    Ticks first = 0;
    Ticks last = 0;
};

/// Finds offset and drift of every clock from messages that cannot arrive before they are sent.
///
/// A clock is wrong by a time that grows evenly. A message from i to j then says that the corrected
/// time of its sending is at most that of its arrival: a linear inequality in the corrections of i
/// and j at both ends of their windows. Of the messages from i to j only those on the convex hull
/// of (sent, received) say anything. The least and the largest correction and drift that all
/// inequalities of all devices allow together are the band; it holds the truth whenever clocks do
/// run evenly, however long messages take. The value is the solution that is nearest to the middle
/// of all bands. Each inequality is looser by twice the grain, for rounding.
///
/// @param messages  between `windows.size()` devices
/// @param windows   by device
/// @param grain     ticks that recorded times are rounded to, at least 1
/// @complexity      O(n log n) for n messages, then about 6p linear programs of 2p variables; p is
///                  the number of devices. Beyond `mostClocks` about 6p programs of 2 variables
/// @source          the two-sided hull of A. Duda, G. Harrus, Y. Haddad and G. Bernard, "Estimating
///                  global time in distributed systems", ICDCS 1987, for all pairs at once
AlignedClocks alignClocks(std::span<const ClockMessage> messages,
                          std::span<const ClockWindow> windows, Ticks grain);

/// The same for a pipeline; the grain is that of its times: 1 ms, 1 µs or 1 ns.
AlignedClocks alignClocks(const Trace& trace, const RecoveredPipeline& pipeline);

/// Shifts the times of a pipeline, and all that follows from them, where the outcome is `Shifted`.
/// The notes say so, whatever the outcome.
void shiftClocks(RecoveredPipeline& pipeline, const AlignedClocks& clocks);

/// Shifts the spans of the ranks that are devices the same way, so that messages are split by one
/// clock. Once.
void shiftClocks(Trace& trace, const RecoveredPipeline& pipeline, const AlignedClocks& clocks);

/// A pipeline whose ranks have one clock, as far as messages tell it.
struct AlignedPipeline
{
    RecoveredPipeline pipeline;
    AlignedClocks clocks;
};

/// The first pipeline of a trace with its clocks aligned, and shifted where there is a schedule,
/// those of the trace too: what everything that shows, keeps or fits a trace begins with.
AlignedPipeline recoverAligned(Trace& trace);

/// The same of every replica, each on the clock of its first rank. At least one.
std::vector<AlignedPipeline> recoverAllAligned(Trace& trace);

} // namespace pw

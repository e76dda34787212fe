// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The time of one side of a transfer. The three parts sum to the length of its span.
struct MessageSide
{
    Ticks waiting = 0;  ///< until the other side has started: idle time, a bubble
    Ticks transfer = 0; ///< while both sides are there; the same for both
    Ticks after = 0;    ///< behind the end of the other side

    Ticks total() const { return waiting + transfer + after; }
    friend bool operator==(const MessageSide&, const MessageSide&) = default;
};

/// Both sides of a transfer, split at the later start and the earlier end.
struct MessageSplit
{
    std::array<MessageSide, 2> sides;
    /// One side had ended before the other began: nothing was transferred while both were there, or
    /// the clocks differ by more than the message took.
    bool apart = false;

    friend bool operator==(const MessageSplit&, const MessageSplit&) = default;
};

/// Splits a transfer by when its two sides ran. @pre starts are not behind ends
MessageSplit splitMessage(Ticks firstStart, Ticks firstEnd, Ticks secondStart, Ticks secondEnd);

/// Two spans of a trace that are the two sides of one transfer.
struct MessagePair
{
    std::array<std::int32_t, 2> spans{}; ///< of `Trace::spans`; the sender's first, of a kernel
                                         ///< that does both the lower rank's
    MessageSplit split;
    Trust trust = Trust::Device; ///< the less sure of the two
};

/// What the transfers took on one rank.
struct RankMessages
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    std::int64_t count = 0;
    MessageSide time; ///< sums
};

/// The transfers between the ranks of a trace.
struct TraceMessages
{
    std::vector<MessagePair> pairs;
    std::vector<RankMessages> ranks;  ///< that have any, by index
    Ticks transfer = 0;               ///< sum over the pairs, each counted once
    Ticks ownTime = 0;                ///< sum over the spans of both sides
    Ticks endDifference = 0;          ///< the most by which the two ends of a pair differ
    std::int64_t apart = 0;           ///< pairs whose sides do not overlap
    std::vector<std::string> unknown; ///< what could not be paired and why; sentences
};

/// Whether a name is that of NCCL's kernel for sends and receives, which runs from its own side's
/// start until the transfer is over.
bool isSendReceiveKernel(std::string_view name);

/// Whether a span is such a kernel and moves a message: NCCL runs all-to-all by the same kernel,
/// which only the call around it, or its arguments, say.
bool isMessageKernel(const Trace& trace, std::int32_t span);

/// Pairs the sends and receives of a trace.
///
/// Labelled ones are paired by their labels, the same ones again in the order of their starts. Of
/// NCCL's kernels for sends and receives, those whose arguments name the other rank are paired in
/// the order of their starts for each two ranks and direction; where none name it, those on exactly
/// two ranks are; kernels in the time of a labelled message of their rank are that
/// message and do not count twice. Times are taken as the trace has them.
///
/// @complexity O(n log n) for n messages, O(spans)
TraceMessages pairMessages(const Trace& trace);

} // namespace pw

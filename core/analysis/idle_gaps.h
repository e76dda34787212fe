// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/idle_sentences.h"
#include "core/analysis/late_ranks.h"
#include "core/analysis/work_gaps.h"
#include "core/base/sentence.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pw {

/// Why a device or one of its streams idles.
enum class IdleCause : std::uint8_t
{
    Host,    ///< nothing that had been launched was waiting: the host is late
    Stream,  ///< what comes next waits for an activity on another stream of the device
    Peer,    ///< likewise, and that activity is communication that waits for another rank
    Launch,  ///< what comes next was launched and had only to begin
    Unknown, ///< the launch of what comes next is not in the trace
    Before,  ///< nothing has run yet
    After    ///< nothing runs any more
};

/// "host", "stream", "peer", "launch", "unknown", "before", "after".
std::string_view name(IdleCause cause);

/// A stretch in which nothing runs on a stream, or on a whole device, and why. Spans are of
/// `Trace::spans`; −1: none.
struct IdleGap
{
    Ticks start = 0;
    Ticks end = 0;
    IdleCause cause = IdleCause::Unknown; ///< the largest part, of equals the first; a peer where
                                          ///< that is half of the part for a stream
    IdleTime parts;                       ///< sum to the length; none before and after everything
    Ticks peer = 0; ///< of the part for a stream, while that activity waits for another rank
    std::int32_t previous = -1; ///< the activity that ended last; none before everything
    std::int32_t next = -1;     ///< the activity that the gap ends with; none after everything
    std::int32_t launch = -1;   ///< the call that launched the next one
    std::int32_t wait = -1;     ///< in which that call's thread waits for the device at the start
    std::int32_t doing = -1;    ///< the innermost slice of that thread that takes more than half of
                                ///< the host's part
    std::int64_t slices = 0;    ///< of that thread in the host's part
    Ticks busy = 0;             ///< of the host's part, in any of them; −1: they are too many
    std::int32_t other = -1;    ///< the activity on another stream that the next one waits for
    std::int32_t ahead = -1;    ///< an activity of another stream that was launched before the next
                                ///< one and waited too, where the next one came late
    std::int32_t peerSpan = -1; ///< on the rank that `other` waits for, the one that begins last
    Sentence text;              ///< the reason in one sentence

    /// What an arrow into the gap comes from: the launch where the host or the launch is the cause,
    /// the other stream's activity, or the peer's; −1: nothing.
    std::int32_t from() const;
};

/// How much of a span of communication is waiting for another rank.
struct PeerShare
{
    PeerWait wait;
    TraceRankId rank{0}; ///< of `Trace::ranks`: the one that is waited for
    Sentence text;       ///< in one sentence
};

/// Why devices idle, gap by gap. What `deviceFigures` sums follows the same rule (`work_gaps.h`).
/// Made once, then only read, from any thread.
class IdleGaps
{
public:
    /// All three outlive this. Memory: 16 bytes a gap of a stream or of a device, 4 bytes a slice.
    /// @param pairs    of `pairMessages` for the trace
    /// @complexity     O(n log n)
    IdleGaps(const Trace& trace, const ActivityLanes& lanes, std::span<const MessagePair> pairs);

    /// The gap of a stream that is around a moment. None where something runs, outside of the
    /// trace, and on lanes that are not a stream with activities. Annotations are no activities.
    /// @param lane  of `ActivityLanes::lanes`; a second lane of a stream is that stream
    /// @complexity  O(log n), and of the lanes where the host is asked
    std::optional<IdleGap> ofStream(std::size_t lane, Ticks time) const;
    /// Likewise of the whole device that a stream is on: none of its streams runs anything.
    std::optional<IdleGap> ofDevice(std::size_t lane, Ticks time) const;

    /// What a span of communication waits for; none where it waits for nobody, or nobody knows. A
    /// kernel that sends and receives within a labelled message waits while that does.
    std::optional<PeerShare> waitOf(std::int32_t span) const;

    /// Those with activities, as `deviceFigures` has them.
    const std::vector<WorkDevice>& devices() const { return m_devices.devices; }
    /// The longest gaps between the activities of a device, the longest first; of equals the
    /// earlier one. @param device  of `devices`
    std::vector<IdleGap> longest(std::size_t device, std::size_t count) const;
    /// All of a device's gaps. Equals `deviceFigures` of the whole trace.
    IdleTime sum(std::size_t device) const;

private:
    /// A stream or a device.
    struct Row
    {
        std::int32_t first = -1; ///< its first activity; −1: it has none
        std::int32_t last = -1;  ///< the one to end last
        std::vector<WorkGap> gaps;
    };

    void findRows(std::size_t device, std::vector<std::int32_t> work);
    PeerWait waitWithin(std::int32_t kernel) const;
    std::optional<IdleGap> at(const Row& row, Ticks time) const;
    IdleGap gapOf(const WorkGap& gap) const;
    IdleGap before(const Row& row) const;
    IdleGap after(const Row& row) const;
    void findHost(IdleGap& gap) const;
    void sumThread(IdleGap& gap, std::size_t thread) const;
    void findOther(IdleGap& gap, const WorkGap& work) const;
    /// Calls `take` with the spans of a lane around a moment, the innermost first, until it returns
    /// true.
    template<typename Take>
    void around(std::size_t lane, Ticks time, const Take& take) const;
    IdleSentences sentences() const { return {m_trace, m_lanes, m_laneOfTrack}; }
    const TraceSpan& span(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    const Trace& m_trace;
    const ActivityLanes& m_lanes;
    WorkDevices m_devices;
    std::vector<Row> m_ofTrack;              // by track
    std::vector<Row> m_ofDevice;             // by device
    std::vector<std::int32_t> m_laneOfTrack; // the first one; −1: none
    std::vector<std::int32_t> m_around; // by place in the lanes: the place around it; −1: none
    std::vector<PeerWait> m_waits;      // by span
    std::vector<PeerWait> m_labelled;   // those of labelled messages, by rank and start
    Ticks m_start = 0;                  // of the whole trace
    Ticks m_end = 0;
};

} // namespace pw

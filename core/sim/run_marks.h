// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pw {

// Entries and devices are plain numbers here: as ids, g++ 12 keeps them and the entry at hand in
// memory, and the inner loop takes a third longer.
struct LaneProgress
{
    Ticks free = 0;
    Ticks busy = 0;
    Share share = 0, peakShare = 0;
    Bytes bytes = 0, peakBytes = 0;
    std::int32_t next = 0;        ///< entry
    std::int32_t stop = 0;        ///< the next entry that is held, or `last`
    std::int32_t last = 0;        ///< entry before which it ends for now
    std::int32_t nextWaiter = -1; ///< device
};

/// Peaks of what a device holds.
struct HeldPeaks
{
    Share share = 0;
    Bytes bytes = 0;
};

/// How far a run had come: all that starts before a time has ended.
struct RunMark
{
    Ticks time = 0;
    std::vector<LaneProgress> devices;
    std::vector<Ticks> finish;      ///< by place
    std::vector<std::int32_t> open; ///< places that have ended and are waited for later
    std::vector<HeldPeaks> later;   ///< by device

    /// Times of the entries until there.
    /// @param kept  the run's
    void copy(const Schedule& schedule, const SimResult& kept, SimResult& result) const;
    /// By how much everything is later that another run still asks for, where that is the same for
    /// all of it: then so is what follows. None where that run is not just there.
    std::optional<Ticks> shift(const Schedule& schedule, const std::vector<LaneProgress>& now,
                               const std::vector<Ticks>& finishNow) const;
    /// Takes such a run to its end.
    void copyRest(const Schedule& schedule, const SimResult& kept, Ticks shift,
                  std::vector<LaneProgress>& now, SimResult& result) const;
};

/// How far a run had come at some times, to go on from there with an order that is like its own
/// until then, and to see when another run has become like it again.
class RunMarks
{
public:
    /// The times at which a run is marked: a few, for which 64 MB are enough.
    /// @param places  that each mark has to keep
    static std::vector<Ticks> times(const SimResult& kept, std::size_t places);

    /// None, of a run with so many places.
    void begin(std::size_t places);

    /// A place has ended since the last mark.
    void ended(std::int32_t place) { m_markBehind[static_cast<std::size_t>(place)] = marked(); }
    /// It has been waited for since the last mark.
    void awaited(std::int32_t place);
    /// From the last mark on peaks are those of what comes behind it.
    void beginPeaks(std::vector<LaneProgress>& devices);
    void endPeaks(std::vector<LaneProgress>& devices);
    /// @param mark  later than all others
    void add(RunMark mark) { m_marks.push_back(std::move(mark)); }

    /// The last one until a time; null where none is.
    const RunMark* before(Ticks time) const;
    /// Those later than a time.
    std::span<const RunMark> behind(Ticks time) const;

private:
    std::uint8_t marked() const { return static_cast<std::uint8_t>(m_marks.size()); }

    std::vector<RunMark> m_marks;           ///< by time
    std::vector<std::uint8_t> m_markBehind; ///< by place the first mark behind its end
    std::vector<HeldPeaks> m_before;        ///< by device, until the last mark
};

/// Lets the entries that devices have not come to start and end at no time.
void leaveOut(const Schedule& schedule, const std::vector<LaneProgress>& devices,
              SimResult& result);

} // namespace pw

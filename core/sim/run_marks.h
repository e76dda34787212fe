// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <cstddef>
#include <cstdint>
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
    std::int32_t stop = 0;        ///< the next entry that is held, or the device's end
    std::int32_t nextWaiter = -1; ///< device
};

/// How far a run had come: all that starts before a time has ended.
struct RunMark
{
    Ticks time = 0;
    std::vector<LaneProgress> devices;
    std::vector<Ticks> finish; ///< by place

    /// Times of the entries until there.
    /// @param kept  the run's
    void copy(const Schedule& schedule, const SimResult& kept, SimResult& result) const;
};

/// How far a run had come at some times, to go on from there with an order that is like its own
/// until then.
class RunMarks
{
public:
    /// The times at which a run is marked: a few, for which 64 MB are enough.
    /// @param places  that each mark has to keep
    static std::vector<Ticks> times(const SimResult& kept, std::size_t places);

    void clear() { m_marks.clear(); }
    /// @param mark  later than all others
    void add(RunMark mark) { m_marks.push_back(std::move(mark)); }
    /// The last one until a time; null where none is.
    const RunMark* before(Ticks time) const;

private:
    std::vector<RunMark> m_marks; ///< by time
};

/// Lets the entries that devices have not come to start and end at no time.
void leaveOut(const Schedule& schedule, const std::vector<LaneProgress>& devices,
              SimResult& result);

} // namespace pw

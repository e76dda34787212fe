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

/// By how much a message may come later than all that its receiver does, which then stays as it is
/// but for the time.
struct MessageSlack
{
    Ticks most = Simulator::never;
    bool exact = false; ///< the receiver idles until it comes

    void narrow(const MessageSlack& other);
    bool allows(Ticks message, Ticks receiver) const;
};

/// A message from a place that has ended.
struct SentMessage
{
    std::int32_t place = 0;
    DeviceId from{0}, to{0};
    MessageSlack slack;
};

/// All messages of a site in one direction.
struct LinkSlack
{
    DeviceId from{0}, to{0};
    MessageSlack slack;
};

/// How far a run had come: all that starts before a time has ended. With it, what happens from
/// there to the next mark.
struct RunMark
{
    Ticks time = 0;
    std::vector<LaneProgress> devices;
    std::vector<Ticks> finish;     ///< by place
    std::vector<SentMessage> open; ///< that somebody waits for later
    std::vector<SentMessage> due;  ///< of them, those for which it is before the next mark
    std::vector<LinkSlack> links;  ///< of what is sent and arrives before the next mark
    std::vector<HeldPeaks> peaks;  ///< by device, before the next mark

    /// Times of the entries until there.
    /// @param kept  the run's
    /// @param from  a mark until which they stand in the result; null: none do
    void copy(const Schedule& schedule, const SimResult& kept, const RunMark* from,
              SimResult& result) const;
};

/// How far a run had come at some times, to go on from there with an order that is like its own
/// until then, and to leave out what goes like it again.
class RunMarks
{
public:
    /// When to keep how far a run had come: seldom enough for the room that it takes.
    /// @param places  that each mark has to keep
    static std::vector<Ticks> times(const SimResult& kept, std::size_t places);

    /// None, of a run with so many places.
    void begin(std::size_t places);

    /// A place has ended since the last mark.
    void ended(std::int32_t place) { m_markBehind[static_cast<std::size_t>(place)] = marked(); }
    /// It has been waited for since the last mark.
    /// @param link  number of its site and direction, less than twice the sites
    void awaited(const SentMessage& message, std::size_t link);
    /// From the last mark on peaks are those of what comes behind it.
    void beginPeaks(std::vector<LaneProgress>& devices);
    void endPeaks(std::vector<LaneProgress>& devices);
    /// @param mark   later than all others
    /// @param links  twice the sites
    void add(RunMark mark, std::size_t links);

    /// The last one until a time; null where none is.
    const RunMark* before(Ticks time) const;
    /// The first one later than a time.
    std::size_t firstBehind(Ticks time) const;
    std::size_t size() const { return m_marks.size(); }
    const RunMark& operator[](std::size_t at) const { return m_marks[at]; }

    /// Takes another run from a mark to a later one, or to the end, as long as each device does
    /// what it did, later by a time of its own.
    /// @param at  where it is
    /// @return    where it is then; `size()`: at the end
    std::size_t skip(std::size_t at, const Schedule& schedule, const SimResult& kept,
                     std::vector<LaneProgress>& now, std::vector<Ticks>& finish, SimResult& result);

private:
    std::uint8_t marked() const { return static_cast<std::uint8_t>(m_marks.size()); }
    bool findShifts(const RunMark& mark, const std::vector<LaneProgress>& now);
    Ticks shiftOf(const SentMessage& message, std::size_t at, const RunMark& mark,
                  const std::vector<Ticks>& finish) const;
    bool alike(std::size_t at, const RunMark& mark, const std::vector<Ticks>& finish) const;
    void takeFinish(std::size_t at, const RunMark& mark, std::vector<Ticks>& finish);

    std::vector<RunMark> m_marks;           ///< by time
    std::vector<std::uint8_t> m_markBehind; ///< by place the first mark behind its end
    std::vector<HeldPeaks> m_before;        ///< by device, until the last mark
    std::vector<Ticks> m_shifts;            ///< by device, of the run that skips
    std::vector<Ticks> m_openFinish;        ///< of the same
};

/// Lets the entries that devices have not come to start and end at no time.
void leaveOut(const Schedule& schedule, const std::vector<LaneProgress>& devices,
              SimResult& result);

} // namespace pw

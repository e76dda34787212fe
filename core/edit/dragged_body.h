// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"
#include "core/sim/draft_times.h"

#include <vector>

namespace pw {

/// The grabbed entries of one device, and the place that each gets among the others.
struct DragLane
{
    DeviceId device{0};
    std::vector<std::int32_t> grabbed; ///< positions, sorted
    std::vector<std::int32_t> slots;   ///< for each: the first not grabbed position behind it
    std::int32_t first = 0;            ///< of the positions that change
    std::vector<std::int32_t> order;   ///< from `first` on: the position that comes there
};

/// The entries of a drag: a rigid body over several devices, among the times that the order had at
/// the beginning.
class DraggedBody
{
public:
    /// @param times    of the draft as it is
    /// @param grabbed  sorted, each once, at least one
    /// @error BadValue  an entry that is not there
    static Result<DraggedBody> make(DraftTimes times, const std::vector<EntryAt>& grabbed);

    const DraftTimes& times() const { return m_times; }
    const std::vector<DragLane>& lanes() const { return m_lanes; }
    Ticks start(EntryId entry) const { return m_times.times.start[entry.index()]; }
    Ticks end(EntryId entry) const { return m_times.times.end[entry.index()]; }
    bool has(EntryId entry) const { return m_isGrabbed[entry.index()] != 0; }
    /// The first entry of a device.
    EntryId begin(DeviceId device) const { return m_times.begin[device.index()]; }
    std::int32_t length(DeviceId device) const;

    /// Gives every grabbed entry the place that its time, later by so much, has among the others.
    /// @return whether one has another place than before
    bool place(Ticks by);
    /// Back to the places at the beginning.
    void stay();
    /// Takes back what overtakes an entry that `held` has a mark for.
    /// @return whether anything did
    bool holdBack(const std::vector<std::uint8_t>& held);
    /// Writes down the order that the places give.
    void arrange();
    /// Start of the latest entry that a grabbed one overtakes to the right; the least of all times
    /// where none does.
    Ticks overtakenUntil() const;

private:
    void place(DragLane& lane, Ticks by) const;
    bool holdBack(DragLane& lane, const std::vector<std::uint8_t>& held) const;
    void arrange(DragLane& lane) const;

    DraftTimes m_times;
    std::vector<DragLane> m_lanes;
    std::vector<std::uint8_t> m_isGrabbed; ///< by entry
};

} // namespace pw

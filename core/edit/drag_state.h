// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/drag.h"
#include "core/edit/present.h"

#include <optional>
#include <string>
#include <vector>

// The inside of Drag, which two files have.
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

/// A pass that is there before a grabbed one may start.
struct DragInput
{
    Pass producer;
    Pass consumer;
    Ticks there = 0;
    Ticks room = 0; ///< how far the consumer starts after it
};

struct Drag::State
{
    State(Draft given, Costs givenCosts)
        : draft(std::move(given))
        , costs(std::move(givenCosts))
        , present(draft)
    {
    }

    Draft draft;
    Costs costs;
    DragMode mode = DragMode::Strict;
    Present present; // of the order at the beginning
    DraftTimes base;
    DraftTimes times;
    DraftTimes pushed;
    bool pushedKnown = false;
    std::optional<Schedule> schedule; // in step with the draft; none: not whole
    bool runs = false;                // the schedule has no ring
    Simulator simulator;
    DraftSimulator draftSimulator;
    std::vector<DragLane> lanes;
    std::vector<std::uint8_t> isGrabbed; // by entry at the beginning
    std::vector<std::uint8_t> reached;   // by entry, see `dependents`
    std::vector<EntryId> queue;
    std::vector<EntryId> found;
    std::vector<std::int32_t> arrowsFrom;   // by entry, and one more: its first arrow
    std::vector<EntryId> arrows;            // entries that wait for it
    std::vector<std::uint8_t> lastOfDevice; // by entry
    std::optional<DragInput> tightest;      // input that stops the body to the left
    DragTrial trial;
    Ticks offset = 0;           // of the last trial, as far as it was followed
    bool moved = false;         // the draft is in the order of the lanes
    bool scheduleMoved = false; // and the schedule, too

    const PipelineSpec& spec() const { return draft.spec; }
    Ticks start(EntryId entry) const { return base.times.start[static_cast<std::size_t>(entry)]; }
    Ticks end(EntryId entry) const { return base.times.end[static_cast<std::size_t>(entry)]; }
    bool grabbed(EntryId entry) const { return isGrabbed[static_cast<std::size_t>(entry)] != 0; }
    /// Whether inputs are there when the times say, and pushing has a meaning. Where passes wait
    /// for each other in a ring, their times are only drawn, and so are those of all that comes
    /// behind.
    bool timesTell() const { return mode == DragMode::Strict && base.blocked.empty(); }
    std::int32_t length(DeviceId device) const
    {
        return base.begin[static_cast<std::size_t>(device) + 1] -
               base.begin[static_cast<std::size_t>(device)];
    }

    void findTightest();
    void findInput(const Pass& pass, EntryId entry);
    void place(DragLane& lane, Ticks by) const;
    bool holdBack(DragLane& lane) const;
    void dependents(Ticks until);
    void reach(EntryId entry, Ticks until);
    void reachFrom(EntryId entry, Ticks until);
    void findArrows();
    void forget();
    void arrange(DragLane& lane) const;
    std::vector<std::int32_t> rearrangement(const DragLane& lane, bool back) const;
    void moveDraft(bool back);
    Problems reorderLane(const DragLane& lane, bool back);
    Problems moveSchedule(bool back);
    void undo();
    void refuse(DragRefusal why);
    bool follow();
    void simulate();
    void placeLeft(Ticks by);
    void placeRight(Ticks by);
    void take(Ticks by);
    void report();
    DragRefusal inputRefusal() const;
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/arrangement.h"
#include "core/edit/edit.h"
#include "core/sim/draft_times.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pw {

// What a palette drops. Each of the functions below leaves the project as it is and proposes an
// edit, with the draft and its times as they would be, so that it can be shown before the drop. A
// family's schedule becomes an order of its own where entries are added or removed.

/// An edit and what would be there.
struct Proposal
{
    Edit edit;
    Draft draft; ///< orders in full, also where the edit sets a family
    DraftTimes times;
    std::vector<EntryId> added; ///< entries of `times` that are new, sorted
};

/// An entry by its place.
struct EntryAt
{
    DeviceId device{0};
    std::int32_t position = 0;

    friend auto operator<=>(const EntryAt&, const EntryAt&) = default;
};

/// The orders that a project has or its family makes.
/// @error  as `scheduleOf(project)`
Result<Draft> draftOf(const Project& project);

/// The schedule of a family, instead of what is there; also the way back to a family after edits.
///
/// @param costs  set together with the family; none: those of the project, which then have to fit
Result<Proposal> fillWithFamily(const Project& project, const FamilyChoice& choice,
                                std::optional<std::variant<UniformCosts, Costs>> costs = {});

/// An order made of blocks (`repeat`, `squeeze`, `reorder`), instead of what is there; the costs as
/// in `fillWithFamily`.
Result<Proposal> fillWithArrangement(const Project& project, const Arrangement& arrangement,
                                     std::optional<std::variant<UniformCosts, Costs>> costs = {});

/// Whether the micro-batches of the spec become more where they are too few.
enum class Growth : std::uint8_t
{
    Refuse,
    Grow
};

/// A block for the next micro-batches behind those that have passes, at its interval.
///
/// Where the last micro-batches stand as the same block repeated puts them, the order goes on as
/// that of one longer repetition: two stamps of four are one of eight. Else a unit of the block
/// counts as the longest time that a pass needs for one, so that every pass has room; the first
/// block comes one interval after the last micro-batch there, and further only as far as passes
/// would meet. Then all are put in order by start. An empty draft of another shape takes the
/// placement and the segments of the block where it may grow, and keeps its micro-batches.
///
/// @error BadValue, BadSchedule  the block does not fit the devices, collides, or there are too few
///                               micro-batches
Result<Proposal> stamp(const Project& project, const BuildingBlock& block, int microBatches,
                       Growth growth);

/// A pass that may be meant by a drop on a device.
struct Suggestion
{
    Pass pass;
    Ticks ready = 0;       ///< when the passes that are there let it start
    bool complete = false; ///< everything that it waits for is there
};

/// The next missing passes of a device, by kind and stage the first micro-batch and segment; what
/// could start by `time` comes first, then the earlier one. Last of all, by stage, the first R
/// whose backward is there already.
Result<std::vector<Suggestion>> suggestions(const Project& project, DeviceId device, Ticks time);

/// A pass at a time on its device: behind every entry that has its middle before.
/// @error BadSchedule  it is there already, or would stand before a pass of its own that it needs
Result<Proposal> insertPass(const Project& project, const Pass& pass, Ticks time);

/// How missing passes are added.
enum class FinishRule : std::uint8_t
{
    BackwardFirst, ///< whatever can run, backwards before forwards
    ForwardFirst,  ///< forwards before backwards, as far as memory goes
    ZeroBubble     ///< backwards split, W where nothing else can run
};

/// Adds every pass that is missing; keeps the entries and the order that are there.
///
/// A device runs its next own entry as soon as it can, and fills the time before with what is
/// missing. The caps of the costs hold, and `cap` where it is given.
///
/// @param cap  activation that a device may hold
/// @error BadSchedule  something other than missing passes is wrong
/// @error Deadlock     the entries that are there wait for each other in a ring
/// @error MemoryLimit  the cap does not let the rest run; names the device and the pass
/// @complexity  O(n log n) for n passes, times log(micro-batches) where the cap is narrow
Result<Proposal> finishRest(const Project& project, FinishRule rule,
                            std::optional<Share> cap = std::nullopt);

/// Without these entries. @error BadValue  a place that is not there
Result<Proposal> removeEntries(const Project& project, std::vector<EntryAt> entries);

/// Entries by device, with their starts after the first of them.
struct Clip
{
    struct Entry
    {
        DeviceId device{0};
        Ticks offset = 0;
        OrderEntry entry;

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    std::vector<Entry> entries; ///< by device and place

    bool empty() const { return entries.empty(); }

    friend bool operator==(const Clip&, const Clip&) = default;
};

/// A copy of these entries; updates are left out.
Result<Clip> copyEntries(const Project& project, std::vector<EntryAt> entries);

/// A clip from a time on. Its micro-batches become, in sequence, the next ones of the same route
/// that have none of the passes.
/// @error BadValue  there are too few such micro-batches and the spec may not grow, or the copy has
///                  a device, stage or segment that the spec does not have
Result<Proposal> paste(const Project& project, const Clip& clip, Ticks time, Growth growth);

} // namespace pw

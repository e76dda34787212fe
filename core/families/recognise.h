// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw {

/// A family whose order is near to a given one.
struct FamilyMatch
{
    const Family* family = nullptr;
    FamilyOptions options; ///< only parameters that differ from the family's defaults
    /// Entries that have to move so that every device has the family's order, the fewest, and those
    /// that it does not have.
    std::int64_t outOfOrder = 0;
    std::int64_t entries = 0; ///< all
};

/// An entry that stands elsewhere than in a family's order.
struct DisplacedEntry
{
    EntryId entry{0};             ///< of the schedule
    std::int32_t place = 0;       ///< on its device, from 0
    std::int32_t familyPlace = 0; ///< the family's; −1: it has no such entry on the device

    friend bool operator==(const DisplacedEntry&, const DisplacedEntry&) = default;
};

/// What an order is called.
struct Recognition
{
    /// The families of the nearest order, those with the fewest parameters first; all of them make
    /// one and the same order. Empty: no family is near.
    std::vector<FamilyMatch> matches;
    /// Without a match: the family whose order comes nearest, where at most a tenth of the entries
    /// stands elsewhere. Not the order's name, but what it is like.
    std::optional<FamilyMatch> like;
    /// Entries that are elsewhere than in the first match, or in what the order is like; the
    /// fewest that have to move, device after device.
    std::vector<DisplacedEntry> displaced;

    /// The first match, else what the order is like, else null.
    const FamilyMatch* nearest() const
    {
        return !matches.empty() ? &matches.front() : like ? &*like : nullptr;
    }
    bool exact() const { return !matches.empty() && matches.front().outOfOrder == 0; }
};

/// Names an order by trying every family that has its shape: placement, micro-batches, segments and
/// kinds of passes.
///
/// A family is near when at most a fiftieth of the entries is out of order and no other order is as
/// near; so a shuffled order has no name. An order that has none is like the nearest family up to a
/// tenth of its entries. Families that search are tried last, for orders of up to
/// 1024 passes that no other family makes, and count only exactly.
///
/// @param costs  that families are built with, one after another, where their order depends on
/// times
/// @complexity   a build of every family and parameter that fits; O(passes · log passes) each
Recognition recognise(const Schedule& schedule, const std::vector<Costs>& costs);

/// "Interleaved 1F1B (chunks 4, group 4)": title and parameters, those of the shape always.
std::string describe(const FamilyMatch& match);

/// "like ZB-H1: 7 of 96 entries (7.3 %) are elsewhere", "ZB-H1, 1 of 96 entries (1 %) is
/// elsewhere", "ZB-H1" or "unknown".
std::string describe(const Recognition& recognition);

/// An entry that is displaced, counted from 1: "F of micro-batch 3 on stage 1: entry 5 of device 1,
/// in ZB-H1 entry 7".
std::string describe(const DisplacedEntry& displaced, const Schedule& schedule,
                     const FamilyMatch& match);

} // namespace pw

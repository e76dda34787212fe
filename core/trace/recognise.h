// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// A family whose order is near to a given one.
struct FamilyMatch
{
    const Family* family = nullptr;
    FamilyOptions options; ///< only parameters that differ from the family's defaults
    /// Entries that have to move so that every device has the family's order; the fewest.
    std::int64_t outOfOrder = 0;
    std::int64_t entries = 0; ///< all
};

/// What an order is called.
struct Recognition
{
    /// The families of the nearest order, those with the fewest parameters first; all of them make
    /// one and the same order. Empty: no family is near.
    std::vector<FamilyMatch> matches;

    bool exact() const { return !matches.empty() && matches.front().outOfOrder == 0; }
};

/// Names an order by trying every family that has its shape: placement, micro-batches, segments and
/// kinds of passes.
///
/// A family is near when at most a fiftieth of the entries is out of order and no other order is as
/// near; so a shuffled order has no name. Families that search are tried last, for orders of up to
/// 1024 passes that no other family makes, and count only exactly.
///
/// @param costs  that families are built with, one after another, where their order depends on
/// times
/// @complexity   a build of every family and parameter that fits; O(passes · log passes) each
Recognition recognise(const Schedule& schedule, const std::vector<Costs>& costs);

/// "Interleaved 1F1B (chunks 4, group 4)": title and parameters, those of the shape always.
std::string describe(const FamilyMatch& match);

} // namespace pw

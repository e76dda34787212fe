// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/configuration.h"

#include <string_view>

namespace pw::plan {

/// What a plan must know of a family, learnt from an order that the family makes: a family of a
/// file and one of the program that make the same order have the same traits.
struct FamilyTraits
{
    /// Whether every backward for the weights is a pass of its own. Where a part of them is joined
    /// with the backward for the input, it is not.
    bool splitsBackward = false;
    /// Whether no backward for the weights is a pass of its own.
    bool fused = false;
    /// One route of whole sequences on which stage s is on device s mod p.
    bool oneWay = false;
    /// Part of a stage's forward after which the next stage begins: of several segments the first;
    /// 0 where a second route begins at the other end.
    double firstPart = 0;
    int chunks = 1; ///< stages of a device that is asked for none

    friend bool operator==(const FamilyTraits&, const FamilyTraits&) = default;
};

/// The traits of a configuration's family with its parameters; those of nothing where there is no
/// such family, or none of several small shapes can be made.
FamilyTraits traitsOf(const Configuration& configuration);

/// Micro-batches of a device's share that the fullest device holds at least at once: by the
/// family's closed form, where it has none by its order of equal stages, and 1 where that depends
/// on a search.
double microBatchesInFlight(const Configuration& configuration);

/// Whether the order of a configuration is that of another family, pass by pass.
///
/// @param other  id of a family; chunks are the configuration's
bool hasOrderOf(const Configuration& configuration, std::string_view other);

} // namespace pw::plan

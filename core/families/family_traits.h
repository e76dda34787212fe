// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// What others must know of a family, learnt from an order that it makes: a family of a file and
/// one of the program that make the same order have the same traits.
struct FamilyTraits
{
    /// Whether every backward for the weights is a pass of its own. Where a part of them is joined
    /// with the backward for the input, it is not.
    bool splitsBackward = false;
    /// Whether no backward for the weights is a pass of its own.
    bool fused = false;
    /// Whether some forwards run together with a backward, as one unit.
    bool pairs = false;
    /// One route of whole sequences on which stage s is on device s mod p.
    bool oneWay = false;
    /// Part of a stage's forward after which the next stage begins: of several segments the first;
    /// 0 where a second route begins at the other end.
    double firstPart = 0;
    int chunks = 1;   ///< stages of a device that is asked for none
    int routes = 1;   ///< copies of the model in the pipeline
    int segments = 1; ///< of a sequence
    UpdateRule updates = UpdateRule::Flush;

    friend bool operator==(const FamilyTraits&, const FamilyTraits&) = default;
};

/// The traits of a schedule; `chunks` are those that it has.
FamilyTraits traitsOf(const Schedule& schedule);

/// The traits of a family with some of its parameters, the others by default; those of nothing
/// where none of several small shapes can be made.
FamilyTraits traitsOf(const Family& family,
                      const std::vector<std::pair<std::string, double>>& parameters = {});

/// The id of the first family of the program, by id, that needs no search and whose traits are as
/// asked. @pre there is one
std::string_view firstFamily(bool (*asked)(const FamilyTraits& traits));

/// The family of the program whose groups of micro-batches may change while it runs.
const Family& regroupingFamily();

/// Options of a family with its group of micro-batches. @pre it has a parameter of that role
FamilyOptions groupedOptions(const Family& family, int devices, int microBatches, int group);

} // namespace pw

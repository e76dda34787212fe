// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/model/costs.h"
#include "core/model/draft.h"

#include <random>

namespace pw::test {

/// A number from 0 to `end` − 1.
int below(std::mt19937& random, int end);

/// Options of a size that the family takes; small, so that searches take no time.
FamilyOptions optionsFor(const Family& family, std::mt19937& random);

/// The schedule of a family in a size that it takes, for equal stages.
Schedule familySchedule(const Family& family, std::mt19937& random);

/// Unequal times, messages, links, sizes and single times for a spec.
Costs randomCosts(const PipelineSpec& spec, std::mt19937& random);

/// Removes some entries; at least one where there is one.
void removeSome(Draft& draft, std::mt19937& random);

/// Doubles, swaps, moves and removes entries, and changes their passes.
void disturb(Draft& draft, std::mt19937& random);

} // namespace pw::test

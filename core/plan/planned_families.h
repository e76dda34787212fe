// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/families/family.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::plan {

/// Why a search does not try a family of itself: what of it the times of a plan do not know, or
/// what it asks that a search does not look for.
enum class LeftOut : std::uint8_t
{
    File,      ///< it is a person's own
    Search,    ///< its order is a search of its own
    Unflushed, ///< weights of several versions: a step has no end that could be timed
    TwoCopies, ///< two copies of the model, whose gradients are summed
    Segments,  ///< parts of sequences, whose kernels are not timed
    Pairs,     ///< forwards beside backwards, which hide each other's exchanges
    OwnNumbers ///< a number of its own that the search does not vary
};

/// The reason, from the traits and the parameters of a family; none: a search tries it.
std::optional<LeftOut> whyLeftOut(const Family& family);

/// "two copies of the model, whose sum of gradients is not in the times"
Sentence reasonOf(LeftOut reason);

/// Families that a search tries where none is asked for: those whose time and memory a plan knows
/// whole. The default family first, the others by id.
std::vector<std::string_view> plannedFamilies();

/// All the others, those of files too, by id: a search tries them where nothing else fits.
std::vector<std::string> otherFamilies();

/// What a search leaves to be asked for, by reason: "v-auto, zb-auto: their order is …".
std::vector<Sentence> leftOutByReason();

} // namespace pw::plan

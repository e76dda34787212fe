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

/// Why a search does not try a family of itself.
enum class LeftOut : std::uint8_t
{
    File,     ///< it is a person's own
    Search,   ///< its order is a search of its own
    Unflushed ///< it trains with older weights: a decision of its own, and rows of their own
};

/// The reason, from the traits and the parameters of a family; none: a search tries it.
std::optional<LeftOut> whyLeftOut(const Family& family);

/// "two copies of the model, whose sum of gradients is not in the times"
Sentence reasonOf(LeftOut reason);

/// Families that a search tries where none is asked for. The default family first, the others by
/// id.
std::vector<std::string_view> plannedFamilies();

/// Those that never flush, which a search tries for rows of their own.
std::vector<std::string> unflushedFamilies();

/// Parameters of a shape that a search varies beside the chunks, with a few values of each:
/// segments of a sequence, waves, groups that follow from nothing. Every choice of values.
///
/// @param given     parameters that are given, and not varied
/// @param sequence  tokens: segments are no shorter than some
std::vector<std::vector<std::pair<std::string, double>>>
shapeVariants(const Family& family, const std::vector<std::pair<std::string, double>>& given,
              int sequence);

/// All the others, those of files too, by id: a search tries them where nothing else fits.
std::vector<std::string> otherFamilies();

/// What a search leaves to be asked for, by reason: "v-auto, zb-auto: their order is …".
std::vector<Sentence> leftOutByReason();

} // namespace pw::plan

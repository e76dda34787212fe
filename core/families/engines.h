// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/families/family.h"

#include <string_view>
#include <vector>

// Engines that make the order of a schedule themselves. Which families they have, each family says
// (`Family::engines`); what takes any order, such as PyTorch's table of actions, is none of them.
namespace pw {

inline constexpr std::string_view megatronEngine = "Megatron-LM";
inline constexpr std::string_view galvatronEngine = "Galvatron";

/// The families that an engine makes, sorted by id.
std::vector<const Family*> familiesOf(std::string_view engine);

/// The engine's word for a family; empty where it does not make it.
std::string_view wordFor(const Family& family, std::string_view engine);

/// The family that an engine calls by a word; null: none.
const Family* familyCalled(std::string_view engine, std::string_view word);

/// "1F1B and GPipe": the titles of families, or their ids.
Sentence titlesText(const std::vector<const Family*>& families);
Sentence idsText(const std::vector<const Family*>& families);

} // namespace pw

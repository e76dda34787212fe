// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <span>

namespace pw {

/// A name that a family has in papers and in other programs.
struct OtherFamilyName
{
    std::string_view name;
    std::string_view id; ///< of the family
};

/// What papers, PyTorch, Megatron, Paddle and people call families beside their ids and titles.
std::span<const OtherFamilyName> otherFamilyNames();

/// The family that a person names: by its id or title in any spelling of `sameName`, or by another
/// name of it. What programs write is looked up by `findFamily`.
/// @error BadValue  names the id that was probably meant, or lists all
Result<const Family*> familyNamed(std::string_view word);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string_view>

namespace pw {

/// The id of the family that is taken where none is named: by a new document, a plan, a
/// measurement; others are compared with it.
inline constexpr std::string_view defaultFamily = "1f1b";

/// The id of the family whose building block is shown where none is chosen.
inline constexpr std::string_view defaultBlockFamily = "v-half";

} // namespace pw

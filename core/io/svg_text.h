// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pw {

/// A length or place of a figure, with at most two decimals.
std::string svgNumber(double value);

/// A text as the content of an element: marks of XML escaped, control characters left out.
std::string svgEscaped(std::string_view text);

} // namespace pw

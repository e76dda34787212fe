// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>

namespace pw {

/// The divisors of a whole number that are next to a value, in words: "10 or 16" of 5120 and 15;
/// one alone where the value has none below or above it, or divides.
/// @pre whole >= 1
std::string divisorsBeside(int whole, int value);

} // namespace pw

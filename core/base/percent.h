// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>

namespace pw {

/// A part of a whole in a sentence, with at most three significant digits: "14.3 %".
/// @pre whole is not 0
std::string percentText(double part, double whole = 1);

/// A part of 1 as tables have it, with at most two decimals: "14.29 %".
std::string tablePercent(double part);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <string>

namespace pw {

/// A number with at most `digits` significant digits and no trailing zeros: 4.5, 0.1234, 1200.
std::string numberText(double value, int digits = 4);

/// A duration in milliseconds with its unit: "12.5 ms".
std::string timeText(Ticks ticks, int digits = 6);

/// Bytes in the largest binary unit that keeps the number above 1: "12.35 GiB".
std::string bytesText(Bytes bytes, int digits = 4);

} // namespace pw

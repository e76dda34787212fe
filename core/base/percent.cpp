// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/percent.h"

#include "core/base/text.h"

#include <array>

namespace pw {

std::string percentText(double part, double whole)
{
    return plainNumber(100 * part / whole, 3) + " %";
}

std::string tablePercent(double part)
{
    return columnNumbers(std::array<double, 1>{100 * part}, 2)[0] + " %";
}

} // namespace pw

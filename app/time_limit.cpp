// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/time_limit.h"

#include <utility>

namespace pw::app {

Option timeLimitOption(std::string summary, double most, std::string_view old, std::string section)
{
    return {.name = timeLimitName,
            .kind = ValueKind::Number,
            .placeholder = "SECONDS",
            .summary = std::move(summary),
            .section = std::move(section),
            .minimum = 0.001,
            .maximum = most,
            .formerly = {{old}}};
}

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/trim.h"

#include <string_view>
#include <vector>

namespace pw {

/// Cells of a line of a table without quotes, without the blanks around them.
inline std::vector<std::string_view> commaCells(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos)
            return cells;
        line.remove_prefix(comma + 1);
    }
}

} // namespace pw

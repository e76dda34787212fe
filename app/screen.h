// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pw::app {

/// How many colours the place that is written to can show.
enum class ColorDepth
{
    None,
    Palette, ///< the 256 colours of xterm
    True     ///< red, green and blue of 8 bits each
};

/// The place that people read: its width and its colours.
struct Screen
{
    int width = 100;
    ColorDepth colors = ColorDepth::None;
    bool light = false; ///< a light ground

    /// Text in a colour, or in bold; unchanged where there are no colours.
    std::string paint(std::string_view text, Role role) const;
    std::string bold(std::string_view text) const;
    /// Text on a ground of a colour, itself black or white, whichever reads better.
    std::string chip(std::string_view text, Role ground) const;
    /// One column with a ground for its left and its right half. @pre there are colours
    std::string halves(std::optional<Role> left, std::optional<Role> right) const;
};

/// The screen that standard output is.
///
/// Width: COLUMNS, else the terminal's, else 100. Colours of `auto`: none where NO_COLOR is set,
/// TERM is dumb or output is not a terminal, and none under MPI: its launcher puts a terminal of
/// its own between, whatever its output goes to. True colour where COLORTERM says so. A light
/// ground is told by COLORFGBG.
///
/// @param color  "auto", "always" or "never"
Screen detectScreen(std::string_view color);

/// Columns that a text takes, colour codes not counted.
int displayWidth(std::string_view text);

} // namespace pw::app

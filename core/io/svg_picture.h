// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/picture.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// What an SVG picture is measured in, for whoever places it.
enum class SvgUnit
{
    Pixels,
    Millimetres
};

/// A picture as SVG. Every shape has its part as its class; uses no font and no file but its own
/// text.
std::string writeSvg(const Picture& picture, std::string_view title, SvgUnit unit);

/// The lines of a pattern, each within its box; what not every reader of SVG knows by itself.
std::vector<std::pair<PicturePoint, PicturePoint>> linesOf(const PicturePattern& pattern);

} // namespace pw

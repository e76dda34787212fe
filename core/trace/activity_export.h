// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/colors.h"
#include "core/trace/activity_lanes.h"

#include <ostream>
#include <string>

namespace pw {

/// The colour of a kind, in every picture of lanes.
Role roleOf(ActivityKind kind);

/// How a picture of lanes looks.
struct ActivityFigure
{
    std::string title;       ///< empty: no title line
    double width = 1600;     ///< of the whole picture, in CSS pixels
    std::size_t lanes = 200; ///< at most; the rest is counted
    int rows = 12;           ///< levels of nesting that are drawn of a lane, at most
};

/// The lanes of a trace as an SVG picture: one lane a stream or thread, a block a slice, nested by
/// level; colour is kind. Slices narrower than a quarter of a pixel are joined, so that the picture
/// stays small for any trace. Uses no font and no file but its own text.
/// @error  as of the source
Result<std::string> writeActivitySvg(const ActivitySource& source, const ActivityFigure& figure);

/// Every slice as Chrome trace events, which Perfetto and chrome://tracing open: a process for each
/// owner, a thread for each lane.
/// @error  as of the source
Result<void> writeActivityChromeJson(const ActivitySource& source, std::ostream& out);

} // namespace pw

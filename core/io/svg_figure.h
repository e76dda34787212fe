// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <string>
#include <vector>

namespace pw {

/// How a figure looks.
struct FigureStyle
{
    std::string title;     ///< in UTF-8; empty: no title line
    double width = 1200;   ///< of the whole figure, in CSS pixels
    double laneHeight = 0; ///< 0: 34, less where there are more than 12 devices
    bool numbers = true;   ///< line with makespan, bubbles and peak
    bool legend = true;
    std::vector<Annotation> annotations{}; ///< drawn over the lanes
};

/// A simulated timeline as an SVG picture: a lane a device, a block a pass (hue is kind, tint is
/// chunk, text is kind and micro-batch as far as it fits), bubbles hatched, what goes to the host's
/// memory and back along the lane's lower edge, a time axis in ms. Uses no font and no file but its
/// own text.
///
/// Blocks narrower than a quarter of a pixel are joined, so that the file stays small for any
/// schedule.
///
/// @pre the result is of this schedule
std::string writeSvgFigure(const Schedule& schedule, const SimResult& result,
                           const FigureStyle& style);

} // namespace pw

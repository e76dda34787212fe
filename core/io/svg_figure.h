// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/picture.h"
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
    double laneHeight = 0; ///< 0: as there is room for, less where there are many devices
    bool numbers = true;   ///< line with makespan, bubbles and peak
    bool legend = true;
    std::vector<Annotation> annotations{}; ///< drawn over the lanes
};

/// A simulated timeline as a picture on a light ground: a lane a device, a block a pass (hue is
/// kind, tint is chunk, text is kind and micro-batch as far as it fits), bubbles hatched, what goes
/// to the host's memory and back along the lane's lower edge, an axis of time. Text is as wide as
/// in fonts that nobody knows.
///
/// Where passes are too many to be told apart their colours are mixed, so that the file stays small
/// for any schedule.
///
/// @pre the result is of this schedule
Picture figurePicture(const Schedule& schedule, const SimResult& result, const FigureStyle& style);

/// The same as the text of an SVG file.
std::string writeSvgFigure(const Schedule& schedule, const SimResult& result,
                           const FigureStyle& style);

} // namespace pw

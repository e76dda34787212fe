// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <functional>
#include <string>

namespace pw {

/// A lane of a figure, in CSS pixels.
struct SvgLane
{
    DeviceId device{0};
    double top = 0;
    double height = 0;
    std::function<double(Ticks)> x; ///< place of a time
};

/// Rules of style for what the functions below write.
std::string svgCopyStyle();

/// What goes to the host's memory and comes back, over the blocks of a lane: two thin rows at its
/// lower edge, the ways there and below them those back, and a corner of the blocks that they begin
/// and end at. Empty where the device copies nothing.
///
/// Bars narrower than a quarter of a pixel are joined, as blocks are.
std::string svgCopies(const SimResult& result, const SvgLane& lane);

/// The end of a legend: a sign and words of either direction. @param x,y  its upper left corner
std::string svgCopyLegend(double x, double y);

} // namespace pw

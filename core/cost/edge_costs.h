// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <vector>

namespace pw {

/// What a measured order has between its passes, and at its ends, beside what passes take.
struct PassEdges
{
    /// Between two passes of a device that nothing separates: launching, handing messages over; by
    /// device.
    std::vector<Ticks> gap;
    /// By how much the first F of a device takes longer than the others of its stage, by device.
    std::vector<Ticks> firstForward;
    /// The same of its last backward, which may have to start the reduction of gradients.
    std::vector<Ticks> lastBackward;

    bool empty() const { return gap.empty(); }

    friend bool operator==(const PassEdges&, const PassEdges&) = default;
};

/// Makes every pass as much longer as the gap of its device, which a message is then shorter by;
/// gives the first F of each device, and the last backward of each of its stages, times of their
/// own. Where a device has more stages than before, each has its part of these; a gap is one for
/// every pass, however short. Changes nothing where there are other devices, two routes, links of
/// their own or single times.
void addEdges(const PassEdges& edges, const PipelineSpec& measured, const Schedule& schedule,
              Costs& costs);

/// The part of it that depends on the order: single times of first and last passes, in the place of
/// all that the costs have.
/// @pre costs that `addEdges` has changed, for an order of the same shape
void setEnds(const PassEdges& edges, const PipelineSpec& measured, const Schedule& schedule,
             Costs& costs);

} // namespace pw

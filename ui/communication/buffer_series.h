// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"
#include "core/communication/play.h"
#include "ui/charts/step_curves.h"

#include <vector>

namespace pw::ui {

/// Buffers of a rank over time, kind on kind.
struct BufferSeries
{
    std::vector<StepSeries> series; ///< kinds that there are
    bool bytes = false;             ///< false: messages are counted, since none has a size
};

BufferSeries bufferSeries(const communication::Listing& listing, const Schedule& schedule,
                          const Costs& costs, const communication::Played& played, RankId rank);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/text.h"
#include "core/sim/memory.h"
#include "core/trace/records.h"

#include <QString>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::ui {

/// The most that each device holds at once, all kinds of memory together, by device. A device alone
/// costs nothing where weights have one version, as in all synchronous schedules.
/// @param simulated  peaks of activations are those of the simulator
std::vector<Bytes> heldAtMost(const Schedule& schedule, const Costs& costs,
                              const SimResult& simulated);
/// The same of an order that need not be whole, with one version of the weights.
std::vector<Bytes> heldAtMost(const PipelineSpec& spec, const Costs& costs,
                              const SimResult& simulated);

/// All that the fullest device holds at once.
struct WholePeak
{
    Bytes total = 0; ///< 0: nothing has a size
    DeviceId device{0};
    std::vector<std::pair<std::string_view, Bytes>> kinds; ///< as the core names them; none of 0

    bool known() const { return total > 0; }
};

/// As `peakMemory` of simulated times, in about the time of one device.
WholePeak wholePeak(const Schedule& schedule, const Costs& costs, const SimResult& simulated);
/// Of what was measured.
WholePeak wholePeak(std::span<const MemorySample> samples);

/// The kinds in one unit: "weights 7.45, optimizer 11.18, activations 2.09 GiB".
QString kindsText(const WholePeak& peak);

/// A size in the unit of its column: "0.5 GiB".
QString bytesIn(const Unit& unit, Bytes bytes);

} // namespace pw::ui

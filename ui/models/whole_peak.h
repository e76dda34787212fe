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

/// All that the fullest device holds at once.
struct WholePeak
{
    Bytes total = 0; ///< 0: nothing has a size
    DeviceId device{0};
    std::vector<std::pair<std::string_view, Bytes>> kinds; ///< as the core names them; none of 0

    bool known() const { return total > 0; }
};

/// As `peakMemory` has it.
WholePeak wholePeak(const Schedule& schedule, const Costs& costs, const SimResult& simulated);
/// Of what was measured.
WholePeak wholePeak(std::span<const MemorySample> samples);

/// The kinds in one unit: "weights 7.45, optimizer 11.18, activations 2.09 GiB".
QString kindsText(const WholePeak& peak);

/// A size in the unit of its column: "0.5 GiB".
QString bytesIn(const Unit& unit, Bytes bytes);

} // namespace pw::ui

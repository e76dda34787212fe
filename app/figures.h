// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"
#include "core/io/json_text.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"

#include <optional>
#include <string_view>

namespace pw::app {

/// The numbers that a schedule is judged by.
struct Figures
{
    Ticks makespan = 0;
    Bubble span; ///< of the device with the longest span, inside it
    Bubble wall; ///< of the same device, inside the makespan
    double peakMicroBatches = 0;
    Bytes peakBytes = 0; ///< of activations alone
    PeakMemory memory;   ///< all that the fullest device holds; 0 where nothing has a size
};

Figures figuresOf(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// The fields "peak_memory_bytes" and "peak_memory", an object with the device and its bytes by
/// kind.
void writePeakMemory(JsonText& json, const PeakMemory& memory);

/// How JSON and Python name a kind: "weights", "weight_versions" …
std::string_view jsonName(MemoryKind kind);

/// What a closed form says for a study.
struct FormValue
{
    std::string_view formula;
    std::string_view condition;
    double value = 0; ///< ticks, or micro-batches

    /// Whether a simulated value is the formula's, up to the rounding of passes to nanoseconds.
    bool agrees(double simulated) const;
};

/// The first closed form of a quantity whose condition holds; none for an order without a family or
/// unequal stages.
std::optional<FormValue> closedForm(const Study& study, Quantity quantity);

/// What the tables of a paper have in the place of the simulated value, where that is another
/// number: estimates of a family, and none that only repeats the closed form.
std::optional<FormValue> publishedForm(const Study& study, Quantity quantity);

/// Rate of a bubble of another length beside the same work. @pre idle >= 0
double rateBeside(const Bubble& simulated, double idle);

/// Whether the unit of a quantity is time.
bool isTime(Quantity quantity);

/// The quantity as JSON names it: "span_bubble_ms" …
std::string_view jsonName(Quantity quantity);

} // namespace pw::app

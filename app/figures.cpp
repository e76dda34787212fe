// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/figures.h"

#include "core/families/closed_forms.h"

#include <algorithm>
#include <cmath>

namespace pw::app {

Figures figuresOf(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    return {result.makespan,          spanBubble(result),     wallBubble(result),
            peakMicroBatches(result), peakActivation(result), peakMemory(schedule, costs, result)};
}

std::string_view jsonName(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Weights:
        return "weights";
    case MemoryKind::Versions:
        return "weight_versions";
    case MemoryKind::Gradients:
        return "gradients";
    case MemoryKind::Optimizer:
        return "optimizer";
    case MemoryKind::Activations:
        return "activations";
    case MemoryKind::HeldForWeight:
        return "held_for_weight";
    case MemoryKind::Buffers:
        return "buffers";
    case MemoryKind::Workspace:
        return "workspace";
    case MemoryKind::Fragments:
        return "fragments";
    }
    return "";
}

void writePeakMemory(JsonText& json, const PeakMemory& memory)
{
    json.member("peak_memory_bytes", memory.total());
    json.key("peak_memory");
    json.beginObject(JsonText::Layout::OneLine);
    json.member("device", memory.device);
    for (int kind = 0; kind < memoryKindCount; ++kind)
        json.member(jsonName(static_cast<MemoryKind>(kind)),
                    memory.point.bytes[static_cast<std::size_t>(kind)]);
    json.endObject();
}

bool FormValue::agrees(double simulated) const
{
    // Thousands of passes that are each rounded to a nanosecond may add up to a microsecond.
    constexpr double relative = 1e-6;
    return std::abs(simulated - value) <= relative * std::max(std::abs(value), 1.0) + 2;
}

namespace {

/// The first form of a quantity, among the estimates or among the others, whose condition holds.
std::optional<FormValue> firstForm(const Study& study, Quantity quantity, bool estimate)
{
    // Closed forms know of no copies to the host.
    if (study.family == nullptr || !study.costs.uniform || !study.costs.costs.offload.cells.empty())
        return std::nullopt;
    const ClosedFormInput input =
        closedFormInput(*study.family, study.options, *study.costs.uniform);
    for (const ClosedForm& form : study.family->closedForms) {
        if (form.quantity != quantity || form.estimate != estimate)
            continue;
        if (const std::optional<double> value = valueOf(form, input))
            return FormValue{form.formula, form.condition, *value};
    }
    return std::nullopt;
}

} // namespace

std::optional<FormValue> closedForm(const Study& study, Quantity quantity)
{
    return firstForm(study, quantity, false);
}

std::optional<FormValue> publishedForm(const Study& study, Quantity quantity)
{
    const std::optional<FormValue> published = firstForm(study, quantity, true);
    const std::optional<FormValue> exact = closedForm(study, quantity);
    if (published && exact && published->agrees(exact->value))
        return std::nullopt;
    return published;
}

double rateBeside(const Bubble& simulated, double idle)
{
    const double within = static_cast<double>(simulated.within - simulated.idle) + idle;
    return within > 0 ? idle / within : 0;
}

bool isTime(Quantity quantity)
{
    return quantity != Quantity::PeakActivation && quantity != Quantity::WeightVersions;
}

std::string_view jsonName(Quantity quantity)
{
    switch (quantity) {
    case Quantity::SpanBubble:
        return "span_bubble_ms";
    case Quantity::WallBubble:
        return "wall_bubble_ms";
    case Quantity::Makespan:
        return "makespan_ms";
    case Quantity::PeakActivation:
        return "peak_activation_mb";
    case Quantity::WeightVersions:
        return "weight_versions";
    }
    return "";
}

} // namespace pw::app

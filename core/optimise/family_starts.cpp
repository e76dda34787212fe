// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/family_starts.h"

#include "core/base/text.h"
#include "core/families/parameters.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

using Choices = std::vector<std::pair<std::string, double>>;

/// Micro-batches that every device can hold; `fallback` where nothing limits them.
double heldMicroBatches(const PipelineSpec& spec, const Costs& costs, double fallback)
{
    double least = fallback;
    const std::vector<HeldActivation> limits = activationLimits(spec, costs);
    const auto chunks = chunksOfDevices(spec);
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        HeldActivation one;
        for (const HostedStage& hosted : chunks[at(device)]) {
            for (int segment = 0; segment < spec.segments(); ++segment) {
                const ActivationCost& cost =
                    costs.activation[cellIndex(spec, hosted.stage, segment)];
                one += {cost.activation, cost.share};
            }
        }
        const HeldActivation& limit = limits[at(device)];
        if (limit.share != HeldActivation::unlimited)
            least = std::min(least, microBatchesFromShare(limit.share));
        if (limit.bytes != HeldActivation::unlimited && one.bytes > 0)
            least =
                std::min(least, static_cast<double>(limit.bytes) / static_cast<double>(one.bytes));
    }
    return std::max(least, 0.0);
}

/// Values worth a try of one parameter of a family, the default first; none: the default alone.
std::vector<double> valuesOf(const Parameter& parameter, const PipelineSpec& spec, double held,
                             OrderAim aim, double seconds)
{
    const int p = spec.devices, m = spec.microBatches;
    const int chunks = spec.stages() / p;
    switch (parameter.role) {
    case ParameterRole::Chunks:
        return {static_cast<double>(chunks)};
    case ParameterRole::Waves:
        return {std::max(1.0, chunks / 2.0)};
    case ParameterRole::Segments:
        return {static_cast<double>(spec.segments())};
    case ParameterRole::MemoryLimit:
        return {std::max(1.0, std::floor(2 * held) / 2)};
    case ParameterRole::TimeLimit:
        return {std::min(10.0, seconds * 0.2)};
    case ParameterRole::Aim:
        return {aim == OrderAim::Span ? 0.0 : 1.0};
    case ParameterRole::Group: {
        std::vector<double> values;
        for (const int k : {p, p / 2, 2, 3, 4, 8, 1}) {
            if (k >= 1 && k <= m && std::find(values.begin(), values.end(), k) == values.end())
                values.push_back(k);
        }
        return values;
    }
    case ParameterRole::None:
        break;
    }
    // Overlapped pairs are another execution, not another order.
    if (parameter.name == families::overlapParameter.name ||
        parameter.type == ParameterType::Number || parameter.type == ParameterType::Whole)
        return {};
    return {0, 1};
}

/// All combinations of the values of a family's parameters.
std::vector<Choices> choicesOf(const Family& family, const PipelineSpec& spec, double held,
                               OrderAim aim, double seconds)
{
    std::vector<Choices> all = {{}};
    for (const Parameter& parameter : family.parameters) {
        const std::vector<double> values = valuesOf(parameter, spec, held, aim, seconds);
        std::vector<Choices> more;
        for (const Choices& one : all) {
            for (const double value : values) {
                if (value < parameter.minimum || value > parameter.maximum)
                    continue;
                more.push_back(one);
                more.back().emplace_back(std::string(parameter.name), value);
            }
        }
        if (!more.empty())
            all = std::move(more);
    }
    return all;
}

std::string nameOf(const Family& family, const Choices& choices)
{
    std::string text(family.id);
    for (const auto& [name, value] : choices) {
        const Parameter* parameter = findParameter(family, name);
        const bool usual = parameter->rule == nullptr && parameter->fallback == value;
        if (!usual && parameter->role != ParameterRole::TimeLimit)
            text += ' ' + optionText(*parameter, value);
    }
    return text;
}

bool sameShape(const PipelineSpec& a, const PipelineSpec& b)
{
    PipelineSpec other = b;
    other.messages = a.messages;
    return a == other;
}

} // namespace

Ticks objectiveOf(const SimResult& result, OrderAim aim)
{
    if (aim == OrderAim::Makespan)
        return result.makespan;
    return result.devices[at(longestSpanDevice(result))].span();
}

std::vector<FamilyStart> familyStarts(const PipelineSpec& spec, const Costs& costs, OrderAim aim,
                                      double seconds, SearchClock& clock)
{
    std::vector<FamilyStart> starts;
    const double held = heldMicroBatches(spec, costs, spec.microBatches);
    Simulator simulator;
    SimResult result;
    const auto attempt = [&](const Family& family, const Choices& choices) {
        FamilyOptions options;
        options.devices = spec.devices;
        options.microBatches = spec.microBatches;
        options.steps = spec.steps;
        options.updates = spec.updates;
        options.parameters = choices;
        if (spec.segments() > 1)
            options.segmentLengths = spec.segmentLengths;
        const Result<PipelineSpec> shape = specOf(family, options);
        if (!shape || !sameShape(spec, *shape))
            return;
        const auto part = std::chrono::duration<double>(family.search ? seconds * 0.25 : 3600.0);
        const StopScope stop(std::chrono::steady_clock::now() +
                             std::chrono::duration_cast<std::chrono::nanoseconds>(part));
        Result<Schedule> made = family.build(spec, options, costs);
        if (!made || (family.search && stopAsked() && !family.anytime) ||
            !simulator.run(*made, costs, result))
            return;
        // The same order under another name is no further start.
        if (std::any_of(starts.begin(), starts.end(),
                        [&](const FamilyStart& other) { return other.schedule == *made; }))
            return;
        const bool fits = !firstOverflow(*made, costs, result);
        starts.push_back(
            {nameOf(family, choices), std::move(*made), objectiveOf(result, aim), fits});
    };
    for (const bool searches : {false, true}) {
        for (const Family& family : allFamilies()) {
            if (family.search != searches)
                continue;
            for (const Choices& choices : choicesOf(family, spec, held, aim, seconds)) {
                if (searches && clock.spent())
                    break;
                attempt(family, choices);
            }
        }
    }
    std::stable_sort(starts.begin(), starts.end(), [](const FamilyStart& a, const FamilyStart& b) {
        return a.fits != b.fits ? a.fits : a.objective < b.objective;
    });
    return starts;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"

#include "core/families/closed_forms.h"
#include "core/sim/memory.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>

namespace pw::test {

namespace {

template<typename T>
T need(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

} // namespace

double measured(Quantity quantity, const Schedule& schedule, const SimResult& result)
{
    switch (quantity) {
    case Quantity::SpanBubble:
        return static_cast<double>(spanBubble(result).idle);
    case Quantity::WallBubble:
        return static_cast<double>(wallBubble(result).idle);
    case Quantity::Makespan:
        return static_cast<double>(result.makespan);
    case Quantity::PeakActivation:
        return peakMicroBatches(result);
    case Quantity::WeightVersions:
        break;
    }
    int most = 0;
    const PipelineSpec& spec = schedule.spec();
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages()))
            most = std::max(most, weightVersionsAlive(schedule, result, route, stage));
    }
    return most;
}

const Family& familyOf(std::string_view id)
{
    return *need(findFamily(id));
}

FamilyOptions sized(int devices, int microBatches)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    return options;
}

FamilyOptions sized(int devices, int microBatches, std::string name, double value)
{
    FamilyOptions options = sized(devices, microBatches);
    options.parameters.emplace_back(std::move(name), value);
    return options;
}

UniformCosts equalStages(Ticks forward, Ticks backward, Ticks weight, Ticks hop)
{
    UniformCosts costs;
    costs.forward = forward;
    costs.backward = backward;
    costs.weight = weight;
    costs.hop = hop;
    return costs;
}

Ticks FamilyRun::span() const
{
    Ticks longest = 0;
    for (const auto& device : result.devices)
        longest = std::max(longest, device.span());
    return longest;
}

FamilyRun runFamily(const Family& family, const FamilyOptions& options, const Costs& costs)
{
    auto schedule = need(family.build(need(specOf(family, options)), options, costs));
    auto result = need(simulate(schedule, costs));
    return {std::move(schedule), costs, std::move(result)};
}

FamilyRun runFamily(const Family& family, const FamilyOptions& options, const UniformCosts& uniform)
{
    return runFamily(family, options, expand(uniform, need(specOf(family, options))));
}

int compareClosedForms(const Family& family, const FamilyOptions& options,
                       const UniformCosts& uniform)
{
    const FamilyRun made = runFamily(family, options, uniform);
    const ClosedFormInput input = closedFormInput(family, options, uniform);
    int held = 0;
    for (const ClosedForm& form : family.closedForms) {
        const auto expected = valueOf(form, input);
        if (!expected || form.estimate)
            continue;
        ++held;
        const double got = measured(form.quantity, made.schedule, made.result);
        if (std::abs(got - *expected) > 1e-9) {
            qWarning("%s p=%d m=%d F=%g B=%g W=%g, %s: %g, simulated %g",
                     std::string(family.id).c_str(), options.devices, options.microBatches,
                     input.forward, input.backward, input.weight, std::string(form.formula).c_str(),
                     *expected, got);
            return -1;
        }
    }
    return held;
}

} // namespace pw::test

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/what_if.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/carry_costs.h"
#include "core/cost/carry_ranks.h"
#include "core/edit/compose.h"
#include "core/model/pass_kinds.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

bool& of(std::array<bool, passKindCount>& kinds, PassKind kind)
{
    return kinds[static_cast<std::size_t>(kind)];
}

Result<WhatIfBase> baseOf(Schedule schedule, Costs costs,
                          const std::array<bool, passKindCount>& known)
{
    PW_TRY(SimResult predicted, simulate(schedule, costs));
    return WhatIfBase{std::move(schedule), std::move(costs), known, {}, {}, std::move(predicted)};
}

/// A family with options that make exactly this order with these costs.
std::optional<FamilyChoice> choiceOf(const Recognition& recognition, const WhatIfBase& base)
{
    if (!recognition.exact())
        return std::nullopt;
    for (const FamilyMatch& match : recognition.matches) {
        const Result<PipelineSpec> spec = specOf(*match.family, match.options);
        if (!spec)
            continue;
        const Result<Schedule> made = match.family->build(*spec, match.options, base.costs);
        if (made && made->orders() == base.schedule.orders())
            return FamilyChoice{std::string(match.family->id), match.options};
    }
    return std::nullopt;
}

void append(std::string& text, const std::string& more)
{
    if (!more.empty())
        text += (text.empty() ? "" : "; ") + more;
}

bool splitKnown(const WhatIfBase& base)
{
    return base.known[static_cast<std::size_t>(PassKind::B)] &&
           base.known[static_cast<std::size_t>(PassKind::W)];
}

/// Says what is assumed of passes that have no time of their own.
void sayAssumed(const WhatIfBase& base, const WhatIf& what, Prediction& prediction)
{
    std::array<bool, passKindCount> has = kindsOf(prediction.schedule);
    std::array<bool, passKindCount> known = base.known;
    if ((of(has, PassKind::B) || of(has, PassKind::W)) && !splitKnown(base)) {
        append(prediction.assumed, plainNumber(100 * what.weightPart.value_or(assumedWeightPart)) +
                                       " % of BW is W" +
                                       (what.weightPart ? "" : ", as is assumed"));
    }
    if (of(has, PassKind::BW) && !of(known, PassKind::BW))
        append(prediction.assumed, "BW takes B and W");
    if (of(has, PassKind::R) && !of(known, PassKind::R))
        append(prediction.assumed, "R takes F");
    if (of(has, PassKind::U) && !of(known, PassKind::U))
        append(prediction.assumed, "U takes no time");
}

/// B and W out of BW, in the tables of the base.
void splitBackward(Costs& costs, double weightPart)
{
    for (std::size_t cell = 0; cell < costs.fused.size(); ++cell) {
        costs.weight[cell] =
            static_cast<Ticks>(std::llround(static_cast<double>(costs.fused[cell]) * weightPart));
        costs.backward[cell] = costs.fused[cell] - costs.weight[cell];
    }
}

void changeLinks(Costs& costs, const WhatIf& what)
{
    const auto change = [&what](Link& link) {
        if (what.hop) {
            link = {*what.hop, 0};
            return;
        }
        link.latency =
            static_cast<Ticks>(std::llround(static_cast<double>(link.latency) * what.linkFactor));
        link.bytesPerSecond = what.linkFactor > 0 ? link.bytesPerSecond / what.linkFactor : 0;
    };
    change(costs.link);
    std::for_each(costs.links.begin(), costs.links.end(), change);
}

Result<Schedule> laidOut(const WhatIfBase& base, const Placement& placement, const Costs& costs)
{
    Project project;
    project.draft.spec = base.schedule.spec();
    project.draft.spec.routes = {placement};
    project.draft.spec.routeOfMicroBatch.clear();
    project.draft.orders.resize(static_cast<std::size_t>(project.draft.spec.devices));
    project.costs = costs;
    Share most = 0;
    for (const DeviceResult& device : base.predicted.devices)
        most = std::max(most, device.peakShare);
    const FinishRule rule =
        hasKind(base.schedule, PassKind::W) ? FinishRule::ZeroBubble : FinishRule::BackwardFirst;
    PW_TRY(Proposal proposal, finishRest(project, rule, most));
    return Schedule::make(proposal.draft.spec, proposal.draft.orders);
}

} // namespace

std::optional<double> WhatIfBase::residual() const
{
    if (!measured || *measured == 0)
        return std::nullopt;
    return static_cast<double>(predicted.makespan - *measured) / static_cast<double>(*measured);
}

Result<WhatIfBase> whatIfBase(const RecoveredPipeline& pipeline, const FittedCosts& fitted)
{
    PW_TRY(Costs costs, costsOf(fitted.file, pipeline.schedule->spec()));
    std::array<bool, passKindCount> known{};
    for (const MeasuredPass& pass : fitted.file.passes)
        if (!pass.paired)
            of(known, pass.kind) = true;
    Result<WhatIfBase> base = baseOf(*pipeline.schedule, std::move(costs), known);
    if (!base)
        return base;
    base->measured = fitted.measured;
    base->edges = fitted.file.edges;
    Costs replayed = base->costs;
    addEdges(base->edges, base->schedule.spec(), base->schedule, replayed);
    PW_TRY(base->predicted, simulate(base->schedule, replayed));
    base->memory = fitRankMemory(pipeline.peakBytes, base->schedule.spec(), base->predicted);
    base->family = choiceOf(pipeline.family, *base);
    return base;
}

Result<WhatIfBase> whatIfBase(const Project& project)
{
    Result<Schedule> schedule = scheduleOf(project);
    if (!schedule)
        return fail(schedule.error());
    std::array<bool, passKindCount> known{};
    known.fill(true);
    Result<WhatIfBase> base = baseOf(std::move(*schedule), costsOf(project), known);
    if (!base)
        return base;
    base->family = project.family;
    if (!base->family)
        base->family = choiceOf(recognise(base->schedule, {base->costs}), *base);
    return base;
}

Result<Prediction> predict(const WhatIfBase& base, const WhatIf& what)
{
    Costs costs = base.costs;
    if (what.weightPart && !splitKnown(base))
        splitBackward(costs, *what.weightPart);
    changeLinks(costs, what);
    if (what.memoryLimit)
        costs.shareCap = shareLimit(*what.memoryLimit);
    const auto predicted = [&](Schedule schedule, Costs own,
                               std::string how) -> Result<Prediction> {
        Prediction made{std::move(schedule), std::move(own), {}, std::move(how)};
        sayAssumed(base, what, made);
        addEdges(base.edges, base.schedule.spec(), made.schedule, made.costs);
        PW_TRY(SimResult result, simulate(made.schedule, made.costs));
        if (const auto over = firstOverflow(made.schedule, made.costs, result))
            return fail(ErrorCode::MemoryLimit, over->text(made.schedule.spec()));
        made.result = std::move(result);
        if (base.memory)
            made.memory = rankMemory(*base.memory, made.schedule.spec(), made.result);
        return made;
    };
    const auto carriedTo = [&](const PipelineSpec& spec) -> Result<CarriedCosts> {
        if (what.carry)
            return what.carry(costs, spec);
        PW_TRY(CarriedCosts carried, carryCosts(costs, base.schedule.spec(), spec));
        carryRanks(costs, base.schedule.spec(), spec, carried);
        return carried;
    };
    if (what.order != nullptr) {
        PW_TRY(CarriedCosts carried, carriedTo(what.order->spec()));
        return predicted(*what.order, std::move(carried.costs), std::move(carried.how));
    }
    if (what.placement) {
        PipelineSpec spec = base.schedule.spec();
        spec.routes = {*what.placement};
        spec.routeOfMicroBatch.clear();
        PW_DO(check(spec));
        PW_TRY(CarriedCosts carried, carriedTo(spec));
        PW_TRY(Schedule schedule, laidOut(base, *what.placement, carried.costs));
        append(carried.how, "an order made anew, backwards first");
        return predicted(std::move(schedule), std::move(carried.costs), std::move(carried.how));
    }
    if (!what.family && !what.carry)
        return predicted(base.schedule, std::move(costs), {});
    if (!what.family) {
        PW_TRY(CarriedCosts carried, carriedTo(base.schedule.spec()));
        return predicted(base.schedule, std::move(carried.costs), std::move(carried.how));
    }
    PW_TRY(const Family* family, findFamily(what.family->id));
    PW_TRY(const PipelineSpec spec, specOf(*family, what.family->options));
    PW_TRY(CarriedCosts carried, carriedTo(spec));
    PW_TRY(Schedule schedule, family->build(spec, what.family->options, carried.costs));
    return predicted(std::move(schedule), std::move(carried.costs), std::move(carried.how));
}

} // namespace pw

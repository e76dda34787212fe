// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/ranking.h"

#include "core/base/index.h"
#include "core/base/stop.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/carry_costs.h"
#include "core/cost/carry_ranks.h"
#include "core/cost/origin_costs.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

struct RankingReason
{
    Q_DECLARE_TR_FUNCTIONS(Alternatives)
};

/// Schedules with more passes are not kept to be looked at: a ranking has some sixty of them.
constexpr std::int32_t keptEntries = 30'000;

bool hasParameter(const Family& family, std::string_view name)
{
    return std::any_of(family.parameters.begin(), family.parameters.end(),
                       [name](const Parameter& one) { return one.name == name; });
}

/// Values of a parameter beside its default that are worth a row.
std::vector<double> otherValues(std::string_view name, int devices, int microBatches)
{
    std::vector<double> values;
    if (name == "chunks" || name == "segments")
        values = {2, 4};
    else if (name == "waves")
        values = {1, 2};
    else if (name == "group")
        values = {2, 4, devices / 2.0, static_cast<double>(devices)};
    else if (name == "eager" || name == "overlap" || name == "delay-weight")
        values = {1};
    std::erase_if(values, [&](double value) {
        return value != std::floor(value) || (name == "group" && value > microBatches);
    });
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

FamilyOptions plainOptions(const RankQuestion& question)
{
    const PipelineSpec& own = question.project.draft.spec;
    FamilyOptions options;
    options.devices = question.devices;
    options.microBatches = question.microBatches;
    options.steps = own.steps;
    options.updates = own.updates;
    return options;
}

RankCandidate with(RankCandidate candidate, std::string_view parameter, double value)
{
    candidate.options.parameters = {{std::string(parameter), value}};
    candidate.name += ", " + std::string(parameter) + " " + plainNumber(value);
    return candidate;
}

/// Bytes of the fullest device over time, all kinds of memory together.
Bytes fullestBytes(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    const std::vector<Bytes> most = heldAtMost(schedule, costs, result);
    return most.empty() ? 0 : *std::max_element(most.begin(), most.end());
}

UniformCosts onDevices(UniformCosts costs, int from, int to)
{
    if (from == to)
        return costs;
    const auto scaled = [from, to](std::int64_t value) {
        return static_cast<std::int64_t>(
            std::llround(static_cast<double>(value) * from / static_cast<double>(to)));
    };
    costs.forward = scaled(costs.forward);
    costs.backward = scaled(costs.backward);
    costs.weight = scaled(costs.weight);
    costs.update = scaled(costs.update);
    costs.activation = scaled(costs.activation);
    if (costs.pair)
        costs.pair = scaled(*costs.pair);
    return costs;
}

void slowLinks(Costs& costs, double factor)
{
    if (factor == 1)
        return;
    const auto slow = [factor](Link& link) {
        link.latency = static_cast<Ticks>(std::llround(static_cast<double>(link.latency) * factor));
        link.bytesPerSecond /= factor;
    };
    slow(costs.link);
    std::for_each(costs.links.begin(), costs.links.end(), slow);
}

/// A split that was given for one number of stages says nothing of others.
Result<Costs> modelCosts(CostOrigin origin, const PipelineSpec& spec)
{
    Result<Costs> costs = costsOf(origin, spec);
    if (costs || origin.split == "even")
        return costs;
    origin.split = "even";
    return costsOf(origin, spec);
}

} // namespace

std::optional<Spread> spreadOf(const Schedule& schedule, const Costs& costs,
                               const NoiseModel& noise)
{
    const Result<NoisyRuns> runs = NoisyRuns::make(schedule, costs);
    if (!runs)
        return {}; // committed messages: the order of times is not known before
    constexpr int samples = 400;
    constexpr std::uint64_t seed = 1; // the same draws for all
    const NoiseSamples made = runs->run(noise, samples, seed, 1);
    constexpr double few = 0.05, most = 0.95;
    return Spread{static_cast<Ticks>(std::llround(made.quantile(few))),
                  static_cast<Ticks>(std::llround(made.quantile(most)))};
}

std::vector<RankCandidate> rankCandidates(const RankQuestion& question)
{
    std::vector<RankCandidate> all;
    for (const bool search : {false, true}) {
        if (search && !question.searches)
            break;
        for (const Family& family : allFamilies()) {
            if (family.search != search)
                continue;
            const RankCandidate plain{&family, plainOptions(question), std::string(family.id)};
            all.push_back(plain);
            if (search)
                continue;
            for (const Parameter& parameter : family.parameters) {
                const double usual = parameterValue(family, plain.options, parameter.name);
                for (const double value :
                     otherValues(parameter.name, question.devices, question.microBatches))
                    if (value != usual && value >= parameter.minimum && value <= parameter.maximum)
                        all.push_back(with(plain, parameter.name, value));
            }
        }
    }
    return all;
}

Result<Costs> rankCosts(const RankQuestion& question, const PipelineSpec& spec)
{
    Result<Costs> costs = Costs{};
    const Project& project = question.project;
    if (question.origin) {
        costs = modelCosts(*question.origin, spec);
    } else if (const auto* equal = std::get_if<UniformCosts>(&project.costs)) {
        costs = expand(onDevices(*equal, project.draft.spec.devices, spec.devices), spec);
    } else {
        Costs own = std::get<Costs>(project.costs);
        own.memoryCap.clear();
        own.single.clear();
        PW_TRY(CarriedCosts carried, carryCosts(own, project.draft.spec, spec));
        carryRanks(own, project.draft.spec, spec, carried);
        costs = std::move(carried.costs);
    }
    if (!costs)
        return costs;
    slowLinks(*costs, question.linkFactor);
    costs->memoryCap.clear();
    if (question.capBytes > 0)
        costs->memoryCap.assign(at(spec.devices), question.capBytes);
    costs->shareCap = question.capShare;
    return costs;
}

Ranked rankOf(const RankQuestion& question, const RankCandidate& candidate, RankKeep keep)
{
    Ranked row;
    row.candidate = candidate;
    const auto refuse = [&row](const Error& error) {
        row.refusal = error.message;
        return row;
    };
    const Result<PipelineSpec> spec = specOf(*candidate.family, candidate.options);
    if (!spec)
        return refuse(spec.error());
    Result<Costs> costs = rankCosts(question, *spec);
    if (!costs)
        return refuse(costs.error());
    Result<Schedule> schedule = candidate.family->build(*spec, candidate.options, *costs);
    if (!schedule)
        return refuse(schedule.error());
    Result<SimResult> result = simulate(*schedule, *costs);
    if (!result)
        return refuse(result.error());
    row.makespan = result->makespan;
    row.wallBubble = wallBubble(*result).rate();
    row.peakMicroBatches = peakMicroBatches(*result);
    row.peakBytes = fullestBytes(*schedule, *costs, *result);
    row.asynchronous = spec->updateRule != UpdateRule::Flush;
    if (const auto over = firstOverflow(*schedule, *costs, *result))
        row.overCap = over->text(*spec);
    row.costs = std::move(*costs);
    if (question.noise && !stopAsked()) {
        const auto spread = spreadOf(*schedule, row.costs, *question.noise);
        row.low = spread ? spread->low : row.makespan;
        row.high = spread ? spread->high : row.makespan;
    }
    if (keep == RankKeep::Every || schedule->entryCount() <= keptEntries) {
        row.result = std::move(*result);
        row.schedule = std::make_shared<const Schedule>(std::move(*schedule));
    }
    return row;
}

Result<Project> rankedProject(const RankQuestion& question, const RankCandidate& candidate)
{
    PW_TRY(const PipelineSpec spec, specOf(*candidate.family, candidate.options));
    Project project;
    project.family = FamilyChoice{std::string(candidate.family->id), candidate.options};
    project.draft.spec = spec;
    const auto* equal = std::get_if<UniformCosts>(&question.project.costs);
    if (equal != nullptr && !question.origin && question.capShare == 0) {
        UniformCosts costs = onDevices(*equal, question.project.draft.spec.devices, spec.devices);
        costs.memoryCap = question.capBytes;
        project.costs = costs;
        return project;
    }
    PW_TRY(Costs costs, rankCosts(question, spec));
    project.costs = std::move(costs);
    if (question.origin && costsOf(*question.origin, spec))
        project.origin = question.origin;
    return project;
}

std::vector<RankHelp> whatHelps(const RankQuestion& question, const Ranked& best)
{
    std::vector<RankHelp> helps;
    const auto bestOf = [&best](RankQuestion changed) {
        changed.searches = false;
        changed.noise.reset();
        std::vector<RankCandidate> candidates = rankCandidates(changed);
        RankCandidate own = best.candidate;
        own.options.microBatches = changed.microBatches;
        candidates.push_back(std::move(own));
        std::optional<Ranked> first;
        for (const RankCandidate& candidate : candidates) {
            if (stopAsked())
                break;
            Ranked row = rankOf(changed, candidate);
            if (row.fits() && !row.asynchronous && (!first || row.makespan < first->makespan))
                first = std::move(row);
        }
        return first;
    };
    const auto add = [&](const QString& what, const RankQuestion& changed) {
        const std::optional<Ranked> found = bestOf(changed);
        const Ticks saved = found ? best.makespan - found->makespan : 0;
        const bool good = found && saved * 1000 > best.makespan;
        helps.push_back({what,
                         good ? RankingReason::tr("%1 less with %2")
                                    .arg(text(timeText(saved)), text(found->candidate.name))
                              : RankingReason::tr("nothing"),
                         good});
    };
    RankQuestion changed = question;
    if (question.capBytes > 0 || question.capShare > 0) {
        changed.capBytes += changed.capBytes / 10;
        changed.capShare += changed.capShare / 10;
        add(RankingReason::tr("10 % more memory"), changed);
    }
    changed = question;
    changed.linkFactor = 0.5;
    add(RankingReason::tr("links twice as fast"), changed);
    changed = question;
    changed.microBatches *= 2;
    if (const std::optional<Ranked> found = bestOf(changed)) {
        const bool good = found->wallBubble < best.wallBubble * 0.99;
        helps.push_back(
            {RankingReason::tr("twice the micro-batches"),
             RankingReason::tr("bubble %1 → %2 % with %3")
                 .arg(text(plainNumber(100 * best.wallBubble, 3)),
                      text(plainNumber(100 * found->wallBubble, 3)), text(found->candidate.name)),
             good});
    }
    return helps;
}

std::vector<int> sweepValues(int from, int to, std::size_t most)
{
    if (from > to)
        std::swap(from, to);
    std::vector<int> values;
    const auto steps = std::min(static_cast<std::size_t>(to - from), most - 1);
    for (std::size_t i = 0; i <= steps; ++i) {
        const double part = steps == 0 ? 0 : static_cast<double>(i) / static_cast<double>(steps);
        values.push_back(from + static_cast<int>(std::lround(part * (to - from))));
    }
    return values;
}

std::vector<RankCandidate> sweepCandidates(const RankQuestion& question, SweepOf what)
{
    std::vector<RankCandidate> all;
    const char* needed = what == SweepOf::Group    ? "group"
                         : what == SweepOf::Chunks ? "chunks"
                                                   : nullptr;
    for (const Family& family : allFamilies())
        if (!family.search && (needed == nullptr || hasParameter(family, needed)))
            all.push_back({&family, plainOptions(question), std::string(family.id)});
    return all;
}

SweepCurve sweepOf(RankQuestion question, RankCandidate candidate, SweepOf what,
                   const std::vector<int>& values)
{
    SweepCurve curve{candidate.name, {}, {}};
    for (const int value : values) {
        if (stopAsked())
            break;
        switch (what) {
        case SweepOf::Nothing:
            break;
        case SweepOf::Devices:
            question.devices = candidate.options.devices = value;
            break;
        case SweepOf::MicroBatches:
            question.microBatches = candidate.options.microBatches = value;
            break;
        case SweepOf::Group:
            candidate.options.parameters = {{"group", value}};
            break;
        case SweepOf::Chunks:
            candidate.options.parameters = {{"chunks", value}};
            break;
        }
        Ranked point = rankOf(question, candidate);
        if (!point.made())
            continue;
        point.schedule.reset();
        point.result = {};
        point.costs = {};
        curve.values.push_back(value);
        curve.points.push_back(std::move(point));
    }
    return curve;
}

} // namespace pw::ui

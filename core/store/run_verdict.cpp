// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_verdict.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/project_file.h"
#include "core/store/stored_iteration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace pw {

namespace {

using Traits = std::array<std::string, runTraitCount>; // empty: not said

std::string& of(Traits& traits, RunTrait trait)
{
    return traits[static_cast<std::size_t>(trait)];
}

/// The fields of a model that say what is computed, in the order of the file.
std::string modelText(const JsonValue& settings)
{
    const auto model = settings.FindMember("model");
    if (model == settings.MemberEnd() || !model->value.IsObject())
        return {};
    std::string text;
    for (const auto& field : model->value.GetObject()) {
        const std::string_view key(field.name.GetString(), field.name.GetStringLength());
        if (key == "samples" || field.value.IsObject() || field.value.IsArray())
            continue;
        text += (text.empty() ? "" : ", ") + std::string(key) + " ";
        if (field.value.IsString())
            text += field.value.GetString();
        else if (field.value.IsBool())
            text += field.value.GetBool() ? "yes" : "no";
        else if (field.value.IsInt64())
            text += std::to_string(field.value.GetInt64());
    }
    return text;
}

std::string samplesText(const JsonValue& settings)
{
    const auto model = settings.FindMember("model");
    if (model == settings.MemberEnd() || !model->value.IsObject())
        return {};
    const auto samples = model->value.FindMember("samples");
    return samples == model->value.MemberEnd() || !samples->value.IsInt64()
               ? std::string()
               : std::to_string(samples->value.GetInt64());
}

Traits traitsOf(const RunDetails& details)
{
    Traits traits;
    const bool ours = details.run.origin == "executed";
    const RunEnvironment& where = details.run.environment;
    of(traits, RunTrait::Ranks) = std::to_string(details.run.ranks);
    of(traits, RunTrait::Profiler) = ours ? "none" : details.run.origin;
    of(traits, RunTrait::Backend) = ours ? where.backend : std::string();
    if (!where.host.empty())
        of(traits, RunTrait::Machine) =
            where.host + (where.devices.empty() ? "" : ", " + devicesText(where.devices));
    if (const Result<Project> project = readProject(details.project))
        of(traits, RunTrait::MicroBatches) = std::to_string(project->draft.spec.microBatches);
    const Result<JsonDocument> settings =
        parseJson(details.settings, static_cast<std::int64_t>(details.settings.size()) + 1);
    if (!settings || !settings->IsObject() || !ours)
        return traits;
    // What an emulated run has of a model are its defaults.
    if (where.backend != "emulated") {
        of(traits, RunTrait::Model) = modelText(*settings);
        of(traits, RunTrait::Batch) = samplesText(*settings);
    }
    const auto replicas = settings->FindMember("replicas");
    of(traits, RunTrait::Replicas) = replicas == settings->MemberEnd() || !replicas->value.IsInt64()
                                         ? "1"
                                         : std::to_string(replicas->value.GetInt64());
    return traits;
}

template<typename T>
T middleOf(std::vector<T> all)
{
    if (all.empty())
        return T{};
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), at, all.end());
    return *at;
}

/// The median distance from the median, as a standard deviation.
double spreadOf(const std::vector<Ticks>& all)
{
    constexpr double ofNormal = 1.4826;
    const Ticks middle = middleOf(all);
    std::vector<Ticks> distances;
    for (const Ticks one : all)
        distances.push_back(std::abs(one - middle));
    return ofNormal * static_cast<double>(middleOf(std::move(distances)));
}

/// How far medians of samples of this spread are apart by chance, three standard errors of it.
double chanceOf(const std::vector<Ticks>& before, const std::vector<Ticks>& after)
{
    constexpr double ofMedian = 1.2533, errors = 3;
    const double one = spreadOf(before), two = spreadOf(after);
    return errors * ofMedian *
           std::sqrt(one * one / static_cast<double>(before.size()) +
                     two * two / static_cast<double>(after.size()));
}

Result<std::vector<Ticks>> stepsOf(RunStore& store, RunNumber run)
{
    PW_TRY(const std::vector<IterationSpan> spans, store.iterations(run));
    std::vector<Ticks> steps;
    for (const WholeIteration& one : wholeIterations(spans))
        if (one.iteration >= 0)
            steps.push_back(one.makespan());
    return steps;
}

using ChangeKey = std::tuple<int, StageId, PassKind>;
using Lengths = std::map<ChangeKey, std::vector<Ticks>>;

Result<Lengths> lengthsOf(RunStore& store, RunNumber run)
{
    PW_TRY(const StoredPasses kept, store.passes({.run = run}));
    Lengths lengths;
    for (const RecordedPass& one : kept.passes)
        if (one.iteration >= 0)
            lengths[{one.pass.route, one.pass.stage, one.pass.kind}].push_back(one.end - one.start);
    return lengths;
}

Result<std::vector<PassChange>> changesOf(RunStore& store, RunNumber before, RunNumber after,
                                          std::int64_t steps)
{
    constexpr double least = 0.005; // of a pass
    PW_TRY(const Lengths one, lengthsOf(store, before));
    PW_TRY(const Lengths two, lengthsOf(store, after));
    std::vector<PassChange> changes;
    for (const auto& [key, lengths] : two) {
        const auto earlier = one.find(key);
        if (earlier == one.end())
            continue;
        const auto& [route, stage, kind] = key;
        PassChange change{kind,
                          stage,
                          route,
                          middleOf(earlier->second),
                          middleOf(lengths),
                          static_cast<std::int64_t>(lengths.size()) /
                              std::max<std::int64_t>(1, steps)};
        const double grown = std::abs(static_cast<double>(change.after - change.before));
        if (grown > std::max(chanceOf(earlier->second, lengths),
                             least * static_cast<double>(change.before)))
            changes.push_back(change);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const PassChange& a, const PassChange& b) {
        return std::abs(a.ofStep()) > std::abs(b.ofStep());
    });
    return changes;
}

} // namespace

std::string_view name(RunTrait trait)
{
    constexpr std::array<std::string_view, runTraitCount> names = {
        "model", "micro_batches", "batch", "ranks", "replicas", "machine", "backend", "profiler"};
    return names[static_cast<std::size_t>(trait)];
}

std::string_view name(VerdictOutcome outcome)
{
    constexpr std::array<std::string_view, 5> names = {"not_comparable", "too_few_steps",
                                                       "no_difference", "better", "worse"};
    return names[static_cast<std::size_t>(outcome)];
}

Result<RunVerdict> verdictOf(RunStore& store, RunNumber before, RunNumber after)
{
    constexpr double leastNoise = 0.002;
    constexpr std::int64_t fewSteps = 3;
    PW_TRY(const RunDetails one, store.run(before));
    PW_TRY(const RunDetails two, store.run(after));
    RunVerdict verdict;
    Traits first = traitsOf(one), second = traitsOf(two);
    for (int i = 0; i < runTraitCount; ++i) {
        const auto trait = static_cast<RunTrait>(i);
        const std::string& a = of(first, trait);
        const std::string& b = of(second, trait);
        if (a.empty() || b.empty())
            verdict.unknown.push_back(trait);
        else if (a != b)
            verdict.differences.push_back({trait, a, b});
    }
    PW_TRY(const std::vector<Ticks> stepsBefore, stepsOf(store, before));
    PW_TRY(const std::vector<Ticks> stepsAfter, stepsOf(store, after));
    verdict.stepsBefore = static_cast<std::int64_t>(stepsBefore.size());
    verdict.stepsAfter = static_cast<std::int64_t>(stepsAfter.size());
    verdict.before = middleOf(stepsBefore);
    verdict.after = middleOf(stepsAfter);
    if (!stepsBefore.empty() && !stepsAfter.empty())
        verdict.noise = static_cast<Ticks>(std::llround(std::max(
            chanceOf(stepsBefore, stepsAfter), leastNoise * static_cast<double>(verdict.before))));
    PW_TRY(std::vector<PassChange> changes, changesOf(store, before, after, verdict.stepsAfter));
    verdict.changes = std::move(changes);
    if (!verdict.differences.empty())
        verdict.outcome = VerdictOutcome::NotComparable;
    else if (std::min(verdict.stepsBefore, verdict.stepsAfter) < fewSteps)
        verdict.outcome = VerdictOutcome::TooFewSteps;
    else if (std::abs(verdict.after - verdict.before) <= verdict.noise)
        verdict.outcome = VerdictOutcome::NoDifference;
    else
        verdict.outcome =
            verdict.after < verdict.before ? VerdictOutcome::Better : VerdictOutcome::Worse;
    return verdict;
}

} // namespace pw

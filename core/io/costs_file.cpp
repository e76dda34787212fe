// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/costs_file.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/costs_rounds.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/model/pass_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

namespace pw {

namespace {

std::string lengthsText(const std::vector<int>& lengths)
{
    std::string text;
    for (const int length : lengths)
        text += (text.empty() ? "" : ",") + std::to_string(length);
    return text;
}

/// Whether two lists of lengths are the same parts of their sums.
bool sameParts(const std::vector<int>& a, const std::vector<int>& b)
{
    const std::int64_t wholeA = std::accumulate(a.begin(), a.end(), std::int64_t{0});
    const std::int64_t wholeB = std::accumulate(b.begin(), b.end(), std::int64_t{0});
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [=](int x, int y) {
        return std::abs(static_cast<double>(x) / static_cast<double>(wholeA) -
                        static_cast<double>(y) / static_cast<double>(wholeB)) < 1e-9;
    });
}

/// Times of a kind by cell, with the launch gap; nothing where a cell was not measured.
std::vector<std::optional<Ticks>> foundTimes(const CostsFile& file, PassKind kind, bool paired)
{
    const std::size_t width = kind == PassKind::U ? 1 : file.segmentLengths.size();
    std::vector<std::optional<Ticks>> found(static_cast<std::size_t>(file.stages) * width);
    for (const MeasuredPass& pass : file.passes) {
        if (pass.kind == kind && pass.paired == paired)
            found[static_cast<std::size_t>(pass.stage) * width +
                  static_cast<std::size_t>(pass.segment)] = pass.time.mean + file.launchGap.mean;
    }
    return found;
}

bool anyFound(const std::vector<std::optional<Ticks>>& found)
{
    return std::any_of(found.begin(), found.end(),
                       [](const std::optional<Ticks>& time) { return time.has_value(); });
}

/// The table of a kind by cell; empty where no cell of it was measured.
/// @error BadValue  some cells were, and not all
Result<std::vector<Ticks>> tableOf(const CostsFile& file, PassKind kind)
{
    const std::vector<std::optional<Ticks>> found = foundTimes(file, kind, false);
    std::vector<Ticks> times;
    if (!anyFound(found))
        return times;
    const std::size_t width = found.size() / static_cast<std::size_t>(file.stages);
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
        if (!found[cell]) {
            return fail(ErrorCode::BadValue, "the costs file has no %1 of stage %2", name(kind),
                        cell / width);
        }
        times.push_back(*found[cell]);
    }
    return times;
}

/// Overlapped pairs by cell of the F; empty where there are none. An order need not have one on
/// every stage: elsewhere F and BW take what they take one after the other.
std::vector<Ticks> pairTimes(const CostsFile& file, const Costs& costs)
{
    const std::vector<std::optional<Ticks>> found = foundTimes(file, PassKind::F, true);
    std::vector<Ticks> times;
    if (!anyFound(found))
        return times;
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
        const Ticks backward =
            costs.fused.empty() ? costs.backward[cell] + costs.weight[cell] : costs.fused[cell];
        times.push_back(found[cell].value_or(costs.forward[cell] + backward));
    }
    return times;
}

Result<void> checkShape(const CostsFile& file, const PipelineSpec& spec)
{
    if (file.stages != spec.stages()) {
        return fail(ErrorCode::BadValue, "the costs file has %1 stages, and the schedule has %2",
                    file.stages, spec.stages());
    }
    if (file.segmentLengths.size() != spec.segmentLengths.size()) {
        return fail(ErrorCode::BadValue, "the costs file has %1 segments, and the schedule has %2",
                    file.segmentLengths.size(), spec.segmentLengths.size());
    }
    if (!sameParts(file.segmentLengths, spec.segmentLengths)) {
        return fail(ErrorCode::BadValue,
                    "the costs file has segments of lengths %1, and the schedule of %2",
                    lengthsText(file.segmentLengths), lengthsText(spec.segmentLengths));
    }
    return {};
}

std::array<bool, passKindCount> measuredKinds(const CostsFile& file)
{
    std::array<bool, passKindCount> measured{};
    for (const MeasuredPass& pass : file.passes) {
        if (!pass.paired)
            measured[static_cast<std::size_t>(pass.kind)] = true;
    }
    return measured;
}

void setTimes(Costs& costs, std::vector<Ticks> split, std::vector<Ticks> weight)
{
    costs.backward = std::move(split);
    costs.weight = std::move(weight);
}

void setActivation(Costs& costs, const CostsFile& file, const PipelineSpec& spec)
{
    costs.activation = activationShares(spec, 1, 1);
    for (std::size_t cell = 0; cell < file.activation.size(); ++cell) {
        const ActivationCost& bytes = file.activation[cell];
        ActivationCost& cost = costs.activation[cell];
        cost.activation = bytes.activation;
        cost.keptForWeight = bytes.keptForWeight;
        cost.stash = bytes.stash;
        const auto share = [&](Bytes part) {
            const long double ratio =
                bytes.activation == 0
                    ? 0.0L
                    : static_cast<long double>(part) / static_cast<long double>(bytes.activation);
            return static_cast<Share>(std::llround(ratio * static_cast<long double>(cost.share)));
        };
        cost.keptForWeightShare = share(bytes.keptForWeight);
        cost.stashShare = share(bytes.stash);
    }
}

} // namespace

Spread spreadOf(std::vector<Ticks> times)
{
    if (times.empty())
        return {};
    std::sort(times.begin(), times.end());
    const std::size_t n = times.size();
    // Between two neighbours in proportion, as is usual for quartiles.
    const auto at = [&](std::size_t quarter) {
        const std::size_t scaled = (n - 1) * quarter;
        const std::size_t below = scaled / 4;
        const Ticks next = times[std::min(below + 1, n - 1)];
        return times[below] + (next - times[below]) * static_cast<Ticks>(scaled % 4) / 4;
    };
    const std::size_t cut = n / 10;
    const long double sum = std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(cut),
                                            times.end() - static_cast<std::ptrdiff_t>(cut), 0.0L);
    return {static_cast<std::int64_t>(n), at(1), at(2), at(3),
            static_cast<Ticks>(std::llround(sum / static_cast<long double>(n - 2 * cut)))};
}

Result<Costs> costsOf(const CostsFile& file, const PipelineSpec& spec)
{
    PW_DO(checkShape(file, spec));
    std::array<std::vector<Ticks>, passKindCount> tables;
    for (const PassKind kind : allPassKinds) {
        PW_TRY(std::vector<Ticks> times, tableOf(file, kind));
        tables[static_cast<std::size_t>(kind)] = std::move(times);
    }
    const auto take = [&tables](PassKind kind) {
        return std::move(tables[static_cast<std::size_t>(kind)]);
    };
    Costs costs;
    costs.forward = take(PassKind::F);
    setTimes(costs, take(PassKind::B), take(PassKind::W));
    costs.fused = take(PassKind::BW);
    costs.recompute = take(PassKind::R);
    costs.update = take(PassKind::U);
    if (costs.forward.empty())
        return fail(ErrorCode::BadValue, "the costs file has no F");
    if (costs.backward.empty() || costs.weight.empty()) {
        if (costs.fused.empty())
            return fail(ErrorCode::BadValue, "the costs file has neither B and W nor BW");
        std::vector<Ticks> first;
        std::vector<Ticks> second;
        for (const Ticks whole : costs.fused) {
            first.push_back(whole / 2);
            second.push_back(whole - whole / 2);
        }
        setTimes(costs, std::move(first), std::move(second));
    }
    costs.pair = pairTimes(file, costs);
    costs.link = file.link;
    setActivation(costs, file, spec);
    costs.forwardMessage = file.forwardMessage;
    costs.backwardMessage = file.backwardMessage;
    costs.weights = file.weights;
    costs.gradients = file.gradients;
    costs.optimizer = file.optimizer;
    PW_DO(check(costs, spec));
    return costs;
}

Result<Costs> costsOf(const CostsFile& file, const Schedule& schedule)
{
    PW_TRY(Costs costs, costsOf(file, schedule.spec()));
    addEdges(file.edges, schedule.spec(), schedule, costs);
    return costs;
}

std::string assumedOf(const CostsFile& file, const Schedule& schedule)
{
    const auto measured = measuredKinds(file);
    const auto has = [&](PassKind kind) { return measured[static_cast<std::size_t>(kind)]; };
    const bool split = hasKind(schedule, PassKind::B) || hasKind(schedule, PassKind::W);
    if (split && !(has(PassKind::B) && has(PassKind::W)))
        return plainNumber(100 * assumedWeightPart) + " % of BW is W, as is assumed";
    if (hasKind(schedule, PassKind::BW) && !has(PassKind::BW))
        return "BW takes B and W";
    return {};
}

Result<void> check(const CostsFile& file, const Schedule& schedule)
{
    std::array<bool, passKindCount> known = measuredKinds(file);
    const auto of = [&known](PassKind kind) -> bool& {
        return known[static_cast<std::size_t>(kind)];
    };
    if (of(PassKind::BW))
        of(PassKind::B) = of(PassKind::W) = true;
    else
        of(PassKind::BW) = of(PassKind::B) && of(PassKind::W);
    for (const Schedule::Places& places : schedule.places()) {
        for (const PassId id : {places.first, places.second}) {
            if (!id.valid() || known[static_cast<std::size_t>(schedule.kind(id))])
                continue;
            return fail(ErrorCode::BadValue, "the costs file has no %1, which the schedule has: %2",
                        name(schedule.kind(id)), describe(schedule.pass(id), schedule.spec()));
        }
    }
    return {};
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_search.h"

#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/base/stop.h"
#include "core/base/try.h"
#include "core/search/zero_bubble_beam.h"
#include "core/search/zero_bubble_bound.h"
#include "core/search/zero_bubble_heuristic.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace pw {
namespace {

/// Takes about half a second on a machine of 2020.
constexpr std::int64_t searchWork = 40'000'000;

/// One at a time first: for large problems there is time for nothing else.
constexpr std::array<int, 8> widths = {1, 10, 30, 90, 270, 810, 2430, 7290};
/// Shares of the mean bound, in tenths, that each width is tried with.
constexpr std::array<int, 4> meanShares = {3, 10, 1, 30};

Result<void> checkList(const char* name, const std::vector<std::int64_t>& values, int count,
                       std::int64_t least)
{
    if (values.size() != at(count))
        return fail(ErrorCode::BadValue, "%1 has %2 entries, not %3", name, values.size(), count);
    for (std::size_t j = 0; j < values.size(); ++j) {
        if (values[j] < least)
            return fail(ErrorCode::BadValue, "%1 of stage %2 is %3, but must be at least %4", name,
                        j, values[j], least);
    }
    return {};
}

Result<void> checkMemory(const ZeroBubbleProblem& problem)
{
    const int p = problem.devices;
    if (problem.backwardMemory.size() != at(p) || problem.weightMemory.size() != at(p) ||
        problem.memoryLimit.size() != at(p))
        return fail(ErrorCode::BadValue,
                    "memory of B, of W and the memory limit must have %1 entries, one a stage", p);
    for (int j = 0; j < p; ++j) {
        const std::int64_t f = problem.forwardMemory[at(j)];
        const std::int64_t b = problem.backwardMemory[at(j)];
        const std::int64_t w = problem.weightMemory[at(j)];
        if (f + b < 0 || f + b + w != 0)
            return fail(ErrorCode::BadValue,
                        "memory of stage %1 changes by %2, %3 and %4 at F, B and W: it must not "
                        "fall below 0 and must end there",
                        j, f, b, w);
        const std::int64_t least = std::max(f, f + b);
        if (problem.memoryLimit[at(j)] < least)
            return fail(ErrorCode::MemoryLimit,
                        "no order fits the memory of stage %1: its limit is %2, but one "
                        "micro-batch alone needs %3, which is the smallest limit that works",
                        j, problem.memoryLimit[at(j)], least);
    }
    return {};
}

Result<void> check(const ZeroBubbleProblem& problem)
{
    const int p = problem.devices;
    if (p < 1 || problem.microBatches < 1)
        return fail(ErrorCode::BadValue,
                    "a zero-bubble order needs at least 1 device and 1 micro-batch, not %1 and %2",
                    p, problem.microBatches);
    if (p > ZeroBubbleBeam::mostDevices)
        return fail(ErrorCode::TooLarge, "the zero-bubble search is for at most %1 devices, not %2",
                    ZeroBubbleBeam::mostDevices, p);
    const auto ok =
        checkList("time of F", problem.forward, p, 0)
            .and_then([&] { return checkList("time of B", problem.backward, p, 0); })
            .and_then([&] { return checkList("time of W", problem.weight, p, 0); })
            .and_then(
                [&] { return checkList("forward latency", problem.forwardLatency, p - 1, 0); })
            .and_then(
                [&] { return checkList("backward latency", problem.backwardLatency, p - 1, 0); })
            .and_then([&] { return checkList("memory of F", problem.forwardMemory, p, 0); });
    return ok.and_then([&] { return checkMemory(problem); });
}

std::vector<std::vector<Pass>> passes(const ZeroBubbleProblem& problem,
                                      const ZeroBubbleKinds& kinds)
{
    constexpr std::array<PassKind, 3> names = {PassKind::F, PassKind::B, PassKind::W};
    const std::size_t length = 3 * at(problem.microBatches);
    std::vector<std::vector<Pass>> order(at(problem.devices));
    for (const DeviceId j : Ids<DeviceId>(problem.devices)) {
        std::array<std::int32_t, 3> next{};
        order[at(j)].reserve(length);
        for (std::size_t k = 0; k < length; ++k) {
            const std::uint8_t kind = kinds[at(j) * length + k];
            order[at(j)].push_back({names[kind], 0, StageId(j.value), next[kind]++, 0});
        }
    }
    return order;
}

/// About what a beam spends at least, to leave out what cannot end.
std::int64_t leastWork(const ZeroBubbleProblem& problem, int width)
{
    const std::int64_t cells = static_cast<std::int64_t>(problem.devices) * problem.microBatches;
    const std::int64_t each = problem.devices + (width > 1 ? cells / 8 : 0);
    return 3 * cells * width * each;
}

/// Widens the beam until the order is proven best or the budget is spent.
void improve(const ZeroBubbleProblem& problem, const ZeroBubbleBound& bound,
             ZeroBubbleCandidate& best, Ticks& lowerBound, ZeroBubbleBudget& budget)
{
    if (best.span <= lowerBound)
        return;
    ZeroBubbleBeam beam(problem, bound);
    for (const int width : widths) {
        for (const int share : meanShares) {
            if (width > beam.widestBeam() || budget.work < leastWork(problem, width))
                return;
            ZeroBubbleBeam::Outcome outcome = beam.run({width, share}, best.span, budget);
            if (outcome.best.span < best.span)
                best = std::move(outcome.best);
            if (outcome.complete)
                lowerBound = best.span;
            if (best.span <= lowerBound || budget.spent())
                return;
        }
    }
}

} // namespace

Result<ZeroBubbleSchedule> searchZeroBubble(const ZeroBubbleProblem& problem,
                                            const ZeroBubbleOptions& options)
{
    PW_DO(check(problem));
    const auto begin = std::chrono::steady_clock::now();
    const ZeroBubbleBound bound(problem);
    ZeroBubbleCandidate best = zeroBubbleHeuristic(problem);
    if (best.kinds.empty()) {
        ZeroBubbleBudget unlimited;
        unlimited.work = std::numeric_limits<std::int64_t>::max();
        unlimited.deadline = std::chrono::steady_clock::time_point::max();
        best = ZeroBubbleBeam(problem, bound).run({1, 0}, zeroBubbleNoSpan, unlimited).best;
    }
    if (best.kinds.empty() && stopAsked())
        return fail(ErrorCode::Cancelled, "the search was stopped");
    PW_ASSERT(!best.kinds.empty());
    ZeroBubbleSchedule result;
    result.heuristicSpan = best.span;
    result.lowerBound = bound.span();
    if (options.timeLimit > 0) {
        ZeroBubbleBudget budget;
        budget.work = searchWork;
        budget.deadline = begin + std::chrono::nanoseconds(options.timeLimit);
        ZeroBubbleBudget quarter = budget;
        quarter.work = searchWork / 4;
        improveWarmUp(problem, result.lowerBound, best, quarter);
        budget.work -= searchWork / 4 - quarter.work;
        improve(problem, bound, best, result.lowerBound, budget);
        result.timedOut = budget.timedOut;
    }
    result.span = best.span;
    result.order = passes(problem, best.kinds);
    return result;
}

} // namespace pw

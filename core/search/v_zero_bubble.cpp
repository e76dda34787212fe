// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/found_answers.h"
#include "core/base/index.h"
#include "core/base/stop.h"
#include "core/search/v_auto.h"
#include "core/search/v_greedy.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// Appends passes to one device and drops those of micro-batches that do not exist.
class FixedLane
{
public:
    FixedLane(std::span<VRow> rows, int microBatches)
        : m_rows(rows)
        , m_microBatches(microBatches)
    {
    }

    void put(VRow row)
    {
        int& count = m_count[static_cast<std::size_t>(row)];
        if (count < m_microBatches)
            m_rows[m_size++] = row;
        ++count;
    }
    int count(VRow row) const { return m_count[static_cast<std::size_t>(row)]; }

private:
    std::span<VRow> m_rows;
    int m_microBatches;
    std::size_t m_size = 0;
    std::array<int, vRowCount> m_count{};
};

} // namespace

VOrder zbVFixedOrder(int devices, int microBatches)
{
    using enum VRow;
    VOrder order(devices, microBatches);
    const int n = std::max(2 * devices - 1, microBatches);
    for (int i = 0; i < devices; ++i) {
        FixedLane lane(order.device(i), microBatches);
        const auto putAll = [&lane](std::initializer_list<VRow> rows) {
            for (const VRow row : rows)
                lane.put(row);
        };
        for (int k = 0; k < 2 * (devices - i) - 1; ++k)
            putAll({F0});
        for (int k = 0; k < i; ++k)
            putAll({F1, F0});
        for (int k = 0; k < devices - i; ++k)
            putAll({F1, B1, W1});
        while (lane.count(F1) < lane.count(F0) || lane.count(F0) < n) {
            if (lane.count(F0) < n)
                putAll({F0});
            putAll({B0, W0, F1, B1, W1});
        }
        for (int k = 0; k < i; ++k)
            putAll({B0, B1});
        for (int k = 0; k < devices - i; ++k)
            putAll({B0, W0});
        while (lane.count(W1) < n)
            putAll({W1});
        while (lane.count(W0) < n)
            putAll({W0});
    }
    return order;
}

namespace {

/// True where a device has no idle time in its span, and none that starts later ends later: then
/// neither span nor makespan can be smaller.
bool cannotBeBeaten(const VProblem& problem, const VFigures& figures)
{
    Ticks most = 0, last = 0, arrival = 0;
    for (const DeviceId device : Ids<DeviceId>(problem.devices)) {
        const auto down = static_cast<std::size_t>(device);
        const auto up = static_cast<std::size_t>(2 * problem.devices - 1 - device);
        Ticks work = 0;
        for (const std::size_t stage : {down, up})
            work += problem.forward[stage] + problem.backward[stage] + problem.weight[stage];
        work *= problem.microBatches;
        most = std::max(most, work);
        last = std::max(last, arrival + work);
        arrival += problem.forward[down] + problem.activationLatency[down];
    }
    return figures.span == most && figures.makespan == last;
}

} // namespace

Result<VOrder> zbVNamedOrder(const VProblem& problem, int limit, VAim aim)
{
    std::optional<VOrder> best;
    VFigures bestFigures;
    VTimer timer;
    const auto offer = [&](const VOrder& order) {
        const auto figures = timer.measure(problem, order);
        if (!figures || figures->peak > limit)
            return false;
        if (!best || figures->betterThan(bestFigures, aim)) {
            best = order;
            bestFigures = *figures;
        }
        return true;
    };
    const auto offerBoth = [&](const VOrder& order) {
        if (offer(order))
            offer(fillGaps(problem, order, limit, aim));
    };
    if (offer(zbVFixedOrder(problem.devices, problem.microBatches))) {
        if (cannotBeBeaten(problem, bestFigures))
            return *std::move(best);
        offer(fillGaps(problem, VOrder(*best), limit, aim));
    }
    const auto greedy = zbVGreedyOrder(problem, limit, aim);
    if (greedy)
        offerBoth(*greedy);
    if (!best)
        return fail(greedy.error());
    return *std::move(best);
}

namespace {

/// What comes behind the named orders takes about a second for so many micro-batches over all
/// devices.
constexpr int mostMicroBatches = 1024;

Result<VOrder> findBestOrder(const VProblem& problem, int limit, VAim aim)
{
    Result<VOrder> best = zbVNamedOrder(problem, limit, aim);
    if (!best || limit != 2 * problem.devices || aim != VAim::Span ||
        problem.devices * problem.microBatches > mostMicroBatches)
        return best;
    VTimer timer;
    const auto fixed = timer.measure(problem, zbVFixedOrder(problem.devices, problem.microBatches));
    VFigures ceiling = *timer.measure(problem, *best);
    if (!fixed || fixed->peak > limit || ceiling.makespan <= fixed->makespan)
        return best;
    // The shortest span, and yet longer than the fixed order from the first start to the last end:
    // another order may be worse in neither.
    ceiling.makespan = fixed->makespan;
    if (std::optional<VOrder> both = vOrderWithin(problem, limit, *best, ceiling))
        return *std::move(both);
    return best;
}

} // namespace

Result<VOrder> zbVBestOrder(const VProblem& problem, int limit, VAim aim)
{
    const auto make = [&] { return findBestOrder(problem, limit, aim); };
    if (problem.devices * problem.microBatches > mostMicroBatches)
        return make();
    // A plan asks for the order of one shape and its times often: to see it, to move layers away
    // from it and back, to tell it, and again where memory alone is another.
    constexpr std::size_t mostRows = 30'000'000; // a byte each
    static FoundAnswers<std::tuple<VProblem, int, VAim>, Result<VOrder>> found(mostRows);
    const int rows = vRowCount * problem.devices * problem.microBatches;
    const auto sizeOf = [rows](const auto&) { return at(rows); };
    return found.of(
        {problem, limit, aim}, make, [] { return !stopAsked(); }, sizeOf);
}

} // namespace pw

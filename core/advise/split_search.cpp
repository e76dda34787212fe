// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/split_search.h"

#include "core/base/try.h"
#include "core/model/pass_kinds.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>

namespace pw {

namespace {

/// Stage s on device s, and whole sequences: then a micro-batch's way is one pass a stage.
bool liesInOrder(const PipelineSpec& spec)
{
    if (spec.stages() != spec.devices || spec.routeCount() != 1 || spec.segments() != 1)
        return false;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        if (spec.device(0, stage).index() != stage.index())
            return false;
    return true;
}

bool overlaps(const Schedule& schedule)
{
    return std::any_of(schedule.places().begin(), schedule.places().end(),
                       [](const Schedule::Places& places) { return places.second.valid(); });
}

/// As even as it gets.
std::vector<int> evenLayers(int layers, int stages)
{
    std::vector<int> split(static_cast<std::size_t>(stages), layers / stages);
    for (int i = 0; i < layers % stages; ++i)
        ++split[static_cast<std::size_t>(i)];
    return split;
}

class SplitSearch
{
public:
    SplitSearch(const AdviceSource& source, PlannedChange change, const LayerCosts& layers,
                std::shared_ptr<const Schedule> order, const SplitLimits& limits)
        : m_source(source)
        , m_change(std::move(change))
        , m_layers(layers)
        , m_order(std::move(order))
        , m_spec(m_order->spec())
        , m_limits(limits)
        , m_linear(liesInOrder(m_spec))
        , m_split(static_cast<std::size_t>(m_spec.stages()), 0)
        , m_loads(static_cast<std::size_t>(m_spec.devices), 0)
        , m_ends(std::chrono::steady_clock::now() +
                 std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                     std::chrono::duration<double>(limits.seconds)))
    {
        m_change.what.family.reset();
        m_change.what.order = m_order;
        m_cut = hasKind(*m_order, PassKind::W);
        m_bounded = source.base.costs.pair.empty() || m_spec.stages() == m_spec.devices ||
                    !overlaps(*m_order);
    }

    Result<BestSplit> run()
    {
        const int stages = m_spec.stages();
        look(evenLayers(m_layers.total(), stages));
        if (m_source.layers.size() == m_split.size())
            look(m_source.layers);
        look(balanced());
        m_whole = true;
        if (!m_limits.balancedOnly) {
            climb();
            descend(0, 0, 0);
            leastMoved();
        }
        if (!m_best.split.empty())
            m_best.proven = m_whole && m_bounded;
        else if (m_failure)
            return fail(*m_failure);
        else
            return fail(ErrorCode::MemoryLimit,
                        "no split of the layers stays below the limit on every device");
        m_best.looked = static_cast<std::int64_t>(m_seen.size());
        return m_best;
    }

private:
    bool late() const
    {
        return static_cast<std::int64_t>(m_seen.size()) >= m_limits.most ||
               std::chrono::steady_clock::now() > m_ends ||
               (m_limits.stopped && m_limits.stopped());
    }

    /// Simulates a split, once.
    bool look(const std::vector<int>& split)
    {
        if (std::any_of(split.begin(), split.end(), [](int count) { return count < 1; }) ||
            !m_seen.insert(split).second)
            return false;
        m_change.split = split;
        const Result<Prediction> made = predictChange(m_source, m_change);
        if (!made) {
            m_failure = made.error();
            return false;
        }
        if (m_limits.cap > 0) {
            const std::vector<Bytes> peaks = peaksOf(m_source, m_change, *made);
            if (std::any_of(peaks.begin(), peaks.end(),
                            [&](Bytes peak) { return peak > m_limits.cap; }))
                return false;
        }
        m_fitting.emplace_back(made->result.makespan, split);
        if (!m_best.split.empty() && made->result.makespan >= m_best.makespan)
            return false;
        m_best.split = split;
        m_best.makespan = made->result.makespan;
        return true;
    }

    /// Layers that are elsewhere than they were measured, or than evenly spread.
    int moved(const std::vector<int>& split) const
    {
        const std::vector<int> from = m_source.layers.size() == split.size()
                                          ? m_source.layers
                                          : evenLayers(m_layers.total(), m_spec.stages());
        int count = 0;
        for (std::size_t i = 0; i < split.size(); ++i)
            count += std::abs(split[i] - from[i]);
        return count;
    }

    void leastMoved()
    {
        constexpr double alike = 0.002;
        const double limit = static_cast<double>(m_best.makespan) * (1 + alike);
        for (const auto& [makespan, split] : m_fitting)
            if (static_cast<double>(makespan) <= limit && moved(split) < moved(m_best.split)) {
                m_best.split = split;
                m_best.makespan = makespan;
            }
    }

    /// The split whose heaviest stage is lightest.
    std::vector<int> balanced() const
    {
        const int stages = m_spec.stages(), layers = m_layers.total();
        const auto width = static_cast<std::size_t>(layers) + 1;
        std::vector<double> best(width, 0); // of the stages so far, by layers that they have
        std::vector<std::vector<int>> taken(static_cast<std::size_t>(stages),
                                            std::vector<int>(width, 0));
        for (int stage = 0; stage < stages; ++stage) {
            std::vector<double> next(width, 0);
            for (int end = stage + 1; end <= layers - (stages - 1 - stage); ++end) {
                const int count = stage == 0 ? end : lightestEnd(best, stage, end);
                next[static_cast<std::size_t>(end)] = heavier(best, stage, end, count);
                taken[static_cast<std::size_t>(stage)][static_cast<std::size_t>(end)] = count;
            }
            best = std::move(next);
        }
        std::vector<int> split(static_cast<std::size_t>(stages), 0);
        for (int stage = stages - 1, end = layers; stage >= 0; --stage) {
            const int count = taken[static_cast<std::size_t>(stage)][static_cast<std::size_t>(end)];
            split[static_cast<std::size_t>(stage)] = count;
            end -= count;
        }
        return split;
    }

    /// The heaviest of the stages up to one that has the `count` layers before `end`.
    double heavier(const std::vector<double>& before, int stage, int end, int count) const
    {
        return std::max(before[static_cast<std::size_t>(end - count)],
                        m_layers.work(m_spec, stage, end - count, count).whole);
    }

    /// Layers of a stage, with the heaviest of the stages up to it lightest: more layers make it
    /// heavier and those before it lighter, so the best lies where the two meet.
    int lightestEnd(const std::vector<double>& before, int stage, int end) const
    {
        int least = 1, most = end - stage;
        while (least < most) {
            const int count = (least + most) / 2;
            if (m_layers.work(m_spec, stage, end - count, count).whole <
                before[static_cast<std::size_t>(end - count)])
                least = count + 1;
            else
                most = count;
        }
        return least > 1 &&
                       heavier(before, stage, end, least - 1) <= heavier(before, stage, end, least)
                   ? least - 1
                   : least;
    }

    /// Moves layers between any two stages while that helps.
    void climb()
    {
        for (bool better = !m_best.split.empty(); better && !late();) {
            better = false;
            const std::vector<int> from = m_best.split;
            for (std::size_t give = 0; give < from.size(); ++give)
                for (std::size_t take = 0; take < from.size() && !late(); ++take) {
                    std::vector<int> split = from;
                    --split[give];
                    ++split[take];
                    better = (give != take && look(split)) || better;
                }
        }
    }

    /// All splits that begin with the stages decided, but for those that cannot be shorter.
    ///
    /// @param fill  the way of a micro-batch through these stages and back
    void descend(int stage, int begin, double fill)
    {
        if (late()) {
            m_whole = false;
            return;
        }
        const int stages = m_spec.stages(), left = m_layers.total() - begin;
        if (stage == stages) {
            look(m_split);
            return;
        }
        const int behind = stages - 1 - stage;
        const int least = behind == 0 ? left : 1;
        const auto device = m_spec.device(0, StageId(stage)).index();
        for (int count = least; count <= left - behind; ++count) {
            const LayerCosts::Work work = m_layers.work(m_spec, stage, begin, count);
            m_loads[device] += work.whole;
            m_split[static_cast<std::size_t>(stage)] = count;
            // Behind the last backward of a stage come those of all before it, but for their W.
            const double next = fill + (m_cut ? work.forward : work.whole);
            if (bound(stage, begin + count, m_linear ? fill : 0, m_linear ? next : 0) <
                static_cast<double>(m_best.split.empty() ? longestPass : m_best.makespan))
                descend(stage + 1, begin + count, next);
            m_loads[device] -= work.whole;
        }
    }

    /// What no step with the stages up to this one goes below.
    double bound(int stage, int end, double fill, double next) const
    {
        const double many = m_spec.totalMicroBatches();
        const double load = m_loads[m_spec.device(0, StageId(stage)).index()];
        double least = fill + many * load;
        if (end == m_layers.total())
            return least;
        const double rest =
            m_layers.work(m_spec, m_spec.stages() - 1, end, m_layers.total() - end).whole;
        if (m_linear)
            return std::max(least, next + many * rest / (m_spec.stages() - 1 - stage));
        const double all = std::accumulate(m_loads.begin(), m_loads.end(), 0.0) + rest;
        return std::max(least, many * all / m_spec.devices);
    }

    const AdviceSource& m_source;
    PlannedChange m_change;
    const LayerCosts& m_layers;
    std::shared_ptr<const Schedule> m_order;
    const PipelineSpec& m_spec;
    SplitLimits m_limits;
    bool m_linear;
    bool m_cut = false;    // backwards are B and W
    bool m_bounded = true; // no order is below the bounds
    std::vector<int> m_split;
    std::vector<double> m_loads; // by device, of one micro-batch
    std::chrono::steady_clock::time_point m_ends;
    std::set<std::vector<int>> m_seen;
    std::vector<std::pair<Ticks, std::vector<int>>> m_fitting; // makespans of those below the cap
    BestSplit m_best;
    bool m_whole = false;
    std::optional<Error> m_failure;
};

} // namespace

Result<BestSplit> bestSplit(const AdviceSource& source, const PlannedChange& change,
                            const SplitLimits& limits)
{
    PW_TRY(const LayerCosts layers,
           LayerCosts::make(source.base.costs, source.base.schedule.spec(), source.layers));
    PlannedChange plain = change;
    plain.split.clear();
    PW_TRY(Prediction made, predictChange(source, plain));
    auto order = std::make_shared<const Schedule>(std::move(made.schedule));
    if (layers.total() < order->spec().stages())
        return fail(ErrorCode::BadValue, "%1 layers cannot be split over %2 stages", layers.total(),
                    order->spec().stages());
    return SplitSearch(source, change, layers, std::move(order), limits).run();
}

} // namespace pw

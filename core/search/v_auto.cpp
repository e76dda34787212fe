// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_auto.h"

#include "core/base/assert.h"
#include "core/base/found_answers.h"
#include "core/base/index.h"
#include "core/base/stop.h"
#include "core/search/v_greedy.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace pw {

namespace {

/// A block told by the slots of device 0, modulo the interval, and by how F0 and B1 move from
/// device to device.
struct Recipe
{
    std::array<int, 3> residues{}; ///< F1, B1 and B0 on device 0, where F0 has slot 0
    int first = 1;                 ///< offset of F0 and B1 up to the split
    int rest = 1;                  ///< and after it; F1 and B0 take 1 unit a hop
    int split = 1;                 ///< number of hops with the first offset
};

struct Candidate
{
    Recipe recipe;
    VBlock block;
    int peak = 0;
};

VBlock blockFrom(int devices, const Recipe& recipe)
{
    VBlock block;
    const int t = block.interval;
    const auto& device0 = recipe.residues;
    std::vector<std::array<int, 4>> residues(at(devices));
    residues[0] = {0, device0[0], device0[1], device0[2]};
    for (int i = 1; i < devices; ++i) {
        const int down = i <= recipe.split ? recipe.first : recipe.rest;
        const auto& previous = residues[at(i - 1)];
        residues[at(i)] = {(previous[0] + down) % t, (previous[1] + t - 1) % t,
                           (previous[2] + down) % t, (previous[3] + t - 1) % t};
    }
    block.offsets.assign(at(devices), {});
    int slot = -1;
    for (std::size_t row = 0; row < 4; ++row) {
        for (int k = 0; k < devices; ++k) {
            const int i = row % 2 == 0 ? k : devices - 1 - k;
            // The first slot after the pass before it in the trajectory that has the residue.
            slot += 1 + ((residues[at(i)][row] - slot - 1) % t + t) % t;
            block.offsets[at(i)][row] = slot;
        }
    }
    return block;
}

/// Blocks of a limit, each once.
class BlockList
{
public:
    BlockList(int devices, int limit)
        : m_devices(devices)
        , m_limit(limit)
    {
    }

    const std::vector<Candidate>& all() const { return m_all; }

    /// All patterns and offsets; of the places of the split every `every`-th. The largest peaks
    /// come first.
    void addAll(int every)
    {
        for (int code = 0; code < 5 * 5 * 5; ++code) {
            Recipe recipe;
            recipe.residues = {code / 25 + 1, code / 5 % 5 + 1, code % 5 + 1};
            for (recipe.first = 1; recipe.first < vRowCount; ++recipe.first) {
                for (recipe.rest = 1; recipe.rest <= recipe.first; ++recipe.rest) {
                    // Equal offsets have no split.
                    const int last = recipe.first == recipe.rest ? 1 : m_devices - 1;
                    for (recipe.split = 1; recipe.split <= last; recipe.split += every)
                        add(recipe);
                }
            }
        }
        std::stable_sort(m_all.begin(), m_all.end(),
                         [](const auto& a, const auto& b) { return a.peak > b.peak; });
    }

    /// The same block with the split up to `distance` places away.
    void addNear(const Recipe& centre, int distance)
    {
        for (int split = centre.split - distance; split <= centre.split + distance; ++split) {
            Recipe recipe = centre;
            recipe.split = split;
            if (split >= 1 && split < m_devices && recipe.first != recipe.rest)
                add(recipe);
        }
    }

    /// The shortest offsets with idle slots in the interval: for limits that no full interval
    /// keeps.
    void addSlow()
    {
        const int p = m_devices;
        constexpr std::size_t enough = 24;
        const std::size_t before = m_all.size();
        for (int t = vRowCount + 1; t <= 4 * p + vRowCount; ++t) {
            for (int code = 0; code < 4 * 4 * 4; ++code) {
                const int b1 = code / 16;
                const int b0 = b1 + code / 4 % 4;
                const int f1 = code % 4;
                Candidate candidate;
                candidate.block.interval = t;
                for (int i = 0; i < p; ++i) {
                    candidate.block.offsets.push_back(
                        {i, 2 * p - 1 - i + f1, 2 * p + i + f1 + b1, 4 * p - 1 - i + f1 + b0});
                }
                keep(std::move(candidate));
            }
            if (m_all.size() - before >= enough)
                return;
        }
    }

private:
    void add(const Recipe& recipe)
    {
        Candidate candidate;
        candidate.recipe = recipe;
        candidate.block = blockFrom(m_devices, recipe);
        keep(std::move(candidate));
    }

    void keep(Candidate candidate)
    {
        if (!repeatsWithoutCollision(candidate.block))
            return;
        candidate.peak = steadyPeak(candidate.block);
        if (candidate.peak <= m_limit && m_seen.insert(candidate.block).second)
            m_all.push_back(std::move(candidate));
    }

    int m_devices;
    int m_limit;
    std::set<VBlock> m_seen;
    std::vector<Candidate> m_all;
};

constexpr int vWays = 3;
using WaysOfBlock = std::array<std::optional<VOrder>, vWays>;

/// Orders of a block: reordered, with the ramps of the appendix, and both.
WaysOfBlock ordersOf(const Candidate& candidate, int microBatches)
{
    const VBlock& block = candidate.block;
    const int enough = std::max(microBatches, 2 * block.devices());
    WaysOfBlock orders;
    orders[0] = vOrderFromBlock(block, microBatches);
    orders[1] = vOrderWithRamps(vRepeatedOrder(block, enough), microBatches, candidate.peak);
    orders[2] =
        vOrderWithRamps(enough == microBatches ? *orders[0] : vOrderFromBlock(block, enough),
                        microBatches, candidate.peak);
    return orders;
}

/// The blocks that a search begins with, and their orders: no times are asked for, so that they are
/// the same for all problems of a shape.
struct FirstBlocks
{
    BlockList list;
    std::vector<WaysOfBlock> orders; ///< of each, for the short problem; empty: not kept
};

/// @param every        of the places of a block's split; follows from the devices
/// @param microBatches of the orders
/// @param all          the orders of every block are wanted
std::shared_ptr<const FirstBlocks> firstBlocks(int devices, int limit, int every, int microBatches,
                                               bool all)
{
    constexpr std::size_t mostPasses = 6'144; // of an order that is kept
    const std::size_t passes = vRowCount * at(devices) * at(microBatches);
    all = all && passes <= mostPasses;
    const auto make = [&] {
        auto first = std::make_shared<FirstBlocks>(FirstBlocks{{devices, limit}, {}});
        first->list.addAll(every);
        if (limit < devices || first->list.all().empty())
            first->list.addSlow();
        for (const Candidate& one : first->list.all()) {
            if (!all || stopAsked())
                break;
            first->orders.push_back(ordersOf(one, microBatches));
        }
        return std::shared_ptr<const FirstBlocks>(std::move(first));
    };
    if (!all)
        return make();
    constexpr std::size_t mostRows = 60'000'000; // a byte each
    static FoundAnswers<std::array<int, 3>, std::shared_ptr<const FirstBlocks>> found(mostRows);
    const auto sizeOf = [passes](const std::shared_ptr<const FirstBlocks>& first) {
        return first->orders.size() * vWays * passes;
    };
    return found.of(
        {devices, limit, microBatches}, make, [] { return !stopAsked(); }, sizeOf);
}

/// What an order is to be no longer than, and one that is not.
struct OrderBelow
{
    const VOrder& known;
    const VFigures& ceiling;
};

class AutoSearch
{
public:
    /// @param below  ends with the first order that is no longer than its ceiling in both times;
    ///               null: there is none
    AutoSearch(const VProblem& problem, int limit, VAim aim, const OrderBelow* below = nullptr)
        : m_problem(problem)
        , m_short(problem)
        , m_limit(limit)
        , m_aim(aim)
        , m_known(below != nullptr ? &below->known : nullptr)
        , m_ceiling(below != nullptr ? &below->ceiling : nullptr)
        , m_blocks(problem.devices, std::min(limit, 2 * problem.devices))
    {
        m_short.microBatches = std::min(problem.microBatches, 2 * problem.devices + 4);
        m_equal = equalTimes();
        m_target = lowerBound();
    }

    std::optional<VOrder> run()
    {
        offerKnown();
        offerBlocks();
        return m_best;
    }

private:
    /// An order of the short problem and what it promises for the whole one.
    struct Promise
    {
        Ticks time = 0; // of the whole problem, estimated
        std::size_t block = 0;
        int way = 0;
        friend auto operator<=>(const Promise&, const Promise&) = default;
    };

    bool done() const
    {
        const Ticks reached = m_ceiling != nullptr ? over(m_figures) : m_figures.of(m_aim);
        return stopAsked() || (m_best && reached <= (m_ceiling != nullptr ? 0 : m_target));
    }

    /// By how much an order is longer than the ceiling.
    Ticks over(const VFigures& figures) const
    {
        return std::max<Ticks>(0, figures.span - m_ceiling->span) +
               std::max<Ticks>(0, figures.makespan - m_ceiling->makespan);
    }

    bool better(const VFigures& figures) const
    {
        if (m_ceiling != nullptr && over(figures) != over(m_figures))
            return over(figures) < over(m_figures);
        return figures.betterThan(m_figures, m_aim);
    }

    /// True if all passes take the same time and messages none.
    bool equalTimes() const
    {
        const auto all = [](const std::vector<Ticks>& list, Ticks value) {
            return std::all_of(list.begin(), list.end(), [value](Ticks t) { return t == value; });
        };
        const Ticks unit = m_problem.forward[0];
        return all(m_problem.forward, unit) && all(m_problem.backward, unit) &&
               all(m_problem.weight, unit) && all(m_problem.activationLatency, 0) &&
               all(m_problem.gradientLatency, 0);
    }

    /// No order is faster: the work of a device after its first message, or for equal times the
    /// bound of the paper.
    Ticks lowerBound() const
    {
        Ticks longest = 0;
        Ticks latest = 0;
        Ticks head = 0;
        for (const DeviceId i : Ids<DeviceId>(m_problem.devices)) {
            Ticks work = 0;
            for (int r = 0; r < vRowCount; ++r)
                work += m_problem.duration(static_cast<VRow>(r), i) * m_problem.microBatches;
            longest = std::max(longest, work);
            latest = std::max(latest, head + work);
            head += m_problem.duration(VRow::F0, i) + m_problem.activationLatency[at(i)];
        }
        if (m_equal && m_problem.microBatches >= 2 * m_problem.devices)
            longest += vBubbleBound(m_problem.devices, m_limit) * m_problem.forward[0];
        return m_aim == VAim::Span ? longest : std::max(longest, latest);
    }

    /// Keeps an order of the whole problem if it fits and is the best so far.
    void offer(const VOrder& order)
    {
        if (done())
            return;
        const auto figures = m_timer.measure(m_problem, order);
        if (!figures || figures->peak > m_limit)
            return;
        keep(order, *figures);
        if (done())
            return;
        for (const VAim aim : {VAim::Span, VAim::Makespan}) {
            if (m_ceiling == nullptr && aim != m_aim)
                continue;
            const VOrder filled = fillGaps(m_problem, order, m_limit, aim);
            keep(filled, *m_timer.measure(m_problem, filled));
        }
    }

    void keep(const VOrder& order, const VFigures& figures)
    {
        if (!m_best || better(figures)) {
            m_best = order;
            m_figures = figures;
        }
    }

    /// The orders that have a name.
    void offerKnown()
    {
        const int p = m_problem.devices;
        const int m = m_problem.microBatches;
        // The best one asks for orders below a ceiling itself.
        if (m_known != nullptr)
            offer(*m_known);
        else if (const auto zbV = zbVBestOrder(m_problem, m_limit, m_aim))
            offer(*zbV);
        // One that is made for more memory may still stay below the limit.
        if (m_limit < 2 * p && !done()) {
            if (const auto greedy = zbVGreedyOrder(m_problem, 2 * p, m_aim))
                offer(*greedy);
        }
        for (const VBlock& block : {vMinBlock(p), vHalfBlock(p), vZbBlock(p)}) {
            if (!done())
                offer(vOrderFromBlock(block, m));
        }
    }

    /// Those of a block for the short problem; until the next are asked for.
    const WaysOfBlock& shortOrdersOf(std::size_t block)
    {
        if (block < m_first->orders.size())
            return m_first->orders[block];
        m_others = ordersOf(m_blocks.all()[block], m_short.microBatches);
        return m_others;
    }

    /// What one more micro-batch costs in the middle of the order measured last.
    double period(const VOrder& order) const
    {
        const auto rows = order.device(0);
        const auto starts = m_timer.starts(DeviceId(0));
        std::vector<Ticks> turns;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (rows[k] == VRow::B1)
                turns.push_back(starts[k]);
        }
        const std::size_t from = turns.size() / 3;
        const std::size_t to = turns.size() - 1 - turns.size() / 6;
        if (to <= from)
            return 0;
        return static_cast<double>(turns[to] - turns[from]) / static_cast<double>(to - from);
    }

    /// The time of the whole problem by an order of the short one; nothing if it does not fit.
    std::optional<Ticks> promised(const VOrder& order)
    {
        const auto figures = m_timer.measure(m_short, order);
        if (!figures || figures->peak > m_limit)
            return std::nullopt;
        const int more = m_problem.microBatches - m_short.microBatches;
        return figures->of(m_aim) + static_cast<Ticks>(period(order) * more);
    }

    /// Ranks the candidates from one on; ends early when one reaches the bound.
    void rank(std::size_t from, std::vector<Promise>& promises)
    {
        for (std::size_t b = from; b < m_blocks.all().size() && !done(); ++b) {
            const WaysOfBlock& orders = shortOrdersOf(b);
            for (int way = 0; way < vWays; ++way) {
                const auto& order = orders[at(way)];
                const auto time = order ? promised(*order) : std::nullopt;
                if (!time)
                    continue;
                promises.push_back({*time, b, way});
                // For equal times the promise is exact, and the bound can be met.
                if (m_equal && *time <= m_target)
                    offerPromise(promises.back());
            }
        }
        std::sort(promises.begin(), promises.end());
    }

    void offerPromise(const Promise& promise)
    {
        if (done())
            return;
        const auto orders = ordersOf(m_blocks.all()[promise.block], m_problem.microBatches);
        if (const auto& order = orders[at(promise.way)])
            offer(*order);
    }

    void offerBlocks()
    {
        if (done())
            return;
        const int p = m_problem.devices;
        constexpr int splits = 8;
        constexpr std::size_t refined = 6;
        constexpr std::size_t filled = 40;
        const std::size_t finalists = m_ceiling != nullptr ? 24 : 6;
        const int every = std::max(1, (p - 1 + splits - 1) / splits);
        // With equal times the first that meets the bound ends it all.
        m_first = firstBlocks(p, std::min(m_limit, 2 * p), every, m_short.microBatches, !m_equal);
        m_blocks = m_first->list;
        std::vector<Promise> promises;
        rank(0, promises);
        if (every > 1) {
            const std::size_t before = m_blocks.all().size();
            for (std::size_t k = 0; k < std::min(refined, promises.size()); ++k)
                m_blocks.addNear(Recipe(m_blocks.all()[promises[k].block].recipe), every - 1);
            rank(before, promises);
        }
        promises.resize(std::min(promises.size(), filled));
        for (auto& promise : promises) {
            if (done())
                return;
            const WaysOfBlock& orders = shortOrdersOf(promise.block);
            const VOrder better = fillGaps(m_short, *orders[at(promise.way)], m_limit, m_aim);
            promise.time = promised(better).value_or(promise.time);
        }
        std::sort(promises.begin(), promises.end());
        promises.resize(std::min(promises.size(), finalists));
        for (const auto& promise : promises)
            offerPromise(promise);
    }

    const VProblem& m_problem;
    VProblem m_short;
    int m_limit;
    VAim m_aim;
    const VOrder* m_known; ///< null: none yet
    const VFigures* m_ceiling;
    bool m_equal = false;
    Ticks m_target = 0;
    std::shared_ptr<const FirstBlocks> m_first;
    WaysOfBlock m_others; ///< of a block that the first ones have not
    BlockList m_blocks;
    VTimer m_timer;
    std::optional<VOrder> m_best;
    VFigures m_figures;
};

} // namespace

Ticks vBubbleBound(int devices, int limit)
{
    if (limit >= 2 * devices)
        return 0;
    return limit == 2 * devices - 1 ? 3 : 6 * devices - 1 - 3 * limit;
}

Result<VOrder> vAutoOrder(const VProblem& problem, int limit, VAim aim)
{
    if (limit < vSmallestLimit) {
        return fail(ErrorCode::MemoryLimit,
                    "a V-shaped schedule holds at least 2 chunk activations (1 micro-batch) on a "
                    "device; the limit is %1",
                    limit);
    }
    auto best = AutoSearch(problem, limit, aim).run();
    if (!best && stopAsked())
        return fail(ErrorCode::Cancelled, "the search was stopped");
    // A block whose interval is longer than its trajectory keeps the smallest limit.
    PW_ASSERT(best.has_value());
    return *std::move(best);
}

std::optional<VOrder> vOrderWithin(const VProblem& problem, int limit, const VOrder& known,
                                   const VFigures& ceiling)
{
    const OrderBelow below{known, ceiling};
    std::optional<VOrder> found = AutoSearch(problem, limit, VAim::Span, &below).run();
    if (!found)
        return std::nullopt;
    const auto figures = VTimer().measure(problem, *found);
    if (!figures || figures->span > ceiling.span || figures->makespan > ceiling.makespan)
        return std::nullopt;
    return found;
}

} // namespace pw

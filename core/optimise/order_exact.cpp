// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_exact.h"

#include "core/optimise/active_order.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace pw {

namespace {

constexpr std::int32_t mostExactNodes = 600;
constexpr std::size_t mostStatesKept = 1'000'000;
constexpr std::size_t mostAlike = 12;

struct KeyHash
{
    std::size_t operator()(const std::vector<std::int16_t>& key) const
    {
        std::uint64_t hash = 0xcbf29ce484222325ULL;
        for (const std::int16_t one : key)
            hash = (hash ^ static_cast<std::uint16_t>(one)) * 0x100000001b3ULL;
        return static_cast<std::size_t>(hash);
    }
};

bool nowhereLater(const std::vector<Ticks>& a, const std::vector<Ticks>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] > b[i])
            return false;
    }
    return true;
}

/// Beginnings that were seen, by what they have done.
class SeenOrders
{
public:
    /// Whether a beginning that has done the same was seen that is nowhere later; else this one is
    /// kept.
    bool dominates(const ActiveOrder& order)
    {
        std::vector<std::int16_t> key;
        order.appendKey(key);
        std::vector<Ticks> times;
        order.appendTimes(times);
        auto& alike = m_seen[std::move(key)];
        for (const std::vector<Ticks>& other : alike) {
            if (other.size() == times.size() && nowhereLater(other, times))
                return true;
        }
        std::erase_if(alike, [&](const auto& other) { return nowhereLater(times, other); });
        if (m_kept < mostStatesKept && alike.size() < mostAlike) {
            alike.push_back(std::move(times));
            ++m_kept;
        }
        return false;
    }

private:
    std::unordered_map<std::vector<std::int16_t>, std::vector<std::vector<Ticks>>, KeyHash> m_seen;
    std::size_t m_kept = 0;
};

class ExactSearch
{
public:
    ExactSearch(const OrderProblem& problem, const OrderBound& bound, Ticks known,
                SearchClock& clock)
        : m_bound(bound)
        , m_clock(clock)
        , m_known(known)
        , m_order(problem, bound)
    {
    }

    ExactOutcome run()
    {
        branch();
        m_outcome.complete = !m_stopped;
        return std::move(m_outcome);
    }

private:
    void branch();

    const OrderBound& m_bound;
    SearchClock& m_clock;
    Ticks m_known;
    ActiveOrder m_order;
    SeenOrders m_seen;
    ExactOutcome m_outcome;
    bool m_stopped = false;
};

void ExactSearch::branch()
{
    if (m_stopped || (++m_outcome.states % 256 == 0 && m_clock.spent())) {
        m_stopped = true;
        return;
    }
    if (m_order.whole()) {
        if (m_order.objective() < m_known) {
            m_known = m_outcome.objective = m_order.objective();
            m_outcome.orders = m_order.orders();
        }
        return;
    }
    if (m_order.lowerBound(m_known) >= m_known || m_seen.dominates(m_order))
        return;
    std::vector<ActiveOrder::Candidate> open;
    m_order.offers(open);
    for (const ActiveOrder::Candidate& one : open) {
        const ActiveOrder::Undo undo = m_order.place(one);
        branch();
        m_order.takeBack(one, undo);
        if (m_stopped || m_known <= m_bound.objective)
            return;
    }
}

/// Beginnings of one length, and how they grow by one node.
class Beam
{
public:
    Beam(const OrderProblem& problem, const OrderBound& bound, Ticks known, double meanShare)
        : m_known(known)
        , m_meanShare(meanShare)
    {
        m_orders.push_back(std::make_unique<ActiveOrder>(problem, bound));
    }

    bool empty() const { return m_orders.empty(); }
    const ActiveOrder& first() const { return *m_orders.front(); }

    /// @return false where the clock has stopped it
    bool grow(int width, SearchClock& clock)
    {
        m_children.clear();
        m_seen = {};
        for (m_parent = 0; m_parent < m_orders.size(); ++m_parent) {
            if (clock.spent())
                return false;
            m_path.clear();
            expand(*m_orders[m_parent]);
        }
        const auto kept = std::min(m_children.size(), at(width));
        std::partial_sort(m_children.begin(),
                          m_children.begin() + static_cast<std::ptrdiff_t>(kept), m_children.end(),
                          [](const Child& a, const Child& b) { return a.rank < b.rank; });
        std::vector<std::unique_ptr<ActiveOrder>> next;
        for (std::size_t i = 0; i < kept; ++i) {
            next.push_back(std::make_unique<ActiveOrder>(*m_orders[m_children[i].parent]));
            for (const ActiveOrder::Candidate& one : m_children[i].path)
                next.back()->place(one);
        }
        m_orders = std::move(next);
        return true;
    }

private:
    /// What is placed, and before it what is left for later.
    struct Child
    {
        std::size_t parent = 0;
        std::vector<ActiveOrder::Candidate> path;
        double rank = 0;
    };

    void expand(ActiveOrder& order)
    {
        std::vector<ActiveOrder::Candidate> open;
        order.offers(open);
        for (const ActiveOrder::Candidate& one : open) {
            m_path.push_back(one);
            const ActiveOrder::Undo undo = order.place(one);
            if (one.leaves) {
                expand(order);
            } else if (const Ticks least = order.lowerBound(m_known);
                       least < m_known && !m_seen.dominates(order)) {
                m_children.push_back(
                    {m_parent, m_path,
                     static_cast<double>(least) + m_meanShare * order.meanBound()});
            }
            order.takeBack(one, undo);
            m_path.pop_back();
        }
    }

    Ticks m_known;
    double m_meanShare;
    std::vector<std::unique_ptr<ActiveOrder>> m_orders;
    std::vector<Child> m_children;
    std::vector<ActiveOrder::Candidate> m_path;
    std::size_t m_parent = 0;
    SeenOrders m_seen;
};

} // namespace

bool exactPossible(const OrderProblem& problem)
{
    return problem.symmetric() && problem.nodes() <= mostExactNodes &&
           (problem.aim() == OrderAim::Makespan || problem.spec().routeCount() == 1);
}

ExactOutcome exactOrder(const OrderProblem& problem, const OrderBound& bound, Ticks known,
                        SearchClock& clock)
{
    return ExactSearch(problem, bound, known, clock).run();
}

std::optional<NodeOrders> beamOrder(const OrderProblem& problem, const OrderBound& bound,
                                    Ticks known, int width, double meanShare, SearchClock& clock)
{
    Beam beam(problem, bound, known, meanShare);
    while (!beam.empty() && !beam.first().whole()) {
        if (!beam.grow(width, clock))
            return std::nullopt;
    }
    return beam.empty() ? std::nullopt : std::optional<NodeOrders>(beam.first().orders());
}

} // namespace pw

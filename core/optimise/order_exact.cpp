// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_exact.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace pw {

namespace {

constexpr std::int32_t mostNodes = 600;
constexpr std::size_t mostStatesKept = 1'000'000;
constexpr std::size_t mostAlike = 12;

class ExactSearch
{
public:
    ExactSearch(const OrderProblem& problem, const OrderBound& bound, Ticks known,
                SearchClock& clock)
        : m_problem(problem)
        , m_bound(bound)
        , m_clock(clock)
        , m_known(known)
        , m_next(at(problem.classes()), 0)
        , m_blocked(at(problem.classes()), 0)
        , m_missing(at(problem.nodes()))
        , m_ready(at(problem.nodes()), 0)
        , m_head(at(problem.nodes()), 0)
        , m_done(at(problem.nodes()), 0)
        , m_free(at(problem.devices()), 0)
        , m_held(at(problem.devices()))
        , m_loose(at(problem.devices()))
        , m_orders(at(problem.devices()))
        , m_jobs(at(problem.devices()))
    {
    }

    ExactOutcome run()
    {
        prepare();
        const bool whole = branch(0);
        m_outcome.complete = whole;
        return std::move(m_outcome);
    }

private:
    struct Candidate
    {
        std::int32_t node = -1;
        Ticks start = 0, end = 0;
    };
    struct Undo
    {
        Ticks free = 0;
        HeldActivation held;
        std::vector<int> blocked; ///< classes that were free again
        std::vector<std::pair<std::int32_t, Ticks>> ready;
    };

    void prepare();
    bool branch(std::int32_t placed);
    void candidates(std::vector<Candidate>& out) const;
    Ticks lowerBound();
    bool dominated();
    Undo place(const Candidate& candidate);
    void takeBack(const Candidate& candidate, const Undo& undo);
    bool fits(std::int32_t node) const;

    const OrderProblem& m_problem;
    const OrderBound& m_bound;
    SearchClock& m_clock;
    Ticks m_known;
    ExactOutcome m_outcome;
    std::vector<std::int32_t> m_next;
    std::vector<char> m_blocked;
    std::vector<std::int32_t> m_missing;
    std::vector<Ticks> m_ready, m_head;
    std::vector<char> m_done;
    std::vector<Ticks> m_free;
    std::vector<HeldActivation> m_held;
    std::vector<char> m_loose; // by device: memory never binds
    NodeOrders m_orders;
    std::vector<std::int32_t> m_sequence;
    std::vector<std::vector<MachineJob>> m_jobs;
    std::unordered_map<std::string, std::vector<std::vector<Ticks>>> m_seen;
    std::size_t m_kept = 0;
    bool m_stopped = false;
};

void ExactSearch::prepare()
{
    std::vector<HeldActivation> all(at(m_problem.devices()));
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        m_missing[at(node)] = static_cast<std::int32_t>(m_problem.inputs(node).size() +
                                                        m_problem.before(node).size());
        all[at(m_problem.device(node))] += m_problem.adds(node);
        m_sequence.push_back(node);
    }
    for (int device = 0; device < m_problem.devices(); ++device)
        m_loose[at(device)] = all[at(device)].within(m_problem.limit(device)) ? 1 : 0;
    // In the order of their heads, and of two that are equal what is waited for first.
    std::vector<std::int32_t> open(m_missing.begin(), m_missing.end());
    m_sequence.clear();
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        if (open[at(node)] == 0)
            m_sequence.push_back(node);
    }
    for (std::size_t i = 0; i < m_sequence.size(); ++i) {
        for (const OrderProblem::Arc& arc : m_problem.outputs(m_sequence[i])) {
            if (--open[at(arc.node)] == 0)
                m_sequence.push_back(arc.node);
        }
        for (const std::int32_t next : m_problem.behind(m_sequence[i])) {
            if (--open[at(next)] == 0)
                m_sequence.push_back(next);
        }
    }
}

bool ExactSearch::fits(std::int32_t node) const
{
    const auto device = at(m_problem.device(node));
    HeldActivation held = m_held[device];
    held += m_problem.adds(node);
    return held.within(m_problem.limit(static_cast<int>(device)));
}

void ExactSearch::candidates(std::vector<Candidate>& out) const
{
    out.clear();
    for (int cls = 0; cls < m_problem.classes(); ++cls) {
        const auto items = m_problem.itemsOf(cls);
        if (m_blocked[at(cls)] != 0 || m_next[at(cls)] >= static_cast<std::int32_t>(items.size()))
            continue;
        const std::int32_t node = items[at(m_next[at(cls)])];
        if (m_missing[at(node)] > 0 || !fits(node))
            continue;
        const Ticks start = std::max(m_free[at(m_problem.device(node))], m_ready[at(node)]);
        out.push_back({node, start, start + m_problem.time(node)});
    }
}

/// Ways and one-machine bounds of what is left.
Ticks ExactSearch::lowerBound()
{
    Ticks most = 0;
    for (std::size_t device = 0; device < m_jobs.size(); ++device) {
        m_jobs[device].clear();
        if (!m_orders[device].empty())
            most = std::max(most, m_free[device] - m_bound.offset[device]);
    }
    for (const std::int32_t node : m_sequence) {
        if (m_done[at(node)] != 0)
            continue;
        const auto device = at(m_problem.device(node));
        Ticks head = std::max({m_bound.head[at(node)], m_free[device], m_ready[at(node)]});
        for (const OrderProblem::Arc& arc : m_problem.inputs(node)) {
            if (m_done[at(arc.node)] == 0)
                head = std::max(head, m_head[at(arc.node)] + m_problem.time(arc.node) + arc.delay);
        }
        for (const std::int32_t first : m_problem.before(node)) {
            if (m_done[at(first)] == 0)
                head = std::max(head, m_head[at(first)] + m_problem.time(first));
        }
        m_head[at(node)] = head;
        most = std::max(most, head + m_problem.time(node) + m_bound.tail[at(node)]);
        m_jobs[device].push_back({head, m_problem.time(node), m_bound.tail[at(node)]});
    }
    for (auto& jobs : m_jobs) {
        if (most >= m_known)
            return most;
        if (!jobs.empty())
            most = std::max(most, onePreemptiveMachine(jobs));
    }
    return most;
}

/// Whether a state that has done the same was seen that is nowhere later; else this one is kept.
bool ExactSearch::dominated()
{
    std::string key;
    key.reserve(2 * m_next.size());
    for (std::size_t cls = 0; cls < m_next.size(); ++cls) {
        key.push_back(static_cast<char>(m_next[cls] & 127));
        key.push_back(static_cast<char>((m_next[cls] >> 7) * 2 + m_blocked[cls]));
    }
    std::vector<Ticks> now(m_free.begin(), m_free.end());
    for (int cls = 0; cls < m_problem.classes(); ++cls) {
        const auto items = m_problem.itemsOf(cls);
        for (auto i = at(m_next[at(cls)]); i < items.size(); ++i) {
            bool reached = false;
            for (const OrderProblem::Arc& arc : m_problem.inputs(items[i]))
                reached = reached || m_done[at(arc.node)] != 0;
            if (!reached)
                break;
            now.push_back(std::max(m_ready[at(items[i])], m_free[at(m_problem.device(items[i]))]));
        }
    }
    const auto notLater = [](const std::vector<Ticks>& a, const std::vector<Ticks>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i] > b[i])
                return false;
        }
        return true;
    };
    auto& alike = m_seen[key];
    for (const std::vector<Ticks>& other : alike) {
        if (other.size() == now.size() && notLater(other, now))
            return true;
    }
    std::erase_if(alike, [&](const std::vector<Ticks>& other) { return notLater(now, other); });
    if (m_kept < mostStatesKept && alike.size() < mostAlike) {
        alike.push_back(std::move(now));
        ++m_kept;
    }
    return false;
}

ExactSearch::Undo ExactSearch::place(const Candidate& candidate)
{
    const std::int32_t node = candidate.node;
    const int device = m_problem.device(node);
    Undo undo{m_free[at(device)], m_held[at(device)], {}, {}};
    m_free[at(device)] = candidate.end;
    m_held[at(device)] += m_problem.adds(node);
    m_held[at(device)] += m_problem.gives(node);
    m_orders[at(device)].push_back(node);
    m_done[at(node)] = 1;
    ++m_next[at(m_problem.classOf(node))];
    for (const int cls : m_problem.classesOf(device)) {
        if (m_blocked[at(cls)] != 0) {
            m_blocked[at(cls)] = 0;
            undo.blocked.push_back(cls);
        }
    }
    for (const OrderProblem::Arc& arc : m_problem.outputs(node)) {
        undo.ready.emplace_back(arc.node, m_ready[at(arc.node)]);
        m_ready[at(arc.node)] = std::max(m_ready[at(arc.node)], candidate.end + arc.delay);
        --m_missing[at(arc.node)];
    }
    for (const std::int32_t next : m_problem.behind(node))
        --m_missing[at(next)];
    return undo;
}

void ExactSearch::takeBack(const Candidate& candidate, const Undo& undo)
{
    const std::int32_t node = candidate.node;
    const int device = m_problem.device(node);
    for (const std::int32_t next : m_problem.behind(node))
        ++m_missing[at(next)];
    const auto outputs = m_problem.outputs(node);
    for (std::size_t i = outputs.size(); i-- > 0;) {
        m_ready[at(undo.ready[i].first)] = undo.ready[i].second;
        ++m_missing[at(outputs[i].node)];
    }
    for (const int cls : undo.blocked)
        m_blocked[at(cls)] = 1;
    --m_next[at(m_problem.classOf(node))];
    m_done[at(node)] = 0;
    m_orders[at(device)].pop_back();
    m_held[at(device)] = undo.held;
    m_free[at(device)] = undo.free;
}

/// @return whether the state was searched to its end
bool ExactSearch::branch(std::int32_t placed)
{
    if (m_stopped || (++m_outcome.states % 256 == 0 && m_clock.spent())) {
        m_stopped = true;
        return false;
    }
    if (placed == m_problem.nodes()) {
        Ticks objective = 0;
        for (std::size_t device = 0; device < m_free.size(); ++device)
            objective = std::max(objective, m_free[device] - m_bound.offset[device]);
        if (objective < m_known) {
            m_known = m_outcome.objective = objective;
            m_outcome.orders = m_orders;
        }
        return true;
    }
    if (lowerBound() >= m_known || dominated())
        return true;
    std::vector<Candidate> open;
    candidates(open);
    if (open.empty())
        return true; // stuck: memory, or a forward that was left for later and cannot be
    const Candidate first =
        *std::min_element(open.begin(), open.end(), [](const Candidate& a, const Candidate& b) {
            return a.end != b.end ? a.end < b.end : a.start < b.start;
        });
    const int device = m_problem.device(first.node);
    std::erase_if(open, [&](const Candidate& one) {
        return m_problem.device(one.node) != device ||
               (one.start >= first.end && one.node != first.node);
    });
    std::sort(open.begin(), open.end(), [this](const Candidate& a, const Candidate& b) {
        const Ticks own = m_bound.tail[at(a.node)] - a.start;
        const Ticks other = m_bound.tail[at(b.node)] - b.start;
        return own != other ? own > other : a.node < b.node;
    });
    bool whole = true;
    for (const Candidate& one : open) {
        const Undo undo = place(one);
        whole = branch(placed + 1) && whole;
        takeBack(one, undo);
        if (m_stopped || m_known <= m_bound.objective)
            return !m_stopped;
    }
    const HeldActivation& adds = m_problem.adds(first.node);
    if ((adds.bytes > 0 || adds.share > 0) && m_loose[at(device)] == 0) {
        // A forward may cost memory that a later one of the device needs first.
        const auto cls = at(m_problem.classOf(first.node));
        m_blocked[cls] = 1;
        whole = branch(placed) && whole;
        m_blocked[cls] = 0;
    }
    return whole;
}

} // namespace

bool exactPossible(const OrderProblem& problem)
{
    return problem.symmetric() && problem.nodes() <= mostNodes &&
           (problem.aim() == OrderAim::Makespan || problem.spec().routeCount() == 1);
}

ExactOutcome exactOrder(const OrderProblem& problem, const OrderBound& bound, Ticks known,
                        SearchClock& clock)
{
    return ExactSearch(problem, bound, known, clock).run();
}

} // namespace pw

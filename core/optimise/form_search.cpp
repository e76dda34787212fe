// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/form_search.h"

#include "core/optimise/order_dispatch.h"
#include "core/optimise/order_exact.h"
#include "core/optimise/order_improver.h"
#include "core/optimise/window_proof.h"

#include <algorithm>
#include <memory>

namespace pw {

namespace {

/// Pairs of nodes of a device up to which trials of pairs end in time.
constexpr std::int64_t mostTriedPairs = 4'000'000;

/// Nodes of a case that is small for the exact search.
constexpr std::int32_t smallCase = 200;

class FormSearcher
{
public:
    FormSearcher(FormSearch& form, const SearchPlan& plan)
        : m_form(form)
        , m_plan(plan)
        , m_times(form.problem)
    {
    }

    std::int64_t run(SearchClock& clock);

private:
    bool reached() const
    {
        return !m_form.starts.empty() && m_form.starts.front().first <= m_form.bound.objective;
    }
    Ticks known() const
    {
        return m_form.starts.empty() ? std::numeric_limits<Ticks>::max() / 4
                                     : m_form.starts.front().first;
    }
    /// Takes an order in, if it is one.
    void take(const NodeOrders& orders);
    void dispatch(SearchClock clock);
    void prove(const SearchClock& clock);
    void confirm(SearchClock clock);
    void widen(SearchClock clock);
    void bend(SearchClock clock);
    void polish(SearchClock clock);

    FormSearch& m_form;
    const SearchPlan& m_plan;
    OrderTimes m_times;
    std::int64_t m_steps = 0;
};

std::int64_t FormSearcher::run(SearchClock& clock)
{
    const OrderProblem& problem = m_form.problem;
    const bool orderly = problem.symmetric() && problem.spec().steps == 1;
    const bool small = problem.nodes() < smallCase;
    if (orderly && !reached())
        dispatch(clock.part(0.2));
    // Many cases are proven at once: they do not wait until much time has gone into a good start.
    struct Shares
    {
        double polish, prove;
    };
    const Shares atOnce{0.01, 0.05}, inTime = small ? Shares{0.15, 0.6} : Shares{0.2, 0.15};
    for (const Shares& shares : {atOnce, inTime}) {
        if (!m_plan.exact || reached() || !exactPossible(problem))
            break;
        polish(clock.part(shares.polish));
        if (!reached())
            prove(clock.part(shares.prove));
    }
    if (orderly && m_plan.exact && !reached() && !clock.spent())
        widen(clock.part(0.1));
    confirm(clock.part(0.3));
    const Ticks before = known();
    if (orderly && !reached() && !clock.spent())
        bend(clock.part(0.7));
    if (known() < before)
        confirm(clock.part(0.5));
    if (!reached() && !clock.spent())
        polish(clock);
    return m_steps;
}

void FormSearcher::take(const NodeOrders& orders)
{
    ++m_steps;
    if (!m_form.problem.fits(orders) || !m_form.problem.inOrder(orders) ||
        !m_times.evaluateStarts(orders))
        return;
    m_plan.offer(orders);
    const Ticks objective = m_times.objective();
    const auto place =
        std::upper_bound(m_form.starts.begin(), m_form.starts.end(), objective,
                         [](Ticks value, const auto& start) { return value < start.first; });
    m_form.starts.insert(place, {objective, orders});
}

void FormSearcher::dispatch(SearchClock clock)
{
    const std::int64_t patience = m_form.problem.nodes() < 600 ? 2000 : 600;
    if (const auto orders =
            dispatchOrder(m_form.problem, m_form.bound.objective, m_plan.seed, patience, clock))
        take(*orders);
}

void FormSearcher::prove(const SearchClock& clock)
{
    SearchClock part = clock;
    const ExactOutcome exact = exactOrder(m_form.problem, m_form.bound, known(), part);
    m_steps += exact.states;
    if (!exact.orders.empty())
        take(exact.orders);
    if (exact.complete && !m_form.starts.empty())
        m_form.bound.objective = m_form.starts.front().first;
}

/// Whether nothing is better than the best order; where that is not so or takes too long, what else
/// is refuted between the bound and it.
void FormSearcher::confirm(SearchClock clock)
{
    const OrderProblem& problem = m_form.problem;
    if (!m_plan.exact || !problem.symmetric() || problem.aim() != OrderAim::Makespan ||
        m_form.starts.empty())
        return;
    if (WindowProof::pairsOf(problem) > mostTriedPairs)
        return;
    WindowProof proof(problem, m_form.bound);
    constexpr Ticks fine = 4096;
    Ticks open = known();
    for (Ticks asked = open - 1; asked >= m_form.bound.objective && !clock.spent();) {
        if (proof.refutesByTrial(asked, clock))
            m_form.bound.objective = asked + 1;
        else
            open = asked;
        if (open - m_form.bound.objective <= open / fine)
            return;
        asked = m_form.bound.objective + (open - m_form.bound.objective) / 2;
    }
}

/// Beams of growing width.
void FormSearcher::widen(SearchClock clock)
{
    constexpr std::int32_t mostNodes = 4000;
    if (m_form.problem.nodes() > mostNodes)
        return;
    for (const int width : {4, 16, 64, 256}) {
        for (const double meanShare : {0.0, 0.5, 2.0}) {
            if (clock.spent() || reached())
                return;
            if (const auto orders =
                    beamOrder(m_form.problem, m_form.bound, known(), width, meanShare, clock))
                take(*orders);
        }
    }
}

/// Makes an order anew with other wishes, improves that, and goes on from it where it is not worse.
void FormSearcher::bend(SearchClock clock)
{
    const OrderProblem& problem = m_form.problem;
    if (m_form.starts.empty())
        return;
    OrderDispatcher dispatcher(problem);
    OrderImprover improver(problem, m_plan.seed);
    std::mt19937_64 random(m_plan.seed + 99);
    const auto startsOf = [&](const NodeOrders& orders) {
        m_times.evaluateStarts(orders);
        std::vector<Ticks> starts(at(problem.nodes()));
        for (std::int32_t node = 0; node < problem.nodes(); ++node)
            starts[at(node)] = m_times.start(node);
        return starts;
    };
    Ticks best = known(), current = best;
    std::vector<Ticks> starts = startsOf(m_form.starts.front().second);
    constexpr std::int64_t patience = 40, rest = 600;
    std::int64_t since = 0;
    while (!clock.spent() && best > m_form.bound.objective) {
        ++m_steps;
        if (++since % rest == 0) {
            starts = startsOf(m_form.starts.front().second);
            current = best;
        }
        std::optional<NodeOrders> made = dispatcher.follow(bentStarts(problem, starts, random));
        // Far away nothing is near enough to be worth its improvement.
        if (!made || !m_times.evaluateStarts(*made) || m_times.objective() > current + current / 20)
            continue;
        const std::int64_t before = improver.steps();
        if (!improver.begin(std::move(*made)))
            continue;
        improver.run(m_form.bound.objective, patience, clock);
        m_steps += improver.steps() - before;
        const Ticks now = improver.bestObjective();
        // Sometimes a little worse, so that it gets away from where it is.
        if (now <= current || (random() % 20 == 0 && now < current + current / 200)) {
            current = now;
            starts = startsOf(improver.best());
        }
        if (now < best) {
            best = now;
            since = 0;
            take(improver.best());
        }
    }
}

/// Improves the best starts in turn, and shakes the best of each when nothing helps any more.
void FormSearcher::polish(SearchClock clock)
{
    constexpr std::size_t mostStarts = 4;
    std::vector<std::unique_ptr<OrderImprover>> improvers;
    for (std::size_t i = 0; i < std::min(mostStarts, m_form.starts.size()); ++i) {
        if (i > 0 && m_form.starts[i].second == m_form.starts[i - 1].second)
            continue;
        auto improver = std::make_unique<OrderImprover>(m_form.problem, m_plan.seed + i);
        if (improver->begin(m_form.starts[i].second))
            improvers.push_back(std::move(improver));
    }
    const Ticks enough = m_form.bound.objective;
    const std::int64_t patience = std::max<std::int64_t>(400, 2'000'000 / m_form.problem.nodes());
    for (int round = 0; !improvers.empty() && !clock.spent() && !reached(); ++round) {
        for (const auto& improver : improvers) {
            if (round > 0)
                improver->shake(2 + round % 8);
            const Ticks before = improver->bestObjective();
            const std::int64_t steps = improver->steps();
            improver->run(enough, patience, clock);
            m_steps += improver->steps() - steps;
            if (improver->bestObjective() < before)
                take(improver->best());
            if (reached() || clock.spent())
                break;
        }
        // The weakest is given up once the rounds show that it stays behind.
        if (round % 4 == 3 && improvers.size() > 1) {
            improvers.erase(std::max_element(improvers.begin(), improvers.end(),
                                             [](const auto& a, const auto& b) {
                                                 return a->bestObjective() < b->bestObjective();
                                             }));
        }
    }
}

} // namespace

std::int64_t searchForm(FormSearch& form, const SearchPlan& plan, SearchClock clock)
{
    return FormSearcher(form, plan).run(clock);
}

} // namespace pw

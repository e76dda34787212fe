// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/hosted_form.h"

#include "core/sim/host_copies.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace pw {

namespace {

class HostedFormSearch
{
public:
    HostedFormSearch(FormSearch& form, const Costs& costs, const HostedPlan& plan)
        : m_form(form)
        , m_costs(costs)
        , m_plain(costs)
        , m_plan(plan)
    {
        m_plain.offload.cells.clear();
    }

    std::int64_t run(SearchClock& clock)
    {
        take(m_form.starts);
        if (reached())
            return 0;
        HostedSearch search(m_form.problem, m_form.base, m_costs, m_plan.choose,
                            m_plan.search.seed);
        m_steps += searchForm(m_form, m_plan.search, clock.part(0.15));
        take(m_form.starts);
        if (reached())
            return m_steps;
        addFound(search);
        if (const std::int64_t all = m_plan.search.exact ? search.runAll(clock, m_plan.offer) : 0;
            all > 0)
            return m_steps + all;
        searchWithRoom(clock.part(0.25));
        if (HostedOrder best = m_plan.bestOrder(); !best.orders.empty()) {
            // Equal work that is turned round may want other activations to go.
            m_found.push_back(best.orders);
            search.add(std::move(best));
        }
        addFound(search);
        if (!reached())
            m_steps += search.run(m_form.bound.objective, clock, m_plan.offer);
        return m_steps;
    }

private:
    bool reached() const { return m_plan.best() <= m_form.bound.objective; }

    void take(const std::vector<std::pair<Ticks, NodeOrders>>& starts)
    {
        constexpr std::size_t most = 6;
        for (std::size_t i = 0; i < std::min(most, starts.size()); ++i)
            m_found.push_back(starts[i].second);
    }

    /// What goes in an order, where it may be chosen: all, what the caps need, nothing.
    void addFound(HostedSearch& search)
    {
        for (NodeOrders& orders : m_found) {
            search.add({orders, m_costs.offload.cells});
            if (!m_plan.choose)
                continue;
            search.add({orders, {}});
            const Result<Schedule> schedule =
                Schedule::make(m_form.base.spec(), m_form.problem.entriesOf(orders));
            if (!schedule)
                continue;
            if (const Result<std::vector<Pass>> cells = fittingOffload(*schedule, m_costs))
                search.add({orders, *cells});
            std::vector<Pass> hidden = hiddenOffload(*schedule, m_costs);
            if (hidden != m_plan.all)
                search.add({orders, m_plan.all});
            search.add({std::move(orders), std::move(hidden)});
        }
        m_found.clear();
    }

    /// Orders that hold more than a device may, since a part of it goes to the host: the more room,
    /// the more of them there are, and the fewer of them fit with the copies.
    void searchWithRoom(const SearchClock& clock)
    {
        constexpr std::array<double, 6> rooms = {1, 1.25, 1.5, 2, 3, 5};
        const OrderProblem& problem = m_form.problem;
        for (std::size_t i = 0; i < rooms.size() && !reached(); ++i) {
            std::vector<HeldActivation> limits;
            bool limited = false;
            for (const DeviceId device : Ids<DeviceId>(problem.devices())) {
                HeldActivation limit = problem.limit(device);
                for (std::int64_t* one : {&limit.bytes, &limit.share}) {
                    if (*one == HeldActivation::unlimited)
                        continue;
                    limited = true;
                    *one = static_cast<std::int64_t>(rooms[i] * static_cast<double>(*one));
                }
                limits.push_back(limit);
            }
            OrderProblem room(m_form.base, m_plain, problem.aim(), std::move(limits));
            OrderBound bound = orderBound(room);
            FormSearch form{m_form.base, std::move(room), std::move(bound), {}};
            for (const auto& [objective, orders] : m_form.starts) {
                if (form.problem.fits(orders) && form.problem.inOrder(orders))
                    form.starts.emplace_back(objective, orders);
            }
            SearchPlan plan = m_plan.search;
            plan.exact = false;
            SearchClock part = clock.part(1.0 / static_cast<double>(rooms.size() - i));
            m_steps += searchForm(form, plan, std::move(part));
            take(form.starts);
            if (!limited)
                return;
        }
    }

    FormSearch& m_form;
    const Costs& m_costs;
    Costs m_plain;
    const HostedPlan& m_plan;
    std::vector<NodeOrders> m_found;
    std::int64_t m_steps = 0;
};

} // namespace

std::int64_t searchHostedForm(FormSearch& form, const Costs& costs, const HostedPlan& plan,
                              SearchClock clock)
{
    return HostedFormSearch(form, costs, plan).run(clock);
}

} // namespace pw

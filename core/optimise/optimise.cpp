// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/optimise.h"

#include "core/base/try.h"
#include "core/model/known_sizes.h"
#include "core/model/offload.h"
#include "core/optimise/form_search.h"
#include "core/optimise/hosted_form.h"
#include "core/optimise/order_times.h"
#include "core/optimise/schedule_bound.h"
#include "core/sim/host_copies.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <memory>

namespace pw {

namespace {

/// Every activation of a spec.
std::vector<Pass> allCells(const PipelineSpec& spec)
{
    std::vector<Pass> cells;
    for (int j = 0; j < spec.totalMicroBatches(); ++j) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            for (int segment = 0; segment < spec.segments(); ++segment)
                cells.push_back({PassKind::F, 0, stage, j, segment});
        }
    }
    return offloadedCells(std::move(cells), spec);
}

class OrderSearch
{
public:
    OrderSearch(const Schedule& given, const Costs& costs, const OptimiseOptions& options)
        : m_given(given)
        , m_costs(costs)
        , m_options(options)
        , m_begin(std::chrono::steady_clock::now())
        , m_clock(m_begin + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                std::chrono::duration<double>(options.seconds)),
                  options.stopped)
        , m_trial(costs)
        , m_proven(costs)
    {
        // Whatever is chosen, it is a part of all.
        if (options.chooseOffload)
            m_proven.offload.cells = allCells(given.spec());
        m_hosted = !m_proven.offload.cells.empty();
    }

    Result<OptimiseOutcome> run();

private:
    Result<void> takeGiven();
    void takeFamilies();
    void addForm(BackwardForm form);
    /// A schedule that may be the best. @return whether it is
    bool offer(const Schedule& schedule);
    bool offer(const FormSearch& form, const NodeOrders& orders);
    bool offerWith(const Schedule& schedule, const std::vector<Pass>& cells);
    bool offerChosen(const Schedule& schedule);
    void search(FormSearch& form, SearchClock clock);
    void tell();
    double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    }

    const Schedule& m_given;
    const Costs& m_costs;
    const OptimiseOptions& m_options;
    std::chrono::steady_clock::time_point m_begin;
    SearchClock m_clock;
    Costs m_trial;  ///< with the activations that go in what is looked at
    Costs m_proven; ///< with all that may go, for the bound
    bool m_hosted = false;
    Simulator m_simulator;
    SimResult m_result;
    std::optional<Schedule> m_best;
    std::vector<Pass> m_bestCells;
    Ticks m_bestObjective = std::numeric_limits<Ticks>::max();
    std::vector<FamilyStart> m_families;
    std::optional<Error> m_deadlock; ///< of the order given
    std::vector<std::unique_ptr<FormSearch>> m_forms;
    OptimiseOutcome m_outcome{m_given, {}, {}, 0, 0, false, 0, true, {}, 0, {}, 0, 0};
};

bool OrderSearch::offer(const Schedule& schedule)
{
    return m_options.chooseOffload ? offerChosen(schedule)
                                   : offerWith(schedule, m_costs.offload.cells);
}

bool OrderSearch::offerWith(const Schedule& schedule, const std::vector<Pass>& cells)
{
    if (m_trial.offload.cells != cells)
        m_trial.offload.cells = cells;
    if (!m_simulator.run(schedule, m_trial, m_result))
        return false;
    const Ticks objective = objectiveOf(m_result, m_options.aim);
    if (objective >= m_bestObjective || firstOverflow(schedule, m_trial, m_result))
        return false;
    m_best = schedule;
    m_bestCells = cells;
    m_bestObjective = objective;
    tell();
    return true;
}

/// With nothing on the host, with what the caps need there, and with what was given.
bool OrderSearch::offerChosen(const Schedule& schedule)
{
    m_trial.offload.cells.clear();
    // Copies make no pass start sooner, so without them an order is as short as it can be.
    if (!m_simulator.run(schedule, m_trial, m_result) ||
        objectiveOf(m_result, m_options.aim) >= m_bestObjective)
        return false;
    if (!firstOverflow(schedule, m_trial, m_result))
        return offerWith(schedule, {});
    if (const Result<std::vector<Pass>> cells = fittingOffload(schedule, m_costs);
        cells && offerWith(schedule, *cells))
        return true;
    return !m_costs.offload.cells.empty() && offerWith(schedule, m_costs.offload.cells);
}

bool OrderSearch::offer(const FormSearch& form, const NodeOrders& orders)
{
    const Result<Schedule> schedule =
        Schedule::make(form.base.spec(), form.problem.entriesOf(orders));
    return schedule && offer(*schedule);
}

void OrderSearch::tell()
{
    if (m_options.improved)
        m_options.improved({seconds(), m_bestObjective, m_outcome.bound, &*m_best, &m_bestCells});
}

Result<void> OrderSearch::takeGiven()
{
    if (const Result<void> ran = m_simulator.run(m_given, m_costs, m_result); !ran) {
        if (ran.error().code != ErrorCode::Deadlock)
            return fail(ran.error());
        m_deadlock = ran.error();
        m_outcome.givenFits = false;
        return {};
    }
    m_outcome.given = objectiveOf(m_result, m_options.aim);
    m_outcome.givenFits = !firstOverflow(m_given, m_costs, m_result);
    return {};
}

void OrderSearch::addForm(BackwardForm form)
{
    Result<Schedule> base = inForm(m_given, form);
    if (!base)
        return;
    OrderProblem problem(*base, m_proven, m_options.aim, activationLimits(base->spec(), m_costs));
    OrderBound bound = orderBound(problem, *base, m_proven);
    auto made = std::make_unique<FormSearch>(
        FormSearch{std::move(*base), std::move(problem), std::move(bound), {}});
    OrderTimes times(made->problem);
    const auto add = [&](const Schedule& schedule) {
        NodeOrders orders = made->problem.nodesOf(schedule);
        if (!orders.empty() && made->problem.fits(orders) && times.evaluateStarts(orders))
            made->starts.emplace_back(times.objective(), std::move(orders));
    };
    add(made->base);
    const BackwardForm target = form != BackwardForm::AsGiven ? form
                                : hasPairs(m_given)           ? BackwardForm::AsGiven
                                : !hasFused(m_given)          ? BackwardForm::Split
                                : !hasSplit(m_given)          ? BackwardForm::Fused
                                                              : BackwardForm::AsGiven;
    for (const FamilyStart& family : m_families) {
        if (made->starts.size() > 12)
            break;
        if (const Result<Schedule> same = inForm(family.schedule, target))
            add(*same);
    }
    std::stable_sort(made->starts.begin(), made->starts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    m_forms.push_back(std::move(made));
}

void OrderSearch::search(FormSearch& form, SearchClock clock)
{
    SearchPlan plan;
    plan.seed = m_options.seed;
    plan.exact = m_options.exact && m_costs.linkTrace.empty() &&
                 m_given.spec().messages == MessageRule::Early;
    plan.offer = [this, &form](const NodeOrders& orders) { offer(form, orders); };
    if (!m_hosted) {
        m_outcome.steps += searchForm(form, plan, std::move(clock));
        return;
    }
    HostedPlan hosted;
    hosted.search = std::move(plan);
    hosted.choose = m_options.chooseOffload;
    hosted.all = m_proven.offload.cells;
    hosted.best = [this] { return m_bestObjective; };
    hosted.bestOrder = [this, &form]() -> HostedOrder {
        if (!m_best)
            return {};
        NodeOrders orders = form.problem.nodesOf(*m_best);
        for (const BackwardForm other : {BackwardForm::Split, BackwardForm::Fused}) {
            if (const Result<Schedule> same = inForm(*m_best, other); same && orders.empty())
                orders = form.problem.nodesOf(*same);
        }
        return {std::move(orders), m_bestCells};
    };
    hosted.offer = [this, &form](const HostedOrder& order) {
        const Result<Schedule> schedule =
            Schedule::make(form.base.spec(), form.problem.entriesOf(order.orders));
        if (schedule)
            offerWith(*schedule, order.cells);
    };
    m_outcome.steps += searchHostedForm(form, m_costs, hosted, std::move(clock));
}

Result<OptimiseOutcome> OrderSearch::run()
{
    PW_DO(takeGiven());
    PW_TRY(const std::vector<BackwardForm> wanted,
           formsOf(m_given, m_costs, m_options.backward, m_hosted));
    const bool keeps =
        m_options.backward == BackwardChoice::Any || m_options.backward == BackwardChoice::AsGiven;
    if (keeps)
        offer(m_given);
    takeFamilies();
    for (const BackwardForm form : wanted)
        addForm(form);
    for (const auto& form : m_forms) {
        m_outcome.bound = m_outcome.bound == 0 ? form->bound.objective
                                               : std::min(m_outcome.bound, form->bound.objective);
        if (!form->starts.empty())
            offer(*form, form->starts.front().second);
    }
    if (m_options.bounded)
        m_options.bounded(m_outcome.bound);
    for (std::size_t i = 0; i < m_forms.size(); ++i) {
        search(*m_forms[i], m_clock.part(1.0 / static_cast<double>(m_forms.size() - i)));
    }
    if (!m_best && m_deadlock)
        return fail(ErrorCode::MemoryLimit,
                    "no order was found that stays within the memory, and the one given never "
                    "ends: %1",
                    m_deadlock->message);
    if (!m_best) {
        const auto overflow = firstOverflow(m_given, m_costs, m_result);
        return fail(ErrorCode::MemoryLimit, "no order was found that stays within the memory%1",
                    overflow ? said(": %1", overflow->text(m_given.spec())) : Sentence());
    }
    m_outcome.bound = std::numeric_limits<Ticks>::max();
    for (const auto& form : m_forms)
        m_outcome.bound = std::min(m_outcome.bound, form->bound.objective);
    m_outcome.bound = std::min(m_outcome.bound, m_bestObjective);
    m_trial.offload.cells = m_bestCells;
    (void)m_simulator.run(*m_best, m_trial, m_outcome.result);
    m_outcome.offloaded = std::move(m_bestCells);
    m_outcome.objective = m_bestObjective;
    m_outcome.proven = m_bestObjective <= m_outcome.bound;
    m_outcome.story = orderStory(m_given, *m_best);
    m_outcome.schedule = std::move(*m_best);
    m_outcome.seconds = seconds();
    return std::move(m_outcome);
}

void OrderSearch::takeFamilies()
{
    if (!m_options.families)
        return;
    m_families = familyStarts(m_given.spec(), m_costs, m_options.aim, m_options.seconds, m_clock);
    const BackwardChoice backward = m_options.backward;
    std::erase_if(m_families, [&](const FamilyStart& family) {
        const Schedule& schedule = family.schedule;
        if (!sameRecomputation(m_given, schedule))
            return true;
        switch (backward) {
        case BackwardChoice::AsGiven:
            return !samePasses(m_given, schedule);
        case BackwardChoice::Split:
            return hasPairs(schedule); // fused ones can be split
        case BackwardChoice::Fused:
            return hasSplit(schedule) || hasPairs(schedule);
        case BackwardChoice::Any:
            break;
        }
        return hasPairs(schedule) && !hasPairs(m_given);
    });
    for (const FamilyStart& family : m_families) {
        if (!family.fits && !m_options.chooseOffload)
            break;
        if (m_outcome.bestFamily.empty() && family.fits) {
            m_outcome.bestFamily = family.name;
            m_outcome.bestFamilyObjective = family.objective;
        }
        const bool split = m_options.backward == BackwardChoice::Split;
        if (!split || !hasFused(family.schedule))
            offer(family.schedule);
    }
}

} // namespace

Sentence orderStory(const Schedule& given, const Schedule& better)
{
    const auto sameAs = [&better](const Schedule& other) {
        return other.entryCount() == better.entryCount() && hasFused(other) == hasFused(better) &&
               hasSplit(other) == hasSplit(better);
    };
    Sentence before;
    std::optional<Schedule> from;
    if (sameAs(given)) {
        from = given;
    } else {
        const bool split = hasSplit(better);
        before =
            split ? said("splits every backward into B and W") : said("runs B and W as one BW");
        if (const Result<Schedule> same =
                inForm(given, split ? BackwardForm::Split : BackwardForm::Fused))
            from = *same;
    }
    Sentence moves;
    if (from && sameAs(*from))
        moves = describeMoves(*from, better);
    if (moves.empty())
        return before;
    return before.empty() ? moves : said("%1, and %2", before, moves);
}

Costs withOwnPeak(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    Costs capped = costs;
    if (isCapped(costs))
        return capped;
    // Nothing has bytes that caps in bytes could limit.
    capped.memoryCap.clear();
    Share mostShare = 0;
    for (const DeviceResult& own : result.devices)
        mostShare = std::max(mostShare, own.peakShare);
    const std::vector<Bytes> held = heldAtMost(schedule.spec(), costs, result);
    const Bytes most = *std::max_element(held.begin(), held.end());
    const bool sized = std::any_of(result.devices.begin(), result.devices.end(),
                                   [](const DeviceResult& d) { return d.peakActivation > 0; });
    if (sized)
        capped.memoryCap.assign(at(schedule.devices()), most);
    else
        capped.shareCap = mostShare;
    return capped;
}

Result<OptimiseOutcome> optimiseOrder(const Schedule& schedule, const Costs& costs,
                                      const OptimiseOptions& options)
{
    return OrderSearch(schedule, costs, options).run();
}

} // namespace pw

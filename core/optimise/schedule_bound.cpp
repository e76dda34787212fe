// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/schedule_bound.h"

#include "core/base/try.h"
#include "core/model/known_sizes.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

/// Costs under which no message is slower than in any phase of a link trace.
Costs fastestLinks(const Costs& costs)
{
    double pace = 1;
    for (const LinkPhase& phase : costs.linkTrace)
        pace = std::min(pace, phase.slowdown);
    Costs fast = costs;
    fast.linkTrace.clear();
    const auto speedUp = [pace](Link& link) {
        link.latency = static_cast<Ticks>(std::floor(static_cast<double>(link.latency) * pace));
        link.bytesPerSecond /= pace;
    };
    speedUp(fast.link);
    std::for_each(fast.links.begin(), fast.links.end(), speedUp);
    return fast;
}

/// Whether what may be held under `less` may also be held under `more`.
bool noMoreMemory(const Costs& less, const Costs& more)
{
    if (more.shareCap > 0 && (less.shareCap == 0 || less.shareCap > more.shareCap))
        return false;
    for (std::size_t device = 0; device < more.memoryCap.size(); ++device) {
        const Bytes most = more.memoryCap[device];
        const Bytes own = less.memoryCap.empty() ? 0 : less.memoryCap[device];
        if (most > 0 && (own == 0 || own > most))
            return false;
    }
    return true;
}

/// Whether costs are the same but for the caps.
bool sameButForCaps(const Costs& a, const Costs& b)
{
    Costs other = b;
    other.memoryCap = a.memoryCap;
    other.shareCap = a.shareCap;
    return a == other;
}

/// Whether a search over the orders of one looks at all orders of the other.
bool sameOrders(const Schedule& a, const Schedule& b)
{
    if (!(a.spec() == b.spec()) || !sameRecomputation(a, b))
        return false;
    return hasPairs(a) || hasPairs(b) ? samePasses(a, b) : true;
}

/// What the device of a bound has to do at least; 0 where it has nothing.
void tellParts(const OrderProblem& problem, const OrderBound& bound, ProvenBound& told)
{
    constexpr Ticks never = std::numeric_limits<Ticks>::max();
    Ticks first = never, work = 0, behind = never;
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        if (problem.device(node) != bound.device)
            continue;
        first = std::min(first, bound.head[at(node)]);
        behind = std::min(behind, bound.tail[at(node)]);
        work += problem.time(node);
    }
    told.time = bound.objective;
    told.device = bound.device;
    told.first = first == never ? 0 : first;
    told.work = work;
    told.behind = behind == never ? 0 : behind;
}

} // namespace

void SearchedBounds::add(SearchedBound bound)
{
    constexpr std::size_t mostKept = 64;
    const std::lock_guard lock(m_mutex);
    if (m_bounds.size() >= mostKept)
        m_bounds.erase(m_bounds.begin());
    m_bounds.push_back(std::move(bound));
}

Ticks SearchedBounds::of(const Schedule& schedule, const Costs& capped) const
{
    const std::lock_guard lock(m_mutex);
    Ticks highest = 0;
    for (const SearchedBound& one : m_bounds) {
        if (one.time > highest && sameOrders(*one.given, schedule) &&
            sameButForCaps(one.costs, capped) && noMoreMemory(capped, one.costs))
            highest = one.time;
    }
    return highest;
}

ProvenBound provenBound(const Schedule& schedule, const Costs& costs, const SimResult& result,
                        const SearchedBounds* known)
{
    const Costs capped = withOwnPeak(schedule, costs, result);
    ProvenBound told;
    told.within = isCapped(costs) ? ProvenBound::Within::Caps : ProvenBound::Within::OwnPeak;
    told.fits = !firstOverflow(schedule, capped, result);
    const auto forms =
        formsOf(schedule, capped, BackwardChoice::Any, !capped.offload.cells.empty());
    for (const BackwardForm form : forms ? *forms : std::vector{BackwardForm::AsGiven}) {
        const Result<Schedule> base = inForm(schedule, form);
        if (!base)
            continue;
        const OrderProblem problem(*base, capped, OrderAim::Makespan,
                                   activationLimits(base->spec(), capped));
        const OrderBound bound = orderBound(problem, *base, capped);
        if (told.time == 0 || bound.objective < told.time)
            tellParts(problem, bound, told);
    }
    if (const Ticks searched = known != nullptr ? known->of(schedule, capped) : 0;
        searched > told.time) {
        told.time = searched;
        told.searched = true;
    }
    // Parts of passes are rounded to ticks, each order's in its own way.
    if (told.fits)
        told.time = std::min(told.time, result.makespan);
    return told;
}

Result<std::vector<BackwardForm>> formsOf(const Schedule& given, const Costs& costs,
                                          BackwardChoice choice, bool hosted)
{
    const bool fused = hasFused(given), split = hasSplit(given), pairs = hasPairs(given);
    using Form = BackwardForm;
    switch (choice) {
    case BackwardChoice::AsGiven:
        return std::vector<Form>{Form::AsGiven};
    case BackwardChoice::Split:
    case BackwardChoice::Fused: {
        const Form form = choice == BackwardChoice::Split ? Form::Split : Form::Fused;
        PW_DO(inForm(given, form));
        return std::vector<Form>{form};
    }
    case BackwardChoice::Any:
        break;
    }
    if (pairs)
        return std::vector<Form>{Form::AsGiven};
    // Where B and W take no longer than BW, a fused order is a split one that can be better. With
    // copies to the host its bound still is one, but a copy back is asked for at the W before, and
    // so may be later than at the BW.
    if (splitCostsNothing(costs))
        return fused && hosted ? std::vector<Form>{Form::AsGiven, Form::Split}
                               : std::vector<Form>{Form::Split};
    std::vector<Form> all = {Form::AsGiven};
    if (fused)
        all.push_back(Form::Split);
    if (split)
        all.push_back(Form::Fused);
    return all;
}

OrderBound orderBound(const OrderProblem& problem, const Schedule& base, const Costs& costs)
{
    if (costs.linkTrace.empty())
        return orderBound(problem);
    std::vector<HeldActivation> limits;
    for (const DeviceId device : Ids<DeviceId>(problem.devices()))
        limits.push_back(problem.limit(device));
    return orderBound(OrderProblem(base, fastestLinks(costs), problem.aim(), std::move(limits)));
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/after.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pw {

namespace {

constexpr double alikeWork = 0.08;
constexpr double alikePasses = 0.02; // of passes between two runs of the same

Sentence moreOrLess(double part)
{
    const std::string percent = percentText(std::abs(part));
    return part > 0 ? said("%1 more", percent) : said("%1 less", percent);
}

/// Time of all passes of an order together.
double wholeWork(const Schedule& schedule, const Costs& costs)
{
    double all = 0;
    for (const EntryId entry : schedule.entries())
        all += static_cast<double>(entryTime(costs, schedule.spec(), schedule.entry(entry)));
    return all;
}

/// How far passes are from others of the same order, as a part of them.
/// @param factor  that they are multiplied by first
double partApart(const Schedule& schedule, const Costs& costs, const Costs& others,
                 double factor = 1)
{
    double apart = 0, all = 0;
    for (const EntryId entry : schedule.entries()) {
        const OrderEntry passes = schedule.entry(entry);
        const auto one = static_cast<double>(entryTime(costs, schedule.spec(), passes));
        const auto other = static_cast<double>(entryTime(others, schedule.spec(), passes));
        apart += std::abs(one * factor - other);
        all += other;
    }
    return all > 0 ? apart / all : 0;
}

/// The same, with what they have in common taken out: another load of the same machine makes no
/// other split.
double shapeApart(const Schedule& schedule, const Costs& costs, const Costs& others)
{
    const double work = wholeWork(schedule, costs);
    const double factor = work > 0 ? wholeWork(schedule, others) / work : 1;
    return partApart(schedule, costs, others, factor);
}

std::string signedMs(double ticks)
{
    const auto rounded = static_cast<Ticks>(std::llround(std::abs(ticks)));
    return (ticks < 0 ? "−" : "+") + millisecondText(rounded, 4);
}

/// The kind of passes on a stage that is farthest from the promise: "BW of stage 3 takes 82 ms
/// where 73 ms were promised".
Sentence farthest(const Prediction& promised, const AdviceSource& after)
{
    const PipelineSpec& spec = after.base.schedule.spec();
    Sentence text;
    double most = 0;
    for (const EntryId entry : after.base.schedule.entries()) {
        const OrderEntry passes = after.base.schedule.entry(entry);
        if (passes.pass.kind == PassKind::U)
            continue;
        const Ticks now = tableTime(after.base.costs, spec, passes.pass);
        const Ticks then = tableTime(promised.costs, spec, passes.pass);
        const auto off = static_cast<double>(std::abs(now - then));
        if (off <= most)
            continue;
        most = off;
        text = said("%1 of stage %2 takes %3 where %4 were promised", name(passes.pass.kind),
                    passes.pass.stage.value, millisecondText(now, 4), millisecondText(then, 4));
    }
    return text;
}

/// The order is the same, its passes are not, and no change has them.
Sentence otherPasses(const AdviceSource& before, const AdviceSource& after)
{
    const Schedule& schedule = after.base.schedule;
    const double work = wholeWork(schedule, before.base.costs);
    const double off = work > 0 ? wholeWork(schedule, after.base.costs) / work - 1 : 0;
    const std::string apart =
        percentText(shapeApart(schedule, before.base.costs, after.base.costs));
    if (before.layers.empty())
        return said("the second step has the order of the first, its passes differ by %1 and take "
                    "together %2: moved layers are recognised where it is told how many each stage "
                    "had",
                    apart, moreOrLess(off));
    return said("the second step has the order of the first, its passes differ by %1 and take "
                "together %2: none of the changes has such passes",
                apart, moreOrLess(off));
}

/// The change whose order and passes are those of the second step.
std::optional<std::size_t> nearestChange(const AdviceSource& before, const Advice& advice,
                                         const AdviceSource& after, AfterCheck& check)
{
    const DeviceOrders orders = after.base.schedule.orders();
    const bool sameOrder = before.base.schedule.spec() == after.base.schedule.spec() &&
                           before.base.schedule.orders() == orders;
    constexpr double none = std::numeric_limits<double>::infinity();
    const double unchanged =
        sameOrder ? shapeApart(after.base.schedule, before.base.costs, after.base.costs) : none;
    std::optional<std::size_t> found;
    double least = none;
    for (std::size_t i = 0; i < advice.count(); ++i) {
        const AdvisedChange& one = advice.at(i);
        const Prediction& made = one.promise.prediction;
        if (one.what == ChangeKind::Bound ||
            !(made.schedule.spec() == after.base.schedule.spec()) ||
            made.schedule.orders() != orders)
            continue;
        const double apart = shapeApart(after.base.schedule, made.costs, after.base.costs);
        if (apart < least) {
            least = apart;
            found = i;
        }
    }
    if (sameOrder && unchanged <= least) {
        check.why = unchanged < alikePasses
                        ? said("the second step has the order and the passes of the first: nothing "
                               "was changed")
                        : otherPasses(before, after);
        if (unchanged >= alikePasses && before.layers.empty())
            check.hint = AdviceHint::Layers;
        return std::nullopt;
    }
    if (!found)
        check.why = said("the order of the second step is none of the changes");
    return found;
}

/// Whether two steps can be held against each other, and why.
void compareWork(const Prediction& promised, const AdviceSource& after, AfterCheck& check)
{
    const double expected = wholeWork(promised.schedule, promised.costs);
    const double found = wholeWork(after.base.schedule, after.base.costs);
    const double off = expected > 0 ? found / expected - 1 : 0;
    check.comparable = std::abs(off) <= alikeWork;
    check.why =
        check.comparable
            ? said("as many ranks and micro-batches, and passes that take together what was "
                   "promised, up to %1 %",
                   plainNumber(100 * std::abs(off), 2))
            : said("the passes take together %1 than was promised: another model, batch or machine",
                   moreOrLess(off));
}

/// Where the difference lies.
Result<void> divide(const AdviceSource& before, const Prediction& promised,
                    const AdviceSource& after, AfterCheck& check)
{
    WhatIfBase mixed = after.base;
    mixed.costs.link = before.base.costs.link;
    mixed.edges = before.base.edges;
    PW_TRY(const Prediction passes, predict(mixed, {}));
    check.passes = static_cast<double>(passes.result.makespan - promised.result.makespan);
    check.messages = static_cast<double>(after.base.predicted.makespan - passes.result.makespan);
    check.rest = static_cast<double>(check.after) - check.promised - check.passes - check.messages;
    check.where =
        said("of %1 against the promise: passes %2, messages and what lies between passes "
             "%3, the rest %4",
             signedMs(static_cast<double>(check.after) - check.promised), signedMs(check.passes),
             signedMs(check.messages), signedMs(check.rest));
    if (const Sentence pass = farthest(promised, after); !pass.empty())
        check.where = said("%1; %2", check.where, pass);
    return {};
}

} // namespace

Result<AfterCheck> checkAfter(const AdviceSource& before, const Advice& advice,
                              const AdviceSource& after, std::optional<std::size_t> chosen)
{
    AfterCheck check;
    check.before = before.step;
    check.after = after.step;
    check.gain = before.step > 0
                     ? 1 - static_cast<double>(after.step) / static_cast<double>(before.step)
                     : 0;
    const PipelineSpec& spec = after.base.schedule.spec();
    if (spec.devices != before.base.schedule.spec().devices) {
        check.why =
            said("the first step is of %1, the second of %2",
                 counted(before.base.schedule.spec().devices, "%1 rank", "%1 ranks"), spec.devices);
        return check;
    }
    check.change = nearestChange(before, advice, after, check);
    if (chosen && check.change != chosen) {
        const Prediction& made = advice.at(*chosen).promise.prediction;
        if (!(made.schedule.spec() == spec) ||
            made.schedule.orders() != after.base.schedule.orders()) {
            check.why = said("the second step does not have the order of that change");
            check.change.reset();
            return check;
        }
        check.change = chosen;
    }
    if (!check.change)
        return check;
    const Promise& promise = advice.at(*check.change).promise;
    const auto step = static_cast<double>(before.step);
    check.promised = promise.step;
    check.low = step * (1 - promise.high);
    check.high = step * (1 - promise.low);
    compareWork(promise.prediction, after, check);
    check.held = check.comparable && static_cast<double>(check.after) <= check.high;
    PW_DO(divide(before, promise.prediction, after, check));
    return check;
}

} // namespace pw

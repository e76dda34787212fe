// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/memory_changes.h"

#include "core/base/medians.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/model/recompute.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace pw {

namespace {

/// Lets one more stage of a device hold less. @return whether there was one
bool holdLess(const AdviceSource& source, const PipelineSpec& spec, DeviceId device, HoldBy by,
              StageHolding& holding)
{
    for (const StageId id : Ids<StageId>(spec.stages())) {
        const int stage = id.value;
        if (spec.device(0, id) != device)
            continue;
        if (by == HoldBy::Offloading) {
            if (isAmong(holding.offloaded, stage))
                continue;
            holding.offloaded.push_back(stage);
            return true;
        }
        if (const auto kept = std::find(holding.kept.begin(), holding.kept.end(), stage);
            kept != holding.kept.end()) {
            holding.kept.erase(kept);
            return true;
        }
        // Stages of another order hold what those that were measured are made of.
        const bool again = spec.stages() == source.base.schedule.spec().stages()
                               ? isAmong(source.recomputed, stage)
                               : !source.recomputed.empty();
        if (again || isAmong(holding.recomputed, stage))
            continue;
        holding.recomputed.push_back(stage);
        return true;
    }
    return false;
}

std::string capital(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string joined(const std::string& first, const std::string& second)
{
    return first.empty() ? second : first + "; " + second;
}

/// Says of a change what is held in another way.
CandidateChange told(CandidateChange one, int stages)
{
    const StageHolding& holding = one.change.holding;
    const auto add = [&](const std::vector<int>& of, const std::string& title,
                         const std::string& todo) {
        if (of.empty())
            return;
        const std::string which = stagesText(of, stages);
        one.title = one.title.empty() ? capital(title + which) : one.title + ", " + title + which;
        one.todo = joined(one.todo, todo + which);
        const bool every = static_cast<int>(of.size()) == stages;
        one.effort = std::max(one.effort, every ? Effort::Number : Effort::File);
    };
    add(holding.recomputed, "recomputing ", "switch recomputation of activations on for ");
    add(holding.kept, "no recomputation of ", "switch recomputation of activations off for ");
    if (!holding.offloaded.empty())
        one.effort = std::max(one.effort, Effort::File);
    add(holding.offloaded, "offloading ",
        "copy activations to the host's memory after the forward, and back before the backward, "
        "of ");
    return one;
}

ChangeKind withHolding(ChangeKind what)
{
    return what == ChangeKind::Order ? ChangeKind::Order : ChangeKind::Combined;
}

} // namespace

Result<PlannedChange> heldBelow(const AdviceSource& source, PlannedChange change, Bytes cap,
                                HoldBy by)
{
    for (;;) {
        PW_TRY(const Prediction made, predictChange(source, change));
        const std::vector<Bytes> peaks = peaksOf(source, change, made);
        bool over = false, less = false;
        for (std::size_t device = 0; device < peaks.size(); ++device) {
            if (peaks[device] <= cap)
                continue;
            over = true;
            const DeviceId id(static_cast<int>(device));
            if (!holdLess(source, made.schedule.spec(), id, by, change.holding))
                return fail(ErrorCode::MemoryLimit, "device %1 needs more than the cap in any case",
                            device);
            less = true;
        }
        if (!over)
            break;
        if (!less)
            return fail(ErrorCode::MemoryLimit, "no device can hold less");
    }
    for (std::vector<int>* stages : {&change.holding.recomputed, &change.holding.offloaded})
        std::sort(stages->begin(), stages->end());
    return change;
}

std::vector<CandidateChange> changesBelow(const AdviceSource& source,
                                          std::span<const CandidateChange> over, Bytes cap,
                                          std::optional<double> hostRate)
{
    std::vector<CandidateChange> sorted(over.begin(), over.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.gain > b.gain; });
    constexpr std::size_t most = 8;
    sorted.resize(std::min(sorted.size(), most));
    std::vector<CandidateChange> all;
    for (CandidateChange& one : sorted) {
        one.change.holding.hostRate = hostRate;
        std::optional<std::pair<Ticks, CandidateChange>> best;
        for (const HoldBy by : {HoldBy::Recomputing, HoldBy::Offloading}) {
            CandidateChange less = one;
            Result<PlannedChange> held = heldBelow(source, one.change, cap, by);
            if (!held)
                continue;
            less.change = std::move(*held);
            const Result<Prediction> made = predictChange(source, less.change);
            if (!made || (best && best->first <= made->result.makespan))
                continue;
            less.what = withHolding(less.what);
            best.emplace(made->result.makespan,
                         told(std::move(less), made->schedule.spec().stages()));
        }
        if (best)
            all.push_back(std::move(best->second));
    }
    return all;
}

std::vector<CandidateChange> changesThatKeep(const AdviceSource& source, const PlannedChange& plain,
                                             std::span<const CandidateChange> others, Bytes cap)
{
    const int stages = source.base.schedule.spec().stages();
    std::vector<CandidateChange> all;
    if (source.base.schedule.anyRecompute()) {
        CandidateChange one{ChangeKind::Order, "No recomputation", plain,
                            "switch recomputation of activations off", Effort::Number};
        if (Result<Schedule> without = withoutRecompute(source.base.schedule)) {
            one.change.what.order = std::make_shared<const Schedule>(std::move(*without));
            all.push_back(std::move(one));
        }
    }
    if (source.recomputed.empty())
        return all;
    std::vector<CandidateChange> from = {{ChangeKind::Order, {}, plain, {}, Effort::Number}};
    from.insert(from.end(), others.begin(), others.end());
    for (CandidateChange& one : from) {
        one.change.holding.kept = source.recomputed;
        if (cap > 0 && source.knowsMemory()) {
            Result<PlannedChange> held = heldBelow(source, one.change, cap, HoldBy::Recomputing);
            if (!held || held->holding.kept.empty())
                continue;
            one.change = std::move(*held);
        }
        one.what = withHolding(one.what);
        all.push_back(told(std::move(one), stages));
    }
    return all;
}

std::string recomputationNote(const AdviceSource& source)
{
    const Costs& costs = source.base.costs;
    if (!source.recomputed.empty() || source.base.schedule.anyRecompute() || !source.base.measured)
        return {};
    std::vector<double> ratios;
    for (std::size_t cell = 0; cell < costs.forward.size(); ++cell)
        if (costs.forward[cell] > 0) {
            const Ticks whole =
                costs.fused.empty() ? costs.backward[cell] + costs.weight[cell] : costs.fused[cell];
            ratios.push_back(static_cast<double>(whole) / static_cast<double>(costs.forward[cell]));
        }
    constexpr double likely = 2.7; // twice the work of a forward, and the forward once more
    const double ratio = medianOf(ratios);
    if (ratio < likely)
        return {};
    return "Backwards take " + plainNumber(ratio, 2) +
           " times as long as forwards: if they compute these again, --recomputed all says so, and "
           "what doing without gains is told";
}

} // namespace pw

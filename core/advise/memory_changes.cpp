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

/// What is held in another way, as a title, behind another one, and as what is to do.
struct HoldingWords
{
    Sentence title;
    Sentence behind;
    Sentence todo;
};

HoldingWords recomputingWords(const Sentence& stages)
{
    return {said("Recomputing %1", stages), said("recomputing %1", stages),
            said("switch recomputation of activations on for %1", stages)};
}

HoldingWords keepingWords(const Sentence& stages)
{
    return {said("No recomputation of %1", stages), said("no recomputation of %1", stages),
            said("switch recomputation of activations off for %1", stages)};
}

HoldingWords offloadingWords(const Sentence& stages)
{
    return {said("Offloading %1", stages), said("offloading %1", stages),
            said("copy activations to the host's memory after the forward, and back before the "
                 "backward, of %1",
                 stages)};
}

/// Says of a change what is held in another way.
CandidateChange told(CandidateChange one, int stages)
{
    const StageHolding& holding = one.change.holding;
    const auto add = [&](const std::vector<int>& of, auto wordsOf) {
        if (of.empty())
            return;
        const HoldingWords words = wordsOf(stagesText(of, stages));
        one.title = one.title.empty() ? words.title : said("%1, %2", one.title, words.behind);
        one.todo = one.todo.empty() ? words.todo : said("%1; %2", one.todo, words.todo);
        const bool every = static_cast<int>(of.size()) == stages;
        one.effort = std::max(one.effort, every ? Effort::Number : Effort::File);
    };
    add(holding.recomputed, recomputingWords);
    add(holding.kept, keepingWords);
    if (!holding.offloaded.empty())
        one.effort = std::max(one.effort, Effort::File);
    add(holding.offloaded, offloadingWords);
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
                return fail(ErrorCode::MemoryLimit,
                            "device %1 needs more than the limit in any case", device);
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
        CandidateChange one{ChangeKind::Order, said("No recomputation"), plain,
                            said("switch recomputation of activations off"), Effort::Number};
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

std::optional<AdviceNote> recomputationNote(const AdviceSource& source)
{
    const Costs& costs = source.base.costs;
    if (!source.recomputed.empty() || source.base.schedule.anyRecompute() || !source.base.measured)
        return std::nullopt;
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
        return std::nullopt;
    return AdviceNote{said("Backwards take %1 times as long as forwards: where they compute these "
                           "again, doing without may gain something",
                           plainNumber(ratio, 2)),
                      AdviceHint::Recomputed};
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/stage_holding.h"

#include "core/base/medians.h"
#include "core/base/try.h"
#include "core/cost/origin_costs.h"
#include "core/io/offload_text.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

Ticks plus(Ticks time, Ticks more)
{
    return std::clamp<Ticks>(time + more, 0, longestPass);
}

/// A number times a factor, of bytes and shares.
std::int64_t timesPart(std::int64_t number, double factor)
{
    return static_cast<std::int64_t>(std::llround(static_cast<double>(number) * factor));
}

/// What waits for the backward is as many times as much; what waits for W is as it is, but where
/// it is all of it.
void scaleActivation(double factor, ActivationCost& cell)
{
    if (factor > 1 && cell.keptForWeightShare == cell.share)
        cell.keptForWeightShare = timesPart(cell.share, factor);
    if (factor > 1 && cell.keptForWeight == cell.activation)
        cell.keptForWeight = timesPart(cell.activation, factor);
    cell.share = timesPart(cell.share, factor);
    cell.activation = timesPart(cell.activation, factor);
    // Shares keep no more for W than F left; bytes do.
    cell.keptForWeightShare = std::min(cell.keptForWeightShare, cell.share);
    cell.stashShare = std::min(cell.stashShare, cell.share);
    cell.stash = std::min(cell.stash, cell.activation);
    if (cell.keptForWeight > cell.activation)
        cell.keptForWeightShare = cell.share;
}

bool areStagesOf(const std::vector<int>& stages, const PipelineSpec& spec)
{
    return std::all_of(stages.begin(), stages.end(),
                       [&](int stage) { return stage >= 0 && stage < spec.stages(); });
}

int layersAt(const std::vector<int>& layers, int stage)
{
    return layers.empty() ? 1 : std::max(1, layers[static_cast<std::size_t>(stage)]);
}

} // namespace

bool isAmong(const std::vector<int>& stages, int stage)
{
    return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

Result<Recomputation> recomputationOf(const CostOrigin& origin, const PipelineSpec& spec)
{
    CostOrigin keeps = origin, again = origin;
    keeps.recomputeIn = again.recomputeIn = RecomputeIn::Backward;
    if (origin.model.dense.recompute == RecomputePolicy::Full)
        keeps.model.dense.recompute = RecomputePolicy::None;
    again.model.dense.recompute = RecomputePolicy::Full;
    PW_TRY(const Costs whole, costsOf(keeps, spec));
    PW_TRY(const Costs less, costsOf(again, spec));
    std::vector<double> forwards, bytes;
    for (std::size_t cell = 0; cell < whole.forward.size(); ++cell) {
        if (whole.forward[cell] > 0)
            forwards.push_back(static_cast<double>(less.backward[cell] - whole.backward[cell]) /
                               static_cast<double>(whole.forward[cell]));
        if (whole.activation[cell].activation > 0)
            bytes.push_back(static_cast<double>(less.activation[cell].activation) /
                            static_cast<double>(whole.activation[cell].activation));
    }
    Recomputation made;
    if (!forwards.empty())
        made.forward = medianOf(forwards);
    if (!bytes.empty())
        made.kept = std::clamp(medianOf(bytes), made.kept / 4, 1.0);
    return made;
}

std::vector<Ticks> computedAgain(const Costs& costs, const PipelineSpec& spec,
                                 const std::vector<int>& layers, const Recomputation& recomputation)
{
    const bool known = layers.size() == static_cast<std::size_t>(spec.stages());
    std::vector<Ticks> again(costs.forward.size(), 0);
    for (int segment = 0; segment < spec.segments(); ++segment) {
        std::vector<double> each; // of a layer, or of a stage
        for (const StageId stage : Ids<StageId>(spec.stages()))
            if (!known || layers[stage.index()] > 0)
                each.push_back(static_cast<double>(costs.forward[cellIndex(spec, stage, segment)]) /
                               (known ? layers[stage.index()] : 1));
        const double usual = medianOf(each);
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            const std::size_t cell = cellIndex(spec, stage, segment);
            auto time = static_cast<double>(costs.forward[cell]);
            const bool end = stage == StageId(0) || stage + 1 == spec.stages();
            if (end && !recomputation.ends)
                time = std::min(time, usual * (known ? layers[stage.index()] : 1));
            again[cell] = static_cast<Ticks>(std::llround(time * recomputation.forward));
        }
    }
    return again;
}

Result<void> hold(const StageHolding& holding, const Recomputation& recomputation,
                  const std::vector<int>& layers, const PipelineSpec& spec, Costs& costs)
{
    for (const std::vector<int>* stages : {&holding.recomputed, &holding.kept, &holding.offloaded})
        if (!areStagesOf(*stages, spec))
            return fail(ErrorCode::BadValue, "there is no such stage; stages are 0 to %1",
                        spec.stages() - 1);
    const std::vector<Ticks> again = computedAgain(costs, spec, layers, recomputation);
    const auto change = [&](int stage, int sign, double factor) {
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const std::size_t cell = cellIndex(spec, StageId(stage), segment);
            for (std::vector<Ticks> Costs::*table : {&Costs::backward, &Costs::fused, &Costs::pair})
                if (!(costs.*table).empty())
                    (costs.*table)[cell] = plus((costs.*table)[cell], sign * again[cell]);
            for (PassTime& one : costs.single)
                if (one.pass.stage == StageId(stage) && one.pass.segment == segment &&
                    (one.pass.kind == PassKind::B || one.pass.kind == PassKind::BW))
                    one.time = plus(one.time, sign * again[cell]);
            const Bytes whole = costs.activation[cell].activation;
            scaleActivation(factor, costs.activation[cell]);
            if (sign < 0 || whole == 0)
                continue;
            costs.workspace.resize(static_cast<std::size_t>(spec.stages()), 0);
            Bytes& works = costs.workspace[static_cast<std::size_t>(stage)];
            works = std::max(works, whole / layersAt(layers, stage));
        }
    };
    for (const int stage : holding.recomputed)
        change(stage, 1, recomputation.kept);
    for (const int stage : holding.kept)
        change(stage, -1, 1 / recomputation.kept);
    if (holding.offloaded.empty())
        return {};
    if (std::all_of(costs.activation.begin(), costs.activation.end(),
                    [](const ActivationCost& cell) { return cell.activation == 0; }))
        return fail(ErrorCode::BadValue,
                    "how many bytes a stage keeps is not known, so copies to the host take no time "
                    "that could be told");
    std::string cells;
    for (const int stage : holding.offloaded)
        cells += (cells.empty() ? "" : ",") + std::to_string(stage);
    PW_TRY(costs.offload.cells, parseOffload(cells, spec));
    costs.offload.link = {0,
                          holding.hostRate.value_or(Offload::usualRate) * recomputation.hostRate};
    return {};
}

std::vector<Share> heldAgain(const StageHolding& holding, const Recomputation& recomputation,
                             const std::vector<int>& layers, const Schedule& schedule,
                             const Costs& costs)
{
    const PipelineSpec& spec = schedule.spec();
    const DeviceOrders orders = schedule.orders();
    std::vector<Share> most;
    for (const std::vector<OrderEntry>& order : orders) {
        Share layer = 0, waits = 0, wait = 0;
        const auto take = [&](const Pass& pass) {
            if (!isAmong(holding.recomputed, pass.stage.value))
                return;
            const Share kept = costs.activation[cellIndex(spec, pass.stage, pass.segment)].share;
            const Share whole = timesPart(kept, 1 / recomputation.kept);
            layer = std::max(layer, whole / layersAt(layers, pass.stage.value));
            if (pass.kind == PassKind::B)
                wait += whole - kept;
            else if (pass.kind == PassKind::W)
                wait -= whole - kept;
            waits = std::max(waits, wait);
        };
        for (const OrderEntry& entry : order) {
            take(entry.pass);
            if (entry.paired)
                take(entry.partner);
        }
        most.push_back(layer + waits);
    }
    return most;
}

Sentence stagesText(const std::vector<int>& stages, int all)
{
    if (static_cast<int>(stages.size()) == all)
        return said("every stage");
    if (stages.size() == 1)
        return said("stage %1", stages.front());
    std::string first;
    for (std::size_t i = 0; i + 1 < stages.size(); ++i)
        first += (i == 0 ? "" : ", ") + std::to_string(stages[i]);
    return said("stages %1 and %2", first, stages.back());
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/dependencies.h"

#include "core/model/dependency_rule.h"

#include <algorithm>

namespace pw {

namespace {

/// The place of a kind of pass in its cell.
std::int32_t slotOfKind(PassKind kind)
{
    return kind == PassKind::F   ? PassTable::forwardSlot
           : kind == PassKind::R ? PassTable::recomputeSlot
           : kind == PassKind::W ? PassTable::weightSlot
                                 : PassTable::backwardSlot;
}

} // namespace

void Dependencies::append(PassId id, std::vector<Dependency>& out) const
{
    const Schedule& schedule = *m_schedule;
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    const Pass pass = schedule.pass(id);
    if (pass.kind == PassKind::U) {
        appendUpdate(pass, out);
        return;
    }
    const DeviceId device = spec.device(pass.route, pass.stage);
    eachNeed(spec, pass, isBackward(pass.kind) && schedule.recomputed(pass),
             [&](PassKind kind, StageId stage, int segment) {
                 const std::int32_t cell = table.cell(stage, pass.microBatch, segment);
                 out.push_back({table.at(cell, slotOfKind(kind)),
                                stage != pass.stage && spec.device(pass.route, stage) != device});
             });
}

void Dependencies::appendUpdate(const Pass& update, std::vector<Dependency>& out) const
{
    const Schedule& schedule = *m_schedule;
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    const DeviceId device = spec.device(update.route, update.stage);
    const GradientRange range = gradientsOf(spec, update);
    for (int j = range.first; j < range.first + range.count; ++j) {
        for (int q = 0; q < spec.segments(); ++q) {
            const std::int32_t cell = table.cell(update.stage, j, q);
            const PassId backward = table.at(cell, PassTable::backwardSlot);
            const bool fused = schedule.kind(backward) == PassKind::BW;
            out.push_back({fused ? backward : table.at(cell, PassTable::weightSlot),
                           spec.device(spec.route(j), update.stage) != device});
        }
    }
}

void Dependencies::appendConsumers(PassId id, std::vector<PassId>& out) const
{
    const Schedule& schedule = *m_schedule;
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    const Pass pass = schedule.pass(id);
    if (pass.kind == PassKind::U)
        return;
    eachUse(spec, pass, pass.kind == PassKind::F && schedule.recomputed(pass),
            [&](PassKind kind, StageId stage, int segment) {
                if (pass.kind != PassKind::BW || kind != PassKind::W)
                    out.push_back(
                        table.at(table.cell(stage, pass.microBatch, segment), slotOfKind(kind)));
            });
    if (spec.updates && (pass.kind == PassKind::W || pass.kind == PassKind::BW)) {
        for (int route = 0; route < spec.routeCount(); ++route)
            out.push_back(table.updateId(route, pass.stage, spec.updateOf(pass.microBatch)));
    }
}

void Dependencies::appendReceivers(PassId id, std::vector<PassId>& out) const
{
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    appendConsumers(id, out);
    const DeviceId from = m_schedule->device(id);
    out.erase(std::remove_if(out.begin() + first, out.end(),
                             [&](PassId consumer) {
                                 return m_schedule->device(consumer) == from ||
                                        m_schedule->kind(consumer) == PassKind::U;
                             }),
              out.end());
}

} // namespace pw

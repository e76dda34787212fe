// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/dependencies.h"

namespace pw {

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
    const int device = spec.device(pass.route, pass.stage);
    const std::int32_t cell = table.cell(pass.stage, pass.microBatch, pass.segment);
    auto neighbour = [&](int stage, std::int32_t slot) {
        const PassId producer = table.at(table.cell(stage, pass.microBatch, pass.segment), slot);
        out.push_back({producer, spec.device(pass.route, stage) != device});
    };
    switch (pass.kind) {
    case PassKind::F:
        if (pass.stage > 0)
            neighbour(pass.stage - 1, PassTable::forwardSlot);
        if (pass.segment > 0)
            out.push_back({table.at(cell - 1, PassTable::forwardSlot), false});
        break;
    case PassKind::B:
    case PassKind::BW:
        if (pass.stage + 1 < spec.stages())
            neighbour(pass.stage + 1, PassTable::backwardSlot);
        if (pass.segment + 1 < spec.segments())
            out.push_back({table.at(cell + 1, PassTable::backwardSlot), false});
        out.push_back({table.at(cell, schedule.recomputed(pass) ? PassTable::recomputeSlot
                                                                : PassTable::forwardSlot),
                       false});
        break;
    case PassKind::R:
        out.push_back({table.at(cell, PassTable::forwardSlot), false});
        break;
    case PassKind::W:
        out.push_back({table.at(cell, PassTable::backwardSlot), false});
        break;
    case PassKind::U:
        break;
    }
}

void Dependencies::appendUpdate(const Pass& update, std::vector<Dependency>& out) const
{
    const Schedule& schedule = *m_schedule;
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    const int device = spec.device(update.route, update.stage);
    const bool stashed = spec.updateRule == UpdateRule::Stashed;
    const int first = stashed ? update.microBatch : update.microBatch * spec.microBatches;
    const int count = stashed ? 1 : spec.microBatches;
    for (int j = first; j < first + count; ++j) {
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
    const std::int32_t cell = table.cell(pass.stage, pass.microBatch, pass.segment);
    auto at = [&](int stage, int segment, std::int32_t slot) {
        out.push_back(table.at(table.cell(stage, pass.microBatch, segment), slot));
    };
    switch (pass.kind) {
    case PassKind::F:
        if (pass.stage + 1 < spec.stages())
            at(pass.stage + 1, pass.segment, PassTable::forwardSlot);
        if (pass.segment + 1 < spec.segments())
            at(pass.stage, pass.segment + 1, PassTable::forwardSlot);
        out.push_back(table.at(cell, schedule.recomputed(pass) ? PassTable::recomputeSlot
                                                               : PassTable::backwardSlot));
        break;
    case PassKind::R:
        out.push_back(table.at(cell, PassTable::backwardSlot));
        break;
    case PassKind::B:
    case PassKind::BW:
        if (pass.stage > 0)
            at(pass.stage - 1, pass.segment, PassTable::backwardSlot);
        if (pass.segment > 0)
            at(pass.stage, pass.segment - 1, PassTable::backwardSlot);
        if (pass.kind == PassKind::B)
            out.push_back(table.at(cell, PassTable::weightSlot));
        break;
    case PassKind::W:
    case PassKind::U:
        break;
    }
    if (spec.updates && (pass.kind == PassKind::W || pass.kind == PassKind::BW)) {
        for (int route = 0; route < spec.routeCount(); ++route)
            out.push_back(table.updateId(route, pass.stage, spec.updateOf(pass.microBatch)));
    }
}

} // namespace pw

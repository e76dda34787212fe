// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/schedule.h"

#include "core/base/assert.h"

#include <algorithm>
#include <string>

namespace pw {

PW_VALUE_DEFINED(Schedule);

namespace {

/// Cells left free between two stages.
///
/// Devices work on about the same micro-batch at a time. With a power of two of micro-batches the
/// same cell of all stages would fall into the same few sets of a processor's cache; four cells
/// move the next stage by a cache line.
constexpr std::int32_t stagePadding = 4;

} // namespace

PassTable::PassTable(const PipelineSpec& spec)
    : m_stages(spec.stages())
    , m_stageCells(spec.totalMicroBatches() * spec.segments() + stagePadding)
    , m_segments(spec.segments())
    , m_updates(spec.updates ? spec.updatesPerStage() : 0)
    , m_firstUpdate(m_stages * m_stageCells * slotsPerCell)
    , m_size(m_firstUpdate + spec.routeCount() * m_stages * m_updates)
{
}

PassId PassTable::id(const Pass& pass) const
{
    if (pass.kind == PassKind::U)
        return updateId(pass.route, pass.stage, pass.microBatch);
    constexpr std::int32_t slotOfKind[passKindCount] = {forwardSlot,  backwardSlot,  weightSlot,
                                                        backwardSlot, recomputeSlot, 0};
    return at(cell(pass.stage, pass.microBatch, pass.segment),
              slotOfKind[static_cast<std::size_t>(pass.kind)]);
}

Pass PassTable::pass(PassId id, PassKind kind, const PipelineSpec& spec) const
{
    Pass pass;
    pass.kind = kind;
    if (kind == PassKind::U) {
        std::int32_t rest = id.value - m_firstUpdate;
        pass.microBatch = rest % m_updates;
        rest /= m_updates;
        pass.stage = StageId(rest % m_stages);
        pass.route = static_cast<std::uint8_t>(rest / m_stages);
        return pass;
    }
    std::int32_t cell = id.value / slotsPerCell;
    pass.stage = StageId(cell / m_stageCells);
    cell -= pass.stage * m_stageCells;
    pass.microBatch = cell / m_segments;
    pass.segment = cell - pass.microBatch * m_segments;
    pass.route = static_cast<std::uint8_t>(spec.route(pass.microBatch));
    return pass;
}

OrderEntry Schedule::entry(EntryId entry) const
{
    const Places& places = m_entries[entry.index()];
    if (places.second.valid())
        return overlapped(pass(places.first), pass(places.second));
    return single(pass(places.first));
}

DeviceOrders Schedule::orders() const
{
    DeviceOrders orders(static_cast<std::size_t>(devices()));
    for (const DeviceId device : Ids<DeviceId>(devices())) {
        auto& order = orders[static_cast<std::size_t>(device)];
        order.reserve(static_cast<std::size_t>(end(device) - begin(device)));
        for (const EntryId each : entries(device))
            order.push_back(entry(each));
    }
    return orders;
}

Pass Schedule::pass(PassId id) const
{
    PW_ASSERT(has(id));
    return m_table.pass(id, kind(id), m_spec);
}

std::int32_t Schedule::site(PassId id) const
{
    const Pass where = pass(id);
    return (where.route * m_spec.stages() + where.stage) * m_spec.segments() + where.segment;
}

DeviceId Schedule::device(PassId id) const
{
    const Pass which = pass(id);
    return m_spec.device(which.route, which.stage);
}

bool Schedule::recomputed(const Pass& pass) const
{
    if (pass.kind == PassKind::U)
        return false;
    return has(m_table.at(m_table.cell(pass.stage, pass.microBatch, pass.segment),
                          PassTable::recomputeSlot));
}

int Schedule::weightVersion(StageId stage, int microBatch) const
{
    const int step = microBatch / m_spec.microBatches;
    switch (m_spec.updateRule) {
    case UpdateRule::Flush:
        return step;
    case UpdateRule::DoubleBuffered:
        return std::max(step - 1, 0);
    case UpdateRule::Stashed:
        return m_versions[static_cast<std::size_t>(stage) *
                              static_cast<std::size_t>(m_spec.totalMicroBatches()) +
                          static_cast<std::size_t>(microBatch)];
    }
    return 0;
}

bool operator==(const Schedule& a, const Schedule& b)
{
    return a.m_spec == b.m_spec && a.m_begin == b.m_begin && a.m_kinds == b.m_kinds &&
           a.m_entries == b.m_entries;
}

Sentence describe(const Pass& pass, const PipelineSpec& spec)
{
    const auto own = [&] {
        if (pass.kind == PassKind::U) {
            return spec.updateRule == UpdateRule::Stashed
                       ? said("%1 after micro-batch %2 on stage %3", name(pass.kind),
                              pass.microBatch, pass.stage)
                       : said("%1 of step %2 on stage %3", name(pass.kind), pass.microBatch,
                              pass.stage);
        }
        return spec.segments() > 1
                   ? said("%1 of micro-batch %2, segment %3, on stage %4", name(pass.kind),
                          pass.microBatch, pass.segment, pass.stage)
                   : said("%1 of micro-batch %2 on stage %3", name(pass.kind), pass.microBatch,
                          pass.stage);
    };
    return spec.routeCount() > 1 ? said("%1 of route %2", own(), pass.route) : own();
}

} // namespace pw

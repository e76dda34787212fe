// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/schedule.h"

#include <string>

namespace pw {

/// Builds a schedule entry by entry and refuses the first thing that is wrong.
class ScheduleChecker
{
public:
    explicit ScheduleChecker(PipelineSpec spec)
    {
        m_schedule.m_spec = std::move(spec);
        m_schedule.m_table = PassTable(m_schedule.m_spec);
        const auto size = static_cast<std::size_t>(m_schedule.m_table.size());
        m_schedule.m_kinds.assign(size, Schedule::absent);
        m_schedule.m_entryOf.assign(size, -1);
    }

    Result<Schedule> run(const DeviceOrders& orders)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        if (orders.size() != static_cast<std::size_t>(spec.devices)) {
            return fail(ErrorCode::BadSchedule, "orders are given for " +
                                                    std::to_string(orders.size()) + " of " +
                                                    std::to_string(spec.devices) + " devices");
        }
        std::size_t entries = 0;
        for (const auto& order : orders)
            entries += order.size();
        if (entries > static_cast<std::size_t>(m_schedule.m_table.size())) {
            return fail(ErrorCode::BadSchedule, "the order has " + std::to_string(entries) +
                                                    " entries, more than the spec has passes");
        }
        m_schedule.m_entries.reserve(entries);
        m_schedule.m_begin.reserve(orders.size() + 1);
        m_schedule.m_begin.push_back(0);
        for (std::size_t device = 0; device < orders.size(); ++device) {
            m_device = static_cast<int>(device);
            m_position = 0;
            for (const OrderEntry& entry : orders[device]) {
                if (!add(entry))
                    return fail(std::move(m_error));
                ++m_position;
            }
            m_schedule.m_begin.push_back(m_schedule.entryCount());
        }
        if (!complete())
            return fail(std::move(m_error));
        if (spec.updateRule == UpdateRule::Stashed)
            countVersions();
        return std::move(m_schedule);
    }

private:
    bool refuse(const std::string& what)
    {
        m_error = {ErrorCode::BadSchedule, "device " + std::to_string(m_device) + ", entry " +
                                               std::to_string(m_position) + ": " + what};
        return false;
    }

    bool refuseWhole(const std::string& what)
    {
        m_error = {ErrorCode::BadSchedule, what};
        return false;
    }

    bool add(const OrderEntry& entry)
    {
        Schedule::Places places;
        if (!addPass(entry.pass, places.first))
            return false;
        places.firstSite = site(entry.pass);
        places.firstKind = entry.pass.kind;
        if (entry.paired) {
            const bool oneEach =
                (entry.pass.kind == PassKind::F && isBackward(entry.partner.kind)) ||
                (entry.partner.kind == PassKind::F && isBackward(entry.pass.kind));
            if (!oneEach)
                return refuse("an overlapped pair is an F and a B or BW");
            const bool sameCell = entry.pass.stage == entry.partner.stage &&
                                  entry.pass.microBatch == entry.partner.microBatch &&
                                  entry.pass.segment == entry.partner.segment;
            if (sameCell)
                return refuse("a pair cannot overlap F and backward of one micro-batch and stage");
            if (!addPass(entry.partner, places.second))
                return false;
            places.secondSite = site(entry.partner);
            places.secondKind = entry.partner.kind;
        }
        m_schedule.m_entries.push_back(places);
        return true;
    }

    std::int32_t site(const Pass& pass) const
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        return (pass.route * spec.stages() + pass.stage) * spec.segments() + pass.segment;
    }

    bool addPass(const Pass& pass, PassId& id)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        if (!inRange(pass))
            return false;
        if (spec.device(pass.route, pass.stage) != m_device) {
            return refuse(describe(pass, spec) + " belongs to device " +
                          std::to_string(spec.device(pass.route, pass.stage)));
        }
        id = m_schedule.m_table.id(pass);
        std::uint8_t& kind = m_schedule.m_kinds[static_cast<std::size_t>(id.value)];
        if (kind != Schedule::absent) {
            const auto before = static_cast<PassKind>(kind);
            return refuse(before == pass.kind
                              ? describe(pass, spec) + " stands twice"
                              : describe(pass, spec) + " stands beside a " +
                                    std::string(name(before)) + " of the same micro-batch");
        }
        if (!inOrder(pass))
            return false;
        kind = static_cast<std::uint8_t>(pass.kind);
        m_schedule.m_entryOf[static_cast<std::size_t>(id.value)] =
            static_cast<std::int32_t>(m_schedule.m_entries.size());
        ++m_schedule.m_passCount;
        m_schedule.m_anyRecompute |= pass.kind == PassKind::R;
        return true;
    }

    bool inRange(const Pass& pass)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        if (pass.stage < 0 || pass.stage >= spec.stages()) {
            return refuse("stage " + std::to_string(pass.stage) + "; stages are 0 to " +
                          std::to_string(spec.stages() - 1));
        }
        if (pass.kind == PassKind::U) {
            if (!spec.updates)
                return refuse("a U stands in an order without updates");
            if (pass.microBatch < 0 || pass.microBatch >= spec.updatesPerStage()) {
                return refuse("update " + std::to_string(pass.microBatch) + "; updates are 0 to " +
                              std::to_string(spec.updatesPerStage() - 1));
            }
            if (pass.route >= spec.routes.size() || pass.segment != 0)
                return refuse("a U has no segment, and one of the routes");
            return true;
        }
        if (pass.microBatch < 0 || pass.microBatch >= spec.totalMicroBatches()) {
            return refuse("micro-batch " + std::to_string(pass.microBatch) +
                          "; micro-batches are 0 to " +
                          std::to_string(spec.totalMicroBatches() - 1));
        }
        if (pass.segment < 0 || pass.segment >= spec.segments()) {
            return refuse("segment " + std::to_string(pass.segment) + "; segments are 0 to " +
                          std::to_string(spec.segments() - 1));
        }
        if (pass.route != spec.route(pass.microBatch)) {
            return refuse("micro-batch " + std::to_string(pass.microBatch) + " takes route " +
                          std::to_string(spec.route(pass.microBatch)) + ", not " +
                          std::to_string(pass.route));
        }
        return true;
    }

    bool hasKind(const Pass& pass, std::int32_t slot) const
    {
        const PassTable& table = m_schedule.m_table;
        return m_schedule.has(
            table.at(table.cell(pass.stage, pass.microBatch, pass.segment), slot));
    }

    /// Passes of one cell are on one device, so their order among each other can be checked at
    /// once.
    bool inOrder(const Pass& pass)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const char* missing = nullptr;
        switch (pass.kind) {
        case PassKind::F:
            return readsReadyWeights(pass);
        case PassKind::B:
        case PassKind::BW:
        case PassKind::R:
            if (!hasKind(pass, PassTable::forwardSlot))
                missing = "F";
            if (pass.kind == PassKind::R && hasKind(pass, PassTable::backwardSlot)) {
                return refuse(describe(pass, spec) + " comes after the backward that needs it");
            }
            break;
        case PassKind::W:
            if (!hasKind(pass, PassTable::backwardSlot)) {
                missing = "B";
            } else {
                const PassTable& table = m_schedule.m_table;
                const PassId backward = table.at(
                    table.cell(pass.stage, pass.microBatch, pass.segment), PassTable::backwardSlot);
                if (m_schedule.kind(backward) == PassKind::BW)
                    return refuse(describe(pass, spec) + " stands beside a BW, which contains it");
            }
            break;
        case PassKind::U:
            return hasGradients(pass);
        }
        if (missing != nullptr) {
            return refuse("micro-batch " + std::to_string(pass.microBatch) + " of stage " +
                          std::to_string(pass.stage) + " has " + std::string(name(pass.kind)) +
                          " before " + missing);
        }
        return true;
    }

    /// The update that makes the weights of an F stands before it.
    bool readsReadyWeights(const Pass& pass)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        if (!spec.updates || spec.updateRule == UpdateRule::Stashed)
            return true;
        const int step = pass.microBatch / spec.microBatches;
        const int version = spec.updateRule == UpdateRule::Flush ? step : step - 1;
        if (version < 1)
            return true;
        const PassId update = m_schedule.m_table.updateId(pass.route, pass.stage, version - 1);
        if (!m_schedule.has(update)) {
            return refuse(describe(pass, spec) + " stands before the update of step " +
                          std::to_string(version - 1) + " that makes its weights");
        }
        return true;
    }

    /// All gradients of the hosted stage stand before its update.
    bool hasGradients(const Pass& update)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const PassTable& table = m_schedule.m_table;
        const bool stashed = spec.updateRule == UpdateRule::Stashed;
        const int first = stashed ? update.microBatch : update.microBatch * spec.microBatches;
        const int count = stashed ? 1 : spec.microBatches;
        for (int j = first; j < first + count; ++j) {
            if (spec.route(j) != update.route)
                continue;
            for (int q = 0; q < spec.segments(); ++q) {
                const std::int32_t cell = table.cell(update.stage, j, q);
                const PassId backward = table.at(cell, PassTable::backwardSlot);
                const bool done = m_schedule.has(backward) &&
                                  (m_schedule.kind(backward) == PassKind::BW ||
                                   m_schedule.has(table.at(cell, PassTable::weightSlot)));
                if (!done) {
                    return refuse(describe(update, spec) +
                                  " stands before the gradient of "
                                  "micro-batch " +
                                  std::to_string(j));
                }
            }
        }
        return true;
    }

    bool complete()
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const PassTable& table = m_schedule.m_table;
        auto missing = [&](PassKind kind, int stage, int j, int q) {
            const auto route = static_cast<std::uint8_t>(spec.route(j));
            const Pass pass{kind, route, stage, j, q};
            return refuseWhole("device " + std::to_string(spec.device(route, stage)) + " misses " +
                               describe(pass, spec));
        };
        for (int stage = 0; stage < spec.stages(); ++stage) {
            for (int j = 0; j < spec.totalMicroBatches(); ++j) {
                for (int q = 0; q < spec.segments(); ++q) {
                    const std::int32_t cell = table.cell(stage, j, q);
                    if (!m_schedule.has(table.at(cell, PassTable::forwardSlot)))
                        return missing(PassKind::F, stage, j, q);
                    const PassId backward = table.at(cell, PassTable::backwardSlot);
                    if (!m_schedule.has(backward))
                        return missing(PassKind::BW, stage, j, q);
                    if (m_schedule.kind(backward) == PassKind::B &&
                        !m_schedule.has(table.at(cell, PassTable::weightSlot)))
                        return missing(PassKind::W, stage, j, q);
                }
            }
        }
        for (std::int32_t id = table.firstUpdate(); id < table.size(); ++id) {
            if (!m_schedule.has(PassId(id)))
                return missingUpdate(id - table.firstUpdate());
        }
        return true;
    }

    bool missingUpdate(std::int32_t index)
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const int updates = spec.updatesPerStage();
        const int stage = index / updates % spec.stages();
        const int route = index / updates / spec.stages();
        const Pass pass{PassKind::U, static_cast<std::uint8_t>(route), stage, index % updates, 0};
        return refuseWhole("device " + std::to_string(spec.device(route, stage)) + " misses " +
                           describe(pass, spec));
    }

    /// With stashed weights an F reads what the updates before it on its stage have made.
    void countVersions()
    {
        const PipelineSpec& spec = m_schedule.m_spec;
        const auto m = static_cast<std::size_t>(spec.totalMicroBatches());
        m_schedule.m_versions.assign(static_cast<std::size_t>(spec.stages()) * m, 0);
        std::vector<std::int32_t> updates(
            static_cast<std::size_t>(spec.stages() * spec.routeCount()));
        auto note = [&](const Pass& pass) {
            std::int32_t& count =
                updates[static_cast<std::size_t>(pass.route * spec.stages() + pass.stage)];
            if (pass.kind == PassKind::U)
                ++count;
            else if (pass.kind == PassKind::F && pass.segment == 0)
                m_schedule.m_versions[static_cast<std::size_t>(pass.stage) * m +
                                      static_cast<std::size_t>(pass.microBatch)] = count;
        };
        for (std::int32_t i = 0; i < m_schedule.entryCount(); ++i) {
            const OrderEntry entry = m_schedule.entry(i);
            note(entry.pass);
            if (entry.paired)
                note(entry.partner);
        }
    }

    Schedule m_schedule;
    Error m_error;
    int m_device = 0;
    int m_position = 0;
};

Result<Schedule> Schedule::make(PipelineSpec spec, const DeviceOrders& orders)
{
    if (auto ok = check(spec); !ok)
        return fail(ok.error());
    return ScheduleChecker(std::move(spec)).run(orders);
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/wanted_passes.h"

#include <cstdint>
#include <vector>

namespace pw {

namespace {

class Wanted
{
public:
    Wanted(const Draft& draft, bool split)
        : m_spec(draft.spec)
        , m_table(draft.spec)
        , m_kinds(static_cast<std::size_t>(m_table.size()), absent)
        , m_split(split)
    {
        for (const auto& order : draft.orders) {
            for (const OrderEntry& entry : order) {
                note(entry.pass);
                if (entry.paired)
                    note(entry.partner);
            }
        }
    }

    Result<Schedule> schedule()
    {
        m_orders.resize(static_cast<std::size_t>(m_spec.devices));
        const bool stashed = m_spec.updateRule == UpdateRule::Stashed;
        for (int j = 0; j < m_spec.totalMicroBatches(); ++j) {
            for (const StageId stage : Ids<StageId>(m_spec.stages())) {
                for (int q = 0; q < m_spec.segments(); ++q)
                    addCell({PassKind::F, static_cast<std::uint8_t>(m_spec.route(j)), stage, j, q});
            }
            if (m_spec.updates && (stashed || (j + 1) % m_spec.microBatches == 0))
                addUpdates(m_spec.updateOf(j));
        }
        return Schedule::make(m_spec, m_orders);
    }

private:
    static constexpr std::uint8_t absent = 255;

    void note(const Pass& pass)
    {
        m_kinds[static_cast<std::size_t>(m_table.id(pass).value)] =
            static_cast<std::uint8_t>(pass.kind);
    }

    bool has(Pass pass, PassKind kind) const
    {
        pass.kind = kind;
        return m_kinds[static_cast<std::size_t>(m_table.id(pass).value)] ==
               static_cast<std::uint8_t>(kind);
    }

    void add(Pass pass, PassKind kind)
    {
        pass.kind = kind;
        m_orders[static_cast<std::size_t>(m_spec.device(pass.route, pass.stage))].push_back(
            single(pass));
    }

    void addCell(const Pass& cell)
    {
        add(cell, PassKind::F);
        if (has(cell, PassKind::R))
            add(cell, PassKind::R);
        const bool parted = has(cell, PassKind::B) || has(cell, PassKind::W) ||
                            (m_split && !has(cell, PassKind::BW));
        add(cell, parted ? PassKind::B : PassKind::BW);
        if (parted)
            add(cell, PassKind::W);
    }

    void addUpdates(int update)
    {
        for (int route = 0; route < m_spec.routeCount(); ++route) {
            for (const StageId stage : Ids<StageId>(m_spec.stages()))
                add({PassKind::U, static_cast<std::uint8_t>(route), stage, update, 0}, PassKind::U);
        }
    }

    const PipelineSpec& m_spec;
    PassTable m_table;
    std::vector<std::uint8_t> m_kinds;
    bool m_split;
    DeviceOrders m_orders;
};

} // namespace

Result<Schedule> wantedPasses(const Draft& draft, bool split)
{
    return Wanted(draft, split).schedule();
}

} // namespace pw

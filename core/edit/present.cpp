// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/present.h"

#include "core/model/dependency_rule.h"

namespace pw {

Present::Present(const Draft& draft)
    : m_spec(draft.spec)
    , m_table(draft.spec)
    , m_entries(static_cast<std::size_t>(m_table.size()), EntryId::none())
    , m_kinds(static_cast<std::size_t>(m_table.size()))
{
    EntryId index{0};
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        for (const OrderEntry& entry : draft.orders[device.index()]) {
            note(entry.pass, device, index);
            if (entry.paired)
                note(entry.partner, device, index);
            ++index;
        }
    }
}

void Present::note(const Pass& pass, DeviceId device, EntryId index)
{
    if (!belongs(m_spec, pass, device))
        return;
    const auto place = static_cast<std::size_t>(m_table.id(pass).value);
    if (m_entries[place] >= 0)
        return;
    m_entries[place] = index;
    m_kinds[place] = pass.kind;
}

EntryId Present::entry(const Pass& pass) const
{
    if (pass.stage < 0 || pass.stage >= m_spec.stages() || pass.route >= m_spec.routes.size() ||
        !belongs(m_spec, pass, m_spec.device(pass.route, pass.stage)))
        return EntryId::none();
    return m_entries[static_cast<std::size_t>(m_table.id(pass).value)];
}

void Present::producers(const Pass& pass, std::vector<Pass>& out) const
{
    if (pass.kind != PassKind::U) {
        const bool recomputed = isBackward(pass.kind) && has(withKind(pass, PassKind::R));
        eachNeed(m_spec, pass, recomputed, [&](PassKind kind, StageId stage, int segment) {
            out.push_back({kind, pass.route, stage, pass.microBatch, segment});
        });
        return;
    }
    const GradientRange range = gradientsOf(m_spec, pass);
    for (int j = range.first; j < range.first + range.count; ++j) {
        for (int q = 0; q < m_spec.segments(); ++q) {
            const Pass weight{PassKind::W, static_cast<std::uint8_t>(m_spec.route(j)), pass.stage,
                              j, q};
            const Pass backward = withKind(weight, PassKind::BW);
            if (has(backward) && kind(backward) == PassKind::BW)
                out.push_back(backward);
            else if (has(weight))
                out.push_back(weight);
        }
    }
}

void Present::consumers(const Pass& pass, std::vector<EntryId>& out) const
{
    const bool recomputed = pass.kind == PassKind::F && has(withKind(pass, PassKind::R));
    eachUse(m_spec, pass, recomputed, [&](PassKind kind, StageId stage, int segment) {
        const EntryId found = entry({kind, pass.route, stage, pass.microBatch, segment});
        if (found >= 0)
            out.push_back(found);
    });
    if (!m_spec.updates || (pass.kind != PassKind::W && pass.kind != PassKind::BW))
        return;
    for (int route = 0; route < m_spec.routeCount(); ++route) {
        const EntryId update = entry({PassKind::U, static_cast<std::uint8_t>(route), pass.stage,
                                      m_spec.updateOf(pass.microBatch), 0});
        if (update >= 0)
            out.push_back(update);
    }
}

} // namespace pw

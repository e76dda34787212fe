// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/draft_holding.h"
#include "core/sim/draft_times.h"

#include <algorithm>

namespace pw {

namespace {

struct Change
{
    Ticks time = 0;
    MemoryKind kind = MemoryKind::Activations;
    Bytes bytes = 0;
    Share share = 0;
};

/// Walks the order of one device; the states of its cells are in the table of all.
class DraftCurve
{
public:
    DraftCurve(const Draft& draft, const Costs& costs, const DraftTimes& times)
        : m_draft(draft)
        , m_costs(costs)
        , m_times(times)
        , m_table(draft.spec)
        , m_chunks(chunksOfDevices(draft.spec))
        , m_seen(static_cast<std::size_t>(m_table.firstUpdate()))
        , m_states(static_cast<std::size_t>(m_table.firstUpdate() / PassTable::slotsPerCell))
    {
    }

    std::vector<MemoryPoint> run(std::size_t device)
    {
        walk(device);
        return curve(device);
    }

    std::vector<SharePoint> shares(std::size_t device)
    {
        walk(device);
        std::vector<SharePoint> points{{0, 0}};
        for (const Change& change : m_changes) {
            if (change.time > points.back().time)
                points.push_back({change.time, points.back().share});
            points.back().share += change.share;
        }
        return points;
    }

private:
    void walk(std::size_t device)
    {
        m_device = DeviceId(device);
        m_changes.clear();
        addCopies(false);
        const auto& order = m_draft.orders[device];
        for (const OrderEntry& entry : order) {
            tell(entry.pass);
            if (entry.paired)
                tell(entry.partner);
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            const OrderEntry& entry = order[i];
            const EntryId at = m_times.entry(m_device, i);
            const bool swapped = entry.paired && entry.partner.kind == PassKind::F;
            if (swapped)
                add(entry.partner, at);
            add(entry.pass, at);
            if (entry.paired && !swapped)
                add(entry.partner, at);
        }
        addCopies(true);
        std::stable_sort(m_changes.begin(), m_changes.end(),
                         [](const Change& a, const Change& b) { return a.time < b.time; });
    }

    void addCopies(bool back)
    {
        for (const HostCopy& copy : m_times.times.copies) {
            if (copy.device != m_device || (back && copy.needed < 0))
                continue;
            if (back)
                m_changes.push_back(
                    {copy.backStart, MemoryKind::Activations, copy.bytes, copy.share});
            else
                m_changes.push_back(
                    {copy.outEnd, MemoryKind::Activations, -copy.bytes, -copy.share});
        }
    }

    void tell(const Pass& pass)
    {
        if (pass.kind == PassKind::R && belongs(m_draft.spec, pass, m_device))
            state(pass) = DraftHolding::recomputed;
    }

    std::uint8_t& state(const Pass& pass)
    {
        return m_states[static_cast<std::size_t>(
            m_table.cell(pass.stage, pass.microBatch, pass.segment))];
    }

    void add(const Pass& pass, EntryId entry)
    {
        if (pass.kind == PassKind::U || !belongs(m_draft.spec, pass, m_device))
            return;
        auto seen = m_seen[static_cast<std::size_t>(m_table.id(pass).value)];
        if (seen)
            return;
        seen = true;
        const ActivationCost& cost =
            m_costs.activation[cellIndex(m_draft.spec, pass.stage, pass.segment)];
        const DraftHolding::Change change = DraftHolding::change(state(pass), pass.kind, cost);
        const bool adds = pass.kind == PassKind::F || pass.kind == PassKind::R;
        const auto at = static_cast<std::size_t>(entry);
        const Ticks time = adds ? m_times.times.start[at] : m_times.times.end[at];
        if (change.activation != 0 || change.share != 0)
            m_changes.push_back({time, MemoryKind::Activations, change.activation, change.share});
        if (change.forWeight != 0)
            m_changes.push_back({time, MemoryKind::HeldForWeight, change.forWeight, 0});
    }

    std::vector<MemoryPoint> curve(std::size_t device) const
    {
        const StandingMemory standing = standingMemory(m_costs, m_chunks[device]);
        std::vector<MemoryPoint> points{pointOf(standing)};
        for (const Change& change : m_changes) {
            if (change.bytes == 0)
                continue;
            if (change.time > points.back().time)
                points.push_back({change.time, points.back().bytes});
            MemoryPoint& now = points.back();
            now.of(change.kind) += change.bytes;
            now.of(MemoryKind::Fragments) = standing.fragmentsOf(now.activation());
        }
        return points;
    }

    const Draft& m_draft;
    const Costs& m_costs;
    const DraftTimes& m_times;
    PassTable m_table;
    std::vector<std::vector<HostedStage>> m_chunks;
    std::vector<bool> m_seen;           // by place
    std::vector<std::uint8_t> m_states; // by cell, see `DraftHolding`
    std::vector<Change> m_changes;
    DeviceId m_device{0};
};

} // namespace

std::vector<std::vector<MemoryPoint>> draftMemory(const Draft& draft, const Costs& costs,
                                                  const DraftTimes& times)
{
    DraftCurve curve(draft, costs, times);
    std::vector<std::vector<MemoryPoint>> curves;
    for (std::size_t device = 0; device < draft.orders.size(); ++device)
        curves.push_back(curve.run(device));
    return curves;
}

std::vector<MemoryPoint> draftMemory(const Draft& draft, const Costs& costs,
                                     const DraftTimes& times, DeviceId device)
{
    return DraftCurve(draft, costs, times).run(static_cast<std::size_t>(device));
}

std::vector<SharePoint> draftShares(const Draft& draft, const Costs& costs, const DraftTimes& times,
                                    DeviceId device)
{
    return DraftCurve(draft, costs, times).shares(static_cast<std::size_t>(device));
}

} // namespace pw

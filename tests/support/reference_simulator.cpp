// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/reference_simulator.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw::test {

namespace {

enum class Work
{
    Forward,
    Backward,
    Weight,
    Recompute,
    Update
};

using Key = std::tuple<Work, int, int, int, int>; // work, route, stage, micro-batch, segment

Work workOf(PassKind kind)
{
    switch (kind) {
    case PassKind::F:
        return Work::Forward;
    case PassKind::B:
    case PassKind::BW:
        return Work::Backward;
    case PassKind::W:
        return Work::Weight;
    case PassKind::R:
        return Work::Recompute;
    case PassKind::U:
        return Work::Update;
    }
    return Work::Forward;
}

Key keyOf(const Pass& pass)
{
    return {workOf(pass.kind), pass.route, pass.stage, pass.microBatch, pass.segment};
}

struct Need
{
    Key key;
    int fromDevice;
    Bytes bytes;
};

class Reference
{
public:
    Reference(const PipelineSpec& spec, const DeviceOrders& orders, const Costs& costs)
        : m_spec(spec)
        , m_orders(orders)
        , m_costs(costs)
    {
        for (const auto& order : orders) {
            for (const OrderEntry& entry : order) {
                note(entry.pass);
                if (entry.paired)
                    note(entry.partner);
            }
        }
    }

    std::optional<ReferenceResult> run()
    {
        const std::size_t p = m_orders.size();
        std::vector<std::size_t> next(p, 0);
        std::vector<Ticks> free(p, 0);
        ReferenceResult result;
        result.start.resize(p);
        result.end.resize(p);
        bool progress = true;
        while (progress) {
            progress = false;
            for (std::size_t device = 0; device < p; ++device) {
                if (next[device] == m_orders[device].size())
                    continue;
                const OrderEntry& entry = m_orders[device][next[device]];
                Ticks start = free[device];
                if (!ready(entry.pass, start) || (entry.paired && !ready(entry.partner, start)))
                    continue;
                const Ticks end = start + entryTime(m_costs, m_spec, entry);
                m_done[keyOf(entry.pass)] = end;
                if (entry.paired)
                    m_done[keyOf(entry.partner)] = end;
                result.start[device].push_back(start);
                result.end[device].push_back(end);
                result.makespan = std::max(result.makespan, end);
                free[device] = end;
                ++next[device];
                progress = true;
            }
        }
        for (std::size_t device = 0; device < p; ++device) {
            if (next[device] != m_orders[device].size())
                return std::nullopt;
            result.peakShare.push_back(peak(device));
        }
        return result;
    }

private:
    void note(const Pass& pass)
    {
        if (pass.kind == PassKind::R)
            m_recomputed[keyOf(pass)] = true;
        if (pass.kind == PassKind::W)
            m_split[keyOf(pass)] = true;
    }

    bool recomputed(const Pass& pass) const
    {
        return m_recomputed.count(
                   {Work::Recompute, pass.route, pass.stage, pass.microBatch, pass.segment}) > 0;
    }

    static Bytes bytesOf(const std::vector<Bytes>& table, int cell)
    {
        return table.empty() ? 0 : table[static_cast<std::size_t>(cell)];
    }

    std::vector<Need> needs(const Pass& pass) const
    {
        const int r = pass.route, s = pass.stage, j = pass.microBatch, q = pass.segment;
        const int k = m_spec.segments();
        const DeviceId own = m_spec.device(r, StageId(s));
        std::vector<Need> list;
        switch (workOf(pass.kind)) {
        case Work::Forward:
            if (s > 0) {
                list.push_back({{Work::Forward, r, s - 1, j, q},
                                m_spec.device(r, StageId(s - 1)),
                                bytesOf(m_costs.forwardMessage, (s - 1) * k + q)});
            }
            if (q > 0)
                list.push_back({{Work::Forward, r, s, j, q - 1}, own, 0});
            break;
        case Work::Backward:
            list.push_back({{Work::Forward, r, s, j, q}, own, 0});
            if (recomputed(pass))
                list.push_back({{Work::Recompute, r, s, j, q}, own, 0});
            if (s + 1 < m_spec.stages()) {
                list.push_back({{Work::Backward, r, s + 1, j, q},
                                m_spec.device(r, StageId(s + 1)),
                                bytesOf(m_costs.backwardMessage, (s + 1) * k + q)});
            }
            if (q + 1 < k)
                list.push_back({{Work::Backward, r, s, j, q + 1}, own, 0});
            break;
        case Work::Recompute:
            list.push_back({{Work::Forward, r, s, j, q}, own, 0});
            break;
        case Work::Weight:
            list.push_back({{Work::Backward, r, s, j, q}, own, 0});
            break;
        case Work::Update:
            for (int other = 0; other < m_spec.totalMicroBatches(); ++other) {
                if (m_spec.updateOf(other) != j)
                    continue;
                const int route = m_spec.route(other);
                for (int piece = 0; piece < k; ++piece) {
                    const Key weight{Work::Weight, route, s, other, piece};
                    const Key fused{Work::Backward, route, s, other, piece};
                    list.push_back({m_split.count(weight) > 0 ? weight : fused,
                                    m_spec.device(route, StageId(s)),
                                    m_costs.gradients.empty()
                                        ? 0
                                        : m_costs.gradients[static_cast<std::size_t>(s)]});
                }
            }
            break;
        }
        return list;
    }

    bool ready(const Pass& pass, Ticks& start) const
    {
        const DeviceId own = m_spec.device(pass.route, pass.stage);
        for (const Need& need : needs(pass)) {
            const auto it = m_done.find(need.key);
            if (it == m_done.end())
                return false;
            start = std::max(start, arrival(m_costs, m_spec, DeviceId(need.fromDevice), own,
                                            need.bytes, it->second));
        }
        return true;
    }

    Share peak(std::size_t device) const
    {
        Share now = 0, most = 0;
        auto add = [&](const Pass& pass) {
            if (pass.kind == PassKind::U)
                return;
            const ActivationCost& cost = m_costs.activation[static_cast<std::size_t>(
                pass.stage * m_spec.segments() + pass.segment)];
            if (pass.kind == PassKind::F)
                now += recomputed(pass) ? cost.stashShare : cost.share;
            if (pass.kind == PassKind::R)
                now += cost.share - cost.stashShare;
            if (pass.kind == PassKind::B)
                now -= cost.share - cost.keptForWeightShare;
            if (pass.kind == PassKind::W)
                now -= cost.keptForWeightShare;
            if (pass.kind == PassKind::BW)
                now -= cost.share;
            most = std::max(most, now);
        };
        for (const OrderEntry& entry : m_orders[device]) {
            const bool partnerFirst = entry.paired && entry.partner.kind == PassKind::F;
            if (partnerFirst)
                add(entry.partner);
            add(entry.pass);
            if (entry.paired && !partnerFirst)
                add(entry.partner);
        }
        return most;
    }

    const PipelineSpec& m_spec;
    const DeviceOrders& m_orders;
    const Costs& m_costs;
    std::map<Key, bool> m_recomputed;
    std::map<Key, bool> m_split;
    std::map<Key, Ticks> m_done;
};

} // namespace

std::optional<ReferenceResult> referenceSimulate(const PipelineSpec& spec,
                                                 const DeviceOrders& orders, const Costs& costs)
{
    return Reference(spec, orders, costs).run();
}

} // namespace pw::test

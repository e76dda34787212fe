// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/io/sail_parts.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double ticksPerMicrosecond = 1000;

Ticks ticksOf(double microseconds)
{
    return static_cast<Ticks>(std::llround(microseconds * ticksPerMicrosecond));
}

/// Durations of one kind of pass on one stage and piece.
struct Durations
{
    double sum = 0;
    double least = 0;
    double most = 0;
    std::int64_t count = 0;

    void add(double duration)
    {
        least = count == 0 ? duration : std::min(least, duration);
        most = count == 0 ? duration : std::max(most, duration);
        sum += duration;
        ++count;
    }
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

class CostReader
{
public:
    CostReader(const SailNodes& nodes, SailPlan& plan)
        : m_nodes(nodes)
        , m_plan(plan)
        , m_spec(plan.draft.spec)
        , m_cells(static_cast<std::size_t>(m_spec.stages()) * m_spec.segmentLengths.size())
    {
    }

    void run()
    {
        if (!gather())
            return;
        Costs costs = expand(UniformCosts(), m_spec);
        fill(costs);
        costs.link.latency = hop();
        if (const auto sound = check(costs, m_spec); !sound) {
            m_plan.notes.add({}, said("its times are not taken: %1", sound.error().message));
            return;
        }
        m_plan.costs = std::move(costs);
        m_plan.notes.add({}, said("times are taken as microseconds; a message takes %1",
                                  timeText(m_plan.costs->link.latency)));
        tellSpreads();
    }

private:
    std::size_t cellOf(const SailNode& node) const
    {
        return cellIndex(m_spec, StageId(node.group), node.segment);
    }

    /// @return whether all passes have times
    bool gather()
    {
        std::int64_t timed = 0;
        std::int64_t passes = 0;
        for (auto& kind : m_durations)
            kind.resize(m_cells);
        for (const SailNode& node : m_nodes.nodes) {
            if (!isSailPass(node.kind))
                continue;
            ++passes;
            if (!node.start || !node.end)
                continue;
            ++timed;
            m_durations[static_cast<std::size_t>(node.kind)][cellOf(node)].add(*node.end -
                                                                               *node.start);
        }
        if (timed > 0 && timed < passes)
            m_plan.notes.add({}, said("its times are not taken: %1 of %2 passes have none",
                                      passes - timed, passes));
        return timed > 0 && timed == passes;
    }

    const Durations& of(SailKind kind, std::size_t cell) const
    {
        return m_durations[static_cast<std::size_t>(kind)][cell];
    }

    bool any(SailKind kind) const
    {
        const auto& all = m_durations[static_cast<std::size_t>(kind)];
        return std::any_of(all.begin(), all.end(), [](const Durations& d) { return d.count > 0; });
    }

    void fill(Costs& costs) const
    {
        if (any(SailKind::BW))
            costs.fused.resize(m_cells);
        if (any(SailKind::R))
            costs.recompute.resize(m_cells);
        for (std::size_t cell = 0; cell < m_cells; ++cell) {
            const Ticks whole = ticksOf(of(SailKind::BW, cell).mean());
            const bool split = of(SailKind::B, cell).count > 0;
            costs.forward[cell] = ticksOf(of(SailKind::F, cell).mean());
            // A backward that is never split says only the sum of its halves.
            costs.backward[cell] = split ? ticksOf(of(SailKind::B, cell).mean()) : whole / 2;
            costs.weight[cell] = split ? ticksOf(of(SailKind::W, cell).mean()) : whole - whole / 2;
            if (!costs.fused.empty())
                costs.fused[cell] = of(SailKind::BW, cell).count > 0
                                        ? whole
                                        : costs.backward[cell] + costs.weight[cell];
            if (!costs.recompute.empty())
                costs.recompute[cell] = of(SailKind::R, cell).count > 0
                                            ? ticksOf(of(SailKind::R, cell).mean())
                                            : costs.forward[cell];
        }
    }

    /// The least time between a pass and one on another rank that waited for it.
    Ticks hop()
    {
        const std::size_t cells = static_cast<std::size_t>(m_spec.microBatches) * m_cells;
        std::vector<double> ends[2] = {std::vector<double>(cells), std::vector<double>(cells)};
        for (const SailNode& node : m_nodes.nodes) {
            m_span = std::max(m_span, node.end.value_or(0));
            if (isSailPass(node.kind) && handsOn(node.kind))
                ends[node.kind == SailKind::F ? 0 : 1][sailCell(m_spec, node)] = *node.end;
        }
        const double slack = 1e-9 * m_span;
        std::vector<double> free(static_cast<std::size_t>(m_spec.devices));
        std::vector<bool> begun(free.size());
        std::optional<double> least;
        std::int64_t early = 0;
        bool waited = false;
        for (const SailNode& node : m_nodes.nodes) {
            if (!isSailPass(node.kind))
                continue;
            const auto rank = static_cast<std::size_t>(node.rank);
            const StageId before(node.kind == SailKind::F ? node.group - 1 : node.group + 1);
            if (handsOn(node.kind) && before >= 0 && before < m_spec.stages() &&
                m_spec.device(0, before) != node.rank) {
                SailNode producer = node;
                producer.group = before;
                const double gap =
                    *node.start -
                    ends[node.kind == SailKind::F ? 0 : 1][sailCell(m_spec, producer)];
                early += gap < -slack ? 1 : 0;
                waited |= !begun[rank] || *node.start > free[rank] + slack;
                least = std::min(least.value_or(gap), gap);
            }
            free[rank] = *node.end;
            begun[rank] = true;
        }
        if (early > 0)
            m_plan.notes.add(
                {}, said("%1 passes begin in the plan before what they need is there", early));
        return waited && least ? std::max<Ticks>(ticksOf(*least), 0) : 0;
    }

    static bool handsOn(SailKind kind)
    {
        return kind == SailKind::F || kind == SailKind::B || kind == SailKind::BW;
    }

    void tellSpreads()
    {
        constexpr std::int64_t mostTold = 3;
        std::int64_t uneven = 0;
        for (const SailKind kind :
             {SailKind::F, SailKind::B, SailKind::W, SailKind::BW, SailKind::R}) {
            for (std::size_t cell = 0; cell < m_cells; ++cell) {
                const Durations& all = of(kind, cell);
                if (all.most - all.least <= 1e-6 * all.most + 1e-9 * m_span || ++uneven > mostTold)
                    continue;
                m_plan.notes.add(
                    {}, said("%1 of stage %2 takes %3 to %4 in %5 nodes; the mean, %6, is taken",
                             sailName(kind), cell / m_spec.segmentLengths.size(),
                             timeText(ticksOf(all.least)), timeText(ticksOf(all.most)), all.count,
                             timeText(ticksOf(all.mean()))));
            }
        }
        if (uneven > mostTold)
            m_plan.notes.add({},
                             said("and so it is with %1 more kinds of passes", uneven - mostTold));
    }

    const SailNodes& m_nodes;
    SailPlan& m_plan;
    const PipelineSpec& m_spec;
    std::size_t m_cells;
    std::array<std::vector<Durations>, 5> m_durations; // by kind of pass
    double m_span = 0;                                 // latest end
};

} // namespace

void readSailCosts(const SailNodes& nodes, SailPlan& plan)
{
    CostReader(nodes, plan).run();
}

} // namespace pw

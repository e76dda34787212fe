// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/reference.h"

#include "core/base/try.h"
#include "core/families/family.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pw {

namespace {

/// Shortest times to and from the stages of a spec, for one micro-batch on an empty pipeline.
class Ways
{
public:
    /// @param fused  no gradient leaves before the W of its cell is done
    Ways(const PipelineSpec& spec, const Costs& costs, bool fused)
        : m_spec(spec)
        , m_costs(costs)
        , m_fused(fused)
    {
        for (const LinkPhase& phase : costs.linkTrace)
            m_pace = std::min(m_pace, phase.slowdown);
    }

    /// By stage: from the start of the first F to the arrival of the first segment's F before it.
    std::vector<Ticks> there(int route) const
    {
        std::vector<Ticks> ways(static_cast<std::size_t>(m_spec.stages()), 0);
        for (StageId stage(1); stage < m_spec.stages(); ++stage) {
            const Pass before{PassKind::F, static_cast<std::uint8_t>(route), stage - 1, 0, 0};
            ways[static_cast<std::size_t>(stage)] = ways[static_cast<std::size_t>(stage - 1)] +
                                                    shortest(before) +
                                                    hop(route, before, stage, PassKind::F);
        }
        return ways;
    }

    /// By stage: from the end of a BW of the first segment to the end of the last one of stage 0.
    std::vector<Ticks> back(int route) const
    {
        std::vector<Ticks> ways(static_cast<std::size_t>(m_spec.stages()), 0);
        for (StageId stage(1); stage < m_spec.stages(); ++stage) {
            const Pass here{PassKind::BW, static_cast<std::uint8_t>(route), stage, 0, 0};
            Pass next = here;
            next.stage = stage - 1;
            ways[static_cast<std::size_t>(stage)] = ways[static_cast<std::size_t>(stage - 1)] +
                                                    hop(route, here, stage - 1, PassKind::BW) +
                                                    shortest(next);
        }
        return ways;
    }

private:
    /// A pass alone, or in the shortest pair that it can be part of; single times may be anything.
    Ticks shortest(const Pass& pass) const
    {
        if (!m_costs.single.empty() || !m_costs.pair.empty())
            return 0;
        const Ticks whole = tableTime(m_costs, m_spec, pass);
        if (pass.kind == PassKind::F || m_fused)
            return whole;
        return std::min(whole, m_costs.backward[cellIndex(m_spec, pass.stage, pass.segment)]);
    }

    Ticks hop(int route, const Pass& from, StageId stage, PassKind consumer) const
    {
        const Ticks nominal = nominalMessageTime(m_costs, m_spec, m_spec.device(route, from.stage),
                                                 m_spec.device(route, stage),
                                                 messageBytes(m_costs, m_spec, from, consumer));
        return m_pace < 1 ? static_cast<Ticks>(static_cast<double>(nominal) * m_pace) : nominal;
    }

    const PipelineSpec& m_spec;
    const Costs& m_costs;
    bool m_fused;
    double m_pace = 1;
};

/// Devices whose backwards are all BW and that do nothing behind them.
std::vector<bool> endWithGradient(const Schedule& schedule)
{
    std::vector<bool> only(static_cast<std::size_t>(schedule.devices()), true);
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        for (const EntryId i : schedule.entries(device)) {
            const OrderEntry entry = schedule.entry(i);
            const auto gradient = [](PassKind kind) {
                return kind == PassKind::F || kind == PassKind::R || kind == PassKind::BW;
            };
            if (!gradient(entry.pass.kind) || (entry.paired && !gradient(entry.partner.kind))) {
                only[static_cast<std::size_t>(device)] = false;
                break;
            }
        }
    }
    return only;
}

/// Sums of neighbouring cells: of `per` stages and all their segments.
template<typename T>
std::vector<T> joined(const std::vector<T>& table, std::size_t per)
{
    std::vector<T> sums;
    for (std::size_t i = 0; i < table.size(); i += per)
        sums.push_back(std::accumulate(table.begin() + static_cast<std::ptrdiff_t>(i),
                                       table.begin() + static_cast<std::ptrdiff_t>(i + per), T{}));
    return sums;
}

/// What the last stage of each group sends on, or the first sends back.
std::vector<Bytes> messages(const std::vector<Bytes>& table, std::size_t segments,
                            std::size_t stages, bool last)
{
    const std::vector<Bytes> whole = joined(table, segments);
    std::vector<Bytes> ends;
    for (std::size_t i = 0; i < whole.size(); i += stages)
        ends.push_back(whole[last ? i + stages - 1 : i]);
    return ends;
}

} // namespace

Ticks lowerBound(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    const PipelineSpec& spec = schedule.spec();
    const std::vector<bool> gradientLast = endWithGradient(schedule);
    const bool fused =
        std::find(gradientLast.begin(), gradientLast.end(), false) == gradientLast.end();
    const Ways ways(spec, costs, fused);
    std::vector<std::vector<Ticks>> there, back;
    for (int route = 0; route < spec.routeCount(); ++route) {
        there.push_back(ways.there(route));
        back.push_back(ways.back(route));
    }
    const auto chunks = chunksOfDevices(spec);
    Ticks bound = 0;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const auto at = static_cast<std::size_t>(device);
        if (chunks[at].empty() || schedule.begin(device) == schedule.end(device))
            continue;
        const auto shortest = [&](const std::vector<std::vector<Ticks>>& of) {
            Ticks least = std::numeric_limits<Ticks>::max();
            for (const HostedStage& hosted : chunks[at])
                least = std::min(least, of[static_cast<std::size_t>(hosted.route)]
                                          [static_cast<std::size_t>(hosted.stage)]);
            return least;
        };
        Ticks whole = shortest(there) + result.devices[at].busy;
        if (gradientLast[at])
            whole += shortest(back);
        bound = std::max(bound, whole);
    }
    return bound;
}

Result<Reference> oneFOneBOf(const PipelineSpec& spec, const Costs& costs)
{
    if (spec.stages() % spec.devices != 0) {
        return fail(ErrorCode::BadValue, "%1 stages do not deal evenly to %2 devices",
                    spec.stages(), spec.devices);
    }
    PW_TRY(const Family* const family, findFamily("1f1b"));
    FamilyOptions options;
    options.devices = spec.devices;
    options.microBatches = spec.microBatches;
    options.steps = spec.steps;
    options.updates = spec.updates;
    PW_TRY(PipelineSpec shape, specOf(*family, options));
    shape.messages = spec.messages;

    const auto stages = static_cast<std::size_t>(spec.stages() / spec.devices);
    const auto segments = static_cast<std::size_t>(spec.segments());
    const std::size_t per = stages * segments;
    Costs whole;
    whole.forward = joined(costs.forward, per);
    whole.backward = joined(costs.backward, per);
    whole.weight = joined(costs.weight, per);
    whole.fused = joined(costs.fused, per);
    whole.update = joined(costs.update, stages);
    whole.link = costs.link;
    whole.links = costs.links;
    whole.linkTrace = costs.linkTrace;
    for (std::size_t i = 0; i < costs.activation.size(); i += per) {
        ActivationCost sum;
        for (std::size_t j = i; j < i + per; ++j)
            sum.activation += costs.activation[j].activation;
        sum.keptForWeight = sum.activation;
        sum.share = shareOne;
        sum.keptForWeightShare = shareOne;
        whole.activation.push_back(sum);
    }
    whole.forwardMessage = messages(costs.forwardMessage, segments, stages, true);
    whole.backwardMessage = messages(costs.backwardMessage, segments, stages, false);
    whole.weights = joined(costs.weights, stages);
    whole.gradients = joined(costs.gradients, stages);
    whole.optimizer = joined(costs.optimizer, stages);

    PW_TRY(Schedule schedule, family->build(shape, options, whole));
    PW_TRY(SimResult result, simulate(schedule, whole));
    return Reference{std::move(schedule), std::move(whole), std::move(result)};
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/sail_parts.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

/// A placement that plans without `layer_group_idx` may mean.
struct PlacementGuess
{
    Placement placement;
    std::string name;
    std::vector<std::vector<std::int32_t>> stages; // by rank and chunk
};

PlacementGuess guessOf(Placement placement, std::string name, std::int32_t ranks)
{
    PlacementGuess guess{std::move(placement), std::move(name), {}};
    guess.stages.resize(static_cast<std::size_t>(ranks));
    for (const StageId stage : Ids<StageId>(guess.placement.stages()))
        guess.stages[static_cast<std::size_t>(guess.placement.device(stage))].push_back(stage);
    return guess;
}

class StageFinder
{
public:
    StageFinder(SailNodes& nodes, SailPlan& plan)
        : m_nodes(nodes)
        , m_plan(plan)
    {
    }

    bool run()
    {
        if (!measure() || !checkSizes())
            return false;
        if (m_grouped > 0)
            return takeGroups() && settle();
        pick();
        return settle();
    }

private:
    bool refuse(Sentence text, FilePlace place = {}, Sentence repair = {})
    {
        m_plan.problems.add(place, std::move(text), std::move(repair));
        return false;
    }

    bool measure()
    {
        const SailNode* ungrouped = nullptr;
        for (const SailNode& node : m_nodes.nodes) {
            m_ranks = std::max(m_ranks, node.rank + 1);
            if (!isSailPass(node.kind))
                continue;
            ++m_passes;
            m_microBatches = std::max(m_microBatches, std::int64_t{node.microBatch} + 1);
            m_segments = std::max(m_segments, node.segment + 1);
            m_chunks = std::max(m_chunks, node.chunk + 1);
            m_stages = std::max(m_stages, std::int64_t{node.group} + 1);
            m_grouped += node.group >= 0 ? 1 : 0;
            if (node.group < 0 && ungrouped == nullptr)
                ungrouped = &node;
        }
        m_ranks = std::max(m_ranks, m_nodes.ranks);
        if (m_passes == 0)
            return refuse(said("the plan holds no pass: no node of type F, B, W, BW or R"));
        if (m_grouped > 0 && ungrouped != nullptr)
            return refuse(said("field layer_group_idx is missing, and other nodes have it"),
                          ungrouped->place);
        if (m_grouped == 0)
            m_stages = std::int64_t{m_ranks} * m_chunks;
        return true;
    }

    /// Tables are as large as the numbers say, so a slip of the pen must not cost gigabytes.
    bool checkSizes()
    {
        const double cells = static_cast<double>(m_microBatches) * static_cast<double>(m_stages) *
                             static_cast<double>(m_segments);
        if (cells <= 1000 + 16 * static_cast<double>(m_passes))
            return true;
        return refuse(said("micro-batch %1, stage %2 and piece %3 of a sequence occur, but the "
                           "plan has only %4 passes",
                           m_microBatches - 1, m_stages - 1, m_segments - 1, m_passes));
    }

    bool takeGroups()
    {
        m_placement.deviceOfStage.assign(static_cast<std::size_t>(m_stages), DeviceId::none());
        for (const SailNode& node : m_nodes.nodes) {
            if (!isSailPass(node.kind))
                continue;
            DeviceId& device = m_placement.deviceOfStage[static_cast<std::size_t>(node.group)];
            if (device >= 0 && device != node.rank)
                return refuse(said("layer_group_idx %1 is on rank %2 here and on rank %3 before",
                                   node.group, node.rank, device),
                              node.place, said("a stage has one rank"));
            device = DeviceId(node.rank);
        }
        for (const StageId stage : Ids<StageId>(m_placement.stages()))
            if (m_placement.device(stage) < 0)
                return refuse(
                    said("no node has layer_group_idx %1, but one has %2", stage, m_stages - 1));
        return true;
    }

    std::vector<PlacementGuess> guesses() const
    {
        std::vector<PlacementGuess> all;
        all.push_back(guessOf(Placement::looped(m_ranks, m_chunks),
                              m_chunks == 1 ? "linear" : "looped " + std::to_string(m_chunks),
                              m_ranks));
        if (m_ranks > 1 && m_chunks == 2)
            all.push_back(guessOf(Placement::vShape(m_ranks), "v", m_ranks));
        else if (m_ranks > 1 && m_chunks % 2 == 0)
            all.push_back(guessOf(Placement::zigzag(m_ranks, m_chunks / 2),
                                  "zigzag " + std::to_string(m_chunks / 2), m_ranks));
        return all;
    }

    /// Gives all nodes the stages of the placement that fits best.
    void pick()
    {
        std::vector<PlacementGuess> all = guesses();
        std::size_t best = 0;
        std::string why;
        if (all.size() > 1) {
            if (const auto found = theOneWithout(all, &StageFinder::strangePeers)) {
                best = *found;
                why = "as the nodes name their peers";
            } else if (const auto sent = theOneWithout(all, &StageFinder::strangeSends)) {
                best = *sent;
                why = "as ranks send and do not send";
            } else {
                best = soonest(all);
                why = "in which the order ends first";
            }
            m_plan.notes.add(
                {}, said("the nodes say no layer_group_idx; the placement is taken as %1, %2",
                         all[best].name, why));
        }
        m_placement = all[best].placement;
        for (SailNode& node : m_nodes.nodes) {
            const auto& stages = all[best].stages[static_cast<std::size_t>(node.rank)];
            if (node.group < 0 && static_cast<std::size_t>(node.chunk) < stages.size())
                node.group = stages[static_cast<std::size_t>(node.chunk)];
        }
    }

    /// The one guess with no contradiction; none where that is not one.
    std::optional<std::size_t>
    theOneWithout(const std::vector<PlacementGuess>& all,
                  std::int64_t (StageFinder::*strange)(const PlacementGuess&) const) const
    {
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if ((this->*strange)(all[i]) != 0)
                continue;
            if (found)
                return std::nullopt;
            found = i;
        }
        return found;
    }

    /// Calls take(node, stage, rank of the next stage or −1) for every forward.
    template<typename Take>
    void eachForward(const PlacementGuess& guess, Take take) const
    {
        for (const SailNode& node : m_nodes.nodes) {
            if (node.kind != SailKind::F)
                continue;
            const StageId stage(guess.stages[static_cast<std::size_t>(node.rank)]
                                            [static_cast<std::size_t>(node.chunk)]);
            const int next = stage + 1 < guess.placement.stages()
                                 ? guess.placement.device(stage + 1)
                                 : node.rank;
            take(node, next == node.rank ? -1 : next);
        }
    }

    std::int64_t strangePeers(const PlacementGuess& guess) const
    {
        if (!m_nodes.peers)
            return 1;
        std::int64_t strange = 0;
        eachForward(guess, [&strange](const SailNode& node, std::int32_t next) {
            strange += node.sendPeer == next ? 0 : 1;
        });
        return strange;
    }

    std::int64_t strangeSends(const PlacementGuess& guess) const
    {
        std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> sends;
        for (const SailNode& node : m_nodes.nodes)
            if (node.kind == SailKind::SendForward)
                sends.insert({node.rank, node.chunk, node.microBatch});
        if (sends.empty())
            return 1;
        std::int64_t strange = 0;
        eachForward(guess, [&](const SailNode& node, std::int32_t next) {
            const bool sent = sends.count({node.rank, node.chunk, node.microBatch}) > 0;
            strange += sent == (next >= 0) ? 0 : 1;
        });
        return strange;
    }

    Draft draftWith(const PlacementGuess& guess) const
    {
        Draft draft;
        draft.spec = specWith(guess.placement);
        draft.orders.resize(static_cast<std::size_t>(m_ranks));
        for (const SailNode& node : m_nodes.nodes) {
            if (!isSailPass(node.kind))
                continue;
            const auto rank = static_cast<std::size_t>(node.rank);
            draft.orders[rank].push_back(
                single({sailPassKind(node.kind), 0,
                        StageId(guess.stages[rank][static_cast<std::size_t>(node.chunk)]),
                        node.microBatch, node.segment}));
        }
        return draft;
    }

    std::size_t soonest(const std::vector<PlacementGuess>& all) const
    {
        std::size_t best = 0;
        std::optional<Ticks> end;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Draft draft = draftWith(all[i]);
            if (!check(draft.spec))
                continue;
            const Result<Schedule> schedule = Schedule::make(draft.spec, draft.orders);
            if (!schedule)
                continue;
            const Result<SimResult> run = simulate(*schedule, expand(UniformCosts(), draft.spec));
            if (!run || (end && run->makespan >= *end))
                continue;
            end = run->makespan;
            best = i;
        }
        return best;
    }

    PipelineSpec specWith(const Placement& placement) const
    {
        PipelineSpec spec;
        spec.devices = m_ranks;
        spec.microBatches = static_cast<int>(m_microBatches);
        spec.routes = {placement};
        spec.segmentLengths.assign(static_cast<std::size_t>(m_segments), 1);
        return spec;
    }

    bool settle()
    {
        m_plan.draft.spec = specWith(m_placement);
        if (const auto sound = check(m_plan.draft.spec); !sound)
            return refuse(sound.error().message);
        m_plan.draft.orders.resize(static_cast<std::size_t>(m_ranks));
        m_plan.places.resize(static_cast<std::size_t>(m_ranks));
        for (const SailNode& node : m_nodes.nodes) {
            if (!isSailPass(node.kind))
                continue;
            const auto rank = static_cast<std::size_t>(node.rank);
            m_plan.draft.orders[rank].push_back(single(
                {sailPassKind(node.kind), 0, StageId(node.group), node.microBatch, node.segment}));
            m_plan.places[rank].push_back(node.place);
        }
        return true;
    }

    SailNodes& m_nodes;
    SailPlan& m_plan;
    Placement m_placement;
    std::int32_t m_ranks = 0;
    std::int64_t m_microBatches = 0;
    std::int64_t m_stages = 0;
    std::int32_t m_segments = 1;
    std::int32_t m_chunks = 1;
    std::int64_t m_passes = 0;
    std::int64_t m_grouped = 0; // passes that say their stage
};

} // namespace

bool settleSailStages(SailNodes& nodes, SailPlan& plan)
{
    return StageFinder(nodes, plan).run();
}

} // namespace pw

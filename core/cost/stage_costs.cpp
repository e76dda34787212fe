// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/engine_terms.h"
#include "core/cost/evaluate.h"
#include "core/cost/offload.h"
#include "core/cost/segment_parts.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

/// Above so many devices one link stands for all.
constexpr int mostLinkedDevices = 2048;

constexpr double ticksOfSecond = static_cast<double>(ticksPerSecond);

/// Fills the cells of one spec.
class StageCosts
{
public:
    StageCosts(const LanguageModel& model, const Cluster& cluster, const Configuration& placed,
               const Pieces& pieces, const PipelineSpec& spec)
        : m_model(model)
        , m_cluster(cluster)
        , m_placed(placed)
        , m_pieces(pieces)
        , m_spec(spec)
        , m_first(firstLayers(placed.split))
        , m_copies(stageCopies(model, cluster, placed, pieces, spec))
        , m_parts(model.dense, spec.segmentLengths)
    {
    }

    Costs build()
    {
        m_costs.activation = activationShares(m_spec, 1, 1);
        for (const StageId s : Ids<StageId>(m_spec.stages())) {
            times(s);
            activations(s);
            messages(s);
        }
        if (m_model.experts.count > 0 && m_parts.count() == 1)
            pairs();
        dropFused();
        links();
        return std::move(m_costs);
    }

    /// What passes take alone.
    Costs buildTimes()
    {
        for (const StageId s : Ids<StageId>(m_spec.stages()))
            times(s);
        if (m_model.experts.count > 0 && m_parts.count() == 1)
            pairs();
        dropFused();
        return std::move(m_costs);
    }

private:
    bool isFirst(StageId s) const { return s == 0; }
    bool isLast(StageId s) const { return s == m_spec.stages() - 1; }

    /// Layers of a stage that have no experts.
    int denseOf(std::size_t stage) const
    {
        return std::clamp(m_model.experts.denseLayers - m_first[stage], 0, m_placed.split[stage]);
    }

    /// An earlier stage that takes and holds the same: of as many layers of either kind, between
    /// the ends, on a device of the same kind, with as much of its copies waited for. The stage
    /// itself where there is none.
    std::size_t twinOf(StageId s) const
    {
        const std::size_t i = s.index();
        if (isFirst(s) || isLast(s) || !m_cluster.groups.empty())
            return i;
        for (std::size_t other = i - 1; other > 0; --other) {
            if (m_placed.split[other] == m_placed.split[i] && denseOf(other) == denseOf(i) &&
                (m_copies.empty() || m_copies[other].exposed == m_copies[i].exposed))
                return other;
        }
        return i;
    }

    /// The cells of a table that stage `twin` has, once more.
    void repeat(std::vector<Ticks>& table, std::size_t twin) const
    {
        for (std::size_t q = 0; q < m_parts.count(); ++q)
            table.push_back(Ticks(table[twin * m_parts.count() + q]));
    }

    void times(StageId s)
    {
        const std::size_t i = s.index();
        if (const std::size_t twin = twinOf(s); twin != i) {
            for (std::vector<Ticks>* table : {&m_costs.forward, &m_costs.backward, &m_costs.weight,
                                              &m_costs.fused, &m_costs.recompute})
                repeat(*table, twin);
            m_times.push_back(PieceTime(m_times[twin]));
            return;
        }
        const PieceTime time = stageTimeOn(m_model, m_cluster, m_placed, m_pieces, m_spec, s,
                                           m_first[i], m_placed.split[i]);
        const DeviceId rank = m_spec.device(0, s);
        const Pieces& own = piecesOfRank(m_cluster, m_placed, m_pieces, rank);
        // The loss is not computed again: its backward follows its forward at once.
        const PieceTime layers = inSegments(
            stageTime(m_model, m_placed, own, m_first[i], m_placed.split[i], false, false),
            m_parts);
        const double busy =
            m_placed.pipelineParallel > 1
                ? clusterOfRank(m_cluster, m_placed, rank).constants[Constant::ExchangeTime]
                : 0;
        // What no pass hides is waited for, one way after F and the other before B.
        const double open = m_copies.empty() ? 0 : m_copies[i].exposed / 2;
        pass(m_costs.forward, time.forward, open, busy);
        pass(m_costs.backward, time.backward, open, busy);
        pass(m_costs.weight, time.weight, 0, 0);
        pass(m_costs.fused, time.joined, open, busy);
        pass(m_costs.recompute, layers.forward, 0, 0);
        m_times.push_back(time);
    }

    /// @param more  seconds of the micro-batch beside its work
    /// @param each  seconds of every segment
    void pass(std::vector<Ticks>& table, const PassParts& parts, double more, double each)
    {
        const double rest = parts.total() - parts.attention + more;
        const double whole = parts.attention / m_parts.attention.back();
        const auto before = [&](std::size_t q) {
            return ticksOfSeconds(rest * m_parts.tokens[q] + whole * m_parts.attention[q] +
                                  static_cast<double>(q) * each);
        };
        for (std::size_t q = 0; q < m_parts.count(); ++q)
            table.push_back(before(q + 1) - before(q));
    }

    /// Overlapped pairs, whose exchanges between experts go on beside the other's computing. They
    /// can be where the stages that meet are on one device.
    void pairs()
    {
        const auto stages = Ids<StageId>(m_spec.stages());
        if (std::none_of(stages.begin(), stages.end(),
                         [this](StageId s) { return partnerOf(m_spec, s) != s; }))
            return;
        for (const StageId s : stages) {
            const std::size_t back = partnerOf(m_spec, s).index();
            m_costs.pair.push_back(
                m_costs.forward[s.index()] + m_costs.fused[back] -
                ticksOfSeconds(hiddenInPairs(m_times[s.index()], m_times[back])));
        }
    }

    /// Where a BW takes what B and W do, but for rounding, it has no table of its own.
    void dropFused()
    {
        for (std::size_t cell = 0; cell < m_costs.fused.size(); ++cell) {
            if (m_costs.backward[cell] + m_costs.weight[cell] - m_costs.fused[cell] > 2)
                return;
        }
        m_costs.fused.clear();
    }

    Bytes ofTokens(double bytes, std::size_t q) const
    {
        return portion(bytes, m_parts.tokens, 0, m_parts.tokens, q);
    }

    void activations(StageId s)
    {
        const std::size_t i = s.index();
        const std::size_t twin = twinOf(s);
        m_bytes.push_back(twin != i ? StageBytes(m_bytes[twin])
                                    : stageBytes(m_model, m_placed, m_first[i], m_placed.split[i],
                                                 isFirst(s), isLast(s)));
        const StageBytes& bytes = m_bytes.back();
        for (std::size_t q = 0; q < m_parts.count(); ++q) {
            ActivationCost& cell = m_costs.activation[i * m_parts.count() + q];
            cell.activation = portion(bytes.activation - bytes.scores, m_parts.tokens, bytes.scores,
                                      m_parts.scores, q);
            // The piece is there as long as the first slice: its B is the last.
            if (q == 0)
                cell.activation +=
                    wholeBytes(joinedSliceBytes(m_model, m_placed, m_spec, m_placed.split[i]));
            // What B has computed again stays until W, however little F has left.
            const Bytes kept = ofTokens(bytes.kept, q);
            cell.keptForWeight = m_placed.recompute == RecomputePolicy::Full
                                     ? kept
                                     : std::min(cell.activation, kept);
            cell.stash = std::min(cell.activation, ofTokens(bytes.stash, q));
            cell.keptForWeightShare = shareOf(cell, cell.keptForWeight);
            cell.stashShare = shareOf(cell, cell.stash);
        }
    }

    static Share shareOf(const ActivationCost& cell, Bytes part)
    {
        if (cell.activation == 0)
            return 0;
        const long double ratio = static_cast<long double>(std::min(part, cell.activation)) /
                                  static_cast<long double>(cell.activation);
        return static_cast<Share>(std::llround(ratio * static_cast<long double>(cell.share)));
    }

    void messages(StageId s)
    {
        for (std::size_t q = 0; q < m_parts.count(); ++q) {
            const Bytes bytes = ofTokens(m_pieces.message, q);
            m_costs.forwardMessage.push_back(isLast(s) ? 0 : bytes);
            m_costs.backwardMessage.push_back(isFirst(s) ? 0 : bytes);
        }
    }

    static Link linkOf(const Hop& hop) { return {ticksOfSeconds(hop.latency), hop.bytesPerSecond}; }

    int nodeOf(DeviceId rank) const
    {
        return nodeOfDevice(m_cluster, rank * (m_placed.devices() / m_placed.pipelineParallel));
    }

    void links()
    {
        const int p = m_spec.devices;
        if (p < 2)
            return;
        const bool alone = nodeOf(DeviceId(0)) != nodeOf(DeviceId(1));
        const bool together = nodeOf(DeviceId(0)) == nodeOf(DeviceId(p - 1));
        const bool alike = m_cluster.groups.empty();
        m_costs.link = linkOf(together ? m_pieces.inside : m_pieces.outside);
        if (alike && (alone || together || p > mostLinkedDevices))
            return;
        for (const DeviceId from : Ids<DeviceId>(p)) {
            for (const DeviceId to : Ids<DeviceId>(p))
                m_costs.links.push_back(from == to ? Link() : linkBetween(from, to));
        }
    }

    Link linkBetween(DeviceId from, DeviceId to) const
    {
        const auto hopOf = [&](DeviceId rank) -> const Hop& {
            const Pieces& own = piecesOfRank(m_cluster, m_placed, m_pieces, rank);
            return nodeOf(from) == nodeOf(to) ? own.inside : own.outside;
        };
        // Between two kinds the slower link counts.
        const Hop& a = hopOf(from);
        const Hop& b = hopOf(to);
        return linkOf(a.seconds(m_pieces.message) >= b.seconds(m_pieces.message) ? a : b);
    }

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    const Configuration& m_placed;
    const Pieces& m_pieces;
    const PipelineSpec& m_spec;
    std::vector<int> m_first;
    std::vector<StageCopy> m_copies;
    SegmentParts m_parts;
    std::vector<PieceTime> m_times;  // by stage
    std::vector<StageBytes> m_bytes; // by stage
    Costs m_costs;
};

} // namespace

Costs costsOf(const LanguageModel& model, const Cluster& cluster,
              const Configuration& configuration, const Pieces& pieces, const PipelineSpec& spec,
              const std::vector<int>& split)
{
    Configuration placed = configuration;
    placed.split = split;
    return StageCosts(model, cluster, placed, pieces, spec).build();
}

Costs passTimesOf(const LanguageModel& model, const Cluster& cluster,
                  const Configuration& configuration, const Pieces& pieces,
                  const PipelineSpec& spec)
{
    return StageCosts(model, cluster, configuration, pieces, spec).buildTimes();
}

void addStanding(Costs& costs, const LanguageModel& model, const Cluster& cluster,
                 const Configuration& configuration, const PipelineSpec& spec,
                 const std::vector<EngineBytes>& engine)
{
    // What caches of freed blocks leave between them, of what comes and goes.
    constexpr double fragmentPart = 0.02;
    costs.fragments = fragmentPart;
    const std::vector<int> first = firstLayers(configuration.split);
    for (const StageId s : Ids<StageId>(spec.stages())) {
        const MemoryParts parts = staticMemory(
            model, configuration, stageWeightsOn(model, configuration, spec, s, first[s.index()]));
        costs.weights.push_back(wholeBytes(parts.weights));
        costs.gradients.push_back(wholeBytes(parts.gradients));
        costs.optimizer.push_back(wholeBytes(parts.optimizer));
    }
    for (const EngineBytes& own : engine) {
        costs.buffers.push_back(own.buffers());
        costs.workspace.push_back(own.workspace());
    }
    for (const DeviceId d : Ids<DeviceId>(spec.devices))
        costs.memoryCap.push_back(
            wholeBytes(clusterOfRank(cluster, configuration, d).usableMemory()));
}

void addUpdates(Costs& costs, const LanguageModel& model, const Cluster& cluster,
                const Configuration& configuration, const PipelineSpec& spec)
{
    const std::vector<int> first = firstLayers(configuration.split);
    for (const StageId s : Ids<StageId>(spec.stages())) {
        const bool isEnd = s == 0 || s == spec.stages() - 1;
        const Cluster& own = clusterOfRank(cluster, configuration, spec.device(0, s));
        const AroundParts around = aroundOf(
            model, own, configuration,
            stageWeightsOn(model, configuration, spec, s, first[s.index()]), spec.routeCount());
        // Without a flush the sum of gradients goes on beside the passes that follow.
        const double sum = spec.updateRule == UpdateRule::Flush ? around.reduction : 0;
        costs.update.push_back(ticksOfSeconds(sum + around.optimizer + (isEnd ? around.tied : 0)));
    }
}

} // namespace pw::plan

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/around.h"
#include "core/cost/configuration_traits.h"
#include "core/cost/evaluate.h"
#include "core/cost/segment_parts.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw::plan {

namespace {

/// Seconds of a micro-batch on a stage: those after which the next stage begins, and all.
struct StageWork
{
    double way = 0;
    double all = 0;
};

/// A layer's work by its kind, computed again as the configuration says or not at all.
struct LayerWorks
{
    StageWork dense, experts, plainDense, plainExperts;
};

/// What the stages of a configuration take, however its layers are dealt out to them.
///
/// Every figure is at most what `costsOf` makes of any split: copies to the host's memory, which
/// only lengthen passes, are left out.
class WorkOfSplits
{
public:
    WorkOfSplits(const LanguageModel& model, const Cluster& cluster, const Configuration& c,
                 const Pieces& pieces, const PipelineSpec& spec)
        : m_spec(spec)
        , m_layers(model.dense.layers)
        , m_dense(model.experts.count == 0
                      ? model.dense.layers
                      : std::clamp(model.experts.denseLayers, 0, model.dense.layers))
        , m_again(c.recomputedLayers == 0 ? model.dense.layers : c.recomputedLayers)
        , m_traits(traitsOf(c))
        , m_wayBack(m_traits.fused)
        , m_parts(model.dense, spec.segmentLengths)
    {
        for (const DeviceId d : Ids<DeviceId>(spec.devices))
            m_devices.push_back(layersOn(piecesOfRank(cluster, c, pieces, d), c));
        m_least = m_devices.front();
        for (const LayerWorks& own : m_devices) {
            for (const auto kind : {&LayerWorks::dense, &LayerWorks::experts,
                                    &LayerWorks::plainDense, &LayerWorks::plainExperts}) {
                StageWork& least = m_least.*kind;
                least = {std::min(least.way, (own.*kind).way),
                         std::min(least.all, (own.*kind).all)};
            }
        }
        for (const StageId s : Ids<StageId>(spec.stages()))
            m_ends.push_back(endsOf(cluster, c, pieces, s));
    }

    /// The mean of the devices: one has as much.
    double mean() const
    {
        double sum = 0;
        for (const StageWork& stage : m_ends)
            sum += stage.all;
        return (sum + leastOf(m_layers).all) / m_spec.devices;
    }

    /// The least that the last device to end can end at, over all ways to deal out layers that are
    /// alike: a device takes as many as the time leaves it behind the way to its first stage.
    double dealt(int microBatches) const
    {
        if (m_spec.routeCount() > 1 || (m_dense > 0 && m_dense < m_layers))
            return 0;
        std::vector<double> own(m_devices.size(), 0), before(m_devices.size(), -1);
        double way = 0;
        for (const StageId s : Ids<StageId>(m_spec.stages())) {
            const auto d = static_cast<std::size_t>(m_spec.device(0, s));
            if (before[d] < 0)
                before[d] = way;
            own[d] += m_ends[s.index()].all;
            way += m_ends[s.index()].way;
        }
        const auto enough = [&](double end) {
            double taken = 0;
            for (std::size_t d = 0; d < own.size(); ++d) {
                const double left = (end - std::max(before[d], 0.0)) / microBatches - own[d];
                if (left < 0)
                    return false;
                taken += layersWithin(d, left);
            }
            return taken >= m_layers;
        };
        double low = 0, high = 1e-3;
        for (int i = 0; i < 60 && !enough(high); ++i) {
            low = high;
            high *= 2;
        }
        constexpr int halvings = 40;
        for (int i = 0; i < halvings; ++i) {
            const double middle = (low + high) / 2;
            (enough(middle) ? high : low) = middle;
        }
        return low;
    }

    /// The same where stage s is on device s, its layers one after another: a stage begins when all
    /// before it are passed, and where B and W are one, what it ends with goes back through them.
    ///
    /// @param some  a bound that is known
    double chain(int microBatches, double some) const
    {
        const int p = m_spec.devices;
        if (m_spec.routeCount() > 1 || m_spec.stages() != p)
            return 0;
        for (const StageId s : Ids<StageId>(p)) {
            if (m_spec.device(0, s) != s % p)
                return 0;
        }
        // Above this nothing is looked at.
        const double cut = 2 * some;
        const auto layers = static_cast<std::size_t>(m_layers);
        std::vector<double> ends(layers + 1, cut), next, ways(layers + 1), own(layers + 1);
        for (std::size_t first = 0; first <= layers; ++first)
            ways[first] = leastOf(static_cast<int>(first)).way;
        // Of layers that are alike only their number counts.
        const bool alike = m_dense == 0 || m_dense >= m_layers;
        const auto ownOf = [&](StageId s, std::size_t first, std::size_t count) {
            return m_ends[s.index()].all +
                   stageLayers(s, static_cast<int>(first), static_cast<int>(count));
        };
        ends[0] = 0;
        double endsBefore = 0;
        for (const StageId s : Ids<StageId>(p)) {
            next.assign(layers + 1, cut);
            for (std::size_t count = 0; alike && count <= layers; ++count)
                own[count] = ownOf(s, 0, count);
            for (std::size_t first = 0; first <= layers; ++first) {
                if (ends[first] >= cut)
                    continue;
                const double way = endsBefore + ways[first];
                for (std::size_t to = first; to <= layers; ++to) {
                    const double stage = alike ? own[to - first] : ownOf(s, first, to - first);
                    const double end = way + microBatches * stage;
                    if (end >= cut)
                        break;
                    next[to] = std::min(next[to], std::max(ends[first], end));
                }
            }
            endsBefore += m_ends[s.index()].way;
            ends.swap(next);
        }
        return ends[layers];
    }

private:
    static StageWork workOf(const LayerWorks& layer, int denseAgain, int dense, int expertsAgain,
                            int all)
    {
        const auto sum = [&](double StageWork::*part) {
            return denseAgain * layer.dense.*part + (dense - denseAgain) * layer.plainDense.*part +
                   expertsAgain * layer.experts.*part +
                   (all - dense - expertsAgain) * layer.plainExperts.*part;
        };
        return {sum(&StageWork::way), sum(&StageWork::all)};
    }

    StageWork workOf(const PieceTime& time) const
    {
        // A BW takes no longer than B and W, and a pair no longer than F and BW.
        double all = inSegments(time, m_parts).total(m_traits.splitsBackward && !m_traits.pairs);
        if (m_traits.pairs)
            all -= time.forward.expert + time.joined.expert;
        if (m_wayBack && m_parts.count() == 1)
            return {all, all};
        return {firstOf(time.forward) + (m_wayBack ? firstOf(time.joined) : 0), all};
    }

    /// Of a pass, its first segment.
    double firstOf(const PassParts& pass) const
    {
        return m_parts.tokens[1] * (pass.total() - pass.attention) +
               m_parts.attention[1] * pass.attention;
    }

    LayerWorks layersOn(const Pieces& pieces, const Configuration& c) const
    {
        LayerWorks works{workOf(pieces.dense), workOf(pieces.experts), {}, {}};
        const bool some = c.recomputedLayers > 0;
        works.plainDense = some ? workOf(pieces.plainDense) : works.dense;
        works.plainExperts = some ? workOf(pieces.plainExperts) : works.experts;
        return works;
    }

    /// What a stage takes beside its layers.
    StageWork endsOf(const Cluster& cluster, const Configuration& c, const Pieces& pieces,
                     StageId s) const
    {
        StageWork least{std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::infinity()};
        for (int route = 0; route < m_spec.routeCount(); ++route) {
            const DeviceId rank = m_spec.device(route, s);
            const Pieces& own = piecesOfRank(cluster, c, pieces, rank);
            PieceTime time = vocabularyIsSplit(c) ? vocabularyTime(own, m_spec) : PieceTime();
            if (s == 0)
                time += own.embedding;
            if (s == m_spec.stages() - 1)
                time += own.output;
            const StageWork work = workOf(time);
            least = {std::min(least.way, work.way), std::min(least.all, work.all)};
        }
        if (c.pipelineParallel > 1) {
            const double busy =
                clusterOfRank(cluster, c, m_spec.device(0, s)).constants[Constant::ExchangeTime];
            least.way += m_wayBack ? 2 * busy : busy;
            least.all += 2 * m_spec.segments() * busy;
        }
        return least;
    }

    /// Layers that are alike that a device can pass in a time.
    double layersWithin(std::size_t device, double seconds) const
    {
        const LayerWorks& works = m_devices[device];
        const bool dense = m_dense > 0;
        const double again = dense ? works.dense.all : works.experts.all;
        const double plain = dense ? works.plainDense.all : works.plainExperts.all;
        constexpr double hair = 1e-9;
        const double first = std::floor(seconds / again + hair);
        if (first < m_again)
            return first;
        return std::min<double>(m_layers,
                                m_again + std::floor((seconds - m_again * again) / plain + hair));
    }

    double stageLayers(StageId s, int first, int layers) const
    {
        const int dense = std::clamp(m_dense - first, 0, layers);
        const int again = std::min(m_again, layers), denseAgain = std::min(dense, again);
        return workOf(m_devices[s.index()], denseAgain, dense, again - denseAgain, layers).all;
    }

    /// The first layers, on the quickest devices and however they are dealt out: in one stage the
    /// fewest are computed again. Which ones they are where layers are of two kinds is left open.
    StageWork leastOf(int layers) const
    {
        const int dense = std::min(m_dense, layers);
        const bool alike = dense == 0 || dense == layers || m_again >= m_layers;
        const int again = alike ? std::min(m_again, layers) : 0,
                  denseAgain = std::min(dense, again);
        return workOf(m_least, denseAgain, dense, again - denseAgain, layers);
    }

    const PipelineSpec& m_spec;
    int m_layers;
    int m_dense; ///< the first ones
    int m_again; ///< of a stage, at most
    FamilyTraits m_traits;
    bool m_wayBack;
    SegmentParts m_parts;
    std::vector<LayerWorks> m_devices;
    LayerWorks m_least; ///< of any device
    std::vector<StageWork> m_ends;
};

/// What is around the pipeline at least, which grows in a straight line with the weights.
AroundParts leastAround(const LanguageModel& model, const Cluster& cluster, const Configuration& c,
                        int routes)
{
    constexpr double none = std::numeric_limits<double>::infinity();
    AroundParts least{none, none, none};
    for (const DeviceWeights& weights : leastWeights(model, c, routes)) {
        for (const Cluster* kind : kindsOf(cluster)) {
            const AroundParts parts = aroundOf(model, *kind, c, weights, routes);
            least.reduction = std::min(least.reduction, parts.reduction);
            least.tied = std::min(least.tied, parts.tied);
            least.optimizer = std::min(least.optimizer, parts.optimizer);
        }
    }
    return least;
}

} // namespace

std::array<DeviceWeights, 2> leastWeights(const LanguageModel& model, const Configuration& c,
                                          int routes)
{
    const int dense = model.experts.count == 0
                          ? model.dense.layers
                          : std::clamp(model.experts.denseLayers, 0, model.dense.layers);
    DeviceWeights all;
    const auto add = [&](int layers, int layer) {
        if (layers <= 0)
            return;
        const DeviceWeights one = layerDeviceWeights(model, c, layer);
        all.dense += routes * layers * one.dense;
        all.expert += routes * layers * one.expert;
    };
    add(dense, 0);
    add(model.dense.layers - dense, model.dense.layers - 1);
    const double mean = all.total() / c.pipelineParallel;
    const double experts = std::min(mean, all.expert);
    return {{{mean, 0}, {mean - experts, experts}}};
}

double leastSeconds(const LanguageModel& model, const Cluster& cluster, const Configuration& c,
                    const Pieces& pieces)
{
    const Result<const Family*> family = findFamily(c.family);
    const int m = c.microBatches();
    if (!family)
        return 0;
    const Result<PipelineSpec> spec = specOf(**family, familyOptions(**family, c, m));
    if (!spec)
        return 0;
    double pipeline = 0;
    double vocabulary = 0;
    if (c.split.empty()) {
        const WorkOfSplits work(model, cluster, c, pieces, *spec);
        const double mean = work.mean();
        pipeline = m * mean;
        if (spec->updateRule == UpdateRule::Flush) {
            pipeline = std::max(pipeline, work.dealt(m));
            pipeline = std::max(pipeline, work.chain(m, pipeline));
        }
        vocabulary = vocabularyIsSplit(c) ? mean : 0;
    } else {
        Configuration plain = c; // copies to the host only lengthen passes
        plain.offload = OffloadPolicy::None;
        pipeline = leastPipelineSeconds(passTimesOf(model, cluster, plain, pieces, *spec), *spec,
                                        traitsOf(c));
    }
    // Passes are whole ticks: each may be half a tick shorter than its time.
    const double ticks =
        3.0 * m * spec->stages() * spec->segments() / static_cast<double>(ticksPerSecond);
    pipeline = std::max(pipeline - ticks, 0.0);
    const AroundParts around =
        leastAround(model, cluster, c, spec->routeCount())
            .besideSteps(spec->updateRule, m, pipeline + vocabulary + 2 * ticks);
    double reduction = around.reduction;
    if (c.overlapReduction && spec->updateRule == UpdateRule::Flush) {
        // No device works longer than the pipeline takes: what it hides of the sum, see `evaluate`,
        // grows less than the pipeline does.
        reduction = exposedReduction(reduction, (pipeline + vocabulary + 2 * ticks) / m * 2 / 3);
    }
    double step = 0;
    for (const Cluster* kind : kindsOf(cluster))
        step = std::max(step, kind->constants[Constant::StepTime]);
    // Sums are taken in another order than the figures that they bound.
    constexpr double rounding = 1 - 1e-12;
    return rounding * (pipeline + vocabulary + reduction + around.tied + around.optimizer + step);
}

namespace {

Ticks joinedTicks(const Costs& costs, std::size_t cell)
{
    return costs.fused.empty() ? costs.backward[cell] + costs.weight[cell] : costs.fused[cell];
}

/// What the backwards of a cell take at least.
Ticks backwardTicks(const Costs& costs, std::size_t cell, const FamilyTraits& traits)
{
    const Ticks apart = costs.backward[cell] + costs.weight[cell];
    if (traits.splitsBackward)
        return apart;
    return traits.fused ? joinedTicks(costs, cell) : std::min(apart, joinedTicks(costs, cell));
}

/// What a pair whose forward is a cell's hides.
Ticks hiddenOf(const Costs& costs, const PipelineSpec& spec, StageId stage, std::size_t cell,
               const FamilyTraits& traits)
{
    const bool known = traits.fused || traits.splitsBackward;
    if (costs.pair.empty() || (known && !traits.pairs))
        return 0;
    const std::size_t back = partnerOf(spec, stage).index();
    return std::max<Ticks>(
        costs.forward[cell] + backwardTicks(costs, back, traits) - costs.pair[cell], 0);
}

} // namespace

double leastPipelineSeconds(const Costs& costs, const PipelineSpec& spec,
                            const FamilyTraits& traits)
{
    const std::size_t segments = spec.segmentLengths.size();
    const auto devices = static_cast<std::size_t>(spec.devices);
    std::vector<Ticks> busy(devices, 0);
    std::vector<Ticks> way(devices, -1); // to the device's first stage, and back where B is W too
    Ticks arrived = 0, all = 0;
    for (const StageId s : Ids<StageId>(spec.stages())) {
        const auto d = static_cast<std::size_t>(spec.device(0, s));
        const std::size_t cell = static_cast<std::size_t>(s) * segments;
        if (way[d] < 0)
            way[d] = arrived;
        for (std::size_t k = cell; k < cell + segments; ++k) {
            const Ticks own = costs.forward[k] + backwardTicks(costs, k, traits) -
                              hiddenOf(costs, spec, s, k, traits);
            busy[d] += own;
            all += own;
        }
        if (spec.updateRule != UpdateRule::Flush)
            continue; // the step before fills the pipeline
        // The first segment alone is waited for; its backward is a device's last pass, and goes
        // back to the stages before.
        arrived += costs.forward[cell] + (traits.fused ? backwardTicks(costs, cell, traits) : 0);
    }
    // Of two copies of the model nothing is known but that a device has the mean of their work.
    if (spec.routeCount() > 1)
        return static_cast<double>(all) * spec.microBatches / spec.devices /
               static_cast<double>(ticksPerSecond);
    Ticks least = 0;
    for (std::size_t d = 0; d < devices; ++d)
        least = std::max(least, std::max<Ticks>(way[d], 0) + spec.microBatches * busy[d]);
    return static_cast<double>(least) / static_cast<double>(ticksPerSecond);
}

} // namespace pw::plan

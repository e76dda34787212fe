// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/expert_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace pw::communication {

namespace {

constexpr std::array<LayerPart, 4> allParts = {LayerPart::Attention, LayerPart::Dispatch,
                                               LayerPart::Mlp, LayerPart::Combine};

std::size_t at(LayerPart part)
{
    return static_cast<std::size_t>(part);
}

/// Which part of which pass.
using PartKey = std::tuple<PassKind, std::int32_t, LayerPart>;

/// Runs two streams in their orders.
class PartRun
{
public:
    PartRun(const std::vector<LayerTimes>& forward, const std::vector<LayerTimes>& backward,
            const InnerWork& work)
        : m_forward(forward)
        , m_backward(backward)
        , m_work(work)
    {
    }

    InnerTimes run()
    {
        const auto forward = m_work.forward ? count(m_forward) : 0;
        const auto backward = m_work.backward || m_work.weight ? count(m_backward) : 0;
        const std::int32_t rounds = std::max(forward, backward);
        const auto f = [&](std::int32_t layer, LayerPart part) {
            if (layer < forward)
                add({PassKind::F, layer, part});
        };
        const auto b = [&](std::int32_t round, LayerPart part) {
            if (round >= backward)
                return;
            if (m_work.backward)
                add({PassKind::B, backward - 1 - round, part});
            if (m_work.weight && !isExchange(part))
                add({PassKind::W, backward - 1 - round, part});
        };
        f(0, LayerPart::Attention);
        b(0, LayerPart::Combine);
        for (std::int32_t round = 0; round < rounds; ++round) {
            b(round, LayerPart::Mlp);
            f(round, LayerPart::Dispatch);
            f(round, LayerPart::Mlp);
            b(round, LayerPart::Dispatch);
            b(round, LayerPart::Attention);
            f(round, LayerPart::Combine);
            f(round + 1, LayerPart::Attention);
            b(round + 1, LayerPart::Combine);
        }
        walk();
        return std::move(m_out);
    }

private:
    static std::int32_t count(const std::vector<LayerTimes>& layers)
    {
        return static_cast<std::int32_t>(layers.size());
    }

    void add(const PartKey& key)
    {
        (isExchange(std::get<2>(key)) ? m_exchange : m_compute).push_back(key);
    }

    Ticks time(const PartKey& key) const
    {
        const auto [pass, layer, part] = key;
        const auto i = static_cast<std::size_t>(layer);
        return pass == PassKind::F   ? m_forward[i].forward[at(part)]
               : pass == PassKind::B ? m_backward[i].backward[at(part)]
                                     : m_backward[i].weight[at(part)];
    }

    /// The part that one waits for; false: none.
    bool need(const PartKey& key, PartKey& needed) const
    {
        const auto [pass, layer, part] = key;
        if (pass == PassKind::W) {
            needed = {PassKind::B, layer, part};
            return m_work.backward;
        }
        if (pass == PassKind::F) {
            const bool first = part == LayerPart::Attention;
            if (first && layer == 0)
                return false;
            needed = {pass, first ? layer - 1 : layer,
                      first ? LayerPart::Combine : allParts[at(part) - 1]};
            return true;
        }
        const bool last = part == LayerPart::Combine;
        if (last && layer + 1 == count(m_backward))
            return false;
        needed = {pass, last ? layer + 1 : layer,
                  last ? LayerPart::Attention : allParts[at(part) + 1]};
        return true;
    }

    /// Both streams in turn; the orders agree with the needs, so one of them can always go on.
    void walk()
    {
        std::map<PartKey, Ticks> ends;
        Ticks free[2] = {};
        std::size_t next[2] = {};
        bool moved = true;
        while (moved) {
            moved = false;
            for (const int stream : {0, 1}) {
                const auto& order = stream == 0 ? m_compute : m_exchange;
                while (next[stream] < order.size()) {
                    const PartKey& key = order[next[stream]];
                    PartKey needed;
                    Ticks start = free[stream];
                    if (need(key, needed)) {
                        const auto found = ends.find(needed);
                        if (found == ends.end())
                            break;
                        start = std::max(start, found->second);
                    }
                    const Ticks took = time(key);
                    free[stream] = ends[key] = start + took;
                    record(stream == 0, key, start, took);
                    ++next[stream];
                    moved = true;
                }
            }
        }
        m_out.end = std::max(free[0], free[1]);
    }

    void record(bool computes, const PartKey& key, Ticks start, Ticks took)
    {
        (computes ? m_out.computing : m_out.exchanging) += took;
        if (took > 0)
            (computes ? m_out.compute : m_out.exchange)
                .push_back(
                    {std::get<0>(key), std::get<2>(key), std::get<1>(key), start, start + took});
    }

    const std::vector<LayerTimes>& m_forward;
    const std::vector<LayerTimes>& m_backward;
    InnerWork m_work;
    std::vector<PartKey> m_compute;
    std::vector<PartKey> m_exchange;
    InnerTimes m_out;
};

Ticks ticksOfSeconds(double seconds)
{
    return static_cast<Ticks>(std::llround(seconds * static_cast<double>(ticksPerSecond)));
}

/// Parts of a pass from the whole layer and its attention.
void divide(Ticks (&times)[4], const plan::PassParts& whole, const plan::PassParts& attention)
{
    const Ticks exchange = ticksOfSeconds(whole.expert / 2);
    const double computed = whole.total() - whole.expert;
    const double first = std::min(attention.total() - attention.expert, computed);
    times[at(LayerPart::Attention)] = ticksOfSeconds(first);
    times[at(LayerPart::Dispatch)] = times[at(LayerPart::Combine)] = exchange;
    times[at(LayerPart::Mlp)] = ticksOfSeconds(computed - first);
}

} // namespace

std::string_view name(LayerPart part)
{
    constexpr std::array<std::string_view, 4> names = {"attention", "dispatch", "MLP", "combine"};
    return names[at(part)];
}

Ticks LayerTimes::sum(PassKind kind) const
{
    const Ticks(&times)[4] = kind == PassKind::F   ? forward
                             : kind == PassKind::W ? weight
                                                   : backward;
    return std::accumulate(std::begin(times), std::end(times), Ticks{0});
}

InnerTimes runParts(const std::vector<LayerTimes>& forward, const std::vector<LayerTimes>& backward,
                    const InnerWork& work)
{
    return PartRun(forward, backward, work).run();
}

LayerTimes layerTimes(const LanguageModel& model, const plan::Configuration& configuration,
                      const plan::Cluster& cluster, bool experts)
{
    LanguageModel narrow = model;
    narrow.dense.ffn = 1;
    const plan::PieceTime whole = layerTime(model, configuration, cluster, experts);
    const plan::PieceTime attention = layerTime(narrow, configuration, cluster, false);
    LayerTimes times;
    divide(times.forward, whole.forward, attention.forward);
    divide(times.backward, whole.backward, attention.backward);
    divide(times.weight, whole.weight, attention.weight);
    return times;
}

std::vector<std::vector<LayerTimes>> stageLayers(const LanguageModel& model,
                                                 const plan::Configuration& configuration,
                                                 const plan::Cluster& cluster, int stages)
{
    const LayerTimes dense = layerTimes(model, configuration, cluster, false);
    const LayerTimes expert =
        model.experts.count > 0 ? layerTimes(model, configuration, cluster, true) : dense;
    std::vector<std::vector<LayerTimes>> all(static_cast<std::size_t>(stages));
    int layer = 0;
    for (const StageId stage : Ids<StageId>(stages)) {
        const int here =
            model.dense.layers / stages + (stage < model.dense.layers % stages ? 1 : 0);
        for (int i = 0; i < here; ++i, ++layer)
            all[static_cast<std::size_t>(stage)].push_back(model.hasExperts(layer) ? expert
                                                                                   : dense);
    }
    return all;
}

void setInnerTimes(Costs& costs, const PipelineSpec& spec,
                   const std::vector<std::vector<LayerTimes>>& layers)
{
    costs.single.clear();
    costs.fused.resize(costs.forward.size());
    costs.pair.resize(costs.forward.size());
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        const auto& own = layers[static_cast<std::size_t>(stage)];
        const auto& other = layers[static_cast<std::size_t>(spec.stages() - 1 - stage)];
        Ticks weight = 0;
        for (const LayerTimes& layer : own)
            weight += layer.sum(PassKind::W);
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const std::size_t cell = cellIndex(spec, stage, segment);
            costs.forward[cell] = runParts(own, {}, {}).end;
            costs.backward[cell] = runParts({}, own, {false, true, false}).end;
            costs.weight[cell] = weight;
            costs.fused[cell] = runParts({}, own, {false, true, true}).end;
            // A device of a pair has stages s and S − 1 − s.
            costs.pair[cell] = runParts(own, other, {true, true, true}).end;
        }
    }
}

} // namespace pw::communication

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/layer_costs.h"

#include "core/base/display_text.h"
#include "core/base/number.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace pw {

namespace {

using LayerTable = std::vector<Ticks> Costs::*;
constexpr std::array<LayerTable, 6> layerTables = {&Costs::forward,   &Costs::backward,
                                                   &Costs::weight,    &Costs::fused,
                                                   &Costs::recompute, &Costs::pair};
constexpr std::size_t forwardKind = 0, backwardKind = 1, weightKind = 2, fusedKind = 3,
                      pairKind = 5;

double lowerMedian(std::vector<double> all)
{
    if (all.empty())
        return 0;
    std::sort(all.begin(), all.end());
    return all[(all.size() - 1) / 2];
}

double sumOf(const std::vector<double>& all)
{
    return std::accumulate(all.begin(), all.end(), 0.0);
}

} // namespace

Result<LayerCosts> LayerCosts::make(const Costs& costs, const PipelineSpec& spec,
                                    std::vector<int> layers, double fixed)
{
    if (spec.routeCount() != 1)
        return fail(ErrorCode::BadValue,
                    "layers are moved where the model lies in the pipeline once, and it does so "
                    "%1 times",
                    spec.routeCount());
    if (layers.size() != static_cast<std::size_t>(spec.stages()))
        return fail(ErrorCode::BadValue, "layers of %1 are given; the order has %2",
                    counted(static_cast<std::int64_t>(layers.size()), "%1 stage", "%1 stages"),
                    spec.stages());
    LayerCosts made;
    for (const int count : layers) {
        if (count < 0)
            return fail(ErrorCode::BadValue, "a stage cannot have %1 layers", count);
        made.m_total += count;
    }
    if (made.m_total > mostModelLayers)
        return fail(ErrorCode::BadValue,
                    "layers are moved of models with up to %1; this one has %2", mostModelLayers,
                    made.m_total);
    if (made.m_total == 0)
        return fail(ErrorCode::BadValue, "no stage has a layer");
    made.m_layers = std::move(layers);
    made.m_segments = spec.segments();
    for (std::size_t i = 0; i < kinds; ++i)
        if (!(costs.*layerTables[i]).empty())
            made.takeKind(costs.*layerTables[i], spec, fixed, made.m_kinds[i]);
    const auto both = [&](std::vector<double> Kind::*part) {
        const bool whole = !made.m_kinds[fusedKind].layer.empty();
        double time = sumOf(made.m_kinds[forwardKind].*part);
        for (const std::size_t kind : {whole ? fusedKind : backwardKind, weightKind})
            if (kind != weightKind || !whole)
                time += sumOf(made.m_kinds[kind].*part);
        return static_cast<Ticks>(std::llround(time));
    };
    made.m_embedding = both(&Kind::first);
    made.m_head = both(&Kind::last);
    return made;
}

void LayerCosts::takeKind(const std::vector<Ticks>& table, const PipelineSpec& spec, double fixed,
                          Kind& kind) const
{
    const int stages = spec.stages(), last = stages - 1;
    const auto segments = static_cast<std::size_t>(m_segments);
    const auto devices = static_cast<std::size_t>(spec.devices);
    kind.layer.assign(static_cast<std::size_t>(m_total) * segments, 0);
    kind.device.assign(devices * segments, 0);
    for (int segment = 0; segment < m_segments; ++segment) {
        const auto at = static_cast<std::size_t>(segment);
        std::vector<double> times;
        for (const StageId stage : Ids<StageId>(stages))
            times.push_back(static_cast<double>(table[cellIndex(spec, stage, segment)]));
        const double pass = fixed * lowerMedian(times);
        for (double& time : times)
            time = std::max(0.0, time - pass);
        std::vector<double> between, all;
        for (int stage = 0; stage < stages; ++stage) {
            const int count = m_layers[static_cast<std::size_t>(stage)];
            if (count == 0)
                continue;
            all.push_back(times[static_cast<std::size_t>(stage)] / count);
            if (stage > 0 && stage < last)
                between.push_back(all.back());
        }
        // Of two stages neither lies between: the lighter one tells what a layer takes.
        const double usual =
            between.empty() ? *std::min_element(all.begin(), all.end()) : lowerMedian(between);
        double first = 0, head = 0;
        std::vector<double> speeds(devices, 0), counts(devices, 0);
        std::size_t layer = 0;
        for (int stage = 0; stage < stages; ++stage) {
            const int count = m_layers[static_cast<std::size_t>(stage)];
            const double time = times[static_cast<std::size_t>(stage)];
            const bool end = stage == 0 || stage == last;
            const double beyond = end ? std::max(0.0, time - count * usual) : 0;
            (stage == last ? head : first) += beyond;
            const double own = count == 0 ? usual : (time - beyond) / count;
            for (int i = 0; i < count; ++i, ++layer)
                kind.layer[layer * segments + at] = own;
            const auto device = static_cast<std::size_t>(spec.device(0, StageId(stage)));
            speeds[device] += own;
            counts[device] += 1;
        }
        for (std::size_t device = 0; device < devices; ++device)
            kind.device[device * segments + at] =
                counts[device] > 0 ? speeds[device] / counts[device] : usual;
        kind.usual += usual;
        kind.first.push_back(first);
        kind.last.push_back(head);
        kind.fixed.push_back(pass);
    }
    kind.before.assign(1, 0);
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(m_total); ++layer) {
        const auto first = kind.layer.begin() + static_cast<std::ptrdiff_t>(layer * segments);
        kind.before.push_back(std::accumulate(first, first + static_cast<std::ptrdiff_t>(segments),
                                              kind.before.back()));
    }
}

double LayerCosts::wholeTime(std::size_t kind, const PipelineSpec& to, int stage, int begin,
                             int count) const
{
    const Kind& of = m_kinds[kind];
    if (of.layer.empty())
        return 0;
    return sumOf(of.fixed) + (stage == 0 ? sumOf(of.first) : 0) +
           (stage + 1 == to.stages() ? sumOf(of.last) : 0) +
           of.before[static_cast<std::size_t>(begin + count)] -
           of.before[static_cast<std::size_t>(begin)];
}

double LayerCosts::stageTime(const Kind& kind, const PipelineSpec& to, int stage, int segment,
                             int begin, int count, Unlike unlike) const
{
    const auto segments = static_cast<std::size_t>(m_segments);
    const auto at = static_cast<std::size_t>(segment);
    double time = kind.fixed[at] + (stage == 0 ? kind.first[at] : 0) +
                  (stage + 1 == to.stages() ? kind.last[at] : 0);
    if (unlike == Unlike::Devices) {
        const auto device = static_cast<std::size_t>(to.device(0, StageId(stage)));
        return time + count * kind.device[device * segments + at];
    }
    for (int i = begin; i < begin + count; ++i)
        time += kind.layer[static_cast<std::size_t>(i) * segments + at];
    return time;
}

LayerCosts::Work LayerCosts::work(const PipelineSpec& to, int stage, int begin, int count) const
{
    const auto time = [&](std::size_t kind) { return wholeTime(kind, to, stage, begin, count); };
    const double forward = time(forwardKind);
    double whole = forward + time(backwardKind) + time(weightKind);
    if (!m_kinds[fusedKind].layer.empty())
        whole = std::min(whole, forward + time(fusedKind));
    if (!m_kinds[pairKind].layer.empty())
        whole = std::min(whole, time(pairKind));
    return {forward, whole};
}

Result<Costs> LayerCosts::split(const Costs& carried, const PipelineSpec& to,
                                std::span<const int> split, Unlike unlike) const
{
    if (to.routeCount() != 1 || to.segments() != m_segments)
        return fail(ErrorCode::BadValue,
                    "layers are moved where the model lies in the pipeline once, with as many "
                    "segments as were measured");
    const int all = std::accumulate(split.begin(), split.end(), 0);
    if (split.size() != static_cast<std::size_t>(to.stages()) || all != m_total)
        return fail(ErrorCode::BadValue,
                    "the split %1 has %2 on %3; the model has %4, and the order %5",
                    layersText(split), counted(all, "%1 layer", "%1 layers"),
                    counted(static_cast<std::int64_t>(split.size()), "%1 stage", "%1 stages"),
                    m_total, to.stages());
    Costs costs = carried;
    for (std::size_t i = 0; i < kinds; ++i) {
        const Kind& kind = m_kinds[i];
        if (kind.layer.empty() || (unlike == Unlike::Devices &&
                                   kind.device.size() < static_cast<std::size_t>(to.devices) *
                                                            static_cast<std::size_t>(m_segments)))
            continue;
        std::vector<Ticks>& table = costs.*layerTables[i];
        table.assign(split.size() * static_cast<std::size_t>(m_segments), 0);
        int begin = 0;
        for (const StageId stage : Ids<StageId>(to.stages())) {
            const int count = split[static_cast<std::size_t>(stage)];
            for (int segment = 0; segment < m_segments; ++segment)
                table[cellIndex(to, stage, segment)] = std::clamp<Ticks>(
                    std::llround(stageTime(kind, to, stage, segment, begin, count, unlike)), 0,
                    longestPass);
            begin += count;
        }
    }
    return costs;
}

Result<std::vector<int>> parseLayers(std::string_view text, int stages, int total)
{
    std::vector<int> layers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string_view cell = text.substr(begin, end - begin);
        while (!cell.empty() && cell.front() == ' ')
            cell.remove_prefix(1);
        while (!cell.empty() && cell.back() == ' ')
            cell.remove_suffix(1);
        constexpr std::int64_t most = 100'000;
        const std::optional<std::int64_t> number = wholeNumber(cell);
        if (!number || *number < 0 || *number > most)
            return fail(ErrorCode::BadValue,
                        "layers of stages are whole numbers with commas between, such as 4,4,4,4, "
                        "and not %1",
                        inQuotes(text));
        layers.push_back(static_cast<int>(*number));
        begin = end + 1;
    }
    if (layers.size() != static_cast<std::size_t>(stages))
        return fail(ErrorCode::BadValue, "%1 gives layers of %2; there are %3", inQuotes(text),
                    counted(static_cast<std::int64_t>(layers.size()), "%1 stage", "%1 stages"),
                    stages);
    const int all = std::accumulate(layers.begin(), layers.end(), 0);
    if (all == 0 || (total > 0 && all != total))
        return fail(ErrorCode::BadValue, "%1 are %2; the model has %3", inQuotes(text),
                    counted(all, "%1 layer", "%1 layers"),
                    total > 0 ? std::to_string(total) : std::string("some"));
    return layers;
}

std::string layersText(std::span<const int> layers)
{
    std::string text;
    for (const int count : layers)
        text += (text.empty() ? "" : ", ") + std::to_string(count);
    return text;
}

std::string shortLayersText(std::span<const int> layers)
{
    constexpr std::size_t few = 4, run = 3;
    if (layers.size() <= few)
        return layersText(layers);
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < layers.size(); begin = end) {
        while (end < layers.size() && layers[end] == layers[begin])
            ++end;
        if (end - begin == layers.size())
            return std::to_string(layers[begin]) + " each";
        const auto part = layers.subspan(begin, end - begin);
        text += (text.empty() ? "" : ", ") +
                (part.size() < run
                     ? layersText(part)
                     : std::to_string(part.size()) + " × " + std::to_string(layers[begin]));
    }
    return text;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/stage_costs.h"

#include "core/base/try.h"
#include "core/cost/pass_times.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace pw {

namespace {

constexpr double maxPassSeconds = msFromTicks(longestPass) / 1000;
/// Above so many devices one link stands for all.
constexpr int maxLinkedDevices = 2048;

/// Parts of a micro-batch before each segment and after the last: 0 … 1, for a layer's two kinds of
/// growth.
struct SegmentParts
{
    std::vector<double> tokens;    ///< what grows with the tokens
    std::vector<double> attention; ///< time of the attention
    std::vector<double> scores;    ///< stored scores; their last may be below 1
};

SegmentParts partsOf(const TransformerModel& model, const std::vector<int>& lengths)
{
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    SegmentParts parts{{0}, {0}, {0}};
    double end = 0;
    for (const int length : lengths) {
        const double n = length / sum;
        end += length;
        const double e = end / sum;
        parts.tokens.push_back(e);
        parts.scores.push_back(parts.scores.back() + n * e);
        parts.attention.push_back(model.skipsMasked ? e * e : parts.scores.back());
    }
    return parts;
}

/// The share of segment q in two amounts. Differences of rounded sums, so the segments sum to the
/// rounded whole.
std::int64_t portion(double perToken, const std::vector<double>& tokens, double quadratic,
                     const std::vector<double>& squares, std::size_t q)
{
    const auto before = [&](std::size_t i) {
        return std::llround(perToken * tokens[i] + quadratic * squares[i]);
    };
    return before(q + 1) - before(q);
}

/// Fills the cells of one spec.
class CostBuilder
{
public:
    CostBuilder(const TransformerModel& model, const Hardware& hardware, const PipelineSpec& spec,
                const LayerSplit& split, RecomputeIn recomputeIn)
        : m_model(model)
        , m_hardware(hardware)
        , m_spec(spec)
        , m_split(split)
        , m_inBackward(recomputeIn == RecomputeIn::Backward &&
                       model.recompute == RecomputePolicy::Full)
        , m_parts(partsOf(model, spec.segmentLengths))
    {
    }

    Result<Costs> build()
    {
        PW_DO(times());
        activations();
        messages();
        PW_DO(parameterBytes());
        links();
        const double usable = m_hardware.memory.value - m_hardware.reserved.value;
        m_costs.memoryCap.assign(static_cast<std::size_t>(m_spec.devices),
                                 static_cast<Bytes>(usable));
        PW_DO(check(m_costs, m_spec));
        return std::move(m_costs);
    }

private:
    std::size_t segments() const { return m_spec.segmentLengths.size(); }

    Result<void> shortEnough(std::string_view pass, StageId stage, double seconds) const
    {
        if (seconds <= maxPassSeconds)
            return {};
        return fail(ErrorCode::TooLarge, "%1 of stage %2 would take %3 s on %4; at most %5 s", pass,
                    stage, std::llround(seconds), m_hardware.name,
                    static_cast<int>(maxPassSeconds));
    }

    Result<void> times()
    {
        const LayerSeconds layer = layerSeconds(m_model, m_hardware);
        const PassSeconds output = outputSeconds(m_model, m_hardware);
        struct Table
        {
            std::vector<Ticks>* ticks;
            double PassSeconds::*part;
            std::string_view pass;
        };
        const Table tables[] = {{&m_costs.forward, &PassSeconds::forward, "F"},
                                {&m_costs.backward, &PassSeconds::backward, "B"},
                                {&m_costs.weight, &PassSeconds::weight, "W"},
                                {&m_costs.recompute, &PassSeconds::recompute, "R"}};
        for (const Table& table : tables) {
            double tokens = layer.perToken.*table.part;
            double scores = layer.scores.*table.part;
            if (m_inBackward && table.part == &PassSeconds::backward) {
                tokens += layer.perToken.recompute;
                scores += layer.scores.recompute;
            }
            const double last = output.*table.part;
            for (const StageId stage : Ids<StageId>(m_split.size())) {
                const StageContent& content = m_split[stage.index()];
                const double all = content.layers * (tokens + scores) + (content.output ? last : 0);
                PW_DO(shortEnough(table.pass, stage, all));
                for (std::size_t q = 0; q < segments(); ++q) {
                    const Ticks ofLayer = portion(tokens * ticksPerSecond, m_parts.tokens,
                                                  scores * ticksPerSecond, m_parts.attention, q);
                    const Ticks ofOutput = content.output
                                               ? portion(last * ticksPerSecond, m_parts.tokens, 0,
                                                         m_parts.attention, q)
                                               : 0;
                    table.ticks->push_back(content.layers * ofLayer + ofOutput);
                }
            }
        }
        return {};
    }

    Bytes inputBytes(StageId stage) const
    {
        if (stage > 0)
            return boundaryBytes(m_model);
        return Bytes{8} * m_model.sequence * m_model.microBatch; // token numbers
    }

    void activations()
    {
        const RecomputePolicy policy = m_model.recompute == RecomputePolicy::Full && !m_inBackward
                                           ? RecomputePolicy::None
                                           : m_model.recompute;
        const ActivationBytes layer = layerActivation(m_model, policy);
        m_costs.activation = activationShares(m_spec, 1, 1);
        for (const StageId stage : Ids<StageId>(m_split.size())) {
            const StageContent& content = m_split[stage.index()];
            Bytes once = content.layers * layer.perToken;
            Bytes kept = content.layers * layerKeptForWeight(m_model);
            if (content.embedding)
                once += embeddingActivation(m_model);
            if (content.output) {
                once += outputActivation(m_model);
                kept += outputKeptForWeight(m_model);
            }
            const Bytes scores = content.layers * layer.scores;
            for (std::size_t q = 0; q < segments(); ++q) {
                ActivationCost& cell = m_costs.activation[stage.index() * segments() + q];
                cell.activation = portion(static_cast<double>(once), m_parts.tokens,
                                          static_cast<double>(scores), m_parts.scores, q);
                // What B has computed again stays until W, however little F has left.
                cell.keptForWeight =
                    m_inBackward ? ofTokens(kept, q) : std::min(cell.activation, ofTokens(kept, q));
                cell.stash = std::min(cell.activation, ofTokens(inputBytes(stage), q));
                cell.keptForWeightShare = shareOf(cell, cell.keptForWeight);
                cell.stashShare = shareOf(cell, cell.stash);
            }
        }
    }

    Bytes ofTokens(Bytes bytes, std::size_t q) const
    {
        return portion(static_cast<double>(bytes), m_parts.tokens, 0, m_parts.tokens, q);
    }

    static Share shareOf(const ActivationCost& cell, Bytes part)
    {
        if (cell.activation == 0)
            return 0;
        const long double ratio = static_cast<long double>(std::min(part, cell.activation)) /
                                  static_cast<long double>(cell.activation);
        return static_cast<Share>(std::llround(ratio * static_cast<long double>(cell.share)));
    }

    void messages()
    {
        const Bytes boundary = boundaryBytes(m_model);
        const StageId last(m_split.size() - 1);
        for (const StageId stage : Ids<StageId>(m_split.size())) {
            for (std::size_t q = 0; q < segments(); ++q) {
                const Bytes bytes = ofTokens(boundary, q);
                m_costs.forwardMessage.push_back(stage < last ? bytes : 0);
                m_costs.backwardMessage.push_back(stage > 0 ? bytes : 0);
            }
        }
    }

    Result<void> parameterBytes()
    {
        const bool exchange = m_model.tiedEmbedding && m_split.size() > 1;
        const std::int64_t shards = m_model.distributedOptimizer ? m_model.dataParallel : 1;
        for (const StageContent& content : m_split) {
            const std::int64_t count = stageParameters(m_model, content);
            m_costs.weights.push_back(count * m_model.weightBytes);
            m_costs.gradients.push_back(count * m_model.gradientBytes);
            m_costs.optimizer.push_back((count * m_model.optimizerBytes + shards - 1) / shards);
            double seconds = updateSeconds(m_model, m_hardware, static_cast<double>(count));
            if (exchange && (content.embedding || content.output)) {
                const double rows =
                    static_cast<double>(m_model.vocabulary) / m_model.tensorParallel;
                seconds += rows * m_model.hidden * m_model.gradientBytes /
                           m_hardware.betweenBandwidth.value;
            }
            PW_DO(shortEnough("U", StageId(m_costs.update.size()), seconds));
            m_costs.update.push_back(std::llround(seconds * ticksPerSecond));
        }
        return {};
    }

    void links()
    {
        const auto link = [](const Figure& latency, const Figure& bandwidth) {
            return Link{std::llround(latency.value * ticksPerSecond), bandwidth.value};
        };
        const Link inside = link(m_hardware.insideLatency, m_hardware.insideBandwidth);
        const Link between = link(m_hardware.betweenLatency, m_hardware.betweenBandwidth);
        const int perNode =
            std::max(1, static_cast<int>(m_hardware.devicesPerNode.value) / m_model.tensorParallel);
        const int p = m_spec.devices;
        m_costs.link = p <= perNode ? inside : between;
        if (p <= perNode || perNode == 1 || p > maxLinkedDevices)
            return;
        for (const DeviceId from : Ids<DeviceId>(p)) {
            for (const DeviceId to : Ids<DeviceId>(p))
                m_costs.links.push_back(from / perNode == to / perNode ? inside : between);
        }
    }

    const TransformerModel& m_model;
    const Hardware& m_hardware;
    const PipelineSpec& m_spec;
    const LayerSplit& m_split;
    bool m_inBackward;
    SegmentParts m_parts;
    Costs m_costs;
};

Result<void> checkTogether(const TransformerModel& model, const PipelineSpec& spec,
                           const LayerSplit& split)
{
    if (spec.segments() > 1 && !model.causal) {
        return fail(ErrorCode::BadValue,
                    "segments is %1, but the attention of %2 is not causal: a token needs the "
                    "whole sequence",
                    spec.segments(), model.name);
    }
    for (const StageId stage : Ids<StageId>(split.size())) {
        if (const int layers = split[stage.index()].multiToken; layers != 0) {
            return fail(ErrorCode::BadValue,
                        "stage %1 has %2 multi-token layers, whose costs are not known", stage,
                        layers);
        }
    }
    return check(split, model.layers, spec.stages());
}

} // namespace

PassFlops stageFlops(const TransformerModel& model, const StageContent& stage)
{
    const PassFlops layer = layerFlops(model);
    const PassFlops output = stage.output ? outputFlops(model) : PassFlops{};
    return {stage.layers * layer.forward + output.forward,
            stage.layers * layer.backward + output.backward,
            stage.layers * layer.weight + output.weight};
}

std::int64_t stageParameters(const TransformerModel& model, const StageContent& stage)
{
    const DeviceParameters parts = deviceParameters(model);
    std::int64_t count = stage.layers * parts.layer;
    if (stage.embedding)
        count += parts.embedding;
    if (stage.output)
        count += parts.output;
    if (stage.embedding && stage.output && model.tiedEmbedding)
        count -= parts.tokenRows;
    return count;
}

Result<Costs> costsOf(const TransformerModel& model, const Hardware& hardware,
                      const PipelineSpec& spec, const LayerSplit& split, RecomputeIn recomputeIn)
{
    PW_DO(check(model));
    PW_DO(check(hardware));
    PW_DO(check(spec));
    PW_DO(checkTogether(model, spec, split));
    return CostBuilder(model, hardware, spec, split, recomputeIn).build();
}

} // namespace pw

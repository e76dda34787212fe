// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/engine_terms.h"

#include "core/cost/stage_memory.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw::plan {

namespace {

/// Rows of the output matrix that a device has where it has one.
std::int64_t outputRows(const LanguageModel& model, const Configuration& configuration)
{
    return vocabularyPart(
        model.dense, configuration.tensorParallel *
                         (vocabularyIsSplit(configuration) ? configuration.pipelineParallel : 1));
}

void appendMlp(std::vector<MatrixShape>& matrices, std::int64_t hidden, std::int64_t width,
               bool gated)
{
    matrices.emplace_back(gated ? 2 * width : width, hidden);
    matrices.emplace_back(hidden, width);
}

std::int64_t tokensOfDevice(const LanguageModel& model, const Configuration& configuration)
{
    return std::int64_t{model.dense.sequence} * configuration.microBatchSize /
           configuration.contextParallel;
}

} // namespace

std::vector<MatrixShape> layerMatrices(const LanguageModel& model,
                                       const Configuration& configuration, int layer)
{
    const TransformerModel& dense = model.dense;
    const Latent& latent = model.latent;
    const std::int64_t h = dense.hidden, t = configuration.tensorParallel;
    const auto split = [t](double width) { return static_cast<std::int64_t>(width) / t; };
    std::vector<MatrixShape> matrices;
    if (latent.keyValue > 0) {
        if (latent.query > 0)
            matrices.emplace_back(latent.query, h);
        matrices.emplace_back(split(model.queryWidth()), latent.query > 0 ? latent.query : h);
        matrices.emplace_back(latent.keyValue + latent.positional, h);
        matrices.emplace_back(
            split(static_cast<double>(dense.heads) * (latent.plain + latent.value)),
            latent.keyValue);
    } else {
        matrices.emplace_back(split(model.queryWidth() + model.keyValueWidth()), h);
    }
    matrices.emplace_back(h, split(model.gatheredWidth()));
    if (!model.hasExperts(layer)) {
        appendMlp(matrices, h, dense.ffnWidth() / t, dense.gatedMlp);
        return matrices;
    }
    appendMlp(matrices, h, model.experts.width, dense.gatedMlp);
    if (model.experts.shared > 0)
        appendMlp(matrices, h, std::int64_t{model.experts.width} * model.experts.shared / t,
                  dense.gatedMlp);
    return matrices;
}

double dummyGradientBytes(const LanguageModel& model, const Configuration& configuration,
                          std::vector<MatrixShape> matrices)
{
    if (!configuration.engine.dummyGradients || !configuration.fusedAccumulation)
        return 0;
    std::sort(matrices.begin(), matrices.end());
    matrices.erase(std::unique(matrices.begin(), matrices.end()), matrices.end());
    double numbers = 0;
    for (const auto& [rows, columns] : matrices)
        numbers += static_cast<double>(rows) * static_cast<double>(columns);
    return model.dense.weightBytes * numbers;
}

double keyValueBytes(const LanguageModel& model, const Configuration& configuration, int layers)
{
    return static_cast<double>(layers * tokensOfDevice(model, configuration)) *
           model.dense.elementBytes * model.keyValueWidth() / configuration.tensorParallel;
}

double joinedSliceBytes(const LanguageModel& model, const Configuration& configuration,
                        const PipelineSpec& spec, int layers)
{
    const bool joins = configuration.engine.joinsSlices && spec.segments() > 1;
    return joins ? keyValueBytes(model, configuration, layers) : 0;
}

namespace {

Bytes nearestBytes(double bytes)
{
    return static_cast<Bytes>(std::llround(std::min(bytes, planMost)));
}

/// Finds what an engine has for the stages of one spec.
class EngineTerms
{
public:
    EngineTerms(const LanguageModel& model, const Configuration& configuration,
                const PipelineSpec& spec)
        : m_model(model)
        , m_configuration(configuration)
        , m_spec(spec)
        , m_first(firstLayers(configuration.split))
        , m_hasDummies(configuration.engine.dummyGradients && configuration.fusedAccumulation)
    {
    }

    std::vector<EngineBytes> build()
    {
        const MemoryParts own = staticMemory(m_model, m_configuration, {});
        for (const StageId s : Ids<StageId>(m_spec.stages())) {
            EngineBytes& stage = m_stages.emplace_back();
            stage.messages = nearestBytes(own.buffers);
            stage.working = nearestBytes(own.working);
            stage.vocabulary = nearestBytes(vocabulary(s));
            stage.loss = nearestBytes(loss(s));
            stage.sliceGradients =
                nearestBytes(joinedSliceBytes(m_model, m_configuration, m_spec, layers(s)));
            if (m_hasDummies)
                stage.dummies = dummiesOf(matrices(s));
        }
        if (m_hasDummies) {
            for (const std::vector<HostedStage>& hosted : chunksOfDevices(m_spec))
                joinDummies(hosted);
        }
        return std::move(m_stages);
    }

private:
    int layers(StageId s) const { return m_configuration.split[s.index()]; }
    bool hasOutput(StageId s) const
    {
        return vocabularyIsSplit(m_configuration) || s == m_spec.stages() - 1;
    }

    std::vector<MatrixShape> matrices(StageId s) const
    {
        std::vector<MatrixShape> all;
        const int first = m_first[s.index()];
        for (int layer = first; layer < first + layers(s); ++layer) {
            const std::vector<MatrixShape> own = layerMatrices(m_model, m_configuration, layer);
            all.insert(all.end(), own.begin(), own.end());
        }
        if (hasOutput(s))
            all.emplace_back(outputRows(m_model, m_configuration), m_model.dense.hidden);
        return all;
    }

    Bytes dummiesOf(std::vector<MatrixShape> shapes) const
    {
        return nearestBytes(dummyGradientBytes(m_model, m_configuration, std::move(shapes)));
    }

    /// The stage of a device that has most stands for all shapes of the device.
    void joinDummies(const std::vector<HostedStage>& hosted)
    {
        if (hosted.size() < 2)
            return;
        std::vector<MatrixShape> all;
        StageId most = hosted.front().stage;
        for (const HostedStage& one : hosted) {
            const std::vector<MatrixShape> own = matrices(one.stage);
            all.insert(all.end(), own.begin(), own.end());
            if (m_stages[one.stage.index()].dummies > m_stages[most.index()].dummies)
                most = one.stage;
        }
        Bytes& dummies = m_stages[most.index()].dummies;
        dummies = std::max(dummies, dummiesOf(std::move(all)));
    }

    double loss(StageId s) const
    {
        if (!hasOutput(s))
            return 0;
        const std::vector<int>& lengths = m_spec.segmentLengths;
        const double longest = *std::max_element(lengths.begin(), lengths.end());
        const double part = longest / std::accumulate(lengths.begin(), lengths.end(), 0.0);
        return part * logitBytes(m_configuration.engine).passing *
               static_cast<double>(tokensOfDevice(m_model, m_configuration)) *
               static_cast<double>(outputRows(m_model, m_configuration));
    }

    double vocabulary(StageId s) const
    {
        return vocabularyIsSplit(m_configuration)
                   ? vocabularyBytes(m_model, m_configuration, m_spec, m_spec.device(0, s))
                   : 0;
    }

    const LanguageModel& m_model;
    const Configuration& m_configuration;
    const PipelineSpec& m_spec;
    std::vector<int> m_first;
    bool m_hasDummies;
    std::vector<EngineBytes> m_stages;
};

} // namespace

std::vector<EngineBytes> engineBytes(const LanguageModel& model, const Configuration& configuration,
                                     const PipelineSpec& spec)
{
    return EngineTerms(model, configuration, spec).build();
}

} // namespace pw::plan

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/engine_terms.h"

#include "core/plan/stage_parts.h"

#include <algorithm>
#include <numeric>

namespace pw::plan {

namespace {

bool hostsStage(const PipelineSpec& spec, DeviceId rank, StageId stage)
{
    for (int route = 0; route < spec.routeCount(); ++route) {
        if (spec.device(route, stage) == rank)
            return true;
    }
    return false;
}

/// Rows of the output matrix that a device has where it has one.
std::int64_t outputRows(const LanguageModel& model, const Configuration& configuration)
{
    const int parts = configuration.tensorParallel *
                      (vocabularyIsSplit(configuration) ? configuration.pipelineParallel : 1);
    return (model.dense.vocabulary + parts - 1) / parts;
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

double dummyGradientBytes(const LanguageModel& model, const Configuration& configuration,
                          const PipelineSpec& spec, DeviceId rank)
{
    const std::vector<int> first = firstLayers(configuration.split);
    std::vector<MatrixShape> matrices;
    bool output = vocabularyIsSplit(configuration);
    for (const StageId s : Ids<StageId>(spec.stages())) {
        if (!hostsStage(spec, rank, s))
            continue;
        const auto i = static_cast<std::size_t>(s);
        output = output || s == spec.stages() - 1;
        for (int layer = first[i]; layer < first[i] + configuration.split[i]; ++layer) {
            const std::vector<MatrixShape> own = layerMatrices(model, configuration, layer);
            matrices.insert(matrices.end(), own.begin(), own.end());
        }
    }
    if (output)
        matrices.emplace_back(outputRows(model, configuration), model.dense.hidden);
    return dummyGradientBytes(model, configuration, std::move(matrices));
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

double sliceGradientBytes(const LanguageModel& model, const Configuration& configuration,
                          const PipelineSpec& spec, DeviceId rank)
{
    int most = 0;
    for (const StageId s : Ids<StageId>(spec.stages())) {
        if (hostsStage(spec, rank, s))
            most = std::max(most, configuration.split[static_cast<std::size_t>(s)]);
    }
    return joinedSliceBytes(model, configuration, spec, most);
}

double lossBytes(const LanguageModel& model, const Configuration& configuration,
                 const PipelineSpec& spec, DeviceId rank)
{
    if (!vocabularyIsSplit(configuration) && !hostsStage(spec, rank, StageId(spec.stages() - 1)))
        return 0;
    const std::vector<int>& lengths = spec.segmentLengths;
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    const double part = longest / std::accumulate(lengths.begin(), lengths.end(), 0.0);
    return part * logitBytes(configuration.engine).passing *
           static_cast<double>(tokensOfDevice(model, configuration)) *
           static_cast<double>(outputRows(model, configuration));
}

} // namespace pw::plan

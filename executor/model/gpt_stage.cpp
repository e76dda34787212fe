// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/gpt_stage.h"

#include "core/base/assert.h"

namespace pw::exec {

namespace {

/// The half of keys and values that is the values.
Matrix valuesOf(Matrix keyValue, Bytes elementBytes)
{
    const std::int64_t h = keyValue.columns / 2;
    return {static_cast<std::byte*>(keyValue.data) + h * elementBytes, keyValue.rows, h,
            keyValue.stride};
}

} // namespace

Matrix Scratch::matrix(std::int64_t rows, std::int64_t columns)
{
    m_buffers.push_back(buffer(rows, columns));
    return {m_buffers.back().data(), rows, columns, columns};
}

Buffer Scratch::buffer(std::int64_t rows, std::int64_t columns)
{
    return {m_ops, rows * columns * m_ops.elementBytes(), MemoryUse::Workspace};
}

void* Scratch::bytes(Bytes bytes)
{
    m_buffers.emplace_back(m_ops, bytes, MemoryUse::Workspace);
    return m_buffers.back().data();
}

void Scratch::drop(Buffer buffer)
{
    if (m_overlapping)
        m_buffers.push_back(std::move(buffer));
}

/// A layer of a cell: its tensors and its weights.
struct GptStage::LayerPlace
{
    Cell& cell;
    const WeightView& weights;
    const ParameterPlaces& places;
    int layer;

    Matrix matrix(LayerTensor which) const { return cell.matrix(tensor(which)); }
    FloatMatrix floats(LayerTensor which) const { return cell.floats(tensor(which)); }
    std::size_t tensor(LayerTensor which) const { return cell.layout().layer(layer, which); }
    std::size_t parameter(LayerParameter which) const { return places.layer(layer, which); }
    Matrix weight(LayerParameter which) const { return weights.matrix(parameter(which)); }
    FloatMatrix bias(LayerParameter which) const { return weights.vector(parameter(which)); }
};

/// What B of a layer needs beside the cell; one for all layers of a pass.
struct GptStage::BackwardSpace
{
    Matrix narrow; ///< h
    Buffer queryGradient;
    Buffer keyValueGradient;
};

GptStage::GptStage(Ops& ops, const GptModel& model, const StageContent& content)
    : m_ops(ops)
    , m_model(model)
    , m_content(content)
    , m_places(content)
{
}

Tokens GptStage::tokensOf(const Cell& cell) const
{
    return {static_cast<const std::int32_t*>(cell.data(CellLayout::tokens)), cell.layout().rows()};
}

std::vector<Matrix> GptStage::keysValues(const LayerPlace& at, std::span<Cell* const> earlier) const
{
    std::vector<Matrix> all;
    for (const Cell* cell : earlier)
        all.push_back(cell->matrix(cell->layout().layer(at.layer, LayerTensor::KeyValue)));
    all.push_back(at.matrix(LayerTensor::KeyValue));
    return all;
}

void GptStage::forward(Cell& cell, std::span<Cell* const> earlier, const WeightView& weights,
                       Matrix out, const Target* target, Scratch& scratch)
{
    const CellLayout& layout = cell.layout();
    const std::size_t firstOfLayers = CellLayout::input + 1;
    cell.takeForNow(0, firstOfLayers);
    if (m_content.embedding) {
        m_ops.embed(tokensOf(cell), layout.segmentTokens(), layout.firstToken(),
                    weights.matrix(ParameterPlaces::tokenTable),
                    weights.matrix(ParameterPlaces::positionTable), cell.matrix(CellLayout::input));
    }
    Matrix stream = cell.matrix(CellLayout::input);
    Buffer narrow;
    if (m_content.layers > 0)
        narrow = scratch.buffer(layout.rows(), m_model.hidden);
    const Matrix space{narrow.data(), layout.rows(), m_model.hidden, m_model.hidden};
    std::vector<Buffer> left;
    for (int layer = 0; layer < m_content.layers; ++layer) {
        const std::size_t first = layout.layer(layer, LayerTensor{});
        const std::size_t last = first + layerTensorCount;
        cell.takeForNow(first, last);
        forwardLayer({cell, weights, m_places, layer}, earlier, stream, out, space);
        stream = out;
        cell.leave(first, last, left);
        for (Buffer& buffer : left)
            scratch.drop(std::move(buffer));
        left.clear();
    }
    scratch.drop(std::move(narrow));
    if (m_content.outputs > 0) {
        const std::size_t first = layout.output(OutputTensor{});
        cell.takeForNow(first, layout.count());
        PW_ASSERT(target != nullptr);
        forwardOutput(cell, weights, stream, *target);
    } else if (m_content.layers == 0) {
        m_ops.copy(out.data, stream.data, layout.inputBytes());
    }
    cell.leave(0, firstOfLayers, left);
    cell.leave(layout.output(OutputTensor{}), layout.count(), left);
    for (Buffer& buffer : left)
        scratch.drop(std::move(buffer));
}

void GptStage::forwardLayer(const LayerPlace& at, std::span<Cell* const> earlier, Matrix in,
                            Matrix out, Matrix space)
{
    using enum LayerTensor;
    constexpr Transpose no = Transpose::No;
    auto product = [&](Matrix x, LayerParameter weight, Matrix y) {
        m_ops.multiply(x, no, at.weight(weight), no, y);
    };
    m_ops.normalize(in, at.matrix(Normal1), at.floats(Inverse1));
    m_ops.affine(at.matrix(Normal1), at.bias(LayerParameter::Norm1Scale),
                 at.bias(LayerParameter::Norm1Shift), at.matrix(Affine1));
    product(at.matrix(Affine1), LayerParameter::Query, at.matrix(Query));
    m_ops.addBias(at.matrix(Query), at.bias(LayerParameter::QueryBias));
    product(at.matrix(Affine1), LayerParameter::KeyValue, at.matrix(KeyValue));
    m_ops.addBias(valuesOf(at.matrix(KeyValue), m_ops.elementBytes()),
                  at.bias(LayerParameter::ValueBias));
    const Attention& shape = at.cell.layout().attention();
    if (m_model.flashAttention)
        m_ops.flashAttention(shape, at.matrix(Query), keysValues(at, earlier),
                             at.floats(Probabilities), at.matrix(AttentionOut));
    else
        m_ops.attention(shape, at.matrix(Query), keysValues(at, earlier), at.matrix(Probabilities),
                        at.matrix(AttentionOut));
    product(at.matrix(AttentionOut), LayerParameter::AttentionOut, space);
    m_ops.addBiasAndResidual(space, at.bias(LayerParameter::AttentionOutBias), in, out);

    m_ops.normalize(out, at.matrix(Normal2), at.floats(Inverse2));
    m_ops.affine(at.matrix(Normal2), at.bias(LayerParameter::Norm2Scale),
                 at.bias(LayerParameter::Norm2Shift), at.matrix(Affine2));
    product(at.matrix(Affine2), LayerParameter::MlpIn, at.matrix(PreGelu));
    m_ops.addBiasAndGelu(at.matrix(PreGelu), at.bias(LayerParameter::MlpInBias), at.matrix(Gelu));
    product(at.matrix(Gelu), LayerParameter::MlpOut, space);
    m_ops.addBiasAndResidual(space, at.bias(LayerParameter::MlpOutBias), out, out);
}

void GptStage::forwardOutput(Cell& cell, const WeightView& weights, Matrix in, const Target& target)
{
    const CellLayout& layout = cell.layout();
    const Matrix normal = cell.matrix(layout.output(OutputTensor::Normal));
    const Matrix affine = cell.matrix(layout.output(OutputTensor::Affine));
    const Matrix logits = cell.matrix(layout.output(OutputTensor::Logits));
    m_ops.normalize(in, normal, cell.floats(layout.output(OutputTensor::Inverse)));
    m_ops.affine(normal, weights.vector(m_places.outputNormScale()),
                 weights.vector(m_places.outputNormShift()), affine);
    m_ops.multiply(affine, Transpose::No, weights.matrix(m_places.outputMatrix()), Transpose::No,
                   logits);
    m_ops.crossEntropy(logits, target.tokens, target.scale, target.loss);
}

void GptStage::backward(Cell& cell, std::span<Cell* const> earlier, const WeightView& weights,
                        Matrix out, const GradientView* gradients, Scratch& scratch)
{
    const std::int64_t rows = cell.layout().rows();
    const std::int64_t h = m_model.hidden;
    const bool anyLayer = m_content.layers > 0;
    BackwardSpace space;
    space.narrow = anyLayer || m_content.outputs > 0 ? scratch.matrix(rows, h) : Matrix{};
    Matrix wide;
    if (anyLayer) {
        wide = scratch.matrix(rows, m_model.ffnWidth());
        space.queryGradient = scratch.buffer(rows, h);
        space.keyValueGradient = scratch.buffer(rows, 2 * h);
    }
    if (m_content.outputs > 0) {
        backwardOutput(cell, weights);
        if (gradients != nullptr)
            weightOutput(cell, weights, *gradients, space.narrow);
    }
    Matrix stream = cell.matrix(CellLayout::input);
    for (int layer = m_content.layers - 1; layer >= 0; --layer) {
        const LayerPlace at{cell, weights, m_places, layer};
        backwardMlp(at, stream, wide);
        if (gradients != nullptr)
            weightMlp(at, stream, *gradients, space.narrow);
        backwardNorm2(at, stream, out);
        stream = out;
        backwardAttention(at, earlier, stream, space);
        if (gradients != nullptr)
            weightAttention(at, stream, *gradients, space.narrow);
        // Nothing before the embedding wants the gradient of the stream, but the embedding's own.
        if (layer > 0 || !m_content.embedding || gradients != nullptr)
            backwardNorm1(at, stream, out);
    }
    if (m_content.embedding && gradients != nullptr)
        weightEmbedding(cell, stream, *gradients);
    else if (!anyLayer && !m_content.embedding)
        m_ops.copy(out.data, stream.data, cell.layout().inputBytes());
    scratch.drop(std::move(space.queryGradient));
    scratch.drop(std::move(space.keyValueGradient));
}

void GptStage::backwardOutput(Cell& cell, const WeightView& weights)
{
    const CellLayout& layout = cell.layout();
    const Matrix gradient = cell.matrix(layout.output(OutputTensor::Affine));
    m_ops.multiply(cell.matrix(layout.output(OutputTensor::Logits)), Transpose::No,
                   weights.matrix(m_places.outputMatrix()), Transpose::Yes, gradient);
    m_ops.normalizeBackward(gradient, cell.matrix(layout.output(OutputTensor::Normal)),
                            cell.floats(layout.output(OutputTensor::Inverse)),
                            weights.vector(m_places.outputNormScale()), Matrix{},
                            cell.matrix(CellLayout::input));
}

void GptStage::backwardMlp(const LayerPlace& at, Matrix above, Matrix wide)
{
    using enum LayerTensor;
    m_ops.multiply(above, Transpose::No, at.weight(LayerParameter::MlpOut), Transpose::Yes, wide);
    m_ops.geluBackward(wide, at.matrix(PreGelu), at.matrix(PreGelu));
    m_ops.multiply(at.matrix(PreGelu), Transpose::No, at.weight(LayerParameter::MlpIn),
                   Transpose::Yes, at.matrix(Affine2));
}

void GptStage::backwardNorm2(const LayerPlace& at, Matrix above, Matrix out)
{
    using enum LayerTensor;
    m_ops.normalizeBackward(at.matrix(Affine2), at.matrix(Normal2), at.floats(Inverse2),
                            at.bias(LayerParameter::Norm2Scale), above, out);
}

void GptStage::backwardAttention(const LayerPlace& at, std::span<Cell* const> earlier,
                                 Matrix middle, BackwardSpace& space)
{
    using enum LayerTensor;
    constexpr Transpose no = Transpose::No;
    constexpr Transpose yes = Transpose::Yes;
    std::vector<Matrix> sums;
    for (const Cell* cell : earlier)
        sums.push_back(cell->matrix(cell->layout().layer(at.layer, KeyValueGradient)));
    const Matrix query = at.matrix(Query);
    const Matrix keyValue = at.matrix(KeyValue);
    const Matrix queryGradient{space.queryGradient.data(), query.rows, query.columns, query.stride};
    const Matrix keyValueGradient{space.keyValueGradient.data(), keyValue.rows, keyValue.columns,
                                  keyValue.stride};
    m_ops.multiply(middle, no, at.weight(LayerParameter::AttentionOut), yes, space.narrow);
    const Attention& shape = at.cell.layout().attention();
    if (m_model.flashAttention)
        m_ops.flashAttentionBackward(shape, query, keysValues(at, earlier),
                                     at.floats(Probabilities), at.matrix(AttentionOut),
                                     space.narrow, queryGradient, keyValueGradient, sums);
    else
        m_ops.attentionBackward(shape, query, keysValues(at, earlier), at.matrix(Probabilities),
                                space.narrow, queryGradient, keyValueGradient, sums);
    if (at.cell.has(at.tensor(KeyValueGradient)))
        m_ops.add(keyValueGradient, at.matrix(KeyValueGradient), keyValueGradient);
    at.cell.exchange(at.tensor(Query), space.queryGradient);
    at.cell.exchange(at.tensor(KeyValue), space.keyValueGradient);
    m_ops.multiply(queryGradient, no, at.weight(LayerParameter::Query), yes, at.matrix(Affine1));
    m_ops.multiply(keyValueGradient, no, at.weight(LayerParameter::KeyValue), yes, space.narrow);
    m_ops.add(at.matrix(Affine1), space.narrow, at.matrix(Affine1));
}

void GptStage::backwardNorm1(const LayerPlace& at, Matrix middle, Matrix out)
{
    using enum LayerTensor;
    m_ops.normalizeBackward(at.matrix(Affine1), at.matrix(Normal1), at.floats(Inverse1),
                            at.bias(LayerParameter::Norm1Scale), middle, out);
}

void GptStage::weight(Cell& cell, const WeightView& weights, const GradientView& gradients,
                      Scratch& scratch)
{
    const std::int64_t rows = cell.layout().rows();
    const bool any = m_content.layers > 0 || m_content.outputs > 0;
    const Matrix space = any ? scratch.matrix(rows, m_model.hidden) : Matrix{};
    if (m_content.outputs > 0)
        weightOutput(cell, weights, gradients, space);
    Matrix stream = cell.matrix(CellLayout::input);
    const Matrix below = m_content.layers > 0 ? scratch.matrix(rows, m_model.hidden) : Matrix{};
    for (int layer = m_content.layers - 1; layer >= 0; --layer) {
        const LayerPlace at{cell, weights, m_places, layer};
        weightMlp(at, stream, gradients, space);
        backwardNorm2(at, stream, below);
        stream = below;
        weightAttention(at, stream, gradients, space);
        if (layer > 0 || m_content.embedding)
            backwardNorm1(at, stream, below);
    }
    if (m_content.embedding)
        weightEmbedding(cell, stream, gradients);
}

void GptStage::weightOutput(Cell& cell, const WeightView& weights, const GradientView& gradients,
                            Matrix space)
{
    const CellLayout& layout = cell.layout();
    const Matrix normal = cell.matrix(layout.output(OutputTensor::Normal));
    m_ops.affine(normal, weights.vector(m_places.outputNormScale()),
                 weights.vector(m_places.outputNormShift()), space);
    m_ops.multiplyAdd(space, Transpose::Yes, cell.matrix(layout.output(OutputTensor::Logits)),
                      Transpose::No, gradients[m_places.outputMatrix()]);
    m_ops.addAffineGradients(cell.matrix(layout.output(OutputTensor::Affine)), normal,
                             gradients[m_places.outputNormScale()],
                             gradients[m_places.outputNormShift()]);
}

void GptStage::weightMlp(const LayerPlace& at, Matrix above, const GradientView& gradients,
                         Matrix space)
{
    using enum LayerTensor;
    auto sums = [&](LayerParameter which) { return gradients[at.parameter(which)]; };
    m_ops.multiplyAdd(at.matrix(Gelu), Transpose::Yes, above, Transpose::No,
                      sums(LayerParameter::MlpOut));
    m_ops.addRowSums(above, sums(LayerParameter::MlpOutBias));
    m_ops.affine(at.matrix(Normal2), at.bias(LayerParameter::Norm2Scale),
                 at.bias(LayerParameter::Norm2Shift), space);
    m_ops.multiplyAdd(space, Transpose::Yes, at.matrix(PreGelu), Transpose::No,
                      sums(LayerParameter::MlpIn));
    m_ops.addRowSums(at.matrix(PreGelu), sums(LayerParameter::MlpInBias));
    m_ops.addAffineGradients(at.matrix(Affine2), at.matrix(Normal2),
                             sums(LayerParameter::Norm2Scale), sums(LayerParameter::Norm2Shift));
}

void GptStage::weightAttention(const LayerPlace& at, Matrix middle, const GradientView& gradients,
                               Matrix space)
{
    using enum LayerTensor;
    auto sums = [&](LayerParameter which) { return gradients[at.parameter(which)]; };
    m_ops.multiplyAdd(at.matrix(AttentionOut), Transpose::Yes, middle, Transpose::No,
                      sums(LayerParameter::AttentionOut));
    m_ops.addRowSums(middle, sums(LayerParameter::AttentionOutBias));
    m_ops.affine(at.matrix(Normal1), at.bias(LayerParameter::Norm1Scale),
                 at.bias(LayerParameter::Norm1Shift), space);
    m_ops.multiplyAdd(space, Transpose::Yes, at.matrix(Query), Transpose::No,
                      sums(LayerParameter::Query));
    m_ops.multiplyAdd(space, Transpose::Yes, at.matrix(KeyValue), Transpose::No,
                      sums(LayerParameter::KeyValue));
    m_ops.addRowSums(at.matrix(Query), sums(LayerParameter::QueryBias));
    m_ops.addRowSums(valuesOf(at.matrix(KeyValue), m_ops.elementBytes()),
                     sums(LayerParameter::ValueBias));
    m_ops.addAffineGradients(at.matrix(Affine1), at.matrix(Normal1),
                             sums(LayerParameter::Norm1Scale), sums(LayerParameter::Norm1Shift));
}

void GptStage::weightEmbedding(Cell& cell, Matrix below, const GradientView& gradients)
{
    const CellLayout& layout = cell.layout();
    m_ops.addEmbeddingGradients(tokensOf(cell), layout.segmentTokens(), layout.firstToken(), below,
                                gradients[ParameterPlaces::tokenTable],
                                gradients[ParameterPlaces::positionTable]);
}

} // namespace pw::exec

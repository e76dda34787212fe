// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_gemm.h"
#include "executor/cpu/cpu_kernels.h"
#include "executor/cpu/vectors.h"

#include <algorithm>
#include <cmath>

namespace pw::exec::cpu {

namespace {

/// Where one head of one sample lies in the matrices of an attention.
struct Head
{
    const Attention& shape;
    int sample = 0;
    int head = 0;

    std::int64_t column() const { return static_cast<std::int64_t>(head) * shape.headSize; }
    /// In a matrix with a row for each query.
    float* ofQueries(Matrix matrix) const
    {
        return row(matrix, static_cast<std::int64_t>(sample) * shape.queries) + column();
    }
    float* keys(Matrix keysValues, int segment) const
    {
        const int tokens = shape.keys[static_cast<std::size_t>(segment)];
        return row(keysValues, static_cast<std::int64_t>(sample) * tokens) + column();
    }
    float* values(Matrix keysValues, int segment) const
    {
        return keys(keysValues, segment) + shape.hidden();
    }
    float* probabilities(Matrix matrix) const { return row(matrix, place() * shape.queries); }
    float* logSums(FloatMatrix sums) const { return sums.data + place() * shape.queries; }

private:
    std::int64_t place() const { return static_cast<std::int64_t>(sample) * shape.heads + head; }
};

/// Calls `act(head)` for every head of every sample.
template<typename Act>
void forEachHead(const Attention& shape, Act act)
{
    for (int sample = 0; sample < shape.samples; ++sample) {
        for (int head = 0; head < shape.heads; ++head)
            act(Head{shape, sample, head});
    }
}

/// Calls `act(segment, tokens, first)` for every segment of keys, `first` the column of its first
/// key among the probabilities.
template<typename Act>
void forEachSegment(const Attention& shape, Act act)
{
    std::int64_t first = 0;
    for (int segment = 0; segment < std::ssize(shape.keys); ++segment) {
        const int tokens = shape.keys[static_cast<std::size_t>(segment)];
        act(segment, std::int64_t{tokens}, first);
        first += tokens;
    }
}

float scoreScale(const Attention& shape)
{
    return 1.0F / std::sqrt(static_cast<float>(shape.headSize));
}

/// Makes probabilities of the scores that a query has with the keys that it may see, and 0 of the
/// others.
void softmax(float* scores, std::int64_t seen, std::int64_t all)
{
    const float most = maximumOf(seen, scores);
    PW_INDEPENDENT
    for (std::int64_t j = 0; j < seen; ++j)
        scores[j] = expOf(scores[j] - most);
    const float whole = 1.0F / sumOf(seen, [scores](std::int64_t j) { return scores[j]; });
    PW_INDEPENDENT
    for (std::int64_t j = 0; j < seen; ++j)
        scores[j] *= whole;
    std::fill(scores + seen, scores + all, 0.0F);
}

/// Makes gradients of the scores of those of the probabilities.
void softmaxBackward(const float* probabilities, float* gradient, std::int64_t seen,
                     std::int64_t all)
{
    const float mean = sumOf(seen, [=](std::int64_t j) { return probabilities[j] * gradient[j]; });
    PW_INDEPENDENT
    for (std::int64_t j = 0; j < seen; ++j)
        gradient[j] = probabilities[j] * (gradient[j] - mean);
    std::fill(gradient + seen, gradient + all, 0.0F);
}

/// A few queries of a head, whose scores stand in memory at a time.
struct QueryBlock
{
    int first = 0; ///< query of the segment
    int count = 0;
    std::int64_t seen = 0; ///< keys that the last of them sees

    float* rows(float* ofHead, std::int64_t stride) const { return ofHead + first * stride; }
};

/// Calls `act(block)` for the queries of a segment, block after block.
template<typename Act>
void forEachBlock(const Attention& shape, Act act)
{
    const std::int64_t before = shape.keyCount() - shape.queries;
    for (int first = 0; first < shape.queries; first += flashQueries) {
        const int count = std::min(flashQueries, shape.queries - first);
        act(QueryBlock{first, count, before + first + count});
    }
}

/// Products of rows of a head with the keys, or values, that a block of queries sees.
template<typename Held>
void multiplySeen(const Attention& shape, const QueryBlock& block, float scale, Factor rows,
                  std::span<const Matrix> keysValues, Held held, float* out)
{
    forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
        const std::int64_t count = std::min(tokens, block.seen - first);
        const Matrix& matrix = keysValues[static_cast<std::size_t>(segment)];
        multiply({block.count, count, shape.headSize}, scale, rows,
                 {held(matrix, segment), matrix.stride, Transpose::Yes}, Into::Nothing, out + first,
                 block.seen);
    });
}

} // namespace

void attention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
               Matrix probabilities, Matrix out)
{
    const std::int64_t all = shape.keyCount();
    const std::int64_t earlier = all - shape.queries;
    const std::int64_t size = shape.headSize;
    forEachHead(shape, [&](const Head& head) {
        float* weights = head.probabilities(probabilities);
        const Factor query{head.ofQueries(queries), queries.stride};
        forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
            const Matrix& held = keysValues[static_cast<std::size_t>(segment)];
            const Factor keys{head.keys(held, segment), held.stride, Transpose::Yes};
            multiply({shape.queries, tokens, size}, scoreScale(shape), query, keys, Into::Nothing,
                     weights + first, probabilities.stride);
        });
        for (std::int64_t i = 0; i < shape.queries; ++i)
            softmax(weights + i * probabilities.stride, earlier + i + 1, all);
        forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
            const Matrix& held = keysValues[static_cast<std::size_t>(segment)];
            multiply({shape.queries, size, tokens}, 1.0F, {weights + first, probabilities.stride},
                     {head.values(held, segment), held.stride},
                     segment == 0 ? Into::Nothing : Into::Sum, head.ofQueries(out), out.stride);
        });
    });
}

void attentionBackward(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                       Matrix probabilities, Matrix gradient, Matrix queryGradient,
                       Matrix keyValueGradient, std::span<const Matrix> earlier, float* scratch)
{
    const std::int64_t all = shape.keyCount();
    const std::int64_t before = all - shape.queries;
    const std::int64_t size = shape.headSize;
    const int own = static_cast<int>(std::ssize(shape.keys)) - 1;
    forEachHead(shape, [&](const Head& head) {
        const float* weights = head.probabilities(probabilities);
        const Factor query{head.ofQueries(queries), queries.stride};
        const Factor slope{head.ofQueries(gradient), gradient.stride};
        forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
            const Matrix& held = keysValues[static_cast<std::size_t>(segment)];
            multiply({shape.queries, tokens, size}, 1.0F, slope,
                     {head.values(held, segment), held.stride, Transpose::Yes}, Into::Nothing,
                     scratch + first, all);
        });
        for (std::int64_t i = 0; i < shape.queries; ++i)
            softmaxBackward(weights + i * probabilities.stride, scratch + i * all, before + i + 1,
                            all);
        forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
            const Matrix& held = keysValues[static_cast<std::size_t>(segment)];
            const Matrix& target =
                segment == own ? keyValueGradient : earlier[static_cast<std::size_t>(segment)];
            const Into into = segment == own ? Into::Nothing : Into::Sum;
            multiply({shape.queries, size, tokens}, scoreScale(shape), {scratch + first, all},
                     {head.keys(held, segment), held.stride},
                     segment == 0 ? Into::Nothing : Into::Sum, head.ofQueries(queryGradient),
                     queryGradient.stride);
            multiply({tokens, size, shape.queries}, scoreScale(shape),
                     {scratch + first, all, Transpose::Yes}, query, into,
                     head.keys(target, segment), target.stride);
            multiply({tokens, size, shape.queries}, 1.0F,
                     {weights + first, probabilities.stride, Transpose::Yes}, slope, into,
                     head.values(target, segment), target.stride);
        });
    });
}

void flashAttention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                    FloatMatrix logSums, Matrix out, float* scratch)
{
    const std::int64_t before = shape.keyCount() - shape.queries;
    forEachHead(shape, [&](const Head& head) {
        forEachBlock(shape, [&](const QueryBlock& block) {
            const Factor query{block.rows(head.ofQueries(queries), queries.stride), queries.stride};
            multiplySeen(
                shape, block, scoreScale(shape), query, keysValues,
                [&](const Matrix& held, int segment) { return head.keys(held, segment); }, scratch);
            for (int i = 0; i < block.count; ++i) {
                float* const scores = scratch + i * block.seen;
                const std::int64_t seen = before + block.first + i + 1;
                const float most = maximumOf(seen, scores);
                softmax(scores, seen, block.seen);
                // The largest score has the weight 1 ⁄ Σ exp(score − most).
                head.logSums(logSums)[block.first + i] = most - std::log(maximumOf(seen, scores));
            }
            forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
                const Matrix& held = keysValues[static_cast<std::size_t>(segment)];
                multiply({block.count, shape.headSize, std::min(tokens, block.seen - first)}, 1.0F,
                         {scratch + first, block.seen}, {head.values(held, segment), held.stride},
                         segment == 0 ? Into::Nothing : Into::Sum,
                         block.rows(head.ofQueries(out), out.stride), out.stride);
            });
        });
    });
}

namespace {

/// What the backward of a block of queries reads and writes.
struct FlashBackward
{
    const Attention& shape;
    std::span<const Matrix> keysValues;
    Factor query;
    Factor slope;
    float* weights; ///< of the block, `seen` apart
    float* flow;    ///< gradients of the scores
    float* queryGradient;
    std::int64_t stride; ///< of its rows
};

/// Makes weights of scores and, of the gradients of the weights, those of the scores.
void flowOf(const QueryBlock& block, const FlashBackward& at, const float* logSums,
            const float* out, std::int64_t outStride)
{
    const std::int64_t before = at.shape.keyCount() - at.shape.queries;
    for (int i = 0; i < block.count; ++i) {
        float* const weights = at.weights + i * block.seen;
        float* const flow = at.flow + i * block.seen;
        const float* const slope = at.slope.data + i * at.slope.stride;
        const float* const result = out + i * outStride;
        const std::int64_t seen = before + block.first + i + 1;
        const float logSum = logSums[block.first + i];
        const float mean =
            sumOf(at.shape.headSize, [=](std::int64_t c) { return slope[c] * result[c]; });
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < seen; ++j) {
            weights[j] = expOf(weights[j] - logSum);
            flow[j] = weights[j] * (flow[j] - mean);
        }
        std::fill(weights + seen, weights + block.seen, 0.0F);
        std::fill(flow + seen, flow + block.seen, 0.0F);
    }
}

/// Gradients of the block's queries, and what it adds to those of a segment's keys and values.
void addGradients(const QueryBlock& block, const FlashBackward& at, const Head& head,
                  const Matrix& held, const Matrix& target, int segment, std::int64_t first,
                  std::int64_t tokens)
{
    const std::int64_t count = std::min(tokens, block.seen - first);
    const std::int64_t size = at.shape.headSize;
    const float scale = scoreScale(at.shape);
    multiply({block.count, size, count}, scale, {at.flow + first, block.seen},
             {head.keys(held, segment), held.stride}, segment == 0 ? Into::Nothing : Into::Sum,
             at.queryGradient, at.stride);
    multiply({count, size, block.count}, scale, {at.flow + first, block.seen, Transpose::Yes},
             at.query, Into::Sum, head.keys(target, segment), target.stride);
    multiply({count, size, block.count}, 1.0F, {at.weights + first, block.seen, Transpose::Yes},
             at.slope, Into::Sum, head.values(target, segment), target.stride);
}

} // namespace

void flashAttentionBackward(const Attention& shape, Matrix queries,
                            std::span<const Matrix> keysValues, FloatMatrix logSums, Matrix out,
                            Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                            std::span<const Matrix> earlier, float* scratch)
{
    const int own = static_cast<int>(std::ssize(shape.keys)) - 1;
    for (std::int64_t i = 0; i < keyValueGradient.rows; ++i)
        std::fill_n(row(keyValueGradient, i), keyValueGradient.columns, 0.0F);
    forEachHead(shape, [&](const Head& head) {
        forEachBlock(shape, [&](const QueryBlock& block) {
            const auto rows = [&](Matrix matrix) {
                return block.rows(head.ofQueries(matrix), matrix.stride);
            };
            const FlashBackward at{shape,
                                   keysValues,
                                   {rows(queries), queries.stride},
                                   {rows(gradient), gradient.stride},
                                   scratch,
                                   scratch + block.count * block.seen,
                                   rows(queryGradient),
                                   queryGradient.stride};
            multiplySeen(
                shape, block, scoreScale(shape), at.query, keysValues,
                [&](const Matrix& held, int segment) { return head.keys(held, segment); },
                at.weights);
            multiplySeen(
                shape, block, 1.0F, at.slope, keysValues,
                [&](const Matrix& held, int segment) { return head.values(held, segment); },
                at.flow);
            flowOf(block, at, head.logSums(logSums), rows(out), out.stride);
            forEachSegment(shape, [&](int segment, std::int64_t tokens, std::int64_t first) {
                const auto s = static_cast<std::size_t>(segment);
                addGradients(block, at, head, keysValues[s],
                             segment == own ? keyValueGradient : earlier[s], segment, first,
                             tokens);
            });
        });
    });
}

} // namespace pw::exec::cpu

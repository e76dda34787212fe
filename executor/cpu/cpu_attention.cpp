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
    float* probabilities(Matrix matrix) const
    {
        const std::int64_t before = static_cast<std::int64_t>(sample) * shape.heads + head;
        return row(matrix, before * shape.queries);
    }
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

} // namespace pw::exec::cpu

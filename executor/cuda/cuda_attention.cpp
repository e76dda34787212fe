// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_attention.h"

#include <cmath>

namespace pw::exec::cuda {

namespace {

/// The part of a matrix that one head of one sample reads or writes, and how far apart these parts
/// are.
struct Slice
{
    void* data = nullptr; ///< of head 0 of sample 0
    std::int64_t stride = 0;
    std::int64_t perSample = 0; ///< elements to the next sample's
    std::int64_t perHead = 0;   ///< elements to the next head's
};

/// All products of one kind: one for every head of every sample.
class HeadProducts
{
public:
    HeadProducts(const AttentionPlace& place, const Attention& shape)
        : m_place(place)
        , m_shape(shape)
        , m_byHead(shape.heads >= shape.samples)
    {
    }

    /// out (rows × columns) = a · b, or += where it adds.
    void run(Slice a, Transpose ta, Slice b, Transpose tb, Slice out, std::int64_t rows,
             std::int64_t columns, std::int64_t inner, bool adds) const
    {
        const int calls = m_byHead ? m_shape.samples : m_shape.heads;
        const int together = m_byHead ? m_shape.heads : m_shape.samples;
        for (int call = 0; call < calls; ++call) {
            const Factor left{at(a, call), a.stride, ta == Transpose::Yes, next(a)};
            const Factor right{at(b, call), b.stride, tb == Transpose::Yes, next(b)};
            m_place.launches.add<launchProduct>(
                "attention", &m_place.blas, m_place.type, left, right,
                Product{at(out, call), rows, columns, inner, out.stride, m_place.type, adds,
                        together, next(out)});
        }
    }

private:
    std::int64_t next(const Slice& slice) const
    {
        return m_byHead ? slice.perHead : slice.perSample;
    }
    void* at(const Slice& slice, int call) const
    {
        const std::int64_t elements = call * (m_byHead ? slice.perSample : slice.perHead);
        const std::int64_t bytes = m_place.type == Type::Float32 ? 4 : 2;
        return static_cast<std::byte*>(slice.data) + elements * bytes;
    }

    const AttentionPlace& m_place;
    const Attention& m_shape;
    bool m_byHead;
};

/// The slices of a matrix; see the layout at `Attention`.
class Slices
{
public:
    Slices(const AttentionPlace& place, const Attention& shape)
        : m_element(place.type == Type::Float32 ? 4 : 2)
        , m_shape(shape)
    {
    }

    /// Heads side by side, from a column on; `tokens` rows a sample.
    Slice tokens(const Matrix& matrix, std::int64_t tokens, std::int64_t column = 0) const
    {
        return {moved(matrix, column), matrix.stride, tokens * matrix.stride, m_shape.headSize};
    }
    /// Heads below each other: probabilities and their like, from a key on.
    Slice scores(const Matrix& matrix, std::int64_t key) const
    {
        const std::int64_t perHead = m_shape.queries * matrix.stride;
        return {moved(matrix, key), matrix.stride, m_shape.heads * perHead, perHead};
    }

private:
    void* moved(const Matrix& matrix, std::int64_t column) const
    {
        return static_cast<std::byte*>(matrix.data) + column * m_element;
    }

    std::int64_t m_element;
    const Attention& m_shape;
};

View viewOf(const Matrix& matrix, Type type)
{
    return {matrix.data, matrix.rows, matrix.columns, matrix.stride, type};
}

float scoreScale(const Attention& shape)
{
    return 1.0F / std::sqrt(static_cast<float>(shape.headSize));
}

/// Keys that the first query of the segment sees: all earlier segments', and its own.
std::int64_t firstKeys(const Attention& shape)
{
    return shape.keyCount() - shape.queries + 1;
}

constexpr Transpose no = Transpose::No;
constexpr Transpose yes = Transpose::Yes;

} // namespace

void attend(const AttentionPlace& place, const Attention& shape, Matrix queries,
            std::span<const Matrix> keysValues, Matrix probabilities, Matrix out)
{
    const HeadProducts products(place, shape);
    const Slices slices(place, shape);
    const std::int64_t rows = shape.queries;
    const Slice query = slices.tokens(queries, rows);
    std::int64_t key = 0;
    for (std::size_t s = 0; s < keysValues.size(); ++s) {
        const std::int64_t count = shape.keys[s];
        products.run(query, no, slices.tokens(keysValues[s], count), yes,
                     slices.scores(probabilities, key), rows, count, shape.headSize, false);
        key += count;
    }
    place.launches.add<launchCausalSoftmax>("attention", viewOf(probabilities, place.type), rows,
                                            firstKeys(shape), scoreScale(shape));
    key = 0;
    for (std::size_t s = 0; s < keysValues.size(); ++s) {
        const std::int64_t count = shape.keys[s];
        products.run(slices.scores(probabilities, key), no,
                     slices.tokens(keysValues[s], count, shape.hidden()), no,
                     slices.tokens(out, rows), rows, shape.headSize, count, s > 0);
        key += count;
    }
}

void attendBackward(const AttentionPlace& place, const Attention& shape, Matrix queries,
                    std::span<const Matrix> keysValues, Matrix probabilities, Matrix gradient,
                    Matrix queryGradient, Matrix keyValueGradient, std::span<const Matrix> earlier,
                    Matrix scores)
{
    const HeadProducts products(place, shape);
    const Slices slices(place, shape);
    const std::int64_t rows = shape.queries;
    const Slice slope = slices.tokens(gradient, rows);
    const std::size_t own = keysValues.size() - 1;
    const auto gradientOf = [&](std::size_t segment) {
        return segment == own ? keyValueGradient : earlier[segment];
    };

    // Of the values, and of the probabilities.
    std::int64_t key = 0;
    for (std::size_t s = 0; s <= own; ++s) {
        const std::int64_t count = shape.keys[s];
        products.run(slices.scores(probabilities, key), yes, slope, no,
                     slices.tokens(gradientOf(s), count, shape.hidden()), count, shape.headSize,
                     rows, s != own);
        products.run(slope, no, slices.tokens(keysValues[s], count, shape.hidden()), yes,
                     slices.scores(scores, key), rows, count, shape.headSize, false);
        key += count;
    }
    place.launches.add<launchCausalSoftmaxBackward>(
        "attentionBackward", viewOf(probabilities, place.type), viewOf(scores, place.type), rows,
        firstKeys(shape), scoreScale(shape));
    // Of the queries and the keys.
    key = 0;
    for (std::size_t s = 0; s <= own; ++s) {
        const std::int64_t count = shape.keys[s];
        products.run(slices.scores(scores, key), no, slices.tokens(keysValues[s], count), no,
                     slices.tokens(queryGradient, rows), rows, shape.headSize, count, s > 0);
        products.run(slices.scores(scores, key), yes, slices.tokens(queries, rows), no,
                     slices.tokens(gradientOf(s), count), count, shape.headSize, rows, s != own);
        key += count;
    }
}

namespace {

/// `columns` columns of a matrix, from one on.
View columnsOf(const Matrix& matrix, Type type, std::int64_t first, std::int64_t columns)
{
    const std::int64_t element = type == Type::Float32 ? 4 : 2;
    return {static_cast<std::byte*>(matrix.data) + first * element, matrix.rows, columns,
            matrix.stride, type};
}

/// The queries against the keys and values of segment `s`, whose first key is `firstKey`.
FlashAttention flashOf(const AttentionPlace& place, const Attention& shape, const Matrix& queries,
                       const Matrix& keyValue, std::size_t s, int firstKey, float* logSums)
{
    const int h = shape.hidden();
    FlashAttention what;
    what.samples = shape.samples;
    what.heads = shape.heads;
    what.headSize = shape.headSize;
    what.queries = shape.queries;
    what.keys = shape.keys[s];
    what.before = shape.keyCount() - shape.queries - firstKey;
    what.scale = scoreScale(shape);
    what.first = s == 0;
    what.query = viewOf(queries, place.type);
    what.key = columnsOf(keyValue, place.type, 0, h);
    what.value = columnsOf(keyValue, place.type, h, h);
    what.logSum = logSums;
    what.tensorCores = place.tensorCores;
    return what;
}

} // namespace

void attendFlash(const AttentionPlace& place, const Attention& shape, Matrix queries,
                 std::span<const Matrix> keysValues, float* logSums, Matrix out)
{
    int firstKey = 0;
    for (std::size_t s = 0; s < keysValues.size(); ++s) {
        place.launches.add<launchFlashAttention>(
            "flashAttention", flashOf(place, shape, queries, keysValues[s], s, firstKey, logSums),
            viewOf(out, place.type));
        firstKey += shape.keys[s];
    }
}

void attendFlashBackward(const AttentionPlace& place, const Attention& shape, Matrix queries,
                         std::span<const Matrix> keysValues, const FlashBackwardPlaces& at)
{
    const int h = shape.hidden();
    int firstKey = 0;
    for (std::size_t s = 0; s < keysValues.size(); ++s) {
        const bool own = s + 1 == keysValues.size();
        const Matrix& target = own ? at.keyValueGradient : at.earlier[s];
        FlashGradients gradients;
        gradients.out = viewOf(at.out, place.type);
        gradients.gradient = viewOf(at.gradient, place.type);
        gradients.ofQuery = viewOf(at.queryGradient, place.type);
        gradients.ofKey = columnsOf(target, place.type, 0, h);
        gradients.ofValue = columnsOf(target, place.type, h, h);
        gradients.adds = !own;
        gradients.slope = at.slopes;
        place.launches.add<launchFlashAttentionBackward>(
            "flashAttentionBackward",
            flashOf(place, shape, queries, keysValues[s], s, firstKey, at.logSums), gradients);
        firstKey += shape.keys[s];
    }
}

} // namespace pw::exec::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/everywhere.cuh"

#include <cmath>

// Work that needs sums or maxima of whole rows. A row belongs to a warp or to a block; it is read
// once from memory and again from the caches.
namespace pw::exec::cuda {

namespace {

template<typename T, int Lanes, int Threads>
__global__ void __launch_bounds__(blockThreads)
    normalizeRows(Rows<T> x, Rows<T> normalized, float* inverse, std::int64_t rows,
                  std::int64_t columns, float epsilon)
{
    const float share = 1.0F / static_cast<float>(columns);
    for (std::int64_t row = firstRow(); row < rows; row += rowStride()) {
        float sum = 0;
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float value[Lanes];
            load<Lanes>(x.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                sum += value[i];
        }
        const float mean = reduceRow<Sum, Threads>(sum) * share;
        float squares = 0; // of the distances: no cancellation where the mean is large
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float value[Lanes];
            load<Lanes>(x.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                squares += (value[i] - mean) * (value[i] - mean);
        }
        const float variance = reduceRow<Sum, Threads>(squares) * share;
        const float factor = 1.0F / sqrtf(variance + epsilon);
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float value[Lanes];
            load<Lanes>(x.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                value[i] = (value[i] - mean) * factor;
            store<Lanes>(normalized.at(row, c), value);
        }
        if (threadIdx.x == 0)
            inverse[row] = factor;
    }
}

/// With g = gradient ∘ scale and n = normalized: (g − mean(g) − n · mean(g ∘ n)) ⁄ σ.
template<typename T, int Lanes, int Threads>
__global__ void __launch_bounds__(blockThreads)
    normalizeBackwardRows(Rows<T> gradient, Rows<T> normalized, const float* inverse,
                          const float* scale, Rows<T> residual, Rows<T> out, std::int64_t rows,
                          std::int64_t columns)
{
    const float share = 1.0F / static_cast<float>(columns);
    for (std::int64_t row = firstRow(); row < rows; row += rowStride()) {
        float sum = 0;
        float sumNormalized = 0;
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float slope[Lanes];
            float value[Lanes];
            float factor[Lanes];
            load<Lanes>(gradient.at(row, c), slope);
            load<Lanes>(normalized.at(row, c), value);
            load<Lanes>(scale + c, factor);
#pragma unroll
            for (int i = 0; i < Lanes; ++i) {
                const float g = slope[i] * factor[i];
                sum += g;
                sumNormalized += g * value[i];
            }
        }
        const float mean = reduceRow<Sum, Threads>(sum) * share;
        const float meanNormalized = reduceRow<Sum, Threads>(sumNormalized) * share;
        const float over = inverse[row];
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float slope[Lanes];
            float value[Lanes];
            float factor[Lanes];
            float rest[Lanes] = {};
            load<Lanes>(gradient.at(row, c), slope);
            load<Lanes>(normalized.at(row, c), value);
            load<Lanes>(scale + c, factor);
            if (residual.data != nullptr)
                load<Lanes>(residual.at(row, c), rest);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                rest[i] += over * (slope[i] * factor[i] - mean - value[i] * meanNormalized);
            store<Lanes>(out.at(row, c), rest);
        }
    }
}

/// Maximum of a row, and the sum of the exponentials of the distances to it, in one reading.
struct Exponentials
{
    float most = -INFINITY;
    float sum = 0;

    __device__ void add(float value)
    {
        if (value > most) {
            sum = sum * expf(most - value) + 1.0F;
            most = value;
        } else if (value > -INFINITY) {
            sum += expf(value - most);
        }
    }
};

struct Most
{
    __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

template<int Threads>
__device__ inline Exponentials reduceExponentials(Exponentials own)
{
    Exponentials all;
    all.most = reduceRow<Most, Threads>(own.most);
    // A thread without elements has nothing to scale.
    const float scaled = own.sum > 0 ? own.sum * expf(own.most - all.most) : 0.0F;
    all.sum = reduceRow<Sum, Threads>(scaled);
    return all;
}

template<typename T, int Lanes, int Threads>
__global__ void __launch_bounds__(blockThreads)
    softmaxRows(Rows<T> scores, std::int64_t rows, std::int64_t columns, std::int64_t queries,
                std::int64_t firstKeys, float scale)
{
    for (std::int64_t row = firstRow(); row < rows; row += rowStride()) {
        const std::int64_t seen = firstKeys + row % queries;
        Exponentials exponentials;
        for (std::int64_t c = threadIdx.x * Lanes; c < seen; c += Threads * Lanes) {
            float value[Lanes];
            load<Lanes>(scores.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                if (c + i < seen)
                    exponentials.add(value[i] * scale);
        }
        exponentials = reduceExponentials<Threads>(exponentials);
        const float share = 1.0F / exponentials.sum;
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float value[Lanes] = {};
            if (c < seen)
                load<Lanes>(scores.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                value[i] = c + i < seen ? expf(value[i] * scale - exponentials.most) * share : 0.0F;
            store<Lanes>(scores.at(row, c), value);
        }
    }
}

template<typename T, int Lanes, int Threads>
__global__ void __launch_bounds__(blockThreads)
    softmaxBackwardRows(Rows<T> probabilities, Rows<T> gradient, std::int64_t rows,
                        std::int64_t columns, std::int64_t queries, std::int64_t firstKeys,
                        float scale)
{
    for (std::int64_t row = firstRow(); row < rows; row += rowStride()) {
        const std::int64_t seen = firstKeys + row % queries;
        float sum = 0;
        for (std::int64_t c = threadIdx.x * Lanes; c < seen; c += Threads * Lanes) {
            float share[Lanes];
            float slope[Lanes];
            load<Lanes>(probabilities.at(row, c), share);
            load<Lanes>(gradient.at(row, c), slope);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                sum += c + i < seen ? share[i] * slope[i] : 0.0F;
        }
        sum = reduceRow<Sum, Threads>(sum);
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float share[Lanes] = {};
            float slope[Lanes] = {};
            if (c < seen) {
                load<Lanes>(probabilities.at(row, c), share);
                load<Lanes>(gradient.at(row, c), slope);
            }
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                slope[i] = c + i < seen ? share[i] * (slope[i] - sum) * scale : 0.0F;
            store<Lanes>(gradient.at(row, c), slope);
        }
    }
}

template<typename T, int Lanes, int Threads>
__global__ void __launch_bounds__(blockThreads)
    crossEntropyRows(Rows<T> logits, std::int64_t rows, std::int64_t columns,
                     const std::int32_t* targets, float scale, float* losses)
{
    for (std::int64_t row = firstRow(); row < rows; row += rowStride()) {
        const std::int64_t target = targets[row];
        const float atTarget = toFloat(*logits.at(row, target));
        // The others without the target: what it lacks of 1 is then no difference of two numbers.
        Exponentials others;
        others.most = atTarget;
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float value[Lanes];
            load<Lanes>(logits.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                if (c + i != target)
                    others.add(value[i]);
        }
        // Every thread's maximum depends on the target's logit: after this all have read it.
        others = reduceExponentials<Threads>(others);
        const float sum = others.sum + expf(atTarget - others.most);
        const float share = scale / sum;
        if (threadIdx.x == 0)
            losses[row] = logf(sum) + others.most - atTarget;
        for (std::int64_t c = threadIdx.x * Lanes; c < columns; c += Threads * Lanes) {
            float value[Lanes];
            load<Lanes>(logits.at(row, c), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                value[i] =
                    c + i == target ? -others.sum * share : expf(value[i] - others.most) * share;
            store<Lanes>(logits.at(row, c), value);
        }
    }
}

__global__ void __launch_bounds__(blockThreads)
    addSumOf(const float* values, std::int64_t count, float* sum)
{
    float own = 0;
    for (std::int64_t i = threadIdx.x; i < count; i += blockThreads)
        own += values[i];
    own = reduceRow<Sum, blockThreads>(own);
    if (threadIdx.x == 0)
        *sum += own;
}

/// Launches Kernel<T, Lanes, Threads>::run with a warp or a block a row.
template<template<typename, int, int> class Kernel, typename T, int Lanes, typename... Arguments>
void launchLanes(const View& shape, cudaStream_t stream, Arguments... arguments)
{
    const RowLaunch launch = rowLaunch(shape.rows, shape.columns);
    if (launch.warpRows)
        Kernel<T, Lanes, warpSize_>::launch(launch, stream, shape, arguments...);
    else
        Kernel<T, Lanes, blockThreads>::launch(launch, stream, shape, arguments...);
}

template<template<typename, int, int> class Kernel, typename... Arguments>
void launchRows(const View& shape, bool wideRows, cudaStream_t stream, Arguments... arguments)
{
    using Half = __nv_bfloat16;
    if (shape.type == Type::Float32) {
        if (wideRows)
            launchLanes<Kernel, float, wideLanes<float>>(shape, stream, arguments...);
        else
            launchLanes<Kernel, float, 1>(shape, stream, arguments...);
    } else if (wideRows) {
        launchLanes<Kernel, Half, wideLanes<Half>>(shape, stream, arguments...);
    } else {
        launchLanes<Kernel, Half, 1>(shape, stream, arguments...);
    }
}

template<typename T, int Lanes, int Threads>
struct Normalize
{
    static void launch(RowLaunch how, cudaStream_t stream, View shape, View x, View normalized,
                       float* inverse, float epsilon)
    {
        normalizeRows<T, Lanes, Threads><<<how.grid, how.block, 0, stream>>>(
            x, normalized, inverse, shape.rows, shape.columns, epsilon);
    }
};

template<typename T, int Lanes, int Threads>
struct NormalizeBackward
{
    static void launch(RowLaunch how, cudaStream_t stream, View shape, View gradient,
                       View normalized, const float* inverse, const float* scale, View residual,
                       View out)
    {
        normalizeBackwardRows<T, Lanes, Threads><<<how.grid, how.block, 0, stream>>>(
            gradient, normalized, inverse, scale, residual, out, shape.rows, shape.columns);
    }
};

template<typename T, int Lanes, int Threads>
struct Softmax
{
    static void launch(RowLaunch how, cudaStream_t stream, View scores, std::int64_t queries,
                       std::int64_t firstKeys, float scale)
    {
        softmaxRows<T, Lanes, Threads><<<how.grid, how.block, 0, stream>>>(
            scores, scores.rows, scores.columns, queries, firstKeys, scale);
    }
};

template<typename T, int Lanes, int Threads>
struct SoftmaxBackward
{
    static void launch(RowLaunch how, cudaStream_t stream, View gradient, View probabilities,
                       std::int64_t queries, std::int64_t firstKeys, float scale)
    {
        softmaxBackwardRows<T, Lanes, Threads><<<how.grid, how.block, 0, stream>>>(
            probabilities, gradient, gradient.rows, gradient.columns, queries, firstKeys, scale);
    }
};

template<typename T, int Lanes, int Threads>
struct CrossEntropy
{
    static void launch(RowLaunch how, cudaStream_t stream, View logits, const std::int32_t* targets,
                       float scale, float* losses)
    {
        crossEntropyRows<T, Lanes, Threads><<<how.grid, how.block, 0, stream>>>(
            logits, logits.rows, logits.columns, targets, scale, losses);
    }
};

} // namespace

void launchNormalize(View x, View normalized, float* inverse, float epsilon, cudaStream_t stream)
{
    if (empty(x))
        return;
    launchRows<Normalize>(x, wide(x) && wide(normalized), stream, x, normalized, inverse, epsilon);
}

void launchNormalizeBackward(View gradient, View normalized, const float* inverse,
                             const float* scale, View residual, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    const bool wideRows =
        wide(gradient) && wide(normalized) && wide(residual) && wide(out) && dividedBy16(scale);
    launchRows<NormalizeBackward>(out, wideRows, stream, gradient, normalized, inverse, scale,
                                  residual, out);
}

void launchCausalSoftmax(View scores, std::int64_t queries, std::int64_t firstKeys, float scale,
                         cudaStream_t stream)
{
    if (empty(scores))
        return;
    launchRows<Softmax>(scores, wide(scores), stream, queries, firstKeys, scale);
}

void launchCausalSoftmaxBackward(View probabilities, View gradient, std::int64_t queries,
                                 std::int64_t firstKeys, float scale, cudaStream_t stream)
{
    if (empty(gradient))
        return;
    launchRows<SoftmaxBackward>(gradient, wide(probabilities) && wide(gradient), stream,
                                probabilities, queries, firstKeys, scale);
}

void launchCrossEntropy(View logits, const std::int32_t* targets, float scale, float* losses,
                        cudaStream_t stream)
{
    if (empty(logits))
        return;
    launchRows<CrossEntropy>(logits, wide(logits), stream, targets, scale, losses);
}

void launchAddSum(const float* values, std::int64_t count, float* sum, cudaStream_t stream)
{
    if (count > 0)
        addSumOf<<<1, blockThreads, 0, stream>>>(values, count, sum);
}

} // namespace pw::exec::cuda

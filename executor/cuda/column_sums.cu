// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/everywhere.cuh"

// Sums down the columns. The rows are cut into parts so that enough blocks share the work; each
// block adds up its part, and a second kernel adds the parts in their order.
namespace pw::exec::cuda {

namespace {

constexpr int across = 32; ///< threads along a row
constexpr int down = blockThreads / across;
constexpr std::int64_t rowsOfPart = 64;      ///< the least
constexpr std::int64_t wantedBlocks = 512;   ///< a constant, so that sums do not follow the GPU
constexpr std::int64_t columnsOfBlock = 128; ///< with the fewest lanes of a wide access

std::int64_t partsOf(std::int64_t rows, std::int64_t columns)
{
    const std::int64_t blocks = ceilDivide(columns, columnsOfBlock);
    const std::int64_t wanted = ceilDivide(wantedBlocks, blocks);
    const std::int64_t most = ceilDivide(rows, rowsOfPart);
    return wanted < most ? wanted : most;
}

/// Element-wise factors of the second sum; without them there is only the first.
template<typename T, int Lanes, bool WithProducts>
__global__ void __launch_bounds__(blockThreads)
    sumParts(Rows<T> gradient, Rows<T> normalized, std::int64_t rows, std::int64_t columns,
             std::int64_t rowsOfOne, float* sums, float* products)
{
    __shared__ float shared[down][across * Lanes];
    const std::int64_t column =
        (static_cast<std::int64_t>(blockIdx.x) * across + threadIdx.x) * Lanes;
    const std::int64_t begin = blockIdx.y * rowsOfOne;
    const std::int64_t end = begin + rowsOfOne < rows ? begin + rowsOfOne : rows;
    float sum[Lanes] = {};
    float product[Lanes] = {};
    if (column < columns) {
        for (std::int64_t row = begin + threadIdx.y; row < end; row += down) {
            float slope[Lanes];
            load<Lanes>(gradient.at(row, column), slope);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                sum[i] += slope[i];
            if constexpr (WithProducts) {
                float value[Lanes];
                load<Lanes>(normalized.at(row, column), value);
#pragma unroll
                for (int i = 0; i < Lanes; ++i)
                    product[i] += slope[i] * value[i];
            }
        }
    }
    const auto addUp = [&](const float(&own)[Lanes], float* to) {
        __syncthreads(); // what the last sum left here has been read
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            shared[threadIdx.y][i * across + threadIdx.x] = own[i];
        __syncthreads();
        if (threadIdx.y != 0 || column >= columns)
            return;
#pragma unroll
        for (int i = 0; i < Lanes; ++i) {
            float all = 0;
            for (int y = 0; y < down; ++y)
                all += shared[y][i * across + threadIdx.x];
            to[blockIdx.y * columns + column + i] = all;
        }
    };
    addUp(sum, sums);
    if constexpr (WithProducts)
        addUp(product, products);
}

__global__ void __launch_bounds__(blockThreads)
    addParts(const float* parts, std::int64_t count, std::int64_t columns, float* out)
{
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * blockThreads + threadIdx.x;
    if (column >= columns)
        return;
    // One rounding, however many parts and micro-batches there are.
    double sum = out[column];
    for (std::int64_t part = 0; part < count; ++part)
        sum += parts[part * columns + column];
    out[column] = static_cast<float>(sum);
}

template<typename T, int Lanes, bool WithProducts>
void launchParts(View gradient, View normalized, std::int64_t parts, float* sums, float* products,
                 cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>(ceilDivide(gradient.columns, across * Lanes)),
                    static_cast<unsigned>(parts));
    sumParts<T, Lanes, WithProducts><<<grid, dim3(across, down), 0, stream>>>(
        gradient, normalized, gradient.rows, gradient.columns, ceilDivide(gradient.rows, parts),
        sums, products);
}

template<bool WithProducts>
void launchSums(View gradient, View normalized, std::int64_t parts, float* sums, float* products,
                cudaStream_t stream)
{
    using Half = __nv_bfloat16;
    const bool wideRows = wide(gradient) && (!WithProducts || wide(normalized));
    if (gradient.type == Type::Float32 && wideRows)
        launchParts<float, 4, WithProducts>(gradient, normalized, parts, sums, products, stream);
    else if (gradient.type == Type::Float32)
        launchParts<float, 1, WithProducts>(gradient, normalized, parts, sums, products, stream);
    else if (wideRows)
        launchParts<Half, 8, WithProducts>(gradient, normalized, parts, sums, products, stream);
    else
        launchParts<Half, 1, WithProducts>(gradient, normalized, parts, sums, products, stream);
}

void launchAddParts(const float* parts, std::int64_t count, std::int64_t columns, float* out,
                    cudaStream_t stream)
{
    const unsigned blocks = static_cast<unsigned>(ceilDivide(columns, blockThreads));
    addParts<<<blocks, blockThreads, 0, stream>>>(parts, count, columns, out);
}

} // namespace

std::int64_t columnSumScratch(std::int64_t rows, std::int64_t columns, int sums)
{
    return rows <= 0 || columns <= 0 ? 0 : partsOf(rows, columns) * columns * sums;
}

void launchAddRowSums(View gradient, float* bias, float* scratch, cudaStream_t stream)
{
    if (empty(gradient))
        return;
    const std::int64_t parts = partsOf(gradient.rows, gradient.columns);
    launchSums<false>(gradient, gradient, parts, scratch, nullptr, stream);
    launchAddParts(scratch, parts, gradient.columns, bias, stream);
}

void launchAddAffineGradients(View gradient, View normalized, float* scale, float* shift,
                              float* scratch, cudaStream_t stream)
{
    if (empty(gradient))
        return;
    const std::int64_t parts = partsOf(gradient.rows, gradient.columns);
    float* const products = scratch + parts * gradient.columns;
    launchSums<true>(gradient, normalized, parts, scratch, products, stream);
    launchAddParts(scratch, parts, gradient.columns, shift, stream);
    launchAddParts(products, parts, gradient.columns, scale, stream);
}

} // namespace pw::exec::cuda

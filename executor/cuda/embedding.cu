// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/everywhere.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace pw::exec::cuda {

namespace {

template<typename T, int Lanes>
struct Embed
{
    static constexpr int lanes = Lanes;
    const std::int32_t* tokens;
    std::int64_t positions;
    std::int64_t first;
    Rows<T> table;
    Rows<T> positionTable;
    Rows<T> out;

    __device__ void operator()(std::int64_t row, std::int64_t column) const
    {
        float value[Lanes];
        float place[Lanes];
        load<Lanes>(table.at(tokens[row], column), value);
        load<Lanes>(positionTable.at(first + row % positions, column), place);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] += place[i];
        store<Lanes>(out.at(row, column), value);
    }
};

/// Rows of gradients in the order of their tokens, for the sums below.
struct TokenSort
{
    std::int32_t* rows;   ///< 0, 1, 2 …
    std::int32_t* tokens; ///< sorted
    std::int32_t* order;  ///< row of each; rows of one token in the order in which they come
    void* space;          ///< of the sort
    std::size_t spaceBytes;

    TokenSort(void* scratch, std::int64_t count)
        : rows(static_cast<std::int32_t*>(scratch))
        , tokens(rows + padded(count))
        , order(tokens + padded(count))
        , space(order + padded(count))
        , spaceBytes(0)
    {
    }
    /// Arrays begin where any access may.
    static std::int64_t padded(std::int64_t count) { return ceilDivide(count, 64) * 64; }
    static std::int64_t arrayBytes(std::int64_t count)
    {
        return 3 * padded(count) * static_cast<std::int64_t>(sizeof(std::int32_t));
    }
};

__global__ void __launch_bounds__(blockThreads) numberRows(std::int32_t* rows, std::int64_t count)
{
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockThreads + threadIdx.x;
         i < count; i += static_cast<std::int64_t>(gridDim.x) * blockThreads)
        rows[i] = static_cast<std::int32_t>(i);
}

constexpr int rowsAtOnce = blockThreads / warpSize_;

/// The block of a token's first row adds up all of its rows, several at once; the others end at
/// once. What is added to what follows from the rows alone.
template<typename T, int Lanes>
__global__ void __launch_bounds__(blockThreads)
    addTokenRuns(const std::int32_t* tokens, const std::int32_t* order, Rows<T> gradient,
                 std::int64_t rows, std::int64_t columns, float* table)
{
    const std::int64_t first = blockIdx.x;
    const std::int32_t token = tokens[first];
    if (first > 0 && tokens[first - 1] == token)
        return;
    const std::int64_t column =
        (static_cast<std::int64_t>(blockIdx.y) * warpSize_ + threadIdx.x) * Lanes;
    const bool inside = column < columns;
    float sum[Lanes] = {};
    for (std::int64_t i = first + threadIdx.y; inside && i < rows && tokens[i] == token;
         i += rowsAtOnce) {
        float value[Lanes];
        load<Lanes>(gradient.at(order[i], column), value);
#pragma unroll
        for (int k = 0; k < Lanes; ++k)
            sum[k] += value[k];
    }
    __shared__ float parts[rowsAtOnce][warpSize_ * Lanes];
#pragma unroll
    for (int k = 0; k < Lanes; ++k)
        parts[threadIdx.y][threadIdx.x * Lanes + k] = sum[k];
    __syncthreads();
    if (threadIdx.y > 0 || !inside)
        return;
    float* const to = table + token * columns + column;
    float value[Lanes];
    load<Lanes>(to, value);
#pragma unroll
    for (int k = 0; k < Lanes; ++k) {
        float all = parts[0][threadIdx.x * Lanes + k];
        for (int part = 1; part < rowsAtOnce; ++part)
            all += parts[part][threadIdx.x * Lanes + k];
        value[k] += all;
    }
    store<Lanes>(to, value);
}

/// Row p of the position table: the sum over the samples, one after the other.
template<typename T, int Lanes>
struct AddPositionGradient
{
    static constexpr int lanes = Lanes;
    Rows<T> gradient;
    std::int64_t samples;
    std::int64_t positions;
    Rows<float> table;

    __device__ void operator()(std::int64_t position, std::int64_t column) const
    {
        float sum[Lanes] = {};
        for (std::int64_t sample = 0; sample < samples; ++sample) {
            float value[Lanes];
            load<Lanes>(gradient.at(sample * positions + position, column), value);
#pragma unroll
            for (int i = 0; i < Lanes; ++i)
                sum[i] += value[i];
        }
        float value[Lanes];
        load<Lanes>(table.at(position, column), value);
#pragma unroll
        for (int i = 0; i < Lanes; ++i)
            value[i] += sum[i];
        store<Lanes>(table.at(position, column), value);
    }
};

template<typename T, int Lanes>
void launchAddTokenRows(const TokenSort& sorted, View gradient, float* table, cudaStream_t stream)
{
    const dim3 block(warpSize_, rowsAtOnce);
    const dim3 grid(static_cast<unsigned>(gradient.rows),
                    static_cast<unsigned>(ceilDivide(gradient.columns, warpSize_ * Lanes)));
    addTokenRuns<T, Lanes><<<grid, block, 0, stream>>>(
        sorted.tokens, sorted.order, Rows<T>(gradient), gradient.rows, gradient.columns, table);
}

/// Bits that token numbers below `vocabulary` need.
int bitsOf(std::int64_t vocabulary)
{
    int bits = 1;
    while ((std::int64_t{1} << bits) < vocabulary)
        ++bits;
    return bits;
}

} // namespace

void launchEmbed(const std::int32_t* tokens, std::int64_t positions, std::int64_t first, View table,
                 View positionTable, View out, cudaStream_t stream)
{
    if (empty(out))
        return;
    launchTyped<Embed>(out.type, wide(table) && wide(positionTable) && wide(out), out.rows,
                       out.columns, stream, tokens, positions, first, table, positionTable, out);
}

std::int64_t tokenSortBytes(std::int64_t count, std::int64_t vocabulary)
{
    std::size_t space = 0;
    cub::DeviceRadixSort::SortPairs(
        nullptr, space, static_cast<const std::int32_t*>(nullptr),
        static_cast<std::int32_t*>(nullptr), static_cast<const std::int32_t*>(nullptr),
        static_cast<std::int32_t*>(nullptr), static_cast<int>(count), 0, bitsOf(vocabulary));
    return TokenSort::arrayBytes(count) + static_cast<std::int64_t>(space);
}

void launchAddTokenGradients(const std::int32_t* tokens, std::int64_t vocabulary, View gradient,
                             float* table, void* scratch, std::int64_t scratchBytes,
                             cudaStream_t stream)
{
    if (empty(gradient))
        return;
    TokenSort sorted(scratch, gradient.rows);
    sorted.spaceBytes =
        static_cast<std::size_t>(scratchBytes - TokenSort::arrayBytes(gradient.rows));
    constexpr std::int64_t mostBlocks = 1024;
    const auto blocks =
        static_cast<unsigned>(least(ceilDivide(gradient.rows, blockThreads), mostBlocks));
    numberRows<<<blocks, blockThreads, 0, stream>>>(sorted.rows, gradient.rows);
    // A stable sort: rows of one token stay in their order.
    cub::DeviceRadixSort::SortPairs(sorted.space, sorted.spaceBytes, tokens, sorted.tokens,
                                    static_cast<const std::int32_t*>(sorted.rows), sorted.order,
                                    static_cast<int>(gradient.rows), 0, bitsOf(vocabulary), stream);
    const bool wideRows = wide(gradient) && dividedBy16(table);
    using Half = __nv_bfloat16;
    if (gradient.type == Type::Float32 && wideRows)
        launchAddTokenRows<float, wideLanes<float>>(sorted, gradient, table, stream);
    else if (gradient.type == Type::Float32)
        launchAddTokenRows<float, 1>(sorted, gradient, table, stream);
    else if (wideRows)
        launchAddTokenRows<Half, wideLanes<Half>>(sorted, gradient, table, stream);
    else
        launchAddTokenRows<Half, 1>(sorted, gradient, table, stream);
}

void launchAddPositionGradients(std::int64_t positions, std::int64_t first, View gradient,
                                float* positionTable, cudaStream_t stream)
{
    if (empty(gradient) || positions <= 0)
        return;
    const View table{positionTable + first * gradient.columns, positions, gradient.columns,
                     gradient.columns, Type::Float32};
    launchTyped<AddPositionGradient>(gradient.type, wide(gradient) && wide(table), positions,
                                     gradient.columns, stream, gradient, gradient.rows / positions,
                                     positions, table);
}

} // namespace pw::exec::cuda

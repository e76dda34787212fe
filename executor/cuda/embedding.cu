// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/everywhere.cuh"

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

/// Rows are found with the same token as row blockIdx.x by all threads together, one tile of
/// tokens after the other; then each thread adds up its columns. The block of a token's first row
/// does it, the blocks of later rows end at once.
template<typename T, int Lanes>
__global__ void __launch_bounds__(blockThreads)
    addTokenGradients(const std::int32_t* tokens, Rows<T> gradient, std::int64_t rows,
                      std::int64_t columns, float* table)
{
    __shared__ int found[blockThreads];
    __shared__ int countOfWarp[blockThreads / warpSize_];
    const std::int64_t own = blockIdx.x;
    const std::int32_t token = tokens[own];

    bool earlier = false;
    for (std::int64_t row = threadIdx.x; row < own; row += blockThreads)
        earlier = earlier || tokens[row] == token;
    if (__syncthreads_or(earlier))
        return;

    const std::int64_t column =
        (static_cast<std::int64_t>(blockIdx.y) * blockThreads + threadIdx.x) * Lanes;
    const bool inside = column < columns;
    float sum[Lanes] = {};
    const int lane = threadIdx.x % warpSize_;
    const int warp = threadIdx.x / warpSize_;
    for (std::int64_t tile = own; tile < rows; tile += blockThreads) {
        // Equal tokens of the tile, in their order.
        const std::int64_t row = tile + threadIdx.x;
        const bool equal = row < rows && tokens[row] == token;
        const unsigned ballot = __ballot_sync(0xffffffffU, equal);
        if (lane == 0)
            countOfWarp[warp] = __popc(ballot);
        __syncthreads();
        int before = __popc(ballot & ((1U << lane) - 1U));
        int count = 0;
        for (int other = 0; other < blockThreads / warpSize_; ++other) {
            before += other < warp ? countOfWarp[other] : 0;
            count += countOfWarp[other];
        }
        if (equal)
            found[before] = static_cast<int>(threadIdx.x);
        __syncthreads();
        for (int i = 0; inside && i < count; ++i) {
            float value[Lanes];
            load<Lanes>(gradient.at(tile + found[i], column), value);
#pragma unroll
            for (int k = 0; k < Lanes; ++k)
                sum[k] += value[k];
        }
        __syncthreads(); // before the next tile overwrites what was found
    }
    if (!inside)
        return;
    float* const to = table + token * columns + column;
    float value[Lanes];
    load<Lanes>(to, value);
#pragma unroll
    for (int k = 0; k < Lanes; ++k)
        value[k] += sum[k];
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
void launchAddTokenRows(const std::int32_t* tokens, View gradient, float* table,
                        cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>(gradient.rows),
                    static_cast<unsigned>(ceilDivide(gradient.columns, blockThreads * Lanes)));
    addTokenGradients<T, Lanes><<<grid, blockThreads, 0, stream>>>(
        tokens, Rows<T>(gradient), gradient.rows, gradient.columns, table);
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

void launchAddTokenGradients(const std::int32_t* tokens, View gradient, float* table,
                             cudaStream_t stream)
{
    if (empty(gradient))
        return;
    const bool wideRows = wide(gradient) && dividedBy16(table);
    using Half = __nv_bfloat16;
    if (gradient.type == Type::Float32 && wideRows)
        launchAddTokenRows<float, wideLanes<float>>(tokens, gradient, table, stream);
    else if (gradient.type == Type::Float32)
        launchAddTokenRows<float, 1>(tokens, gradient, table, stream);
    else if (wideRows)
        launchAddTokenRows<Half, wideLanes<Half>>(tokens, gradient, table, stream);
    else
        launchAddTokenRows<Half, 1>(tokens, gradient, table, stream);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/flash_tiles.h"
#include "executor/cuda/kernel_tools.cuh"
#include "executor/cuda/tensor_cores.cuh"

// What the kernels of attention on tensor cores share. A block has four warps with 16 rows each of
// its own tile, whose numbers stay in registers; tiles of the other side come by shared memory.
//
// Scores and their gradients are never in memory: what one product has left in a warp's registers
// lies there as the left factor of the next one needs it, but for the rounding to 16 bits.
//
// @source arXiv:2307.08691
namespace pw::exec::cuda {

using Half = __nv_bfloat16;

constexpr float log2OfE = 1.44269504088896340736F;
constexpr float logOf2 = 0.69314718055994530942F;

/// Of heads of at most `Depth` numbers.
template<int Depth>
struct TensorTile
{
    static constexpr int threads = 128;
    static constexpr int warpRows = 16;
    static constexpr int ownRows = threads / warpSize_ * warpRows;
    static constexpr int pitch = Depth + 8; ///< 8 rows from one column on are in different banks
    static constexpr int steps = Depth / 16;
    static constexpr int blocks = Depth / 8;
};

__device__ inline int laneOfWarp()
{
    return static_cast<int>(threadIdx.x) % warpSize_;
}

/// First of the rows of the tile that the warp has.
__device__ inline int rowOfWarp()
{
    return static_cast<int>(threadIdx.x) / warpSize_ * 16;
}

/// Row of 16 that the upper half of a lane's numbers is in; the lower is 8 further.
__device__ inline int rowOfLane()
{
    return laneOfWarp() / 4;
}

/// Column of 8 that a lane's first number is in; the second is the next.
__device__ inline int columnOfLane()
{
    return laneOfWarp() % 4 * 2;
}

/// How many keys of the segment a query sees, if it is there.
__device__ inline int keysSeen(const FlashSides<Half>& call, int query)
{
    const int seen = call.before + query + 1;
    return call.keys < seen ? call.keys : seen;
}

/// One head of one sample: rows are tokens.
struct HeadRows
{
    const Half* data;
    std::int64_t stride;
    int tokens;
    int columns;

    __device__ HeadRows(FlashRows<const Half> all, const FlashPlace& place, int ofSample,
                        int headSize)
        : data(all.data + static_cast<std::int64_t>(place.sample) * ofSample * all.stride +
               static_cast<std::int64_t>(place.head) * headSize)
        , stride(all.stride)
        , tokens(ofSample)
        , columns(headSize)
    {
    }
    __device__ const Half* at(int row) const { return data + row * stride; }
};

/// Begins to bring rows `first` … into shared memory; what lies outside becomes 0.
template<int Depth, int Rows>
__device__ inline void fetchRows(const HeadRows& from, int first, Half* to)
{
    using Tile = TensorTile<Depth>;
    constexpr int packs = Depth == 96 ? 16 : Depth / 8; // of a row, a power of 2
    constexpr int step = Tile::threads / packs;
    const int row = static_cast<int>(threadIdx.x) / packs;
    const int column = static_cast<int>(threadIdx.x) % packs * 8;
    if (column >= Depth)
        return;
    const int last = column < from.columns ? from.tokens - first - row : 0;
    const Half* at = from.data + (first + row) * from.stride + column;
    Half* const there = to + row * Tile::pitch + column;
#pragma unroll
    for (int i = 0; i < Rows / step; ++i) {
        beginCopy(there + i * step * Tile::pitch, at, i * step < last);
        at += step * from.stride;
    }
}

/// The warp's rows of a tile, as a left factor.
template<int Depth>
__device__ inline void loadOwnRows(const Half* tile, unsigned (&own)[Depth / 16][4])
{
    const int lane = laneOfWarp();
    const Half* const row =
        tile + (rowOfWarp() + lane % 16) * TensorTile<Depth>::pitch + lane / 16 * 8;
#pragma unroll
    for (int step = 0; step < Depth / 16; ++step)
        loadMatrices(own[step], row + step * 16);
}

template<int Blocks>
__device__ inline void clearSums(float (&sum)[Blocks][4])
{
#pragma unroll
    for (int block = 0; block < Blocks; ++block) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            sum[block][i] = 0;
    }
}

/// sum = own · rowsᵀ, for 8 · Blocks rows of a tile.
template<int Depth, int Blocks>
__device__ inline void multiplyByRows(const unsigned (&own)[Depth / 16][4], const Half* rows,
                                      float (&sum)[Blocks][4])
{
    const int lane = laneOfWarp();
    const Half* const first =
        rows + (lane / 16 * 8 + lane % 8) * TensorTile<Depth>::pitch + lane / 8 % 2 * 8;
    clearSums(sum);
#pragma unroll
    for (int step = 0; step < Depth / 16; ++step) {
#pragma unroll
        for (int pair = 0; pair < Blocks / 2; ++pair) {
            unsigned right[4];
            loadMatrices(right, first + pair * 16 * TensorTile<Depth>::pitch + step * 16);
            multiplyMatrices(sum[2 * pair], own[step], right[0], right[1]);
            multiplyMatrices(sum[2 * pair + 1], own[step], right[2], right[3]);
        }
    }
}

/// sum += weights · rows, for 16 rows of a tile.
template<int Depth>
__device__ inline void addWeightedRows(const unsigned (&weights)[4], const Half* rows,
                                       float (&sum)[Depth / 8][4])
{
    const int lane = laneOfWarp();
    const Half* const first = rows + lane % 16 * TensorTile<Depth>::pitch + lane / 16 * 8;
#pragma unroll
    for (int pair = 0; pair < Depth / 16; ++pair) {
        unsigned right[4];
        loadTransposed(right, first + pair * 16);
        multiplyMatrices(sum[2 * pair], weights, right[0], right[1]);
        multiplyMatrices(sum[2 * pair + 1], weights, right[2], right[3]);
    }
}

/// Two neighbouring blocks of 8 columns, rounded, as a left factor of 16 columns.
__device__ inline void roundToFactor(const float (&left)[4], const float (&right)[4],
                                     unsigned (&factor)[4])
{
    factor[0] = packHalves(left[0], left[1]);
    factor[1] = packHalves(left[2], left[3]);
    factor[2] = packHalves(right[0], right[1]);
    factor[3] = packHalves(right[2], right[3]);
}

/// Sum, or maximum, of a row, whose columns four lanes have.
template<typename Rule>
__device__ inline float reduceQuad(float value)
{
    value = Rule::of(value, __shfl_xor_sync(0xffffffffU, value, 1));
    return Rule::of(value, __shfl_xor_sync(0xffffffffU, value, 2));
}

/// Calls `act(to, half, block)` for every two neighbouring numbers of a lane that lie inside, with
/// their place in the matrix.
template<int Depth, typename Act>
__device__ inline void forOwnPairs(FlashRows<Half> all, const FlashPlace& place, int tokens,
                                   int headSize, Act act)
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int token = place.first + rowOfWarp() + rowOfLane() + half * 8;
        if (token >= tokens)
            continue;
        Half* const row = all.data +
                          (static_cast<std::int64_t>(place.sample) * tokens + token) * all.stride +
                          static_cast<std::int64_t>(place.head) * headSize + columnOfLane();
#pragma unroll
        for (int block = 0; block < Depth / 8; ++block) {
            if (block * 8 < headSize)
                act(row + block * 8, half, block);
        }
    }
}

/// Stores sums times a factor, or adds them to what is there.
template<int Depth>
__device__ inline void storeSums(FlashRows<Half> to, const FlashPlace& place, int tokens,
                                 int headSize, const float (&sum)[Depth / 8][4], float factor,
                                 bool adds)
{
    forOwnPairs<Depth>(to, place, tokens, headSize, [&](Half* at, int half, int block) {
        float pair[2] = {0, 0};
        if (adds)
            load<2>(at, pair);
        pair[0] += sum[block][2 * half] * factor;
        pair[1] += sum[block][2 * half + 1] * factor;
        store<2>(at, pair);
    });
}

} // namespace pw::exec::cuda

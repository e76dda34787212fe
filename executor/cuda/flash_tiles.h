// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#define PW_TILE __host__ __device__ inline
#else
#define PW_TILE inline
#endif
#if defined(__CUDA_ARCH__)
#define PW_UNROLL _Pragma("unroll")
#else
#define PW_UNROLL
#endif

// Attention tile by tile, without a matrix of scores: what one block of threads does. The same code
// runs on a GPU, where `Threads` is a block and its barrier, and on the host, where it is a loop,
// so that the arithmetic of the tiles is tested without a GPU.
//
// A block is written as phases: within one, threads touch nothing that another one writes. All
// sums are 32-bit floats, always added in one order.
//
// @source arXiv:2205.14135, algorithms 1 and 4; arXiv:2307.08691 for the order of the loops
namespace pw::exec::cuda {

/// Sizes of the tiles of a block, for heads of at most `Depth` numbers. Threads stand in `groups`
/// rows and `lanes` columns.
template<int Depth, int QueryRows, int KeyRows, int Threads>
struct FlashTile
{
    static constexpr int depth = Depth;
    static constexpr int queryRows = QueryRows;
    static constexpr int keyRows = KeyRows;
    static constexpr int threads = Threads;
    static constexpr int groups = 8;
    static constexpr int lanes = threads / groups;
    static constexpr int pitch = Depth + 1; ///< odd: rows begin in different banks
    static constexpr int scorePitch = KeyRows + 1;
    static constexpr int queriesOfThread = QueryRows / groups;
    static constexpr int scoresOfThread = KeyRows / lanes;
    static constexpr int keysOfThread = KeyRows / groups;
    static constexpr int columnsOfThread = Depth / lanes;

    static_assert(queriesOfThread * groups == QueryRows && keysOfThread * groups == KeyRows);
    static_assert(scoresOfThread * lanes == KeyRows && columnsOfThread * lanes == Depth);
};

/// Tiles by the size of a head: 64, 128 or 256. All fit into the 48 KiB that every GPU has.
template<int Depth>
struct FlashTiles;

template<>
struct FlashTiles<64>
{
    using Forward = FlashTile<64, 64, 32, 128>;
    using Backward = FlashTile<64, 32, 32, 128>;
};

template<>
struct FlashTiles<128>
{
    using Forward = FlashTile<128, 32, 32, 128>;
    using Backward = FlashTile<128, 16, 16, 128>;
};

template<>
struct FlashTiles<256>
{
    using Forward = FlashTile<256, 16, 16, 128>;
    using Backward = FlashTile<256, 8, 8, 64>;
};

/// Rows of a matrix, `stride` numbers apart.
template<typename T>
struct FlashRows
{
    T* data = nullptr;
    std::int64_t stride = 0;
};

/// Queries of one segment against the keys and values of one segment, for all heads of all samples.
///
/// Rows are tokens, sample after sample; a head is `headSize` neighbouring columns.
template<typename T>
struct FlashSides
{
    int samples = 1;
    int heads = 1;
    int headSize = 1;
    int queries = 1;   ///< of a sample
    int keys = 1;      ///< of a sample, in this segment
    int before = 0;    ///< query i sees keys 0 … before + i
    float scale = 1;   ///< of the scores
    bool first = true; ///< nothing of an earlier segment is there to be taken along
    FlashRows<const T> query;
    FlashRows<const T> key;
    FlashRows<const T> value;
    float* logSum = nullptr; ///< of the exponentials, by sample, head and query
};

template<typename T>
struct FlashForwardCall : FlashSides<T>
{
    FlashRows<T> out;
};

template<typename T>
struct FlashBackwardCall : FlashSides<T>
{
    FlashRows<const T> out;
    FlashRows<const T> gradient;
    FlashRows<T> ofQuery; ///< replaced at the first segment, added to at the others
    FlashRows<T> ofKey;
    FlashRows<T> ofValue;
    bool adds = false;      ///< to what stands in ofKey and ofValue
    float* slope = nullptr; ///< Σ gradient ∘ out, by sample, head and query; written with ofQuery
};

PW_TILE float flashFloat(float value)
{
    return value;
}
PW_TILE void flashStore(float* to, float value)
{
    *to = value;
}
#if defined(__CUDACC__)
PW_TILE float flashFloat(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}
PW_TILE void flashStore(__nv_bfloat16* to, float value)
{
    *to = __float2bfloat16_rn(value);
}
#endif

/// What a block works on.
struct FlashPlace
{
    int sample = 0;
    int head = 0;
    int first = 0; ///< query, or key

    /// @param tiles  of one head
    /// @param rows   of a tile
    PW_TILE static FlashPlace of(std::int64_t block, int tiles, int rows, int heads)
    {
        FlashPlace place;
        // The last queries see most: they begin first.
        place.first = (tiles - 1 - static_cast<int>(block % tiles)) * rows;
        place.head = static_cast<int>(block / tiles % heads);
        place.sample = static_cast<int>(block / tiles / heads);
        return place;
    }
};

PW_TILE int flashTileCount(int tokens, int rows)
{
    return (tokens + rows - 1) / rows;
}

/// Loads rows `first` … of one head into shared memory; what lies outside becomes 0.
template<typename Tile, int Rows, typename T>
PW_TILE void flashLoad(int thread, FlashRows<const T> from, int sample, int tokens, int first,
                       int head, int headSize, float* to)
{
    for (int i = thread; i < Rows * Tile::depth; i += Tile::threads) {
        const int row = i / Tile::depth;
        const int column = i % Tile::depth;
        float value = 0;
        if (first + row < tokens && column < headSize) {
            const std::int64_t at = static_cast<std::int64_t>(sample) * tokens + first + row;
            value = flashFloat(
                from.data[at * from.stride + static_cast<std::int64_t>(head) * headSize + column]);
        }
        to[row * Tile::pitch + column] = value;
    }
}

/// Products of rows of a with rows of b: a thread's part of a tile of scores.
template<typename Tile>
PW_TILE void flashProducts(int thread, const float* a, const float* b,
                           float (&out)[Tile::queriesOfThread][Tile::scoresOfThread])
{
    const int group = thread / Tile::lanes;
    const int lane = thread % Tile::lanes;
    PW_UNROLL
    for (int i = 0; i < Tile::queriesOfThread; ++i) {
        PW_UNROLL
        for (int j = 0; j < Tile::scoresOfThread; ++j)
            out[i][j] = 0;
    }
    for (int d = 0; d < Tile::depth; ++d) {
        float right[Tile::scoresOfThread];
        PW_UNROLL
        for (int j = 0; j < Tile::scoresOfThread; ++j)
            right[j] = b[(lane + j * Tile::lanes) * Tile::pitch + d];
        PW_UNROLL
        for (int i = 0; i < Tile::queriesOfThread; ++i) {
            const float left = a[(group + i * Tile::groups) * Tile::pitch + d];
            PW_UNROLL
            for (int j = 0; j < Tile::scoresOfThread; ++j)
                out[i][j] += left * right[j];
        }
    }
}

template<typename T>
PW_TILE bool flashSees(const FlashSides<T>& sides, int query, int key)
{
    return query < sides.queries && key < sides.keys && key <= sides.before + query;
}

template<typename T>
PW_TILE std::int64_t flashRow(const FlashSides<T>& sides, const FlashPlace& place, int query)
{
    return (static_cast<std::int64_t>(place.sample) * sides.heads + place.head) * sides.queries +
           query;
}

/// What a thread sums up, one number for every row and column that it has.
template<int Rows, int Columns>
PW_TILE void flashClear(float (&sum)[Rows][Columns])
{
    PW_UNROLL
    for (int i = 0; i < Rows; ++i) {
        PW_UNROLL
        for (int c = 0; c < Columns; ++c)
            sum[i][c] = 0;
    }
}

/// Adds the rows of a tile of keys, each weighted, to a thread's sums of its queries.
template<typename Tile>
PW_TILE void flashGather(int thread, const float* weights, const float* held,
                         float (&sum)[Tile::queriesOfThread][Tile::columnsOfThread])
{
    const int group = thread / Tile::lanes;
    const int lane = thread % Tile::lanes;
    for (int j = 0; j < Tile::keyRows; ++j) {
        PW_UNROLL
        for (int i = 0; i < Tile::queriesOfThread; ++i) {
            const float weight = weights[(group + i * Tile::groups) * Tile::scorePitch + j];
            PW_UNROLL
            for (int c = 0; c < Tile::columnsOfThread; ++c)
                sum[i][c] += weight * held[j * Tile::pitch + lane + c * Tile::lanes];
        }
    }
}

/// Calls `act(i, c, at, column)` for every number of a thread's rows that lies inside: `at` is the
/// row of the matrices, `column` the column of the first head's.
template<typename Tile, int Rows, typename Act>
PW_TILE void flashInside(int thread, const FlashPlace& place, int tokens, int headSize, Act act)
{
    PW_UNROLL
    for (int i = 0; i < Rows; ++i) {
        const int token = place.first + thread / Tile::lanes + i * Tile::groups;
        PW_UNROLL
        for (int c = 0; c < Tile::columnsOfThread; ++c) {
            const int column = thread % Tile::lanes + c * Tile::lanes;
            if (token < tokens && column < headSize)
                act(i, c, static_cast<std::int64_t>(place.sample) * tokens + token,
                    static_cast<std::int64_t>(place.head) * headSize + column);
        }
    }
}

} // namespace pw::exec::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/flash_tensor.cuh"

namespace pw::exec::cuda {

template<int Depth>
struct TensorForwardShared
{
    static constexpr int keyRows = 64;

    alignas(16) Half key[keyRows * TensorTile<Depth>::pitch];
    alignas(16) Half value[keyRows * TensorTile<Depth>::pitch];
};

/// What a lane has of its two rows. Exponents are those of 2.
template<int Depth>
struct TensorForwardOwn
{
    unsigned query[Depth / 16][4];
    float out[Depth / 8][4];
    float most[2];
    float sum[2]; ///< of the lane's columns
};

/// Where the earlier segments ended: their output counts as one key with the logarithm of their
/// sum.
template<int Depth>
__device__ inline void goOnFromEarlier(const FlashForwardCall<Half>& call, const FlashPlace& place,
                                       TensorForwardOwn<Depth>& own)
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int query = place.first + rowOfWarp() + rowOfLane() + half * 8;
        if (query >= call.queries)
            continue;
        own.most[half] = call.logSum[flashRow(call, place, query)] * log2OfE;
        own.sum[half] = columnOfLane() == 0 ? 1.0F : 0.0F;
    }
    forOwnPairs<Depth>(call.out, place, call.queries, call.headSize,
                       [&](const Half* at, int half, int block) {
                           float pair[2];
                           load<2>(at, pair);
                           own.out[block][2 * half] = pair[0];
                           own.out[block][2 * half + 1] = pair[1];
                       });
}

/// Makes −∞ of the scores of keys that a query does not see.
template<int Blocks>
__device__ inline void hideScores(const FlashSides<Half>& call, int firstQuery, int firstKey,
                                  float (&score)[Blocks][4])
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int seen =
            keysSeen(call, firstQuery + rowOfLane() + half * 8) - firstKey - columnOfLane();
#pragma unroll
        for (int block = 0; block < Blocks; ++block) {
            if (block * 8 >= seen)
                score[block][2 * half] = -INFINITY;
            if (block * 8 + 1 >= seen)
                score[block][2 * half + 1] = -INFINITY;
        }
    }
}

struct Most
{
    __device__ static float of(float a, float b) { return a > b ? a : b; }
};

/// Scores become weights; the rows' maxima, sums and outputs go on.
template<int Depth, int Blocks>
__device__ inline void weigh(float scale, float (&score)[Blocks][4], TensorForwardOwn<Depth>& own)
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float most = score[0][2 * half];
#pragma unroll
        for (int block = 0; block < Blocks; ++block)
            most = Most::of(most, Most::of(score[block][2 * half], score[block][2 * half + 1]));
        most = Most::of(own.most[half], reduceQuad<Most>(most) * scale);
        // A row that has seen no key yet has weights of 0.
        const float base = most > -INFINITY ? most : 0.0F;
        const float shrink = powerOfTwo(own.most[half] - base);
        float sum = own.sum[half] * shrink;
#pragma unroll
        for (int block = 0; block < Blocks; ++block) {
#pragma unroll
            for (int i = 2 * half; i < 2 * half + 2; ++i) {
                score[block][i] = powerOfTwo(score[block][i] * scale - base);
                sum += score[block][i];
            }
        }
        own.most[half] = most;
        own.sum[half] = sum;
#pragma unroll
        for (int block = 0; block < Depth / 8; ++block) {
            own.out[block][2 * half] *= shrink;
            own.out[block][2 * half + 1] *= shrink;
        }
    }
}

/// Weights of a tile of keys, rounded, as left factors.
template<int Depth, int Steps>
__device__ inline void formWeights(const FlashForwardCall<Half>& call, int firstQuery, int key,
                                   const Half* keys, TensorForwardOwn<Depth>& own,
                                   unsigned (&weights)[Steps][4])
{
    float score[2 * Steps][4];
    multiplyByRows<Depth>(own.query, keys, score);
    if (key + 16 * Steps > keysSeen(call, firstQuery))
        hideScores(call, firstQuery, key, score);
    weigh(call.scale * log2OfE, score, own);
#pragma unroll
    for (int step = 0; step < Steps; ++step)
        roundToFactor(score[2 * step], score[2 * step + 1], weights[step]);
}

template<int Depth>
__device__ inline void storeForward(const FlashForwardCall<Half>& call, const FlashPlace& place,
                                    TensorForwardOwn<Depth>& own)
{
    float share[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float sum = reduceQuad<Sum>(own.sum[half]);
        share[half] = 1.0F / sum;
        const int query = place.first + rowOfWarp() + rowOfLane() + half * 8;
        if (columnOfLane() == 0 && query < call.queries)
            call.logSum[flashRow(call, place, query)] = own.most[half] * logOf2 + logf(sum);
    }
    forOwnPairs<Depth>(call.out, place, call.queries, call.headSize,
                       [&](Half* at, int half, int block) {
                           const float pair[2] = {own.out[block][2 * half] * share[half],
                                                  own.out[block][2 * half + 1] * share[half]};
                           store<2>(at, pair);
                       });
}

/// One tile of queries against all keys of the segment. Values come while scores are formed, the
/// next keys while values are added.
template<int Depth>
__global__ void __launch_bounds__(TensorTile<Depth>::threads, Depth <= 64 ? 4 : 3)
    tensorForward(FlashForwardCall<Half> call, int tiles)
{
    using Tile = TensorTile<Depth>;
    constexpr int keyRows = TensorForwardShared<Depth>::keyRows;
    __shared__ TensorForwardShared<Depth> shared;
    const FlashPlace place = FlashPlace::of(blockIdx.x, tiles, Tile::ownRows, call.heads);
    const HeadRows queries(call.query, place, call.queries, call.headSize);
    const HeadRows keys(call.key, place, call.keys, call.headSize);
    const HeadRows values(call.value, place, call.keys, call.headSize);

    TensorForwardOwn<Depth> own;
    fetchRows<Depth, Tile::ownRows>(queries, place.first, shared.value); // until values come
    fetchRows<Depth, keyRows>(keys, 0, shared.key);
    own.most[0] = own.most[1] = -INFINITY;
    own.sum[0] = own.sum[1] = 0;
    clearSums(own.out);
    if (!call.first)
        goOnFromEarlier(call, place, own);
    awaitCopies();
    __syncthreads();
    loadOwnRows<Depth>(shared.value, own.query);

    const int firstQuery = place.first + rowOfWarp();
    const bool works = firstQuery < call.queries; // else it only brings rows
    const int end = keysSeen(call, place.first + Tile::ownRows - 1);
    for (int key = 0; key < end; key += keyRows) {
        awaitCopies();
        __syncthreads(); // keys have come, and nobody needs the last values any more
        fetchRows<Depth, keyRows>(values, key, shared.value);
        unsigned weights[keyRows / 16][4];
        if (works)
            formWeights(call, firstQuery, key, shared.key, own, weights);
        awaitCopies();
        __syncthreads(); // values have come, and nobody needs these keys any more
        if (key + keyRows < end)
            fetchRows<Depth, keyRows>(keys, key + keyRows, shared.key);
        if (!works)
            continue;
#pragma unroll
        for (int step = 0; step < keyRows / 16; ++step)
            addWeightedRows<Depth>(weights[step], shared.value + step * 16 * Tile::pitch, own.out);
    }
    storeForward(call, place, own);
}

} // namespace pw::exec::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/flash_tensor.cuh"

namespace pw::exec::cuda {

/// Two tiles of the other side, by turns: one comes while the other is used. At the start, what the
/// block has of its own stands there.
template<int Depth>
struct TensorBackwardShared
{
    static constexpr int rows = 32;
    static_assert(2 * rows == TensorTile<Depth>::ownRows);

    alignas(16) Half one[2][rows * TensorTile<Depth>::pitch];   ///< keys, or queries
    alignas(16) Half other[2][rows * TensorTile<Depth>::pitch]; ///< values, or gradients
};

/// Slopes Σ gradient ∘ out of a lane's two rows.
__device__ inline void formSlopes(const FlashBackwardCall<Half>& call, const FlashPlace& place,
                                  float (&slope)[2])
{
    const HeadRows gradients(call.gradient, place, call.queries, call.headSize);
    const HeadRows outs(call.out, place, call.queries, call.headSize);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int query = place.first + rowOfWarp() + rowOfLane() + half * 8;
        float sum = 0;
        if (query < call.queries) {
            for (int column = columnOfLane() * 4; column < call.headSize; column += 32) {
                float gradient[8];
                float out[8];
                load<8>(gradients.at(query) + column, gradient);
                load<8>(outs.at(query) + column, out);
#pragma unroll
                for (int i = 0; i < 8; ++i)
                    sum += gradient[i] * out[i];
            }
        }
        slope[half] = reduceQuad<Sum>(sum);
        if (columnOfLane() == 0 && query < call.queries)
            call.slope[flashRow(call, place, query)] = slope[half];
    }
}

/// Gradients of the scores of 16 queries of the warp, in rows, and 16 keys.
/// @param logSum,slope  of the lane's two rows
/// @param flow          gradients of the weights, first
__device__ inline void flowToQueries(const FlashBackwardCall<Half>& call, int firstQuery, int key,
                                     const float (&logSum)[2], const float (&slope)[2],
                                     const float (&score)[2][4], float (&flow)[2][4])
{
    const float scale = call.scale * log2OfE;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int seen = keysSeen(call, firstQuery + rowOfLane() + i / 2 * 8) - key;
#pragma unroll
        for (int block = 0; block < 2; ++block) {
            const bool sees = block * 8 + columnOfLane() + i % 2 < seen;
            const float weight = powerOfTwo(score[block][i] * scale - logSum[i / 2]);
            flow[block][i] = sees ? weight * (flow[block][i] - slope[i / 2]) : 0.0F;
        }
    }
}

/// Gradients of one tile of queries, and the slopes that the keys' gradients need.
template<int Depth>
__global__ void __launch_bounds__(TensorTile<Depth>::threads)
    tensorQueries(FlashBackwardCall<Half> call, int tiles)
{
    using Tile = TensorTile<Depth>;
    constexpr int rows = TensorBackwardShared<Depth>::rows;
    __shared__ TensorBackwardShared<Depth> shared;
    const FlashPlace place = FlashPlace::of(blockIdx.x, tiles, Tile::ownRows, call.heads);
    const HeadRows keys(call.key, place, call.keys, call.headSize);
    const HeadRows values(call.value, place, call.keys, call.headSize);
    const HeadRows queries(call.query, place, call.queries, call.headSize);
    const HeadRows gradients(call.gradient, place, call.queries, call.headSize);

    fetchRows<Depth, Tile::ownRows>(queries, place.first, shared.one[0]);
    fetchRows<Depth, Tile::ownRows>(gradients, place.first, shared.other[0]);
    const int firstQuery = place.first + rowOfWarp();
    float slope[2];
    formSlopes(call, place, slope);
    float logSum[2]; // of powers of 2
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int query = firstQuery + rowOfLane() + half * 8;
        logSum[half] =
            query < call.queries ? call.logSum[flashRow(call, place, query)] * log2OfE : 0.0F;
    }
    awaitCopies();
    __syncthreads();
    unsigned query[Tile::steps][4];
    unsigned gradient[Tile::steps][4];
    loadOwnRows<Depth>(shared.one[0], query);
    loadOwnRows<Depth>(shared.other[0], gradient);
    __syncthreads();

    float sum[Tile::blocks][4];
    clearSums(sum);
    const int end = keysSeen(call, place.first + Tile::ownRows - 1);
    fetchRows<Depth, rows>(keys, 0, shared.one[0]);
    fetchRows<Depth, rows>(values, 0, shared.other[0]);
    for (int first = 0, turn = 0; first < end; first += rows, turn ^= 1) {
        awaitCopies();
        __syncthreads(); // this tile has come, and nobody needs the last one any more
        if (first + rows < end) {
            fetchRows<Depth, rows>(keys, first + rows, shared.one[turn ^ 1]);
            fetchRows<Depth, rows>(values, first + rows, shared.other[turn ^ 1]);
        }
#pragma unroll 1
        for (int part = 0; part < rows; part += 16) {
            const int key = first + part;
            if (firstQuery >= call.queries || key >= keysSeen(call, firstQuery + 15))
                break; // none of the warp's queries sees any
            const Half* const keyRows = shared.one[turn] + part * Tile::pitch;
            float score[2][4];
            float flow[2][4];
            multiplyTwice<Depth>(query, keyRows, score, gradient,
                                 shared.other[turn] + part * Tile::pitch, flow);
            flowToQueries(call, firstQuery, key, logSum, slope, score, flow);
            unsigned flows[4];
            roundToFactor(flow[0], flow[1], flows);
            addWeightedRows<Depth>(flows, keyRows, sum);
        }
    }
    storeSums<Depth>(call.ofQuery, place, call.queries, call.headSize, sum, call.scale,
                     !call.first);
}

/// What the queries of two tiles have, by turns.
struct TensorQueryNumbers
{
    static constexpr int rows = 32;

    alignas(16) float logSum[2][rows];
    alignas(16) float slope[2][rows];
};

/// Begins to bring what a tile of queries has.
__device__ inline void fetchNumbers(const FlashBackwardCall<Half>& call, const FlashPlace& place,
                                    int first, float* logSum, float* slope)
{
    constexpr int rows = TensorQueryNumbers::rows;
    const int row = static_cast<int>(threadIdx.x) % rows;
    if (threadIdx.x >= 2 * rows)
        return;
    const bool ofSlope = threadIdx.x >= rows;
    const float* const from = ofSlope ? call.slope : call.logSum;
    const bool inside = first + row < call.queries;
    beginCopy((ofSlope ? slope : logSum) + row,
              inside ? from + flashRow(call, place, first + row) : from, inside);
}

/// Weights and gradients of the scores of 16 keys of the warp, in rows, and 16 queries.
/// @param logSum,slope  of the queries
__device__ inline void flowToKeys(const FlashBackwardCall<Half>& call, int firstKey, int query,
                                  const float* logSum, const float* slope, float (&weight)[2][4],
                                  float (&flow)[2][4])
{
    const float scale = call.scale * log2OfE;
    // Queries beyond the last are zeros that add nothing, keys beyond it are stored nowhere.
    const int least = firstKey + rowOfLane() - call.before - query; // of the columns that see
#pragma unroll
    for (int block = 0; block < 2; ++block) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int column = block * 8 + columnOfLane() + i % 2;
            const bool sees = column >= least + i / 2 * 8;
            const float power = powerOfTwo(weight[block][i] * scale - logSum[column] * log2OfE);
            weight[block][i] = sees ? power : 0.0F;
            flow[block][i] = sees ? power * (flow[block][i] - slope[column]) : 0.0F;
        }
    }
}

/// Gradients of one tile of keys and values, from all queries that see it. Scores stand transposed.
template<int Depth>
__global__ void __launch_bounds__(TensorTile<Depth>::threads)
    tensorKeys(FlashBackwardCall<Half> call, int tiles)
{
    using Tile = TensorTile<Depth>;
    constexpr int rows = TensorBackwardShared<Depth>::rows;
    __shared__ TensorBackwardShared<Depth> shared;
    __shared__ TensorQueryNumbers numbers;
    FlashPlace place = FlashPlace::of(blockIdx.x, tiles, Tile::ownRows, call.heads);
    place.first = (tiles - 1) * Tile::ownRows - place.first; // most queries see the first keys
    const HeadRows keys(call.key, place, call.keys, call.headSize);
    const HeadRows values(call.value, place, call.keys, call.headSize);
    const HeadRows queries(call.query, place, call.queries, call.headSize);
    const HeadRows gradients(call.gradient, place, call.queries, call.headSize);

    fetchRows<Depth, Tile::ownRows>(keys, place.first, shared.one[0]);
    fetchRows<Depth, Tile::ownRows>(values, place.first, shared.other[0]);
    awaitCopies();
    __syncthreads();
    unsigned key[Tile::steps][4];
    unsigned value[Tile::steps][4];
    loadOwnRows<Depth>(shared.one[0], key);
    loadOwnRows<Depth>(shared.other[0], value);
    __syncthreads();

    float ofKey[Tile::blocks][4];
    float ofValue[Tile::blocks][4];
    clearSums(ofKey);
    clearSums(ofValue);
    const int firstKey = place.first + rowOfWarp();
    // Query i sees the tile from i = first − before on.
    const int seen = place.first > call.before ? place.first - call.before : 0;
    const int begin = seen / rows * rows;
    if (begin < call.queries) {
        fetchRows<Depth, rows>(queries, begin, shared.one[0]);
        fetchRows<Depth, rows>(gradients, begin, shared.other[0]);
        fetchNumbers(call, place, begin, numbers.logSum[0], numbers.slope[0]);
    }
    for (int first = begin, turn = 0; first < call.queries; first += rows, turn ^= 1) {
        awaitCopies();
        __syncthreads(); // this tile has come, and nobody needs the last one any more
        if (first + rows < call.queries) {
            fetchRows<Depth, rows>(queries, first + rows, shared.one[turn ^ 1]);
            fetchRows<Depth, rows>(gradients, first + rows, shared.other[turn ^ 1]);
            fetchNumbers(call, place, first + rows, numbers.logSum[turn ^ 1],
                         numbers.slope[turn ^ 1]);
        }
#pragma unroll 1
        for (int part = 0; part < rows; part += 16) {
            const int query = first + part;
            if (firstKey >= call.keys || query >= call.queries ||
                firstKey > call.before + query + 15)
                continue; // none of the queries sees any of the warp's keys
            const Half* const queryRows = shared.one[turn] + part * Tile::pitch;
            const Half* const gradientRows = shared.other[turn] + part * Tile::pitch;
            float weight[2][4];
            float flow[2][4];
            multiplyTwice<Depth>(key, queryRows, weight, value, gradientRows, flow);
            flowToKeys(call, firstKey, query, numbers.logSum[turn] + part,
                       numbers.slope[turn] + part, weight, flow);
            unsigned factor[4];
            roundToFactor(weight[0], weight[1], factor);
            addWeightedRows<Depth>(factor, gradientRows, ofValue);
            roundToFactor(flow[0], flow[1], factor);
            addWeightedRows<Depth>(factor, queryRows, ofKey);
        }
    }
    storeSums<Depth>(call.ofKey, place, call.keys, call.headSize, ofKey, call.scale, call.adds);
    storeSums<Depth>(call.ofValue, place, call.keys, call.headSize, ofValue, 1.0F, call.adds);
}

} // namespace pw::exec::cuda

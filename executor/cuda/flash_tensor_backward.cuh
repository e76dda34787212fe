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

    const float scale = call.scale * log2OfE;
    float sum[Tile::blocks][4];
    clearSums(sum);
    const int seen = call.before + place.first + Tile::ownRows; // no query sees what is beyond
    const int end = call.keys < seen ? call.keys : seen;
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
            if (key >= call.keys || key > call.before + firstQuery + 15)
                break; // none of the warp's queries sees any
            const Half* const keyRows = shared.one[turn] + part * Tile::pitch;
            float score[2][4];
            float flow[2][4];
            multiplyByRows<Depth>(query, keyRows, score);
            multiplyByRows<Depth>(gradient, shared.other[turn] + part * Tile::pitch, flow);
            const bool hides = key + 16 > call.keys || key + 15 > call.before + firstQuery;
#pragma unroll
            for (int block = 0; block < 2; ++block) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const bool sees =
                        !hides || flashSees(call, firstQuery + rowOfLane() + i / 2 * 8,
                                            key + block * 8 + columnOfLane() + i % 2);
                    const float weight = powerOfTwo(score[block][i] * scale - logSum[i / 2]);
                    flow[block][i] = sees ? weight * (flow[block][i] - slope[i / 2]) : 0.0F;
                }
            }
            unsigned flows[4];
            roundToFactor(flow[0], flow[1], flows);
            addWeightedRows<Depth>(flows, keyRows, sum);
        }
    }
    storeSums<Depth>(call.ofQuery, place, call.queries, call.headSize, sum, call.scale,
                     !call.first);
}

/// Weights and gradients of the scores of 16 keys of the warp, in rows, and 16 queries.
template<int Depth>
__device__ inline void flowToKeys(const FlashBackwardCall<Half>& call, const FlashPlace& place,
                                  int query, float (&weight)[2][4], float (&flow)[2][4])
{
    const float scale = call.scale * log2OfE;
    const int firstKey = place.first + rowOfWarp();
    const bool hides = firstKey + 15 > call.before + query || query + 16 > call.queries;
    const std::int64_t at = flashRow(call, place, query + columnOfLane());
#pragma unroll
    for (int block = 0; block < 2; ++block) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const int column = query + block * 8 + columnOfLane() + j;
            const bool inside = column < call.queries;
            const float logSum = inside ? call.logSum[at + block * 8 + j] * log2OfE : 0.0F;
            const float slope = inside ? call.slope[at + block * 8 + j] : 0.0F;
#pragma unroll
            for (int i = j; i < 4; i += 2) {
                const bool sees =
                    !hides || flashSees(call, column, firstKey + rowOfLane() + i / 2 * 8);
                const float power = powerOfTwo(weight[block][i] * scale - logSum);
                weight[block][i] = sees ? power : 0.0F;
                flow[block][i] = sees ? power * (flow[block][i] - slope) : 0.0F;
            }
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
    }
    for (int first = begin, turn = 0; first < call.queries; first += rows, turn ^= 1) {
        awaitCopies();
        __syncthreads(); // this tile has come, and nobody needs the last one any more
        if (first + rows < call.queries) {
            fetchRows<Depth, rows>(queries, first + rows, shared.one[turn ^ 1]);
            fetchRows<Depth, rows>(gradients, first + rows, shared.other[turn ^ 1]);
        }
#pragma unroll 1
        for (int part = 0; part < rows; part += 16) {
            const int query = first + part;
            if (query >= call.queries || firstKey > call.before + query + 15)
                continue; // none of the queries sees any of the warp's keys
            const Half* const queryRows = shared.one[turn] + part * Tile::pitch;
            const Half* const gradientRows = shared.other[turn] + part * Tile::pitch;
            float weight[2][4];
            float flow[2][4];
            multiplyByRows<Depth>(key, queryRows, weight);
            multiplyByRows<Depth>(value, gradientRows, flow);
            flowToKeys<Depth>(call, place, query, weight, flow);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/flash_tiles.h"

namespace pw::exec::cuda {

/// Of a block of the backward.
template<typename Tile>
struct FlashBackwardShared
{
    float query[Tile::queryRows * Tile::pitch];
    float gradient[Tile::queryRows * Tile::pitch];
    float key[Tile::keyRows * Tile::pitch];
    float value[Tile::keyRows * Tile::pitch];
    float weight[Tile::queryRows * Tile::scorePitch];
    float flow[Tile::queryRows * Tile::scorePitch]; ///< gradients of the scores
    float logSum[Tile::queryRows];
    float slope[Tile::queryRows];
};

/// Of a thread that sums up gradients of queries.
template<typename Tile>
struct FlashQueryOwn
{
    float sum[Tile::queriesOfThread][Tile::columnsOfThread];
};

/// Of a thread that sums up gradients of keys and values.
template<typename Tile>
struct FlashKeyOwn
{
    float ofKey[Tile::keysOfThread][Tile::columnsOfThread];
    float ofValue[Tile::keysOfThread][Tile::columnsOfThread];
};

/// Weights and gradients of the scores of a tile, from the scores formed again.
template<typename Tile, typename T>
PW_TILE void flashFlow(int thread, const FlashBackwardCall<T>& call, int firstQuery, int firstKey,
                       FlashBackwardShared<Tile>& shared)
{
    float score[Tile::queriesOfThread][Tile::scoresOfThread];
    float ofWeight[Tile::queriesOfThread][Tile::scoresOfThread];
    flashProducts<Tile>(thread, shared.query, shared.key, score);
    flashProducts<Tile>(thread, shared.gradient, shared.value, ofWeight);
    PW_UNROLL
    for (int i = 0; i < Tile::queriesOfThread; ++i) {
        const int row = thread / Tile::lanes + i * Tile::groups;
        PW_UNROLL
        for (int j = 0; j < Tile::scoresOfThread; ++j) {
            const int column = thread % Tile::lanes + j * Tile::lanes;
            const float weight = flashSees(call, firstQuery + row, firstKey + column)
                                     ? expf(score[i][j] * call.scale - shared.logSum[row])
                                     : 0.0F;
            shared.weight[row * Tile::scorePitch + column] = weight;
            shared.flow[row * Tile::scorePitch + column] =
                weight * (ofWeight[i][j] - shared.slope[row]) * call.scale;
        }
    }
}

/// What the queries' gradients begin with: the slopes Σ gradient ∘ out.
/// @pre the output stands where keys do later
template<typename Tile, typename T>
PW_TILE void flashSlopes(int thread, const FlashBackwardCall<T>& call, const FlashPlace& place,
                         FlashBackwardShared<Tile>& shared)
{
    for (int row = thread; row < Tile::queryRows; row += Tile::threads) {
        const bool inside = place.first + row < call.queries;
        const std::int64_t at = flashRow(call, place, place.first + row);
        float slope = 0;
        for (int d = 0; d < Tile::depth; ++d)
            slope += shared.gradient[row * Tile::pitch + d] * shared.key[row * Tile::pitch + d];
        shared.slope[row] = slope;
        shared.logSum[row] = inside ? call.logSum[at] : 0.0F;
        if (inside)
            call.slope[at] = slope;
    }
}

/// Gradients of one tile of queries, and the slopes that the keys' gradients need: all blocks of
/// this come before those of `flashKeys`.
template<typename Tile, typename T, typename Threads>
PW_TILE void flashQueries(const FlashBackwardCall<T>& call, const FlashPlace& place,
                          FlashBackwardShared<Tile>& shared, Threads& each)
{
    static_assert(Tile::queryRows == Tile::keyRows); // the output stands where keys do later
    using Own = FlashQueryOwn<Tile>;
    const auto load = [&](int thread, FlashRows<const T> from, int tokens, int first, float* to) {
        flashLoad<Tile, Tile::queryRows, T>(thread, from, place.sample, tokens, first, place.head,
                                            call.headSize, to);
    };
    each([&](int thread, Own& own) {
        load(thread, call.query, call.queries, place.first, shared.query);
        load(thread, call.gradient, call.queries, place.first, shared.gradient);
        load(thread, call.out, call.queries, place.first, shared.key);
        flashClear(own.sum);
    });
    each([&](int thread, Own&) { flashSlopes<Tile>(thread, call, place, shared); });
    const int last = call.before + place.first + Tile::queryRows; // no query sees it
    for (int key = 0; key < call.keys && key < last; key += Tile::keyRows) {
        each([&](int thread, Own&) {
            load(thread, call.key, call.keys, key, shared.key);
            load(thread, call.value, call.keys, key, shared.value);
        });
        each([&](int thread, Own&) { flashFlow<Tile>(thread, call, place.first, key, shared); });
        each([&](int thread, Own& own) {
            flashGather<Tile>(thread, shared.flow, shared.key, own.sum);
        });
    }
    each([&](int thread, Own& own) {
        flashInside<Tile, Tile::queriesOfThread>(
            thread, place, call.queries, call.headSize,
            [&](int i, int c, std::int64_t row, std::int64_t column) {
                T* const to = call.ofQuery.data + row * call.ofQuery.stride + column;
                flashStore(to, (call.first ? 0.0F : flashFloat(*to)) + own.sum[i][c]);
            });
    });
}

/// Adds what a tile of queries gives to a thread's keys and values.
template<typename Tile>
PW_TILE void flashSpread(int thread, const FlashBackwardShared<Tile>& shared,
                         FlashKeyOwn<Tile>& own)
{
    const int group = thread / Tile::lanes;
    const int lane = thread % Tile::lanes;
    for (int row = 0; row < Tile::queryRows; ++row) {
        PW_UNROLL
        for (int i = 0; i < Tile::keysOfThread; ++i) {
            const int at = row * Tile::scorePitch + group + i * Tile::groups;
            PW_UNROLL
            for (int c = 0; c < Tile::columnsOfThread; ++c) {
                const int column = row * Tile::pitch + lane + c * Tile::lanes;
                own.ofKey[i][c] += shared.flow[at] * shared.query[column];
                own.ofValue[i][c] += shared.weight[at] * shared.gradient[column];
            }
        }
    }
}

/// Gradients of one tile of keys and values, from all queries that see it.
template<typename Tile, typename T, typename Threads>
PW_TILE void flashKeys(const FlashBackwardCall<T>& call, const FlashPlace& place,
                       FlashBackwardShared<Tile>& shared, Threads& each)
{
    static_assert(Tile::queryRows == Tile::keyRows);
    using Own = FlashKeyOwn<Tile>;
    const auto load = [&](int thread, FlashRows<const T> from, int tokens, int first, float* to) {
        flashLoad<Tile, Tile::keyRows, T>(thread, from, place.sample, tokens, first, place.head,
                                          call.headSize, to);
    };
    each([&](int thread, Own& own) {
        load(thread, call.key, call.keys, place.first, shared.key);
        load(thread, call.value, call.keys, place.first, shared.value);
        flashClear(own.ofKey);
        flashClear(own.ofValue);
    });
    // Query i sees the tile from i = first − before on.
    const int seen = place.first > call.before ? place.first - call.before : 0;
    for (int query = seen / Tile::queryRows * Tile::queryRows; query < call.queries;
         query += Tile::queryRows) {
        each([&](int thread, Own&) {
            load(thread, call.query, call.queries, query, shared.query);
            load(thread, call.gradient, call.queries, query, shared.gradient);
            for (int row = thread; row < Tile::queryRows; row += Tile::threads) {
                const bool inside = query + row < call.queries;
                const std::int64_t at = flashRow(call, place, query + row);
                shared.logSum[row] = inside ? call.logSum[at] : 0.0F;
                shared.slope[row] = inside ? call.slope[at] : 0.0F;
            }
        });
        each([&](int thread, Own&) { flashFlow<Tile>(thread, call, query, place.first, shared); });
        each([&](int thread, Own& own) { flashSpread<Tile>(thread, shared, own); });
    }
    each([&](int thread, Own& own) {
        flashInside<Tile, Tile::keysOfThread>(
            thread, place, call.keys, call.headSize,
            [&](int i, int c, std::int64_t row, std::int64_t column) {
                T* const ofKey = call.ofKey.data + row * call.ofKey.stride + column;
                T* const ofValue = call.ofValue.data + row * call.ofValue.stride + column;
                flashStore(ofKey, (call.adds ? flashFloat(*ofKey) : 0.0F) + own.ofKey[i][c]);
                flashStore(ofValue, (call.adds ? flashFloat(*ofValue) : 0.0F) + own.ofValue[i][c]);
            });
    });
}

} // namespace pw::exec::cuda

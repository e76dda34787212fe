// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/flash_tiles.h"

namespace pw::exec::cuda {

/// Of a block of the forward.
template<typename Tile>
struct FlashForwardShared
{
    float query[Tile::queryRows * Tile::pitch];
    float held[Tile::keyRows * Tile::pitch]; ///< keys, then values
    float weight[Tile::queryRows * Tile::scorePitch];
    float most[Tile::queryRows];
    float sum[Tile::queryRows];
    float shrink[Tile::queryRows]; ///< of what was summed up with a smaller maximum
};

/// Of a thread of the forward.
template<typename Tile>
struct FlashForwardOwn
{
    float out[Tile::queriesOfThread][Tile::columnsOfThread];
};

/// Scores of a row become weights; the row's maximum and sum go on.
template<typename Tile>
PW_TILE void flashSoftmax(int row, FlashForwardShared<Tile>& shared)
{
    float* const weights = shared.weight + row * Tile::scorePitch;
    float most = shared.most[row];
    for (int j = 0; j < Tile::keyRows; ++j)
        most = weights[j] > most ? weights[j] : most;
    const bool any = most > -INFINITY;
    const float shrink = any ? expf(shared.most[row] - most) : 1.0F;
    float sum = shared.sum[row] * shrink;
    for (int j = 0; j < Tile::keyRows; ++j) {
        weights[j] = any ? expf(weights[j] - most) : 0.0F;
        sum += weights[j];
    }
    shared.most[row] = most;
    shared.sum[row] = sum;
    shared.shrink[row] = shrink;
}

/// Brings a thread where the earlier segments ended: their output counts as one key with the
/// logarithm of their sum.
template<typename Tile, typename T>
PW_TILE void flashBegin(int thread, const FlashForwardCall<T>& call, const FlashPlace& place,
                        FlashForwardShared<Tile>& shared, FlashForwardOwn<Tile>& own)
{
    flashLoad<Tile, Tile::queryRows, T>(thread, call.query, place.sample, call.queries, place.first,
                                        place.head, call.headSize, shared.query);
    for (int row = thread; row < Tile::queryRows; row += Tile::threads) {
        const bool goesOn = !call.first && place.first + row < call.queries;
        shared.most[row] =
            goesOn ? call.logSum[flashRow(call, place, place.first + row)] : -INFINITY;
        shared.sum[row] = goesOn ? 1.0F : 0.0F;
    }
    flashClear(own.out);
    if (call.first)
        return;
    flashInside<Tile, Tile::queriesOfThread>(
        thread, place, call.queries, call.headSize,
        [&](int i, int c, std::int64_t row, std::int64_t column) {
            own.out[i][c] = flashFloat(call.out.data[row * call.out.stride + column]);
        });
}

/// Scores of a thread's part of a tile; of keys that a query does not see, −∞.
template<typename Tile, typename T>
PW_TILE void flashScores(int thread, const FlashForwardCall<T>& call, const FlashPlace& place,
                         int key, FlashForwardShared<Tile>& shared)
{
    float score[Tile::queriesOfThread][Tile::scoresOfThread];
    flashProducts<Tile>(thread, shared.query, shared.held, score);
    PW_UNROLL
    for (int i = 0; i < Tile::queriesOfThread; ++i) {
        const int row = thread / Tile::lanes + i * Tile::groups;
        PW_UNROLL
        for (int j = 0; j < Tile::scoresOfThread; ++j) {
            const int column = thread % Tile::lanes + j * Tile::lanes;
            const bool sees = flashSees(call, place.first + row, key + column);
            shared.weight[row * Tile::scorePitch + column] =
                sees ? score[i][j] * call.scale : -INFINITY;
        }
    }
}

template<typename Tile, typename T>
PW_TILE void flashEnd(int thread, const FlashForwardCall<T>& call, const FlashPlace& place,
                      const FlashForwardShared<Tile>& shared, const FlashForwardOwn<Tile>& own)
{
    flashInside<Tile, Tile::queriesOfThread>(
        thread, place, call.queries, call.headSize,
        [&](int i, int c, std::int64_t row, std::int64_t column) {
            const float sum = shared.sum[thread / Tile::lanes + i * Tile::groups];
            flashStore(call.out.data + row * call.out.stride + column, own.out[i][c] / sum);
        });
    for (int row = thread; row < Tile::queryRows; row += Tile::threads) {
        if (place.first + row < call.queries)
            call.logSum[flashRow(call, place, place.first + row)] =
                shared.most[row] + logf(shared.sum[row]);
    }
}

/// One tile of queries against all keys of the segment, with online softmax.
///
/// @param each  calls its argument for every thread, then lets all threads meet
template<typename Tile, typename T, typename Threads>
PW_TILE void flashForward(const FlashForwardCall<T>& call, const FlashPlace& place,
                          FlashForwardShared<Tile>& shared, Threads& each)
{
    using Own = FlashForwardOwn<Tile>;
    const auto load = [&](int thread, FlashRows<const T> from, int key) {
        flashLoad<Tile, Tile::keyRows, T>(thread, from, place.sample, call.keys, key, place.head,
                                          call.headSize, shared.held);
    };
    each([&](int thread, Own& own) { flashBegin<Tile>(thread, call, place, shared, own); });
    const int last = call.before + place.first + Tile::queryRows; // no query sees it
    for (int key = 0; key < call.keys && key < last; key += Tile::keyRows) {
        each([&](int thread, Own&) { load(thread, call.key, key); });
        each([&](int thread, Own&) { flashScores<Tile>(thread, call, place, key, shared); });
        each([&](int thread, Own&) {
            for (int row = thread; row < Tile::queryRows; row += Tile::threads)
                flashSoftmax<Tile>(row, shared);
            load(thread, call.value, key);
        });
        each([&](int thread, Own& own) {
            PW_UNROLL
            for (int i = 0; i < Tile::queriesOfThread; ++i) {
                const float shrink = shared.shrink[thread / Tile::lanes + i * Tile::groups];
                PW_UNROLL
                for (int c = 0; c < Tile::columnsOfThread; ++c)
                    own.out[i][c] *= shrink;
            }
            flashGather<Tile>(thread, shared.weight, shared.held, own.out);
        });
    }
    each([&](int thread, Own& own) { flashEnd<Tile>(thread, call, place, shared, own); });
}

} // namespace pw::exec::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/flash_backward.h"
#include "executor/cuda/flash_forward.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace pw::exec::cuda::test {

/// The order in which the threads of a block come to a phase. What a phase writes must not depend
/// on it: on a GPU there is none.
enum class ThreadOrder
{
    Rising,
    Falling,
    Shuffled
};

/// Threads of a block, one after the other.
template<typename Own>
class HostThreads
{
public:
    HostThreads(int count, ThreadOrder order)
        : m_owns(static_cast<std::size_t>(count))
        , m_order(static_cast<std::size_t>(count))
        , m_shuffles(order == ThreadOrder::Shuffled)
    {
        std::iota(m_order.begin(), m_order.end(), 0);
        if (order == ThreadOrder::Falling)
            std::reverse(m_order.begin(), m_order.end());
    }

    template<typename Work>
    void operator()(const Work& work)
    {
        if (m_shuffles)
            std::shuffle(m_order.begin(), m_order.end(), m_random);
        for (const int thread : m_order)
            work(thread, m_owns[static_cast<std::size_t>(thread)]);
    }

private:
    std::vector<Own> m_owns;
    std::vector<int> m_order;
    bool m_shuffles;
    std::mt19937 m_random{7};
};

/// Calls `block(place, shared, threads)` for every block of a launch.
template<typename Own, typename Shared, typename Block>
void forEachBlock(int samples, int heads, int tokens, int rows, int threads, ThreadOrder order,
                  Block block)
{
    const int tiles = flashTileCount(tokens, rows);
    for (std::int64_t i = 0; i < std::int64_t{tiles} * heads * samples; ++i) {
        auto shared = std::make_unique<Shared>();
        // Nothing of another block stands in shared memory: whoever reads it finds no number.
        std::fill_n(reinterpret_cast<float*>(shared.get()), sizeof(Shared) / sizeof(float), NAN);
        HostThreads<Own> each(threads, order);
        block(FlashPlace::of(i, tiles, rows, heads), *shared, each);
    }
}

template<int Depth>
void flashForwardOnHost(const FlashForwardCall<float>& call, ThreadOrder order)
{
    using Tile = typename FlashTiles<Depth>::Forward;
    forEachBlock<FlashForwardOwn<Tile>, FlashForwardShared<Tile>>(
        call.samples, call.heads, call.queries, Tile::queryRows, Tile::threads, order,
        [&](const FlashPlace& place, auto& shared, auto& each) {
            flashForward<Tile>(call, place, shared, each);
        });
}

template<int Depth>
void flashBackwardOnHost(const FlashBackwardCall<float>& call, ThreadOrder order)
{
    using Tile = typename FlashTiles<Depth>::Backward;
    forEachBlock<FlashQueryOwn<Tile>, FlashBackwardShared<Tile>>(
        call.samples, call.heads, call.queries, Tile::queryRows, Tile::threads, order,
        [&](const FlashPlace& place, auto& shared, auto& each) {
            flashQueries<Tile>(call, place, shared, each);
        });
    forEachBlock<FlashKeyOwn<Tile>, FlashBackwardShared<Tile>>(
        call.samples, call.heads, call.keys, Tile::keyRows, Tile::threads, order,
        [&](const FlashPlace& place, auto& shared, auto& each) {
            flashKeys<Tile>(call, place, shared, each);
        });
}

/// Calls `act` with the depth that a GPU takes for heads of a size.
template<typename Act>
void withDepth(int headSize, Act act)
{
    if (headSize <= 64)
        act(std::integral_constant<int, 64>{});
    else if (headSize <= 128)
        act(std::integral_constant<int, 128>{});
    else
        act(std::integral_constant<int, 256>{});
}

} // namespace pw::exec::cuda::test

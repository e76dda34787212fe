// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// A stable sort in the place of CUB's.
#include "tests/gpu_stand_in/gpu.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace cub {

struct DeviceRadixSort
{
    template<typename Key, typename Value>
    static cudaError_t SortPairs(void* space, std::size_t& bytes, const Key* keys, Key* sortedKeys,
                                 const Value* values, Value* sortedValues, int count, int firstBit,
                                 int endBit, cudaStream_t stream = nullptr)
    {
        constexpr std::size_t needed = 4096;
        if (space == nullptr) {
            bytes = needed;
            return cudaSuccess;
        }
        if (bytes < needed)
            return cudaErrorInvalidValue;
        return pw::gpu::enqueue(stream, {"a sort", {}, [=] {
            std::memset(space, 0xA5, needed); // it is the sort's to use
            using Bits = std::make_unsigned_t<Key>;
            const Bits mask = static_cast<Bits>((std::uint64_t{1} << (endBit - firstBit)) - 1);
            const auto keyOf = [=](int i) {
                return static_cast<Bits>((static_cast<Bits>(keys[i]) >> firstBit) & mask);
            };
            std::vector<int> order(static_cast<std::size_t>(count));
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](int a, int b) { return keyOf(a) < keyOf(b); });
            for (int i = 0; i < count; ++i) {
                const int from = order[static_cast<std::size_t>(i)];
                sortedKeys[i] = keys[from];
                sortedValues[i] = values[from];
            }
        }});
    }
};

} // namespace cub

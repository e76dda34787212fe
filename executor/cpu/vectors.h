// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <bit>
#include <cstdint>

// Says that no iteration of the loop below uses what another one writes, so that the compiler does
// several at a time. Inputs and outputs may be the same array: an iteration stays in its place.
#if defined(__clang__)
#define PW_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define PW_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace pw::exec::cpu {

// Sums and maxima go along several lanes that are folded at the end, in the same order always: one
// result whatever the machine, and as fast as the memory.

constexpr int lanes = 16;

template<typename Combine, typename Value>
float folded(std::int64_t count, float first, Combine combine, Value value)
{
    float lane[lanes];
    for (float& each : lane)
        each = first;
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (int l = 0; l < lanes; ++l)
            lane[l] = combine(lane[l], value(i + l));
    }
    for (int l = 0; i < count; ++i, ++l)
        lane[l] = combine(lane[l], value(i));
    for (int width = lanes / 2; width > 0; width /= 2) {
        for (int l = 0; l < width; ++l)
            lane[l] = combine(lane[l], lane[l + width]);
    }
    return lane[0];
}

/// Σ value(i)
template<typename Value>
float sumOf(std::int64_t count, Value value)
{
    return folded(
        count, 0.0F, [](float a, float b) { return a + b; }, value);
}

/// The largest of `count` values, at least 1.
inline float maximumOf(std::int64_t count, const float* values)
{
    return folded(
        count, values[0], [](float a, float b) { return a < b ? b : a; },
        [values](std::int64_t i) { return values[i]; });
}

/// eˣ, to 2 units in the last place, of x brought between `least` and `most`; no branches, so that
/// loops with it are done several at a time.
/// @pre −87 ≤ least < most ≤ 88
inline float expBetween(float least, float most, float x)
{
    constexpr float log2e = 1.44269504F;
    // ln 2 in two parts; the first has few digits, so that its multiples are exact.
    constexpr float ln2Head = 0.693359375F;
    constexpr float ln2Tail = -0.00021219444F;
    // Adding this rounds to a whole number, which then stands in the last bits.
    constexpr float rounder = 12582912.0F;

    x = x < least ? least : x;
    x = x > most ? most : x;
    const float shifted = x * log2e + rounder;
    const float whole = shifted - rounder;
    const float r = (x - whole * ln2Head) - whole * ln2Tail;
    // (eʳ − 1 − r) ⁄ r², interpolated at Chebyshev's points of |r| ≤ ln 2 ⁄ 2: off by 1e-8.
    float q = 0.00139261836F;
    q = q * r + 0.00836317905F;
    q = q * r + 0.0416665546F;
    q = q * r + 0.16666577F;
    q = q * r + 0.5F;
    const std::uint32_t exponent =
        std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(rounder) + 127U;
    return (1.0F + (r + r * r * q)) * std::bit_cast<float>(exponent << 23U);
}

/// The same with the widest bounds.
inline float expOf(float x)
{
    return expBetween(-87.0F, 88.0F, x);
}

/// Adds Σ value(row, column) over the rows to each column of `out`. The rows of a call are summed
/// in doubles: floats that are added one after the other to what is there would leave a rounding
/// for every row of every micro-batch, which is what runs in another order then differ by.
template<typename Value>
void addColumnSums(std::int64_t rows, std::int64_t columns, float* out, Value value)
{
    constexpr std::int64_t wide = 64; // sums that stay in the first cache
    for (std::int64_t begin = 0; begin < columns; begin += wide) {
        const std::int64_t count = columns - begin < wide ? columns - begin : wide;
        double sums[wide] = {};
        for (std::int64_t i = 0; i < rows; ++i) {
            PW_INDEPENDENT
            for (std::int64_t j = 0; j < count; ++j)
                sums[j] += static_cast<double>(value(i, begin + j));
        }
        PW_INDEPENDENT
        for (std::int64_t j = 0; j < count; ++j)
            out[begin + j] = static_cast<float>(static_cast<double>(out[begin + j]) + sums[j]);
    }
}

} // namespace pw::exec::cpu

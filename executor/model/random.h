// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>

namespace pw::exec {

/// Spreads every bit of a word over a word; one to one. A counter run through it gives random
/// words, the same on every platform.
/// @source splitmix64; Steele, Lea and Flood 2014
constexpr std::uint64_t scramble(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// About normal, deviation 1: the sum of the four 16-bit parts of a word. Every device gets the
/// same bits: sums of whole numbers, and one rounding.
constexpr float bell(std::uint64_t word)
{
    const auto sum = static_cast<std::int64_t>((word & 0xffffU) + ((word >> 16U) & 0xffffU) +
                                               ((word >> 32U) & 0xffffU) + (word >> 48U));
    // Each part has variance 65536² ⁄ 12; four of them have deviation 65536 ⁄ √3.
    constexpr float unit = 1.7320508F / 65536.0F;
    return static_cast<float>(sum - 2 * 0xffff) * unit;
}

/// A sequence of random numbers that its key alone decides.
class RandomSequence
{
public:
    explicit RandomSequence(std::uint64_t key)
        : m_key(scramble(key))
    {
    }
    std::uint64_t word() { return scramble(m_key + m_drawn++); }
    /// A number from 0 to n − 1, each as likely but for 2⁻³² in all.
    int below(int n)
    {
        return static_cast<int>(((word() >> 32U) * static_cast<std::uint64_t>(n)) >> 32U);
    }

private:
    std::uint64_t m_key = 0;
    std::uint64_t m_drawn = 0;
};

} // namespace pw::exec

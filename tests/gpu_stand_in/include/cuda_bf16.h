// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// Numbers of 16 bits with the exponent of a float.
#include <bit>
#include <cmath>
#include <cstdint>

struct __nv_bfloat16
{
    std::uint16_t bits;
};

inline float __bfloat162float(__nv_bfloat16 number)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(number.bits) << 16U);
}

/// To the nearest, ties to even.
inline __nv_bfloat16 __float2bfloat16_rn(float number)
{
    const auto bits = std::bit_cast<std::uint32_t>(number);
    if (std::isnan(number))
        return {static_cast<std::uint16_t>(0x7fff)};
    return {static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U)};
}

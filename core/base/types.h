// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>

namespace pw {

/// A time or a duration in nanoseconds. People see and type milliseconds.
using Ticks = std::int64_t;

/// A size in bytes.
using Bytes = std::int64_t;

constexpr Ticks ticksPerMs = 1'000'000;
constexpr Ticks ticksPerSecond = 1'000 * ticksPerMs;

/// Nanoseconds of a duration in milliseconds, rounded to the nearest.
constexpr Ticks ticksFromMs(double ms)
{
    const double ns = ms * static_cast<double>(ticksPerMs);
    return static_cast<Ticks>(ns < 0 ? ns - 0.5 : ns + 0.5);
}

/// Milliseconds of a duration in nanoseconds.
constexpr double msFromTicks(Ticks ticks)
{
    return static_cast<double>(ticks) / static_cast<double>(ticksPerMs);
}

/// An amount of activation, in parts of what one micro-batch keeps on one device's share of the
/// model.
///
/// `shareOne` parts make one micro-batch. The number is divisible by everything from 1 to 20, so
/// the common chunk and segment counts divide it without rounding.
using Share = std::int64_t;

constexpr Share shareOne = 232'792'560;

/// Micro-batches of an amount of activation.
constexpr double microBatchesFromShare(Share share)
{
    return static_cast<double>(share) / static_cast<double>(shareOne);
}

} // namespace pw

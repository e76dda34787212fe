// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/measured.h"

#include <algorithm>
#include <cmath>

// What a fit minimises: rows whose logarithm of measured over predicted has Cauchy's distribution,
// beside constants that pay for leaving what is usual.
namespace pw::plan {

/// Width of Cauchy's distribution. A run that is disturbed takes tens of percent longer, and
/// nothing in its configuration says so: beyond a few times this an error hardly counts more.
constexpr double expectedError = 0.06;

/// How much each of so many rows counts: hundreds of one kind say no more than some ninety.
inline double rowWeight(std::size_t rows)
{
    constexpr double mostRows = 90;
    return std::min(1.0, mostRows / static_cast<double>(rows));
}

/// Whether rows are asked for a constant. How far host and device wait for each other is a matter
/// of the engine, and choices tell more of it than times do: what meets the times of one node of
/// A100 best, .23 (4.4 %, zero 4.7), chooses no better than a third (3.8 % behind, zero .9).
inline bool isFitted(std::size_t constant)
{
    return constant != static_cast<std::size_t>(Constant::HostBlend);
}

/// Seconds of a row; what was measured where it cannot be told.
inline double predictedSeconds(const MeasuredRow& row, const Accelerator& device,
                               const Constants& constants)
{
    const Result<double> seconds =
        iterationSeconds(row.model, Cluster{device, row.devices, constants, {}}, row.configuration);
    return seconds ? *seconds : row.seconds;
}

/// The logarithm of measured over predicted.
inline double errorOf(const MeasuredRow& row, const Accelerator& device, const Constants& constants)
{
    return std::log(row.seconds / predictedSeconds(row, device, constants));
}

} // namespace pw::plan

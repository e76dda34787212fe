// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Where a number of a machine comes from.
enum class Basis : std::uint8_t
{
    Vendor,  ///< the maker's data sheet
    Derived, ///< computed from published measurements
    Assumed  ///< a plausible value that nothing here proves
};

constexpr std::string_view name(Basis basis)
{
    constexpr std::array<std::string_view, 3> names = {"vendor", "derived", "assumed"};
    return names[static_cast<std::size_t>(basis)];
}

/// A number of a machine with its origin in words.
struct Figure
{
    double value = 0;
    Basis basis = Basis::Assumed;
    std::string_view source;

    friend bool operator==(const Figure&, const Figure&) = default;
};

/// An accelerator in its node: peak rates, the rates that passes really reach, memory and links.
///
/// Rates are per kernel class, for no single utilisation fits matrix products, attention and
/// element-wise kernels.
struct Hardware
{
    std::string_view name;  ///< as typed: `a100`
    std::string_view title; ///< "NVIDIA A100 SXM 80 GB"

    Figure peakFlops;       ///< FLOP/s of dense matrix products in the training type
    Figure matmulFlops;     ///< FLOP/s reached by the products with weights
    Figure attentionFlops;  ///< FLOP/s reached by scores and values, unfused
    Figure flashFlops;      ///< the same in one fused kernel
    Figure peakBandwidth;   ///< byte/s of the memory
    Figure memoryBandwidth; ///< byte/s reached by element-wise kernels, for the traffic that
                            ///< `stage_costs` counts
    Figure memory;          ///< bytes of the device
    Figure reserved;        ///< bytes of them that context, libraries and communicators take

    Figure devicesPerNode;
    Figure insideLatency;    ///< seconds of a message to a device of the same node
    Figure insideBandwidth;  ///< byte/s of it, one direction
    Figure betweenLatency;   ///< seconds of a message to another node
    Figure betweenBandwidth; ///< byte/s of it for one device, one direction
    Figure collective;       ///< byte/s that a device sends in an all-reduce inside a node

    friend bool operator==(const Hardware&, const Hardware&) = default;
};

/// A figure with its name and unit, for tables.
struct NamedFigure
{
    std::string_view name;
    std::string_view unit;
    Figure figure;
};

/// All figures of a machine, in the order of the fields.
std::vector<NamedFigure> figures(const Hardware& hardware);

/// a100, h100, h200, laptop-cpu.
const std::vector<Hardware>& hardwarePresets();

/// The preset of a name.
/// @error BadValue  lists the names
Result<Hardware> findHardware(std::string_view name);

/// Checks that all rates, sizes and counts are positive and finite, latencies and the reserve not
/// negative.
/// @error BadValue  names the figure and its value
Result<void> check(const Hardware& hardware);

} // namespace pw

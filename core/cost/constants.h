// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/precision.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pw::plan {

/// What the data sheets do not say: the parts of their rates that programs reach, and times of
/// their own. All have a physical meaning and a range; `pipewright costs fit --measured` finds
/// them.
enum class Constant : std::uint8_t
{
    MatrixRate,    ///< part of the peak that a large matrix product reaches
    MatrixStart,   ///< inner columns whose time a tile of a matrix product costs beside its own
    MemoryRate,    ///< part of the memory's peak bandwidth that element-wise kernels reach
    LaunchTime,    ///< seconds that the host needs to start a kernel
    InsideRate,    ///< part of the links inside a node that a collective of all its devices reaches
    PartialRate,   ///< part of that for a group of half a node, whose other half has its own
    InsideLatency, ///< seconds of a collective inside a node beside its bytes
    OutsideRate,   ///< part of a node's network that a tensor collective reaches
    ReduceRate,    ///< part of a node's network that the sum of gradients reaches
    OutsideLatency, ///< seconds of a collective or message between nodes beside its bytes
    HopRate,        ///< part of the link that a message between stages reaches
    ExchangeTime,   ///< seconds that a message between stages keeps its devices busy
    StepTime,       ///< seconds of an iteration beside all that is counted
    EightBitRate,   ///< part of MatrixRate that products of 8 bits reach of their peak
    FourBitRate,    ///< the same of 4 bits
    PassTime,       ///< seconds of every pass beside its kernels: the engine's own
    /// How far host and device wait for each other: 0 never, so that a pass takes the longer of
    /// starting its kernels and of their work; 1 always, so that it takes both. Between them powers
    /// of 1 / HostBlend add up. It is the engine's: fits leave it as it ships.
    HostBlend,
    Count
};

constexpr std::size_t constantCount = static_cast<std::size_t>(Constant::Count);

/// A constant's name, its meaning and what it can be.
struct ConstantInfo
{
    std::string_view name; ///< in files: "matrix_rate"
    std::string_view unit; ///< "" or "s"
    std::string_view meaning;
    double usual = 1;   ///< what is expected before anything is measured
    double spread = 1;  ///< standard deviation of its natural logarithm
    double minimum = 0; ///< nothing below is believed
    double maximum = 1;
};

std::span<const ConstantInfo, constantCount> constantInfos();

/// How sure one can be of the times of an accelerator in a precision.
struct Surety
{
    /// Of constants that were fitted to other machines: times are a ranking. As far as those of the
    /// A100 are off on the B200.
    static constexpr double unfittedSpread = 0.5;

    int rows = 0; ///< measured iterations that they were fitted to; 0: none of this accelerator
    /// 90 of 100 measured iterations take between e^−spread and e^spread of what is predicted.
    double spread = unfittedSpread;

    friend bool operator==(const Surety&, const Surety&) = default;
};

/// A value for every constant, and how sure one can be of the times that they make.
struct Constants
{
    std::array<double, constantCount> values{};
    std::array<Surety, precisionCount> surety{}; ///< by precision

    const Surety& of(Precision precision) const
    {
        return surety[static_cast<std::size_t>(precision)];
    }
    Surety& of(Precision precision) { return surety[static_cast<std::size_t>(precision)]; }
    double operator[](Constant constant) const
    {
        return values[static_cast<std::size_t>(constant)];
    }
    double& operator[](Constant constant) { return values[static_cast<std::size_t>(constant)]; }

    friend bool operator==(const Constants&, const Constants&) = default;
};

/// What is expected before anything is measured.
Constants usualConstants();

/// Those that ship: fitted to 88 measured iterations on 64 to 512 A100, and to 720 in single nodes.
Constants fittedConstants();
Constants oneNodeConstants();

/// Those for an accelerator by name and a number of devices: the fitted ones of the clusters like
/// it. For accelerators that were not measured the parts of the A100's data sheet stand, but for
/// the part of a node's links that a group of some of its devices reaches, which is a matter of how
/// the node is wired: there what is usual. Their `rows` are 0.
Constants constantsFor(std::string_view accelerator, bool oneNode);

/// Whose measured iterations those that ship for an accelerator were fitted to, of another one
/// where they are borrowed: "NVIDIA-NeMo/Megatron-Bridge".
std::string_view sourceOfConstants(std::string_view accelerator);

} // namespace pw::plan

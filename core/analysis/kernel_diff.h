// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/pass_histogram.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw {

/// What kernels of a name did in one of two traces.
struct KernelSide
{
    std::int64_t count = 0;
    Ticks total = 0; ///< of their times
    /// Their part of the device's span: a moment at which several run is shared out evenly.
    double share = 0; ///< in nanoseconds

    friend bool operator==(const KernelSide&, const KernelSide&) = default;
};

/// What became of kernels of a name.
enum class KernelChange : std::uint8_t
{
    Same,
    Grew,
    Shrank,
    New,
    Vanished
};

/// "same", "grew", "shrank", "new", "vanished".
std::string_view name(KernelChange change);

/// Kernels of a name in a kind of pass on a rank, in both traces.
struct KernelDelta
{
    std::int32_t number = -1; ///< of the rank, as the files say it
    std::string pass;         ///< "F stage 2"; empty: in none, or none is labelled
    std::string name;         ///< "(idle)": nothing ran
    ActivityKind kind = ActivityKind::Other;
    KernelSide before;
    KernelSide after;

    /// By how much it made the span of its device longer. The effects of a rank sum to by how much
    /// that became longer.
    double effect() const { return after.share - before.share; }
    KernelChange change() const;
};

/// The span of a rank's devices in both traces.
struct SpanDelta
{
    std::int32_t number = -1; ///< of the rank, as the files say it
    Ticks before = 0;         ///< from the first activity to the last
    Ticks after = 0;
};

/// Two traces, kernel by kernel.
struct KernelDiff
{
    std::vector<KernelDelta> kernels; ///< the largest effect first, whichever its sign
    std::vector<SpanDelta> spans;     ///< by rank
    std::vector<PassHistogram> passes;
    std::vector<std::string> notes; ///< what could not be matched, sentences
};

/// Compares what ran on the devices of two traces. Kernels are matched by rank, by the kind and
/// stage of the labelled pass that they began in, and by name. Ranks are matched by their numbers;
/// where both traces have one, those two.
/// @complexity O(n log n) for n activities
KernelDiff diffKernels(const Trace& before, const Trace& after);

} // namespace pw

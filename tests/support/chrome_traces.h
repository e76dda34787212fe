// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <string>
#include <vector>

namespace pw::test {

/// The form in which a made-up trace is written.
enum class TraceForm
{
    Kineto,    ///< a file a rank: PP: labels on annotations, nanoseconds since a base, kernels
    OldKineto, ///< the same with microseconds since 1970 and no base
    Megatron   ///< one file: B/E pairs forward and backward, arguments on the end; one route, no
               ///< split backward, no segments, no updates
};

/// A file of a trace.
struct TraceText
{
    std::string name;
    std::string text;
};

/// Executions of a schedule, one after another, as another program would have recorded them: the
/// simulated times, exactly. What the labels of the form cannot say is not said.
std::vector<TraceText> chromeTraces(const Schedule& schedule, const SimResult& result,
                                    TraceForm form, int iterations = 1);

/// A clock as a rank has it: it shows offset + (1 + drift ⁄ 1,000,000) · time.
struct SkewedClock
{
    Ticks offset = 0;
    double drift = 0;

    Ticks shows(Ticks time) const;
};

/// What a recording does to the times of an execution.
struct Recording
{
    std::vector<SkewedClock> clocks; ///< by device; empty: all are right
    int lost = 0;                    ///< passes of the first execution that are not in the files
};

/// Executions one after another, each with times of its own, in the form Kineto: as recorded by
/// clocks that are wrong, with passes lost. The first begins at `recordingStart`.
std::vector<TraceText> chromeTraces(const Schedule& schedule,
                                    const std::vector<SimResult>& executions,
                                    const Recording& recording);
constexpr Ticks recordingStart = 100 * ticksPerMs;
/// What clocks count from, in nanoseconds since 1970.
constexpr Ticks recordingEpoch = 1'700'000'000'000'000'000;

/// Writes a file, packed where its name ends in .gz; ends the test program where it cannot.
void writeTrace(const std::string& path, const std::string& text);

} // namespace pw::test

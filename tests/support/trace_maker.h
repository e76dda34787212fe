// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "tests/support/chrome_traces.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw::test {

/// The program whose files are made up.
enum class TraceFormat
{
    Kineto,         ///< a file a rank, with operators, launches and kernels around the passes
    MegatronTracer, ///< one file of B/E pairs; no split backward, no segments, no updates
    MegatronTimers, ///< a file of marks a rank; likewise, and one iteration
    MegatronLog,    ///< timers of all ranks, summed over each iteration
    PaddleProfile,  ///< the dynamic graph's recorder, all ranks in one file, whole milliseconds
    PaddleRecords,  ///< the same, an event a line, a file a rank
    PaddleJobs,     ///< the static graph's, one file; no segments
    PaddleLog,      ///< the log that these are taken from, a file a rank
    OwnTrace,       ///< `pipewright convert RUN --to chrome-json`
    OwnTable,       ///< `pipewright convert RUN --to table`
    OwnWire,        ///< `pipewright run --wire`
    Nsys            ///< an SQLite export with ranges, launches and kernels, one file
};

constexpr TraceFormat allTraceFormats[] = {
    TraceFormat::Kineto,      TraceFormat::MegatronTracer, TraceFormat::MegatronTimers,
    TraceFormat::MegatronLog, TraceFormat::PaddleProfile,  TraceFormat::PaddleRecords,
    TraceFormat::PaddleJobs,  TraceFormat::PaddleLog,      TraceFormat::OwnTrace,
    TraceFormat::OwnTable,    TraceFormat::OwnWire,        TraceFormat::Nsys};

const char* name(TraceFormat format);

/// What is wrong with a recording, all of it known. Nsys has neither clocks nor lost passes.
struct TraceFlaws
{
    std::vector<SkewedClock> clocks; ///< by device; empty: all are right
    double lost = 0;                 ///< part of the passes that is not in the files, by chance
    double jitter = 0;               ///< a pass ends up to this part of its time early, by chance
    int overlaps =
        0; ///< spans of others a rank and iteration that cross the bounds of passes (Kineto)
    double kept = 1; ///< part of each file's bytes from its front
    int damaged = 0; ///< bytes of each file that become others
    unsigned seed = 1;
};

struct MadeTrace
{
    std::vector<std::string> files;
    std::int64_t passes = 0; ///< that are in the files, before they are cut and damaged
    std::int64_t lost = 0;
    int iterations = 0;
    std::int64_t bytes = 0; ///< of all files
};

/// How much is made.
struct TraceSize
{
    int iterations = 1;
    /// Iterations go on until all files together are so long; memory does not depend on it (Kineto,
    /// Megatron's tracer, Paddle's, the wire).
    std::int64_t bytes = 0;
    int filler = 1;      ///< events of each sort around a pass (Kineto)
    bool packed = false; ///< as .gz
};

/// Writes executions of a schedule, one after another, as a program would have recorded them. What
/// the format cannot say is not said. Ends the test program where a file cannot be written.
MadeTrace makeTrace(const std::string& folder, TraceFormat format, const Schedule& schedule,
                    const SimResult& result, const TraceSize& size = {},
                    const TraceFlaws& flaws = {});

} // namespace pw::test

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/reading/packing/byte_source.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What every importer leaves behind for a file, so that `Assembly` can find its ranks.

/// A process of a file: its place in `EventFile::processes`.
using ProcessId = Id<struct ProcessTag>;

/// While files are read, spans, tracks, peaks and counters have their process in the place of their
/// rank: which ranks there are is known when all files are read. `Assembly` puts the ranks there.
constexpr TraceRankId rankAsYet(ProcessId process)
{
    return TraceRankId(process.value);
}
/// @pre the rank is from `rankAsYet`
constexpr ProcessId processOf(TraceRankId rank)
{
    return ProcessId(rank.value);
}

/// A process as the events of one file name it, or a device that one works on.
struct EventProcess
{
    std::string id;                   ///< number or text
    std::string name;                 ///< empty: not told
    std::string label;                ///< "NPU", as Ascend's profiler says; empty: not told
    std::int32_t rankSaid = -1;       ///< its number, by what `saidBy` names
    std::string saidBy = "arguments"; ///< of its events
    std::int32_t replica = -1;        ///< of the pipeline that it is a rank of; −1: not told
    std::int64_t labelled = 0;        ///< passes on it
    std::int64_t onTheHost = 0;       ///< of them, by the host's clock
    bool ownDevice = false;           ///< a rank whatever its labels: it has a device to itself
    std::int32_t device = -1;         ///< number of that device in its machine; −1: not told
};

/// A step of a file whose times begin anew with every step, which all ranks start together.
struct OwnStep
{
    std::int32_t iteration = 0;
    Ticks length = 0;          ///< as the file says
    std::size_t firstSpan = 0; ///< of the trace's spans; they run to the next step's first
};

/// What a file says of the shape of the run. −1: not told.
struct ToldShape
{
    std::int32_t ranks = -1;
    std::int32_t chunks = -1; ///< of each rank
    std::int32_t microBatches = -1;
    std::int32_t group = -1; ///< micro-batches that go through all chunks together
};

/// What a file says beside its spans.
struct EventFile
{
    std::int32_t rankNumber = -1;      ///< that the file says it is of
    std::string rankFrom = "metadata"; ///< where it says so
    std::int32_t replica = -1;         ///< of the pipeline that its rank is of; −1: not told
    bool hasBase = false;              ///< times count from a base that the file names
    std::string origin; ///< the program that surely wrote it; empty: a guess by its contents
    std::vector<EventProcess> processes;
    std::vector<OwnStep> steps; ///< where times begin anew; sorted by `firstSpan`
    /// Passes are numbered in the order in which they ran: the label's `microBatch` counts those of
    /// its kind in the iteration of its rank, and Megatron's order says chunk and micro-batch.
    bool countedPasses = false;
    /// No label says a pass; `findLinkedPasses` found them and numbered them through.
    bool linkedPasses = false;
    ToldShape shape;
    bool shapeOnly = false; ///< no rank: it lies beside the files of ranks and tells the shape
    /// A process group that its head and its events tell differently, as a sentence without an end;
    /// empty: none.
    std::string groupsDiffer;
    bool log = false;                   ///< it tells what is in `Trace::log`, with spans or without
    std::vector<TracePeak> peaks;       ///< see `rankAsYet`
    std::vector<TraceCounter> counters; ///< likewise
    std::vector<WorkSum> sums;          ///< likewise
    std::size_t firstSpan = 0;          ///< of the trace's spans; they run to the next file's first
    /// Where the file was reduced: the earliest start of what it had, by its clock.
    std::optional<Ticks> earliest;
    std::optional<RankFile> reduced; ///< which file that was, without its rank

    /// Whether the file is a part of a trace though it lies in a folder and nobody named it.
    /// @param anySpans  whether spans of it were read
    bool tells(bool anySpans) const { return anySpans || shapeOnly || log; }
};

/// No rank, replica or size of a group is more: what a store can hold.
constexpr std::int32_t mostRankNumber = 1 << 20;

/// What comes of `EventFile::groupsDiffer`.
constexpr std::string_view eventsCount = "; the events count";

/// The name of stretches in which a rank works whose file was reduced, whatever it does.
constexpr std::string_view reducedWorkName = "work";

/// No time of a trace is further from 0 than this, so that differences fit.
constexpr Ticks latestTime = Ticks{1} << 62;

/// Warns of what is counted in the file at hand, which is the trace's last one; of 0 it does not.
/// @param what  " events have no time"
inline void warnOfFile(Trace& trace, std::int64_t count, const char* what)
{
    if (count > 0)
        trace.warnings.push_back(trace.files.back() + ": " + std::to_string(count) + what);
}

/// Opens the file anew at its front; it is read a second time where it is damaged.
using OpenSource = std::function<Result<std::unique_ptr<ByteSource>>()>;

/// Called now and then. @return false: stop
using KeepReading = std::function<bool()>;

/// The same of rows of a database. @param done  part of all rows, 0 to 1
using KeepReadingRows = std::function<bool(double done)>;

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/pass.h"
#include "core/trace/collective_call.h"
#include "core/trace/training_log.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What another program recorded of a run, as an importer read it: spans on ranks, most of which say
// nothing of a pipeline. `core/trace/recover.h` finds the pipeline in it.

/// How a time is known, the surest first. `RunBatch::trust` keeps the number.
enum class Trust : std::uint8_t
{
    Device,    ///< measured on the device
    Host,      ///< by the clock of the host, when work was handed over or waited for
    Contained, ///< of what ran inside another span
    Counted,   ///< the time is measured, what it belongs to follows from counting
    Guessed
};

constexpr int trustCount = 5;

/// "measured on the device", "host clock", "by containment", "counted", "guessed".
std::string_view name(Trust trust);

/// What a span does, by its category and its name. The first four are what runs on a device.
enum class ActivityKind : std::uint8_t
{
    Other,
    Compute,
    Communication, ///< a collective, a send or a receive, dispatch and combine of experts
    Memory,        ///< a copy or a fill
    Operator,      ///< of a framework, on the host
    Launch,        ///< a call of the device's runtime or driver
    Wait,          ///< for a device, a stream or an event
    Annotation,    ///< a name around work, on the host or projected onto a device
    Script         ///< a function of the program, as a Python profiler sees it
};

constexpr int activityKindCount = 9;

/// "other", "compute", "communication", "memory", "operator", "launch", "wait", "annotation",
/// "script".
std::string_view name(ActivityKind kind);

/// What a span is in a pipeline.
enum class SpanRole : std::uint8_t
{
    Other, ///< nothing that is known
    Pass,
    Send, ///< of an activation (kind F) or of a gradient (kind BW)
    Receive,
    Step,     ///< a whole iteration on one rank
    Remainder ///< of an iteration, beside passes: parameters gathered, gradients summed, optimizer
};

/// What a span's name and arguments say. −1: they do not say it.
struct SpanLabel
{
    SpanRole role = SpanRole::Other;
    PassKind kind = PassKind::F;
    /// B of a notation that also writes W: input part where the trace has W passes, else both.
    bool openBackward = false;
    bool paired = false; ///< one half of an overlapped pair; both halves have the pair's times
    std::int32_t iteration = -1;
    std::int32_t route = -1;
    StageId stage;
    std::int32_t chunk = -1;      ///< place among the stages of its rank
    std::int32_t microBatch = -1; ///< of an update, its number
    std::int32_t segment = -1;

    friend bool operator==(const SpanLabel&, const SpanLabel&) = default;
};

/// A stretch of time on a track.
struct TraceSpan
{
    Ticks start = 0; ///< since `Trace::base`
    Ticks end = 0;
    TraceRankId rank{0};     ///< of `Trace::ranks`
    std::int32_t track = 0;  ///< of `Trace::tracks`
    std::int32_t name = 0;   ///< of `Trace::names`
    std::int32_t label = -1; ///< of `Trace::labels`; −1: none
    Trust trust = Trust::Host;
    ActivityKind activity = ActivityKind::Other;
    std::uint16_t depth = 0;  ///< in its lane, from 0; see `activityLanes`
    std::int32_t queued = -1; ///< of work of a device: ns from the start of the call that launched
                              ///< it to its own, `longestQueued` at most; −1: not known

    static constexpr std::int32_t longestQueued = 0x7FFFFFFF;

    friend bool operator==(const TraceSpan&, const TraceSpan&) = default;
};

/// A rank as the files tell it.
struct TraceRank
{
    std::int32_t number = -1; ///< −1: no file says it
    std::string source;       ///< what says the number: "metadata", "file name" …
    std::string process;      ///< name or number of the process that its passes are from
    bool guessed = false;     ///< counted in the order of files or processes
    /// Of several pipelines that run the same passes beside each other; −1: no file says it.
    std::int32_t replica = -1;
    std::int32_t run = 0; ///< of several whole runs in one file; see `runsOf`

    friend bool operator==(const TraceRank&, const TraceRank&) = default;
};

/// A row of a file: a thread, or a stream of a device.
struct TraceTrack
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    std::string process; ///< as the file names them
    std::string thread;
    bool device = false;            ///< a stream of a device, not a thread
    std::int32_t deviceNumber = -1; ///< of that device in its machine; −1: not told

    friend bool operator==(const TraceTrack&, const TraceTrack&) = default;
};

/// The most memory that a rank had in use, as a file tells it.
struct TracePeak
{
    TraceRankId rank{0};         ///< of `Trace::ranks`
    std::int32_t iteration = -1; ///< up to its end; −1: of the whole recording
    Bytes bytes = 0;

    friend bool operator==(const TracePeak&, const TracePeak&) = default;
};

/// What a counter counts.
enum class CounterKind : std::uint8_t
{
    Other,
    Memory, ///< bytes
    Part    ///< of 1, as of utilisation
};

/// A value from `time` on.
struct CounterSample
{
    Ticks time = 0; ///< since `Trace::base`
    double value = 0;

    friend bool operator==(const CounterSample&, const CounterSample&) = default;
};

/// A number that a file tells again and again: memory in use, utilisation.
struct TraceCounter
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    std::string name;    ///< "allocated, GPU 0"
    CounterKind kind = CounterKind::Other;
    bool device = false;                ///< of a device, not of the host
    bool reserved = false;              ///< of memory: what an allocator holds, in use or not
    std::vector<CounterSample> samples; ///< by time

    friend bool operator==(const TraceCounter&, const TraceCounter&) = default;
};

/// An operator and its backward, as numbers or arrows of the file tell it.
struct TraceLink
{
    std::int32_t from = -1; ///< of `Trace::spans`: the forward operator
    std::int32_t to = -1;   ///< likewise: its backward

    friend bool operator==(const TraceLink&, const TraceLink&) = default;
};

/// Work of a rank that was summed up when its file was reduced.
struct WorkSum
{
    TraceRankId rank{0};    ///< of `Trace::ranks`
    std::int32_t step = -1; ///< that it was in; −1: of the whole file
    std::int32_t name = -1; ///< of `Trace::names`: a kernel; −1: all work of the kind
    std::int64_t count = 0; ///< pieces
    Ticks total = 0;        ///< of a kind, with what runs beside each other counted once
    ActivityKind kind = ActivityKind::Other;

    friend bool operator==(const WorkSum&, const WorkSum&) = default;
};

/// The file of a rank that was reduced to a digest.
struct RankFile
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    std::string path;    ///< absolute
    std::string host;    ///< the machine where it lies, by its own name
    std::string content; ///< hash of it
    std::int64_t bytes = 0;
    std::string readBy{}; ///< a person's rules, as of `readingRulesText`

    friend bool operator==(const RankFile&, const RankFile&) = default;
};

/// A place where a file was damaged and could be read all the same.
struct TraceRepair
{
    std::int32_t file = 0;     ///< of `Trace::files`
    std::int64_t position = 0; ///< byte of the content, from 0; of a .gz, of what is packed in it
    std::string text;          ///< what was wrong and what was read in its place

    friend bool operator==(const TraceRepair&, const TraceRepair&) = default;
};

/// The first repairs in full, the rest counted.
struct TraceRepairs
{
    static constexpr std::size_t listed = 1000;

    std::vector<TraceRepair> list;
    std::int64_t count = 0;

    void add(TraceRepair repair);
};

/// "other", "memory", "part".
std::string_view name(CounterKind kind);

/// One or several files as one trace.
struct Trace
{
    std::string origin; ///< the program that wrote it, as far as the files show
    Ticks base = 0;     ///< time 0 in nanoseconds since 1970; 0: not known
    std::vector<std::string> files;
    std::vector<TraceRank> ranks; ///< by number, those without one last
    std::vector<TraceTrack> tracks;
    std::vector<std::string> names; ///< UTF-8
    std::vector<SpanLabel> labels;
    std::vector<TraceSpan> spans; ///< in the order of the files; the earliest starts at 0
    std::vector<TracePeak> peaks; ///< of memory, where files tell them
    std::vector<TraceCounter> counters;
    std::vector<TraceLink> links; ///< by the backward
    std::vector<ProcessGroup> groups;
    std::vector<CollectiveCall> calls; ///< by span
    std::vector<WorkSum> sums;         ///< of files that were reduced
    std::vector<RankFile> rankFiles;   ///< likewise
    TraceRepairs repairs;
    std::vector<std::string> warnings; ///< sentences
    std::vector<std::string> notes;    ///< how passes were found that no label says; sentences
    /// How a run of ours ended, as its wire says it: "finished", "stopped", "failed", or
    /// "incomplete" where no line does. Empty: it is no wire.
    std::string ended;
    std::int64_t events = 0;  ///< that the files hold
    std::int64_t leftOut = 0; ///< of them, damaged or without their other end
    TrainingLog log;          ///< what the log of a training says, where files are logs

    std::string_view nameOf(const TraceSpan& span) const
    {
        return names[static_cast<std::size_t>(span.name)];
    }
    /// The label of a span, or null.
    const SpanLabel* labelOf(const TraceSpan& span) const
    {
        return span.label < 0 ? nullptr : &labels[static_cast<std::size_t>(span.label)];
    }
    /// What is said of a span of communication, or null. @complexity O(log n)
    const CollectiveCall* callOf(std::int32_t span) const;
};

} // namespace pw

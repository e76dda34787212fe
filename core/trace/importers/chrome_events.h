// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/importers/byte_source.h"
#include "core/trace/name_rule.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace pw {

/// A process as the events of one file name it, or a device that one works on.
struct EventProcess
{
    std::string id;             ///< number or text
    std::string name;           ///< empty: not told
    std::int32_t rankSaid = -1; ///< by arguments of its events
    std::int64_t labelled = 0;  ///< passes on it
    std::int64_t onTheHost = 0; ///< of them, by the host's clock
    bool ownDevice = false;     ///< a rank whatever its labels: it has a device to itself
    std::int32_t device = -1;   ///< number of that device in its machine; −1: not told
};

/// What a file says beside its spans.
struct EventFile
{
    std::int32_t rank = -1; ///< from its metadata
    bool hasBase = false;   ///< times count from a base that the file names
    std::string origin;     ///< the program that surely wrote it; empty: a guess by its contents
    std::vector<EventProcess> processes;
    std::size_t firstSpan = 0; ///< of the trace's spans; they run to the next file's first
};

/// Names and labels that all files of a trace share, found again by their text.
class TraceNames
{
public:
    /// @param rules  of a person for foreign names
    explicit TraceNames(Trace& trace, std::vector<NameRule> rules = {});
    ~TraceNames();
    TraceNames(const TraceNames&) = delete;
    TraceNames& operator=(const TraceNames&) = delete;

    /// The index of a name in `Trace::names`; bytes that are no UTF-8 become U+FFFD.
    std::int32_t indexOf(std::string_view name);
    /// What a name says of the pipeline. Until the next name.
    const SpanName& said(std::int32_t name) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Valid UTF-8: other bytes become U+FFFD.
std::string cleanText(std::string_view text);

/// Names longer than this are cut.
constexpr std::size_t longestName = 4096;

/// No time of a trace is further from 0 than this, so that differences fit.
constexpr Ticks latestTime = Ticks{1} << 62;

/// Opens the file anew at its front; it is read a second time where it is damaged.
using OpenSource = std::function<Result<std::unique_ptr<ByteSource>>()>;

/// Called now and then. @return false: stop
using KeepReading = std::function<bool()>;

/// Reads one file of Chrome trace events, as Kineto, Perfetto's JSON and many tracers write them:
/// an array of events, or an object with `traceEvents`. Appends spans of X events and of B/E pairs
/// to the trace; arguments of either end count. Other phases are only counted.
///
/// A span's `rank` and `track` are filled so that the caller can resolve them: `rank` is the
/// process, an index of `EventFile::processes`, and the track's rank likewise. Times are
/// nanoseconds, with the file's base added where it names one.
///
/// Streams: memory is that of the spans, names and tracks, and a buffer.
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     no trace events, or too damaged; with the place
/// @error Cancelled  `goOn` said so
Result<EventFile> readChromeEvents(const OpenSource& open, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn);

/// How fast the bytes of a source alone can be parsed, for benchmarks: the same reader without any
/// event made. @return values seen, or −1 where it is no sound JSON
std::int64_t parseOnly(ByteSource& source);

} // namespace pw

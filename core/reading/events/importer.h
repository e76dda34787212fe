// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/plain_spans.h"
#include "core/reading/events/text_lines.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/span_name.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// A format whose content is read as a whole, or as a stream of bytes of its own.
struct ContentFormat
{
    /// Whether the first bytes of a content, unpacked, are of the format.
    bool (*looks)(std::string_view head) = nullptr;
    /// Null for what is read by its path. Reads one file and appends its spans to a trace. A span's
    /// and a track's `rank` is an index of `EventFile::processes`. @param number  of the file in
    /// `Trace::files`
    /// @error Syntax     nothing of the format can be read, with the place
    /// @error Cancelled  `goOn` said so
    Result<EventFile> (*read)(const OpenSource& open, std::int32_t number, Trace& trace,
                              TraceNames& names, const KeepReading& goOn) = nullptr;
};

/// A format of lines of text: a log, a table.
struct LineFormat
{
    /// The first byte of a text at which the format shows; npos: nowhere in it. It is asked for the
    /// begin of a file, and line by line for what follows.
    std::size_t (*mark)(std::string_view text) = nullptr;
    /// The mark is the begin of the first line that is not empty, and says nothing elsewhere.
    bool headed = false;
    std::string_view origin; ///< `EventFile::origin`
    /// Reads lines and appends spans. A line that cannot be read goes to `unreadable`.
    /// @error Syntax  nothing of the format can be read
    Result<void> (*read)(TextLines& lines, std::int32_t number, PlainSpans& spans) = nullptr;
};

/// A format that is read by its path: a database.
struct TableFormat
{
    bool (*claims)(const std::string& path) = nullptr;
    /// Whether a file that was found in a folder is one, though its name may be that of others.
    bool (*claimsInFolder)(const std::string& path) = nullptr;
    Result<EventFile> (*read)(const std::string& path, Trace& trace, TraceNames& names,
                              const KeepReadingRows& goOn) = nullptr;
};

/// What a dialect makes of one Chrome trace event.
struct DialectEvent
{
    /// Whose the event is.
    enum class Owner : std::uint8_t
    {
        Process, ///< of its process, as usual
        Thread,  ///< its thread is a rank, or a place in the pipeline
        LastRank ///< of the rank of the event before it
    };

    SpanName said;          ///< of the pipeline; a person's rule comes before it
    bool rulesCount = true; ///< whether rules for names are asked for this event
    Owner owner = Owner::Process;
    std::int32_t rankNumber = -1; ///< that the thread is; −1: not told
    std::int64_t timeScale = 1;   ///< units of its time in microseconds
};

/// Chrome trace events as one program writes them, where it differs from what is common.
struct EventDialect
{
    std::string_view origin; ///< `EventFile::origin` once an event is the dialect's
    /// Arguments by another name than the usual ones: {"mb", EventField::MicroBatch}.
    std::vector<std::pair<std::string_view, EventField>> arguments{};
    /// What it makes of an event; nothing: the event is not of the dialect. Called for every event.
    std::optional<DialectEvent> (*read)(const ChromeEvent& event) = nullptr;
    /// The rank that a thread's name says, −1: none; null where threads are not ranks.
    std::int32_t (*rankOfThread)(std::string_view thread) = nullptr;
};

/// A format of traces: everything that the import, its help and its tests know of it.
///
/// One file a format: `core/reading/formats/<name>.cpp` defines `Importer <name>()` in namespace
/// `pw::importers`; the build lists the folder. Just one of the four ways to read is given.
struct Importer
{
    std::string_view id;    ///< "perfetto"
    std::string_view title; ///< as a sentence lists it: "Perfetto's protobuf (.pftrace)"
    /// Ends of the names of its files, by which they are found in a folder; without .gz and .zst.
    std::vector<std::string_view> endings{};
    /// Whether a name, without its folder, is that of a file of the format; null: `endings` say so.
    bool (*named)(std::string_view name) = nullptr;
    /// Where a folder has this file, the files that `named` says are parts of it once more.
    std::string_view wholeFile{};
    /// What a folder lacks that has none: ".pftrace"; empty: another format says it.
    std::string_view sought{};
    /// Of several that claim a content the one with the least counts. The last of all takes what
    /// nobody claims, so that its errors say what is wrong with it.
    int precedence = 50;

    ContentFormat content{};
    LineFormat lines{};
    TableFormat tables{};
    EventDialect dialect{};
};

/// All importers, by precedence and then by id.
std::span<const Importer> allImporters();

/// The formats in a sentence: "…; …; and …".
std::string importerTitles();

/// The importer of a content by its first bytes; null where none claims it. Dialects are events.
const Importer* importerOf(std::string_view head);

/// The importer of a source, which is read as far as it takes to tell: lines up to the first mark.
/// Never null: what nobody claims is for the last one. Stopping it is no error here.
Result<const Importer*> importerOf(const OpenSource& open, const KeepReading& goOn);

/// The importer that reads a file by its path; null: it is read as bytes.
const Importer* tableImporterOf(const std::string& path);

/// Reads a file of bytes by an importer that `importerOf` gave.
Result<EventFile> readBy(const Importer& importer, const OpenSource& open, std::int32_t number,
                         Trace& trace, TraceNames& names, const KeepReading& goOn);

/// Whether a file of a folder is read, by its name without .gz and .zst; `path` is looked at only
/// for databases, and not where it is empty.
bool isTraceName(std::string_view name, const std::string& path);

/// How files of traces are called, for a dialog: "*.json", "*.json.gz" … "*.zip".
std::vector<std::string> traceNamePatterns();

/// The meaning of an argument in some dialect; None where no dialect has it.
EventField dialectArgument(std::string_view key);

/// The dialect that an event is of; null: none.
const EventDialect* dialectOf(const ChromeEvent& event, DialectEvent& made);

namespace importers {

/// Makes every importer of the folder; generated by the build. Everyone else asks
/// `pw::allImporters()`.
std::vector<Importer> makeAll();

} // namespace importers

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/reading/events/importer.h"
#include "core/reading/nsys/nsys_content.h"
#include "core/reading/nsys/nsys_tables.h"

#include <algorithm>

namespace pw::importers {

namespace {

using pw::nsys::Content;

/// Times count from the start of the session, unless they were exported since 1970.
Result<void> readBase(NsysTables& tables, Content& content)
{
    constexpr Ticks surelyEpoch = Ticks{365} * 24 * 3600 * 1'000'000'000;
    Ticks base = 0;
    const Result<void> read = tables.each("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", false}},
                                          [&](const RowValues& row) -> Result<void> {
                                              base = row.whole(0);
                                              return {};
                                          });
    if (!read)
        return read;
    const auto first =
        content.trace.spans.begin() + static_cast<std::ptrdiff_t>(content.file.firstSpan);
    if (first == content.trace.spans.end() || base <= surelyEpoch || base >= latestTime / 2)
        return {};
    const auto earliest =
        std::min_element(first, content.trace.spans.end(),
                         [](const TraceSpan& a, const TraceSpan& b) { return a.start < b.start; });
    content.file.hasBase = true;
    if (earliest->start > surelyEpoch)
        return {};
    for (auto one = first; one != content.trace.spans.end(); ++one) {
        one->start += base;
        one->end += base;
    }
    for (TraceCounter& counter : content.file.counters)
        for (CounterSample& sample : counter.samples)
            sample.time += base;
    return {};
}

void warnOfRows(Content& content)
{
    const auto say = [&content](std::int64_t count, const std::string& what) {
        if (count > 0)
            content.trace.warnings.push_back(content.trace.files.back() + ": " +
                                             groupedNumber(count) + what);
    };
    for (const auto& [table, count] : content.badTimes)
        say(count, " rows of " + table + " have no time that can be read; left out");
    say(content.neverEnded, " ranges of NVTX_EVENTS begin and never end; left out");
    say(content.withoutText, " string ids are not in StringIds; their names are numbers");
    say(content.withoutLaunch,
        " of " + groupedNumber(content.kernelRows) +
            " kernels have no launch in CUPTI_ACTIVITY_KIND_RUNTIME; they belong "
            "to no range");
    say(content.doubtful,
        " kernels and copies were launched while several threads had a labelled range; "
        "they belong to none");
    say(content.withoutWork,
        " labelled passes launched nothing; they are placed without length after the "
        "pass before them, guessed");
    say(content.withoutKernels,
        " labelled passes launched no kernel that is in the file; they have no "
        "time on the device and are left out");
}

/// Reads one SQLite export of Nsight Systems (schema 3.x) and appends its spans to a trace.
///
/// Kernels, copies and memsets are spans of their stream, measured on the device. NVTX ranges are
/// spans of their thread, by the host's clock; ", seq = …" and what follows is cut off their names.
/// A device that a process works on is a rank, unless ranges name ranks themselves.
///
/// Kernels are joined to the call that launched them by correlation id and process, and so to the
/// labelled range that was open then on the calling thread, else on the only other thread of the
/// process that has one for the same rank (autograd's thread has none). From the first to the last
/// of them is a span of that label, by containment; sends and receives do not lengthen a pass. Then
/// the range itself has no label: the host's times and the device's do not mix on a rank. A pass
/// that launched nothing, between others that did, has no length and stands behind the one before
/// it, guessed; not so in a file that lacks launches.
///
/// Calls of the runtime are slices of their thread, samples of the devices are counters.
///
/// Tables that are not there have no rows. Memory is that of the spans and names, and 32 bytes for
/// each of the device's.
///
/// @error Io         the file cannot be opened
/// @error Syntax     it is damaged, no export, or lacks a column; with file, table and column or
/// row
/// @error Cancelled  `goOn` said so
Result<EventFile> readNsysSqlite(const std::string& path, Trace& trace, TraceNames& names,
                                 const KeepReadingRows& goOn)
{
    PW_TRY(const std::unique_ptr<NsysTables> tables, NsysTables::open(path, goOn));
    Content content(trace, names);
    PW_DO(pw::nsys::readRows(*tables, content));
    PW_DO(pw::nsys::findRanks(*tables, content));
    PW_DO(pw::nsys::readMetrics(*tables, content));
    PW_DO(pw::nsys::labelRanges(path, content, goOn));
    pw::nsys::nameTracks(content);
    PW_DO(readBase(*tables, content));
    warnOfRows(content);
    return std::move(content.file);
}

bool looksLikeSqlite(std::string_view head)
{
    return head.substr(0, sqliteMark.size()) == sqliteMark;
}

} // namespace

Importer nsys()
{
    Importer importer;
    importer.id = "nsys";
    importer.title = "SQLite exports of Nsight Systems (nsys export --type sqlite)";
    importer.endings = {".sqlite"};
    importer.sought = ".sqlite of Nsight Systems";
    importer.precedence = 5;
    importer.content.looks = looksLikeSqlite;
    importer.tables = {isSqlite, maybeNsys, readNsysSqlite};
    return importer;
}

} // namespace pw::importers

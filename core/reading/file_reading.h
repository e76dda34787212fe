// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/file_part.h"
#include "core/reading/import_budget.h"
#include "core/reading/import_files.h"
#include "core/reading/import_trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// A content of bytes as the next part of a trace: JSON, or a text of lines.
/// @error  as of `importTrace`
Result<EventFile> readBytes(const OpenSource& openBytes, std::int32_t number, Trace& trace,
                            TraceNames& names, const KeepReading& goOn);

/// Reads the files of an import one after another.
class FileReading
{
public:
    FileReading(ImportOptions options, const ImportFiles& files);
    FileReading(const FileReading&) = delete;
    FileReading& operator=(const FileReading&) = delete;

    /// Reads a file as the next part of the trace. One that was found in a folder and is none is
    /// left out.
    /// @error  as of `importTrace`
    Result<void> take(const ImportFile& file);

    /// Makes what another one took the next part of the trace, as if it had been read here.
    /// @param from  took one file, and stands alone
    /// @return      false: it is not a part that another can take over, such as a log or a file
    /// that
    ///              is left out, and the file has to be taken here
    /// @error TooLarge  as of `take`
    Result<bool> takeOver(FileReading& from);

    /// The trace of all files.
    /// @error Syntax  none is one
    Result<Trace> finish();

    /// The one file that was taken, before it becomes a part of a trace.
    FilePart part()
    {
        return {std::move(m_trace), m_parts.empty() ? EventFile() : std::move(m_parts.front())};
    }

    /// Spans and tracks so far.
    const Trace& trace() const { return m_trace; }
    const ImportProgress& progress() const { return m_progress; }
    /// Of the files that were taken, as they lie on the disk.
    std::int64_t bytesTaken() const { return m_before; }

private:
    /// A pipe is read once, into a file of its own.
    Result<EventFile> read(const ImportFile& file);
    /// @param place   where the bytes of `file` lie
    /// @param member  of the archive that lies there
    Result<EventFile> read(const std::string& file, const std::string& place,
                           const ZipMember* member);
    /// Opens a content once, also where it is begun several times: a folder or an archive may have
    /// tens of thousands.
    Result<EventFile> readOnce(const OpenSource& open, std::int32_t number,
                               const KeepReading& goOn);
    Result<EventFile> readHeld(const std::string& content, std::int32_t number,
                               const KeepReading& goOn);

    ImportOptions m_options;
    Trace m_trace;
    TraceNames m_names;
    ImportGuard m_guard;
    ImportProgress m_progress;
    std::vector<EventFile> m_parts;
    std::int64_t m_before = 0;   // bytes of the files that were read
    std::int64_t m_consumed = 0; // of the file at hand
    std::int64_t m_unpacked = 0; // of the file at hand, as bytes that came out of it
    std::int64_t m_size = 0;
    std::string m_failure; // why the file at hand ended early
    Sentence m_leftOut;    // the first reason why a file was left out
};

} // namespace pw

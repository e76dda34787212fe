// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/import_trace.h"

#include "core/io/file_problem.h"
#include "core/trace/importers/assembly.h"
#include "core/trace/importers/chrome_events.h"
#include "core/trace/importers/import_files.h"
#include "core/trace/importers/nsys_sqlite.h"
#include "core/trace/importers/pipe_file.h"
#include "core/trace/importers/training_log.h"

#include <algorithm>
#include <filesystem>

namespace pw {

namespace {

/// Bytes on the disk; 0 where it cannot be told, which reading will explain.
std::int64_t sizeOf(const std::string& path)
{
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    return problem ? 0 : static_cast<std::int64_t>(bytes);
}

/// Makes room for what all bytes hold, by how much was in those read so far. A list that doubles
/// would hold millions twice; room that is never used takes no memory.
template<typename T>
void makeRoom(std::vector<T>& list, std::int64_t read, std::int64_t all)
{
    constexpr std::size_t few = std::size_t{1} << 20, most = std::size_t{1} << 26;
    constexpr std::size_t untilNextTime = std::size_t{1} << 16;
    constexpr double margin = 1.5;
    if (list.size() < few - untilNextTime || read <= 0 || list.size() > most ||
        list.capacity() - list.size() > untilNextTime)
        return;
    const double expected = margin * static_cast<double>(list.size()) * static_cast<double>(all) /
                            static_cast<double>(read);
    if (expected < static_cast<double>(most))
        list.reserve(static_cast<std::size_t>(expected));
}

/// A file with its progress, and why it ended early.
class WatchedSource : public ByteSource
{
public:
    WatchedSource(std::unique_ptr<FileSource> file, std::int64_t& consumed, std::int64_t& unpacked,
                  std::string& failure)
        : m_file(std::move(file))
        , m_consumed(consumed)
        , m_unpacked(unpacked)
        , m_failure(failure)
    {
    }
    std::size_t read(char* buffer, std::size_t size) override
    {
        const std::size_t count = m_file->read(buffer, size);
        m_consumed = std::max(m_consumed, m_file->consumed());
        m_given += static_cast<std::int64_t>(count);
        m_unpacked = std::max(m_unpacked, m_given);
        if (count == 0)
            m_failure = m_file->failure();
        return count;
    }

private:
    std::unique_ptr<FileSource> m_file;
    std::int64_t& m_consumed;
    std::int64_t& m_unpacked;
    std::int64_t m_given = 0;
    std::string& m_failure;
};

/// A file that is read as bytes: JSON, or a text of lines.
Result<EventFile> readBytes(const OpenSource& open, std::int32_t number, Trace& trace,
                            TraceNames& names, const KeepReading& goOn)
{
    const Result<TextForm> form = findTextForm(open, goOn);
    if (!form)
        return fail(form.error());
    return *form == TextForm::None ? readChromeEvents(open, number, trace, names, goOn)
                                   : readText(*form, open, number, trace, names, goOn);
}

} // namespace

Result<Trace> importTrace(const std::vector<std::string>& paths, const ImportOptions& options)
{
    const Result<ImportFiles> files = importFiles(paths);
    if (!files)
        return fail(files.error());
    ImportProgress progress;
    progress.files = static_cast<std::int32_t>(files->paths.size());
    for (const std::string& file : files->paths)
        progress.bytes += sizeOf(file);
    Trace trace;
    trace.warnings = files->warnings;
    TraceNames names(trace, options.rules);
    std::vector<EventFile> parts;
    std::int64_t before = 0;
    ImportGuard guard(trace, options.budget);
    for (const std::string& file : files->paths) {
        const auto number = static_cast<std::int32_t>(trace.files.size());
        trace.files.push_back(file);
        std::int64_t consumed = 0, unpacked = 0, size = 0;
        std::string failure;
        std::unique_ptr<PipeFile> pipe;
        if (fileKind(file) == FileKind::Pipe) {
            Result<std::unique_ptr<PipeFile>> read =
                PipeFile::read(file, options.budget.pipeBytes, [&](std::int64_t) {
                    return !options.progress || options.progress(progress);
                });
            if (!read)
                return fail(read.error());
            pipe = std::move(*read);
        }
        const std::string place = pipe ? pipe->path() : file;
        const OpenSource open = [&]() -> Result<std::unique_ptr<ByteSource>> {
            Result<std::unique_ptr<FileSource>> source = FileSource::open(place);
            if (!source)
                return fail(source.error());
            size = (*source)->size();
            return std::make_unique<WatchedSource>(std::move(*source), consumed, unpacked, failure);
        };
        const KeepReading goOn = [&] {
            progress.file = number;
            progress.bytesRead = before + consumed;
            makeRoom(trace.spans, progress.bytesRead, progress.bytes);
            makeRoom(trace.labels, progress.bytesRead, progress.bytes);
            return guard.fine(file, unpacked, size) &&
                   (!options.progress || options.progress(progress));
        };
        const KeepReadingRows rowsGoOn = [&](double read) {
            consumed = static_cast<std::int64_t>(read * static_cast<double>(size));
            return goOn();
        };
        const bool rows = isSqlite(place);
        if (rows)
            size = sizeOf(place);
        Result<EventFile> part = rows ? readNsysSqlite(place, trace, names, rowsGoOn)
                                      : readBytes(open, number, trace, names, goOn);
        if (!guard.refusal().empty())
            return fail(ErrorCode::TooLarge, guard.refusal());
        if (!part) {
            Error error = part.error();
            if (!failure.empty())
                error.message += "; reading ended with: " + failure;
            return fail(error);
        }
        if (!failure.empty())
            trace.warnings.push_back(file + " could not be read to its end: " + failure);
        parts.push_back(std::move(*part));
        before += size;
    }
    return assembled(std::move(trace), std::move(parts));
}

Result<Trace> importTraceText(std::string_view text, const std::string& name,
                              const std::vector<NameRule>& rules)
{
    Trace trace;
    TraceNames names(trace, rules);
    trace.files.push_back(name);
    const OpenSource open = [text]() -> Result<std::unique_ptr<ByteSource>> {
        return std::make_unique<MemorySource>(text);
    };
    Result<EventFile> part = readBytes(open, 0, trace, names, {});
    if (!part)
        return fail(part.error());
    std::vector<EventFile> parts;
    parts.push_back(std::move(*part));
    return assembled(std::move(trace), std::move(parts));
}

} // namespace pw

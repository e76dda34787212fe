// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/import_trace.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/foreign_file.h"
#include "core/io/sail_plan.h"
#include "core/trace/importers/assembly.h"
#include "core/trace/importers/file_part.h"
#include "core/trace/importers/import_files.h"
#include "core/trace/importers/importer.h"
#include "core/trace/importers/pipe_file.h"
#include "core/trace/importers/strange_content.h"
#include "core/trace/importers/trace_mark.h"
#include "core/trace/importers/unpacking.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace pw {

namespace {

/// Bytes on the disk; 0 where it cannot be told, which reading will explain.
std::int64_t sizeOf(const std::string& path)
{
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    return problem ? 0 : static_cast<std::int64_t>(bytes);
}

/// What is read into memory before it is asked what it is.
constexpr std::size_t smallContent = std::size_t{64} << 10;

/// A small file that is neither packed nor a database; nothing where it is, or cannot be read,
/// which whoever reads it then says.
std::optional<std::string> smallPlainFile(const std::string& path)
{
    const std::int64_t size = sizeOf(path);
    if (size > static_cast<std::int64_t>(smallContent) || fileKind(path) != FileKind::Regular)
        return std::nullopt;
    const Result<std::unique_ptr<RangeSource>> source = RangeSource::open(path, 0, size);
    if (!source)
        return std::nullopt;
    std::string content = headOf(**source, smallContent);
    const auto isTables = [&content](const Importer& importer) {
        return importer.tables.read != nullptr && importer.content.looks != nullptr &&
               importer.content.looks(content);
    };
    if (!(*source)->failure().empty() || packingOf(content) != Packing::None ||
        std::any_of(allImporters().begin(), allImporters().end(), isTables))
        return std::nullopt;
    return content;
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

bool isPlan(const OpenSource& open)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    return source && looksLikeSailPlan(headOf(**source, std::size_t{64} << 10));
}

Error notATrace(const std::string& file, const Sentence& what)
{
    return {ErrorCode::Syntax, said("%1: not a trace: %2", file, what)};
}

/// What a content is that cannot be read, where that is known.
ForeignFile foreignFileAt(const OpenSource& open)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    return source ? foreignFileOf(headOf(**source, std::size_t{64} << 10)) : ForeignFile::None;
}

/// Reads what no importer claims.
Result<EventFile> readUnclaimed(const OpenSource& open, std::int32_t number, Trace& trace,
                                TraceNames& names, const KeepReading& goOn)
{
    Result<EventFile> read = readBy(allImporters().back(), open, number, trace, names, goOn);
    if (!read && read.error().code == ErrorCode::Syntax)
        if (const ForeignFile kind = foreignFileAt(open); kind != ForeignFile::None)
            return fail(notATrace(trace.files.back(), noTrace(kind)));
    return read;
}

/// A file that is read as bytes: JSON, or a text of lines.
Result<EventFile> readBytes(const OpenSource& openBytes, std::int32_t number, Trace& trace,
                            TraceNames& names, const KeepReading& goOn)
{
    constexpr std::size_t headSize = 512;
    std::string head;
    {
        PW_TRY(const std::unique_ptr<ByteSource> source, openBytes());
        head = headOf(*source, headSize);
    }
    const bool wide = isUtf16(head);
    const OpenSource open = wide ? asUtf8(openBytes) : openBytes;
    if (wide)
        trace.repairs.add({number, 0, "UTF-16, read as UTF-8, by whose bytes places are told"});
    if (const std::optional<Sentence> strange = strangeContent(trace.files.back(), head))
        return fail(notATrace(trace.files.back(), *strange));
    PW_TRY(const Importer* importer, importerOf(open, goOn));
    // Its nodes are JSON, or lines of a log, and hold no event.
    if (importer == &allImporters().back() && isPlan(open))
        return fail(ErrorCode::Syntax,
                    "%1: a plan of sail-sg and no trace; check, simulate and convert read it, and "
                    "the studio opens it",
                    trace.files.back());
    if (importer == &allImporters().back() && !wide && !maybeJson(head)) {
        // Looking for lines that are known ends early where it is stopped.
        if (goOn && !goOn())
            return fail(ErrorCode::Cancelled, "%1: reading was stopped", trace.files.back());
        const ForeignFile kind = foreignFileAt(open);
        return fail(notATrace(trace.files.back(),
                              kind == ForeignFile::None
                                  ? said("neither JSON nor a log or a table that is read")
                                  : noTrace(kind)));
    }
    if (importer == &allImporters().back())
        return readUnclaimed(open, number, trace, names, goOn);
    return readBy(*importer, open, number, trace, names, goOn);
}

/// Reads the files of an import one after another.
class FileReading
{
public:
    FileReading(const ImportOptions& options, const ImportFiles& files)
        : m_options(options)
        , m_names(m_trace, options.rules, options.kernels)
        , m_guard(m_trace, options.budget)
    {
        m_trace.warnings = files.warnings;
        m_progress.files = static_cast<std::int32_t>(files.files.size());
        for (const ImportFile& file : files.files)
            m_progress.bytes += file.member ? file.member->packed : sizeOf(file.path);
    }

    /// Reads a file as the next part of the trace. One that was found in a folder and is none is
    /// left out.
    Result<void> take(const ImportFile& file)
    {
        const TraceMark mark(m_trace);
        m_consumed = m_unpacked = m_size = 0;
        m_failure.clear();
        m_trace.files.push_back(file.name());
        Result<EventFile> part = read(file);
        if (!m_guard.refusal().empty())
            return fail(ErrorCode::TooLarge, m_guard.refusal());
        m_before += m_size;
        ++m_progress.file;
        if (!part && !m_failure.empty())
            part = fail(part.error().code, "%1; reading ended with: %2", part.error().message,
                        m_failure);
        if (!file.named &&
            (part ? !part->tells(mark.anySpans(m_trace))
                  : part.error().code == ErrorCode::Syntax && !mark.anySpans(m_trace))) {
            const Sentence why =
                part ? said("%1: no event in it", file.name()) : part.error().message;
            mark.restore(m_trace);
            m_trace.files.pop_back();
            m_trace.warnings.push_back(said("left out, %1", why));
            m_leftOut = m_leftOut.empty() ? why : m_leftOut;
            return {};
        }
        if (!part)
            return fail(part.error());
        if (!m_failure.empty())
            m_trace.warnings.push_back(file.name() + " could not be read to its end: " + m_failure);
        m_parts.push_back(std::move(*part));
        return {};
    }

    Result<Trace> finish()
    {
        if (m_parts.empty())
            return fail(ErrorCode::Syntax, "no file of the folder is a trace; %1", m_leftOut);
        if (std::all_of(m_parts.begin(), m_parts.end(),
                        [](const EventFile& part) { return part.shapeOnly; }))
            return fail(
                ErrorCode::Syntax,
                "%1 says the shape of a run and is not a rank; the files of the ranks are wanted",
                m_trace.files.front());
        return assembled(std::move(m_trace), std::move(m_parts));
    }

    /// The one file that was taken, before it becomes a part of a trace.
    FilePart part()
    {
        return {std::move(m_trace), m_parts.empty() ? EventFile() : std::move(m_parts.front())};
    }

private:
    /// A pipe is read once, into a file of its own.
    Result<EventFile> read(const ImportFile& file)
    {
        const std::string& path = file.path;
        if (fileKind(path) != FileKind::Pipe)
            return read(file.name(), path, file.member ? &*file.member : nullptr);
        const Result<std::unique_ptr<PipeFile>> pipe =
            PipeFile::read(path, m_options.budget.pipeBytes, [this](std::int64_t) {
                return !m_options.progress || m_options.progress(m_progress);
            });
        if (!pipe)
            return fail(pipe.error());
        return read(path, (*pipe)->path(), nullptr);
    }

    /// @param place   where the bytes of `file` lie
    /// @param member  of the archive that lies there
    Result<EventFile> read(const std::string& file, const std::string& place,
                           const ZipMember* member)
    {
        const auto number = static_cast<std::int32_t>(m_trace.files.size()) - 1;
        const OpenSource open = [&]() -> Result<std::unique_ptr<ByteSource>> {
            PW_TRY(std::unique_ptr<FileSource> source, FileSource::open(place, member));
            m_size = source->size();
            return std::make_unique<WatchedSource>(std::move(source), m_consumed, m_unpacked,
                                                   m_failure);
        };
        const KeepReading goOn = [&] {
            m_progress.bytesRead = m_before + m_consumed;
            makeRoom(m_trace.spans, m_progress.bytesRead, m_progress.bytes);
            makeRoom(m_trace.labels, m_progress.bytesRead, m_progress.bytes);
            return m_guard.fine(file, m_unpacked, m_size) &&
                   (!m_options.progress || m_options.progress(m_progress));
        };
        if (member == nullptr) {
            if (const std::optional<std::string> content = smallPlainFile(place)) {
                m_size = m_consumed = m_unpacked = static_cast<std::int64_t>(content->size());
                return readHeld(*content, number, goOn);
            }
        }
        const Importer* tables = member == nullptr ? tableImporterOf(place) : nullptr;
        if (tables == nullptr)
            return readOnce(open, number, goOn);
        m_size = sizeOf(place);
        return tables->tables.read(place, m_trace, m_names, [&](double done) {
            m_consumed = static_cast<std::int64_t>(done * static_cast<double>(m_size));
            return goOn();
        });
    }

    /// To tell what a content is, it is begun a dozen times: a small one from memory then, since a
    /// folder or an archive may have tens of thousands.
    Result<EventFile> readOnce(const OpenSource& open, std::int32_t number, const KeepReading& goOn)
    {
        std::string content;
        {
            PW_TRY(const std::unique_ptr<ByteSource> source, open());
            content = headOf(*source, smallContent + 1);
        }
        if (content.size() > smallContent)
            return readBytes(open, number, m_trace, m_names, goOn);
        return readHeld(content, number, goOn);
    }

    Result<EventFile> readHeld(const std::string& content, std::int32_t number,
                               const KeepReading& goOn)
    {
        const OpenSource held = [&content]() -> Result<std::unique_ptr<ByteSource>> {
            return std::make_unique<MemorySource>(content);
        };
        return readBytes(held, number, m_trace, m_names, goOn);
    }

    const ImportOptions& m_options;
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

} // namespace

Result<Trace> importTrace(const std::vector<std::string>& paths, const ImportOptions& options)
{
    const Result<ImportFiles> files = importFiles(paths);
    if (!files)
        return fail(files.error());
    FileReading reading(options, *files);
    for (const ImportFile& file : files->files) {
        PW_DO(reading.take(file));
    }
    return reading.finish();
}

Result<FilePart> importPart(const std::string& path, const ImportOptions& options)
{
    ImportFiles files;
    files.files.push_back({path});
    FileReading reading(options, files);
    PW_DO(reading.take(files.files.front()));
    return reading.part();
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
    PW_TRY(EventFile part, readBytes(open, 0, trace, names, {}));
    std::vector<EventFile> parts;
    parts.push_back(std::move(part));
    return assembled(std::move(trace), std::move(parts));
}

} // namespace pw

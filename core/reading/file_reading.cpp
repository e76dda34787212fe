// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/file_reading.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/foreign_file.h"
#include "core/io/sail_plan.h"
#include "core/reading/assembly.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/trace_mark.h"
#include "core/reading/joined_traces.h"
#include "core/reading/large_room.h"
#include "core/reading/packing/begun_content.h"
#include "core/reading/packing/pipe_file.h"
#include "core/reading/packing/unpacking.h"
#include "core/reading/strange_content.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace pw {

namespace {

/// Bytes on the disk; 0 where it cannot be told, which reading will explain.
std::int64_t sizeOf(const std::string& path)
{
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    return problem ? 0 : static_cast<std::int64_t>(bytes);
}

/// What is read into memory before it is asked what it is. No importer looks at more to tell it.
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
    constexpr std::size_t few = std::size_t{1} << 16, most = std::size_t{1} << 26;
    constexpr std::size_t untilNextTime = std::size_t{1} << 14;
    constexpr double margin = 1.5;
    if (list.size() < few - untilNextTime || read <= 0 || list.size() > most ||
        list.capacity() - list.size() > untilNextTime)
        return;
    const double expected = margin * static_cast<double>(list.size()) * static_cast<double>(all) /
                            static_cast<double>(read);
    if (expected < static_cast<double>(most))
        reserveLarge(list, static_cast<std::size_t>(expected));
}

/// The same before `more` are appended: files of a job are alike.
template<typename T>
void makeRoomFor(std::vector<T>& list, std::size_t more, std::int64_t read, std::int64_t all)
{
    constexpr std::size_t most = std::size_t{1} << 26;
    constexpr double margin = 1.1;
    const std::size_t needed = list.size() + more;
    if (needed <= list.capacity())
        return;
    const double expected = margin * static_cast<double>(needed) * static_cast<double>(all) /
                            static_cast<double>(std::max<std::int64_t>(read, 1));
    const double useful = std::min(expected, static_cast<double>(most));
    reserveLarge(list, std::max({needed, 2 * list.capacity(), static_cast<std::size_t>(useful)}));
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

/// @param head  the first bytes, where most files of events show one: no plan has them
bool isPlan(const OpenSource& open, std::string_view head)
{
    if (maybeJson(head) && head.find("\"ph\"") != std::string_view::npos)
        return false;
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

} // namespace

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
    if (importer == &allImporters().back() && isPlan(open, wide ? std::string_view() : head))
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

FileReading::FileReading(ImportOptions options, const ImportFiles& files)
    : m_options(std::move(options))
    , m_names(m_trace, m_options.rules, m_options.kernels)
    , m_guard(m_trace, m_options.budget)
{
    m_trace.warnings = files.warnings;
    m_progress.files = static_cast<std::int32_t>(files.files.size());
    for (const ImportFile& file : files.files)
        m_progress.bytes += file.member ? file.member->packed : sizeOf(file.path);
}

Result<void> FileReading::take(const ImportFile& file)
{
    const TraceMark mark(m_trace);
    m_consumed = m_unpacked = m_size = 0;
    m_failure.clear();
    m_trace.files.push_back(file.name());
    Result<EventFile> part = read(file);
    if (!m_guard.fine(file.name(), m_unpacked, m_size))
        return fail(ErrorCode::TooLarge, m_guard.refusal());
    m_before += m_size;
    ++m_progress.file;
    if (!part && !m_failure.empty())
        part =
            fail(part.error().code, "%1; reading ended with: %2", part.error().message, m_failure);
    if (!file.named && (part ? !part->tells(mark.anySpans(m_trace))
                             : part.error().code == ErrorCode::Syntax && !mark.anySpans(m_trace))) {
        const Sentence why = part ? said("%1: no event in it", file.name()) : part.error().message;
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

Result<bool> FileReading::takeOver(FileReading& from)
{
    // What a log tells goes on from file to file.
    if (from.m_parts.size() != 1 || from.m_parts.front().log)
        return false;
    EventFile& said = from.m_parts.front();
    m_trace.files.push_back(std::move(from.m_trace.files.front()));
    m_before += from.m_before;
    makeRoomFor(m_trace.spans, from.m_trace.spans.size(), m_before, m_progress.bytes);
    makeRoomFor(m_trace.labels, from.m_trace.labels.size(), m_before, m_progress.bytes);
    makeRoomFor(m_trace.links, from.m_trace.links.size(), m_before, m_progress.bytes);
    makeRoomFor(m_trace.calls, from.m_trace.calls.size(), m_before, m_progress.bytes);
    joinTraces(m_trace, m_names, from.m_trace, from.m_names, said);
    ++m_progress.file;
    if (!m_guard.fine(m_trace.files.back(), 0, 0))
        return fail(ErrorCode::TooLarge, m_guard.refusal());
    m_parts.push_back(std::move(said));
    return true;
}

Result<Trace> FileReading::finish()
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

Result<EventFile> FileReading::read(const ImportFile& file)
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

Result<EventFile> FileReading::read(const std::string& file, const std::string& place,
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
        // What communicates is known at the end of a file.
        makeRoom(m_trace.links, m_before, m_progress.bytes);
        makeRoom(m_trace.calls, m_before, m_progress.bytes);
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

Result<EventFile> FileReading::readOnce(const OpenSource& open, std::int32_t number,
                                        const KeepReading& goOn)
{
    PW_TRY(const BegunContent content, BegunContent::open(open, smallContent, m_failure));
    const OpenSource begun = [&content]() -> Result<std::unique_ptr<ByteSource>> {
        return content.source();
    };
    return readBytes(begun, number, m_trace, m_names, goOn);
}

Result<EventFile> FileReading::readHeld(const std::string& content, std::int32_t number,
                                        const KeepReading& goOn)
{
    const OpenSource held = [&content]() -> Result<std::unique_ptr<ByteSource>> {
        return std::make_unique<MemorySource>(content);
    };
    return readBytes(held, number, m_trace, m_names, goOn);
}

} // namespace pw

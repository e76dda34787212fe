// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/byte_source.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/reading/packing/unpacking.h"
#include "core/reading/packing/zip_archive.h"
#include "core/system/files.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

namespace pw {

namespace {

/// Room for the bytes of a file as it lies on the disk.
unsigned packedBuffer(std::int64_t bytes)
{
    constexpr std::int64_t least = 64, most = std::int64_t{1} << 18;
    return static_cast<unsigned>(std::clamp(bytes, least, most));
}

gzFile handle(void* file)
{
    return static_cast<gzFile>(file);
}

/// The program's own descriptor, which zlib's file closes.
gzFile openPacked(const std::string& path)
{
    const int file = sys::openDescriptor(path);
    return file < 0 ? nullptr : gzdopen(file, "rb");
}

/// What zlib says of a file, without the file's path, which it puts before it.
std::string reasonOf(const char* text)
{
    const std::string_view said = text != nullptr ? text : "";
    constexpr std::string_view between = ": ";
    const std::size_t path = said.rfind(between);
    const std::string_view why =
        path == std::string_view::npos ? said : said.substr(path + between.size());
    return why.empty() ? "the packed data is damaged" : std::string(why);
}

} // namespace

std::string headOf(ByteSource& source, std::size_t size)
{
    // Room as it is filled: most of what is asked for its head is much shorter.
    constexpr std::size_t first = 4096;
    std::string head;
    std::size_t filled = 0;
    while (filled < size) {
        if (filled == head.size())
            head.resize(std::min(size, std::max(first, 4 * filled)));
        const std::size_t count = source.read(head.data() + filled, head.size() - filled);
        if (count == 0)
            break;
        filled += count;
    }
    head.resize(filled);
    return head;
}

std::size_t MemorySource::read(char* buffer, std::size_t size)
{
    const std::size_t taken = std::min(size, m_rest.size());
    std::copy_n(m_rest.data(), taken, buffer);
    m_rest.remove_prefix(taken);
    return taken;
}

FileSource::FileSource() = default;

/// The stages for a file that zlib's own files do not read.
Result<void> FileSource::openStages(const std::string& path, const ZipMember* member)
{
    if (member != nullptr) {
        PW_TRY(std::unique_ptr<StageSource> content, openZipMember(path, *member, m_range));
        m_stages = std::move(content);
        m_size = member->packed;
        return {};
    }
    PW_TRY(std::unique_ptr<RangeSource> file, RangeSource::open(path, 0, m_size));
    m_range = file.get();
    Result<std::unique_ptr<StageSource>> content = unpackedByContent(std::move(file));
    if (!content)
        return fail(content.error().code, "%1: %2", path, content.error().message);
    m_stages = std::move(*content);
    return {};
}

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path,
                                                     const ZipMember* member)
{
    PW_DO(checkReadable(path));
    std::unique_ptr<FileSource> source(new FileSource);
    if (member != nullptr) {
        PW_DO(source->openStages(path, member));
        return source;
    }
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    source->m_size = problem ? 0 : static_cast<std::int64_t>(bytes);
    errno = 0;
    source->m_plain.reset(sys::openStream(path));
    const Packing packing = source->m_plain == nullptr ? Packing::None : source->packing();
    if (packing == Packing::None && source->m_plain != nullptr)
        return source;
    source->m_plain.reset();
    if (packing == Packing::Zstd) {
        PW_DO(source->openStages(path, nullptr));
        return source;
    }
    if (packing == Packing::Gzip)
        source->m_file = openPacked(path);
    if (source->m_file == nullptr) {
        return fail(ErrorCode::Io, "cannot open %1: %2", path,
                    errno != 0 ? systemSentence(errno) : said("no memory"));
    }
    gzbuffer(handle(source->m_file), packedBuffer(source->m_size));
    return source;
}

/// By its first bytes. No buffer lies between a plain file and its pieces, which are large.
Packing FileSource::packing()
{
    std::setvbuf(m_plain.get(), nullptr, _IONBF, 0);
    std::array<char, 4> head{};
    const std::size_t count = std::fread(head.data(), 1, head.size(), m_plain.get());
    std::rewind(m_plain.get());
    return packingOf(std::string_view(head.data(), count));
}

FileSource::~FileSource()
{
    if (m_file != nullptr)
        gzclose_r(handle(m_file));
}

std::size_t FileSource::read(char* buffer, std::size_t size)
{
    if (!m_failure.empty())
        return 0;
    if (m_stages != nullptr) {
        const std::size_t count = m_stages->read(buffer, size);
        if (count == 0)
            m_failure = m_stages->failure();
        return count;
    }
    if (m_plain != nullptr)
        return readPlain(buffer, size);
    constexpr std::size_t mostAtOnce = 1U << 30;
    const int count =
        gzread(handle(m_file), buffer, static_cast<unsigned>(std::min(size, mostAtOnce)));
    if (count > 0)
        return static_cast<std::size_t>(count);
    int code = Z_OK;
    const char* text = gzerror(handle(m_file), &code);
    if (code == Z_ERRNO)
        m_failure = systemSentence(errno).english();
    else if (code == Z_BUF_ERROR)
        m_failure = "the packed data ends too early";
    else if (code != Z_OK && code != Z_STREAM_END)
        m_failure = reasonOf(text);
    return 0;
}

std::size_t FileSource::readPlain(char* buffer, std::size_t size)
{
    errno = 0;
    const std::size_t count = std::fread(buffer, 1, size, m_plain.get());
    m_plainRead += static_cast<std::int64_t>(count);
    if (count == 0 && std::ferror(m_plain.get()) != 0)
        m_failure = systemSentence(errno).english();
    return count;
}

std::int64_t FileSource::consumed() const
{
    if (m_plain != nullptr)
        return m_plainRead;
    if (m_range != nullptr)
        return m_range->consumed();
    return std::max<std::int64_t>(0, gzoffset(handle(m_file)));
}

} // namespace pw

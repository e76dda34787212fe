// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/zip_archive.h"

#include "core/base/text.h"
#include "core/base/try.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

namespace pw {

namespace {

constexpr std::int64_t mostDirectory = std::int64_t{64} << 20;
constexpr std::uint64_t mostMembers = 65'536;
constexpr std::uint32_t unknown32 = 0xFFFFFFFF;
constexpr std::uint32_t endSign = 0x06054B50, end64Sign = 0x06064B50, locator64Sign = 0x07064B50,
                        memberSign = 0x02014B50, localSign = 0x04034B50;

std::uint64_t littleEndian(std::string_view bytes, std::size_t at, std::size_t size)
{
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;)
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

std::uint16_t two16(std::string_view bytes, std::size_t at)
{
    return static_cast<std::uint16_t>(littleEndian(bytes, at, 2));
}

std::uint32_t four32(std::string_view bytes, std::size_t at)
{
    return static_cast<std::uint32_t>(littleEndian(bytes, at, 4));
}

/// Bytes of a file; nothing where it has fewer.
std::optional<std::string> archiveBytes(std::ifstream& file, std::int64_t at, std::int64_t size)
{
    if (at < 0 || size < 0)
        return std::nullopt;
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.clear();
    if (!file.seekg(at) || !file.read(bytes.data(), size))
        return std::nullopt;
    return bytes;
}

/// Where the directory lies.
struct ZipEnd
{
    std::uint64_t members = 0;
    std::uint64_t size = 0;
    std::uint64_t at = 0;
};

std::optional<ZipEnd> findEnd(std::ifstream& file, std::int64_t size)
{
    constexpr std::int64_t record = 22, longestComment = 65'535, locator = 20, record64 = 56;
    const std::int64_t tail = std::min(size, record + longestComment);
    const std::optional<std::string> bytes = archiveBytes(file, size - tail, tail);
    if (!bytes || tail < record)
        return std::nullopt;
    for (std::int64_t at = tail - record; at >= 0; --at) {
        const auto place = static_cast<std::size_t>(at);
        if (four32(*bytes, place) != endSign)
            continue;
        ZipEnd end{two16(*bytes, place + 10), four32(*bytes, place + 12),
                   four32(*bytes, place + 16)};
        const std::int64_t before = size - tail + at - locator;
        const std::optional<std::string> more = archiveBytes(file, before, locator);
        if (more && four32(*more, 0) == locator64Sign) {
            const auto where = static_cast<std::int64_t>(littleEndian(*more, 8, 8));
            const std::optional<std::string> large = archiveBytes(file, where, record64);
            if (!large || four32(*large, 0) != end64Sign)
                return std::nullopt;
            end = {littleEndian(*large, 32, 8), littleEndian(*large, 40, 8),
                   littleEndian(*large, 48, 8)};
        }
        return end;
    }
    return std::nullopt;
}

/// The 64-bit numbers of a member that is beyond 32 bits.
void readExtra(std::string_view extra, std::uint32_t size, ZipMember& member)
{
    while (extra.size() >= 4) {
        const std::uint16_t kind = two16(extra, 0), length = two16(extra, 2);
        if (extra.size() < 4U + length)
            return;
        std::string_view field = extra.substr(4, length);
        extra.remove_prefix(4U + length);
        if (kind != 1)
            continue;
        const auto take = [&field](std::int64_t& into) {
            if (field.size() < 8)
                return;
            into = static_cast<std::int64_t>(littleEndian(field, 0, 8));
            field.remove_prefix(8);
        };
        std::int64_t whole = 0;
        if (size == unknown32)
            take(whole);
        if (member.packed == unknown32)
            take(member.packed);
        if (member.header == unknown32)
            take(member.header);
    }
}

} // namespace

bool isZip(const std::string& path)
{
    std::ifstream file(std::filesystem::path(path), std::ios::binary);
    const std::optional<std::string> head = archiveBytes(file, 0, 4);
    return head && (four32(*head, 0) == localSign || four32(*head, 0) == endSign);
}

Result<std::vector<ZipMember>> zipMembers(const std::string& path)
{
    const auto damaged = [&path](const char* what) {
        return fail(ErrorCode::Syntax, "%1: %2", path, what);
    };
    std::error_code problem;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, problem));
    std::ifstream file(std::filesystem::path(path), std::ios::binary);
    if (problem || !file)
        return fail(ErrorCode::Io, "cannot read %1", path);
    const std::optional<ZipEnd> end = findEnd(file, size);
    if (!end)
        return damaged("a zip archive without its directory; it may be cut");
    if (end->members > mostMembers || end->size > static_cast<std::uint64_t>(mostDirectory))
        return fail(ErrorCode::TooLarge,
                    "%1: more than %2 files, or a directory of more than %3, the most that is read",
                    path, groupedNumber(static_cast<std::int64_t>(mostMembers)),
                    byteText(mostDirectory));
    if (end->at > static_cast<std::uint64_t>(size))
        return damaged("the directory of the archive lies behind its end");
    const std::optional<std::string> bytes = archiveBytes(file, static_cast<std::int64_t>(end->at),
                                                          static_cast<std::int64_t>(end->size));
    if (!bytes)
        return damaged("the directory of the archive lies behind its end");
    std::vector<ZipMember> members;
    constexpr std::size_t record = 46;
    std::string_view rest = *bytes;
    while (rest.size() >= record && four32(rest, 0) == memberSign && members.size() < mostMembers) {
        const std::size_t name = two16(rest, 28), extra = two16(rest, 30),
                          comment = two16(rest, 32);
        if (rest.size() < record + name + extra + comment)
            return damaged("the directory of the archive is cut");
        ZipMember member;
        member.encrypted = (two16(rest, 8) & 1U) != 0;
        member.method = two16(rest, 10);
        member.packed = four32(rest, 20);
        member.header = four32(rest, 42);
        member.name = rest.substr(record, name);
        readExtra(rest.substr(record + name, extra), four32(rest, 24), member);
        rest.remove_prefix(record + name + extra + comment);
        if (member.packed < 0 || member.header < 0 || member.packed > size || member.header > size)
            return damaged("a file of the archive lies behind its end");
        if (!member.name.empty() && member.name.back() != '/')
            members.push_back(std::move(member));
    }
    return members;
}

Result<std::unique_ptr<StageSource>> openZipMember(const std::string& path, const ZipMember& member,
                                                   const RangeSource*& range)
{
    constexpr std::int64_t record = 30;
    constexpr std::uint16_t stored = 0, deflate = 8, zstd = 93;
    const std::string name = path + ", " + member.name;
    if (member.encrypted)
        return fail(ErrorCode::Io, "%1 is encrypted", name);
    errno = 0;
    std::ifstream file(std::filesystem::path(path), std::ios::binary);
    const std::optional<std::string> head = archiveBytes(file, member.header, record);
    if (!head || four32(*head, 0) != localSign)
        return fail(ErrorCode::Syntax, "%1: its header in the archive is damaged", name);
    if (member.method != stored && member.method != deflate && member.method != zstd)
        return fail(ErrorCode::Io, "%1 is packed by method %2 of zip; deflate and zstd are read",
                    name, member.method);
    const std::int64_t begin = member.header + record + two16(*head, 26) + two16(*head, 28);
    PW_TRY(std::unique_ptr<RangeSource> source,
           RangeSource::of(std::move(file), path, begin, member.packed));
    range = source.get();
    const Packing packing = member.method == deflate ? Packing::Deflate
                            : member.method == zstd  ? Packing::Zstd
                                                     : Packing::None;
    std::unique_ptr<StageSource> content = unpacked(std::move(source), packing, member.packed);
    if (content == nullptr)
        return fail(ErrorCode::Io, "%1 is packed by zstd, which this program was built without",
                    name);
    return unpackedByContent(std::move(content));
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/strange_content.h"

#include "core/base/try.h"
#include "core/reading/packing/byte_source.h"
#include "core/reading/perfetto/protobuf_walk.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

bool isTar(std::string_view head)
{
    constexpr std::size_t place = 257;
    return head.size() > place && head.substr(place).starts_with("ustar");
}

/// The packing that a content has; null: none, or one that is read.
const char* otherPackingOf(std::string_view head)
{
    struct Known
    {
        std::string_view mark;
        const char* name;
    };
    constexpr std::array<Known, 5> known = {{{"BZh", "bzip2"},
                                             {"\xFD"
                                              "7zXZ",
                                              "xz"},
                                             {"\x04\x22\x4D\x18", "lz4"},
                                             {"7z\xBC\xAF\x27\x1C", "7-Zip"},
                                             {"\x78\x9C", "zlib"}}};
    for (const Known& one : known)
        if (head.starts_with(one.mark))
            return one.name;
    return nullptr;
}

/// A page of the web, or an answer of a store of files. A line of a log may begin with < too.
bool isMarkup(std::string_view head)
{
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), head.size()));
    for (const std::string_view begin :
         {"<!DOCTYPE", "<!doctype", "<!--", "<?xml", "<html", "<HTML", "<Error>"})
        if (head.starts_with(begin))
            return true;
    return false;
}

/// Planes of XLA's profiler: a number, or a name such as "/device:GPU:0", where a packet of
/// Perfetto has messages.
bool isXplane(std::string_view head)
{
    if (!head.starts_with("\n"))
        return false;
    head.remove_prefix(1);
    std::uint64_t length = 0;
    if (!takeVarint(head, length))
        return false;
    constexpr std::uint32_t id = 1, name = 2;
    ProtobufFields fields(
        head.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(length, head.size()))));
    while (fields.next()) {
        if (fields.field() == id && !fields.isBytes())
            continue;
        const std::string_view text = fields.bytes();
        return fields.field() == name && fields.isBytes() &&
               (text.starts_with("/") || text.starts_with("Task Environment"));
    }
    return false;
}

/// Units of two bytes as UTF-8.
class Utf16Source : public ByteSource
{
public:
    explicit Utf16Source(std::unique_ptr<ByteSource> units)
        : m_units(std::move(units))
    {
    }

    std::size_t read(char* buffer, std::size_t size) override
    {
        while (m_text.size() - m_given < size && take()) {
        }
        const std::size_t count = std::min(size, m_text.size() - m_given);
        std::copy_n(m_text.data() + m_given, count, buffer);
        m_given += count;
        if (m_given == m_text.size()) {
            m_text.clear();
            m_given = 0;
        }
        return count;
    }

private:
    static constexpr std::int32_t none = -1;
    static constexpr std::int32_t replacement = 0xFFFD;

    /// The unit at the front; none at the end. Half of one is a replacement.
    std::int32_t peek()
    {
        if (m_at + 2 > m_bytes.size()) {
            const std::string rest = m_bytes.substr(m_at);
            m_bytes = rest + headOf(*m_units, chunk - rest.size());
            m_at = 0;
            if (m_bytes.size() < 2)
                return m_bytes.empty() ? none : replacement;
        }
        const auto first = static_cast<unsigned char>(m_bytes[m_at]);
        const auto second = static_cast<unsigned char>(m_bytes[m_at + 1]);
        if (!m_known) {
            m_bigEnd = first == 0xFE;
            m_known = true;
            m_at += 2;
            return peek();
        }
        return m_bigEnd ? first << 8 | second : second << 8 | first;
    }

    void drop() { m_at = std::min(m_at + 2, m_bytes.size()); }

    /// Appends a character. @return false: at the end
    bool take()
    {
        constexpr std::int32_t high = 0xD800, low = 0xDC00, behind = 0xE000, beyond = 0x10000;
        std::int32_t code = peek();
        if (code == none)
            return false;
        drop();
        if (code >= high && code < low) {
            const std::int32_t next = peek();
            if (next >= low && next < behind) {
                drop();
                code = beyond + ((code - high) << 10) + (next - low);
            } else {
                code = replacement;
            }
        } else if (code >= low && code < behind) {
            code = replacement;
        }
        append(code);
        return true;
    }

    void append(std::int32_t code)
    {
        constexpr std::int32_t one = 0x80, two = 0x800, three = 0x10000;
        const auto put = [this](std::int32_t byte) { m_text += static_cast<char>(byte); };
        const auto tail = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
        if (code < one) {
            put(code);
        } else if (code < two) {
            put(0xC0 | code >> 6);
            tail(0);
        } else if (code < three) {
            put(0xE0 | code >> 12);
            tail(6);
            tail(0);
        } else {
            put(0xF0 | code >> 18);
            tail(12);
            tail(6);
            tail(0);
        }
    }

    static constexpr std::size_t chunk = std::size_t{1} << 16;

    std::unique_ptr<ByteSource> m_units;
    std::string m_bytes;
    std::size_t m_at = 0;
    bool m_known = false; // which end of a unit comes first
    bool m_bigEnd = false;
    std::string m_text;
    std::size_t m_given = 0;
};

} // namespace

std::optional<Sentence> strangeContent(std::string_view name, std::string_view head)
{
    if (name.ends_with(".nsys-rep") || name.ends_with(".qdrep"))
        return said(
            "a report of Nsight Systems; import what nsys export --type sqlite makes of it");
    if (name.ends_with(".ncu-rep"))
        return said("a report of Nsight Compute, which is of single kernels");
    if (isTar(head))
        return said("a tar archive; unpack it and import the folder");
    if (const char* packing = otherPackingOf(head))
        return said("packed by %1, which is not read; unpack it first", packing);
    if (head.starts_with("PK\x03\x04"))
        return said("a zip archive in another file; unpack it first");
    if (head.starts_with("SQLite format 3"))
        return said("an SQLite file that is packed; unpack it first");
    if (head.size() > 1 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5)
        return said("a pickle of Python; a trace is exported as JSON");
    if (head.starts_with("version https://git-lfs"))
        return said("a pointer of Git LFS in place of the file; git lfs pull brings the file");
    if (isMarkup(head))
        return said("HTML or XML, perhaps a page that came in place of the file");
    if (isXplane(head))
        return said("planes of XLA's profiler; import the .trace.json.gz that lies beside them");
    return std::nullopt;
}

bool maybeJson(std::string_view head)
{
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first == std::string_view::npos ||
           std::string_view("{}[]").find(head[first]) != std::string_view::npos;
}

bool isUtf16(std::string_view head)
{
    return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
}

OpenSource asUtf8(const OpenSource& open)
{
    return [open]() -> Result<std::unique_ptr<ByteSource>> {
        PW_TRY(std::unique_ptr<ByteSource> source, open());
        return std::make_unique<Utf16Source>(std::move(source));
    };
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/unpacking.h"

#include <zlib.h>
#ifdef PW_HAVE_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

namespace pw {

namespace {

/// Room for packed bytes, of which there are so many in all.
std::size_t stageBuffer(std::int64_t bytes)
{
    constexpr std::int64_t least = 64, most = std::int64_t{1} << 18;
    return static_cast<std::size_t>(std::clamp(bytes, least, most));
}

constexpr const char* endsTooEarly = "the packed data ends too early";

/// What zlib unpacks.
class InflateStage : public StageSource
{
public:
    InflateStage(std::unique_ptr<StageSource> inner, bool bare, std::size_t buffer)
        : m_inner(std::move(inner))
        , m_packed(buffer)
        , m_bare(bare)
    {
        constexpr int bareWindow = -15, gzipWindow = 15 + 16;
        m_ready = inflateInit2(&m_stream, bare ? bareWindow : gzipWindow) == Z_OK;
    }
    ~InflateStage() override
    {
        if (m_ready)
            inflateEnd(&m_stream);
    }
    InflateStage(const InflateStage&) = delete;
    InflateStage& operator=(const InflateStage&) = delete;

    std::size_t read(char* buffer, std::size_t size) override
    {
        if (!m_ready || !m_failure.empty() || m_ended)
            return 0;
        m_stream.next_out = reinterpret_cast<Bytef*>(buffer);
        m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
        const uInt wanted = m_stream.avail_out;
        while (m_stream.avail_out == wanted && !m_ended) {
            if (m_stream.avail_in == 0 && !refill()) {
                m_failure = m_begun ? endsTooEarly : "";
                m_ended = true;
                break;
            }
            const int state = inflate(&m_stream, Z_NO_FLUSH);
            m_begun = true;
            if (state == Z_STREAM_END)
                endOfMember();
            else if (state != Z_OK && state != Z_BUF_ERROR) {
                m_failure = m_stream.msg != nullptr ? m_stream.msg : "the packed data is damaged";
                break;
            }
        }
        return wanted - m_stream.avail_out;
    }

    std::string failure() const override
    {
        return m_failure.empty() ? m_inner->failure() : m_failure;
    }

private:
    bool refill()
    {
        const std::size_t count = m_inner->read(m_packed.data(), m_packed.size());
        m_stream.next_in = reinterpret_cast<Bytef*>(m_packed.data());
        m_stream.avail_in = static_cast<uInt>(count);
        return count > 0;
    }

    /// A gzip file may have several members one behind the other.
    void endOfMember()
    {
        m_begun = false;
        if (m_bare || (m_stream.avail_in == 0 && !refill()) ||
            static_cast<unsigned char>(*m_stream.next_in) != 0x1F)
            m_ended = true;
        else
            inflateReset(&m_stream);
    }

    std::unique_ptr<StageSource> m_inner;
    std::vector<char> m_packed;
    z_stream m_stream{};
    bool m_bare;
    bool m_ready = false;
    bool m_begun = false;
    bool m_ended = false;
    std::string m_failure;
};

#ifdef PW_HAVE_ZSTD
class ZstdStage : public StageSource
{
public:
    ZstdStage(std::unique_ptr<StageSource> inner, std::size_t buffer)
        : m_inner(std::move(inner))
        , m_packed(buffer)
        , m_stream(ZSTD_createDStream())
    {
    }
    ~ZstdStage() override { ZSTD_freeDStream(m_stream); }
    ZstdStage(const ZstdStage&) = delete;
    ZstdStage& operator=(const ZstdStage&) = delete;

    std::size_t read(char* buffer, std::size_t size) override
    {
        if (m_stream == nullptr || !m_failure.empty())
            return 0;
        ZSTD_outBuffer out{buffer, size, 0};
        while (out.pos == 0) {
            const bool fed = m_in.pos < m_in.size || refill();
            // What the decoder still holds comes without anything new.
            const std::size_t left = ZSTD_decompressStream(m_stream, &out, &m_in);
            if (ZSTD_isError(left) != 0) {
                m_failure = ZSTD_getErrorName(left);
                break;
            }
            if (fed || left == 0)
                m_inFrame = left != 0;
            if (!fed && out.pos == 0) {
                m_failure = m_inFrame ? endsTooEarly : "";
                break;
            }
        }
        return out.pos;
    }

    std::string failure() const override
    {
        return m_failure.empty() ? m_inner->failure() : m_failure;
    }

private:
    bool refill()
    {
        m_in = {m_packed.data(), m_inner->read(m_packed.data(), m_packed.size()), 0};
        return m_in.size > 0;
    }

    std::unique_ptr<StageSource> m_inner;
    std::vector<char> m_packed;
    ZSTD_DStream* m_stream;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    bool m_inFrame = false;
    std::string m_failure;
};
#endif

/// A source with its first bytes, which were read from it.
class PutBack : public StageSource
{
public:
    PutBack(std::string head, std::unique_ptr<StageSource> rest)
        : m_head(std::move(head))
        , m_rest(std::move(rest))
    {
    }
    std::size_t read(char* buffer, std::size_t size) override
    {
        if (m_at == m_head.size())
            return m_rest->read(buffer, size);
        const std::size_t count = std::min(size, m_head.size() - m_at);
        std::copy_n(m_head.data() + m_at, count, buffer);
        m_at += count;
        return count;
    }
    std::string failure() const override { return m_rest->failure(); }

private:
    std::string m_head;
    std::size_t m_at = 0;
    std::unique_ptr<StageSource> m_rest;
};

} // namespace

Packing packingOf(std::string_view head)
{
    constexpr std::string_view gzip = "\x1F\x8B", zstd = "\x28\xB5\x2F\xFD";
    return head.substr(0, gzip.size()) == gzip   ? Packing::Gzip
           : head.substr(0, zstd.size()) == zstd ? Packing::Zstd
                                                 : Packing::None;
}

Result<std::unique_ptr<RangeSource>> RangeSource::open(const std::string& path, std::int64_t from,
                                                       std::int64_t size)
{
    errno = 0;
    return of(std::ifstream(std::filesystem::path(path), std::ios::binary), path, from, size);
}

Result<std::unique_ptr<RangeSource>> RangeSource::of(std::ifstream file, const std::string& path,
                                                     std::int64_t from, std::int64_t size)
{
    std::unique_ptr<RangeSource> source(new RangeSource);
    source->m_file = std::move(file);
    if (!source->m_file || !source->m_file.seekg(from))
        return fail(ErrorCode::Io, "cannot open %1: %2", path,
                    errno != 0 ? systemSentence(errno) : said("it is too short"));
    source->m_size = source->m_left = size;
    return source;
}

std::size_t RangeSource::read(char* buffer, std::size_t size)
{
    if (m_left <= 0 || !m_failure.empty())
        return 0;
    const auto wanted =
        std::min(static_cast<std::int64_t>(std::min<std::size_t>(size, 1U << 30)), m_left);
    errno = 0;
    m_file.read(buffer, wanted);
    const std::int64_t count = m_file.gcount();
    m_left -= count;
    if (count == 0)
        m_failure = errno != 0 ? systemSentence(errno).english() : "the file ends too early";
    return static_cast<std::size_t>(count);
}

std::unique_ptr<StageSource> unpacked(std::unique_ptr<StageSource> inner, Packing packing,
                                      std::int64_t bytes)
{
    switch (packing) {
    case Packing::None:
        return inner;
    case Packing::Gzip:
    case Packing::Deflate:
        return std::make_unique<InflateStage>(std::move(inner), packing == Packing::Deflate,
                                              stageBuffer(bytes));
    case Packing::Zstd:
#ifdef PW_HAVE_ZSTD
        return std::make_unique<ZstdStage>(std::move(inner), stageBuffer(bytes));
#else
        break;
#endif
    }
    return nullptr;
}

Result<std::unique_ptr<StageSource>> unpackedByContent(std::unique_ptr<StageSource> inner)
{
    constexpr int deepest = 2;
    constexpr std::size_t headSize = 4;
    for (int depth = 0; depth < deepest; ++depth) {
        std::string head = headOf(*inner, headSize);
        const Packing packing = packingOf(head);
        inner = std::make_unique<PutBack>(std::move(head), std::move(inner));
        if (packing == Packing::None)
            return inner;
        inner = unpacked(std::move(inner), packing);
        if (inner == nullptr)
            return fail(ErrorCode::Io,
                        "it is packed by zstd, which this program was built without");
    }
    return inner;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace pw {

/// Bytes that come in pieces.
class ByteSource
{
public:
    virtual ~ByteSource() = default;
    /// Fills a buffer from its front. @return bytes written; 0 only at the end
    virtual std::size_t read(char* buffer, std::size_t size) = 0;
};

/// The first bytes of a source, which are read from it; fewer where it ends before.
std::string headOf(ByteSource& source, std::size_t size);

/// Bytes in memory, which outlive it.
class MemorySource : public ByteSource
{
public:
    explicit MemorySource(std::string_view bytes)
        : m_rest(bytes)
    {
    }
    std::size_t read(char* buffer, std::size_t size) override;

private:
    std::string_view m_rest;
};

enum class Packing : std::uint8_t;
class RangeSource;
class StageSource;
struct ZipMember;

/// A file, unpacked where it is a .gz or a .zst by its content; or a file in a .zip.
class FileSource : public ByteSource
{
public:
    /// @param member  of the zip archive that `path` is; null: the file itself
    /// @error Io      it cannot be opened, with the system's reason
    /// @error Syntax  the archive is damaged
    static Result<std::unique_ptr<FileSource>> open(const std::string& path,
                                                    const ZipMember* member = nullptr);
    ~FileSource() override;
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    std::size_t read(char* buffer, std::size_t size) override;
    /// How much of the file as it lies on the disk has been read, and all of it.
    std::int64_t consumed() const;
    std::int64_t size() const { return m_size; }
    /// Why reading ended before the end of the file; empty where it did not.
    const std::string& failure() const { return m_failure; }

private:
    FileSource();
    Result<void> openStages(const std::string& path, const ZipMember* member);
    Packing packing();
    std::size_t readPlain(char* buffer, std::size_t size);

    struct Close
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::unique_ptr<std::FILE, Close> m_plain; // a file that is not packed
    std::int64_t m_plainRead = 0;              // bytes of it
    void* m_file = nullptr;                    // gzFile; zlib stays out of this header
    std::unique_ptr<StageSource> m_stages;     // in its place, for other packings
    const RangeSource* m_range = nullptr;      // at their bottom
    std::int64_t m_size = 0;
    std::string m_failure;
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/packing/byte_source.h"

#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace pw {

/// How bytes are packed.
enum class Packing : std::uint8_t
{
    None,
    Gzip,
    Deflate, ///< without any head, as a zip has it
    Zstd
};

/// By the first bytes of a content: gzip, zstd, or none.
Packing packingOf(std::string_view head);

/// Bytes that come through one or several stages of unpacking; says why they ended early.
class StageSource : public ByteSource
{
public:
    /// Why reading ended before the end; empty where it did not.
    virtual std::string failure() const = 0;
};

/// A part of a file as it lies on the disk.
class RangeSource : public StageSource
{
public:
    /// @error Io  it cannot be opened
    static Result<std::unique_ptr<RangeSource>> open(const std::string& path, std::int64_t from,
                                                     std::int64_t size);
    /// The same of a file that is open already. @param path  for messages
    static Result<std::unique_ptr<RangeSource>> of(std::ifstream file, const std::string& path,
                                                   std::int64_t from, std::int64_t size);
    std::size_t read(char* buffer, std::size_t size) override;
    std::string failure() const override { return m_failure; }
    /// Of the bytes of the part.
    std::int64_t consumed() const { return m_size - m_left; }

private:
    std::ifstream m_file;
    std::int64_t m_size = 0;
    std::int64_t m_left = 0;
    std::string m_failure;
};

/// Unpacks what another source gives.
///
/// @param bytes  that `inner` gives, where it is known: a small one needs little room
/// @return       `inner` itself for None; null where this program was built without that packing
std::unique_ptr<StageSource>
unpacked(std::unique_ptr<StageSource> inner, Packing packing,
         std::int64_t bytes = std::numeric_limits<std::int64_t>::max());

/// The same by the first bytes of what it gives; at most two packings within each other.
Result<std::unique_ptr<StageSource>> unpackedByContent(std::unique_ptr<StageSource> inner);

} // namespace pw

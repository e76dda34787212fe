// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/packing/unpacking.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pw {

/// A file in a zip archive.
struct ZipMember
{
    std::string name;
    std::uint16_t method = 0; ///< 0 as it is, 8 deflate, 93 zstd
    bool encrypted = false;
    std::int64_t packed = 0; ///< bytes in the archive
    std::int64_t header = 0; ///< where its local header begins
};

/// Whether a file is a zip archive, by its first bytes.
bool isZip(const std::string& path);

/// The files in an archive, in the order of its directory. Folders are left out.
///
/// @error Io        it cannot be read
/// @error Syntax    its directory is damaged, or lies outside of the file
/// @error TooLarge  more than 65,536 files, or a directory of more than 64 MiB
Result<std::vector<ZipMember>> zipMembers(const std::string& path);

/// The content of a file in an archive, unpacked also where it is a .gz or .zst itself.
///
/// @param range  set to where the bytes come from, which lives as long as the source
/// @error Io      encrypted, or packed in a way that is not read
/// @error Syntax  its local header is damaged
Result<std::unique_ptr<StageSource>> openZipMember(const std::string& path, const ZipMember& member,
                                                   const RangeSource*& range);

} // namespace pw

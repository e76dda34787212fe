// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/file_part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pw {

// A *digest* is a trace file made small: all that a job is told from (passes, messages, operations
// of groups, steps, and when devices work beside them), and sums of the rest. It is read as the
// file would be.

/// How digests are called: the name of their file, and this.
constexpr std::string_view digestEnding = ".digest";

/// Which file a digest is of.
struct DigestSource
{
    std::string file;      ///< as it was called
    std::uint64_t key = 0; ///< of its content, and of the rules that it was read by
    std::int64_t bytes = 0;
    std::uint64_t place = 0;   ///< of the absolute path: files of one name are not one file
    std::uint64_t content = 0; ///< of its content alone
    std::string path;          ///< absolute
    std::string host;          ///< the machine where it lies, by its own name
    std::string readBy{};      ///< a person's rules, as of `readingRulesText`
};

/// A number that another content hardly ever has.
/// @param salt    of all else that the digest depends on
/// @error Io      the file cannot be read
Result<DigestSource> digestSource(const std::string& file, std::string_view salt);

/// Leaves of a part what a job is told from, and sums up the rest: kernels by name, and what
/// devices do in each step by kind. Work of devices that nothing names stays as the stretches in
/// which a rank works; within a pass that is all of it.
FilePart reduced(FilePart part);

/// A digest as a text, not packed.
std::string digestText(const FilePart& part, const DigestSource& source);

/// The same as it is kept, packed as .gz.
/// @error TooLarge  it would have more than 64 MiB, or there is no memory for it
Result<std::string> packedDigest(const FilePart& part, const DigestSource& source);

/// Whether a content begins as that of a digest does, unpacked.
bool looksLikeDigest(std::string_view head);

/// Reads a digest; `Trace::files` then names the file that it is of.
/// @error Syntax  says which field
Result<EventFile> readDigest(const OpenSource& open, std::int32_t number, Trace& trace,
                             TraceNames& names, const KeepReading& goOn);

/// Which file a digest is of; nothing where the path is none that this version reads to its end.
std::optional<DigestSource> sourceOfDigest(const std::string& path);

} // namespace pw

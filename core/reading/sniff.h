// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

/// Whether `importTrace` is the one to read a path, or at least to say why it cannot: a folder, a
/// packed file, an SQLite file, or JSON with trace events near its beginning. Reads 256 KiB.
///
/// Projects and costs files are JSON too, and none.
bool looksLikeTrace(const std::string& path);

/// The same by the beginning of a file's content.
bool looksLikeTraceText(std::string_view head);

/// What a file is that no importer reads and that is known nevertheless, and what helps: a report
/// of Nsight Systems, an archive. Nothing for others, and where there is no file.
std::optional<Sentence> strangeFile(const std::string& path);

} // namespace pw

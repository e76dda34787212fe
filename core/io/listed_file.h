// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace pw {

/// Reads a file that nobody has named: a folder lists it, or it lies where the program looks by
/// itself. Whatever could keep a reader waiting or has no end, a pipe, a socket, a device, is
/// refused, where a file that a person names may be a pipe (`readFile`).
///
/// @error Io        it is no file, or as of `readFile`
/// @error TooLarge  longer than `limit` bytes
Result<std::string> readListedFile(const std::string& path, std::int64_t limit);

} // namespace pw

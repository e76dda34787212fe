// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

// A trace on another machine is made small there, by `pipewright slices` at the other end of a
// connection, and its digest comes over. Its name goes as data and never through a shell.

/// One line of JSON that asks for the digest of a file.
std::string digestRequestText(const std::string& file);

/// The file whose digest a line asks for; nothing where it asks for something else.
std::optional<std::string> digestRequestOf(std::string_view line);

/// Reads a trace and answers with its digest, as text.
/// @error Io, Syntax, TooLarge  as of `importTrace`
/// @error BadValue              it is no trace, or a digest itself: it is small as it is
Result<std::string> digestAnswer(const std::string& file);

/// The digest of an answer, as it is kept; nothing where the answer is none.
std::optional<std::string> digestOfAnswer(std::string_view answer);

} // namespace pw

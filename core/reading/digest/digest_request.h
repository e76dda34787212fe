// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/reading_rules.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

// A trace on another machine is made small there, by `pipewright slices` at the other end of a
// connection, and its digest comes over. Its name goes as data and never through a shell.

/// Which digest is wanted.
struct DigestRequest
{
    std::string file;       ///< on the machine that is asked
    ReadingRules reading{}; ///< by which it is made
};

/// One line of JSON. Without rules it is what earlier programs know, with rules they refuse it.
std::string digestRequestText(const DigestRequest& request);

/// The request of a line; nothing where it asks for something else.
/// @error Syntax  says which field or rule
Result<std::optional<DigestRequest>> digestRequestOf(std::string_view line);

/// Reads a trace and answers with its digest, as text.
/// @error Io, Syntax, TooLarge  as of `importTrace`
/// @error BadValue              it is no trace, or a digest itself: it is small as it is
Result<std::string> digestAnswer(const DigestRequest& request);

/// The digest of an answer, as it is kept; nothing where the answer is none.
std::optional<std::string> digestOfAnswer(std::string_view answer);

} // namespace pw

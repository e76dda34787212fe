// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/reading/events/event_file.h"

#include <optional>
#include <string_view>

namespace pw {

/// What a content is that no importer reads and that is known nevertheless, and what helps: another
/// packing, a report that has to be exported, a page in place of a file. Nothing: not known.
/// @param name  of the file
/// @param head  its first bytes, unpacked; 512 tell all
std::optional<Sentence> strangeContent(std::string_view name, std::string_view head);

/// Whether a content may be JSON, however damaged: it begins with a sign of it, or has nothing.
bool maybeJson(std::string_view head);

/// Whether a content is UTF-16, by its byte order mark.
bool isUtf16(std::string_view head);

/// The same content as UTF-8; half a character is replaced. The mark at its front is left out.
OpenSource asUtf8(const OpenSource& open);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/plain_spans.h"
#include "core/reading/events/text_lines.h"

#include <cstdint>
#include <string_view>

// What readers of lines share.
namespace pw {

/// What stands between the next `before` and `after`, which are cut off with it; `after` empty:
/// up to the end. Nothing where they are not there, and then nothing is cut.
std::string_view takeBetween(std::string_view& text, std::string_view before,
                             std::string_view after);

/// A line that cannot be read, in the list of repairs.
void unreadable(PlainSpans& spans, const TextLines& lines, std::int32_t number, const char* what);

/// A stretch of time between two texts of milliseconds. @return false: they are none
bool readStretch(std::string_view start, std::string_view end, Ticks& from, Ticks& to);

} // namespace pw

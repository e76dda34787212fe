// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/text/line_parts.h"

#include "core/reading/events/event_time.h"

namespace pw {

std::string_view takeBetween(std::string_view& text, std::string_view before,
                             std::string_view after)
{
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos)
        return {};
    const std::size_t from = at + before.size();
    const std::size_t end = after.empty() ? text.size() : text.find(after, from);
    if (end == std::string_view::npos)
        return {};
    const std::string_view found = text.substr(from, end - from);
    text.remove_prefix(end + after.size());
    return found;
}

void unreadable(PlainSpans& spans, const TextLines& lines, std::int32_t number, const char* what)
{
    spans.leaveOut();
    spans.trace().repairs.add(
        {number, lines.position(), std::string(what) + " that cannot be read, left out"});
}

bool readStretch(std::string_view start, std::string_view end, Ticks& from, Ticks& to)
{
    const auto first = ticksFromDecimal(start, millisecondDigits);
    const auto last = ticksFromDecimal(end, millisecondDigits);
    if (!first || !last || *first > *last)
        return false;
    from = *first;
    to = *last;
    return true;
}

} // namespace pw

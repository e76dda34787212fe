// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/training_log.h"

#include "core/trace/importers/event_time.h"
#include "core/trace/importers/text_parts.h"

#include <algorithm>

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

namespace {

/// Whether a text that begins with no blank is an object, or a list of objects; lines of a log may
/// begin with a bracket, too.
bool isJson(std::string_view text)
{
    const std::size_t inside = text.find_first_not_of(" \t\r\n", 1);
    return text[0] == '{' ||
           (text[0] == '[' && (inside == std::string_view::npos || text[inside] == '{'));
}

} // namespace

TextForm textForm(std::string_view lines)
{
    const std::size_t first = lines.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos || isJson(lines.substr(first)))
        return TextForm::None;
    if (lines.substr(first, passTableHead.size()) == passTableHead)
        return TextForm::PassTable;
    const std::size_t job = lines.find(paddleJobMark);
    const std::size_t timers = std::min(lines.find(eachRankMark), lines.find(extremesMark));
    if (job == timers)
        return TextForm::None;
    return job < timers ? TextForm::PaddleJobs : TextForm::MegatronTimers;
}

Result<TextForm> findTextForm(const OpenSource& open, const KeepReading& goOn)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    TextLines lines(**source, goOn);
    bool first = true;
    while (lines.next()) {
        const std::size_t begin = lines.line().find_first_not_of(" \t\r\xEF\xBB\xBF");
        if (begin == std::string_view::npos)
            continue;
        if (first && isJson(lines.line().substr(begin)))
            return TextForm::None;
        const TextForm form = textForm(lines.line());
        // The head of a table is its first line.
        if (form != TextForm::None && (first || form != TextForm::PassTable))
            return form;
        first = false;
    }
    return TextForm::None;
}

Result<EventFile> readText(TextForm form, const OpenSource& open, std::int32_t number, Trace& trace,
                           TraceNames& names, const KeepReading& goOn)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    TextLines lines(**source, goOn);
    const bool paddle = form == TextForm::PaddleJobs;
    const bool megatron = form == TextForm::MegatronTimers;
    PlainSpans spans(trace, names,
                     paddle     ? "Paddle log"
                     : megatron ? "Megatron timer log"
                                : "Pipewright table");
    const Result<void> read = paddle     ? readPaddleJobs(lines, number, spans)
                              : megatron ? readMegatronTimers(lines, number, spans)
                                         : readPassTable(lines, number, spans);
    if (lines.stopped())
        return fail(ErrorCode::Cancelled, spans.path() + ": reading was stopped");
    if (!read)
        return fail(read.error());
    return std::move(spans.file());
}

} // namespace pw

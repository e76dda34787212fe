// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/chrome_events.h"

#include "core/reading/chrome/event_lines.h"
#include "core/reading/events/importer.h"

#include <algorithm>

namespace pw::importers {

namespace {

/// JSON with trace events near its beginning. Projects and costs files are JSON too, and none.
bool looksLikeChromeEvents(std::string_view head)
{
    if (looksLikeEventLines(head))
        return true;
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos || (head[first] != '{' && head[first] != '['))
        return false;
    if (head[first] == '[')
        return true;
    // Megatron's timers are an object of nothing but marks.
    const std::string_view rest =
        head.substr(std::min(head.find_first_not_of(" \t\r\n", first + 1), head.size()));
    for (const std::string_view mark : {"\"forward-", "\"backward-"})
        if (rest.substr(0, mark.size()) == mark)
            return true;
    // A quote inside a text is escaped, so that none of these is a part of one.
    const std::size_t events = head.find("\"traceEvents\"");
    const std::size_t own =
        std::min(head.find("\"pipewright\""), head.find("\"pipewright_costs\""));
    return events < own;
}

} // namespace

Importer chrome_events()
{
    Importer importer;
    importer.id = "chrome-events";
    importer.title =
        "Chrome trace events as PyTorch's profiler (Kineto), Megatron's tracer and its "
        "pipeline timers, Pipewright's own wire and export, and others write them";
    importer.endings = {".json", ".jsonl"};
    importer.sought = ".json, no .json.gz";
    importer.precedence = 1000; // what nobody else claims
    importer.content = {looksLikeChromeEvents, readChromeEvents};
    return importer;
}

} // namespace pw::importers

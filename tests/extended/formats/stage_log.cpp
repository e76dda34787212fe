// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_time.h"
#include "core/reading/events/importer.h"
#include "core/reading/text/line_parts.h"

#include <string>

namespace pw::importers {

namespace {

constexpr std::string_view mark = "stage-log: ";

std::size_t begin(std::string_view text)
{
    return text.find(mark);
}

/// "stage-log: rank 1 forward 3 from 2.0 to 3.0 ms"
Result<void> read(TextLines& lines, std::int32_t number, PlainSpans& spans)
{
    while (lines.next()) {
        std::string_view line = lines.line();
        if (line.find(mark) == std::string_view::npos)
            continue;
        ++spans.trace().events;
        const std::int32_t rank = smallNumber(takeBetween(line, "rank ", " "));
        const bool forward = line.substr(0, 7) == "forward";
        SpanLabel label;
        label.role = SpanRole::Pass;
        label.kind = forward ? PassKind::F : PassKind::BW;
        label.stage = StageId(rank);
        label.microBatch = smallNumber(takeBetween(line, forward ? "forward " : "backward ", " "));
        const std::string_view start = takeBetween(line, "from ", " ");
        const std::string_view end = takeBetween(line, "to ", " ");
        Ticks from = 0, to = 0;
        if (rank < 0 || label.microBatch < 0 || !readStretch(start, end, from, to)) {
            unreadable(spans, lines, number, "a line of a stage");
            continue;
        }
        const std::string name =
            std::string(forward ? "F" : "BW") + std::to_string(label.microBatch);
        spans.append(spans.rank(rank, "line"), "compute", name, from, to, Trust::Host, label);
    }
    return {};
}

} // namespace

Importer stage_log()
{
    Importer importer;
    importer.id = "stage-log";
    importer.title = "logs of stages (an example)";
    importer.endings = {".stagelog"};
    importer.lines = {begin, false, "Stage log", read};
    return importer;
}

} // namespace pw::importers

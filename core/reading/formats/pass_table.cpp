// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_time.h"
#include "core/reading/events/importer.h"
#include "core/reading/text/line_parts.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

namespace pw::importers {

namespace {

constexpr std::string_view passTableHead =
    "device,kind,route,stage,micro_batch,segment,start_ms,end_ms";

constexpr std::size_t needed = 8; // columns; the iteration is the ninth

struct Row
{
    std::int32_t rankNumber = -1; // its device
    SpanLabel label;
    Ticks start = 0;
    Ticks end = 0;
};

bool readRow(std::string_view text, Row& row)
{
    std::array<std::string_view, needed + 1> cells;
    std::size_t count = 0;
    for (; count < cells.size() && !text.empty(); ++count) {
        const std::size_t comma = text.find(',');
        cells[count] = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    if (count < needed || !readStretch(cells[6], cells[7], row.start, row.end))
        return false;
    for (const PassKind kind : allPassKinds)
        if (cells[1] == name(kind)) {
            row.label.role = SpanRole::Pass;
            row.label.kind = kind;
        }
    row.rankNumber = smallNumber(cells[0]);
    row.label.route = smallNumber(cells[2]);
    row.label.stage = StageId(smallNumber(cells[3]));
    row.label.microBatch = smallNumber(cells[4]);
    row.label.segment = smallNumber(cells[5]);
    row.label.iteration = count > needed ? smallNumber(cells[needed]) : -1;
    return row.label.role == SpanRole::Pass && row.rankNumber >= 0 && row.label.stage >= 0 &&
           row.label.microBatch >= 0;
}

/// What takes the same time on a device is an overlapped pair: one at a time is the rule.
void pairEqualTimes(Trace& trace, std::size_t first)
{
    std::vector<std::uint32_t> order(trace.spans.size() - first);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::uint32_t>(first + i);
    const auto place = [&trace](std::uint32_t index) {
        const TraceSpan& span = trace.spans[index];
        return std::tuple(span.rank, span.start, span.end);
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const TraceSpan& span = trace.spans[order[i]];
        if (place(order[i]) != place(order[i - 1]) || span.start == span.end)
            continue;
        for (const std::uint32_t half : {order[i], order[i - 1]})
            trace.labels[static_cast<std::size_t>(trace.spans[half].label)].paired = true;
    }
}

std::size_t passTableBegin(std::string_view text)
{
    return text.substr(0, passTableHead.size()) == passTableHead ? 0 : std::string_view::npos;
}

Result<void> readPassTable(TextLines& lines, std::int32_t number, PlainSpans& spans)
{
    bool head = true;
    while (lines.next()) {
        if (lines.line().find_first_not_of(" \t\r\xEF\xBB\xBF") == std::string_view::npos)
            continue;
        if (head) {
            head = false;
            continue;
        }
        ++spans.trace().events;
        Row row;
        if (!lines.ended() || !readRow(lines.line(), row)) {
            unreadable(spans, lines, number, "a row");
            continue;
        }
        const SpanLabel& label = row.label;
        const std::string text = std::string(name(label.kind)) + std::to_string(label.microBatch) +
                                 " of stage " + std::to_string(label.stage);
        spans.append(spans.rank(row.rankNumber, "device"), "compute", text, row.start, row.end,
                     Trust::Host, label);
    }
    if (lines.stopped())
        return {};
    if (!spans.any())
        return fail(ErrorCode::Syntax, "%1: no row of the table can be read", spans.path());
    pairEqualTimes(spans.trace(), spans.file().firstSpan);
    return {};
}

} // namespace

Importer pass_table()
{
    Importer importer;
    importer.id = "pipewright-table";
    importer.title = "Pipewright's own table of passes";
    importer.lines = {passTableBegin, true, "Pipewright table", readPassTable};
    return importer;
}

} // namespace pw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_time.h"
#include "core/reading/events/importer.h"
#include "core/reading/text/line_parts.h"

#include <filesystem>

namespace pw::importers {

namespace {

constexpr std::string_view paddleJobMark = "Profiler Info: Job (";

/// The rank of "workerlog.3"; −1 for other names, and where machines have a folder each.
std::int32_t rankOfName(const std::string& path)
{
    constexpr std::string_view head = "workerlog.", machine = "machine";
    const std::filesystem::path file(path);
    const std::string name = file.filename().string();
    if (file.parent_path().filename().string().compare(0, machine.size(), machine) == 0 ||
        name.compare(0, head.size(), head) != 0)
        return -1;
    return smallNumber(std::string_view(name).substr(head.size()));
}

std::size_t paddleJob(std::string_view text)
{
    return text.find(paddleJobMark);
}

Result<void> readPaddleJobs(TextLines& lines, std::int32_t number, PlainSpans& spans)
{
    spans.file().rankNumber = rankOfName(spans.path());
    spans.file().rankFrom = "file name";
    while (lines.next()) {
        std::string_view rest = lines.line();
        const std::size_t mark = rest.find(paddleJobMark);
        if (mark == std::string_view::npos)
            continue;
        ++spans.trace().events;
        rest.remove_prefix(mark);
        const std::string_view job = takeBetween(rest, paddleJobMark, ")");
        const std::string_view type = takeBetween(rest, "type = ", ",");
        const std::string_view microBatch = takeBetween(rest, "micro_batch_id = ", ",");
        const std::string_view start = takeBetween(rest, "job_start_time = ", ",");
        std::string_view end = takeBetween(rest, "job_end_time = ", {});
        end = end.substr(0, end.find_first_not_of("0123456789."));
        Ticks from = 0, to = 0;
        // Six decimals are written; a line that is cut has fewer.
        constexpr std::size_t decimals = 6;
        const bool whole =
            end.find('.') != std::string_view::npos && end.size() - end.find('.') > decimals;
        if (type.empty() || smallNumber(job) < 0 || smallNumber(microBatch) < 0 || !whole ||
            !readStretch(start, end, from, to)) {
            unreadable(spans, lines, number, "a line of a job");
            continue;
        }
        const std::string name = std::string(type) + "_" + std::string(microBatch);
        spans.append(spans.rank(-1, "file name"), "jobs", name, from, to, Trust::Host,
                     spans.names().saidByRule(name).value_or(readPaddleName(name)).first);
    }
    if (spans.any() || lines.stopped())
        return {};
    return fail(ErrorCode::Syntax, "%1: no job of Paddle in it has times that can be read",
                spans.path());
}

bool isPaddleLogName(std::string_view name)
{
    constexpr std::string_view head = "workerlog.";
    return name.substr(0, head.size()) == head;
}

} // namespace

Importer paddle_log()
{
    Importer importer;
    importer.id = "paddle-log";
    importer.title = "Paddle's logs of ranks with the times of jobs";
    importer.named = isPaddleLogName;
    importer.wholeFile = "pipeline_profile.json";
    importer.sought = "log of Paddle";
    importer.lines = {paddleJob, false, "Paddle log", readPaddleJobs};
    return importer;
}

} // namespace pw::importers

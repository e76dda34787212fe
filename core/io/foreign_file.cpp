// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/foreign_file.h"

#include "core/base/trim.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pw {

namespace {

constexpr std::size_t foreignHead = std::size_t{1} << 16;

bool holds(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool isKeyLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The operators of a model as a graph, each a node.
bool isExecutionTrace(std::string_view json)
{
    return holds(json, "\"nodes\"") &&
           (holds(json, "execution_trace") || holds(json, "chakra") ||
            (holds(json, "\"schema\"") && holds(json, "\"ctrl_deps\"")));
}

/// A list of times and then a list of lists of sizes, or a list of changes, each a list of numbers.
bool isMemoryTimeline(std::string_view json)
{
    std::size_t depth = 0;
    for (const char c : json) {
        if (c == '[')
            ++depth;
        else if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
            return depth == 2 && ((c >= '0' && c <= '9') || c == '-');
    }
    return false;
}

/// A whole value on the first line, and another one on the next.
bool isJsonLines(std::string_view json)
{
    const std::size_t end = json.find('\n');
    if (end == std::string_view::npos || json.front() != '{')
        return false;
    const std::string_view first = trimmed(json.substr(0, end), " \t\r");
    const std::string_view rest = trimmed(json.substr(end), " \t\r\n");
    return first.size() > 1 && first.back() == '}' && !rest.empty() && rest.front() == '{';
}

/// Counts the lines of a text by what they look like.
struct LineCounts
{
    int all = 0;
    int yaml = 0; ///< "key: value", "key:", "- item"
    int log = 0;  ///< with a time, a level, an iteration, or an argument as Megatron prints it
};

bool isYamlLine(std::string_view line)
{
    if (line.substr(0, 2) == "- ")
        return true;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || line.find(" | ") != std::string_view::npos)
        return false;
    const bool key =
        std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
            return isKeyLetter(c) || c == '-' || c == '.' || (c >= '0' && c <= '9');
        });
    return key && (colon + 1 == line.size() || line[colon + 1] == ' ');
}

bool isLogLine(std::string_view line)
{
    constexpr std::array<std::string_view, 15> marks = {
        "INFO", "WARNING", "ERROR",      "iteration ", "elapsed time",
        " ms)", "lm loss", "loss:",      "grad norm",  "[default",
        "....", "step: ",  "tokens per", "world size", "samples/s"};
    constexpr std::size_t shortest = 8;
    const bool stamped = line.size() > shortest && (line[0] == '[' || line[0] == '2') &&
                         holds(line.substr(0, 24), ":") && holds(line.substr(0, 24), "-");
    // What a shell prints of a script before it begins (set -x).
    const bool script = line.substr(0, 2) == "+ " || line.substr(0, 2) == "++";
    return stamped || script ||
           std::any_of(marks.begin(), marks.end(),
                       [line](std::string_view mark) { return holds(line, mark); });
}

LineCounts countedLines(std::string_view text)
{
    LineCounts counts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end), " \t\r");
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#' || line == "---")
            continue;
        ++counts.all;
        if (isLogLine(line))
            ++counts.log;
        else if (isYamlLine(line))
            ++counts.yaml;
    }
    return counts;
}

} // namespace

ForeignFile foreignFileOf(std::string_view content)
{
    const std::string_view head = trimmed(content.substr(0, foreignHead), " \t\r\n\xEF\xBB\xBF");
    if (head.empty())
        return ForeignFile::None;
    if (head.front() == '{' && isExecutionTrace(head))
        return ForeignFile::ExecutionTrace;
    if (isJsonLines(head))
        return ForeignFile::JsonLines;
    if (head.front() == '[' && isMemoryTimeline(head))
        return ForeignFile::MemoryTimeline;
    if (head.front() == '{' || head.substr(0, 2) == "[{" || head.substr(0, 2) == "[[")
        return ForeignFile::None;
    const LineCounts lines = countedLines(head);
    if (lines.log * 4 >= lines.all)
        return ForeignFile::Log;
    return lines.yaml * 4 >= lines.all * 3 ? ForeignFile::Yaml : ForeignFile::None;
}

Sentence noSchedule(ForeignFile kind)
{
    switch (kind) {
    case ForeignFile::Log:
        return said("this is a log and no schedule: import says which times are in it; a schedule "
                    "is a line a device, as d0: F0 F1 BW0");
    case ForeignFile::Yaml:
        return said("this is YAML and no schedule: simulate takes the name of a family with "
                    "--devices and --micro-batches; a schedule is a line a device, as d0: F0 F1 "
                    "BW0");
    case ForeignFile::ExecutionTrace:
        return said("this is PyTorch's execution trace and no schedule: it has operators without "
                    "times; import reads what the profiler exports (export_chrome_trace)");
    case ForeignFile::JsonLines:
        return said("this is JSON Lines and no schedule: a project is one JSON value; import reads "
                    "lines that are events");
    case ForeignFile::MemoryTimeline:
        return said("this is PyTorch's memory timeline and no schedule: it has sizes without "
                    "passes; import reads what the profiler exports (export_chrome_trace)");
    case ForeignFile::None:
        break;
    }
    return {};
}

Sentence noTrace(ForeignFile kind)
{
    switch (kind) {
    case ForeignFile::Log:
        return said("no event in it; it is a log without times that are read");
    case ForeignFile::Yaml:
        return said("YAML, which holds no events; simulate and plan take what it sets as options");
    case ForeignFile::ExecutionTrace:
        return said("PyTorch's execution trace, which has operators without times; export the "
                    "profiler's trace beside it (export_chrome_trace)");
    case ForeignFile::JsonLines:
        return said("JSON Lines without an event that is known; an event has ph, ts and pid");
    case ForeignFile::MemoryTimeline:
        return said("its list holds numbers or lists in place of events, as PyTorch's memory "
                    "timeline does; export the profiler's trace (export_chrome_trace)");
    case ForeignFile::None:
        break;
    }
    return {};
}

} // namespace pw

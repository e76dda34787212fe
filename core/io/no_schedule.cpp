// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/no_schedule.h"

#include "core/base/trim.h"
#include "core/io/foreign_file.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pw {

namespace {

/// What of a long text is looked at.
constexpr std::size_t lookedAt = std::size_t{1} << 16;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Calls `each` with the parts of a text between the signs of `separators`.
template<typename Each>
void eachPart(std::string_view text, std::string_view separators, Each each)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (const std::string_view part = trimmed(text.substr(0, end), " \t\r\""); !part.empty())
            each(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// "d0: …", or "devices: …" and its like.
bool isScheduleLine(std::string_view line)
{
    constexpr std::array<std::string_view, 9> words = {
        "devices",  "micro-batches",   "steps",   "placement", "routes",
        "segments", "segment-lengths", "updates", "messages"};
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return false;
    const std::string_view word = line.substr(0, colon);
    const bool device = word.size() > 1 && (word[0] == 'd' || word[0] == 'D') &&
                        std::all_of(word.begin() + 1, word.end(), isDigit);
    return device || std::find(words.begin(), words.end(), word) != words.end();
}

/// "2F0", "0SEND_F3", "(1F0;2I1)OVERLAP…": a number and a letter, in brackets or not.
bool isAction(std::string_view cell)
{
    if (!cell.empty() && cell.front() == '(')
        cell.remove_prefix(1);
    const std::size_t letter =
        std::min(static_cast<std::size_t>(std::find_if_not(cell.begin(), cell.end(), isDigit) -
                                          cell.begin()),
                 cell.size());
    constexpr std::string_view kinds = "FBIWSRU";
    return letter > 0 && letter < cell.size() && kinds.find(cell[letter]) != std::string_view::npos;
}

} // namespace

std::optional<Sentence> notScheduleText(std::string_view content)
{
    int own = 0, other = 0;
    eachPart(content.substr(0, lookedAt), "\n", [&](std::string_view line) {
        if (line.front() != '#')
            (isScheduleLine(line) ? own : other) += 1;
    });
    if (own >= other)
        return std::nullopt;
    if (const ForeignFile kind = foreignFileOf(content); kind != ForeignFile::None)
        return noSchedule(kind);
    return said("this is not a schedule: hardly a line says what a device does, as d0: F0 F1 BW0");
}

std::optional<Sentence> notTorchCsv(std::string_view content)
{
    int actions = 0, other = 0;
    eachPart(content.substr(0, lookedAt), ",\n",
             [&](std::string_view cell) { (isAction(cell) ? actions : other) += 1; });
    if (actions > 0 || other == 0)
        return std::nullopt;
    if (const ForeignFile kind = foreignFileOf(content); kind != ForeignFile::None)
        return noSchedule(kind);
    return said("this is not a schedule: no cell is an action such as 2F0");
}

std::optional<Sentence> notProjectJson(std::string_view content)
{
    const std::string_view head = content.substr(0, lookedAt);
    if (head.find("\"traceEvents\"") == std::string_view::npos &&
        (head.find("\"ph\"") == std::string_view::npos ||
         head.find("\"ts\"") == std::string_view::npos)) {
        const ForeignFile kind = foreignFileOf(content);
        return kind == ForeignFile::None ? std::nullopt : std::optional(noSchedule(kind));
    }
    return said("this is a trace and no schedule: import, whatif and costs fit read it");
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/sail_plan.h"

#include "core/base/text.h"
#include "core/io/own_file.h"
#include "core/io/sail_parts.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

enum class SailShape : std::uint8_t
{
    Json,
    NodeTexts,
    Words
};

/// By its first characters: a JSON list begins with another bracket or nothing, a log's prefix with
/// a letter or a number.
SailShape shapeOf(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    if (text.find("ScheduledNode(") != std::string_view::npos)
        return SailShape::NodeTexts;
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.substr(0, byteOrderMark.size()) == byteOrderMark)
        text.remove_prefix(byteOrderMark.size());
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos || (text[first] != '[' && text[first] != '{'))
        return SailShape::Words;
    const std::size_t next = text.find_first_not_of(blanks, first + 1);
    return text[first] == '{' || next == std::string_view::npos ||
                   std::string_view("[]{").find(text[next]) != std::string_view::npos
               ? SailShape::Json
               : SailShape::Words;
}

/// Whether a JSON text is a list of lists.
bool isNested(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find('[');
    const std::size_t next =
        first == std::string_view::npos ? first : text.find_first_not_of(blanks, first + 1);
    return next != std::string_view::npos && text[next] == '[';
}

/// Says whether the costs give the plan's own end.
void playAgain(const SailNodes& nodes, SailPlan& plan)
{
    if (!plan.costs)
        return;
    const Result<Problems> wrong = problems(plan.draft);
    if (!wrong || !wrong->none())
        return;
    const Result<Schedule> schedule = Schedule::make(plan.draft.spec, plan.draft.orders);
    const Result<SimResult> run =
        schedule ? simulate(*schedule, *plan.costs) : Result<SimResult>(fail(schedule.error()));
    if (!run)
        return; // who simulates the plan says why it cannot run
    std::optional<double> begin;
    std::optional<double> end;
    for (const SailNode& node : nodes.nodes) {
        if (!isSailPass(node.kind))
            continue;
        begin = std::min(begin.value_or(*node.start), *node.start);
        end = std::max(end.value_or(*node.end), *node.end);
    }
    const auto own = static_cast<Ticks>(std::llround(1000 * (*end - *begin)));
    if (std::abs(own - run->makespan) * 1000 > own)
        plan.notes.add({}, said("the plan takes %1; with these costs it takes %2", timeText(own),
                                timeText(run->makespan)));
}

} // namespace

bool looksLikeSailPlan(std::string_view head)
{
    constexpr std::size_t most = std::size_t{64} << 10;
    head = head.substr(0, most);
    const auto has = [head](std::string_view text) {
        return head.find(text) != std::string_view::npos;
    };
    // Events are no plan: most files that are asked have them, and are not looked through.
    const SailShape shape = shapeOf(head);
    if ((shape == SailShape::Json && has("\"ph\"")) || ownFileOf(head) != OwnFile::None)
        return false;
    switch (shape) {
    case SailShape::NodeTexts:
        // A program's text speaks of nodes too; a printed one gives its type first.
        return has("ScheduledNode(type=");
    case SailShape::Json:
        // Lists in a list are enough, even of what is no plan: then that is said.
        return has("\"type\"") &&
               (has("\"microbatch\"") || has("\"minibatch\"") || has("\"start_time\"")) &&
               (has("\"stage\"") || has("\"chunk\"") || isNested(head));
    case SailShape::Words:
        break;
    }
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        if (end < head.size() && isSailLine(head.substr(0, end), true))
            return true;
        if (end == head.size())
            return isSailLine(head, true);
        head.remove_prefix(end + 1);
    }
    return false;
}

SailPlan parseSailPlan(std::string_view text)
{
    SailPlan plan;
    plan.lineName = "line";
    plan.columnName = "column";
    if (static_cast<std::int64_t>(text.size()) > maxSailBytes) {
        plan.problems.add(
            {}, said("the file is longer than %1 bytes, the most that is read", maxSailBytes));
        return plan;
    }
    SailNodes nodes;
    switch (shapeOf(text)) {
    case SailShape::Json:
        readSailJson(text, nodes, plan);
        break;
    case SailShape::NodeTexts:
        readSailNodeTexts(text, nodes, plan);
        break;
    case SailShape::Words:
        readSailWords(text, nodes, plan);
        break;
    }
    if (!plan.problems.none() || !settleSailStages(nodes, plan))
        return plan;
    readSailCosts(nodes, plan);
    tellSailRest(nodes, plan);
    playAgain(nodes, plan);
    return plan;
}

} // namespace pw

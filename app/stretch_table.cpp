// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stretch_table.h"

#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>

namespace pw::app {

namespace {

std::string stretchSeconds(Ticks time)
{
    return plainNumber(static_cast<double>(time) / ticksPerSecond, 4);
}

} // namespace

std::string stretchTable(const std::vector<StretchRow>& rows, const Screen& screen)
{
    constexpr int widest = 40;
    const bool kept =
        std::any_of(rows.begin(), rows.end(), [](const StretchRow& row) { return row.run > 0; });
    std::vector<TextTable::Column> columns = {{"from", "s"},  {"to", "s"},
                                              {"iterations"}, {"messages longer", "times"},
                                              {"k"},          {"", "", TextTable::Align::Left}};
    if (kept)
        columns.insert(columns.begin(), {"run"});
    TextTable table(screen, columns);
    for (const StretchRow& row : rows) {
        std::string bar;
        for (int n = 0; n < std::min(row.group, widest); ++n)
            bar += "█";
        std::vector<std::string> cells = {
            stretchSeconds(row.from),       stretchSeconds(row.to),
            std::to_string(row.iterations), plainNumber(row.slowdown, 3),
            std::to_string(row.group),      screen.paint(bar, Role::Forward)};
        if (kept)
            cells.insert(cells.begin(), std::to_string(row.run));
        table.append(std::move(cells));
    }
    return screen.bold("k over time") + "\n" + table.text();
}

std::string adaptiveText(const StoredAdaptive& training, const Screen& screen)
{
    std::vector<StretchRow> rows;
    for (std::size_t i = 0; i < training.stretches.size(); ++i) {
        const AdaptedStretch& stretch = training.stretches[i];
        StretchRow row{stretch.run, stretch.start, stretch.start + stretch.time, stretch.iterations,
                       1,           stretch.group};
        double sum = 0;
        for (const AdaptedPoint& point : training.iterations)
            sum += point.stretch == i ? point.slowdown : 0;
        if (stretch.iterations > 0)
            row.slowdown = sum / stretch.iterations;
        rows.push_back(row);
    }
    std::string text = stretchTable(rows, screen);
    for (const AdaptedStretch& stretch : training.stretches)
        if (!stretch.reason.empty())
            text += wrapped(oneLine(stretch.reason), screen.width, 2);
    const int switches = training.switches();
    text += wrapped(countText(training.iterations.size(), "iteration") + ", measured every " +
                        std::to_string(training.every) + "; " +
                        countText(switches, "switch", "switches") + " of k",
                    screen.width, 2);
    return text;
}

} // namespace pw::app

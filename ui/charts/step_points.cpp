// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_points.h"

#include <algorithm>
#include <cmath>

namespace pw::ui {

void appendVisible(const StepSeries& series, const ViewRange& range, int columns,
                   QVector<double>& times, QVector<double>& values)
{
    const auto count = series.times.size();
    if (count == 0)
        return;
    const auto before = std::upper_bound(series.times.begin(), series.times.end(),
                                         static_cast<Ticks>(range.begin()));
    std::size_t i = before == series.times.begin()
                        ? 0
                        : static_cast<std::size_t>(before - series.times.begin()) - 1;
    const auto append = [&](std::size_t at) {
        times.append(static_cast<double>(series.times[at]));
        values.append(series.values[at]);
    };
    const double width = range.length() / std::max(1, columns);
    while (i < count && static_cast<double>(series.times[i]) <= range.end()) {
        const double edge = static_cast<double>(series.times[i]) + width;
        std::size_t least = i, greatest = i, last = i;
        for (std::size_t j = i; j < count && static_cast<double>(series.times[j]) < edge; ++j) {
            least = series.values[j] < series.values[least] ? j : least;
            greatest = series.values[j] > series.values[greatest] ? j : greatest;
            last = j;
        }
        append(i);
        for (const std::size_t at : {std::min(least, greatest), std::max(least, greatest)})
            if (at != i && at != last)
                append(at);
        if (last != i)
            append(last);
        i = last + 1;
    }
    if (values.isEmpty())
        return; // the series begins behind what is shown
    times.append(std::max(range.end(), static_cast<double>(series.times[std::min(i, count) - 1])));
    values.append(values.last());
}

std::optional<double> valueAt(const StepSeries& series, double time)
{
    const auto next =
        std::upper_bound(series.times.begin(), series.times.end(), time,
                         [](double a, Ticks b) { return a < static_cast<double>(b); });
    if (next == series.times.begin())
        return std::nullopt;
    const double value = series.values[static_cast<std::size_t>(next - series.times.begin()) - 1];
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

} // namespace pw::ui

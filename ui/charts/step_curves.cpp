// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_curves.h"

#include "ui/charts/step_points.h"

#include <algorithm>

namespace pw::ui {

double StepCurves::greatest() const
{
    double most = 0;
    for (const auto* all : {&series, &trial})
        for (const StepSeries& one : *all)
            for (const double value : one.values)
                most = std::max(most, value);
    for (const double value : band.high)
        most = std::max(most, value);
    return most;
}

void StepCurves::appendShown(const StepSeries& of, const ViewRange& range, int columns,
                             QVector<double>& times, QVector<double>& values) const
{
    appendVisible(of, range, columns, times, values);
    if (!grown)
        return;
    const auto behind = std::upper_bound(times.begin(), times.end(), *grown);
    const auto left = behind - times.begin();
    if (left == times.size())
        return;
    times.resize(left);
    values.resize(left);
    // The step that is under way ends here.
    if (left > 0) {
        times.push_back(*grown);
        values.push_back(values.back());
    }
}

QStringList StepCurves::names(const std::function<QString(double)>& valueText) const
{
    QStringList names;
    double below = 0;
    for (const StepSeries& one : series) {
        const std::optional<double> value = pointer ? valueAt(one, *pointer) : std::nullopt;
        // A filled series is a layer: its own part counts.
        const double part = value.value_or(0) - (one.filled ? below : 0);
        if (one.filled)
            below = value.value_or(below);
        if (one.name.isEmpty())
            continue;
        names << (value ? QStringLiteral("%1 %2").arg(one.name, valueText(part)) : one.name);
    }
    return names;
}

} // namespace pw::ui

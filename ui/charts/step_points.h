// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/charts/step_curves.h"

#include <QVector>

#include <optional>

namespace pw::ui {

/// Points of a series that a plot of so many columns needs: all where they are few; else the first,
/// least, greatest and last of each column, which draw the same picture.
void appendVisible(const StepSeries& series, const ViewRange& range, int columns,
                   QVector<double>& times, QVector<double>& values);

/// Value of a series at a time; none before its first point, and where it has ended.
std::optional<double> valueAt(const StepSeries& series, double time);

} // namespace pw::ui

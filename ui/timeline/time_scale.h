// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/time_marks.h"

#include <QString>

namespace pw::ui {

/// A time of an axis, in the unit and with the decimals that all its marks share: "1.25 ms", "12
/// s".
QString axisText(double time, const TimeMarks& marks);

/// From when to when, in one unit and with as many decimals as tell the two apart: "12.060 –
/// 12.062 s".
QString spanText(double begin, double end);

/// A duration for people: three or four digits and the unit that fits.
QString durationText(double ticks);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QDateTime>
#include <QString>

namespace pw::ui {

/// A duration of a column: four digits, "25.50 ms"; of 0 a dash.
QString columnTimeText(Ticks time);

/// A difference with its sign: "+0.25 ms", "−1.2 ms", "0 ms".
QString shiftText(Ticks time);

/// A rate as a percentage with one decimal: "6.6 %".
QString percentText(double rate);

/// How far a measured time is from a predicted one, with its sign: "+0.8 %"; a dash where one of
/// them is 0.
QString offText(Ticks measured, Ticks predicted);

/// What a change makes of a time, by the part that it saves: .214 is "−21.4 %", what rounds to
/// nothing "none".
QString gainText(double gain);

/// How much a time is of another one, where the two are far apart: "38 times", "0.026 times".
/// @pre both are above 0
QString timesText(Ticks measured, Ticks predicted);

/// A moment as people say it: "just now", "2 min ago", "yesterday 14:05", "3 Nov 14:05".
QString whenText(const QDateTime& moment, const QDateTime& now);

} // namespace pw::ui

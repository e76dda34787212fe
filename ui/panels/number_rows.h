// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <QString>

#include <vector>

namespace pw::ui {

/// A number with its name and unit, and how it stands to what it is held against.
struct NumberRow
{
    QString name;
    QString value;
    QString verdict{}; ///< "23 % shorter"
    bool good = false; ///< the verdict is what one wants
    QString note{};    ///< below: the formula, the reason
    bool bad = false;  ///< the value is refused
};

/// The rows as a table of rich text: names, then values, then verdicts at the right.
QString tableOf(const std::vector<NumberRow>& rows);
/// A sentence in the colour of secondary text.
QString quiet(const QString& sentence);

/// "4 micro-batches", "1 micro-batch", "0.5 micro-batches".
QString microBatchText(double count);
/// How one makespan stands to another: "23 % shorter", "as long".
QString lengthVerdict(double own, double other);

} // namespace pw::ui

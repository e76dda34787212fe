// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/panels/findings.h"
#include "ui/panels/number_rows.h"

#include <optional>
#include <vector>

namespace pw::ui {

/// Figures of a schedule that others are held against.
struct Pinned
{
    QString title;
    Ticks makespan = 0;
    double peak = 0;     ///< micro-batches
    Bytes peakBytes = 0; ///< of activations alone
    WholePeak memory;
};

/// The figures of a schedule that is whole. @pre the document has one
Pinned pinnedOf(const ScheduleDocument& document);

/// The schedule's numbers beside what formulas, 1F1B, a proven bound and a pinned schedule say.
///
/// @param found  null: not known yet
/// @pre the document has a schedule
std::vector<NumberRow> againstRows(const ScheduleDocument& document, const ScheduleFindings* found,
                                   const std::optional<Pinned>& pinned);

/// Micro-batches, and where a model is known tokens and the part of the peak rate that is used.
std::vector<NumberRow> throughputRows(const ScheduleDocument& document,
                                      const ScheduleFindings* found);

/// What stands in the place of a makespan where devices wait for each other in a ring.
QString noMakespanText();

/// Numbers for the status line. Works for drafts, too.
/// @param problems  what is missing or wrong is counted, too
QString figuresText(const ScheduleDocument& document, bool problems = true);

} // namespace pw::ui

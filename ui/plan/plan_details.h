// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/charts/scatter_chart.h"
#include "ui/panels/details_panel.h"
#include "ui/plan/plan_fields.h"

#include <QStringList>

#include <vector>

namespace pw::ui {

/// What a row of a plan consists of: why it stands where it does, kinds, times, memory.
void addPlanParts(PageDetails& details, const PlanAsked& asked, const plan::Evaluation& row,
                  const plan::Evaluation& best);

/// Why the second row is behind the first, and what would bring more.
/// @param second  whether there is a second row
void addPlanHelp(PageDetails& details, const plan::PlanTable& found, bool second,
                 const QStringList& help);

/// The rows by time and memory; those without a flush are muted.
std::vector<ScatterPoint> planPoints(const std::vector<plan::Evaluation>& rows,
                                     const plan::PlanTable& found);

} // namespace pw::ui

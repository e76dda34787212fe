// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/plan/plan_fields.h"

#include <vector>

class QTableWidget;

namespace pw::ui {

/// Columns, and the look of them.
void makePlanTable(QTableWidget& table);

/// A row for each configuration, the best first.
void fillPlanTable(QTableWidget& table, const PlanAsked& asked,
                   const std::vector<plan::Evaluation>& rows);

} // namespace pw::ui

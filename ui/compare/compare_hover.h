// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/panels/details_panel.h"
#include "ui/timeline/hover_card.h"

#include <vector>

namespace pw::ui {

/// What a card at the pointer says of a timeline that is compared.
///
/// @param difference  to the one above; null: there is none
/// @param span        under the pointer; invalid: idle time of the lane
HoverNews comparedNews(const Compared& timeline, const Difference* difference, SpanRef span,
                       int lane, Ticks time);

/// The line beside the title of a row: what is shown of it, its makespan, how it differs.
/// @param above  title of the row above; unused where there is no difference
QString aboutRow(const ComparedRow& row, const QString& above);

/// The makespans of all rows in one line, with the differences.
QString makespansOf(const std::vector<ComparedRow>& rows);

/// The figures of every row, and what each says of the selected pass.
PageDetails detailsOf(const std::vector<ComparedRow>& rows);

} // namespace pw::ui

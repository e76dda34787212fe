// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/panels/details_panel.h"
#include "ui/timeline/hover_card.h"

namespace pw::ui {

/// What a card at the pointer says of a timeline that is compared.
///
/// @param difference  to the one above; null: there is none
/// @param span        under the pointer; invalid: idle time of the lane
HoverNews comparedNews(const Compared& timeline, const Difference* difference, SpanRef span,
                       int lane, Ticks time);

/// The figures of a timeline that is compared.
/// @param above  what the difference is to; null: none
DetailsPart comparedPart(const Compared& timeline, const Difference* difference,
                         const ComparedPtr& above);

/// Adds what a timeline says of a selected span, an invalid one nothing.
void appendPass(DetailsPart& part, const Compared& timeline, const Difference* difference,
                SpanRef span);

} // namespace pw::ui

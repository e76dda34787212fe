// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/explain.h"
#include "ui/panels/details_panel.h"
#include "ui/runs/run_timeline.h"
#include "ui/timeline/hover_card.h"

namespace pw::ui {

/// What is worth knowing of a run's iteration and of a pass of it.
///
/// @param records   samples and messages; null before they are read
/// @param selected  invalid: none
PageDetails runDetails(const RunTimeline& run, const RunRecords* records, SpanRef selected);

/// What a card at the pointer says of a recorded pass.
HoverNews runPassNews(const RunTimeline& run, SpanRef span);
/// And of idle time.
HoverNews runGapNews(const RunTimeline& run, const Gap& gap);

/// The largest activation that was sampled; 0: no sample.
Bytes sampledPeak(const RunRecords* records);

} // namespace pw::ui

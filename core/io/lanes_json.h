// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/json_text.h"
#include "core/model/costs.h"
#include "core/sim/draft_times.h"

namespace pw {

/// Orders as web pages draw them, each entry with its times: the members `lanes` and `stages` of an
/// object that is begun.
///
/// @param at  where the entries are drawn
void writeLaneEntries(JsonText& out, const Draft& draft, const DraftTimes& at);

/// Lanes as web pages draw them: entries with their times, memory over time, figures; the members
/// of an object that is begun. web/src/engine.ts has their type, `Lanes`.
///
/// @param times  of the draft
/// @param shown  where entries are drawn, as while they are dragged; else `times` again
void writeLanes(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times,
                const DraftTimes& shown);

/// The same of a schedule and its times, simulated or measured.
void writeLanes(JsonText& out, const Schedule& schedule, const Costs& costs,
                const SimResult& result);

/// A schedule's times as those of its draft.
DraftTimes draftTimesOf(const Schedule& schedule, const SimResult& result);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/json_text.h"
#include "core/model/costs.h"
#include "core/sim/draft_times.h"

namespace pw {

/// Lanes as web pages draw them: entries with their times, memory over time, figures; the members
/// of an object that is begun. web/src/engine.ts has their type, `Lanes`.
///
/// @param times  of the draft
/// @param shown  where entries are drawn, as while they are dragged; else `times` again
void writeLanes(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times,
                const DraftTimes& shown);

} // namespace pw

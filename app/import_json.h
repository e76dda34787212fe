// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/replay.h"
#include "core/analysis/trace_holes.h"
#include "core/io/json_text.h"
#include "core/trace/align_clocks.h"
#include "core/trace/message_split.h"
#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// The member `ranks`: what each rank did.
void ranksJson(JsonText& text, const Trace& trace, const RecoveredPipeline& pipeline);

/// The members `memory`, the most in use by rank, and `counters`.
void memoryJson(JsonText& text, const Trace& trace);

/// The member `holes`: what was not recorded, and between which moments it must have been.
void holesJson(JsonText& text, const std::vector<TraceHole>& holes);

/// The member `times`: passes by kind, stage and segment.
void timesJson(JsonText& text, const RecoveredPipeline& pipeline);

/// The member `messages`.
void messagesJson(JsonText& text, const Trace& trace, const TraceMessages& messages);

/// The member `clocks`.
void clocksJson(JsonText& text, const AlignedClocks& clocks, const Trace& trace,
                const RecoveredPipeline& pipeline);

/// The member `replays`.
void replaysJson(JsonText& text, const std::vector<ReplayedIteration>& replays);

/// A member that is a list of texts.
void linesJson(JsonText& text, std::string_view key, const std::vector<std::string>& lines);

} // namespace pw::app

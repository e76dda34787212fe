// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/page_json.h"
#include "core/sim/draft_times.h"
#include "web/engine/session.h"

#include <span>
#include <string_view>

namespace pw::web {

/// Lanes with what is wrong in them, or the critical path where nothing is; the members of an
/// object that is begun.
///
/// @param times  of the draft
/// @param shown  where entries are drawn meanwhile, as while they are dragged; null: at `times`
void writeScene(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times,
                const DraftTimes* shown = nullptr);

/// Numbers of the entries that are to be looked at.
void writeEntryIds(JsonText& out, std::string_view name, std::span<const EntryId> entries);

/// The session as it stands: its lanes, what it is called, its times, and in a level where that
/// stands. The members of an object that is begun. @error  of the draft or the costs
Result<void> writeState(JsonText& out, const Session& session);

/// Where a level stands with a project: goals, medals, what can come next, the block.
void writeStanding(JsonText& out, const LessonLevel& level, const Project& project);

/// A block with its collisions and lives, as the member `block`.
void writeBlock(JsonText& out, const BuildingBlock& block);

/// A pass by the fields that tell it.
void writePass(JsonText& out, std::string_view name, const Pass& pass);

} // namespace pw::web

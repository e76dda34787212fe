// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/collisions.h"
#include "core/edit/drag.h"
#include "core/model/draft.h"
#include "core/sim/ring.h"

#include <QString>

#include <vector>

// What is wrong with an order, said in the window's language from what the core hands out: its
// codes and passes. English is the core's own text.
namespace pw::ui {

/// A problem without its place.
QString problemWords(const Problem& problem, const PipelineSpec& spec);

/// A problem with its place: "device 1, entry 7: …".
QString placedWords(const Problem& problem, const PipelineSpec& spec);

/// Which devices wait for each other in a ring, and in which passes; empty without links.
QString ringWords(const std::vector<RingLink>& ring, const PipelineSpec& spec);

/// Which two passes of a repeated block meet, and where; English is `Collision::text`.
QString collisionWords(const Collision& collision, const BuildingBlock& block);

/// Why a place of a drag is refused; empty where it is not.
QString refusalWords(const DragRefusal& refusal, const PipelineSpec& spec);

} // namespace pw::ui

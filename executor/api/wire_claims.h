// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_store.h"
#include "executor/api/wire.h"

#include <string>

// What a program claims of its run on the wire, held to what a run can be. Whoever keeps or shows
// what comes over the wire asks here, so that a lying program reaches no store and no window.

namespace pw::exec {

/// Ranks that a run has at most.
constexpr int mostWireRanks = 65'536;

/// A name within a limit that people read and lists show, ending with a whole character.
void cutWireName(std::string& name);

/// As it was told, its names within the limit and with no more devices than ranks.
WireStarted withinLimits(WireStarted started);

/// What the store is told of a run that has begun; its family is that of its settings.
NewRun newRunOf(const WireStarted& started);

/// Whether the records are of ranks that the run has.
bool isOfRanks(const RecordedPass& record, int ranks);
bool isOfRanks(const RecordedMessage& record, int ranks);
bool isOfRanks(const RecordedCopy& record, int ranks);
bool isOfRanks(const MemorySample& record, int ranks);
bool isOfRanks(const GpuReading& record, int ranks);

/// Whether no makespan is below 0.
bool canBe(const RunFigures& figures);

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"

#include <optional>
#include <span>
#include <vector>

namespace pw {

// What is said of single passes and of one device. Each leaves the project as it is and proposes an
// edit.

/// A time of their own for passes, whatever the tables say. Costs of equal stages become tables.
///
/// @param time     none: what the tables say again
/// @error BadValue no pass, one that the spec does not have, or a time below 0
/// @error TooLarge a time above `longestPass`
Result<Edit> passTimeEdit(const Project& project, std::span<const Pass> passes,
                          std::optional<Ticks> time);

/// Whether a pass has a time of its own.
bool hasOwnTime(const Costs& costs, const Pass& pass);

/// Cells (micro-batch, segment and stage) of passes, each once; of an update none. The kind is F.
std::vector<Pass> cellsOf(std::span<const Pass> passes);

/// Which of the cells of a draft have an R.
std::vector<bool> recomputedCells(const Draft& draft, std::span<const Pass> cells);

/// An R directly before the backward of each cell that has none yet, as `withRecompute` puts them;
/// or the R of each cell taken away.
///
/// @param draft     of a family its orders; the edit is then for them
/// @error BadSchedule  nothing to be done: no cell has a backward without an R, or none has an R
Result<Edit> recomputeEdit(const Draft& draft, std::span<const Pass> cells, bool recompute);

/// Which of the cells are offloaded.
std::vector<bool> offloadedOf(const Offload& offload, std::span<const Pass> cells);

/// The activations of cells go to the host's memory after their F and come back for their backward,
/// or stay on their device.
///
/// @error BadValue     a cell that the spec does not have
/// @error BadSchedule  nothing to be done: all of them are offloaded already, or none is
Result<Edit> offloadEdit(const Project& project, std::span<const Pass> cells, bool offload);

/// Another link between every device and its host.
/// @error BadValue  a latency or a rate below 0, or one that is no number
Result<Edit> hostLinkEdit(const Project& project, const Link& link);

/// The cells of a stage that a draft has, over all routes.
std::vector<Pass> cellsOfStage(const Draft& draft, StageId stage);

/// Another memory cap for one device. Costs of equal stages become tables.
///
/// @param cap   bytes; none: no cap
/// @error BadValue  a device that is not there, or a cap below 1 byte
Result<Edit> deviceCapEdit(const Project& project, DeviceId device, std::optional<Bytes> cap);

/// Another cap of the activation of every device. Costs of equal stages stay such.
///
/// @param cap   none: no cap
/// @error BadValue  a cap below 0
Result<Edit> shareCapEdit(const Project& project, std::optional<Share> cap);

} // namespace pw

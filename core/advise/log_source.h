// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice_source.h"

namespace pw {

/// The step of a training's log with timers of its stages: the order is the one that the program
/// runs, 1F1B, of whole sequences or of segments, and a pass takes its part of the sum over an
/// iteration, the median of those behind the first.
///
/// Of timers of every rank each stage has its own. Of the least and the most over all ranks the
/// last stage, which has the head, has the most, and the others the least; that another stage has
/// the most, or all of them, is in the interval. What the program does around the passes, and what
/// no pass explains, stays as it is.
///
/// @error BadValue  names what the log does not tell: stages, micro-batches, an iteration, the
///                  times of its stages; or that devices have several chunks
Result<AdviceSource> logSource(const Trace& trace);

} // namespace pw

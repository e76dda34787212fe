// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

namespace pw {

/// Finds the passes of a job that no label and no link of autograd says, by what its devices ran: a
/// rank's place in the process group of its pipeline is its stage, its sends part its passes, and
/// the words of kernels tell forwards from backwards (`StageCuts`). Where passes of a stage between
/// others have the same kernels, the order of the first and the last stage tells it, 1F1B or GPipe.
///
/// Where ranks send around their pipeline, each has several chunks: chunk and micro-batch are those
/// of the one order of the program's families in which all of them send as they do.
///
/// Each pass becomes a span on a track of its own, from its first kernel to the end of its last,
/// and is counted: micro-batches have numbers in the order in which they run. A note says so.
///
/// Nothing is done where a pass is labelled, or where no rank's kernels send or receive. A step
/// counts where all ranks of all pipelines run as many forwards as backwards, the same number on
/// each; a forward first, a backward last and no backward before its forward. Where no step does,
/// no pass is found, and a warning says what is in the way.
///
/// @pre  ranks have their numbers
/// @complexity  O(n log n) for n spans
void findMessagePasses(Trace& trace);

} // namespace pw

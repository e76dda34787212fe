// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/training.h"

#include <string>
#include <vector>

namespace pw::test {

/// What a run of all ranks in one thread leaves behind.
struct TurnsRun
{
    std::vector<double> losses; ///< by optimizer step
    std::vector<exec::StageSnapshot> snapshots;
    std::vector<Bytes> peakActivation;  ///< by rank
    std::vector<Bytes> peakVersions;    ///< by rank
    std::vector<exec::MemoryNow> begun; ///< by rank: before the first pass
    std::vector<exec::MemoryNow> ended; ///< by rank: after the last one
    std::vector<std::string> notes;
};

/// Trains a plan without threads or a transport: the ranks take turns, each goes on until it lacks
/// a message. Ends the test program where nobody can go on.
TurnsRun trainInTurns(const exec::RunPlan& plan);

/// Compares losses and every gradient and parameter tensor with the reference.
/// @param worst  the largest relative error, over a tensor
/// @return       what is wrong, by more than `limit`; empty if nothing
std::string compareWithReference(const TurnsRun& run, const exec::RunPlan& plan, double limit,
                                 double* worst = nullptr);

} // namespace pw::test

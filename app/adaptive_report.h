// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/store/run_store.h"
#include "executor/adapt/adaptive_run.h"

#include <string>
#include <vector>

namespace pw::app {

/// What an adaptive run came to, beside its simulation.
struct AdaptiveReport
{
    GroupingProblem problem;
    std::string backendText;
    bool trains = false;
    int iterations = 0;
    int every = 0;
    exec::AdaptiveRun adaptive;
    std::vector<exec::AdaptiveRun> fixed; ///< by pair; empty: were not run
    AdaptComparison simulated;
    std::string storePath;
    std::vector<RunNumber> stored; ///< by stretch
};

std::string textOf(const AdaptiveReport& report, const Screen& screen);
std::string jsonOf(const AdaptiveReport& report);

/// What a program hears as it happens, one JSON object a line: what is run, with its pairs; each
/// iteration as it ends; what is being done meanwhile; at the end the whole, as `jsonOf` has it.
std::string outlineLine(const AdaptiveReport& report, const std::vector<exec::GroupingPlan>& plans);
std::string iterationLine(const exec::AdaptiveIteration& iteration, int k);
std::string sayingLine(const std::string& what);
std::string resultLine(const AdaptiveReport& report);

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/noise/adaptive_k.h"
#include "executor/api/backend.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pw::exec {

/// A pair of k and micro-batch size, with a plan of its own. All plans of a run train the same
/// model on as many samples a step, and differ in order, costs and samples of a micro-batch.
struct GroupingPlan
{
    GroupingPair pair;
    RunPlan plan;
};

/// The plans of pairs for modelled times, as `compareGroupings` simulates them: nothing is trained.
/// @error  as of `groupingPairs`, `makePlan`
Result<std::vector<GroupingPlan>> modelledGroupings(const GroupingProblem& problem,
                                                    const std::vector<GroupingPair>& pairs);

/// An iteration as it was really run.
struct AdaptiveIteration
{
    int pair = 0;        ///< index into the plans
    Ticks start = 0;     ///< of all time that iterations took before: where the link trace was
    Ticks time = 0;      ///< first start to last end
    double slowdown = 1; ///< of its messages, over what they take on links that nothing slows down
};

struct AdaptiveRun
{
    std::vector<AdaptiveIteration> iterations;
    int switches = 0;
    Ticks total = 0;                    ///< of all iterations
    Ticks between = 0;                  ///< what it took besides, to begin runs and to switch
    double firstLoss = 0, lastLoss = 0; ///< where something is trained

    /// Parts with one pair, as first iteration and number of iterations.
    std::vector<std::pair<int, int>> stretches() const;
};

/// Where in its training a stretch of iterations with one pair begins.
struct StretchBegin
{
    int iteration = 0;  ///< its first
    Ticks start = 0;    ///< all time that iterations took before
    std::string reason; ///< why it is this pair; empty for the first
};

/// Who hears of a stretch, as of one run whose times and iterations go on. Made when the stretch
/// begins; may give none.
using StretchSink = std::function<Result<std::unique_ptr<RunSink>>(const GroupingPlan& plan,
                                                                   const StretchBegin& begin)>;

/// How a training adapts.
struct AdaptiveRequest
{
    int iterations = 100;
    int every = 5;              ///< iterations between two choices of k
    int first = 0;              ///< pair to begin with
    bool fixed = false;         ///< stay with it
    std::uint64_t training = 1; ///< see `RunPlan::training`; different in every run of a process
    /// Hears of each iteration as it has ended, in the caller's thread; may be empty.
    std::function<void(const AdaptiveIteration&)> ended;
};

/// Runs a training whose pair of k and micro-batch size follows the network.
///
/// Every `every` iterations it takes what the messages of the last iteration took, link by link,
/// over what the plan's costs say for links that nothing slows down; it simulates every pair on
/// links that stay so, and goes on with the best. Weights, optimizer states and data go on, so that
/// the training is one, whatever the pairs. The link trace of the plans runs over all iterations.
///
/// @param sinks  may be empty
/// @error        as of `Backend::run`, `simulate`; of a sink
Result<AdaptiveRun> runAdaptive(Backend& backend, const std::vector<GroupingPlan>& plans,
                                const AdaptiveRequest& request, const StretchSink& sinks,
                                const Stop& stop);

} // namespace pw::exec

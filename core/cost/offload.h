// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/evaluate.h"
#include "core/sim/simulator.h"

#include <vector>

namespace pw::plan {

/// What copying a stage's activations takes, of one micro-batch. The link to the host has one
/// stream for both directions. @source arXiv:2503.01328 §4.2
struct StageCopy
{
    double whole = 0;   ///< seconds of all of them to the host and back
    double passes = 0;  ///< seconds of its F, B and W
    double share = 0;   ///< part that is copied
    double exposed = 0; ///< seconds of the copies that no pass of its device hides
};

/// Copies of every stage, by the configuration's split and shares; empty where nothing is
/// offloaded.
///
/// In the long run a device hides as many seconds of copies as its passes take: what is more is
/// exposed. That is the papers' condition k = copies ⁄ passes ≤ 1, for the stages of a device
/// together. @source arXiv:2503.01328 §2
std::vector<StageCopy> stageCopies(const LanguageModel& model, const Cluster& cluster,
                                   const Configuration& configuration, const Pieces& pieces,
                                   const PipelineSpec& spec);

/// Drops what an earlier evaluation found, and gives every stage the one share that is for all.
/// @error BadValue  shares for another number of stages, or none of 0 … 1
Result<void> settleShares(Configuration& configuration, int stages);

/// What is copied of every stage, by an order's times: of stages whose micro-batches wait too short
/// for the way there and back nothing, of others all, or as many of their layers as the passes of
/// the device hide, those that wait longest first.
///
/// @param rates  byte/s to the host, by device
std::vector<double> offloadShares(const Configuration& configuration,
                                  const std::vector<StageCopy>& copies, const Schedule& schedule,
                                  const Costs& costs, const SimResult& result,
                                  const std::vector<double>& rates);

/// byte/s to the host, by pipeline rank.
std::vector<double> hostRates(const Cluster& cluster, const Configuration& configuration);

/// Most bytes of activations at once.
struct OffloadedPeak
{
    Bytes device = 0;
    Bytes host = 0; ///< of this device's, in the host's memory
};

/// The peak of a device whose activations leave after their F, as soon as the link is free, and
/// come back as late as their B allows. A micro-batch that would not be back in time stays.
OffloadedPeak offloadedPeak(const Schedule& schedule, const Costs& costs, const SimResult& result,
                            DeviceId device, const std::vector<double>& shares, double rate);

/// The copies of one device over an iteration.
OffloadTimes offloadTimes(const std::vector<StageCopy>& copies, const PipelineSpec& spec,
                          DeviceId device, int microBatches);

} // namespace pw::plan

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/recover.h"

#include <set>
#include <tuple>
#include <vector>

// What the parts of the recovery share, with those who make a pipeline in another way.
namespace pw {

/// A pass as the labels tell it. −1: not told.
struct FoundPass
{
    Ticks start = 0;
    Ticks end = 0;
    DeviceId device{0}; // index of RecoveredPipeline::rankOfDevice
    std::int32_t iteration = -1;
    SpanLabel label;
    Trust trust = Trust::Host;
};

/// Device and times of overlapped pairs, both halves of which have them.
using PairTimes = std::set<std::tuple<DeviceId, Ticks, Ticks>>;

/// What the labels of a trace say.
struct FoundLabels
{
    std::vector<FoundPass> passes; // with device and iteration, by device and start
    StageId lastSender;            // highest that sends an activation on; none: not told
};

FoundLabels findPasses(const Trace& trace, RecoveredPipeline& pipeline);

/// The devices of every replica, by its number: one of them where there is one pipeline.
///
/// What files say of ranks counts. Else ranks that run the same passes beside each other are of as
/// many replicas; of stages that no label says nothing is known so. @param whole  of all ranks
std::vector<std::vector<DeviceId>> replicasOf(const Trace& trace, const FoundLabels& labels,
                                              RecoveredPipeline& whole);

/// The passes of some devices of a pipeline, which becomes one of those devices.
FoundLabels passesOf(const FoundLabels& labels, const std::vector<DeviceId>& devices,
                     RecoveredPipeline& pipeline);

/// Fills in stages that labels leave open, and drops passes that stay without a place.
void findStages(std::vector<FoundPass>& found, RecoveredPipeline& pipeline);

/// Sorts passes into iterations.
PairTimes splitIterations(const std::vector<FoundPass>& found, RecoveredPipeline& pipeline);

/// Finds shape and order of the iteration shown.
void findSchedule(const PairTimes& pairs, StageId lastSender, RecoveredPipeline& pipeline);

/// Finds what follows from the times of the iteration shown: the figures of the ranks and, where
/// there is a schedule, the measured result and the violated dependencies.
void findFigures(RecoveredPipeline& pipeline);

/// Finds the times of the passes again after they have changed; the entries of the schedule say
/// which are pairs. @pre there is a schedule
void findTimes(RecoveredPipeline& pipeline);

/// Names the order. @pre there is a schedule
void findFamily(RecoveredPipeline& pipeline);

} // namespace pw

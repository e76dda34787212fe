// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/chrome_traces.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw::test {

/// How the ranks of a job's pipelines are numbered.
enum class RankLayout
{
    StagesOutside, ///< rank = stage · replicas + replica, as Megatron's
    StagesInside   ///< rank = replica · stages + stage
};

/// A job of pipelines that meet at the end of every step, and what is wrong with it. A forward
/// takes 1 ms and a backward 2 ms, each up to 2 % more or less; a message takes 50 µs. −1: not.
struct MadeJob
{
    int stages = 4;
    int replicas = 3;
    int microBatches = 8;
    int steps = 6;
    bool forwardsFirst = false; ///< GPipe as PyTorch runs it; else 1F1B
    int chunks = 1;             ///< of a stage's ranks; above 1 interleaved 1F1B
    std::uint32_t seed = 1;
    double spread = 0.02; ///< of passes
    int slowReplica = -1; ///< with `slowStage`: a worker that takes `factor` times as long
    int slowStage = -1;
    int heavyStage = -1; ///< in every replica
    int slowStep = -1;
    int linkReplica = -1; ///< with `linkFrom`: messages to and from the next stage take 1 ms
    int linkFrom = -1;
    int longReplica = -1; ///< with `longMicroBatch`: long in every stage
    int longMicroBatch = -1;
    double factor = 1.5;
    bool numberedThrough = false; ///< micro-batches of all replicas have numbers of their own
};

/// A pass of it.
struct MadePass
{
    int replica = 0;
    int stage = 0;
    int step = 0;
    bool forward = true;
    int microBatch = 0;
    double start = 0; ///< µs
    double end = 0;
    int chunk = 0;
};

/// All passes, in the order of replicas, stages and times.
std::vector<MadePass> passesOf(const MadeJob& job);

/// Whole steps in µs: from the first pass to the last end of all replicas.
std::vector<double> stepsOf(const MadeJob& job, const std::vector<MadePass>& passes);

/// One file in Megatron's form, with a process for each worker; the processes of a stage say the
/// same pipeline rank.
std::string megatronText(const MadeJob& job);

/// A file for each rank in PyTorch's form, host alone: the profiler's steps and labels of passes.
std::vector<TraceText> kinetoFiles(const MadeJob& job, RankLayout layout);

/// One file whose processes are called "replica 0" and threads "stage 1 of 4"; passes are "fw" and
/// "bw" with the arguments `batch` and `round`.
std::string foreignText(const MadeJob& job);

} // namespace pw::test

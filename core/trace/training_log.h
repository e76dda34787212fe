// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

// What the log of a training says: the shape of the job, its iterations one by one, timers that are
// sums over an iteration, memory. It tells no single pass, so no pipeline is made of it.

/// What a log says of the job's shape and model, once.
enum class LogFact : std::uint8_t
{
    Ranks,
    Stages,
    Tensor,
    Replicas,
    Context,
    ExpertParallel,
    Chunks,   ///< of a device: Megatron's virtual stages
    Segments, ///< of a sequence: Seq1F1B's slices
    MicroBatches,
    MicroBatchSize,
    GlobalBatchSize,
    Layers,
    Hidden,
    Heads,
    FeedForward,
    Sequence,
    Vocabulary,
    Experts,
    LogInterval, ///< iterations between two lines
    Iterations   ///< that were to run
};

constexpr std::size_t logFactCount = 20;

/// As JSON calls it: "ranks", "stages", "tensor", "replicas" …
std::string_view name(LogFact fact);

/// An iteration, or several between two lines: then every figure is their mean, as the log has it.
struct LoggedStep
{
    std::int32_t number = 0; ///< of the last of them
    Ticks time = 0;          ///< of one iteration
    std::optional<double> loss;
    std::optional<double> teraflops;        ///< a device and a second
    std::optional<double> tokensPerSecond;  ///< of the job
    std::optional<double> samplesPerSecond; ///< of the job
    std::optional<double> memory;           ///< most of any stage, GiB
    std::int64_t batch = -1;                ///< samples of an iteration; −1: not told
    std::int64_t skipped = 0;    ///< of the iterations, by a loss scale that was too high
    std::int64_t notANumber = 0; ///< of the iterations
};

/// Whose times the timers are.
enum class TimerForm : std::uint8_t
{
    None,
    OneRank,  ///< a line of one rank: the last one in Megatron, rank 0 in DeepSpeed
    EachRank, ///< a list of all ranks
    Extremes, ///< the least and the most over all ranks that have the timer
    Most      ///< the most over them
};

/// A timer behind one iteration's line: the sum over an iteration.
struct TimerValue
{
    std::int32_t iteration = 0;
    Ticks least = 0; ///< over the ranks; of one rank, the same as `most`
    Ticks most = 0;
    Ticks last = 0; ///< of the rank with the highest number, where ranks are told
};

struct LoggedTimer
{
    std::string name;
    std::int32_t rank = -1; ///< whose it is, where the log says so; −1: of `OneRank` the last
    std::vector<TimerValue> values; ///< by iteration
};

/// Layers of a stage: [first, end).
struct StageLayers
{
    std::int64_t first = 0;
    std::int64_t end = 0;

    friend bool operator==(const StageLayers&, const StageLayers&) = default;
};

/// The log of a training, of one file or of several (one a node).
struct TrainingLog
{
    bool megatron = false;  ///< its lines are among those read
    bool deepSpeed = false; ///< likewise
    std::array<std::optional<std::int64_t>, logFactCount> facts{};
    std::vector<LoggedStep> steps; ///< as printed; the same iteration once
    TimerForm timerForm = TimerForm::None;
    std::vector<LoggedTimer> timers;
    std::vector<double> stageMemory;                 ///< GiB, the most by stage
    std::map<std::int32_t, double> rankMemory;       ///< GiB, the most by rank
    std::map<std::int64_t, StageLayers> stageLayers; ///< by stage
    /// Parameters by stage and tensor rank.
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> parameters;
    std::int32_t restarts = 0; ///< times that the numbers of iterations went back
    std::string error;         ///< the first error that a program died of; empty: none

    bool any() const { return megatron || deepSpeed; }
    std::optional<std::int64_t> fact(LogFact of) const
    {
        return facts[static_cast<std::size_t>(of)];
    }
    void setFact(LogFact of, std::int64_t value) { facts[static_cast<std::size_t>(of)] = value; }
    const LoggedTimer* timer(std::string_view name) const;
};

/// "Megatron", "DeepSpeed", "Megatron-DeepSpeed".
std::string programOf(const TrainingLog& log);

/// Fills in what follows from what is told: replicas from the ranks, micro-batches from the batch
/// of the last iterations, memory by stage from that of the ranks (the pipeline is the outermost
/// part of a rank's number in both programs).
void deduceFacts(TrainingLog& log);

/// Parameters by stage, over its tensor ranks, which have as many each: one whose line is lost in
/// the others' counts like the rest of its stage. Empty where they are not told of every stage.
std::vector<std::int64_t> parametersOfStages(const TrainingLog& log);

/// The median of the iterations' times, of an even count the upper one; nothing without any.
std::optional<Ticks> medianTime(const TrainingLog& log);

/// The same of a figure of the iterations that tell it.
std::optional<double> medianOf(const TrainingLog& log, std::optional<double> LoggedStep::*figure);

/// The bubble of a plan with passes that are alike: (p−1)/(m·v·k+p−1), for v chunks and k segments.
/// Nothing where stages or micro-batches are not told.
std::optional<double> plannedBubble(const TrainingLog& log);

/// How long the last stage waits for its first activation, and after its last gradient for the
/// first stage.
struct FillAndDrain
{
    Ticks fill = 0;
    Ticks drain = 0;
    std::string fillTimer;
    std::string drainTimer; ///< the one that holds the wait
    double share = 0;       ///< of the median iteration
};

/// Fill and drain by the timers of the last iterations told. The fill is the last rank's first
/// receive, which is the longest of all. The drain is its sum of the embedding's gradients, which
/// the first stage has, too, or by how much it ends its passes (`forward-backward`) before the
/// first stage does: the larger of the two, since newer versions start the sum's timer when all are
/// there. Nothing where the timers do not tell it, or there is one stage.
std::optional<FillAndDrain> fillAndDrain(const TrainingLog& log);

/// The part of a median iteration in which no rank can have been computing: what the longest
/// forward and the longest backward leave of it. Nothing without the most over all ranks.
std::optional<double> idleOnEveryRank(const TrainingLog& log);

/// What a log says, and how it is to be understood, in sentences.
std::vector<std::string> logSentences(const TrainingLog& log);

/// What it does not tell.
std::vector<std::string> logUnknown(const TrainingLog& log);

} // namespace pw

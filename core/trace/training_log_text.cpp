// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/trace/training_log.h"

#include <cmath>
#include <cstdio>

namespace pw {

namespace {

/// With one decimal: times of a log have no more that count, and shares neither.
std::string oneDecimal(double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string shareText(double part)
{
    constexpr double whole = 100;
    return oneDecimal(part * whole) + " %";
}

std::string logTime(Ticks time)
{
    return oneDecimal(msFromTicks(time)) + " ms";
}

/// "26.6, 29 × 21.8, 22.2": what comes three times and more in a row is counted.
std::string numberList(const std::vector<std::string>& values)
{
    constexpr std::size_t many = 3;
    std::string text;
    for (std::size_t i = 0, end = 0; i < values.size(); i = end) {
        while (end < values.size() && values[end] == values[i])
            ++end;
        if (end - i < many)
            end = i + 1;
        text += (text.empty() ? "" : ", ") +
                (end - i >= many ? std::to_string(end - i) + " × " : std::string()) + values[i];
    }
    return text;
}

/// "4 stages × 4 tensor × 1 replica", as far as it is told.
std::string jobShapeText(const TrainingLog& log)
{
    std::string text;
    const auto add = [&](LogFact of, std::string_view one, std::string_view many) {
        if (const auto value = log.fact(of); value && (*value > 1 || of == LogFact::Stages))
            text += (text.empty() ? "" : ", ") + countText(*value, one, many);
    };
    add(LogFact::Stages, "stage", "stages");
    add(LogFact::Chunks, "chunk a device", "chunks a device");
    if (const auto tensor = log.fact(LogFact::Tensor); tensor && *tensor > 1)
        text += (text.empty() ? "" : ", ") + std::string("tensor parallelism of ") +
                std::to_string(*tensor);
    add(LogFact::Replicas, "replica", "replicas");
    add(LogFact::Ranks, "rank", "ranks");
    add(LogFact::MicroBatches, "micro-batch", "micro-batches");
    add(LogFact::Segments, "segment of each", "segments of each");
    add(LogFact::Layers, "layer", "layers");
    if (const auto hidden = log.fact(LogFact::Hidden))
        text += (text.empty() ? "" : ", ") + std::string("hidden size ") + std::to_string(*hidden);
    if (const auto sequence = log.fact(LogFact::Sequence))
        text +=
            (text.empty() ? "" : ", ") + std::string("sequences of ") + std::to_string(*sequence);
    return text;
}

/// "its timers are those of rank 0", as DeepSpeed's are.
std::string oneRankText(const TrainingLog& log)
{
    const std::int32_t rank = log.timers.empty() ? -1 : log.timers.front().rank;
    return rank < 0 ? "its timers are those of the last rank"
                    : "its timers are those of rank " + std::to_string(rank);
}

std::string timerFormText(const TrainingLog& log)
{
    switch (log.timerForm) {
    case TimerForm::None:
        break;
    case TimerForm::OneRank:
        return log.timer("forward-compute") != nullptr
                   ? "its timers are those of the last rank: there forward-recv is the wait for "
                     "the "
                     "first activation (the fill), and the sum of the embedding's gradients the "
                     "wait until the first stage is done (the drain); neither is communication"
                   : oneRankText(log);
    case TimerForm::EachRank:
        return "its timers are those of every rank, sums over an iteration";
    case TimerForm::Extremes:
        return "its timers are the least and the most over the ranks, and say nothing of a single "
               "one; --timing-log-option all has Megatron log each rank";
    case TimerForm::Most:
        return "its timers are the most over the ranks, and say nothing of a single one; "
               "--timing-log-option all has Megatron log each rank";
    }
    return {};
}

std::string plannedText(const TrainingLog& log)
{
    const std::optional<double> planned = plannedBubble(log);
    if (!planned)
        return {};
    std::string units = "m";
    if (log.fact(LogFact::Chunks).value_or(1) > 1)
        units += "·v";
    if (log.fact(LogFact::Segments).value_or(1) > 1)
        units += "·k";
    return ", beside (p−1)/(" + units + "+p−1) = " + shareText(*planned);
}

void addWaitSentences(const TrainingLog& log, std::vector<std::string>& sentences)
{
    if (const auto waits = fillAndDrain(log)) {
        const bool ends = waits->drainTimer == "forward-backward";
        sentences.push_back(
            "fill and drain are " + shareText(waits->share) +
            " of an iteration: " + (log.timerForm == TimerForm::Extremes ? "the longest " : "") +
            waits->fillTimer + ", " + logTime(waits->fill) + ", and " +
            (ends ? "by how much the ranks end their passes apart (forward-backward), "
                  : waits->drainTimer + ", ") +
            logTime(waits->drain) + ", as told last" + plannedText(log));
    }
    // The first stage has all its idle time while it waits for gradients.
    const LoggedTimer* grads = log.timer("pipe_recv_grad");
    if (grads != nullptr && grads->rank == 0 && !grads->values.empty())
        if (const auto iteration = medianTime(log); iteration && *iteration > 0)
            sentences.push_back("pipe_recv_grad of rank 0, the first stage, is its wait for the "
                                "other stages, fill and drain, and not communication: " +
                                logTime(grads->values.back().last) + ", " +
                                shareText(static_cast<double>(grads->values.back().last) /
                                          static_cast<double>(*iteration)) +
                                " of an iteration" + plannedText(log));
    if (const auto idle = idleOnEveryRank(log))
        sentences.push_back("no rank passes more than " + shareText(1 - *idle) +
                            " of an iteration in forward-compute and backward-compute, the longest "
                            "of both together");
}

std::string parametersText(const TrainingLog& log)
{
    constexpr double billion = 1e9;
    std::vector<std::string> texts;
    for (const std::int64_t stage : parametersOfStages(log))
        texts.push_back(plainNumber(static_cast<double>(stage) / billion, 3));
    return numberList(texts);
}

/// What the job gets done in a second.
std::string throughputText(const TrainingLog& log)
{
    std::string text;
    const auto add = [&](std::optional<double> LoggedStep::*figure, const char* unit) {
        if (const auto rate = medianOf(log, figure))
            text += (text.empty() ? "" : ", ") + oneDecimal(*rate) + " " + unit;
    };
    add(&LoggedStep::teraflops, "TFLOP/s a device");
    add(&LoggedStep::tokensPerSecond, "tokens/s");
    add(&LoggedStep::samplesPerSecond, "samples/s");
    return text;
}

/// Iterations that changed nothing.
std::string lostText(const TrainingLog& log)
{
    std::int64_t skipped = 0, notANumber = 0;
    for (const LoggedStep& step : log.steps) {
        skipped += step.skipped;
        notANumber += step.notANumber;
    }
    std::string text;
    if (skipped > 0)
        text = countText(skipped, "iteration was", "iterations were") +
               " skipped, as where a loss scale is too high";
    if (notANumber > 0)
        text += (text.empty() ? "" : "; ") + countText(notANumber, "iteration", "iterations") +
                " gave no number as loss";
    return text;
}

std::string stageMemoryText(const TrainingLog& log)
{
    std::vector<std::string> texts;
    for (const double stage : log.stageMemory)
        texts.push_back(oneDecimal(stage));
    return numberList(texts);
}

} // namespace

std::vector<std::string> logSentences(const TrainingLog& log)
{
    std::vector<std::string> sentences;
    if (const std::string shape = jobShapeText(log); !shape.empty())
        sentences.push_back("the job: " + shape);
    if (const auto median = medianTime(log)) {
        std::string text =
            countText(log.steps.size(), "line of an iteration", "lines of an iteration") +
            ", up to " + std::to_string(log.steps.back().number);
        if (const auto planned = log.fact(LogFact::Iterations))
            text += " of " + std::to_string(*planned);
        sentences.push_back(text + "; an iteration takes " + logTime(*median) + " (median)");
    }
    if (const std::string text = throughputText(log); !text.empty())
        sentences.push_back("throughput, medians: " + text);
    if (const std::string text = lostText(log); !text.empty())
        sentences.push_back(text);
    if (!log.stageMemory.empty())
        sentences.push_back("memory by stage, the most: " + stageMemoryText(log) + " GB");
    if (const std::string text = parametersText(log); !text.empty())
        sentences.push_back("parameters by stage, in 10⁹: " + text);
    if (!log.stageLayers.empty()) {
        std::vector<std::string> layers;
        for (const auto& [stage, range] : log.stageLayers)
            layers.push_back(std::to_string(range.end - range.first));
        sentences.push_back("layers by stage: " + numberList(layers));
    }
    if (const std::string text = timerFormText(log); !text.empty())
        sentences.push_back(text);
    addWaitSentences(log, sentences);
    if (log.restarts > 0)
        sentences.push_back("training began anew " + countText(log.restarts, "time") +
                            "; iterations that were run again count as run last");
    if (!log.error.empty())
        sentences.push_back("the first error: " + log.error);
    return sentences;
}

std::vector<std::string> logUnknown(const TrainingLog& log)
{
    std::vector<std::string> lines;
    if (!log.any())
        return lines;
    if (log.steps.empty())
        lines.emplace_back("iterations: the log has no line of any");
    lines.emplace_back("passes: a log tells sums over an iteration, so no pipeline is made of it");
    return lines;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/training_log.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

std::optional<Ticks> lastMost(const LoggedTimer* timer)
{
    if (timer == nullptr || timer->values.empty())
        return std::nullopt;
    return timer->values.back().most;
}

bool namesPart(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// The timer of a sum of gradients that the last stage begins long before the first one does: that
/// of the embedding, which both hold. One rank's line has no other time that holds the wait, so
/// there the sum of all gradients stands for it.
const LoggedTimer* drainTimer(const TrainingLog& log)
{
    const LoggedTimer* found = nullptr;
    int best = log.timerForm == TimerForm::OneRank ? 0 : 1;
    for (const LoggedTimer& timer : log.timers) {
        const bool all = timer.name == "all-grads-sync" || timer.name == "grads-all-reduce" ||
                         timer.name == "backward-params-all-reduce";
        const bool embedding =
            namesPart(timer.name, "embedding") &&
            (namesPart(timer.name, "all-reduce") || namesPart(timer.name, "allreduce"));
        const int worth = embedding ? 2 : all ? 1 : 0;
        if (worth > best && !timer.values.empty()) {
            best = worth;
            found = &timer;
        }
    }
    return found;
}

/// Of one rank the last one's; over ranks the one that counts: the most, or that of the last rank.
Ticks ofLastStage(const TrainingLog& log, const LoggedTimer& timer)
{
    const TimerValue& value = timer.values.back();
    return log.timerForm == TimerForm::Extremes ? value.most : value.last;
}

/// By how much the last stage ends its passes before the first one: all begin an iteration
/// together.
Ticks endsApart(const TrainingLog& log, const LoggedTimer& passes)
{
    const TimerValue& value = passes.values.back();
    return value.most - (log.timerForm == TimerForm::Extremes ? value.least : value.last);
}

void deduceReplicas(TrainingLog& log)
{
    const auto ranks = log.fact(LogFact::Ranks);
    const auto stages = log.fact(LogFact::Stages);
    if (!ranks || !stages || log.fact(LogFact::Replicas))
        return;
    const std::int64_t model =
        *stages * log.fact(LogFact::Tensor).value_or(1) * log.fact(LogFact::Context).value_or(1);
    if (model > 0 && *ranks % model == 0)
        log.setFact(LogFact::Replicas, *ranks / model);
}

void deduceMicroBatches(TrainingLog& log)
{
    std::int64_t batch = log.steps.empty() ? -1 : log.steps.back().batch;
    if (batch <= 0 && !log.fact(LogFact::MicroBatches))
        batch = log.fact(LogFact::GlobalBatchSize).value_or(-1);
    const std::int64_t size = log.fact(LogFact::MicroBatchSize).value_or(0);
    const std::int64_t replicas = log.fact(LogFact::Replicas).value_or(1);
    if (batch > 0 && size > 0 && replicas > 0 && batch % (size * replicas) == 0)
        log.setFact(LogFact::MicroBatches, batch / (size * replicas));
}

/// The most memory of any rank of a stage.
void deduceStageMemory(TrainingLog& log)
{
    const std::int64_t stages = log.fact(LogFact::Stages).value_or(0);
    const std::int64_t ranks = log.fact(LogFact::Ranks).value_or(0);
    if (!log.stageMemory.empty() || log.rankMemory.empty() || stages < 1 || ranks % stages != 0 ||
        ranks < stages || log.rankMemory.rbegin()->first >= ranks)
        return;
    std::vector<double> most(static_cast<std::size_t>(stages), 0);
    for (const auto& [rank, memory] : log.rankMemory) {
        double& stage = most[static_cast<std::size_t>(rank / (ranks / stages))];
        stage = std::max(stage, memory);
    }
    if (std::all_of(most.begin(), most.end(), [](double one) { return one > 0; }))
        log.stageMemory = std::move(most);
}

} // namespace

std::string_view name(LogFact fact)
{
    constexpr std::array<std::string_view, logFactCount> names = {"ranks",
                                                                  "stages",
                                                                  "tensor",
                                                                  "replicas",
                                                                  "context",
                                                                  "expert_parallel",
                                                                  "chunks",
                                                                  "segments",
                                                                  "micro_batches",
                                                                  "micro_batch_size",
                                                                  "global_batch_size",
                                                                  "layers",
                                                                  "hidden",
                                                                  "heads",
                                                                  "feed_forward",
                                                                  "sequence",
                                                                  "vocabulary",
                                                                  "experts",
                                                                  "log_interval",
                                                                  "planned_iterations"};
    return names[static_cast<std::size_t>(fact)];
}

const LoggedTimer* TrainingLog::timer(std::string_view name) const
{
    const auto found = std::find_if(timers.begin(), timers.end(),
                                    [name](const LoggedTimer& one) { return one.name == name; });
    return found == timers.end() ? nullptr : &*found;
}

std::string programOf(const TrainingLog& log)
{
    return log.megatron && log.deepSpeed ? "Megatron-DeepSpeed"
           : log.megatron                ? "Megatron"
           : log.deepSpeed               ? "DeepSpeed"
                                         : "";
}

void deduceFacts(TrainingLog& log)
{
    if (!log.fact(LogFact::Stages) && !log.stageLayers.empty())
        log.setFact(LogFact::Stages, log.stageLayers.rbegin()->first + 1);
    deduceReplicas(log);
    deduceMicroBatches(log);
    deduceStageMemory(log);
}

std::vector<std::int64_t> parametersOfStages(const TrainingLog& log)
{
    std::map<std::int64_t, std::pair<double, std::int64_t>> sums; // and of how many ranks
    for (const auto& [place, parameters] : log.parameters) {
        sums[place.first].first += static_cast<double>(parameters);
        ++sums[place.first].second;
    }
    if (sums.empty() || sums.rbegin()->first + 1 != static_cast<std::int64_t>(sums.size()))
        return {};
    std::int64_t tensor = log.fact(LogFact::Tensor).value_or(1);
    for (const auto& [stage, sum] : sums)
        tensor = std::max(tensor, sum.second);
    std::vector<std::int64_t> found;
    for (const auto& [stage, sum] : sums)
        found.push_back(static_cast<std::int64_t>(
            std::llround(sum.first / static_cast<double>(sum.second) *
                         static_cast<double>(log.deepSpeed && !log.megatron ? 1 : tensor))));
    return found;
}

std::optional<Ticks> medianTime(const TrainingLog& log)
{
    if (log.steps.empty())
        return std::nullopt;
    std::vector<Ticks> times;
    for (const LoggedStep& step : log.steps)
        times.push_back(step.time);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

std::optional<double> medianOf(const TrainingLog& log, std::optional<double> LoggedStep::*figure)
{
    std::vector<double> values;
    for (const LoggedStep& step : log.steps)
        if (step.*figure)
            values.push_back(*(step.*figure));
    if (values.empty())
        return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::optional<double> plannedBubble(const TrainingLog& log)
{
    const auto stages = log.fact(LogFact::Stages);
    const auto microBatches = log.fact(LogFact::MicroBatches);
    if (!stages || !microBatches || *stages < 1 || *microBatches < 1)
        return std::nullopt;
    const double waits = static_cast<double>(*stages - 1);
    const double units = static_cast<double>(*microBatches) *
                         static_cast<double>(log.fact(LogFact::Chunks).value_or(1)) *
                         static_cast<double>(log.fact(LogFact::Segments).value_or(1));
    return waits / (units + waits);
}

std::optional<FillAndDrain> fillAndDrain(const TrainingLog& log)
{
    const std::optional<Ticks> iteration = medianTime(log);
    const LoggedTimer* fill = log.timer("forward-recv");
    if (!iteration || *iteration <= 0 || log.fact(LogFact::Stages).value_or(0) == 1 ||
        log.timerForm == TimerForm::None || log.timerForm == TimerForm::Most || fill == nullptr ||
        fill->rank >= 0 || fill->values.empty())
        return std::nullopt;
    FillAndDrain found;
    found.fill = ofLastStage(log, *fill);
    found.fillTimer = fill->name;
    if (const LoggedTimer* sum = drainTimer(log)) {
        found.drain = ofLastStage(log, *sum);
        found.drainTimer = sum->name;
    }
    const LoggedTimer* passes = log.timer("forward-backward");
    if (log.timerForm != TimerForm::OneRank && passes != nullptr && !passes->values.empty() &&
        (found.drainTimer.empty() || endsApart(log, *passes) > found.drain)) {
        found.drain = endsApart(log, *passes);
        found.drainTimer = passes->name;
    }
    if (found.drainTimer.empty())
        return std::nullopt;
    found.share = static_cast<double>(found.fill + found.drain) / static_cast<double>(*iteration);
    return found;
}

std::optional<double> idleOnEveryRank(const TrainingLog& log)
{
    const std::optional<Ticks> iteration = medianTime(log);
    const std::optional<Ticks> forward = lastMost(log.timer("forward-compute"));
    const std::optional<Ticks> backward = lastMost(log.timer("backward-compute"));
    if (!iteration || !forward || !backward || log.timerForm < TimerForm::EachRank ||
        *forward + *backward > *iteration || *iteration == 0)
        return std::nullopt;
    return 1 - static_cast<double>(*forward + *backward) / static_cast<double>(*iteration);
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/text/log_facts.h"

#include "core/base/text.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/text/log_line.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr double mebibytesOfGib = 1024;

struct LogArgument
{
    std::string_view name;
    LogFact fact;
    bool deepSpeed = false;
};

constexpr std::array<LogArgument, 27> logArguments = {{
    {"world_size", LogFact::Ranks},
    {"pipeline_model_parallel_size", LogFact::Stages},
    {"pipe_parallel_size", LogFact::Stages, true},
    {"tensor_model_parallel_size", LogFact::Tensor},
    {"model_parallel_size", LogFact::Tensor},
    {"data_parallel_size", LogFact::Replicas},
    {"context_parallel_size", LogFact::Context},
    {"expert_model_parallel_size", LogFact::ExpertParallel},
    {"virtual_pipeline_model_parallel_size", LogFact::Chunks},
    {"pipe_sp_splits", LogFact::Segments},
    {"micro_batch_size", LogFact::MicroBatchSize},
    {"train_micro_batch_size_per_gpu", LogFact::MicroBatchSize, true},
    {"gradient_accumulation_steps", LogFact::MicroBatches, true},
    {"global_batch_size", LogFact::GlobalBatchSize},
    {"train_batch_size", LogFact::GlobalBatchSize, true},
    {"num_layers", LogFact::Layers},
    {"hidden_size", LogFact::Hidden},
    {"num_attention_heads", LogFact::Heads},
    {"ffn_hidden_size", LogFact::FeedForward},
    {"seq_length", LogFact::Sequence},
    {"vocab_size", LogFact::Vocabulary},
    {"padded_vocab_size", LogFact::Vocabulary},
    {"num_experts", LogFact::Experts},
    {"num_moe_experts", LogFact::Experts},
    {"log_interval", LogFact::LogInterval},
    {"steps_per_print", LogFact::LogInterval, true},
    {"train_iters", LogFact::Iterations},
}};

/// Sizes are numbers of a machine: no program has 2^31 of them.
bool plausibleSize(std::int64_t value)
{
    return value > 0 && value < (std::int64_t{1} << 31);
}

void setSize(TrainingLog& log, LogFact fact, std::int64_t value)
{
    if (plausibleSize(value))
        log.setFact(fact, value);
}

bool takeArgument(std::string_view name, std::string_view value, TrainingLog& log)
{
    for (const LogArgument& one : logArguments) {
        if (one.name != name)
            continue;
        if (const auto number = leadingCount(value))
            setSize(log, one.fact, *number);
        (one.deepSpeed ? log.deepSpeed : log.megatron) = true;
        return true;
    }
    return false;
}

/// "using world size: 16, data-parallel-size: 1, tensor-model-parallel size: 4, …"
bool takeSizes(std::string_view line, TrainingLog& log)
{
    const std::size_t begin = line.find("using world size:");
    if (begin == std::string_view::npos)
        return false;
    constexpr std::array<std::pair<std::string_view, LogFact>, 6> words = {
        {{"world size", LogFact::Ranks},
         {"data-parallel", LogFact::Replicas},
         {"context-parallel size:", LogFact::Context},
         {"context-parallel-size:", LogFact::Context},
         {"tensor-model-parallel", LogFact::Tensor},
         {"pipeline-model-parallel", LogFact::Stages}}};
    std::string_view rest = line.substr(begin);
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        const std::size_t colon = part.find(':');
        if (colon == std::string_view::npos || part.find("encoder") != std::string_view::npos)
            continue; // an encoder has a pipeline of its own
        for (const auto& [word, fact] : words)
            if (part.find(word) != std::string_view::npos)
                if (const auto number = leadingCount(part.substr(colon + 1)))
                    setSize(log, fact, *number);
    }
    return log.megatron = true;
}

/// "{ProcessCoord(pipe=0, data=0, model=0): 0, ProcessCoord(pipe=1, …): 1}"
bool takeTopology(std::string_view line, TrainingLog& log)
{
    constexpr std::string_view coordinate = "ProcessCoord(";
    constexpr std::array<std::pair<std::string_view, LogFact>, 3> axes = {
        {{"pipe=", LogFact::Stages}, {"data=", LogFact::Replicas}, {"model=", LogFact::Tensor}}};
    std::array<std::int64_t, axes.size()> most{};
    std::int64_t ranks = 0;
    for (std::size_t at = line.find(coordinate); at != std::string_view::npos;
         at = line.find(coordinate, at + 1), ++ranks) {
        const std::string_view place = line.substr(at, line.find(')', at) - at);
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            most[axis] = std::max(most[axis], countAfter(place, axes[axis].first).value_or(-1) + 1);
    }
    if (ranks == 0)
        return false;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        setSize(log, axes[axis].second, most[axis]);
    setSize(log, LogFact::Ranks, ranks);
    return log.deepSpeed = true;
}

/// "stage=0 layers=12", "RANK=0 STAGE=0 LAYERS=12 [0, 12) STAGE_PARAMS=… TOTAL_PARAMS=…"
bool takeStage(std::string_view line, TrainingLog& log)
{
    const bool upper = line.find("STAGE=") != std::string_view::npos;
    const std::size_t at = line.find(upper ? "STAGE=" : "stage=");
    if (at == std::string_view::npos)
        return false;
    const std::string_view rest = line.substr(at);
    const auto stage = countAfter(rest, upper ? "STAGE=" : "stage=");
    const auto layers = countAfter(rest, upper ? "LAYERS=" : "layers=");
    constexpr std::int64_t mostStages = 65'536;
    if (!stage || !layers || *stage >= mostStages || *layers >= (std::int64_t{1} << 31))
        return false;
    StageLayers found{-1, -1};
    if (const std::size_t open = rest.find('['); open != std::string_view::npos) {
        const auto first = leadingCount(rest.substr(open + 1));
        const std::size_t comma = rest.find(',', open);
        const auto end =
            comma == std::string_view::npos ? std::nullopt : leadingCount(rest.substr(comma + 1));
        if (first && end && *end - *first == *layers)
            found = {*first, *end};
    }
    if (found.first < 0) {
        // The table tells stage after stage: each begins where the one before ends.
        const auto before = log.stageLayers.find(*stage - 1);
        found.first = before == log.stageLayers.end() ? 0 : before->second.end;
        found.end = found.first + *layers;
    }
    log.stageLayers[*stage] = found;
    if (const auto parameters = countAfter(rest, "STAGE_PARAMS="))
        log.parameters[{*stage, 0}] = *parameters;
    return log.deepSpeed = true;
}

/// " > number of parameters on (tensor, pipeline) model parallel rank (0, 1): 1132938240", of
/// several ranks perhaps in one line.
bool takeParameters(std::string_view line, TrainingLog& log)
{
    constexpr std::string_view words = "(tensor, pipeline) model parallel rank (";
    constexpr std::int64_t mostRanks = 65'536;
    std::size_t at = line.find(words);
    if (at == std::string_view::npos || line.find("number of parameters") > at)
        return false;
    for (; at != std::string_view::npos; at = line.find(words, at + words.size())) {
        const std::string_view rest = line.substr(at + words.size());
        const std::size_t comma = rest.find(','), colon = rest.find(':');
        if (comma == std::string_view::npos || colon == std::string_view::npos || colon < comma)
            continue;
        const auto tensor = leadingCount(rest.substr(0, comma));
        const auto stage = leadingCount(rest.substr(comma + 1, colon - comma - 1));
        const auto parameters = leadingCount(rest.substr(colon + 1));
        if (tensor && stage && parameters && *tensor < mostRanks && *stage < mostRanks)
            log.parameters[{*stage, *tensor}] = *parameters;
    }
    return log.megatron = true;
}

/// One rank's part of a line: "allocated: 21633.0 | max allocated: … | max reserved: 29316.0".
void takeRankMemory(std::string_view text, bool mega, std::int32_t rank, TrainingLog& log)
{
    double most = -1;
    int worth = 0;
    eachField(text, true, [&](std::string_view field, std::string_view value) {
        const bool max = field.find("max") != std::string_view::npos;
        const bool reserved = field.find("reserved") != std::string_view::npos;
        const auto number = leadingNumber(value);
        const int says = (max ? 1 : 0) + (max && reserved ? 1 : 0);
        if (number && *number >= 0 && says > worth) {
            most = mega ? *number / mebibytesOfGib : *number;
            worth = says;
        }
    });
    constexpr std::int32_t mostRanks = 65'536;
    if (most >= 0 && rank >= 0 && rank < mostRanks)
        log.rankMemory[rank] = std::max(log.rankMemory[rank], most);
}

/// "[Rank 7] (after 20 iterations) memory (MB) | …", perhaps several in one line.
bool takeMemory(std::string_view line, TrainingLog& log)
{
    constexpr std::string_view words = "iterations) memory (";
    std::size_t at = line.find(words);
    if (at == std::string_view::npos)
        return false;
    while (at != std::string_view::npos) {
        const std::int32_t rank = rankBefore(line, at);
        const std::string_view rest = line.substr(at + words.size());
        const std::size_t bar = rest.find('|');
        if (bar != std::string_view::npos)
            takeRankMemory(rest.substr(bar + 1, rest.find("[Rank", bar) - bar - 1),
                           rest.starts_with("MB"), rank, log);
        at = line.find(words, at + words.size());
    }
    return log.megatron = true;
}

/// "setting number of micro-batches to constant 4", "CONFIG: micro_batches=8 micro_batch_size=4"
bool takeMicroBatches(std::string_view line, TrainingLog& log)
{
    if (const auto constant = countAfter(line, "number of micro-batches to constant")) {
        setSize(log, LogFact::MicroBatches, *constant);
        return log.megatron = true;
    }
    if (line.find("CONFIG: micro_batches=") == std::string_view::npos)
        return false;
    if (const auto count = countAfter(line, "micro_batches="))
        setSize(log, LogFact::MicroBatches, *count);
    if (const auto size = countAfter(line, "micro_batch_size="))
        setSize(log, LogFact::MicroBatchSize, *size);
    return log.deepSpeed = true;
}

/// "AssertionError: no sample to consume: 0", "torch.OutOfMemoryError: CUDA out of memory. …"
bool takeError(std::string_view line, TrainingLog& log)
{
    constexpr std::size_t longest = 200;
    if (!log.error.empty())
        return false;
    const std::size_t colon = line.find("Error: ");
    if (colon == std::string_view::npos)
        return false;
    const std::string_view text = withoutPrefixes(line);
    const std::size_t end = text.find("Error: ");
    constexpr std::string_view name =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    if (end == std::string_view::npos || text.find_first_not_of(name) < end)
        return false;
    log.error = cleanText(text.substr(0, longest));
    return true;
}

} // namespace

bool beginsArguments(std::string_view line)
{
    return line.find("-- arguments --") != std::string_view::npos ||
           line.find("DeepSpeedEngine configuration") != std::string_view::npos;
}

bool endsArguments(std::string_view line)
{
    return line.find("end of arguments --") != std::string_view::npos;
}

bool takeLogFact(std::string_view line, bool dumped, TrainingLog& log)
{
    if (dumped) {
        if (const auto dotted = dottedLine(line); dotted && !dotted->timer)
            return takeArgument(dotted->name, dotted->rest, log);
        // DeepSpeed has no dots behind a long name.
        constexpr std::string_view longName = "train_micro_batch_size_per_gpu";
        if (const auto size = countAfter(line, longName))
            return takeArgument(longName, std::to_string(*size), log);
    }
    return takeSizes(line, log) || takeStage(line, log) || takeParameters(line, log) ||
           takeMemory(line, log) || takeMicroBatches(line, log) || takeTopology(line, log) ||
           takeError(line, log);
}

} // namespace pw

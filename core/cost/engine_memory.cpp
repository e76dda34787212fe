// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/engine_memory.h"

#include "core/base/number.h"

#include <algorithm>
#include <string>

namespace pw {

LogitBytes logitBytes(const EngineMemory& engine)
{
    constexpr double unfused = 13.5;
    switch (engine.loss) {
    case LossKind::Fp32:
        return {fp32LogitBytes, 0};
    case LossKind::Fused:
        return {2, 0};
    case LossKind::Unfused:
        return {fp32LogitBytes, unfused - fp32LogitBytes};
    case LossKind::Chunked:
        return {0, static_cast<double>(fp32LogitBytes) / engine.lossChunks};
    }
    return {fp32LogitBytes, 0};
}

const std::vector<NamedEngine>& memoryEngines()
{
    static const std::vector<NamedEngine> all = {
        {"plain", {}, "what the papers' formulas count"},
        {"megatron-te",
         {LossKind::Fused, 1, true, false},
         "Megatron-LM with Transformer Engine and fused cross entropy"},
        {"megatron-local",
         {LossKind::Unfused, 1, false, true},
         "Megatron-LM with layers of its own; Seq1F1B"},
        {"torchtitan", {LossKind::Unfused, 1, false, false}, "torchtitan, compiled"},
        {"torch-eager", {LossKind::Unfused, 1, false, false}, "PyTorch, not compiled"},
        {"deepspeed", {LossKind::Unfused, 1, false, false}, "Megatron-DeepSpeed"}};
    return all;
}

Result<EngineMemory> findEngineMemory(std::string_view name)
{
    std::string names;
    for (const NamedEngine& engine : memoryEngines()) {
        if (engine.name == name)
            return engine.memory;
        names += (names.empty() ? "" : ", ") + std::string(engine.name);
    }
    return fail(ErrorCode::BadValue, "there is no engine \"%1\"; there are %2", name, names);
}

std::string text(const EngineMemory& engine)
{
    for (const bool withLoss : {true, false}) {
        for (const NamedEngine& known : memoryEngines()) {
            EngineMemory same = known.memory;
            if (!withLoss) {
                same.loss = engine.loss;
                same.lossChunks = engine.lossChunks;
            }
            if (same == engine)
                return std::string(known.name) +
                       (withLoss ? std::string() : ", loss " + lossText(engine));
        }
    }
    return "loss " + lossText(engine);
}

std::string lossText(const EngineMemory& engine)
{
    switch (engine.loss) {
    case LossKind::Fp32:
        return "fp32";
    case LossKind::Fused:
        return "fused";
    case LossKind::Unfused:
        return "unfused";
    case LossKind::Chunked:
        break;
    }
    return "chunked:" + std::to_string(engine.lossChunks);
}

Result<void> setLoss(EngineMemory& engine, std::string_view text)
{
    constexpr std::string_view chunked = "chunked:";
    constexpr int mostChunks = 1 << 20;
    if (text == "fp32") {
        engine.loss = LossKind::Fp32;
    } else if (text == "fused") {
        engine.loss = LossKind::Fused;
    } else if (text == "unfused") {
        engine.loss = LossKind::Unfused;
    } else {
        const auto chunks = text.substr(0, chunked.size()) == chunked
                                ? wholeNumber(text.substr(chunked.size()))
                                : std::nullopt;
        if (!chunks || *chunks < 1 || *chunks > mostChunks) {
            return fail(ErrorCode::BadValue,
                        "a loss is fused, fp32, unfused, or chunked:N with N of 1 to %1, not "
                        "\"%2\"",
                        mostChunks, text);
        }
        engine.loss = LossKind::Chunked;
        engine.lossChunks = static_cast<int>(*chunks);
        return {};
    }
    engine.lossChunks = 1;
    return {};
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/engine_options.h"

#include <string>

namespace pw::app {

namespace {

constexpr const char* engineName = "engine-memory";
constexpr const char* lossName = "loss";

} // namespace

std::vector<Option> engineOptions(const char* section)
{
    std::vector<std::string> names;
    for (const NamedEngine& engine : memoryEngines())
        names.emplace_back(engine.name);
    return {{.name = engineName,
             .kind = ValueKind::Text,
             .placeholder = "ENGINE",
             .summary = "whose memory is counted: plain (default: what the papers count), " +
                        names[1] + " and others; see the manual's page plan",
             .section = section,
             .choices = names},
            {.name = lossName,
             .kind = ValueKind::Text,
             .placeholder = "HOW",
             .summary = "bytes of the logits: fused, fp32, unfused, or chunked:N "
                        "(default: as --engine-memory)",
             .section = section}};
}

tl::expected<EngineMemory, Failure> engineOf(const Arguments& arguments)
{
    Result<EngineMemory> engine =
        findEngineMemory(arguments.text(engineName, std::string(memoryEngines()[0].name)));
    if (!engine)
        return usage("--engine-memory: " + engine.error().message);
    if (arguments.has(lossName)) {
        if (const Result<void> set = setLoss(*engine, arguments.text(lossName)); !set)
            return usage("--loss: " + set.error().message);
    }
    return *std::move(engine);
}

} // namespace pw::app

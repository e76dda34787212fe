// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/wire_claims.h"

#include "core/base/json.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pw::exec {

void cutWireName(std::string& name)
{
    constexpr std::size_t longest = 500; // bytes
    if (name.size() <= longest)
        return;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
        --end;
    name.resize(end);
    name += "…";
}

WireStarted withinLimits(WireStarted started)
{
    RunEnvironment& environment = started.environment;
    for (std::string* name : {&started.title, &environment.host, &environment.backend,
                              &environment.transport, &environment.driver, &environment.build})
        cutWireName(*name);
    const auto ranks = static_cast<std::size_t>(std::max(started.ranks, 0));
    if (environment.devices.size() > ranks)
        environment.devices.resize(ranks);
    for (RunDevice& device : environment.devices)
        cutWireName(device.name);
    return started;
}

NewRun newRunOf(const WireStarted& started)
{
    NewRun run;
    run.title = started.title;
    run.project = started.project;
    run.settings = started.settings.empty() ? "{}" : started.settings;
    run.ranks = started.ranks;
    run.environment = started.environment;
    constexpr std::int64_t longest = 1 << 20;
    if (const Result<JsonDocument> settings = parseJson(run.settings, longest);
        settings && settings->IsObject()) {
        const auto family = settings->FindMember("family");
        if (family != settings->MemberEnd() && family->value.IsString())
            run.family = family->value.GetString();
    }
    cutWireName(run.family);
    return run;
}

bool isOfRanks(const RecordedPass& record, int ranks)
{
    return record.rank < ranks;
}

bool isOfRanks(const RecordedMessage& record, int ranks)
{
    return record.from < ranks && record.to < ranks;
}

bool isOfRanks(const RecordedCopy& record, int ranks)
{
    return record.rank < ranks;
}

bool isOfRanks(const MemorySample& record, int ranks)
{
    return record.rank < ranks;
}

bool isOfRanks(const GpuReading& record, int ranks)
{
    return record.rank < ranks && record.ranks <= ranks;
}

bool canBe(const RunFigures& figures)
{
    return std::min({figures.makespan, figures.makespanLow, figures.makespanHigh,
                     figures.predictedMakespan, figures.predictedLow, figures.predictedHigh}) >= 0;
}

} // namespace pw::exec

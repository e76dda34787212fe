// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stored_run.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <map>

namespace pw::app {

namespace {

/// The iteration to show where nobody says which.
std::optional<std::int32_t> medianIteration(const std::vector<IterationSpan>& spans)
{
    std::map<std::int32_t, std::pair<Ticks, Ticks>> whole;
    for (const IterationSpan& span : spans) {
        const auto [at, made] = whole.try_emplace(span.iteration, span.first, span.last);
        at->second.first = std::min(at->second.first, span.first);
        at->second.second = std::max(at->second.second, span.last);
    }
    std::vector<std::pair<Ticks, std::int32_t>> byTime;
    for (const bool counted : {true, false}) {
        for (const auto& [iteration, time] : whole) {
            if ((iteration >= 0) == counted)
                byTime.emplace_back(time.second - time.first, iteration);
        }
        if (!byTime.empty())
            break;
    }
    if (byTime.empty())
        return std::nullopt;
    std::sort(byTime.begin(), byTime.end());
    return byTime[byTime.size() / 2].second;
}

} // namespace

Option iterationOption()
{
    return {.name = "iteration",
            .kind = ValueKind::Whole,
            .placeholder = "N",
            .summary = "iteration to look at (default: that of the median makespan)",
            .minimum = -1'000'000,
            .maximum = 1'000'000'000};
}

tl::expected<RunStore, Failure> storeToRead(const Arguments& arguments)
{
    Result<RunStore> store = RunStore::openToRead(storePath(arguments));
    if (!store)
        return wrong(store.error());
    return std::move(*store);
}

tl::expected<RunNumber, Failure> runOfWord(RunStore& store, const std::string& word)
{
    if (word == "last") {
        const Result<RunNumber> last = store.lastRun();
        if (!last)
            return wrong(last.error());
        return *last;
    }
    RunNumber number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (problem != std::errc() || end != word.data() + word.size() || number < 1)
        return usage("a run is a number as `pipewright runs` shows it, or last, and not " +
                     quotedWord(word));
    const Result<RunDetails> there = store.run(number);
    if (!there)
        return wrong(there.error());
    return number;
}

tl::expected<StoredIteration, Failure> iterationOf(RunStore& store, RunNumber run,
                                                   const Arguments& arguments)
{
    Result<RunDetails> details = store.run(run);
    if (!details)
        return wrong(details.error());
    const std::string whose = "run " + std::to_string(run);
    const Result<Project> project = readProject(details->project);
    if (!project)
        return wrong(whose + ": " + project.error().message);
    Result<Schedule> schedule = scheduleOf(*project);
    if (!schedule)
        return wrong(whose + ": " + schedule.error().message);
    Costs costs = costsOf(*project);
    Result<SimResult> predicted = simulate(*schedule, costs);
    if (!predicted)
        return wrong(whose + ": " + predicted.error().message);
    const Result<std::vector<IterationSpan>> spans = store.iterations(run);
    if (!spans)
        return wrong(spans.error());
    const std::optional<std::int32_t> median = medianIteration(*spans);
    if (!median)
        return wrong(whose + " has no pass");
    RecordQuery query{run};
    query.iteration = arguments.whole("iteration", *median);
    Result<StoredPasses> passes = store.passes(query);
    if (!passes)
        return wrong(passes.error());
    if (passes->passes.empty())
        return wrong(whose + " has no iteration " + std::to_string(*query.iteration));
    Result<std::vector<MemorySample>> memory = store.memory(query);
    if (!memory)
        return wrong(memory.error());
    Result<SimResult> measured = measuredResult(*schedule, passes->passes, *memory);
    if (!measured)
        return wrong(whose + ": " + measured.error().message);
    // Shares follow from the order alone, and a rank keeps to its order; a part of an iteration has
    // seen only a part of them.
    if (static_cast<std::int64_t>(passes->passes.size()) >= schedule->passCount())
        for (std::size_t rank = 0; rank < measured->devices.size(); ++rank)
            measured->devices[rank].peakShare = predicted->devices[rank].peakShare;
    return StoredIteration{std::move(*details), *query.iteration,      std::move(*schedule),
                           std::move(costs),    std::move(*predicted), std::move(passes->passes),
                           std::move(*memory),  std::move(*measured)};
}

std::string momentText(std::int64_t sinceEpochMs)
{
    const auto seconds = static_cast<std::time_t>(sinceEpochMs / 1000);
    std::tm parts{};
    char text[32] = {};
    if (::gmtime_r(&seconds, &parts) == nullptr ||
        std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) == 0)
        return "?";
    return text;
}

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_iteration.h"

#include "core/analysis/measured_copies.h"
#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/project_file.h"
#include "core/sim/metrics.h"
#include "core/trace/match.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace pw {

std::vector<WholeIteration> wholeIterations(std::span<const IterationSpan> spans)
{
    std::map<std::int32_t, WholeIteration> whole;
    for (const IterationSpan& span : spans) {
        const auto [at, made] = whole.try_emplace(
            span.iteration, WholeIteration{span.iteration, span.first, span.last, 0});
        at->second.first = std::min(at->second.first, span.first);
        at->second.last = std::max(at->second.last, span.last);
        at->second.passes += span.passes;
    }
    std::vector<WholeIteration> iterations;
    for (const auto& [number, iteration] : whole)
        iterations.push_back(iteration);
    return iterations;
}

std::optional<std::int32_t> medianIteration(std::span<const WholeIteration> iterations)
{
    for (const bool counted : {true, false}) {
        std::vector<Ticks> makespans;
        std::vector<std::int32_t> numbers;
        for (const WholeIteration& one : iterations) {
            if ((one.iteration >= 0) != counted)
                continue;
            makespans.push_back(one.makespan());
            numbers.push_back(one.iteration);
        }
        if (!numbers.empty())
            return numbers[medianPlace(makespans)];
    }
    return std::nullopt;
}

namespace {

/// Whether a run's ranks were told to take their order as a hint.
bool wasHint(const RunDetails& details)
{
    constexpr std::int64_t longest = 1 << 20;
    const Result<JsonDocument> settings = parseJson(details.settings, longest);
    return settings && settings->IsObject() && settings->HasMember("hint");
}

/// The order in which the entries of a whole iteration began, with records of its entries. An
/// iteration with an entry that was not recorded is left as it is: nobody knows where that belongs.
void takeOrderThatCame(Schedule& schedule, std::vector<RecordedPass>& passes)
{
    constexpr Ticks notBegun = std::numeric_limits<Ticks>::max();
    std::vector<Ticks> start(static_cast<std::size_t>(schedule.entryCount()), notBegun);
    for (const RecordedPass& record : passes) {
        if (record.entry >= schedule.entryCount())
            return;
        if (record.entry >= 0) {
            Ticks& own = start[record.entry.index()];
            own = std::min(own, record.start);
        }
    }
    if (std::find(start.begin(), start.end(), notBegun) != start.end())
        return;
    std::vector<EntryId> came(start.size()), place(start.size());
    std::iota(came.begin(), came.end(), EntryId(0));
    DeviceOrders orders;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const auto first = came.begin() + schedule.begin(device);
        const auto last = came.begin() + schedule.end(device);
        std::stable_sort(first, last, [&start](EntryId a, EntryId b) {
            return start[a.index()] < start[b.index()];
        });
        auto& order = orders.emplace_back();
        for (auto entry = first; entry != last; ++entry)
            order.push_back(schedule.entry(*entry));
    }
    Result<Schedule> made = Schedule::make(schedule.spec(), orders);
    if (!made)
        return;
    for (std::size_t i = 0; i < came.size(); ++i)
        place[came[i].index()] = EntryId(i);
    for (RecordedPass& record : passes)
        if (record.entry >= 0)
            record.entry = place[record.entry.index()];
    schedule = std::move(*made);
}

} // namespace

Result<StoredIteration> loadIteration(RunStore& store, RunNumber run,
                                      std::optional<std::int32_t> iteration, bool memory)
{
    PW_TRY(RunDetails details, store.run(run));
    const std::string whose = "run " + std::to_string(run);
    const auto withName = [&whose](Error error) {
        error.message = whose + ": " + error.message;
        return fail(std::move(error));
    };
    if (details.project.empty() && details.run.passes == 0)
        return fail(ErrorCode::BadValue,
                    "%1 is a trace whose passes are not known: it has streams and threads alone",
                    whose);
    const Result<Project> project = readProject(details.project);
    if (!project)
        return withName(project.error());
    Result<Schedule> schedule = scheduleOf(*project);
    if (!schedule)
        return withName(schedule.error());
    Costs costs = costsOf(*project);
    PW_TRY(const std::vector<IterationSpan> spans, store.iterations(run));
    std::vector<WholeIteration> iterations = wholeIterations(spans);
    if (!iteration)
        iteration = medianIteration(iterations);
    if (!iteration)
        return fail(ErrorCode::BadValue, "%1 has no pass", whose);
    RecordQuery query{run};
    query.iteration = iteration;
    PW_TRY(StoredPasses passes, store.passes(query));
    if (passes.passes.empty())
        return fail(ErrorCode::BadValue, "%1 has no iteration %2", whose, *query.iteration);
    if (wasHint(details))
        takeOrderThatCame(*schedule, passes.passes);
    Result<SimResult> predicted = simulate(*schedule, costs);
    if (!predicted)
        return withName(predicted.error());
    std::vector<MemorySample> samples;
    if (memory) {
        PW_TRY(std::vector<MemorySample> read, store.memory(query));
        samples = std::move(read);
    }
    Result<SimResult> measured = measuredResult(*schedule, passes.passes, samples);
    if (!measured)
        return withName(measured.error());
    // Shares follow from the order alone, and a rank keeps to its order; a part of an iteration has
    // seen only a part of them.
    if (static_cast<std::int64_t>(passes.passes.size()) >= schedule->passCount())
        for (std::size_t device = 0; device < measured->devices.size(); ++device)
            measured->devices[device].peakShare = predicted->devices[device].peakShare;
    Ticks base = std::numeric_limits<Ticks>::max();
    for (const RecordedPass& record : passes.passes)
        base = record.entry >= 0 ? std::min(base, record.start) : base;
    if (!costs.offload.cells.empty()) {
        PW_TRY(const std::vector<RecordedCopy> copies, store.copies(query));
        measured->copies = measuredCopies(*schedule, costs, copies, base);
    }
    return StoredIteration{std::move(details),
                           std::move(iterations),
                           *iteration,
                           base,
                           std::move(*schedule),
                           std::move(costs),
                           std::move(*predicted),
                           std::move(passes.passes),
                           std::move(passes.trust),
                           std::move(samples),
                           std::move(*measured)};
}

} // namespace pw

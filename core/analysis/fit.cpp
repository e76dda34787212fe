// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/fit.h"

#include "core/analysis/pass_edges.h"
#include "core/base/try.h"
#include "core/sim/dependencies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <tuple>

namespace pw {

namespace {

/// Times from the end of a pass to the start of one that waited for it, and for nothing later, on
/// another device.
std::vector<Ticks> waitedMessages(const RecoveredPipeline& pipeline)
{
    const Schedule& schedule = *pipeline.schedule;
    const SimResult& measured = pipeline.measured;
    const Dependencies rules(schedule);
    std::vector<Dependency> needs;
    std::vector<Ticks> times;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        Ticks free = 0; // when the device's pass before has ended
        for (const EntryId i : schedule.entries(device)) {
            const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
            const Ticks start = measured.start[static_cast<std::size_t>(i)];
            needs.clear();
            for (const PassId id : {entry.first, entry.second})
                if (id.valid() && schedule.kind(id) != PassKind::U)
                    rules.append(id, needs);
            Ticks ready = free, sent = -1;
            for (const Dependency& need : needs) {
                const auto producer = static_cast<std::size_t>(schedule.entryOf(need.producer));
                ready = std::max(ready, measured.end[producer]);
                sent = need.message ? std::max(sent, measured.end[producer]) : sent;
            }
            if (sent == ready && sent > free && start >= sent)
                times.push_back(start - sent);
            free = measured.end[static_cast<std::size_t>(i)];
        }
    }
    return times;
}

/// The passes of one segment of one stage by kind; a pair behind the last kind.
using CellTimes = std::array<std::optional<Spread>, passKindCount + 1>;
constexpr std::size_t pairPlace = passKindCount;

std::optional<Spread>& of(CellTimes& cell, PassKind kind)
{
    return cell[static_cast<std::size_t>(kind)];
}

/// A spread with another mean and the rest in proportion, of a count of 0.
Spread scaled(const Spread& spread, double factor)
{
    const auto times = [factor](Ticks time) {
        return static_cast<Ticks>(std::llround(static_cast<double>(time) * factor));
    };
    return {0, times(spread.low), times(spread.median), times(spread.high), times(spread.mean)};
}

Spread sum(const Spread& a, const Spread& b)
{
    return {0, a.low + b.low, a.median + b.median, a.high + b.high, a.mean + b.mean};
}

/// The part of B in B and W, over all cells that have both; a half where none has.
double backwardPart(std::vector<CellTimes>& cells)
{
    double backward = 0, both = 0;
    for (CellTimes& cell : cells) {
        const auto &b = of(cell, PassKind::B), &w = of(cell, PassKind::W);
        if (!b || !w)
            continue;
        backward += static_cast<double>(b->mean);
        both += static_cast<double>(b->mean + w->mean);
    }
    return both > 0 ? backward / both : 0.5;
}

void complete(CellTimes& cell, const CellTimes& known, double part)
{
    const auto lacks = [&](PassKind kind) {
        return known[static_cast<std::size_t>(kind)] && !of(cell, kind);
    };
    auto &backward = of(cell, PassKind::B), &weight = of(cell, PassKind::W),
         &fused = of(cell, PassKind::BW);
    if (fused && !backward && lacks(PassKind::B))
        backward = scaled(*fused, part);
    if (fused && !weight && lacks(PassKind::W))
        weight = scaled(*fused, 1 - part);
    if (backward && weight && lacks(PassKind::BW))
        fused = sum(*backward, *weight);
    const auto& forward = of(cell, PassKind::F);
    if (forward && lacks(PassKind::R))
        of(cell, PassKind::R) = scaled(*forward, 1);
    if (forward && known[pairPlace] && !cell[pairPlace]) {
        if (fused)
            cell[pairPlace] = sum(*forward, *fused);
        else if (backward && weight)
            cell[pairPlace] = sum(*forward, sum(*backward, *weight));
    }
}

/// Times of every kind that has any, on all stages.
std::vector<MeasuredPass> completed(const std::vector<MeasuredPass>& passes,
                                    const PipelineSpec& spec)
{
    std::vector<CellTimes> cells(static_cast<std::size_t>(spec.stages()) *
                                 spec.segmentLengths.size());
    CellTimes known;
    std::vector<MeasuredPass> all;
    for (const MeasuredPass& pass : passes) {
        if (pass.stage >= spec.stages() || pass.segment >= spec.segments())
            continue;
        all.push_back(pass);
        const std::size_t place = pass.paired ? pairPlace : static_cast<std::size_t>(pass.kind);
        cells[cellIndex(spec, pass.stage, pass.segment)][place] = pass.time;
        known[place] = pass.time;
    }
    const double part = backwardPart(cells);
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        for (int segment = 0; segment < spec.segments(); ++segment) {
            CellTimes& cell = cells[cellIndex(spec, stage, segment)];
            const CellTimes before = cell;
            complete(cell, known, part);
            for (std::size_t place = 0; place < cell.size(); ++place)
                if (cell[place] && !before[place])
                    all.push_back({place == pairPlace ? PassKind::F : static_cast<PassKind>(place),
                                   place == pairPlace, stage, segment, *cell[place]});
        }
    }
    std::sort(all.begin(), all.end(), [](const MeasuredPass& a, const MeasuredPass& b) {
        return std::tuple(a.kind, a.paired, a.stage, a.segment) <
               std::tuple(b.kind, b.paired, b.stage, b.segment);
    });
    return all;
}

/// Takes gaps and the ends of devices into account, where the order itself is predicted better so.
Result<void> takeEdges(const RecoveredPipeline& pipeline, FittedCosts& fitted)
{
    if (pipeline.schedule->spec().routeCount() != 1)
        return {};
    CostsFile file = fitted.file;
    file.edges = passEdges(pipeline, file.link.latency);
    PW_TRY(const Costs costs, costsOf(file, *pipeline.schedule));
    PW_TRY(const SimResult result, simulate(*pipeline.schedule, costs));
    const auto off = [&](Ticks predicted) { return std::abs(predicted - fitted.measured); };
    if (off(result.makespan) < off(fitted.predicted)) {
        fitted.file = std::move(file);
        fitted.predicted = result.makespan;
    }
    return {};
}

} // namespace

Result<FittedCosts> fitCosts(const RecoveredPipeline& pipeline, const FitSource& source)
{
    if (!pipeline.schedule)
        return fail(ErrorCode::BadValue,
                    "no costs can be fitted: the order of the passes could not be recovered; %1",
                    whyNoOrder(pipeline));
    const PipelineSpec& spec = pipeline.schedule->spec();
    FittedCosts fitted;
    CostsFile& file = fitted.file;
    file.title = "fitted to " + source.name;
    file.backend = "trace";
    file.hardware = source.hardware;
    file.devices = spec.devices;
    file.stages = spec.stages();
    file.segmentLengths = spec.segmentLengths;
    file.passes = completed(pipeline.times, spec);
    const Spread messages = spreadOf(waitedMessages(pipeline));
    if (messages.count > 0)
        file.messages.push_back({0, messages});
    file.link.latency = messages.mean;
    PW_TRY(const Costs plain, costsOf(file, spec));
    PW_TRY(const SimResult result, simulate(*pipeline.schedule, plain));
    fitted.measured = pipeline.measured.makespan;
    fitted.predicted = result.makespan;
    PW_DO(takeEdges(pipeline, fitted));
    return fitted;
}

std::string fileNameOf(const Trace& trace)
{
    const std::string file = trace.files.empty() ? std::string() : trace.files.front();
    return std::filesystem::path(file).filename().string();
}

Result<FittedCosts> fitTrace(const Trace& trace, const RecoveredPipeline& pipeline)
{
    return fitCosts(pipeline, {fileNameOf(trace), trace.origin});
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/pass_edges.h"

#include "core/sim/dependencies.h"

#include <algorithm>

namespace pw {

namespace {

/// Whether a pass ends the backward of a micro-batch on its stage.
bool endsBackward(PassKind kind)
{
    return kind == PassKind::BW || kind == PassKind::W;
}

/// The gaps of a device in the iteration shown.
std::vector<Ticks> gapsOf(const RecoveredPipeline& pipeline, DeviceId device, Ticks message)
{
    const Schedule& schedule = *pipeline.schedule;
    const SimResult& measured = pipeline.measured;
    const Dependencies rules(schedule);
    std::vector<Dependency> needs;
    std::vector<Ticks> gaps;
    for (std::int32_t i = schedule.begin(device) + 1; i < schedule.end(device); ++i) {
        const Ticks free = measured.end[static_cast<std::size_t>(i - 1)];
        const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
        needs.clear();
        for (const PassId id : {entry.first, entry.second})
            if (id.valid())
                rules.append(id, needs);
        const bool there = std::all_of(needs.begin(), needs.end(), [&](const Dependency& need) {
            const auto producer = static_cast<std::size_t>(schedule.entryOf(need.producer));
            return measured.end[producer] + (need.message ? message : 0) <= free;
        });
        const Ticks gap = measured.start[static_cast<std::size_t>(i)] - free;
        if (there && gap >= 0)
            gaps.push_back(gap);
    }
    return gaps;
}

/// Gaps by device; of one that tells none, what the others together tell.
std::vector<Ticks> gapsByDevice(const RecoveredPipeline& pipeline, Ticks message)
{
    std::vector<Ticks> gaps, all;
    std::vector<bool> told;
    for (const DeviceId device : Ids<DeviceId>(pipeline.schedule->devices())) {
        const std::vector<Ticks> own = gapsOf(pipeline, device, message);
        all.insert(all.end(), own.begin(), own.end());
        told.push_back(!own.empty());
        gaps.push_back(spreadOf(own).mean);
    }
    const Ticks usual = spreadOf(all).mean;
    for (std::size_t i = 0; i < gaps.size(); ++i)
        gaps[i] = told[i] ? gaps[i] : usual;
    return gaps;
}

/// Times of one iteration on one device: how much longer its first F, and its last backward, took
/// than the median of the others on their stage.
void appendExtras(const std::vector<const RecordedPass*>& passes, std::vector<Ticks>& first,
                  std::vector<Ticks>& last)
{
    const auto extra = [&](const RecordedPass& one) {
        std::vector<Ticks> others;
        for (const RecordedPass* other : passes)
            if (other != &one && other->pass.kind == one.pass.kind &&
                other->pass.stage == one.pass.stage)
                others.push_back(other->end - other->start);
        constexpr std::size_t enough = 3;
        return others.size() < enough ? 0 : one.end - one.start - spreadOf(others).median;
    };
    if (passes.empty())
        return;
    first.push_back(passes.front()->pass.kind == PassKind::F ? extra(*passes.front()) : 0);
    last.push_back(endsBackward(passes.back()->pass.kind) ? extra(*passes.back()) : 0);
}

/// What comes back in three quarters of the iterations.
Ticks steady(const std::vector<Ticks>& extras)
{
    constexpr std::size_t enough = 3;
    const Spread spread = spreadOf(extras);
    return extras.size() < enough || spread.low <= 0 ? 0 : spread.median;
}

} // namespace

PassEdges passEdges(const RecoveredPipeline& pipeline, Ticks message)
{
    PassEdges edges;
    const auto devices = static_cast<std::size_t>(pipeline.schedule->devices());
    edges.gap = gapsByDevice(pipeline, message);
    std::vector<std::vector<Ticks>> first(devices), last(devices);
    for (const RecoveredIteration& one : pipeline.iterations) {
        if (one.warmUp || !one.complete)
            continue;
        std::vector<std::vector<const RecordedPass*>> passes(devices);
        for (const RecordedPass& record : one.passes)
            if (record.pass.kind != PassKind::U)
                passes[deviceOf(record.rank).index()].push_back(&record);
        for (std::size_t i = 0; i < devices; ++i) {
            std::sort(
                passes[i].begin(), passes[i].end(),
                [](const RecordedPass* a, const RecordedPass* b) { return a->start < b->start; });
            appendExtras(passes[i], first[i], last[i]);
        }
    }
    for (std::size_t i = 0; i < devices; ++i) {
        edges.firstForward.push_back(steady(first[i]));
        edges.lastBackward.push_back(steady(last[i]));
    }
    return edges;
}

} // namespace pw

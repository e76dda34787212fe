// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_figures.h"

#include "core/base/medians.h"
#include "core/job/tensor_ranks.h"
#include "core/model/pass.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace pw {

namespace {

double partOf(Ticks part, Ticks whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 1;
}

/// Mean and largest work of a device.
std::pair<double, Ticks> workOf(const JobReplay& replay, const JobReplay::Cell& cell)
{
    const Schedule& schedule = replay.schedule(cell.replica);
    const std::span<const Ticks> times = replay.durations(cell);
    Ticks all = 0, most = 0;
    for (const DeviceId device : Ids<DeviceId>(static_cast<std::size_t>(schedule.devices()))) {
        Ticks work = 0;
        for (const EntryId entry : schedule.entries(device))
            work += times[entry.index()];
        all += work;
        most = std::max(most, work);
    }
    return {static_cast<double>(all) / schedule.devices(), most};
}

JobWhatIf whatIf(const JobReplay& replay, Repair what, double step)
{
    JobWhatIf one;
    one.what = what;
    one.stepTicks = step;
    one.gain = replay.mean() > 0 ? 1 - step / replay.mean() : 0;
    return one;
}

JobWhatIf allMean(const JobReplay& replay)
{
    JobReplay::Variant variant;
    variant.usualLinks = variant.usualAround = true;
    variant.change = [&replay](const JobReplay::Cell& cell, std::vector<Ticks>& times) {
        for (const EntryId entry : replay.schedule(cell.replica).entries())
            times[entry.index()] = replay.kindMean(cell.replica, entry);
    };
    return whatIf(replay, Repair::AllMean, replay.mean(variant));
}

JobWhatIf freeLinks(const JobReplay& replay)
{
    JobReplay::Variant variant;
    variant.freeLinks = true;
    return whatIf(replay, Repair::FreeLinks, replay.mean(variant));
}

JobWhatIf noLaunchGaps(const JobReplay& replay)
{
    double measured = 0;
    for (const std::size_t step : replay.steps())
        measured += static_cast<double>(replay.job().steps[step].time);
    measured /= static_cast<double>(replay.steps().size());
    JobWhatIf one;
    one.what = Repair::NoLaunchGaps;
    one.stepTicks = std::min(replay.mean(), measured);
    one.gain = measured > 0 ? 1 - one.stepTicks / measured : 0;
    return one;
}

/// A step that takes the mean of the others.
JobWhatIf stepRepaired(const JobReplay& replay, std::size_t step)
{
    const auto count = static_cast<double>(replay.steps().size());
    const double sum = replay.mean() * count;
    const double others = (sum - static_cast<double>(replay.step(step))) / (count - 1);
    JobWhatIf one = whatIf(replay, Repair::StepRepaired,
                           (sum - static_cast<double>(replay.step(step)) + others) / count);
    one.step = static_cast<std::int32_t>(replay.steps()[step]);
    return one;
}

void keepMost(std::vector<JobWhatIf>& list, std::size_t most)
{
    list.erase(std::remove_if(list.begin(), list.end(),
                              [](const JobWhatIf& one) { return one.gain <= 0; }),
               list.end());
    std::stable_sort(list.begin(), list.end(),
                     [](const JobWhatIf& a, const JobWhatIf& b) { return a.gain > b.gain; });
    list.resize(std::min(list.size(), most));
}

} // namespace

JobEfficiency efficiencyOf(const JobReplay& replay)
{
    std::vector<double> replicas, stages, order, links;
    for (std::size_t step = 0; step < replay.steps().size(); ++step) {
        const JobStep& measured = replay.job().steps[replay.steps()[step]];
        const Ticks all = std::accumulate(measured.span.begin(), measured.span.end(), Ticks{0});
        replicas.push_back(partOf(all, measured.time) / static_cast<double>(measured.span.size()));
        for (std::size_t r = 0; r < replay.replicas(); ++r) {
            const auto [mean, most] = workOf(replay, {step, r});
            const Ticks again = replay.span({step, r}, true);
            stages.push_back(most > 0 ? mean / static_cast<double>(most) : 1);
            order.push_back(partOf(most, again));
            links.push_back(partOf(again, measured.span[r]));
        }
    }
    return {medianOf(replicas), medianOf(stages), medianOf(order), medianOf(links)};
}

std::vector<WorkerTimes> workerTimes(const JobReplay& replay, const Trace& trace)
{
    const TensorRanks tensors(trace);
    std::vector<WorkerTimes> all;
    for (const Worker& worker : replay.job().workers()) {
        const auto r = static_cast<std::size_t>(worker.replica);
        const Schedule& schedule = replay.schedule(r);
        std::vector<Ticks> forwards;
        std::map<int, std::vector<Ticks>> backwards; // B, W and BW by themselves
        for (std::size_t step = 0; step < replay.steps().size(); ++step)
            for (const EntryId entry : schedule.entries(worker.device)) {
                const OrderEntry one = schedule.entry(entry);
                const Ticks time = replay.durations({step, r})[entry.index()];
                if (one.paired)
                    continue;
                if (one.pass.kind == PassKind::F)
                    forwards.push_back(time);
                else if (isBackward(one.pass.kind) || one.pass.kind == PassKind::W)
                    backwards[static_cast<int>(one.pass.kind)].push_back(time);
            }
        WorkerTimes times;
        times.worker = worker;
        const TensorRanks::Named named =
            tensors.of(replay.job().replicas[r]->rankOfDevice[worker.device.index()]);
        times.rank = named.rank;
        times.alike = named.alike;
        times.forward = static_cast<Ticks>(medianOf(forwards));
        for (auto& [kind, list] : backwards)
            times.backward += static_cast<Ticks>(medianOf(list));
        all.push_back(times);
    }
    const auto devices = static_cast<std::size_t>(replay.job().devices());
    for (std::size_t device = 0; device < devices; ++device) {
        std::vector<Ticks> forwards, backwards;
        for (std::size_t i = device; i < all.size(); i += devices) {
            forwards.push_back(all[i].forward);
            backwards.push_back(all[i].backward);
        }
        const double forward = medianOf(forwards), backward = medianOf(backwards);
        for (std::size_t i = device; i < all.size(); i += devices) {
            if (forward > 0)
                all[i].forwardRatio = static_cast<double>(all[i].forward) / forward;
            if (backward > 0)
                all[i].backwardRatio = static_cast<double>(all[i].backward) / backward;
        }
    }
    return all;
}

std::string_view name(Repair repair)
{
    constexpr std::array<std::string_view, repairCount> names = {
        "all_mean",   "worker_repaired", "stage_repaired", "step_repaired",
        "free_links", "no_launch_gaps",  "family"};
    return names[static_cast<std::size_t>(repair)];
}

JobReplay::Variant workerRepair(const JobReplay& replay, const Worker& worker)
{
    const auto mine = static_cast<std::size_t>(worker.replica);
    JobReplay::Variant variant;
    variant.onlyReplica = worker.replica;
    variant.change = [&replay, device = worker.device, mine](const JobReplay::Cell& cell,
                                                             std::vector<Ticks>& times) {
        const Schedule& schedule = replay.schedule(mine);
        for (const EntryId entry : schedule.entries(device)) {
            Ticks sum = 0;
            std::int64_t count = 0;
            for (std::size_t r = 0; r < replay.replicas(); ++r) {
                // Replicas have one shape, but perhaps not one order, nor the same split backward.
                const Schedule& other = replay.schedule(r);
                const PassId pass = schedule.places()[entry.index()].first;
                if (r == mine || !other.has(pass) || other.kind(pass) != schedule.kind(pass))
                    continue;
                sum += replay.durations({cell.step, r})[other.entryOf(pass).index()];
                ++count;
            }
            const Ticks mean = replay.kindMean(mine, entry);
            times[entry.index()] = count > 0 ? std::min(sum / count, mean) : mean;
        }
    };
    return variant;
}

JobReplay::Variant stageRepair(const JobReplay& replay, DeviceId device)
{
    JobReplay::Variant variant;
    variant.change = [&replay, device](const JobReplay::Cell& cell, std::vector<Ticks>& times) {
        for (const EntryId entry : replay.schedule(cell.replica).entries(device))
            times[entry.index()] = replay.kindMean(cell.replica, entry);
    };
    return variant;
}

JobWhatIf workerRepaired(const JobReplay& replay, const Worker& worker)
{
    JobWhatIf one =
        whatIf(replay, Repair::WorkerRepaired, replay.mean(workerRepair(replay, worker)));
    one.replica = worker.replica;
    one.device = worker.device;
    return one;
}

JobWhatIf stageRepaired(const JobReplay& replay, DeviceId device)
{
    JobWhatIf one = whatIf(replay, Repair::StageRepaired, replay.mean(stageRepair(replay, device)));
    one.device = device;
    return one;
}

std::vector<JobWhatIf> jobWhatIfs(const JobReplay& replay, std::size_t most)
{
    std::vector<JobWhatIf> all = {allMean(replay), freeLinks(replay), noLaunchGaps(replay)};
    std::vector<JobWhatIf> workers, stages, steps;
    if (replay.replicas() > 1)
        for (const Worker& worker : replay.job().workers())
            workers.push_back(workerRepaired(replay, worker));
    for (const DeviceId device : Ids<DeviceId>(static_cast<std::size_t>(replay.job().devices())))
        stages.push_back(stageRepaired(replay, device));
    for (std::size_t step = 0; replay.steps().size() > 1 && step < replay.steps().size(); ++step)
        steps.push_back(stepRepaired(replay, step));
    for (std::vector<JobWhatIf>* list : {&workers, &stages, &steps}) {
        keepMost(*list, most);
        all.insert(all.end(), list->begin(), list->end());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const JobWhatIf& a, const JobWhatIf& b) { return a.gain > b.gain; });
    return all;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_views.h"

#include "core/base/medians.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pw {

namespace {

const RecoveredIteration* iterationOf(const Job& job, std::size_t step, std::size_t replica)
{
    const std::int32_t at = job.steps[step].iteration[replica];
    return at < 0 ? nullptr : &job.replicas[replica]->iterations[static_cast<std::size_t>(at)];
}

/// Time of the passes of each device that `counts` says; an overlapped pair counts once.
template<typename Counts>
std::vector<double> workByDevice(const RecoveredIteration& iteration, std::size_t devices,
                                 const Counts& counts)
{
    std::vector<double> work(devices, 0);
    const RecordedPass* before = nullptr;
    for (const RecordedPass& pass : iteration.passes) {
        if (!counts(pass.pass.kind))
            continue;
        const bool again = before != nullptr && before->rank == pass.rank && pass.entry.valid() &&
                           before->entry == pass.entry;
        before = &pass;
        if (!again)
            work[deviceOf(pass.rank).index()] += static_cast<double>(pass.end - pass.start);
    }
    return work;
}

bool anyKind(PassKind)
{
    return true;
}

double deviation(double value, double usual)
{
    return usual > 0 ? std::abs(value - usual) / usual : 0;
}

/// What a replica is compared by, and its number.
struct Features
{
    std::int32_t replica;
    std::vector<double> values; ///< work of each device, then the span
    double off = 0;
};

std::vector<Features> featuresOf(const Job& job, std::size_t step)
{
    const auto devices = static_cast<std::size_t>(job.devices());
    std::vector<Features> all;
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const RecoveredIteration* iteration = iterationOf(job, step, r);
        if (iteration == nullptr)
            continue;
        Features one{static_cast<std::int32_t>(r), workByDevice(*iteration, devices, anyKind)};
        one.values.push_back(static_cast<double>(job.steps[step].span[r]));
        all.push_back(std::move(one));
    }
    for (std::size_t i = 0; i <= devices && !all.empty(); ++i) {
        std::vector<double> column;
        for (const Features& one : all)
            column.push_back(one.values[i]);
        const double usual = medianOf(std::move(column));
        for (Features& one : all)
            one.off = std::max(one.off, deviation(one.values[i], usual));
    }
    return all;
}

/// Of every worker in one step.
std::vector<std::optional<double>> valuesOf(const Job& job, WorkerMeasure measure, std::size_t step)
{
    const auto devices = static_cast<std::size_t>(job.devices());
    const std::optional<StepWindow> window = windowOf(job, step);
    std::vector<std::optional<double>> all(job.replicas.size() * devices);
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const RecoveredIteration* iteration = iterationOf(job, step, r);
        if (iteration == nullptr)
            continue;
        const std::vector<double> work =
            workByDevice(*iteration, devices, [measure](PassKind kind) {
                return measure == WorkerMeasure::Forward ? kind == PassKind::F
                       : measure == WorkerMeasure::Backward
                           ? isBackward(kind) || kind == PassKind::W
                           : true;
            });
        const auto length = static_cast<double>(std::max<Ticks>(1, window->last - window->first));
        for (std::size_t d = 0; d < devices; ++d)
            all[r * devices + d] =
                measure == WorkerMeasure::Idle ? std::max(0.0, 1 - work[d] / length) : work[d];
    }
    return all;
}

/// Each value as a multiple of the median of its stage; of one replica, of all its stages.
void divideByMedians(std::vector<std::optional<double>>& values, std::size_t devices)
{
    const bool alone = values.size() == devices;
    for (std::size_t d = 0; d < devices; ++d) {
        std::vector<double> like;
        for (std::size_t i = alone ? 0 : d; i < values.size(); i += alone ? 1 : devices)
            if (values[i])
                like.push_back(*values[i]);
        if (alone && d > 0)
            return;
        const double usual = medianOf(std::move(like));
        for (std::size_t i = alone ? 0 : d; i < values.size(); i += alone ? 1 : devices)
            if (values[i])
                values[i] = usual > 0 ? *values[i] / usual : 1;
    }
}

std::vector<std::optional<double>> peaks(const Job& job)
{
    std::vector<std::optional<double>> all;
    for (const RecoveredPipeline* replica : job.replicas)
        for (std::size_t d = 0; d < replica->rankOfDevice.size(); ++d) {
            std::optional<double> peak;
            if (d < replica->peakBytes.size())
                peak = static_cast<double>(replica->peakBytes[d]);
            all.push_back(peak);
        }
    return all;
}

/// Of one pass in every replica, in one step.
std::vector<std::optional<double>> passTimesOf(const Job& job, const Pass& pass, std::size_t step)
{
    const auto devices = static_cast<std::size_t>(job.devices());
    std::vector<std::optional<double>> all(job.replicas.size() * devices);
    for (std::size_t r = 0; r < job.replicas.size(); ++r)
        if (const RecoveredIteration* iteration = iterationOf(job, step, r))
            for (const RecordedPass& one : iteration->passes)
                if (one.pass == pass)
                    all[r * devices + deviceOf(one.rank).index()] =
                        static_cast<double>(one.end - one.start);
    return all;
}

/// The median of each worker over steps. @param valuesOfStep  as of `workerValues`
template<typename ValuesOfStep>
std::vector<std::optional<double>> medians(const Job& job, const ValuesOfStep& valuesOfStep)
{
    std::vector<std::vector<double>> all(job.replicas.size() *
                                         static_cast<std::size_t>(job.devices()));
    for (const std::size_t step : job.counted()) {
        const std::vector<std::optional<double>> of = valuesOfStep(step);
        for (std::size_t i = 0; i < of.size(); ++i)
            if (of[i])
                all[i].push_back(*of[i]);
    }
    std::vector<std::optional<double>> values(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].empty())
            values[i] = medianOf(std::move(all[i]));
    return values;
}

std::vector<std::optional<double>> medians(const Job& job, WorkerMeasure measure)
{
    return medians(job, [&job, measure](std::size_t step) { return valuesOf(job, measure, step); });
}

} // namespace

AlikeReplicas alikeReplicas(const Job& job, std::size_t step)
{
    constexpr double least = 0.02;
    constexpr double medianDeviations = 3;
    std::vector<Features> all = featuresOf(job, step);
    std::vector<double> deviations;
    for (const Features& one : all)
        deviations.push_back(one.off);
    const double most = std::max(least, medianDeviations * medianOf(std::move(deviations)));
    std::stable_sort(all.begin(), all.end(),
                     [](const Features& a, const Features& b) { return a.off > b.off; });
    const auto firstAlike = std::partition_point(
        all.begin(), all.end(), [most](const Features& one) { return one.off > most; });
    AlikeReplicas found;
    constexpr std::ptrdiff_t enough = 2; // those of two replicas would always be alike
    const bool any = all.end() - firstAlike >= enough && all.size() > enough;
    for (auto one = all.begin(); one != all.end(); ++one)
        (any && one >= firstAlike ? found.alike : found.different).push_back(one->replica);
    if (any) {
        found.within = firstAlike->off;
        std::sort(found.alike.begin(), found.alike.end());
        std::vector<std::pair<Ticks, std::int32_t>> spans;
        for (const std::int32_t replica : found.alike)
            spans.emplace_back(job.steps[step].span[static_cast<std::size_t>(replica)], replica);
        std::sort(spans.begin(), spans.end());
        found.typical = spans[spans.size() / 2].second;
    } else {
        std::sort(found.different.begin(), found.different.end());
    }
    for (std::size_t r = 0; r < job.replicas.size(); ++r)
        if (iterationOf(job, step, r) == nullptr)
            found.different.push_back(static_cast<std::int32_t>(r));
    return found;
}

std::string_view name(WorkerMeasure measure)
{
    constexpr std::array<std::string_view, workerMeasureCount> names = {
        "work", "forward", "backward", "idle", "memory"};
    return names[static_cast<std::size_t>(measure)];
}

std::vector<std::optional<double>> workerValues(const Job& job, WorkerMeasure measure,
                                                std::optional<std::size_t> step)
{
    if (measure == WorkerMeasure::Memory)
        return peaks(job);
    std::vector<std::optional<double>> values =
        step ? valuesOf(job, measure, *step) : medians(job, measure);
    if (measure == WorkerMeasure::Work)
        divideByMedians(values, static_cast<std::size_t>(job.devices()));
    return values;
}

std::vector<std::optional<double>> passTimes(const Job& job, const Pass& pass,
                                             std::optional<std::size_t> step)
{
    return step
               ? passTimesOf(job, pass, *step)
               : medians(job, [&job, &pass](std::size_t at) { return passTimesOf(job, pass, at); });
}

std::vector<double> stageBalance(const Job& job, std::optional<std::size_t> step)
{
    const auto devices = static_cast<std::size_t>(job.devices());
    const std::vector<std::optional<double>> work =
        step ? valuesOf(job, WorkerMeasure::Work, *step) : medians(job, WorkerMeasure::Work);
    std::vector<double> sums(devices, 0);
    for (std::size_t i = 0; i < work.size(); ++i)
        sums[i % devices] += work[i].value_or(0);
    const double mean =
        std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(devices);
    for (double& sum : sums)
        sum = mean > 0 ? sum / mean : 1;
    return sums;
}

JobMedians jobMedians(const Job& job)
{
    JobMedians made;
    for (int measure = 0; measure < workerMeasureCount; ++measure)
        made.workers[static_cast<std::size_t>(measure)] =
            workerValues(job, static_cast<WorkerMeasure>(measure), std::nullopt);
    made.balance = stageBalance(job, std::nullopt);
    const std::vector<std::size_t> steps = job.counted();
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const PassTable& table = job.replicas[r]->schedule->table();
        std::vector<std::vector<double>> times(static_cast<std::size_t>(table.size()));
        for (const std::size_t step : steps)
            for (const RecordedPass& one : iterationOf(job, step, r)->passes)
                if (one.entry.valid())
                    times[table.id(one.pass).index()].push_back(
                        static_cast<double>(one.end - one.start));
        std::vector<std::optional<double>>& medians = made.passes.emplace_back(times.size());
        for (std::size_t i = 0; i < times.size(); ++i)
            if (!times[i].empty())
                medians[i] = medianOf(std::move(times[i]));
    }
    return made;
}

std::vector<std::optional<double>> JobMedians::of(const Job& job, const Pass& pass) const
{
    const auto devices = static_cast<std::size_t>(job.devices());
    std::vector<std::optional<double>> all(job.replicas.size() * devices);
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const Schedule& schedule = *job.replicas[r]->schedule;
        const DeviceId device = schedule.spec().device(pass.route, pass.stage);
        const PassId place = schedule.table().id(pass);
        if (schedule.has(place) && schedule.kind(place) == pass.kind)
            all[r * devices + device.index()] = passes[r][place.index()];
    }
    return all;
}

std::optional<StepWindow> windowOf(const Job& job, std::size_t step)
{
    std::optional<StepWindow> window;
    for (std::size_t r = 0; r < job.replicas.size(); ++r)
        if (const RecoveredIteration* iteration = iterationOf(job, step, r)) {
            window = window ? StepWindow{std::min(window->first, iteration->first),
                                         std::max(window->last, iteration->last)}
                            : StepWindow{iteration->first, iteration->last};
        }
    return window;
}

std::vector<BusyByKind> busyWorkers(const Job& job, std::size_t step, const StepWindow& window,
                                    std::size_t columns)
{
    std::vector<BusyByKind> busy(columns, BusyByKind{});
    const double width = static_cast<double>(std::max<Ticks>(1, window.last - window.first)) /
                         static_cast<double>(columns);
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const RecoveredIteration* iteration = iterationOf(job, step, r);
        if (iteration == nullptr)
            continue;
        for (const RecordedPass& pass : iteration->passes) {
            const double begin = static_cast<double>(pass.start - window.first) / width;
            const double end = static_cast<double>(pass.end - window.first) / width;
            const auto last = static_cast<std::size_t>(
                std::clamp(std::ceil(end), 0.0, static_cast<double>(columns)));
            for (auto at = static_cast<std::size_t>(std::max(0.0, begin)); at < last; ++at) {
                const auto left = static_cast<double>(at);
                const double part = std::min(end, left + 1) - std::max(begin, left);
                busy[at][static_cast<std::size_t>(pass.pass.kind)] +=
                    static_cast<float>(std::max(0.0, part));
            }
        }
    }
    return busy;
}

} // namespace pw

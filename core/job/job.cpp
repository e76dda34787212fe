// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job.h"

#include "core/base/medians.h"
#include "core/job/without_updates.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace pw {

namespace {

/// From the first start to the last end of something.
struct Window
{
    Ticks first = std::numeric_limits<Ticks>::max();
    Ticks last = std::numeric_limits<Ticks>::min();

    bool empty() const { return first > last; }
    Ticks length() const { return empty() ? 0 : last - first; }
    void take(Ticks start, Ticks end)
    {
        first = std::min(first, start);
        last = std::max(last, end);
    }
};

struct RankWork
{
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t name = -1; ///< of `Trace::names`
};

/// What a rank does beside its passes, and the steps that are named on it.
struct RankSurroundings
{
    std::vector<RankWork> onDevices; ///< by start
    /// Where no device of the rank is in the trace: what says its iteration; by start.
    std::map<std::int32_t, std::vector<RankWork>> ofIteration;
    std::map<std::int32_t, Window> named; ///< steps of a profiler, spans with an iteration
    bool onDevice = false;
    bool passes = false;
};

bool isDeviceWork(const Trace& trace, const TraceSpan& span)
{
    return trace.tracks[static_cast<std::size_t>(span.track)].device &&
           (span.activity == ActivityKind::Compute ||
            span.activity == ActivityKind::Communication || span.activity == ActivityKind::Memory);
}

void sortByStart(std::vector<RankWork>& work)
{
    std::sort(work.begin(), work.end(),
              [](const RankWork& a, const RankWork& b) { return a.start < b.start; });
}

std::vector<RankSurroundings> surroundingsOf(const Trace& trace)
{
    std::vector<RankSurroundings> all(trace.ranks.size());
    for (const TraceSpan& span : trace.spans)
        if (isDeviceWork(trace, span))
            all[span.rank.index()].onDevice = true;
    for (const TraceSpan& span : trace.spans) {
        RankSurroundings& rank = all[span.rank.index()];
        const SpanLabel* label = trace.labelOf(span);
        rank.passes = rank.passes || (label != nullptr && label->role == SpanRole::Pass);
        const bool remainder = label != nullptr && label->role == SpanRole::Remainder;
        const bool update = label != nullptr && label->role == SpanRole::Pass &&
                            label->kind == PassKind::U && label->iteration >= 0;
        if (isDeviceWork(trace, span))
            rank.onDevices.push_back({span.start, span.end, span.name});
        else if ((remainder || update) && !rank.onDevice)
            rank.ofIteration[label->iteration].push_back({span.start, span.end, span.name});
        if (label != nullptr && label->iteration >= 0 &&
            (remainder || label->role == SpanRole::Step))
            rank.named[label->iteration].take(span.start, span.end);
    }
    for (RankSurroundings& rank : all) {
        sortByStart(rank.onDevices);
        for (auto& [iteration, work] : rank.ofIteration)
            sortByStart(work);
    }
    return all;
}

/// When each iteration runs on each device.
using Windows = std::vector<std::vector<Window>>;

Windows passWindows(const RecoveredPipeline& pipeline)
{
    Windows windows(pipeline.iterations.size(), std::vector<Window>(pipeline.rankOfDevice.size()));
    for (std::size_t i = 0; i < windows.size(); ++i)
        for (const RecordedPass& pass : pipeline.iterations[i].passes)
            windows[i][deviceOf(pass.rank).index()].take(pass.start, pass.end);
    return windows;
}

/// The steps of one replica.
class ReplicaSteps
{
public:
    ReplicaSteps(const RecoveredPipeline& pipeline, const std::vector<RankSurroundings>& around)
        : m_pipeline(pipeline)
        , m_around(around)
        , m_passes(passWindows(pipeline))
    {
        for (const TraceRankId rank : pipeline.rankOfDevice)
            for (const auto& [iteration, window] : around[rank.index()].named)
                m_named[iteration].take(window.first, window.last);
    }

    Ticks span(std::size_t iteration) const { return m_pipeline.iterations[iteration].makespan(); }

    /// Work beside the passes, of the device whose passes end last; all the rest of a named step
    /// where nothing says what happens in it.
    Ticks workAround(std::size_t iteration) const
    {
        const std::optional<std::size_t> last = lastDevice(iteration);
        if (!last)
            return 0;
        const RankSurroundings& rank = rankOf(*last);
        if (rank.onDevices.empty() && rank.ofIteration.empty())
            return std::max<Ticks>(0, namedLength(iteration) - span(iteration));
        return rank.onDevice ? workBehind(rank, iteration, *last)
                             : workNamed(rank, iteration, m_passes[iteration][*last]);
    }

    Ticks whole(std::size_t iteration) const
    {
        const Ticks named = namedLength(iteration);
        return named > 0 ? std::max(span(iteration), named)
                         : span(iteration) + workAround(iteration);
    }

    /// See `JobStep::leastAround`; `around` where work has no names.
    /// @param shortest  time of each name in this step of all replicas
    Ticks leastWork(std::size_t iteration, const std::map<std::int32_t, Ticks>& shortest) const
    {
        const std::optional<std::size_t> device = lastDevice(iteration);
        Ticks sum = 0;
        if (device && !rankOf(*device).onDevice)
            for (const auto& [name, time] : namedWork(iteration, *device))
                sum += shortest.at(name);
        return sum;
    }

    /// Takes the shortest time of each name on any device.
    void takeShortest(std::size_t iteration, std::map<std::int32_t, Ticks>& shortest) const
    {
        for (std::size_t device = 0; device < m_passes[iteration].size(); ++device)
            for (const auto& [name, time] : namedWork(iteration, device)) {
                const auto [at, made] = shortest.emplace(name, time);
                at->second = std::min(at->second, time);
            }
    }

private:
    const RankSurroundings& rankOf(std::size_t device) const
    {
        return m_around[m_pipeline.rankOfDevice[device].index()];
    }

    /// The device whose passes end last.
    std::optional<std::size_t> lastDevice(std::size_t iteration) const
    {
        const std::vector<Window>& devices = m_passes[iteration];
        const auto last =
            std::max_element(devices.begin(), devices.end(),
                             [](const Window& a, const Window& b) { return a.last < b.last; });
        if (last == devices.end() || last->empty())
            return std::nullopt;
        return static_cast<std::size_t>(last - devices.begin());
    }

    /// Work of a device that says this iteration, outside of its passes, by name.
    std::map<std::int32_t, Ticks> namedWork(std::size_t iteration, std::size_t device) const
    {
        const std::int32_t number = m_pipeline.iterations[iteration].number;
        const Window& passes = m_passes[iteration][device];
        std::map<std::int32_t, Ticks> times;
        const auto work = rankOf(device).ofIteration.find(number);
        if (work == rankOf(device).ofIteration.end())
            return times;
        for (const RankWork& one : work->second)
            if (one.start < passes.first || one.end > passes.last)
                times[one.name] += one.end - one.start;
        return times;
    }

    /// Of the step that something names; 0: nothing does. A rank whose passes are done may be in
    /// the next step while others are in this one: that time is of one step, not of both.
    Ticks namedLength(std::size_t iteration) const
    {
        const std::int32_t number = m_pipeline.iterations[iteration].number;
        const auto named = m_named.find(number);
        if (named == m_named.end() || named->second.empty())
            return 0;
        const auto [first, last] = named->second;
        if (const auto before = m_named.find(number - 1); before != m_named.end())
            return last - std::clamp(before->second.last, first, last);
        if (const auto after = m_named.find(number + 1); after != m_named.end())
            return std::clamp(after->second.first, first, last) - first;
        return last - first;
    }

    /// Busy time of a device from its last pass to the first one of its next iteration.
    Ticks workBehind(const RankSurroundings& rank, std::size_t iteration, std::size_t device) const
    {
        const Ticks from = m_passes[iteration][device].last;
        Ticks to = std::numeric_limits<Ticks>::max();
        for (std::size_t next = iteration + 1; next < m_passes.size(); ++next)
            if (!m_passes[next][device].empty()) {
                to = m_passes[next][device].first;
                break;
            }
        const auto begin =
            std::lower_bound(rank.onDevices.begin(), rank.onDevices.end(), from,
                             [](const RankWork& one, Ticks time) { return one.start < time; });
        Ticks busy = 0, covered = from;
        for (auto one = begin; one != rank.onDevices.end() && one->start < to; ++one) {
            const Ticks end = std::min(one->end, to);
            busy += std::max<Ticks>(0, end - std::max(one->start, covered));
            covered = std::max(covered, end);
        }
        return busy;
    }

    /// Time with a span that says this iteration, outside of its passes.
    Ticks workNamed(const RankSurroundings& rank, std::size_t iteration, const Window& passes) const
    {
        const std::int32_t number = m_pipeline.iterations[iteration].number;
        Ticks busy = 0, covered = std::numeric_limits<Ticks>::min();
        const auto work = rank.ofIteration.find(number);
        if (work == rank.ofIteration.end())
            return 0;
        for (const RankWork& one : work->second) {
            if (one.start >= passes.first && one.end <= passes.last)
                continue;
            const Ticks start = std::max(one.start, covered);
            busy += std::max<Ticks>(0, one.end - start);
            covered = std::max(covered, one.end);
        }
        return busy;
    }

    const RecoveredPipeline& m_pipeline;
    const std::vector<RankSurroundings>& m_around;
    Windows m_passes; // by iteration and device
    std::map<std::int32_t, Window> m_named;
};

bool sameShape(const RecoveredPipeline& a, const RecoveredPipeline& b)
{
    return a.schedule && b.schedule && a.schedule->spec() == b.schedule->spec() &&
           a.schedule->passCount() == b.schedule->passCount();
}

void leaveUpdatesOut(Job& job)
{
    std::vector<RecoveredPipeline> made;
    for (const RecoveredPipeline* pipeline : job.replicas)
        if (std::optional<RecoveredPipeline> plain = withoutUpdates(*pipeline))
            made.push_back(std::move(*plain));
    if (made.size() != job.replicas.size())
        return;
    auto kept = std::make_shared<const std::vector<RecoveredPipeline>>(std::move(made));
    for (std::size_t i = 0; i < kept->size(); ++i)
        job.replicas[i] = &(*kept)[i];
    job.made = std::move(kept);
}

} // namespace

Job jobOf(const Trace& trace, std::span<const AlignedPipeline> pipelines)
{
    Job job;
    for (const AlignedPipeline& one : pipelines)
        if (sameShape(pipelines.front().pipeline, one.pipeline))
            job.replicas.push_back(&one.pipeline);
    if (job.replicas.size() > 1)
        leaveUpdatesOut(job);
    const std::vector<RankSurroundings> around = surroundingsOf(trace);
    job.ranks = std::count_if(around.begin(), around.end(),
                              [](const RankSurroundings& rank) { return rank.passes; });
    std::map<std::int32_t, std::pair<Ticks, JobStep>> byNumber; // with the first start
    const std::size_t replicas = job.replicas.size();
    std::vector<ReplicaSteps> stepsOf;
    std::map<std::int32_t, std::map<std::int32_t, Ticks>> shortest; // by step and name
    for (const RecoveredPipeline* pipeline : job.replicas) {
        const ReplicaSteps& steps = stepsOf.emplace_back(*pipeline, around);
        for (std::size_t i = 0; i < pipeline->iterations.size(); ++i)
            steps.takeShortest(i, shortest[pipeline->iterations[i].number]);
    }
    for (std::size_t r = 0; r < replicas; ++r) {
        const RecoveredPipeline& pipeline = *job.replicas[r];
        const ReplicaSteps& steps = stepsOf[r];
        for (std::size_t i = 0; i < pipeline.iterations.size(); ++i) {
            const RecoveredIteration& iteration = pipeline.iterations[i];
            auto& [first, step] = byNumber.try_emplace(iteration.number).first->second;
            const bool fresh = step.iteration.empty();
            if (fresh) {
                first = iteration.first;
                step.number = iteration.number;
                step.complete = true;
                step.iteration.assign(replicas, -1);
                step.span.assign(replicas, 0);
            }
            step.iteration[r] = static_cast<std::int32_t>(i);
            step.span[r] = steps.span(i);
            const Ticks work = steps.workAround(i);
            const Ticks least = steps.leastWork(i, shortest[iteration.number]);
            step.around = fresh ? work : std::min(step.around, work);
            step.leastAround = fresh ? least : std::min(step.leastAround, least);
            step.time = std::max(step.time, steps.whole(i));
            step.warmUp = step.warmUp || iteration.warmUp;
            step.complete = step.complete && iteration.complete;
        }
    }
    std::vector<std::pair<Ticks, JobStep>> ordered;
    for (auto& [number, one] : byNumber)
        ordered.push_back(std::move(one));
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [first, step] : ordered) {
        step.complete =
            step.complete && std::none_of(step.iteration.begin(), step.iteration.end(),
                                          [](std::int32_t iteration) { return iteration < 0; });
        if (step.leastAround == 0)
            step.leastAround = step.around;
        job.steps.push_back(std::move(step));
    }
    return job;
}

std::vector<std::size_t> Job::counted() const
{
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].complete && !steps[i].warmUp)
            all.push_back(i);
    return all;
}

std::vector<Worker> Job::workers() const
{
    std::vector<Worker> all;
    for (std::size_t r = 0; r < replicas.size(); ++r)
        for (const DeviceId device : Ids<DeviceId>(replicas[r]->rankOfDevice.size()))
            all.push_back({static_cast<std::int32_t>(r), device});
    return all;
}

int Job::devices() const
{
    return replicas.empty() ? 0 : static_cast<int>(replicas.front()->rankOfDevice.size());
}

Ticks Job::stepTime() const
{
    std::vector<Ticks> all;
    for (const std::size_t i : counted())
        all.push_back(steps[i].time);
    return static_cast<Ticks>(medianOf(std::move(all)));
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_causes.h"

#include "core/base/medians.h"
#include "core/base/text.h"
#include "core/job/change_gains.h"
#include "core/job/long_micro_batches.h"
#include "core/job/step_causes.h"
#include "core/job/worker_micro_batches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace pw {

namespace {

constexpr double workerFactor = 1.05;
constexpr double stageFactor = 1.1;
constexpr double linkFactor = 2, linkFactorOfTwo = 4;
constexpr double leastGain = 0.005; ///< of the step; less is not worth a sentence
constexpr double leastLateness = 0.03;

Sentence times(double factor)
{
    return said("%1 times", plainNumber(factor, 3));
}

std::string ms(double ticks)
{
    constexpr int digits = 4;
    return millisecondText(static_cast<Ticks>(std::llround(ticks)), digits);
}

std::string percent(double part)
{
    constexpr double whole = 100;
    return plainNumber(part * whole, 2) + " %";
}

/// "rank 42"; "ranks 6 and 7", where they share tensors and none stands out; empty: not known.
Sentence ranksText(const Trace& trace, const WorkerTimes& one)
{
    std::vector<std::int32_t> numbers;
    for (const TraceRankId rank : one.alike)
        numbers.push_back(trace.ranks[rank.index()].number);
    const std::int32_t rank = trace.ranks[one.rank.index()].number;
    if (numbers.size() == 2)
        return said("ranks %1 and %2, which share its tensors", numbers[0], numbers[1]);
    if (numbers.size() > 2)
        return said("ranks %1 to %2, which share its tensors", numbers.front(), numbers.back());
    return rank < 0 ? Sentence() : said("rank %1", rank);
}

class CauseFinder
{
public:
    CauseFinder(const JobReplay& replay, const Trace& trace)
        : m_replay(replay)
        , m_trace(trace)
        , m_workers(workerTimes(replay, trace))
        , m_devices(static_cast<std::size_t>(replay.job().devices()))
        , m_microBatches(replay)
    {
        for (std::size_t step = 0; step < replay.steps().size(); ++step)
            for (std::size_t r = 0; r < replay.replicas(); ++r) {
                const std::span<const Ticks> measured = replay.durations({step, r});
                m_work += static_cast<double>(
                    std::accumulate(measured.begin(), measured.end(), Ticks{0}));
            }
        m_work /= static_cast<double>(replay.steps().size() * replay.replicas() * m_devices);
    }

    std::vector<FoundCause> find()
    {
        slowWorkers();
        heavyStages();
        unevenMicroBatches();
        slowLinks();
        weigh();
        for (FoundCause& one : stepCauses(m_replay, m_trace))
            m_found.push_back(std::move(one));
        lateHost();
        const double lost = std::max(m_replay.mean() - m_work, 1.0);
        for (FoundCause& one : m_found)
            one.share = std::clamp(one.costTicks / lost, 0.0, 1.0);
        std::stable_sort(
            m_found.begin(), m_found.end(),
            [](const FoundCause& a, const FoundCause& b) { return a.costTicks > b.costTicks; });
        return std::move(m_found);
    }

private:
    /// Something that stands out, and what its sentence says before its gain is known.
    struct Suspect
    {
        FoundCause cause;
        JobReplay::Variant repair;
        double least = leastGain; ///< that is worth a sentence
        std::function<Sentence(const Sentence& gain)> sentence{};
    };

    Suspect& suspect(JobCause cause, JobReplay::Variant repair,
                     std::function<Sentence(const Sentence& gain)> sentence)
    {
        Suspect one;
        one.cause.cause = cause;
        one.repair = std::move(repair);
        one.sentence = std::move(sentence);
        m_suspects.push_back(std::move(one));
        return m_suspects.back();
    }

    /// Takes those that cost something, alone or behind the others.
    void weigh()
    {
        std::vector<JobReplay::Variant> repairs;
        for (const Suspect& one : m_suspects)
            repairs.push_back(one.repair);
        const std::vector<ChangeGain> gains = changeGains(m_replay, repairs);
        for (std::size_t i = 0; i < gains.size(); ++i) {
            Suspect& one = m_suspects[i];
            const double gain = std::max(gains[i].alone, gains[i].last);
            if (gain < one.least)
                continue;
            const bool hidden = gains[i].alone < leastGain && gain >= leastGain;
            one.cause.costTicks = std::max(gain, 0.0) * m_replay.mean();
            one.cause.sentence = one.sentence(
                hidden ? said("hidden by other causes; without these it takes %1 of the step",
                              percent(gain))
                : one.cause.cause == JobCause::HeavyStage
                    ? said("with work of the mean the step would be %1 shorter",
                           percent(gains[i].alone))
                    : said("without it the step would be %1 shorter", percent(gains[i].alone)));
            m_found.push_back(std::move(one.cause));
        }
    }

    /// "stage 2 of replica 5 (rank 42)", as far as there is more than one and it is known.
    Sentence workerText(const WorkerTimes& one) const
    {
        const std::int32_t device = one.worker.device.value;
        const Sentence worker = m_replay.replicas() < 2
                                    ? said("stage %1", device)
                                    : said("stage %1 of replica %2", device, one.worker.replica);
        const Sentence ranks = ranksText(m_trace, one);
        return ranks.empty() ? worker : said("%1 (%2)", worker, ranks);
    }

    /// Time of one forward and backward.
    static double passTime(const WorkerTimes& worker)
    {
        return static_cast<double>(worker.forward + worker.backward);
    }

    /// Of the other replicas' workers of its stage, the median.
    double othersOf(const WorkerTimes& worker) const
    {
        std::vector<double> all;
        for (std::size_t i = worker.worker.device.index(); i < m_workers.size(); i += m_devices)
            if (m_workers[i].worker.replica != worker.worker.replica)
                all.push_back(passTime(m_workers[i]));
        return medianOf(std::move(all));
    }

    void slowWorkers()
    {
        if (m_replay.replicas() < 2)
            return;
        std::vector<double> ratios;
        for (const WorkerTimes& one : m_workers) {
            const double others = othersOf(one);
            ratios.push_back(others > 0 ? passTime(one) / others : 1);
        }
        for (std::size_t i = 0; i < ratios.size(); ++i) {
            // Of two replicas one is as much too fast as the other too slow: other stages say how
            // much workers differ.
            std::vector<double> others;
            for (std::size_t j = 0; j < ratios.size(); ++j)
                if (m_devices < 2 || j % m_devices != i % m_devices)
                    others.push_back(ratios[j]);
            const WorkerTimes& one = m_workers[i];
            if (ratios[i] < std::max(workerFactor, 1 + likeSpreads * robustSpread(others)) ||
                m_microBatches.lowerMedianRatio(i) < workerFactor)
                continue;
            Suspect& found = suspect(
                JobCause::SlowWorker, workerRepair(m_replay, one.worker),
                [this, &one, ratio = ratios[i]](const Sentence& gain) {
                    return said("%1 computes slowly: its passes take %2 as long as those of its "
                                "replicas, F %3 and backward %4; %5",
                                workerText(one), times(ratio), ms(static_cast<double>(one.forward)),
                                ms(static_cast<double>(one.backward)), gain);
                });
            found.least = std::numeric_limits<double>::lowest();
            found.cause.replica = one.worker.replica;
            found.cause.device = one.worker.device;
        }
    }

    /// Work of each device in a step, of the lower median replica: a slow worker is no heavy stage.
    std::vector<double> workOfDevices() const
    {
        std::vector<double> works;
        for (const DeviceId device : Ids<DeviceId>(m_devices)) {
            std::vector<double> replicas;
            for (std::size_t r = 0; r < m_replay.replicas(); ++r) {
                std::vector<double> steps;
                for (std::size_t step = 0; step < m_replay.steps().size(); ++step) {
                    Ticks work = 0;
                    for (const EntryId entry : m_replay.schedule(r).entries(device))
                        work += m_replay.durations({step, r})[entry.index()];
                    steps.push_back(static_cast<double>(work));
                }
                replicas.push_back(medianOf(std::move(steps)));
            }
            std::sort(replicas.begin(), replicas.end());
            works.push_back(replicas[(replicas.size() - 1) / 2]);
        }
        return works;
    }

    void heavyStages()
    {
        if (m_devices < 2)
            return;
        const std::vector<double> works = workOfDevices();
        const double middle = medianOf(works);
        std::vector<double> ratios;
        for (const double work : works)
            ratios.push_back(middle > 0 ? work / middle : 1);
        // Of two stages the median lies between them.
        if (m_devices == 2 && works[0] > 0 && works[1] > 0)
            ratios = {works[0] / works[1], works[1] / works[0]};
        const double limit =
            std::max(stageFactor, m_devices > 2 ? 1 + likeSpreads * robustSpread(ratios) : 0);
        for (const DeviceId device : Ids<DeviceId>(m_devices)) {
            const double ratio = ratios[device.index()];
            if (ratio < limit)
                continue;
            suspect(JobCause::HeavyStage, stageRepair(m_replay, device),
                    [this, device, factor = times(ratio)](const Sentence& gain) {
                        return heavyText(device, factor, gain);
                    })
                .cause.device = device;
        }
    }

    /// Of one replica nothing tells a stage with much work from a rank that computes slowly.
    Sentence heavyText(DeviceId device, const Sentence& factor, const Sentence& gain) const
    {
        if (m_replay.replicas() > 1)
            return said("stage %1 has more work than the others: %2 the median stage's, in every "
                        "replica; %3",
                        device.value, factor, gain);
        return said("%1 has more work than the others, or its rank computes slowly: %2 the median "
                    "stage's, and one replica does not tell which; %3",
                    workerText(m_workers[device.index()]), factor, gain);
    }

    void unevenMicroBatches()
    {
        if (m_devices < 2)
            return;
        const LongMicroBatches cells = longMicroBatches(m_replay);
        if (cells.count == 0)
            return;
        const bool oneReplica = cells.byReplica.size() == 1 && m_replay.replicas() > 1;
        const bool one = cells.byMicroBatch.size() == 1;
        Sentence which = one ? said("micro-batch %1", cells.byMicroBatch.begin()->first)
                             : counted(static_cast<std::int64_t>(cells.count), "%1 micro-batch",
                                       "%1 micro-batches");
        if (oneReplica)
            which = said("%1 of replica %2", which, cells.byReplica.begin()->first);
        Suspect& found =
            suspect(JobCause::UnevenMicroBatches, evenMicroBatches(m_replay, cells),
                    [one, which, longest = cells.longest](const Sentence& gain) {
                        return one ? said("%1 is longer than the others on every stage, up to %2: "
                                          "sequences of uneven length; %3",
                                          which, times(longest), gain)
                                   : said("%1 are longer than the others on every stage, up to %2: "
                                          "sequences of uneven length; %3",
                                          which, times(longest), gain);
                    });
        if (cells.byReplica.size() == 1)
            found.cause.replica = cells.byReplica.begin()->first;
    }

    void slowLinks()
    {
        struct Seen
        {
            std::int32_t replica;
            DeviceId from, to;
            double time;
        };
        std::vector<Seen> links;
        std::vector<double> all;
        for (std::size_t r = 0; r < m_replay.replicas(); ++r)
            for (const DeviceId from : Ids<DeviceId>(m_devices))
                for (const DeviceId to : Ids<DeviceId>(m_devices)) {
                    const Ticks there = m_replay.links(r).of(from, to);
                    const Ticks back = m_replay.links(r).of(to, from);
                    if (from < to && there + back > 0) {
                        const int ways = (there > 0 ? 1 : 0) + (back > 0 ? 1 : 0);
                        links.push_back({static_cast<std::int32_t>(r), from, to,
                                         static_cast<double>(there + back) / ways});
                        all.push_back(links.back().time);
                    }
                }
        if (links.size() < 2)
            return;
        // Of two the faster one is usual, and the other has to be much slower.
        const bool two = links.size() == 2;
        const double usual = two ? std::min(all[0], all[1]) : medianOf(all);
        const double limit =
            two ? linkFactorOfTwo * usual
                : std::max(linkFactor * usual, usual + likeSpreads * robustSpread(all));
        for (const Seen& link : links) {
            if (link.time < limit)
                continue;
            JobReplay::Variant variant;
            variant.linkReplica = link.replica;
            variant.linkFrom = link.from;
            variant.linkTo = link.to;
            variant.linkTime = static_cast<Ticks>(usual);
            Sentence ends = said("stages %1 and %2", link.from.value, link.to.value);
            if (m_replay.replicas() > 1)
                ends = said("%1 of replica %2", ends, link.replica);
            FoundCause& cause =
                suspect(JobCause::SlowLink, std::move(variant),
                        [ends, time = link.time, usual](const Sentence& gain) {
                            return said("messages between %1 take %2 where those of the other "
                                        "links take %3; %4",
                                        ends, ms(time), ms(usual), gain);
                        })
                    .cause;
            cause.replica = link.replica;
            cause.from = link.from;
            cause.to = link.to;
        }
    }

    /// How late each worker begins what nothing holds up, over all steps.
    std::vector<double> lateness() const
    {
        std::vector<double> late(m_workers.size(), 0);
        for (std::size_t step = 0; step < m_replay.steps().size(); ++step)
            for (std::size_t r = 0; r < m_replay.replicas(); ++r)
                for (const DeviceId device : Ids<DeviceId>(m_devices))
                    late[r * m_devices + device.index()] +=
                        static_cast<double>(m_replay.lateness({step, r}, device));
        return late;
    }

    void lateHost()
    {
        // Without what a step has before its first pass and behind its last one: in that no pass
        // begins late.
        double measured = 0;
        for (const std::size_t at : m_replay.steps()) {
            const JobStep& step = m_replay.job().steps[at];
            measured += static_cast<double>(*std::max_element(step.span.begin(), step.span.end()) +
                                            step.around);
        }
        measured /= static_cast<double>(m_replay.steps().size());
        const double gain = measured > 0 ? 1 - m_replay.mean() / measured : 0;
        if (gain < leastLateness)
            return;
        const std::vector<double> late = lateness();
        const double all = std::accumulate(late.begin(), late.end(), 0.0);
        const auto most = std::max_element(late.begin(), late.end());
        const bool one = late.size() > 1 && *most * 2 > all;
        const WorkerTimes& worker = m_workers[static_cast<std::size_t>(most - late.begin())];
        const Sentence cost = percent(gain);
        FoundCause& cause = m_found.emplace_back();
        cause.cause = JobCause::LateHost;
        cause.costTicks = gain * m_replay.mean();
        cause.sentence =
            one ? said("%1 begins passes late that nothing holds up: the host launches them late, "
                       "or waits for data; without it the step would be %2 shorter",
                       workerText(worker), cost)
                : said("ranks begin passes late that nothing holds up: the host launches them "
                       "late, or waits for data; without it the step would be %1 shorter",
                       cost);
        if (!one)
            return;
        cause.replica = worker.worker.replica;
        cause.device = worker.worker.device;
    }

    const JobReplay& m_replay;
    const Trace& m_trace;
    std::vector<WorkerTimes> m_workers; // by replica and device
    std::size_t m_devices;
    WorkerMicroBatches m_microBatches;
    double m_work = 0; // of a worker in a step, in the mean
    std::vector<Suspect> m_suspects;
    std::vector<FoundCause> m_found;
};

} // namespace

std::string_view name(JobCause cause)
{
    constexpr std::array<std::string_view, jobCauseCount> names = {
        "slow_worker", "heavy_stage", "uneven_micro_batches",
        "slow_link",   "slow_step",   "late_host",
        "collector",   "order",       "warm_up"};
    return names[static_cast<std::size_t>(cause)];
}

std::vector<FoundCause> jobCauses(const JobReplay& replay, const Trace& trace)
{
    return CauseFinder(replay, trace).find();
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job.h"
#include "core/job/order_graph.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pw {

/// Measured times of a job, run again: what every step would have taken without the gaps that
/// nothing explains, and with some of its times changed.
///
/// Every replica runs its own order with its own times. A message takes the median of what its link
/// took where a device waited for it and for nothing else. The step is that of the slowest replica,
/// with the work around its passes.
///
/// @source the method is that of "Understanding Stragglers in Large Model Training Using What-if
///         Analysis", OSDI 2025
class JobReplay
{
public:
    /// A step of a replica whose times are asked for.
    struct Cell
    {
        std::size_t step; ///< of `steps()`
        std::size_t replica;
    };

    /// Changes times of entries. @param durations  by entry, as measured
    using Change = std::function<void(const Cell& cell, std::vector<Ticks>& durations)>;

    /// What is another way. Nothing set: as measured.
    struct Variant
    {
        Change change{};
        bool freeLinks = false;
        bool usualLinks = false;       ///< every message takes the median of all
        bool usualAround = false;      ///< work around passes takes its median, nothing of it waits
        std::int32_t onlyReplica = -1; ///< the change touches no other
        std::int32_t onlyStep = -1;    ///< of `steps()`; likewise
        /// Messages of one replica between two devices take `linkTime`.
        std::int32_t linkReplica = -1;
        DeviceId linkFrom{};
        DeviceId linkTo{};
        Ticks linkTime = 0;
    };

    /// @param job  outlives this; has a step that counts
    explicit JobReplay(const Job& job);

    const Job& job() const { return *m_job; }
    const std::vector<std::size_t>& steps() const { return m_steps; } ///< of `Job::steps`
    std::size_t replicas() const { return m_job->replicas.size(); }
    const Schedule& schedule(std::size_t replica) const
    {
        return *m_job->replicas[replica]->schedule;
    }

    /// Measured times of the entries of a replica in a step.
    std::span<const Ticks> durations(const Cell& cell) const
    {
        return m_durations[cell.step * replicas() + cell.replica];
    }
    const LinkDelays& links(std::size_t replica) const { return m_links[replica]; }
    /// Median of what messages take on all links.
    Ticks usualLink() const { return m_usualLink; }
    /// Mean over all steps, replicas and stages of the passes of an entry's kind.
    Ticks kindMean(std::size_t replica, EntryId entry) const;

    /// The mean of the steps, each run again.
    double mean(const Variant& variant) const;
    /// Passes of a replica, run again with several changes at once, the earlier first: by step.
    std::vector<Ticks> spans(std::size_t replica, std::span<const Variant> variants) const;
    /// The mean of steps whose replicas take so long. @param spans  by replica and step
    double meanOf(const std::vector<std::vector<Ticks>>& spans) const;
    /// Whether anything of a replica is another way.
    static bool touches(const Variant& variant, std::size_t replica);
    /// The same of the times as they were measured.
    double mean() const { return m_mean; }
    /// One step, run again with the times as measured.
    Ticks step(std::size_t step) const { return m_stepTimes[step]; }
    /// The passes of a step of a replica, run again with the times as measured.
    /// @param freeLinks  messages take no time
    Ticks span(const Cell& cell, bool freeLinks) const;
    /// How much later the passes of a device began than all that they wait for was there, messages
    /// as long as usual on their links: the sum of one step.
    Ticks lateness(const Cell& cell, DeviceId device) const;

private:
    using KindKey = std::pair<PassKind, PassKind>; ///< an entry's passes; twice the same: one

    KindKey kindOf(std::size_t replica, EntryId entry) const;
    /// When entries of a step began and ended, by the recorded clocks.
    void recorded(const Cell& cell, std::vector<Ticks>& starts, std::vector<Ticks>& ends) const;
    void takeDurations();
    void takeLinks();
    LinkDelays linksOf(std::size_t replica, std::span<const Variant> variants) const;
    /// By step.
    std::vector<Ticks> measuredSpans(std::size_t replica) const;

    const Job* m_job;
    std::vector<std::size_t> m_steps;
    std::vector<std::shared_ptr<const OrderGraph>> m_graphs; // by replica, shared by equal orders
    std::vector<std::vector<Ticks>> m_durations;             // by step and replica
    std::vector<LinkDelays> m_links;                         // by replica
    std::map<KindKey, double> m_kindMeans;
    std::vector<Ticks> m_spans; // by step and replica
    std::vector<Ticks> m_stepTimes;
    Ticks m_usualLink = 0;
    Ticks m_usualAround = 0;
    double m_mean = 0;
};

} // namespace pw

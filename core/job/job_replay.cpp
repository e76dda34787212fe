// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_replay.h"

#include "core/base/medians.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

/// What was seen of a link: messages that a device waited for, and the shortest of all.
struct LinkSeen
{
    std::vector<Ticks> waited;
    Ticks shortest = -1;
};

using LinksSeen = std::map<std::pair<DeviceId, DeviceId>, LinkSeen>;

/// Looks at the messages of one step.
void seeLinks(const OrderGraph& graph, const std::vector<Ticks>& starts,
              const std::vector<Ticks>& ends, LinksSeen& seen)
{
    for (const EntryId entry : Ids<EntryId>(static_cast<std::size_t>(graph.entries()))) {
        const DeviceId device = graph.deviceOf(entry);
        const EntryId before = graph.before(entry);
        Ticks ready = before.valid() ? ends[before.index()] : 0;
        const OrderGraph::Arc* last = nullptr;
        for (const OrderGraph::Arc& arc : graph.arcs(entry)) {
            const Ticks there = ends[arc.producer.index()];
            if (arc.from != device) {
                LinkSeen& link = seen[{arc.from, device}];
                const Ticks time = std::max<Ticks>(0, starts[entry.index()] - there);
                link.shortest = link.shortest < 0 ? time : std::min(link.shortest, time);
            }
            if (there >= ready) {
                ready = there;
                last = arc.from == device ? nullptr : &arc;
            }
        }
        if (last != nullptr && before.valid())
            seen[{last->from, device}].waited.push_back(
                std::max<Ticks>(0, starts[entry.index()] - ready));
    }
}

} // namespace

JobReplay::JobReplay(const Job& job)
    : m_job(&job)
    , m_steps(job.counted())
{
    for (std::size_t r = 0; r < replicas(); ++r) {
        std::size_t same = 0;
        while (same < r && !(schedule(same) == schedule(r)))
            ++same;
        m_graphs.push_back(same < r ? m_graphs[same]
                                    : std::make_shared<const OrderGraph>(schedule(r)));
    }
    takeDurations();
    takeLinks();
    std::vector<Ticks> arounds;
    for (const std::size_t step : m_steps)
        arounds.push_back(job.steps[step].leastAround);
    m_usualAround = static_cast<Ticks>(medianOf(std::move(arounds)));
    std::vector<Ticks> ends;
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        Ticks longest = 0;
        for (std::size_t r = 0; r < replicas(); ++r) {
            m_spans.push_back(m_graphs[r]->run(durations({step, r}), m_links[r], ends));
            longest = std::max(longest, m_spans.back());
        }
        longest += job.steps[m_steps[step]].around;
        m_stepTimes.push_back(longest);
        m_mean += static_cast<double>(longest) / static_cast<double>(m_steps.size());
    }
}

JobReplay::KindKey JobReplay::kindOf(std::size_t replica, EntryId entry) const
{
    const OrderEntry one = schedule(replica).entry(entry);
    return {one.pass.kind, one.paired ? one.partner.kind : one.pass.kind};
}

void JobReplay::takeDurations()
{
    std::map<KindKey, std::pair<double, std::int64_t>> sums;
    for (const std::size_t step : m_steps)
        for (std::size_t r = 0; r < replicas(); ++r) {
            const RecoveredPipeline& pipeline = *m_job->replicas[r];
            const auto iteration = static_cast<std::size_t>(m_job->steps[step].iteration[r]);
            std::vector<Ticks>& times = m_durations.emplace_back(
                static_cast<std::size_t>(pipeline.schedule->entryCount()), 0);
            for (const RecordedPass& pass : pipeline.iterations[iteration].passes)
                if (pass.entry.valid())
                    times[pass.entry.index()] =
                        std::max(times[pass.entry.index()], pass.end - pass.start);
            for (const EntryId entry : pipeline.schedule->entries()) {
                auto& [sum, count] = sums[kindOf(r, entry)];
                sum += static_cast<double>(times[entry.index()]);
                ++count;
            }
        }
    for (const auto& [kind, sum] : sums)
        m_kindMeans[kind] = sum.first / static_cast<double>(sum.second);
}

void JobReplay::recorded(const Cell& cell, std::vector<Ticks>& starts,
                         std::vector<Ticks>& ends) const
{
    const RecoveredPipeline& pipeline = *m_job->replicas[cell.replica];
    const std::int32_t iteration = m_job->steps[m_steps[cell.step]].iteration[cell.replica];
    starts.assign(static_cast<std::size_t>(pipeline.schedule->entryCount()), 0);
    ends = starts;
    for (const RecordedPass& pass : pipeline.iterations[static_cast<std::size_t>(iteration)].passes)
        if (pass.entry.valid()) {
            starts[pass.entry.index()] = pass.start;
            ends[pass.entry.index()] = pass.end;
        }
}

void JobReplay::takeLinks()
{
    std::vector<LinksSeen> seen(replicas());
    std::vector<Ticks> all, starts, ends;
    for (std::size_t step = 0; step < m_steps.size(); ++step)
        for (std::size_t r = 0; r < replicas(); ++r) {
            recorded({step, r}, starts, ends);
            seeLinks(*m_graphs[r], starts, ends, seen[r]);
        }
    const auto usual = [](const LinkSeen& link) {
        return link.waited.empty() ? std::max<Ticks>(link.shortest, 0)
                                   : static_cast<Ticks>(medianOf(link.waited));
    };
    for (const LinksSeen& one : seen)
        for (const auto& [ends2, link] : one)
            all.push_back(usual(link));
    m_usualLink = static_cast<Ticks>(medianOf(std::move(all)));
    for (std::size_t r = 0; r < replicas(); ++r) {
        m_links.emplace_back(schedule(r).devices());
        for (const auto& [way, link] : seen[r])
            m_links.back().set(way.first, way.second, usual(link));
    }
}

Ticks JobReplay::kindMean(std::size_t replica, EntryId entry) const
{
    return static_cast<Ticks>(std::llround(m_kindMeans.at(kindOf(replica, entry))));
}

bool JobReplay::touches(const Variant& variant, std::size_t replica)
{
    const auto number = static_cast<std::int32_t>(replica);
    return variant.freeLinks || variant.usualLinks || variant.linkReplica == number ||
           (variant.change && (variant.onlyReplica < 0 || variant.onlyReplica == number));
}

LinkDelays JobReplay::linksOf(std::size_t replica, std::span<const Variant> variants) const
{
    LinkDelays links = m_links[replica];
    for (const Variant& variant : variants) {
        if (variant.freeLinks || variant.usualLinks)
            links = LinkDelays(schedule(replica).devices(), variant.freeLinks ? 0 : m_usualLink);
        if (variant.linkReplica == static_cast<std::int32_t>(replica)) {
            links.set(variant.linkFrom, variant.linkTo, variant.linkTime);
            links.set(variant.linkTo, variant.linkFrom, variant.linkTime);
        }
    }
    return links;
}

std::vector<Ticks> JobReplay::measuredSpans(std::size_t replica) const
{
    std::vector<Ticks> spans;
    for (std::size_t step = 0; step < m_steps.size(); ++step)
        spans.push_back(m_spans[step * replicas() + replica]);
    return spans;
}

std::vector<Ticks> JobReplay::spans(std::size_t replica, std::span<const Variant> variants) const
{
    const LinkDelays links = linksOf(replica, variants);
    const bool sameLinks =
        std::none_of(variants.begin(), variants.end(), [replica](const Variant& one) {
            return one.freeLinks || one.usualLinks ||
                   one.linkReplica == static_cast<std::int32_t>(replica);
        });
    std::vector<Ticks> spans = measuredSpans(replica), times, ends;
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        const Cell cell{step, replica};
        const std::span<const Ticks> measured = durations(cell);
        times.assign(measured.begin(), measured.end());
        bool changed = !sameLinks;
        for (const Variant& one : variants) {
            const auto chosen = [](std::int32_t only, std::size_t which) {
                return only < 0 || static_cast<std::size_t>(only) == which;
            };
            const bool here =
                one.change && chosen(one.onlyReplica, replica) && chosen(one.onlyStep, step);
            if (here)
                one.change(cell, times);
            changed = changed || here;
        }
        if (changed)
            spans[step] = m_graphs[replica]->run(times, links, ends);
    }
    return spans;
}

double JobReplay::meanOf(const std::vector<std::vector<Ticks>>& spans) const
{
    double sum = 0;
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        Ticks longest = 0;
        for (const std::vector<Ticks>& replica : spans)
            longest = std::max(longest, replica[step]);
        sum += static_cast<double>(longest + m_job->steps[m_steps[step]].around);
    }
    return sum / static_cast<double>(m_steps.size());
}

double JobReplay::mean(const Variant& variant) const
{
    std::vector<std::vector<Ticks>> all;
    for (std::size_t r = 0; r < replicas(); ++r)
        all.push_back(touches(variant, r) ? spans(r, {&variant, 1}) : measuredSpans(r));
    double mean = meanOf(all);
    if (variant.usualAround)
        for (const std::size_t step : m_steps)
            mean += static_cast<double>(m_usualAround - m_job->steps[step].around) /
                    static_cast<double>(m_steps.size());
    return mean;
}

Ticks JobReplay::span(const Cell& cell, bool freeLinks) const
{
    if (!freeLinks)
        return m_spans[cell.step * replicas() + cell.replica];
    std::vector<Ticks> ends;
    return m_graphs[cell.replica]->run(durations(cell),
                                       LinkDelays(schedule(cell.replica).devices()), ends);
}

Ticks JobReplay::lateness(const Cell& cell, DeviceId device) const
{
    const OrderGraph& graph = *m_graphs[cell.replica];
    std::vector<Ticks> starts, ends;
    recorded(cell, starts, ends);
    Ticks late = 0;
    for (const EntryId entry : schedule(cell.replica).entries(device)) {
        const EntryId before = graph.before(entry);
        if (!before.valid())
            continue; // nobody knows when it could have begun
        Ticks ready = ends[before.index()];
        for (const OrderGraph::Arc& arc : graph.arcs(entry))
            ready = std::max(
                ready, ends[arc.producer.index()] +
                           (arc.from == device ? 0 : m_links[cell.replica].of(arc.from, device)));
        late += std::max<Ticks>(0, starts[entry.index()] - ready);
    }
    return late;
}

} // namespace pw

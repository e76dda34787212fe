// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/phases.h"

#include "core/sim/dependencies.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace pw {

namespace {

constexpr Ticks never = std::numeric_limits<Ticks>::max();

/// Calls for one or both passes of an entry.
template<typename Visit>
void visitPasses(const Schedule& schedule, EntryId entry, Visit visit)
{
    const Schedule::Places& places = schedule.places()[static_cast<std::size_t>(entry)];
    visit(places.first);
    if (places.second.valid())
        visit(places.second);
}

Ticks startOf(const SimResult& result, EntryId entry)
{
    return result.start[static_cast<std::size_t>(entry)];
}

Ticks endOf(const SimResult& result, EntryId entry)
{
    return result.end[static_cast<std::size_t>(entry)];
}

/// Counts of changes, one point a time.
std::vector<CountPoint> counted(std::vector<std::pair<Ticks, int>> changes)
{
    std::sort(changes.begin(), changes.end());
    std::vector<CountPoint> points{{0, 0}};
    for (const auto& [time, change] : changes) {
        if (time > points.back().time)
            points.push_back({time, points.back().count});
        points.back().count += change;
    }
    // Where as many come as go nothing is seen.
    const auto same = [](const CountPoint& a, const CountPoint& b) { return a.count == b.count; };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    return points;
}

/// The entries of a draft as a schedule has its own.
struct DraftEntries
{
    const Draft& draft;
    const DraftTimes& times;

    int devices() const { return draft.spec.devices; }
    EntryId begin(DeviceId device) const { return times.begin[device.index()]; }
    EntryId end(DeviceId device) const { return begin(device + 1); }
    const OrderEntry& entry(DeviceId device, EntryId index) const
    {
        return draft.orders[static_cast<std::size_t>(device)]
                           [static_cast<std::size_t>(index - begin(device))];
    }
};

template<typename Visit>
void visitKinds(const Schedule& schedule, DeviceId, EntryId entry, Visit visit)
{
    visitPasses(schedule, entry, [&](PassId id) { visit(schedule.kind(id)); });
}

template<typename Visit>
void visitKinds(const DraftEntries& entries, DeviceId device, EntryId index, Visit visit)
{
    const OrderEntry& entry = entries.entry(device, index);
    visit(entry.pass.kind);
    if (entry.paired)
        visit(entry.partner.kind);
}

template<typename Entries>
PhasesOf phasesBy(const Entries& entries, const SimResult& result)
{
    PhasesOf phases;
    bool first = true;
    for (const DeviceId device : Ids<DeviceId>(entries.devices())) {
        Phases& own = phases.devices.emplace_back();
        const EntryId begin = entries.begin(device), end = entries.end(device);
        if (begin == end)
            continue;
        own.start = startOf(result, begin);
        own.end = endOf(result, end - 1);
        own.steady = own.end;
        own.coolDown = own.start;
        for (const EntryId i : Ids<EntryId>(begin, end)) {
            visitKinds(entries, device, i, [&](PassKind kind) {
                if (isBackward(kind))
                    own.steady = std::min(own.steady, startOf(result, i));
                if (kind == PassKind::F)
                    own.coolDown = std::max(own.coolDown, endOf(result, i));
            });
        }
        own.coolDown = std::max(own.coolDown, own.steady);
        Phases& all = phases.all;
        all.start = first ? own.start : std::min(all.start, own.start);
        all.steady = first ? own.steady : std::max(all.steady, own.steady);
        all.coolDown = first ? own.coolDown : std::min(all.coolDown, own.coolDown);
        all.end = first ? own.end : std::max(all.end, own.end);
        first = false;
    }
    phases.all.coolDown = std::max(phases.all.coolDown, phases.all.steady);
    return phases;
}

template<typename Visit>
void visitWhole(const Schedule& schedule, DeviceId, EntryId entry, Visit visit)
{
    visitPasses(schedule, entry, [&](PassId id) { visit(schedule.pass(id)); });
}

template<typename Visit>
void visitWhole(const DraftEntries& entries, DeviceId device, EntryId index, Visit visit)
{
    const OrderEntry& entry = entries.entry(device, index);
    visit(entry.pass);
    if (entry.paired)
        visit(entry.partner);
}

template<typename Entries>
std::vector<CountPoint> inFlightBy(const Entries& entries, const SimResult& result, DeviceId device,
                                   const PipelineSpec& spec)
{
    const int count = spec.totalMicroBatches();
    std::vector<Ticks> from(static_cast<std::size_t>(count), never), to(from.size(), 0);
    for (const EntryId i : Ids<EntryId>(entries.begin(device), entries.end(device))) {
        visitWhole(entries, device, i, [&](const Pass& pass) {
            // A draft may name micro-batches that the spec does not have.
            if (pass.kind == PassKind::U || pass.microBatch < 0 || pass.microBatch >= count)
                return;
            const auto j = static_cast<std::size_t>(pass.microBatch);
            from[j] = std::min(from[j], startOf(result, i));
            to[j] = std::max(to[j], endOf(result, i));
        });
    }
    std::vector<std::pair<Ticks, int>> changes;
    for (std::size_t j = 0; j < from.size(); ++j) {
        if (from[j] == never)
            continue;
        changes.emplace_back(from[j], 1);
        changes.emplace_back(to[j], -1);
    }
    return counted(std::move(changes));
}

/// The latest ends of all entries with which the whole ends as it does, from the back.
class LatestEnds
{
public:
    LatestEnds(const Schedule& schedule, const Costs& costs, const SimResult& result)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_result(result)
        , m_dependencies(schedule)
        , m_latest(static_cast<std::size_t>(schedule.entryCount()), never)
        , m_open(m_latest.size(), 0)
    {
        m_end = result.end.empty() ? 0 : *std::max_element(result.end.begin(), result.end.end());
    }

    std::vector<Ticks> slack()
    {
        for (const EntryId i : m_schedule.entries())
            visit(i, [&](EntryId later, const auto&) { ++m_open[index(later)]; });
        // An entry is done when all that it bounds, and that bound it, are: here `m_open` counts
        // those before it, so the walk goes forward once and back along it.
        std::vector<EntryId> order;
        order.reserve(m_latest.size());
        for (const EntryId i : m_schedule.entries()) {
            if (m_open[index(i)] == 0)
                order.push_back(i);
        }
        for (std::size_t at = 0; at < order.size(); ++at) {
            visit(order[at], [&](EntryId later, const auto&) {
                if (--m_open[index(later)] == 0)
                    order.push_back(later);
            });
        }
        for (auto entry = order.rbegin(); entry != order.rend(); ++entry)
            settle(*entry);
        std::vector<Ticks> slack(m_latest.size());
        for (std::size_t i = 0; i < slack.size(); ++i)
            slack[i] = m_latest[i] - m_result.end[i];
        return slack;
    }

private:
    static std::size_t index(EntryId entry) { return static_cast<std::size_t>(entry); }

    Ticks latestStart(EntryId entry) const
    {
        return m_latest[index(entry)] - (endOf(m_result, entry) - startOf(m_result, entry));
    }

    /// Calls for every entry that starts after this one, with the latest end that its latest start
    /// leaves to this one.
    template<typename Visit>
    void visit(EntryId entry, Visit call)
    {
        const DeviceId device = m_schedule.device(m_schedule.places()[index(entry)].first);
        if (entry + 1 < m_schedule.end(device))
            call(entry + 1, [](Ticks start) { return start; });
        visitSendings(entry, entry, call);
        if (m_schedule.spec().messages == MessageRule::Committed)
            visitMeetings(entry, device, call);
    }

    template<typename Visit>
    void visitSendings(EntryId entry, EntryId bounded, Visit& call)
    {
        visitPasses(m_schedule, entry, [&](PassId id) {
            std::vector<PassId> consumers;
            m_dependencies.appendConsumers(id, consumers);
            const Pass pass = m_schedule.pass(id);
            const DeviceId from = m_schedule.device(id);
            for (const PassId consumer : consumers) {
                const EntryId later = m_schedule.entryOf(consumer);
                if (later == entry || later == bounded)
                    continue;
                const DeviceId to = m_schedule.device(consumer);
                const Bytes bytes = from == to ? 0
                                               : messageBytes(m_costs, m_schedule.spec(), pass,
                                                              m_schedule.kind(consumer));
                const auto back = [=, this](Ticks start) {
                    return latestSent(from, to, bytes, start);
                };
                call(later, back);
                // A blocking send holds the sender's next entry, too.
                if (m_schedule.spec().messages == MessageRule::Committed && from != to &&
                    m_schedule.kind(consumer) != PassKind::U && entry + 1 < m_schedule.end(from))
                    call(entry + 1, back);
            }
        });
    }

    /// Messages that an entry's device comes to receive behind it: their arrival is bounded by it,
    /// as well as by their sender.
    template<typename Visit>
    void visitMeetings(EntryId entry, DeviceId device, Visit& call)
    {
        const EntryId receive = entry + 1;
        if (receive >= m_schedule.end(device))
            return;
        visitPasses(m_schedule, receive, [&](PassId consumer) {
            std::vector<Dependency> needs;
            m_dependencies.append(consumer, needs);
            if (m_schedule.kind(consumer) == PassKind::U)
                return;
            for (const Dependency& need : needs) {
                if (!need.message)
                    continue;
                const DeviceId from = m_schedule.device(need.producer);
                const Bytes bytes =
                    messageBytes(m_costs, m_schedule.spec(), m_schedule.pass(need.producer),
                                 m_schedule.kind(consumer));
                const auto back = [=, this](Ticks start) {
                    return latestSent(from, device, bytes, start);
                };
                call(receive, back);
                const EntryId sender = m_schedule.entryOf(need.producer) + 1;
                if (sender < m_schedule.end(from) && sender != entry)
                    call(sender, back);
            }
        });
    }

    /// The latest time of sending with which a message is there at a time.
    Ticks latestSent(DeviceId from, DeviceId to, Bytes bytes, Ticks there) const
    {
        const Ticks nominal = nominalMessageTime(m_costs, m_schedule.spec(), from, to, bytes);
        if (m_costs.linkTrace.empty() || nominal == 0)
            return there - nominal;
        // A later message is never there earlier.
        Ticks low = -1, high = there;
        while (low < high) {
            const Ticks middle = low + (high - low + 1) / 2;
            if (arrival(m_costs, m_schedule.spec(), from, to, bytes, middle) <= there)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }

    void settle(EntryId entry)
    {
        Ticks latest = m_end;
        visit(entry, [&](EntryId later, const auto& back) {
            latest = std::min(latest, back(latestStart(later)));
        });
        m_latest[index(entry)] = latest;
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
    Dependencies m_dependencies;
    std::vector<Ticks> m_latest; // by entry
    std::vector<std::int32_t> m_open;
    Ticks m_end = 0;
};

} // namespace

PhasesOf phasesOf(const Schedule& schedule, const SimResult& result)
{
    return phasesBy(schedule, result);
}

PhasesOf phasesOf(const Draft& draft, const DraftTimes& times)
{
    return phasesBy(DraftEntries{draft, times}, times.times);
}

std::vector<EntryId> strandOf(const Schedule& schedule, const SimResult& result, int microBatch)
{
    std::vector<EntryId> strand;
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    if (microBatch < 0 || microBatch >= spec.totalMicroBatches())
        return strand;
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        for (int q = 0; q < spec.segments(); ++q) {
            for (std::int32_t slot = 0; slot < PassTable::slotsPerCell; ++slot) {
                const PassId id = table.at(table.cell(stage, microBatch, q), slot);
                if (schedule.has(id))
                    strand.push_back(schedule.entryOf(id));
            }
        }
    }
    std::sort(strand.begin(), strand.end());
    strand.erase(std::unique(strand.begin(), strand.end()), strand.end());
    std::stable_sort(strand.begin(), strand.end(),
                     [&](EntryId a, EntryId b) { return startOf(result, a) < startOf(result, b); });
    return strand;
}

std::vector<Ticks> slackOf(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    return LatestEnds(schedule, costs, result).slack();
}

std::vector<CountPoint> inFlight(const Schedule& schedule, const SimResult& result, DeviceId device)
{
    return inFlightBy(schedule, result, device, schedule.spec());
}

std::vector<CountPoint> inFlight(const Draft& draft, const DraftTimes& times, DeviceId device)
{
    return inFlightBy(DraftEntries{draft, times}, times.times, device, draft.spec);
}

std::vector<LinkUse> linkUse(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    std::map<std::pair<DeviceId, DeviceId>, LinkUse> uses;
    const Dependencies dependencies(schedule);
    const bool committed = schedule.spec().messages == MessageRule::Committed;
    std::vector<Dependency> needs;
    for (const EntryId i : schedule.entries()) {
        visitPasses(schedule, i, [&](PassId consumer) {
            needs.clear();
            dependencies.append(consumer, needs);
            for (const Dependency& need : needs) {
                if (!need.message)
                    continue;
                const DeviceId from = schedule.device(need.producer);
                const DeviceId to = schedule.device(consumer);
                Flight flight{need.producer, consumer, 0, 0, 0};
                flight.sent = endOf(result, schedule.entryOf(need.producer));
                if (committed && i > schedule.begin(to) && schedule.kind(consumer) != PassKind::U)
                    flight.sent = std::max(flight.sent, endOf(result, i - 1));
                flight.bytes = messageBytes(costs, schedule.spec(), schedule.pass(need.producer),
                                            schedule.kind(consumer));
                flight.there = arrival(costs, schedule.spec(), from, to, flight.bytes, flight.sent);
                LinkUse& use = uses[{from, to}];
                use.from = from;
                use.to = to;
                use.flights.push_back(flight);
            }
        });
    }
    std::vector<LinkUse> all;
    for (auto& [pair, use] : uses) {
        std::stable_sort(use.flights.begin(), use.flights.end(),
                         [](const Flight& a, const Flight& b) { return a.sent < b.sent; });
        std::vector<std::pair<Ticks, int>> changes;
        for (const Flight& flight : use.flights) {
            if (flight.there == flight.sent)
                continue;
            changes.emplace_back(flight.sent, 1);
            changes.emplace_back(flight.there, -1);
        }
        if (!changes.empty())
            use.onTheWay = counted(std::move(changes));
        all.push_back(std::move(use));
    }
    return all;
}

} // namespace pw

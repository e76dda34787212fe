// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/order_search.h"

#include "core/lesson/order_classes.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace pw {

namespace {

constexpr Ticks never = std::numeric_limits<Ticks>::max() / 4;

/// Names a state; two that are equal in all that is still to come have the same name.
using StateName = std::pair<std::uint64_t, std::uint64_t>;

struct StateHash
{
    std::size_t operator()(const StateName& name) const
    {
        return static_cast<std::size_t>(name.first);
    }
};

class Naming
{
public:
    void add(std::int64_t value)
    {
        const auto bits = static_cast<std::uint64_t>(value);
        m_name.first = mix(m_name.first ^ (bits + 0x9e3779b97f4a7c15ULL));
        m_name.second = mix(m_name.second + (bits ^ 0xc2b2ae3d27d4eb4fULL) * 0x165667b19e3779f9ULL);
    }
    const StateName& name() const { return m_name; }

private:
    static std::uint64_t mix(std::uint64_t x)
    {
        x ^= x >> 30;
        x *= 0xbf58476d1ce4e5b9ULL;
        x ^= x >> 27;
        x *= 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

    StateName m_name{0x243f6a8885a308d3ULL, 0x13198a2e03707344ULL};
};

/// Depth-first through all orders, by time.
class OrderSearch
{
public:
    OrderSearch(const OrderSpace& space, Ticks latest, Share cap, std::int64_t mostNodes)
        : m_table(space)
        , m_classes(m_table.classes)
        , m_latest(latest)
        , m_cap(cap)
        , m_mostNodes(mostNodes)
        , m_done(m_classes.size(), 0)
        , m_ends(m_classes.size())
        , m_devices(static_cast<std::size_t>(space.spec.devices))
    {
        Share all = 0;
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            const PassClass& one = m_classes[c];
            m_ends[c].resize(static_cast<std::size_t>(one.count));
            m_devices[static_cast<std::size_t>(one.device)].classes.push_back(static_cast<int>(c));
            all += std::max<Share>(one.change, 0) * one.count;
        }
        m_uncapped = cap >= all;
        readFixed(space);
    }

    const Sentence& problem() const { return m_problem; }

    OrderAnswer run(const OrderSpace& space)
    {
        OrderAnswer answer;
        const bool found = look();
        answer.finished = found || !m_stopped;
        answer.nodes = m_nodes;
        if (found)
            answer.order = orders(space.spec);
        return answer;
    }

private:
    struct Device
    {
        std::vector<int> classes;
        std::vector<int> fixed; ///< classes that have to come first
        std::size_t next = 0;   ///< of `fixed`
        Ticks free = 0;
        Ticks waited = -1; ///< time at which it chose to wait; below `free`: it did not
        Share held = 0;
        std::vector<std::pair<int, int>> order; ///< class, how many of it were before
    };

    void readFixed(const OrderSpace& space)
    {
        for (std::size_t d = 0; d < space.fixed.size() && d < m_devices.size(); ++d) {
            std::vector<int> seen(m_classes.size(), 0);
            for (const OrderEntry& entry : space.fixed[d]) {
                const int c = entry.paired ? -1
                                           : m_table.find(entry.pass.kind, entry.pass.route,
                                                          entry.pass.stage, entry.pass.segment);
                if (c < 0 || microBatch(space.spec, c, seen[static_cast<std::size_t>(c)]++) !=
                                 entry.pass.microBatch) {
                    m_problem = said("%1 is fixed out of sequence; a search takes fixed passes "
                                     "whose micro-batches count up",
                                     describe(entry.pass, space.spec));
                    return;
                }
                m_devices[d].fixed.push_back(c);
            }
        }
    }

    int microBatch(const PipelineSpec& spec, int c, int place) const
    {
        for (int j = 0; j < spec.microBatches; ++j) {
            if (spec.route(j) == m_classes[static_cast<std::size_t>(c)].route && place-- == 0)
                return j;
        }
        return -1;
    }

    DeviceOrders orders(const PipelineSpec& spec) const
    {
        DeviceOrders all;
        for (const Device& device : m_devices) {
            all.emplace_back();
            for (const auto& [c, place] : device.order) {
                const PassClass& one = m_classes[static_cast<std::size_t>(c)];
                all.back().push_back(
                    single({one.kind, static_cast<std::uint8_t>(one.route), StageId(one.stage),
                            microBatch(spec, c, place), one.segment}));
            }
        }
        return all;
    }

    /// When the next pass of a class has all that it waits for; `never`: not known yet.
    Ticks arrival(int c) const
    {
        const PassClass& one = m_classes[static_cast<std::size_t>(c)];
        const auto place = static_cast<std::size_t>(m_done[static_cast<std::size_t>(c)]);
        Ticks time = 0;
        for (const auto& [before, hop] : one.waitsFor) {
            const auto b = static_cast<std::size_t>(before);
            if (static_cast<std::size_t>(m_done[b]) <= place)
                return never;
            time = std::max(time, m_ends[b][place] + hop);
        }
        return time;
    }

    bool open(int c) const
    {
        return m_done[static_cast<std::size_t>(c)] < m_classes[static_cast<std::size_t>(c)].count;
    }

    /// Whether a class may come next where the first passes of its device are fixed.
    bool allowed(const Device& device, int c) const
    {
        return device.next >= device.fixed.size() || device.fixed[device.next] == c;
    }

    /// When a device next has something to choose.
    Ticks decision(const Device& device) const
    {
        Ticks time = never;
        for (const int c : device.classes) {
            if (!open(c) || !allowed(device, c))
                continue;
            const Ticks at = arrival(c);
            if (at == never || (device.waited >= device.free && at <= device.waited))
                continue;
            time = std::min(time, std::max(at, device.free));
        }
        return time;
    }

    /// The earliest that the next pass of every class can start, in `m_early`; false where the
    /// deadline cannot be met any more.
    bool bound(Ticks now)
    {
        m_early.resize(m_classes.size());
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            const PassClass& one = m_classes[c];
            const int place = m_done[c];
            if (place >= one.count) {
                m_early[c] = never;
                continue;
            }
            const Device& device = m_devices[static_cast<std::size_t>(one.device)];
            const bool waits = device.waited >= device.free;
            Ticks early = std::max(device.free, waits ? device.waited + 1 : now);
            for (const auto& [before, hop] : one.waitsFor) {
                const auto b = static_cast<std::size_t>(before);
                if (m_done[b] > place)
                    early = std::max(early, m_ends[b][static_cast<std::size_t>(place)] + hop);
                else
                    early = std::max(
                        early, m_early[b] + m_classes[b].duration * (place - m_done[b] + 1) + hop);
            }
            m_early[c] = early;
            if (early + one.duration * (one.count - place) + one.tail > m_latest)
                return false;
        }
        return std::all_of(m_devices.begin(), m_devices.end(),
                           [this](const Device& device) { return fits(device); });
    }

    /// Whether the work of a device fits between heads and tails, for every set of its classes
    /// that a head and a tail bound.
    bool fits(const Device& device) const
    {
        for (const int head : device.classes) {
            if (!open(head))
                continue;
            const Ticks from = m_early[static_cast<std::size_t>(head)];
            for (const int last : device.classes) {
                if (!open(last))
                    continue;
                const Ticks tail = m_classes[static_cast<std::size_t>(last)].tail;
                Ticks work = 0;
                for (const int c : device.classes) {
                    const PassClass& one = m_classes[static_cast<std::size_t>(c)];
                    if (open(c) && m_early[static_cast<std::size_t>(c)] >= from && one.tail >= tail)
                        work += one.duration * (one.count - m_done[static_cast<std::size_t>(c)]);
                }
                if (work > 0 && from + work + tail > m_latest)
                    return false;
            }
        }
        return true;
    }

    StateName nameOf(Ticks now) const
    {
        Naming naming;
        const auto relative = [&](Ticks time) { return std::max<Ticks>(time - now, -1); };
        for (const int done : m_done)
            naming.add(done);
        for (const Device& device : m_devices) {
            const bool waits = device.waited >= device.free;
            naming.add(std::max<Ticks>(device.free - now, 0));
            naming.add(waits ? relative(device.waited) + 2 : 0);
        }
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            for (const auto& [before, hop] : m_classes[c].waitsFor) {
                const auto b = static_cast<std::size_t>(before);
                for (int i = m_done[c]; i < m_done[b]; ++i)
                    naming.add(relative(m_ends[b][static_cast<std::size_t>(i)] + hop));
            }
        }
        return naming.name();
    }

    void start(Device& device, int c, Ticks now)
    {
        const PassClass& one = m_classes[static_cast<std::size_t>(c)];
        int& done = m_done[static_cast<std::size_t>(c)];
        m_ends[static_cast<std::size_t>(c)][static_cast<std::size_t>(done)] = now + one.duration;
        device.order.emplace_back(c, done);
        ++done;
        ++m_started;
        device.free = now + one.duration;
        device.held += one.change;
        if (device.next < device.fixed.size())
            ++device.next;
    }

    /// Whether a device gains nothing by waiting at a time instead of running this class.
    bool needlessWait(const Device& device, int c, Ticks now) const
    {
        const PassClass& one = m_classes[static_cast<std::size_t>(c)];
        if (one.change > 0 && !m_uncapped)
            return false;
        for (const int other : device.classes) {
            if (!open(other) || (arrival(other) <= now))
                continue;
            if (m_early[static_cast<std::size_t>(other)] < now + one.duration)
                return false;
        }
        return true;
    }

    bool finishedAll() const
    {
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            if (m_done[c] < m_classes[c].count)
                return false;
        }
        return true;
    }

    /// Whether the order can be completed from here; true: it is.
    bool look()
    {
        if (++m_nodes > m_mostNodes) {
            m_stopped = true;
            return false;
        }
        Ticks now = never;
        std::size_t at = 0;
        for (std::size_t d = 0; d < m_devices.size(); ++d) {
            const Ticks time = decision(m_devices[d]);
            if (time < now) {
                now = time;
                at = d;
            }
        }
        if (now == never)
            return finishedAll();
        if (!bound(now))
            return false;
        const StateName name = nameOf(now);
        const auto [known, isNew] = m_refuted.try_emplace(name, never);
        if (!isNew && known->second <= now)
            return false;
        if (choose(m_devices[at], now))
            return true;
        if (!m_stopped)
            m_refuted[name] = now;
        return false;
    }

    /// Every pass that the device can start now, backwards first; then that it waits.
    bool choose(Device& device, Ticks now)
    {
        std::vector<std::pair<int, int>> ready; // rank, class
        bool more = false;                      // something comes later
        for (const int c : device.classes) {
            if (!open(c))
                continue;
            const Ticks time = arrival(c);
            if (time > now) {
                more = true;
                continue;
            }
            if (!allowed(device, c) || (device.waited >= device.free && time <= device.waited))
                continue;
            const PassClass& one = m_classes[static_cast<std::size_t>(c)];
            if (one.change > 0 && device.held + one.change > m_cap)
                continue;
            const int rank = isBackward(one.kind)      ? 0
                             : one.kind == PassKind::R ? 1
                             : one.kind == PassKind::F ? 2
                                                       : 3;
            ready.emplace_back(rank, c);
        }
        std::sort(ready.begin(), ready.end());
        for (const auto& [rank, c] : ready) {
            if (more)
                more = !needlessWait(device, c, now);
        }
        const Device before = device;
        for (const auto& [rank, c] : ready) {
            start(device, c, now);
            if (look())
                return true;
            device = before;
            --m_done[static_cast<std::size_t>(c)];
            --m_started;
            if (m_stopped)
                return false;
        }
        // Also where nothing may start: a cap that is reached, or passes that are fixed.
        if (!more)
            return false;
        device.waited = now;
        if (look())
            return true;
        device = before;
        return false;
    }

    ClassTable m_table;
    const std::vector<PassClass>& m_classes;
    Ticks m_latest;
    Share m_cap;
    std::int64_t m_mostNodes;
    std::int64_t m_nodes = 0;
    std::int64_t m_started = 0;
    bool m_stopped = false;
    bool m_uncapped = false;
    std::vector<int> m_done;                // by class
    std::vector<std::vector<Ticks>> m_ends; // by class and place
    std::vector<Ticks> m_early;             // by class, of the state in hand
    std::vector<Device> m_devices;
    std::unordered_map<StateName, Ticks, StateHash> m_refuted; // the earliest time
    Sentence m_problem;
};

} // namespace

Result<OrderAnswer> findOrder(const OrderSpace& space, Ticks latest, Share cap,
                              std::int64_t mostNodes)
{
    const PipelineSpec& spec = space.spec;
    if (spec.steps != 1 || spec.updates || spec.updateRule != UpdateRule::Flush ||
        spec.messages != MessageRule::Early)
        return fail(
            ErrorCode::BadValue,
            "only orders of one step, without updates and with early messages, can be searched");
    if (!space.costs.single.empty() || !space.costs.linkTrace.empty())
        return fail(ErrorCode::BadValue,
                    "only orders whose micro-batches take the same times can be searched");
    for (const PassClass& one : ClassTable(space).classes) {
        if (one.duration < 1)
            return fail(ErrorCode::BadValue,
                        "a pass takes no time; a search needs at least 1 ns for each");
    }
    OrderSearch search(space, latest, cap, mostNodes);
    if (!search.problem().empty())
        return fail(ErrorCode::BadValue, search.problem());
    return search.run(space);
}

Ticks serialTime(const OrderSpace& space)
{
    Ticks time = 0;
    for (const PassClass& one : ClassTable(space).classes) {
        Ticks hops = 0;
        for (const auto& [before, hop] : one.waitsFor)
            hops += hop;
        time += (one.duration + hops) * one.count;
    }
    return time;
}

} // namespace pw

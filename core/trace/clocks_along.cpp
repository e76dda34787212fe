// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/clocks_along.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// Offsets without drift for all devices at once: a message says by how much one is below another
/// at most, so the largest and the least of each are shortest ways, and what lies in the middle
/// between both keeps to all messages, too.
class Offsets
{
public:
    Offsets(std::span<const ClockMessage> messages, std::size_t devices)
        : m_above(devices)
        , m_below(devices)
    {
        std::map<std::pair<DeviceId, DeviceId>, Ticks> tightest;
        for (const ClockMessage& message : messages) {
            const auto [at, made] =
                tightest.try_emplace({message.from, message.to}, -message.early());
            at->second = std::min(at->second, -message.early());
        }
        for (const auto& [pair, room] : tightest) {
            m_above[pair.second.index()].push_back({pair.first.index(), room});
            m_below[pair.first.index()].push_back({pair.second.index(), room});
        }
    }

    /// By device; nothing where no offsets do, or messages bound one of them on one side alone. Of
    /// devices that nothing connects with device 0 it is 0.
    std::optional<std::vector<Ticks>> find() const
    {
        const std::optional<Ways> most = shortest(m_above), least = shortest(m_below);
        if (!most || !least)
            return std::nullopt;
        std::vector<Ticks> middle(most->size(), 0);
        for (std::size_t i = 0; i < middle.size(); ++i) {
            if ((*most)[i].has_value() != (*least)[i].has_value())
                return std::nullopt;
            if ((*most)[i])
                middle[i] = (*(*most)[i] - *(*least)[i]) / 2;
        }
        return middle;
    }

private:
    struct Way
    {
        std::size_t to;
        Ticks length;
    };
    using Ways = std::vector<std::optional<Ticks>>;

    /// From device 0; nothing where a round has a length below 0 (R. Bellman 1958, with a queue).
    static std::optional<Ways> shortest(const std::vector<std::vector<Way>>& ways)
    {
        Ways found(ways.size());
        std::vector<std::size_t> taken(ways.size(), 0);
        std::vector<bool> waits(ways.size(), false);
        std::deque<std::size_t> waiting = {0};
        found[0] = 0;
        while (!waiting.empty()) {
            const std::size_t at = waiting.front();
            waiting.pop_front();
            waits[at] = false;
            if (++taken[at] > ways.size())
                return std::nullopt;
            for (const Way& way : ways[at]) {
                const Ticks length = *found[at] + way.length;
                if (found[way.to] && *found[way.to] <= length)
                    continue;
                if (way.to == 0)
                    return std::nullopt;
                found[way.to] = length;
                if (!waits[way.to])
                    waiting.push_back(way.to);
                waits[way.to] = true;
            }
        }
        return found;
    }

    std::vector<std::vector<Way>> m_above; // by device: who is above it by that at most
    std::vector<std::vector<Way>> m_below;
};

/// The device itself, and all others that have their clocks, in the messages of a single device.
constexpr DeviceId otherSide{0}, ownSide{1};

class ClocksAlong
{
public:
    ClocksAlong(std::span<const ClockMessage> messages, AlignedClocks& clocks)
        : m_messages(messages)
        , m_clocks(clocks)
        , m_of(clocks.ranks.size())
        , m_found(clocks.ranks.size(), false)
    {
        for (std::size_t i = 0; i < messages.size(); ++i)
            for (const DeviceId end : {messages[i].from, messages[i].to})
                m_of[end.index()].push_back(i);
    }

    bool run()
    {
        std::vector<DeviceId> waiting = {DeviceId(0)};
        m_found[0] = true;
        // The queue grows while it is walked: breadth first, so that errors add up along few.
        for (std::size_t next = 0; next < waiting.size(); ++next)
            for (const std::size_t i : m_of[waiting[next].index()])
                for (const DeviceId end : {m_messages[i].from, m_messages[i].to}) {
                    if (m_found[end.index()])
                        continue;
                    if (!find(end))
                        return false;
                    m_found[end.index()] = true;
                    waiting.push_back(end);
                }
        return true;
    }

private:
    /// A message of a device with one that has its clock, as between two devices.
    ClockMessage between(const ClockMessage& message, DeviceId device) const
    {
        ClockMessage two = message;
        const bool sends = message.from == device;
        two.from = sends ? ownSide : otherSide;
        two.to = sends ? otherSide : ownSide;
        const DeviceId other = sends ? message.to : message.from;
        Ticks& time = sends ? two.received : two.sent;
        time = m_clocks.ranks[other.index()].corrected(time);
        return two;
    }

    bool find(DeviceId device)
    {
        RankClock& clock = m_clocks.ranks[device.index()];
        std::vector<ClockMessage> all;
        std::vector<std::size_t> from;
        ClockWindow window;
        std::optional<DeviceId> neighbour; // where there is only one
        bool several = false;
        for (const std::size_t i : m_of[device.index()]) {
            const DeviceId other =
                m_messages[i].from == device ? m_messages[i].to : m_messages[i].from;
            if (!m_found[other.index()])
                continue;
            several = several || (neighbour && *neighbour != other);
            neighbour = other;
            const ClockMessage& one = all.emplace_back(between(m_messages[i], device));
            from.push_back(i);
            const Ticks time = one.from == otherSide ? one.sent : one.received;
            window.first = from.size() == 1 ? time : std::min(window.first, time);
            window.last = from.size() == 1 ? time : std::max(window.last, time);
        }
        const std::vector<ClockWindow> windows = {window, {clock.first, clock.last}};
        AlignedClocks two = alignClocks(all, windows, m_clocks.grain);
        if (!isAligned(two)) {
            if (!several && throughNeighbour(device, *neighbour))
                return true;
            std::vector<ClockMessage> contradiction;
            for (const ClockMessage& one : two.contradiction)
                contradiction.push_back(m_messages[from[static_cast<std::size_t>(
                    std::find(all.begin(), all.end(), one) - all.begin())]]);
            fail(device, contradiction);
            return false;
        }
        clock.atFirst.value = two.ranks[ownSide.index()].atFirst.value;
        clock.atLast.value = two.ranks[ownSide.index()].atLast.value;
        clock.drift = two.ranks[ownSide.index()].drift;
        return true;
    }

    static bool isAligned(const AlignedClocks& clocks)
    {
        return clocks.outcome == ClockOutcome::Kept || clocks.outcome == ClockOutcome::Shifted;
    }

    /// The device's clock against its only neighbour's own, and that one's correction on top: along
    /// a chain errors of drifts may add up to more than is believed of one clock.
    bool throughNeighbour(DeviceId device, DeviceId other)
    {
        const AlignedClocks two = alone(device, other);
        if (!isAligned(two))
            return false;
        RankClock& clock = m_clocks.ranks[device.index()];
        const RankClock& before = m_clocks.ranks[other.index()];
        const RankClock& step = two.ranks[ownSide.index()];
        clock.atFirst.value = before.corrected(step.corrected(clock.first)) - clock.first;
        clock.atLast.value = before.corrected(step.corrected(clock.last)) - clock.last;
        constexpr double millionths = 1e6;
        if (clock.last > clock.first)
            clock.drift = millionths *
                          static_cast<double>(clock.atLast.value - clock.atFirst.value) /
                          static_cast<double>(clock.last - clock.first);
        return true;
    }

    /// What two devices say of each other, whatever the others' clocks are.
    AlignedClocks alone(DeviceId device, DeviceId other) const
    {
        std::vector<ClockMessage> all;
        std::vector<std::size_t> from;
        for (const std::size_t i : m_of[device.index()]) {
            ClockMessage one = m_messages[i];
            if (one.from != other && one.to != other)
                continue;
            const bool sends = one.from == device;
            one.from = sends ? ownSide : otherSide;
            one.to = sends ? otherSide : ownSide;
            all.push_back(one);
            from.push_back(i);
        }
        const RankClock& first = m_clocks.ranks[other.index()];
        const RankClock& second = m_clocks.ranks[device.index()];
        const std::vector<ClockWindow> windows = {{first.first, first.last},
                                                  {second.first, second.last}};
        AlignedClocks two = alignClocks(all, windows, m_clocks.grain);
        for (ClockMessage& one : two.contradiction)
            one = m_messages[from[static_cast<std::size_t>(std::find(all.begin(), all.end(), one) -
                                                           all.begin())]];
        return two;
    }

    /// Messages of two devices that contradict each other do so whatever the others' clocks are;
    /// else those that were found before may be at fault.
    void fail(DeviceId device, const std::vector<ClockMessage>& contradiction)
    {
        for (const ClockMessage& one : contradiction) {
            const AlignedClocks two = alone(device, one.from == device ? one.to : one.from);
            if (two.outcome != ClockOutcome::Unsolvable)
                continue;
            m_clocks.outcome = ClockOutcome::Unsolvable;
            m_clocks.text = two.text;
            m_clocks.contradiction = two.contradiction;
            return;
        }
        m_clocks.text = "the clocks could not be aligned one after the other: those that were "
                        "found leave device " +
                        std::to_string(device.value) + " without one; nothing is shifted";
    }

    std::span<const ClockMessage> m_messages;
    AlignedClocks& m_clocks;
    std::vector<std::vector<std::size_t>> m_of; // messages, by device
    std::vector<bool> m_found;                  // by device
};

} // namespace

bool alignAlong(std::span<const ClockMessage> messages, AlignedClocks& clocks)
{
    if (const auto offsets = Offsets(messages, clocks.ranks.size()).find()) {
        for (std::size_t i = 0; i < offsets->size(); ++i)
            clocks.ranks[i].atFirst.value = clocks.ranks[i].atLast.value = (*offsets)[i];
        return true;
    }
    return ClocksAlong(messages, clocks).run();
}

} // namespace pw

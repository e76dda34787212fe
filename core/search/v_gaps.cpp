// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/base/stop.h"
#include "core/search/v_greedy.h"

#include <queue>

#include <algorithm>

namespace pw {

namespace {

struct Manner
{
    bool weightsYield = false; ///< a W at the head lets a ready B or F go first
    bool patient = false; ///< a pass that would delay the head's known arrival stays where it is
};

/// Runs an order in time; a device that waits takes the first later pass that may start.
class GapRun
{
public:
    GapRun(const VProblem& problem, const VOrder& order, int limit, Manner manner)
        : m_problem(problem)
        , m_base(order)
        , m_limit(limit)
        , m_manner(manner)
        , m_lanes(at(order.devices()))
        , m_result(order.devices(), order.microBatches())
    {
        m_end.assign(at(order.devices()) * at(order.microBatches()) * 4, unknown);
        for (const DeviceId i : Ids<DeviceId>(order.devices()))
            m_lanes[at(i)].taken.assign(at(order.length()), 0);
    }

    const VOrder& run()
    {
        for (const DeviceId i : Ids<DeviceId>(m_base.devices()))
            m_wakes.push({0, i});
        while (!m_wakes.empty()) {
            const auto [time, device] = m_wakes.top();
            m_wakes.pop();
            Lane& lane = m_lanes[at(device)];
            if (lane.head < m_base.length() && time >= lane.clock)
                decide(device, time);
        }
        for (const auto& lane : m_lanes)
            PW_ASSERT(lane.done == m_base.length());
        return m_result;
    }

private:
    static constexpr Ticks unknown = -1;
    static constexpr int window = 48; // entries of the order that a waiting device looks ahead

    struct Lane
    {
        Ticks clock = 0;
        Ticks wake = 0; // the next time it decides
        int live = 0;
        int head = 0; // first entry of the base order that has not run
        int done = 0;
        std::array<int, vRowCount> count{};
        std::vector<char> taken;
    };

    struct Wake
    {
        Ticks time;
        DeviceId device;
        bool operator<(const Wake& other) const
        {
            return time != other.time ? time > other.time : device > other.device;
        }
    };

    Ticks& end(VRow row, DeviceId device, int microBatch)
    {
        const int r = static_cast<int>(row);
        return m_end[(at(r) * at(m_base.devices()) + at(device)) * at(m_base.microBatches()) +
                     at(microBatch)];
    }

    /// When the next pass of a row may start as far as messages go; unknown while its sender has
    /// not begun.
    Ticks arrival(VRow row, DeviceId device)
    {
        const Lane& lane = m_lanes[at(device)];
        const int microBatch = lane.count[static_cast<std::size_t>(row)];
        if (isWeight(row)) {
            const auto backward = static_cast<std::size_t>(row) - 2;
            return lane.count[backward] > microBatch ? 0 : unknown;
        }
        const bool down = row == VRow::F0 || row == VRow::B1;
        const DeviceId neighbour(down ? device - 1 : device + 1);
        const int p = m_base.devices();
        if (neighbour >= 0 && neighbour < p) {
            const Ticks sent = end(row, neighbour, microBatch);
            if (sent == unknown)
                return unknown;
            const StageId stage = stageOf(row, device, p);
            return sent + (isForward(row) ? m_problem.activationLatency[at(stage - 1)]
                                          : m_problem.gradientLatency[at(stage)]);
        }
        if (row == VRow::F0)
            return 0;
        return end(static_cast<VRow>(static_cast<int>(row) - 1), device, microBatch);
    }

    void decide(DeviceId device, Ticks now)
    {
        Lane& lane = m_lanes[at(device)];
        const auto rows = m_base.device(device);
        std::array<char, vRowCount> seen{};
        int rowsSeen = 0;
        int live = lane.live;
        int highest = live;
        Ticks headArrival = unknown;
        Ticks nextArrival = unknown;
        int fallback = -1;
        bool first = true;
        const int stop = std::min(m_base.length(), lane.head + window);
        for (int k = lane.head; k < stop && rowsSeen < vRowCount; ++k) {
            if (lane.taken[at(k)])
                continue;
            const VRow row = rows[at(k)];
            auto& again = seen[static_cast<std::size_t>(row)];
            if (!again) {
                again = 1;
                ++rowsSeen;
                const Ticks ready = arrival(row, device);
                const bool fits = !isForward(row) || highest + 1 <= m_limit;
                if (ready != unknown && ready <= now && fits) {
                    if (first && !(m_manner.weightsYield && isWeight(row))) {
                        start(device, k, now);
                        return;
                    }
                    const bool delays = m_manner.patient && headArrival != unknown &&
                                        now + m_problem.duration(row, device) > headArrival;
                    if (!delays && !(m_manner.weightsYield && isWeight(row))) {
                        start(device, k, now);
                        return;
                    }
                    if (!delays && fallback < 0)
                        fallback = k;
                } else if (ready != unknown && ready > now) {
                    if (nextArrival == unknown || ready < nextArrival)
                        nextArrival = ready;
                }
                if (first)
                    headArrival = ready;
            }
            first = false;
            live += isForward(row) ? 1 : (isWeight(row) ? -1 : 0);
            highest = std::max(highest, live);
        }
        if (fallback >= 0)
            start(device, fallback, now);
        else if (nextArrival != unknown)
            wake(device, nextArrival, now);
    }

    /// Has a device decide again at a time, unless it does so by then anyway.
    void wake(DeviceId device, Ticks time, Ticks now)
    {
        Lane& lane = m_lanes[at(device)];
        if (lane.wake > now && lane.wake <= time)
            return;
        lane.wake = time;
        m_wakes.push({time, device});
    }

    void start(DeviceId device, int position, Ticks now)
    {
        Lane& lane = m_lanes[at(device)];
        const VRow row = m_base.device(device)[at(position)];
        lane.taken[at(position)] = 1;
        while (lane.head < m_base.length() && lane.taken[at(lane.head)])
            ++lane.head;
        m_result.device(device)[at(lane.done++)] = row;
        const int microBatch = lane.count[static_cast<std::size_t>(row)]++;
        lane.live += isForward(row) ? 1 : (isWeight(row) ? -1 : 0);
        lane.clock = now + m_problem.duration(row, device);
        lane.wake = lane.clock;
        m_wakes.push({lane.clock, device});
        if (isWeight(row))
            return;
        end(row, device, microBatch) = lane.clock;
        // Its receiver may be waiting: it wakes when the message is there.
        const bool down = row == VRow::F0 || row == VRow::B1;
        const DeviceId next(down ? device + 1 : device - 1);
        if (next >= 0 && next < m_base.devices() &&
            m_lanes[at(next)].count[static_cast<std::size_t>(row)] == microBatch) {
            wake(next, std::max(arrival(row, next), m_lanes[at(next)].clock), now);
        }
    }

    const VProblem& m_problem;
    const VOrder& m_base;
    int m_limit;
    Manner m_manner;
    std::vector<Lane> m_lanes;
    std::vector<Ticks> m_end; // [row 0…3][device][micro-batch]
    std::priority_queue<Wake> m_wakes;
    VOrder m_result;
};

} // namespace

VOrder fillGaps(const VProblem& problem, const VOrder& order, int limit, VAim aim)
{
    VTimer timer;
    VOrder best = order;
    const auto given = timer.measure(problem, order);
    PW_ASSERT(given && given->peak <= limit);
    VFigures bestFigures = *given;
    constexpr Manner manners[] = {{false, true}, {true, true}, {false, false}, {true, false}};
    constexpr int rounds = 6;
    bool better = true;
    for (int round = 0; round < rounds && better && !stopAsked(); ++round) {
        const VOrder base = best;
        const Ticks before = bestFigures.of(aim);
        for (const Manner manner : manners) {
            GapRun attempt(problem, base, limit, manner);
            const VOrder& tried = attempt.run();
            const auto figures = timer.measure(problem, tried);
            if (figures && figures->peak <= limit && figures->betterThan(bestFigures, aim)) {
                best = tried;
                bestFigures = *figures;
            }
        }
        better = bestFigures.of(aim) < before;
    }
    return best;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_greedy.h"

#include "core/base/index.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace pw {

namespace {

/// One construction of a ZB-V under one choice of its flags.
class GreedyZbV
{
public:
    struct Choice
    {
        bool fillBeforeForward = true;  ///< a W may open a gap before a forward
        bool fillBeforeBackward = true; ///< a W may open a gap before a B1
        std::vector<Ticks> allowed; ///< idle time that each device reached before; empty: unknown
    };

    GreedyZbV(const VProblem& problem, int limit, const Choice& choice)
        : m_problem(problem)
        , m_limit(limit)
        , m_choice(choice)
        , m_lanes(at(problem.devices))
        , m_order(problem.devices, problem.microBatches)
    {
        m_end.assign(at(problem.devices) * at(problem.microBatches) * 4, unknown);
        for (const Ticks idle : choice.allowed)
            m_mostAllowed = std::max(m_mostAllowed, idle);
    }

    /// False where memory or the order of forwards does not work out.
    bool build()
    {
        warmUp();
        for (int before = -1; m_ok && m_placed != before;) {
            before = m_placed;
            backwardRound();
            forwardRound();
        }
        for (DeviceId i(0); m_ok && i < m_problem.devices; ++i) {
            while (!m_lanes[at(i)].owed.empty())
                putWeight(i);
            m_ok = m_ok && m_lanes[at(i)].size == at(m_order.length());
        }
        return m_ok;
    }

    const VOrder& order() const { return m_order; }
    Ticks mostIdle() const { return mostIdleFor(DeviceId::none()); }
    std::vector<Ticks> idle() const
    {
        std::vector<Ticks> list;
        for (const auto& lane : m_lanes)
            list.push_back(lane.idle);
        return list;
    }

private:
    static constexpr Ticks unknown = -1;

    struct Lane
    {
        Ticks clock = 0;
        Ticks idle = 0; // since the first F0
        int live = 0;
        std::size_t size = 0;
        std::array<int, vRowCount> count{};
        std::deque<VRow> owed; // W that may run
    };

    int count(DeviceId device, VRow row) const
    {
        return m_lanes[at(device)].count[static_cast<std::size_t>(row)];
    }

    Ticks& end(VRow row, DeviceId device, int microBatch)
    {
        const int r = static_cast<int>(row);
        return m_end[(at(r) * at(m_problem.devices) + at(device)) * at(m_problem.microBatches) +
                     at(microBatch)];
    }

    /// When the message of the device's next pass of a row is there: 0 if it needs none, nothing if
    /// it was not sent.
    std::optional<Ticks> arrival(VRow row, DeviceId device)
    {
        const int microBatch = count(device, row);
        if (microBatch >= m_problem.microBatches)
            return std::nullopt;
        const bool down = row == VRow::F0 || row == VRow::B1;
        const DeviceId neighbour(down ? device - 1 : device + 1);
        const int p = m_problem.devices;
        if (neighbour >= 0 && neighbour < p) {
            const Ticks sent = end(row, neighbour, microBatch);
            if (sent == unknown)
                return std::nullopt;
            const StageId stage = stageOf(row, device, p);
            return sent + (isForward(row) ? m_problem.activationLatency[at(stage - 1)]
                                          : m_problem.gradientLatency[at(stage)]);
        }
        if (row == VRow::F0)
            return 0;
        const Ticks before = end(static_cast<VRow>(static_cast<int>(row) - 1), device, microBatch);
        if (before == unknown)
            return std::nullopt;
        return before;
    }

    void put(VRow row, DeviceId device)
    {
        Lane& lane = m_lanes[at(device)];
        const bool forward = isForward(row);
        const auto ready = arrival(row, device);
        if (!m_ok || !ready || lane.live + (forward ? 1 : 0) > m_limit) {
            m_ok = false;
            return;
        }
        const Ticks start = std::max(lane.clock, *ready);
        if (lane.count[0] > 0)
            lane.idle += start - lane.clock;
        lane.clock = start + m_problem.duration(row, device);
        end(row, device, count(device, row)) = lane.clock;
        lane.live += forward ? 1 : 0;
        if (!forward)
            lane.owed.push_back(row == VRow::B1 ? VRow::W1 : VRow::W0);
        note(lane, row, device);
        ++m_placed;
    }

    void putWeight(DeviceId device)
    {
        Lane& lane = m_lanes[at(device)];
        if (lane.owed.empty()) {
            m_ok = false;
            return;
        }
        const VRow row = lane.owed.front();
        lane.owed.pop_front();
        lane.clock += m_problem.duration(row, device);
        --lane.live;
        note(lane, row, device);
    }

    void note(Lane& lane, VRow row, DeviceId device)
    {
        m_order.device(device)[lane.size++] = row;
        ++lane.count[static_cast<std::size_t>(row)];
    }

    Ticks mostIdleFor(DeviceId device) const
    {
        Ticks most = 0;
        for (const auto& lane : m_lanes)
            most = std::max(most, lane.idle);
        if (device >= 0 && !m_choice.allowed.empty())
            most = std::max(most, m_mostAllowed - m_choice.allowed[at(device)]);
        return most;
    }

    bool left(DeviceId device, VRow row) const
    {
        return count(device, row) < m_problem.microBatches;
    }

    void warmUp()
    {
        const int p = m_problem.devices;
        for (const DeviceId i : Ids<DeviceId>(p))
            put(VRow::F0, i);
        for (DeviceId i(p - 1); i >= 0 && m_ok; --i) {
            const Ticks ready = arrival(VRow::F1, i).value_or(0);
            // As many forwards as fit before the first F1 comes back, with room for the turn below
            // this device.
            while (m_ok && i < p - 1 && m_lanes[at(i)].live + 2 + 2 * i <= m_limit &&
                   m_lanes[at(i)].clock + m_problem.duration(VRow::F0, i) <= ready &&
                   left(i, VRow::F0)) {
                for (DeviceId j(0); j <= i; ++j)
                    put(VRow::F0, j);
            }
            put(VRow::F1, i);
        }
        // Every device holds at least as many activations as the one above it, where messages and
        // memory allow it.
        VRow row = VRow::F0;
        for (DeviceId i(1); i < p; ++i) {
            int idleTurns = 0;
            while (m_ok && idleTurns < 2 &&
                   (held(i) < held(i - 1) ||
                    (count(i, VRow::F1) <= count(i - 1, VRow::F1) && left(i - 1, VRow::F1)))) {
                const int before = m_placed;
                for (DeviceId j(p - 1); j >= i; --j) {
                    if (arrival(row, j) && m_lanes[at(j)].live < m_limit)
                        put(row, j);
                }
                idleTurns = m_placed == before ? idleTurns + 1 : 0;
                row = row == VRow::F0 ? VRow::F1 : VRow::F0;
            }
        }
    }

    int held(DeviceId device) const { return count(device, VRow::F0) + count(device, VRow::F1); }

    /// Puts W while they fit before the row's message, and one more where the devices can afford
    /// the delay.
    void fillBefore(VRow row, DeviceId device, bool mayOpenGap)
    {
        Lane& lane = m_lanes[at(device)];
        const bool turn = row == VRow::F0   ? device == 0
                          : row == VRow::B1 ? device == 0
                                            : device == m_problem.devices - 1;
        const auto ready = arrival(row, device);
        if (turn || !ready)
            return;
        while (!lane.owed.empty() &&
               *ready >= lane.clock + m_problem.duration(lane.owed.front(), device))
            putWeight(device);
        if (!lane.owed.empty() && mayOpenGap &&
            *ready - lane.clock > mostIdleFor(device) - lane.idle)
            putWeight(device);
    }

    void backwardRound()
    {
        const int p = m_problem.devices;
        std::vector<int> second;
        std::vector<int> first;
        for (const DeviceId i : Ids<DeviceId>(p)) {
            const bool mayB0 = count(i, VRow::B0) < count(i, VRow::B1) &&
                               (i == p - 1 || arrival(VRow::B0, i) || !left(i, VRow::B1));
            (mayB0 ? second : first).push_back(i);
        }
        for (auto it = second.rbegin(); it != second.rend(); ++it) {
            if (!arrival(VRow::B0, DeviceId(*it)))
                continue;
            fillBefore(VRow::B0, DeviceId(*it), true);
            put(VRow::B0, DeviceId(*it));
        }
        for (const int i : first) {
            if (!arrival(VRow::B1, DeviceId(i)))
                continue;
            fillBefore(VRow::B1, DeviceId(i), m_choice.fillBeforeBackward);
            put(VRow::B1, DeviceId(i));
        }
    }

    void forwardRound()
    {
        const int p = m_problem.devices;
        for (DeviceId i(0); i < p && m_ok; ++i) {
            if (!left(i, VRow::F1))
                continue;
            VRow row = VRow::F1;
            if (count(i, VRow::F1) >= count(i, VRow::F0))
                row = VRow::F0;
            else if (i < p - 1 && !arrival(VRow::F1, i))
                row = VRow::F0;
            if (!arrival(row, i))
                continue;
            while (m_lanes[at(i)].live >= m_limit && !m_lanes[at(i)].owed.empty())
                putWeight(i);
            if (m_lanes[at(i)].live >= m_limit)
                continue;
            fillBefore(row, i, m_choice.fillBeforeForward);
            put(row, i);
        }
    }

    const VProblem& m_problem;
    int m_limit;
    const Choice& m_choice;
    Ticks m_mostAllowed = -1;
    bool m_ok = true;
    int m_placed = 0; // F and B
    std::vector<Lane> m_lanes;
    std::vector<Ticks> m_end; // [row 0…3][device][micro-batch]
    VOrder m_order;
};

} // namespace

Result<VOrder> zbVGreedyOrder(const VProblem& problem, int limit, VAim aim)
{
    std::optional<VOrder> best;
    VFigures bestFigures;
    VTimer timer;
    for (int flags = 0; flags < 4; ++flags) {
        GreedyZbV::Choice choice;
        choice.fillBeforeForward = (flags & 1) == 0;
        choice.fillBeforeBackward = (flags & 2) == 0;
        Ticks idleBefore = -1;
        // A later attempt knows how much idle time each device had in the one before and spends it
        // on W.
        for (;;) {
            GreedyZbV attempt(problem, limit, choice);
            if (!attempt.build())
                break;
            const auto figures = timer.measure(problem, attempt.order());
            if (figures && (!best || figures->betterThan(bestFigures, aim))) {
                best = attempt.order();
                bestFigures = *figures;
            }
            if (idleBefore >= 0 && attempt.mostIdle() >= idleBefore)
                break;
            idleBefore = attempt.mostIdle();
            choice.allowed = attempt.idle();
        }
    }
    if (!best) {
        return fail(
            ErrorCode::MemoryLimit,
            "no ZB-V of %1 devices and %2 micro-batches keeps %3 chunk activations on a device",
            problem.devices, problem.microBatches, limit);
    }
    return *std::move(best);
}

} // namespace pw

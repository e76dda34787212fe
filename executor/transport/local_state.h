// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/transport/local.h"
#include "executor/transport/wait_text.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <vector>

namespace pw::exec {

/// What the ranks of a process share: a place for every message, and where they wait for one
/// another.
struct LocalTransport::State
{
    static constexpr int never = std::numeric_limits<int>::min();
    /// How often a wait looks at its stop; what it waits for wakes it at once.
    static constexpr Ticks slice = 20 * ticksPerMs;

    /// Where those meet who wait for one rank: the rank itself, and whoever sends to it.
    struct alignas(64) Meeting
    {
        std::mutex mutex;
        std::condition_variable changed;
        std::atomic<std::uint32_t> version{0}; ///< counts the changes
        std::int32_t misfit = -1;              ///< message that came in place of `due`
        std::int32_t due = -1;

        void tell()
        {
            version.fetch_add(1, std::memory_order_release);
            changed.notify_all();
        }
    };

    /// Place of one message. Guarded by the meeting of its receiver.
    struct Box
    {
        Packet packet;
        MessageSides sides;
        int sentIn = never;     ///< iteration
        int postedIn = never;   ///< iteration
        std::int32_t next = -1; ///< message after this one on its connection
        std::int32_t line = -1; ///< its connection
        // What replaces an optimistic packet.
        Packet again;
        Ticks againSent = 0;
        int againIn = never; ///< iteration
    };

    /// From one rank to another. Touched by the sending rank only.
    struct Line
    {
        std::int32_t first = -1; ///< message
        std::int32_t due = -1;   ///< message to come
        int iteration = never;
    };

    /// Place of a reduction, guarded by the meeting of its first rank.
    struct Swap
    {
        struct Side
        {
            Packet packet;
            Ticks sent = 0;
            int sentIn = never;
        };
        Side sides[2];
    };

    struct Barrier
    {
        std::mutex mutex;
        std::condition_variable opened;
        std::uint64_t generation = 0;
        std::size_t here = 0;
        std::vector<std::uint8_t> arrived;
    };

    /// What ranks tell all others, by rank; of the iteration at hand.
    struct Told
    {
        int iteration = never;
        std::vector<double> numbers; ///< by round
    };

    State(const RunPlan& thePlan, const RunClock& theClock, LinkTimes theTimes,
          PlanClock* thePlanned);

    /// The order of sending on every connection.
    void drawLines();

    const Message& messageOf(std::int32_t message) const
    {
        return plan.program.messages[static_cast<std::size_t>(message)];
    }
    Box& boxOf(std::int32_t message) { return boxes[static_cast<std::size_t>(message)]; }
    Meeting& meetingOf(RankId rank) { return meetings[rank.index()]; }

    /// The times of a message that both sides have come to.
    Transfer transferOf(std::int32_t message)
    {
        return links.message(message, boxOf(message).sides,
                             iterationStart.load(std::memory_order_relaxed));
    }

    /// Whether somebody still has to wait; if not, why.
    Result<void> goesOn(const Patience& patience) const;

    /// Waits under the lock of a meeting until `ready`.
    /// @param what  said where the limit passes
    template<typename Ready, typename What>
    Result<void> await(Meeting& meeting, std::unique_lock<std::mutex>& lock,
                       const Patience& patience, Ready ready, What what)
    {
        if (ready())
            return {};
        spinFor(meeting, lock);
        const Ticks begun = clock.now();
        while (!ready()) {
            if (auto on = goesOn(patience); !on)
                return on;
            const Ticks waited = clock.now() - begun;
            if (waited >= patience.limit)
                return waitedInVain(patience, waited, what());
            meeting.changed.wait_for(
                lock, std::chrono::nanoseconds(std::min(slice, patience.limit - waited)));
        }
        return {};
    }

    /// Waits actively for a change for a few microseconds, where there are cores enough: what comes
    /// soon is not slept through.
    void spinFor(Meeting& meeting, std::unique_lock<std::mutex>& lock) const;

    /// Lets the time of a transfer pass, where links take their time.
    Result<void> hold(const Transfer& transfer, const Patience& patience) const;

    const RunPlan& plan;
    const RunClock& clock;
    const LinkModel links;
    PlanClock* const planned;
    const bool committed;
    const bool spin;
    std::vector<Meeting> meetings; ///< by rank
    std::vector<Box> boxes;        ///< by message
    std::vector<Swap> swaps;       ///< by reduction
    std::vector<Swap> swapsAgain;  ///< by reduction; empty where nothing is exchanged twice
    std::vector<Line> lines;
    Barrier barrier;
    Meeting assembly;       ///< guards `told`
    std::vector<Told> told; ///< by rank
    std::atomic<Ticks> iterationStart{0};
    std::atomic<RankId> aborter{RankId::none()}; ///< that gave up first
};

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/lower/program.h"
#include "executor/api/stop.h"
#include "executor/api/worker.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// The clock of a run: nanoseconds since its time base, the same on all ranks of a process; ranks
/// in other processes are aligned when they meet.
class RunClock
{
public:
    RunClock();
    Ticks now() const;
    /// The machine's monotonic time at which this clock stood at 0.
    Ticks base() const { return m_base; }
    /// Moves the base, so that clocks of several processes agree.
    void shift(Ticks offset) { m_base += offset; }

private:
    Ticks m_base = 0;
};

/// Until when and on whose word somebody waits. Every wait of a transport has one.
struct Patience
{
    const Stop& stop;        ///< of the run: a request, or another rank's fault
    Ticks limit = 0;         ///< longest wait
    std::string_view what;   ///< for the message: "rank 2, PP:1F3"
    bool* overdue = nullptr; ///< becomes true where the limit passes; may be null
};

/// A message that came.
struct Arrival
{
    Packet packet;
    Ticks posted = 0; ///< by the sender
    Mark start;       ///< of the transfer, on the receiver's marks; below 0: `startTime` is known
    Mark end;
    Ticks startTime = 0;
    Ticks endTime = 0;
};

/// One rank's side of a transport. All calls come from the rank's thread.
///
/// Messages are those of the plan's program; an iteration number travels with each, so that a
/// message of the wrong tag or iteration is noticed and named.
class Endpoint
{
public:
    virtual ~Endpoint() = default;

    /// Hands a result over; does not wait for the receiver. `message` is its tag.
    virtual Result<void> send(std::int32_t message, int iteration, Packet packet) = 0;
    /// What is sent between these two leaves together, at the latest at the second: results that
    /// are there at one moment. An endpoint that gains nothing by it need not know.
    virtual void beginMoment() {}
    virtual Result<void> endMoment() { return {}; }
    /// Says that a message may come; does not wait.
    virtual Result<void> post(std::int32_t message, int iteration) = 0;
    /// Waits for a posted message.
    /// @error Fault      the limit passed, or a message came that was not meant: names the peer
    /// @error Cancelled  the stop was requested meanwhile
    virtual Result<Arrival> wait(std::int32_t message, int iteration, const Patience& patience) = 0;
    /// Waits until the receiver of a sent message has posted it: the meeting of `Committed`.
    virtual Result<void> waitPosted(std::int32_t message, int iteration,
                                    const Patience& patience) = 0;

    /// Sends what replaces an optimistic result (`Packet::optimistic`) of the same message.
    virtual Result<void> sendAgain(std::int32_t message, int iteration, Packet packet);
    /// Waits for that; after `wait`.
    virtual Result<Arrival> waitAgain(std::int32_t message, int iteration,
                                      const Patience& patience);
    /// Whether `wait` would return at once, with the message or with an error.
    virtual Result<bool> hasCome(std::int32_t message, int iteration);
    /// When a message that was sent is there, on the run's clock, which may be a time to come; 0
    /// where `wait` would return an error; none: it was not sent.
    virtual Result<std::optional<Ticks>> thereAt(std::int32_t message, int iteration);

    /// Swaps weight gradients with the rank that hosts the other replica of a stage.
    virtual Result<Arrival> exchange(std::int32_t reduction, int iteration, RankId peer, Packet own,
                                     const Patience& patience) = 0;

    /// The same exchange once more, where what went over in the first was optimistic on a side. A
    /// peer may come to it before this rank has taken the first.
    virtual Result<Arrival> exchangeAgain(std::int32_t reduction, int iteration, RankId peer,
                                          Packet own, const Patience& patience);

    /// Tells all ranks a number, without waiting. `round` counts such calls of an iteration.
    virtual Result<void> tellAll(int round, int iteration, double number);
    /// Waits for what all ranks have told in a round.
    /// @return  by rank
    virtual Result<std::vector<double>> heardOfAll(int round, int iteration,
                                                   const Patience& patience);

    /// What ranks have told in a round until now, without waiting.
    /// @return  by rank
    virtual Result<std::vector<std::optional<double>>> heardSoFar(int round, int iteration);

    /// Waits until every rank is here.
    virtual Result<void> barrier(const Patience& patience) = 0;

    /// Tells the other ranks that this one has failed, as far as the transport can.
    virtual void abort() noexcept = 0;
};

/// How the ranks of a run talk.
class Transport
{
public:
    virtual ~Transport() = default;

    virtual std::string_view name() const = 0; ///< "in-process", "mpi" …
    /// Ranks of this process: all of them, or one.
    virtual std::vector<RankId> ranks() const = 0;
    virtual Result<std::unique_ptr<Endpoint>> endpoint(RankId rank) = 0;
    /// What its library has said by itself since the last call, a line each; times are the
    /// caller's. From one thread, while the run goes on and once when it has ended.
    virtual std::vector<RunLog> said() { return {}; }
};

} // namespace pw::exec

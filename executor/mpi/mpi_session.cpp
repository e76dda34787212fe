// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"
#include "executor/api/runner.h"
#include "executor/mpi/mpi_session_state.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <exception>
#include <sched.h>

namespace pw::exec {

namespace {

/// How long a process may give no sign before it counts as lost.
constexpr Ticks longestSilence = 4 * ticksPerSecond;
constexpr Ticks goodbyeLimit = 3 * ticksPerSecond;
/// How often transfers move on while nobody waits for anything.
constexpr auto pumpPause = std::chrono::microseconds(500);
/// Whoever spins for an answer gives up his core after so long.
constexpr Ticks spinTime = 5 * ticksPerMs;

void sleepFor(long nanoseconds)
{
    const timespec time{0, nanoseconds};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

} // namespace

std::string_view Mail::text() const
{
    return body ? std::string_view(static_cast<const char*>(body->data()),
                                   static_cast<std::size_t>(body->bytes()))
                : std::string_view();
}

void Backoff::pause()
{
    ++m_rounds;
    if (m_rounds < 16)
        sched_yield();
    else
        sleepFor(std::min(20'000L * (m_rounds / 16), 200'000L));
}

MpiSession::MpiSession(std::unique_ptr<MpiPort> port)
    : m_state(std::make_unique<State>(std::move(port)))
{
    State& state = *m_state;
    state.pump = std::thread([&state] {
        std::unique_lock lock(state.mutex);
        while (!state.ending) {
            try {
                state.poll();
            } catch (const std::exception& problem) {
                // An exception in this thread would end the process without a word.
                state.note({ErrorCode::Fault, std::string("messages: ") + problem.what()});
            }
            state.wake.wait_for(lock, pumpPause);
        }
    });
}

namespace {

/// MPI may write to the memory of a call that has not ended until the process does.
void keepForEver(std::vector<std::shared_ptr<const void>>& abandoned)
{
    static std::mutex mutex;
    static auto* const kept = new std::vector<std::shared_ptr<const void>>;
    const std::lock_guard lock(mutex);
    kept->insert(kept->end(), abandoned.begin(), abandoned.end());
}

} // namespace

MpiSession::~MpiSession()
{
    State& state = *m_state;
    bool good = !state.hopeless && state.met;
    const Stop never;
    const Patience patience{never, goodbyeLimit, "the end"};
    // Rank 0 hears of all that they are done, then lets all go; nobody leaves while another still
    // sends.
    if (good && state.rank == 0) {
        for (int rank = 1; rank < state.size && good; ++rank)
            good = wait(MailKind::Goodbye, patience).has_value();
        for (int rank = 1; rank < state.size && good; ++rank)
            send(rank, {.kind = MailKind::Leave});
    } else if (good) {
        send(0, {.kind = MailKind::Goodbye});
        good = wait(MailKind::Leave, patience).has_value();
    }
    const Ticks limit = state.clock.now() + goodbyeLimit;
    Backoff backoff;
    for (;;) {
        {
            const std::lock_guard lock(state.mutex);
            state.saidGoodbye = true;
            state.poll();
            if (state.leaving.empty() || !good)
                break;
            good = state.clock.now() < limit;
        }
        backoff.pause();
    }
    {
        const std::lock_guard lock(state.mutex);
        state.ending = true;
        state.left = true;
    }
    state.wake.notify_all();
    state.pump.join();
    if (good)
        state.port->leave();
    else
        state.port->abort();
    keepForEver(state.abandoned);
    if (ranksLeftBehind()) // a thread that hangs may still come back to it
        static_cast<void>(m_state.release());
}

int MpiSession::rank() const
{
    return m_state->rank;
}

int MpiSession::size() const
{
    return m_state->size;
}

const std::vector<std::string>& MpiSession::hosts() const
{
    return m_state->hosts;
}

const std::string& MpiSession::library() const
{
    return m_state->library;
}

int MpiSession::maxTag() const
{
    return m_state->port->maxTag();
}

const RunClock& MpiSession::clock() const
{
    return m_state->clock;
}

void MpiSession::send(int to, MailHead head, std::span<const std::byte> body,
                      std::shared_ptr<const void> owner, int tag)
{
    if (!owner && !body.empty()) {
        auto copy = std::make_shared<HostPayload>(static_cast<Bytes>(body.size()));
        std::memcpy(copy->data(), body.data(), body.size());
        body = {static_cast<const std::byte*>(copy->data()), body.size()};
        owner = std::move(copy);
    }
    const std::lock_guard lock(m_state->mutex);
    m_state->send(to, head, body, std::move(owner), tag);
}

void MpiSession::send(int to, MailHead head, std::string_view text)
{
    send(to, head, std::as_bytes(std::span<const char>(text.data(), text.size())));
}

std::optional<Mail> MpiSession::take(MailKind kind)
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->pick(kind);
}

void MpiSession::poll()
{
    const std::lock_guard lock(m_state->mutex);
    m_state->poll();
}

Result<Mail> MpiSession::wait(MailKind kind, const Patience& patience)
{
    return await(kind, patience, Haste::Sleeps);
}

Result<Mail> MpiSession::await(MailKind kind, const Patience& patience, Haste haste)
{
    const Ticks begun = clock().now();
    for (Backoff backoff;;) {
        poll();
        if (std::optional<Mail> mail = take(kind))
            return std::move(*mail);
        if (patience.stop.requested())
            return fail(ErrorCode::Cancelled, std::string(patience.what) + ": stopped");
        if (const Result<void> good = health(); !good)
            return fail(good.error());
        if (const std::optional<int> lost = silentRank()) {
            giveUp();
            return fail(ErrorCode::Fault, std::string(patience.what) + ": rank " +
                                              std::to_string(*lost) + " does not answer");
        }
        const Ticks waited = clock().now() - begun;
        if (waited > patience.limit)
            return fail(ErrorCode::Fault,
                        std::string(patience.what) + ": another process does not answer");
        if (haste == Haste::Spins && waited < spinTime)
            sched_yield();
        else
            backoff.pause();
    }
}

std::optional<int> MpiSession::silentRank() const
{
    const std::lock_guard lock(m_state->mutex);
    if (!m_state->met) // before that nobody gives signs
        return std::nullopt;
    const Ticks now = m_state->lastPoll;
    for (int rank = 0; rank < m_state->size; ++rank) {
        const bool writes = rank != m_state->rank && (m_state->rank == 0 || rank == 0);
        if (writes && now - m_state->heard[static_cast<std::size_t>(rank)] > longestSilence)
            return rank;
    }
    return std::nullopt;
}

Result<void> MpiSession::health() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->problem;
}

void MpiSession::giveUp()
{
    const std::lock_guard lock(m_state->mutex);
    m_state->hopeless = true;
}

Result<std::unique_ptr<MpiSession>> openMpi()
{
    const Result<void*> found = loadModule("pipewright-mpi", "pw_mpi_port");
    if (!found)
        return fail(ErrorCode::BadValue,
                    "a launcher started this program as one of several MPI processes, but " +
                        found.error().message +
                        "; Debian's libopenmpi-dev brings what it is built with");
    std::string problem;
    const auto factory = reinterpret_cast<MpiPortFactory>(*found);
    std::unique_ptr<MpiPort> port(factory(mpiPortVersion, &problem));
    if (!port)
        return fail(ErrorCode::BadValue, problem);
    auto session = std::make_unique<MpiSession>(std::move(port));
    if (const Result<void> met = session->meet(); !met) {
        session->giveUp();
        return fail(met.error());
    }
    return session;
}

} // namespace pw::exec

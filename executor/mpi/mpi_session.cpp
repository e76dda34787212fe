// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "executor/api/module.h"
#include "executor/api/runner.h"
#include "executor/mpi/mpi_launcher.h"
#include "executor/mpi/mpi_mailbox.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>

namespace pw::exec {

namespace {

/// How long a process may give no sign before it counts as lost.
constexpr Ticks longestSilence = 4 * ticksPerSecond;
constexpr Ticks goodbyeLimit = 3 * ticksPerSecond;
/// How often transfers move on while nobody waits for anything.
constexpr auto pumpPause = std::chrono::microseconds(500);
/// Whoever spins for an answer gives up his core after so long.
constexpr Ticks spinTime = 5 * ticksPerMs;

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
    const long crowd = m_crowd;
    if (m_rounds < 16 / crowd)
        std::this_thread::yield();
    else
        std::this_thread::sleep_for(std::chrono::nanoseconds(
            std::min(20'000L * crowd * std::max(1, m_rounds / 16), 200'000L * crowd)));
}

MpiSession::MpiSession(std::unique_ptr<MpiPort> port, std::string clockName)
    : m_mailbox(std::make_unique<MpiMailbox>(std::move(port), std::move(clockName)))
{
    MpiMailbox& mailbox = *m_mailbox;
    mailbox.pump = std::thread([&mailbox] {
        std::unique_lock lock(mailbox.mutex);
        while (!mailbox.ending) {
            try {
                mailbox.poll();
            } catch (const std::exception& problem) {
                // An exception in this thread would end the process without a word.
                mailbox.note({ErrorCode::Fault, std::string("messages: ") + problem.what()});
            }
            mailbox.wake.wait_for(lock, pumpPause * mailbox.crowd.load());
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
    MpiMailbox& mailbox = *m_mailbox;
    bool good = !mailbox.hopeless && mailbox.met;
    const Stop never;
    const Patience patience{never, goodbyeLimit, "the end"};
    // Rank 0 hears of all that they are done, then lets all go; nobody leaves while another still
    // sends.
    if (good && mailbox.rank == leadRank) {
        for (int left = 1; left < mailbox.size && good; ++left)
            good = wait(MailKind::Goodbye, patience).has_value();
        for (const RankId rank : mailbox.others()) {
            if (good)
                send(rank, {.kind = MailKind::Leave});
        }
    } else if (good) {
        send(leadRank, {.kind = MailKind::Goodbye});
        good = wait(MailKind::Leave, patience).has_value();
    }
    const Ticks limit = mailbox.clock.now() + goodbyeLimit;
    Backoff backoff(mailbox.crowd);
    for (;;) {
        {
            const std::lock_guard lock(mailbox.mutex);
            mailbox.saidGoodbye = true;
            mailbox.poll();
            if (mailbox.leaving.empty() || !good)
                break;
            good = mailbox.clock.now() < limit;
        }
        backoff.pause();
    }
    {
        const std::lock_guard lock(mailbox.mutex);
        mailbox.ending = true;
        mailbox.left = true;
    }
    mailbox.wake.notify_all();
    mailbox.pump.join();
    if (good)
        mailbox.port->leave();
    else
        mailbox.port->abort();
    keepForEver(mailbox.abandoned);
    if (ranksLeftBehind()) // a thread that hangs may still come back to it
        static_cast<void>(m_mailbox.release());
}

RankId MpiSession::rank() const
{
    return m_mailbox->rank;
}

int MpiSession::size() const
{
    return m_mailbox->size;
}

const std::vector<std::string>& MpiSession::hosts() const
{
    return m_mailbox->hosts;
}

const std::string& MpiSession::library() const
{
    return m_mailbox->library;
}

int MpiSession::maxTag() const
{
    return m_mailbox->port->maxTag();
}

const RunClock& MpiSession::clock() const
{
    return m_mailbox->clock;
}

RankId MpiSession::guideOf(RankId rank) const
{
    return m_mailbox->guides[rank.index()];
}

int MpiSession::crowd() const
{
    return m_mailbox->crowd;
}

void MpiSession::send(RankId to, MailHead head, std::span<const std::byte> body,
                      std::shared_ptr<const void> owner, int tag)
{
    if (!owner && !body.empty()) {
        auto copy = std::make_shared<HostPayload>(static_cast<Bytes>(body.size()));
        std::memcpy(copy->data(), body.data(), body.size());
        body = {static_cast<const std::byte*>(copy->data()), body.size()};
        owner = std::move(copy);
    }
    const std::lock_guard lock(m_mailbox->mutex);
    m_mailbox->send(to, head, body, std::move(owner), tag);
}

void MpiSession::send(RankId to, MailHead head, std::string_view text)
{
    send(to, head, std::as_bytes(std::span<const char>(text.data(), text.size())));
}

std::optional<Mail> MpiSession::take(MailKind kind)
{
    const std::lock_guard lock(m_mailbox->mutex);
    return m_mailbox->pick(kind);
}

void MpiSession::poll()
{
    const std::lock_guard lock(m_mailbox->mutex);
    m_mailbox->poll();
}

Result<Mail> MpiSession::wait(MailKind kind, const Patience& patience, Haste haste)
{
    const Ticks begun = clock().now();
    for (Backoff backoff(crowd());;) {
        poll();
        if (std::optional<Mail> mail = take(kind))
            return std::move(*mail);
        if (patience.stop.requested())
            return fail(ErrorCode::Cancelled, "%1: stopped", patience.what);
        PW_DO(health());
        if (const std::optional<RankId> lost = silentRank()) {
            giveUp();
            return fail(ErrorCode::Fault, "%1: rank %2 does not answer", patience.what, *lost);
        }
        const Ticks waited = clock().now() - begun;
        if (waited > patience.limit)
            return fail(ErrorCode::Fault, "%1: another process does not answer", patience.what);
        if (haste == Haste::Spins && waited < spinTime)
            std::this_thread::yield();
        else
            backoff.pause();
    }
}

std::optional<RankId> MpiSession::silentRank() const
{
    const std::lock_guard lock(m_mailbox->mutex);
    if (!m_mailbox->met) // before that nobody gives signs
        return std::nullopt;
    const Ticks now = m_mailbox->lastPoll;
    // Where many wait for a core, one of them may wait a while.
    const Ticks limit = longestSilence + (m_mailbox->crowd - 1) * ticksPerSecond / 2;
    for (const RankId rank : Ids<RankId>(m_mailbox->size)) {
        const bool writes =
            rank != m_mailbox->rank && (m_mailbox->rank == leadRank || rank == leadRank);
        if (writes && now - m_mailbox->heard[rank.index()] > limit)
            return rank;
    }
    return std::nullopt;
}

Result<void> MpiSession::health() const
{
    const std::lock_guard lock(m_mailbox->mutex);
    return m_mailbox->problem;
}

void MpiSession::giveUp()
{
    const std::lock_guard lock(m_mailbox->mutex);
    m_mailbox->hopeless = true;
}

namespace {

/// The module of a launcher's library; of several the first that is there.
Result<MpiPortFactory> portFactoryFor(const MpiLauncher& launcher)
{
    std::string missing;
    std::string packages;
    for (const MpiLibrary library : launcher.libraries) {
        const Result<void*> found = loadModule(moduleOf(library), "pw_mpi_port");
        if (found)
            return reinterpret_cast<MpiPortFactory>(*found);
        if (missing.empty())
            missing = found.error().message;
        packages += (packages.empty() ? "" : ", or ") + std::string(packageOf(library));
    }
    return fail(ErrorCode::BadValue,
                "%1 started this program as one of several MPI processes, but %2; Debian's %3 "
                "brings what it is built with: install it, and build again",
                launcher.name, missing, packages);
}

/// Whether the library sees what the launcher has started.
Result<void> checkSize(const MpiLauncher& launcher, const MpiPort& port)
{
    if (launcher.processes <= 1 || port.size() == launcher.processes)
        return {};
    const Sentence started = said("%1 started %2 processes, but %3 sees %4", launcher.name,
                                  launcher.processes, port.library(), port.size());
    if (launcher.name == "srun")
        return fail(ErrorCode::BadValue,
                    "%1: name the way in which they meet with --mpi (srun --mpi=list shows what "
                    "there is; pmix for Debian's Open MPI, pmi2 for MPICH)",
                    started);
    return fail(ErrorCode::BadValue, "%1: the launcher has to be of the same MPI", started);
}

} // namespace

Result<std::unique_ptr<MpiSession>> openMpi()
{
    // A process of its own is one of one, whatever library there is.
    const MpiLauncher launcher = mpiLauncher().value_or(
        MpiLauncher{"a launcher", {MpiLibrary::OpenMpi, MpiLibrary::Mpich}, 0});
    PW_TRY(const MpiPortFactory factory, portFactoryFor(launcher));
    std::string problem;
    std::unique_ptr<MpiPort> port((factory)(mpiPortVersion, &problem));
    if (!port)
        return fail(ErrorCode::BadValue, problem);
    if (const Result<void> seen = checkSize(launcher, *port); !seen) {
        port->leave();
        return fail(seen.error());
    }
    auto session = std::make_unique<MpiSession>(std::move(port));
    if (const Result<void> met = session->meet(); !met) {
        session->giveUp();
        return fail(met.error());
    }
    return session;
}

} // namespace pw::exec

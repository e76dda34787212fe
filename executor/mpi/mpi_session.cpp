// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_session.h"

#include "executor/api/module.h"
#include "executor/api/runner.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <deque>
#include <exception>
#include <list>
#include <mutex>
#include <sched.h>
#include <thread>

namespace pw::exec {

namespace {

constexpr Ticks signEvery = ticksPerSecond / 2;
/// How long a process may give no sign before it counts as lost.
constexpr Ticks longestSilence = 4 * ticksPerSecond;
/// A pause of this process that is longer was a stop, and no silence of the others.
constexpr Ticks longestPause = ticksPerSecond;
constexpr Ticks meetLimit = 30 * ticksPerSecond;
constexpr Ticks goodbyeLimit = 3 * ticksPerSecond;
/// How often transfers move on while nobody waits for anything.
constexpr auto pumpPause = std::chrono::microseconds(500);
constexpr int pings = 40;
/// On a busy machine fewer pings do, so that a run starts soon.
constexpr int leastPings = 4;
constexpr Ticks pingTime = 100 * ticksPerMs;
/// Whoever spins for an answer gives up his core after so long.
constexpr Ticks spinTime = 5 * ticksPerMs;

MpiChannel channelOf(MailKind kind)
{
    if (kind == MailKind::Record)
        return MpiChannel::Records;
    return kind == MailKind::Result || kind == MailKind::Exchange ? MpiChannel::Data
                                                                  : MpiChannel::Control;
}

void sleepFor(long nanoseconds)
{
    const timespec time{0, nanoseconds};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

/// What processes must have in common to read each other's memory.
std::string buildText()
{
    return std::to_string(moduleAbi) + "/" + std::to_string(mpiPortVersion) + "/" +
           std::to_string(sizeof(MailHead)) + "/" + std::to_string(sizeof(RecordedPass)) + "/" +
           std::to_string(sizeof(RecordedMessage)) + "/" + std::to_string(sizeof(MemorySample));
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

struct MpiSession::State
{
    struct Leaving
    {
        MpiPort::Transfer transfer = 0;
        MailHead head;
        std::shared_ptr<const void> owner;
    };
    struct Coming
    {
        MpiPort::Transfer transfer = 0;
        Mail mail;
    };

    explicit State(std::unique_ptr<MpiPort> opened)
        : port(std::move(opened))
        , rank(port->rank())
        , size(port->size())
        , library(port->library())
        , hosts(static_cast<std::size_t>(size))
        , heard(static_cast<std::size_t>(size), 0)
    {
        for (auto& channel : coming)
            channel.resize(static_cast<std::size_t>(size));
    }

    // All below with the mutex held.

    void note(const Error& error)
    {
        if (problem)
            problem = fail(error);
    }

    void send(int to, const MailHead& head, std::span<const std::byte> body,
              std::shared_ptr<const void> owner, int tag)
    {
        Leaving& one = leaving.emplace_back(Leaving{0, head, std::move(owner)});
        const Result<MpiPort::Transfer> begun =
            port->send(channelOf(head.kind), to, tag,
                       std::as_bytes(std::span<const MailHead>(&one.head, 1)), body);
        if (begun) {
            one.transfer = *begun;
            return;
        }
        note(begun.error());
        leaving.pop_back();
    }

    /// Moves everything on.
    void poll()
    {
        if (left)
            return;
        const Ticks woken = clock.now();
        if (woken - lastPoll > longestPause) {
            for (Ticks& time : heard)
                time += woken - lastPoll;
        }
        lastPoll = woken;
        for (int channel = 0; channel < mpiChannelCount; ++channel)
            begin(static_cast<MpiChannel>(channel));
        for (auto& channel : coming) {
            for (std::deque<Coming>& ofSender : channel)
                finish(ofSender);
        }
        leaving.remove_if([this](const Leaving& one) {
            const Result<bool> done = port->done(one.transfer);
            if (!done)
                note(done.error());
            return !done || *done;
        });
        const Ticks now = clock.now();
        if (now - lastSign >= signEvery && met && !saidGoodbye) {
            lastSign = now;
            giveSign();
        }
    }

    void giveSign()
    {
        const MailHead head{.kind = MailKind::Alive};
        if (rank != 0)
            return send(0, head, {}, {}, 0);
        for (int to = 1; to < size; ++to)
            send(to, head, {}, {}, 0);
    }

    void begin(MpiChannel channel)
    {
        for (;;) {
            const Result<std::optional<MpiPort::Incoming>> found = port->next(channel);
            if (!found)
                return note(found.error());
            if (!*found)
                return;
            const MpiPort::Incoming& message = **found;
            const std::int64_t head = static_cast<std::int64_t>(sizeof(MailHead));
            if (message.bytes < head)
                return note({ErrorCode::Fault, "rank " + std::to_string(message.from) +
                                                   " sends what is no mail of Pipewright"});
            Coming& one =
                coming[static_cast<std::size_t>(channel)][static_cast<std::size_t>(message.from)]
                    .emplace_back();
            one.mail.from = message.from;
            one.mail.tag = message.tag;
            one.mail.started = clock.now();
            std::span<std::byte> body;
            if (message.bytes > head) {
                one.mail.body = std::make_shared<HostPayload>(message.bytes - head);
                body = {static_cast<std::byte*>(one.mail.body->data()),
                        static_cast<std::size_t>(one.mail.body->bytes())};
            }
            const Result<MpiPort::Transfer> begun = port->receive(
                channel, std::as_writable_bytes(std::span<MailHead>(&one.mail.head, 1)), body);
            if (!begun)
                return note(begun.error());
            one.transfer = *begun;
        }
    }

    void finish(std::deque<Coming>& ofSender)
    {
        while (!ofSender.empty()) {
            Coming& first = ofSender.front();
            const Result<bool> done = port->done(first.transfer);
            if (!done)
                return note(done.error());
            if (!*done)
                return;
            first.mail.ended = clock.now();
            deliver(std::move(first.mail));
            ofSender.pop_front();
        }
    }

    void deliver(Mail mail)
    {
        const MailHead& head = mail.head;
        const int kind = static_cast<int>(head.kind);
        if (head.mark != MailHead{}.mark || kind < 0 || kind >= mailKindCount)
            return note({ErrorCode::Fault, "rank " + std::to_string(mail.from) +
                                               " is of another build of Pipewright"});
        heard[static_cast<std::size_t>(mail.from)] = mail.ended;
        switch (head.kind) {
        case MailKind::Alive:
            return;
        case MailKind::Ping: {
            MailHead answer{.kind = MailKind::Pong, .number = head.number};
            answer.posted = clock.now();
            return send(mail.from, answer, {}, {}, 0);
        }
        default:
            inbox[static_cast<std::size_t>(kind)].push_back(std::move(mail));
        }
    }

    std::optional<Mail> pick(MailKind kind)
    {
        std::deque<Mail>& mails = inbox[static_cast<std::size_t>(kind)];
        if (mails.empty())
            return std::nullopt;
        Mail mail = std::move(mails.front());
        mails.pop_front();
        return mail;
    }

    std::unique_ptr<MpiPort> port;
    const int rank;
    const int size;
    const std::string library;
    const RunClock clock;
    std::vector<std::string> hosts;

    mutable std::mutex mutex;
    std::condition_variable wake;
    std::list<Leaving> leaving; ///< a list: heads keep their place while they are sent
    std::array<std::vector<std::deque<Coming>>, mpiChannelCount> coming; ///< by sender
    std::array<std::deque<Mail>, mailKindCount> inbox;
    std::vector<Ticks> heard; ///< by rank: when it last sent something
    Ticks lastSign = 0;
    Ticks lastPoll = 0;
    Result<void> problem;
    bool met = false;
    bool saidGoodbye = false;
    bool hopeless = false;
    /// Of calls of all that have not ended.
    std::vector<std::shared_ptr<const void>> abandoned;
    bool left = false;
    bool ending = false;
    std::thread pump;
};

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

Result<void> MpiSession::meet()
{
    const Stop never;
    const Patience patience{never, meetLimit, "the start"};
    State& state = *m_state;
    const Result<std::vector<std::string>> names =
        gather(buildText() + "\n" + state.port->host(), patience);
    if (!names)
        return fail(names.error());
    std::string all;
    for (std::size_t rank = 0; rank < names->size(); ++rank) {
        const std::string& one = (*names)[rank];
        const std::size_t end = one.find('\n');
        if (one.substr(0, end) != buildText()) {
            all = "!rank " + std::to_string(rank) + " on " + one.substr(end + 1) +
                  " runs another build of Pipewright";
            break;
        }
        all += one.substr(end + 1) + "\n";
    }
    const Result<std::string> hosts = broadcast(all, patience);
    if (!hosts)
        return fail(hosts.error());
    if (!hosts->empty() && hosts->front() == '!')
        return fail(ErrorCode::Fault, hosts->substr(1));
    std::string_view rest = *hosts;
    for (std::string& host : state.hosts) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        host = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::lock_guard lock(state.mutex);
    state.met = true;
    return {};
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

Result<void> MpiSession::together(const std::function<Result<MpiPort::Transfer>(MpiPort&)>& begin,
                                  std::shared_ptr<const void> memory, const Patience& patience)
{
    const auto withPort = [this](const auto& act) {
        const std::lock_guard lock(m_state->mutex);
        auto result = act(*m_state->port);
        if (!result)
            m_state->note(result.error());
        return result;
    };
    const Result<MpiPort::Transfer> transfer = withPort(begin);
    if (!transfer)
        return fail(transfer.error());
    const Ticks begun = clock().now();
    Result<void> good;
    for (Backoff backoff; good; backoff.pause()) {
        poll();
        const Result<bool> done = withPort([&](MpiPort& port) { return port.done(*transfer); });
        if (done && *done)
            return {};
        if (patience.stop.requested())
            good = fail(ErrorCode::Cancelled, std::string(patience.what) + ": stopped");
        else if (clock().now() - begun > patience.limit)
            good = fail(ErrorCode::Fault,
                        std::string(patience.what) + ": another process does not answer");
        else if (const std::optional<int> lost = silentRank())
            good = fail(ErrorCode::Fault, std::string(patience.what) + ": rank " +
                                              std::to_string(*lost) + " gives no sign of life");
        else
            good = health();
    }
    const std::lock_guard lock(m_state->mutex);
    m_state->abandoned.push_back(std::move(memory));
    m_state->hopeless = true;
    return good;
}

Result<void> MpiSession::barrier(const Patience& patience)
{
    return together([](MpiPort& port) { return port.barrier(); }, {}, patience);
}

Result<MpiSession::Alignment> MpiSession::align(const Patience& patience)
{
    Alignment best;
    const Ticks begun = clock().now();
    for (int i = 0; i < pings && rank() != 0; ++i) {
        const Ticks sent = clock().now();
        if (i >= leastPings && sent - begun > pingTime)
            break;
        send(0, {.kind = MailKind::Ping, .number = i});
        const Result<Mail> answer = await(MailKind::Pong, patience, Haste::Spins);
        if (!answer)
            return fail(answer.error());
        const Ticks band = (answer->ended - sent + 1) / 2;
        if (i == 0 || band < best.band)
            best = {answer->head.posted - (sent + band), band};
    }
    if (rank() != 0) {
        send(0, {.kind = MailKind::Aligned});
        const Result<Mail> all = wait(MailKind::Aligned, patience);
        return all ? Result<Alignment>(best) : fail(all.error());
    }
    // Rank 0 answers pings while it waits, and does not sleep meanwhile.
    for (int missing = size() - 1; missing > 0; --missing) {
        const Result<Mail> one = await(MailKind::Aligned, patience, Haste::Spins);
        if (!one)
            return fail(one.error());
    }
    for (int to = 1; to < size(); ++to)
        send(to, {.kind = MailKind::Aligned});
    return best;
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

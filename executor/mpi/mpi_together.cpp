// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"
#include "executor/mpi/mpi_session_state.h"

#include <algorithm>
#include <cstring>

// What all processes do together: calls of MPI's own, which take as many steps as the logarithm of
// the processes, the first meeting, and the comparison of clocks.
namespace pw::exec {

namespace {

constexpr Ticks meetLimit = 30 * ticksPerSecond;
constexpr int pings = 40;
/// On a busy machine fewer pings do, so that a run starts soon.
constexpr int leastPings = 4;
constexpr Ticks pingTime = 100 * ticksPerMs;

/// What processes must have in common to read each other's memory.
std::string buildText()
{
    return std::to_string(moduleAbi) + "/" + std::to_string(mpiPortVersion) + "/" +
           std::to_string(sizeof(MailHead)) + "/" + std::to_string(sizeof(RecordedPass)) + "/" +
           std::to_string(sizeof(RecordedMessage)) + "/" + std::to_string(sizeof(MemorySample));
}

} // namespace

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
                                              std::to_string(*lost) + " does not answer");
        else
            good = health();
    }
    const std::lock_guard lock(m_state->mutex);
    m_state->abandoned.push_back(std::move(memory));
    m_state->hopeless = true;
    return good;
}

Result<void> MpiSession::spread(const std::shared_ptr<Bytewise>& bytes, const Patience& patience)
{
    return together([&](MpiPort& port) { return port.broadcast(*bytes); }, bytes, patience);
}

/// @return  on rank 0 those of all, one after the other; empty elsewhere
Result<std::shared_ptr<MpiSession::Bytewise>> MpiSession::collect(Bytewise own,
                                                                  const Patience& patience)
{
    struct Both
    {
        Bytewise own;
        Bytewise all;
    };
    auto both = std::make_shared<Both>();
    both->all.resize(rank() == 0 ? own.size() * static_cast<std::size_t>(size()) : 0);
    both->own = std::move(own);
    const Result<void> done =
        together([&](MpiPort& port) { return port.gather(both->own, both->all); }, both, patience);
    if (!done)
        return fail(done.error());
    return std::make_shared<Bytewise>(std::move(both->all));
}

namespace {

/// A length as it travels.
std::vector<std::byte> lengthBytes(std::uint64_t length)
{
    std::vector<std::byte> bytes(sizeof(length));
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes;
}

std::size_t lengthOf(const std::vector<std::byte>& bytes, std::size_t place = 0)
{
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + place * sizeof(length), sizeof(length));
    return static_cast<std::size_t>(length);
}

} // namespace

Result<std::string> MpiSession::broadcast(std::string_view text, const Patience& patience)
{
    const auto length = std::make_shared<Bytewise>(lengthBytes(text.size()));
    if (const Result<void> told = spread(length, patience); !told)
        return fail(told.error());
    const auto bytes = std::make_shared<Bytewise>(lengthOf(*length));
    if (rank() == 0)
        std::copy_n(std::as_bytes(std::span(text.data(), text.size())).begin(), text.size(),
                    bytes->begin());
    if (const Result<void> told = spread(bytes, patience); !told)
        return fail(told.error());
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<std::vector<std::string>> MpiSession::gather(std::string_view text, const Patience& patience)
{
    // Rank 0 hears how long all are, then all send as much as the longest has.
    const auto lengths = collect(lengthBytes(text.size()), patience);
    if (!lengths)
        return fail(lengths.error());
    std::size_t longest = 0;
    for (int one = 0; rank() == 0 && one < size(); ++one)
        longest = std::max(longest, lengthOf(**lengths, static_cast<std::size_t>(one)));
    const auto room = std::make_shared<Bytewise>(lengthBytes(longest));
    if (const Result<void> told = spread(room, patience); !told)
        return fail(told.error());
    Bytewise own(lengthOf(*room));
    std::copy_n(std::as_bytes(std::span(text.data(), text.size())).begin(), text.size(),
                own.begin());
    const std::size_t stride = own.size();
    const auto all = collect(std::move(own), patience);
    if (!all)
        return fail(all.error());
    std::vector<std::string> texts;
    for (std::size_t one = 0; rank() == 0 && one < static_cast<std::size_t>(size()); ++one)
        texts.emplace_back(reinterpret_cast<const char*>((*all)->data()) + one * stride,
                           lengthOf(**lengths, one));
    return texts;
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

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/system/machine.h"
#include "core/system/process.h"
#include "executor/api/module.h"
#include "executor/mpi/mpi_mailbox.h"
#include "executor/mpi/told_lines.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <map>

// What all processes do together: calls of MPI's own, which take as many steps as the logarithm of
// the processes, and the first meeting.
namespace pw::exec {

namespace {

constexpr Ticks meetLimit = 30 * ticksPerSecond;

/// What processes must have in common to read each other's memory.
std::string buildText()
{
    return std::to_string(moduleAbi) + "/" + std::to_string(mpiPortVersion) + "/" +
           std::to_string(sizeof(MailHead)) + "/" + std::to_string(sizeof(RecordedPass)) + "/" +
           std::to_string(sizeof(RecordedMessage)) + "/" + std::to_string(sizeof(MemorySample));
}

} // namespace

std::string clockOfMachine()
{
    // A start of the machine has a number of its own. Processes may count its time from different
    // moments, each group of them in a namespace of its own.
    if (std::string clock = sys::clockPlace(); !clock.empty())
        return clock;
    static std::atomic<int> alone{0};
    return "alone " + std::to_string(RunClock().base()) + " " +
           std::to_string(sys::processNumber()) + " " + std::to_string(++alone);
}

Result<void> MpiSession::together(const std::function<Result<MpiPort::Transfer>(MpiPort&)>& begin,
                                  std::shared_ptr<const void> memory, const Patience& patience)
{
    const auto withPort = [this](const auto& act) {
        const std::lock_guard lock(m_mailbox->mutex);
        auto result = act(*m_mailbox->port);
        if (!result)
            m_mailbox->note(result.error());
        return result;
    };
    PW_TRY(const MpiPort::Transfer transfer, withPort(begin));
    const Ticks begun = clock().now();
    Result<void> good;
    for (Backoff backoff(crowd()); good; backoff.pause()) {
        poll();
        const Result<bool> done = withPort([&](MpiPort& port) { return port.done(transfer); });
        if (done && *done)
            return {};
        if (patience.stop.requested())
            good = fail(ErrorCode::Cancelled, "%1: stopped", patience.what);
        else if (clock().now() - begun > patience.limit)
            good = fail(ErrorCode::Fault, "%1: another process does not answer", patience.what);
        else if (const std::optional<RankId> lost = silentRank())
            good = fail(ErrorCode::Fault, "%1: rank %2 does not answer", patience.what, *lost);
        else
            good = health();
    }
    const std::lock_guard lock(m_mailbox->mutex);
    m_mailbox->abandoned.push_back(std::move(memory));
    m_mailbox->hopeless = true;
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
    both->all.resize(rank() == leadRank ? own.size() * static_cast<std::size_t>(size()) : 0);
    both->own = std::move(own);
    PW_DO(
        together([&](MpiPort& port) { return port.gather(both->own, both->all); }, both, patience));
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
    PW_DO(spread(length, patience));
    const auto bytes = std::make_shared<Bytewise>(lengthOf(*length));
    if (rank() == leadRank)
        std::copy_n(std::as_bytes(std::span(text.data(), text.size())).begin(), text.size(),
                    bytes->begin());
    PW_DO(spread(bytes, patience));
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<std::vector<std::string>> MpiSession::gather(std::string_view text, const Patience& patience)
{
    // Rank 0 hears how long all are, then all send as much as the longest has.
    const auto lengths = collect(lengthBytes(text.size()), patience);
    if (!lengths)
        return fail(lengths.error());
    std::size_t longest = 0;
    for (int one = 0; rank() == leadRank && one < size(); ++one)
        longest = std::max(longest, lengthOf(**lengths, static_cast<std::size_t>(one)));
    const auto room = std::make_shared<Bytewise>(lengthBytes(longest));
    PW_DO(spread(room, patience));
    Bytewise own(lengthOf(*room));
    std::copy_n(std::as_bytes(std::span(text.data(), text.size())).begin(), text.size(),
                own.begin());
    const std::size_t stride = own.size();
    const auto all = collect(std::move(own), patience);
    if (!all)
        return fail(all.error());
    std::vector<std::string> texts;
    for (std::size_t one = 0; rank() == leadRank && one < static_cast<std::size_t>(size()); ++one)
        texts.emplace_back(reinterpret_cast<const char*>((*all)->data()) + one * stride,
                           lengthOf(**lengths, one));
    return texts;
}

Result<void> MpiSession::meet()
{
    const Stop never;
    const Patience patience{never, meetLimit, "the start"};
    MpiMailbox& mailbox = *m_mailbox;
    PW_TRY(const std::vector<std::string> names,
           gather(buildText() + "\n" + mailbox.port->host() + "\n" + mailbox.clockName, patience));
    std::string all;
    std::map<std::string, RankId> firstOfClock;
    for (const RankId rank : Ids<RankId>(names.size())) {
        std::string_view rest = names[rank.index()];
        const std::string build = nextLineOf(rest);
        const std::string host = nextLineOf(rest);
        if (build != buildText()) {
            all = "!rank " + std::to_string(rank) + " on " + host +
                  " runs another build of Pipewright";
            break;
        }
        const RankId guide =
            firstOfClock.try_emplace(host + "\n" + std::string(rest), rank).first->second;
        all += host + "\n" + std::to_string(guide) + "\n";
    }
    const Result<std::string> heard = broadcast(all, patience);
    if (!heard)
        return fail(heard.error());
    if (!heard->empty() && heard->front() == '!')
        return fail(ErrorCode::Fault, heard->substr(1));
    std::string_view rest = *heard;
    for (const RankId rank : Ids<RankId>(mailbox.hosts.size())) {
        mailbox.hosts[rank.index()] = nextLineOf(rest);
        mailbox.guides[rank.index()] = RankId(wholeOf(nextLineOf(rest)));
    }
    constexpr std::int64_t easy = 4; // processes of a core that do not hinder each other
    const std::int64_t cores = sys::coresOn();
    const auto here =
        std::count(mailbox.hosts.begin(), mailbox.hosts.end(), mailbox.hosts[mailbox.rank.index()]);
    mailbox.crowd = static_cast<int>(std::clamp<std::int64_t>(here / (easy * cores), 1, 32));
    const std::lock_guard lock(mailbox.mutex);
    mailbox.met = true;
    return {};
}

Result<void> MpiSession::barrier(const Patience& patience)
{
    return together([](MpiPort& port) { return port.barrier(); }, {}, patience);
}

} // namespace pw::exec

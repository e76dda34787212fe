// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/mpi/mpi_session.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

namespace pw::exec {

/// The transfers of a process that are under way, and the mail that has come and was not taken.
struct MpiMailbox
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

    MpiMailbox(std::unique_ptr<MpiPort> opened, std::string theClockName);

    // All below with the mutex held.

    /// Keeps what went wrong first.
    void note(const Error& error);
    /// Begins to send; the owner keeps the body alive until it has left.
    void send(RankId to, const MailHead& head, std::span<const std::byte> body,
              std::shared_ptr<const void> owner, int tag);
    /// Moves everything on.
    void poll();
    /// Tells those who listen for this process that it lives.
    void giveSign();
    /// Begins to receive what has come on a channel.
    void begin(MpiChannel channel);
    /// Delivers what has come of a sender, in the order in which it was sent.
    void finish(std::deque<Coming>& ofSender);
    /// Puts mail where whoever waits for it looks, or answers it.
    void deliver(Mail mail);
    /// The oldest mail of a kind.
    std::optional<Mail> pick(MailKind kind);

    /// All but the one that leads.
    Ids<RankId> others() const { return {leadRank + 1, RankId(size)}; }

    std::unique_ptr<MpiPort> port;
    const RankId rank;
    const int size;
    const std::string library;
    const RunClock clock;
    const std::string clockName;
    std::vector<std::string> hosts;
    std::atomic<int> crowd{1};
    std::vector<RankId> guides; ///< by rank: the lowest one that reads the same clock

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

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/transport.h"
#include "executor/mpi/mpi_port.h"
#include "executor/transport/host_payload.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// Names the monotonic clock of this process: the same text in every process that reads the same
/// one, that is, of one start of one machine. Unlike any other where the system does not say.
std::string clockOfMachine();

/// What a message between two processes is about.
enum class MailKind : std::int32_t
{
    // Between processes, whatever they do.
    Aligned, ///< to rank 0: no more pings; and of rank 0: all are done
    Ping,    ///< answered by whoever polls; `posted` of the answer is that one's clock
    Pong,
    Alive,
    Goodbye,  ///< to rank 0: nothing more will be sent
    Leave,    ///< of rank 0: all have said so
              // About runs.
    Plan,     ///< of rank 0: the next run; an empty one: there is none
    Shared,   ///< of any rank, for all of the run
    Failed,   ///< the sender's part of the run has failed
    RankHere, ///< to rank 0: this rank has come to an iteration
    RankGo,   ///< of rank 0: all have; `due` is when it starts
    Posted,   ///< the receiver of a result has come to its receive
    Result,   ///< of a pass
    Exchange, ///< weight gradients
    Record    ///< to rank 0, to be kept
};

constexpr int mailKindCount = static_cast<int>(MailKind::Record) + 1;

/// What stands before every message. Plain numbers: all processes are of one build, on machines of
/// one kind, which they check when they meet.
struct MailHead
{
    std::uint32_t mark = 0x50'57'4d'31; ///< "PWM1"
    MailKind kind = MailKind::Alive;
    std::int32_t run = 0;    ///< number of the run, 0: none
    std::int32_t number = 0; ///< message, reduction, barrier …
    std::int32_t iteration = 0;
    std::int32_t flags = 0;  ///< as the kind has it
    std::int64_t bytes = 0;  ///< of the payload, which may be more than what travels
    std::int64_t posted = 0; ///< time of the sender
    std::int64_t due = 0;    ///< see `Packet::due`
};

/// The process that reads the command line and prints.
constexpr RankId leadRank{0};

/// A message that has come.
struct Mail
{
    RankId from{0};
    int tag = 0;
    MailHead head;
    std::shared_ptr<HostPayload> body; ///< null where nothing followed the head
    Ticks started = 0;                 ///< by the session's clock
    Ticks ended = 0;

    std::string_view text() const;
};

struct MpiMailbox;

/// The processes that a launcher started together, and mail between them.
///
/// Mail of one sender and channel comes in the order in which it was sent. A thread of its own
/// keeps transfers moving while everybody computes; whoever waits moves them too. Safe to call from
/// any thread; no call waits but those that take a `Patience`.
class MpiSession
{
public:
    /// Starts the mail over a port.
    /// @param clockName  processes with one name read one monotonic clock; see `clockOfMachine`
    explicit MpiSession(std::unique_ptr<MpiPort> port, std::string clockName = clockOfMachine());
    /// Says goodbye, with patience; where a process does not answer, all end when this one does.
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    /// Exchanges names and builds with the other processes.
    /// @error Fault  a process does not answer, or is of another build: names its rank and host
    Result<void> meet();

    RankId rank() const;
    int size() const;
    const std::vector<std::string>& hosts() const; ///< by rank
    const std::string& library() const;
    int maxTag() const;
    const RunClock& clock() const;
    /// How crowded the host is: by how much more than four of these processes a core has; at least
    /// 1. Whoever waits looks so many times less often, or looking would take all the time.
    int crowd() const;

    /// @param owner  keeps the body alive until it has left; the body is copied where there is none
    void send(RankId to, MailHead head, std::span<const std::byte> body = {},
              std::shared_ptr<const void> owner = {}, int tag = 0);
    void send(RankId to, MailHead head, std::string_view text);

    /// Moves transfers on.
    void poll();
    /// The oldest mail of a kind that has come, if there is any.
    std::optional<Mail> take(MailKind kind);
    enum class Haste : bool
    {
        Sleeps,
        Spins ///< at first: for an answer whose time counts
    };
    /// Waits for mail of a kind.
    Result<Mail> wait(MailKind kind, const Patience& patience, Haste haste = Haste::Sleeps);

    // Calls of all processes, one after the other. They cannot be taken back: where one is stopped
    // or its limit passes, this session can do nothing more with the others, and says no goodbye.
    /// Text of rank 0, on all.
    Result<std::string> broadcast(std::string_view text, const Patience& patience);
    /// Texts of all ranks on rank 0, by rank; empty elsewhere.
    Result<std::vector<std::string>> gather(std::string_view text, const Patience& patience);
    /// Waits for all processes.
    /// @error Fault  one has not come
    Result<void> barrier(const Patience& patience);

    /// The lowest rank whose process reads the same clock as this one: it asks rank 0 for all of
    /// them.
    RankId guide() const { return guideOf(rank()); }
    RankId guideOf(RankId rank) const;

    /// A rank that has given no sign of life for `longestSilence`, if there is one: its process is
    /// gone, hangs or is stopped. Time in which this process itself was stopped does not count.
    std::optional<RankId> silentRank() const;
    /// What the MPI library reported, or good.
    Result<void> health() const;

    /// From now on the destructor says no goodbye: all processes end when this one does.
    void giveUp();

private:
    using Bytewise = std::vector<std::byte>;
    /// Makes a call of all and waits for its end; the memory is kept until then.
    Result<void> together(const std::function<Result<MpiPort::Transfer>(MpiPort&)>& begin,
                          std::shared_ptr<const void> memory, const Patience& patience);
    Result<void> spread(const std::shared_ptr<Bytewise>& bytes, const Patience& patience);
    Result<std::shared_ptr<Bytewise>> collect(Bytewise own, const Patience& patience);

    std::unique_ptr<MpiMailbox> m_mailbox;
};

/// Between two looks for something that others must do: short at first, at most a fifth of a
/// millisecond, and on a crowded host as often that, so that ranks may outnumber cores.
class Backoff
{
public:
    explicit Backoff(int crowd = 1)
        : m_crowd(crowd)
    {
    }
    void pause();

private:
    int m_crowd;
    int m_rounds = 0;
};

/// Loads the MPI module, starts MPI and meets the others.
/// @error BadValue  there is no module, or it does not load
/// @error Fault     as of `meet`
Result<std::unique_ptr<MpiSession>> openMpi();

} // namespace pw::exec

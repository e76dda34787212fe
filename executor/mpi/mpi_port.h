// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace pw::exec {

/// Messages of different use never wait for each other.
enum class MpiChannel : std::uint8_t
{
    Control, ///< small and urgent
    Data,    ///< results on their way between ranks
    Records  ///< what rank 0 keeps
};

constexpr int mpiChannelCount = 3;

/// The few things that Pipewright asks of an MPI library. Nothing here waits. One thread at a time.
///
/// The module `pipewright-mpi` implements it; the program itself does not link MPI.
class MpiPort
{
public:
    /// A transfer under way.
    using Transfer = std::int64_t;

    /// A message that has come and was not received yet.
    struct Incoming
    {
        int from = 0;
        int tag = 0;
        std::int64_t bytes = 0;
    };

    virtual ~MpiPort() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string host() const = 0;
    virtual std::string library() const = 0; ///< "Open MPI 4.1.4"
    virtual int maxTag() const = 0;

    /// Sends head and body as one message; their memory stays as it is until the transfer is done.
    virtual Result<Transfer> send(MpiChannel channel, int to, int tag,
                                  std::span<const std::byte> head,
                                  std::span<const std::byte> body) = 0;
    /// The next message of a channel, if one is there. It is `receive`d before anything else
    /// happens on the channel.
    virtual Result<std::optional<Incoming>> next(MpiChannel channel) = 0;
    /// Receives the message that `next` gave last into head and body, which are as long as it is.
    virtual Result<Transfer> receive(MpiChannel channel, std::span<std::byte> head,
                                     std::span<std::byte> body) = 0;
    // Together: all processes make these calls in one order, and begin none before the last has
    // ended. They cannot be taken back, so their memory stays until they have ended.
    /// Ends when all processes have begun it.
    virtual Result<Transfer> barrier() = 0;
    /// Gives all the bytes of rank 0; equally many everywhere.
    virtual Result<Transfer> broadcast(std::span<std::byte> bytes) = 0;
    /// Brings the bytes of all, equally many of each, to rank 0, by rank.
    /// @param all  empty but on rank 0
    virtual Result<Transfer> gather(std::span<const std::byte> own, std::span<std::byte> all) = 0;

    /// Whether a transfer has ended; it is forgotten then.
    virtual Result<bool> done(Transfer transfer) = 0;

    /// Says goodbye to the library when the process ends; nothing else is called afterwards.
    /// @pre every process does so
    virtual void leave() noexcept = 0;
    /// Ends all processes when this one ends; nothing else is called afterwards.
    virtual void abort() noexcept = 0;
};

/// Raised whenever `MpiPort` changes.
constexpr int mpiPortVersion = 2;

/// What the module exports as `pw_mpi_port`: starts MPI; the port is the caller's. Null where
/// `version` is not the module's own or MPI does not start; `problem` says why.
using MpiPortFactory = MpiPort* (*)(int version, std::string* problem);

} // namespace pw::exec

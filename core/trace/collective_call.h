// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pw {

/// An operation by which ranks communicate.
enum class CollectiveKind : std::uint8_t
{
    Other, ///< not told
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Reduce,
    Gather,
    Scatter,
    Barrier,
    Message ///< a send, a receive, or both
};

constexpr int collectiveKindCount = 11;

/// Which end of a message a rank is.
enum class MessageEnd : std::uint8_t
{
    NotTold, ///< or both
    Sends,
    Receives
};

constexpr int messageEndCount = 3;

/// "other", "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "reduce",
/// "gather", "scatter", "barrier", "message".
std::string_view name(CollectiveKind kind);

/// The operation that a text names, in any program's spelling: "allreduce", "_allgather_base",
/// "ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)", "hcom_reduceScatter_". NCCL runs all-to-all,
/// gather and scatter as sends and receives, so "SendRecv" in the name of a kernel is a message
/// only where nothing around it says otherwise.
CollectiveKind collectiveKind(std::string_view text);

/// The operation that a range around a launch names: as `collectiveKind` for names of the libraries
/// ("nccl:all_to_all", "c10d::alltoall_base_", "ncclGather"), and all-to-all in any name that
/// begins with it ("_AllToAllBackward"). Other for anything else.
CollectiveKind collectiveKindOfRange(std::string_view text);

/// Which end of a message a text names: "send", "nccl:recv 1<-0", "c10d::recv_". What names both,
/// as NCCL's kernel, or none, tells nothing.
MessageEnd messageEnd(std::string_view text);

/// Bytes of an element by the name of its type, as PyTorch ("BFloat16", "Float8_e4m3fn") and NCCL
/// ("ncclFloat32") write it; 0: not known.
Bytes bytesOfType(std::string_view type);

/// Ranks that communicate with each other, as a file names them.
struct ProcessGroup
{
    std::string name;        ///< empty: not told
    std::string description; ///< "default_pg", "mesh_dp"; empty: not told
    std::string ranks;       ///< "0, 2"; a long list may have "..." in it; empty: not told
    std::int32_t size = -1;  ///< −1: not told
    bool unique = false;     ///< no other group has the name, as with NCCL's communicators

    /// Whether it is told which ranks it has. Groups of one name may be several, beside each other.
    bool listed() const { return !ranks.empty() && ranks.find("...") == std::string::npos; }
    /// Whether it is told at all.
    bool told() const { return !name.empty() || listed(); }

    friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;
};

/// More than any rank sends at once: what is said to be more is not told.
constexpr Bytes mostCollectiveBytes = Bytes{1} << 44;

/// What is said of a span of communication. −1: not told.
struct CollectiveCall
{
    std::int32_t span = -1;  ///< of `Trace::spans`
    std::int32_t group = -1; ///< of `Trace::groups`
    CollectiveKind kind = CollectiveKind::Other;
    Bytes sent = -1;                      ///< by this rank
    Bytes received = -1;                  ///< likewise
    std::int64_t sequence = -1;           ///< number of the operation in its group
    std::int32_t peer = -1;               ///< of a message: number of the rank at its other end
    MessageEnd end = MessageEnd::NotTold; ///< of a message; told where its peer is

    bool sends() const { return end == MessageEnd::Sends; }

    friend bool operator==(const CollectiveCall&, const CollectiveCall&) = default;
};

} // namespace pw

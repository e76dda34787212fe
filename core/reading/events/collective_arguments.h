// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pw {

/// A key of an event's arguments by which PyTorch's profiler tells a collective.
enum class CollectiveField : std::uint8_t
{
    None,
    Operation, ///< "Collective name"
    Group,     ///< "Process Group Name"
    Description,
    Ranks,
    Size,
    Sent,     ///< "In msg nelems"
    Received, ///< "Out msg nelems"
    Type,
    Sequence,
    Receiver, ///< "Dst Rank", of what sends
    Sender    ///< "Src Rank", of what receives
};

CollectiveField collectiveField(std::string_view key);

/// What an event's arguments say of a collective; kept, so that the texts keep their memory.
struct CollectiveArguments
{
    bool any = false;
    std::string operation;
    std::string group;
    std::string description;
    std::string ranks; ///< numbers with ", " between them
    std::string type;
    std::int64_t size = -1;
    std::int64_t sent = -1; ///< elements
    std::int64_t received = -1;
    std::int64_t sequence = -1;
    std::int64_t receiver = -1; ///< numbers of ranks
    std::int64_t sender = -1;

    void clear();
    void take(CollectiveField field, std::string_view text);
    /// One of a list of ranks that is not a text.
    void takeRank(std::string_view number);
};

} // namespace pw

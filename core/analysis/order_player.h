// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/measured_round.h"
#include "core/sim/simulator.h"
#include "core/trace/waits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pw {

/// An entry as it is played: what it takes and what it waits for, by number.
struct PlayedEntry
{
    EntryId entry{0};
    EntryId before; ///< on its device
    std::size_t kind = 0;
    bool update = false;
    std::size_t firstInput = 0, lastInput = 0;
};

/// One of the things that it waits for.
struct PlayedInput
{
    EntryId producer{0};
    std::ptrdiff_t message = -1; ///< kind of message; −1: none
};

/// The order of a schedule, ready to be played again and again with other times for its entries,
/// launch gaps and messages; one number comes out, the makespan.
class OrderPlayer
{
public:
    /// @error Deadlock  as of `simulate`
    /// @error BadValue  committed messages, which hold up their senders
    static Result<OrderPlayer> make(const Schedule& schedule);

    /// By number, what entries are alike.
    const std::vector<EntryKind>& kinds() const { return m_kinds; }
    const std::vector<std::size_t>& counts() const { return m_counts; } ///< entries of each kind
    /// By number, what messages are alike.
    const std::vector<MessageKind>& messages() const { return m_messages; }

    /// Makespan with the times that `entryTime`, `gap`, `opening` and `message` give; the last
    /// one is told whether its device waits for it.
    template<typename Source>
    Ticks play(Source& source)
    {
        Ticks first = std::numeric_limits<Ticks>::max(), last = 0;
        for (const PlayedEntry& played : m_order) {
            const Ticks free =
                played.before < 0 ? -1 : m_end[static_cast<std::size_t>(played.before)];
            Ticks start = 0;
            bool message = false;
            for (std::size_t i = played.firstInput; i < played.lastInput; ++i) {
                const PlayedInput& input = m_inputs[i];
                const Ticks made = m_end[static_cast<std::size_t>(input.producer)];
                Ticks travel = 0;
                if (input.message >= 0) {
                    message = true;
                    travel = source.message(played, static_cast<std::size_t>(input.message),
                                            made > free);
                }
                start = std::max(start, made + travel);
            }
            if (played.before >= 0)
                start = std::max(start, free + source.gap(played));
            else if (!message)
                start = std::max(start, source.opening(played));
            const Ticks end = start + source.entryTime(played);
            m_end[static_cast<std::size_t>(played.entry)] = end;
            first = std::min(first, start);
            last = std::max(last, end);
        }
        return m_order.empty() ? 0 : last - first;
    }

private:
    OrderPlayer(const Schedule& schedule, const SimResult& times);
    std::ptrdiff_t messageOf(const Schedule& schedule, const EntryInput& input, bool update);

    std::vector<PlayedEntry> m_order; ///< every entry behind all that it waits for
    std::vector<PlayedInput> m_inputs;
    std::vector<EntryKind> m_kinds;
    std::vector<std::size_t> m_counts;
    std::vector<MessageKind> m_messages;
    std::vector<Ticks> m_end; ///< by entry
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/lower/program.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace pw {

namespace {

/// What is asked of the copies around the entries of one rank.
struct AroundEntry
{
    std::vector<Instruction> before;
    std::vector<Instruction> behind;
};

/// Goes along a rank's entries and hands out what its copies do between and within them. Room that
/// a copy leaves is free before the entry that may take it; where a copy back comes sooner, before
/// that.
class RankMoves
{
public:
    /// @param first  of `copies` in the program's moves
    RankMoves(const Schedule& schedule, const SimResult& times, std::span<const HostCopy> copies,
              std::int32_t first, std::vector<HostMove>& moves)
        : m_times(times)
        , m_copies(copies)
        , m_first(first)
        , m_moves(moves)
        , m_device(copies.front().device)
        , m_begin(schedule.begin(m_device))
        , m_around(static_cast<std::size_t>(schedule.end(m_device) - m_begin))
    {
        m_leaving.resize(copies.size());
        std::iota(m_leaving.begin(), m_leaving.end(), std::size_t{0});
        std::stable_sort(m_leaving.begin(), m_leaving.end(), [&](std::size_t a, std::size_t b) {
            return copies[a].forward < copies[b].forward;
        });
    }

    std::vector<AroundEntry> run()
    {
        for (std::size_t at = 0; at < m_around.size(); ++at) {
            const EntryId entry = m_begin + static_cast<std::int32_t>(at);
            AroundEntry& here = m_around[at];
            free(start(entry), here.before, false);
            while (nextFetch() != nullptr && nextFetch()->backStart < end(entry) &&
                   nextFetch()->needed > entry)
                fetch(here.before, true);
            stow(entry, here.behind);
            const bool last = at + 1 == m_around.size();
            while (nextFetch() != nullptr && (last || nextFetch()->backStart < start(entry + 1) ||
                                              nextFetch()->needed == entry + 1))
                fetch(here.behind, false);
        }
        return std::move(m_around);
    }

private:
    Ticks start(EntryId entry) const { return m_times.start[static_cast<std::size_t>(entry)]; }
    Ticks end(EntryId entry) const { return m_times.end[static_cast<std::size_t>(entry)]; }
    Instruction of(InstructionKind kind, std::size_t copy) const
    {
        return {kind, m_first + static_cast<std::int32_t>(copy)};
    }
    const HostCopy* nextFetch() const
    {
        return m_fetched < m_copies.size() ? &m_copies[m_fetched] : nullptr;
    }

    void stow(EntryId entry, std::vector<Instruction>& to)
    {
        for (; m_stowed < m_leaving.size() && m_copies[m_leaving[m_stowed]].forward == entry;
             ++m_stowed)
            to.push_back(of(InstructionKind::Stow, m_leaving[m_stowed]));
    }

    /// Room of copies that have ended by then.
    void free(Ticks time, std::vector<Instruction>& to, bool within)
    {
        for (; m_freed < m_stowed && m_copies[m_leaving[m_freed]].outEnd <= time; ++m_freed) {
            const std::size_t copy = m_leaving[m_freed];
            to.push_back(of(InstructionKind::Free, copy));
            m_moves[static_cast<std::size_t>(m_first) + copy].freedWithin = within;
        }
    }

    void fetch(std::vector<Instruction>& to, bool within)
    {
        const std::size_t copy = m_fetched++;
        free(m_copies[copy].backStart, to, within);
        to.push_back(of(InstructionKind::Fetch, copy));
        m_moves[static_cast<std::size_t>(m_first) + copy].fetchedWithin = within;
    }

    const SimResult& m_times;
    std::span<const HostCopy> m_copies;
    std::int32_t m_first;
    std::vector<HostMove>& m_moves;
    DeviceId m_device;
    EntryId m_begin;
    std::vector<AroundEntry> m_around;
    std::vector<std::size_t> m_leaving; ///< copies in the order of the way there
    std::size_t m_stowed = 0;           ///< of `m_leaving`
    std::size_t m_freed = 0;            ///< of `m_leaving`
    std::size_t m_fetched = 0;          ///< of `m_copies`, which are in the order of the way back
};

/// Puts instructions around the entries of a rank. Its messages stay one group between two of them.
void insert(std::vector<Instruction>& rank, EntryId firstEntry,
            const std::vector<AroundEntry>& around)
{
    std::vector<Instruction> all;
    for (const Instruction& instruction : rank) {
        if (instruction.kind != InstructionKind::Compute) {
            all.push_back(instruction);
            continue;
        }
        const AroundEntry& here = around[static_cast<std::size_t>(instruction.index - firstEntry)];
        all.insert(all.end(), here.before.begin(), here.before.end());
        all.push_back(instruction);
        all.insert(all.end(), here.behind.begin(), here.behind.end());
    }
    rank = std::move(all);
}

} // namespace

Result<void> addHostMoves(Program& program, const Schedule& schedule, const Costs& costs)
{
    if (costs.offload.cells.empty())
        return {};
    PW_TRY(const SimResult times, simulate(schedule, costs));
    const std::span<const HostCopy> copies = times.copies;
    for (const HostCopy& copy : copies)
        program.moves.push_back({copy.cell, rankOf(copy.device), copy.needed, false, false});
    // By device, each device's in one piece.
    for (std::size_t begin = 0; begin < copies.size();) {
        const DeviceId device = copies[begin].device;
        std::size_t end = begin;
        while (end < copies.size() && copies[end].device == device)
            ++end;
        RankMoves moves(schedule, times, copies.subspan(begin, end - begin),
                        static_cast<std::int32_t>(begin), program.moves);
        insert(program.ranks[rankOf(device).index()], schedule.begin(device), moves.run());
        begin = end;
    }
    return {};
}

} // namespace pw

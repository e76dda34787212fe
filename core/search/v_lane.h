// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/index.h"
#include "core/search/v_schedule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace pw {

// The rows of a lane whose W are not told apart by chunk: those of `VRow`, and one for all W.
constexpr int plainRows = 4; // F0 F1 B1 B0
constexpr int weightRow = 4; // W of both chunks, in the order of their B

constexpr bool isForwardRow(int row)
{
    return row == 0 || row == 1;
}

/// One device as slots of one unit each, filled from the first on: passes come in the order of
/// their old slots, and each takes a slot up to its own. So behind the last slot taken, the front,
/// all are vacant, and what is live there is known without a look.
struct SlotLane
{
    std::int8_t* slots = nullptr; ///< up to the front: row, or vacant
    int front = -1;
    int live = 0; ///< activations after the front, with the W up to there
    int owed = 0; ///< W that are implied and did not find a vacant slot up to the front
    std::array<int, 5> last{-1, -1, -1, -1, -1}; ///< slot of the last pass of each row

    /// The first vacant slot from one on, up to the front; the one behind it if there is none.
    int firstVacant(int from) const
    {
        if (from > front)
            return from;
        const void* const found =
            std::memchr(slots + from, static_cast<unsigned char>(vacant), at(front + 1 - from));
        return found == nullptr ? front + 1
                                : static_cast<int>(static_cast<const std::int8_t*>(found) - slots);
    }

    /// How much more is live behind the slots from one on, to before another, than before them.
    int change(int from, int to) const
    {
        int more = 0;
        while (from < to) {
            const int end = std::min(from + 64, to); // so few that bytes hold the sum
            std::int8_t part = 0;
            for (; from < end; ++from) {
                const std::int8_t row = slots[from];
                const int one = (row == 0 || row == 1 ? 1 : 0) - (row == weightRow ? 1 : 0);
                part = static_cast<std::int8_t>(part + one);
            }
            more += part;
        }
        return more;
    }

    /// The last slot from one on, to before another up to the front, behind which a limit or more
    /// is live; -1: none.
    int lastFull(int from, int to, int limit) const
    {
        int after = live - change(to, front + 1);
        for (int slot = to - 1; slot >= from;) {
            if (after >= limit)
                return slot;
            // What is live differs by one from slot to slot, so that so many cannot be full.
            const int before = slot - (limit - after);
            if (before < from)
                break;
            after -= change(before + 1, slot + 1);
            slot = before;
        }
        return -1;
    }

    /// Moves the front: a vacant slot takes a W that is owed.
    void extend(int to)
    {
        if (to <= front)
            return;
        const int weights = std::min(owed, to - front);
        std::memset(slots + front + 1, weightRow, at(weights));
        std::memset(slots + front + 1 + weights, vacant, at(to - front - weights));
        live -= weights;
        owed -= weights;
        front = to;
    }
};

/// A lane whose W are passes like others.
struct LaneWithWeights : SlotLane
{
    int paid = -1; ///< slot of the B whose W was the last

    /// The slot of the B that the next W follows: of the first that has no W.
    int nextOwing() const
    {
        int slot = paid + 1;
        while (slots[slot] != 2 && slots[slot] != 3)
            ++slot;
        return slot;
    }

    /// The first vacant slot behind one that keeps the lane's peak, before the pass's own; its own
    /// if there is none.
    int betterSlot(int row, int earliest, int now, int limit) const
    {
        const int first = firstVacant(earliest + 1);
        // A B or W holds nothing for longer, so that the first will do; an F does.
        if (first >= now || !isForwardRow(row))
            return std::min(first, now);
        if (live >= limit)
            return now;
        const int full = lastFull(first, front + 1, limit);
        return full < 0 ? first : std::min(firstVacant(full + 1), now);
    }

    void place(int row, int slot)
    {
        extend(slot);
        slots[slot] = static_cast<std::int8_t>(row);
        last[at(row)] = slot;
        if (row == weightRow) {
            paid = nextOwing();
            --live;
        } else if (isForwardRow(row)) {
            ++live;
        } else if (slot < paid) {
            // One more B lies before: the B that has the last W is the one before.
            do
                --paid;
            while (slots[paid] != 2 && slots[paid] != 3);
        }
    }
};

/// A lane where every vacant slot takes a W as soon as it can.
struct LaneOfImpliedWeights : SlotLane
{
    /// The first slot from one on without F or B.
    int firstFree(int slot) const
    {
        while (slot <= front && slots[slot] != vacant && slots[slot] != weightRow)
            ++slot;
        return slot;
    }

    /// The first slot behind one, without F or B, where the pass keeps the peak, which is kept now;
    /// its own if there is none before.
    ///
    /// Its W moves on to the first vacant slot that no W needed, and so does the pass's own.
    int betterSlot(int row, int earliest, int now, int limit)
    {
        extend(earliest);
        const int first = firstFree(earliest + 1);
        // What is live differs by one from slot to slot, and two more are with an F.
        if (first >= now || (first <= front && live + (front - first) + 2 <= limit))
            return std::min(first, now);
        return isForwardRow(row) ? betterForForward(first, now, limit)
                                 : betterForBackward(first, now, limit);
    }

    /// A B makes no more live where no W ran, and else one more, up to where that W runs now.
    int betterForBackward(int first, int now, int limit) const
    {
        const int next = firstVacant(first);
        if (first > front || next == first)
            return first;
        const int full = lastFull(first, next, limit);
        return full < 0 ? first : std::min(firstFree(full + 1), now);
    }

    /// An F makes one more live from its slot on, and two where a W ran, up to where it runs now.
    int betterForForward(int first, int now, int limit) const
    {
        // Behind the front less is live with each W.
        const int step = std::max(1, live + 2 - limit);
        int found = step <= owed + 1 ? std::min(front + step, now) : now;
        int before = 0; // most that is live from a slot on, up to the next that no W needed
        int behind = 0; // and from there
        int after = live;
        for (int slot = front; slot >= first && after < limit; --slot) {
            before = std::max(before, after);
            const std::int8_t taken = slots[slot];
            if (taken == vacant) {
                found = slot;
                behind = std::max(behind, before);
                before = 0;
            } else if (taken == weightRow) {
                if (before + 2 <= limit && behind + 1 <= limit)
                    found = slot;
                ++after;
            } else if (isForwardRow(taken)) {
                --after;
            }
        }
        return found;
    }

    void place(int row, int slot)
    {
        extend(slot);
        int more = slots[slot] == weightRow ? 1 : 0;
        live += more + (isForwardRow(row) ? 1 : 0);
        more += isForwardRow(row) ? 0 : 1;
        slots[slot] = static_cast<std::int8_t>(row);
        last[at(row)] = slot;
        for (int next = slot; more > 0; --more) {
            next = firstVacant(next + 1);
            if (next > front)
                break;
            slots[next] = weightRow;
            --live;
        }
        owed += more;
    }
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/search/v_schedule.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace pw {

namespace {

constexpr int plainRows = 4; // F0 F1 B1 B0
constexpr int weightRow = 4; // W of both chunks, in the order of their B

/// Values of slots, with sums over ranges and searches that go by blocks of slots: what is between
/// the ends of a range is looked at by block.
class SlotValues
{
public:
    bool empty() const { return m_values.empty(); }
    void clear() { m_values.clear(); }

    void fill(std::vector<int> values)
    {
        m_values = std::move(values);
        m_values.resize((m_values.size() + at(length) - 1) / at(length) * at(length), lowest);
        m_added.assign(m_values.size() / at(length), 0);
        m_most.resize(m_added.size());
        for (std::size_t b = 0; b < m_most.size(); ++b)
            look(static_cast<int>(b));
    }

    int of(int slot) const { return m_values[at(slot)] + m_added[at(slot / length)]; }

    /// Adds to the slots from one on, to before another.
    void add(int from, int to, int change)
    {
        if (from >= to)
            return;
        const int first = from / length, last = (to - 1) / length;
        addInside(first, from, std::min(to, (first + 1) * length), change);
        for (int b = first + 1; b < last; ++b) {
            m_added[at(b)] += change;
            m_most[at(b)] += change;
        }
        if (last > first)
            addInside(last, last * length, to, change);
    }

    /// The last slot from one on, to before another, whose value is a limit or more; -1: none.
    int lastFrom(int from, int to, int limit) const
    {
        while (from < to) {
            const int block = (to - 1) / length, begin = std::max(block * length, from);
            for (int t = m_most[at(block)] < limit ? begin : to; --t >= begin;) {
                if (of(t) >= limit)
                    return t;
            }
            to = begin;
        }
        return -1;
    }

    /// The first slot from one on, to before another, whose value is a limit or more; `to`: none.
    int firstFrom(int from, int to, int limit) const
    {
        while (from < to) {
            const int block = from / length, end = std::min((block + 1) * length, to);
            for (int t = m_most[at(block)] < limit ? end : from; t < end; ++t) {
                if (of(t) >= limit)
                    return t;
            }
            from = end;
        }
        return to;
    }

    int most() const { return *std::max_element(m_most.begin(), m_most.end()); }

private:
    static constexpr int length = 64;
    static constexpr int lowest = -(1 << 30); ///< behind the last slot

    void addInside(int block, int from, int to, int change)
    {
        for (int t = from; t < to; ++t)
            m_values[at(t)] += change;
        look(block);
    }

    void look(int block)
    {
        const int* const values = &m_values[at(block * length)];
        int most = lowest;
        for (int k = 0; k < length; ++k)
            most = std::max(most, values[k]);
        m_most[at(block)] = most + m_added[at(block)];
    }

    std::vector<int> m_values; ///< without what was added to their whole block
    std::vector<int> m_added;  ///< by block
    std::vector<int> m_most;   ///< by block: the largest value
};

/// One device as slots of one unit each.
struct SlotLane
{
    std::vector<std::int8_t> slot;         // row, or vacant
    std::array<std::vector<int>, 5> times; // slot of each micro-batch, by row
    std::vector<int> backwardTimes;        // slots of B1 and B0, ascending; empty: not counted
    SlotValues live; // activations after each slot, W included; empty: not counted

    /// Fills the slots from the times.
    void layOut(bool withWeights)
    {
        int last = 0;
        const int rows = withWeights ? plainRows + 1 : plainRows;
        for (int r = 0; r < rows; ++r)
            last = std::max(last, times[at(r)].back());
        slot.assign(at(last + 1), vacant);
        for (int r = 0; r < rows; ++r) {
            for (const int t : times[at(r)])
                slot[at(t)] = static_cast<std::int8_t>(r);
        }
        backwardTimes.clear();
        live.clear();
    }

    /// Counts what moving passes with their weights asks for, once they are laid out.
    void count()
    {
        backwardTimes.reserve(times[2].size() + times[3].size());
        std::vector<int> after(slot.size());
        int now = 0;
        for (std::size_t t = 0; t < slot.size(); ++t) {
            const std::int8_t row = slot[t];
            now += (row == 0 || row == 1) ? 1 : (row == weightRow ? -1 : 0);
            after[t] = now;
            if (row == 2 || row == 3)
                backwardTimes.push_back(static_cast<int>(t));
        }
        live.fill(std::move(after));
    }

    /// Gives every W, in the order of the B, the first vacant slot; the rest follow the last pass.
    void fillWeights()
    {
        times[weightRow].clear();
        times[weightRow].reserve(times[2].size() + times[3].size());
        int pending = 0;
        const int bound = static_cast<int>(slot.size());
        for (int t = 0; t < bound; ++t) {
            if (slot[at(t)] == 2 || slot[at(t)] == 3) {
                ++pending;
            } else if (slot[at(t)] == vacant && pending > 0) {
                times[weightRow].push_back(t);
                --pending;
            }
        }
        for (int t = bound; pending > 0; ++t, --pending)
            times[weightRow].push_back(t);
    }

    /// The first vacant slot from one on, to before another; that one if there is none.
    int firstVacant(int from, int to) const
    {
        if (from >= to)
            return to;
        const void* found =
            std::memchr(&slot[at(from)], static_cast<unsigned char>(vacant), at(to - from));
        return found == nullptr
                   ? to
                   : static_cast<int>(static_cast<const std::int8_t*>(found) - slot.data());
    }

    // What is live after a slot, and how many W could run before it, when every vacant slot takes a
    // W as soon as it can.
    SlotValues loads;
    SlotValues unowed; ///< less than 0 by what is owed; where a pass is by more
    static constexpr int hidden = -(1 << 28); ///< by so much

    int owedAt(int place) const
    {
        const int less = -unowed.of(place);
        return less >= -hidden / 2 ? less + hidden : less;
    }

    void load()
    {
        std::vector<int> after(slot.size()), before(slot.size());
        int now = 0, owed = 0;
        for (std::size_t t = 0; t < slot.size(); ++t) {
            before[t] = -owed + (slot[t] == vacant ? 0 : hidden);
            if (slot[t] == 0 || slot[t] == 1) {
                ++now;
            } else if (slot[t] != vacant) {
                ++owed;
            } else if (owed > 0) {
                --now;
                --owed;
            }
            after[t] = now;
        }
        loads.fill(std::move(after));
        unowed.fill(std::move(before));
    }

    /// What changes from a slot on, to before another: so much more is live after these slots, and
    /// owed behind them.
    struct Stretch
    {
        int from = 0, to = 0, live = 0, owed = 0;
    };

    /// How a pass that moves to an earlier slot changes what follows, up to its old slot. The new
    /// one had a W, unless none was owed, and a vacant one between them that no W needed takes one
    /// that is owed now.
    std::array<Stretch, 3> stretchesBefore(int row, int from, int to) const
    {
        std::array<Stretch, 3> stretches{};
        const bool forward = row == 0 || row == 1;
        const int lost = owedAt(to) > 0 ? 1 : 0;
        Stretch now{to, to, lost + (forward ? 1 : 0), lost + (forward ? 0 : 1)};
        for (Stretch& stretch : stretches) {
            now.to = now.owed > 0 ? unowed.firstFrom(now.from + 1, from, 0) : from;
            stretch = now;
            if (now.to == from)
                break;
            now = {now.to, now.to, now.live - 1, now.owed - 1};
        }
        return stretches;
    }

    /// Counts anew, before the pass moves: behind its old slot, which takes a W if one is owed,
    /// vacant ones that had a W for want of more have none, until all is as it was.
    void loadForMove(int row, int from, int to)
    {
        const bool forward = row == 0 || row == 1;
        const auto stretches = stretchesBefore(row, from, to);
        Stretch now;
        for (const Stretch& stretch : stretches) {
            if (stretch.to == from && stretch.from < stretch.to)
                now = stretch;
        }
        const int gained = owedAt(from) + now.owed > 0 ? 1 : 0;
        now = {from, from, now.live - gained - (forward ? 1 : 0),
               now.owed - gained - (forward ? 0 : 1)};
        for (const Stretch& stretch : stretches)
            change(stretch);
        const int bound = static_cast<int>(slot.size());
        while (now.from < bound && (now.live != 0 || now.owed != 0)) {
            // As many are owed there as before the move still: nothing behind has changed yet.
            now.to = now.owed < 0 ? unowed.firstFrom(now.from + 1, bound, now.owed) : bound;
            change(now);
            now = {now.to, now.to, now.live + 1, now.owed + 1};
        }
        unowed.add(to, to + 1, hidden);
        unowed.add(from, from + 1, -hidden);
    }

    void change(const Stretch& stretch)
    {
        loads.add(stretch.from, stretch.to, stretch.live);
        unowed.add(stretch.from + 1, std::min(stretch.to + 1, static_cast<int>(slot.size())),
                   -stretch.owed);
    }

    /// True if the peak with implied W keeps a limit, which it does now, after a pass moved to an
    /// earlier slot. Behind its old slot no more is live.
    bool fitsAfterMove(int row, int from, int to, int limit) const
    {
        const auto stretches = stretchesBefore(row, from, to);
        return std::all_of(stretches.begin(), stretches.end(), [&](const Stretch& stretch) {
            return stretch.live <= 0 ||
                   loads.lastFrom(stretch.from, stretch.to, limit - stretch.live + 1) < 0;
        });
    }

    void move(int row, int microBatch, int from, int to)
    {
        slot[at(from)] = vacant;
        slot[at(to)] = static_cast<std::int8_t>(row);
        times[at(row)][at(microBatch)] = to;
        if (live.empty())
            return; // nothing was counted
        if (row == 2 || row == 3) {
            const auto first = std::lower_bound(backwardTimes.begin(), backwardTimes.end(), to);
            const auto last = std::lower_bound(first, backwardTimes.end(), from);
            std::rotate(first, last, last + 1);
            *first = to;
        } else {
            const int change = row == weightRow ? -1 : 1;
            live.add(to, from, change);
        }
    }
};

class Reordering
{
public:
    Reordering(const VBlock& block, int microBatches)
        : m_devices(block.devices())
        , m_microBatches(microBatches)
        , m_lanes(block.offsets.size())
        , m_unit(VProblem::uniform(m_devices, microBatches, 1, 1, 1, 0))
    {
        for (int i = 0; i < m_devices; ++i) {
            for (int r = 0; r < plainRows; ++r) {
                m_lanes[at(i)].times[at(r)].reserve(at(microBatches));
                for (int j = 0; j < microBatches; ++j)
                    m_lanes[at(i)].times[at(r)].push_back(block.offsets[at(i)][at(r)] +
                                                          block.interval * j);
            }
        }
    }

    VOrder run()
    {
        for (auto& lane : m_lanes) {
            lane.layOut(false);
            lane.fillWeights();
            lane.layOut(true);
            lane.count();
        }
        moveEarlier(true);
        squeeze();
        for (auto& lane : m_lanes) {
            lane.layOut(false);
            lane.load();
        }
        moveEarlier(false);
        for (auto& lane : m_lanes)
            lane.fillWeights();
        for (auto& lane : m_lanes)
            lane.layOut(true);
        squeeze();
        return orderWithChunkedWeights();
    }

private:
    /// The latest slot among the passes that this one may not overtake.
    int latestPredecessor(DeviceId device, int row, int microBatch) const
    {
        const SlotLane& lane = m_lanes[at(device)];
        int latest = -1;
        if (row == weightRow) {
            latest = lane.backwardTimes[at(microBatch)];
        } else {
            const int neighbour = row % 2 == 0 ? device - 1 : device + 1;
            if (neighbour >= 0 && neighbour < m_devices)
                latest = m_lanes[at(neighbour)].times[at(row)][at(microBatch)];
            if (row > 0)
                latest = std::max(latest, lane.times[at(row - 1)][at(microBatch)]);
        }
        if (microBatch > 0)
            latest = std::max(latest, lane.times[at(row)][at(microBatch - 1)]);
        return latest;
    }

    /// First vacant slot after `earliest` that keeps the lane's peak; `now` if there is none.
    static int betterSlot(const SlotLane& lane, int row, int earliest, int now, int limit,
                          bool withWeights)
    {
        int first = lane.firstVacant(earliest + 1, now);
        if (withWeights) {
            // A B or W holds nothing for longer, so that the first will do; an F does.
            if (row != 0 && row != 1)
                return first;
            const int full = lane.live.lastFrom(first, now, limit);
            return full < 0 ? first : lane.firstVacant(full + 1, now);
        }
        while (first < now && !lane.fitsAfterMove(row, now, first, limit))
            first = lane.firstVacant(first + 1, now);
        return first;
    }

    /// A place in the walk over all passes: by slot, then by device.
    struct Place
    {
        int slot = 0;
        DeviceId device{0};

        friend bool operator<(const Place& a, const Place& b)
        {
            return std::tie(a.slot, a.device) < std::tie(b.slot, b.device);
        }
    };

    /// Moves the passes of warm-up and cool-down forward; the steady phase stays.
    ///
    /// The steady phase begins with the first B0 of device 0 and ends with the first device's last
    /// F0 after that. Without weights the warm-up stays too.
    void moveEarlier(bool withWeights)
    {
        int limit = 0;
        int bound = 0;
        for (const auto& lane : m_lanes) {
            limit = std::max(limit, withWeights ? lane.live.most() : lane.loads.most());
            bound = std::max(bound, static_cast<int>(lane.slot.size()));
        }
        const Place steady{m_lanes.front().times[3].front(), DeviceId(0)};
        if (withWeights)
            moveRange({0, DeviceId(0)}, steady, limit, true);
        // Nearly all of a long schedule is steady, so the walk goes around it.
        std::optional<Place> last;
        for (const DeviceId i : Ids<DeviceId>(m_devices)) {
            const Place forward{m_lanes[at(i)].times[0].back(), i};
            if (steady < forward && (!last || forward < *last))
                last = forward;
        }
        if (last)
            moveRange({last->slot, last->device + 1}, {bound, DeviceId(0)}, limit, withWeights);
    }

    /// Walks the passes from one place to before another and moves each as far forward as it may.
    void moveRange(Place from, Place to, int limit, bool withWeights)
    {
        auto count = passesBefore(from, withWeights);
        for (int t = from.slot; t < to.slot; ++t) {
            for (DeviceId i(t == from.slot ? from.device : 0); i < m_devices; ++i) {
                SlotLane& lane = m_lanes[at(i)];
                if (t >= static_cast<int>(lane.slot.size()) || lane.slot[at(t)] == vacant)
                    continue;
                const std::int8_t row = lane.slot[at(t)];
                const int microBatch = count[at(i)][at(row)]++;
                const int earliest = latestPredecessor(i, row, microBatch);
                const int better = betterSlot(lane, row, earliest, t, limit, withWeights);
                if (better == t)
                    continue;
                if (!withWeights)
                    lane.loadForMove(row, t, better);
                lane.move(row, microBatch, t, better);
            }
        }
    }

    /// How many passes of every row a device has before a place of the walk.
    std::vector<std::array<int, 5>> passesBefore(Place place, bool withWeights) const
    {
        std::vector<std::array<int, 5>> count(at(m_devices), std::array<int, 5>{});
        for (int i = 0; i < m_devices; ++i) {
            const int bound = i < place.device ? place.slot + 1 : place.slot;
            for (int r = 0; r < (withWeights ? plainRows + 1 : plainRows); ++r) {
                const auto& times = m_lanes[at(i)].times[at(r)];
                count[at(i)][at(r)] = static_cast<int>(
                    std::lower_bound(times.begin(), times.end(), bound) - times.begin());
            }
        }
        return count;
    }

    /// Takes out idle slots: runs every lane in its order as early as it can.
    void squeeze()
    {
        VOrder order(m_devices, m_microBatches);
        for (int i = 0; i < m_devices; ++i) {
            const SlotLane& lane = m_lanes[at(i)];
            std::vector<VRow> owed;
            owed.reserve(2 * at(m_microBatches));
            std::size_t paid = 0;
            std::size_t k = 0;
            const auto rows = order.device(i);
            for (const auto row : lane.slot) {
                if (row == vacant)
                    continue;
                if (row == weightRow) {
                    rows[k++] = owed[paid++];
                } else {
                    rows[k++] = static_cast<VRow>(row);
                    if (row >= 2)
                        owed.push_back(row == 2 ? VRow::W1 : VRow::W0);
                }
            }
        }
        const auto figures = m_timer.measure(m_unit, order);
        PW_ASSERT(figures.has_value());
        for (const DeviceId i : Ids<DeviceId>(m_devices)) {
            SlotLane& lane = m_lanes[at(i)];
            for (auto& row : lane.times)
                row.clear();
            const auto starts = m_timer.starts(i);
            const auto rows = order.device(i);
            for (std::size_t k = 0; k < rows.size(); ++k) {
                const int row = std::min(static_cast<int>(rows[k]), weightRow);
                lane.times[at(row)].push_back(static_cast<int>(starts[k]));
            }
        }
    }

    /// The final order: a vacant slot takes the W of a B1 first, then that of a B0.
    VOrder orderWithChunkedWeights()
    {
        VOrder order(m_devices, m_microBatches);
        for (int i = 0; i < m_devices; ++i) {
            SlotLane& lane = m_lanes[at(i)];
            lane.layOut(false);
            int pending1 = 0;
            int pending0 = 0;
            std::size_t k = 0;
            const auto rows = order.device(i);
            for (const auto row : lane.slot) {
                if (row != vacant) {
                    rows[k++] = static_cast<VRow>(row);
                    pending1 += row == 2 ? 1 : 0;
                    pending0 += row == 3 ? 1 : 0;
                } else if (pending1 > 0) {
                    rows[k++] = VRow::W1;
                    --pending1;
                } else if (pending0 > 0) {
                    rows[k++] = VRow::W0;
                    --pending0;
                }
            }
            for (; pending1 > 0; --pending1)
                rows[k++] = VRow::W1;
            for (; pending0 > 0; --pending0)
                rows[k++] = VRow::W0;
        }
        return order;
    }

    int m_devices;
    int m_microBatches;
    std::vector<SlotLane> m_lanes;
    VProblem m_unit;
    VTimer m_timer;
};

} // namespace

VOrder vOrderFromBlock(const VBlock& block, int microBatches)
{
    return Reordering(block, microBatches).run();
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_lane.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

namespace pw {

namespace {

constexpr int noRow = -1;

/// F0 and B1 come from the device before, F1 and B0 from the one behind.
DeviceId cameFrom(int row, DeviceId device)
{
    return DeviceId(row % 2 == 0 ? device - 1 : device + 1);
}

/// At least so many bytes, an odd number of a cache's lines: lanes whose length is a power of two
/// would push each other out of the cache.
std::size_t spread(std::size_t bytes)
{
    constexpr std::size_t line = 64;
    return ((bytes + line - 1) / line | 1) * line;
}

/// When every F and B runs: by device, row and micro-batch.
///
/// The micro-batches that devices work on at one time are some apart from device to device. A line
/// of a cache holds a few of a device, and behind it lie the same of the next one: so a wave finds
/// its times on a few pages, where one behind another would ask for a page for each row of a
/// device.
class RowTimes
{
public:
    RowTimes(int devices, int microBatches)
        : m_devices(at(devices))
        , m_lines((at(microBatches) + together - 1) / together)
        , m_times(new int[plainRows * m_lines * m_devices * together])
    {
    }

    int& of(DeviceId device, int row, int microBatch)
    {
        const std::size_t line = at(row) * m_lines + at(microBatch) / together;
        return m_times[(line * m_devices + at(device)) * together + at(microBatch) % together];
    }

private:
    static constexpr std::size_t together = 16;

    std::size_t m_devices;
    std::size_t m_lines;
    std::unique_ptr<int[]> m_times; ///< not set before it is known: most of it is written once
};

/// Which lanes can go on. A pass waits for that of its neighbour only, and one that stays where it
/// is for none, so each lane runs until a neighbour's pass is missing: what a lane needs stays in
/// the cache for a while, where a walk by slot would touch all lanes for each.
class Waves
{
public:
    explicit Waves(int devices)
        : m_done(at(devices))
        , m_awaited(at(devices), noRow)
    {
        m_ready.reserve(at(devices));
        for (int i = devices; i-- > 0;)
            m_ready.emplace_back(i);
    }

    /// Lets each lane run. `advance` takes a device and gives the row for whose pass it waits, or
    /// none when its lane is through.
    template<class Advance>
    void run(Advance advance)
    {
        while (!m_ready.empty()) {
            const DeviceId device = m_ready.back();
            m_ready.pop_back();
            m_awaited[at(device)] = advance(device);
        }
    }

    int done(DeviceId device, int row) const { return m_done[at(device)][at(row)]; }

    /// True if the pass that the device's next one of a row follows along the V has run.
    bool arrived(DeviceId device, int row) const
    {
        const DeviceId from = cameFrom(row, device);
        return from < 0 || from >= static_cast<int>(m_done.size()) ||
               done(from, row) > done(device, row);
    }

    void finish(DeviceId device, int row)
    {
        ++m_done[at(device)][at(row)];
        const int next = row % 2 == 0 ? device + 1 : device - 1;
        if (next >= 0 && next < static_cast<int>(m_done.size()) && m_awaited[at(next)] == row) {
            m_awaited[at(next)] = noRow;
            m_ready.emplace_back(next);
        }
    }

private:
    std::vector<std::array<int, plainRows>> m_done;
    std::vector<int> m_awaited;
    std::vector<DeviceId> m_ready;
};

/// The passes of one device as its block repeats, by slot; every W, in the order of the B, takes
/// the first slot that stays free.
class RepeatedLane
{
public:
    RepeatedLane(const VBlock& block, DeviceId device, int microBatches)
        : m_interval(block.interval)
        , m_microBatches(microBatches)
        , m_next(block.offsets[at(device)])
    {
        findPlain();
        m_slot = m_next[at(m_plain)];
        find();
    }

    bool through() const { return m_row == noRow; }
    int slot() const { return m_slot; }
    int row() const { return m_row; }

    void pass()
    {
        if (m_row == weightRow) {
            --m_owed;
        } else {
            m_next[at(m_row)] = ++m_done[at(m_row)] < m_microBatches
                                    ? m_next[at(m_row)] + m_interval
                                    : std::numeric_limits<int>::max();
            m_owed += isForwardRow(m_row) ? 0 : 1;
            findPlain();
        }
        ++m_slot;
        find();
    }

private:
    void find()
    {
        const int next = m_next[at(m_plain)];
        if (next > m_slot && m_owed > 0) {
            m_row = weightRow;
        } else if (next != std::numeric_limits<int>::max()) {
            m_slot = next;
            m_row = m_plain;
        } else {
            m_row = noRow;
        }
    }

    void findPlain()
    {
        m_plain = static_cast<int>(std::min_element(m_next.begin(), m_next.end()) - m_next.begin());
    }

    int m_interval;
    int m_microBatches;
    std::array<int, plainRows> m_next; ///< slot of the next pass of each row
    std::array<int, plainRows> m_done{};
    int m_plain = 0; ///< row of the next F or B
    int m_owed = 0;
    int m_slot = 0;
    int m_row = noRow;
};

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

/// Where passes move: up to one place of the walk and from another on.
struct Moving
{
    Place before, from{std::numeric_limits<int>::max(), DeviceId(0)};

    bool moves(Place place) const { return place < before || !(place < from); }
};

class Reordering
{
public:
    Reordering(const VBlock& block, int microBatches)
        : m_block(block)
        , m_devices(block.devices())
        , m_microBatches(microBatches)
        , m_times(block.devices(), microBatches)
    {
        int last = 0;
        for (const auto& offsets : block.offsets)
            last = std::max(last, *std::max_element(offsets.begin(), offsets.end()));
        // Behind the last F or B there may be as many W as there are B.
        m_stride = spread(at(last + block.interval * microBatches + 2 * microBatches));
        m_slots.reset(new std::int8_t[at(m_devices) * m_stride]);
    }

    VOrder run()
    {
        const auto repeated = moveWithWeights();
        const int limit = squeeze(repeated);
        const auto lanes = moveWithoutWeights(repeated, limit);
        return squeezedOrder(lanes);
    }

private:
    /// The latest slot among the passes that the next one of a row may not overtake.
    template<class Lane>
    int latestPredecessor(const Lane& lane, DeviceId device, int row, int microBatch)
    {
        int latest = lane.last[at(row)];
        const DeviceId from = cameFrom(row, device);
        if (from >= 0 && from < m_devices)
            latest = std::max(latest, m_times.of(from, row, microBatch));
        if (row > 0)
            latest = std::max(latest, m_times.of(device, row - 1, microBatch));
        return latest;
    }

    /// Which passes move: those of warm-up and cool-down; the steady phase stays.
    ///
    /// The steady phase begins with the first B0 of device 0 and ends with the first device's last
    /// F0 after that. Without weights the warm-up stays too.
    template<class LastForward>
    static Moving moving(int devices, int firstBackward, bool withWeights, LastForward lastForward)
    {
        Moving moving;
        const Place steady{firstBackward, DeviceId(0)};
        if (withWeights)
            moving.before = steady;
        for (const DeviceId i : Ids<DeviceId>(devices)) {
            const Place behind{lastForward(i), i + 1};
            if (steady < Place{lastForward(i), i} && behind < moving.from)
                moving.from = behind;
        }
        return moving;
    }

    /// Most that is live on a device while the block repeats.
    int peakOfRepeated() const
    {
        int most = 0;
        for (const DeviceId i : Ids<DeviceId>(m_devices)) {
            int live = 0;
            for (RepeatedLane lane(m_block, i, m_microBatches); !lane.through(); lane.pass()) {
                live += lane.row() == weightRow ? -1 : (isForwardRow(lane.row()) ? 1 : 0);
                most = std::max(most, live);
            }
        }
        return most;
    }

    /// Moves passes and their W, from where the block repeats, as far forward as they may.
    std::vector<LaneWithWeights> moveWithWeights()
    {
        const int limit = peakOfRepeated();
        const int last = m_block.interval * (m_microBatches - 1);
        const Moving where = moving(m_devices, m_block.offsets.front()[3], true,
                                    [&](DeviceId i) { return m_block.offsets[at(i)][0] + last; });
        std::vector<RepeatedLane> repeated;
        std::vector<LaneWithWeights> lanes(at(m_devices));
        for (const DeviceId i : Ids<DeviceId>(m_devices)) {
            repeated.emplace_back(m_block, i, m_microBatches);
            lanes[at(i)].slots = &m_slots[at(i) * m_stride];
        }
        Waves waves(m_devices);
        waves.run([&](DeviceId device) {
            RepeatedLane& next = repeated[at(device)];
            LaneWithWeights& lane = lanes[at(device)];
            for (; !next.through(); next.pass()) {
                const int row = next.row();
                const bool weight = row == weightRow;
                const int microBatch = weight ? 0 : waves.done(device, row);
                int slot = next.slot();
                if (where.moves({slot, device})) {
                    if (!weight && !waves.arrived(device, row))
                        return row;
                    const int earliest = weight ? std::max(lane.last[at(row)], lane.nextOwing())
                                                : latestPredecessor(lane, device, row, microBatch);
                    slot = lane.betterSlot(row, earliest, slot, limit);
                }
                lane.place(row, slot);
                if (weight)
                    continue;
                m_times.of(device, row, microBatch) = slot;
                waves.finish(device, row);
            }
            return noRow;
        });
        return lanes;
    }

    /// When the next pass of a row can start: not before that which it follows along the V.
    int startAfter(DeviceId device, int row, int microBatch, int clock)
    {
        const DeviceId from = cameFrom(row, device);
        if (from >= 0 && from < m_devices)
            return std::max(clock, m_times.of(from, row, microBatch) + 1);
        return row > 0 ? std::max(clock, m_times.of(device, row - 1, microBatch) + 1) : clock;
    }

    /// Takes out idle slots: runs every lane in its order as early as it can, one unit a pass.
    ///
    /// @param started  called for each F and B, with device, row and start
    template<class Lane, class Started>
    void timeAnew(const std::vector<Lane>& lanes, Started started)
    {
        struct Position
        {
            int slot = 0, clock = 0;
        };
        std::vector<Position> positions(at(m_devices));
        Waves waves(m_devices);
        waves.run([&](DeviceId device) {
            const Lane& lane = lanes[at(device)];
            Position& now = positions[at(device)];
            for (; now.slot <= lane.front; ++now.slot) {
                const int row = lane.slots[now.slot];
                if (row == vacant)
                    continue;
                if (row != weightRow) {
                    if (!waves.arrived(device, row))
                        return row;
                    const int microBatch = waves.done(device, row);
                    now.clock = startAfter(device, row, microBatch, now.clock);
                    m_times.of(device, row, microBatch) = now.clock;
                    started(device, row, now.clock);
                    waves.finish(device, row);
                }
                ++now.clock;
            }
            return noRow;
        });
    }

    /// Times the lanes anew.
    /// @return most that is live on a device when every vacant slot takes a W as soon as it can
    int squeeze(const std::vector<LaneWithWeights>& lanes)
    {
        struct Live
        {
            int slot = 0, live = 0, owed = 0;
        };
        std::vector<Live> loads(at(m_devices));
        int most = 0;
        timeAnew(lanes, [&](DeviceId device, int row, int start) {
            Live& load = loads[at(device)];
            const int weights = std::min(load.owed, start - load.slot);
            load.slot = start + 1;
            load.owed -= weights;
            load.live -= weights;
            if (isForwardRow(row))
                most = std::max(most, ++load.live);
            else
                ++load.owed;
        });
        return most;
    }

    /// Moves passes once more, from where they were timed, with W wherever a slot is vacant.
    ///
    /// They are timed no later than their slots were, so that a lane is written over where it has
    /// been read.
    std::vector<LaneOfImpliedWeights> moveWithoutWeights(const std::vector<LaneWithWeights>& timed,
                                                         int limit)
    {
        const Moving where =
            moving(m_devices, m_times.of(DeviceId(0), 3, 0), false,
                   [&](DeviceId i) { return m_times.of(i, 0, m_microBatches - 1); });
        std::vector<LaneOfImpliedWeights> lanes(at(m_devices));
        for (const DeviceId i : Ids<DeviceId>(m_devices))
            lanes[at(i)].slots = &m_slots[at(i) * m_stride];
        std::vector<int> positions(at(m_devices), 0);
        Waves waves(m_devices);
        waves.run([&](DeviceId device) {
            LaneOfImpliedWeights& lane = lanes[at(device)];
            for (int& k = positions[at(device)]; k <= timed[at(device)].front; ++k) {
                const int row = timed[at(device)].slots[k];
                if (row == vacant || row == weightRow)
                    continue;
                const int microBatch = waves.done(device, row);
                int& slot = m_times.of(device, row, microBatch);
                if (where.moves({slot, device})) {
                    if (!waves.arrived(device, row))
                        return row;
                    const int earliest = latestPredecessor(lane, device, row, microBatch);
                    slot = lane.betterSlot(row, earliest, slot, limit);
                }
                lane.place(row, slot);
                waves.finish(device, row);
            }
            return noRow;
        });
        return lanes;
    }

    /// The final order: a vacant slot takes the W of a B1 first, then that of a B0.
    VOrder squeezedOrder(const std::vector<LaneOfImpliedWeights>& lanes)
    {
        struct Written
        {
            VRow* rows = nullptr;
            int slot = 0, owed1 = 0, owed0 = 0;

            void weights(int most)
            {
                for (; most > 0 && owed1 > 0; --most, --owed1)
                    *rows++ = VRow::W1;
                for (; most > 0 && owed0 > 0; --most, --owed0)
                    *rows++ = VRow::W0;
            }
        };
        VOrder order(m_devices, m_microBatches);
        std::vector<Written> written(at(m_devices));
        for (int i = 0; i < m_devices; ++i)
            written[at(i)].rows = order.device(i).data();
        timeAnew(lanes, [&](DeviceId device, int row, int start) {
            Written& to = written[at(device)];
            to.weights(start - to.slot);
            to.slot = start + 1;
            *to.rows++ = static_cast<VRow>(row);
            to.owed1 += row == 2 ? 1 : 0;
            to.owed0 += row == 3 ? 1 : 0;
        });
        for (Written& to : written)
            to.weights(to.owed1 + to.owed0);
        return order;
    }

    const VBlock& m_block;
    int m_devices;
    int m_microBatches;
    RowTimes m_times;
    std::size_t m_stride = 0;               ///< slots of a lane
    std::unique_ptr<std::int8_t[]> m_slots; ///< of all lanes, with their W
};

} // namespace

VOrder vOrderFromBlock(const VBlock& block, int microBatches)
{
    return Reordering(block, microBatches).run();
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/index.h"
#include "core/search/v_schedule.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace pw;
using namespace pw::test;

namespace {

constexpr int weight = 4; // W of both chunks, in the order of their B

/// A block of a shape nobody published: passes follow each other along the V after a few units.
VBlock randomBlock(int devices, std::mt19937& random)
{
    const auto pick = [&](int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
    };
    VBlock block;
    block.interval = pick(0, 3) == 0 ? pick(7, 9) : 6;
    block.offsets.resize(at(devices));
    int slot = 0;
    const int most = pick(1, 5);
    for (int row = 0; row < 4; ++row) {
        for (int k = 0; k < devices; ++k) {
            auto& offsets = block.offsets[at(row % 2 == 0 ? k : devices - 1 - k)];
            const auto collides = [&] {
                return std::any_of(offsets.begin(), offsets.begin() + row,
                                   [&](int other) { return (slot - other) % block.interval == 0; });
            };
            while (collides())
                ++slot;
            offsets[at(row)] = slot;
            slot += pick(1, most);
        }
    }
    return block;
}

/// The same rules the slow way: what is live is counted over a whole lane for each slot tried.
class SlowReordering
{
public:
    SlowReordering(const VBlock& block, int microBatches)
        : m_devices(block.devices())
        , m_microBatches(microBatches)
        , m_lanes(at(block.devices()))
    {
        for (int i = 0; i < m_devices; ++i) {
            for (int row = 0; row < 4; ++row) {
                for (int j = 0; j < microBatches; ++j)
                    m_lanes[at(i)][block.offsets[at(i)][at(row)] + block.interval * j] = row;
            }
        }
    }

    VOrder run()
    {
        for (auto& lane : m_lanes)
            lane = withWeights(lane);
        moveEarlier(true);
        squeeze();
        moveEarlier(false);
        for (auto& lane : m_lanes)
            lane = withWeights(lane);
        squeeze();
        return order();
    }

private:
    using Lane = std::map<int, int>; ///< row by slot

    /// Gives each W the first free slot; those of a lane that has them stay.
    static Lane withWeights(const Lane& lane)
    {
        Lane filled = lane;
        int owed = 0;
        for (int slot = 0; owed > 0 || slot <= lane.rbegin()->first; ++slot) {
            const auto taken = lane.find(slot);
            if (taken != lane.end())
                owed += taken->second == 2 || taken->second == 3 ? 1 : 0;
            else if (owed > 0 && filled.emplace(slot, weight).second)
                --owed;
        }
        return filled;
    }

    static int peak(const Lane& lane)
    {
        int live = 0, most = 0;
        for (const auto& [slot, row] : lane) {
            live += row < 2 ? 1 : (row == weight ? -1 : 0);
            most = std::max(most, live);
        }
        return most;
    }

    static std::vector<int> slotsOf(const Lane& lane, const std::vector<int>& rows)
    {
        std::vector<int> found;
        for (const auto& [slot, row] : lane) {
            if (std::find(rows.begin(), rows.end(), row) != rows.end())
                found.push_back(slot);
        }
        return found;
    }

    int latestPredecessor(int device, int row, int microBatch) const
    {
        const Lane& lane = m_lanes[at(device)];
        int latest = microBatch > 0 ? slotsOf(lane, {row})[at(microBatch - 1)] : -1;
        if (row == weight)
            return std::max(latest, slotsOf(lane, {2, 3})[at(microBatch)]);
        const int neighbour = row % 2 == 0 ? device - 1 : device + 1;
        if (neighbour >= 0 && neighbour < m_devices)
            latest = std::max(latest, slotsOf(m_lanes[at(neighbour)], {row})[at(microBatch)]);
        if (row > 0)
            latest = std::max(latest, slotsOf(lane, {row - 1})[at(microBatch)]);
        return latest;
    }

    void moveEarlier(bool weights)
    {
        int limit = 0, bound = 0;
        for (const Lane& lane : m_lanes) {
            limit = std::max(limit, peak(weights ? lane : withWeights(lane)));
            bound = std::max(bound, lane.rbegin()->first + 1);
        }
        const std::pair steady(slotsOf(m_lanes[0], {3}).front(), 0);
        std::pair last(bound, 0); // none
        for (int i = 0; i < m_devices; ++i) {
            const std::pair forward(slotsOf(m_lanes[at(i)], {0}).back(), i);
            if (steady < forward)
                last = std::min(last, forward);
        }
        for (int slot = 0; slot < bound; ++slot) {
            for (int i = 0; i < m_devices; ++i) {
                const std::pair place(slot, i);
                if (m_lanes[at(i)].count(slot) > 0 && ((weights && place < steady) || last < place))
                    move(i, slot, limit, weights);
            }
        }
    }

    /// Moves a pass to the first free slot where the lane keeps the limit.
    void move(int device, int slot, int limit, bool weights)
    {
        Lane& lane = m_lanes[at(device)];
        const int row = lane.at(slot);
        const auto same = slotsOf(lane, {row});
        const auto microBatch = std::find(same.begin(), same.end(), slot) - same.begin();
        int to = latestPredecessor(device, row, static_cast<int>(microBatch)) + 1;
        lane.erase(slot);
        for (; to < slot; ++to) {
            if (lane.count(to) > 0)
                continue;
            lane[to] = row;
            // What comes later is looked at when it moves.
            if (peak(weights ? lane : withWeights(lane)) <= limit)
                return;
            lane.erase(to);
        }
        lane[slot] = row;
    }

    /// Runs every lane in its order as early as it can.
    void squeeze()
    {
        std::vector<Lane> timed(at(m_devices));
        std::vector<Lane::const_iterator> next;
        for (const Lane& lane : m_lanes)
            next.push_back(lane.begin());
        std::map<std::tuple<int, int, int>, int> ends; // by device, row and how many of the row
        std::vector<std::array<int, 5>> done(at(m_devices), std::array<int, 5>{});
        for (bool runs = true; runs;) {
            runs = false;
            for (int i = 0; i < m_devices; ++i) {
                if (next[at(i)] == m_lanes[at(i)].end())
                    continue;
                const int row = next[at(i)]->second, j = done[at(i)][at(row)];
                int start = timed[at(i)].empty() ? 0 : timed[at(i)].rbegin()->first + 1;
                const int neighbour = row % 2 == 0 ? i - 1 : i + 1;
                std::tuple before(neighbour, row, j);
                if (neighbour < 0 || neighbour == m_devices)
                    before = {i, row - 1, j};
                if (row != weight && std::get<1>(before) >= 0) {
                    if (ends.count(before) == 0)
                        continue;
                    start = std::max(start, ends.at(before));
                }
                timed[at(i)][start] = row;
                ends[{i, row, j}] = start + 1;
                ++done[at(i)][at(row)];
                ++next[at(i)];
                runs = true;
            }
        }
        m_lanes = std::move(timed);
        for (Lane& lane : m_lanes) {
            for (const int slot : slotsOf(lane, {weight}))
                lane.erase(slot);
        }
    }

    VOrder order() const
    {
        VOrder order(m_devices, m_microBatches);
        for (int i = 0; i < m_devices; ++i) {
            std::array<int, 4> owed{};
            auto to = order.device(i).begin();
            const auto pay = [&] {
                const int row = owed[2] > 0 ? 2 : 3;
                if (owed[at(row)] == 0)
                    return;
                *to++ = row == 2 ? VRow::W1 : VRow::W0;
                --owed[at(row)];
            };
            int now = 0;
            for (const auto& [slot, row] : m_lanes[at(i)]) {
                for (; now < slot; ++now)
                    pay();
                *to++ = static_cast<VRow>(row);
                ++owed[at(row)];
                ++now;
            }
            while (to != order.device(i).end())
                pay();
        }
        return order;
    }

    int m_devices;
    int m_microBatches;
    std::vector<Lane> m_lanes;
};

} // namespace

class TestVReorder : public QObject
{
    Q_OBJECT

private slots:
    void publishedBlocksBecomeWhatTheSlowWayMakes_data();
    void publishedBlocksBecomeWhatTheSlowWayMakes();
    void anyBlockBecomesWhatTheSlowWayMakes();
    void aMiddleOfManyMicroBatchesRepeats();
};

void TestVReorder::publishedBlocksBecomeWhatTheSlowWayMakes_data()
{
    QTest::addColumn<int>("shape");
    QTest::newRow("V-Min") << 0;
    QTest::newRow("V-Half") << 1;
    QTest::newRow("V-ZB") << 2;
}

void TestVReorder::publishedBlocksBecomeWhatTheSlowWayMakes()
{
    QFETCH(int, shape);
    constexpr VBlock (*blocks[])(int) = {vMinBlock, vHalfBlock, vZbBlock};
    for (int p = 1; p <= 8; ++p) {
        for (int m = 1; m <= 2 * p + 5; ++m) {
            const VBlock block = blocks[shape](p);
            QVERIFY2(vOrderFromBlock(block, m) == SlowReordering(block, m).run(),
                     qPrintable(QString("%1 devices, %2 micro-batches").arg(p).arg(m)));
        }
    }
}

void TestVReorder::anyBlockBecomesWhatTheSlowWayMakes()
{
    const unsigned seed = 19480;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 250; ++trial) {
        const int p = std::uniform_int_distribution<int>(1, 7)(random);
        const int m = std::uniform_int_distribution<int>(1, 16)(random);
        const VBlock block = randomBlock(p, random);
        QVERIFY(repeatsWithoutCollision(block));
        QVERIFY2(vOrderFromBlock(block, m) == SlowReordering(block, m).run(),
                 qPrintable(QString("trial %1, %2 devices, %3 micro-batches, interval %4")
                                .arg(trial)
                                .arg(p)
                                .arg(m)
                                .arg(block.interval)));
    }
}

void TestVReorder::aMiddleOfManyMicroBatchesRepeats()
{
    // Far from both ends a device does the same for each micro-batch, odd or even devices.
    for (const int p : {6, 7, 32, 33}) {
        for (const VBlock& block : {vMinBlock(p), vHalfBlock(p), vZbBlock(p)}) {
            const int m = 8 * p;
            const VOrder order = vOrderFromBlock(block, m);
            for (int i = 0; i < p; ++i) {
                const auto rows = order.device(i);
                const int begin = 3 * m - 2 * p, end = 3 * m + 2 * p;
                for (int k = begin; k < end; ++k)
                    QCOMPARE(rows[at(k)], rows[at(k + vRowCount)]);
            }
        }
    }
}

PW_TEST(TestVReorder)
#include "tst_v_reorder.moc"

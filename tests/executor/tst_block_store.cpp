// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/block_store.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace pw;
using pw::exec::cuda::BlockSource;
using pw::exec::cuda::Moment;
using pw::exec::cuda::ParkedStore;
using pw::exec::cuda::SlabStore;

namespace {

/// Host memory in the place of a device's, of a given size.
class FakeDevice final : public BlockSource
{
public:
    explicit FakeDevice(Bytes capacity)
        : m_capacity(capacity)
    {
    }
    ~FakeDevice() override
    {
        for (const auto& [data, bytes] : m_taken)
            std::free(data);
    }
    void* take(Bytes bytes) override
    {
        if (inUse() + bytes > m_capacity)
            return nullptr;
        void* data = std::aligned_alloc(256, static_cast<std::size_t>(bytes));
        m_taken.emplace(data, bytes);
        ++calls;
        return data;
    }
    void giveBack(void* data) noexcept override
    {
        m_taken.erase(data);
        std::free(data);
    }
    Bytes inUse() const
    {
        Bytes sum = 0;
        for (const auto& [data, bytes] : m_taken)
            sum += bytes;
        return sum;
    }
    int calls = 0;

private:
    Bytes m_capacity;
    std::map<void*, Bytes> m_taken;
};

class FakeMoment final : public Moment
{
public:
    bool passed() const override { return done; }
    bool done = false;
};

constexpr Bytes slab = 1 << 20;

} // namespace

class TestBlockStore : public QObject
{
    Q_OBJECT

private slots:
    void blocksNeverOverlapAndGrowTogetherAgain();
    void aRepeatedPatternAsksTheDeviceOnce();
    void aFullDeviceGivesNullAndTrimMakesRoom();
    void largeBlocksGetSlabsOfTheirOwn();

    void aParkedBlockComesBackWithoutWaitOnceItsMomentPassed();
    void aBusyParkedBlockIsSparedUntilThereAreEnough();
    void aParkedBlockOfAFullDeviceIsTakenWithItsMoment();
    void placesOfARoundKeepTheirBlocks();
    void aPlaceWhoseBlockIsLateHasAnotherForGood();
    void aFullDeviceHasNoBlocksOfTheirOwnForPlaces();
};

void TestBlockStore::blocksNeverOverlapAndGrowTogetherAgain()
{
    const std::uint32_t seed = test::randomSeed();
    std::mt19937 random(seed);
    FakeDevice device(Bytes{1} << 30);
    SlabStore store(device, slab);
    std::map<std::byte*, Bytes> held;
    for (int turn = 0; turn < 5000; ++turn) {
        const bool takes = held.empty() || random() % 5 < 3;
        if (takes && held.size() < 200) {
            const Bytes bytes = static_cast<Bytes>(random() % (random() % 8 == 0 ? 300'000 : 9000));
            auto* const data = static_cast<std::byte*>(store.take(bytes));
            QVERIFY(data != nullptr);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(data) % 256, std::uintptr_t{0});
            const auto next = held.lower_bound(data);
            QVERIFY(next == held.end() || data + bytes <= next->first);
            if (next != held.begin())
                QVERIFY(std::prev(next)->first + std::prev(next)->second <= data);
            held.emplace(data, std::max(bytes, Bytes{1}));
        } else {
            const auto one =
                std::next(held.begin(), static_cast<std::ptrdiff_t>(random() % held.size()));
            store.put(one->first);
            held.erase(one);
        }
    }
    for (const auto& [data, bytes] : held)
        store.put(data);
    QCOMPARE(store.used(), Bytes{0});
    QCOMPARE(store.reserved(), device.inUse());
    // All pieces have joined: every slab is free as a whole.
    store.trim();
    QCOMPARE(store.reserved(), Bytes{0});
    QCOMPARE(device.inUse(), Bytes{0});
}

void TestBlockStore::aRepeatedPatternAsksTheDeviceOnce()
{
    FakeDevice device(Bytes{1} << 30);
    SlabStore store(device, slab);
    int callsOfFirst = 0;
    for (int iteration = 0; iteration < 5; ++iteration) {
        std::vector<void*> held;
        for (int i = 0; i < 40; ++i)
            held.push_back(store.take(100'000 + 512 * (i % 7)));
        for (std::size_t i = 0; i < held.size(); i += 2)
            store.put(held[i]);
        for (std::size_t i = 1; i < held.size(); i += 2)
            store.put(held[i]);
        if (iteration == 0)
            callsOfFirst = device.calls;
        QCOMPARE(device.calls, callsOfFirst);
    }
}

void TestBlockStore::aFullDeviceGivesNullAndTrimMakesRoom()
{
    FakeDevice device(slab);
    SlabStore store(device, slab);
    void* const small = store.take(1000);
    QVERIFY(small != nullptr);
    QCOMPARE(store.take(slab), nullptr);
    store.put(small);
    // The free slab lies here, so that another store gets nothing of the device.
    SlabStore other(device, slab / 2);
    QCOMPARE(other.take(1000), nullptr);
    store.trim();
    void* const now = other.take(1000);
    QVERIFY(now != nullptr);
    other.put(now);
}

void TestBlockStore::largeBlocksGetSlabsOfTheirOwn()
{
    FakeDevice device(8 * slab);
    SlabStore store(device, slab);
    void* const large = store.take(3 * slab);
    QCOMPARE(store.reserved(), 3 * slab);
    store.put(large);
    // Where a whole slab does not fit any more, what is needed still does.
    FakeDevice tight(slab / 2);
    SlabStore frugal(tight, slab);
    void* const small = frugal.take(slab / 2);
    QVERIFY(small != nullptr);
    QCOMPARE(frugal.reserved(), slab / 2);
    frugal.put(small);
}

void TestBlockStore::aParkedBlockComesBackWithoutWaitOnceItsMomentPassed()
{
    FakeDevice device(Bytes{1} << 30);
    ParkedStore store(device);
    const ParkedStore::Taken first = store.take(5000);
    QVERIFY(first.data != nullptr);
    QVERIFY(first.after == nullptr);
    QVERIFY(store.owns(first.data));
    const auto moment = std::make_shared<FakeMoment>();
    store.put(first.data, moment);
    moment->done = true;
    const ParkedStore::Taken again = store.take(5000);
    QCOMPARE(again.data, first.data);
    QVERIFY(again.after == nullptr);
    QCOMPARE(device.calls, 1);
}

void TestBlockStore::aBusyParkedBlockIsSparedUntilThereAreEnough()
{
    FakeDevice device(Bytes{1} << 30);
    ParkedStore store(device, 2);
    std::vector<void*> blocks;
    std::vector<std::shared_ptr<FakeMoment>> moments;
    for (int i = 0; i < 2; ++i)
        blocks.push_back(store.take(5000).data);
    for (void* block : blocks) {
        moments.push_back(std::make_shared<FakeMoment>());
        store.put(block, moments.back());
    }
    // Two wait: the one that has waited longest is taken with its moment.
    const ParkedStore::Taken taken = store.take(5000);
    QCOMPARE(taken.data, blocks.front());
    QCOMPARE(taken.after, std::shared_ptr<Moment>(moments.front()));
    // One waits: another is asked for.
    const ParkedStore::Taken fresh = store.take(5000);
    QVERIFY(fresh.data != blocks.back());
    QVERIFY(fresh.after == nullptr);
    QCOMPARE(device.calls, 3);
}

void TestBlockStore::aParkedBlockOfAFullDeviceIsTakenWithItsMoment()
{
    FakeDevice device(5120);
    ParkedStore store(device, 2);
    void* const only = store.take(5000).data;
    QVERIFY(only != nullptr);
    QCOMPARE(store.take(5000).data, nullptr);
    const auto moment = std::make_shared<FakeMoment>();
    store.put(only, moment);
    const ParkedStore::Taken taken = store.take(5000);
    QCOMPARE(taken.data, only);
    QCOMPARE(taken.after, std::shared_ptr<Moment>(moment));
}

void TestBlockStore::placesOfARoundKeepTheirBlocks()
{
    FakeDevice device(Bytes{1} << 30);
    ParkedStore store(device, 2);
    store.keepPlaces();
    const auto passed = std::make_shared<FakeMoment>();
    passed->done = true;
    // Two are out at a time, and come back in an order of the others' making.
    const auto round = [&](bool turned) {
        store.beginRound();
        std::vector<void*> blocks;
        for (int i = 0; i < 3; ++i) {
            void* const first = store.take(5000).data;
            void* const second = store.take(5000).data;
            store.put(turned ? second : first, passed);
            store.put(turned ? first : second, nullptr);
            blocks.insert(blocks.end(), {first, second});
        }
        return blocks;
    };
    const std::vector<void*> first = round(false);
    for (const bool turned : {true, false, true, true})
        QCOMPARE(round(turned), first);
    QCOMPARE(device.calls, 2);
    // Other sizes have places of their own.
    store.beginRound();
    QCOMPARE(store.take(5000).data, first[0]);
    QVERIFY(store.take(9000).data != nullptr);
    QCOMPARE(store.take(5000).data, first[1]);
}

void TestBlockStore::aPlaceWhoseBlockIsLateHasAnotherForGood()
{
    FakeDevice device(Bytes{1} << 30);
    ParkedStore store(device, 2);
    store.keepPlaces();
    store.beginRound();
    void* const own = store.take(5000).data;
    const auto late = std::make_shared<FakeMoment>();
    store.put(own, late);
    store.beginRound();
    const ParkedStore::Taken other = store.take(5000); // it is not waited for
    QVERIFY(other.data != own && other.after == nullptr);
    late->done = true;
    store.put(other.data, nullptr);
    for (int i = 0; i < 3; ++i) {
        store.beginRound();
        const ParkedStore::Taken taken = store.take(5000);
        QCOMPARE(taken.data, other.data);
        store.put(taken.data, nullptr);
    }
    // Once more it is late, and what nobody has comes in its place.
    store.beginRound();
    void* const held = store.take(5000).data;
    store.beginRound();
    QCOMPARE(store.take(5000).data, own);
    QCOMPARE(device.calls, 2);
    store.put(held, nullptr);
    store.trim();
    QVERIFY(!store.owns(held));
}

void TestBlockStore::aFullDeviceHasNoBlocksOfTheirOwnForPlaces()
{
    FakeDevice device(5120);
    ParkedStore store(device, 2);
    store.keepPlaces();
    store.beginRound();
    void* const only = store.take(5000).data;
    const auto moment = std::make_shared<FakeMoment>();
    store.put(only, moment);
    store.beginRound();
    const ParkedStore::Taken taken = store.take(5000);
    QCOMPARE(taken.data, only);
    QCOMPARE(taken.after, std::shared_ptr<Moment>(moment));
    QCOMPARE(store.take(5000).data, nullptr);
}

PW_TEST(TestBlockStore)
#include "tst_block_store.moc"

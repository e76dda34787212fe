// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "executor/cuda/architectures.h"
#include "executor/cuda/block_store.h"
#include "executor/cuda/clock_reading.h"
#include "executor/cuda/device_wait.h"
#include "executor/cuda/rank_places.h"
#include "executor/model/parameters.h"
#include "executor/model/training.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <thread>

using namespace pw;
using namespace pw::exec::cuda;

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

class TestCudaBooks : public QObject
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

    void ranksAreSpreadOverTheGpus_data();
    void ranksAreSpreadOverTheGpus();
    void groupsAreEvenAlignedAndLargeEnough_data();
    void groupsAreEvenAlignedAndLargeEnough();
    void smallerGroupsAreTriedDownToTheLeast();
    void missingMemoryIsNamedByGpuAndRanks();

    void kernelsRunOnTheGpusTheyAreFor_data();
    void kernelsRunOnTheGpusTheyAreFor();
    void aGpuWithoutKernelsIsToldWhatWouldBringThem();
    void aWaitEndsWhenTheRunDoes();
    void aWaitEndsAtItsLimit();
    void anOldReadingOfAClockGivesWayToABetterOne();

    void floatsOfANarrowVersionLieWhereAGpuCanReadThem();
};

void TestCudaBooks::blocksNeverOverlapAndGrowTogetherAgain()
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

void TestCudaBooks::aRepeatedPatternAsksTheDeviceOnce()
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

void TestCudaBooks::aFullDeviceGivesNullAndTrimMakesRoom()
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

void TestCudaBooks::largeBlocksGetSlabsOfTheirOwn()
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

void TestCudaBooks::aParkedBlockComesBackWithoutWaitOnceItsMomentPassed()
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

void TestCudaBooks::aBusyParkedBlockIsSparedUntilThereAreEnough()
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

void TestCudaBooks::aParkedBlockOfAFullDeviceIsTakenWithItsMoment()
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

void TestCudaBooks::ranksAreSpreadOverTheGpus_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("gpus");
    QTest::newRow("one of each") << 1 << 1;
    QTest::newRow("four on one") << 4 << 1;
    QTest::newRow("fewer than GPUs") << 3 << 8;
    QTest::newRow("as many") << 8 << 8;
    QTest::newRow("twice as many") << 8 << 4;
    QTest::newRow("uneven") << 7 << 3;
}

void TestCudaBooks::ranksAreSpreadOverTheGpus()
{
    QFETCH(int, ranks);
    QFETCH(int, gpus);
    const std::vector<RankPlace> places = placeRanks(ranks, gpus);
    QCOMPARE(places.size(), static_cast<std::size_t>(ranks));
    std::map<int, int> onGpu;
    for (const RankPlace& place : places) {
        QVERIFY(place.gpu >= 0 && place.gpu < gpus);
        QCOMPARE(place.share, onGpu[place.gpu]);
        ++onGpu[place.gpu];
    }
    int fewest = ranks;
    int most = 0;
    for (const auto& [gpu, count] : onGpu) {
        fewest = std::min(fewest, count);
        most = std::max(most, count);
    }
    QVERIFY(most - fewest <= 1);
    QCOMPARE(static_cast<int>(onGpu.size()), std::min(ranks, gpus));
    for (const RankPlace& place : places)
        QCOMPARE(place.shares, onGpu[place.gpu]);
    QVERIFY(std::is_sorted(places.begin(), places.end(),
                           [](const RankPlace& a, const RankPlace& b) { return a.gpu < b.gpu; }));
}

void TestCudaBooks::groupsAreEvenAlignedAndLargeEnough_data()
{
    QTest::addColumn<int>("multiprocessors");
    QTest::addColumn<int>("leastGroup");
    QTest::addColumn<int>("alignment");
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("size");
    QTest::newRow("H200 in four") << 132 << 8 << 8 << 4 << 32;
    QTest::newRow("H200 in eight") << 132 << 8 << 8 << 8 << 16;
    QTest::newRow("H200 in sixteen") << 132 << 8 << 8 << 16 << 8;
    QTest::newRow("H200 in seventeen: too many") << 132 << 8 << 8 << 17 << 0;
    QTest::newRow("A100 in four") << 108 << 4 << 2 << 4 << 26;
    QTest::newRow("A100 in thirty: below the least") << 108 << 4 << 2 << 30 << 0;
}

void TestCudaBooks::groupsAreEvenAlignedAndLargeEnough()
{
    QFETCH(int, multiprocessors);
    QFETCH(int, leastGroup);
    QFETCH(int, alignment);
    QFETCH(int, groups);
    QFETCH(int, size);
    QCOMPARE(groupSize({multiprocessors, leastGroup, alignment}, groups), size);
}

void TestCudaBooks::smallerGroupsAreTriedDownToTheLeast()
{
    const auto sizes = [](const GpuShape& gpu, int groups) {
        std::vector<int> all;
        for (int size = groupSize(gpu, groups); size > 0; size = smallerGroup(gpu, size))
            all.push_back(size);
        return all;
    };
    // An H100 whose clusters have 18, 16 and 14 multiprocessors makes three groups of 32, not four.
    QCOMPARE(sizes({132, 8, 8}, 4), (std::vector<int>{32, 24, 16, 8}));
    QCOMPARE(sizes({132, 8, 8}, 16), (std::vector<int>{8}));
    QCOMPARE(sizes({108, 4, 2}, 13), (std::vector<int>{8, 6, 4}));
    QCOMPARE(sizes({132, 8, 8}, 17), (std::vector<int>()));
}

void TestCudaBooks::missingMemoryIsNamedByGpuAndRanks()
{
    const std::vector<RankPlace> places = placeRanks(4, 2);
    const std::vector<Bytes> needed = {100, 100, 300, 200};
    QCOMPARE(memoryShortage(places, needed, std::vector<Bytes>{200, 500}), std::string());
    const std::string text = memoryShortage(places, needed, std::vector<Bytes>{200, 499});
    QCOMPARE(text, "GPU 1 has " + byteText(499) + " free, ranks 2, 3 need " + byteText(500));
}

void TestCudaBooks::kernelsRunOnTheGpusTheyAreFor_data()
{
    QTest::addColumn<QString>("built");
    QTest::addColumn<int>("major");
    QTest::addColumn<int>("minor");
    QTest::addColumn<bool>("runs");
    const auto row = [](const char* built, int major, int minor, bool runs) {
        QTest::addRow("%s on %d.%d", built, major, minor) << built << major << minor << runs;
    };
    row("80-real 90-real", 8, 0, true);
    row("80-real 90-real", 8, 6, true);
    row("80-real 90-real", 7, 5, false);
    row("80-real 90-real", 12, 0, false);
    row("80-real;90-real;75-virtual", 7, 5, true);
    row("80-real;90-real;75-virtual", 12, 0, true);
    row("80-real;90-real;75-virtual", 7, 0, false);
    row("86-real", 8, 0, false);
    row("80", 10, 0, true);
    row("90a", 9, 0, true);
    row("90a", 10, 0, false);
    row("90a-real 75-virtual", 10, 0, true);
    row("100f-real", 10, 3, true);
    row("100f-real", 12, 0, false);
    const char* const full = "75-real;80-real;86-real;89-real;90-real;90-virtual;100-real;120-real;"
                             "120-virtual"; // of the packages
    for (const auto& [major, minor] : {std::pair(7, 5), {8, 7}, {9, 0}, {10, 3}, {11, 0}, {12, 1}})
        row(full, major, minor, true);
    row("native", 6, 1, true);
    row("", 9, 0, false);
}

void TestCudaBooks::kernelsRunOnTheGpusTheyAreFor()
{
    QFETCH(QString, built);
    QFETCH(int, major);
    QFETCH(int, minor);
    QFETCH(bool, runs);
    QCOMPARE(runsOn(built.toStdString(), major, minor), runs);
}

void TestCudaBooks::aGpuWithoutKernelsIsToldWhatWouldBringThem()
{
    QCOMPARE(refusedText("80-real 90a-real 100-virtual", "GPU 1", 7, 5),
             std::string("GPU 1 has compute capability 7.5, and this build has kernels for 8.0, "
                         "9.0 alone, 10.0 and later only; a build with "
                         "-DCMAKE_CUDA_ARCHITECTURES=75-real brings its own"));
}

void TestCudaBooks::aWaitEndsWhenTheRunDoes()
{
    pw::exec::Stop stop;
    std::thread ender([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request();
    });
    const auto begun = std::chrono::steady_clock::now();
    std::string said;
    try {
        pollUntil([] { return false; }, {&stop, 3'600'000 * ticksPerMs}, "a copy");
    } catch (const pw::exec::DeviceError& failure) {
        said = failure.what();
    }
    ender.join();
    QCOMPARE(said, std::string("the run was stopped before a copy was done"));
    // Far less than a rank has to end with its run.
    QVERIFY(std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(1000));
    // What is done is done, stopped or not.
    pollUntil([] { return true; }, {&stop, 0}, "a copy");
}

void TestCudaBooks::aWaitEndsAtItsLimit()
{
    int asked = 0;
    std::string said;
    try {
        pollUntil(
            [&asked] {
                ++asked;
                return false;
            },
            {nullptr, 5 * ticksPerMs}, "a copy");
    } catch (const pw::exec::DeviceError& failure) {
        said = failure.what();
    }
    QCOMPARE(said, "a copy is not done after " + timeText(5 * ticksPerMs));
    QVERIFY(asked > 1);
}

void TestCudaBooks::anOldReadingOfAClockGivesWayToABetterOne()
{
    const ClockReading held{0, 3'000};
    // As good, and newer.
    QVERIFY(saysMore({ticksPerMs, 3'000}, held));
    // A device that was busy: worse than what a millisecond of drift does to the old one.
    QVERIFY(!saysMore({ticksPerMs, 40'000}, held));
    // The same after a second, in which clocks may have come 50 µs apart.
    QVERIFY(saysMore({1'000 * ticksPerMs, 40'000}, held));
    QCOMPARE(clockDrift(1'000 * ticksPerMs), Ticks{50'000});
}

void TestCudaBooks::floatsOfANarrowVersionLieWhereAGpuCanReadThem()
{
    using namespace pw::exec;
    GptModel model;
    model.layers = 2;
    model.hidden = 3; // so that no matrix has an even number of elements
    model.heads = 1;
    model.ffn = 5;
    model.sequence = 7;
    model.vocabulary = 11;
    const std::vector<ParameterInfo> all = parametersOf(model, *evenSplit(2, 1), 0);
    Bytes least = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Bytes bytes = parameterBytes(all[i], Element::BFloat16);
        const Bytes at = versionBytes({all.data(), i + 1}, Element::BFloat16) - bytes;
        QVERIFY(at >= least);
        QCOMPARE(at % (all[i].matrix ? 2 : 4), Bytes{0});
        least = at + bytes;
        QCOMPARE(versionBytes({all.data(), i + 1}, Element::Float32),
                 4 * (all[i].offset + all[i].size()));
    }
}

PW_TEST(TestCudaBooks)
#include "tst_cuda_books.moc"

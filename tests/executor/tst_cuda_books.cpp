// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "executor/cuda/architectures.h"
#include "executor/cuda/clock_reading.h"
#include "executor/cuda/device_wait.h"
#include "executor/cuda/rank_places.h"
#include "executor/model/parameters.h"
#include "executor/model/training.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>

using namespace pw;
using namespace pw::exec::cuda;

class TestCudaBooks : public QObject
{
    Q_OBJECT

private slots:
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

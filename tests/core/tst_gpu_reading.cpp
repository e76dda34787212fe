// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/gpu_reading.h"
#include "core/trace/records.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

constexpr Bytes gib = Bytes{1} << 30;

GpuReading readingAt(bool atEnd, int celsius)
{
    GpuReading reading{RankId(0), 0, 4, atEnd, 0, 1980, 2619, 511'700, celsius};
    reading.slowdownsKnown = true;
    return reading;
}

std::vector<std::string> english(const std::vector<Sentence>& lines)
{
    return {lines.begin(), lines.end()};
}

} // namespace

class TestGpuReading : public QObject
{
    Q_OBJECT

private slots:
    void aLineSaysHowAGpuRan()
    {
        GpuReading start = readingAt(false, 45);
        GpuReading end = readingAt(true, 61);
        start.clock = 345; // it had nothing to do
        start.slowdowns = bitOf(GpuSlowdown::Idle);
        using Lines = std::vector<std::string>;
        QCOMPARE(english(gpuConditions(std::array{start, end})),
                 Lines{"GPU 0: 1980 MHz, memory 2619 MHz, 512 W, 45 to 61 °C, no throttling"});
        end.slowdowns = bitOf(GpuSlowdown::PowerLimit) | bitOf(GpuSlowdown::Heat);
        end.power = end.memoryClock = GpuReading::unknown;
        QCOMPARE(english(gpuConditions(std::array{start, end})),
                 Lines{"GPU 0: 1980 MHz, 45 to 61 °C, throttled by its power limit, heat"});
        // Cut off before its end.
        QCOMPARE(english(gpuConditions(std::array{start})),
                 Lines{"GPU 0: 345 MHz, memory 2619 MHz, 512 W, 45 °C, no throttling"});
        // Nothing is known, so nothing is said.
        QCOMPARE(english(gpuConditions(std::array{GpuReading{}})), Lines{});
    }

    void gpusOfSeveralProcessesAreToldApart()
    {
        GpuReading first;
        first.clock = 1000;
        GpuReading other = first;
        other.rank = RankId(3);
        other.clock = 900;
        using Lines = std::vector<std::string>;
        QCOMPARE(english(gpuConditions(std::array{other, first})),
                 (Lines{"GPU 0 of rank 0: 1000 MHz", "GPU 0 of rank 3: 900 MHz"}));
    }

    void memoryIsExplainedByKind()
    {
        GpuReading end = readingAt(true, 61);
        end.memory = {42 * gib, 40 * gib, 37 * gib, gib / 2, gib / 4, gib / 4};
        QCOMPARE(end.memory.fragments(), 3 * gib);
        QCOMPARE(end.memory.rest(), gib);
        const std::vector<std::string> lines = english(gpuMemories(std::array{end}));
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0],
                 std::string("GPU 0 has 42 GiB less of free memory than before, by the driver: 37 "
                             "GiB in use by the ranks at most, 3 GiB of blocks around that, "
                             "contexts 512 MiB, libraries' workspaces and graphs 256 MiB, "
                             "connections 256 MiB, other 1 GiB"));
        end.memory.taken = 40 * gib;
        QVERIFY(english(gpuMemories(std::array{end}))[0].find("others have given back 1 GiB") !=
                std::string::npos);
        QVERIFY(gpuMemories(std::array{readingAt(false, 1)}).empty());
    }

    void aPartBeyondItsBoundIsTold()
    {
        GpuReading end = readingAt(true, 61);
        end.memory = {42 * gib, 41 * gib, 40 * gib, gib / 2, 0, 0};
        QVERIFY(!gpuMemoryTrouble(end));
        QCOMPARE(gpuMemoryExcess(end), Bytes{0});
        end.memory.taken += end.memory.mostRest() - end.memory.rest() + gib;
        QVERIFY(gpuMemoryExcess(end) > gib - gib / 25 && gpuMemoryExcess(end) <= gib);
        QVERIFY(gpuMemoryTrouble(end)->english().find("nobody has accounted for") !=
                std::string::npos);
        end.atEnd = false;
        QVERIFY(!gpuMemoryTrouble(end));
        QCOMPARE(gpuMemoryExcess(end), Bytes{0});
        end.atEnd = true;
        end.memory = {64 * gib, 64 * gib, 40 * gib, 0, 0, 0};
        QVERIFY(gpuMemoryTrouble(end)->english().find("fragmented") != std::string::npos);
        QCOMPARE(gpuMemoryExcess(end), 14 * gib - end.ranks * gib / 8);
        // Small models: a slab a rank is usual.
        end.memory = {gib / 2, gib / 2, 1000, 0, 0, 0};
        QVERIFY(!gpuMemoryTrouble(end));
    }

    void equalDevicesAreCounted()
    {
        QCOMPARE(devicesText({{"A"}, {"B"}, {"A"}}), std::string("2 × A, 1 × B"));
        QCOMPARE(devicesText({{"A (9.0), part 1 of 2"}, {"A (9.0), part 2 of 2"}, {"A (9.0)"}}),
                 std::string("2 parts of A (9.0), 1 × A (9.0)"));
        QCOMPARE(devicesText({}), std::string());
    }

    void slowdownsHaveWords()
    {
        for (GpuSlowdowns all = 0; all < GpuSlowdowns{1} << gpuSlowdownCount; ++all)
            QVERIFY(slowdownsOf(slowdownWords(all)) == all);
        QVERIFY(!slowdownsOf("heat cold"));
        QVERIFY(!slowdownsOf(" "));
    }
};

PW_TEST(TestGpuReading)
#include "tst_gpu_reading.moc"

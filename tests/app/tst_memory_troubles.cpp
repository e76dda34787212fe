// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_troubles.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;
using namespace pw::app;

class TestMemoryTroubles : public QObject
{
    Q_OBJECT

private slots:
    void aHundredRunsSayOneLineAGpu()
    {
        constexpr Bytes gib = Bytes{1} << 30;
        const auto reading = [](int gpu, Bytes unexplained) {
            GpuReading one;
            one.gpu = gpu;
            one.atEnd = true;
            one.memory.taken = one.memory.reserved = one.memory.books = 4 * gib;
            one.memory.taken += unexplained;
            return one;
        };
        MemoryTroubles troubles;
        QVERIFY(troubles.lines().empty());
        troubles.take({reading(0, 0), reading(1, 3 * gib)});
        QCOMPARE(troubles.lines().size(), std::size_t{1});
        QCOMPARE(troubles.lines()[0].rfind("GPU 1: 3 GiB of the 7 GiB", 0), std::size_t{0});
        for (int run = 0; run < 99; ++run)
            troubles.take({reading(0, run == 40 ? 2 * gib : 0), reading(1, run * gib / 10)});
        const std::vector<std::string> lines = troubles.lines();
        QCOMPARE(lines.size(), std::size_t{2});
        const std::string first = "in 1 of 100 runs, and in the worst of them GPU 0: 2 GiB";
        QCOMPARE(lines[0].substr(0, first.size()), first);
        QVERIFY2(lines[1].find("GPU 1: 9.8 GiB") != std::string::npos, lines[1].c_str());
    }
};

PW_TEST(TestMemoryTroubles)
#include "tst_memory_troubles.moc"

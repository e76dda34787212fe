// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/module_loading.h"
#include "executor/cuda/nccl_debug.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw::exec::cuda;

/// What a process decides before CUDA and NCCL begin.
class TestCudaStart : public QObject
{
    Q_OBJECT

private slots:
    void kernelsAreLoadedAtOnceWhereOneMayWaitForAnother()
    {
        QCOMPARE(visibleGpus(8, nullptr), 8);
        QCOMPARE(visibleGpus(8, "0,3"), 2);
        QCOMPARE(visibleGpus(8, "GPU-1234,-1,2"), 1);
        QCOMPARE(visibleGpus(2, "0,1,2,3"), 2);
        QCOMPARE(visibleGpus(0, "3"), 1);
        QCOMPARE(visibleGpus(8, ""), 0);
        QVERIFY(!loadsAtOnce({1, nullptr, 0, false}));
        QVERIFY(!loadsAtOnce({8, "5", 0, false}));
        QVERIFY(loadsAtOnce({8, nullptr, 0, false}));
        QVERIFY(loadsAtOnce({0, nullptr, 0, false})); // nobody knows
        QVERIFY(loadsAtOnce({1, nullptr, 0, true}));
        // A launcher shows each process its own GPU alone; one process by itself waits for nobody.
        QVERIFY(loadsAtOnce({8, "5", 4, false}));
        QVERIFY(!loadsAtOnce({8, nullptr, 1, false}));
    }

    void whatALibrarySaysComesInWholeLines()
    {
        LineSplitter lines;
        using Lines = std::vector<std::string>;
        QCOMPARE(lines.take("one\ntw"), Lines{"one"});
        QCOMPARE(lines.take("o\r\n\nthree"), Lines{"two"});
        QCOMPARE(lines.take(""), Lines{});
        QCOMPARE(lines.take("\n"), Lines{"three"});
        const std::string endless(LineSplitter::longest + 1, 'x');
        QCOMPARE(lines.take(endless), Lines{endless});
    }
};

PW_TEST(TestCudaStart)
#include "tst_cuda_start.moc"

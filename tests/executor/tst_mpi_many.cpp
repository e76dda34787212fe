// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/mpi_launch.h"
#include "tests/support/test_program.h"

#include <QStandardPaths>
#include <QTest>

using namespace pw::test;

/// Many more processes than cores. tests/mpi/many_ranks.sh does the same with 64 and 72.
class TestMpiMany : public QObject
{
    Q_OBJECT

private:
    static constexpr int ranks = 24;
    /// Several processes of one core take turns.
    static constexpr int startLimit = 180'000;

private slots:
    void init()
    {
#ifndef PW_MPI_BUILT
        QSKIP("built without Open MPI");
#endif
        if (QStandardPaths::findExecutable("mpirun").isEmpty())
            QSKIP("there is no mpirun");
    }

    void emulatedRanksRunAndTheirRecordsFit()
    {
        MpiLaunch::Way way;
        way.processes = ranks;
        const QStringList runs = {QString("emulated,1f1b,%1").arg(ranks),
                                  QString("emulated,zb-v,%1").arg(ranks)};
        MpiLaunch launch(way, QStringList("runs") + runs);
        QVERIFY(launch.ends(startLimit));
        for (const QString& run : runs)
            QVERIFY2(launch.lineOf(run) == "finished, records good",
                     qPrintable(run + ": " + launch.lineOf(run) + launch.errors()));
        QCOMPARE(launch.exitCode(), 0);
    }

    void clocksOfAllAgreeWithinTheBandThatIsSaid()
    {
        MpiLaunch::Way way;
        way.processes = ranks;
        MpiLaunch launch(way, {"clocks"});
        QVERIFY(launch.ends(startLimit));
        const QStringList lines = launch.lines();
        QCOMPARE(lines.size(), ranks);
        const QString first = lines.first();
        for (const QString& line : lines) {
            const qint64 off =
                line.section(' ', 0, 0).toLongLong() - first.section(' ', 0, 0).toLongLong();
            const qint64 band =
                line.section(' ', 1, 1).toLongLong() + first.section(' ', 1, 1).toLongLong();
            QVERIFY2(qAbs(off) <= band, qPrintable(line + " against " + first));
        }
    }
};

PW_TEST(TestMpiMany)
#include "tst_mpi_many.moc"

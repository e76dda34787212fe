// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/mpi_launch.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

using namespace pw::test;

namespace {

QString whyNoMpich()
{
#ifndef PW_MPICH_BUILT
    return "built without MPICH";
#else
    return QStandardPaths::findExecutable("mpiexec.hydra").isEmpty() ? "there is no mpiexec.hydra"
                                                                     : QString();
#endif
}

MpiLaunch::Way hydra(int processes = 4)
{
    MpiLaunch::Way way;
    way.starter = MpiStarter::Mpich;
    way.processes = processes;
    return way;
}

} // namespace

/// What tst_mpi asks of Open MPI, of the same program under MPICH's launcher.
class TestMpich : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        if (const QString why = whyNoMpich(); !why.isEmpty())
            QSKIP(qPrintable(why));
    }

    void textsGoToAllAndToRankZero()
    {
        MpiLaunch launch(hydra(), {"collective"});
        QVERIFY(launch.ends());
        QStringList wanted;
        for (int round = 0; round < 3; ++round) {
            for (int rank = 0; rank < 4; ++rank)
                wanted << QString("%1:%2:3000003").arg(rank).arg(round);
        }
        wanted << "met";
        QVERIFY2(launch.lines() == wanted, qPrintable(launch.errors()));
        QCOMPARE(launch.exitCode(), 0);
    }

    void mailOfOneSenderComesInOrder()
    {
        MpiLaunch launch(hydra(), {"mail"});
        QVERIFY(launch.ends());
        QVERIFY2(launch.lines() == QStringList("in order"), qPrintable(launch.errors()));
        QCOMPARE(launch.exitCode(), 0);
    }

    void familiesRunAndTrainOverFourProcesses()
    {
        const QStringList emulated = {"emulated,1f1b,4", "emulated,zb-v,4", "emulated,dualpipe,4",
                                      "emulated,1f1b,4,committed"};
        const QStringList trained = {"cpu,zb-v,4,two", "cpu,chimera,2"};
        MpiLaunch launch(hydra(), QStringList("runs") + emulated + trained);
        QVERIFY(launch.ends());
        for (const QString& run : emulated)
            QVERIFY2(launch.lineOf(run) == "finished, records good",
                     qPrintable(run + ": " + launch.lineOf(run) + launch.errors()));
        for (const QString& run : trained)
            QVERIFY2(launch.lineOf(run) == "finished, records good, numbers equal",
                     qPrintable(run + ": " + launch.lineOf(run) + launch.errors()));
        QCOMPARE(launch.lines().filter("processes on ").size(), 1);
        QVERIFY2(launch.lines().filter(", MPICH ").size() == 1,
                 qPrintable(launch.lines().join('\n')));
        QCOMPARE(launch.exitCode(), 0);
    }

    void aFaultOfOneRankIsNamed()
    {
        MpiLaunch launch(hydra(), {"runs", "emulated,1f1b,4,throw:F3.1", "emulated,1f1b,4"});
        QVERIFY(launch.ends());
        QCOMPARE(launch.lineOf("emulated,1f1b,4,throw:F3.1"),
                 QString("failed: rank 1, PP:1F3: an exception that was asked for"));
        QCOMPARE(launch.lineOf("emulated,1f1b,4"), QString("finished, records good"));
        QCOMPARE(launch.exitCode(), 1);
    }

    void aRankThatIsKilledTakesAllWithIt()
    {
        MpiLaunch launch(hydra(), {"runs", "emulated,1f1b,4,long"});
        QVERIFY(launch.says("process ", 4));
        QVERIFY(launch.says("processes on ", 1));
        const QMap<int, int> processes = launch.processes();
        QCOMPARE(processes.size(), 4);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(kill(processes[2], SIGKILL), 0);
        QVERIFY(launch.ends());
        QVERIFY2(timer.elapsed() < 6'500, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(launch.exitCode() != 0);
        for (const int process : processes)
            QTRY_VERIFY_WITH_TIMEOUT(!lives(process), hangLimit);
    }

    void withoutTheModuleNoneOfTheProcessesRuns()
    {
        MpiLaunch::Way way = hydra(2);
        way.modules = "/nowhere";
        MpiLaunch launch(way, {"runs", "emulated,1f1b,2"});
        QVERIFY(launch.ends());
        QVERIFY(launch.exitCode() != 0);
        QVERIFY2(launch.errors().contains("libmpich-dev"), qPrintable(launch.errors()));
        QVERIFY(launch.lines().filter("emulated").isEmpty());
    }
};

PW_TEST(TestMpich)
#include "tst_mpich.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_backend.h"
#include "tests/support/mpi_launch.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

using namespace pw::exec;
using namespace pw::test;

class TestMpi : public QObject
{
    Q_OBJECT

private:
    static QString whyNot()
    {
#ifndef PW_MPI_BUILT
        return "built without Open MPI";
#endif
        if (QStandardPaths::findExecutable("mpirun").isEmpty())
            return "there is no mpirun";
        return {};
    }

private slots:
    void aLauncherIsSeenInTheEnvironment_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
            QTest::newRow(name) << QByteArray(name);
    }
    void aLauncherIsSeenInTheEnvironment()
    {
        QFETCH(QByteArray, name);
        QVERIFY(!startedByMpi());
        const Variable set(name.constData(), "4");
        QVERIFY(startedByMpi());
    }

    void aSlurmStepOfSeveralTasksIsSeen()
    {
        const Variable task("SLURM_PROCID", "0");
        QVERIFY(!startedByMpi());
        const Variable one("SLURM_STEP_NUM_TASKS", "1");
        QVERIFY(!startedByMpi());
        const Variable several("SLURM_STEP_NUM_TASKS", "2");
        QVERIFY(startedByMpi());
    }

    void withoutTheModuleAStartedProgramSaysWhatIsMissing()
    {
        const Variable modules("PW_MODULE_PATH", "/nowhere");
        const pw::Result<std::unique_ptr<MpiRanks>> ranks = joinMpi();
        QVERIFY(!ranks);
        const QString text = QString::fromStdString(ranks.error().message);
        QVERIFY2(text.contains("one of several MPI processes"), qPrintable(text));
        QVERIFY2(text.contains("pipewright-mpi.so"), qPrintable(text));
    }

    void textsGoToAllAndToRankZero()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        MpiLaunch launch({"collective"});
        QVERIFY(launch.ends());
        QStringList wanted;
        for (int round = 0; round < 3; ++round) {
            for (int rank = 0; rank < 4; ++rank)
                wanted << QString("%1:%2:3000003").arg(rank).arg(round);
        }
        wanted << "met";
        QCOMPARE(launch.lines(), wanted);
        QCOMPARE(launch.exitCode(), 0);
    }

    void clocksAgreeWithinTheBandThatIsSaid()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        MpiLaunch launch({"clocks"});
        QVERIFY(launch.ends());
        const QStringList lines = launch.lines();
        QCOMPARE(lines.size(), 4);
        const QString first = lines.first();
        for (const QString& line : lines) {
            const qint64 off =
                line.section(' ', 0, 0).toLongLong() - first.section(' ', 0, 0).toLongLong();
            const qint64 band =
                line.section(' ', 1, 1).toLongLong() + first.section(' ', 1, 1).toLongLong();
            QVERIFY2(qAbs(off) <= band, qPrintable(line + " against " + first));
        }
    }

    void mailOfOneSenderComesInOrder()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        MpiLaunch launch({"mail"});
        QVERIFY(launch.ends());
        QVERIFY2(launch.lines() == QStringList("in order"), qPrintable(launch.errors()));
        QCOMPARE(launch.exitCode(), 0);
    }

    void emulatedFamiliesRunOverFourProcesses()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        const QStringList runs = {"emulated,1f1b,4",     "emulated,interleaved-1f1b,4,two",
                                  "emulated,zb-h1,4",    "emulated,zb-v,4",
                                  "emulated,dualpipe,4", "emulated,chimera,4",
                                  "emulated,seq1f1b,4",  "emulated,pipedream,4",
                                  "emulated,gpipe,3",    "emulated,1f1b,4,committed"};
        MpiLaunch launch(QStringList("runs") + runs);
        QVERIFY(launch.ends());
        for (const QString& run : runs)
            QVERIFY2(launch.lineOf(run) == "finished, records good",
                     qPrintable(run + ": " + launch.lineOf(run) + launch.errors()));
        QCOMPARE(launch.exitCode(), 0);
    }

    void trainingOverFourProcessesIsThatOfOneDevice()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        const QStringList runs = {
            "cpu,1f1b,4",    "cpu,zb-v,4,two",         "cpu,dualpipe,4,two",      "cpu,chimera,2",
            "cpu,seq1f1b,4", "cpu,interleaved-1f1b,4", "cpu,1f1b,4,committed,two"};
        MpiLaunch launch(QStringList("runs") + runs);
        QVERIFY(launch.ends());
        for (const QString& run : runs)
            QVERIFY2(launch.lineOf(run) == "finished, records good, numbers equal",
                     qPrintable(run + ": " + launch.lineOf(run) + launch.errors()));
        QCOMPARE(launch.exitCode(), 0);
    }

    void aFaultOfOneRankIsNamedAndTheNextRunIsGood()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        const QList<QPair<QString, QString>> runs = {
            {"emulated,1f1b,4,throw:F3.1",
             "failed: rank 1, PP:1F3: an exception that was asked for"},
            {"cpu,1f1b,4,wrong-tag:F3.1",
             "failed: rank 2, PP:2F3: F of micro-batch 4 on stage 1 came from rank 1 where F of "
             "micro-batch 3 on stage 1 was due"},
            {"emulated,1f1b,4,out-of-memory:BW2.3",
             "failed: rank 3, PP:3B2: out of memory, as was asked for"},
            {"emulated,1f1b,4,stall:F3.1",
             "failed: rank 2, PP:2F3: waited … for F of micro-batch 3 on stage 1 from rank "
             "1"},
            {"emulated,1f1b,8", "running: the plan has 8 devices, but 4 processes were started; "
                                "one process a device"},
            {"emulated,1f1b,4", "finished, records good"}};
        QStringList arguments("runs");
        for (const auto& run : runs)
            arguments << run.first;
        MpiLaunch launch(arguments);
        QVERIFY(launch.ends());
        static const QRegularExpression time("waited \\d+ ms");
        // Where ranks are slow, the message that is wrong comes while an earlier pass still waits.
        static const QRegularExpression earlier("rank 2, PP:2(?:B\\d|F[0-2]): F of");
        for (const auto& [run, wanted] : runs) {
            QString said = launch.lineOf(run);
            said.replace(time, "waited …").replace(earlier, "rank 2, PP:2F3: F of");
            QVERIFY2(said == wanted, qPrintable(run + ": " + said + launch.errors()));
        }
        QCOMPARE(launch.exitCode(), 1);
    }

    void aRankThatIsKilledTakesAllWithIt_data()
    {
        QTest::addColumn<int>("rank");
        QTest::newRow("rank 2") << 2;
        QTest::newRow("rank 0") << 0;
    }
    void aRankThatIsKilledTakesAllWithIt()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        QFETCH(int, rank);
        MpiLaunch launch({"runs", "emulated,1f1b,4,long"});
        QVERIFY(launch.says("process ", 4));
        QVERIFY(launch.says("processes on ", 1));
        const QMap<int, int> processes = launch.processes();
        QCOMPARE(processes.size(), 4);
        QCOMPARE(kill(processes[rank], SIGKILL), 0);
        QVERIFY(launch.ends());
        QVERIFY(launch.exitCode() != 0);
        for (const int process : processes)
            QTRY_VERIFY_WITH_TIMEOUT(!lives(process), hangLimit);
        QVERIFY(!launch.lineOf("emulated,1f1b,4,long").startsWith("finished"));
    }

    void aRankThatIsStoppedIsFoundInFiveSeconds_data()
    {
        QTest::addColumn<int>("rank");
        QTest::newRow("rank 2") << 2;
        QTest::newRow("rank 0") << 0;
    }
    /// The others know without it: rank 0 names it, or, where it is rank 0, they end.
    void aRankThatIsStoppedIsFoundInFiveSeconds()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        QFETCH(int, rank);
        MpiLaunch launch({"runs", "emulated,1f1b,4,long"});
        QVERIFY(launch.says("process ", 4));
        QVERIFY(launch.says("processes on ", 1));
        const QMap<int, int> processes = launch.processes();
        QCOMPARE(processes.size(), 4);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(kill(processes[rank], SIGSTOP), 0);
        const int other = processes[rank == 0 ? 3 : 0];
        while (lives(other) && timer.elapsed() < hangLimit)
            QTest::qWait(20);
        const qint64 took = timer.elapsed();
        // Before the others' sign counts as missing, nobody may be given up.
        QVERIFY2(took > 3'000 && took < 6'500, qPrintable(QString::number(took)));
        kill(processes[rank], SIGKILL);
        QVERIFY(launch.ends());
        QVERIFY(launch.exitCode() != 0);
    }

    void aRankThatDiesInAPassIsNamed()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        MpiLaunch launch({"runs", "emulated,1f1b,4,die:F3.1"});
        QVERIFY(launch.ends());
        QVERIFY(launch.exitCode() != 0);
        const QString said = launch.lineOf("emulated,1f1b,4,die:F3.1");
        // The launcher of Open MPI 5 ends the other ranks before one of them has found out.
        if (said == "nothing")
            QVERIFY2(launch.errors().contains("process rank 1 "), qPrintable(launch.errors()));
        else
            QCOMPARE(said, QString("failed: rank 1 is gone: its process has not said how its part "
                                   "of the run ended"));
    }

    void withoutTheModuleNoneOfTheProcessesRuns()
    {
        if (const QString why = whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        MpiLaunch::Way way;
        way.modules = "/nowhere";
        MpiLaunch launch(way, {"runs", "emulated,1f1b,4"});
        QVERIFY(launch.ends());
        QVERIFY(launch.exitCode() != 0);
        QVERIFY2(launch.errors().contains("there is no module pipewright-mpi.so"),
                 qPrintable(launch.errors()));
        QVERIFY(launch.lines().filter("emulated").isEmpty());
    }
};

PW_TEST(TestMpi)
#include "tst_mpi.moc"

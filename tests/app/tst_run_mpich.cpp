// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/mpi_launch.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTest>

using namespace pw::test;

/// The program itself under MPICH's launcher.
class TestRunMpich : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
#ifndef PW_MPICH_BUILT
        QSKIP("built without MPICH");
#endif
        if (QStandardPaths::findExecutable("mpiexec.hydra").isEmpty())
            QSKIP("there is no mpiexec.hydra");
    }

    void fourProcessesAreOneRun()
    {
        MpiLaunch::Way way;
        way.starter = MpiStarter::Mpich;
        way.program = QStringLiteral(PW_PROGRAM);
        MpiLaunch launch(way, {"run", "zb-v", "--devices", "4", "--micro-batches", "4", "--backend",
                               "emulated", "--iterations", "1", "--no-store", "--json"});
        QVERIFY(launch.ends());
        QVERIFY2(launch.exitCode() == 0, qPrintable(launch.errors()));
        const QJsonObject run =
            QJsonDocument::fromJson(launch.lines().join('\n').toUtf8()).object();
        QVERIFY2(!run.isEmpty(), qPrintable(launch.lines().join('\n')));
        QVERIFY2(launch.lines().filter("\"mpi\"").size() == 1,
                 qPrintable(launch.lines().join('\n')));
    }
};

PW_TEST(TestRunMpich)
#include "tst_run_mpich.moc"

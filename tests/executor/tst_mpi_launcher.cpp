// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_backend.h"
#include "executor/mpi/mpi_launcher.h"
#include "tests/support/mpi_launch.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <list>

using namespace pw::exec;
using namespace pw::test;

Q_DECLARE_METATYPE(std::vector<MpiLibrary>)

/// Which launcher has started a process, and so which library it needs.
class TestMpiLauncher : public QObject
{
    Q_OBJECT

private slots:
    void nobodyHasStartedThisOne() { QVERIFY(!mpiLauncher()); }

    void theEnvironmentTells_data()
    {
        using enum MpiLibrary;
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<std::vector<MpiLibrary>>("libraries");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("processes");
        const auto row = [](const char* title, const QStringList& variables,
                            const std::vector<MpiLibrary>& libraries, const char* name,
                            int processes) {
            QTest::newRow(title) << variables << libraries << QString(name) << processes;
        };
        row("mpirun", {"OMPI_COMM_WORLD_SIZE=4", "PMIX_RANK=1"}, {OpenMpi}, "mpirun of Open MPI",
            4);
        row("hydra", {"PMI_RANK=1", "PMI_SIZE=3", "PMI_FD=7", "MPI_LOCALNRANKS=3"}, {Mpich},
            "mpiexec of MPICH", 3);
        row("hydra under Slurm",
            {"PMI_RANK=1", "PMI_SIZE=3", "MPI_LOCALNRANKS=3", "SLURM_PROCID=0",
             "SLURM_STEP_NUM_TASKS=2"},
            {Mpich}, "mpiexec of MPICH", 3);
        row("srun with PMI",
            {"PMI_RANK=1", "PMI_SIZE=4", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=4"},
            {Mpich, OpenMpi}, "srun", 4);
        row("srun with PMIx", {"PMIX_RANK=1", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=4"},
            {OpenMpi, Mpich}, "srun", 4);
        row("srun alone", {"SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=4"}, {OpenMpi, Mpich}, "srun",
            4);
        row("as it was asked for", {"PMI_RANK=1", "PMI_SIZE=4", "PW_MPI_LIBRARY=openmpi"},
            {OpenMpi}, "a launcher", 4);
    }
    void theEnvironmentTells()
    {
        QFETCH(QStringList, variables);
        QFETCH(std::vector<MpiLibrary>, libraries);
        QFETCH(QString, name);
        QFETCH(int, processes);
        std::list<QByteArray> names;
        std::list<Variable> set;
        for (const QString& variable : std::as_const(variables)) {
            names.push_back(variable.section('=', 0, 0).toLatin1());
            set.emplace_back(names.back().constData(),
                             variable.section('=', 1).toLatin1().constData());
        }
        const std::optional<MpiLauncher> found = mpiLauncher();
        QVERIFY(found);
        QVERIFY(found->libraries == libraries);
        QCOMPARE(QString::fromStdString(found->name), name);
        QCOMPARE(found->processes, processes);
    }

    void aMissingModuleIsNamedWithThePackageThatBringsIt_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QStringList>("says");
        QTest::newRow("MPICH") << QByteArray("MPI_LOCALNRANKS")
                               << QStringList{"mpiexec of MPICH started this program",
                                              "pipewright-mpich.so", "libmpich-dev"};
        QTest::newRow("Open MPI") << QByteArray("OMPI_COMM_WORLD_SIZE")
                                  << QStringList{"mpirun of Open MPI started this program",
                                                 "pipewright-mpi.so", "libopenmpi-dev"};
    }
    void aMissingModuleIsNamedWithThePackageThatBringsIt()
    {
        QFETCH(QByteArray, variable);
        QFETCH(QStringList, says);
        const Variable modules("PW_MODULE_PATH", "/nowhere");
        const Variable rank("PMI_RANK", "0");
        const Variable one(variable.constData(), "4");
        const pw::Result<std::unique_ptr<MpiRanks>> ranks = joinMpi();
        QVERIFY(!ranks);
        const QString text = QString::fromStdString(ranks.error().message);
        for (const QString& part : std::as_const(says))
            QVERIFY2(text.contains(part), qPrintable(text));
    }
};

PW_TEST(TestMpiLauncher)
#include "tst_mpi_launcher.moc"

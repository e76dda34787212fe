// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/slurm_job.h"
#include "core/store/run_store.h"
#include "tests/support/slurm_stand_ins.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace pw;
using namespace pw::test;

namespace {

struct Submitted
{
    int code = -1;
    QString out;
    QString err;
};

Submitted submitted(const StandIns& slurm, const QStringList& words,
                    const QStringList& variables = {})
{
    QProcess process;
    slurm.start(process, words, variables);
    process.closeWriteChannel();
    if (!process.waitForFinished(submitLimit))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QStringList smallRun()
{
    return {"--", "run",          "1f1b",     "--devices",
            "2",  "--backend",    "emulated", "--micro-batches",
            "2",  "--iterations", "1"};
}

} // namespace

class TestSubmit : public QObject
{
    Q_OBJECT

private slots:
    void theScriptAsksForWhatTheOptionsSay()
    {
        const StandIns slurm;
        const Submitted said =
            submitted(slurm, QStringList{"--partition", "gpu", "--nodes", "2", "--time", "2:00:00",
                                         "--account", "lab", "--gpus-per-task", "1", "--mpi",
                                         "pmi2", "--name", "mine", "--program", "/opt/pipe wright",
                                         "--folder", "job", "--show"} +
                                 smallRun());
        QVERIFY2(said.code == 0, qPrintable(said.err));
        const QString folder = slurm.file("job");
        QCOMPARE(
            said.out,
            QString("#!/bin/bash\n# Written by Pipewright; the rules were checked against Slurm "
                    "22.05.8\n#SBATCH --job-name=mine\n#SBATCH --partition=gpu\n"
                    "#SBATCH --account=lab\n#SBATCH --nodes=2\n#SBATCH --ntasks=2\n"
                    "#SBATCH --cpus-per-task=1\n#SBATCH --gpus-per-task=1\n"
                    "#SBATCH --time=2:00:00\n#SBATCH --output=%1/job.log\n"
                    "srun --kill-on-bad-exit=1 --mpi=${PIPEWRIGHT_MPI:-pmi2} "
                    "'/opt/pipe wright' run 1f1b --devices 2 --backend emulated "
                    "--micro-batches 2 --iterations 1 --wire --no-store > %1/run.jsonl\n")
                .arg(folder));
        QVERIFY(slurm.calls("sbatch").isEmpty());
        QVERIFY(!QFileInfo::exists(folder));
    }

    void aRunIsSentFollowedAndKept()
    {
        const StandIns slurm;
        const Submitted said =
            submitted(slurm, QStringList{"--partition", "test", "--folder", "job"} + smallRun());
        QVERIFY2(said.code == 0, qPrintable(said.err + said.out + slurm.said("job.out")));
        QCOMPARE(slurm.calls("sbatch"), QStringList("--parsable " + slurm.file("job/job.sbatch")));
        QCOMPARE(slurm.calls("squeue").value(0),
                 QString("--noheader --states=all --format=%T|%r|%N --jobs=17"));
        const QStringList srun = slurm.calls("srun");
        QCOMPARE(srun.size(), 1);
        QVERIFY2(srun[0].startsWith("--kill-on-bad-exit=1 --mpi=pmix " PW_PROGRAM " run 1f1b "),
                 qPrintable(srun[0]));
        QVERIFY(slurm.calls("scancel").isEmpty());
        QVERIFY2(said.err.contains("Slurm: job 17 is sent"), qPrintable(said.err));
        QVERIFY2(said.out.startsWith("1F1B: finished, makespan "), qPrintable(said.out));
        QVERIFY2(said.out.contains("run 1 in " + slurm.file("runs.sqlite")), qPrintable(said.out));
        Result<RunStore> store = RunStore::openToRead(slurm.file("runs.sqlite").toStdString());
        QVERIFY(store);
        const Result<std::vector<StoredRun>> runs = store->runs();
        QVERIFY(runs);
        QCOMPARE(runs->size(), std::size_t{1});
        QCOMPARE(runs->front().status, RunStatus::Finished);
        QCOMPARE(runs->front().ranks, 2);
    }

    void theWireComesThroughForAnAttendant()
    {
        const StandIns slurm;
        QProcess process;
        slurm.start(process,
                    {"--tasks", "1", "--folder", "job", "--", "run", "-", "--attended", "--wire",
                     "--no-store", "--backend", "emulated", "--iterations", "1"});
        QProcess made;
        made.start(PW_PROGRAM, {"convert", "zb-h1", slurm.file("p.json"), "--devices", "2",
                                "--micro-batches", "2"});
        QVERIFY(made.waitForFinished(submitLimit));
        const QString plan = slurm.said("p.json");
        QVERIFY(!plan.isEmpty());
        process.write(plan.toUtf8() + '\0');
        QVERIFY(process.waitForFinished(submitLimit));
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0, out + process.readAllStandardError());
        QVERIFY(out.startsWith("{\"t\":\"hello\""));
        QVERIFY(out.trimmed().split('\n').last().contains("\"status\":\"finished\""));
        QCOMPARE(slurm.said("job/plan.pipewright.json"), plan);
        // One task needs no srun.
        QVERIFY(slurm.calls("srun").isEmpty());
        QVERIFY(!slurm.said("script").contains("--attended"));
    }

    void whoeverStopsItCancelsTheJob_data()
    {
        QTest::addColumn<bool>("bySignal");
        QTest::newRow("Ctrl-C") << true;
        QTest::newRow("an attendant that has gone") << false;
    }
    void whoeverStopsItCancelsTheJob()
    {
        QFETCH(bool, bySignal);
        const StandIns slurm;
        QProcess process;
        const QStringList words =
            bySignal ? QStringList{"--folder", "job"} + smallRun()
                     : QStringList{"--tasks", "1",          "--folder",  "job",
                                   "--",      "run",        "-",         "--attended",
                                   "--wire",  "--no-store", "--backend", "emulated"};
        process.setProcessChannelMode(QProcess::MergedChannels);
        slurm.start(process, words, {"HOLD=1"});
        if (!bySignal) {
            QFile sample(QStringLiteral(PW_SOURCE_DIR "/samples/02-1f1b.pipewright.json"));
            QVERIFY(sample.open(QIODevice::ReadOnly));
            process.write(sample.readAll() + '\0');
        }
        QByteArray err;
        while (!err.contains("waits for free nodes (Resources)") &&
               process.waitForReadyRead(submitLimit))
            err += process.readAll();
        QVERIFY2(err.contains("job 17 waits for free nodes (Resources)"), err);
        if (bySignal)
            QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        else
            process.closeWriteChannel();
        QVERIFY(process.waitForFinished(submitLimit));
        err += process.readAll();
        QCOMPARE(slurm.calls("scancel"), QStringList("17"));
        QVERIFY2(err.contains("job 17 was cancelled"), err);
        QVERIFY(process.exitCode() != 0);
    }

    void whatGoesWrongIsSaidInPlainWords_data()
    {
        QTest::addColumn<QString>("missing");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* missing, const QStringList& words,
                            const QStringList& variables, int code, const char* says) {
            QTest::newRow(name) << QString(missing) << words << variables << code << QString(says);
        };
        row("no Slurm", "sbatch", smallRun(), {}, 1, "there is no sbatch on this computer");
        row("no queue", "squeue", smallRun(), {}, 1, "there is no squeue on this computer");
        row("another partition", "", smallRun(), {"REFUSE=invalid partition specified: nope"}, 1,
            "Slurm does not take the job: sbatch: error: invalid partition specified: nope");
        row("a run that fails", "", smallRun() + QStringList{"--inject", "throw:F0.1"}, {}, 1,
            "an exception that was asked for");
        row("time over", "", QStringList{"--program", "/bin/false"} + smallRun(), {"END=TIMEOUT"},
            1, "job 17 was ended: its time was over");
        row("a time that is none", "", QStringList{"--time", "soon"} + smallRun(), {}, 2,
            "--time takes minutes");
        row("a partition with a line end", "", QStringList{"--partition", "a\nrm -rf"} + smallRun(),
            {}, 2, "--partition takes letters");
        row("other tasks", "", QStringList{"--tasks", "3"} + smallRun(), {}, 2,
            "the schedule has 2 devices");
        row("another command", "", {"--", "simulate", "1f1b"}, {}, 2, "not 'simulate'");
        row("an option of the run that is none", "", smallRun() + QStringList{"--sise", "tiny"}, {},
            2, "--size");
    }
    void whatGoesWrongIsSaidInPlainWords()
    {
        QFETCH(QString, missing);
        QFETCH(QStringList, words);
        QFETCH(QStringList, variables);
        QFETCH(int, code);
        QFETCH(QString, says);
        const StandIns slurm;
        if (!missing.isEmpty())
            slurm.remove(missing);
        const Submitted said = submitted(slurm, QStringList{"--folder", "job"} + words, variables);
        QVERIFY2(said.err.contains(says), qPrintable(said.err + slurm.said("job.out")));
        QCOMPARE(said.code, code);
        if (code == 2)
            QVERIFY(slurm.calls("sbatch").isEmpty());
    }

    void aJobThatTheQueueHasForgottenIsFoundInItsPast_data()
    {
        QTest::addColumn<QStringList>("variables");
        QTest::newRow("by sacct") << QStringList("PAST=TIMEOUT");
        QTest::newRow("by scontrol") << QStringList();
    }
    void aJobThatTheQueueHasForgottenIsFoundInItsPast()
    {
        QFETCH(QStringList, variables);
        const StandIns slurm;
        QFile forgotten(slurm.file("forgotten"));
        QVERIFY(forgotten.open(QIODevice::WriteOnly));
        forgotten.close();
        const Submitted said =
            submitted(slurm, QStringList{"--folder", "job", "--program", "/bin/false"} + smallRun(),
                      variables);
        QCOMPARE(said.code, 1);
        QVERIFY2(said.err.contains(variables.isEmpty() ? "job 17 has ended"
                                                       : "job 17 was ended: its time was over"),
                 qPrintable(said.err));
        QCOMPARE(slurm.calls("sacct").value(0),
                 QString("--noheader --parsable2 --allocations --format=State --jobs=17"));
    }

    void detachedItLeavesTheJobAlone()
    {
        const StandIns slurm;
        const Submitted said =
            submitted(slurm, QStringList{"--detach", "--folder", "job"} + smallRun(), {"HOLD=1"});
        QCOMPARE(said.code, 0);
        QVERIFY2(said.out.startsWith("job 17, in " + slurm.file("job") + "\nscancel 17 cancels"),
                 qPrintable(said.out));
        QVERIFY(slurm.calls("squeue").isEmpty());
    }

    void backendsAreThoseOfTheNodes()
    {
        const StandIns slurm;
        const Submitted said =
            submitted(slurm, {"--gpus-per-task", "1", "--tasks", "4", "--", "backends", "--json"});
        QVERIFY2(said.code == 0, qPrintable(said.err));
        const QJsonArray all = QJsonDocument::fromJson(said.out.toUtf8()).array();
        QVERIFY(all.size() >= 3);
        for (qsizetype i = 0; i < all.size(); ++i) {
            const QJsonObject one = all.at(i).toObject();
            QVERIFY2(one["available"].toBool(), qPrintable(one["name"].toString()));
            QVERIFY(one["notes"].toArray().last().toString().contains("test* up"));
            if (one["name"].toString() != "emulated")
                QCOMPARE(one["devices"].toArray().size(), 4);
        }
        slurm.remove("sinfo");
        QCOMPARE(submitted(slurm, {"--", "backends"}).code, 1);
    }

    void statesAreWords_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* state, const char* reason, const char* words) {
            QTest::addRow("%s %s", state, reason)
                << QString(state) << QString(reason) << QString(words);
        };
        row("PENDING", "Priority", "waits behind jobs that come first (Priority)");
        row("PENDING", "Oddity", "waits (Oddity)");
        row("PENDING", "None", "waits");
        row("RUNNING", "node[1-2]", "runs on node[1-2]");
        row("COMPLETED", "", "has ended");
        row("CANCELLED by 1000", "", "was cancelled");
        row("OUT_OF_MEMORY", "node1", "was ended: it needed more memory than it may have");
        row("NEW_STATE", "", "is NEW_STATE");
    }
    void statesAreWords()
    {
        QFETCH(QString, state);
        QFETCH(QString, reason);
        QFETCH(QString, words);
        QCOMPARE(QString::fromStdString(slurmStateText(state.toStdString(), reason.toStdString())),
                 words);
    }

    void optionsAreReadBack()
    {
        SlurmJob job;
        job.partition = "gpu";
        job.time = "1-12";
        job.tasks = 8;
        job.mpi = "pmi2";
        std::vector<std::string> words = {"ssh", "login", "pipewright", "submit"};
        const std::vector<std::string> options = slurmOptions(job);
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), {"--folder=/scratch/jobs", "--"});
        const Result<SlurmJob> read = slurmJobOf(words);
        QVERIFY(read);
        QVERIFY(*read == job);
        QVERIFY(!slurmJobOf(std::vector<std::string>{"ssh", "login", "pipewright"}));
        QVERIFY(!slurmJobOf(std::vector<std::string>{"pipewright", "submit", "--time"}));
        QVERIFY(!slurmJobOf(std::vector<std::string>{"pipewright", "submit", "--speed", "9"}));
    }
};

PW_TEST(TestSubmit)
#include "tst_submit.moc"

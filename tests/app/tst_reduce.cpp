// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/shard.h"
#include "core/store/stored_trace.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/job_traces.h"
#include "tests/support/patience.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <string>

using namespace pw;
using namespace pw::app;

namespace {

/// A pretended environment.
Environment pretended(std::map<std::string, std::string> values)
{
    return [values = std::move(values)](const char* name) {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}

void writeJob(const QTemporaryDir& folder, const test::MadeJob& job)
{
    for (const test::TraceText& file : test::kinetoFiles(job, test::RankLayout::StagesOutside))
        test::writeTrace(folder.filePath(QString::fromStdString(file.name)).toStdString(),
                         file.text);
}

QJsonObject reportOf(const std::vector<std::string>& files)
{
    std::vector<std::string> words = {"import", "--json"};
    words.insert(words.end(), files.begin(), files.end());
    return QJsonDocument::fromJson(test::ran(words).out).object();
}

std::vector<std::string> digestsIn(const QString& folder)
{
    std::vector<std::string> all;
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.digest")}))
        all.push_back((folder + QLatin1Char('/') + name).toStdString());
    return all;
}

QString pipewright()
{
    return QStandardPaths::findExecutable(
        QStringLiteral("pipewright"),
        {QCoreApplication::applicationDirPath() + QStringLiteral("/../app")});
}

/// A step of a rank, one forward and one backward.
std::string tinyTrace(int stage, int stages)
{
    const auto pass = [stage](char kind, int start, int length) {
        return R"({"ph":"X","pid":1,"tid":1,"name":"PP:)" + std::to_string(stage) + kind +
               R"(0","ts":)" + std::to_string(start) + R"(,"dur":)" + std::to_string(length) + "}";
    };
    return "[" + pass('F', 10 * stage, 10) + "," + pass('B', 30 * stages - 20 * stage, 20) + "]";
}

} // namespace

class TestReduce : public QObject
{
    Q_OBJECT

private slots:
    /// What is told of a job by its digests is what its files tell.
    void aDigestTellsWhatItsFileDoes()
    {
        const QTemporaryDir traces, digests;
        test::MadeJob job;
        job.slowReplica = 1;
        job.slowStage = 2;
        writeJob(traces, job);
        const std::string from = traces.path().toStdString(), to = digests.path().toStdString();
        const test::Said reduced = test::ran({"reduce", from, "--output", to});
        QVERIFY2(reduced.code == ExitCode::Good, reduced.err.constData());
        QVERIFY2(reduced.out.contains("12 digests made"), reduced.out.constData());
        const std::vector<std::string> files = digestsIn(digests.path());
        QCOMPARE(files.size(), 12U);
        const QJsonObject whole = reportOf({from}), small = reportOf(files);
        for (const char* key : {"trace_ranks", "runs", "passes", "iterations", "devices", "stages",
                                "micro_batches", "makespan_ms", "replay_ms", "ranks", "job"})
            QCOMPARE(small[key], whole[key]);
        QCOMPARE(small["job"].toObject()["replicas"].toInt(), 3);

        const std::string store = digests.filePath(QStringLiteral("job.sqlite")).toStdString();
        const test::Said merged = test::ran({"merge", to, "--store", store});
        QVERIFY2(merged.code == ExitCode::Good, merged.err.constData());
        QVERIFY2(merged.out.contains("3 replicas of 4 stages"), merged.out.constData());
        const test::Said shown = test::ran({"show", "last", "--store", store});
        QVERIFY2(shown.out.contains("3 replicas of 4 stages"), shown.out.constData());
        QVERIFY2(shown.out.contains("replica 1"), shown.out.constData());
        const test::Said asked = test::ran(
            {"query", "SELECT count(*) AS n FROM activity_lane", "--store", store, "--json"});
        QVERIFY2(asked.code == ExitCode::Good, asked.err.constData());
    }

    /// A digest is not made again while its file is the same.
    void digestsAreMadeOnce()
    {
        const QTemporaryDir traces;
        writeJob(traces, {});
        const std::string from = traces.path().toStdString();
        QVERIFY(test::ran({"reduce", from}).out.contains("12 digests made"));
        QVERIFY(test::ran({"reduce", from}).out.contains("0 digests made, 12 were there"));
        // The folder of the traces is still what it was to `import`.
        QCOMPARE(reportOf({from})["trace_ranks"].toInt(), 12);
        const QString one =
            traces.path() + QLatin1Char('/') + QDir(traces.path()).entryList({"*.json"}).front();
        QFile changed(one);
        QVERIFY(changed.open(QIODevice::Append));
        changed.write("\n");
        changed.close();
        QVERIFY(test::ran({"reduce", from}).out.contains("1 digest made"));
        // An interrupted one leaves files that are none.
        QFile::remove(one + QStringLiteral(".digest"));
        QVERIFY(test::ran({"reduce", from}).out.contains("1 digest made"));
        QVERIFY(
            test::ran({"reduce", from, "--kernel", "memory=*x*"}).out.contains("12 digests made"));
    }

    void launchersSayTheShard_data()
    {
        QTest::addColumn<QString>("shard");
        QTest::addColumn<QString>("environment");
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("of");
        QTest::newRow("nobody") << ""
                                << "" << 0 << 1;
        QTest::newRow("the option") << "2/5"
                                    << "" << 2 << 5;
        QTest::newRow("before a launcher")
            << "2/5"
            << "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4" << 2 << 5;
        QTest::newRow("Open MPI") << ""
                                  << "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4" << 3 << 4;
        QTest::newRow("MPICH") << ""
                               << "PMI_RANK=1 PMI_SIZE=2" << 1 << 2;
        QTest::newRow("Slurm") << ""
                               << "SLURM_PROCID=1 SLURM_NTASKS=3" << 1 << 3;
        QTest::newRow("a step of a job")
            << ""
            << "SLURM_JOB_ID=9 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=8 "
               "SLURM_STEP_NUM_TASKS=2"
            << 1 << 2;
        QTest::newRow("a batch script is no task")
            << ""
            << "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_NTASKS=8" << 0 << 1;
        QTest::newRow("parallel says no number of all") << ""
                                                        << "PARALLEL_SEQ=3" << 0 << 1;
        QTest::newRow("parallel") << "/4"
                                  << "PARALLEL_SEQ=3" << 2 << 4;
        QTest::newRow("nonsense") << "5/5"
                                  << "" << -1 << 0;
        QTest::newRow("no number") << "/4"
                                   << "" << -1 << 0;
        QTest::newRow("no slash") << "3"
                                  << "" << -1 << 0;
    }

    void launchersSayTheShard()
    {
        QFETCH(QString, shard);
        QFETCH(QString, environment);
        QFETCH(int, number);
        QFETCH(int, of);
        std::map<std::string, std::string> values;
        for (const QString& one : environment.split(' ', Qt::SkipEmptyParts))
            values[one.section('=', 0, 0).toStdString()] = one.section('=', 1).toStdString();
        const auto found = shardOf(
            shard.isEmpty() ? std::nullopt : std::optional(shard.toStdString()), pretended(values));
        QCOMPARE(found.has_value(), number >= 0);
        if (!found)
            return;
        QCOMPARE(static_cast<int>(found->number), number);
        QCOMPARE(static_cast<int>(found->of), of);
    }

    /// Thousands of files in four parts, as Slurm's variables say; all are read once.
    void manyFilesInParts()
    {
        constexpr int stages = 2, ranks = 2000;
        const QTemporaryDir traces, digests;
        for (int rank = 0; rank < ranks; ++rank)
            test::writeTrace(traces.filePath(QStringLiteral("rank%1.json").arg(rank)).toStdString(),
                             tinyTrace(rank % stages, stages));
        for (int task = 0; task < 4; ++task) {
            qputenv("SLURM_PROCID", QByteArray::number(task));
            qputenv("SLURM_NTASKS", "4");
            const test::Said said = test::ran(
                {"reduce", traces.path().toStdString(), "--output", digests.path().toStdString()});
            QVERIFY2(said.out.contains("500 digests made"), said.out.constData());
            QVERIFY2(said.out.contains("shard " + QByteArray::number(task) + " of 4 by Slurm"),
                     said.out.constData());
        }
        qunsetenv("SLURM_PROCID");
        qunsetenv("SLURM_NTASKS");
        QCOMPARE(static_cast<int>(digestsIn(digests.path()).size()), ranks);
        const std::string store = digests.filePath(QStringLiteral("job.sqlite")).toStdString();
        const test::Said merged =
            test::ran({"merge", digests.path().toStdString(), "--store", store});
        QVERIFY2(merged.code == ExitCode::Good, merged.err.constData());
        QVERIFY2(merged.out.contains("2,000 digests of 2,000 ranks"), merged.out.constData());
        QVERIFY2(merged.out.contains("1,000 replicas of 2 stages"), merged.out.constData());
    }

    void startersShareTheFiles_data()
    {
        QTest::addColumn<QString>("starter");
        QTest::newRow("mpirun") << "mpirun";
        QTest::newRow("GNU parallel") << "parallel";
    }

    void startersShareTheFiles()
    {
        QFETCH(QString, starter);
        if (QStandardPaths::findExecutable(starter).isEmpty())
            QSKIP("it is not installed");
        const QTemporaryDir traces, digests;
        writeJob(traces, {});
        const QStringList reduce = {pipewright(), QStringLiteral("reduce"), traces.path(),
                                    QStringLiteral("--output"), digests.path()};
        QStringList words;
        if (starter == QStringLiteral("mpirun"))
            words = QStringList{"--allow-run-as-root", "--oversubscribe", "-np", "3"} + reduce;
        else
            words = QStringList{"-j2", "-N0"} + reduce +
                    QStringList{"--shard", "/3", ":::", "1", "2", "3"};
        QProcess process;
        process.start(starter, words);
        QVERIFY(process.waitForFinished(test::longest));
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QCOMPARE(out.count("4 digests made"), 3);
        QCOMPARE(digestsIn(digests.path()).size(), 12U);
    }

    void whatIsWrongIsSaid()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        QVERIFY(test::ran({"merge", path, "--store", path + "/a.sqlite"})
                    .err.contains("has no digest"));
        test::writeTrace(path + "/a.digest", R"({"pipewright_digest":1,"key":"0","bytes":1})");
        const test::Said damaged =
            test::ran({"merge", path + "/a.digest", "--store", path + "/a.sqlite"});
        QCOMPARE(damaged.code, ExitCode::Wrong);
        QVERIFY2(damaged.err.contains("a.digest"), damaged.err.constData());
        test::writeTrace(path + "/a.txt", "no trace");
        QVERIFY(test::ran({"reduce", path + "/a.txt"}).err.contains("not a trace"));
    }
};

PW_TEST(TestReduce)
#include "tst_reduce.moc"

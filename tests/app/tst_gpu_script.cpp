// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

// What tests/gpu/run.sh and session.sh make of what their parts say, with scripts in the place of
// the programs: a machine with a GPU must not call a run good that has shown nothing, and whoever
// has one for a quarter of an hour must not lose what was shown.
namespace {

/// What the program in pipewright's place says.
struct ScriptSaid
{
    QByteArray gap = "12.5";
    QByteArray makespan = "-3.2 %";
    QByteArray peak = "exactly";
    QByteArray busy = "98.2 %";
    QByteArray uncounted = ""; ///< why kernels were not counted
    int faultExit = 1;
    QByteArray fault = "rank 1, PP:1F1: it failed";
    QByteArray tests = "Totals: 9 passed, 0 failed, 0 skipped";
    bool withTests = true;
    bool verifies = true;
    QByteArray verifyTakes = "0"; ///< seconds
};

void writeScript(const QString& path, const QByteArray& body)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("%s cannot be written", qPrintable(path));
    file.write("#!/bin/bash\n" + body);
    file.close();
    file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
}

QByteArray programOf(const ScriptSaid& said)
{
    return "for ((i = 1; i < $#; ++i)); do\n"
           "  if [[ ${!i} == --output ]]; then ((++i)); echo '{}' >\"${!i}\"; fi\n"
           "done\n"
           "case \"$*\" in\n"
           "*--inject*) echo '" +
           said.fault + "'; exit " + QByteArray::number(said.faultExit) +
           " ;;\n"
           "verify*) sleep " +
           said.verifyTakes + "; exit " + (said.verifies ? "0" : "1") +
           " ;;\n"
           "'costs calibrate'*) [[ $* == *' zb-v '* ]] && echo '--size fit is --layers 3 --hidden "
           "96'\n"
           "[[ $* == *' 1f1b '* ]] && echo '--size fit is --layers 7 --hidden 96'\n"
           "echo '  launch gap " +
           said.gap +
           " µs (9.0–15.0), part of every predicted pass' ;;\n"
           "*--kernels*) if [[ -n '" +
           said.uncounted + "' ]]; then echo 'Kernels were not counted: " + said.uncounted +
           "'; else\n"
           "echo '  F of stage 0   12  11  +8.2 %'\n" // of another table
           "echo 'Kernels, counted in an iteration of their own'\n"
           "echo '  F of stage 0     99.7 %      132      45.1   46.1'\n"
           "echo '  BW of stage 3    " +
           said.busy +
           "      264      95.1   97.1'\n"
           "echo '  U of stage 3     12 %      264      95.1   97.1'; fi ;;\n"
           "run*) echo 'makespan  10.0 ms  9.7 ms  " +
           said.makespan +
           ", from 9.5 to 9.9 in 5 iterations'\n"
           "echo 'peak activation, device 0  1000 B  1000 B  " +
           said.peak + "' ;;\nesac\n";
}

} // namespace

class TestGpuScript : public QObject
{
    Q_OBJECT

private slots:
    void aRunIsGoodWhereEverythingWasShown();
    void whatIsNotShownFails_data();
    void whatIsNotShownFails();
    void aPartThatIsNotWantedIsNoFailure();
    void aSessionGoesOnWhereTheLastOneEnded();
    void aSessionThatIsEndedHandsOverWhatItHas();
    void aPartThatIsCutIsDoneAgain();
    void whatASessionHandsOverIsFewFilesOfALimitedSize();
    void partsAskForWhatTheyShow();

private:
    /// A folder with scripts in the place of the programs, and a script of tests/gpu that uses
    /// them.
    class Bench
    {
    public:
        explicit Bench(const ScriptSaid& said) { say(said); }

        void say(const ScriptSaid& said)
        {
            writeScript(path("pipewright"), programOf(said));
            writeScript(path("compute-sanitizer"), "exit 0\n");
            if (said.withTests)
                writeScript(path("a_test"), "echo '" + said.tests + "'\n");
        }
        void start(QProcess& script, const QString& name, const QStringList& arguments) const
        {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("PROGRAM", path("pipewright"));
            environment.insert("OPS_TEST", path("a_test"));
            environment.insert("CUDA_TEST", path("a_test"));
            environment.insert("PATH", m_folder.path() + ":" + environment.value("PATH"));
            script.setProcessEnvironment(environment);
            script.start("bash",
                         QStringList{QString(PW_SOURCE_DIR) + "/tests/gpu/" + name} + arguments);
        }
        /// Exit code, or −1.
        int run(const QString& name, const QStringList& arguments) const
        {
            QProcess script;
            start(script, name, arguments);
            return script.waitForFinished(60'000) ? script.exitCode() : -1;
        }
        /// A session of some parts into the folder `out`.
        int session(const QString& parts, const QString& budget) const
        {
            return run("session.sh", sessionArguments(parts, budget));
        }
        QStringList sessionArguments(const QString& parts, const QString& budget) const
        {
            return {"--work", path("work"), "--budget", budget, "--only", parts, path("out")};
        }
        QString path(const QString& name) const { return m_folder.filePath(name); }
        QString text(const QString& name) const
        {
            QFile file(path(name));
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        }

    private:
        QTemporaryDir m_folder;
    };

    /// Exit code; `summary` is what it wrote down.
    static int run(const ScriptSaid& said, QString& summary, const QStringList& options = {})
    {
        const Bench bench(said);
        const int code = bench.run("run.sh", options + QStringList{bench.path("results")});
        summary = bench.text("results/summary.txt");
        return code;
    }
};

void TestGpuScript::aRunIsGoodWhereEverythingWasShown()
{
    QString summary;
    QVERIFY2(run({}, summary) == 0, qPrintable(summary));
    QVERIFY2(summary.contains("ok      launch-gap median: 12.5 µs, at most 20 µs"),
             qPrintable(summary));
    QVERIFY2(summary.contains("ok      run-zb-v makespan: 3.2 % off the prediction"),
             qPrintable(summary));
    QVERIFY2(summary.contains("ok      busy share: 98.2 %, at least 97 %"), qPrintable(summary));
    QVERIFY2(summary.contains("told    busy-small share: 98.2 %"), qPrintable(summary));
}

void TestGpuScript::whatIsNotShownFails_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("line");
    QTest::newRow("no test program") << 0 << "MISSING ops: no ";
    QTest::newRow("a test that was skipped") << 1 << "SKIPPED ops";
    QTest::newRow("a gap too long") << 2 << "FAILED  launch-gap median: 20.1 µs, more than 20 µs";
    QTest::newRow("a makespan too far off") << 3 << "FAILED  run-1f1b makespan: 10.4 %";
    QTest::newRow("memory off") << 4 << "FAILED  run-1f1b memory: 2 %";
    QTest::newRow("no figure") << 5 << "FAILED  run-1f1b makespan: its log has no figure";
    QTest::newRow("a fault that names no rank") << 6 << "FAILED  fault-throw: exit 1";
    QTest::newRow("a fault that ends well") << 7 << "FAILED  fault-throw: exit 0";
    QTest::newRow("passes that kernels do not fill")
        << 9 << "FAILED  busy share: 41 %, less than 97 %";
    QTest::newRow("kernels that are not counted") << 10 << "MISSING busy: CUPTI does not load";
    QTest::newRow("other results") << 8 << "FAILED  verify-flash, exit 1";
}

void TestGpuScript::whatIsNotShownFails()
{
    QFETCH(int, which);
    QFETCH(QString, line);
    ScriptSaid said;
    switch (which) {
    case 0:
        said.withTests = false;
        break;
    case 1:
        said.tests = "SKIP   : TestCudaOps::initTestCase() no GPU here";
        break;
    case 2:
        said.gap = "20.1";
        break;
    case 3:
        said.makespan = "+10.4 %";
        break;
    case 4:
        said.peak = "+2 %";
        break;
    case 5:
        said.makespan = "";
        break;
    case 6:
        said.fault = "something failed";
        break;
    case 7:
        said.faultExit = 0;
        break;
    case 9:
        said.busy = "41 %";
        break;
    case 10:
        said.uncounted = "CUPTI does not load";
        break;
    default:
        said.verifies = false;
        break;
    }
    QString summary;
    QCOMPARE(run(said, summary), 1);
    QVERIFY2(summary.contains(line), qPrintable(summary));
}

void TestGpuScript::partsAskForWhatTheyShow()
{
    const Bench bench({});
    QCOMPARE(bench.session("verify-nccl,verify-clip-nccl,calibrate-line,calibrate-v,run-zb-v,"
                           "launch-gap,*-calls",
                           "600"),
             0);
    const auto asked = [&](const QString& part) { // by the first line of its log
        return bench.text("work/logs/" + part + ".log").section('\n', 0, 0);
    };
    // Three families, not all of them: 1 by 1 with each connection they would take an hour.
    QVERIFY2(asked("verify-nccl").contains("PW_CUDA_TRANSPORT=nccl") &&
                 asked("verify-nccl").contains("verify 1f1b zb-v chimera --devices 4"),
             qPrintable(asked("verify-nccl")));
    QVERIFY(asked("verify-clip-nccl").contains("--clip-norm 0.5"));
    // Each placement has the model that fits it.
    QVERIFY(asked("calibrate-line").contains("costs calibrate 1f1b") &&
            asked("calibrate-line").contains("--size fit"));
    QVERIFY(asked("calibrate-v").contains("costs calibrate zb-v") &&
            asked("calibrate-v").contains("--size fit"));
    QVERIFY2(asked("run-zb-v").contains("--layers 3"), qPrintable(asked("run-zb-v")));
    // The same with graphs and without.
    for (const char* const part : {"verify-calls", "launch-gap-calls", "busy-small-calls"})
        QVERIFY2(asked(part).contains("PW_CUDA_GRAPHS=0"), qPrintable(asked(part)));
    QVERIFY(asked("launch-gap").contains("--size small") &&
            !asked("launch-gap").contains("PW_CUDA_GRAPHS"));
}

void TestGpuScript::aPartThatIsNotWantedIsNoFailure()
{
    ScriptSaid said;
    said.withTests = false;
    QString summary;
    QVERIFY2(run(said, summary,
                 {"--without", "ops", "--without", "families", "--without", "sanitizer-ops"}) == 0,
             qPrintable(summary));
    QVERIFY2(summary.contains("unwanted ops"), qPrintable(summary));
}

void TestGpuScript::aSessionGoesOnWhereTheLastOneEnded()
{
    const Bench bench({});
    // Eleven seconds are left after what the archive takes: enough for the shorter part alone.
    QCOMPARE(bench.session("verify-six,verify-flash", "16"), 3);
    const QString first = bench.text("out/summary.txt");
    QVERIFY2(first.contains("ok      verify-flash") && !first.contains("verify-six"),
             qPrintable(first));
    QVERIFY2(first.contains("parts left for another call: 1"), qPrintable(first));
    QCOMPARE(bench.session("verify-six,verify-flash", "100"), 0);
    const QString both = bench.text("out/summary.txt");
    QVERIFY2(both.contains("ok      verify-six"), qPrintable(both));
    QCOMPARE(both.count("ok      verify-flash"), 1); // not done twice
    // What failed stays so in later calls, until it is done again.
    ScriptSaid wrong;
    wrong.verifies = false;
    bench.run("session.sh", {"--again", "--work", bench.path("work"), "--only", "verify-sgd",
                             "--budget", "1", bench.path("out")});
    const Bench other(wrong);
    QCOMPARE(other.session("verify-sgd", "100"), 1);
    QCOMPARE(other.session("verify-sgd", "100"), 1);
    QCOMPARE(other.text("out/summary.txt").count("FAILED  verify-sgd, exit 1"), 1);
}

void TestGpuScript::aSessionThatIsEndedHandsOverWhatItHas()
{
    ScriptSaid slow;
    slow.verifyTakes = "100";
    const Bench bench(slow);
    QProcess script;
    bench.start(script, "session.sh", bench.sessionArguments("ops,verify-six", "500"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(bench.path("work/logs/verify-six.log")), 30'000);
    script.terminate();
    QVERIFY(script.waitForFinished(30'000));
    QCOMPARE(script.exitCode(), 3);
    const QString summary = bench.text("out/summary.txt");
    QVERIFY2(summary.contains("ok      ops"), qPrintable(summary));
    QVERIFY2(summary.contains("CUT     verify-six: the script was ended by a signal"),
             qPrintable(summary));
    QVERIFY(QFileInfo(bench.path("out/results.tar.gz")).size() > 0);
    QCOMPARE(bench.text("work/ended"), "ops ok\n"); // so the next call does the other one again
}

void TestGpuScript::aPartThatIsCutIsDoneAgain()
{
    ScriptSaid slow;
    slow.verifyTakes = "100";
    const Bench bench(slow);
    QCOMPARE(bench.session("verify-flash", "17"), 3); // 12 s for what should take 10
    QVERIFY2(bench.text("out/summary.txt").contains("CUT     verify-flash: the time was up after"),
             qPrintable(bench.text("out/summary.txt")));
    QVERIFY(bench.text("work/ended").isEmpty());
}

void TestGpuScript::whatASessionHandsOverIsFewFilesOfALimitedSize()
{
    const Bench bench({});
    QDir().mkpath(bench.path("work/logs"));
    const QStringList arguments =
        QStringList{"--largest", "1"} + bench.sessionArguments("ops", "100");
    // What cannot be made smaller: 2 MiB in one file, and 8 in another.
    const auto noise = [&bench](const char* name, const char* mebibytes) {
        QProcess::execute(
            "bash",
            {"-c", QString("head -c %1M /dev/urandom >'%2'").arg(mebibytes, bench.path(name))});
    };
    noise("work/logs/runs.sqlite", "2");
    QCOMPARE(bench.run("session.sh", arguments), 0);
    QStringList files = QDir(bench.path("out")).entryList(QDir::Files);
    QCOMPARE(files, QStringList({"results.tar.gz.0", "results.tar.gz.1", "results.tar.gz.2",
                                 "summary.txt"}));
    noise("work/logs/huge.log", "8");
    QCOMPARE(bench.run("session.sh", arguments), 0);
    files = QDir(bench.path("out")).entryList(QDir::Files);
    QVERIFY2(files.size() <= 8, qPrintable(files.join(' ')));
    for (const QString& file : files)
        QVERIFY(QFileInfo(bench.path("out/" + file)).size() <= 1 << 20);
    QVERIFY(bench.text("out/summary.txt")
                .contains("left out of the archive, as it would be too large: logs/huge.log"));
}

PW_TEST(TestGpuScript)
#include "tst_gpu_script.moc"

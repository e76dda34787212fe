// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

// What tests/gpu/run.sh makes of what its parts say, with scripts in the place of the programs: a
// machine with a GPU must not call a run good that has shown nothing.
namespace {

/// What the program in pipewright's place says.
struct ScriptSaid
{
    QByteArray gap = "12.5";
    QByteArray makespan = "-3.2 %";
    QByteArray peak = "exactly";
    int faultExit = 1;
    QByteArray fault = "rank 1, PP:1F1: it failed";
    QByteArray tests = "Totals: 9 passed, 0 failed, 0 skipped";
    bool withTests = true;
    bool verifies = true;
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
    return "case \"$*\" in\n"
           "*--inject*) echo '" +
           said.fault + "'; exit " + QByteArray::number(said.faultExit) +
           " ;;\n"
           "verify*) exit " +
           (said.verifies ? "0" : "1") +
           " ;;\n"
           "calibrate*) echo '  launch gap " +
           said.gap +
           " µs (9.0–15.0), part of every predicted pass' ;;\n"
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

private:
    /// Exit code; `summary` is what it wrote down.
    int run(const ScriptSaid& said, QString& summary, const QStringList& options = {})
    {
        QTemporaryDir folder;
        QDir here(folder.path());
        writeScript(here.filePath("pipewright"), programOf(said));
        writeScript(here.filePath("compute-sanitizer"), "exit 0\n");
        if (said.withTests)
            writeScript(here.filePath("a_test"), "echo '" + said.tests + "'\n");
        QProcess script;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PROGRAM", here.filePath("pipewright"));
        environment.insert("OPS_TEST", here.filePath("a_test"));
        environment.insert("CUDA_TEST", here.filePath("a_test"));
        environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
        script.setProcessEnvironment(environment);
        script.start("bash", QStringList{QString(PW_SOURCE_DIR) + "/tests/gpu/run.sh"} + options +
                                 QStringList{here.filePath("results")});
        if (!script.waitForFinished(60'000))
            return -1;
        QFile file(here.filePath("results/summary.txt"));
        summary = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        return script.exitCode();
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
    default:
        said.verifies = false;
        break;
    }
    QString summary;
    QCOMPARE(run(said, summary), 1);
    QVERIFY2(summary.contains(line), qPrintable(summary));
}

void TestGpuScript::aPartThatIsNotWantedIsNoFailure()
{
    ScriptSaid said;
    said.withTests = false;
    QString summary;
    QVERIFY2(run(said, summary, {"--without", "ops", "--without", "families"}) == 0,
             qPrintable(summary));
    QVERIFY2(summary.contains("unwanted ops"), qPrintable(summary));
}

PW_TEST(TestGpuScript)
#include "tst_gpu_script.moc"

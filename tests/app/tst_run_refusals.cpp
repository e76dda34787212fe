// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace pw;

namespace {

struct Ended
{
    int code = -1;
    QString out;
    QString err;
};

Ended ended(const QString& line, const QString& folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(PW_PROGRAM, line.split(' ', Qt::SkipEmptyParts));
    constexpr int limit = 120'000;
    if (!process.waitForFinished(limit) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

/// What cannot be run is refused before anything is measured or kept, with what would do.
class TestRunRefusals : public QObject
{
    Q_OBJECT

private slots:
    void whatCannotBeIsRefusedFirst_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const char* line, int code, const char* why) {
            QTest::newRow(name) << QString(line) << code << QString(why);
        };
        row("16 bits on the CPU", "1f1b --devices 2 --backend cpu --size tiny --bf16", 2,
            "without it the run is possible");
        row("a size of 16 bits", "1f1b --devices 2 --backend cpu --size h200", 1, "bfloat16");
        row("TF32 on the CPU", "1f1b --devices 2 --backend cpu --size tiny --tf32", 2, "--tf32");
        row("memory, modelled", "1f1b --devices 2 --backend emulated --memory-limit 1", 1,
            "the limit is 1");
        row("memory, trained", "1f1b --devices 2 --backend cpu --size tiny --memory-limit 1", 1,
            "the limit is 1");
        row("replicas of another family's stages",
            "interleaved-1f1b --devices 2 --stage-replicas 2,1 --backend emulated", 1,
            "as in 1f1b, seq1f1b and pipedream");
        row("replicas of too few stages",
            "pipedream --devices 3 --stage-replicas 2,1 --backend emulated", 1,
            "replicas of 2 stages, and there are 3");
        row("no numbers", "pipedream --stage-replicas 2,x --backend emulated", 2, "such as 2,1");
        row("both replicas", "pipedream --stage-replicas 2,1 --replicas 2 --backend emulated", 2,
            "exclude each other");
        row("replicas of stages whose k changes",
            "kfkb --adapt --stage-replicas 1,2 --backend emulated", 2, "exclude each other");
        row("micro-batches that are left over",
            "pipedream --stage-replicas 2,3 --micro-batches 8 --backend emulated", 1, "12 are");
        row("a sharded optimizer with modelled times",
            "1f1b --devices 2 --replicas 2 --zero-1 --backend emulated", 2, "--backend cpu");
        row("a sharded optimizer of one copy",
            "pipedream --devices 2 --zero-1 --backend cpu --size tiny --forward 1", 1,
            "2 replicas or more");
        row("a norm of copies that update at times of their own",
            "pipedream --stage-replicas 2,1 --clip-norm 1 --backend cpu --size tiny --forward 1", 1,
            "asynchronous");
    }
    void whatCannotBeIsRefusedFirst()
    {
        QFETCH(QString, line);
        QFETCH(int, code);
        QFETCH(QString, why);
        const QTemporaryDir folder;
        const Ended run = ended("run " + line + " --store runs.sqlite", folder.path());
        QVERIFY2(run.err.contains(why), qPrintable(run.err));
        QCOMPARE(run.code, code);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    /// What PipeDream's planner gives is a command that runs.
    void thePlannersStagesRun()
    {
        const QTemporaryDir folder;
        const Ended plan =
            ended("plan --planner pipedream --hidden 1024 --layers 6 --heads 16 --sequence 512 "
                  "--gpus 3 --global-batch 64 --node-bandwidth 1",
                  folder.path());
        QCOMPARE(plan.code, 0);
        static const QRegularExpression said("pipewright (run pipedream --stage-replicas [^\n]*)");
        const QRegularExpressionMatch match = said.match(plan.out);
        QVERIFY2(match.hasMatch(), qPrintable(plan.out));
        const Ended run = ended(match.captured(1) + " --size tiny --backend cpu --iterations 1 "
                                                    "--no-store --patience 60000",
                                folder.path());
        QVERIFY2(run.code == 0, qPrintable(run.err));
    }
};

PW_TEST(TestRunRefusals)
#include "tst_run_refusals.moc"

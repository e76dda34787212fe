// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/otf2_export.h"
#include "tests/support/kineto_job.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <string>
#include <vector>

using namespace pw;
using namespace pw::app;

namespace {

/// What otf2-print says of an archive.
QString printed(const QString& archive, const QStringList& options = {})
{
    QProcess print;
    print.start(QStringLiteral("otf2-print"),
                options + QStringList{archive + QStringLiteral("/traces.otf2")});
    if (!print.waitForFinished() || print.exitCode() != 0)
        qFatal("otf2-print: %s", print.readAllStandardError().constData());
    return QString::fromUtf8(print.readAllStandardOutput());
}

/// Lines that begin with a word, by their location: their time and what is behind it.
std::map<int, std::vector<std::pair<qint64, QString>>> eventsOf(const QString& text)
{
    static const QRegularExpression line(
        QStringLiteral("^(ENTER|LEAVE|MPI_SEND|MPI_RECV) +(\\d+) +(\\d+) +(.*)$"),
        QRegularExpression::MultilineOption);
    std::map<int, std::vector<std::pair<qint64, QString>>> events;
    for (auto match = line.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch one = match.next();
        events[one.captured(2).toInt()].emplace_back(
            one.captured(3).toLongLong(), one.captured(1) + QLatin1Char(' ') + one.captured(4));
    }
    return events;
}

} // namespace

/// The archive that Vampir opens, read back by OTF2's own program.
class TestOtf2 : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!writesOtf2())
            QSKIP("the program was built without OTF2's library");
        if (QStandardPaths::findExecutable(QStringLiteral("otf2-print")).isEmpty())
            QSKIP("no otf2-print, which reads archives back");
    }

    void aJobIsReadBack()
    {
        const QTemporaryDir folder;
        const std::string traces = folder.filePath("traces").toStdString();
        QVERIFY(QDir(folder.path()).mkpath("traces"));
        test::MadeJob made;
        made.stages = made.replicas = made.microBatches = 2;
        made.steps = 3;
        test::writeKinetoJob(traces, made, 2);
        const std::string store = folder.filePath("a.sqlite").toStdString();
        const test::Said kept = test::ran({"import", traces, "--store", store});
        QVERIFY2(kept.code == ExitCode::Good, kept.err.constData());
        const QString archive = folder.filePath("archive");
        const std::vector<std::string> words = {
            "convert", "last", archive.toStdString(), "--to", "otf2", "--store", store};
        const test::Said said = test::ran(words);
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        const QString definitions = printed(archive, {QStringLiteral("-G")});
        for (const char* wanted : {"rank 0", "rank 3", "PP:0F0", "ncclDevKernel_SendRecv",
                                   "ACCELERATOR_STREAM", "CPU_THREAD"})
            QVERIFY2(definitions.contains(QLatin1String(wanted)), wanted);
        const auto events = eventsOf(printed(archive));
        QVERIFY(events.size() > 8);
        int enters = 0, sends = 0, receives = 0;
        for (const auto& [location, all] : events) {
            int open = 0;
            qint64 before = 0;
            for (const auto& [time, what] : all) {
                QVERIFY(time >= before);
                before = time;
                enters += what.startsWith(QLatin1String("ENTER")) ? 1 : 0;
                open += what.startsWith(QLatin1String("ENTER"))   ? 1
                        : what.startsWith(QLatin1String("LEAVE")) ? -1
                                                                  : 0;
                sends += what.startsWith(QLatin1String("MPI_SEND")) ? 1 : 0;
                receives += what.startsWith(QLatin1String("MPI_RECV")) ? 1 : 0;
                QVERIFY(open >= 0);
            }
            QCOMPARE(open, 0);
        }
        const test::Said asked =
            test::ran({"query", "SELECT count(*) AS n FROM slices", "--store", store, "--json"});
        QVERIFY2(asked.out.contains(QByteArray::number(enters)), asked.out.constData());
        // Two messages for each micro-batch, of two replicas, in three steps.
        QCOMPARE(sends, 24);
        QCOMPARE(receives, 24);
        // Nothing is written over.
        const test::Said again = test::ran(words);
        QCOMPARE(again.code, ExitCode::Wrong);
        QVERIFY2(again.err.contains("is there already"), again.err.constData());
        QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("*.part")}).size(), 0);
    }

    /// What begins as another ends is behind it, not in it.
    void whatFollowsIsNotInside()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("rank0.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"traceEvents": [
            {"ph": "X", "pid": 1, "tid": 1, "name": "first", "ts": 100, "dur": 50},
            {"ph": "X", "pid": 1, "tid": 1, "name": "second", "ts": 150, "dur": 50}]})");
        file.close();
        const std::string store = folder.filePath("a.sqlite").toStdString();
        const test::Said kept =
            test::ran({"import", file.fileName().toStdString(), "--store", store});
        QVERIFY2(kept.code == ExitCode::Good, kept.err.constData());
        const QString archive = folder.filePath("archive");
        const test::Said said =
            test::ran({"convert", "last", archive.toStdString(), "--to", "otf2", "--store", store});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        const auto events = eventsOf(printed(archive));
        QCOMPARE(events.size(), std::size_t{1});
        QStringList order;
        for (const auto& [time, what] : events.begin()->second)
            order += what.section(QLatin1Char(' '), 0, 0) +
                     (what.contains(QLatin1String("first")) ? " first" : " second");
        QCOMPARE(order,
                 (QStringList{"ENTER first", "LEAVE first", "ENTER second", "LEAVE second"}));
    }

    void aCounterIsAMetric()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("rank3.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"traceEvents": [
            {"ph": "X", "pid": 1, "tid": 1, "name": "work", "ts": 100, "dur": 50},
            {"ph": "C", "pid": 1, "name": "GPU memory", "ts": 90, "args": {"B": 1000}},
            {"ph": "C", "pid": 1, "name": "GPU memory", "ts": 120, "args": {"B": 3000}}]})");
        file.close();
        const std::string store = folder.filePath("a.sqlite").toStdString();
        const test::Said kept =
            test::ran({"import", file.fileName().toStdString(), "--store", store});
        QVERIFY2(kept.code == ExitCode::Good, kept.err.constData());
        const QString archive = folder.filePath("archive");
        const test::Said said =
            test::ran({"convert", "last", archive.toStdString(), "--to", "otf2", "--store", store});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        const QString definitions = printed(archive, {QStringLiteral("-G")});
        QVERIFY2(definitions.contains(QLatin1String("GPU memory")), qPrintable(definitions));
        static const QRegularExpression line(QStringLiteral("^METRIC +\\d+ +(\\d+) .*(1000|3000)"),
                                             QRegularExpression::MultilineOption);
        const QString events = printed(archive);
        auto match = line.globalMatch(events);
        QVERIFY2(match.hasNext(), qPrintable(events));
        const QRegularExpressionMatch first = match.next();
        QVERIFY2(match.hasNext(), qPrintable(events));
        const QRegularExpressionMatch second = match.next();
        QCOMPARE(first.captured(2), QStringLiteral("1000"));
        QCOMPARE(second.captured(2), QStringLiteral("3000"));
        QCOMPARE(second.captured(1).toLongLong() - first.captured(1).toLongLong(), qint64{30'000});
    }

    void aRunOfOursIsReadBack()
    {
        const QTemporaryDir folder;
        const std::string store = folder.filePath("a.sqlite").toStdString();
        const test::Said run = test::ran({"run", "1f1b", "--backend", "emulated", "--devices", "3",
                                          "--micro-batches", "4", "--forward", "0.2", "--backward",
                                          "0.2", "--weight", "0.2", "--store", store});
        QVERIFY2(run.code == ExitCode::Good, run.err.constData());
        const QString archive = folder.filePath("archive");
        const test::Said said = test::ran({"convert", "last", archive.toStdString(), "--to", "otf2",
                                           "--store", store, "--iteration", "1"});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        const QString definitions = printed(archive, {QStringLiteral("-G")});
        QVERIFY(definitions.contains(QLatin1String("rank 2")));
        int passes = 0, sends = 0, receives = 0;
        for (const auto& [location, all] : eventsOf(printed(archive))) {
            qint64 before = 0;
            for (const auto& [time, what] : all) {
                QVERIFY(time >= before);
                before = time;
                passes +=
                    what.startsWith(QLatin1String("ENTER")) && what.contains(QLatin1String("PP:"))
                        ? 1
                        : 0;
                sends += what.startsWith(QLatin1String("MPI_SEND")) ? 1 : 0;
                receives += what.startsWith(QLatin1String("MPI_RECV")) ? 1 : 0;
            }
        }
        // Over two boundaries, forward and backward, for each micro-batch.
        QCOMPARE(sends, 2 * 2 * 4);
        QCOMPARE(receives, sends);
        QCOMPARE(passes, 3 * (4 * 2 + 1)); // and an update each
    }

    void aPlaceIsAskedFor()
    {
        const test::Said said = test::ran({"convert", "last", "--to", "otf2"});
        QCOMPARE(said.code, ExitCode::Usage);
        QVERIFY2(said.err.contains("needs a folder"), said.err.constData());
    }
};

PW_TEST(TestOtf2)
#include "tst_otf2.moc"

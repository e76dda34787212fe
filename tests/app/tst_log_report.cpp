// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::app;
using pw::test::ran;
using pw::test::Said;

class TestLogReport : public QObject
{
    Q_OBJECT

private:
    /// A log of 40 lines, of ten iterations each, as older versions of Megatron write them; one is
    /// slow.
    std::string written(bool timers = true) const
    {
        std::string text = "using world size: 16, data-parallel-size: 1, tensor-model-parallel "
                           "size: 4, pipeline-model-parallel size: 4\n"
                           "------------------------ arguments ------------------------\n"
                           "  global_batch_size ............................... 4\n"
                           "  micro_batch_size ................................ 1\n"
                           "-------------------- end of arguments ---------------------\n";
        for (int line = 1; line <= 40; ++line)
            text += " iteration " + std::to_string(10 * line) +
                    "/ 1000 | elapsed time per iteration (ms): " + (line == 30 ? "1500" : "1000") +
                    ".0 | global batch size: 4 | lm loss: 7.0E+00 |\n" +
                    (timers ? "time (ms) | forward-compute: 120.00 | forward-recv: 130.00 | "
                              "backward-embedding-all-reduce: 310.00\n"
                            : "");
        const std::string path = m_folder.filePath(QStringLiteral("train.out")).toStdString();
        test::writeTrace(path, text);
        return path;
    }

    QTemporaryDir m_folder;

private slots:
    void aLogIsToldInWords()
    {
        const Said said = ran({"import", written()});
        QCOMPARE(said.code, ExitCode::Good);
        for (const char* part :
             {"What the log says", "4 stages", "4 micro-batches", "1000.0 ms (median)", "last rank",
              "fill and drain are 44.0 %", "(p−1)/(m+p−1) = 42.9 %", "forward-recv",
              "iterations 291 to 300: 1.5 times as long as usual", "no pipeline is made of it"})
            QVERIFY2(said.out.contains(part), said.out.constData());
        QVERIFY(!said.out.contains("compute N communication")); // no lanes of sums
        QVERIFY(ran({"import", written(), "--lanes"}).out.contains("forward-recv"));
    }

    void jsonHasTheLogAndTheCurve()
    {
        const Said said = ran({"import", written(), "--json"});
        const QJsonObject found = QJsonDocument::fromJson(said.out).object();
        QCOMPARE(found["passes"].toInt(), 0);
        const QJsonObject log = found["log"].toObject();
        QCOMPARE(log["program"].toString(), QString("Megatron"));
        QCOMPARE(log["stages"].toInt(), 4);
        QCOMPARE(log["micro_batches"].toInt(), 4);
        QCOMPARE(log["iteration_ms"].toDouble(), 1000.0);
        QCOMPARE(log["fill_ms"].toDouble(), 130.0);
        QCOMPARE(log["drain_ms"].toDouble(), 310.0);
        QCOMPARE(log["fill_and_drain"].toDouble(), 0.44);
        QCOMPARE(log["timers_of"].toString(), QString("one rank"));
        QCOMPARE(log["timers"].toArray().size(), 3);
        const QJsonObject curve = found["curve"].toObject();
        QCOMPARE(curve["interval"].toInt(), 10);
        QCOMPARE(curve["usual_ms"].toDouble(), 1000.0);
        QCOMPARE(curve["steps"].toArray().size(), 40);
        QCOMPARE(curve["steps"].toArray()[29].toObject()["ms"].toDouble(), 1500.0);
        const QJsonArray findings = curve["findings"].toArray();
        QCOMPARE(findings.size(), 1);
        QCOMPARE(findings[0].toObject()["kind"].toString(), QString("spike"));
        QCOMPARE(findings[0].toObject()["from"].toInt(), 291);
    }

    void aLogWithoutTimersSaysSo()
    {
        const Said said = ran({"import", written(false)});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY(said.out.contains("a log tells iterations, and no single pass"));
        QVERIFY(!said.out.contains("fill and drain"));
        QCOMPARE(QJsonDocument::fromJson(ran({"import", written(false), "--json"}).out)
                     .object()["log"]
                     .toObject()
                     .contains("timers"),
                 false);
    }

    void aLogIsKeptAsARun()
    {
        const std::string store = m_folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
        QCOMPARE(ran({"import", written(), "--store", store}).code, ExitCode::Good);
        QVERIFY(ran({"show", "last", "--store", store}).out.contains("train.out"));
    }
};

PW_TEST(TestLogReport)
#include "tst_log_report.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/data_files.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::app;
using pw::test::ran;
using pw::test::Said;

namespace {

const char* const events = R"({"distributedInfo": {"rank": 5}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 0, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 10,
 "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 40,
 "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "my_exchange", "pid": 0, "tid": 8, "ts": 40, "dur": 60,
 "args": {"correlation": 2}}]})";

} // namespace

/// Traces whose passes nobody labelled, and plans beside their runs, on the command line.
class TestActivity : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(path("trace.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(events);
    }

    void aTraceWithoutPassesIsASuccess()
    {
        const Said said = ran({"import", word("trace.json")});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY(said.err.isEmpty());
        for (const char* part :
             {"rank 5, GPU 0", "stream 7", "communication", "gemm", "device of rank"})
            QVERIFY2(said.out.contains(part), said.out.constData());
    }

    void jsonHasTheTables()
    {
        const Said said =
            ran({"import", word("trace.json"), "--json", "--kernel", "communication=my_*"});
        const QJsonObject found = QJsonDocument::fromJson(said.out).object();
        const QJsonArray activity = found["activity"].toArray();
        QCOMPARE(activity.size(), 1);
        const QJsonObject one = activity[0].toObject();
        QCOMPARE(one["rank"].toInt(), 5);
        QCOMPARE(one["span_ms"].toDouble(), 0.08);
        QCOMPARE(one["idle_ms"].toDouble(-1), 0.0);
        QCOMPARE(one["compute_ms"].toDouble(), 0.04);
        QCOMPARE(one["communication_ms"].toDouble(), 0.06);
        QCOMPARE(one["memory_ms"].toDouble(-1), 0.0);
        QCOMPARE(one["compute_only_ms"].toDouble(), 0.02);
        QCOMPARE(one["communication_only_ms"].toDouble(), 0.04);
        QCOMPARE(one["overlap_ms"].toDouble(), 0.02);
        QVERIFY(std::abs(one["hidden"].toDouble() - 1.0 / 3) < 1e-9);
        const QJsonObject kernel = found["kernels"].toArray()[0].toObject();
        QCOMPARE(kernel["name"].toString(), "my_exchange");
        QCOMPARE(kernel["kind"].toString(), "communication");
        QCOMPARE(kernel["count"].toInt(), 1);
        QCOMPARE(kernel["total_ms"].toDouble(), 0.06);
        QCOMPARE(kernel["median_ms"].toDouble(), 0.06);
        QCOMPARE(kernel["rank"].toInt(), 5);
    }

    /// The second kernel of a stream was launched 30 µs after the first had ended.
    void gapsAreListedWithTheirReasons()
    {
        QFile file(path("gaps.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"distributedInfo": {"rank": 5}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 130,
 "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 140, "dur": 60,
 "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 205, "dur": 10}]})");
        file.close();
        const Said text = ran({"import", word("gaps.json"), "--gaps", "1"});
        QCOMPARE(text.code, ExitCode::Good);
        QVERIFY2(text.out.contains("longest gaps, of rank"), text.out.constData());
        QVERIFY2(text.out.contains("waits for the host: cudaLaunchKernel"), text.out.constData());
        QVERIFY(!text.out.contains("launch of b is not in the trace"));
        const QJsonObject found =
            QJsonDocument::fromJson(ran({"import", word("gaps.json"), "--gaps", "9", "--json"}).out)
                .object();
        const QJsonArray gaps = found["gaps"].toArray();
        QCOMPARE(gaps.size(), 2);
        const QJsonObject one = gaps[0].toObject();
        QCOMPARE(one.keys(), QStringList({"device", "end_ms", "idle_host_ms", "idle_launch_ms",
                                          "idle_stream_ms", "idle_unknown_ms", "next", "previous",
                                          "rank", "reason", "start_ms", "text"}));
        QCOMPARE(one["rank"].toInt(), 5);
        QCOMPARE(one["start_ms"].toDouble(), 0.1);
        QCOMPARE(one["end_ms"].toDouble(), 0.14);
        QCOMPARE(one["reason"].toString(), "host");
        QCOMPARE(one["idle_host_ms"].toDouble(), 0.03);
        QCOMPARE(one["idle_launch_ms"].toDouble(), 0.01);
        QCOMPARE(one["previous"].toString(), "a");
        QCOMPARE(one["next"].toString(), "gemm");
        QCOMPARE(one["text"].toString(),
                 "waits for the host: cudaLaunchKernel launches gemm only 0.03 ms after the end of "
                 "a; its thread does nothing that was recorded; 0.01 ms of it is launching");
        QCOMPARE(gaps[1].toObject()["reason"].toString(), "unknown");
        QVERIFY(!QJsonDocument::fromJson(ran({"import", word("gaps.json"), "--json"}).out)
                     .object()
                     .contains("gaps"));
        QCOMPARE(ran({"import", word("gaps.json"), "--gaps", "0"}).code, ExitCode::Usage);
    }

    /// One of 61 streams does nearly all the work, and has the highest number.
    void ofManyLanesTheBusiestAreDrawn()
    {
        QFile file(path("streams.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray text = R"({"distributedInfo": {"rank": 0}, "traceEvents": [)";
        for (int stream = 0; stream < 60; ++stream)
            text +=
                QByteArrayLiteral(R"({"ph": "X", "cat": "kernel", "name": "small", "pid": 0, )") +
                "\"tid\": " + QByteArray::number(1000 + stream) +
                ", \"ts\": " + QByteArray::number(stream) + ", \"dur\": 1},\n";
        for (int i = 0; i < 40; ++i)
            text += QByteArrayLiteral(R"({"ph": "X", "cat": "kernel", "name": "big", "pid": 0, )") +
                    "\"tid\": 9999, \"ts\": " + QByteArray::number(100 * i) + ", \"dur\": 90},\n";
        file.write(text + R"({"ph": "i", "ts": 1}]})");
        file.close();
        const Said said = ran({"import", word("streams.json")});
        QVERIFY2(said.out.contains("stream 9999"), said.out.constData());
        QVERIFY2(!said.out.contains("stream 1000"), said.out.constData());
        QVERIFY2(said.out.contains("and 60 more lanes"), said.out.constData());
    }

    void aWrongKernelRuleIsRefused()
    {
        const Said said = ran({"import", word("trace.json"), "--kernel", "launch=x"});
        QCOMPARE(said.code, ExitCode::Usage);
        QVERIFY2(said.err.contains("compute, communication, memory and other"),
                 said.err.constData());
    }

    void slicesAreKeptShownAndExported()
    {
        const std::string store = word("runs.sqlite");
        const Said kept =
            ran({"import", word("trace.json"), "--store", store, "--svg", word("direct.svg")});
        QCOMPARE(kept.code, ExitCode::Good);
        QVERIFY(kept.out.contains("as run 1"));
        QVERIFY(QFile(path("direct.svg")).size() > 1000);
        const Said shown = ran({"show", "1", "--store", store});
        QCOMPARE(shown.code, ExitCode::Good);
        QVERIFY2(shown.out.contains("stream 7"), shown.out.constData());
        const Said svg = ran({"convert", "1", "--store", store, "--to", "svg"});
        QVERIFY(svg.out.startsWith("<svg"));
        QVERIFY(svg.out.contains("gemm"));
        const Said json = ran({"convert", "1", "--store", store});
        const QJsonObject found = QJsonDocument::fromJson(json.out).object();
        QVERIFY(found["traceEvents"].toArray().size() > 4);
        QCOMPARE(ran({"runs", "--store", store}).code, ExitCode::Good);
    }

    void aPlanIsComparedWithItsRun()
    {
        const std::string folder = test::largeTraceFolder() + "/torch-zb-h1";
        if (!QDir(QString::fromStdString(folder)).exists())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        const std::vector<std::string> words = {"diff", folder + "/schedule.csv", folder};
        const Said text = ran(words);
        QVERIFY2(text.code == ExitCode::Good, text.err.constData());
        for (const char* part : {"36 passes in both", "0 of 36 passes ran at another place",
                                 "where the time went", "lost before it"})
            QVERIFY2(text.out.contains(part), text.out.constData());
        const Said json =
            ran({"diff", folder + "/schedule.csv", folder, "--json", "--fit", word("costs.json")});
        const QJsonObject found = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(found["matched"].toInt(), 36);
        QCOMPARE(found["out_of_order"].toInt(-1), 0);
        QCOMPARE(found["passes"].toArray().size(), 36);
        QVERIFY(QFile(path("costs.json")).size() > 100);
        const Said runs = ran({"diff", "1", "2", "3"});
        QCOMPARE(runs.code, ExitCode::Usage);
    }

private:
    QString path(const char* name) const { return m_folder.filePath(name); }
    std::string word(const char* name) const { return path(name).toStdString(); }

    QTemporaryDir m_folder;
};

PW_TEST(TestActivity)

#include "tst_activity.moc"

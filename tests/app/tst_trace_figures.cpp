// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/analysis/pass_histogram.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_maker.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace pw;
using namespace pw::app;
using pw::test::ran;
using pw::test::Said;

namespace {

QByteArray mark(int time, int allocated)
{
    return R"({"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"s":"t","ts":)" +
           QByteArray::number(time) +
           R"(,"args":{"Device Type":1,"Device Id":0,"Bytes":8,"Total Allocated":)" +
           QByteArray::number(allocated) + "}},";
}

} // namespace

/// Memory of traces, and lengths of passes of two runs, on the command line.
class TestTraceFigures : public QObject
{
    Q_OBJECT

private slots:
    void memoryHasItsPeakAndWhen()
    {
        QFile file(m_folder.filePath("rank4.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"distributedInfo":{"rank":4},"traceEvents":[{"ph":"X","cat":"cpu_op",)"
                   R"("name":"aten::mm","pid":9,"tid":9,"ts":0,"dur":5000},)" +
                   mark(1000, 2048) + mark(2500, 4096) + mark(4000, 4096) +
                   R"({"ph":"i","ts":1}]})");
        file.close();
        const std::string path = file.fileName().toStdString();
        const QJsonObject found =
            QJsonDocument::fromJson(ran({"import", path, "--json"}).out).object();
        const QJsonArray memory = found["memory"].toArray();
        QCOMPARE(memory.size(), 1);
        QCOMPARE(memory[0].toObject()["rank"].toInt(), 4);
        QCOMPARE(memory[0].toObject()["peak_bytes"].toInt(), 4096);
        QCOMPARE(memory[0].toObject()["at_ms"].toDouble(), 2.5);
        QVERIFY(!memory[0].toObject().contains("iteration"));
        const Said said = ran({"import", path});
        QVERIFY2(said.out.contains("peak memory"), said.out.constData());
        QVERIFY(said.out.contains("4 KiB"));
    }

    void lengthsOfTwoRunsStandSideBySide()
    {
        const std::string store = m_folder.filePath("runs.sqlite").toStdString();
        int number = 0;
        for (const Ticks forward : {Ticks{2'000'000}, Ticks{3'000'000}}) {
            const test::FamilyRun run =
                test::runFamily(test::familyOf("1f1b"), test::sized(2, 4),
                                test::equalStages(forward, 1'900'000, 1'700'000));
            std::vector<std::string> words = {"import"};
            for (const test::TraceText& file :
                 test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto, 2)) {
                words.push_back(m_folder.filePath(QString::number(number)).toStdString() +
                                file.name);
                test::writeTrace(words.back(), file.text);
            }
            ++number;
            words.insert(words.end(), {"--store", store});
            const Said said = ran(words);
            QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        }
        const Said said = ran({"diff", "1", "2", "--store", store});
        QVERIFY2(said.out.contains("F takes"), said.out.constData());
        QVERIFY(said.out.contains("median"));
        const QJsonArray lengths =
            QJsonDocument::fromJson(ran({"diff", "1", "2", "--store", store, "--json"}).out)
                .object()["lengths"]
                .toArray();
        QVERIFY(lengths.size() >= 2);
        const QJsonObject forward = lengths[0].toObject();
        QCOMPARE(forward["kind"].toString(), QStringLiteral("F"));
        QCOMPARE(forward["median_before_ms"].toDouble(), 2.0);
        QCOMPARE(forward["median_after_ms"].toDouble(), 3.0);
        QCOMPARE(forward["edges_ms"].toArray().size(), forward["before"].toArray().size() + 1);
        for (const char* side : {"before", "after"}) {
            int count = 0;
            const QJsonArray counts = forward[side].toArray();
            for (const auto& one : counts)
                count += one.toInt();
            QVERIFY2(count >= 8, side); // two stages of four micro-batches, in each iteration
        }
        // A run beside its plan has the same.
        QVERIFY(ran({"diff", "2", "--store", store}).out.contains("F takes"));
    }

    void fewLongPassesDoNotHideTheOthers()
    {
        PassLengths before, after;
        for (Ticks i = 0; i < 100; ++i) {
            before[PassKind::F].push_back(1000 + i);
            after[PassKind::F].push_back(1050 + i);
        }
        after[PassKind::F].push_back(1'000'000);
        const std::vector<PassHistogram> found = passHistograms(before, after);
        QCOMPARE(found.size(), std::size_t{1});
        const PassHistogram& one = found.front();
        QCOMPARE(one.edges.size(), one.before.size() + 1);
        QCOMPARE(std::accumulate(one.before.begin(), one.before.end(), std::int64_t{0}),
                 std::int64_t{100});
        QCOMPARE(std::accumulate(one.after.begin(), one.after.end(), std::int64_t{0}),
                 std::int64_t{101});
        QVERIFY(one.edges[1] - one.edges[0] < 100);
        QVERIFY(one.after.back() >= 1);
        QCOMPARE(one.medianBefore, Ticks{1049});
        // Equal times stand in one bin.
        const PassHistogram equal =
            passHistograms({{PassKind::B, {5, 5, 5}}}, {{PassKind::B, {5}}}).front();
        QCOMPARE(equal.before.front(), std::int64_t{3});
        QCOMPARE(equal.after.front(), std::int64_t{1});
        QVERIFY(passHistograms({}, {}).empty());
        QCOMPARE(passHistograms({{PassKind::W, {7}}}, {}).front().medianAfter, Ticks{-1});
    }

private:
    QTemporaryDir m_folder;
};

PW_TEST(TestTraceFigures)

#include "tst_trace_figures.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/span_name.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

/// A file of X events, one a line.
std::string eventFile(const std::vector<std::string>& events, const std::string& more = {})
{
    std::string text = "{\"traceEvents\": [\n";
    for (std::size_t i = 0; i < events.size(); ++i)
        text += events[i] + (i + 1 < events.size() ? ",\n" : "\n");
    return text + "]" + more + "}\n";
}

std::string spanText(const std::string& name, const std::string& start, const std::string& length)
{
    return R"({"ph": "X", "cat": "user_annotation", "name": ")" + name +
           R"(", "pid": 1, "tid": 2, "ts": )" + start + ", \"dur\": " + length + "}";
}

/// A trace, or the end of the test with its error.
Trace imported(const std::string& text)
{
    Result<Trace> trace = importTraceText(text, "rank0.json");
    if (!trace) {
        qWarning("%s", trace.error().message.c_str());
        return {};
    }
    return *trace;
}

} // namespace

class TestImportTrace : public QObject
{
    Q_OBJECT

private slots:
    void namesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("role");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("microBatch");
        QTest::addColumn<bool>("paired");
        const auto row = [](const char* text, SpanRole role, PassKind kind, int stage,
                            int microBatch, bool paired = false) {
            QTest::newRow(text) << text << static_cast<int>(role) << static_cast<int>(kind) << stage
                                << microBatch << paired;
        };
        row("PP:0F3", SpanRole::Pass, PassKind::F, 0, 3);
        row("PP:12B7", SpanRole::Pass, PassKind::BW, 12, 7);
        row("PP:2I0", SpanRole::Pass, PassKind::B, 2, 0);
        row("PP:2W0", SpanRole::Pass, PassKind::W, 2, 0);
        row("PP:2R1", SpanRole::Pass, PassKind::R, 2, 1);
        row("PP:2U0", SpanRole::Pass, PassKind::U, 2, 0);
        row("PP:2RECV_F0", SpanRole::Receive, PassKind::F, 2, 0);
        row("PP:2SEND_B5", SpanRole::Send, PassKind::BW, 2, 5);
        row("PP:(0F7;7B3)OVERLAP_F_B", SpanRole::Pass, PassKind::F, 0, 7, true);
        row("PP:3UNSHARD", SpanRole::Other, PassKind::F, -1, -1);
        row("PP:nonsense", SpanRole::Other, PassKind::F, -1, -1);
        row("PP:2U0x", SpanRole::Other, PassKind::F, -1, -1);
        row("Forward 4", SpanRole::Pass, PassKind::F, -1, 4);
        row("Backward 4", SpanRole::Pass, PassKind::BW, -1, 4);
        row("Forward pass", SpanRole::Other, PassKind::F, -1, -1);
        row("forward", SpanRole::Pass, PassKind::F, -1, -1);
        row("F3.1.0", SpanRole::Pass, PassKind::F, -1, 3);
        row("F3.1", SpanRole::Other, PassKind::F, -1, -1);
        row("forward chunk 4 (phase1)", SpanRole::Pass, PassKind::F, -1, 4);
        row("backward chunk 5 (phase0)", SpanRole::Pass, PassKind::BW, -1, 5);
        row("rank 2 backward chunk 5 (phase0)", SpanRole::Pass, PassKind::BW, -1, 5);
        row("forward chunk 4 (phase1) backward chunk 2 (phase0)", SpanRole::Pass, PassKind::F, -1,
            4, true);
        row("forward chunk 4", SpanRole::Other, PassKind::F, -1, -1);
        row("forward chunk 4 (phase1) and more", SpanRole::Other, PassKind::F, -1, -1);
        row("ProfilerStep#7", SpanRole::Step, PassKind::F, -1, -1);
        row("aten::mm", SpanRole::Other, PassKind::F, -1, -1);
    }

    void namesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(int, role);
        QFETCH(int, kind);
        QFETCH(int, stage);
        QFETCH(int, microBatch);
        QFETCH(bool, paired);
        const SpanLabel label = readSpanName(text.toStdString()).first;
        QCOMPARE(static_cast<int>(label.role), role);
        QCOMPARE(static_cast<int>(label.kind), kind);
        QCOMPARE(label.stage, stage);
        QCOMPARE(label.microBatch, microBatch);
        QCOMPARE(label.paired, paired);
    }

    void anOverlappedPairOfPithTrainHasBothHalves()
    {
        const SpanName said = readSpanName("forward chunk 4 (phase1) backward chunk 2 (phase0)");
        QCOMPARE(said.first.chunk, 1);
        QCOMPARE(said.second.kind, PassKind::BW);
        QCOMPARE(said.second.chunk, 0);
        QCOMPARE(said.second.microBatch, 2);
        QVERIFY(said.second.paired);
    }

    void timesAreExactOnEitherBase()
    {
        const Trace old = imported(eventFile(
            {spanText("a", "1682725898236567", "68.0"), spanText("b", "1682725898236569", "61")}));
        QCOMPARE(old.base, Ticks{1'682'725'898'236'567'000});
        QCOMPARE(old.spans[1].start, Ticks{2'000});
        QCOMPARE(old.spans[1].end, Ticks{63'000});
        const Trace relative =
            imported(eventFile({spanText("a", "123.457", "0.001"), spanText("b", "124", "1e3")},
                               ", \"baseTimeNanoseconds\": 1682725898000000001"));
        QCOMPARE(relative.base, Ticks{1'682'725'898'000'123'458});
        QCOMPARE(relative.spans[0].end, Ticks{1});
        QCOMPARE(relative.spans[1].start, Ticks{543});
        QCOMPARE(relative.spans[1].end, Ticks{1'000'543});
    }

    void argumentsOfTheEndEventCount()
    {
        const Trace trace = imported(
            R"([{"name": "forward", "ph": "B", "ts": 1, "pid": 5, "tid": 0, "args": {"iteration": 4}},
                {"name": "inner", "ph": "B", "ts": 2, "pid": 5, "tid": 0},
                {"ph": "E", "ts": 3, "pid": 5, "tid": 0},
                {"name": "forward", "ph": "E", "ts": 9, "pid": 5, "tid": 0,
                 "args": {"microbatch": 6, "model_chunk": 1, "pp_rank": 3}}])");
        QCOMPARE(trace.spans.size(), std::size_t{2});
        const TraceSpan& pass = trace.spans[1];
        const SpanLabel* label = trace.labelOf(pass);
        QVERIFY(label != nullptr);
        QCOMPARE(label->iteration, 4);
        QCOMPARE(label->microBatch, 6);
        QCOMPARE(label->chunk, 1);
        QCOMPARE(pass.end - pass.start, Ticks{8'000});
        QCOMPARE(trace.ranks[static_cast<std::size_t>(pass.rank)].number, 3);
        QVERIFY(trace.labelOf(trace.spans[0]) == nullptr);
    }

    void threadsOfAProcessMayBeRanks()
    {
        std::string text;
        for (const char* const rank : {"0", "1", "2"}) {
            const std::string where = std::string(", \"pid\": 7, \"tid\": ") + rank;
            text += (text.empty() ? "[" : ",") +
                    std::string("{\"name\": \"forward\", \"ph\": \"B\", \"ts\": 1") + where +
                    "}, {\"ph\": \"E\", \"ts\": 3" + where +
                    ", \"args\": {\"iteration\": 1, \"microbatch\": 0, \"pp_rank\": " + rank + "}}";
        }
        const Trace trace = imported(text + "]");
        QCOMPARE(trace.ranks.size(), std::size_t{3});
        for (const std::size_t rank : {0U, 1U, 2U}) {
            QCOMPARE(trace.ranks[rank].number, static_cast<std::int32_t>(rank));
            QCOMPARE(trace.ranks[rank].source, std::string("arguments"));
            QCOMPARE(trace.spans[rank].rank.index(), rank);
        }
    }

    void endsAloneAreLeftOut()
    {
        const Trace trace = imported(R"([{"name": "a", "ph": "E", "ts": 1, "pid": 0, "tid": 0},
            {"name": "b", "ph": "B", "ts": 2, "pid": 0, "tid": 0},
            {"name": "c", "ph": "X", "ts": 2, "dur": -5, "pid": 0, "tid": 0},
            {"name": "d", "ph": "X", "ts": 2, "dur": 5, "pid": 0, "tid": 0}])");
        // What begins and never ends is shown to the end of the recording.
        QCOMPARE(trace.spans.size(), std::size_t{2});
        QCOMPARE(trace.leftOut, std::int64_t{2});
        QCOMPARE(trace.warnings.size(), std::size_t{3});
    }

    void damageIsMendedAndListed_data()
    {
        QTest::addColumn<QByteArray>("damaged");
        QTest::addColumn<int>("spans");
        QTest::addColumn<QString>("repair");
        const auto row = [](const char* name, const std::string& damaged, int spans,
                            const char* repair) {
            QTest::newRow(name) << QByteArray::fromStdString(damaged) << spans << repair;
        };
        const std::string one = spanText("PP:0F0", "1", "2"), two = spanText("PP:0B0", "4", "2");
        const auto withArgument = [&](const std::string& value) {
            std::string changed = one;
            changed.insert(changed.size() - 1, ", \"args\": {\"bandwidth\": " + value + "}");
            return eventFile({changed, two});
        };
        row("infinity", withArgument("inf"), 2, "'inf' is not a value of JSON");
        row("capital infinity", withArgument("-Infinity"), 2, "'-Infinity' is not a value of JSON");
        row("not a number", withArgument("NaN"), 2, "'NaN' is not a value of JSON");
        row("a number too large", withArgument("1e999,\"a\":nan"), 2, "not a value of JSON");
        row("hexadecimal", withArgument("0x7f3a"), 2, "'0x7f3a' is not a value of JSON");
        row("control characters", withArgument("\"a\tb\x01\""), 2, "a control character");
        row("a quote inside", withArgument("\"gemm \"tn\" kernel\""), 2, "a quote inside a string");
        row("a bad escape", withArgument("\"C:\\work\\x\""), 2, "a backslash that escapes nothing");
        row("half a character", withArgument("\"\\ud83d!\""), 2, "half a character");
        row("a comma too many", "[" + one + "," + two + ",]", 2, "a comma too many");
        row("a comma missing", "[" + one + two + "]", 2, "a comma is missing");
        row("the end missing", "[" + one + ",\n" + two + "\n", 2, "the file ends in the middle");
        row("cut in an event", "[" + one + ",\n" + two.substr(0, two.size() - 3), 1,
            "the file ends in the middle");
        row("cut in a number", "[" + one + ",\n" + two.substr(0, two.size() - 1), 1,
            "the file ends in the middle");
        row("cut in a name", "{\"traceEvents\": [" + one + ",\n" + two.substr(0, 50), 1,
            "the end of the file inside a string");
        row("text behind", eventFile({one, two}) + "and so on", 2, "text behind the end");
        row("lists one behind the other", "[" + one + "]\r\n[" + two + "]", 2,
            "another list begins, read on as the same");
        row("a comma between lists", "[" + one + "],\n[" + two + "]", 2,
            "another list begins, read on as the same");
        row("an empty list before", "[][" + one + "," + two + "]", 2, "another list begins");
        row("an empty list behind", "[" + one + "," + two + "][]", 2, "another list begins");
        row("a list begun anew", "[" + one + ",\n[" + two + "]", 2, "another list begins");
        row("an empty object at the end", "[" + one + "," + two + ",{}", 2,
            "the file ends in the middle");
    }

    void damageIsMendedAndListed()
    {
        QFETCH(QByteArray, damaged);
        QFETCH(int, spans);
        QFETCH(QString, repair);
        const std::string text = damaged.toStdString();
        const Result<Trace> trace = importTraceText(text, "rank0.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(static_cast<int>(trace->spans.size()), spans);
        QCOMPARE(trace->spans[0].end - trace->spans[0].start, Ticks{2'000});
        QVERIFY(trace->repairs.count > 0);
        const bool listed = std::any_of(
            trace->repairs.list.begin(), trace->repairs.list.end(), [&](const TraceRepair& one) {
                return QString::fromStdString(one.text).contains(repair) && one.position >= 0 &&
                       one.position <= static_cast<std::int64_t>(text.size());
            });
        QVERIFY2(listed, trace->repairs.list.front().text.c_str());
    }

    void aRepairSaysItsByte()
    {
        const std::string text = R"([{"ph": "X", "name": "a", "ts": 1, "dur": 2, "x": NaN}])";
        const Trace trace = imported(text);
        QCOMPARE(trace.repairs.count, std::int64_t{1});
        QCOMPARE(trace.repairs.list[0].position, static_cast<std::int64_t>(text.find("NaN")));
    }

    /// An event whose bracket had to be guessed may be two events; its times are not believed.
    void anEventWithAGuessedBracketIsLeftOut()
    {
        std::string first = spanText("PP:0F0", "1", "2");
        first.pop_back();
        const Trace trace = imported("[" + first + "," + spanText("PP:0B0", "4", "2") + "," +
                                     spanText("PP:0F1", "7", "2") + "]");
        QCOMPARE(trace.leftOut, std::int64_t{1});
        QCOMPARE(trace.spans.size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(std::string(trace.nameOf(trace.spans[0]))),
                 QString("PP:0B0"));
    }

    void whatIsNoTraceIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("nothing") << QByteArray() << "is empty";
        QTest::newRow("blanks") << QByteArray(" \n ") << "is empty";
        QTest::newRow("another object") << QByteArray("{\"pipewright\": 1}") << "not a trace";
        QTest::newRow("a number") << QByteArray("17") << "not a trace";
        QTest::newRow("words") << QByteArray("no json at all")
                               << "not a trace: neither JSON nor a log or a table";
        QTest::newRow("lines in brackets")
            << QByteArray("[rank0]: step 1\n[rank0]: step 2\n") << "not a trace: no event in it";
        QTest::newRow("dates in brackets")
            << QByteArray("[2025-01-01 10:00:00,000] [INFO] time (ms) | fwd: 10.2\n")
            << "not a trace: no event in it";
        QTest::newRow("bytes") << QByteArray(5000, '\xfe') << "not a trace";
        QTest::newRow("closing brackets") << QByteArray(5000, '}') << "byte 1000: too damaged";
        QTest::newRow("deep") << QByteArray("{\"traceEvents\": ") + QByteArray(100, '[')
                              << "byte 80: nested deeper than 64";
    }

    void whatIsNoTraceIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const Result<Trace> trace = importTraceText(text.toStdString(), "some.json");
        QVERIFY(!trace);
        QCOMPARE(trace.error().code, ErrorCode::Syntax);
        QVERIFY2(QString::fromStdString(trace.error().message).contains(message),
                 trace.error().message.c_str());
        QVERIFY(QString::fromStdString(trace.error().message).startsWith("some.json"));
    }

    void aFolderOfRanksIsOneTrace_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("plain") << "";
        QTest::newRow("packed") << ".gz";
    }

    void aFolderOfRanksIsOneTrace()
    {
        QFETCH(QString, suffix);
        const test::FamilyRun run = test::runFamily(test::familyOf("1f1b"), test::sized(4, 8),
                                                    test::equalStages(2'000'003, 1, 2));
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("iteration_5"));
        for (const test::TraceText& file :
             test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto))
            test::writeTrace(
                (folder.filePath("iteration_5/") + QString::fromStdString(file.name) + suffix)
                    .toStdString(),
                file.text);
        std::int64_t calls = 0, last = 0;
        ImportOptions options;
        options.progress = [&](const ImportProgress& progress) {
            ++calls;
            last = std::max(last, progress.bytesRead);
            return progress.bytesRead <= progress.bytes;
        };
        const Result<Trace> trace = importTrace({folder.path().toStdString()}, options);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QVERIFY(calls >= 4 && last > 0);
        QCOMPARE(trace->files.size(), std::size_t{4});
        QCOMPARE(trace->ranks.size(), std::size_t{4});
        QCOMPARE(trace->ranks[3].number, 3);
        QCOMPARE(QString::fromStdString(trace->ranks[3].source), QString("metadata"));
        QVERIFY(trace->warnings.empty());
        const auto passes =
            std::count_if(trace->spans.begin(), trace->spans.end(),
                          [&](const TraceSpan& span) { return trace->labelOf(span) != nullptr; });
        QCOMPARE(passes, 64);
    }

    void aPackedFileThatEndsEarlyIsReadUpToThere()
    {
        const test::FamilyRun run = test::runFamily(test::familyOf("1f1b"), test::sized(2, 64),
                                                    test::equalStages(2'000'000, 1, 2));
        const test::TraceText file =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto)[1];
        QTemporaryDir folder;
        const QString path = folder.filePath("rank1.json.gz");
        test::writeTrace(path.toStdString(), file.text);
        QFile packed(path);
        QVERIFY(packed.open(QIODevice::ReadWrite));
        QVERIFY(packed.resize(packed.size() / 2));
        packed.close();
        const Result<Trace> trace = importTrace({path.toStdString()});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QVERIFY(trace->spans.size() > 10 && trace->spans.size() < 256);
        QVERIFY(trace->repairs.count > 0);
        QCOMPARE(trace->warnings.size(), std::size_t{1});
    }

    void importingStopsOnRequest()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("rank0.json").toStdString();
        test::writeTrace(path, eventFile({spanText("a", "1", "2")}));
        ImportOptions options;
        options.progress = [](const ImportProgress&) { return false; };
        const Result<Trace> trace = importTrace({path}, options);
        QVERIFY(!trace);
        QCOMPARE(trace.error().code, ErrorCode::Cancelled);
    }

    void aRankComesFromTheFileName()
    {
        const Result<Trace> trace =
            importTraceText(eventFile({spanText("PP:0F0", "1", "2")}), "run/rank_17_trace.json");
        QVERIFY(trace);
        QCOMPARE(trace->ranks[0].number, 17);
        QCOMPARE(QString::fromStdString(trace->ranks[0].source), QString("file name"));
        QVERIFY(!trace->ranks[0].guessed);
        const Result<Trace> nameless =
            importTraceText(eventFile({spanText("PP:0F0", "1", "2")}), "trace.json");
        QVERIFY(nameless->ranks[0].guessed);
        QCOMPARE(nameless->warnings.size(), std::size_t{1});
    }

    void filesThatAreNotThereAreNamed()
    {
        QTemporaryDir folder;
        const auto none = importTrace({folder.filePath("none.json").toStdString()});
        QCOMPARE(none.error().code, ErrorCode::Io);
        QVERIFY(QString::fromStdString(none.error().message).contains("none.json"));
        const auto empty = importTrace({folder.path().toStdString()});
        const std::string database = folder.filePath("report.sqlite").toStdString();
        test::writeTrace(database, "SQLite format 3 and more");
        QVERIFY(QString::fromStdString(importTrace({database}).error().message)
                    .contains("Nsight Systems"));
        QCOMPARE(empty.error().code, ErrorCode::Io);
    }

    void realFilesAreRead_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("rank");
        QTest::newRow("two threads") << "kineto-backward-thread.json" << 0;
        QTest::newRow("waits") << "kineto-event-sync.json.gz" << 0;
        QTest::newRow("without a rank") << "kineto-no-rank.json.gz" << 0;
        QTest::newRow("rank 0") << "kineto-rank0-of-128.json.gz" << 0;
        QTest::newRow("rank 1") << "kineto-rank1-of-128.json.gz" << 1;
        QTest::newRow("rocm") << "kineto-rocm.json.gz" << 0;
    }

    void realFilesAreRead()
    {
        QFETCH(QString, name);
        QFETCH(int, rank);
        const Result<Trace> trace = importTrace({test::testData("traces/" + name.toStdString())});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QVERIFY(!trace->spans.empty());
        QCOMPARE(trace->repairs.count, std::int64_t{0});
        QCOMPARE(trace->leftOut, std::int64_t{0});
        QCOMPARE(trace->ranks.size(), std::size_t{1});
        QCOMPARE(trace->ranks[0].number, rank);
    }

    void aTableInPlaceOfEventsIsRefused()
    {
        for (const char* text :
             {"[[1,2,3],[[0,1],[2,3]]]", "[1, 2]", R"({"traceEvents": [[1, 2]]})"}) {
            const Result<Trace> trace = importTraceText(text, "memory.json");
            QVERIFY2(!trace, text);
            QCOMPARE(trace.error().code, ErrorCode::Syntax);
            QVERIFY2(QString::fromStdString(trace.error().message)
                         .contains("numbers or lists in place of events"),
                     trace.error().message.c_str());
        }
        // A rank that did nothing, and a list whose first entry is damaged.
        QVERIFY(importTraceText("[]", "empty.json"));
        QVERIFY(importTraceText(R"([1, {"ph":"X","name":"a","ts":1,"dur":1,"pid":0,"tid":0}])",
                                "one.json"));
    }

    void largeRealFilesAreRead()
    {
        const QDir folder(QString::fromStdString(test::largeTraceFolder()));
        if (!folder.exists())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        const QStringList files =
            folder.entryList({"kineto-*.json", "kineto-*.json.gz", "nsys-*.sqlite"}, QDir::Files);
        QVERIFY2(!files.isEmpty(), qPrintable(folder.path()));
        for (const QString& file : files) {
            const Result<Trace> trace = importTrace({folder.filePath(file).toStdString()});
            QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
            QVERIFY2(!trace->spans.empty(), qPrintable(file));
            QCOMPARE(trace->leftOut, std::int64_t{0});
        }
    }
};

PW_TEST(TestImportTrace)
#include "tst_import_trace.moc"

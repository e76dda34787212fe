// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/sqlite/sqlite.h"
#include "core/store/keep_trace.h"
#include "core/store/schema.h"
#include "core/store/stored_trace.h"
#include "core/trace/activity_links.h"
#include "core/trace/align_clocks.h"
#include "core/trace/recover.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>
#include <tuple>

using namespace pw;

namespace {

/// A slice as anyone sees it, wherever it is kept.
using SeenSlice = std::tuple<std::string, std::string, Ticks, Ticks, int, std::string>;

SeenSlice seen(const Trace& trace, const ActivityLanes& lanes, std::int32_t span)
{
    const TraceSpan& one = trace.spans[static_cast<std::size_t>(span)];
    const ActivityLane& lane =
        lanes.lanes[static_cast<std::size_t>(laneOfSpan(trace, lanes, span))];
    return {lane.owner, lane.name + " of " + std::to_string(lane.rankNumber),
            one.start,  one.end,
            one.depth,  std::string(trace.nameOf(one))};
}

using SeenLink = std::tuple<int, SeenSlice, SeenSlice>;

/// Every arrow of a trace; of a long one those of some of its slices.
std::set<SeenLink> arrows(const Trace& trace, const ActivityLanes& lanes,
                          const std::vector<MessagePair>& pairs)
{
    std::set<SeenLink> found;
    const auto every = static_cast<std::int32_t>(trace.spans.size() / 400 + 1);
    for (std::size_t at = 0; at < lanes.spans.size(); at += static_cast<std::size_t>(every))
        for (const SliceLink& link : linksAt(trace, lanes, pairs, lanes.spans[at]))
            found.insert({static_cast<int>(link.kind), seen(trace, lanes, link.from),
                          seen(trace, lanes, link.to)});
    return found;
}

std::set<SeenSlice> slices(const Trace& trace, const ActivityLanes& lanes)
{
    std::set<SeenSlice> found;
    for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane)
        for (std::size_t at = lanes.firstSpan[lane]; at < lanes.firstSpan[lane + 1]; ++at) {
            const TraceSpan& one = trace.spans[static_cast<std::size_t>(lanes.spans[at])];
            found.insert(
                {lanes.lanes[lane].owner,
                 lanes.lanes[lane].name + " of " + std::to_string(lanes.lanes[lane].rankNumber),
                 one.start, one.end, one.depth, std::string(trace.nameOf(one))});
        }
    return found;
}

/// A launch and its kernel, an operator and its backward, a counter and marks of memory.
std::string smallTrace()
{
    return R"({"distributedInfo":{"rank":5},"traceEvents":[
        {"ph":"X","cat":"user_annotation","name":"PP:5F2","pid":1,"tid":2,"ts":1,"dur":60},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":2,"dur":20,
         "args":{"Sequence number":7}},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":5,"dur":4,
         "args":{"correlation":11}},
        {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":30,"dur":9,
         "args":{"correlation":11,"device":0,"stream":7}},
        {"ph":"X","cat":"cpu_op","name":"autograd::engine::evaluate_function: MmBackward0","pid":1,
         "tid":3,"ts":80,"dur":15,"args":{"Sequence number":7,"Fwd thread id":1}},
        {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":2,"ts":10,"s":"t",
         "args":{"Device Type":1,"Device Id":0,"Bytes":4000,"Total Allocated":4000,
                 "Total Reserved":9000}},
        {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":2,"ts":40,"s":"t",
         "args":{"Device Type":1,"Device Id":0,"Bytes":3000,"Total Allocated":7000,
                 "Total Reserved":9000}},
        {"ph":"C","name":"GPU 0 Utilization","pid":1,"ts":20,"args":{"value":55}},
        {"ph":"i","ts":90}]})";
}

/// A reduction and a message of one rank.
std::string traceOfOperations()
{
    const auto kernel = [](const char* name, int number, const char* operation) {
        return std::string(R"({"ph":"X","cat":"kernel","name":")") + name +
               R"(","pid":0,"tid":7,"ts":)" + std::to_string(100 * number) +
               R"(,"dur":50,"args":{"device":0,"stream":7,"Collective name":")" + operation +
               R"(","Process Group Name":"0","Group size":2}},)";
    };
    return R"({"distributedInfo":{"rank":0},"traceEvents":[)" +
           kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL()", 1, "allreduce") +
           kernel("ncclDevKernel_SendRecv()", 2, "send") + R"({"ph":"i","ts":900}]})";
}

QString endOfWire(const char* status)
{
    return QStringLiteral("{\"t\":\"finished\",\"status\":\"%1\"}").arg(QLatin1String(status));
}

/// A forward and a backward, as the wire has them.
std::string wireOfTwo()
{
    return "{\"t\":\"hello\",\"protocol\":1,\"program\":\"0.1.0\"}\n"
           "{\"t\":\"pass\",\"label\":\"PP:0F0\",\"it\":0,\"rank\":0,\"kind\":\"F\",\"stage\":0,"
           "\"mb\":0,\"start\":0,\"end\":1000}\n"
           "{\"t\":\"pass\",\"label\":\"PP:0B0\",\"it\":0,\"rank\":0,\"kind\":\"BW\",\"stage\":0,"
           "\"mb\":0,\"start\":2000,\"end\":4000}\n";
}

} // namespace

/// A kept trace reopens with everything that its file gave.
class TestStoredTrace : public QObject
{
    Q_OBJECT

private slots:
    void itReopensAsItWas_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("made") << QString();
        for (const char* file :
             {"kineto-nccl.json.gz", "kineto-backward-thread.json", "kineto-event-sync.json.gz",
              "nsys-2gpu.sqlite", "torch-1f1b", "primus-pp8"})
            QTest::newRow(file) << QString(file);
    }

    void itReopensAsItWas()
    {
        QFETCH(const QString, file);
        const std::string folder = test::largeTraceFolder();
        if (!file.isEmpty() && !QDir(QString::fromStdString(folder)).exists())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        Result<Trace> trace = file.isEmpty() ? importTraceText(smallTrace(), "rank5.json")
                                             : importTrace({folder + "/" + file.toStdString()});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const Result<RunNumber> run = keepTraceActivity(*trace, m_store, "a trace");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        const Result<StoredTrace> again = loadStoredTrace(m_store, *run);
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(again->title, std::string("a trace"));
        const TraceActivity before(*trace);
        const ActivityLanes& lanes = before.order();
        QCOMPARE(again->lanes.lanes.size(), lanes.lanes.size());
        QCOMPARE(again->trace.names, trace->names);
        QVERIFY(slices(again->trace, again->lanes) == slices(*trace, lanes));
        const std::vector<MessagePair> pairs = pairMessages(*trace).pairs;
        QCOMPARE(again->pairs.size(), pairs.size());
        QCOMPARE(again->trace.links.size(), trace->links.size());
        const auto expected = arrows(*trace, lanes, pairs);
        const auto found = arrows(again->trace, again->lanes, again->pairs);
        QCOMPARE(found.empty(), expected.empty());
        // Of longer ones the slices that are looked at are others.
        if (trace->spans.size() < 400)
            QVERIFY(found == expected);
        QCOMPARE(again->trace.counters.size(), trace->counters.size());
        for (std::size_t i = 0; i < trace->counters.size(); ++i) {
            QCOMPARE(again->trace.counters[i].name, trace->counters[i].name);
            QVERIFY(again->trace.counters[i].kind == trace->counters[i].kind);
            QVERIFY(again->trace.counters[i].samples == trace->counters[i].samples);
        }
        // Labels and what is known of their times too: the same pipeline is found again.
        const RecoveredPipeline one = recover(*trace), two = recover(again->trace);
        QCOMPARE(two.passes, one.passes);
        QCOMPARE(two.schedule.has_value(), one.schedule.has_value());
        QCOMPARE(two.peakBytes, one.peakBytes);
        if (one.schedule)
            QVERIFY(two.schedule->orders() == one.schedule->orders());
    }

    void theSmallOneHasEveryArrow()
    {
        Result<Trace> trace = importTraceText(smallTrace(), "rank5.json");
        QVERIFY(trace);
        const Result<RunNumber> run = keepTraceActivity(*trace, m_store, "small");
        QVERIFY(run);
        const Result<StoredTrace> again = loadStoredTrace(m_store, *run);
        QVERIFY(again);
        const auto found = arrows(again->trace, again->lanes, again->pairs);
        QCOMPARE(found.size(), std::size_t{2}); // the launch and the backward
        QCOMPARE(again->trace.counters.size(), std::size_t{3});
        QCOMPARE(again->trace.peaks.size(), std::size_t{1});
        QCOMPARE(again->trace.peaks.front().bytes, Bytes{7000});
    }

    void nothingIsLeftOfARunThatIsRemoved()
    {
        Result<Trace> trace = importTraceText(smallTrace(), "rank5.json");
        const std::string store = m_folder.filePath("gone.sqlite").toStdString();
        const Result<RunNumber> run = keepTraceActivity(*trace, store, "small");
        QVERIFY(run);
        // Kept again, it is in the place of what the run had.
        const TraceActivity source(*trace);
        QVERIFY(keepActivity(store, *run, {*trace, source}));
        const auto count = [&store](const char* table) {
            const auto database = *Database::open(store, Database::Mode::Read);
            return *database->number((std::string("SELECT count(*) FROM ") + table).c_str());
        };
        QCOMPARE(count("counter"), std::int64_t{3});
        // The pass on the host's clock, and as its kernel tells it.
        QCOMPARE(count("activity_label"), std::int64_t{2});
        QVERIFY(RunStore::open(store)->remove(*run));
        for (const char* table : {"activity", "activity_lane", "activity_level", "activity_name",
                                  "activity_label", "activity_link", "counter", "counter_value"})
            QCOMPARE(count(table), std::int64_t{0});
    }

    /// What the wire says of the end is the end of the run that is kept of it.
    void aWireIsKeptAsItEnded_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("status");
        const auto row = [](const char* said, RunStatus status) {
            QTest::newRow(said) << endOfWire(said) << static_cast<int>(status);
        };
        row("finished", RunStatus::Finished);
        row("failed", RunStatus::Failed);
        row("stopped", RunStatus::Stopped);
        row("running", RunStatus::Incomplete); // no run ends so
        QTest::newRow("cut off") << QString() << static_cast<int>(RunStatus::Incomplete);
    }

    void aWireIsKeptAsItEnded()
    {
        QFETCH(QString, line);
        QFETCH(int, status);
        Result<Trace> trace = importTraceText(wireOfTwo() + line.toStdString(), "run.jsonl");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const std::string store = m_folder.filePath("ended.sqlite").toStdString();
        const Result<RunNumber> run = keepTraceActivity(*trace, store, "wire");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        const auto runs = RunStore::open(store)->runs();
        QVERIFY(runs && !runs->empty());
        QCOMPARE(static_cast<int>(runs->front().status), status);
    }

    void aTraceOfTheVersionBeforeOpens()
    {
        const std::string store = m_folder.filePath("before.sqlite").toStdString();
        {
            const auto database = *Database::open(store, Database::Mode::Create);
            QVERIFY(migrate(*database, 5));
            QVERIFY(database->run(
                "INSERT INTO run (title, family, project, settings, writer, started_ms, "
                "touched_ms, ended_ms, status, ranks, backend) VALUES "
                "('old', '', '', '{}', '', 5, 6, 7, 'finished', 1, 'import');"
                "INSERT INTO activity_lane VALUES (1, 0, 3, 1, 'GPU 0', 'stream 7', 1, 2, 10, 40);"
                "INSERT INTO activity_level VALUES (1, 1, 100);"
                "INSERT INTO activity_name VALUES (1, 0, 'gemm');"
                "INSERT INTO activity VALUES (1, 0, 0, 0, 10, 0, 5, 0, 1, 1);"
                "INSERT INTO activity VALUES (1, 0, 0, 0, 30, 1, 10, 0, 1, 1);"
                "INSERT INTO activity VALUES (1, 0, 1, 0, 10, 0, 30, 0, 1, 2)",
                "x"));
        }
        const Result<StoredTrace> trace = loadStoredTrace(store, 1);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->trace.spans.size(), std::size_t{2});
        QCOMPARE(trace->trace.spans[1].start, Ticks{30});
        QCOMPARE(trace->trace.spans[1].queued, -1);
        QCOMPARE(trace->trace.ranks.front().number, 3);
        QVERIFY(trace->trace.counters.empty());
        QVERIFY(trace->trace.links.empty());
        const auto database = *Database::open(store, Database::Mode::Read);
        QCOMPARE(*schemaVersion(*database), storeVersion);
        QVERIFY(RunStore::open(store)->memoryCounters(1, 0, 100)->empty());
    }

    /// A coarser level is kept where it is a good deal shorter, and a lane without one is read as
    /// it is.
    void levelsAreKeptWhereTheyHelp()
    {
        constexpr int many = 20'000;
        std::string text = "[";
        for (int i = 0; i < many; ++i)
            text += R"({"ph":"X","name":"short","pid":1,"tid":1,"ts":)" + std::to_string(2 * i) +
                    R"(,"dur":1},)";
        for (int i = 0; i < 40; ++i)
            text += R"({"ph":"X","name":"long","pid":1,"tid":2,"ts":)" +
                    std::to_string(i * 250'000) + R"(,"dur":240000},)";
        text.back() = ']';
        Result<Trace> trace = importTraceText(text, "rank0.json");
        QVERIFY(trace);
        const std::string store = m_folder.filePath("levels.sqlite").toStdString();
        const Result<RunNumber> run = keepTraceActivity(*trace, store, "levels");
        QVERIFY(run);
        const auto database = *Database::open(store, Database::Mode::Read);
        QCOMPARE(*database->number("SELECT levels FROM activity_lane WHERE slices = 40"),
                 std::int64_t{0});
        QVERIFY(*database->number("SELECT levels FROM activity_lane WHERE slices = 20000") > 0);
        QCOMPARE(*database->number("SELECT count(*) FROM activity WHERE level = 0"),
                 std::int64_t{many + 40});
        QVERIFY(*database->number("SELECT count(*) FROM activity WHERE level > 0") < many / 4);
        const Result<StoredActivity> kept = StoredActivity::open(store, *run);
        QVERIFY(kept);
        constexpr Ticks end = 10 * 1'000'000'000LL, coarse = end >> 12;
        for (std::size_t lane = 0; lane < kept->lanes().size(); ++lane)
            for (const Ticks grain : {Ticks{0}, coarse}) {
                std::vector<ActivitySlice> slices;
                QVERIFY(kept->slices(lane, 0, end, grain, slices));
                std::int64_t count = 0;
                for (const ActivitySlice& one : slices)
                    count += one.count;
                QCOMPARE(count, kept->lanes()[lane].slices);
                if (kept->lanes()[lane].slices == many && grain > 0)
                    QVERIFY(slices.size() < many / 4);
            }
    }

    void damageIsSaid()
    {
        Result<Trace> trace = importTraceText(smallTrace(), "rank5.json");
        for (const auto& [change, words] :
             {std::pair("DELETE FROM activity WHERE level = 0 AND seq = 0", "slices"),
              std::pair("UPDATE activity_lane SET slices = 1000000000", "lane's slices"),
              std::pair("UPDATE activity SET name = 99", "name"),
              std::pair("UPDATE activity_link SET from_lane = 77", "arrow"),
              std::pair("UPDATE activity_label SET kind = 9", "kind")}) {
            const std::string store =
                m_folder.filePath(QStringLiteral("d%1").arg(++m_count)).toStdString();
            const Result<RunNumber> run = keepTraceActivity(*trace, store, "small");
            QVERIFY(run);
            {
                const auto database = *Database::open(store, Database::Mode::Write);
                QVERIFY(database->run(change, "x"));
            }
            const Result<StoredTrace> again = loadStoredTrace(store, *run);
            QVERIFY2(!again, change);
            QVERIFY2(again.error().message.english().find(words) != std::string::npos,
                     again.error().message.c_str());
        }
        const Result<StoredTrace> none = loadStoredTrace(m_store, 9999);
        QVERIFY(!none);
    }

    /// A reduction, a message, and a kind that is none.
    void kindsOfOperationsComeBack()
    {
        Result<Trace> trace = importTraceText(traceOfOperations(), "rank0.json");
        QVERIFY(trace);
        const auto kinds = [](const Trace& one) {
            std::vector<int> found;
            for (const CollectiveCall& call : one.calls)
                found.push_back(static_cast<int>(call.kind));
            return found;
        };
        QVERIFY(!trace->calls.empty());
        QCOMPARE(kinds(*trace).back(), static_cast<int>(CollectiveKind::Message));
        const std::string store = m_folder.filePath(QStringLiteral("kinds")).toStdString();
        const Result<RunNumber> run = keepTraceActivity(*trace, store, "kinds");
        QVERIFY(run);
        const Result<StoredTrace> again = loadStoredTrace(store, *run);
        QVERIFY(again);
        QCOMPARE(kinds(again->trace), kinds(*trace));
        {
            const std::string beyond =
                "UPDATE collective SET kind = " + std::to_string(collectiveKindCount);
            const auto database = *Database::open(store, Database::Mode::Write);
            QVERIFY(database->run(beyond.c_str(), "x"));
        }
        const Result<StoredTrace> beyond = loadStoredTrace(store, *run);
        QVERIFY(!beyond);
        QVERIFY2(beyond.error().message.english().find("kind of an operation is 11") !=
                     std::string::npos,
                 beyond.error().message.c_str());
    }

    void keepingCanBeStoppedAtAnyTimeAndLeavesNothing_data()
    {
        QTest::addColumn<bool>("ordered");
        QTest::newRow("with the order of its passes") << true;
        QTest::newRow("rows alone") << false;
    }

    void keepingCanBeStoppedAtAnyTimeAndLeavesNothing()
    {
        QFETCH(bool, ordered);
        const test::FamilyRun run = test::runFamily(test::familyOf("1f1b"), test::sized(4, 400),
                                                    test::equalStages(900, 800, 0, 0));
        std::string text;
        for (const test::TraceText& file :
             test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron))
            text = file.text;
        Result<Trace> trace = importTraceText(text, "trace.json");
        QVERIFY(trace);
        TraceCounter counter;
        counter.name = "memory";
        counter.kind = CounterKind::Memory;
        for (int i = 0; i < 20'000; ++i)
            counter.samples.push_back({i, static_cast<double>(i)});
        trace->counters.push_back(counter);
        const AlignedPipeline found = ordered ? recoverAligned(*trace) : AlignedPipeline();
        QCOMPARE(found.pipeline.schedule.has_value(), ordered);
        const TraceActivity source(*trace);
        const std::string store =
            m_folder.filePath(QStringLiteral("s%1").arg(++m_count)).toStdString();
        const auto keep = [&](const KeepOn& goOn) {
            return keepWholeTrace({*trace, source, {}, found.pipeline.rankOfDevice}, found.pipeline,
                                  {}, store, "stopped", goOn);
        };
        int asks = 0;
        double last = -1;
        Bytes written = -1;
        bool rising = true;
        const Result<RunNumber> kept = keep([&](const KeepProgress& now) {
            ++asks;
            rising = rising && now.part >= last && now.written >= written;
            last = now.part;
            written = now.written;
            return true;
        });
        QVERIFY(kept);
        QVERIFY(asks >= 4); // at the beginning, twice and more on the way, and at the end
        QVERIFY(rising);
        QVERIFY(last > 0.99 && last <= 1);
        QVERIFY(written > 20'000 * 8);
        QVERIFY(RunStore::open(store)->remove(*kept));
        for (int stop = 1; stop <= asks; ++stop) {
            int asked = 0;
            const Result<RunNumber> stopped =
                keep([&](const KeepProgress&) { return ++asked < stop; });
            QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
            QVERIFY(stopped.error().message.english().find("nothing of it is in " + store) !=
                    std::string::npos);
            QVERIFY(RunStore::openToRead(store)->runs()->empty());
            const auto database = *Database::open(store, Database::Mode::Read);
            for (const char* table : {"run", "pass", "activity", "activity_lane", "activity_name",
                                      "counter", "counter_value"})
                QCOMPARE(*database->number((std::string("SELECT count(*) FROM ") + table).c_str()),
                         std::int64_t{0});
        }
    }

    void readingCanBeStopped()
    {
        Result<Trace> trace = importTraceText(smallTrace(), "rank5.json");
        const Result<RunNumber> run = keepTraceActivity(*trace, m_store, "small");
        QVERIFY(run);
        const Result<StoredTrace> stopped =
            loadStoredTrace(m_store, *run, [](double) { return false; });
        // Another thread may have read every lane before.
        if (!stopped)
            QVERIFY(stopped.error().code == ErrorCode::Cancelled);
    }

private:
    QTemporaryDir m_folder;
    std::string m_store = m_folder.filePath("runs.sqlite").toStdString();
    int m_count = 0;
};

PW_TEST(TestStoredTrace)

#include "tst_stored_trace.moc"

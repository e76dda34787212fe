// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "core/base/text.h"
#include "core/store/run_store.h"
#include "core/store/stored_iteration.h"
#include "core/trace/trace.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/job_traces.h"
#include "tests/support/nsys_files.h"
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

namespace {

} // namespace

class TestImport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const test::TraceText& file :
             test::chromeTraces(m_run.schedule, m_run.result, test::TraceForm::Kineto, 3))
            test::writeTrace(path(file.name.c_str()), file.text);
    }

    void whatWasFoundIsPrinted()
    {
        const Said said = ran({"import", m_folder.path().toStdString()});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY(said.err.isEmpty());
        for (const char* part : {"Kineto, 4 ranks", "ZB-H1", "0 of 96 entries out of order",
                                 "3 iterations", "host clock", "Unknown", "B and W"})
            QVERIFY2(said.out.contains(part), said.out.constData());
    }

    void jsonHasTheFigures()
    {
        const Said said = ran({"import", m_folder.path().toStdString(), "--json", "--comm", "0"});
        const QJsonObject found = QJsonDocument::fromJson(said.out).object();
        QCOMPARE(found["passes"].toInt(), 288);
        QCOMPARE(found["iterations"].toInt(), 3);
        QCOMPARE(found["stages"].toInt(), 4);
        QCOMPARE(found["makespan_ms"].toDouble(), msFromTicks(m_run.result.makespan));
        QCOMPARE(found["replay_ms"].toDouble(), msFromTicks(m_run.result.makespan));
        QCOMPARE(found["families"].toArray()[0].toObject()["family"].toString(), "zb-h1");
        QCOMPARE(found["families"].toArray()[0].toObject()["out_of_order"].toInt(), 0);
        QCOMPARE(found["ranks"].toArray().size(), 4);
        QCOMPARE(found["ranks"].toArray()[2].toObject()["rank"].toInt(), 2);
        QCOMPARE(found["repair_count"].toInt(-1), 0);
        QCOMPARE(found["trust"].toObject()["host clock"].toInt(), 288);
    }

    void rulesReadForeignNames()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("a.json")).toStdString();
        test::writeTrace(file, R"([{"ph":"X","pid":1,"tid":1,"name":"fprop :0","ts":0,"dur":5},
                                   {"ph":"X","pid":1,"tid":1,"name":"bprop :0","ts":5,"dur":9}])");
        const auto passes = [&](const std::vector<std::string>& more) {
            std::vector<std::string> words = {"import", file, "--json"};
            words.insert(words.end(), more.begin(), more.end());
            return QJsonDocument::fromJson(ran(words).out).object()["passes"].toInt(-1);
        };
        QCOMPARE(passes({}), 0);
        QCOMPARE(passes({"--rule", "fprop :{mb}{kind=F}"}), 1);
        QCOMPARE(passes({"--rule", "fprop :{mb}{kind=F}", "--rule=bprop :{mb}{kind=BW}"}), 2);
        const std::string rules = folder.filePath(QStringLiteral("rules.json")).toStdString();
        test::writeTrace(rules, R"({"pipewright_rules": 1, "rules": ["{kind} :{micro-batch}"]})");
        QCOMPARE(passes({"--rules", rules}), 2);
        QVERIFY(ran({"import", file, "--rules", rules})
                    .out.contains("the rule '{kind} :{micro-batch}' reads 2 names of 2 spans"));
        const Said wrong = ran({"import", file, "--rule", "{kind} {mbb}"});
        QCOMPARE(wrong.code, ExitCode::Usage);
        QVERIFY2(wrong.err.contains("--rule '{kind} {mbb}', character 8"), wrong.err.constData());
        const Said missing = ran({"import", file, "--rules", file + ".none"});
        QCOMPARE(missing.code, ExitCode::Wrong);
        QVERIFY2(missing.err.contains(".none"), missing.err.constData());
    }

    void aReplicaAndARunAreChosen()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("job.json")).toStdString();
        test::MadeJob job;
        job.slowReplica = 2;
        job.slowStage = 0;
        test::writeTrace(file, test::megatronText(job));
        const auto report = [&](const std::vector<std::string>& more) {
            std::vector<std::string> words = {"import", file, "--json"};
            words.insert(words.end(), more.begin(), more.end());
            return QJsonDocument::fromJson(ran(words).out).object();
        };
        const QJsonObject first = report({});
        QCOMPARE(first["runs"].toInt(), 1);
        const QJsonObject of = first["job"].toObject();
        QCOMPARE(of["replicas"].toInt(), 3);
        QCOMPARE(of["workers"].toArray().size(), 12);
        QCOMPARE(of["ranks"].toInt(), 12);
        const QJsonObject cause = of["causes"].toArray()[0].toObject();
        QCOMPARE(cause["kind"].toString(), QStringLiteral("slow_worker"));
        QCOMPARE(cause["replica"].toInt(-1), 2);
        QCOMPARE(cause["stage"].toInt(-1), 0);
        QVERIFY(report({"--replica", "2"})["makespan_ms"].toDouble() >
                first["makespan_ms"].toDouble());
        const Said beyond = ran({"import", file, "--replica", "3"});
        QCOMPARE(beyond.code, ExitCode::Wrong);
        QVERIFY2(beyond.err.contains("--replica 3: the trace has 3 replicas, numbered from 0"),
                 beyond.err.constData());
        // The same passes on another thread of one process are a run of their own.
        test::writeTrace(file, R"([
            {"ph":"X","pid":1,"tid":1,"name":"PP:0F0","ts":0,"dur":5},
            {"ph":"X","pid":1,"tid":1,"name":"PP:0B0","ts":5,"dur":9},
            {"ph":"X","pid":1,"tid":2,"name":"PP:0F0","ts":1,"dur":6},
            {"ph":"X","pid":1,"tid":2,"name":"PP:0B0","ts":7,"dur":10}])");
        QCOMPARE(report({})["runs"].toInt(), 2);
        QCOMPARE(report({})["makespan_ms"].toDouble(), .014);
        QCOMPARE(report({"--run", "1"})["makespan_ms"].toDouble(), .016);
    }

    void messagesAreSplitInTheReport()
    {
        QTemporaryDir folder;
        const std::string file = folder.filePath("report.sqlite").toStdString();
        {
            test::NsysFile report(file);
            report.kernel("ncclDevKernel_SendRecv", 1, {0, 7}, 1, 1'000'000, 5'000'000);
            report.kernel("ncclDevKernel_SendRecv", 2, {1, 7}, 1, 3'000'000, 5'500'000);
        }
        const Said said = ran({"import", file, "--json"});
        const QJsonObject found = QJsonDocument::fromJson(said.out).object()["messages"].toObject();
        QCOMPARE(found["pairs"].toInt(), 1);
        QCOMPARE(found["transfer_ms"].toDouble(), 2.0);
        QCOMPARE(found["time_ms"].toDouble(), 6.5);
        QCOMPARE(found["end_difference_us"].toDouble(), 500.0);
        const QJsonArray ranks = found["ranks"].toArray();
        QCOMPARE(ranks.size(), 2);
        QCOMPARE(ranks[0].toObject()["waiting_ms"].toDouble(), 2.0);
        QCOMPARE(ranks[1].toObject()["waiting_ms"].toDouble(), 0.0);
        QCOMPARE(ranks[1].toObject()["after_ms"].toDouble(), 0.5);
        const Said text = ran({"import", file});
        for (const char* part : {"Nsight Systems, 2 ranks", "1 pair, ends within 0.5 ms",
                                 "transfer 2 ms a side", "waiting"})
            QVERIFY2(text.out.contains(part), text.out.constData());
    }

    void theTimeOfEachRankIsSplitByCause()
    {
        const Said said = ran({"import", m_folder.path().toStdString(), "--json"});
        const QJsonObject found = QJsonDocument::fromJson(said.out).object();
        const QJsonArray lost = found["lost_time"].toArray();
        QCOMPARE(lost.size(), 4);
        for (const QJsonValue& one : lost) {
            const QJsonObject rank = one.toObject();
            qint64 sum = 0;
            for (auto part = rank.begin(); part != rank.end(); ++part)
                if (part.key() != "rank" && part.key() != "wall_ns")
                    sum += part.value().toInteger();
            QCOMPARE(sum, rank["wall_ns"].toInteger());
            QCOMPARE(sum, m_run.result.makespan);
            QCOMPARE(rank["unexplained"].toInteger(-1), 0);
        }
        QCOMPARE(found["clocks"].toObject()["outcome"].toString(), "kept");
        const Said shown = ran({"import", m_folder.path().toStdString()});
        QVERIFY(shown.out.contains("where the time went"));
        QVERIFY(shown.out.contains("unexplained"));
    }

    void wrongClocksAreShifted()
    {
        test::Recording recording;
        recording.clocks = {{0, 0}, {9'000'000, 0}, {3'000'000, 0}, {0, 0}};
        QTemporaryDir folder;
        for (const test::TraceText& file :
             test::chromeTraces(m_run.schedule, {m_run.result, m_run.result}, recording))
            test::writeTrace(folder.filePath(QString::fromStdString(file.name)).toStdString(),
                             file.text);
        const Said said = ran({"import", folder.path().toStdString()});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY2(said.out.contains("shifted by -9"), said.out.constData());
        QVERIFY(said.out.contains("ZB-H1"));
        const Said json = ran({"import", folder.path().toStdString(), "--json"});
        const QJsonObject found = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(found["clocks"].toObject()["outcome"].toString(), "shifted");
        QVERIFY(found["clocks"].toObject()["impossible"].toInt() > 0);
        QCOMPARE(found["dependencies_violated"].toInt(), 0);
    }

    void aStoredTraceIsARun()
    {
        const std::string store = path("kept/runs.sqlite");
        const Said said = ran({"import", m_folder.path().toStdString(), "--store", store, "--title",
                               "from elsewhere"});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY(said.out.contains("as run 1"));
        RunStore runs = *RunStore::openToRead(store);
        const RunDetails details = *runs.run(1);
        QCOMPARE(QString::fromStdString(details.run.title), QString("from elsewhere"));
        QCOMPARE(QString::fromStdString(details.run.origin), QString("Kineto"));
        QCOMPARE(QString::fromStdString(details.run.family), QString("zb-h1"));
        QCOMPARE(details.run.status, RunStatus::Finished);
        QCOMPARE(details.run.passes, std::int64_t{288});
        QCOMPARE(details.run.figures.makespan, m_run.result.makespan);
        const Result<StoredIteration> iteration = loadIteration(runs, 1);
        QVERIFY2(iteration, iteration ? "" : iteration.error().message.c_str());
        QVERIFY(iteration->measured.start == m_run.result.start);
        QCOMPARE(iteration->predicted.makespan, m_run.result.makespan);
        const std::vector<std::uint8_t> trust = runs.passes({1})->trust;
        QVERIFY(trust == std::vector<std::uint8_t>(288, static_cast<std::uint8_t>(Trust::Host)));
        const Said shown = ran({"show", "1", "--store", store});
        QCOMPARE(shown.code, ExitCode::Good);
        QVERIFY(shown.out.contains("the clocks are kept as recorded"));
        QVERIFY(ran({"diff", "1", "--store", store}).out.contains("No pass moved"));
    }

    void fittedCostsAreReadBySimulate()
    {
        const std::string costs = beside("fitted.json");
        const Said fitted =
            ran({"costs", "fit", path("rank0_trace.json"), path("rank1_trace.json"),
                 path("rank2_trace.json"), path("rank3_trace.json"), "--output", costs});
        QVERIFY2(fitted.code == ExitCode::Good, fitted.err.constData());
        QVERIFY(fitted.out.contains("(0 %)"));
        const Said said = ran({"simulate", "zb-h1", "--devices", "4", "--micro-batches", "8",
                               "--costs", costs, "--json"});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        QVERIFY(said.out.contains(QByteArray::number(msFromTicks(m_run.result.makespan))));
    }

    void anotherOrderIsPredictedFromATraceARunAndAProject()
    {
        const test::FamilyRun other =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8),
                            test::equalStages(2'000'000, 1'900'000, 1'700'000));
        const auto check = [&](const std::vector<std::string>& from, bool measured) {
            std::vector<std::string> words = {"whatif", "--family", "1f1b,zb-h1", "--json"};
            words.insert(words.end(), from.begin(), from.end());
            const Said said = ran(words);
            QVERIFY2(said.code == ExitCode::Good, said.err.constData());
            const QJsonObject found = QJsonDocument::fromJson(said.out).object();
            QCOMPARE(found["predicted_ns"].toInteger(), m_run.result.makespan);
            QCOMPARE(found.contains("measured_ns"), measured);
            QCOMPARE(found["residual"].toDouble(-1), measured ? 0.0 : -1.0);
            const QJsonArray rows = found["what_if"].toArray();
            QCOMPARE(rows.size(), 2);
            QCOMPARE(rows[0].toObject()["family"].toString(), "1f1b");
            QCOMPARE(rows[0].toObject()["makespan_ns"].toInteger(), other.result.makespan);
            QCOMPARE(rows[0].toObject().contains("residual"), measured);
            QCOMPARE(rows[1].toObject()["makespan_ns"].toInteger(), m_run.result.makespan);
        };
        check({m_folder.path().toStdString()}, true);
        const std::string store = beside("asked.sqlite"), project = beside("asked.pipewright.json");
        QCOMPARE(ran({"import", m_folder.path().toStdString(), "--store", store}).code,
                 ExitCode::Good);
        check({"last", "--store", store}, true);
        check({"1", "--store", store}, true);
        QCOMPARE(ran({"convert", "zb-h1", project, "--devices", "4", "--micro-batches", "8",
                      "--forward", "2", "--backward", "1.9", "--weight", "1.7"})
                     .code,
                 ExitCode::Good);
        check({project}, false);
    }

    /// `simulate` refuses the same with the same words.
    void aRowThatBreaksACapIsRefused()
    {
        const std::string project = beside("capped.pipewright.json");
        QCOMPARE(ran({"convert", "zb-h1", project, "--devices", "4", "--micro-batches", "8"}).code,
                 ExitCode::Good);
        const Said said = ran(
            {"whatif", project, "--family", "gpipe,1f1b,zb-v", "--memory-limit", "4", "--json"});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        const QJsonArray rows = QJsonDocument::fromJson(said.out).object()["what_if"].toArray();
        QCOMPARE(rows.size(), 3);
        const QString refusal = rows[0].toObject()["refusal"].toString();
        QVERIFY2(refusal.contains("4"), qPrintable(refusal));
        const Said simulated = ran({"simulate", "gpipe", "--devices", "4", "--micro-batches", "8",
                                    "--memory-limit", "4", "--json"});
        QCOMPARE(simulated.code, ExitCode::Wrong);
        QVERIFY2(simulated.err.contains(refusal.toUtf8()), simulated.err.constData());
        for (const int good : {1, 2}) {
            QVERIFY(!rows[good].toObject().contains("refusal"));
            QVERIFY(rows[good].toObject()["peak_activation_mb"].toDouble() <= 4);
        }
        QVERIFY(ran({"whatif", project, "--family", "gpipe", "--memory-limit", "2,8"})
                    .out.contains("gpipe, memory-limit 2"));
    }

    void combinationsAreRows()
    {
        const std::string folder = m_folder.path().toStdString();
        const auto rows = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"whatif", folder, "--json"});
            return QJsonDocument::fromJson(ran(words).out).object()["what_if"].toArray().size();
        };
        QCOMPARE(rows({"--link", "0,1,2x"}), 3);
        QCOMPARE(rows({"--micro-batches", "8,16", "--link", "0,1"}), 4);
        QCOMPARE(rows({"--k", "1,2,4"}), 3);
        QCOMPARE(rows({"--family", "1f1b,kfkb", "--k", "2,4", "--micro-batches", "8,12"}), 6);
        QCOMPARE(rows({"--placement", "linear,reversed,3 2 1 0"}), 3);
        QCOMPARE(rows({"--family", "interleaved-1f1b", "--chunks", "2,4"}), 2);
        QVERIFY(rows({}) > 15);
        for (const std::vector<std::string>& wrong :
             std::vector<std::vector<std::string>>{{"--waves", "2"},
                                                   {"--family", "nothing"},
                                                   {"--link", "fast"},
                                                   {"--micro-batches", "8,x"},
                                                   {"--placement", "sideways"},
                                                   {"--placement", "linear", "--devices", "2"}}) {
            std::vector<std::string> words = wrong;
            words.insert(words.begin(), {"whatif", folder});
            const Said said = ran(words);
            QVERIFY2(said.code == ExitCode::Usage, wrong.front().c_str());
        }
        const Said said = ran({"whatif", folder, "--devices", "3"});
        QCOMPARE(said.code, ExitCode::Wrong);
        QVERIFY(said.out.contains("3 stages: the costs are of 4 stages"));
        QCOMPARE(ran({"whatif", folder, "--placement", "9 9 9 9"}).code, ExitCode::Wrong);
    }

    /// A whole backward is cut in halves where nothing says more, and the answer says so.
    void aMissingSplitIsAssumedAndSaid()
    {
        QTemporaryDir folder;
        const test::FamilyRun fused = test::runFamily(test::familyOf("1f1b"), test::sized(4, 8),
                                                      test::equalStages(2'000'000, 1'900'000, 0));
        for (const test::TraceText& file : test::chromeTraces(fused.schedule, {fused.result}, {}))
            test::writeTrace(folder.filePath(QString::fromStdString(file.name)).toStdString(),
                             file.text);
        const std::string from = folder.path().toStdString();
        const Said assumed = ran({"whatif", from, "--family", "zb-h1"});
        QCOMPARE(assumed.code, ExitCode::Good);
        QVERIFY2(assumed.out.contains("50 % of BW is W, as is assumed"), assumed.out.constData());
        QCOMPARE(ran({"whatif", from, "--family", "zb-h1", "--weight-part", "0.4"}).code,
                 ExitCode::Good);
        const Said other = ran({"whatif", from, "--family", "zb-h1", "--devices", "3"});
        QCOMPARE(other.code, ExitCode::Wrong);
    }

    /// The order of a file, or of another trace, under this one's costs: what the family of that
    /// order takes.
    void anotherOrderRunsUnderTheseCosts()
    {
        QTemporaryDir folder, other;
        const auto write = [](const char* family, const QTemporaryDir& into) {
            const test::FamilyRun run = test::runFamily(test::familyOf(family), test::sized(4, 8),
                                                        test::equalStages(2'000'000, 1'900'000, 0));
            for (const test::TraceText& file : test::chromeTraces(run.schedule, {run.result}, {}))
                test::writeTrace(into.filePath(QString::fromStdString(file.name)).toStdString(),
                                 file.text);
        };
        write("1f1b", folder);
        write("gpipe", other);
        const std::string from = folder.path().toStdString(), to = other.path().toStdString();
        const std::string file = beside("gpipe.csv"), wider = beside("wider.pipewright.json");
        QCOMPARE(ran({"convert", "gpipe", file, "--devices", "4", "--micro-batches", "8"}).code,
                 ExitCode::Good);
        const std::string split = beside("split.txt");
        QCOMPARE(ran({"convert", "interleaved-1f1b", wider, "--devices", "4", "--micro-batches",
                      "8", "--chunks", "2"})
                     .code,
                 ExitCode::Good);
        QCOMPARE(ran({"convert", "zb-h1", split, "--devices", "4", "--micro-batches", "8"}).code,
                 ExitCode::Good);
        const auto makespans = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"whatif", from, "--json"});
            std::vector<qint64> all;
            const QJsonObject said = QJsonDocument::fromJson(ran(words).out).object();
            const QJsonArray rows = said["what_if"].toArray();
            for (const QJsonValue& row : rows)
                all.push_back(row.toObject()["makespan_ns"].toInteger());
            return all;
        };
        const auto family = makespans({"--family", "gpipe"});
        QCOMPARE(family.size(), std::size_t{1});
        QVERIFY(family[0] > 0);
        QCOMPARE(makespans({"--order-of", file + "," + to}), (std::vector{family[0], family[0]}));
        QCOMPARE(makespans({"--order-of", wider}),
                 makespans({"--family", "interleaved-1f1b", "--chunks", "2"}));
        QCOMPARE(makespans({"--order-of", split, "--weight-part", "0.4"}),
                 makespans({"--family", "zb-h1", "--weight-part", "0.4"}));
        QVERIFY(ran({"whatif", from, "--order-of", split}).out.contains("as is assumed"));
        QVERIFY(ran({"whatif", from, "--order-of", file}).out.contains("the order of gpipe.csv"));
        const Said missing = ran({"whatif", from, "--order-of", beside("absent.csv")});
        QCOMPARE(missing.code, ExitCode::Wrong);
        QVERIFY2(missing.err.contains("absent.csv"), missing.err.constData());
        QVERIFY(ran({"whatif", from, "--order-of", file, "--devices", "8"})
                    .err.contains("an order has its own devices and micro-batches"));
    }

    /// Peaks that a table says carry over to other orders: of a made 1F1B with 2 GB for each
    /// micro-batch, and of a real one as it became interleaved.
    void measuredPeaksCarryOverToOtherOrders()
    {
        const std::string project = beside("peaks.pipewright.json"), table = beside("peaks.csv");
        const auto peaks = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"whatif", project, "--peaks", table, "--json"});
            const Said said = ran(words);
            const QJsonArray rows = QJsonDocument::fromJson(said.out).object()["what_if"].toArray();
            std::vector<double> all;
            for (const QJsonValue& bytes : rows.at(0).toObject()["memory_bytes"].toArray())
                all.push_back(bytes.toDouble());
            return all;
        };
        const auto write = [&](const std::vector<double>& gb) {
            std::string text = "rank,peak_gb\n";
            for (std::size_t rank = 0; rank < gb.size(); ++rank)
                text += std::to_string(rank) + "," + std::to_string(gb[rank]) + "\n";
            test::writeTrace(table, text);
        };
        QCOMPARE(ran({"convert", "1f1b", project, "--devices", "4", "--micro-batches", "8"}).code,
                 ExitCode::Good);
        write({20, 16, 14, 13});
        QCOMPARE(peaks({"--family", "gpipe"}), (std::vector<double>{28e9, 26e9, 26e9, 27e9}));
        QVERIFY(ran({"whatif", project, "--peaks", table, "--family", "gpipe"})
                    .out.contains("memory, GiB"));
        QVERIFY(ran({"advise", project, "--peaks", table}).out.contains("GiB"));
        QVERIFY(
            ran({"whatif", project, "--peaks", beside("absent.csv")}).err.contains("absent.csv"));
        write({20, 16, 14});
        QVERIFY(ran({"whatif", project, "--peaks", table}).err.contains("has 3 ranks"));
        write({20, 20, 20, 20});
        QVERIFY(ran({"whatif", project, "--peaks", table}).err.contains("do not hold more"));

        // megatron-memory-by-rank.csv: Qwen3 with experts, 24 layers, 1F1B and three chunks.
        QCOMPARE(ran({"convert", "1f1b", project, "--devices", "8", "--micro-batches", "16"}).code,
                 ExitCode::Good);
        write({29.68, 23.74, 23.02, 22.3, 21.57, 20.85, 20.13, 26.0});
        const std::vector<double> measured{31.41, 25.7, 25.22, 24.74, 24.27, 23.79, 23.31, 29.39};
        const std::vector<double> told = peaks({"--family", "interleaved-1f1b", "--chunks", "3"});
        QCOMPARE(told.size(), measured.size());
        for (std::size_t rank = 0; rank < told.size(); ++rank)
            QVERIFY2(std::abs(told[rank] / (1e9 * measured[rank]) - 1) < 0.005,
                     qPrintable(QString::number(told[rank])));
    }

    /// What shows, keeps, fits and predicts has one clock.
    void everyCommandShiftsTheSameClocks()
    {
        test::Recording recording;
        recording.clocks = {{0, 0}, {9'000'000, 0}, {3'000'000, 0}, {0, 0}};
        QTemporaryDir folder;
        for (const test::TraceText& file :
             test::chromeTraces(m_run.schedule, {m_run.result, m_run.result}, recording))
            test::writeTrace(folder.filePath(QString::fromStdString(file.name)).toStdString(),
                             file.text);
        const std::string from = folder.path().toStdString();
        const std::string store = beside("shifted.sqlite"), costs = beside("shifted.json");
        const QJsonObject imported =
            QJsonDocument::fromJson(ran({"import", from, "--json", "--store", store}).out).object();
        QCOMPARE(imported["clocks"].toObject()["outcome"].toString(), "shifted");
        const QJsonObject asked =
            QJsonDocument::fromJson(ran({"whatif", from, "--link", "0", "--json"}).out).object();
        QCOMPARE(imported["makespan_ms"].toDouble(), msFromTicks(asked["measured_ns"].toInteger()));
        const Said fitted = ran({"costs", "fit", from, "--output", costs});
        QVERIFY(fitted.out.contains(QByteArray::fromStdString(
            "measured " + millisecondText(asked["measured_ns"].toInteger()))));
        RunStore runs = *RunStore::openToRead(store);
        const Result<StoredIteration> kept = loadIteration(runs, 1);
        QVERIFY(kept);
        QCOMPARE(kept->measured.makespan, Ticks{asked["measured_ns"].toInteger()});
        QCOMPARE(kept->predicted.makespan, Ticks{asked["predicted_ns"].toInteger()});
    }

    /// A folder as a person keeps it: beside the ranks lie settings, results, a broken download.
    void whatIsNoTraceInAFolderIsNamedAndLeftOut()
    {
        QTemporaryDir folder;
        const auto put = [&folder](const QString& name, const std::string& text) {
            test::writeTrace(folder.filePath(name).toStdString(), text);
        };
        const QStringList junk = {"a settings.json", "empty.json",  "list.json",
                                  "objects.json",    "words.json",  "brackets.json",
                                  "bytes.json.gz",   "events.json", "deep.json"};
        put(junk[0], R"({"learning_rate": 0.1, "layers": [1, 2, {"x": null}]})");
        put(junk[1], "");
        put(junk[2], "[1, 2, 3]");
        put(junk[3], R"([{"name": "loss", "value": 3}, {"name": "loss", "value": 2}])");
        put(junk[4], "no JSON at all");
        put(junk[5], std::string(5000, '}'));
        put(junk[6], std::string(3000, '\xfe'));
        put(junk[7], R"({"traceEvents": []})");
        put(junk[8], R"({"layers": )" + std::string(100, '['));
        const Said nothing = ran({"import", folder.path().toStdString()});
        QCOMPARE(nothing.code, ExitCode::Wrong);
        QVERIFY2(nothing.err.contains("no file of the folder is a trace"), nothing.err.constData());
        for (const test::TraceText& file :
             test::chromeTraces(m_run.schedule, m_run.result, test::TraceForm::Kineto, 3))
            put(QString::fromStdString(file.name), file.text);
        const Said said = ran({"import", folder.path().toStdString(), "--json"});
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        const QJsonObject found = QJsonDocument::fromJson(said.out).object();
        const QJsonObject clean =
            QJsonDocument::fromJson(ran({"import", m_folder.path().toStdString(), "--json"}).out)
                .object();
        for (const char* same : {"passes", "devices", "makespan_ms", "iterations", "families",
                                 "trace_ranks", "events", "repair_count"})
            QCOMPARE(found[same], clean[same]);
        QCOMPARE(found["files"].toArray().size(), 4);
        const QJsonArray warnings = found["warnings"].toArray();
        QCOMPARE(warnings.size(), junk.size());
        for (const QString& name : junk)
            QVERIFY2(std::any_of(warnings.begin(), warnings.end(),
                                 [&name](const QJsonValue& warning) {
                                     return warning.toString().startsWith("left out, ") &&
                                            warning.toString().contains(name);
                                 }),
                     qPrintable(name));
        // What is named is meant.
        for (const QString& name : junk)
            if (name != "events.json" && name != "objects.json" && name != "list.json")
                QCOMPARE(ran({"import", folder.filePath(name).toStdString()}).code,
                         ExitCode::Wrong);
    }

    /// The import, the store and what opens it call an iteration the same.
    void anIterationKeepsItsNumber()
    {
        SimResult slow = m_run.result, other = m_run.result;
        const auto stretch = [](SimResult& result, Ticks factor) {
            for (std::vector<Ticks>* times : {&result.start, &result.end})
                for (Ticks& time : *times)
                    time *= factor;
            result.makespan *= factor;
        };
        stretch(slow, 3);
        other.end.back() += 1000;
        other.makespan = *std::max_element(other.end.begin(), other.end.end());
        QTemporaryDir folder;
        for (const test::TraceText& file : test::chromeTraces(
                 m_run.schedule, {slow, m_run.result, m_run.result, other, m_run.result}, {}))
            test::writeTrace(folder.filePath(QString::fromStdString(file.name)).toStdString(),
                             file.text);
        const std::string store = beside("numbers.sqlite");
        const QJsonObject imported =
            QJsonDocument::fromJson(
                ran({"import", folder.path().toStdString(), "--json", "--store", store}).out)
                .object();
        QCOMPARE(imported["iterations"].toInt(), 5);
        RunStore runs = *RunStore::openToRead(store);
        const Result<StoredIteration> kept = loadIteration(runs, 1);
        QVERIFY(kept);
        QCOMPARE(kept->iterations.front().iteration, -1); // the slow one
        QVERIFY(imported["iteration"].toInt() > 0);
        QCOMPARE(kept->iteration, imported["iteration"].toInt());
        const QByteArray number = QByteArray::number(imported["iteration"].toInt());
        QVERIFY(ran({"import", folder.path().toStdString()})
                    .out.contains("shown is iteration " + number));
        QVERIFY(ran({"show", "1", "--store", store}).out.contains("iteration " + number));
    }

    /// Without an order a trace is still what it holds: rows that are kept and come out again.
    void whatHasNoOrderIsKeptAsRows()
    {
        const std::string store = path("none.sqlite");
        const Said said = ran({"import", path("rank1_trace.json"), "--store", store});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY(said.out.contains("unknown"));
        QVERIFY(said.out.contains("as run 1"));
        const Said rows = ran({"convert", "1", "--slices", "--store", store});
        QCOMPARE(rows.code, ExitCode::Good);
        QVERIFY(QJsonDocument::fromJson(rows.out).object()["traceEvents"].toArray().size() > 10);
    }

    void whatIsNoTraceIsAFailure()
    {
        const Said said = ran({"import", path("nothing.json")});
        QCOMPARE(said.code, ExitCode::Wrong);
        QVERIFY(said.err.contains("nothing.json"));
        QCOMPARE(ran({"import"}).code, ExitCode::Usage);
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// A file that is not read with those of the trace.
    std::string beside(const char* name) const { return m_beside.filePath(name).toStdString(); }

    QTemporaryDir m_folder, m_beside;
    test::FamilyRun m_run = test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8),
                                            test::equalStages(2'000'000, 1'900'000, 1'700'000));
};

PW_TEST(TestImport)
#include "tst_import.moc"

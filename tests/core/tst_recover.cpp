// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/fit.h"
#include "core/io/chrome_json.h"
#include "core/io/offload_text.h"
#include "core/reading/import_trace.h"
#include "core/sim/simulator.h"
#include "core/trace/match.h"
#include "core/trace/recover.h"
#include "core/trace/run_export.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/family_forms.h"
#include "tests/support/family_runs.h"
#include "tests/support/read_traces.h"
#include "tests/support/recorded_run.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

constexpr Ticks forwardTime = 2'000'000, backwardTime = 1'900'000, weightTime = 1'700'000,
                hopTime = 50'000;

/// The pipeline of made-up files, read as one trace.
RecoveredPipeline recovered(const std::vector<test::TraceText>& files)
{
    const Result<Trace> trace = test::importFiles(files);
    if (!trace) {
        qWarning("%s", trace.error().message.c_str());
        return {};
    }
    return recover(*trace);
}

RecoveredPipeline recoveredText(const std::string& text)
{
    const Result<Trace> trace = importTraceText(text, "trace.json");
    return trace ? recover(*trace) : RecoveredPipeline();
}

const FamilyMatch* matchOf(const RecoveredPipeline& pipeline, std::string_view id)
{
    for (const FamilyMatch& match : pipeline.family.matches)
        if (match.family->id == id)
            return &match;
    return nullptr;
}

test::FamilyRun runOf(const char* id, FamilyOptions options)
{
    return test::runFamily(test::familyOf(id), options,
                           test::equalStages(forwardTime, backwardTime, weightTime, hopTime));
}

} // namespace

class TestRecover : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyIsKnownByItsTrace_data() { test::addFamilyForms(); }

    void everyFamilyIsKnownByItsTrace()
    {
        QFETCH(QString, id);
        QFETCH(QString, parameter);
        QFETCH(double, value);
        QFETCH(int, steps);
        const std::string name = id.toStdString();
        const Family& family = test::familyOf(name);
        const test::FamilyRun run =
            test::runFamily(family, test::formOptions(parameter, value, steps),
                            test::equalStages(forwardTime, backwardTime, weightTime, hopTime));
        // Of several iterations of the labels each is found; steps count on in one.
        const int iterations = steps == 1 ? 3 : 1;
        const RecoveredPipeline pipeline = recovered(
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto, iterations));
        QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
        QCOMPARE(static_cast<int>(pipeline.iterations.size()), iterations);
        QCOMPARE(pipeline.iteration()->makespan(), run.result.makespan);
        QCOMPARE(pipeline.violated, std::int64_t{0});
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QVERIFY2(pipeline.family.exact(), test::reasons(pipeline).c_str());
        const FamilyMatch* match = matchOf(pipeline, name);
        // A search may find the order of a family that needs none.
        if (family.search && match == nullptr)
            return;
        QVERIFY2(match != nullptr, test::reasons(pipeline).c_str());
        const Result<PipelineSpec> spec = specOf(family, match->options);
        QVERIFY(spec);
        const auto makesIt = [&](const Costs& costs) {
            const Result<Schedule> again = family.build(*spec, match->options, costs);
            return again && again->orders() == run.schedule.orders();
        };
        QVERIFY(makesIt(run.costs) || makesIt(expand(UniformCosts{}, *spec)));
        for (std::size_t device = 0; device < pipeline.ranks.size(); ++device)
            QCOMPARE(pipeline.ranks[device].busy, run.result.devices[device].busy);
    }

    void aLittleNoiseKeepsTheName_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"hanayo", "zb-v"})
            QTest::newRow(id) << id;
    }

    /// Orders that follow from times are known by times that are a hundredth off.
    void aLittleNoiseKeepsTheName()
    {
        QFETCH(QString, id);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        std::uniform_int_distribution<Ticks> noise(-100, 100);
        const auto noisy = [&](std::int32_t, const OrderEntry&, Ticks costs) {
            return costs + costs * noise(random) / 10'000;
        };
        const test::FamilyRun run = runOf(qPrintable(id), test::sized(4, 8));
        for (int round = 0; round < 5; ++round) {
            const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 3, noisy);
            const RecoveredPipeline pipeline =
                recoveredText(writeRunChromeJson(batch.passes, batch.messages, {}));
            QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
            QVERIFY2(pipeline.family.exact(), test::reasons(pipeline).c_str());
            QVERIFY2(matchOf(pipeline, id.toStdString()) != nullptr,
                     test::reasons(pipeline).c_str());
        }
    }

    void theTracersPairsGiveTheSame_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"1f1b", "gpipe", "interleaved-1f1b", "breadth-first", "hanayo"})
            QTest::newRow(id) << id;
    }

    /// Chunks are told, stages are not: the placement follows from who waits for whom.
    void theTracersPairsGiveTheSame()
    {
        QFETCH(QString, id);
        const test::FamilyRun run = runOf(qPrintable(id), test::sized(4, 8));
        const RecoveredPipeline pipeline =
            recovered(test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron, 2));
        QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
        QCOMPARE(pipeline.iterations.size(), std::size_t{2});
        QCOMPARE(pipeline.iterations[1].number, 11);
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QVERIFY2(matchOf(pipeline, id.toStdString()) != nullptr, test::reasons(pipeline).c_str());
    }

    /// Of a program that was started again, or whose step is several executions.
    void anIterationsNumberMayComeAgain()
    {
        const test::FamilyRun run = runOf("1f1b", test::sized(4, 8));
        std::vector<test::TraceText> files =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron, 3);
        constexpr std::string_view second = "\"iteration\": 11", first = "\"iteration\": 10";
        int replaced = 0;
        for (test::TraceText& file : files)
            for (std::size_t at = file.text.find(second); at != std::string::npos;
                 at = file.text.find(second, at), ++replaced)
                file.text.replace(at, second.size(), first);
        QVERIFY(replaced > 0);
        const RecoveredPipeline pipeline = recovered(files);
        QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
        QCOMPARE(pipeline.iterations.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(pipeline.iterations[i].number, static_cast<std::int32_t>(i));
            QCOMPARE(pipeline.iterations[i].makespan(), run.result.makespan);
            QCOMPARE(pipeline.iterations[i].passes.front().iteration, static_cast<std::int32_t>(i));
        }
        QVERIFY(matchOf(pipeline, "1f1b") != nullptr);
    }

    void ourOwnExportIsReadBack()
    {
        for (const char* id : {"zb-v", "dualpipe", "seq1f1b"}) {
            const test::FamilyRun run = runOf(id, test::sized(4, 8));
            const RecoveredPipeline pipeline =
                recoveredText(writeChromeJson(run.schedule, run.costs, run.result));
            QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
            QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
            QVERIFY2(matchOf(pipeline, id) != nullptr, test::reasons(pipeline).c_str());
        }
    }

    /// Copies to the host and back stand beside the passes, and are none.
    void ourOwnExportWithCopiesIsReadBack()
    {
        test::FamilyRun run = runOf("zb-v", test::sized(4, 8));
        run.costs.offload.cells = *parseOffload("all", run.schedule.spec());
        run.costs.offload.link.latency = 200'000;
        run.result = *simulate(run.schedule, run.costs);
        const RecoveredPipeline pipeline =
            recoveredText(writeChromeJson(run.schedule, run.costs, run.result));
        QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QCOMPARE(pipeline.iteration()->makespan(), run.result.makespan);
    }

    /// Whole microseconds round; the order stays.
    void theOldTimeBaseGivesTheSame()
    {
        const test::FamilyRun run = runOf("zb-h1", test::sized(4, 8));
        const RecoveredPipeline pipeline =
            recovered(test::chromeTraces(run.schedule, run.result, test::TraceForm::OldKineto));
        QVERIFY2(matchOf(pipeline, "zb-h1") != nullptr, test::reasons(pipeline).c_str());
        QCOMPARE(pipeline.iteration()->makespan(), run.result.makespan / 1000 * 1000);
    }

    void runAgainWithItsOwnTimesItTakesAsLong()
    {
        for (const char* id : {"1f1b", "zb-v", "chimera", "dualpipe", "seq1f1b"}) {
            const test::FamilyRun run = runOf(id, test::sized(4, 8));
            const RecoveredPipeline pipeline =
                recovered(test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto));
            QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
            const Result<SimResult> again =
                simulate(*pipeline.schedule, measuredCosts(pipeline, hopTime));
            QVERIFY(again);
            QCOMPARE(again->makespan, run.result.makespan);
            // In DualPipe some passes are only ever timed in pairs.
            if (std::string_view(id) == "dualpipe")
                continue;
            Costs medians = medianCosts(pipeline);
            medians.link.latency = hopTime;
            QCOMPARE(simulate(*pipeline.schedule, medians)->makespan, run.result.makespan);
        }
    }

    /// Equal stages come back exactly, and with them the times of another order.
    void fittedCostsPredictTheOrderAndAnother()
    {
        const test::FamilyRun run = runOf("1f1b", test::sized(4, 8));
        const Result<Trace> trace =
            importTraceText(writeChromeJson(run.schedule, run.costs, run.result), "run.json");
        QVERIFY(trace);
        const Result<FittedCosts> fitted = fitTrace(*trace, recover(*trace));
        QVERIFY2(fitted, fitted ? "" : fitted.error().message.c_str());
        QCOMPARE(fitted->measured, run.result.makespan);
        QCOMPARE(fitted->predicted, run.result.makespan);
        QCOMPARE(fitted->file.link.latency, hopTime);
        const Result<CostsFile> back = readCosts(writeCosts(fitted->file));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QVERIFY(*back == fitted->file);
        const test::FamilyRun other = runOf("gpipe", test::sized(4, 8));
        const Result<Costs> costs = costsOf(*back, other.schedule.spec());
        QVERIFY(costs);
        QCOMPARE(simulate(other.schedule, *costs)->makespan, other.result.makespan);
    }

    void withoutAnOrderNothingIsFitted()
    {
        const Result<Trace> trace = importTraceText("[]", "empty.json");
        QVERIFY(trace);
        const Result<FittedCosts> fitted = fitTrace(*trace, recover(*trace));
        QVERIFY(!fitted);
        QVERIFY(fitted.error().message.english().find("no span is labelled") != std::string::npos);
    }

    void warmUpIsLeftOut()
    {
        const test::FamilyRun run = runOf("1f1b", test::sized(2, 4));
        std::vector<test::TraceText> slow =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron, 4);
        // The first iteration begins a second before the others.
        const std::string first = "\"ts\": 0.000";
        const auto at = slow[0].text.find(first);
        QVERIFY(at != std::string::npos);
        slow[0].text.replace(at, first.size(), "\"ts\": -1000000.000");
        const RecoveredPipeline pipeline = recovered(slow);
        QCOMPARE(pipeline.iterations.size(), std::size_t{4});
        QVERIFY(pipeline.iterations[0].warmUp);
        QVERIFY(!pipeline.iterations[1].warmUp);
        QVERIFY(pipeline.shown > 0);
        QCOMPARE(pipeline.times[0].time.count, std::int64_t{12});
    }

    void ranksThatAreMissingLeaveTheFamilyUnknown()
    {
        const test::FamilyRun run = runOf("1f1b", test::sized(4, 8));
        std::vector<test::TraceText> files =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto);
        files.erase(files.begin() + 1);
        const RecoveredPipeline pipeline = recovered(files);
        QVERIFY(!pipeline.schedule);
        QVERIFY(pipeline.family.matches.empty());
        QVERIFY(!pipeline.unknown.empty());
    }

    void aCutFileLeavesTheFamilyUnknown()
    {
        const test::FamilyRun run = runOf("interleaved-1f1b", test::sized(4, 8));
        const std::string whole =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron)[0].text;
        for (std::size_t part = 1; part < 20; ++part) {
            const RecoveredPipeline pipeline =
                recoveredText(whole.substr(0, whole.size() * part / 20));
            QVERIFY2(pipeline.family.matches.empty(), test::reasons(pipeline).c_str());
            QVERIFY(!pipeline.unknown.empty());
        }
    }

    /// Passes that change places with others keep a name only while few do.
    void aShuffledOrderHasNoName()
    {
        constexpr unsigned seed = 7;
        std::mt19937 random(seed);
        const test::FamilyRun run = runOf("1f1b", test::sized(4, 32));
        std::vector<RecordedPass> passes = recordsOf(run.schedule, run.result);
        for (const std::size_t swaps : {std::size_t{1}, std::size_t{200}}) {
            std::vector<RecordedPass> changed = passes;
            for (std::size_t done = 0; done < swaps;) {
                const std::size_t a = random() % changed.size();
                const std::size_t b =
                    swaps == 1 ? (a + 1) % changed.size() : random() % changed.size();
                if (changed[a].rank != changed[b].rank ||
                    changed[a].pass.microBatch == changed[b].pass.microBatch)
                    continue;
                std::swap(changed[a].pass, changed[b].pass);
                ++done;
            }
            DeviceOrders orders(4);
            for (const RecordedPass& record : changed)
                orders[static_cast<std::size_t>(record.rank)].push_back(single(record.pass));
            const Result<Schedule> schedule = Schedule::make(run.schedule.spec(), orders);
            if (!schedule)
                continue; // an order that no rank can have is refused before
            const Recognition named = recognise(*schedule, {run.costs});
            if (swaps == 1) {
                QVERIFY(!named.matches.empty());
                QCOMPARE(named.matches.front().outOfOrder, std::int64_t{1});
            } else {
                QVERIFY2(named.matches.empty(), describe(named.matches.front()).c_str());
            }
        }
    }

    /// Random damage: an error or a trace, and never the name of another family.
    void damageNeverGivesAWrongName()
    {
        constexpr unsigned seed = 20'261;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        const auto below = [&random](std::size_t bound) { return random() % bound; };
        for (const char* id : {"1f1b", "interleaved-1f1b"}) {
            const test::FamilyRun run = runOf(id, test::sized(2, 4));
            const std::string sound =
                test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron)[0].text;
            for (int round = 0; round < 300; ++round) {
                std::string text = sound;
                for (std::size_t change = 1 + below(4); change > 0; --change) {
                    const std::size_t at = below(text.size());
                    switch (below(5)) {
                    case 0:
                        text[at] = static_cast<char>(below(256));
                        break;
                    case 1:
                        text.erase(at, 1 + below(30));
                        break;
                    case 2:
                        text.insert(at, std::string("{}[],:\"NaN").substr(below(10), 1 + below(3)));
                        break;
                    case 3:
                        text.insert(at, text.substr(below(text.size()), below(80)));
                        break;
                    default:
                        text.resize(std::max<std::size_t>(at, 1));
                    }
                }
                const Result<Trace> trace = importTraceText(text, "damaged.json");
                if (!trace) {
                    QVERIFY(trace.error().message.english().size() > 10);
                    continue;
                }
                for (const TraceSpan& span : trace->spans)
                    QVERIFY(span.start >= 0 && span.end >= span.start);
                const RecoveredPipeline pipeline = recover(*trace);
                if (pipeline.family.exact())
                    QVERIFY2(matchOf(pipeline, id) != nullptr, test::reasons(pipeline).c_str());
            }
        }
    }

    void theRealTraceGivesItsFigures()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("step.json").toStdString();
        test::writeMegatronStep(file);
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const RecoveredPipeline pipeline = recover(*trace);
        QCOMPARE(pipeline.passes, std::int64_t{256});
        QCOMPARE(pipeline.stages, 16);
        QCOMPARE(pipeline.microBatches, 8);
        QVERIFY(pipeline.schedule);
        QCOMPARE(pipeline.schedule->devices(), 4);
        QVERIFY(pipeline.schedule->spec().routes.front() == Placement::looped(4, 4));
        QCOMPARE(pipeline.violated, std::int64_t{0});
        QVERIFY(pipeline.dependencies > 256);
        const FamilyMatch& family = pipeline.family.matches.front();
        QCOMPARE(family.family->id, std::string_view("interleaved-1f1b"));
        QCOMPARE(QString::fromStdString(describe(family)),
                 QString("Interleaved 1F1B (chunks 4, group 4)"));
        QCOMPARE(family.outOfOrder, std::int64_t{0});
        const auto hundredths = [](Ticks time) {
            return static_cast<int>((time + 5'000) / 10'000);
        };
        QCOMPARE(hundredths(pipeline.iteration()->makespan()), 67'667);
        const std::vector<int> idle = {503, 524, 517, 206}, peak = {19, 17, 15, 13};
        for (std::size_t rank = 0; rank < 4; ++rank) {
            QCOMPARE(qRound(pipeline.ranks[rank].idle * 1000), idle[rank]);
            QCOMPARE(pipeline.ranks[rank].peakLive, peak[rank]);
        }
        const std::vector<std::pair<Ticks, int>> replays = {{0, 57'434},
                                                            {3'600'000, 67'599},
                                                            {4'000'000, 68'945},
                                                            {6'000'000, 77'139},
                                                            {8'000'000, 85'539}};
        for (const auto& [link, expected] : replays) {
            const Result<SimResult> again =
                simulate(*pipeline.schedule, measuredCosts(pipeline, link));
            QVERIFY(again);
            QCOMPARE(hundredths(again->makespan), expected);
        }
        const auto median = [&](PassKind kind, bool last) {
            std::vector<Ticks> times;
            for (const RecordedPass& record : pipeline.iteration()->passes)
                if (record.pass.kind == kind && (record.pass.stage == 15) == last)
                    times.push_back(record.end - record.start);
            std::sort(times.begin(), times.end());
            const std::size_t half = times.size() / 2;
            return hundredths((times[half - 1] + times[half]) / 2);
        };
        QCOMPARE(median(PassKind::F, false), 320);
        QCOMPARE(median(PassKind::F, true), 1716);
        QCOMPARE(median(PassKind::BW, false), 693);
        QCOMPARE(median(PassKind::BW, true), 1920);
    }
};

PW_TEST(TestRecover)
#include "tst_recover.moc"

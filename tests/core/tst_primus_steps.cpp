// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/what_if.h"
#include "core/reading/counted_passes.h"
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/recover_parts.h"
#include "tests/support/data_files.h"
#include "tests/support/family_runs.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>

using namespace pw;

namespace {

constexpr Ticks ms = ticksPerMs;
constexpr double gib = 1024.0 * 1024 * 1024;

/// How Primus writes a run: without or with micro-batch and chunk of each pass.
enum class PrimusForm
{
    Counted,
    Numbered
};

std::string listText(const char* name, const std::vector<std::string>& values)
{
    std::string text = std::string("\"") + name + "\": [";
    for (const std::string& value : values)
        text += (text.back() == '[' ? "" : ", ") + value;
    return text + "]";
}

/// The files of a schedule's run, a file a rank.
std::vector<test::TraceText> primusFiles(const test::FamilyRun& run, PrimusForm form,
                                         int iterations = 3)
{
    const PipelineSpec& spec = run.schedule.spec();
    std::vector<test::TraceText> files;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        std::map<std::string, std::vector<std::string>> lists;
        for (const EntryId i : run.schedule.entries(device)) {
            const OrderEntry entry = run.schedule.entry(i);
            const auto append = [&](const Pass& pass) {
                const std::string kind = pass.kind == PassKind::F   ? "fwd"
                                         : pass.kind == PassKind::W ? "wgrad"
                                                                    : "bwd";
                const auto at = static_cast<std::size_t>(i);
                lists[kind + "_start"].push_back(
                    std::to_string(static_cast<double>(run.result.start[at]) / ms));
                lists[kind + "_end"].push_back(
                    std::to_string(static_cast<double>(run.result.end[at]) / ms));
                lists[kind + "_minibatch"].push_back(std::to_string(pass.microBatch));
                lists[kind + "_chunk"].push_back(std::to_string(pass.stage / spec.devices));
            };
            append(entry.pass);
            if (entry.paired)
                append(entry.partner);
        }
        std::string step =
            "{\"total\": " + std::to_string(static_cast<double>(run.result.makespan) / ms) +
            ", \"memory\": " + std::to_string(10 + device);
        for (const auto& [name, values] : lists)
            if (form == PrimusForm::Numbered || name.find("_start") != std::string::npos ||
                name.find("_end") != std::string::npos)
                step += ", " + listText(name.c_str(), values);
        step += "}";
        std::string text = "{";
        for (int iteration = 1; iteration <= iterations; ++iteration)
            text += (iteration == 1 ? "\"" : ", \"") + std::to_string(iteration) + "\": " + step;
        files.push_back({"pp_rank_" + std::to_string(device) + ".json.gz", text + "}"});
    }
    return files;
}

test::FamilyRun runOf(const char* id, const FamilyOptions& options)
{
    return test::runFamily(test::familyOf(id), options, test::equalStages(4 * ms, 5 * ms, 3 * ms));
}

Result<Trace> realTrace()
{
    return importTrace({test::largeTraceFolder() + "/primus-pp8"});
}

bool thereIsRealTrace()
{
    return QFile::exists(QString::fromStdString(test::largeTraceFolder() + "/primus-pp8"));
}

const RecoveredIteration& numbered(const RecoveredPipeline& pipeline, std::int32_t number)
{
    const auto found =
        std::find_if(pipeline.iterations.begin(), pipeline.iterations.end(),
                     [number](const RecoveredIteration& one) { return one.number == number; });
    return *found;
}

} // namespace

class TestPrimusSteps : public QObject
{
    Q_OBJECT

private slots:
    void theTableOfMegatronIsItsOwnExample()
    {
        const std::vector<std::pair<std::int32_t, std::int32_t>> expected = {
            {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {0, 4}, {1, 3}, {1, 4}};
        QVERIFY(megatronTable(5, 2, 3) == expected);
        QCOMPARE(megatronTable(0, 2, 3).size(), std::size_t{0});
    }

    void countedPassesGiveBackTheOrder_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<int>("form");
        for (const PrimusForm form : {PrimusForm::Counted, PrimusForm::Numbered}) {
            const char* how = form == PrimusForm::Counted ? "counted" : "numbered";
            QTest::addRow("1f1b, %s", how) << QStringLiteral("1f1b") << 1 << static_cast<int>(form);
            for (const int chunks : {2, 3})
                QTest::addRow("interleaved %d, %s", chunks, how)
                    << QStringLiteral("interleaved-1f1b") << chunks << static_cast<int>(form);
        }
        QTest::addRow("zb-h1, numbered")
            << QStringLiteral("zb-h1") << 1 << static_cast<int>(PrimusForm::Numbered);
    }

    void countedPassesGiveBackTheOrder()
    {
        QFETCH(QString, family);
        QFETCH(int, chunks);
        QFETCH(int, form);
        const std::string id = family.toStdString();
        const test::FamilyRun run =
            runOf(id.c_str(), chunks > 1 ? test::sized(4, 8, "chunks", chunks) : test::sized(4, 8));
        const Result<Trace> trace =
            test::importFiles(primusFiles(run, static_cast<PrimusForm>(form)));
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), QStringLiteral("Primus"));
        QVERIFY2(trace->warnings.empty(),
                 trace->warnings.empty() ? "" : trace->warnings[0].c_str());
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QCOMPARE(pipeline.iterations.size(), std::size_t{3});
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QCOMPARE(pipeline.violated, std::int64_t{0});
        QCOMPARE(pipeline.iteration()->makespan(), run.result.makespan);
        QVERIFY(pipeline.family.exact());
        QCOMPARE(pipeline.peakBytes.size(), std::size_t{4});
        QCOMPARE(static_cast<double>(pipeline.peakBytes[3]) / gib, 13.0);
    }

    void theShapeBesideTheRanksIsNoRank()
    {
        const test::FamilyRun run = runOf("1f1b", test::sized(4, 8));
        std::vector<test::TraceText> files = primusFiles(run, PrimusForm::Counted);
        files.insert(files.begin(), {"config.json", R"({"world_size": 4, "pp_size": 4,
            "vp_size": 1, "num_mbs": 8, "train_iters": 3})"});
        const Result<Trace> trace = test::importFiles(files);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->ranks.size(), std::size_t{4});
        QVERIFY(recover(*trace).schedule);
        files.erase(files.begin() + 2);
        const Result<Trace> fewer = test::importFiles(files);
        QVERIFY(fewer);
        QCOMPARE(QString::fromStdString(fewer->warnings.front()),
                 QStringLiteral("the run has 4 pipeline ranks, and files of 3 are here"));
        const Result<Trace> alone = test::importFiles({files.front()});
        QVERIFY(!alone);
        QVERIFY(QString::fromStdString(alone.error().message)
                    .contains(QStringLiteral("says the shape of a run and is not a rank")));
    }

    void forwardsThatRunIntoTheirBackwardAreCut()
    {
        const Result<Trace> trace = importTraceText(
            R"({"1": {"total": 10, "memory": 1, "fwd_start": [0], "fwd_end": [5.5],
                "bwd_start": [5], "bwd_end": [9]}})",
            "pp_rank_0.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->spans.size(), std::size_t{2});
        QCOMPARE(trace->spans[0].end, 5 * ms);
        QVERIFY(trace->warnings.front().find("cut there") != std::string::npos);
    }

    void whatIsNoStepIsRefusedOrLeftOut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("cut") << QStringLiteral(R"({"1": {"fwd_start": [1, 2)")
                             << QStringLiteral("line 1");
        QTest::newRow("empty lists") << QStringLiteral(R"({"1": {"fwd_start": [], "fwd_end": []}})")
                                     << QStringLiteral("no pass of Primus in it");
        QTest::newRow("no numbers")
            << QStringLiteral(R"({"1": {"fwd_start": ["a"], "fwd_end": [{}]}})")
            << QStringLiteral("no pass of Primus in it");
        QTest::newRow("backwards in time")
            << QStringLiteral(R"({"1": {"fwd_start": [2], "fwd_end": [1]}})")
            << QStringLiteral("no pass of Primus in it");
        QTest::newRow("far away") << QStringLiteral(
                                         R"({"1": {"fwd_start": [1e300], "fwd_end": [2e300]}})")
                                  << QStringLiteral("no pass of Primus in it");
    }

    void whatIsNoStepIsRefusedOrLeftOut()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Result<Trace> trace = importTraceText(text.toStdString(), "pp_rank_0.json");
        QVERIFY(!trace);
        QVERIFY2(QString::fromStdString(trace.error().message).contains(expected),
                 trace.error().message.c_str());
    }

    void damagedStepsAreMended_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("passes");
        const QString step =
            QStringLiteral("'%1': {'total': 9, 'fwd_start': [1, 5], 'fwd_end': [2, 6], "
                           "'bwd_start': [3, 7], 'bwd_end': [4, %2]}")
                .replace('\'', '"');
        const QString first = "{" + step.arg("1", "8");
        QTest::newRow("sound") << first + "}" << 4;
        QTest::newRow("a time that is none") << "{" + step.arg("1", "NaN") + "}" << 3;
        QTest::newRow("cut in the second step") << first + ", " + step.arg("2", "8").left(60) << 4;
        QTest::newRow("cut behind the second step") << first + ", " + step.arg("2", "8") << 4;
    }

    void damagedStepsAreMended()
    {
        QFETCH(QString, text);
        QFETCH(int, passes);
        const Result<Trace> trace = importTraceText(text.toStdString(), "pp_rank_0.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(static_cast<int>(trace->spans.size()), passes);
        QCOMPARE(trace->repairs.count > 0, !text.endsWith("8]}}"));
    }

    void theMeasuredRunHasItsFigures()
    {
        if (!thereIsRealTrace())
            QSKIP("no folder of larger traces; PW_DATA names one");
        Result<Trace> trace = realTrace();
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const AlignedPipeline aligned = recoverAligned(*trace);
        RecoveredPipeline pipeline = aligned.pipeline;
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QVERIFY(aligned.clocks.outcome == ClockOutcome::Kept);
        QCOMPARE(pipeline.violated, std::int64_t{0});
        QVERIFY(pipeline.family.exact());
        QCOMPARE(pipeline.iterations.size(), std::size_t{20});
        QVERIFY(pipeline.iterations.front().warmUp);
        const auto rounded = [](Ticks time) {
            return QString::number(static_cast<double>(time) / ms, 'f', 2);
        };
        for (std::size_t i = 1; i < pipeline.iterations.size(); ++i) {
            pipeline.shown = i;
            findFigures(pipeline);
            const Result<SimResult> again =
                simulate(*pipeline.schedule, measuredCosts(pipeline, 0));
            QVERIFY(again);
            const Ticks makespan = pipeline.iterations[i].makespan();
            const double ratio =
                static_cast<double>(again->makespan) / static_cast<double>(makespan);
            QVERIFY2(ratio > 0.98825 && ratio < 0.99045, std::to_string(ratio).c_str());
            if (pipeline.iterations[i].number == 7) {
                QCOMPARE(rounded(makespan), QStringLiteral("3237.26"));
                QCOMPARE(rounded(again->makespan), QStringLiteral("3204.29"));
            }
        }
        QCOMPARE(numbered(pipeline, 7).passes.size(), std::size_t{256});
        const double peaks[] = {104.33, 95.57, 88.11, 80.33, 73.15, 65.85, 58.07, 52.20};
        for (std::size_t device = 0; device < 8; ++device)
            QVERIFY(std::abs(static_cast<double>(pipeline.peakBytes[device]) / gib -
                             peaks[device]) < 0.006);
    }

    void theMeasuredRunIsPredictedAnotherWay()
    {
        if (!thereIsRealTrace())
            QSKIP("no folder of larger traces; PW_DATA names one");
        Result<Trace> trace = realTrace();
        QVERIFY(trace);
        const AlignedPipeline aligned = recoverAligned(*trace);
        const Result<FittedCosts> fitted = fitTrace(*trace, aligned.pipeline);
        QVERIFY(fitted);
        const Result<WhatIfBase> base = whatIfBase(aligned.pipeline, *fitted);
        QVERIFY2(base, base ? "" : base.error().message.c_str());
        // The order itself comes out within a fifth of a percent.
        QVERIFY2(std::abs(*base->residual()) < 0.002, std::to_string(*base->residual()).c_str());
        QVERIFY(base->memory);
        QVERIFY(std::abs(static_cast<double>(base->memory->perMicroBatch) / gib - 7.47) < 0.005);
        WhatIf what;
        what.family = FamilyChoice{"interleaved-1f1b", test::sized(8, 16, "chunks", 2)};
        const Result<Prediction> made = predict(*base, what);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        // Each rank has 3.5 micro-batches more in flight than in 1F1B.
        QCOMPARE(made->memory.size(), std::size_t{8});
        for (std::size_t device = 0; device < 8; ++device) {
            const double more =
                static_cast<double>(made->memory[device] - aligned.pipeline.peakBytes[device]) /
                static_cast<double>(base->memory->perMicroBatch);
            QVERIFY2(std::abs(more - 3.5) < 1e-6, std::to_string(more).c_str());
        }
        // Nothing runs faster than the last rank with all its work and the way there and back.
        QVERIFY(made->result.makespan > 2740 * ms && made->result.makespan < 2900 * ms);
    }
};

PW_TEST(TestPrimusSteps)
#include "tst_primus_steps.moc"

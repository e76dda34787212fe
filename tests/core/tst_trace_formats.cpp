// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/megatron_timers.h"
#include "core/reading/import_trace.h"
#include "core/reading/sniff.h"
#include "core/trace/recover.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_maker.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using test::TraceFormat;

namespace {

constexpr Ticks ms = ticksPerMs;

test::FamilyRun runOf(const char* id, int devices, int microBatches)
{
    return test::runFamily(test::familyOf(id), test::sized(devices, microBatches),
                           test::equalStages(4 * ms, 5 * ms, 3 * ms, ms));
}

bool warns(const Trace& trace, const char* part)
{
    return std::any_of(trace.warnings.begin(), trace.warnings.end(), [&](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

bool named(const RecoveredPipeline& pipeline, std::string_view id)
{
    return std::any_of(pipeline.family.matches.begin(), pipeline.family.matches.end(),
                       [&](const FamilyMatch& match) { return match.family->id == id; });
}

} // namespace

class TestTraceFormats : public QObject
{
    Q_OBJECT

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }

    /// A trace of files written under their names, or an empty one after a warning.
    Trace written(const std::vector<test::TraceText>& files) const
    {
        std::vector<std::string> paths;
        for (const test::TraceText& file : files) {
            paths.push_back(path(file.name.c_str()));
            test::writeTrace(paths.back(), file.text);
        }
        Result<Trace> trace = importTrace(paths);
        if (!trace) {
            qWarning("%s", trace.error().message.c_str());
            return {};
        }
        return std::move(*trace);
    }

    QString refused(const std::string& text, const char* name) const
    {
        test::writeTrace(path(name), text);
        const Result<Trace> trace = importTrace({path(name)});
        return trace ? QString() : QString::fromStdString(trace.error().message);
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void everyFormatGivesBackItsSchedule_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("origin");
        QTest::addColumn<int>("trust");
        const auto row = [](TraceFormat format, const char* family, const char* origin,
                            Trust trust = Trust::Host) {
            QTest::addRow("%s, %s", test::name(format), family)
                << static_cast<int>(format) << family << origin << static_cast<int>(trust);
        };
        for (const char* family : {"1f1b", "interleaved-1f1b"}) {
            row(TraceFormat::Kineto, family, "Kineto", Trust::Contained);
            row(TraceFormat::MegatronTracer, family, "Megatron tracer");
            row(TraceFormat::MegatronTimers, family, "Megatron timers", Trust::Device);
            row(TraceFormat::PaddleProfile, family, "Paddle");
            row(TraceFormat::PaddleRecords, family, "Paddle");
            row(TraceFormat::PaddleJobs, family, "Paddle");
            row(TraceFormat::PaddleLog, family, "Paddle log");
            row(TraceFormat::OwnTable, family, "Pipewright table");
            row(TraceFormat::OwnWire, family, "Pipewright");
            row(TraceFormat::OwnTrace, family, "Chrome trace");
            row(TraceFormat::Nsys, family, "Nsight Systems", Trust::Contained);
        }
        row(TraceFormat::PaddleJobs, "zb-h1", "Paddle");
        row(TraceFormat::PaddleLog, "zb-v", "Paddle log");
        for (const char* family : {"dualpipe", "seq1f1b", "chimera"}) {
            row(TraceFormat::OwnTable, family, "Pipewright table");
            row(TraceFormat::OwnWire, family, "Pipewright");
            row(TraceFormat::OwnTrace, family, "Chrome trace");
        }
    }

    void everyFormatGivesBackItsSchedule()
    {
        QFETCH(int, format);
        QFETCH(QString, family);
        QFETCH(QString, origin);
        QFETCH(int, trust);
        const auto of = static_cast<TraceFormat>(format);
        const std::string id = family.toStdString();
        const test::FamilyRun run = runOf(id.c_str(), 4, 8);
        test::TraceSize size;
        size.iterations = of == TraceFormat::MegatronTimers ? 1 : 3;
        const test::MadeTrace made = test::makeTrace(path(""), of, run.schedule, run.result, size);
        for (const std::string& file : made.files)
            QVERIFY2(looksLikeTrace(file), file.c_str());
        const Result<Trace> trace = importTrace(made.files);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), origin);
        QCOMPARE(trace->repairs.count, std::int64_t{0});
        QCOMPARE(trace->leftOut, std::int64_t{0});
        QVERIFY2(trace->warnings.empty(),
                 trace->warnings.empty() ? "" : trace->warnings[0].c_str());
        QCOMPARE(trace->ranks.size(), std::size_t{4});
        for (std::int32_t rank = 0; rank < 4; ++rank) {
            QCOMPARE(trace->ranks[static_cast<std::size_t>(rank)].number, rank);
            QVERIFY(!trace->ranks[static_cast<std::size_t>(rank)].guessed);
        }
        const RecoveredPipeline found = recover(*trace);
        QVERIFY2(found.schedule, test::reasons(found).c_str());
        QCOMPARE(static_cast<int>(found.iterations.size()), size.iterations);
        QVERIFY(found.schedule->orders() == run.schedule.orders());
        QVERIFY2(named(found, id), test::reasons(found).c_str());
        QVERIFY(found.measured.start == run.result.start);
        QVERIFY(found.measured.end == run.result.end);
        for (const Trust one : found.iterations[0].trust) {
            // Which stage a rank has is counted where labels do not say it.
            if (one != Trust::Counted)
                QCOMPARE(static_cast<int>(one), trust);
        }
    }

    void everyFormatIsAlsoReadPacked_data()
    {
        QTest::addColumn<int>("format");
        for (const TraceFormat format : test::allTraceFormats)
            if (format != TraceFormat::Nsys)
                QTest::newRow(test::name(format)) << static_cast<int>(format);
    }

    void everyFormatIsAlsoReadPacked()
    {
        QFETCH(int, format);
        const test::FamilyRun run = runOf("1f1b", 2, 4);
        const auto importOf = [&](bool packed) {
            QTemporaryDir folder;
            test::TraceSize size;
            size.packed = packed;
            const Result<Trace> trace = importTrace(
                test::makeTrace(folder.path().toStdString(), static_cast<TraceFormat>(format),
                                run.schedule, run.result, size)
                    .files);
            return trace ? *trace : Trace();
        };
        const Trace plain = importOf(false), packed = importOf(true);
        QVERIFY(!plain.spans.empty());
        QVERIFY(plain.spans == packed.spans && plain.names == packed.names);
    }

    void stoppingAndProgressHoldForEveryFormat_data()
    {
        everyFormatIsAlsoReadPacked_data();
        QTest::newRow(test::name(TraceFormat::Nsys)) << static_cast<int>(TraceFormat::Nsys);
    }

    void stoppingAndProgressHoldForEveryFormat()
    {
        QFETCH(int, format);
        const test::FamilyRun run = runOf("1f1b", 2, 16);
        test::TraceSize size;
        size.iterations = 40;
        const test::MadeTrace made = test::makeTrace(path(""), static_cast<TraceFormat>(format),
                                                     run.schedule, run.result, size);
        std::int64_t last = 0;
        int calls = 0;
        ImportOptions options;
        options.progress = [&](const ImportProgress& progress) {
            ++calls;
            const bool sound = progress.bytesRead >= last && progress.bytesRead <= progress.bytes;
            last = sound ? progress.bytesRead : -1;
            return sound;
        };
        QVERIFY(importTrace(made.files, options));
        QVERIFY(calls > 1 && last >= 0);
        for (const int after : {0, 1, calls - 2}) {
            int left = std::max(after, 0);
            options.progress = [&](const ImportProgress&) { return left-- > 0; };
            const Result<Trace> stopped = importTrace(made.files, options);
            QVERIFY(!stopped);
            QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        }
    }

    // ---- Megatron's timers

    void namesOfTimerFilesSayTheRank()
    {
        const TimerFileName name =
            readTimerFileName("event_times_PP4_VPP2_TPxCPxDP_rank_3_pp_rank_2_rank_19.json");
        QCOMPARE(name.pipelineRank, 2);
        QCOMPARE(name.replica, 3);
        QCOMPARE(readTimerFileName("rank2.json").pipelineRank, -1);
    }

    void everyReplicaIsTaken()
    {
        std::vector<test::TraceText> files;
        for (const int replica : {1, 0})
            for (const int rank : {0, 1})
                files.push_back({"event_times_PP2_VPP1_TPxCPxDP_rank_" + std::to_string(replica) +
                                     "_pp_rank_" + std::to_string(rank) + "_rank_" +
                                     std::to_string(2 * rank + replica) + ".json",
                                 "{\"forward-0-start\": " + std::to_string(rank) +
                                     ".5, \"forward-0-end\": 1.75, \"backward-0-start\": 2, "
                                     "\"backward-0-end\": 3.000001}"});
        const Trace trace = written(files);
        QCOMPARE(trace.files.size(), std::size_t{4});
        QVERIFY(warns(trace, "each of the 2 is shown as a replica"));
        QCOMPARE(trace.ranks.size(), std::size_t{4});
        QCOMPARE(QString::fromStdString(trace.ranks[1].source), QString("file name"));
        const std::vector<RecoveredPipeline> replicas = recoverReplicas(trace);
        QCOMPARE(replicas.size(), std::size_t{2});
        for (const RecoveredPipeline& one : replicas) {
            QVERIFY(one.schedule);
            QCOMPARE(one.schedule->devices(), 2);
        }
        QCOMPARE(trace.spans[0].end - trace.spans[0].start, Ticks{1'250'000});
        QCOMPARE(trace.spans[1].end - trace.spans[1].start, Ticks{1'000'001});
        QCOMPARE(trace.spans[0].trust, Trust::Device);
    }

    void marksAloneAreLeftOut()
    {
        const Trace trace = written({{"event_times_PP1_VPP1_TPxCPxDP_rank_0_pp_rank_0_rank_0.json",
                                      R"({"forward-0-start": 1, "forward-0-end": 2,
                                          "forward-1-start": 3, "backward-0-end": 4,
                                          "backward-1-start": 9, "backward-1-end": 8,
                                          "forward-x-start": 1, "loss": 7})"}});
        QCOMPARE(trace.spans.size(), std::size_t{1});
        QCOMPARE(trace.leftOut, std::int64_t{3});
        QVERIFY(warns(trace, "3 passes lack their start or their end"));
    }

    void damagedMarksAreMended()
    {
        const Trace trace =
            written({{"t_pp_rank_0_.json",
                      R"({"forward-0-start": 1, "forward-0-end": 2, "forward-1-start": Infinity,
                  "forward-1-end": 4, "forward-2-start": 5, "forward-2-end": 6)"}});
        QVERIFY(trace.repairs.count >= 2);
        QVERIFY(!trace.spans.empty());
        QCOMPARE(QString::fromStdString(std::string(trace.nameOf(trace.spans[0]))),
                 QString("forward-0"));
    }

    // ---- Megatron's log

    void timersOfALogAreSumsAndNoPasses()
    {
        const Trace trace =
            written({{"train.log", "[W1] some line\n"
                                   "times across ranks (ms):\n"
                                   "  model-setup:\n"
                                   "     rank  0: 2000.00\n"
                                   " [2026] iteration        5/ 10 | elapsed time per iteration "
                                   "(ms): 100.5 | lr |\n"
                                   "times across ranks (ms):\n"
                                   "  forward-compute:\n"
                                   "     rank  0: 40.25\n"
                                   "     rank  1: 41.00\n"
                                   "  backward-compute:\n"
                                   "     rank  1: 50.00\n"
                                   " [2026] iteration        6/ 10 | elapsed time per iteration "
                                   "(ms): 99.0 | lr |\n"
                                   "times across ranks (ms):\n"
                                   "  forward-compute:\n"
                                   "     rank  0: 39.0"}});
        QCOMPARE(QString::fromStdString(trace.origin), QString("Megatron timer log"));
        QVERIFY(warns(trace, "timers are sums over an iteration"));
        QCOMPARE(trace.ranks.size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(trace.ranks[1].source), QString("log"));
        // One of the setup, three timers and two iterations; the last line is cut.
        QCOMPARE(trace.spans.size(), std::size_t{6});
        QCOMPARE(trace.repairs.count, std::int64_t{1});
        const TraceSpan& compute = trace.spans[1];
        QCOMPARE(compute.trust, Trust::Guessed);
        QCOMPARE(compute.start, Ticks{2'000 * ms});
        QCOMPARE(compute.end - compute.start, Ticks{40'250'000});
        const auto step =
            std::find_if(trace.spans.begin(), trace.spans.end(),
                         [&](const auto& one) { return trace.nameOf(one) == "iteration 5"; });
        QVERIFY(step != trace.spans.end());
        QCOMPARE(step->end - step->start, Ticks{100'500'000});
        QCOMPARE(trace.labelOf(*step)->iteration, 5);
        QVERIFY(!recover(trace).schedule);
    }

    void extremesOverTheRanksAreOfNoSingleRank()
    {
        for (const char* text :
             {"(min, max) time across ranks (ms):\n    forward-compute "
              "................................: (1.00, 2.00)\n",
              "max time across ranks (ms):\n    forward-compute .......: 2.00\n"}) {
            const Trace trace = written({{"train.log", text}});
            QVERIFY(trace.spans.empty());
            QCOMPARE(trace.log.timers.size(), std::size_t{1});
            QCOMPARE(trace.log.timers[0].values.back().most, Ticks{2 * ms});
            const std::vector<std::string> said = logSentences(trace.log);
            QVERIFY(std::any_of(said.begin(), said.end(), [](const std::string& line) {
                return line.find("--timing-log-option all") != std::string::npos;
            }));
            QVERIFY(!recover(trace).schedule);
        }
        QVERIFY(refused("times across ranks (ms):\n  a:\n     rank  0: x\n", "c.log")
                    .contains("no timer of a rank"));
    }

    // ---- Paddle

    void aStampIsInMilliseconds()
    {
        const Trace trace = written({{"pipeline_profile.json",
                                      R"([ {"name": "F0", "cat": "pipeline timeline", "ph": "B",
 "pid": 0, "tid": 2, "ts": 1700000000123, "cname": "rail_idle"},
{"name": "F0", "cat": "pipeline timeline", "ph": "E", "pid": 0, "tid": 2, "ts": 1700000000125,
 "cname": "rail_idle"} ])"}});
        QCOMPARE(trace.spans.size(), std::size_t{1});
        QCOMPARE(trace.base, Ticks{1'700'000'000'123 * ms});
        QCOMPARE(trace.spans[0].end, 2 * ms);
        QCOMPARE(trace.ranks[0].number, 1);
        QCOMPARE(QString::fromStdString(trace.ranks[0].source), QString("thread"));
    }

    void theVariantForPerfettoNamesItsDevices()
    {
        const Trace trace = written({{"pipeline_profile_perfetto.json",
                                      R"({"traceEvents": [
{"name": "forward_0", "cat": "forward", "ph": "B", "ts": 1, "pid": 0, "tid": 2335},
{"name": "forward_0", "cat": "forward", "ph": "E", "ts": 2, "pid": 0, "tid": 2335},
{"name": "forward_0", "cat": "forward", "ph": "B", "ts": 1, "pid": 0, "tid": 2334},
{"name": "forward_0", "cat": "forward", "ph": "E", "ts": 3, "pid": 0, "tid": 2334},
{"name": "step0", "cat": "step", "ph": "B", "ts": 1, "pid": 0, "tid": 2333},
{"name": "step0", "cat": "step", "ph": "E", "ts": 3, "pid": 0, "tid": 2333},
{"args": {"name": "STEP"}, "cat": "__metadata", "name": "thread_name", "ph": "M", "pid": 0, "tid": 2333, "ts": 0},
{"args": {"name": "GPU:0"}, "cat": "__metadata", "name": "thread_name", "ph": "M", "pid": 0, "tid": 2334, "ts": 0},
{"args": {"name": "GPU:1"}, "cat": "__metadata", "name": "thread_name", "ph": "M", "pid": 0, "tid": 2335, "ts": 0}]})"}});
        QCOMPARE(trace.ranks.size(), std::size_t{2});
        QCOMPARE(trace.ranks[1].number, 1);
        QVERIFY(trace.warnings.empty());
        QCOMPARE(trace.spans[0].rank, 1);
        QCOMPARE(trace.spans[1].rank, 0);
    }

    void devicesOfSeveralMachinesAreCounted()
    {
        std::string text = "[";
        for (const int machine : {0, 1})
            for (const int device : {0, 1})
                for (const char* phase : {"B", "E"})
                    text += std::string(text.size() == 1 ? "" : ", ") +
                            "{\"name\": \"forward_0\", \"cat\": \"forward\", \"ph\": \"" + phase +
                            "\", \"ts\": " + (*phase == 'B' ? "1" : "2") +
                            ", \"pid\": 0, \"tid\": \"GPU" + std::to_string(device) +
                            "(machine:" + std::to_string(machine) + ")\"}";
        const Trace trace = written({{"pipeline_profile.json", text + "]"}});
        QCOMPARE(trace.ranks.size(), std::size_t{4});
        for (const TraceRank& rank : trace.ranks)
            QVERIFY(rank.guessed);
        QCOMPARE(QString::fromStdString(trace.ranks[3].process), QString("GPU1(machine:1)"));
    }

    void aFolderOfPaddleIsReadOnce()
    {
        const test::FamilyRun run = runOf("1f1b", 2, 4);
        test::makeTrace(path(""), TraceFormat::PaddleJobs, run.schedule, run.result);
        test::makeTrace(path(""), TraceFormat::PaddleLog, run.schedule, run.result);
        const Result<Trace> both = importTrace({path("")});
        QVERIFY2(both, both ? "" : both.error().message.c_str());
        QCOMPARE(both->files.size(), std::size_t{1});
        QVERIFY(QFile::remove(m_folder->filePath("pipeline_profile.json")));
        const Result<Trace> logs = importTrace({path("")});
        QVERIFY(logs);
        QCOMPARE(logs->files.size(), std::size_t{2});
    }

    void aLineOfAJobThatIsCutIsLeftOut()
    {
        const std::string line = "Profiler Info: Job (0), type = forward, micro_batch_id = 0, "
                                 "job_start_time = 1.000000, job_end_time = 12.500000";
        const Trace trace =
            written({{"workerlog.3", "x\n" + line + "\n" + line.substr(0, line.size() - 3) + "\n" +
                                         line.substr(0, 60)}});
        QCOMPARE(trace.spans.size(), std::size_t{1});
        QCOMPARE(trace.leftOut, std::int64_t{2});
        QCOMPARE(trace.repairs.list[0].position, static_cast<std::int64_t>(2 + line.size() + 1));
        QCOMPARE(trace.ranks[0].number, 3);
    }

    void namesOfPaddleAreReadOnlyInItsOwnFiles()
    {
        const Trace trace = written({{"rank0.json",
                                      R"([{"name": "F0", "ph": "X", "pid": 1, "tid": 2, "ts": 1,
 "dur": 5}, {"name": "forward_0", "cat": "cpu_op", "ph": "X", "pid": 1, "tid": 2, "ts": 1, "dur": 5}])"}});
        QCOMPARE(trace.spans.size(), std::size_t{2});
        QVERIFY(trace.labels.empty());
        QCOMPARE(trace.spans[0].end, Ticks{5'000});
    }

    // ---- Pipewright's own table

    void rowsOfATableMayBeInAnyOrder()
    {
        const test::FamilyRun run = runOf("dualpipe", 2, 4);
        const std::string table =
            test::makeTrace(path(""), TraceFormat::OwnTable, run.schedule, run.result).files[0];
        QFile file(QString::fromStdString(table));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArrayList rows = file.readAll().split('\n');
        file.close();
        rows.removeAll(QByteArray());
        std::sort(rows.begin() + 1, rows.end());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(rows.join('\n') + '\n');
        file.close();
        const Result<Trace> trace = importTrace({table});
        QVERIFY(trace);
        const RecoveredPipeline found = recover(*trace);
        QVERIFY2(named(found, "dualpipe"), test::reasons(found).c_str());
        // Which half of a pair stands first is the order of the rows.
        QCOMPARE(found.schedule->entryCount(), run.schedule.entryCount());
    }

    // ---- what is known to be wrong

    void clocksThatAreWrongAreShownAsTheyAre()
    {
        const test::FamilyRun run = runOf("1f1b", 2, 4);
        test::TraceFlaws flaws;
        flaws.clocks = {{0, 0}, {7 * ms, 250}};
        const test::MadeTrace made =
            test::makeTrace(path(""), TraceFormat::Kineto, run.schedule, run.result, {}, flaws);
        const Result<Trace> trace = importTrace(made.files);
        QVERIFY(trace);
        Ticks first[2] = {latest, latest};
        for (const TraceSpan& span : trace->spans)
            first[span.rank] = std::min(first[span.rank], span.start);
        const Ticks begin =
            test::recordingStart +
            run.result.start[static_cast<std::size_t>(run.schedule.begin(DeviceId(1)))];
        QCOMPARE(first[1] - first[0], flaws.clocks[1].shows(begin) - test::recordingStart);
    }

    void lostAndShortenedPassesAreNotMadeUp_data()
    {
        QTest::addColumn<int>("format");
        for (const TraceFormat format : test::allTraceFormats)
            if (format != TraceFormat::Nsys && format != TraceFormat::MegatronLog)
                QTest::newRow(test::name(format)) << static_cast<int>(format);
    }

    void lostAndShortenedPassesAreNotMadeUp()
    {
        QFETCH(int, format);
        const auto of = static_cast<TraceFormat>(format);
        const test::FamilyRun run = runOf("1f1b", 4, 8);
        test::TraceFlaws flaws;
        flaws.jitter = 0.25;
        const auto recovered = [&] {
            const Result<Trace> trace = importTrace(
                test::makeTrace(path(""), of, run.schedule, run.result, {}, flaws).files);
            return trace ? recover(*trace) : RecoveredPipeline();
        };
        const RecoveredPipeline jittered = recovered();
        QVERIFY2(named(jittered, "1f1b"), test::reasons(jittered).c_str());
        QVERIFY(jittered.ranks[0].busy < run.result.devices[0].busy);
        flaws.lost = 0.1;
        const test::MadeTrace made =
            test::makeTrace(path(""), of, run.schedule, run.result, {}, flaws);
        QVERIFY(made.lost > 0);
        const RecoveredPipeline lossy = recovered();
        QCOMPARE(lossy.passes, made.passes);
        QVERIFY2(lossy.family.matches.empty(), test::reasons(lossy).c_str());
    }

    /// Spans of others that cross the bounds of passes stand beside them and take nothing away.
    void spansThatCrossStayWhole()
    {
        const test::FamilyRun run = runOf("1f1b", 2, 4);
        test::TraceFlaws flaws;
        flaws.overlaps = 3;
        const Result<Trace> trace = importTrace(
            test::makeTrace(path(""), TraceFormat::Kineto, run.schedule, run.result, {}, flaws)
                .files);
        QVERIFY(trace);
        QCOMPARE(std::count_if(trace->spans.begin(), trace->spans.end(),
                               [&](const auto& span) { return trace->nameOf(span) == "crossing"; }),
                 6);
        QVERIFY(named(recover(*trace), "1f1b"));
    }

private:
    static constexpr Ticks latest = std::numeric_limits<Ticks>::max();
};

PW_TEST(TestTraceFormats)
#include "tst_trace_formats.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/job/job_analysis.h"
#include "core/job/job_sentences.h"
#include "core/job/job_views.h"
#include "core/job/run_job.h"
#include "core/job/tensor_ranks.h"
#include "core/model/replicas.h"
#include "core/reading/copies.h"
#include "core/reading/import_trace.h"
#include "core/store/keep_trace.h"
#include "core/store/kept_job.h"
#include "core/store/store_query.h"
#include "core/store/stored_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/collector_name.h"
#include "core/trace/match.h"
#include "tests/support/data_files.h"
#include "tests/support/job_traces.h"
#include "tests/support/kineto_job.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

using namespace pw;

namespace {

/// A trace with its pipelines and what is told of its job.
struct ReadJob
{
    Trace trace;
    std::vector<AlignedPipeline> pipelines;
    std::optional<JobAnalysis> analysis;
};

/// Never moved: the analysis points into it.
std::unique_ptr<ReadJob> jobIn(Result<Trace> trace)
{
    auto read = std::make_unique<ReadJob>();
    if (!trace) {
        qWarning("%s", trace.error().message.c_str());
        return read;
    }
    read->trace = std::move(*trace);
    read->pipelines = recoverAllAligned(read->trace);
    read->analysis = analyseJob(read->trace, read->pipelines);
    return read;
}

std::unique_ptr<ReadJob> megatronJob(const test::MadeJob& job)
{
    return jobIn(importTraceText(test::megatronText(job), "trace.json"));
}

/// Within a part of what is expected.
bool near(double value, double expected, double part)
{
    return std::abs(value - expected) <= part * std::abs(expected);
}

const JobWhatIf* whatIfOf(const JobAnalysis& analysis, Repair what)
{
    for (const JobWhatIf& one : analysis.whatIfs)
        if (one.what == what)
            return &one;
    return nullptr;
}

std::string causesOf(const JobAnalysis& analysis)
{
    std::string text;
    for (const FoundCause& one : analysis.causes)
        text += std::string(name(one.cause)) + ": " + one.sentence + "\n";
    return text;
}

constexpr double ticksPerUs = 1000;

/// A pass of one step is not there any more, and another step has none of a replica.
void takePasses(ReadJob& read)
{
    const RecoveredIteration& fourth = read.pipelines[1].pipeline.iterations[4];
    const RecoveredIteration& sixth = read.pipelines[2].pipeline.iterations[6];
    const TraceRankId rank = read.pipelines[1].pipeline.rankOfDevice[2];
    const std::vector<TraceRankId>& others = read.pipelines[2].pipeline.rankOfDevice;
    bool taken = false;
    const auto goes = [&](const TraceSpan& span) {
        const bool pass = !taken && span.start >= fourth.first && span.rank == rank &&
                          read.trace.labelOf(span) != nullptr;
        taken = taken || pass;
        return pass || (span.start >= sixth.first && span.end <= sixth.last &&
                        std::count(others.begin(), others.end(), span.rank) > 0);
    };
    std::vector<TraceSpan> left;
    for (const TraceSpan& span : read.trace.spans)
        if (!goes(span))
            left.push_back(span);
    read.trace.spans = std::move(left);
    read.pipelines = recoverAllAligned(read.trace);
    read.analysis = analyseJob(read.trace, read.pipelines);
}

/// A rank of 1F1B on two devices with two micro-batches, as PyTorch's profiler writes it: steps of
/// 100 ms each, the second device's 25 ms earlier, since it is done earlier and waits in its next.
test::TraceText rankThatIsAhead(int rank, int steps)
{
    const char* const names[2][4] = {{"0F0", "0F1", "0B0", "0B1"}, {"1F0", "1B0", "1F1", "1B1"}};
    const int begins[2][4] = {{0, 10, 40, 70}, {10, 20, 40, 50}};
    const int lasts[2][4] = {{10, 10, 20, 20}, {10, 20, 10, 20}};
    std::string events;
    const auto add = [&events](const std::string& name, int begin, int lasting) {
        events += std::string(events.empty() ? "" : ",") +
                  R"({"ph": "X", "cat": "user_annotation", "pid": 1, "tid": 1, "name": "PP:)" +
                  name + "\", \"ts\": " + std::to_string((begin + 1000) * 1000) +
                  ", \"dur\": " + std::to_string(lasting * 1000) + "}";
    };
    for (int step = 0; step < steps; ++step) {
        add("STEP" + std::to_string(step), 100 * step - (rank == 1 ? 25 : 0), 100);
        for (int i = 0; i < 4; ++i)
            add(names[rank][i], 100 * step + begins[rank][i], lasts[rank][i]);
    }
    return {"rank" + std::to_string(rank) + ".json",
            R"({"distributedInfo": {"rank": )" + std::to_string(rank) +
                R"(, "world_size": 2}, "traceEvents": [)" + events + "]}"};
}

} // namespace

class TestJob : public QObject
{
    Q_OBJECT

private slots:
    /// Passes that come again on another process at the same time are another replica.
    void replicasOfProcesses()
    {
        test::MadeJob made;
        const auto read = megatronJob(made);
        QCOMPARE(read->pipelines.size(), 3U);
        for (const AlignedPipeline& one : read->pipelines) {
            QVERIFY(one.pipeline.schedule);
            QVERIFY(one.pipeline.family.exact());
            QCOMPARE(one.pipeline.iterations.size(), 6U);
            QCOMPARE(one.pipeline.replicas, 3);
        }
        QVERIFY(read->analysis);
        QCOMPARE(read->analysis->job.workers().size(), 12U);
        QVERIFY(read->trace.warnings.empty());
    }

    /// However ranks are numbered, those of one pipeline are put together.
    void replicasOfRanks_data()
    {
        QTest::addColumn<test::RankLayout>("layout");
        QTest::newRow("stages outside") << test::RankLayout::StagesOutside;
        QTest::newRow("stages inside") << test::RankLayout::StagesInside;
    }
    void replicasOfRanks()
    {
        QFETCH(const test::RankLayout, layout);
        const test::MadeJob made;
        const auto read = jobIn(test::importFiles(test::kinetoFiles(made, layout)));
        QVERIFY(read->analysis);
        QCOMPARE(read->pipelines.size(), 3U);
        for (const WorkerTimes& worker : read->analysis->workers) {
            const int stage = worker.worker.device.value, replica = worker.worker.replica;
            QCOMPARE(read->trace.ranks[worker.rank.index()].number,
                     layout == test::RankLayout::StagesOutside ? stage * 3 + replica
                                                               : replica * 4 + stage);
        }
        // Nothing says what is around the passes of a profiler's step, so that is no lost time.
        QVERIFY2(read->analysis->causes.empty(), causesOf(*read->analysis).c_str());
    }

    /// The time of two steps that overlap is not of both.
    void aRankThatIsAheadMakesNoStepLonger()
    {
        Trace trace = test::traceOf({rankThatIsAhead(0, 4), rankThatIsAhead(1, 4)});
        const std::vector<AlignedPipeline> pipelines = recoverAllAligned(trace);
        const Job job = jobOf(trace, pipelines);
        QCOMPARE(job.steps.size(), std::size_t{4});
        for (const JobStep& step : job.steps)
            QCOMPARE(step.time, Ticks{100} * ticksPerMs);
        QCOMPARE(job.stepTime(), Ticks{100} * ticksPerMs);
    }

    /// Where files of ranks are missing, the process groups say who is of one pipeline.
    void groupsTellReplicasOfSomeRanks_data()
    {
        QTest::addColumn<QList<int>>("missing"); // ranks: stage · 3 + replica
        QTest::addColumn<QList<int>>("whole");   // replicas
        QTest::newRow("one") << QList<int>{3} << QList<int>{1, 2};
        QTest::newRow("one of every stage") << QList<int>{0, 3, 7, 10} << QList<int>{2};
    }
    void groupsTellReplicasOfSomeRanks()
    {
        QFETCH(const QList<int>, missing);
        QFETCH(const QList<int>, whole);
        const QTemporaryDir folder;
        const test::MadeJob made; // four stages, three replicas
        std::vector<std::string> paths;
        const auto files = test::writeKinetoJob(folder.path().toStdString(), made, 1);
        for (std::size_t rank = 0; rank < files.paths.size(); ++rank)
            if (!missing.contains(static_cast<int>(rank)))
                paths.push_back(files.paths[rank]);
        Result<Trace> trace = importTrace(paths);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const auto read = jobIn(std::move(*trace));
        QCOMPARE(read->pipelines.size(), static_cast<std::size_t>(whole.size()));
        for (int i = 0; i < whole.size(); ++i) {
            const RecoveredPipeline& one = read->pipelines[static_cast<std::size_t>(i)].pipeline;
            QVERIFY(one.schedule);
            QCOMPARE(one.rankOfDevice.size(), std::size_t{4});
            for (std::size_t stage = 0; stage < 4; ++stage)
                QCOMPARE(read->trace.ranks[one.rankOfDevice[stage].index()].number,
                         static_cast<int>(stage) * 3 + whole[i]);
        }
        const std::vector<std::string>& notes = read->pipelines.front().pipeline.notes;
        QVERIFY(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
            return note.find("lack a rank which others have") != std::string::npos;
        }));
    }

    /// Replicas that number the micro-batches of a step through share none, and no rank.
    void microBatchesNumberedThrough()
    {
        test::MadeJob made;
        made.numberedThrough = true;
        made.slowReplica = made.slowStage = 1;
        const auto read =
            jobIn(test::importFiles(test::kinetoFiles(made, test::RankLayout::StagesInside)));
        QVERIFY(read->analysis);
        QCOMPARE(read->analysis->job.replicas.size(), 3U);
        for (const AlignedPipeline& one : read->pipelines) {
            QCOMPARE(one.pipeline.microBatches, made.microBatches);
            QVERIFY(one.pipeline.family.exact());
        }
        QCOMPARE(read->analysis->causes.size(), 1U);
        QCOMPARE(read->analysis->causes.front().replica, 1);
    }

    /// A kept job is the same when it is opened again.
    void keptJob()
    {
        QTemporaryDir folder;
        const std::string store = folder.filePath("runs.sqlite").toStdString();
        test::MadeJob made;
        made.slowReplica = made.slowStage = 1;
        const auto read = megatronJob(made);
        const RecoveredPipeline& pipeline = read->pipelines.front().pipeline;
        const TraceActivity source(read->trace);
        const Result<RunNumber> run = keepWholeTrace(
            {read->trace, source, {}, pipeline.rankOfDevice}, pipeline,
            traceFigures(pipeline, read->pipelines.front().clocks, {}), store, "job", {});
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        Result<StoredTrace> kept = loadStoredTrace(store, *run);
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        const auto again = jobIn(std::move(kept->trace));
        QVERIFY(again->analysis);
        QCOMPARE(again->analysis->job.replicas.size(), 3U);
        QCOMPARE(causesOf(*again->analysis), causesOf(*read->analysis));
    }

    /// What is kept of a job says what its passes say, and each step has them.
    void keptFigures_data()
    {
        QTest::addColumn<bool>("missing");
        QTest::newRow("whole") << false;
        QTest::newRow("passes missing") << true;
    }
    void keptFigures()
    {
        QFETCH(const bool, missing);
        const QTemporaryDir folder;
        const std::string store = folder.filePath("runs.sqlite").toStdString();
        test::MadeJob made;
        made.steps = 9;
        made.slowReplica = made.slowStage = 1;
        const auto read = megatronJob(made);
        if (missing)
            takePasses(*read);
        QVERIFY(read->analysis);
        const Job& job = read->analysis->job;
        const RecoveredPipeline& pipeline = read->pipelines.front().pipeline;
        const TraceActivity source(read->trace);
        const Result<RunNumber> run = keepWholeTrace({read->trace,
                                                      source,
                                                      {},
                                                      pipeline.rankOfDevice,
                                                      keepingJob(&*read->analysis, read->trace)},
                                                     pipeline, {}, store, "job");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        const Result<std::optional<KeptJob>> kept = pw::keptJob(store, *run);
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QVERIFY(*kept);
        const JobAnalysis& again = (*kept)->analysis;
        QCOMPARE((*kept)->origin, read->trace.origin);
        QVERIFY((*kept)->ranks == read->trace.ranks);
        QCOMPARE(jobSentences(again), jobSentences(*read->analysis));
        QCOMPARE(again.causes.front().sentence.pattern(),
                 read->analysis->causes.front().sentence.pattern());
        QCOMPARE(again.stepTime, read->analysis->stepTime);
        QCOMPARE(again.job.ranks, job.ranks);
        QCOMPARE(again.job.counted(), job.counted());
        for (int i = 0; i < workerMeasureCount; ++i)
            QCOMPARE((*kept)->medians.workers[static_cast<std::size_t>(i)],
                     workerValues(job, static_cast<WorkerMeasure>(i), std::nullopt));
        QCOMPARE((*kept)->medians.balance, stageBalance(job, std::nullopt));
        const Schedule& order = *job.replicas.front()->schedule;
        for (const EntryId entry : order.entries())
            QCOMPARE((*kept)->medians.of(again.job, order.entry(entry).pass),
                     passTimes(job, order.entry(entry).pass, std::nullopt));
        for (std::size_t step = 0; step < job.steps.size(); ++step) {
            const Result<JobOfStep> own = keptStep(store, *run, again.job, step);
            QVERIFY2(own, own ? "" : own.error().message.c_str());
            for (std::size_t r = 0; r < job.replicas.size(); ++r) {
                const std::int32_t at = job.steps[step].iteration[r];
                QCOMPARE(own->job->steps[own->step].iteration[r] < 0, at < 0);
                if (at >= 0)
                    QVERIFY(own->job->replicas[r]->iterations.front().passes ==
                            job.replicas[r]->iterations[static_cast<std::size_t>(at)].passes);
            }
            for (int i = 0; i < workerMeasureCount; ++i)
                QCOMPARE(workerValues(*own->job, static_cast<WorkerMeasure>(i), own->step),
                         workerValues(job, static_cast<WorkerMeasure>(i), step));
            const AlikeReplicas alike = alikeReplicas(*own->job, own->step);
            QCOMPARE(alike.different, alikeReplicas(job, step).different);
            QCOMPARE(alike.typical, alikeReplicas(job, step).typical);
        }
    }

    /// Bytes that are cut off or changed are no job, and nothing worse.
    /// What is told of a job are plain rows too.
    void keptRows()
    {
        const QTemporaryDir folder;
        const std::string store = folder.filePath(QStringLiteral("a.sqlite")).toStdString();
        test::MadeJob job;
        job.slowReplica = 1;
        job.slowStage = 2;
        const auto read = megatronJob(job);
        QVERIFY(read->analysis);
        const TraceActivity source(read->trace);
        const Result<RunNumber> run =
            keepWholeTrace({read->trace,
                            source,
                            {},
                            read->pipelines.front().pipeline.rankOfDevice,
                            keepingJob(&*read->analysis, read->trace)},
                           read->pipelines.front().pipeline, {}, store, "job");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        const auto asked = [&](const char* sql) {
            const Result<QueryAnswer> answer = queryStore(store, sql);
            std::string text = answer ? "" : answer.error().message.english();
            for (std::size_t i = 0; answer && i < answer->rows.size(); ++i)
                for (const QueryCell& cell : answer->rows[i])
                    text += cell.text + " ";
            return text;
        };
        QCOMPARE(asked("SELECT replica, stage FROM workers ORDER BY pass_ms DESC LIMIT 1"), "1 2 ");
        QCOMPARE(asked("SELECT replicas, stages, micro_batches, steps FROM jobs"), "3 4 8 6 ");
        QCOMPARE(asked("SELECT kind, replica, stage, step IS NULL FROM causes"),
                 "slow_worker 1 2 1 ");
        QCOMPARE(asked("SELECT replica, stage FROM what_if WHERE what = 'worker_repaired' ORDER BY "
                       "gain DESC LIMIT 1"),
                 "1 2 ");
        QCOMPARE(asked("SELECT count(*), min(step), max(number), sum(complete) FROM steps"),
                 "6 0 5 6 ");
        QCOMPARE(asked("SELECT count(*) FROM workers WHERE idle BETWEEN 0 AND 1"), "12 ");
        Result<RunStore> opened = RunStore::open(store);
        QVERIFY(opened && opened->remove(*run));
        QCOMPARE(asked("SELECT count(*) FROM workers"), "0 ");
        QCOMPARE(asked("SELECT count(*) FROM steps"), "0 ");
    }

    void keptFiguresThatAreDamaged()
    {
        const auto read = megatronJob(test::MadeJob());
        QVERIFY(read->analysis);
        const Job& job = read->analysis->job;
        const std::string whole = keptJobBytes(*read->analysis, jobMedians(job), read->trace);
        const std::string step = keptStepBytes(job, 2);
        QVERIFY(keptJobOf(whole));
        QVERIFY(keptStepOf(step, job, 2));
        for (std::size_t length = 0; length < whole.size(); length += 7)
            QVERIFY2(!keptJobOf(std::string_view(whole).substr(0, length)),
                     std::to_string(length).c_str());
        for (std::size_t length = 0; length < step.size(); ++length)
            QVERIFY(!keptStepOf(std::string_view(step).substr(0, length), job, 2));
        std::mt19937 random(1);
        for (int i = 0; i < 20'000; ++i) {
            std::string changed = i % 2 == 0 ? whole : step;
            const std::size_t at = random() % changed.size();
            changed[at] = static_cast<char>(random());
            if (i % 2 != 0) {
                (void)keptStepOf(changed, job, 2);
            } else if (const std::optional<KeptJob> kept = keptJobOf(changed)) {
                (void)jobSentences(kept->analysis);
                (void)keptStepOf(step, kept->analysis.job, kept->analysis.job.counted().front());
            }
        }
    }

    /// A plan of several replicas is one order with as many routes; its run is their job.
    void aRunOfReplicas()
    {
        constexpr int replicas = 4, devices = 3;
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = 6;
        const Result<const Family*> family = findFamily("1f1b");
        QVERIFY(family);
        UniformCosts uniform;
        uniform.forward = uniform.backward = uniform.weight = ticksPerMs;
        const Result<Schedule> one = buildUniform(**family, options, uniform);
        QVERIFY(one);
        const Result<Schedule> all = withReplicas(*one, replicas);
        QVERIFY(all);
        for (int r = 0; r < replicas; ++r) {
            const Result<Schedule> again = oneReplica(*all, r);
            QVERIFY(again);
            QVERIFY(*again == *one);
        }
        Costs costs = expand(uniform, all->spec());
        // Stage 1 of replica 2 is slow.
        for (const EntryId id : all->entries()) {
            const Pass pass = all->entry(id).pass;
            const bool slow = pass.route == 2 && pass.stage == 1;
            const Ticks usual = pass.kind == PassKind::F ? ticksPerMs : 2 * ticksPerMs;
            costs.single.push_back({pass, slow ? usual * 13 / 10 : usual});
        }
        std::sort(costs.single.begin(), costs.single.end(),
                  [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
        const Result<SimResult> ran = simulate(*all, costs);
        QVERIFY(ran);
        std::vector<RecordedPass> passes;
        for (int step = -1; step < 4; ++step)
            for (RecordedPass record : recordsOf(*all, *ran)) {
                record.iteration = step;
                record.start += (step + 1) * 2 * ran->makespan;
                record.end += (step + 1) * 2 * ran->makespan;
                passes.push_back(record);
            }
        const WholeJob job = jobOfRun(passes);
        QVERIFY(job.analysis);
        QCOMPARE(job.analysis->job.replicas.size(), std::size_t{replicas});
        QCOMPARE(job.analysis->job.steps.size(), 4U); // warm-up is none of it
        QCOMPARE(job.analysis->causes.size(), 1U);
        const FoundCause& cause = job.analysis->causes.front();
        QCOMPARE(cause.cause, JobCause::SlowWorker);
        QCOMPARE(cause.replica, 2);
        QCOMPARE(cause.device.value, 1);
    }

    void namesOfCollectors()
    {
        for (const char* name : {"gc", "gc.collect", "python_gc", "save_checkpoint", "saveModel",
                                 "torch::save", "checkpoint write"})
            QVERIFY2(namesCollector(name), name);
        for (const char* name : {"CheckpointFunctionBackward", "checkpoint", "aten::mm", "storage",
                                 "gcn_conv", "recompute", "usage"})
            QVERIFY2(!namesCollector(name), name);
    }

    /// Of few steps too a slow one is named, and noise is none.
    void aSlowStepOfFew_data()
    {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("noise");
        for (const int steps : {3, 4, 10})
            for (const double noise : {.01, .02, .05})
                QTest::addRow("%d steps, noise %g", steps, noise) << steps << noise;
    }
    void aSlowStepOfFew()
    {
        QFETCH(const int, steps);
        QFETCH(const double, noise);
        for (const std::uint32_t seed : {1U, 2U, 3U}) {
            test::MadeJob made;
            made.steps = steps;
            made.spread = noise;
            made.seed = seed;
            made.factor = 1.5;
            const auto slowOf = [&] {
                std::vector<std::size_t> slow;
                const auto read = megatronJob(made);
                for (const FoundCause& one : read->analysis->causes)
                    if (one.cause == JobCause::SlowStep)
                        slow.push_back(static_cast<std::size_t>(one.step));
                return slow;
            };
            QCOMPARE(slowOf(), std::vector<std::size_t>());
            made.slowStep = steps - 2;
            QCOMPARE(slowOf(), std::vector<std::size_t>{static_cast<std::size_t>(steps) - 2});
        }
    }

    /// Of two steps neither is the usual one: the passes of the longer one have to be longer, not
    /// only the step.
    void aSlowStepOfTwo()
    {
        for (const std::uint32_t seed : {1U, 2U, 3U})
            for (const int slow : {-1, 0, 1}) {
                test::MadeJob made;
                made.steps = 2;
                made.seed = seed;
                made.factor = 1.5;
                made.slowStep = slow;
                const auto read = megatronJob(made);
                QVERIFY(read->analysis);
                const std::vector<FoundCause>& causes = read->analysis->causes;
                const std::string all = causesOf(*read->analysis);
                QVERIFY2(causes.size() == (slow < 0 ? 0U : 1U), all.c_str());
                if (slow < 0)
                    continue;
                QVERIFY2(causes.front().cause ==
                             (slow == 0 ? JobCause::WarmUp : JobCause::SlowStep),
                         all.c_str());
                QCOMPARE(causes.front().step, slow);
                QVERIFY2(causes.front().share > .1, all.c_str());
                QVERIFY2(all.find("1.5 times") != std::string::npos, all.c_str());
            }
        // One that only waits longer at its end says nothing of its passes.
        test::MadeJob made;
        made.steps = 2;
        const auto read = megatronJob(made);
        Job waiting = read->analysis->job;
        waiting.steps[1].time += waiting.steps[1].time / 2;
        QVERIFY(jobCauses(JobReplay(waiting), read->trace).empty());
    }

    /// Of one replica a long micro-batch is that replica's, and a heavy stage may be a slow rank.
    void causesOfOneReplica()
    {
        test::MadeJob made;
        made.replicas = 1;
        made.longReplica = 0;
        made.longMicroBatch = 3;
        made.factor = 1.8;
        const auto uneven = megatronJob(made);
        QVERIFY2(uneven->analysis->causes.size() == 1, causesOf(*uneven->analysis).c_str());
        QVERIFY(uneven->analysis->causes.front().cause == JobCause::UnevenMicroBatches);
        QCOMPARE(uneven->analysis->causes.front().replica, 0);
        made = {};
        made.replicas = 1;
        made.heavyStage = 2;
        const std::string heavy = causesOf(*megatronJob(made)->analysis);
        QVERIFY2(heavy.find("does not tell which") != std::string::npos, heavy.c_str());
    }

    /// Steps in which the host saves are no slow steps without a cause.
    void aStepThatSaves()
    {
        test::MadeJob made;
        made.steps = 12;
        made.slowStep = 7;
        made.factor = 1.5;
        const auto plain = megatronJob(made);
        QVERIFY(plain->analysis);
        QVERIFY2(std::any_of(plain->analysis->causes.begin(), plain->analysis->causes.end(),
                             [](const FoundCause& one) { return one.cause == JobCause::SlowStep; }),
                 causesOf(*plain->analysis).c_str());
        auto saving = std::make_unique<ReadJob>();
        saving->trace = plain->trace;
        saving->pipelines = recoverAllAligned(saving->trace);
        const RecoveredIteration& step = saving->pipelines.front().pipeline.iterations[7];
        TraceSpan span = saving->trace.spans.front();
        span.label = -1;
        span.start = step.first;
        span.end = step.last;
        span.name = static_cast<std::int32_t>(saving->trace.names.size());
        saving->trace.names.emplace_back("save_checkpoint");
        saving->trace.spans.push_back(span);
        saving->analysis = analyseJob(saving->trace, saving->pipelines);
        QVERIFY(saving->analysis);
        const std::vector<FoundCause>& causes = saving->analysis->causes;
        const auto found = std::find_if(causes.begin(), causes.end(), [](const FoundCause& one) {
            return one.cause == JobCause::Collector;
        });
        QVERIFY2(found != causes.end(), causesOf(*saving->analysis).c_str());
        QCOMPARE(found->step, 7);
        QVERIFY(found->sentence.english().find("save_checkpoint") != std::string::npos);
    }

    /// Ranks that share a worker's tensors are no replicas of a kept trace either.
    void groupsAreKept()
    {
        const QTemporaryDir folder;
        const std::string store = folder.filePath(QStringLiteral("a.sqlite")).toStdString();
        Result<Trace> trace = importTraceText(test::megatronText({}), "trace.json");
        QVERIFY(trace);
        trace->groups = {{"tp0", "tp_group", "0, 1", 2, false}};
        trace->calls = {{3, 0, CollectiveKind::AllReduce, 64, 32, 7, -1, MessageEnd::NotTold}};
        WorkSum sum;
        sum.name = 0;
        sum.count = 5;
        sum.total = 9;
        trace->sums = {sum};
        const Trace before = *trace;
        const Result<RunNumber> run = keepTraceActivity(*trace, store, "job");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        const Result<StoredTrace> kept = loadStoredTrace(store, *run);
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QVERIFY(kept->trace.groups == before.groups);
        QCOMPARE(kept->trace.calls.size(), 1U);
        const CollectiveCall& call = kept->trace.calls.front();
        const TraceSpan& span = kept->trace.spans[static_cast<std::size_t>(call.span)];
        QCOMPARE(span.start, before.spans[3].start);
        QCOMPARE(call.sequence, std::int64_t{7});
        QCOMPARE(call.received, Bytes{32});
        QCOMPARE(kept->trace.sums.size(), 1U);
        QCOMPARE(kept->trace.sums.front().total, Ticks{9});
    }

    /// One pipeline is a job of one replica.
    void onePipeline()
    {
        test::MadeJob made;
        made.replicas = 1;
        const auto read = megatronJob(made);
        QVERIFY(read->analysis);
        QCOMPARE(read->analysis->job.replicas.size(), 1U);
        QVERIFY2(read->analysis->causes.empty(), causesOf(*read->analysis).c_str());
        for (const WorkerTimes& worker : read->analysis->workers)
            QCOMPARE(worker.forwardRatio, 1.0);
    }

    /// Threads of one process that say one rank at the same time are runs of their own.
    void runsOfThreads()
    {
        test::MadeJob made;
        made.replicas = 1;
        made.steps = 1;
        const std::string text = test::megatronText(made);
        made.factor = 2;
        made.heavyStage = 1;
        std::string other = test::megatronText(made);
        const std::string from = R"("tid":0)", to = R"("tid":1)";
        for (std::size_t at = 0; (at = other.find(from, at)) != std::string::npos; at += to.size())
            other.replace(at, from.size(), to);
        const std::string head = R"({"traceEvents":[)";
        const std::string both = text.substr(0, text.size() - 2) + "," + other.substr(head.size());
        Result<Trace> trace = importTraceText(both, "merged.json");
        QVERIFY(trace);
        QCOMPARE(runsOf(*trace), 2);
        const Ticks first = recover(*trace).iteration()->makespan();
        Trace second = *trace;
        keepRun(second, 1);
        QCOMPARE(runsOf(second), 1);
        QVERIFY(recover(second).schedule);
        QVERIFY(recover(second).iteration()->makespan() > first);
        keepRun(*trace, 0);
        QCOMPARE(recover(*trace).iteration()->makespan(), first);
        QCOMPARE(trace->spans.size(), second.spans.size());
    }

    /// A restarted run says its ranks again later: no replica.
    void laterIsNoReplica()
    {
        test::MadeJob made;
        made.replicas = 1;
        made.steps = 2;
        const std::string text = test::megatronText(made);
        std::string other;
        for (std::size_t at = 0; at < text.size();) {
            // All later, in other processes.
            const auto moved = [&](const std::string& key, double by) {
                if (text.compare(at, key.size(), key) != 0)
                    return false;
                at += key.size();
                std::size_t length = 0;
                const double value = std::stod(text.substr(at, 24), &length);
                other += key + std::to_string(value + by);
                at += length;
                return true;
            };
            if (!moved(R"("ts":)", 1e6) && !moved(R"("pid":)", 100))
                other += text[at++];
        }
        const std::string head = R"({"traceEvents":[)";
        const auto read = jobIn(importTraceText(
            text.substr(0, text.size() - 2) + "," + other.substr(head.size()), "again.json"));
        QCOMPARE(read->pipelines.size(), 1U);
        QCOMPARE(read->pipelines.front().pipeline.iterations.size(), 4U);
    }

    /// A rule over the names of processes and threads and any argument.
    void joinedRule()
    {
        const test::MadeJob made;
        const Result<NameRule> rule =
            NameRule::parse("process:replica {replica} & thread:stage {rank} of * & "
                            "name:{kind:fw=F,bw=BW} & args:batch={micro-batch} & "
                            "args:round={iteration}");
        QVERIFY2(rule, rule ? "" : rule.error().message.c_str());
        const auto read = jobIn(importTraceText(test::foreignText(made), "foreign.json", {*rule}));
        QVERIFY(read->analysis);
        QCOMPARE(read->analysis->job.replicas.size(), 3U);
        QCOMPARE(read->analysis->job.steps.size(), 6U);
        QVERIFY(read->pipelines[2].pipeline.family.exact());
        // Of another place it says nothing.
        const Result<NameRule> elsewhere =
            NameRule::parse("process:copy {replica} & thread:stage {rank} of * & "
                            "{kind:fw=F,bw=BW} & args:batch={micro-batch}");
        QVERIFY(elsewhere);
        QVERIFY(!jobIn(importTraceText(test::foreignText(made), "foreign.json", {*elsewhere}))
                     ->analysis);
    }

    void badRules_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("says");
        QTest::newRow("no name") << "thread:stage {rank}"
                                 << "a joined rule has a pattern for the span's name too";
        QTest::newRow("kind of a thread") << "thread:{kind} {rank} & name:{kind}"
                                          << "part 1, character 1: only a span's name";
        QTest::newRow("argument") << "{kind} & args:mb"
                                  << "part 2, an argument is args:KEY={field}";
        QTest::newRow("twice") << "{kind} & thread:a{rank} & thread:b{rank}"
                               << "part 3, thread appears twice";
        QTest::newRow("two names") << "{kind} & name:{kind=F}x & thread:a{rank}"
                                   << "part 2: the span's name has a pattern already";
    }
    void badRules()
    {
        QFETCH(const QString, rule);
        QFETCH(const QString, says);
        const Result<NameRule> parsed = NameRule::parse(rule.toStdString());
        QVERIFY(!parsed);
        const std::string message = parsed.error().message;
        QVERIFY2(message.find(says.toStdString()) == 0, message.c_str());
    }

    /// What was planted is found, where it is, and nothing else is accused.
    void causes_data()
    {
        QTest::addColumn<test::MadeJob>("job");
        QTest::addColumn<JobCause>("cause");
        const auto row = [](const char* title, JobCause cause, test::MadeJob job) {
            for (const int replicas : {job.replicas, 8})
                for (const std::uint32_t seed : {1U, 2U}) {
                    if (replicas == job.replicas && job.replicas == 8)
                        continue;
                    job.replicas = replicas;
                    job.seed = seed;
                    QTest::addRow("%s, %d replicas, seed %u", title, replicas, seed)
                        << job << cause;
                }
        };
        test::MadeJob job;
        job.slowReplica = 1;
        job.slowStage = 2;
        row("slow worker", JobCause::SlowWorker, job);
        job = {};
        job.replicas = 2;
        job.slowReplica = job.slowStage = 1;
        row("slow worker of two", JobCause::SlowWorker, job);
        job = {};
        job.replicas = 1;
        job.heavyStage = 2;
        row("heavy stage", JobCause::HeavyStage, job);
        job = {};
        job.slowStep = 3;
        row("slow step", JobCause::SlowStep, job);
        job = {};
        job.linkReplica = 1;
        job.linkFrom = 1;
        row("slow link", JobCause::SlowLink, job);
        job = {};
        job.longReplica = 2;
        job.longMicroBatch = 4;
        row("long micro-batch", JobCause::UnevenMicroBatches, job);
        // Of two links neither is the usual one, and of two micro-batches neither.
        job = {};
        job.stages = job.replicas = 2;
        job.linkReplica = 1;
        job.linkFrom = 0;
        row("slow link of two", JobCause::SlowLink, job);
        job = {};
        job.stages = job.microBatches = 2;
        job.longReplica = 2;
        job.longMicroBatch = 1;
        job.factor = 1.8;
        row("long micro-batch of two", JobCause::UnevenMicroBatches, job);
    }
    void causes()
    {
        QFETCH(const test::MadeJob, job);
        QFETCH(const JobCause, cause);
        const auto read = megatronJob(job);
        QVERIFY(read->analysis);
        const std::string all = causesOf(*read->analysis);
        QVERIFY2(read->analysis->causes.size() == 1, all.c_str());
        const FoundCause& found = read->analysis->causes.front();
        QVERIFY2(found.cause == cause, all.c_str());
        QVERIFY(found.share > 0 && found.share <= 1);
        switch (cause) {
        case JobCause::SlowWorker:
            QCOMPARE(found.replica, job.slowReplica);
            QCOMPARE(found.device, DeviceId(job.slowStage));
            break;
        case JobCause::HeavyStage:
            QCOMPARE(found.replica, -1);
            QCOMPARE(found.device, DeviceId(job.heavyStage));
            break;
        case JobCause::SlowStep:
            QCOMPARE(found.step, job.slowStep);
            break;
        case JobCause::SlowLink:
            QCOMPARE(found.replica, job.linkReplica);
            QCOMPARE(found.from, DeviceId(job.linkFrom));
            QCOMPARE(found.to, DeviceId(job.linkFrom + 1));
            break;
        default:
            QCOMPARE(found.replica, job.longReplica);
            QVERIFY(found.sentence.english().find(
                        "micro-batch " + std::to_string(job.longMicroBatch) + " of replica 2") ==
                    0);
        }
    }

    /// A replica that is slow for one reason hides another that is as slow for a second: both are
    /// named, though neither gains much alone.
    void twoCausesAtOnce()
    {
        for (const std::uint32_t seed : {1U, 2U, 3U}) {
            test::MadeJob job;
            job.replicas = 4;
            job.seed = seed;
            job.slowReplica = 1;
            job.slowStage = 2;
            job.factor = 1.3;
            job.linkReplica = 2;
            job.linkFrom = 0;
            const auto read = megatronJob(job);
            QVERIFY(read->analysis);
            const std::string all = causesOf(*read->analysis);
            QVERIFY2(read->analysis->causes.size() == 2, all.c_str());
            for (const FoundCause& one : read->analysis->causes) {
                QVERIFY2(one.share > .02, all.c_str());
                if (one.cause == JobCause::SlowWorker)
                    QVERIFY(one.replica == 1 && one.device == DeviceId(2));
                else
                    QVERIFY2(one.cause == JobCause::SlowLink && one.replica == 2 &&
                                 one.from == DeviceId(0),
                             all.c_str());
            }
        }
    }

    /// Passes that begin though nothing holds them up are the host's; a step that goes on behind
    /// its last pass, as between two steps of a profiler, makes none of them late.
    void lateHosts()
    {
        test::MadeJob job;
        job.replicas = 5; // of few a fast one would make the others look slow
        const auto read = megatronJob(job);
        QVERIFY(read->analysis && read->analysis->causes.empty());
        Job longer = read->analysis->job;
        for (JobStep& step : longer.steps)
            step.time += step.time / 10;
        QVERIFY(jobCauses(JobReplay(longer), read->trace).empty());

        job.replicas = 1;
        job.stages = 2;
        const auto late = megatronJob(job);
        for (TraceSpan& span : late->trace.spans)
            span.start += (span.end - span.start) * 2 / 5;
        late->pipelines = recoverAllAligned(late->trace);
        late->analysis = analyseJob(late->trace, late->pipelines);
        QVERIFY(late->analysis);
        const std::string all = causesOf(*late->analysis);
        QVERIFY2(late->analysis->causes.size() == 1, all.c_str());
        QVERIFY2(late->analysis->causes.front().cause == JobCause::LateHost, all.c_str());
    }

    /// Of ranks that share tensors the slow one is named, though all of them take as long for a
    /// pass; where none stands out, all are.
    void tensorRanks_data()
    {
        QTest::addColumn<double>("second");
        QTest::addColumn<int>("named");
        QTest::addColumn<int>("alike");
        QTest::newRow("the second is slow") << 1.3 << 1 << 0;
        QTest::newRow("the first is slow") << .7 << 0 << 0;
        QTest::newRow("none stands out") << 1.01 << 0 << 2;
    }
    void tensorRanks()
    {
        QFETCH(const double, second);
        QFETCH(const int, named);
        QFETCH(const int, alike);
        Trace trace;
        trace.names = {"gemm", "all-reduce"};
        trace.groups = {{"tp0", "tp_group", "0, 1", 2, false}};
        for (int rank = 0; rank < 3; ++rank) {
            trace.ranks.push_back({rank, "metadata", "", false});
            trace.tracks.push_back({TraceRankId(rank), "GPU", "stream 7", true, rank});
            const auto computes = static_cast<Ticks>(1000 * (rank == 1 ? second : 1));
            const auto add = [&](Ticks start, Ticks end, int name, ActivityKind kind) {
                TraceSpan span;
                span.start = start;
                span.end = end;
                span.rank = TraceRankId(rank);
                span.track = rank;
                span.name = name;
                span.activity = kind;
                trace.spans.push_back(span);
            };
            add(0, computes, 0, ActivityKind::Compute);
            add(computes, 2000, 1, ActivityKind::Communication); // where the faster one waits
        }
        const TensorRanks ranks(trace);
        const TensorRanks::Named found = ranks.of(TraceRankId(0));
        QCOMPARE(found.rank.value, named);
        QCOMPARE(found.alike.size(), static_cast<std::size_t>(alike));
        QCOMPARE(ranks.of(TraceRankId(2)).rank.value, 2);
        QVERIFY(ranks.of(TraceRankId(2)).alike.empty());
        // A digest has sums in the place of kernels.
        Trace small = trace;
        small.spans.clear();
        for (const TraceSpan& span : trace.spans)
            if (span.activity == ActivityKind::Compute)
                small.sums.push_back(
                    {span.rank, 0, -1, 1, span.end - span.start, ActivityKind::Compute});
        QCOMPARE(TensorRanks(small).of(TraceRankId(0)).rank.value, named);
    }

    /// Pure chance accuses nobody.
    void nothingPlanted_data()
    {
        QTest::addColumn<double>("spread");
        QTest::newRow("2 %") << .02;
        QTest::newRow("10 %") << .1;
    }
    void nothingPlanted()
    {
        QFETCH(const double, spread);
        for (std::uint32_t seed = 1; seed <= 5; ++seed) {
            test::MadeJob job;
            job.replicas = 6;
            job.spread = spread;
            job.seed = seed;
            const auto read = megatronJob(job);
            QVERIFY(read->analysis);
            QVERIFY2(read->analysis->causes.empty(),
                     ("seed " + std::to_string(seed) + ": " + causesOf(*read->analysis)).c_str());
        }
    }

    /// The factors are a product: what ranks compute of all their time.
    void efficiency()
    {
        test::MadeJob job;
        job.heavyStage = 1;
        job.spread = 0;
        const auto read = megatronJob(job);
        QVERIFY(read->analysis);
        const JobEfficiency& of = read->analysis->efficiency;
        const std::vector<test::MadePass> passes = test::passesOf(job);
        double work = 0, whole = 0;
        for (const test::MadePass& pass : passes)
            work += pass.end - pass.start;
        for (const double step : test::stepsOf(job, passes))
            whole += step * job.stages * job.replicas;
        QVERIFY(near(of.parallel(), work / whole, 1e-6));
        QVERIFY(near(of.stages, 4.5 / 4 / 1.5, 1e-9)); // three stages of work 1 and one of 1.5
        QVERIFY(near(of.replicas, 1, 1e-9));
        QVERIFY(of.links < 1);
        QVERIFY(near(static_cast<double>(read->analysis->stepTime) / ticksPerUs,
                     test::stepsOf(job, passes).front(), 1e-9));
    }

    /// A repaired worker's step is that of a job in which it was never slow.
    void repairs()
    {
        test::MadeJob job;
        job.spread = 0;
        const double good = test::stepsOf(job, test::passesOf(job)).front();
        job.slowReplica = 1;
        job.slowStage = 2;
        const double bad = test::stepsOf(job, test::passesOf(job)).front();
        const auto read = megatronJob(job);
        QVERIFY(read->analysis);
        const JobWhatIf* repaired = whatIfOf(*read->analysis, Repair::WorkerRepaired);
        QVERIFY(repaired);
        QCOMPARE(repaired->replica, 1);
        QCOMPARE(repaired->device, DeviceId(2));
        QVERIFY(near(repaired->stepTicks / ticksPerUs, good, 1e-9));
        QVERIFY(near(repaired->gain, 1 - good / bad, 1e-9));
        const JobWhatIf* late = whatIfOf(*read->analysis, Repair::NoLaunchGaps);
        QVERIFY(late);
        QVERIFY(near(late->stepTicks / ticksPerUs, bad, 1e-9));
    }

    /// A job's time with its links free is that of a job without messages' times.
    void links()
    {
        test::MadeJob job;
        job.spread = 0;
        job.replicas = 1;
        const auto read = megatronJob(job);
        QVERIFY(read->analysis);
        const JobWhatIf* free = whatIfOf(*read->analysis, Repair::FreeLinks);
        QVERIFY(free);
        constexpr double passes = 3000;
        QVERIFY(
            near(free->stepTicks / ticksPerUs, passes * (job.microBatches + job.stages - 1), 1e-9));
    }

    /// Another order gains for the job what it gains for the pipeline; 1F1B's own is not offered.
    void families()
    {
        test::MadeJob job;
        job.spread = 0;
        job.replicas = 2;
        const auto read = megatronJob(job);
        QVERIFY(read->analysis);
        const JobWhatIf* other = whatIfOf(*read->analysis, Repair::Family);
        QVERIFY(other);
        QVERIFY(other->gain > 0 && other->gain < 1);
        for (const JobWhatIf& one : read->analysis->whatIfs)
            QVERIFY(one.family != "1f1b" && (one.what == Repair::Family) == !one.family.empty());
    }

    /// A production job with its published diagnosis: slowdown 2.1727 ⁄ 1.8433 s, the last stage
    /// repaired 1.7710 s.
    void published()
    {
        const std::string file = test::largeTraceFolder() + "/straggler-ST/timeline-ST.json.gz";
        if (!QFile::exists(QString::fromStdString(file)))
            QSKIP("no folder of larger traces; PW_DATA names one");
        const auto read = jobIn(importTrace({file}));
        QVERIFY(read->analysis);
        const JobAnalysis& of = *read->analysis;
        QCOMPARE(of.job.replicas.size(), 2U);
        QCOMPARE(of.job.devices(), 4);
        QCOMPARE(of.job.steps.size(), 32U);
        QVERIFY(near(of.efficiency.stages, .711, .002));
        QVERIFY(near(of.efficiency.order, .685, .002));
        QVERIFY(near(of.efficiency.links, .9975, .0005));
        const JobWhatIf* mean = whatIfOf(of, Repair::AllMean);
        const JobWhatIf* stage = whatIfOf(of, Repair::StageRepaired);
        QVERIFY(mean && stage);
        QVERIFY(near(1 / (1 - mean->gain), 1.179, .005));
        QCOMPARE(stage->device, DeviceId(3));
        QVERIFY(near(stage->stepTicks / 1e9, 1.7710, .002));
        QVERIFY(near(stage->gain / mean->gain, 1.219, .02));
        const JobWhatIf* slowest = whatIfOf(of, Repair::WorkerRepaired);
        QVERIFY(slowest);
        QCOMPARE(slowest->device, DeviceId(3));
        QVERIFY(near(slowest->gain / mean->gain, .0314, .02));
        QCOMPARE(of.causes.front().cause, JobCause::HeavyStage);
        QCOMPARE(of.causes.front().device, DeviceId(3));
        for (const WorkerTimes& worker : of.workers)
            QVERIFY(near(static_cast<double>(worker.forward) / 1e6,
                         worker.worker.device == DeviceId(3) ? 140.2 : 67.6, .015));
    }
};

PW_TEST(TestJob)
#include "tst_job.moc"

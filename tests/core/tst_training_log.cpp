// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/recover.h"
#include "core/trace/training_log.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

constexpr Ticks logMs = ticksPerMs;

const std::string sizesText =
    "using world size: 16, data-parallel-size: 1, tensor-model-parallel size: 4, "
    "pipeline-model-parallel size: 4 \n";

const std::string argumentsText = "------------------------ arguments ------------------------\n"
                                  "  global_batch_size ............................... 4\n"
                                  "  hidden_size ..................................... 6144\n"
                                  "  log_interval .................................... 10\n"
                                  "  micro_batch_size ................................ 1\n"
                                  "  num_layers ...................................... 40\n"
                                  "  pipeline_model_parallel_size .................... 4\n"
                                  "  virtual_pipeline_model_parallel_size ............ None\n"
                                  "-------------------- end of arguments ---------------------\n";

std::string iterationText(int number, double milliseconds, const std::string& more = {})
{
    return " iteration " + QString::number(number).rightJustified(8).toStdString() +
           "/    1000 | consumed samples: " + std::to_string(4 * number) +
           " | elapsed time per iteration (ms): " +
           QString::number(milliseconds, 'f', 1).toStdString() +
           " | global batch size:     4 | lm loss: 7.0E+00 | " + more + "loss scale: 1.0 |\n";
}

const std::string oneLine =
    "time (ms) | forward-compute: 120.00 | forward-recv: 130.00 | backward-compute: 330.00 | "
    "backward-send: 2.00 | backward-embedding-all-reduce: 310.00 | optimizer: 80.00\n";

const std::string extremesText =
    "(min, max) time across ranks (ms):\n"
    "    forward-backward ...............................: (900.00, 990.00)\n"
    "    forward-compute ................................: (160.00, 210.00)\n"
    "    backward-compute ...............................: (330.00, 400.00)\n"
    "    forward-recv ...................................: (40.00, 120.00)\n";

/// Every line behind a launcher's mark, and another rank's lines between them.
std::string launched(const std::string& text, const std::string& prefix)
{
    std::string made;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        made += prefix + text.substr(from, end - from) + "\n" +
                "[default3]:[W413 17:42:24.35 ProcessGroupNCCL.cpp:4561] using GPU 3: no barrier\n";
        from = end + 1;
    }
    return made;
}

bool logSays(const TrainingLog& log, const char* part)
{
    const std::vector<std::string> lines = logSentences(log);
    return std::any_of(lines.begin(), lines.end(), [part](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

} // namespace

class TestTrainingLog : public QObject
{
    Q_OBJECT

private:
    Trace written(const std::vector<test::TraceText>& files, bool folder = false) const
    {
        std::vector<std::string> paths;
        for (const test::TraceText& file : files) {
            paths.push_back(m_folder->filePath(QString::fromStdString(file.name)).toStdString());
            test::writeTrace(paths.back(), file.text);
        }
        Result<Trace> trace =
            importTrace(folder ? std::vector<std::string>{m_folder->path().toStdString()} : paths);
        if (!trace) {
            qWarning("%s", trace.error().message.c_str());
            return {};
        }
        return std::move(*trace);
    }

    TrainingLog logOf(const std::string& text) const { return written({{"train.out", text}}).log; }

    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    /// Timers of one rank name it; where nobody says which, it is the last.
    void timersOfOneRankNameIt()
    {
        TrainingLog log;
        log.megatron = true;
        log.timerForm = TimerForm::OneRank;
        const auto says = [&log](const char* text) {
            const std::vector<std::string> lines = logSentences(log);
            return std::count(lines.begin(), lines.end(), std::string(text)) == 1;
        };
        QVERIFY(says("its timers are those of the last rank"));
        LoggedTimer timer;
        timer.name = "fwd";
        log.timers = {timer};
        for (const int rank : {0, 3}) {
            log.timers.front().rank = rank;
            QVERIFY(says(("its timers are those of rank " + std::to_string(rank)).c_str()));
        }
        log.timers.front().rank = -1;
        QVERIFY(says("its timers are those of the last rank"));
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void timersInOneLineAreTheLastRanks()
    {
        const Trace trace = written(
            {{"train.out", "+ module purge\n" + sizesText + argumentsText +
                               "time (ms) | model-and-optimizer-setup: 313.66\n" +
                               iterationText(10, 2152.2) + oneLine + iterationText(20, 1000) +
                               oneLine + iterationText(30, 1000) + oneLine}});
        const TrainingLog& log = trace.log;
        QCOMPARE(log.fact(LogFact::Stages), std::optional<std::int64_t>(4));
        QCOMPARE(log.fact(LogFact::Tensor), std::optional<std::int64_t>(4));
        QCOMPARE(log.fact(LogFact::MicroBatches), std::optional<std::int64_t>(4));
        QCOMPARE(log.fact(LogFact::Layers), std::optional<std::int64_t>(40));
        QCOMPARE(log.fact(LogFact::Hidden), std::optional<std::int64_t>(6144));
        QVERIFY(!log.fact(LogFact::Chunks));
        QCOMPARE(log.timerForm, TimerForm::OneRank);
        QVERIFY(log.timer("model-and-optimizer-setup") == nullptr);
        QCOMPARE(*medianTime(log), 1000 * logMs);
        const auto waits = fillAndDrain(log);
        QVERIFY(waits);
        QCOMPARE(waits->fill, 130 * logMs);
        QCOMPARE(waits->drain, 310 * logMs);
        QVERIFY(std::abs(waits->share - 0.44) < 1e-9);
        QVERIFY(std::abs(*plannedBubble(log) - 3.0 / 7) < 1e-9);
        QVERIFY(logSays(log, "those of the last rank"));
        QVERIFY(logSays(log, "44.0 % of an iteration"));
        QVERIFY(logSays(log, "= 42.9 %"));
        // The rows are of the last rank; they are sums, guessed, and no passes.
        QCOMPARE(trace.ranks.size(), std::size_t{1});
        QCOMPARE(trace.ranks[0].number, 15);
        QVERIFY(!recover(trace).schedule);
        QCOMPARE(recover(trace).passes, std::int64_t{0});
        QVERIFY(!logUnknown(log).empty());
    }

    void aLineMaySayThatItIsTheLastRanks()
    {
        const TrainingLog log = logOf(sizesText + iterationText(10, 1000) + "[Rank 15] " + oneLine);
        QCOMPARE(fillAndDrain(log)->fill, 130 * logMs);
        QVERIFY(!fillAndDrain(logOf(sizesText + iterationText(10, 1000) + "[Rank 0] " + oneLine)));
    }

    void throughputAndWhatWasLostAreTold()
    {
        const TrainingLog log = logOf(
            iterationText(1, 1000, "throughput per GPU (TFLOP/s/GPU): 84.5 | toks/s: 36927.76 | ") +
            iterationText(2, 1000,
                          "TFlops/s: 84.0 | tokens per gpu per second (tgs): 3.0 | number of "
                          "skipped iterations:   8 | number of nan iterations:   1 | ") +
            iterationText(3, 1000, "TFLOPs: 84.2 | "));
        QCOMPARE(*medianOf(log, &LoggedStep::teraflops), 84.2);
        QCOMPARE(*medianOf(log, &LoggedStep::tokensPerSecond), 36927.76);
        QVERIFY(!log.steps[1].tokensPerSecond); // of one device
        QVERIFY(logSays(log, "8 iterations were skipped"));
        QVERIFY(logSays(log, "1 iteration gave no number"));
        QVERIFY(logSays(log, "84.2 TFLOP/s a device"));
    }

    void whatOneRankHasHasNoShareWhereThereIsOneStage()
    {
        const TrainingLog log = logOf("using world size: 4, data-parallel-size: 4, "
                                      "tensor-model-parallel size: 1, pipeline-model-parallel "
                                      "size: 1\n" +
                                      iterationText(10, 1000) + oneLine);
        QVERIFY(!fillAndDrain(log));
        QCOMPARE(*plannedBubble(logOf(sizesText + argumentsText + iterationText(1, 1000))),
                 3.0 / 7);
    }

    void extremesTellHowFarTheRanksEndApart()
    {
        const TrainingLog log =
            logOf(sizesText + argumentsText + "(min, max) time across ranks (ms):\n" +
                  "    model-and-optimizer-setup ......................: (100.00, 200.00)\n" +
                  iterationText(1, 1000, "mem_each_stage: 58.0,44.0,32.0,41.0 | ") + extremesText +
                  iterationText(2, 1000, "mem_each_stage: 60.0,46.0,33.0,41.0 | ") + extremesText);
        QCOMPARE(log.timerForm, TimerForm::Extremes);
        QVERIFY(log.timer("model-and-optimizer-setup") == nullptr);
        QCOMPARE(log.stageMemory, (std::vector<double>{60, 46, 33, 41}));
        const auto waits = fillAndDrain(log);
        QVERIFY(waits);
        QCOMPARE(waits->fill, 120 * logMs);
        QCOMPARE(waits->drain, 90 * logMs);
        QVERIFY(std::abs(*idleOnEveryRank(log) - 0.39) < 1e-9);
        QVERIFY(logSays(log, "--timing-log-option all"));
        QVERIFY(logSays(log, "60.0, 46.0, 33.0, 41.0 GB"));
    }

    void theMostOverRanksTellsNoFill()
    {
        const TrainingLog log =
            logOf(sizesText + iterationText(1, 1000) +
                  "max time across ranks (ms):\n"
                  "    forward-compute ................................: 210.00\n"
                  "    forward-recv ...................................: 120.00\n"
                  "    backward-compute ...............................: 400.00\n");
        QCOMPARE(log.timerForm, TimerForm::Most);
        QVERIFY(!fillAndDrain(log));
        QVERIFY(std::abs(*idleOnEveryRank(log) - 0.39) < 1e-9);
    }

    void everyRanksTimersTellTheLastOnes()
    {
        const TrainingLog log = logOf(sizesText + argumentsText + iterationText(1, 100) +
                                      "times across ranks (ms):\n"
                                      "  forward-backward:\n"
                                      "     rank  0: 90.00\n"
                                      "     rank 15: 60.00\n"
                                      "  forward-recv:\n"
                                      "     rank  4: 5.00\n"
                                      "     rank 15: 10.00\n"
                                      "  embedding-grads-all-reduce:\n"
                                      "     rank  0: 1.00\n"
                                      "     rank 15: 1.50\n");
        QCOMPARE(log.timerForm, TimerForm::EachRank);
        const auto waits = fillAndDrain(log);
        QVERIFY(waits);
        QCOMPARE(waits->fill, 10 * logMs);
        // A newer version starts that timer when all are there: the wait is before it.
        QCOMPARE(waits->drain, 30 * logMs);
        QCOMPARE(QString::fromStdString(waits->drainTimer), QString("forward-backward"));
    }

    void launchersAndOtherRanksMayWriteBetween_data()
    {
        QTest::addColumn<QString>("prefix");
        for (const char* prefix :
             {"[default7]:", "7: ", "[rank7]:", "[1,7]<stdout>:", "worker-1: ", "(Actor pid=33) ",
              "2024-05-01 12:34:56,123 - INFO - ", "[2024-05-01 12:34:56] ",
              "2024-05-01T12:34:56.789Z ", "\x1B[36m(Actor pid=3)\x1B[0m "})
            QTest::newRow(prefix) << prefix;
    }
    void launchersAndOtherRanksMayWriteBetween()
    {
        QFETCH(QString, prefix);
        const std::string text = sizesText + argumentsText + iterationText(1, 1000) + extremesText +
                                 iterationText(2, 1000) + extremesText +
                                 "times across ranks (ms):\n  forward-recv:\n     rank  3: 7.00\n";
        const TrainingLog log = logOf(launched(text, prefix.toStdString()));
        QCOMPARE(log.steps.size(), std::size_t{2});
        QCOMPARE(log.fact(LogFact::Layers), std::optional<std::int64_t>(40));
        QCOMPARE(log.fact(LogFact::MicroBatches), std::optional<std::int64_t>(4));
        QVERIFY(log.timer("forward-compute") != nullptr);
        QCOMPARE(log.timer("forward-compute")->values.back().most, 210 * logMs);
        QCOMPARE(log.timer("forward-backward")->values.size(), std::size_t{2});
        QCOMPARE(log.timer("forward-recv")->values.back().most, 120 * logMs);
    }

    void severalRanksMayWriteIntoOneLine()
    {
        const std::string memory = "] (after 20 iterations) memory (MB) | allocated: 21633.0 | max "
                                   "allocated: 24432.0 | reserved: 29316.0 | max reserved: ";
        const TrainingLog log = logOf(
            "using world size: 2, data-parallel-size: 1, tensor-model-parallel size: 1, "
            "pipeline-model-parallel size: 2\n > number of parameters on (tensor, pipeline) model "
            "parallel rank (0, 1): 200 > number of parameters on (tensor, pipeline) model parallel "
            "rank (0, 0): 300\n" +
            iterationText(20, 100) + "[Rank 1" + memory + "2048.0[Rank 0" + memory +
            "1024.0\n\nWARNING: slow" + iterationText(21, 101).substr(0, 140) +
            " | iteration 22/ 1000 | elapsed time per iteration (ms): 102.0 |\n"
            " iteration 23/ 1000 | elapsed time per iteration (ms): 10[rank1]: oh | lm loss: 1 |\n"
            " iteration 24/ 1000 | elapsed time per iteration (ms): 1");
        QCOMPARE(log.stageMemory, (std::vector<double>{1, 2}));
        QCOMPARE(parametersOfStages(log), (std::vector<std::int64_t>{300, 200}));
        QCOMPARE(log.steps.size(), std::size_t{3});
        QCOMPARE(log.steps.back().number, 22);
        QCOMPARE(log.steps.back().time, 102 * logMs);
    }

    void otherProgramsIterations_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<double>("time");
        QTest::newRow("in seconds")
            << "[default3]: iteration  10/ 292968 | consumed samples: 10240 | elapsed time per "
               "iteration (s): 35.8651 | learning rate: 4.734E-06 | lm loss: 1.3E+01 | samples per "
               "second: 28.551 | TFLOPs: 199.03 |"
            << 35865.1;
        QTest::newRow("GPT-NeoX") << " samples/sec: 30.123 | iteration       10/  320000 | elapsed "
                                     "time per iteration (ms): 34.1 | learning rate: 1.0E-04 | "
                                     "approx flops per GPU: 57.8TFLOPS | lm_loss: 1.1E+01 |"
                                  << 34.1;
        QTest::newRow("this one and the mean")
            << " iteration       10/      50 | elapsed time per iteration (ms): 5023.1/5040.2 | "
               "throughput per GPU (TFLOP/s/GPU): 480.1/478.2 | lm loss: 1.1E+01 |"
            << 5023.1;
        QTest::newRow("NeMo") << "Training epoch 0, iteration 10/99 | lr: 4.5e-06 | "
                                 "global_batch_size: 512 | reduced_train_loss: 10.5 | "
                                 "train_step_timing in s: 8.2 | consumed_samples: 5632"
                              << 8200.0;
        QTest::newRow("DeepSpeed")
            << "steps: 10 loss: 10.8310 iter time (s): 0.450 samples/sec: 35.556" << 450.0;
        QTest::newRow("DeepSpeed, a fork")
            << "[2024-05-01 12:34:56] step:    10 /  1000 loss: 2.1 iter time (s): 0.45 "
               "samples/sec: 35.5 eta: 1:02:03 "
            << 450.0;
    }
    void otherProgramsIterations()
    {
        QFETCH(QString, line);
        QFETCH(double, time);
        const TrainingLog log = logOf(line.toStdString() + "\n");
        QCOMPARE(log.steps.size(), std::size_t{1});
        QCOMPARE(log.steps[0].number, 10);
        QCOMPARE(msFromTicks(log.steps[0].time), time);
        QVERIFY(log.steps[0].loss);
    }

    void deepSpeedTellsStagesTimersAndIterations()
    {
        const TrainingLog log = logOf(
            "Using topology: {ProcessCoord(pipe=0, data=0): 0, ProcessCoord(pipe=0, data=1): 1, "
            "ProcessCoord(pipe=1, data=0): 2, ProcessCoord(pipe=1, data=1): 3}\n"
            "stage=0 layers=12\n     0: EmbeddingPipe\n     1: Block\nstage=1 layers=13\n"
            "    12: Block\n  loss: cross_entropy\n"
            "[2024-05-01 12:34:56,789] [INFO] [engine.py:151:__init__] CONFIG: micro_batches=8 "
            "micro_batch_size=4\n"
            "[INFO] RANK=0 STAGE=0 LAYERS=12 [0, 12) STAGE_PARAMS=1000 (0.001M) TOTAL_PARAMS=2500 "
            "(0.003M) UNIQUE_PARAMS=2500 (0.003M)\n"
            "[INFO] RANK=2 STAGE=1 LAYERS=13 [12, 25) STAGE_PARAMS=1500 (0.002M) TOTAL_PARAMS=2500 "
            "(0.003M) UNIQUE_PARAMS=2500 (0.003M)\n"
            "[INFO] [logging.py:60:log_dist] [Rank 0] time (ms) | fwd_microstep: 800.00 | "
            "bwd_microstep: 1600.00\n"
            "steps: 10 loss: 10.8310 iter time (s): 0.450 samples/sec: 142.222\n"
            "[INFO] [Rank 0] time (ms) | pipe_send_output: 10.00 | pipe_recv_grad: 500.00\n"
            "[INFO] [Rank 0] time (ms) | fwd_microstep: 810.00 | bwd_microstep: 1610.00\n"
            "steps: 20 loss: 9.8310 iter time (s): 0.450 samples/sec: 142.222\n"
            "[INFO] [Rank 0] time (ms) | pipe_send_output: 10.00 | pipe_recv_grad: 500.00\n");
        QCOMPARE(log.fact(LogFact::Stages), std::optional<std::int64_t>(2));
        QCOMPARE(log.fact(LogFact::Replicas), std::optional<std::int64_t>(2));
        QCOMPARE(log.fact(LogFact::MicroBatches), std::optional<std::int64_t>(8));
        QCOMPARE(log.stageLayers.at(1), (StageLayers{12, 25}));
        QCOMPARE(parametersOfStages(log), (std::vector<std::int64_t>{1000, 1500}));
        QCOMPARE(log.steps.size(), std::size_t{2});
        QCOMPARE(*log.steps[0].samplesPerSecond, 142.222);
        // Sums over the ten steps between two lines, of rank 0.
        QVERIFY(log.timer("pipe_recv_grad") != nullptr);
        QCOMPARE(log.timer("pipe_recv_grad")->rank, 0);
        QCOMPARE(log.timer("pipe_recv_grad")->values.back().last, 50 * logMs);
        QCOMPARE(log.timer("fwd_microstep")->values.front().iteration, 10);
        QCOMPARE(log.timer("fwd_microstep")->values.back().last, 81 * logMs);
        QVERIFY(!fillAndDrain(log));
        QVERIFY(logSays(log, "11.1 % of an iteration, beside (p−1)/(m+p−1) = 11.1 %"));
        QVERIFY(logSays(log, "layers by stage: 12, 13"));
        QVERIFY(logSays(log, "its timers are those of rank 0"));
    }

    void bothProgramsTellAnIterationOnce()
    {
        const TrainingLog log =
            logOf(sizesText + "steps: 10 loss: 7.1 iter time (s): 0.900 samples/sec: 4.444\n" +
                  iterationText(10, 1000) +
                  "steps: 20 loss: 7.0 iter time (s): 0.900 samples/sec: 4.444\n" +
                  iterationText(20, 1000));
        QCOMPARE(log.steps.size(), std::size_t{2});
        QCOMPARE(log.steps[1].time, 1000 * logMs);
        QVERIFY(log.steps[1].samplesPerSecond);
        QCOMPARE(programOf(log), std::string("Megatron-DeepSpeed"));
    }

    void whatIsRunAgainCountsAsRunLast()
    {
        const TrainingLog log =
            logOf(iterationText(1, 100) + iterationText(2, 100) + iterationText(3, 100) +
                  iterationText(2, 150) + iterationText(3, 150) + iterationText(4, 150));
        QCOMPARE(log.restarts, 1);
        QCOMPARE(log.steps.size(), std::size_t{4});
        QCOMPARE(log.steps[1].time, 150 * logMs);
        QVERIFY(logSays(log, "began anew"));
    }

    void theLogsOfNodesAreOne()
    {
        const Trace trace = written(
            {{"node0.out", sizesText + argumentsText},
             {"node1.out", iterationText(1, 1000) + oneLine + iterationText(2, 1000) + oneLine}},
            true);
        QCOMPARE(trace.log.fact(LogFact::Layers), std::optional<std::int64_t>(40));
        QCOMPARE(trace.log.steps.size(), std::size_t{2});
        QVERIFY(fillAndDrain(trace.log));
    }

    void aRunThatDiedSaysOfWhat()
    {
        const TrainingLog log = logOf(sizesText + argumentsText +
                                      "[rank4]: Traceback (most recent call last):\n"
                                      "[rank4]: AssertionError: no sample to consume: 0\n");
        QVERIFY(log.steps.empty());
        QVERIFY(logSays(log, "AssertionError: no sample to consume: 0"));
        const std::vector<std::string> open = logUnknown(log);
        QVERIFY(open[0].find("iterations") == 0);
    }

    // ---- Logs of others

    void bigScienceFillsAndDrains_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("stages");
        QTest::addColumn<double>("time");
        QTest::addColumn<double>("fill");
        QTest::addColumn<double>("drain");
        QTest::addColumn<double>("share");
        QTest::newRow("4 stages") << "meg_gpt2_base_n4_dp1_tp4_pp4-1809579.out.gz" << 4 << 1380.6
                                  << 126.3 << 419.5 << 39.5;
        QTest::newRow("16 stages") << "meg_gpt2_base_n16_dp1_tp4_pp16-1809577.out.gz" << 16
                                   << 2741.1 << 509.3 << 1542.5 << 74.9;
        QTest::newRow("64 stages") << "meg_gpt2_base_n64_dp1_tp4_pp64-1809655.out.gz" << 64
                                   << 6736.4 << 1573.0 << 4553.8 << 91.0;
    }
    void bigScienceFillsAndDrains()
    {
        QFETCH(QString, file);
        QFETCH(int, stages);
        QFETCH(double, time);
        QFETCH(double, fill);
        QFETCH(double, drain);
        QFETCH(double, share);
        const std::string path = test::largeTraceFolder() + "/logs/" + file.toStdString();
        if (!QFileInfo::exists(QString::fromStdString(path)))
            QSKIP("no folder of larger real traces; PW_DATA names it");
        const Result<Trace> trace = importTrace({path});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const TrainingLog& log = trace->log;
        QCOMPARE(log.fact(LogFact::Stages), std::optional<std::int64_t>(stages));
        QCOMPARE(log.fact(LogFact::MicroBatches), std::optional<std::int64_t>(4));
        QCOMPARE(parametersOfStages(log).size(), static_cast<std::size_t>(stages));
        QCOMPARE(log.stageMemory.size(), static_cast<std::size_t>(stages));
        const auto waits = fillAndDrain(log);
        QVERIFY(waits);
        const auto near = [](double a, double b) { return std::abs(a - b) < 0.0501; };
        QVERIFY(near(msFromTicks(*medianTime(log)), time));
        QVERIFY(near(msFromTicks(waits->fill), fill));
        QVERIFY(near(msFromTicks(waits->drain), drain));
        QVERIFY(near(waits->share * 100, share));
    }

    void slicesOfASequenceShortenTheBubble_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("time");
        QTest::addColumn<double>("first"); // GB
        QTest::addColumn<double>("last");
        QTest::newRow("1") << "exp3_softmax_seq32k_sp1.log.gz" << 7098.8 << 60.6 << 41.5;
        QTest::newRow("2") << "exp3_softmax_seq32k_sp2.log.gz" << 5832.5 << 48.6 << 46.6;
        QTest::newRow("4") << "exp3_softmax_seq32k_sp4.log.gz" << 5307.6 << 41.7 << 43.8;
        QTest::newRow("8") << "exp3_softmax_seq32k_sp8.log.gz" << 5207.4 << 38.5 << 40.8;
    }
    void slicesOfASequenceShortenTheBubble()
    {
        QFETCH(QString, file);
        QFETCH(double, time);
        QFETCH(double, first);
        QFETCH(double, last);
        const std::string path = test::largeTraceFolder() + "/logs/" + file.toStdString();
        if (!QFileInfo::exists(QString::fromStdString(path)))
            QSKIP("no folder of larger real traces; PW_DATA names it");
        const Result<Trace> trace = importTrace({path});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const TrainingLog& log = trace->log;
        QCOMPARE(msFromTicks(*medianTime(log)), time);
        QCOMPARE(log.stageMemory.front(), first);
        QCOMPARE(log.stageMemory.back(), last);
        QCOMPARE(log.fact(LogFact::Replicas), std::optional<std::int64_t>(2));
        QCOMPARE(QString::number(*log.fact(LogFact::Segments)), QString(QTest::currentDataTag()));
        // The waits that the timers tell are those of the plan with as many slices.
        const auto waits = fillAndDrain(log);
        QVERIFY(waits);
        QVERIFY(std::abs(waits->share - *plannedBubble(log)) < 0.04);
    }
};

PW_TEST(TestTrainingLog)
#include "tst_training_log.moc"

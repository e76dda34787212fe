// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/log_source.h"
#include "core/advise/promise.h"
#include "core/base/try.h"
#include "core/reading/import_trace.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/hidden_truth.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>

using namespace pw;
using namespace pw::test;

namespace {

const std::string arguments = "------------------------ arguments ------------------------\n"
                              "  global_batch_size ............................... %M\n"
                              "  micro_batch_size ................................ 1\n"
                              "  num_layers ...................................... 16\n"
                              "  pipeline_model_parallel_size .................... 4\n"
                              "  tensor_model_parallel_size ...................... 1\n"
                              "  world_size ...................................... 4\n"
                              "-------------------- end of arguments ---------------------\n";

std::string msText(double ticks)
{
    return QString::number(ticks / static_cast<double>(ticksPerMs), 'f', 2).toStdString();
}

/// What a rank's passes of the kinds take together.
double sumOf(const Measured& run, const SimResult& step, int rank, PassKind kind)
{
    double sum = 0;
    for (const EntryId entry : run.schedule.entries()) {
        const Pass pass = run.schedule.entry(entry).pass;
        if (pass.kind == kind && pass.stage == StageId(rank))
            sum += static_cast<double>(step.end[entry.index()] - step.start[entry.index()]);
    }
    return sum;
}

/// The log of Megatron, with timers of every rank or with the least and the most.
std::string logOf(const Measured& run, int microBatches, bool everyRank)
{
    std::string text = arguments;
    text.replace(text.find("%M"), 2, std::to_string(microBatches));
    int number = 0;
    for (const SimResult& step : run.steps) {
        const auto whole = static_cast<double>(step.makespan);
        ++number;
        text += " iteration " + std::to_string(number) +
                "/ 1000 | consumed samples: " + std::to_string(number * microBatches) +
                " | elapsed time per iteration (ms): " +
                QString::number((whole + 5e6) / 1e6, 'f', 1).toStdString() +
                " | global batch size: " + std::to_string(microBatches) + " | loss scale: 1.0 |\n";
        text += everyRank ? "times across ranks (ms):\n" : "(min, max) time across ranks (ms):\n";
        const auto timer = [&](const char* name, const std::array<double, 4>& times) {
            if (!everyRank) {
                const auto [least, most] = std::minmax_element(times.begin(), times.end());
                text += "    " + std::string(name) + " ......: (" + msText(*least) + ", " +
                        msText(*most) + ")\n";
                return;
            }
            text += "  " + std::string(name) + ":\n";
            for (int rank = 0; rank < 4; ++rank)
                text += "     rank  " + std::to_string(rank) + ": " +
                        msText(times[static_cast<std::size_t>(rank)]) + "\n";
        };
        const auto sums = [&](PassKind kind) {
            std::array<double, 4> all{};
            for (int rank = 0; rank < 4; ++rank)
                all[static_cast<std::size_t>(rank)] = sumOf(run, step, rank, kind);
            return all;
        };
        timer("forward-backward", {whole, whole, whole, whole});
        timer("forward-compute", sums(PassKind::F));
        timer("backward-compute", sums(PassKind::BW));
    }
    return text;
}

Result<AdviceSource> sourceOf(const std::string& text)
{
    return logSource(traceOf({{"train.log", text}}));
}

} // namespace

/// Advice from a log with the times of stages.
class TestLogSource : public QObject
{
    Q_OBJECT

private slots:
    void everyRankTellsItsStage();
    void promisesOfALogHold_data();
    void promisesOfALogHold();
    void segmentsThatWereRunAreInTheirIntervals_data();
    void segmentsThatWereRunAreInTheirIntervals();
    void whatIsNotToldIsRefused_data();
    void whatIsNotToldIsRefused();
};

void TestLogSource::everyRankTellsItsStage()
{
    Truth truth;
    truth.passNoise = truth.stepNoise = 0;
    std::mt19937 random(1);
    const Measured run = measured(truth, "1f1b", random);
    const Result<AdviceSource> source = sourceOf(logOf(run, 8, true));
    QVERIFY2(source, source ? "" : source.error().message.c_str());
    QCOMPARE(source->base.family->id, std::string("1f1b"));
    QCOMPARE(source->layers, (std::vector<int>{4, 4, 4, 4}));
    const Costs costs = trueCosts(truth, run.schedule.spec(), truth.layers);
    for (std::size_t stage = 0; stage < 4; ++stage) {
        QVERIFY(std::abs(source->base.costs.forward[stage] - costs.forward[stage]) < 20'000);
        QVERIFY(std::abs(source->base.costs.fused[stage] - costs.fused[stage]) < 20'000);
    }
    QVERIFY(source->step - source->span > 4'900'000);
    QVERIFY(source->otherCosts.empty());
    QVERIFY(std::abs(source->base.residual().value_or(1)) < 0.02);
}

void TestLogSource::promisesOfALogHold_data()
{
    QTest::addColumn<bool>("everyRank");
    QTest::newRow("timers of every rank") << true;
    QTest::newRow("the least and the most") << false;
}

void TestLogSource::promisesOfALogHold()
{
    QFETCH(bool, everyRank);
    HeldCount held;
    QString missed;
    for (int number = 1; number <= 10; ++number) {
        const Truth truth = truthOf(number);
        std::mt19937 random(static_cast<std::uint32_t>(1100 + number));
        const Measured run = measured(truth, "1f1b", random);
        const Result<AdviceSource> source = sourceOf(logOf(run, truth.microBatches, everyRank));
        QVERIFY2(source, source ? "" : source.error().message.c_str());
        const Result<Advice> advice = adviceOn(*source, quickRequest());
        QVERIFY(advice);
        for (const AdvisedChange& one : advice->changes) {
            if (one.what == ChangeKind::Bound)
                continue;
            const auto whole = static_cast<double>(source->step);
            const double after =
                static_cast<double>(medianStep(changedSteps(truth, one, random))) + 5e6;
            const double gain = 1 - after / whole;
            const bool holds = one.promise.low <= gain && gain <= one.promise.high;
            held.add(holds);
            if (!holds)
                missed += QString("%1 %2: %3 not in %4 … %5\n")
                              .arg(number)
                              .arg(QString::fromStdString(one.title))
                              .arg(gain)
                              .arg(one.promise.low)
                              .arg(one.promise.high);
        }
    }
    qInfo("%d of %d promises held\n%s", held.held, held.all, qPrintable(missed));
    QVERIFY(held.all >= 100);
    QVERIFY2(held.held * 10 >= held.all * 9, qPrintable(missed));
}

void TestLogSource::segmentsThatWereRunAreInTheirIntervals_data()
{
    QTest::addColumn<int>("segments");
    for (const int segments : {2, 4, 8})
        QTest::addRow("%d segments", segments) << segments;
}

/// A model of 24 layers in 1F1B, and the same with its sequences cut, both on real devices.
void TestLogSource::segmentsThatWereRunAreInTheirIntervals()
{
    QFETCH(int, segments);
    const auto read = [](int count) -> Result<AdviceSource> {
        const std::string path =
            largeTraceFolder() + "/logs/exp3_softmax_seq32k_sp" + std::to_string(count) + ".log.gz";
        PW_TRY(const Trace trace, importTrace({path}));
        return logSource(trace);
    };
    if (!QFile::exists(QString::fromStdString(largeTraceFolder()) +
                       "/logs/exp3_softmax_seq32k_sp1.log.gz"))
        QSKIP("no folder of larger real traces; PW_DATA names it");
    const Result<AdviceSource> whole = read(1), cut = read(segments);
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    QVERIFY2(cut, cut ? "" : cut.error().message.c_str());
    PlannedChange change;
    change.what.family = cut->base.family;
    const Result<Promise> promise = promiseOf(*whole, change);
    QVERIFY2(promise, promise ? "" : promise.error().message.c_str());
    const double gain = 1 - static_cast<double>(cut->step) / static_cast<double>(whole->step);
    qInfo("promised %.3f (%.3f to %.3f), measured %.3f", promise->gain, promise->low, promise->high,
          gain);
    QVERIFY(promise->low <= gain && gain <= promise->high);
}

void TestLogSource::whatIsNotToldIsRefused_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("into");
    QTest::addColumn<QString>("message");
    QTest::newRow("stages") << "pipeline_model_parallel_size"
                            << "something_else"
                            << "how many stages";
    QTest::newRow("one stage") << "pipeline_model_parallel_size .................... 4"
                               << "pipeline_model_parallel_size .................... 1"
                               << "one stage";
    QTest::newRow("times of stages") << "backward-compute"
                                     << "some-other"
                                     << "each stage";
    QTest::newRow("several chunks")
        << "  world_size"
        << "  virtual_pipeline_model_parallel_size ............ 2\n  world_size"
        << "2 stages";
}

void TestLogSource::whatIsNotToldIsRefused()
{
    QFETCH(QString, change);
    QFETCH(QString, into);
    QFETCH(QString, message);
    std::mt19937 random(1);
    const Measured run = measured(Truth(), "1f1b", random);
    const QString text = QString::fromStdString(logOf(run, 8, false)).replace(change, into);
    const Result<AdviceSource> source = sourceOf(text.toStdString());
    QVERIFY(!source);
    const std::string said = source.error().message.english();
    QVERIFY2(QString::fromStdString(said).contains(message), said.c_str());
}

PW_TEST(TestLogSource)
#include "tst_log_source.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/run_kernels.h"
#include "core/trace/records.h"
#include "executor/api/recording_sink.h"
#include "tests/support/recorded_run.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace pw;
using namespace pw::app;

// What `run --kernels` makes of what a backend counts, with one in its place that knows the answer.
namespace {

constexpr Ticks forwardTime = 2'000'000;
constexpr Ticks backwardTime = 5'000'000;

exec::RunPlan planOfTwo()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("1f1b"), test::sized(2, 4),
                        test::equalStages(forwardTime, backwardTime, 0, 1'000));
    return *test::planOf(run.schedule, run.costs);
}

std::vector<RecordedPass> ordinaryPasses(const exec::RunPlan& plan)
{
    return test::recordedRun(plan.schedule, plan.costs, 1, 3).passes;
}

exec::BackendInfo warmAfterThree()
{
    exec::BackendInfo info;
    info.name = "known";
    info.warmup = 3;
    return info;
}

/// Each pass of stage 0 is filled by a tenth, each of stage 1 whole, by so many kernels.
class KnownKernels final : public exec::Backend
{
public:
    exec::BackendInfo info() const override { return warmAfterThree(); }
    Result<RunFigures> run(const exec::RunPlan&, exec::RunSink&, const exec::Stop&) override
    {
        return fail(ErrorCode::BadValue, "not asked for");
    }
    Result<exec::KernelCount> kernelsOf(const exec::RunPlan& plan, exec::RunSink& sink,
                                        const exec::Stop&) override
    {
        asked = plan;
        exec::KernelCount count;
        std::vector<RecordedPass> passes =
            test::recordedRun(plan.schedule, plan.costs, plan.warmup, plan.iterations).passes;
        for (RecordedPass& pass : passes) {
            const Ticks took = pass.end - pass.start;
            if (pass.iteration >= 0)
                count.passes.push_back(
                    {{pass.rank, pass.iteration, plan.schedule.entry(pass.entry)},
                     kernels,
                     pass.pass.stage == StageId(0) ? took / 10 : took});
            pass.end += took; // twice as long
        }
        sink.passes(passes);
        count.names = {{"gemm", 30, 75}, {"norm", 10, 25}};
        count.lost = lost;
        return count;
    }

    std::int64_t kernels = 100;
    std::int64_t lost = 0;
    std::optional<exec::RunPlan> asked;
};

QJsonObject jsonOf(const RunKernels* kernels)
{
    JsonText json;
    json.beginObject();
    writeKernels(json, kernels);
    json.endObject();
    return QJsonDocument::fromJson(QByteArray::fromStdString(json.text())).object();
}

} // namespace

class TestRunKernels : public QObject
{
    Q_OBJECT

private slots:
    void anIterationOfItsOwnIsWatched();
    void tablesAndSentencesSayTheShares();
    void programsGetAllOfIt();
    void theLogKeepsTheLeastBusyFirst();
    void whatIsLostIsSaid();
    void aBackendWithoutKernelsIsSaid();
    void theEndIsHeldWhereItIsAskedFor();
};

void TestRunKernels::anIterationOfItsOwnIsWatched()
{
    exec::RunPlan plan = planOfTwo();
    plan.warmup = 4;
    plan.iterations = 9;
    plan.faults.push_back({});
    KnownKernels backend;
    const exec::Stop stop;
    const RunKernels kernels = countedKernels(plan, ordinaryPasses(plan), backend, stop);
    QVERIFY(kernels.missing.empty());
    QCOMPARE(backend.asked->warmup, 3);
    QCOMPARE(backend.asked->iterations, 1);
    QVERIFY(backend.asked->faults.empty());
    QVERIFY(backend.asked->patience >= 60 * ticksPerSecond);
    for (const exec::KernelShare& share : kernels.shares) {
        QCOMPARE(share.passes, std::int64_t{4});
        QCOMPARE(share.watched, 2 * share.ordinary);
        QCOMPARE(share.share(), share.stage == StageId(0) ? 0.1 : 1.0);
    }
    QVERIFY(kernels.shares.size() >= 4);
}

void TestRunKernels::tablesAndSentencesSayTheShares()
{
    const exec::RunPlan plan = planOfTwo();
    const PipelineSpec& spec = plan.schedule.spec();
    KnownKernels backend;
    const exec::Stop stop;
    QString text = QString::fromStdString(
        kernelsText(countedKernels(plan, ordinaryPasses(plan), backend, stop), spec, {}));
    QVERIFY2(text.contains(QRegularExpression("\n  F of stage 0 +10 % +100 +0.2 +2 +4\n")),
             qPrintable(text));
    QVERIFY2(text.contains(QRegularExpression("\n  F of stage 1 +100 % +100 +2 +2 +4\n")),
             qPrintable(text));
    QVERIFY2(text.contains("of stage 0: kernels fill 10 % of it (100 kernels in 2 ms): "
                           "launching takes its part"),
             qPrintable(text));
    QVERIFY2(text.contains(QRegularExpression("\n  gemm +75 % +30 +")), qPrintable(text));
    backend.kernels = 3;
    text = QString::fromStdString(
        kernelsText(countedKernels(plan, ordinaryPasses(plan), backend, stop), spec, {}));
    QVERIFY2(text.contains("launches are no reason"), qPrintable(text));
}

void TestRunKernels::programsGetAllOfIt()
{
    const exec::RunPlan plan = planOfTwo();
    KnownKernels backend;
    backend.lost = 3;
    const exec::Stop stop;
    const RunKernels counted = countedKernels(plan, ordinaryPasses(plan), backend, stop);
    const QJsonObject kernels = jsonOf(&counted)["kernels"].toObject();
    QVERIFY(kernels["missing"].isNull());
    QVERIFY(kernels["limit"].toString().contains("kernels fill 10 %"));
    QCOMPARE(kernels["lost"].toInt(), 3);
    const QJsonArray passes = kernels["passes"].toArray();
    QCOMPARE(passes.size(), static_cast<qsizetype>(counted.shares.size()));
    const QJsonObject first = passes[0].toObject();
    QCOMPARE(first["kind"].toString(), QString("F"));
    QCOMPARE(first["stage"].toInt(), 0);
    QCOMPARE(first["busy_rate"].toDouble(), 0.1);
    QCOMPARE(first["kernels"].toInt(), 100);
    QCOMPARE(first["busy_ms"].toDouble(), 0.2);
    QCOMPARE(first["median_ms"].toDouble(), 2.0);
    QCOMPARE(first["counted_median_ms"].toDouble(), 4.0);
    const QJsonArray names = kernels["names"].toArray();
    QCOMPARE(names[0].toObject()["time_rate"].toDouble(), 0.75);
    QVERIFY(jsonOf(nullptr)["kernels"].isNull());
}

void TestRunKernels::theLogKeepsTheLeastBusyFirst()
{
    const exec::RunPlan plan = planOfTwo();
    KnownKernels backend;
    const exec::Stop stop;
    const RunKernels counted = countedKernels(plan, ordinaryPasses(plan), backend, stop);
    const std::vector<RunLog> logs = kernelLogs(counted, plan.schedule.spec(), 77);
    QVERIFY(logs.size() >= 1 + counted.shares.size() + 2);
    QCOMPARE(logs[0].text, counted.limit);
    QVERIFY(logs[1].text.find("of stage 0: 100 kernels a pass") != std::string::npos);
    for (const RunLog& log : logs) {
        QCOMPARE(log.time, Ticks{77});
        QVERIFY(log.level == LogLevel::Info);
    }
    QCOMPARE(logs.back().text, std::string("kernel norm: 25 % of the kernels' time, 10 times"));
}

void TestRunKernels::whatIsLostIsSaid()
{
    const exec::RunPlan plan = planOfTwo();
    KnownKernels backend;
    backend.lost = 1;
    const exec::Stop stop;
    const RunKernels counted = countedKernels(plan, ordinaryPasses(plan), backend, stop);
    const std::vector<RunLog> logs = kernelLogs(counted, plan.schedule.spec(), 0);
    QVERIFY(logs.back().level == LogLevel::Warning);
    QVERIFY(logs.back().text.find("1 record was lost") == 0);
    QVERIFY(kernelsText(counted, plan.schedule.spec(), {}).find("1 record was lost") !=
            std::string::npos);
}

void TestRunKernels::aBackendWithoutKernelsIsSaid()
{
    class Without final : public exec::Backend
    {
    public:
        exec::BackendInfo info() const override
        {
            exec::BackendInfo info;
            info.name = "cpu";
            return info;
        }
        Result<RunFigures> run(const exec::RunPlan&, exec::RunSink&, const exec::Stop&) override
        {
            return fail(ErrorCode::BadValue, "not asked for");
        }
    };
    const exec::RunPlan plan = planOfTwo();
    Without backend;
    const exec::Stop stop;
    const RunKernels counted = countedKernels(plan, ordinaryPasses(plan), backend, stop);
    const std::string text = kernelsText(counted, plan.schedule.spec(), {});
    QVERIFY2(text.find("Kernels were not counted: cpu has no kernels") != std::string::npos,
             text.c_str());
    const std::vector<RunLog> logs = kernelLogs(counted, plan.schedule.spec(), 0);
    QCOMPARE(logs.size(), std::size_t{1});
    QVERIFY(logs[0].level == LogLevel::Warning);
    QVERIFY(!jsonOf(&counted)["kernels"].toObject()["missing"].toString().isEmpty());
    // And passes that are not those that were measured.
    KnownKernels known;
    QVERIFY(!countedKernels(plan, {}, known, stop).missing.empty());
}

void TestRunKernels::theEndIsHeldWhereItIsAskedFor()
{
    exec::RecordingSink heard;
    HeldEnd through({&heard});
    through.finished(RunStatus::Failed, {});
    QCOMPARE(heard.record().ends, 1);
    through.release();
    QCOMPARE(heard.record().ends, 1);

    exec::RecordingSink later;
    HeldEnd held({&later});
    held.hold();
    held.finished(RunStatus::Finished, {});
    QCOMPARE(later.record().ends, 0);
    held.log({0, RankId::none(), LogLevel::Info, "still heard"});
    held.release();
    QCOMPARE(later.record().ends, 1);
    QVERIFY(later.record().status == RunStatus::Finished);
    QCOMPARE(later.record().logs.size(), std::size_t{1});
    held.release();
    QCOMPARE(later.record().ends, 1);
}

PW_TEST(TestRunKernels)
#include "tst_run_kernels.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/dependencies.h"
#include "executor/api/runner.h"
#include "executor/emulated/emulated_backend.h"
#include "tests/support/planned_run.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <thread>
#include <utility>
#include <vector>

using namespace pw;
using namespace pw::exec;

namespace {

/// Times and bytes with nothing equal to anything else, so that a wrong one shows.
Costs unevenCosts(const PipelineSpec& spec)
{
    UniformCosts uniform = test::equalStages(20'011, 17'003, 13'007, 3'001);
    uniform.update = 5'003;
    uniform.activation = 1'000'003;
    uniform.keptForWeight = 0.5;
    uniform.stash = 0.25;
    Costs costs = expand(uniform, spec);
    for (std::size_t cell = 0; cell < costs.forward.size(); ++cell) {
        const auto extra = static_cast<Ticks>(cell) * 1'009;
        costs.forward[cell] += extra;
        costs.backward[cell] += 2 * extra;
        costs.weight[cell] += 3 * extra;
        costs.forwardMessage.push_back(10'000 + 100 * extra);
        costs.backwardMessage.push_back(20'000 + extra);
    }
    costs.gradients.assign(static_cast<std::size_t>(spec.stages()), 30'000);
    costs.link.bytesPerSecond = 5e9;
    costs.linkTrace = {{50'000, 3.5}, {200'000, 1}, {420'000, 8}, {700'000, 1.5}};
    return costs;
}

} // namespace

class TestEmulated : public QObject
{
    Q_OBJECT

private slots:
    void thePlansClockIsTheSimulatorsToTheTick_data();
    void thePlansClockIsTheSimulatorsToTheTick();
    void passesHoldTheirDeviceForTheirTime();
    void whatBeginsLateTakesItsTimeToo();
    void updatesInTheOrderWaitForTheOtherReplica();
    void largeMessagesTravelInPart();
    void aPlanOfTooManyDevicesIsRefused();
};

void TestEmulated::thePlansClockIsTheSimulatorsToTheTick_data()
{
    test::addFamilyRows({2, 4}, true);
}
void TestEmulated::thePlansClockIsTheSimulatorsToTheTick()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(bool, committed);
    const Family& family = test::familyOf(id.toStdString());
    const FamilyOptions options = *test::optionsFor(family, devices);
    const Costs costs = unevenCosts(*specOf(family, options));
    const test::FamilyRun run = test::runFamily(family, options, costs);
    std::optional<RunPlan> plan = test::planOf(
        run.schedule, run.costs, committed ? MessageRule::Committed : MessageRule::Early);
    QCOMPARE(!plan, committed && test::refusesCommitted(family, run.schedule));
    if (!plan)
        return;
    plan->warmup = 1;
    const Result<SimResult> simulated = simulate(plan->schedule, plan->costs);
    QVERIFY(simulated);
    const test::PlannedRun ran(*plan);
    QCOMPARE(test::differenceFrom(*simulated, ran, plan->schedule), QString());
    QCOMPARE(ran.figures->peakActivation, peakActivation(*simulated));
    QCOMPARE(ran.figures->predictedPeakActivation, peakActivation(*simulated));
}

void TestEmulated::passesHoldTheirDeviceForTheirTime()
{
    const Family& family = test::familyOf("1f1b");
    const test::FamilyRun run = test::runFamily(
        family, test::sized(2, 4), test::equalStages(300'000, 300'000, 300'000, 100'000));
    const RunPlan plan = *test::planOf(run.schedule, run.costs);
    // Where the machine has time, hardly longer than modelled.
    Ticks shortest = std::numeric_limits<Ticks>::max();
    constexpr int tries = 20;
    for (int i = 0; i < tries && shortest > run.result.makespan * 3 / 2; ++i) {
        const test::PlannedRun ran(plan);
        QCOMPARE(test::differenceFrom(run.result, ran, plan.schedule), QString());
        shortest = std::min(shortest, ran.figures->makespan);
    }
    QVERIFY2(shortest <= run.result.makespan * 3 / 2, qPrintable(QString::number(shortest)));
    RecordingSink sink;
    const Stop stop;
    const Result<RunFigures> figures = makeEmulatedBackend()->run(plan, sink, stop);
    QVERIFY2(figures, figures ? "" : figures.error().message.c_str());
    for (const RecordedMessage& message : sink.record().messages) {
        QVERIFY(message.ended >= message.started);
        for (const RecordedPass& pass : sink.record().passes) {
            if (pass.pass ==
                plan.program.messages[static_cast<std::size_t>(message.message)].consumer)
                QVERIFY(pass.start >= message.ended);
        }
    }
    QVERIFY(!sink.record().logs.empty());
    QVERIFY(sink.record().logs.front().text.rfind("ends of passes were seen late by ", 0) == 0);
    QCOMPARE(sink.record().environment.backend, std::string("emulated"));
    QCOMPARE(sink.record().environment.devices.size(), std::size_t{2});
}

void TestEmulated::whatBeginsLateTakesItsTimeToo()
{
    // More threads than most machines have cores for, with passes that are shorter than their
    // turns; and one of them is held up for long.
    const Family& family = test::familyOf("zb-h1");
    const test::FamilyRun run =
        test::runFamily(family, test::sized(32, 32), test::equalStages(9'000, 8'000, 7'000, 3'000));
    const RunPlan plan = *test::planOf(run.schedule, run.costs);
    constexpr Ticks stall = 90 * ticksPerMs, forgiven = 20 * ticksPerMs;
    const Pass held{PassKind::F, 0, StageId(7), 5, 0};
    const test::PlannedRun ran(plan, [&](const OrderEntry& entry) {
        if (entry.pass == held)
            std::this_thread::sleep_for(std::chrono::nanoseconds(stall));
    });
    QVERIFY2(ran.figures, ran.figures ? "" : ran.figures.error().message.c_str());
    QVERIFY2(ran.figures->makespan > run.result.makespan + stall - 2 * forgiven,
             qPrintable(QString::number(ran.figures->makespan)));
    const RecordingSink::Record& record = ran.record;
    std::map<RankId, std::vector<std::pair<Ticks, Ticks>>> lanes;
    for (const RecordedPass& pass : record.passes) {
        const Ticks time = passTime(plan.costs, plan.schedule.spec(), pass.pass);
        QCOMPARE(pass.end - pass.start, time);
        lanes[pass.rank].emplace_back(pass.start, pass.end);
    }
    for (auto& [rank, passes] : lanes) {
        std::sort(passes.begin(), passes.end());
        for (std::size_t i = 1; i < passes.size(); ++i)
            QVERIFY(passes[i].first >= passes[i - 1].second);
    }
    for (const RecordedMessage& message : record.messages) {
        QCOMPARE(message.ended - message.started, Ticks{3'000});
        const Message& what = plan.program.messages[static_cast<std::size_t>(message.message)];
        for (const RecordedPass& pass : record.passes) {
            QVERIFY(!(pass.pass == what.producer) || pass.end <= message.started);
            QVERIFY(!(pass.pass == what.consumer) || pass.start >= message.ended);
        }
    }
}

void TestEmulated::updatesInTheOrderWaitForTheOtherReplica()
{
    const Family& family = test::familyOf("chimera");
    FamilyOptions options = test::sized(4, 4);
    options.steps = 2;
    Costs costs = unevenCosts(*specOf(family, options));
    const test::FamilyRun run = test::runFamily(family, options, costs);
    const RunPlan plan = *test::planOf(run.schedule, run.costs);
    const test::PlannedRun ran(plan);
    QCOMPARE(test::differenceFrom(run.result, ran, plan.schedule), QString());
}

void TestEmulated::largeMessagesTravelInPart()
{
    const Family& family = test::familyOf("gpipe");
    const FamilyOptions options = test::sized(2, 2);
    Costs costs = expand(test::equalStages(10'000, 10'000, 10'000), *specOf(family, options));
    costs.forwardMessage.assign(costs.forward.size(), 10 << 20);
    costs.backwardMessage = costs.forwardMessage;
    const test::FamilyRun run = test::runFamily(family, options, costs);
    RecordingSink sink;
    const Stop stop;
    QVERIFY(makeEmulatedBackend()->run(*test::planOf(run.schedule, run.costs), sink, stop));
    for (const RecordedMessage& message : sink.record().messages)
        QCOMPARE(message.bytes, Bytes{10 << 20});
    QCOMPARE(sink.record().logs.back().text,
             std::string("of messages up to 10 MiB the first 64 KiB travelled"));
}

void TestEmulated::aPlanOfTooManyDevicesIsRefused()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("gpipe"), test::sized(1025, 1), UniformCosts{});
    RecordingSink sink;
    const Stop stop;
    const Result<RunFigures> figures =
        makeEmulatedBackend()->run(*test::planOf(run.schedule, run.costs), sink, stop);
    QVERIFY(!figures);
    QCOMPARE(figures.error().code, ErrorCode::BadValue);
    QCOMPARE(figures.error().message,
             std::string("the plan has 1025 devices; at most 1024 are emulated"));
}

PW_TEST(TestEmulated)
#include "tst_emulated.moc"

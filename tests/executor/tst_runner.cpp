// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/dependencies.h"
#include "executor/api/runner.h"
#include "executor/transport/local.h"
#include "tests/support/fake_worker.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace pw;
using namespace pw::exec;

namespace {

/// A run of a plan with fake workers, and what it said.
struct FakeRun
{
    explicit FakeRun(const RunPlan& plan, int lag = 0)
    {
        RunClock clock;
        LocalTransport transport(plan, clock);
        RecordingSink sink;
        const Stop stop;
        figures = runRanks(
            plan,
            [&](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
                return std::make_unique<test::FakeWorker>(plan, rank, clock, lag);
            },
            transport, clock, RunEnvironment{}, sink, stop);
        record = sink.record();
    }

    Result<RunFigures> figures;
    RecordingSink::Record record;
};

/// Asks for the end of the run at the beginning of an iteration, on rank 0.
class StoppingWorker : public test::FakeWorker
{
public:
    StoppingWorker(const RunPlan& plan, RankId rank, const RunClock& clock, int iteration,
                   Stop& stop)
        : FakeWorker(plan, rank, clock)
        , m_iteration(rank == 0 ? iteration : -1)
        , m_stop(stop)
    {
    }
    Result<void> beginIteration(int iteration) override
    {
        if (iteration == m_iteration)
            m_stop.request();
        return FakeWorker::beginIteration(iteration);
    }

private:
    int m_iteration;
    Stop& m_stop;
};

RunPlan planFor(const char* id, int devices, int microBatches, MessageRule rule)
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf(id), test::sized(devices, microBatches), UniformCosts{});
    return *test::planOf(run.schedule, run.costs, rule);
}

/// Start and end of every entry in one iteration; −1 where it is missing or doubled.
struct EntryTimes
{
    EntryTimes(const RunPlan& plan, const RecordingSink::Record& record, int iteration)
        : start(static_cast<std::size_t>(plan.schedule.entryCount()), -1)
        , end(start)
    {
        std::vector<int> seen(start.size());
        for (const RecordedPass& pass : record.passes) {
            if (pass.iteration != iteration || pass.entry < 0)
                continue;
            const auto at = static_cast<std::size_t>(pass.entry);
            const OrderEntry entry = plan.schedule.entry(EntryId(pass.entry));
            start[at] = pass.start;
            end[at] = pass.end;
            seen[at] += pass.pass == entry.pass || pass.pass == entry.partner ? 1 : 100;
        }
        for (std::size_t at = 0; at < seen.size(); ++at) {
            const OrderEntry entry = plan.schedule.entry(EntryId(at));
            if (seen[at] != (entry.paired ? 2 : 1))
                start[at] = end[at] = -1;
        }
    }
    Ticks startOf(std::int32_t entry) const { return start[static_cast<std::size_t>(entry)]; }
    Ticks endOf(std::int32_t entry) const { return end[static_cast<std::size_t>(entry)]; }

    std::vector<Ticks> start;
    std::vector<Ticks> end;
};

/// The first thing that is wrong with the times of an iteration, or empty.
QString orderProblem(const RunPlan& plan, const EntryTimes& times)
{
    const Schedule& schedule = plan.schedule;
    const auto text = [&](EntryId entry) {
        return QString::fromStdString(describe(schedule.entry(entry).pass, schedule.spec()));
    };
    std::vector<Dependency> needs;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        Ticks free = 0;
        for (const EntryId entry : schedule.entries(device)) {
            if (times.startOf(entry) < free || times.endOf(entry) < times.startOf(entry))
                return text(entry) + " is not there, or out of order";
            free = times.endOf(entry);
            const Schedule::Places& places = schedule.places()[static_cast<std::size_t>(entry)];
            for (const PassId id : {places.first, places.second}) {
                needs.clear();
                if (id.valid())
                    Dependencies(schedule).append(id, needs);
                for (const Dependency& need : needs) {
                    const EntryId before = schedule.entryOf(need.producer);
                    if (before != entry && times.endOf(before) > times.startOf(entry))
                        return text(entry) + " starts before " + text(before) + " has ended";
                }
            }
        }
    }
    return {};
}

QString messageProblem(const RunPlan& plan, const RecordingSink::Record& record, int iteration,
                       const EntryTimes& times)
{
    const Schedule& schedule = plan.schedule;
    std::vector<int> seen(plan.program.messages.size());
    for (const RecordedMessage& message : record.messages) {
        if (message.iteration != iteration || message.message < 0)
            continue;
        const auto at = static_cast<std::size_t>(message.message);
        ++seen[at];
        const Message& planned = plan.program.messages[at];
        const QString name = QString::fromStdString(describe(planned.producer, schedule.spec()));
        if (message.from != planned.from || message.to != planned.to || message.bytes != 8)
            return name + " is another message";
        const PassId producer = schedule.table().id(planned.producer);
        const PassId consumer = schedule.table().id(planned.consumer);
        if (message.posted < times.endOf(schedule.entryOf(producer)) ||
            message.started < message.posted || message.ended < message.started ||
            message.ended > times.startOf(schedule.entryOf(consumer)))
            return name + " has times out of order";
    }
    for (std::size_t at = 0; at < seen.size(); ++at) {
        if (seen[at] != 1)
            return QString("message %1 came %2 times").arg(at).arg(seen[at]);
    }
    return {};
}

/// Under the committed rule a sender goes on only when the receiver has come to its receive.
QString commitmentProblem(const RunPlan& plan, const EntryTimes& times)
{
    const Schedule& schedule = plan.schedule;
    for (const Message& message : plan.program.messages) {
        const EntryId sent = schedule.entryOf(schedule.table().id(message.producer));
        const EntryId used = schedule.entryOf(schedule.table().id(message.consumer));
        if (sent + 1 == schedule.end(deviceOf(message.from)) ||
            used == schedule.begin(deviceOf(message.to)))
            continue;
        if (times.startOf(sent + 1) < times.endOf(used - 1))
            return QString::fromStdString(describe(message.producer, schedule.spec())) +
                   " did not wait for its receiver";
    }
    return {};
}

/// Updates outside the order follow the last entry of their rank, once a hosted stage.
QString updateProblem(const RunPlan& plan, const RecordingSink::Record& record, int iteration,
                      const EntryTimes& times)
{
    const Schedule& schedule = plan.schedule;
    const PipelineSpec& spec = schedule.spec();
    std::map<std::pair<int, int>, int> seen;
    for (const RecordedPass& pass : record.passes) {
        if (pass.iteration != iteration || pass.entry >= 0)
            continue;
        if (pass.pass.kind != PassKind::U ||
            spec.device(pass.pass.route, pass.pass.stage) != deviceOf(pass.rank))
            return "a pass outside the order that is not an update of its rank";
        if (pass.start < times.endOf(schedule.end(deviceOf(pass.rank)) - 1))
            return "an update before the end of its iteration";
        ++seen[{pass.pass.route, pass.pass.stage}];
    }
    const std::size_t expected =
        spec.updates ? 0 : static_cast<std::size_t>(spec.routeCount() * spec.stages());
    const bool once =
        std::all_of(seen.begin(), seen.end(), [](const auto& one) { return one.second == 1; });
    return seen.size() == expected && once ? "" : "updates outside the order are not one a stage";
}

QString reductionProblem(const RunPlan& plan, const RecordingSink::Record& record, int iteration)
{
    std::size_t expected = 0;
    for (const Reduction& reduction : plan.program.reductions)
        expected += reduction.ranks[0] == reduction.ranks[1] ? 0 : 2;
    const auto came = static_cast<std::size_t>(
        std::count_if(record.messages.begin(), record.messages.end(), [&](const auto& message) {
            return message.iteration == iteration && message.message < 0;
        }));
    return came == expected ? "" : QString("%1 reductions came, not %2").arg(came).arg(expected);
}

} // namespace

class TestRunner : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyRunsInItsOrder_data() { test::addFamilyRows({2, 4}, true); }
    void everyFamilyRunsInItsOrder()
    {
        QFETCH(QString, id);
        QFETCH(int, devices);
        QFETCH(bool, committed);
        const Family& family = test::familyOf(id.toStdString());
        const test::FamilyRun run =
            test::runFamily(family, *test::optionsFor(family, devices), UniformCosts{});
        std::optional<RunPlan> plan = test::planOf(
            run.schedule, run.costs, committed ? MessageRule::Committed : MessageRule::Early);
        // Sends that meet deadlock some orders, and those alone.
        QCOMPARE(!plan, committed && test::refusesCommitted(family, run.schedule));
        if (!plan)
            return;
        plan->warmup = 1;
        plan->iterations = 2;
        const FakeRun ran(*plan);
        QVERIFY2(ran.figures, ran.figures ? "" : ran.figures.error().message.c_str());
        QCOMPARE(ran.record.starts, 1);
        QCOMPARE(ran.record.ends, 1);
        QCOMPARE(ran.record.status, RunStatus::Finished);
        for (const int iteration : {-1, 0, 1}) {
            const EntryTimes times(*plan, ran.record, iteration);
            QCOMPARE(orderProblem(*plan, times), QString());
            QCOMPARE(messageProblem(*plan, ran.record, iteration, times), QString());
            QCOMPARE(updateProblem(*plan, ran.record, iteration, times), QString());
            QCOMPARE(reductionProblem(*plan, ran.record, iteration), QString());
            if (committed)
                QCOMPARE(commitmentProblem(*plan, times), QString());
        }
    }

    void recordsOfARankAreInTimeOrder()
    {
        const RunPlan plan = planFor("zb-h1", 4, 16, MessageRule::Early);
        const FakeRun ran(plan);
        QVERIFY(ran.figures);
        std::map<RankId, Ticks> last;
        for (const RecordedPass& pass : ran.record.passes) {
            QVERIFY(pass.start >= last[pass.rank]);
            last[pass.rank] = pass.start;
        }
    }

    void aDeviceThatLagsIsRecordedInFull_data()
    {
        QTest::addColumn<int>("lag");
        for (const int lag : {1, 7, 1000})
            QTest::addRow("%d behind", lag) << lag;
    }
    void aDeviceThatLagsIsRecordedInFull()
    {
        QFETCH(int, lag);
        RunPlan plan = planFor("1f1b", 2, 6, MessageRule::Early);
        plan.iterations = 2;
        const FakeRun ran(plan, lag);
        QVERIFY2(ran.figures, ran.figures ? "" : ran.figures.error().message.c_str());
        for (const int iteration : {0, 1}) {
            const EntryTimes times(plan, ran.record, iteration);
            QCOMPARE(orderProblem(plan, times), QString());
            QCOMPARE(messageProblem(plan, ran.record, iteration, times), QString());
        }
    }

    void lossesAreMeansOfTheStepsMicroBatches_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"1f1b", "chimera", "pipedream-2bw"})
            QTest::newRow(id) << QString(id);
    }
    void lossesAreMeansOfTheStepsMicroBatches()
    {
        QFETCH(QString, id);
        FamilyOptions options = test::sized(4, 8);
        options.steps = 2;
        const test::FamilyRun run =
            test::runFamily(test::familyOf(id.toStdString()), options, UniformCosts{});
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.warmup = 1;
        plan.iterations = 2;
        const FakeRun ran(plan);
        QVERIFY2(ran.figures, ran.figures ? "" : ran.figures.error().message.c_str());
        QCOMPARE(ran.record.losses.size(), std::size_t{6});
        // Micro-batch j has the loss 1 + j: the means are 4.5 and 12.5.
        for (const StepLoss& loss : ran.record.losses)
            QCOMPARE(loss.loss, loss.step % 2 == 0 ? 4.5 : 12.5);
        QCOMPARE(ran.figures->firstLoss, 4.5);
        QCOMPARE(ran.figures->lastLoss, 12.5);
    }

    void figuresAreThoseOfTheRecords()
    {
        RunPlan plan = planFor("1f1b", 2, 4, MessageRule::Early);
        plan.warmup = 1;
        plan.iterations = 3;
        const FakeRun ran(plan);
        QVERIFY(ran.figures);
        QCOMPARE(ran.figures->iterations, 3);
        std::vector<Ticks> makespans;
        for (const int iteration : {0, 1, 2}) {
            const EntryTimes times(plan, ran.record, iteration);
            makespans.push_back(*std::max_element(times.end.begin(), times.end.end()) -
                                *std::min_element(times.start.begin(), times.start.end()));
        }
        std::sort(makespans.begin(), makespans.end());
        QCOMPARE(ran.figures->makespanLow, makespans[0]);
        QCOMPARE(ran.figures->makespan, makespans[1]);
        QCOMPARE(ran.figures->makespanHigh, makespans[2]);
        QCOMPARE(ran.figures->peakActivation, Bytes{8});
        const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
        QVERIFY(simulated);
        QCOMPARE(ran.figures->predictedMakespan, simulated->makespan);
        QCOMPARE(ran.figures->predictedSpanBubble, spanBubble(*simulated).rate());
        QCOMPARE(ran.figures, ran.record.figures);
    }

    void aStopEndsTheRunAsStopped_data()
    {
        QTest::addColumn<int>("iteration");
        QTest::newRow("before the run") << -1;
        QTest::newRow("in the first iteration") << 0;
        QTest::newRow("later") << 3;
    }
    void aStopEndsTheRunAsStopped()
    {
        QFETCH(int, iteration);
        RunPlan plan = planFor("1f1b", 2, 4, MessageRule::Early);
        // Far more than is done before anybody looks at the stop.
        plan.iterations = 200'000;
        RunClock clock;
        LocalTransport transport(plan, clock);
        RecordingSink sink;
        Stop stop;
        if (iteration < 0)
            stop.request();
        const Result<RunFigures> figures = runRanks(
            plan,
            [&](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
                return std::make_unique<StoppingWorker>(plan, rank, clock, iteration, stop);
            },
            transport, clock, RunEnvironment{}, sink, stop);
        QVERIFY(!figures);
        QCOMPARE(figures.error().code, ErrorCode::Cancelled);
        QCOMPARE(sink.record().status, RunStatus::Stopped);
        QCOMPARE(sink.record().ends, 1);
        QVERIFY(sink.record().faults.empty());
        // What was done before it is kept, and the run went on for no more than a while.
        QVERIFY(sink.record().figures.iterations >= std::max(iteration, 0));
        QVERIFY(sink.record().figures.iterations < plan.iterations / 2);
    }

    void aWorkerThatCannotBeMadeEndsTheRun()
    {
        const RunPlan plan = planFor("1f1b", 4, 4, MessageRule::Early);
        RunClock clock;
        LocalTransport transport(plan, clock);
        RecordingSink sink;
        const Stop stop;
        const Result<RunFigures> figures = runRanks(
            plan,
            [&](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
                if (rank == 2)
                    return fail(ErrorCode::BadValue, "there is no third device");
                return std::make_unique<test::FakeWorker>(plan, rank, clock);
            },
            transport, clock, RunEnvironment{}, sink, stop);
        QVERIFY(!figures);
        QCOMPARE(figures.error().code, ErrorCode::BadValue);
        QCOMPARE(figures.error().message, std::string("rank 2, begin: there is no third device"));
        QCOMPARE(sink.record().faults.size(), std::size_t{1});
        QCOMPARE(sink.record().faults.front().rank, 2);
        QCOMPARE(sink.record().status, RunStatus::Failed);
    }
};

PW_TEST(TestRunner)
#include "tst_runner.moc"

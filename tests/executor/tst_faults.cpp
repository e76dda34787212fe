// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/pass_label.h"
#include "executor/api/runner.h"
#include "executor/backends/backends.h"
#include "executor/model/ops.h"
#include "executor/transport/local.h"
#include "tests/support/fake_worker.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>
#include <unistd.h>

using namespace pw;
using namespace pw::exec;

namespace {

/// Enough where a machine has time for the test. Where it has not, another rank than the guilty one
/// can be late as well, and the same is asked again with more.
constexpr Ticks shortPatience = 60 * ticksPerMs;
constexpr Ticks longPatience = 20'000 * ticksPerMs;
constexpr Ticks longerPatiences[] = {shortPatience, 10 * shortPatience, 100 * shortPatience};

RunPlan planFor(const char* id, int devices, int microBatches,
                MessageRule rule = MessageRule::Early)
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf(id), test::sized(devices, microBatches),
                        test::equalStages(1000, 1000, 1000));
    RunPlan plan = *test::planOf(run.schedule, run.costs, rule);
    plan.warmup = 1;
    plan.iterations = 2;
    plan.patience = shortPatience;
    return plan;
}

/// Every thread that makes its worker here also drops it here.
std::atomic<int> workersAlive{0};

class CountedWorker : public test::FakeWorker
{
public:
    CountedWorker(const RunPlan& plan, RankId rank, const RunClock& clock,
                  std::function<void(const OrderEntry&)> before = {})
        : test::FakeWorker(plan, rank, clock)
        , m_before(std::move(before))
    {
        ++workersAlive;
    }
    ~CountedWorker() override { --workersAlive; }

    Result<Computed> compute(const OrderEntry& entry) override
    {
        if (m_before)
            m_before(entry);
        return test::FakeWorker::compute(entry);
    }

private:
    std::function<void(const OrderEntry&)> m_before;
};

struct FaultyRun
{
    explicit FaultyRun(const RunPlan& plan, std::function<void(const OrderEntry&)> before = {})
    {
        RunClock clock;
        LocalTransport transport(plan, clock);
        RecordingSink sink;
        const Stop stop;
        figures = runRanks(
            plan,
            [&](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
                return std::make_unique<CountedWorker>(plan, rank, clock, before);
            },
            transport, clock, RunEnvironment{}, sink, stop);
        record = sink.record();
        if (!record.faults.empty())
            fault = record.faults.front();
    }

    Result<RunFigures> figures;
    RecordingSink::Record record;
    RunFault fault;
};

/// What must be so after any fault, or what is not.
QString endProblem(const FaultyRun& run)
{
    if (run.figures)
        return "the run has not failed";
    if (run.figures.error().code != ErrorCode::Fault)
        return "the error is not a fault";
    if (run.record.faults.size() != 1 || run.record.ends != 1 ||
        run.record.status != RunStatus::Failed)
        return "the sink has not heard one fault and the end";
    if (run.figures.error().message != run.fault.text)
        return "the error is not the fault that the sink has heard";
    if (workersAlive != 0)
        return "a rank has not ended";
    return {};
}

/// Runs a plan, with more and more patience until nothing is wrong with how it ended.
/// @param problem  of a run, in words; empty: none
/// @return  the last problem
template<typename Problem>
QString lastProblem(RunPlan plan, Problem problem)
{
    QString last;
    for (const Ticks patience : longerPatiences) {
        plan.patience = patience;
        const FaultyRun run(plan);
        last = endProblem(run);
        if (last.isEmpty())
            last = problem(run);
        if (last.isEmpty())
            break;
    }
    return last;
}

bool contains(const RunFault& fault, const std::string& words)
{
    return fault.text.find(words) != std::string::npos;
}

/// A worker in a driver call that does not come back, until somebody lets it.
struct Hang
{
    std::atomic<bool> open{false};
    void wait() const
    {
        while (!open)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
};

Hang& theHang()
{
    static Hang hang;
    return hang;
}

/// A run of which rank 1 hangs. What its thread uses stays as long as the process.
Result<RunFigures> runWithHang(RunSink& sink)
{
    static const RunPlan plan = [] {
        RunPlan made = planFor("1f1b", 2, 4);
        made.patience = 10 * shortPatience;
        return made;
    }();
    static RunClock clock;
    static LocalTransport transport(plan, clock);
    static const Stop stop;
    const WorkerFactory workers = [](RankId rank,
                                     const RunClock&) -> Result<std::unique_ptr<Worker>> {
        return std::make_unique<CountedWorker>(plan, rank, clock, [rank](const OrderEntry& entry) {
            if (rank == 1 && entry.pass.microBatch == 2)
                theHang().wait();
        });
    };
    return runRanks(plan, workers, transport, clock, RunEnvironment{}, sink, stop);
}

constexpr int statusOfLeaving = 7;

/// A program that ends while a rank of its hangs, as one in a driver does; only called in a process
/// of its own. Handlers that would run are heard.
int runAndLeave()
{
    std::atexit([] { std::printf(", and destroyed"); });
    RecordingSink sink;
    std::cout << (runWithHang(sink) || !ranksLeftBehind() ? "not left" : "left behind");
    return statusOfLeaving;
}

/// A run whose process ends in the middle; only called in a process of its own.
int runAndDie()
{
    RunPlan plan = planFor("1f1b", 2, 4);
    plan.faults.push_back(*parseFault("die:F2.1@1"));
    const FaultyRun run(plan);
    return 0;
}

} // namespace

class TestFaults : public QObject
{
    Q_OBJECT

private slots:
    void everyFaultEndsTheRunAndIsNamed_data();
    void everyFaultEndsTheRunAndIsNamed();
    void aRankThatDiesTakesItsProcessWithIt();
    void anyExceptionOfAWorkerIsAFaultOfItsPass();
    void aStalledRankAloneIsNoticedByNobodyButTheRun();
    void aRankThatHangsIsLeftBehind();
    void aProcessEndsWithoutDestroyingWhatAHangingRankUses();
    void theOneThatHoldsEverybodyUpIsNamed();
    void aFaultThatCannotStrikeIsRefused_data();
    void aFaultThatCannotStrikeIsRefused();
    void emulatedDevicesEndWithAFaultToo();
};

void TestFaults::everyFaultEndsTheRunAndIsNamed_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("committed");
    QTest::addColumn<QString>("text");
    for (const char* id : {"1f1b", "zb-v", "chimera", "interleaved-1f1b"}) {
        for (const bool committed : {false, true}) {
            if (!test::planOf(planFor(id, 4, 8).schedule, planFor(id, 4, 8).costs,
                              committed ? MessageRule::Committed : MessageRule::Early))
                continue;
            for (const char* text :
                 {"throw:F1.1", "throw:F3.2@1", "out-of-memory:F2.1@-1", "stall:F1.1@1",
                  "wrong-tag:F1.0", "lose-message:F1.0@1", "lose-message:F7.2"})
                QTest::addRow("%s%s, %s", id, committed ? " committed" : "", text)
                    << QString(id) << committed << QString(text);
        }
    }
}
void TestFaults::everyFaultEndsTheRunAndIsNamed()
{
    QFETCH(QString, id);
    QFETCH(bool, committed);
    QFETCH(QString, text);
    RunPlan plan =
        planFor(qPrintable(id), 4, 8, committed ? MessageRule::Committed : MessageRule::Early);
    const InjectedFault fault = *parseFault(text.toStdString());
    plan.faults.push_back(fault);
    const PipelineSpec& spec = plan.schedule.spec();
    const RankId rank = rankOf(spec.device(spec.route(fault.pass.microBatch), fault.pass.stage));
    const auto problem = [&](const FaultyRun& run) -> QString {
        const QString all = QString::fromStdString(run.fault.text);
        const bool named = run.fault.rank >= 0 && !run.fault.pass.empty() &&
                           all.startsWith(QString("rank %1, %2: ")
                                              .arg(run.fault.rank)
                                              .arg(QString::fromStdString(run.fault.pass)));
        if (!named)
            return "does not begin with rank and pass: " + all;
        if (fault.kind == FaultKind::Throw || fault.kind == FaultKind::OutOfMemory) {
            const char* what = fault.kind == FaultKind::Throw ? "an exception" : "memory";
            const bool said = run.fault.rank == rank && contains(run.fault, what) &&
                              contains(run.fault, passLabel(fault.pass).substr(3));
            return said ? QString() : "does not say rank, pass and what happened: " + all;
        }
        // The others are noticed by who waits, who names whom it waits for.
        const bool blamed = run.fault.peer >= 0 && run.fault.peer != run.fault.rank &&
                            contains(run.fault, "rank " + std::to_string(run.fault.peer)) &&
                            contains(run.fault, "rank " + std::to_string(rank));
        return blamed ? QString() : "does not name who is waited for: " + all;
    };
    QCOMPARE(lastProblem(plan, problem), QString());
}

void TestFaults::aRankThatDiesTakesItsProcessWithIt()
{
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"tst_faults", "--die"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QCOMPARE(process.exitCode(), SIGKILL);
}

void TestFaults::anyExceptionOfAWorkerIsAFaultOfItsPass()
{
    RunPlan plan = planFor("zb-h1", 2, 4);
    plan.patience = longPatience; // nobody waits for as long: an exception ends the run at once
    const Pass struck{PassKind::W, 0, StageId(1), 2, 0};
    const auto at = [&](const auto& thrown) {
        return [&struck, thrown](const OrderEntry& entry) {
            if (entry.pass == struck)
                throw thrown;
        };
    };
    const FaultyRun device(plan, at(DeviceError("no memory for 12 MiB")));
    QCOMPARE(endProblem(device), QString());
    QCOMPARE(device.fault.text, std::string("rank 1, PP:1W2: no memory for 12 MiB"));
    QCOMPARE(device.fault.pass, std::string("PP:1W2"));
    const FaultyRun standard(plan, at(std::bad_alloc()));
    QCOMPARE(endProblem(standard), QString());
    QCOMPARE(standard.fault.text, std::string("rank 1, PP:1W2: out of memory"));
    const FaultyRun any(plan, at(42));
    QCOMPARE(endProblem(any), QString());
    QCOMPARE(any.fault.text, std::string("rank 1, PP:1W2: an exception of an unknown kind"));
}

void TestFaults::aStalledRankAloneIsNoticedByNobodyButTheRun()
{
    // The last pass of a pipeline, and a pipeline of one device.
    for (const int devices : {1, 2}) {
        RunPlan plan = planFor("gpipe", devices, 2);
        plan.faults.push_back(*parseFault("stall:BW1.0"));
        const auto problem = [](const FaultyRun& run) {
            return contains(run.fault, "rank 0") ? QString()
                                                 : QString::fromStdString(run.fault.text);
        };
        QCOMPARE(lastProblem(plan, problem), QString());
    }
}

void TestFaults::aRankThatHangsIsLeftBehind()
{
    RecordingSink sink;
    const Result<RunFigures> figures = runWithHang(sink);
    QVERIFY(!figures);
    QVERIFY(ranksLeftBehind());
    QCOMPARE(sink.record().status, RunStatus::Failed);
    QCOMPARE(sink.record().logs.back().rank, 1);
    QCOMPARE(sink.record().logs.back().level, LogLevel::Warning);
    QVERIFY(workersAlive > 0);
    theHang().open = true;
    QTRY_COMPARE(workersAlive.load(), 0);
}

void TestFaults::aProcessEndsWithoutDestroyingWhatAHangingRankUses()
{
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"tst_faults", "--leave"});
    QVERIFY(process.waitForFinished(test::longest));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), statusOfLeaving);
    QCOMPARE(process.readAllStandardOutput(), QByteArray("left behind"));
}

void TestFaults::theOneThatHoldsEverybodyUpIsNamed()
{
    RunPlan plan = planFor("gpipe", 4, 2);
    plan.faults.push_back(*parseFault("stall:F1.0"));
    const auto problem = [](const FaultyRun& run) {
        return contains(run.fault, "; rank 0 is in PP:0F1")
                   ? QString()
                   : QString::fromStdString(run.fault.text);
    };
    QCOMPARE(lastProblem(plan, problem), QString());
}

void TestFaults::aFaultThatCannotStrikeIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* text, const char* message) {
        QTest::newRow(text) << QString(text) << QString("the fault in ") + message;
    };
    row("throw:F4", "PP:0F4: the schedule has no such pass");
    row("throw:F0.2", "PP:2F0: the schedule has no such pass");
    row("throw:F0/1", "PP:0F0: the schedule has no such pass");
    row("throw:B0", "PP:0I0: the schedule has no such pass");
    row("throw:U0", "PP:0U0: the schedule has no such pass");
    row("throw:F0@2", "PP:0F0: the run has no iteration 2");
    row("throw:F0@-2", "PP:0F0: the run has no iteration -2");
    row("lose-message:F0.1", "PP:1F0: no other rank takes its result");
}
void TestFaults::aFaultThatCannotStrikeIsRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    RunPlan plan = planFor("1f1b", 2, 4);
    plan.faults.push_back(*parseFault(text.toStdString()));
    const FaultyRun run(plan);
    QVERIFY(!run.figures);
    QCOMPARE(run.figures.error().code, ErrorCode::BadValue);
    QCOMPARE(QString::fromStdString(run.figures.error().message), message);
    QCOMPARE(run.record.starts, 0);
}

void TestFaults::emulatedDevicesEndWithAFaultToo()
{
    // A pass of a minute must not be waited for.
    const test::FamilyRun made = test::runFamily(test::familyOf("1f1b"), test::sized(3, 3),
                                                 test::equalStages(60'000 * ticksPerMs, 1, 1));
    RunPlan plan = *test::planOf(made.schedule, made.costs);
    RunFault fault;
    for (const Ticks patience : longerPatiences) {
        plan.patience = patience;
        RecordingSink sink;
        const Stop stop;
        const Result<RunFigures> figures = (*openBackend("emulated", 3))->run(plan, sink, stop);
        QVERIFY(!figures);
        QCOMPARE(figures.error().code, ErrorCode::Fault);
        QVERIFY(!sink.record().faults.empty());
        fault = sink.record().faults.front();
        if (contains(fault, "; rank 0 is in PP:0F0"))
            break;
    }
    QVERIFY2(contains(fault, "; rank 0 is in PP:0F0"), fault.text.c_str());
}

static int runFaults(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "--die")
        return runAndDie();
    if (argc > 1 && std::string_view(argv[1]) == "--leave")
        return runAndLeave();
    QCoreApplication application(argc, argv);
    TestFaults faults;
    return QTest::qExec(&faults, argc, argv);
}

PW_TEST_RUN(TestFaults, runFaults)
#include "tst_faults.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/hinted_device.h"
#include "core/noise/hinted_runs.h"
#include "core/sim/metrics.h"
#include "executor/api/hint.h"
#include "executor/backends/backends.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

using namespace pw;
using namespace pw::exec;

namespace {

/// Every parameter and gradient of every update, bit by bit, and what the run recorded.
struct HintedOutcome
{
    Result<RunFigures> figures = fail(ErrorCode::Fault, "not run");
    std::map<std::tuple<int, int, int>, std::pair<std::vector<float>, std::vector<float>>> weights;
    RecordingSink::Record record;
};

HintedOutcome hintedOutcome(Backend& backend, const RunPlan& plan)
{
    HintedOutcome outcome;
    std::mutex guard;
    backend.setSnapshotListener([&](StageSnapshot snapshot) {
        const std::lock_guard lock(guard);
        outcome.weights[{snapshot.update, snapshot.stage.stage, snapshot.stage.route}] = {
            std::move(snapshot.parameters), std::move(snapshot.gradients)};
    });
    RecordingSink sink;
    outcome.figures = backend.run(plan, sink, Stop());
    backend.setSnapshotListener({});
    outcome.record = sink.record();
    return outcome;
}

/// Passes that began before one that stands before them in the order of their rank.
int outOfOrder(const RecordingSink::Record& record)
{
    std::map<std::pair<int, int>, std::vector<std::pair<Ticks, std::int32_t>>> lanes;
    for (const RecordedPass& pass : record.passes)
        if (pass.entry >= 0)
            lanes[{pass.iteration, pass.rank}].emplace_back(pass.start, pass.entry);
    int found = 0;
    for (auto& [lane, passes] : lanes) {
        std::sort(passes.begin(), passes.end());
        for (std::size_t i = 1; i < passes.size(); ++i)
            found += passes[i].second < passes[i - 1].second ? 1 : 0;
    }
    return found;
}

/// Messages that take long: an order for others.
Costs hintedCosts(const PipelineSpec& spec)
{
    UniformCosts uniform;
    uniform.forward = ticksFromMs(2);
    uniform.backward = ticksFromMs(3);
    Costs costs = expand(uniform, spec);
    costs.link.latency = ticksFromMs(6);
    return costs;
}

/// Whether a hint keeps the order, which one that turns equal work round is not for: sums then
/// come out in the order of the micro-batches.
bool takesAsItIs(const RunPlan& plan)
{
    std::int32_t next = 0;
    for (const auto& order : hintProblem(plan.schedule, plan.costs).orders) {
        for (const std::int32_t node : order) {
            if (node != next++)
                return false;
        }
    }
    return true;
}

/// The largest difference, as part of the largest number.
double apart(const std::vector<float>& a, const std::vector<float>& b)
{
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
        largest = std::max(largest, std::abs(double{a[i]}));
    }
    return largest > 0 ? most / largest : most;
}

} // namespace

/// Orders as hints, in real runs.
class TestHint : public QObject
{
    Q_OBJECT

private slots:
    void whatIsTrainedIsTheSame_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("steps");
        QTest::addColumn<bool>("processes");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            const Result<PipelineSpec> spec = specOf(family, test::sized(2, 4));
            if (spec && spec->updateRule == UpdateRule::Flush)
                QTest::addRow("%s", id.c_str()) << QString::fromStdString(id) << 1 << false;
        }
        QTest::newRow("1f1b, 3 steps") << "1f1b" << 3 << false;
        QTest::newRow("zb-h2, 3 steps") << "zb-h2" << 3 << false;
        QTest::newRow("1f1b, processes") << "1f1b" << 1 << true;
        QTest::newRow("zb-v, processes") << "zb-v" << 1 << true;
        QTest::newRow("chimera, 2 steps, processes") << "chimera" << 2 << true;
    }

    void whatIsTrainedIsTheSame()
    {
        QFETCH(QString, id);
        QFETCH(int, steps);
        QFETCH(bool, processes);
        FamilyOptions options = test::sized(id == "chimera" ? 4 : 3, id == "chimera" ? 8 : 6);
        options.steps = steps;
        options.updates = steps > 1;
        Result<Schedule> schedule = test::scheduleOf(test::familyOf(id.toStdString()), options);
        if (!schedule) {
            options = test::sized(2, 4);
            schedule = test::scheduleOf(test::familyOf(id.toStdString()), options);
        }
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        RunPlan plan = *test::trainedPlan(*schedule, 2);
        test::RoomBackend mpi;
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan.schedule.devices());
        Backend& backend = processes ? static_cast<Backend&>(mpi) : *cpu;
        const HintedOutcome kept = hintedOutcome(backend, plan);
        QVERIFY2(kept.figures, kept.figures ? "" : kept.figures.error().message.c_str());
        const Result<void> set = setHint(plan, 8, "cpu");
        QVERIFY2(set, set ? "" : set.error().message.c_str());
        const HintedOutcome hinted = hintedOutcome(backend, plan);
        QVERIFY2(hinted.figures, hinted.figures ? "" : hinted.figures.error().message.c_str());
        QVERIFY(!kept.weights.empty());
        if (takesAsItIs(plan)) {
            QVERIFY(hinted.weights == kept.weights);
        } else {
            QCOMPARE(hinted.weights.size(), kept.weights.size());
            for (const auto& [place, own] : kept.weights) {
                const auto& other = hinted.weights.at(place);
                QCOMPARE(other.first.size(), own.first.size());
                QCOMPARE(other.second.size(), own.second.size());
                QVERIFY(apart(own.first, other.first) <= 1e-6);
                QVERIFY(apart(own.second, other.second) <= 1e-5);
            }
        }
        QCOMPARE(hinted.record.passes.size(), kept.record.passes.size());
        QCOMPARE(hinted.record.losses.size(), kept.record.losses.size());
        const Result<Comparison> found =
            compareWithReference(backend, plan, test::truthOf(plan), Stop());
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY(found->error() <= 1e-5);
    }

    /// Where times are not those that the order was made for, it ends sooner, and holds no more.
    void aRankThatWaitsRunsWhatIsReady()
    {
        int shorter = 0;
        for (const char* id : {"zb-h1", "hanayo", "v-half", "v-min"}) {
            FamilyOptions options = test::sized(3, 6);
            const Result<Schedule> schedule = test::scheduleOf(test::familyOf(id), options);
            QVERIFY(schedule);
            const Costs costs = hintedCosts(schedule->spec());
            const SimResult strict = *simulate(*schedule, costs);
            const Ticks expected = HintedRuns::make(*schedule, costs, 8)->run({}, 1, 1).nominal;
            if (expected > strict.makespan - 4 * ticksPerMs)
                continue;
            std::optional<RunPlan> plan = test::planOf(*schedule, costs);
            QVERIFY(plan);
            plan->iterations = 3;
            QVERIFY(setHint(*plan, 8, "emulated"));
            const std::unique_ptr<Backend> emulated = *openBackend("emulated", 3);
            const HintedOutcome outcome = hintedOutcome(*emulated, *plan);
            QVERIFY2(outcome.figures,
                     outcome.figures ? "" : outcome.figures.error().message.c_str());
            QVERIFY(outOfOrder(outcome.record) > 0);
            const bool told = std::any_of(
                outcome.record.logs.begin(), outcome.record.logs.end(), [](const RunLog& log) {
                    return log.text.find("the order was a hint") != std::string::npos;
                });
            QVERIFY(told);
            // The quickest iteration, as a busy machine makes them longer.
            Ticks best = std::numeric_limits<Ticks>::max();
            for (int iteration = 0; iteration < 3; ++iteration) {
                Ticks first = std::numeric_limits<Ticks>::max(), last = 0;
                for (const RecordedPass& pass : outcome.record.passes) {
                    if (pass.iteration != iteration || pass.entry < 0)
                        continue;
                    first = std::min(first, pass.start);
                    last = std::max(last, pass.end);
                }
                best = std::min(best, last - first);
            }
            QVERIFY2(best < strict.makespan,
                     (std::string(id) + ": " + std::to_string(best) + ", in order " +
                      std::to_string(strict.makespan) + ", expected " + std::to_string(expected))
                         .c_str());
            ++shorter;
        }
        QVERIFY(shorter > 0);
    }

    void whatNeedsItsOrderIsRefused()
    {
        const auto refusalOf = [](RunPlan plan, int ahead, const char* backend) {
            const Result<void> set = setHint(plan, ahead, backend);
            return set ? QString() : QString::fromStdString(set.error().message);
        };
        const Schedule schedule = *test::scheduleOf(test::familyOf("1f1b"), test::sized(2, 4));
        const RunPlan plan = *test::trainedPlan(schedule);
        QCOMPARE(refusalOf(plan, 4, "cpu"), QString());
        QVERIFY(refusalOf(plan, 4, "cuda").contains("the backend cuda"));
        QVERIFY(refusalOf(plan, 0, "cpu").contains("at least 1 place"));
        RunPlan ahead = plan;
        ahead.postValidation = true;
        QVERIFY(refusalOf(ahead, 4, "cpu").contains("--post-validation"));
        RunPlan wrong = plan;
        wrong.faults.push_back({FaultKind::WrongTag, {PassKind::F, 0, StageId(0), 0, 0}, 0});
        QVERIFY(refusalOf(wrong, 4, "cpu").contains("wrong tag"));
        Costs away = expand(UniformCosts{}, schedule.spec());
        away.offload.cells.push_back({PassKind::F, 0, StageId(0), 0, 0});
        std::optional<RunPlan> copying = test::planOf(schedule, away);
        QVERIFY(copying && !copying->program.moves.empty());
        QVERIFY(refusalOf(*copying, 4, "emulated").contains("--offload"));
        copying->hint = 4;
        QVERIFY(!checkBackend(*copying, "emulated"));
        const std::optional<RunPlan> committed =
            test::planOf(schedule, expand(UniformCosts{}, schedule.spec()), MessageRule::Committed);
        QVERIFY(committed);
        QVERIFY(refusalOf(*committed, 4, "cpu").contains("committed"));
        const Family& pipedream = test::familyOf("pipedream");
        const RunPlan asynchronous =
            *test::trainedPlan(*test::scheduleOf(pipedream, test::trainedOptions(pipedream, 2)));
        QVERIFY(refusalOf(asynchronous, 4, "cpu").contains("asynchronous"));
    }

    /// What a plan says goes to every process, and is kept with the run.
    void aFaultIsNoticed()
    {
        RunPlan plan =
            *test::trainedPlan(*test::scheduleOf(test::familyOf("zb-h1"), test::sized(3, 6)));
        plan.faults.push_back({FaultKind::LoseMessage, {PassKind::F, 0, StageId(0), 2, 0}, 0});
        plan.patience = 300 * ticksPerMs;
        QVERIFY(setHint(plan, 6, "cpu"));
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 3);
        const HintedOutcome outcome = hintedOutcome(*cpu, plan);
        QVERIFY(!outcome.figures);
        QVERIFY2(outcome.figures.error().message.english().find("F of micro-batch 2") !=
                         std::string::npos ||
                     outcome.figures.error().message.english().find("waits") != std::string::npos ||
                     outcome.figures.error().message.english().find("waited") != std::string::npos,
                 outcome.figures.error().message.c_str());
    }
};

PW_TEST(TestHint)
#include "tst_hint.moc"

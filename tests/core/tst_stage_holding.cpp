// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/memory_changes.h"
#include "core/cost/origin_costs.h"
#include "core/model/recompute.h"
#include "tests/support/family_runs.h"
#include "tests/support/hidden_truth.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::test;

namespace {

/// A traced step with the peaks of its ranks.
struct TracedCase
{
    Truth truth;
    Measured before;
    AdviceSource source;
};

TracedCase caseOf(int number, bool recomputed, std::mt19937& random)
{
    Truth truth = truthOf(number);
    if (recomputed)
        truth.recomputed = {0, 1, 2, 3};
    Measured before = measured(truth, "1f1b", random);
    AdviceSource source = tracedSource(before.schedule, before.steps);
    source.base.memory = fitRankMemory(before.peaks, before.schedule.spec(), source.base.predicted);
    if (!setLayers(source, truth.layers) ||
        (recomputed && !setRecomputed(source, truth.recomputed)))
        qFatal("no layers");
    return {std::move(truth), std::move(before), std::move(source)};
}

Bytes mostOf(const std::vector<Bytes>& peaks)
{
    return *std::max_element(peaks.begin(), peaks.end());
}

/// Counts whether the promises of changes that hold activations in another way are kept.
void hold(const TracedCase& of, const Advice& advice, std::mt19937& random, HeldCount& times,
          QString& missed)
{
    for (const AdvisedChange& one : advice.changes) {
        if (!one.change.holding.any())
            continue;
        const Ticks after = medianStep(changedSteps(of.truth, one, random));
        const double gain = 1 - static_cast<double>(after) / static_cast<double>(of.source.step);
        const bool holds = one.promise.low <= gain && gain <= one.promise.high;
        times.add(holds);
        if (!holds)
            missed += QString("%1: %2 not in %3 … %4\n")
                          .arg(QString::fromStdString(one.title))
                          .arg(gain)
                          .arg(one.promise.low)
                          .arg(one.promise.high);
    }
}

} // namespace

/// Recomputation and copies to the host as changes, with what they promise.
class TestStageHolding : public QObject
{
    Q_OBJECT

private slots:
    void changesBelowACapKeepTheirPromises();
    void doingWithoutRecomputationKeepsItsPromise();
    void asFewStagesAsTheCapNeeds();
    void stagesAreKeptWhereThereIsRoom();
    void likelyRecomputationIsAskedFor();
    void ordersWithRDoWithoutIt();
    void aModelTellsItsOwn();
    void aStageThatIsNotThereIsRefused();
};

void TestStageHolding::changesBelowACapKeepTheirPromises()
{
    HeldCount times, bytes;
    QString missed;
    int offloads = 0;
    for (int number = 1; number <= 16; ++number) {
        std::mt19937 random(static_cast<std::uint32_t>(300 + number));
        TracedCase of = caseOf(number, false, random);
        QVERIFY(of.source.base.memory);
        AdviceRequest request = quickRequest();
        request.cap = static_cast<Bytes>(static_cast<double>(mostOf(of.before.peaks)) *
                                         (number % 4 < 2 ? 0.85 : 0.95));
        if (number % 2 == 0)
            request.hostRate = of.truth.hostRate;
        const Result<Advice> advice = adviceOn(of.source, request);
        QVERIFY(advice);
        for (const AdvisedChange& one : advice->changes) {
            if (one.what == ChangeKind::Bound)
                continue;
            QVERIFY(mostOf(one.promise.peaks) <= request.cap);
            offloads += one.change.holding.offloaded.empty() ? 0 : 1;
            if (!one.change.holding.any())
                continue;
            // Bytes are told by a rule; what is truly held stays near it.
            const auto truly = static_cast<double>(mostOf(changedPeaks(of.truth, one)));
            bytes.add(truly <= 1.05 * static_cast<double>(request.cap));
        }
        hold(of, *advice, random, times, missed);
    }
    qInfo("%d of %d promises held, %d of %d limits, %d with copies\n%s", times.held, times.all,
          bytes.held, bytes.all, offloads, qPrintable(missed));
    QVERIFY(times.all >= 24);
    QVERIFY(offloads >= 5);
    QVERIFY2(times.held * 10 >= times.all * 9, qPrintable(missed));
    QVERIFY(bytes.held * 10 >= bytes.all * 9);
}

void TestStageHolding::doingWithoutRecomputationKeepsItsPromise()
{
    HeldCount times;
    QString missed;
    for (int number = 1; number <= 16; ++number) {
        std::mt19937 random(static_cast<std::uint32_t>(500 + number));
        TracedCase of = caseOf(number, true, random);
        const Result<Advice> advice = adviceOn(of.source, quickRequest());
        QVERIFY(advice);
        const bool alone = std::any_of(
            advice->changes.begin(), advice->changes.end(), [](const AdvisedChange& one) {
                return one.what == ChangeKind::Order &&
                       one.title == "No recomputation of every stage" &&
                       one.effort == Effort::Number && one.promise.gain > 0.1;
            });
        QVERIFY(alone);
        hold(of, *advice, random, times, missed);
    }
    qInfo("%d of %d promises held\n%s", times.held, times.all, qPrintable(missed));
    QVERIFY(times.all >= 48);
    QVERIFY2(times.held * 10 >= times.all * 9, qPrintable(missed));
}

/// 1F1B: device 0 has most in flight, and the last one least.
void TestStageHolding::asFewStagesAsTheCapNeeds()
{
    std::mt19937 random(3);
    const TracedCase of = caseOf(1, false, random);
    const Result<std::vector<Bytes>> now = peaksNow(of.source);
    QVERIFY(now);
    const auto needed = [&](Bytes cap, HoldBy by) {
        const Result<PlannedChange> change = heldBelow(of.source, {}, cap, by);
        if (!change)
            return std::vector<int>{-1};
        return by == HoldBy::Recomputing ? change->holding.recomputed : change->holding.offloaded;
    };
    for (const HoldBy by : {HoldBy::Recomputing, HoldBy::Offloading}) {
        QCOMPARE(needed(mostOf(*now), by), std::vector<int>());
        QCOMPARE(needed((*now)[0] - 1, by), std::vector<int>{0});
        QCOMPARE(needed(1, by), std::vector<int>{-1});
    }
    const Bytes second = std::max({(*now)[1], (*now)[2], (*now)[3]});
    QCOMPARE(needed(second - 1, HoldBy::Recomputing).size(), std::size_t{2});
}

void TestStageHolding::stagesAreKeptWhereThereIsRoom()
{
    std::mt19937 random(4);
    TracedCase of = caseOf(2, true, random);
    QVERIFY(of.source.base.memory);
    PlannedChange every;
    every.holding.kept = of.source.recomputed;
    const Result<Prediction> made = predictChange(of.source, every);
    QVERIFY(made);
    std::vector<Bytes> peaks = peaksOf(of.source, every, *made);
    const Bytes cap = mostOf(peaks) - 1;
    const std::vector<CandidateChange> all = changesThatKeep(of.source, {}, {}, cap);
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all.front().change.holding.kept.size(), std::size_t{3});
    QCOMPARE(all.front().effort, Effort::File);
    QVERIFY(changesThatKeep(of.source, {}, {}, 1).empty());
}

void TestStageHolding::likelyRecomputationIsAskedFor()
{
    std::mt19937 random(5);
    TracedCase of = caseOf(3, true, random);
    QVERIFY(!recomputationNote(of.source));
    of.source.recomputed.clear();
    QVERIFY(recomputationNote(of.source)->hint == AdviceHint::Recomputed);
    QVERIFY(!recomputationNote(caseOf(3, false, random).source));
}

void TestStageHolding::ordersWithRDoWithoutIt()
{
    const FamilyOptions options = sized(4, 8);
    const Family& family = familyOf("1f1b");
    const PipelineSpec spec = *specOf(family, options);
    const Costs costs = expand(equalStages(10, 10, 10, 1), spec);
    const Schedule plain = *family.build(spec, options, costs);
    QVERIFY(!withoutRecompute(plain));
    const Schedule again = *withRecompute(plain);
    const Result<Schedule> without = withoutRecompute(again);
    QVERIFY(without);
    QCOMPARE(without->orders(), plain.orders());
    Project project;
    project.draft = draftOf(again);
    setTables(project, costs);
    const Result<AdviceSource> source = adviceSource(project, "a project");
    QVERIFY(source);
    const Result<Advice> advice = adviceOn(*source, quickRequest());
    QVERIFY(advice);
    QVERIFY(std::any_of(advice->changes.begin(), advice->changes.end(),
                        [](const AdvisedChange& one) { return one.title == "No recomputation"; }));
}

/// A project of a model that recomputes: what that takes and keeps is the model's.
void TestStageHolding::aModelTellsItsOwn()
{
    const FamilyOptions options = sized(4, 8);
    Project project;
    project.family = FamilyChoice{"1f1b", options};
    project.draft.spec = *specOf(familyOf("1f1b"), options);
    CostOrigin origin;
    origin.model.dense = {.layers = 16, .hidden = 2048, .heads = 16, .sequence = 2048};
    origin.model.dense.recompute = RecomputePolicy::Full;
    project.origin = origin;
    project.costs = *costsOf(origin, project.draft.spec);
    const Result<AdviceSource> source = adviceSource(project, "a project");
    QVERIFY2(source, source ? "" : source.error().message.c_str());
    QCOMPARE(source->recomputed.size(), std::size_t{4});
    QVERIFY(source->cap > 0);
    QVERIFY(source->knowsMemory());
    QVERIFY(source->recomputation.forward > 0.5 && source->recomputation.forward < 1.2);
    QVERIFY(source->recomputation.kept > 0.01 && source->recomputation.kept < 0.2);
    const Result<Advice> advice = adviceOn(*source, quickRequest());
    QVERIFY(advice);
    const auto keeps =
        std::find_if(advice->changes.begin(), advice->changes.end(), [](const AdvisedChange& one) {
            return one.change.holding.kept.size() == 4 && one.what == ChangeKind::Order;
        });
    QVERIFY(keeps != advice->changes.end());
    // The model without recomputation says what the change does.
    origin.model.dense.recompute = RecomputePolicy::None;
    const Costs without = *costsOf(origin, project.draft.spec);
    const auto step = static_cast<double>(simulate(source->base.schedule, without)->makespan);
    QVERIFY(std::abs(keeps->promise.step - step) < 0.03 * step);
}

void TestStageHolding::aStageThatIsNotThereIsRefused()
{
    std::mt19937 random(6);
    TracedCase of = caseOf(1, false, random);
    QVERIFY(!setRecomputed(of.source, {4}));
    PlannedChange change;
    change.holding.offloaded = {7};
    QVERIFY(!predictChange(of.source, change));
    change.holding.offloaded = {0};
    QVERIFY(predictChange(of.source, change));
    of.source.base.memory.reset();
    QVERIFY(!predictChange(of.source, change)); // no bytes are known
}

PW_TEST(TestStageHolding)
#include "tst_stage_holding.moc"

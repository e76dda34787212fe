// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Which change a second step is, on a machine that is not always as fast.
#include "core/advise/after.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

/// 1F1B over four stages of four layers, the last one heavy.
AdviceSource heavyHead()
{
    Project project;
    project.draft = draftOf(*buildUniform(**findFamily("1f1b"), test::sized(4, 8), UniformCosts{}));
    const PipelineSpec& spec = project.draft.spec;
    Costs costs = expand(UniformCosts{}, spec);
    const std::size_t last = cellIndex(spec, StageId(3), 0);
    for (std::vector<Ticks>* times : {&costs.forward, &costs.backward, &costs.weight})
        (*times)[last] += (*times)[last] * 3 / 4;
    project.costs = costs;
    AdviceSource source = *adviceSource(project, "before");
    if (!setLayers(source, {4, 4, 4, 4}))
        qFatal("the layers are refused");
    return source;
}

/// The step of an order whose passes all take `percent` of what they should.
AdviceSource stepOf(const Schedule& schedule, Costs costs, Ticks percent)
{
    for (std::vector<Ticks>* times : {&costs.forward, &costs.backward, &costs.weight, &costs.fused})
        for (Ticks& time : *times)
            time = time * percent / 100;
    Project project;
    project.draft = draftOf(schedule);
    project.costs = std::move(costs);
    return *adviceSource(project, "after");
}

} // namespace

class TestAdviseAfter : public QObject
{
    Q_OBJECT

private slots:
    /// Layers were moved, and the machine is less busy than before.
    void aFasterMachineIsNoOtherSplit_data()
    {
        QTest::addColumn<int>("percent");
        for (const int percent : {70, 95, 100, 130})
            QTest::addRow("%d %%", percent) << percent;
    }

    void aFasterMachineIsNoOtherSplit()
    {
        QFETCH(int, percent);
        const AdviceSource before = heavyHead();
        const Result<Advice> advice = adviceOn(before, {});
        QVERIFY(advice);
        const auto split =
            std::find_if(advice->changes.begin(), advice->changes.end(),
                         [](const AdvisedChange& one) { return one.what == ChangeKind::Split; });
        QVERIFY(split != advice->changes.end());
        const Prediction& made = split->promise.prediction;
        const Result<AfterCheck> check =
            checkAfter(before, *advice, stepOf(made.schedule, made.costs, percent));
        QVERIFY(check);
        QVERIFY2(check->change, check->why.c_str());
        QCOMPARE(advice->changes[*check->change].split(), split->split());
        QCOMPARE(check->comparable, std::abs(percent - 100) <= 8);
        const Result<AfterCheck> same =
            checkAfter(before, *advice, stepOf(before.base.schedule, before.base.costs, percent));
        QVERIFY(same);
        QVERIFY(!same->change);
    }

    /// Two stages miss what was promised; the one that misses more is told.
    void thePassThatDiffersMostIsTold()
    {
        const AdviceSource before = heavyHead();
        const Result<Advice> advice = adviceOn(before, {});
        QVERIFY(advice);
        const auto split =
            std::find_if(advice->changes.begin(), advice->changes.end(),
                         [](const AdvisedChange& one) { return one.what == ChangeKind::Split; });
        QVERIFY(split != advice->changes.end());
        const Prediction& made = split->promise.prediction;
        const PipelineSpec& spec = made.schedule.spec();
        for (const auto& [most, little] : {std::pair(1, 2), std::pair(2, 1), std::pair(0, 3)}) {
            Costs costs = made.costs;
            const auto add = [&](int stage, Ticks percent) {
                const std::size_t cell = cellIndex(spec, StageId(stage), 0);
                for (std::vector<Ticks>* times : {&costs.forward, &costs.backward})
                    (*times)[cell] += (*times)[cell] * percent / 100;
            };
            add(most, 6);
            add(little, 1);
            const Result<AfterCheck> check =
                checkAfter(before, *advice, stepOf(made.schedule, costs, 100),
                           static_cast<std::size_t>(split - advice->changes.begin()));
            QVERIFY(check);
            const std::string where = check->where.english();
            QVERIFY2(where.find(" of stage " + std::to_string(most) + " takes") !=
                         std::string::npos,
                     where.c_str());
        }
    }
};

PW_TEST(TestAdviseAfter)
#include "tst_advise_after.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/run_plan.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::exec;

class TestRunPlan : public QObject
{
    Q_OBJECT

private slots:
    void aPlanHasAProgramForEveryRank()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8), UniformCosts{});
        const Result<RunPlan> plan =
            makePlan(run.schedule, run.costs, GptModel{}, *evenSplit(4, 4));
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->program.ranks.size(), std::size_t{4});
        QCOMPARE(totalSteps(*plan), 1);
    }

    void segmentsTakeAllTokensOfTheSequence_data()
    {
        QTest::addColumn<int>("sequence");
        QTest::addColumn<int>("segments");
        for (const int sequence : {5, 16, 63, 64, 65})
            for (const int segments : {1, 2, 3, 4, 5})
                QTest::addRow("%d tokens in %d", sequence, segments) << sequence << segments;
    }
    void segmentsTakeAllTokensOfTheSequence()
    {
        QFETCH(int, sequence);
        QFETCH(int, segments);
        PipelineSpec spec;
        spec.segmentLengths.assign(static_cast<std::size_t>(segments), 1);
        GptModel model;
        model.sequence = sequence;
        const Result<std::vector<int>> tokens = segmentTokens(spec, model);
        QVERIFY(tokens);
        QCOMPARE(std::accumulate(tokens->begin(), tokens->end(), 0), sequence);
        const auto [least, most] = std::minmax_element(tokens->begin(), tokens->end());
        QVERIFY(*least >= 1);
        QVERIFY(*most - *least <= 1);
    }

    void aSegmentWithoutATokenIsRefused()
    {
        PipelineSpec spec;
        spec.segmentLengths = {1, 100};
        GptModel model;
        model.sequence = 8;
        const Result<std::vector<int>> tokens = segmentTokens(spec, model);
        QVERIFY(!tokens);
        QCOMPARE(tokens.error().message,
                 std::string("segment 0 of 2 has no token of a sequence of 8"));
    }

    void aWrongModelIsNamed()
    {
        GptModel model;
        model.heads = 3;
        QCOMPARE(check(model).error().message,
                 std::string("model: hidden is 64, which 3 heads do not divide"));
        model.heads = 0;
        QCOMPARE(check(model).error().message,
                 std::string("model: heads is 0, not from 1 to 1048576"));
    }
};

PW_TEST(TestRunPlan)
#include "tst_run_plan.moc"

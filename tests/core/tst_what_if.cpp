// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/what_if.h"
#include "core/cost/carry_costs.h"
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <numeric>

using namespace pw;

namespace {

constexpr Ticks forward = 2'000'000, backward = 1'900'000, weight = 1'700'000, hop = 50'000;

Costs equalCosts(const Family& family, const FamilyOptions& options)
{
    return expand(test::equalStages(forward, backward, weight, hop), *specOf(family, options));
}

/// The base that the trace of a family's simulation gives.
Result<WhatIfBase> recorded(const char* id, const FamilyOptions& options)
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf(id), options, equalCosts(test::familyOf(id), options));
    Result<Trace> trace =
        test::importFiles(test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto, 3));
    if (!trace)
        return fail(trace.error());
    const RecoveredPipeline pipeline = recoverAligned(*trace).pipeline;
    const Result<FittedCosts> fitted = fitTrace(*trace, pipeline);
    if (!fitted)
        return fail(fitted.error());
    return whatIfBase(pipeline, *fitted);
}

WhatIf familyWhat(const char* id, FamilyOptions options)
{
    WhatIf what;
    what.family = FamilyChoice{id, std::move(options)};
    return what;
}

std::int64_t total(const std::vector<std::int64_t>& table)
{
    return std::accumulate(table.begin(), table.end(), std::int64_t{0});
}

PipelineSpec shape(int stages, std::vector<int> segments = {1})
{
    PipelineSpec spec;
    spec.devices = 2;
    spec.routes = {Placement::looped(2, stages / 2)};
    spec.microBatches = 4;
    spec.segmentLengths = std::move(segments);
    return spec;
}

} // namespace

class TestWhatIf : public QObject
{
    Q_OBJECT

private slots:
    void anotherFamilyTakesWhatItsSimulationTakes_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        const auto row = [](const char* from, const char* to) {
            QTest::newRow(qPrintable(QString("%1 to %2").arg(from, to)))
                << QByteArray(from) << QByteArray(to);
        };
        row("zb-h1", "1f1b");
        row("zb-h1", "zb-h2");
        row("zb-h2", "gpipe");
        row("1f1b", "gpipe");
        row("1f1b", "kfkb");
        row("zb-v", "v-half");
        row("zb-v", "v-min");
        row("interleaved-1f1b", "breadth-first");
    }

    void anotherFamilyTakesWhatItsSimulationTakes()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        for (const int microBatches : {8, 12}) {
            const Result<WhatIfBase> base = recorded(from.constData(), test::sized(4, 8));
            QVERIFY2(base, base ? "" : base.error().message.c_str());
            QCOMPARE(*base->residual(), 0.0);
            const FamilyOptions options = test::sized(4, microBatches);
            const Result<Prediction> made = predict(*base, familyWhat(to.constData(), options));
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            const Family& family = test::familyOf(to.constData());
            const test::FamilyRun truth =
                test::runFamily(family, options, equalCosts(family, options));
            QVERIFY(made->schedule.orders() == truth.schedule.orders());
            QVERIFY(made->result.start == truth.result.start);
            QVERIFY(made->result.end == truth.result.end);
        }
    }

    void everyFamilyPredictsItself_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const Family& family : allFamilies())
            if (!family.search)
                QTest::newRow(std::string(family.id).c_str())
                    << QByteArray::fromStdString(std::string(family.id));
    }

    void everyFamilyPredictsItself()
    {
        QFETCH(QByteArray, id);
        const Result<WhatIfBase> base = recorded(id.constData(), test::sized(4, 8));
        QVERIFY2(base, base ? "" : base.error().message.c_str());
        QCOMPARE(*base->residual(), 0.0);
        const Result<Prediction> same = predict(*base, {});
        QVERIFY2(same, same ? "" : same.error().message.c_str());
        QCOMPARE(same->result.makespan, base->measured.value_or(0));
        QVERIFY(base->family);
        const Result<Prediction> again =
            predict(*base, familyWhat(base->family->id.c_str(), base->family->options));
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(again->result.makespan, base->measured.value_or(0));
    }

    /// Equal stages put together, or cut, are the equal stages of the other shape.
    void fewerAndMoreStagesKeepTheModel_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<int>("chunksBefore");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<int>("chunksAfter");
        QTest::newRow("together") << QByteArray("interleaved-1f1b") << 4 << QByteArray("1f1b") << 0;
        QTest::newRow("cut") << QByteArray("1f1b") << 0 << QByteArray("interleaved-1f1b") << 4;
        QTest::newRow("some together")
            << QByteArray("interleaved-1f1b") << 4 << QByteArray("interleaved-1f1b") << 2;
    }

    void fewerAndMoreStagesKeepTheModel()
    {
        QFETCH(QByteArray, from);
        QFETCH(int, chunksBefore);
        QFETCH(QByteArray, to);
        QFETCH(int, chunksAfter);
        const auto optionsOf = [](int chunks) {
            return chunks > 0 ? test::sized(4, 8, "chunks", chunks) : test::sized(4, 8);
        };
        const Result<WhatIfBase> base = recorded(from.constData(), optionsOf(chunksBefore));
        QVERIFY2(base, base ? "" : base.error().message.c_str());
        const Result<Prediction> made =
            predict(*base, familyWhat(to.constData(), optionsOf(chunksAfter)));
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const Family& family = test::familyOf(to.constData());
        const test::FamilyRun truth = test::runFamily(family, optionsOf(chunksAfter),
                                                      equalCosts(family, optionsOf(chunksAfter)));
        QCOMPARE(made->result.makespan, truth.result.makespan);
        QVERIFY(!made->assumed.empty());
    }

    void anotherLinkIsThatOfEveryMessage()
    {
        const Result<WhatIfBase> base = recorded("1f1b", test::sized(4, 8));
        QVERIFY(base);
        for (const Ticks link : {Ticks{0}, hop / 2, 4 * hop}) {
            Costs costs = base->costs;
            costs.link = {link, 0};
            const Ticks truth = simulate(base->schedule, costs)->makespan;
            WhatIf absolute, relative;
            absolute.hop = link;
            relative.linkFactor = static_cast<double>(link) / static_cast<double>(hop);
            QCOMPARE(predict(*base, absolute)->result.makespan, truth);
            QCOMPARE(predict(*base, relative)->result.makespan, truth);
        }
    }

    void anotherPlacementRunsEveryPass()
    {
        const Result<WhatIfBase> base =
            recorded("interleaved-1f1b", test::sized(4, 8, "chunks", 2));
        QVERIFY(base);
        WhatIf what;
        what.placement = Placement::vShape(4);
        const Result<Prediction> made = predict(*base, what);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->schedule.passCount(), base->schedule.passCount());
        QVERIFY(made->schedule.spec().routes.front() == *what.placement);
        Ticks busyBefore = 0, busyAfter = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            busyBefore += base->predicted.devices[d].busy;
            busyAfter += made->result.devices[d].busy;
        }
        QCOMPARE(busyAfter, busyBefore);
    }

    void aWholeBackwardIsCutByAStatedAssumption()
    {
        const Result<WhatIfBase> base = recorded("1f1b", test::sized(4, 8));
        QVERIFY(base);
        WhatIf what = familyWhat("zb-h1", test::sized(4, 8));
        const Result<Prediction> assumed = predict(*base, what);
        QVERIFY2(assumed, assumed ? "" : assumed.error().message.c_str());
        QVERIFY(assumed->assumed.find("50 % of BW is W, as is assumed") != std::string::npos);
        what.weightPart = 0.5;
        const Result<Prediction> half = predict(*base, what);
        QVERIFY(half);
        QCOMPARE(assumed->result.makespan, half->result.makespan);
        what.weightPart = static_cast<double>(weight) / static_cast<double>(backward + weight);
        const Result<Prediction> made = predict(*base, what);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const test::FamilyRun truth =
            test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8),
                            test::equalStages(forward, backward, weight, hop));
        QCOMPARE(made->result.makespan, truth.result.makespan);
        QVERIFY(made->assumed.find("of BW is W") != std::string::npos);
    }

    void stagesThatDoNotDivideAreRefused()
    {
        const Result<WhatIfBase> base = recorded("1f1b", test::sized(4, 8));
        QVERIFY(base);
        const Result<Prediction> refused = predict(*base, familyWhat("1f1b", test::sized(6, 12)));
        QVERIFY(!refused);
        QVERIFY(refused.error().message.english().find("4 stages") != std::string::npos);
    }

    void aProjectHasNothingMeasured()
    {
        Project project;
        project.family = FamilyChoice{"zb-h1", test::sized(4, 8)};
        project.draft.spec = *specOf(test::familyOf("zb-h1"), test::sized(4, 8));
        project.costs = test::equalStages(forward, backward, weight, hop);
        const Result<WhatIfBase> base = whatIfBase(project);
        QVERIFY(base);
        QVERIFY(!base->residual());
        const test::FamilyRun truth =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8),
                            test::equalStages(forward, backward, weight, hop));
        QCOMPARE(predict(*base, familyWhat("1f1b", test::sized(4, 8)))->result.makespan,
                 truth.result.makespan);
    }

    void sumsStayExactWhereStagesAreCut()
    {
        Costs costs = expand(UniformCosts{}, shape(4));
        costs.forward = {7, 11, 13, 1'000'000'007};
        const Costs cut = carryCosts(costs, shape(4), shape(12))->costs;
        for (std::size_t stage = 0; stage < 4; ++stage)
            QCOMPARE(cut.forward[3 * stage] + cut.forward[3 * stage + 1] +
                         cut.forward[3 * stage + 2],
                     costs.forward[stage]);
        const Costs back = carryCosts(cut, shape(12), shape(4))->costs;
        QVERIFY(back.forward == costs.forward);
        const Costs segments = carryCosts(costs, shape(4), shape(4, {3, 2, 2}))->costs;
        QCOMPARE(total(segments.forward), total(costs.forward));
        QVERIFY(carryCosts(segments, shape(4, {3, 2, 2}), shape(4))->costs.forward ==
                costs.forward);
        QVERIFY(!carryCosts(segments, shape(4, {3, 2, 2}), shape(4, {1, 1})));
        QVERIFY(carryCosts(costs, shape(4), shape(4))->how.empty());
    }
};

PW_TEST(TestWhatIf)
#include "tst_what_if.moc"

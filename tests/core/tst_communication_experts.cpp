// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/expert_pair.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace pw;
using namespace pw::communication;

namespace {

constexpr Ticks unit = 1000;

/// Attention 3, exchanges 2, MLP 4; backward the same; weights 3 and 4.
LayerTimes plainLayer()
{
    LayerTimes layer;
    const Ticks times[4] = {3 * unit, 2 * unit, 4 * unit, 2 * unit};
    std::copy(std::begin(times), std::end(times), layer.forward);
    std::copy(std::begin(times), std::end(times), layer.backward);
    layer.weight[0] = 3 * unit;
    layer.weight[2] = 4 * unit;
    return layer;
}

std::vector<LayerTimes> layers(int count)
{
    return std::vector<LayerTimes>(static_cast<std::size_t>(count), plainLayer());
}

const PartSpan* find(const std::vector<PartSpan>& parts, PassKind pass, LayerPart part, int layer)
{
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const PartSpan& one) {
        return one.pass == pass && one.part == part && one.layer == layer;
    });
    return found == parts.end() ? nullptr : &*found;
}

} // namespace

class TestCommunicationExperts : public QObject
{
    Q_OBJECT

private slots:
    /// Alone, every exchange is exposed but what the weights' backward covers.
    void aPassAloneHidesNothing()
    {
        for (const int count : {1, 3, 8}) {
            const InnerTimes forward = runParts(layers(count), {}, {});
            QCOMPARE(forward.end, 11 * unit * count);
            QCOMPARE(forward.exposed(), 4 * unit * count);
            const InnerTimes backward = runParts({}, layers(count), {false, true, false});
            QCOMPARE(backward.end, 11 * unit * count);
            // Dispatch is hidden under the MLP's weights; combine under the attention's, but for
            // the first layer's, before which there is nothing.
            const InnerTimes both = runParts({}, layers(count), {false, true, true});
            QCOMPARE(both.exposed(), 2 * unit);
            QCOMPARE(both.end, (14 * count + 2) * unit);
            const InnerTimes weights = runParts({}, layers(count), {false, false, true});
            QCOMPARE(weights.end, 7 * unit * count);
        }
    }

    /// In a pair all are hidden where the parts beside them are long enough, but for the last
    /// combine, behind which there is nothing.
    void aPairHidesItsExchanges()
    {
        for (const int count : {1, 2, 6}) {
            const InnerTimes pair = runParts(layers(count), layers(count), {true, true, true});
            QCOMPARE(pair.computing, 21 * unit * count);
            QCOMPARE(pair.exchanging, 8 * unit * count);
            QVERIFY2(pair.exposed() <= 2 * unit,
                     qPrintable(QString::number(pair.exposed() / unit)));
        }
    }

    void partsKeepTheirOrderAndTheirStream()
    {
        for (const InnerWork work : {InnerWork{true, true, true}, InnerWork{true, true, false},
                                     InnerWork{false, true, true}, InnerWork{true, false, false}}) {
            const InnerTimes times = runParts(layers(3), layers(5), work);
            for (const auto* stream : {&times.compute, &times.exchange}) {
                for (std::size_t i = 1; i < stream->size(); ++i)
                    QVERIFY((*stream)[i].start >= (*stream)[i - 1].end);
            }
            if (work.forward) {
                for (int layer = 0; layer < 3; ++layer) {
                    const auto* attention =
                        find(times.compute, PassKind::F, LayerPart::Attention, layer);
                    const auto* dispatch =
                        find(times.exchange, PassKind::F, LayerPart::Dispatch, layer);
                    const auto* mlp = find(times.compute, PassKind::F, LayerPart::Mlp, layer);
                    const auto* combine =
                        find(times.exchange, PassKind::F, LayerPart::Combine, layer);
                    QVERIFY(attention && dispatch && mlp && combine);
                    QVERIFY(attention->end <= dispatch->start && dispatch->end <= mlp->start &&
                            mlp->end <= combine->start);
                }
            }
            if (work.backward) {
                for (int layer = 4; layer > 0; --layer) {
                    const auto* mlp = find(times.compute, PassKind::B, LayerPart::Mlp, layer);
                    const auto* attention =
                        find(times.compute, PassKind::B, LayerPart::Attention, layer);
                    const auto* next =
                        find(times.exchange, PassKind::B, LayerPart::Combine, layer - 1);
                    QVERIFY(mlp && attention && next);
                    QVERIFY(mlp->end <= attention->start && attention->end <= next->start);
                }
            }
        }
    }

    /// A layer's parts are the planner's layer, in sum.
    void thePartsOfAModelAddUpToItsLayer()
    {
        const auto model = findModel("deepseek-v3");
        QVERIFY(model);
        plan::Configuration configuration;
        configuration.family = "dualpipe";
        configuration.pipelineParallel = 16;
        configuration.expertParallel = configuration.dataParallel = 64;
        plan::Cluster cluster;
        cluster.device = *findAccelerator("h100");
        cluster.devices = configuration.devices();
        const LayerTimes layer = layerTimes(*model, configuration, cluster, true);
        const plan::PieceTime whole = plan::layerTime(*model, configuration, cluster, true);
        const auto near = [](Ticks ticks, double seconds) {
            return std::abs(static_cast<double>(ticks) - seconds * 1e9) < 10;
        };
        QVERIFY(near(layer.sum(PassKind::F), whole.forward.total()));
        QVERIFY(near(layer.sum(PassKind::B), whole.backward.total()));
        QVERIFY(near(layer.sum(PassKind::W), whole.weight.total()));
        for (const Ticks time : layer.forward)
            QVERIFY(time > 0);
        QCOMPARE(layer.weight[1], Ticks(0));
        const auto stages = stageLayers(*model, configuration, cluster, 16);
        std::size_t count = 0;
        for (const auto& stage : stages)
            count += stage.size();
        QCOMPARE(count, std::size_t(model->dense.layers));
        // The first layers of the model have no experts.
        QCOMPARE(stages[0][0].forward[1], Ticks(0));
        QVERIFY(stages[15].back().forward[1] > 0);
    }

    /// DualPipe is shorter by what its pairs hide.
    void dualPipeGainsWhatItsPairsHide()
    {
        auto run = test::runFamily(test::familyOf("dualpipe"), test::sized(4, 12),
                                   test::equalStages(ticksPerMs, ticksPerMs, ticksPerMs));
        const std::vector<std::vector<LayerTimes>> stages(4, layers(2));
        Costs costs = run.costs;
        setInnerTimes(costs, run.schedule.spec(), stages);
        QVERIFY(check(costs, run.schedule.spec()));
        const auto paired = simulate(run.schedule, costs);
        costs.pair.clear();
        const auto apart = simulate(run.schedule, costs);
        QVERIFY(paired && apart);
        QVERIFY(paired->makespan < apart->makespan);
    }
};

PW_TEST(TestCommunicationExperts)
#include "tst_communication_experts.moc"

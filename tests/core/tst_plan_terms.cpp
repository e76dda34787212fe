// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/measured.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::plan;

namespace {

Cluster a100Cluster(int devices)
{
    return {*findAccelerator("a100"), devices, fittedConstants()};
}

PlanModel gptOf(int hidden, int sequence)
{
    PlanModel model;
    model.dense.layers = 24;
    model.dense.hidden = hidden;
    model.dense.heads = 32;
    model.dense.sequence = sequence;
    model.dense.vocabulary = 51200;
    return model;
}

} // namespace

/// Single terms of the model of cost.
class TestPlanTerms : public QObject
{
    Q_OBJECT

private slots:
    /// Four devices of eight reach `partial_rate` of what eight do, two less, and all of them have
    /// the node's network to themselves when they cross it.
    void groupsOfANodeAreInEachOthersWay()
    {
        Cluster cluster = a100Cluster(16);
        cluster.constants[Constant::InsideLatency] = 0;
        const auto rate = [&](int size) {
            const double bytes = 1e9;
            return (size - 1.0) / size * bytes /
                   gatherSeconds(cluster, groupOf(cluster, size, 1), bytes);
        };
        const double whole = rate(8), partial = cluster.constants[Constant::PartialRate];
        QVERIFY(std::abs(rate(4) / whole - partial) < 1e-9);
        QVERIFY(std::abs(whole / rate(2) - (1 + 1.5 * (1 / partial - 1))) < 1e-9);
        QVERIFY(rate(2) < rate(4) && rate(4) < whole);
    }

    /// A device that sends alone has one of a node's ports; eight share all of them.
    void aLoneSenderHasAPort()
    {
        const Cluster cluster = a100Cluster(16);
        const double latency = cluster.constants[Constant::OutsideLatency], bytes = 1e9;
        const double alone = messageSeconds(cluster, true, bytes, 1) - latency;
        QCOMPARE(messageSeconds(cluster, true, bytes, 4) - latency, alone);
        QVERIFY(std::abs((messageSeconds(cluster, true, bytes, 8) - latency) / alone - 2) < 1e-9);
        QCOMPARE(messageSeconds(cluster, true, bytes, 64), messageSeconds(cluster, true, bytes, 8));
        QCOMPARE(messageSeconds(cluster, false, bytes, 1),
                 messageSeconds(cluster, false, bytes, 8));
    }

    /// Gradients of few tokens take what adding them to their sum takes, by a kernel of its own
    /// whatever the tokens, fused where the product is not longer.
    void gradientsAreAddedToTheirSum()
    {
        const PlanModel model = gptOf(4096, 64);
        const Cluster cluster = a100Cluster(8);
        Configuration c;
        const double apart = layerTime(model, c, cluster, false).weight.total();
        c.fusedAccumulation = true;
        const double fused = layerTime(model, c, cluster, false).weight.total();
        const double weights = 12.0 * 4096 * 4096;
        QVERIFY(apart > fused);
        QVERIFY(fused >= trafficSeconds(cluster, 8 * weights));
        QVERIFY(apart >= trafficSeconds(cluster, 10 * weights));
        const PlanModel longer = gptOf(4096, 4096);
        const double product = layerTime(longer, c, cluster, false).weight.total();
        c.fusedAccumulation = false;
        const double added = layerTime(longer, c, cluster, false).weight.total() - product;
        QVERIFY(std::abs(added / trafficSeconds(cluster, 10 * weights) - 1) < 0.05);
    }

    void rankCorrelationIsSpearmans()
    {
        QCOMPARE(rankCorrelation({1, 2, 3}, {10, 20, 30}), 1.0);
        QCOMPARE(rankCorrelation({1, 2, 3}, {30, 20, 10}), -1.0);
        // Ranks 1 2 3 4 and 2 1 4 3: 1 − 6·4 ⁄ (4·15).
        QVERIFY(std::abs(rankCorrelation({1, 2, 3, 4}, {6, 5, 8, 7}) - 0.6) < 1e-12);
        QCOMPARE(rankCorrelation({1, 2}, {5, 5}), 0.0);
    }
};

PW_TEST(TestPlanTerms)
#include "tst_plan_terms.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/measured.h"
#include "core/plan/search.h"
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

LanguageModel gptOf(int hidden, int sequence)
{
    LanguageModel model;
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
        const LanguageModel model = gptOf(4096, 64);
        const Cluster cluster = a100Cluster(8);
        Configuration c;
        const double apart = layerTime(model, c, cluster, false).weight.total();
        c.fusedAccumulation = true;
        const double fused = layerTime(model, c, cluster, false).weight.total();
        const double weights = 12.0 * 4096 * 4096;
        QVERIFY(apart > fused);
        QVERIFY(fused >= trafficSeconds(cluster, 8 * weights));
        QVERIFY(apart >= trafficSeconds(cluster, 10 * weights));
        const LanguageModel longer = gptOf(4096, 4096);
        const double product = layerTime(longer, c, cluster, false).weight.total();
        c.fusedAccumulation = false;
        const double added = layerTime(longer, c, cluster, false).weight.total() - product;
        QVERIFY(std::abs(added / trafficSeconds(cluster, 10 * weights) - 1) < 0.05);
    }

    /// Every layer computed again adds the same time and takes the same bytes away; all of a stage
    /// is the whole policy.
    void layersAreComputedAgainOneByOne()
    {
        const LanguageModel model = gptOf(4096, 2048);
        const Cluster cluster = a100Cluster(8);
        Configuration c;
        c.pipelineParallel = 4;
        c.tensorParallel = 2;
        c.globalBatch = 8;
        c.split = {6, 6, 6, 6};
        const auto without = evaluate(model, cluster, c);
        c.recompute = RecomputePolicy::Full;
        const auto all = evaluate(model, cluster, c);
        QVERIFY(without && all);
        double seconds = without->seconds(), bytes = without->memory.front().activations;
        for (int layers = 1; layers <= 6; ++layers) {
            c.recomputedLayers = layers;
            const auto some = evaluate(model, cluster, c);
            QVERIFY(some && some->seconds() > seconds);
            QVERIFY(some->memory.front().activations < bytes);
            seconds = some->seconds();
            bytes = some->memory.front().activations;
        }
        QCOMPARE(seconds, all->seconds());
        QCOMPARE(bytes, all->memory.front().activations);
    }

    void whatIsComputedAgainForBStaysUntilW()
    {
        const LanguageModel model = gptOf(4096, 2048);
        const Cluster cluster = a100Cluster(8);
        Configuration c;
        c.family = "zb-h1";
        c.pipelineParallel = 4;
        c.tensorParallel = 2;
        c.globalBatch = 8;
        c.split = {6, 6, 6, 6};
        c.recompute = RecomputePolicy::Full;
        const auto split = evaluate(model, cluster, c);
        c.family = "1f1b";
        const auto fused = evaluate(model, cluster, c);
        QVERIFY(split && fused);
        // Between them lie at least all that the W of one micro-batch needs, less its inputs.
        const double kept = 6 * layerKeptBytes(model, c, false);
        const double inputs = 6 * layerActivationBytes(model, c, false, RecomputePolicy::Full);
        QVERIFY(split->memory[1].activations - fused->memory[1].activations >
                0.99 * (kept - inputs));
    }

    /// Where the whole does not fit without recomputation, a part of every stage is enough.
    void aSearchRecomputesAsLittleAsFits()
    {
        const LanguageModel model = gptOf(6144, 2048);
        Cluster cluster = a100Cluster(8);
        Wish wish;
        wish.globalBatch = 32;
        wish.family = "1f1b";
        wish.pipelineParallel = 4;
        wish.tensorParallel = 2;
        wish.microBatchSize = 2;
        wish.recompute = RecomputePolicy::Full;
        const auto whole = search(model, cluster, wish);
        QVERIFY(whole && !whole->rows.empty());
        QCOMPARE(whole->rows.front().configuration.recomputedLayers, 0);
        // Room for half as much again as full recomputation takes.
        cluster.device.memory = 1.5 * whole->rows.front().peakBytes() + cluster.device.reserved;
        const Evaluation less = withLessRecomputation(model, cluster, whole->rows.front());
        QVERIFY(less.fits);
        QVERIFY(less.configuration.recomputedLayers > 0);
        QVERIFY(less.seconds() < whole->rows.front().seconds());
        Configuration fewer = less.configuration;
        --fewer.recomputedLayers;
        if (fewer.recomputedLayers > 0) {
            const auto tooMuch = evaluate(model, cluster, fewer);
            QVERIFY(tooMuch && !tooMuch->fits);
        }
    }

    /// The vocabulary on all devices: the same work and the same weights in all, none heavier than
    /// the others, for one micro-batch more in flight.
    void vocabularyIsShared()
    {
        const LanguageModel model = *findModel("llama3-8b");
        const Cluster cluster{*findAccelerator("h100"), 8, constantsFor("h100", true)};
        Configuration c;
        c.pipelineParallel = 8;
        c.globalBatch = 64;
        c.split.assign(8, 4);
        const auto apart = evaluate(model, cluster, c);
        c.vocabularyParallel = true;
        const auto shared = evaluate(model, cluster, c);
        QVERIFY(apart && shared);
        double weightsApart = 0, weightsShared = 0;
        for (std::size_t rank = 0; rank < 8; ++rank) {
            weightsApart += apart->memory[rank].weights;
            weightsShared += shared->memory[rank].weights;
            QVERIFY(std::abs(shared->memory[rank].weights / shared->memory[3].weights - 1) < 1e-3);
        }
        QVERIFY(std::abs(weightsShared / weightsApart - 1) < 1e-9);
        QVERIFY(apart->memory.back().weights > 1.3 * apart->memory[3].weights);
        // A last device with a third more work is what the others waited for.
        QVERIFY(shared->seconds() < 0.9 * apart->seconds());
        QVERIFY(shared->memory[3].activations > apart->memory[3].activations);
        c.family = "dualpipe";
        c.split.clear();
        const auto two = evaluate(model, cluster, c);
        QVERIFY(!two);
        QVERIFY(two.error().message.english().find("dualpipe") != std::string::npos);
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

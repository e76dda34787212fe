// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/stage_parts.h"
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
        const auto passing = [](const MemoryParts& rank) { return rank.activations + rank.loss; };
        QVERIFY(passing(shared->memory[3]) > passing(apart->memory[3]));
        QCOMPARE(apart->parts.barrier, 0.0);
        QVERIFY(shared->parts.barrier > 0);
        c.family = "dualpipe";
        c.split.clear();
        const auto two = evaluate(model, cluster, c);
        QVERIFY(!two);
        QVERIFY(two.error().message.english().find("dualpipe") != std::string::npos);
    }

    /// Engines pad a vocabulary whose parts are odd or broken, on one device, on a tensor group and
    /// where all devices share it; what divides into even parts stays as it is.
    void oddVocabulariesArePadded()
    {
        TransformerModel model;
        model.vocabulary = 50257;
        QCOMPARE(vocabularyPart(model, 1), std::int64_t{50304}); // as Megatron-LM has it
        QCOMPARE(vocabularyPart(model, 2), std::int64_t{25216});
        QCOMPARE(vocabularyPart(model, 8), std::int64_t{6400});
        model.padsVocabulary = false;
        QCOMPARE(vocabularyPart(model, 1), std::int64_t{50257});
        QCOMPARE(vocabularyPart(model, 2), std::int64_t{25128});
        for (const bool pads : {false, true}) {
            model.padsVocabulary = pads;
            model.vocabulary = 128256;
            QCOMPARE(vocabularyPart(model, 8), std::int64_t{16032});
        }
        LanguageModel odd = gptOf(2048, 2048);
        odd.dense.vocabulary = 50257;
        LanguageModel padded = odd;
        padded.dense.vocabulary = 50304;
        const Cluster cluster = a100Cluster(8);
        Configuration c;
        QCOMPARE(outputTime(odd, c, cluster).total(), outputTime(padded, c, cluster).total());
        QCOMPARE(outputDeviceWeights(odd, c).dense, outputDeviceWeights(padded, c).dense);
        // Three ranks have 17,067 rows at the least, and with 128 rows a block 17,152.
        c.pipelineParallel = 3;
        c.vocabularyParallel = true;
        odd.dense.vocabulary = padded.dense.vocabulary = 51200;
        QCOMPARE(vocabularyShare(odd, c).dense.vocabulary, 17152);
        padded.dense.vocabulary = 3 * 17152;
        const Pieces three = piecesOf(odd, cluster, c), blocks = piecesOf(padded, cluster, c);
        QCOMPARE(three.vocabulary.total(), blocks.vocabulary.total());
    }

    /// Products of odd rows take twice as long; where tensor parallelism leaves even ones they do
    /// not.
    void oddRowsAreSlow()
    {
        LanguageModel odd = gptOf(2048, 2048);
        odd.dense.vocabulary = 50257;
        LanguageModel padded = odd;
        odd.dense.padsVocabulary = false;
        const Cluster cluster = a100Cluster(8);
        Configuration c;
        const PieceTime slow = outputTime(odd, c, cluster), fast = outputTime(padded, c, cluster);
        for (const auto pass : {&PieceTime::forward, &PieceTime::backward, &PieceTime::weight})
            QVERIFY(std::abs((slow.*pass).products / (fast.*pass).products - 2) < 0.01);
        QVERIFY(slow.forward.traffic < fast.forward.traffic);
        c.tensorParallel = 2;
        const double split = outputTime(odd, c, cluster).forward.products;
        QVERIFY(std::abs(split / outputTime(padded, c, cluster).forward.products - 1) < 0.01);
    }

    /// A pass takes the longer of host and work where neither waits for the other, both where each
    /// waits for all of the other, and between that it is never shorter than the longer.
    void hostAndWorkWaitAsFarAsAnEngineHasThem()
    {
        Cluster cluster = a100Cluster(8);
        Configuration c;
        const LanguageModel model = gptOf(1024, 1024);
        const auto with = [&](double blend, double launch) {
            cluster.constants[Constant::HostBlend] = blend;
            cluster.constants[Constant::LaunchTime] = launch;
            return layerTime(model, c, cluster, false).forward.total();
        };
        const double work = with(0, 1e-6), host = with(0, 1e-4), both = with(1, 1e-4);
        QVERIFY(host > work);
        QCOMPARE(with(0, 1e-7), work);
        QCOMPARE(layerTime(model, c, cluster, false).forward.host, 0.0);
        QVERIFY(std::abs(both - work - host) < 1e-9);
        QVERIFY(std::abs(std::pow(with(1.0 / 3, 1e-4), 3) - std::pow(host, 3) - std::pow(work, 3)) <
                1e-9 * std::pow(both, 3));
        double before = host;
        for (const double blend : {0.01, 0.1, 0.5, 1.0}) {
            const double now = with(blend, 1e-4);
            QVERIFY(now >= before);
            before = now;
        }
    }

    /// A choice is made among rows of one model, as many devices and one batch; what it loses is
    /// the mean over such questions.
    void choicesAreOfOneQuestion()
    {
        const auto table =
            parseMeasured("gpus,global_batch,micro_batch,hidden,heads,layers,sequence,"
                          "tensor_parallel,data_parallel,pipeline_parallel,iteration_ms\n"
                          "8,32,4,1024,16,24,1024,1,8,1,100\n" // chosen, and the best
                          "8,32,4,1024,16,24,1024,8,1,1,500\n"
                          "8,64,4,1024,16,24,1024,1,8,1,300\n" // chosen, half as long again …
                          "8,64,4,1024,16,24,1024,1,8,1,300\n" // … in both runs
                          "8,64,4,1024,16,24,1024,8,1,1,200\n"
                          "4,64,4,1024,16,24,1024,1,4,1,900\n"); // no choice
        QVERIFY2(table, table ? "" : table.error().message.c_str());
        const Judgement judgement =
            judge(table->rows, *findAccelerator("a100"), oneNodeConstants());
        QVERIFY(std::abs(judgement.choiceLoss - 0.25) < 1e-9);
    }

    /// A token crosses to a node once, to no more nodes than it may, as narrow as it is sent.
    void expertsAreReachedOncePerNode()
    {
        Cluster cluster = a100Cluster(64);
        cluster.constants[Constant::OutsideLatency] = cluster.constants[Constant::InsideLatency] =
            0;
        cluster.device.insideBandwidth = 1e15; // the network between nodes alone
        ExpertExchange exchange{4096, 2 * 7168, 8, 0};
        const Group group = groupOf(cluster, 64, 1);
        const double perDevice =
            cluster.device.nodeBandwidth * cluster.constants[Constant::OutsideRate] / 8;
        const auto crossings = [&] {
            return exchangeSeconds(cluster, group, exchange) * perDevice /
                   (exchange.tokens * exchange.bytes);
        };
        // Of eight nodes eight choices meet 5.25, an eighth of them the token's own.
        QVERIFY(std::abs(crossings() - 8 * (1 - std::pow(7.0 / 8, 8)) * 7 / 8) < 1e-9);
        exchange.nodes = 4;
        QVERIFY(std::abs(crossings() - 4 * (1 - std::pow(3.0 / 4, 8)) * 7 / 8) < 1e-9);
        exchange.perToken = 1;
        QVERIFY(std::abs(crossings() - 7.0 / 8) < 1e-9);
        const double wide = exchangeSeconds(cluster, group, exchange);
        exchange.bytes /= 2;
        QVERIFY(std::abs(exchangeSeconds(cluster, group, exchange) / wide - 0.5) < 1e-9);
        QCOMPARE(exchangeSeconds(cluster, groupOf(cluster, 1, 1), exchange), 0.0);
    }

    /// DeepSeek-V3 over eight nodes: its own exchange takes a part of the time of one that is not
    /// limited, not hidden and as wide as activations.
    void anExchangeIsLimitedNarrowAndHidden()
    {
        LanguageModel model = *findModel("deepseek-v3");
        QCOMPARE(model.experts.nodes, 4);
        QVERIFY(model.dense.overlapExperts);
        const Cluster cluster{*findAccelerator("h100"), 64, constantsFor("h100", false), {}};
        Configuration c;
        c.dataParallel = c.expertParallel = 64;
        const auto exchange = [&] {
            const PieceTime time = layerTime(model, c, cluster, true);
            return time.forward.expert + time.backward.expert;
        };
        const double own = exchange();
        model.dense.overlapExperts = false;
        const double open = exchange();
        QVERIFY(own < 0.75 * open);
        model.experts.nodes = 0;
        const double anywhere = exchange();
        QVERIFY(open < 0.8 * anywhere);
        model.experts.dispatchBytes = 1;
        const double narrow = exchange();
        QVERIFY(std::abs(narrow / anywhere - 0.75) < 0.01);
        model.experts.dispatchBytes = 0;
        setPrecision(model.dense, Precision::Fp8Blocks);
        QVERIFY(std::abs(exchange() / narrow - 1) < 0.03);
    }

    /// Experts start many kernels, each of a device's experts some of its own: with few tokens that
    /// is what a layer takes, and more so where narrow numbers are made.
    void expertsWithFewRowsWaitForTheHost()
    {
        LanguageModel model = *findModel("qwen3-30b-a3b");
        const Cluster cluster{*findAccelerator("b200"), 8, constantsFor("b200", true), {}};
        Configuration c;
        c.dataParallel = c.expertParallel = 8;
        const auto perToken = [&](int size) {
            c.microBatchSize = size;
            return layerTime(model, c, cluster, true).total() / size;
        };
        QVERIFY(perToken(1) > 1.5 * perToken(4));
        const double wide = layerTime(model, c, cluster, true).forward.host;
        const double whole = perToken(1);
        setPrecision(model.dense, Precision::Mxfp8);
        QVERIFY(perToken(1) > whole);
        QVERIFY(layerTime(model, c, cluster, true).forward.host > 1.1 * wide);
        QVERIFY(layerTime(model, c, cluster, true).forward.host >
                layerTime(model, c, cluster, false).forward.host);
    }

    /// Tokens are laid out for their devices and sorted there by experts, and the same back; where
    /// the exchange writes them where they belong, half of that is not there.
    void tokensAreLaidOutAndSorted()
    {
        LanguageModel model = *findModel("qwen3-30b-a3b");
        const Cluster cluster{*findAccelerator("b200"), 8, constantsFor("b200", true), {}};
        Configuration c;
        c.dataParallel = c.expertParallel = 8;
        c.microBatchSize = 4;
        const auto traffic = [&] { return layerTime(model, c, cluster, true).forward.traffic; };
        const double apart = traffic();
        model.dense.graphs = true;
        const double routed =
            static_cast<double>(c.microBatchSize) * model.dense.sequence * model.experts.perToken;
        // Four times their width, and what a gated activation reads and writes.
        const double bytes =
            2 * routed * (4.0 * model.dense.hidden + 3 * 2.0 * model.experts.width);
        QVERIFY(std::abs(apart - traffic() - trafficSeconds(cluster, bytes)) < 1e-9);
    }

    /// Recorded passes have hardly a host, and grouped products no kernels beside them; where
    /// experts have room for so many tokens alone, nobody waits to learn how many there are.
    void recordedAndDroppingExpertsStartFewerKernels()
    {
        LanguageModel model = *findModel("qwen3-30b-a3b");
        setPrecision(model.dense, Precision::Mxfp8);
        const Cluster cluster{*findAccelerator("gb200"), 8, constantsFor("gb200", true), {}};
        Configuration c;
        c.dataParallel = c.expertParallel = 8;
        const PieceTime eager = layerTime(model, c, cluster, true);
        model.dense.dropsTokens = true;
        const PieceTime dropping = layerTime(model, c, cluster, true);
        QVERIFY(dropping.total() < 0.85 * eager.total());
        model.dense.dropsTokens = false;
        model.dense.graphs = true;
        const PieceTime recorded = layerTime(model, c, cluster, true);
        QVERIFY(recorded.forward.host < 0.02 * eager.forward.host);
        QVERIFY(recorded.forward.traffic < eager.forward.traffic);
        QCOMPARE(recorded.forward.attention, eager.forward.attention);
        // Behind where the host waits, nothing hides what it takes: two stretches are longer than
        // the longer of their sums.
        Cluster free = cluster;
        free.constants[Constant::LaunchTime] = 1e-6;
        model.dense.graphs = false;
        const double work = layerTime(model, c, free, true).forward.total();
        QVERIFY(eager.forward.total() > work);
    }

    /// What an engine takes for a pass, it takes for each, and once for a BW.
    void everyPassHasAnEngineTime()
    {
        const LanguageModel model = gptOf(1024, 1024);
        Cluster cluster = a100Cluster(8);
        Configuration c;
        c.globalBatch = 16;
        c.dataParallel = 8;
        cluster.constants[Constant::PassTime] = 0;
        const double free = *iterationSeconds(model, cluster, c);
        cluster.constants[Constant::PassTime] = 0.003;
        QVERIFY(std::abs(*iterationSeconds(model, cluster, c) - free - 2 * 2 * 0.003) < 1e-6);
        const Result<Evaluation> told = evaluate(model, cluster, c);
        QVERIFY(told && std::abs(told->seconds() - free - 2 * 2 * 0.003) < 1e-6);
        c.dataParallel = 2;
        c.pipelineParallel = 4;
        c.family = "zb-h1";
        const Result<Evaluation> slow = evaluate(model, cluster, c);
        cluster.constants[Constant::PassTime] = 0;
        const Result<Evaluation> fast = evaluate(model, cluster, c);
        QVERIFY(slow && fast && slow->seconds() > fast->seconds() + 8 * 3 * 0.003 - 1e-6);
        QVERIFY(std::abs(slow->parts.total() - slow->seconds()) < 1e-9);
    }

    /// A fused kernel reaches more with wide heads and many keys; parts of a ring have fewer.
    void attentionIsFasterWithWideHeadsAndManyKeys()
    {
        LanguageModel model = *findModel("llama3-8b");
        const Cluster cluster{*findAccelerator("h100"), 8, constantsFor("h100", true), {}};
        const auto perOperation = [&](int sequence, int heads, int parts) {
            model.dense.sequence = sequence;
            model.dense.heads = heads;
            model.headSize = model.dense.hidden / heads;
            Configuration c;
            c.contextParallel = parts;
            return parts * layerTime(model, c, cluster, false).forward.attention /
                   (static_cast<double>(sequence) * sequence);
        };
        const double usual = perOperation(8192, 32, 1);
        // 473 and 642 TFLOP/s in the figure.
        QVERIFY(std::abs(perOperation(8192, 64, 1) / perOperation(8192, 16, 1) / 1.4 - 1) < 0.06);
        // 371 and 460 of as wide heads.
        QVERIFY(std::abs(perOperation(2048, 32, 1) / usual / 1.24 - 1) < 0.04);
        QVERIFY(std::abs(perOperation(8192, 32, 4) / perOperation(2048, 32, 1) - 1) < 1e-9);
    }

    /// The last part of a causal sequence has nearly twice the attention of the mean; dealt out in
    /// balance all have the same.
    void partsOfASequenceAreInBalanceOrWait()
    {
        LanguageModel model = *findModel("llama3-8b");
        const Cluster cluster{*findAccelerator("h100"), 8, constantsFor("h100", true), {}};
        Configuration c;
        const auto attention = [&](int parts, bool balanced) {
            c.contextParallel = parts;
            model.dense.balancedContext = balanced;
            return parts * layerTime(model, c, cluster, false).forward.attention;
        };
        const double whole = attention(1, true);
        QCOMPARE(attention(1, false), whole);
        for (const int parts : {2, 4, 8}) {
            const double balanced = attention(parts, true);
            QVERIFY(balanced >= whole && balanced < 1.6 * whole); // shorter calls
            QVERIFY(std::abs(attention(parts, false) / balanced - (2 - 1.0 / parts)) < 1e-9);
        }
    }

    /// A slice of a sequence has the kernels of a whole one, and adds its gradients by itself: the
    /// more slices, the longer the passes of a micro-batch together.
    void slicesPayForTheirKernels()
    {
        LanguageModel model = gptOf(2048, 8192);
        model.dense.flashAttention = model.dense.skipsMasked = true;
        const Cluster cluster = a100Cluster(8);
        const auto passes = [&](int slices) {
            Configuration c;
            c.family = "seq1f1b";
            c.parameters = {{"segments", slices}};
            c.pipelineParallel = 8;
            c.globalBatch = 16;
            c.split.assign(8, 3);
            return evaluate(model, cluster, c).value().parts.busiest;
        };
        const PassParts two = passes(2), eight = passes(8), many = passes(32);
        QVERIFY(eight.total() > two.total());
        QVERIFY(many.total() > 1.3 * eight.total());
        // What the mathematics takes is the same.
        QVERIFY(std::abs(many.attention / two.attention - 1) < 1e-9);
        QVERIFY(many.host + many.traffic > 2 * (eight.host + eight.traffic));
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

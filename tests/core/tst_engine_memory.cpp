// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/engine_terms.h"
#include "core/cost/evaluate.h"
#include "core/cost/stage_memory.h"
#include "core/cost/stage_parts.h"
#include "core/plan/plan_words.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::plan;

namespace {

constexpr double mebibyte = 1 << 20;

Cluster eightOf(const char* accelerator)
{
    return {*findAccelerator(accelerator), 8, fittedConstants()};
}

EngineMemory engineNamed(const char* name)
{
    return *findEngineMemory(name);
}

/// Llama 3 70B with twelve layers, as it was measured: distributed optimizer, FP32 gradients.
LanguageModel shortLlama()
{
    LanguageModel model = *findModel("llama3-70b");
    model.dense.layers = 12;
    model.dense.sequence = 4096;
    return model;
}

Configuration llamaOn(int tensor, int pipeline, int data)
{
    Configuration c;
    c.tensorParallel = tensor;
    c.pipelineParallel = pipeline;
    c.dataParallel = data;
    c.globalBatch = 4 * data;
    c.zero = 1;
    c.sequenceParallel = tensor > 1;
    c.fusedAccumulation = true;
    c.split.assign(static_cast<std::size_t>(pipeline), 12 / pipeline);
    c.engine = engineNamed("megatron-te");
    return c;
}

/// The GPT of 1.3 B of Seq1F1B's runs, in slices. Its runs keep 34 bytes · h of a token and layer
/// although nothing is dropped: 13,007 MiB of a micro-batch between ranks 1 and 2, as with masks.
LanguageModel slicedGpt()
{
    LanguageModel model;
    model.dense.layers = 24;
    model.dense.hidden = 2048;
    model.dense.heads = 16;
    model.dense.vocabulary = 50304;
    model.dense.sequence = 32768;
    model.dense.positions = 0;
    model.dense.tiedEmbedding = false;
    model.dense.flashAttention = true;
    return model;
}

Configuration inSlices(int slices)
{
    Configuration c;
    c.family = slices > 1 ? "seq1f1b" : "1f1b";
    if (slices > 1)
        c.parameters = {{"segments", slices}};
    c.pipelineParallel = 4;
    c.dataParallel = 2;
    c.globalBatch = 8;
    c.zero = 1;
    c.split = {6, 6, 6, 6};
    c.engine = engineNamed("megatron-local");
    return c;
}

bool isNear(double value, double expected, double part)
{
    return std::abs(value / expected - 1) <= part;
}

} // namespace

/// Bytes that engines hold beside what the papers' formulas count.
class TestEngineMemory : public QObject
{
    Q_OBJECT

private slots:
    void theUsualEngineAddsNothing()
    {
        QCOMPARE(engineNamed("plain"), EngineMemory{});
        QCOMPARE(Configuration{}.engine, EngineMemory{});
        QCOMPARE(logitBytes({}).kept, 4.0);
        QCOMPARE(logitBytes({}).passing, 0.0);
        Configuration c = llamaOn(1, 2, 4);
        c.engine = {};
        const auto usual = evaluate(shortLlama(), eightOf("b200"), c);
        QVERIFY(usual);
        for (const MemoryParts& rank : usual->memory)
            QCOMPARE(rank.loss + rank.slices + rank.dummies, 0.0);
    }

    void aLossHasItsBytes()
    {
        EngineMemory engine;
        const auto all = [&engine](const char* text) {
            return setLoss(engine, text) ? logitBytes(engine).kept + logitBytes(engine).passing
                                         : -1;
        };
        QCOMPARE(all("fused"), 2.0);
        QCOMPARE(all("fp32"), 4.0);
        QCOMPARE(all("unfused"), 13.5);
        QCOMPARE(all("chunked:8"), 0.5);
        QCOMPARE(engine.lossChunks, 8);
        for (const char* wrong : {"", "chunked", "chunked:", "chunked:0", "chunked:x", "Fused"})
            QVERIFY2(!setLoss(engine, wrong), wrong);
        QCOMPARE(engine.lossChunks, 8);
        const Result<EngineMemory> none = findEngineMemory("megatron");
        QVERIFY(!none && none.error().message.english().find("megatron-te") != std::string::npos);
    }

    void anEngineIsToldInWords()
    {
        for (const NamedEngine& engine : memoryEngines()) {
            EngineMemory memory = engine.memory;
            // The first of those that are alike.
            QCOMPARE(*findEngineMemory(text(memory)), memory);
            for (const char* loss : {"fused", "fp32", "unfused", "chunked:8"}) {
                QVERIFY(setLoss(memory, loss));
                QCOMPARE(lossText(memory), std::string(loss));
            }
        }
        EngineMemory engine = engineNamed("megatron-te");
        QCOMPARE(text(engine), std::string("megatron-te"));
        QVERIFY(setLoss(engine, "chunked:4"));
        QCOMPARE(text(engine), std::string("megatron-te, loss chunked:4"));
        engine.joinsSlices = true;
        QCOMPARE(text(engine), std::string("loss chunked:4"));
    }

    /// Peaks of the first and the last stage in MiB. @source SimuMax 4dcaae5,
    /// docs/b200/b200_release_v1.2_summary.json: Megatron-LM with Transformer Engine 2.11
    void megatronIsWithinThreePerCent()
    {
        struct Row
        {
            int tensor, pipeline, data;
            double first, last;
        };
        for (const Row& row : {Row{1, 2, 4, 68149, 64479}, Row{2, 1, 4, 62136, 62136},
                               Row{4, 1, 2, 40010, 40010}, Row{8, 1, 1, 28965, 28965}}) {
            const auto found = evaluate(shortLlama(), eightOf("b200"),
                                        llamaOn(row.tensor, row.pipeline, row.data));
            QVERIFY(found);
            const double first = found->memory.front().total() / mebibyte;
            const double last = found->memory.back().total() / mebibyte;
            QVERIFY2(isNear(first, row.first, 0.03), qPrintable(QString::number(first)));
            QVERIFY2(isNear(last, row.last, 0.03), qPrintable(QString::number(last)));
        }
    }

    /// By hand: 8192 × (10240 + 8192 + 57344 + 28672) numbers, and 128256 × 8192 of the output.
    void everyShapeHasOneEmptyGradient()
    {
        const LanguageModel model = shortLlama();
        Configuration c = llamaOn(1, 2, 4);
        const auto found = evaluate(model, eightOf("b200"), c);
        QVERIFY(found);
        const double layer = 2.0 * 8192 * (10240 + 8192 + 57344 + 28672);
        QCOMPARE(found->memory.front().dummies, layer);
        QCOMPARE(found->memory.back().dummies, layer + 2.0 * 128256 * 8192);
        // A tied output matrix has its own too; without fused accumulation there are none.
        LanguageModel tied = model;
        tied.dense.tiedEmbedding = true;
        const auto same = evaluate(tied, eightOf("b200"), c);
        QVERIFY(same);
        QCOMPARE(same->memory.back().dummies, found->memory.back().dummies);
        c.fusedAccumulation = false;
        const auto none = evaluate(model, eightOf("b200"), c);
        QVERIFY(none);
        QCOMPARE(none->memory.back().dummies, 0.0);
        // 405B, whole: 16384 × (18432 + 16384 + 106496 + 53248), 6.00 GiB.
        LanguageModel large = *findModel("llama3-405b");
        c = llamaOn(1, 2, 4);
        QVERIFY(isNear(dummyGradientBytes(large, c, layerMatrices(large, c, 0)),
                       2.0 * 16384 * (18432.0 + 16384 + 106496 + 53248), 1e-12));
        // Equal shapes count once: with 4h as wide an MLP nothing else is equal.
        QCOMPARE(dummyGradientBytes(model, c, {{3, 5}, {5, 3}, {3, 5}}), 2.0 * (15 + 15));
    }

    /// A layer of experts has the shapes of one expert, of the shared ones and of attention, whole
    /// where latent attention is.
    void expertsShareTheirEmptyGradients()
    {
        const LanguageModel model = *findModel("deepseek-v3");
        Configuration c;
        c.engine = engineNamed("megatron-te");
        c.fusedAccumulation = true;
        c.tensorParallel = 2;
        const std::vector<MatrixShape> last = layerMatrices(model, c, model.dense.layers - 1);
        const std::vector<MatrixShape> expected = {
            {1536, 7168},         {128 * 192 / 2, 1536}, {512 + 64, 7168},
            {128 * 256 / 2, 512}, {7168, 128 * 128 / 2}, {2 * 2048, 7168},
            {7168, 2048},         {2048, 7168},          {7168, 1024}};
        QVERIFY(last == expected);
    }

    /// What iterations leave behind in MiB on a rank of six layers, less that without slices: the
    /// piece, and the gradients of its first slice. @source Seq1F1B 33bb4a1,
    /// exp3_softmax_seq32k_sp1, 2, 4, 8.log, rank 2, "allocated"
    void slicesKeepKeysAndValuesOnceMore()
    {
        const LanguageModel model = slicedGpt();
        const double piece = keyValueBytes(model, inSlices(2), 6) / mebibyte;
        QCOMPARE(piece, 1536.0);
        const double without = 3730.7;
        const std::pair<int, double> leftBehind[] = {{2, 6066.96}, {4, 5631.51}, {8, 5363.03}};
        for (const auto& [slices, left] : leftBehind)
            QVERIFY(isNear(without + (1 + 1.0 / slices) * piece, left, 0.03));
    }

    /// Each micro-batch in flight keeps a piece, and the one that goes back has its gradients.
    void slicesCountByMicroBatchesInFlight()
    {
        const LanguageModel model = slicedGpt();
        const Cluster cluster = eightOf("a100");
        const double piece = keyValueBytes(model, inSlices(2), 6);
        for (const int slices : {2, 4, 8}) {
            Configuration c = inSlices(slices);
            const auto with = evaluate(model, cluster, c);
            c.engine.joinsSlices = false;
            const auto apart = evaluate(model, cluster, c);
            QVERIFY(with && apart);
            for (std::size_t rank = 0; rank < 4; ++rank) {
                const MemoryParts& memory = with->memory[rank];
                QCOMPARE(apart->memory[rank].slices, 0.0);
                QVERIFY(memory.activations >= apart->memory[rank].activations - 1e3);
                const double pieces = memory.slices / piece;
                QVERIFY2(pieces > 1.999 && pieces < 4.001, qPrintable(QString::number(pieces)));
                double sum = 0;
                for (const NamedBytes& part : namedBytes(memory))
                    sum += part.bytes;
                QCOMPARE(sum, memory.total());
            }
            QVERIFY(with->memory[0].slices >= with->memory[3].slices);
        }
        const auto whole = evaluate(model, cluster, inSlices(1));
        QVERIFY(whole);
        QCOMPARE(whole->memory[0].slices, 0.0);
    }

    /// What a search prunes by is under what is counted, with every engine.
    void boundsStayBelow()
    {
        for (const NamedEngine& engine : memoryEngines()) {
            for (const bool pipeline : {true, false}) {
                Configuration c = pipeline ? llamaOn(1, 2, 4) : llamaOn(8, 1, 1);
                c.engine = engine.memory;
                const auto found = evaluate(shortLlama(), eightOf("b200"), c);
                QVERIFY(found);
                QVERIFY(leastWeightBytes(shortLlama(), c) <= found->peakBytes());
                QVERIFY(leastBytes(shortLlama(), c) <= found->peakBytes());
            }
            Configuration c = inSlices(4);
            c.engine = engine.memory;
            const auto found = evaluate(slicedGpt(), eightOf("a100"), c);
            QVERIFY(found);
            QVERIFY(leastWeightBytes(slicedGpt(), c) <= found->peakBytes());
            QVERIFY(leastBytes(slicedGpt(), c) <= found->peakBytes());
        }
    }

    /// Of one micro-batch, or of one slice, on the device of the last stage alone; on all where
    /// they share the vocabulary.
    void theLossPassesOnTheLastStage()
    {
        const LanguageModel model = slicedGpt();
        const Cluster cluster = eightOf("a100");
        const double logits = 32768.0 * 50304;
        const auto whole = evaluate(model, cluster, inSlices(1));
        const auto sliced = evaluate(model, cluster, inSlices(2));
        Configuration c = inSlices(1);
        c.vocabularyParallel = true;
        const auto shared = evaluate(model, cluster, c);
        QVERIFY(whole && sliced && shared);
        QCOMPARE(whole->memory[0].loss, 0.0);
        QCOMPARE(whole->memory[3].loss, 9.5 * logits);
        // Slices of equal work: the first is the longest.
        const std::vector<int>& lengths = sliced->configuration.segmentLengths;
        QCOMPARE(lengths.size(), std::size_t{2});
        QVERIFY(lengths[0] > lengths[1] && lengths[0] + lengths[1] == 32768);
        QCOMPARE(sliced->memory[3].loss, 9.5 * logits * lengths[0] / 32768);
        // The way back begins an interval later: a micro-batch more is kept, and its logits.
        LanguageModel part = model;
        part.dense.vocabulary /= 4;
        const double more =
            outputBytes(part, c) + stageBytes(model, c, 0, 6, true, false).activation;
        QCOMPARE(shared->memory[0].loss, std::floor(9.5 * logits / 4 + more));
        c = inSlices(1);
        QVERIFY(setLoss(c.engine, "fused"));
        const auto fused = evaluate(model, cluster, c);
        QVERIFY(fused);
        QVERIFY(
            isNear(whole->memory[3].activations - fused->memory[3].activations, 2 * logits, 1e-6));
    }
};

PW_TEST(TestEngineMemory)
#include "tst_engine_memory.moc"

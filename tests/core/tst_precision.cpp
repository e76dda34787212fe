// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/evaluate.h"
#include "core/cost/origin_costs.h"
#include "core/cost/precision.h"
#include "core/io/model_file.h"
#include "core/plan/measured.h"
#include "core/plan/plan_words.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;
using namespace pw::plan;

namespace {

LanguageModel llamaIn(Precision precision)
{
    LanguageModel model = findModel("llama3-8b").value();
    setPrecision(model.dense, precision);
    return model;
}

Configuration onEight()
{
    Configuration c;
    c.tensorParallel = 2;
    c.pipelineParallel = 4;
    c.globalBatch = 16;
    c.zero = 1;
    c.sequenceParallel = c.fusedAccumulation = true;
    c.split = {8, 8, 8, 8};
    return c;
}

Cluster eight(const char* name)
{
    return {*findAccelerator(name), 8, constantsFor(name, true), {}};
}

} // namespace

/// Precision of products: rates, bytes, files, and what an accelerator does not have.
class TestPrecision : public QObject
{
    Q_OBJECT

private slots:
    void namesOfOthersAreKnown()
    {
        for (std::size_t i = 0; i < precisionCount; ++i)
            QCOMPARE(findPrecision(precisionNames[i]).value(), static_cast<Precision>(i));
        QCOMPARE(findPrecision("FP16").value(), Precision::Bf16);
        QCOMPARE(findPrecision("FP8-CS").value(), Precision::Fp8);
        QCOMPARE(findPrecision("float8").value(), Precision::Fp8);
        QCOMPARE(findPrecision("FP8-SC").value(), Precision::Fp8Blocks);
        QCOMPARE(findPrecision("FP8-MX").value(), Precision::Mxfp8);
        QCOMPARE(findPrecision("NVFP4").value(), Precision::Nvfp4);
        const auto unknown = findPrecision("fp6");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().message,
                 "there is no precision 'fp6'; there are bf16, fp32, tf32, "
                 "fp8, fp8-blocks, mxfp8, nvfp4");
    }

    void whatAnAcceleratorDoesNotHaveIsRefused()
    {
        QVERIFY(evaluate(llamaIn(Precision::Fp8), eight("h100"), onEight()));
        const auto refused = evaluate(llamaIn(Precision::Fp8), eight("a100"), onEight());
        QVERIFY(!refused);
        QCOMPARE(refused.error().message,
                 "the a100 has no products in fp8; it has bf16, fp32, tf32");
        QVERIFY(!checkPrecision(*findAccelerator("h100"), Precision::Mxfp8));
        CostOrigin origin;
        origin.model = llamaIn(Precision::Fp8);
        origin.hardware = "a100";
        PipelineSpec spec;
        spec.devices = spec.microBatches = 4;
        spec.routes = {Placement::linear(4)};
        const auto costs = costsOf(origin, spec);
        QVERIFY(!costs);
        QCOMPARE(costs.error().message, refused.error().message);
    }

    /// Products become faster, attention and the output matrix stay; what makes narrow numbers is
    /// paid.
    void narrowProductsAreFasterAndPayTheirMaking()
    {
        const Cluster cluster = eight("b200");
        const PieceTime wide = layerTime(llamaIn(Precision::Bf16), onEight(), cluster, false);
        const PieceTime narrow = layerTime(llamaIn(Precision::Mxfp8), onEight(), cluster, false);
        const PieceTime four = layerTime(llamaIn(Precision::Nvfp4), onEight(), cluster, false);
        QVERIFY(narrow.forward.products < 0.8 * wide.forward.products);
        QVERIFY(four.forward.products < narrow.forward.products);
        QVERIFY(narrow.forward.traffic > wide.forward.traffic);
        QVERIFY(narrow.backward.traffic > wide.backward.traffic);
        QCOMPARE(narrow.forward.attention, wide.forward.attention);
        // The half of a tensor sum that gathers carries narrow numbers.
        QVERIFY(narrow.forward.tensor < wide.forward.tensor);
        QVERIFY(narrow.forward.tensor > 0.7 * wide.forward.tensor);
        QCOMPARE(outputTime(llamaIn(Precision::Mxfp8), onEight(), cluster),
                 outputTime(llamaIn(Precision::Bf16), onEight(), cluster));
        const PieceTime slow = layerTime(llamaIn(Precision::Fp32), onEight(), cluster, false);
        QVERIFY(slow.forward.products > 10 * wide.forward.products);
        QVERIFY(slow.forward.traffic > 1.9 * wide.forward.traffic);
    }

    void bytesFollowThePrecision()
    {
        const auto evaluated = [](Precision precision) {
            return evaluate(llamaIn(precision), eight("b200"), onEight()).value();
        };
        const MemoryParts wide = evaluated(Precision::Bf16).memory.front();
        const MemoryParts narrow = evaluated(Precision::Mxfp8).memory.front();
        const MemoryParts four = evaluated(Precision::Nvfp4).memory.front();
        const MemoryParts full = evaluated(Precision::Fp32).memory.front();
        // Inputs of products are kept as narrow as they are read; norms and attention read 16 bits.
        QVERIFY(narrow.activations < 0.95 * wide.activations);
        QVERIFY(narrow.activations > 0.6 * wide.activations);
        QVERIFY(four.activations < narrow.activations);
        // Two copies of 8 bits with their scales stand for 16 bits; four bits come on top.
        QCOMPARE(std::llround(1000 * narrow.weights / wide.weights), 1031);
        QCOMPARE(std::llround(1000 * four.weights / wide.weights), 1563);
        QCOMPARE(narrow.optimizer, wide.optimizer);
        QCOMPARE(std::llround(1000 * full.weights / wide.weights), 2000);
        QCOMPARE(std::llround(1000 * full.optimizer / wide.optimizer), 667);
        QCOMPARE(narrow.buffers, wide.buffers); // messages are of 16 bits
    }

    void replicasGatherNarrowWeights()
    {
        Configuration c = onEight();
        c.tensorParallel = c.pipelineParallel = 1;
        c.dataParallel = 8;
        c.split = {32};
        const auto reduction = [&](Precision precision) {
            return evaluate(llamaIn(precision), eight("b200"), c).value().parts.reduction;
        };
        QVERIFY(reduction(Precision::Mxfp8) < 0.8 * reduction(Precision::Bf16));
        QCOMPARE(reduction(Precision::Nvfp4), reduction(Precision::Bf16));
    }

    void filesKeepIt()
    {
        const LanguageModel model = llamaIn(Precision::Nvfp4);
        QCOMPARE(parseModel(modelText(model)).value(), model);
        // Files of before say nothing, and mean 16 bits, or 32 where an element has four bytes.
        const LanguageModel plain = llamaIn(Precision::Bf16);
        QVERIFY(modelText(plain).find("precision") == std::string::npos);
        QCOMPARE(parseModel(modelText(plain)).value(), plain);
        const auto old = parseModel(R"({"version": 1, "elementBytes": 4, "weightBytes": 4})");
        QCOMPARE(old.value().dense.precision, Precision::Fp32);
        // A precision brings its bytes; fields beside it replace them.
        const auto brief = parseModel(R"({"version": 1, "weightBytes": 2, "precision": "tf32"})");
        QCOMPARE(brief.value().dense.elementBytes, 4);
        QCOMPARE(brief.value().dense.weightBytes, 2);
        QCOMPARE(brief.value().dense.optimizerBytes, 8);
        QVERIFY(!parseModel(R"({"version": 1, "precision": "fp6"})"));
        QVERIFY(!parseModel(R"({"version": 1, "precision": 8})"));
    }

    /// A plan's costs and those of its project's origin are the same, whatever the precision and
    /// however sequences and experts are shared.
    void aProjectsCostsAreThoseOfItsPlan_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("experts");
        QTest::newRow("8 bits") << "llama3-8b" << int(Precision::Fp8) << 1 << 1;
        QTest::newRow("shared sequences") << "llama3-8b" << int(Precision::Bf16) << 2 << 1;
        QTest::newRow("shared experts") << "mixtral-8x7b" << int(Precision::Bf16) << 1 << 2;
        QTest::newRow("all") << "mixtral-8x7b" << int(Precision::Fp8Blocks) << 2 << 4;
    }
    void aProjectsCostsAreThoseOfItsPlan()
    {
        QFETCH(QString, name);
        QFETCH(int, precision);
        QFETCH(int, context);
        QFETCH(int, experts);
        CostOrigin origin;
        origin.hardware = "h100";
        origin.model = findModel(name.toStdString()).value();
        TransformerModel& dense = origin.model.dense;
        setPrecision(dense, static_cast<Precision>(precision));
        dense.dataParallel = 2;
        origin.model.contextParallel = context;
        origin.model.expertParallel = experts;
        PipelineSpec spec;
        spec.devices = spec.microBatches = 4;
        spec.routes = {Placement::linear(4)};
        Configuration c;
        c.pipelineParallel = 4;
        c.dataParallel = 2;
        c.contextParallel = context;
        c.expertParallel = experts;
        c.globalBatch = 8;
        c.zero = 1;
        c.sequenceParallel = c.fusedAccumulation = c.overlapTensor = true;
        c.split = {8, 8, 8, 8};
        Cluster cluster = eight("h100");
        cluster.devices = c.devices();
        cluster.constants = constantsFor("h100", c.devices() <= 8);
        const auto planned = scheduleOf(origin.model, cluster, c);
        QVERIFY(planned);
        const auto costs = costsOf(origin, spec);
        QVERIFY2(costs, costs ? "" : costs.error().message.c_str());
        QCOMPARE(costs->forward, planned->costs.forward);
        QCOMPARE(costs->backward, planned->costs.backward);
        QCOMPARE(costs->weight, planned->costs.weight);
        QCOMPARE(costs->activation, planned->costs.activation);
        QCOMPARE(costs->weights, planned->costs.weights);
        QCOMPARE(costs->links, planned->costs.links);
    }

    void sharedSequencesAndExpertsMustBeWhole()
    {
        CostOrigin origin;
        origin.hardware = "h100";
        origin.model = findModel("mixtral-8x7b").value();
        PipelineSpec spec;
        spec.devices = spec.microBatches = 4;
        spec.routes = {Placement::linear(4)};
        origin.model.expertParallel = 3;
        QVERIFY(!costsOf(origin, spec));
        origin.model.expertParallel = 2; // of one replica
        QVERIFY(!costsOf(origin, spec));
        origin.model.contextParallel = 2;
        QVERIFY(costsOf(origin, spec));
        origin.model.contextParallel = 3;
        QVERIFY(!costsOf(origin, spec));
    }

    void surenessIsOfAnAcceleratorAndAPrecision()
    {
        const Cluster b200 = eight("b200");
        QVERIFY(
            timesText(b200, llamaIn(Precision::Bf16)).english().starts_with("times fitted to 12"));
        const std::string unknown = timesText(eight("mi300x"), llamaIn(Precision::Fp8)).english();
        QVERIFY2(unknown.starts_with("times not fitted for mi300x in fp8"), unknown.c_str());
        QVERIFY(timesText(eight("h100"), llamaIn(Precision::Fp8))
                    .english()
                    .starts_with("times fitted to 8"));
        QVERIFY(timesText(eight("h100"), llamaIn(Precision::Bf16))
                    .english()
                    .starts_with("times not fitted for h100 in bf16"));
        // Models with experts are less sure.
        QCOMPARE(suretyOf(b200, findModel("mixtral-8x7b").value()).spread, Surety::unfittedSpread);
        Constants constants = usualConstants();
        constants.of(Precision::Bf16) = {20, 0.125};
        constants.of(Precision::Fp8) = {7, 0.25};
        QCOMPARE(parseConstants(constantsText(constants)).value(), constants);
        // Files from before narrow numbers have no rates for them.
        std::string old = constantsText(usualConstants());
        const std::size_t at = old.rfind(',', old.find("eight_bit_rate"));
        old = old.substr(0, at) + "\n}\n";
        // Nor had passes a time of their own.
        Constants before = usualConstants();
        before[Constant::PassTime] = 0;
        QCOMPARE(parseConstants(old).value(), before);
    }
};

PW_TEST(TestPrecision)
#include "tst_precision.moc"

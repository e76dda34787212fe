// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/configuration_traits.h"
#include "core/cost/evaluate.h"
#include "core/cost/origin_costs.h"
#include "core/cost/sequence_partition.h"
#include "core/families/family.h"
#include "core/plan/plan_words.h"
#include "core/sim/memory.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"
#include "tests/support/transformer_formulas.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <numeric>

using namespace pw;

namespace {

PipelineSpec linear(int devices)
{
    PipelineSpec spec;
    spec.devices = devices;
    spec.microBatches = 2 * devices;
    spec.routes = {Placement::linear(devices)};
    return spec;
}

TransformerModel preset(const char* name)
{
    return findModel(name).value().dense;
}

CostOrigin originOf(const TransformerModel& model, const char* split = "even",
                    RecomputeIn recomputeIn = RecomputeIn::Backward)
{
    CostOrigin origin;
    origin.model.dense = model;
    origin.split = split;
    origin.recomputeIn = recomputeIn;
    return origin;
}

Costs costsFor(const TransformerModel& model, const PipelineSpec& spec, const char* split = "even",
               RecomputeIn recomputeIn = RecomputeIn::Backward)
{
    return costsOf(originOf(model, split, recomputeIn), spec).value();
}

/// The pieces of a model on A100.
plan::Pieces piecesFor(const TransformerModel& model, const PipelineSpec& spec)
{
    const CostOrigin origin = originOf(model);
    const PlannedOrigin planned = plannedOrigin(origin, spec).value();
    return plan::piecesOf(origin.model, planned.cluster, planned.configuration);
}

/// Ticks that a message keeps its devices busy, in every F and B.
Ticks exchange(const PipelineSpec& spec)
{
    return spec.devices == 1
               ? 0
               : std::llround(1e9 * plan::constantsFor(
                                        "a100", spec.devices <= 8)[plan::Constant::ExchangeTime]);
}

bool near(Ticks a, Ticks b, Ticks ticks)
{
    return std::abs(a - b) <= ticks;
}

template<typename T>
T sum(const std::vector<T>& values)
{
    return std::accumulate(values.begin(), values.end(), T{0});
}

Bytes activationSum(const Costs& costs)
{
    Bytes bytes = 0;
    for (const ActivationCost& cell : costs.activation)
        bytes += cell.activation;
    return bytes;
}

} // namespace

/// Costs of stages: near published measurements, the same as a plan's, and conserved however the
/// model is cut.
class TestStageCosts : public QObject
{
    Q_OBJECT

private slots:
    void profiledTimesAreNear_data();
    void profiledTimesAreNear();
    void peakMemoryOf1F1BComesOutWithin6Percent_data();
    void peakMemoryOf1F1BComesOutWithin6Percent();
    void noSplitOfTheLayersChangesTheTotals();
    void segmentsSumToTheMicroBatch();
    void laterSegmentsTakeLonger();
    void equalWorkEvensOutTheTimes();
    void endsHaveEmbeddingAndOutput();
    void fullRecomputeIsInTheBackwardOrInItsOwnPass();
    void whatABackwardComputesAgainStaysUntilW();
    void selectiveRecomputeTradesBytesForTime();
    void splitBackwardKeepsWhatTheWeightsNeed();
    void parametersOfTheStagesSumToTheModel();
    void replicasShareTheOptimizerAndSumGradients();
    void twoRoutesHaveOneTableOfStages();
    void nodesHaveLinksOfTheirOwn();
    void tensorParallelismDividesWorkAndAddsSums();
    void aPlanTakesTheSame_data();
    void aPlanTakesTheSame();
    void badCombinationsAreNamed_data();
    void badCombinationsAreNamed();
};

void TestStageCosts::profiledTimesAreNear_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("p");
    QTest::addColumn<double>("forward");
    QTest::addColumn<double>("backward");
    QTest::addColumn<double>("weight");
    // arXiv:2401.10241, profiled times in ms. Nothing is fitted to them: the constants are those of
    // whole iterations of other models.
    const struct
    {
        const char* name;
        int p, m;
        double forward, backward, weight;
    } rows[] = {
        {"zb-1.5b", 8, 24, 18.522, 18.086, 9.337},    {"zb-1.5b", 8, 32, 18.513, 18.086, 9.331},
        {"zb-1.5b", 8, 64, 18.546, 18.097, 9.321},    {"zb-6.2b", 8, 24, 29.718, 29.444, 19.927},
        {"zb-6.2b", 8, 32, 29.802, 29.428, 19.530},   {"zb-6.2b", 8, 64, 29.935, 29.621, 19.388},
        {"zb-14.6b", 16, 48, 11.347, 11.248, 8.132},  {"zb-14.6b", 16, 64, 11.307, 11.254, 8.101},
        {"zb-14.6b", 16, 128, 11.325, 11.308, 8.109}, {"zb-28.3b", 32, 96, 10.419, 10.207, 7.715},
        {"zb-28.3b", 32, 128, 10.408, 10.204, 7.703}, {"zb-28.3b", 32, 256, 10.402, 10.248, 7.698},
    };
    for (const auto& row : rows) {
        QTest::addRow("%s, %d micro-batches", row.name, row.m)
            << row.name << row.p << row.forward << row.backward << row.weight;
    }
}

void TestStageCosts::profiledTimesAreNear()
{
    QFETCH(QString, name);
    QFETCH(int, p);
    QFETCH(double, forward);
    QFETCH(double, backward);
    QFETCH(double, weight);
    const auto costs = costsFor(preset(qPrintable(name)), linear(p), "ends");
    const auto within = [](Ticks ticks, double ms, double part) {
        return std::abs(msFromTicks(ticks) / ms - 1) < part;
    };
    // Of the smallest, with heads of 96 and most dropout, F is 18 % too fast.
    QVERIFY2(within(costs.forward[1], forward, 0.18),
             qPrintable(QString::number(costs.forward[1])));
    QVERIFY2(within(costs.backward[1], backward, 0.07),
             qPrintable(QString::number(costs.backward[1])));
    QVERIFY2(within(costs.weight[1], weight, 0.09), qPrintable(QString::number(costs.weight[1])));
    const Ticks all = costs.forward[1] + costs.backward[1] + costs.weight[1];
    QVERIFY2(within(all, forward + backward + weight, 0.06), qPrintable(QString::number(all)));
}

void TestStageCosts::peakMemoryOf1F1BComesOutWithin6Percent_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("p");
    QTest::addColumn<double>("gigabytes");
    // arXiv:2401.10241 table 4; its GB are taken as 2^30 bytes, as the driver counts, with the
    // context in them
    QTest::newRow("1.5 billion") << "zb-1.5b" << 8 << 30.0;
    QTest::newRow("6.2 billion") << "zb-6.2b" << 8 << 39.0;
    QTest::newRow("14.6 billion") << "zb-14.6b" << 16 << 32.0;
    QTest::newRow("28.3 billion") << "zb-28.3b" << 32 << 43.0;
}

void TestStageCosts::peakMemoryOf1F1BComesOutWithin6Percent()
{
    QFETCH(QString, name);
    QFETCH(int, p);
    QFETCH(double, gigabytes);
    const Costs costs = costsFor(preset(qPrintable(name)), linear(p), "ends");
    Bytes peak = 0;
    for (std::size_t stage = 0; stage < costs.weights.size(); ++stage) {
        const Bytes alive = static_cast<Bytes>(p) - static_cast<Bytes>(stage);
        peak =
            std::max(peak, costs.weights[stage] + costs.gradients[stage] + costs.optimizer[stage] +
                               alive * costs.activation[stage].activation);
    }
    const double found =
        (static_cast<double>(peak) + findAccelerator("a100")->reserved) / (1024.0 * 1024 * 1024);
    QVERIFY2(std::abs(found / gigabytes - 1) < 0.06, qPrintable(QString::number(found)));
}

void TestStageCosts::noSplitOfTheLayersChangesTheTotals()
{
    const TransformerModel model = preset("zb-6.2b");
    const Costs whole = costsFor(model, linear(1));
    const PipelineSpec spec = linear(4);
    for (const char* split :
         {"even", "ends", "30,0,0,0", "0,0,0,30", "1,17,3,9", "Et|t*9||t*20L"}) {
        const Costs cut = costsFor(model, spec, split);
        // Every stage is rounded to a tick.
        QVERIFY(near(sum(cut.forward), whole.forward.front() + 4 * exchange(spec), 4));
        QVERIFY(near(sum(cut.backward), whole.backward.front() + 4 * exchange(spec), 4));
        QVERIFY(near(sum(cut.weight), whole.weight.front(), 4));
        QVERIFY(near(sum(cut.recompute), whole.recompute.front(), 4));
        QCOMPARE(activationSum(cut), activationSum(whole));
    }
}

void TestStageCosts::segmentsSumToTheMicroBatch()
{
    TransformerModel model = preset("zb-14.6b");
    model.skipsMasked = true;
    model.flashAttention = true;
    PipelineSpec spec = linear(4);
    const Costs whole = costsFor(model, spec, "ends");
    for (const std::vector<int>& lengths :
         {std::vector<int>{1024}, {1, 1}, {1000, 23, 1}, {333, 333, 358}, {1, 2, 3, 4, 5}}) {
        spec.segmentLengths = lengths;
        const Costs cut = costsFor(model, spec, "ends");
        const std::size_t k = lengths.size();
        // Every segment is a message.
        const Ticks more = static_cast<Ticks>(k - 1) * exchange(spec);
        for (std::size_t stage = 0; stage < 4; ++stage) {
            const auto ofStage = [&](const auto& table) {
                const auto first = table.begin() + static_cast<std::ptrdiff_t>(stage * k);
                return std::accumulate(first, first + static_cast<std::ptrdiff_t>(k),
                                       std::int64_t{0});
            };
            // Each has its own kernels: together they take no less than the whole, and none of them
            // more than it.
            const auto isBetween = [&](Ticks together, Ticks one, Ticks messages) {
                const Ticks rounded = 1 + static_cast<Ticks>(k);
                return k == 1 ? near(together, one + messages, rounded)
                              : together >= one + messages - rounded &&
                                    together <= static_cast<Ticks>(k) * one + messages + rounded;
            };
            QVERIFY(isBetween(ofStage(cut.forward), whole.forward[stage], more));
            QVERIFY(isBetween(ofStage(cut.backward), whole.backward[stage], more));
            QVERIFY(isBetween(ofStage(cut.weight), whole.weight[stage], 0));
            QCOMPARE(ofStage(cut.forwardMessage), whole.forwardMessage[stage]);
            QCOMPARE(ofStage(cut.backwardMessage), whole.backwardMessage[stage]);
        }
        QCOMPARE(activationSum(cut), activationSum(whole));
    }
}

void TestStageCosts::laterSegmentsTakeLonger()
{
    const TransformerModel model = preset("seq1f1b-7b");
    PipelineSpec spec = linear(8);
    spec.segmentLengths = {1, 1, 1, 1};
    const Costs costs = costsFor(model, spec);
    for (std::size_t q = 1; q < 4; ++q) {
        QVERIFY(costs.forward[q] > costs.forward[q - 1]);
        QVERIFY(costs.backward[q] > costs.backward[q - 1]);
        // Gradients of the weights do not look back; a tick may go to either in rounding.
        QVERIFY(std::abs(costs.weight[q] - costs.weight[q - 1]) <= 4);
    }
    // n(2e − n)/s²: 1, 3, 5 and 7 sixteenths
    const double scores = piecesFor(model, spec).dense.forward.attention * 4 * 1e9;
    const auto step = static_cast<double>(costs.forward[3] - costs.forward[0]);
    QVERIFY(std::abs(step - scores * 6 / 16) < 10);
}

void TestStageCosts::equalWorkEvensOutTheTimes()
{
    const TransformerModel model = preset("seq1f1b-7b");
    const auto spread = [&](const std::vector<int>& lengths) {
        PipelineSpec spec = linear(8);
        spec.segmentLengths = lengths;
        const Costs costs = costsFor(model, spec);
        const auto [least, most] =
            std::minmax_element(costs.forward.begin() + 8, costs.forward.begin() + 12);
        return static_cast<double>(*most) / static_cast<double>(*least);
    };
    QVERIFY(spread(equalWorkSegments(model, 4).value()) < 1.1);
    QVERIFY(spread({1, 1, 1, 1}) > 1.5);
}

void TestStageCosts::endsHaveEmbeddingAndOutput()
{
    const TransformerModel model = preset("zb-6.2b");
    const Costs costs = costsFor(model, linear(5));
    const plan::Pieces pieces = piecesFor(model, linear(5));
    const auto ticks = [](const plan::PassParts& parts) {
        return std::llround(parts.total() * 1e9);
    };
    QVERIFY(near(costs.forward[0] - costs.forward[2], ticks(pieces.embedding.forward), 1));
    QVERIFY(near(costs.forward[4] - costs.forward[2], ticks(pieces.output.forward), 1));
    QVERIFY(near(costs.backward[4] - costs.backward[2], ticks(pieces.output.backward), 1));
    QVERIFY(near(costs.weight[4] - costs.weight[2], ticks(pieces.output.weight), 1));
    QCOMPARE(costs.activation[0].activation - costs.activation[2].activation,
             embeddingActivation(model));
    QCOMPARE(costs.activation[4].activation - costs.activation[2].activation,
             outputActivation(model));
    QCOMPARE(costs.forwardMessage[3], boundaryBytes(model));
    QCOMPARE(costs.forwardMessage[4], Bytes{0});
    QCOMPARE(costs.backwardMessage[0], Bytes{0});
    QCOMPARE(costs.backwardMessage[4], boundaryBytes(model));
}

void TestStageCosts::fullRecomputeIsInTheBackwardOrInItsOwnPass()
{
    TransformerModel model = preset("zb-6.2b");
    const Costs plain = costsFor(model, linear(5));
    model.recompute = RecomputePolicy::Full;
    const Costs folded = costsFor(model, linear(5));
    const Costs passes = costsFor(model, linear(5), "even", RecomputeIn::Passes);
    const Bytes input = boundaryBytes(model);

    QCOMPARE(folded.forward, plain.forward);
    QVERIFY(
        near(folded.backward[2] + exchange(linear(5)), plain.backward[2] + plain.forward[2], 1));
    QCOMPARE(folded.weight, plain.weight);
    QCOMPARE(folded.activation[2].activation, 6 * input);
    // What B has computed again for W is there as without recomputation.
    QCOMPARE(folded.activation[2].keptForWeight, plain.activation[2].keptForWeight);
    QCOMPARE(folded.activation[2].keptForWeightShare, folded.activation[2].share);

    QCOMPARE(passes.backward, plain.backward);
    QVERIFY(near(passes.recompute[2] + exchange(linear(5)), plain.forward[2], 1));
    QCOMPARE(passes.activation[2].activation, plain.activation[2].activation);
    QCOMPARE(passes.activation[2].stash, input);
    // The first stage needs its token numbers only.
    QCOMPARE(passes.activation[0].stash, Bytes{8} * 1024 * 3);
    const double ratio = static_cast<double>(passes.activation[2].stashShare) /
                         static_cast<double>(passes.activation[2].share);
    QVERIFY(std::abs(ratio - static_cast<double>(input) /
                                 static_cast<double>(passes.activation[2].activation)) < 1e-7);
}

void TestStageCosts::whatABackwardComputesAgainStaysUntilW()
{
    TransformerModel model = preset("zb-6.2b");
    model.recompute = RecomputePolicy::Full;
    FamilyOptions options;
    options.devices = 5;
    options.microBatches = 12;
    const auto peak = [&](const char* family, int device) {
        const Schedule schedule = *buildUniform(**findFamily(family), options, {});
        const Costs costs = costsFor(model, schedule.spec());
        return simulate(schedule, costs)->devices[static_cast<std::size_t>(device)].peakActivation;
    };
    const Bytes input = 6 * boundaryBytes(model), kept = 6 * layerKeptForWeight(model);
    // A BW computes layer by layer: only inputs wait.
    QCOMPARE(peak("1f1b", 2), 3 * input);
    // W of ZB-H1 stands two places behind B on device 2: three micro-batches wait for it at most.
    QCOMPARE(peak("zb-h1", 2), 2 * input + 3 * kept);
}

void TestStageCosts::selectiveRecomputeTradesBytesForTime()
{
    TransformerModel model = preset("zb-6.2b");
    const Costs plain = costsFor(model, linear(5));
    model.recompute = RecomputePolicy::Selective;
    const Costs selective = costsFor(model, linear(5));
    const Bytes scores = layerActivation(model, RecomputePolicy::None).scores;
    QCOMPARE(plain.activation[2].activation - selective.activation[2].activation, 6 * scores);
    QCOMPARE(selective.forward, plain.forward);
    const double again = 6e9 * piecesFor(model, linear(5)).dense.forward.attention;
    const auto longer = static_cast<double>(selective.backward[2] - plain.backward[2]);
    QVERIFY(std::abs(longer - again) <= 6);
}

void TestStageCosts::splitBackwardKeepsWhatTheWeightsNeed()
{
    const TransformerModel model = preset("zb-6.2b");
    const Costs costs = costsFor(model, linear(5));
    const Bytes sbh = Bytes{1024} * 3 * 4096;
    // arXiv:2401.10241 table 1: M_B = sb(34h + 5as), M_W = 32sbh
    QCOMPARE(costs.activation[2].activation, 6 * (34 * sbh + 5 * Bytes{3} * 1024 * 1024 * 32));
    QCOMPARE(costs.activation[2].keptForWeight, 6 * 32 * sbh);
    QCOMPARE(costs.activation[2].share, shareOne);
    QVERIFY(costs.activation[2].keptForWeightShare < shareOne);
}

void TestStageCosts::parametersOfTheStagesSumToTheModel()
{
    for (const LanguageModel& model : modelPresets()) {
        if (model.dense.tensorParallel > 1)
            continue;
        for (const int stages : {1, 2, 4}) {
            CostOrigin origin;
            origin.model = model;
            origin.model.dense.microBatch = 1;
            origin.model.dense.distributedOptimizer = false;
            const Costs costs = costsOf(origin, linear(stages)).value();
            const TransformerModel& dense = model.dense;
            const double copy = dense.tiedEmbedding && stages > 1
                                    ? static_cast<double>(dense.vocabulary) * dense.hidden
                                    : 0;
            const double count =
                static_cast<double>(sum(costs.weights)) / static_cast<double>(dense.weightBytes);
            QVERIFY2(std::abs(count / (weightCount(model) + copy) - 1) < 1e-9,
                     qPrintable(QString::fromStdString(dense.name)));
        }
    }
}

void TestStageCosts::replicasShareTheOptimizerAndSumGradients()
{
    TransformerModel model = preset("zb-6.2b");
    const Costs alone = costsFor(model, linear(5));
    const Bytes count = alone.weights[2] / 2;
    QCOMPARE(alone.weights[2] + alone.gradients[2] + alone.optimizer[2], 18 * count);
    QCOMPARE(count, 6 * layerParameters(model));
    model.dataParallel = 8;
    const Costs summed = costsFor(model, linear(5));
    QCOMPARE(summed.optimizer, alone.optimizer);
    QVERIFY(summed.update[2] > alone.update[2]);
    model.distributedOptimizer = true;
    const Costs shared = costsFor(model, linear(5));
    QCOMPARE(shared.optimizer[2], alone.optimizer[2] / 8);
    QVERIFY(shared.update[2] < summed.update[2]);
    // Both holders of a tied embedding exchange its gradient; those between do not.
    QVERIFY(alone.update[0] > alone.update[2] && alone.update[4] > alone.update[2]);
}

void TestStageCosts::twoRoutesHaveOneTableOfStages()
{
    const TransformerModel model = preset("zb-6.2b");
    PipelineSpec spec = linear(4);
    spec.routes = {Placement::linear(4), Placement::reversed(4)};
    spec.routeOfMicroBatch = {0, 1, 0, 1, 0, 1, 0, 1};
    const Costs both = costsFor(model, spec);
    const Costs one = costsFor(model, linear(4));
    QCOMPARE(both.forward, one.forward);
    QCOMPARE(both.weights, one.weights);
    QVERIFY(check(both, spec));
}

void TestStageCosts::nodesHaveLinksOfTheirOwn()
{
    TransformerModel model = preset("zb-14.6b");
    model.heads = 32;
    const auto costsOn = [&](int devices, int t) {
        model.tensorParallel = t;
        return costsFor(model, linear(devices));
    };
    const Accelerator device = findAccelerator("a100").value();
    const Costs small = costsOn(8, 1);
    QVERIFY(small.links.empty());
    QCOMPARE(small.memoryCap,
             std::vector<Bytes>(8, static_cast<Bytes>(device.memory - device.reserved)));
    const Costs large = costsOn(16, 1);
    QCOMPARE(large.links.size(), std::size_t{256});
    const Link inside = large.links[6 * 16 + 7], outside = large.links[7 * 16 + 8];
    QVERIFY(inside.bytesPerSecond > 5 * outside.bytesPerSecond);
    QVERIFY(inside.latency < outside.latency);
    QCOMPARE(large.links[8 * 16 + 9], inside);
    const Costs wide = costsOn(8, 4);
    QVERIFY(wide.links[0 * 8 + 1] != wide.links[1 * 8 + 2]);
    QCOMPARE(wide.links[0 * 8 + 1], wide.links[2 * 8 + 3]);
    // Each device a node of its own: one link for all.
    const Costs widest = costsOn(8, 8);
    QVERIFY(widest.links.empty());
    QCOMPARE(widest.forwardMessage[0], boundaryBytes(model) / 8);
}

void TestStageCosts::tensorParallelismDividesWorkAndAddsSums()
{
    TransformerModel model = preset("gpt-22b");
    model.tensorParallel = 1;
    const plan::PieceTime one = piecesFor(model, linear(8)).dense;
    model.tensorParallel = 8;
    const plan::PieceTime eight = piecesFor(model, linear(8)).dense;
    QVERIFY(eight.weight.products * 8 >= one.weight.products);
    QVERIFY(eight.weight.products * 4 < one.weight.products);
    QVERIFY(std::abs(eight.forward.attention * 8 / one.forward.attention - 1) < 0.2);
    QCOMPARE(one.forward.tensor, 0.0);
    QVERIFY(eight.forward.tensor > 0 && eight.backward.tensor > 0);
    QCOMPARE(eight.weight.tensor, 0.0);
    // What t leaves whole falls to 1/t with sequence parallelism.
    model.sequenceParallel = true;
    QVERIFY(piecesFor(model, linear(8)).dense.forward.traffic < eight.forward.traffic);
}

namespace {

/// What a project is asked for, and the family of the plan beside it.
struct Asked
{
    CostOrigin origin;
    std::string family;
    int microBatches = 8;
};

Asked askedOf(const char* model, const char* hardware, const char* family)
{
    Asked asked;
    asked.origin.model = findModel(model).value();
    asked.origin.hardware = hardware;
    asked.family = family;
    return asked;
}

} // namespace

Q_DECLARE_METATYPE(Asked)

/// Two commands never tell two numbers for one thing: what `simulate --model` takes of a shape is
/// what `plan` gives that configuration. What the costs of a project know is the shape; whether B
/// and W are one pass, or F and BW a pair, only its order says.
void TestStageCosts::aPlanTakesTheSame_data()
{
    QTest::addColumn<Asked>("asked");
    for (const char* model :
         {"zb-1.5b", "gpt-22b", "llama3-8b", "llama3-70b", "qwen3-30b-a3b", "tiny"}) {
        for (const char* hardware : {"a100", "h100", "b200", "mi300x", "laptop-cpu"}) {
            if (hardware == std::string_view("laptop-cpu") && model != std::string_view("tiny"))
                continue; // its passes are too long
            for (const char* family : {"1f1b", "interleaved-1f1b", "zb-h1", "zb-v", "gpipe"})
                QTest::addRow("%s on %s, %s", model, hardware, family)
                    << askedOf(model, hardware, family);
        }
    }
    // An engine that takes time for every pass, hosts that are late, experts that are exchanged,
    // sums that run beside products, narrow numbers, and layers that are computed again.
    const std::pair<const char*, Precision> machines[] = {{"gh200", Precision::Tf32},
                                                          {"h100-500w", Precision::Fp8},
                                                          {"gb200", Precision::Mxfp8},
                                                          {"gb300", Precision::Nvfp4},
                                                          {"b300", Precision::Fp8Blocks}};
    const char* const models[] = {"tiny", "llama3-8b", "qwen3-30b-a3b"};
    const char* const families[] = {"1f1b",    "zb-h1",   "zb-v",       "v-half", "kfkb",
                                    "seq1f1b", "chimera", "dualpipe-v", "hanayo", "zb-auto"};
    for (const auto& [hardware, precision] : machines) {
        for (const char* model : models) {
            for (const char* family : families) {
                for (const RecomputePolicy policy :
                     {RecomputePolicy::None, RecomputePolicy::Full}) {
                    Asked asked = askedOf(model, hardware, family);
                    asked.microBatches = 16;
                    TransformerModel& dense = asked.origin.model.dense;
                    setPrecision(dense, precision);
                    dense.recompute = policy;
                    dense.microBatch = 1;
                    dense.tensorParallel = 2;
                    dense.dataParallel = 4;
                    dense.sequenceParallel = dense.overlapTensor = true;
                    if (asked.origin.model.experts.count > 0)
                        asked.origin.model.expertParallel = 4;
                    QTest::addRow("%s on %s, %s, %s", model, hardware, family,
                                  std::string(name(policy)).c_str())
                        << asked;
                }
            }
        }
    }
}

void TestStageCosts::aPlanTakesTheSame()
{
    QFETCH(Asked, asked);
    const CostOrigin& origin = asked.origin;
    plan::Configuration c;
    c.family = asked.family;
    c.pipelineParallel = 4;
    c.chunks = plan::traitsOf(c).chunks;
    const Family& of = **findFamily(c.family);
    const FamilyOptions options = plan::familyOptions(of, c, asked.microBatches);
    const PipelineSpec spec = specOf(of, options).value();
    const PlannedOrigin planned = plannedOrigin(origin, spec).value();
    c = planned.configuration;
    c.family = asked.family;
    const int stages = spec.stages();
    c.split = plan::evenLayers(origin.model.dense.layers, stages);
    const Result<plan::Evaluation> evaluated = plan::evaluate(origin.model, planned.cluster, c);
    QVERIFY2(evaluated, evaluated ? "" : evaluated.error().message.c_str());
    const plan::Evaluation& row = *evaluated;
    Result<Costs> made = costsOf(origin, spec);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    Costs& costs = *made;
    costs.memoryCap.clear(); // a plan says that it does not fit, and what it would take
    const Schedule schedule = of.build(spec, options, costs).value();
    const SimResult result = simulate(schedule, costs).value();
    QCOMPARE(result.makespan, std::llround(row.parts.pipeline * 1e9));
    const std::vector<Bytes> held = heldAtMost(schedule, costs, result);
    for (std::size_t d = 0; d < row.memory.size(); ++d) {
        const plan::MemoryParts& memory = row.memory[d];
        QCOMPARE(static_cast<double>(result.devices[d].peakActivation), memory.activations);
        QCOMPARE(static_cast<double>(held[d]), memory.total());
    }
    const auto standing = [&](const std::vector<Bytes>& table, double plan::MemoryParts::*part) {
        double most = 0;
        for (const plan::MemoryParts& memory : row.memory)
            most += memory.*part;
        return static_cast<double>(sum(table)) * spec.routeCount() == most;
    };
    QVERIFY(standing(costs.weights, &plan::MemoryParts::weights));
    QVERIFY(standing(costs.gradients, &plan::MemoryParts::gradients));
    QVERIFY(standing(costs.optimizer, &plan::MemoryParts::optimizer));
    // What an iteration goes into adds up, and every part says what it follows from.
    double all = 0;
    for (const plan::NamedPart& part : plan::namedParts(row)) {
        all += part.seconds;
        QVERIFY(part.seconds >= 0 && part.source[0] != '\0');
    }
    const double rounding = 3e-9 * asked.microBatches * stages * spec.segments();
    QVERIFY2(std::abs(all - row.seconds()) <= rounding,
             qPrintable(QString::number(all - row.seconds(), 'g', 12)));
}

struct Request
{
    CostOrigin origin = originOf(preset("zb-6.2b"));
    PipelineSpec spec = linear(5);
};

using RequestChange = std::function<void(Request&)>;
Q_DECLARE_METATYPE(RequestChange)

void TestStageCosts::badCombinationsAreNamed_data()
{
    QTest::addColumn<RequestChange>("change");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, RequestChange change, const char* message) {
        QTest::newRow(name) << change << message;
    };
    row(
        "model", [](Request& r) { r.origin.model.dense.heads = 5; }, "heads is 5");
    row(
        "machine", [](Request& r) { r.origin.hardware = "abacus"; },
        "there is no hardware 'abacus'");
    row(
        "spec", [](Request& r) { r.spec.microBatches = 0; }, "micro-batches is 0");
    row(
        "stages",
        [](Request& r) {
            r.spec = linear(6);
            r.origin.split = "6,6,6,6,6";
        },
        "5 stages");
    row(
        "layers", [](Request& r) { r.origin.split = "6,6,6,6,5"; }, "29 layers");
    row(
        "segments without a mask",
        [](Request& r) {
            r.origin.model.dense.causal = false;
            r.spec.segmentLengths = {1, 1};
        },
        "segments is 2, but the attention of zb-6.2b is not causal");
    row(
        "multi-token layers", [](Request& r) { r.origin.split = "Et*6|t*6|t*6|t*6|t*6mL"; },
        "stage 4 has 1 multi-token layers");
    row(
        "a pass of minutes",
        [](Request& r) {
            r.origin.hardware = "laptop-cpu";
            r.origin.model.dense.microBatch *= 100;
        },
        "F of stage 0 would take ");
    row(
        "more accelerators than there are",
        [](Request& r) { r.origin.model.dense.dataParallel = 1 << 20; }, "are more than 1048576");
}

void TestStageCosts::badCombinationsAreNamed()
{
    QFETCH(RequestChange, change);
    QFETCH(QString, message);
    Request request;
    QVERIFY(costsOf(request.origin, request.spec));
    change(request);
    const auto costs = costsOf(request.origin, request.spec);
    QVERIFY(!costs);
    QVERIFY2(costs.error().message.english().find(message.toStdString()) != std::string::npos,
             costs.error().message.c_str());
}

PW_TEST(TestStageCosts)
#include "tst_stage_costs.moc"

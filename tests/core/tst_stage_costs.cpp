// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/pass_times.h"
#include "core/cost/sequence_partition.h"
#include "core/cost/stage_costs.h"
#include "core/families/family.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

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

const Hardware& a100()
{
    static const Hardware machine = findHardware("a100").value();
    return machine;
}

TransformerModel preset(const char* name)
{
    return findModel(name).value();
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

/// Costs of stages: near published measurements, and conserved however the model is cut.
class TestStageCosts : public QObject
{
    Q_OBJECT

private slots:
    void profiledTimesComeOutWithin12Percent_data();
    void profiledTimesComeOutWithin12Percent();
    void peakMemoryOf1F1BComesOutWithin6Percent_data();
    void peakMemoryOf1F1BComesOutWithin6Percent();
    void operationsOfTheStagesSumToThoseOfTheModel();
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
    void offloadRatioIsThePublishedOne();
    void badCombinationsAreNamed_data();
    void badCombinationsAreNamed();
};

void TestStageCosts::profiledTimesComeOutWithin12Percent_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("p");
    QTest::addColumn<double>("forward");
    QTest::addColumn<double>("backward");
    QTest::addColumn<double>("weight");
    // arXiv:2401.10241, profiled times in ms; the rates of the a100 preset are fitted to them
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

void TestStageCosts::profiledTimesComeOutWithin12Percent()
{
    QFETCH(QString, name);
    QFETCH(int, p);
    QFETCH(double, forward);
    QFETCH(double, backward);
    QFETCH(double, weight);
    const TransformerModel model = preset(qPrintable(name));
    const auto costs = costsOf(model, a100(), linear(p), lighterEndsSplit(model.layers, p).value());
    QVERIFY2(costs, costs ? "" : costs.error().message.c_str());
    const auto within = [](Ticks ticks, double ms) {
        return std::abs(msFromTicks(ticks) / ms - 1) < 0.12;
    };
    QVERIFY2(within(costs->forward[1], forward), qPrintable(QString::number(costs->forward[1])));
    QVERIFY2(within(costs->backward[1], backward), qPrintable(QString::number(costs->backward[1])));
    QVERIFY2(within(costs->weight[1], weight), qPrintable(QString::number(costs->weight[1])));
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
    const TransformerModel model = preset(qPrintable(name));
    const auto costs =
        costsOf(model, a100(), linear(p), lighterEndsSplit(model.layers, p).value()).value();
    Bytes peak = 0;
    for (std::size_t stage = 0; stage < costs.weights.size(); ++stage) {
        const Bytes alive = static_cast<Bytes>(p) - static_cast<Bytes>(stage);
        peak =
            std::max(peak, costs.weights[stage] + costs.gradients[stage] + costs.optimizer[stage] +
                               alive * costs.activation[stage].activation);
    }
    const double found =
        (static_cast<double>(peak) + a100().reserved.value) / (1024.0 * 1024 * 1024);
    QVERIFY2(std::abs(found / gigabytes - 1) < 0.06, qPrintable(QString::number(found)));
}

void TestStageCosts::operationsOfTheStagesSumToThoseOfTheModel()
{
    for (const TransformerModel& model : modelPresets()) {
        for (const int stages : {1, 2, 3, 8}) {
            const LayerSplit split = evenSplit(model.layers, stages).value();
            double flops = 0;
            for (const StageContent& stage : split)
                flops += stageFlops(model, stage).total();
            QVERIFY(std::abs(flops / modelFlops(model, model.microBatch) - 1) < 1e-12);
        }
    }
}

void TestStageCosts::noSplitOfTheLayersChangesTheTotals()
{
    const TransformerModel model = preset("zb-6.2b");
    const auto whole = costsOf(model, a100(), linear(1), evenSplit(30, 1).value()).value();
    for (const char* text : {"even", "ends", "30,0,0,0", "0,0,0,30", "1,17,3,9", "Et|t*9||t*20L"}) {
        const auto split = parseSplit(text, 30, 4);
        QVERIFY2(split, split ? "" : split.error().message.c_str());
        const auto cut = costsOf(model, a100(), linear(4), *split).value();
        QCOMPARE(sum(cut.forward), whole.forward.front());
        QCOMPARE(sum(cut.backward), whole.backward.front());
        QCOMPARE(sum(cut.weight), whole.weight.front());
        QCOMPARE(sum(cut.recompute), whole.recompute.front());
        QCOMPARE(activationSum(cut), activationSum(whole));
    }
}

void TestStageCosts::segmentsSumToTheMicroBatch()
{
    TransformerModel model = preset("zb-14.6b");
    model.skipsMasked = true;
    model.flashAttention = true;
    const auto split = lighterEndsSplit(46, 4).value();
    PipelineSpec spec = linear(4);
    const auto whole = costsOf(model, a100(), spec, split).value();
    for (const std::vector<int>& lengths :
         {std::vector<int>{1024}, {1, 1}, {1000, 23, 1}, {333, 333, 358}, {1, 2, 3, 4, 5}}) {
        spec.segmentLengths = lengths;
        const auto cut = costsOf(model, a100(), spec, split).value();
        const std::size_t k = lengths.size();
        for (std::size_t stage = 0; stage < 4; ++stage) {
            const auto ofStage = [&](const std::vector<Ticks>& table) {
                const auto first = table.begin() + static_cast<std::ptrdiff_t>(stage * k);
                return std::accumulate(first, first + static_cast<std::ptrdiff_t>(k), Ticks{0});
            };
            QCOMPARE(ofStage(cut.forward), whole.forward[stage]);
            QCOMPARE(ofStage(cut.backward), whole.backward[stage]);
            QCOMPARE(ofStage(cut.weight), whole.weight[stage]);
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
    const auto costs = costsOf(model, a100(), spec, evenSplit(32, 8).value()).value();
    for (std::size_t q = 1; q < 4; ++q) {
        QVERIFY(costs.forward[q] > costs.forward[q - 1]);
        QVERIFY(costs.backward[q] > costs.backward[q - 1]);
        // Gradients of the weights do not look back; a tick may go to either in rounding.
        QVERIFY(std::abs(costs.weight[q] - costs.weight[q - 1]) <= 4);
    }
    // n(2e − n)/s²: 1, 3, 5 and 7 sixteenths
    const double scores = layerSeconds(model, a100()).scores.forward * 4 * 1e9;
    const auto step = static_cast<double>(costs.forward[3] - costs.forward[0]);
    QVERIFY(std::abs(step - scores * 6 / 16) < 10);
}

void TestStageCosts::equalWorkEvensOutTheTimes()
{
    const TransformerModel model = preset("seq1f1b-7b");
    const auto spread = [&](const std::vector<int>& lengths) {
        PipelineSpec spec = linear(8);
        spec.segmentLengths = lengths;
        const auto costs = costsOf(model, a100(), spec, evenSplit(32, 8).value()).value();
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
    const auto costs = costsOf(model, a100(), linear(5), evenSplit(30, 5).value()).value();
    const PassSeconds output = outputSeconds(model, a100());
    const auto ticks = [](double seconds) { return std::llround(seconds * 1e9); };
    QCOMPARE(costs.forward[0], costs.forward[2]);
    QCOMPARE(costs.forward[4] - costs.forward[2], ticks(output.forward));
    QCOMPARE(costs.backward[4] - costs.backward[2], ticks(output.backward));
    QCOMPARE(costs.weight[4] - costs.weight[2], ticks(output.weight));
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
    const auto split = evenSplit(30, 5).value();
    const auto plain = costsOf(model, a100(), linear(5), split).value();
    model.recompute = RecomputePolicy::Full;
    const auto folded = costsOf(model, a100(), linear(5), split).value();
    const auto passes = costsOf(model, a100(), linear(5), split, RecomputeIn::Passes).value();
    const Bytes input = boundaryBytes(model);

    QCOMPARE(folded.forward, plain.forward);
    QCOMPARE(folded.backward[2], plain.backward[2] + plain.forward[2]);
    QCOMPARE(folded.weight, plain.weight);
    QCOMPARE(folded.activation[2].activation, 6 * input);
    // What B has computed again for W is there as without recomputation.
    QCOMPARE(folded.activation[2].keptForWeight, plain.activation[2].keptForWeight);
    QCOMPARE(folded.activation[2].keptForWeightShare, folded.activation[2].share);

    QCOMPARE(passes.backward, plain.backward);
    QCOMPARE(passes.recompute[2], plain.forward[2]);
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
        const auto costs = costsOf(model, a100(), schedule.spec(), evenSplit(30, 5).value());
        return simulate(schedule, *costs)->devices[static_cast<std::size_t>(device)].peakActivation;
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
    const auto split = evenSplit(30, 5).value();
    const auto plain = costsOf(model, a100(), linear(5), split).value();
    model.recompute = RecomputePolicy::Selective;
    const auto selective = costsOf(model, a100(), linear(5), split).value();
    const Bytes scores = layerActivation(model, RecomputePolicy::None).scores;
    QCOMPARE(plain.activation[2].activation - selective.activation[2].activation, 6 * scores);
    QCOMPARE(selective.forward, plain.forward);
    const double again = 6e9 * layerSeconds(model, a100()).scores.forward;
    const auto longer = static_cast<double>(selective.backward[2] - plain.backward[2]);
    QVERIFY(std::abs(longer - again) <= 6);
}

void TestStageCosts::splitBackwardKeepsWhatTheWeightsNeed()
{
    const TransformerModel model = preset("zb-6.2b");
    const auto costs = costsOf(model, a100(), linear(5), evenSplit(30, 5).value()).value();
    const Bytes sbh = Bytes{1024} * 3 * 4096;
    // arXiv:2401.10241 table 1: M_B = sb(34h + 5as), M_W = 32sbh
    QCOMPARE(costs.activation[2].activation, 6 * (34 * sbh + 5 * Bytes{3} * 1024 * 1024 * 32));
    QCOMPARE(costs.activation[2].keptForWeight, 6 * 32 * sbh);
    QCOMPARE(costs.activation[2].share, shareOne);
    QVERIFY(costs.activation[2].keptForWeightShare < shareOne);
}

void TestStageCosts::parametersOfTheStagesSumToTheModel()
{
    for (const TransformerModel& model : modelPresets()) {
        if (model.tensorParallel > 1)
            continue;
        for (const int stages : {1, 2, 4}) {
            const LayerSplit split = evenSplit(model.layers, stages).value();
            std::int64_t count = 0;
            for (const StageContent& stage : split)
                count += stageParameters(model, stage);
            const bool copied = model.tiedEmbedding && stages > 1;
            const std::int64_t copy =
                copied ? static_cast<std::int64_t>(model.vocabulary) * model.hidden : 0;
            QCOMPARE(count, parameters(model) + copy);
        }
    }
}

void TestStageCosts::replicasShareTheOptimizerAndSumGradients()
{
    TransformerModel model = preset("zb-6.2b");
    const auto split = evenSplit(30, 5).value();
    const auto alone = costsOf(model, a100(), linear(5), split).value();
    QCOMPARE(alone.weights[2] + alone.gradients[2] + alone.optimizer[2],
             18 * stageParameters(model, split[2]));
    model.dataParallel = 8;
    const auto summed = costsOf(model, a100(), linear(5), split).value();
    QCOMPARE(summed.optimizer, alone.optimizer);
    // 2(d−1)/d of the gradient bytes over the link between nodes
    const double sent = 2.0 * 7 / 8 * static_cast<double>(alone.gradients[2]);
    const double seconds = sent / a100().betweenBandwidth.value;
    QVERIFY(std::abs(static_cast<double>(summed.update[2] - alone.update[2]) - 1e9 * seconds) <= 2);
    model.distributedOptimizer = true;
    const auto shared = costsOf(model, a100(), linear(5), split).value();
    QCOMPARE(shared.optimizer[2], (alone.optimizer[2] + 7) / 8);
    QVERIFY(shared.update[2] < summed.update[2]);
}

void TestStageCosts::twoRoutesHaveOneTableOfStages()
{
    const TransformerModel model = preset("zb-6.2b");
    PipelineSpec spec = linear(4);
    spec.routes = {Placement::linear(4), Placement::reversed(4)};
    spec.routeOfMicroBatch = {0, 1, 0, 1, 0, 1, 0, 1};
    const auto split = evenSplit(30, 4).value();
    const auto both = costsOf(model, a100(), spec, split).value();
    const auto one = costsOf(model, a100(), linear(4), split).value();
    QCOMPARE(both.forward, one.forward);
    QCOMPARE(both.weights, one.weights);
    QVERIFY(check(both, spec));
}

void TestStageCosts::nodesHaveLinksOfTheirOwn()
{
    TransformerModel model = preset("zb-14.6b");
    model.heads = 32;
    const auto linksOf = [&](int devices, int t) {
        model.tensorParallel = t;
        return costsOf(model, a100(), linear(devices), evenSplit(46, devices).value()).value();
    };
    const auto small = linksOf(8, 1);
    QVERIFY(small.links.empty());
    QCOMPARE(small.link.bytesPerSecond, a100().insideBandwidth.value);
    QCOMPARE(small.memoryCap, std::vector<Bytes>(8, static_cast<Bytes>(a100().memory.value -
                                                                       a100().reserved.value)));
    const auto large = linksOf(16, 1);
    QCOMPARE(large.links.size(), std::size_t{256});
    QCOMPARE(large.links[6 * 16 + 7].bytesPerSecond, a100().insideBandwidth.value);
    QCOMPARE(large.links[7 * 16 + 8].bytesPerSecond, a100().betweenBandwidth.value);
    const auto wide = linksOf(8, 4);
    QCOMPARE(wide.links[0 * 8 + 1].bytesPerSecond, a100().insideBandwidth.value);
    QCOMPARE(wide.links[1 * 8 + 2].bytesPerSecond, a100().betweenBandwidth.value);
    const auto widest = linksOf(8, 8);
    QVERIFY(widest.links.empty());
    QCOMPARE(widest.link.bytesPerSecond, a100().betweenBandwidth.value);
}

void TestStageCosts::tensorParallelismDividesWorkAndAddsSums()
{
    TransformerModel model = preset("gpt-22b");
    model.tensorParallel = 1;
    const LayerSeconds one = layerSeconds(model, a100());
    model.tensorParallel = 8;
    const LayerSeconds eight = layerSeconds(model, a100());
    QVERIFY(std::abs(eight.perToken.weight * 8 / one.perToken.weight - 1) < 1e-12);
    QVERIFY(std::abs(eight.scores.forward * 8 / one.scores.forward - 1) < 1e-12);
    // 8bsh(t−1)/t elements in F and B, nothing overlaps; whole traffic falls to 1/t with sequence
    // parallelism.
    model.sequenceParallel = true;
    const LayerSeconds split = layerSeconds(model, a100());
    const double sums = 8.0 * 4 * 2048 * 6144 * 7 / 8 * 2 / a100().collective.value;
    const double both = split.perToken.forward + split.perToken.backward;
    QVERIFY(std::abs(both - (one.perToken.forward + one.perToken.backward) / 8 - sums) < 1e-12);
    QVERIFY(split.perToken.forward < eight.perToken.forward);
}

void TestStageCosts::offloadRatioIsThePublishedOne()
{
    TransformerModel model;
    model.hidden = 4096;
    model.heads = 32;
    model.sequence = 4096;
    // arXiv:2503.01328 §2: 10·B_c/(3(6h + s)·B_o), there 1.70
    const double ratio = offloadRatio(model, 220e12, 15e9);
    QVERIFY(std::abs(ratio - 1.705) < 0.0005);
    QVERIFY(std::abs(ratio - 10 * 220e12 / (3 * (6.0 * 4096 + 4096) * 15e9)) < 1e-12);
}

struct Request
{
    TransformerModel model = preset("zb-6.2b");
    Hardware hardware = a100();
    PipelineSpec spec = linear(5);
    LayerSplit split = evenSplit(30, 5).value();
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
        "model", [](Request& r) { r.model.heads = 5; }, "heads is 5");
    row(
        "machine", [](Request& r) { r.hardware.matmulFlops.value = 0; },
        "matrix product rate is 0");
    row(
        "spec", [](Request& r) { r.spec.microBatches = 0; }, "micro-batches is 0");
    row(
        "stages", [](Request& r) { r.spec = linear(6); }, "over 5 stages; the pipeline has 6");
    row(
        "layers", [](Request& r) { r.model.layers = 31; }, "30 layers; the model has 31");
    row(
        "output layer in the middle", [](Request& r) { r.split[2].output = true; },
        "stage 2: the embedding belongs");
    row(
        "segments without a mask",
        [](Request& r) {
            r.model.causal = false;
            r.spec.segmentLengths = {1, 1};
        },
        "segments is 2, but the attention of zb-6.2b is not causal");
    row(
        "multi-token layers", [](Request& r) { r.split[3].multiToken = 2; },
        "stage 3 has 2 multi-token layers");
    row(
        "a pass of minutes",
        [](Request& r) {
            r.hardware = findHardware("laptop-cpu").value();
            r.model.microBatch *= 100;
        },
        "F of stage 0 would take ");
    row(
        "an update of minutes",
        [](Request& r) {
            r.hardware.memoryBandwidth.value = 1e7;
            r.model.sequence = 64;
        },
        "U of stage 0 would take ");
}

void TestStageCosts::badCombinationsAreNamed()
{
    QFETCH(RequestChange, change);
    QFETCH(QString, message);
    Request request;
    QVERIFY(costsOf(request.model, request.hardware, request.spec, request.split));
    change(request);
    const auto costs = costsOf(request.model, request.hardware, request.spec, request.split);
    QVERIFY(!costs);
    QVERIFY2(costs.error().message.english().find(message.toStdString()) != std::string::npos,
             costs.error().message.c_str());
}

PW_TEST(TestStageCosts)
#include "tst_stage_costs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/language_model.h"
#include "tests/support/test_program.h"
#include "tests/support/transformer_formulas.h"

#include <QTest>

#include <functional>

using namespace pw;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

TransformerModel preset(const char* name)
{
    return findModel(name).value().dense;
}

/// Models over a grid of shapes, for closed forms.
void forEachModel(const std::function<void(const TransformerModel&)>& use)
{
    for (const int hidden : {64, 768, 12288}) {
        for (const int heads : {8, 32}) {
            for (const int sequence : {16, 2048}) {
                for (const int microBatch : {1, 6}) {
                    for (const int t : {1, 2, 8}) {
                        TransformerModel model;
                        model.layers = 7;
                        model.hidden = hidden;
                        model.heads = heads;
                        model.sequence = sequence;
                        model.microBatch = microBatch;
                        model.tensorParallel = t;
                        use(model);
                    }
                }
            }
        }
    }
}

bool close(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::abs(b);
}

} // namespace

/// Shapes to operations, parameters and bytes, against published numbers and closed forms.
class TestTransformer : public QObject
{
    Q_OBJECT

private slots:
    void activationsOfPublishedModelsMatchToTheLastDigit_data();
    void activationsOfPublishedModelsMatchToTheLastDigit();
    void partsOfTheActivationsMatchTheTableOfPercentages_data();
    void partsOfTheActivationsMatchTheTableOfPercentages();
    void utilisationFollowsFromPublishedIterationTimes_data();
    void utilisationFollowsFromPublishedIterationTimes();
    void parametersOfPublishedModelsAreExact();
    void parametersFollowTheClosedForm();
    void activationBytesFollowTheTableOverAGrid();
    void flopsFollowTheClosedFormsOverAGrid();
    void layerOperationsAreThoseOfTheZeroBubbleTable();
    void flashAttentionStoresNoScoresAndFormsThemAgain();
    void fewerKeyHeadsAndGatesChangeTheirPartsOnly();
    void acceleratorsOfATensorGroupHoldTheModelTogether();
    void bytesOfAParameterCountReplicas();
    void everyPresetIsValid();
    void anUnknownPresetIsAnsweredWithTheNames();
    void badValuesAreNamed_data();
    void badValuesAreNamed();
};

void TestTransformer::activationsOfPublishedModelsMatchToTheLastDigit_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("p");
    QTest::addColumn<int>("v");
    QTest::addColumn<double>("tensorOnly");
    QTest::addColumn<double>("sequenceAndSelective");
    QTest::addColumn<double>("states");
    // arXiv:2205.05198 figure 1, in GiB
    QTest::newRow("22 billion") << "gpt-22b" << 1 << 1 << 59.2500 << 9.5625 << 45.5625;
    QTest::newRow("175 billion") << "gpt-175b" << 8 << 3 << 66.8438 << 12.3516 << 45.5625;
    QTest::newRow("530 billion") << "gpt-530b" << 35 << 3 << 114.0234 << 23.0762 << 31.6406;
    QTest::newRow("1 trillion") << "gpt-1t" << 64 << 1 << 131.2500 << 26.5625 << 32.9590;
}

void TestTransformer::activationsOfPublishedModelsMatchToTheLastDigit()
{
    QFETCH(QString, name);
    QFETCH(int, p);
    QFETCH(int, v);
    QFETCH(double, tensorOnly);
    QFETCH(double, sequenceAndSelective);
    QFETCH(double, states);
    TransformerModel model = preset(qPrintable(name));
    // Chunks alive on the first device: p of one chunk, pv + p − 1 of several.
    const int chunks = v == 1 ? p : p * v + p - 1;
    const double layersAlive = static_cast<double>(chunks) * model.layers / (p * v);
    const auto aliveGib = [&](RecomputePolicy policy) {
        const auto bytes = static_cast<double>(layerActivation(model, policy).total());
        return QString::number(bytes * layersAlive / gib, 'f', 4);
    };
    QCOMPARE(aliveGib(RecomputePolicy::None), QString::number(tensorOnly, 'f', 4));
    model.sequenceParallel = true;
    QCOMPARE(aliveGib(RecomputePolicy::Selective), QString::number(sequenceAndSelective, 'f', 4));
    const double perDevice = static_cast<double>(matrixParameters(model)) * model.layers /
                             (p * model.tensorParallel) * bytesPerParameter(model) / gib;
    QCOMPARE(QString::number(perDevice, 'f', 4), QString::number(states, 'f', 4));
}

void TestTransformer::partsOfTheActivationsMatchTheTableOfPercentages_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("sequence");
    QTest::addColumn<QString>("policy");
    QTest::addColumn<double>("formula");
    QTest::addColumn<double>("read");
    // arXiv:2205.05198 figure 7, percent of tensor parallelism alone: by formula, and as read from
    // the plot
    const struct
    {
        const char* name;
        double sequence[2], selective[2], both[2], full[2];
    } rows[] = {
        {"gpt-22b", {66.77, 66.84}, {49.37, 49.42}, {16.14, 16.18}, {7.59, 7.64}},
        {"gpt-175b", {61.96, 62.04}, {56.52, 56.53}, {18.48, 18.49}, {8.70, 8.71}},
        {"gpt-530b", {58.33, 58.31}, {61.90, 62.04}, {20.24, 20.27}, {9.52, 9.42}},
        {"gpt-1t", {58.33, 58.31}, {61.90, 62.04}, {20.24, 20.27}, {9.52, 9.42}},
    };
    for (const auto& row : rows) {
        const auto add = [&](bool sequence, const char* policy, const double(&percent)[2]) {
            QTest::addRow("%s %s%s", row.name, sequence ? "sequence parallel " : "", policy)
                << row.name << sequence << policy << percent[0] << percent[1];
        };
        add(true, "none", row.sequence);
        add(false, "selective", row.selective);
        add(true, "selective", row.both);
        add(false, "full", row.full);
    }
}

void TestTransformer::partsOfTheActivationsMatchTheTableOfPercentages()
{
    QFETCH(QString, name);
    QFETCH(bool, sequence);
    QFETCH(QString, policy);
    QFETCH(double, formula);
    QFETCH(double, read);
    TransformerModel model = preset(qPrintable(name));
    const auto base = static_cast<double>(layerActivation(model, RecomputePolicy::None).total());
    model.sequenceParallel = sequence;
    const RecomputePolicy chosen = policy == "none"        ? RecomputePolicy::None
                                   : policy == "selective" ? RecomputePolicy::Selective
                                                           : RecomputePolicy::Full;
    const double percent = 100 * static_cast<double>(layerActivation(model, chosen).total()) / base;
    QCOMPARE(QString::number(percent, 'f', 2), QString::number(formula, 'f', 2));
    QVERIFY(std::abs(percent - read) < 0.145);
}

void TestTransformer::utilisationFollowsFromPublishedIterationTimes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("batch"); // and as many accelerators, but for the first
    QTest::addColumn<int>("accelerators");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<double>("percent");
    // arXiv:2205.05198 table 5, on accelerators of 312 TFLOP/s
    QTest::newRow("22 billion") << "gpt-22b" << 4 << 8 << 1.10 << 41.65;
    QTest::newRow("175 billion") << "gpt-175b" << 64 << 64 << 13.75 << 51.39;
    QTest::newRow("530 billion") << "gpt-530b" << 280 << 280 << 37.83 << 56.05;
    QTest::newRow("1 trillion") << "gpt-1t" << 512 << 512 << 71.49 << 56.27;
}

void TestTransformer::utilisationFollowsFromPublishedIterationTimes()
{
    QFETCH(QString, name);
    QFETCH(int, batch);
    QFETCH(int, accelerators);
    QFETCH(double, seconds);
    QFETCH(double, percent);
    const TransformerModel model = preset(qPrintable(name));
    const double part = utilisation(modelFlops(model, batch), seconds, accelerators, 312e12);
    QCOMPARE(QString::number(100 * part, 'f', 2), QString::number(percent, 'f', 2));
}

void TestTransformer::parametersOfPublishedModelsAreExact()
{
    // arXiv:2107.06925 table 4
    QCOMPARE(parameters(preset("chimera-gpt2")), std::int64_t{1'389'327'360});
    // The same table; BERT has parts that a plain transformer has not.
    const std::int64_t h = 1024;
    const std::int64_t vocabulary = 30522;
    const std::int64_t tokenTypes = 2 * h;
    const std::int64_t pooler = h * h + h;
    const std::int64_t wordHead = h * h + h + 2 * h + vocabulary * h + vocabulary;
    const std::int64_t sentenceHead = 2 * h + 2;
    // The norm after the embedding has the size of the last norm of other models.
    QCOMPARE(parameters(preset("chimera-bert48")) + tokenTypes + pooler + wordHead + sentenceHead,
             std::int64_t{669'790'012});
    // The well-known count of Llama 2 7B
    QCOMPARE(parameters(preset("llama-7b")), std::int64_t{6'738'415'616});
    // arXiv:2104.04473 tables 1 and 2: 1.7, 174.6 and 1008.0 billion
    const auto billions = [](const char* name) {
        return QString::number(static_cast<double>(parameters(preset(name))) / 1e9, 'f', 1);
    };
    QCOMPARE(billions("gpt-1.7b"), QString("1.7"));
    QCOMPARE(billions("gpt-175b"), QString("174.6"));
    QCOMPARE(billions("gpt-1t"), QString("1008.0"));
    // The names in the tables of arXiv:2401.10241 and arXiv:2405.15362
    for (const LanguageModel& model : modelPresets()) {
        const QString name = QString::fromStdString(model.dense.name);
        if (name.startsWith("zb-") || name.startsWith("cm-"))
            QVERIFY2(name == name.left(3) + billions(qPrintable(name)) + "b" || name == "cm-21b",
                     qPrintable(name));
    }
    QCOMPARE(billions("cm-21b"), QString("21.0"));
}

void TestTransformer::parametersFollowTheClosedForm()
{
    forEachModel([](const TransformerModel& model) {
        const double l = model.layers;
        const double h = model.hidden;
        const double v = model.vocabulary;
        const double s = model.sequence;
        const double form = 12 * l * h * h * (1 + 13 / (12 * h) + (v + s) / (12 * l * h)) + 2 * h;
        QVERIFY(close(static_cast<double>(parameters(model)), form));
    });
}

void TestTransformer::activationBytesFollowTheTableOverAGrid()
{
    forEachModel([](const TransformerModel& given) {
        TransformerModel model = given;
        const double h = model.hidden;
        const double sbh = h * model.sequence * model.microBatch;
        const double t = model.tensorParallel;
        const double scores = 5.0 * model.heads * model.sequence / h;
        const auto bytes = [&](RecomputePolicy policy) {
            return static_cast<double>(layerActivation(model, policy).total());
        };
        QVERIFY(close(bytes(RecomputePolicy::None), sbh * (10 + 24 / t + scores / t)));
        QVERIFY(close(bytes(RecomputePolicy::Selective), sbh * (10 + 24 / t)));
        QVERIFY(close(bytes(RecomputePolicy::Full), 2 * sbh));
        QVERIFY(close(static_cast<double>(layerKeptForWeight(model)), sbh * (8 + 24 / t)));
        QVERIFY(close(static_cast<double>(boundaryBytes(model)), 2 * sbh));
        model.sequenceParallel = true;
        QVERIFY(close(bytes(RecomputePolicy::None), sbh / t * (34 + scores)));
        QVERIFY(close(bytes(RecomputePolicy::Selective), sbh / t * 34));
        QVERIFY(close(bytes(RecomputePolicy::Full), sbh / t * 2));
        QVERIFY(close(static_cast<double>(layerKeptForWeight(model)), sbh / t * 32));
        QVERIFY(close(static_cast<double>(boundaryBytes(model)), sbh / t * 2));
        QVERIFY(close(static_cast<double>(outputActivation(model)),
                      4 * sbh / t * (1 + model.vocabulary / h)));
    });
}

void TestTransformer::flopsFollowTheClosedFormsOverAGrid()
{
    forEachModel([](const TransformerModel& given) {
        TransformerModel model = given;
        const double l = model.layers;
        const double h = model.hidden;
        const double s = model.sequence;
        const double v = model.vocabulary;
        const double samples = 48;
        const double unit = samples * l * s * h * h;
        QVERIFY(
            close(modelFlops(model, samples), 72 * unit * (1 + s / (6 * h) + v / (12 * h * l))));
        QCOMPARE(hardwareFlops(model, samples), modelFlops(model, samples));
        model.recompute = RecomputePolicy::Full;
        QVERIFY(
            close(hardwareFlops(model, samples), 96 * unit * (1 + s / (6 * h) + v / (16 * h * l))));
        model.recompute = RecomputePolicy::Selective;
        QVERIFY(close(hardwareFlops(model, samples),
                      72 * unit * (1 + 2 * s / (9 * h) + v / (12 * h * l))));
    });
}

void TestTransformer::layerOperationsAreThoseOfTheZeroBubbleTable()
{
    forEachModel([](const TransformerModel& given) {
        TransformerModel model = given;
        const double h = model.hidden;
        const double s = model.sequence;
        const double sbh = s * model.microBatch * h;
        const PassFlops layer = layerFlops(model);
        QVERIFY(close(layer.forward, sbh * (24 * h + 4 * s)));
        QVERIFY(close(layer.backward, sbh * (24 * h + 8 * s)));
        QVERIFY(close(layer.weight, sbh * 24 * h));
        QVERIFY(close(layer.backward + layer.weight, 2 * layer.forward));
        QVERIFY(close(outputFlops(model).total(), 6 * sbh * model.vocabulary));
        model.skipsMasked = true;
        QVERIFY(close(layerFlops(model).forward, sbh * (24 * h + 2 * s)));
    });
}

void TestTransformer::flashAttentionStoresNoScoresAndFormsThemAgain()
{
    TransformerModel model = preset("zb-6.2b");
    const double attention = attentionFlops(model).forward;
    QCOMPARE(recomputedFlops(model), 0.0);
    model.recompute = RecomputePolicy::Selective;
    QCOMPARE(recomputedFlops(model), attention);
    model.flashAttention = true;
    QCOMPARE(recomputedFlops(model), attention / 2);
    QCOMPARE(layerActivation(model, RecomputePolicy::None).scores, Bytes{0});
    QCOMPARE(layerActivation(model, RecomputePolicy::None),
             layerActivation(model, RecomputePolicy::Selective));
    model.recompute = RecomputePolicy::Full;
    QCOMPARE(recomputedFlops(model), layerFlops(model).forward + attention / 2);
}

void TestTransformer::fewerKeyHeadsAndGatesChangeTheirPartsOnly()
{
    TransformerModel model = preset("zb-6.2b");
    const std::int64_t h = model.hidden;
    const double n = static_cast<double>(model.sequence) * model.microBatch;
    const std::int64_t plain = matrixParameters(model);
    const double flops = linearFlops(model).forward;
    model.kvHeads = model.heads / 4;
    // Keys and values have a quarter of their columns.
    QCOMPARE(matrixParameters(model), plain - 2 * h * h * 3 / 4);
    QVERIFY(
        close(linearFlops(model).forward, flops - 2 * n * static_cast<double>(2 * h * h * 3 / 4)));
    model.kvHeads = 0;
    model.gatedMlp = true;
    QCOMPARE(matrixParameters(model), plain + 4 * h * h);
    QVERIFY(close(attentionFlops(model).forward, 4 * n * model.sequence * static_cast<double>(h)));
}

void TestTransformer::acceleratorsOfATensorGroupHoldTheModelTogether()
{
    TransformerModel model = preset("gpt-22b");
    model.tiedEmbedding = false;
    const std::int64_t t = model.tensorParallel;
    const std::int64_t h = model.hidden;
    const DeviceParameters parts = deviceParameters(model);
    // Norms, the biases after a sum, and positions are on every accelerator.
    const std::int64_t copies = t - 1;
    QCOMPARE(t * parts.layer, layerParameters(model) + copies * (4 * h + 2 * h));
    QCOMPARE(t * (parts.embedding + parts.output) + model.layers * layerParameters(model),
             parameters(model) + copies * (model.positionCount() * h + 2 * h));
}

void TestTransformer::bytesOfAParameterCountReplicas()
{
    TransformerModel model;
    QCOMPARE(bytesPerParameter(model), 18.0);
    model.dataParallel = 8;
    QCOMPARE(bytesPerParameter(model), 18.0);
    model.distributedOptimizer = true;
    QCOMPARE(bytesPerParameter(model), 7.5);
}

void TestTransformer::everyPresetIsValid()
{
    QVERIFY(modelPresets().size() > 10);
    for (const LanguageModel& model : modelPresets()) {
        const auto ok = check(model);
        QVERIFY2(ok, ok ? "" : ok.error().message.c_str());
        QCOMPARE(findModel(model.dense.name).value(), model);
    }
}

void TestTransformer::anUnknownPresetIsAnsweredWithTheNames()
{
    const auto model = findModel("gpt-5");
    QVERIFY(!model);
    QCOMPARE(model.error().code, ErrorCode::BadValue);
    QVERIFY(model.error().message.english().find("\"gpt-5\"") != std::string::npos);
    for (const LanguageModel& known : modelPresets())
        QVERIFY(model.error().message.english().find(known.dense.name) != std::string::npos);
}

using ModelChange = std::function<void(TransformerModel&)>;
Q_DECLARE_METATYPE(ModelChange)

void TestTransformer::badValuesAreNamed_data()
{
    QTest::addColumn<ModelChange>("change");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, ModelChange change, const char* message) {
        QTest::newRow(name) << change << message;
    };
    row(
        "no layer", [](auto& m) { m.layers = 0; }, "layers is 0; 1 to 1000000");
    row(
        "negative hidden", [](auto& m) { m.hidden = -4; }, "hidden is -4; 1 to 1048576");
    row(
        "heads do not divide", [](auto& m) { m.heads = 7; },
        "heads is 7, which does not divide the 768 of hidden; 6 or 8 would");
    row(
        "key heads do not divide", [](auto& m) { m.kvHeads = 5; },
        "kvHeads is 5, which does not divide the 12 of heads; 4 or 6 would");
    row(
        "tensor degree does not divide heads", [](auto& m) { m.tensorParallel = 5; },
        "tensorParallel is 5, which does not divide the 12 of heads; 4 or 6 would");
    row(
        "tensor degree does not divide key heads",
        [](auto& m) {
            m.kvHeads = 3;
            m.tensorParallel = 2;
        },
        "tensorParallel is 2, which does not divide the 3 of kvHeads; 1 or 3 would");
    row(
        "tensor degree does not divide the MLP",
        [](auto& m) {
            m.ffn = 3001;
            m.tensorParallel = 2;
        },
        "tensorParallel is 2, which does not divide the 3001 of ffn; 1 or 3001 would");
    row(
        "tensor degree does not divide the tokens",
        [](auto& m) {
            m.sequence = 1023;
            m.tensorParallel = 2;
            m.sequenceParallel = true;
        },
        "tensorParallel is 2, which does not divide the 1023 of sequence; 1 or 3 would");
    row(
        "skips what is not masked",
        [](auto& m) {
            m.causal = false;
            m.skipsMasked = true;
        },
        "skipsMasked is true and causal is false");
    row(
        "no token", [](auto& m) { m.sequence = 0; }, "sequence is 0; 1 to");
    row(
        "no sample", [](auto& m) { m.microBatch = 0; }, "microBatch is 0; 1 to");
    row(
        "no replica", [](auto& m) { m.dataParallel = 0; }, "dataParallel is 0; 1 to");
    row(
        "no bytes", [](auto& m) { m.elementBytes = 0; }, "elementBytes is 0; 1 to 8");
    row(
        "too much", [](auto& m) { m.sequence = 1 << 26; }, "more than 10^15 bytes");
}

void TestTransformer::badValuesAreNamed()
{
    QFETCH(ModelChange, change);
    QFETCH(QString, message);
    TransformerModel model;
    QVERIFY(check(model));
    change(model);
    const auto ok = check(model);
    QVERIFY(!ok);
    QVERIFY2(ok.error().message.english().find(message.toStdString()) != std::string::npos,
             ok.error().message.c_str());
}

PW_TEST(TestTransformer)
#include "tst_transformer.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/layer_split.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

using namespace pw;

namespace {

QList<int> layersOf(const LayerSplit& split)
{
    QList<int> layers;
    for (const StageContent& stage : split)
        layers.append(stage.layers);
    return layers;
}

} // namespace

/// Layers over stages, by rule and by text.
class TestLayerSplit : public QObject
{
    Q_OBJECT

private slots:
    void textsGiveLayersPerStage_data();
    void textsGiveLayersPerStage();
    void evenSplitsDifferByAtMostOneLayer();
    void lighterEndsAreThoseOfTheZeroBubbleModels();
    void layoutsExpandBracketsAndRepeats();
    void severalStagesHaveMultiTokenLayersAndLosses();
    void badTextsAreNamed_data();
    void badTextsAreNamed();
};

void TestLayerSplit::textsGiveLayersPerStage_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("layers");
    QTest::newRow("even") << "even" << QList<int>{4, 4, 3, 3};
    QTest::newRow("lighter ends") << "ends" << QList<int>{3, 4, 4, 3};
    QTest::newRow("counts") << "1,6,7,0" << QList<int>{1, 6, 7, 0};
    QTest::newRow("one stage a bar") << "Etttt|tttt|ttt|tttL" << QList<int>{4, 4, 3, 3};
    QTest::newRow("repeats") << "Et*4|t*4|t*3|t*3L" << QList<int>{4, 4, 3, 3};
    QTest::newRow("brackets") << "E|(t*7|)*2L" << QList<int>{0, 7, 7, 0};
    QTest::newRow("nested, with blanks") << "E, ((t*2)*3 t|)*2 | L" << QList<int>{7, 7, 0, 0};
}

void TestLayerSplit::textsGiveLayersPerStage()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, layers);
    const auto split = parseSplit(text.toStdString(), 14, 4);
    QVERIFY2(split, split ? "" : split.error().message.c_str());
    QCOMPARE(layersOf(*split), layers);
    QVERIFY(split->front().embedding);
    QVERIFY(split->back().outputs == 1);
}

void TestLayerSplit::evenSplitsDifferByAtMostOneLayer()
{
    for (int stages = 1; stages <= 40; ++stages) {
        for (int layers = stages; layers <= 100; layers += 3) {
            const auto split = evenSplit(layers, stages).value();
            QVERIFY(check(split, layers, stages));
            QVERIFY(split.front().layers - split.back().layers <= 1);
            for (std::size_t i = 1; i < split.size(); ++i)
                QVERIFY(split[i - 1].layers >= split[i].layers);
        }
    }
}

void TestLayerSplit::lighterEndsAreThoseOfTheZeroBubbleModels()
{
    // arXiv:2401.10241 table 3: layers, devices, and layers of an inner stage
    const int models[][3] = {{22, 8, 3}, {30, 8, 4}, {46, 16, 3}, {62, 32, 2}};
    for (const auto& [layers, devices, inner] : models) {
        QList<int> expected(devices, inner);
        expected.front() = inner - 1;
        expected.back() = inner - 1;
        QCOMPARE(layersOf(lighterEndsSplit(layers, devices).value()), expected);
    }
}

void TestLayerSplit::layoutsExpandBracketsAndRepeats()
{
    const auto split = parseLayout("Et*3|(tt|)*29,m|L").value();
    QCOMPARE(split.size(), std::size_t{32});
    QCOMPARE(split.front(), (StageContent{3, true, 0, 0}));
    QCOMPARE(split[1], (StageContent{2, false, 0, 0}));
    QCOMPARE(split[29], (StageContent{2, false, 0, 0}));
    QCOMPARE(split[30], (StageContent{0, false, 0, 1}));
    QCOMPARE(split[31], (StageContent{0, false, 1, 0}));
    QCOMPARE(parseLayout("E||t|t*0|L").value().size(), std::size_t{5});
}

/// Megatron-LM, pull request 5318: 8 stages with 10 layers, 3 multi-token layers and 4 losses.
void TestLayerSplit::severalStagesHaveMultiTokenLayersAndLosses()
{
    const LayerSplit split = parseLayout("E|(t|)*10m|m|m|LL|LL").value();
    QCOMPARE(split.size(), std::size_t{16});
    for (const std::size_t stage : {11U, 12U, 13U})
        QCOMPARE(split[stage], (StageContent{0, false, 0, 1}));
    QCOMPARE(split[14], (StageContent{0, false, 2, 0}));
    QCOMPARE(split[15], (StageContent{0, false, 2, 0}));
}

void TestLayerSplit::badTextsAreNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("too few layers") << "3,3,3,3"
                                    << "has 12 layers; the model has 14";
    QTest::newRow("too few stages") << "7,7"
                                    << "over 2 stages; the pipeline has 4";
    QTest::newRow("negative") << "7,-1,7,1"
                              << "stage 1 has -1 layers";
    QTest::newRow("a word") << "7,x,7,0"
                            << "\"x\" in \"7,x,7,0\" is not a count";
    QTest::newRow("empty") << ""
                           << "\"\" in \"\" is not a count";
    QTest::newRow("unknown letter") << "Etx|L"
                                    << "unexpected 'x' at position 3";
    QTest::newRow("open bracket") << "E(t|"
                                  << "ends inside a bracket";
    QTest::newRow("closed twice") << "Et)|L"
                                  << "unexpected ')' at position 3";
    QTest::newRow("no count after the star") << "Et*|L"
                                             << "unexpected '|' at position 4";
    QTest::newRow("ends after the star") << "Et*"
                                         << "ends inside a bracket or a repeat";
    QTest::newRow("star first") << "*3EtL"
                                << "unexpected '*' at position 1";
    QTest::newRow("no embedding") << "tt|tL"
                                  << "begins with it; this one has 0";
    QTest::newRow("embedding later") << "tE|tL"
                                     << "begins with it; this one has 1";
    QTest::newRow("two outputs") << "Et|LL"
                                 << "ends with it; this one has 2";
    QTest::newRow("outputs for other multi-token layers")
        << "E|(t|)*8m|m|L|L"
        << "or one for each m and one more, and ends with it; this one has 2 L and 2 m";
    QTest::newRow("an output before a multi-token layer") << "Et|mL|mLL"
                                                          << "has m behind L";
    QTest::newRow("a layer behind a multi-token layer") << "Emt|L"
                                                        << "has t behind m";
    QTest::newRow("too many items") << "E(t*1000)*1001|L"
                                    << "more than 1000000 items";
    QTest::newRow("nothing without end") << "E()*9223372036854775807|L"
                                         << "more than 1000000 items";
    QTest::newRow("a count beyond 64 bits") << "Et*99999999999999999999|L"
                                            << "too often";
    QTest::newRow("too deep") << "E" + QString(40, '(') << "nested too deep";
}

void TestLayerSplit::badTextsAreNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto split = parseSplit(text.toStdString(), 14, 4);
    QVERIFY(!split);
    QVERIFY2(split.error().message.english().find(message.toStdString()) != std::string::npos,
             split.error().message.c_str());
}

PW_TEST(TestLayerSplit)
#include "tst_layer_split.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/model_file.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;

/// Model files: what is written is read back, and what is wrong is named.
class TestModelFile : public QObject
{
    Q_OBJECT

private slots:
    void everyPresetComesBackFromItsText();
    void everyFieldIsWrittenAndRead();
    void whatIsLeftOutKeepsItsDefault();
    void badTextsAreNamed_data();
    void badTextsAreNamed();
    void everyCutTextIsRefused();
    void aNameIsAPresetElseAFile();
};

void TestModelFile::everyPresetComesBackFromItsText()
{
    for (const LanguageModel& model : modelPresets()) {
        const auto back = parseModel(modelText(model));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(*back, model);
    }
}

void TestModelFile::everyFieldIsWrittenAndRead()
{
    LanguageModel model;
    model.dense = {"a \"name\"",
                   24,
                   512,
                   16,
                   8,
                   1000,
                   true,
                   false,
                   64,
                   0,
                   1024,
                   false,
                   true,
                   false,
                   true,
                   3,
                   4,
                   true,
                   5,
                   true,
                   RecomputePolicy::Full,
                   true,
                   false,
                   true,
                   true,
                   true,
                   true,
                   true,
                   false,
                   Precision::Mxfp8,
                   4,
                   3,
                   2,
                   1};
    model.headSize = 48;
    model.experts = {16, 4, 1, 256, 3, 2, 1};
    model.contextParallel = 2;
    model.expertParallel = 4;
    model.latent = {96, 64, 32, 48, 40};
    QCOMPARE(parseModel(modelText(model)).value(), model);
    model.dense.recompute = RecomputePolicy::Selective;
    QCOMPARE(parseModel(modelText(model)).value(), model);
}

void TestModelFile::whatIsLeftOutKeepsItsDefault()
{
    LanguageModel model;
    QCOMPARE(parseModel(R"({"version": 1})").value(), model);
    model.dense.layers = 3;
    QCOMPARE(parseModel(R"({"layers": 3, "version": 1})").value(), model);
}

void TestModelFile::badTextsAreNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("nothing") << ""
                             << "not JSON";
    QTest::newRow("cut") << R"({"version": 1,)"
                         << "line 1, column 15";
    QTest::newRow("a list") << "[1]"
                            << "not a JSON object";
    QTest::newRow("no version") << "{}"
                                << "no \"version\"";
    QTest::newRow("later version") << R"({"version": 2})"
                                   << "version 2; this program reads";
    QTest::newRow("version as text") << R"({"version": "1"})"
                                     << "\"version\" in the model";
    QTest::newRow("unknown field") << R"({"version": 1, "layer": 3})"
                                   << "unknown field \"layer\"";
    QTest::newRow("doubled field") << R"({"version": 1, "layers": 3, "layers": 4})"
                                   << "\"layers\" twice";
    QTest::newRow("fraction") << R"({"version": 1, "layers": 3.5})"
                              << "\"layers\" in the model is not a whole number";
    QTest::newRow("beyond 32 bits") << R"({"version": 1, "layers": 3000000000})"
                                    << "\"layers\" in the model is not a whole number";
    QTest::newRow("number as flag") << R"({"version": 1, "causal": 1})"
                                    << "\"causal\" in the model is not true or false";
    QTest::newRow("unknown policy") << R"({"version": 1, "recompute": "some"})"
                                    << "\"none\", \"selective\" or \"full\"";
    QTest::newRow("name as number") << R"({"version": 1, "name": 1})"
                                    << "not a text";
    QTest::newRow("bad value") << R"({"version": 1, "heads": 7})"
                               << "heads is 7";
    QTest::newRow("bad experts") << R"({"version": 1, "experts": 8})"
                                 << "a model with 8 experts sends a token to 0";
    QTest::newRow("widths of heads without heads")
        << R"({"version": 1, "headSize": 64, "heads": 0})"
        << "heads is 0";
}

void TestModelFile::badTextsAreNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto model = parseModel(text.toStdString());
    QVERIFY(!model);
    QVERIFY2(model.error().message.english().find(message.toStdString()) != std::string::npos,
             model.error().message.c_str());
}

void TestModelFile::everyCutTextIsRefused()
{
    const std::string text = modelText(modelPresets().front());
    // The last character is the line's end.
    for (std::size_t length = 0; length + 1 < text.size(); ++length)
        QVERIFY(!parseModel(std::string_view(text).substr(0, length)));
}

void TestModelFile::aNameIsAPresetElseAFile()
{
    QCOMPARE(loadModel("zb-1.5b").value().dense.layers, 22);
    const QTemporaryDir folder;
    const QString path = folder.filePath("model.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"version": 1, "layers": 5})");
    file.close();
    QCOMPARE(loadModel(path.toStdString()).value().dense.layers, 5);

    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{");
    file.close();
    const auto broken = loadModel(path.toStdString());
    QVERIFY(!broken);
    QVERIFY(broken.error().message.english().starts_with(path.toStdString() +
                                                         ": the model is not JSON"));

    const auto missing = loadModel(folder.filePath("absent.json").toStdString());
    QVERIFY(!missing);
    QVERIFY(missing.error().message.english().find("nor is there such a file") !=
            std::string::npos);
    const auto directory = readModelFile(folder.path().toStdString());
    QVERIFY(!directory);
    QCOMPARE(directory.error().code, ErrorCode::Io);
}

PW_TEST(TestModelFile)
#include "tst_model_file.moc"

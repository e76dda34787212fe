// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/io/model_file.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

class TestJson : public QObject
{
    Q_OBJECT
private slots:
    void aHalfOfASurrogatePairIsRefused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("first half") << QByteArray("{\"name\": \"a\\ud800b\"}");
        QTest::newRow("second half") << QByteArray("{\"name\": \"a\\udd80b\"}");
        QTest::newRow("second half, last") << QByteArray("{\"name\": \"\\udfff\"}");
        QTest::newRow("halves the wrong way round") << QByteArray("{\"name\": \"\\udc00\\ud800\"}");
        QTest::newRow("in a key") << QByteArray("{\"\\udc00\": 1}");
        QTest::newRow("as bytes") << QByteArray("{\"name\": \"\xED\xB0\x80\"}");
    }
    void aHalfOfASurrogatePairIsRefused()
    {
        QFETCH(QByteArray, json);
        const Result<JsonDocument> document = parseJson(json.toStdString(), 1000);
        QVERIFY(!document);
        QCOMPARE(document.error().code, ErrorCode::Syntax);
        QVERIFY2(document.error().message.english().starts_with("line 1, column "),
                 document.error().message.c_str());

        std::string text = json.toStdString();
        const JsonLine line(text);
        QVERIFY(line.value() == nullptr);
        QVERIFY(!line.problem().empty());
    }

    void wholeCharactersAreTaken_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("the last before the surrogates") << QByteArray("\xED\x9F\xBF");
        QTest::newRow("the first behind them") << QByteArray("\xEE\x80\x80");
        QTest::newRow("Korean") << QByteArray("\xED\x95\x9C\xEA\xB8\x80");
        QTest::newRow("beyond the first plane") << QByteArray("\xF0\x9F\x9A\x80");
    }
    void wholeCharactersAreTaken()
    {
        QFETCH(QByteArray, text);
        const auto document = parseJson("[\"" + text.toStdString() + "\"]", 1000);
        QVERIFY(document);
        QCOMPARE(QByteArray((*document)[0].GetString()), text);
    }

    void aPairOfEscapesIsOneCharacter()
    {
        const auto document = parseJson("[\"\\ud83d\\ude80\"]", 1000);
        QVERIFY(document);
        QCOMPARE(QByteArray((*document)[0].GetString()), QByteArray("\xF0\x9F\x9A\x80"));
    }

    void aModelThatIsTakenComesBackFromItsFile()
    {
        const auto model = parseModel(
            "{\"version\": 1, \"name\": \"\\ud83d\\ude80 \\\\ \\\" \\u0001 ü\", \"layers\": 4}");
        QVERIFY(model);
        const auto again = parseModel(modelText(*model));
        QVERIFY(again);
        QVERIFY(*again == *model);
    }
};

PW_TEST(TestJson)
#include "tst_json.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <charconv>
#include <random>
#include <string>
#include <vector>

using namespace pw;

class TestText : public QObject
{
    Q_OBJECT

private slots:
    void aNumberHasAtMostFourDigits_data();
    void aNumberHasAtMostFourDigits();
    void aColumnHasOneCountOfDecimals_data();
    void aColumnHasOneCountOfDecimals();
    void anExactNumberReadsBackTheSame();
    void aTimeHasTheUnitThatFits_data();
    void aTimeHasTheUnitThatFits();
    void bytesHaveTheUnitThatFits();
    void thousandsAreGrouped();
    void theNearestWordIsTheOneThatWasMeant_data();
    void theNearestWordIsTheOneThatWasMeant();
};

void TestText::aNumberHasAtMostFourDigits_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("negative zero") << -0.0 << "0";
    QTest::newRow("whole") << 33.0 << "33";
    QTest::newRow("large whole") << 128000.0 << "128000";
    QTest::newRow("half") << 25.5 << "25.5";
    QTest::newRow("cut") << 21.1849 << "21.18";
    QTest::newRow("rounded up") << 0.99996 << "1";
    QTest::newRow("small") << 0.00012345 << "0.0001234";
    QTest::newRow("negative") << -2.5 << "-2.5";
}

void TestText::aNumberHasAtMostFourDigits()
{
    QFETCH(double, number);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(plainNumber(number)), text);
}

void TestText::aColumnHasOneCountOfDecimals_data()
{
    QTest::addColumn<QList<double>>("numbers");
    QTest::addColumn<QString>("texts");
    QTest::newRow("whole") << QList<double>{33, 9, 0} << "33 9 0";
    QTest::newRow("one half") << QList<double>{25.5, 33, 0} << "25.5 33.0 0.0";
    QTest::newRow("largest decides") << QList<double>{1234.5, 0.123} << "1234 0";
    QTest::newRow("thirds") << QList<double>{1.0 / 3, 2.0 / 3} << "0.333 0.667";
    QTest::newRow("empty") << QList<double>{} << "";
}

void TestText::aColumnHasOneCountOfDecimals()
{
    QFETCH(QList<double>, numbers);
    QFETCH(QString, texts);
    QStringList found;
    for (const std::string& text :
         columnNumbers(std::vector<double>(numbers.begin(), numbers.end())))
        found << QString::fromStdString(text);
    QCOMPARE(found.join(' '), texts);
}

void TestText::anExactNumberReadsBackTheSame()
{
    QCOMPARE(exactNumber(4.5), std::string("4.5"));
    QCOMPARE(exactNumber(0.1), std::string("0.1"));
    QCOMPARE(exactNumber(33), std::string("33"));
    const std::uint32_t seed = test::randomSeed();
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> any(-1e6, 1e6);
    for (int i = 0; i < 10000; ++i) {
        const double number = any(random);
        double back = 0;
        const std::string written = exactNumber(number);
        std::from_chars(written.data(), written.data() + written.size(), back);
        QVERIFY(back == number);
    }
}

void TestText::aTimeHasTheUnitThatFits_data()
{
    QTest::addColumn<qint64>("ticks");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << qint64(0) << "0 ms";
    QTest::newRow("nanoseconds") << qint64(1500) << "1.5 µs";
    QTest::newRow("milliseconds") << qint64(25'500'000) << "25.5 ms";
    QTest::newRow("below ten seconds") << qint64(9'999'000'000) << "9999 ms";
    QTest::newRow("seconds") << qint64(12'345'000'000) << "12.35 s";
}

void TestText::aTimeHasTheUnitThatFits()
{
    QFETCH(qint64, ticks);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(timeText(ticks)), text);
    QVERIFY(millisecondText(ticks).ends_with(" ms"));
}

void TestText::bytesHaveTheUnitThatFits()
{
    QCOMPARE(byteText(0), std::string("0 B"));
    QCOMPARE(byteText(1023), std::string("1023 B"));
    QCOMPARE(byteText(1536), std::string("1.5 KiB"));
    QCOMPARE(byteText(Bytes(80) << 30), std::string("80 GiB"));
    QCOMPARE(byteText(Bytes(3) << 60), std::string("3 EiB"));
}

void TestText::thousandsAreGrouped()
{
    QCOMPARE(groupedNumber(0), std::string("0"));
    QCOMPARE(groupedNumber(999), std::string("999"));
    QCOMPARE(groupedNumber(64'000'000), std::string("64,000,000"));
    QCOMPARE(groupedNumber(-1234), std::string("-1,234"));
}

void TestText::theNearestWordIsTheOneThatWasMeant_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("meant");
    QTest::newRow("swapped letters") << "simualte"
                                     << "simulate";
    QTest::newRow("a letter missing") << "chck"
                                      << "check";
    QTest::newRow("a letter too many") << "compaare"
                                       << "compare";
    QTest::newRow("broken off") << "conv"
                                << "convert";
    QTest::newRow("nothing like it") << "qqqqqq"
                                     << "";
    QTest::newRow("half of a short word must be there") << "hck"
                                                        << "check";
    QTest::newRow("two letters of three are others") << "xhz"
                                                     << "";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("very long") << QString(1000, 's') << "";
}

void TestText::theNearestWordIsTheOneThatWasMeant()
{
    QFETCH(QString, word);
    QFETCH(QString, meant);
    const std::vector<std::string> known = {"check", "compare", "convert", "simulate"};
    QCOMPARE(QString::fromStdString(nearest(word.toStdString(), known)), meant);
}

PW_TEST(TestText)
#include "tst_text.moc"

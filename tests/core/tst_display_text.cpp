// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/display_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace pw;

class TestDisplayText : public QObject
{
    Q_OBJECT

private slots:
    void whatSteersIsSpelledOut_data()
    {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const char* given, const char* shown) {
            QTest::newRow(name) << QByteArray(given) << QByteArray(shown);
        };
        row("plain", "1F1B, 4 devices", "1F1B, 4 devices");
        row("letters of the world", "Flüßchen 日本語 🚀", "Flüßchen 日本語 🚀");
        row("window title", "\x1b]0;owned\a", "\\u001b]0;owned\\u0007");
        row("clear the screen", "a\x1b[2Jb", "a\\u001b[2Jb");
        row("DEL", "a\x7f", "a\\u007f");
        row("C1 control sequence",
            "\xC2\x9B"
            "31m",
            "\\u009b31m");
        row("C1 as a single byte",
            "\x9B"
            "31m",
            "\xEF\xBF\xBD"
            "31m");
        row("override",
            "\xE2\x80\xAE"
            "gpj.exe",
            "\\u202egpj.exe");
        row("isolate",
            "\xE2\x81\xA6"
            "a",
            "\\u2066a");
        row("mark of direction", "\xE2\x80\x8F", "\\u200f");
        row("line separator",
            "a\xE2\x80\xA8"
            "b",
            "a\\u2028b");
        row("line end", "a\nb\r", "a\\u000ab\\u000d");
        row("no UTF-8",
            "a\xFF\xFE"
            "b",
            "a\xEF\xBF\xBD\xEF\xBF\xBD"
            "b");
        row("longer than it need be", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD");
        row("half of a pair", "\xED\xA0\x80", "\xEF\xBF\xBD");
        row("cut character", "a\xE2\x82", "a\xEF\xBF\xBD");
    }
    void whatSteersIsSpelledOut()
    {
        QFETCH(QByteArray, given);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(displayText(given.toStdString())), shown);
    }

    void aTextOfLinesKeepsItsLines()
    {
        QCOMPARE(displayLines("a\n\tb\x1b"), std::string("a\n\tb\\u001b"));
    }

    void anyBytesBecomeTextThatStaysAsItIs()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        for (int i = 0; i < 2000; ++i) {
            std::string bytes(random() % 24, ' ');
            for (char& c : bytes)
                c = static_cast<char>(random() % 4 == 0 ? random() % 32 : random());
            const std::string shown = displayText(bytes);
            const QByteArray text = QByteArray::fromStdString(shown);
            QVERIFY2(QString::fromUtf8(text).toUtf8() == text, qPrintable(text.toHex()));
            const QString characters = QString::fromUtf8(text);
            for (const QChar c : characters)
                QVERIFY2(c >= QChar(' ') && !(c >= QChar(0x7f) && c <= QChar(0x9f)),
                         qPrintable(QStringLiteral("seed %1").arg(seed)));
            QCOMPARE(displayText(shown), shown);
        }
    }
};

PW_TEST(TestDisplayText)
#include "tst_display_text.moc"

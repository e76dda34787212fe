// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/json_objects.h"
#include "core/reading/packing/byte_source.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

/// JSON objects among the lines of other programs.
class TestJsonObjects : public QObject
{
    Q_OBJECT

private slots:
    void anObjectBeginsALine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("objects");
        QTest::newRow("lines") << "{\"a\":1}\n{\"b\":2}\n" << QStringList{"{\"a\":1}", "{\"b\":2}"};
        QTest::newRow("lines of Windows") << "x\r\n{\"a\":1}\r\n\r\n{\"b\":2}\r\n"
                                          << QStringList{"{\"a\":1}", "{\"b\":2}"};
        QTest::newRow("behind blanks") << " \t{\"a\":1}" << QStringList{"{\"a\":1}"};
        QTest::newRow("of an array")
            << "[{\"a\":1},{\"b\":2}]" << QStringList{"{\"a\":1}", "{\"b\":2}"};
        QTest::newRow("in the middle of a line") << "warning: {\"a\":1}\n{\"b\":2}\n"
                                                 << QStringList{"{\"b\":2}"};
        QTest::newRow("behind a letter") << "x{\"a\":1}\n" << QStringList{};
        QTest::newRow("braces in texts")
            << "{\"a\":\"}\\\"{\"}\n{}" << QStringList{"{\"a\":\"}\\\"{\"}", "{}"};
    }
    void anObjectBeginsALine()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, objects);
        const std::string bytes = text.toStdString();
        MemorySource source(bytes);
        const KeepReading goOn;
        JsonObjects found(source, goOn);
        QStringList all;
        while (found.next()) {
            all += QString::fromStdString(found.text());
            QCOMPARE(bytes.substr(std::size_t(found.position()), found.text().size()),
                     found.text());
        }
        QCOMPARE(all, objects);
        QVERIFY(!found.cut());
    }

    void theLastMayHaveNoEnd()
    {
        MemorySource source("{\"a\":1}\n{\"b\":");
        const KeepReading goOn;
        JsonObjects found(source, goOn);
        QVERIFY(found.next());
        QVERIFY(!found.next());
        QVERIFY(found.cut());
    }
};

PW_TEST(TestJsonObjects)
#include "tst_json_objects.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/json_mender.h"
#include "core/reading/chrome/json_objects.h"
#include "core/reading/packing/byte_source.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

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

    /// A comma was guessed: what ends there, begins there or goes over it is in doubt.
    void aGuessIsInDoubtToItsEdges()
    {
        const std::string damaged = R"([{"a":1,"b":2},{"a":1 "b":2},{"a":1,"b":2}])";
        MemorySource source(damaged);
        TraceRepairs repairs;
        JsonMender mender(source, repairs, 0);
        std::string mended(100, ' ');
        std::size_t size = 0;
        while (const std::size_t got = mender.read(mended.data() + size, mended.size() - size))
            size += got;
        mended.resize(size);
        QVERIFY(mender.guessed() && !mender.cut());
        const auto end = static_cast<std::int64_t>(mended.size());
        std::vector<std::int64_t> doubts;
        for (std::int64_t at = 0; at <= end; ++at)
            if (mender.doubtful(at, at))
                doubts.push_back(at);
        QCOMPARE(doubts.size(), std::size_t{1});
        const std::int64_t doubt = doubts.front();
        const auto second = static_cast<std::int64_t>(mended.find('}')) + 2;
        QVERIFY(doubt > second && doubt < second + 14);
        QVERIFY(mender.doubtful(0, doubt) && mender.doubtful(doubt, end));
        QVERIFY(!mender.doubtful(0, doubt - 1) && !mender.doubtful(doubt + 1, end));
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

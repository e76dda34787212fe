// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/peaks_file.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

/// Tables of the peaks of ranks.
class TestPeaksFile : public QObject
{
    Q_OBJECT

private slots:
    void linesStandInAnyOrderAndUnit()
    {
        const std::vector<Bytes> bytes{3000, 2000};
        QCOMPARE(parseRankPeaks("rank,peak_bytes\n0,3000\n1,2000\n").value(), bytes);
        QCOMPARE(parseRankPeaks("host,peak_bytes,rank\r\na, 2000 ,1\r\n\r\nb,3000,0").value(),
                 bytes);
        QCOMPARE(parseRankPeaks("rank,peak_gib\n0,1.5").value(),
                 std::vector<Bytes>{Bytes{3} << 29});
        QCOMPARE(parseRankPeaks("rank,peak_gb\n0,1.5").value(), std::vector<Bytes>{1'500'000'000});
        QCOMPARE(parseRankPeaks("rank,peak_mib\n0,2").value(), std::vector<Bytes>{2 << 20});
    }

    void badTablesAreNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing") << QString() << QStringLiteral("no rows");
        QTest::newRow("no rank") << QStringLiteral("peak_bytes\n3") << QStringLiteral("\"rank\"");
        QTest::newRow("no peak") << QStringLiteral("rank,peak\n0,3")
                                 << QStringLiteral("\"peak_bytes\"");
        QTest::newRow("cells") << QStringLiteral("rank,peak_bytes\n0") << QStringLiteral("line 2");
        QTest::newRow("no number")
            << QStringLiteral("rank,peak_bytes\n0,much") << QStringLiteral("'much'");
        QTest::newRow("nothing held")
            << QStringLiteral("rank,peak_bytes\n0,0") << QStringLiteral("above 0");
        QTest::newRow("beyond") << QStringLiteral("rank,peak_gib\n0,1e9")
                                << QStringLiteral("at most");
        QTest::newRow("below") << QStringLiteral("rank,peak_bytes\n-1,3") << QStringLiteral("'-1'");
        QTest::newRow("twice") << QStringLiteral("rank,peak_bytes\n0,3\n0,4")
                               << QStringLiteral("rank 0 stands twice");
        QTest::newRow("missing") << QStringLiteral("rank,peak_bytes\n0,3\n2,4")
                                 << QStringLiteral("no line of rank 1");
    }

    void badTablesAreNamed()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const Result<std::vector<Bytes>> peaks = parseRankPeaks(text.toStdString());
        QVERIFY(!peaks);
        QVERIFY2(QString::fromStdString(peaks.error().message).contains(said),
                 peaks.error().message.c_str());
    }
};

PW_TEST(TestPeaksFile)
#include "tst_peaks_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw::app;

class TestCompareCommand : public QObject
{
    Q_OBJECT

private slots:
    void theHeadingIsThatOfTheSchedules_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("heading");
        QTest::newRow("plain") << "--devices 2"
                               << "2 devices, 4 micro-batches\n";
        QTest::newRow("one of all") << "--devices 1 --micro-batches 1"
                                    << "1 device, 1 micro-batch\n";
        QTest::newRow("replicas") << "--replicas 2"
                                  << "2 replicas of 4 devices, 8 micro-batches\n";
        QTest::newRow("replicas of stages")
            << "--stage-replicas 2,1"
            << "3 devices, 6 micro-batches, replicas of stages 2,1\n";
        QTest::newRow("recomputed replicas")
            << "--replicas 2 --recompute"
            << "2 replicas of 4 devices, 8 micro-batches, recompute\n";
        QTest::newRow("offload") << "--offload all --activation 5e7"
                                 << "4 devices, 8 micro-batches, offload\n";
        QTest::newRow("steps") << "--steps 2"
                               << "4 devices, 8 micro-batches, 2 steps\n";
    }

    void theHeadingIsThatOfTheSchedules()
    {
        QFETCH(QString, options);
        QFETCH(QString, heading);
        std::vector<std::string> words = {"compare", "1f1b"};
        for (const QString& word : options.split(' '))
            words.push_back(word.toStdString());
        const pw::test::Said said = pw::test::ran(words);
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
        QVERIFY2(QString::fromUtf8(said.out).startsWith(heading), said.out.constData());
        QVERIFY(!said.out.contains("Of their own"));
    }

    /// What stands above the table is of the families; a file has its own devices and times.
    void aFileOfAnotherShapeIsToldSo()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("a.pipewright.json").toStdString();
        QCOMPARE(pw::test::ran({"convert", "1f1b", file, "--devices", "2", "--forward", "3"}).code,
                 ExitCode::Good);
        const QString table = QString::fromUtf8(pw::test::ran({"compare", file, "1f1b"}).out);
        QVERIFY2(table.startsWith("4 devices, 8 micro-batches\nF 1 ms, B 1 ms, W 1 ms a stage\n"),
                 qPrintable(table));
        const QString flowing = table.simplified();
        QVERIFY2(flowing.contains(": 2 devices, 4 micro-batches; F 3 ms, B 1 ms, W 1 ms a stage"),
                 qPrintable(table));
        const QString alone = QString::fromUtf8(pw::test::ran({"compare", file}).out);
        QVERIFY(alone.startsWith("2 devices, 4 micro-batches\nF 3 ms"));
        QVERIFY(!alone.contains("Of their own shape"));
    }

    void noiseTellsOfFilesWithCostsOfTheirOwn()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("a.pipewright.json").toStdString();
        QCOMPARE(pw::test::ran({"convert", "1f1b", file, "--forward", "3"}).code, ExitCode::Good);
        const QString all = QString::fromUtf8(pw::test::ran({"noise", file, "zb-h1"}).out);
        QVERIFY2(all.startsWith("4 devices, 8 micro-batches\nF 1 ms, B 1 ms, W 1 ms a stage\n"),
                 qPrintable(all));
        QVERIFY2(all.contains("\nOf their own shape and costs\n") &&
                     all.simplified().contains("a.pipewright.json: 4 devices, 8 micro-batches; F 3 "
                                               "ms, B 1 ms, W 1 ms a stage"),
                 qPrintable(all));
        const QString same = QString::fromUtf8(pw::test::ran({"noise", "1f1b", "zb-v"}).out);
        QVERIFY2(!same.contains("of their own"), qPrintable(same));
    }

    void whatNoScheduleTakesIsAWrongLine_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("message");
        QTest::newRow("all and another")
            << QStringList{"all", "1f1b"} << "'all' already means every family; do not add others";
        QTest::newRow("lengths of segments")
            << QStringList{"1f1b", "--segment-lengths", "1,5"}
            << "none of these takes --segment-lengths: they have no segments";
    }

    void whatNoScheduleTakesIsAWrongLine()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        std::vector<std::string> line = {"compare"};
        for (const QString& word : words)
            line.push_back(word.toStdString());
        const pw::test::Said said = pw::test::ran(line);
        QCOMPARE(said.code, ExitCode::Usage);
        QVERIFY2(QString::fromUtf8(said.err).contains(message), said.err.constData());
    }
};

PW_TEST(TestCompareCommand)
#include "tst_compare_command.moc"

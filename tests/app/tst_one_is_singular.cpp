// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

// The smallest thing of each kind is said as one: "1 device", not "1 devices".

class TestOneIsSingular : public QObject
{
    Q_OBJECT

private slots:
    void oneIsSingular_data()
    {
        QTest::addColumn<QString>("line");
        const QString smallest = " --devices 1 --micro-batches 1";
        for (const char* line :
             {"simulate 1f1b", "explain 1f1b", "compare 1f1b", "compare all", "block 1f1b",
              "noise 1f1b --samples 1", "optimise 1f1b --time-limit 0.1",
              "optimise 1f1b --time-limit 0.1 --memory-limit 1mb", "communication 1f1b",
              "convert 1f1b --to svg", "convert 1f1b --to html", "emit megatron 1f1b",
              "emit torchtitan 1f1b", "simulate 1f1b --model tiny --layers 1",
              "run 1f1b --backend emulated --iterations 1 --warmup 0 --no-store"})
            QTest::newRow(line) << line + smallest;
        QTest::newRow("adapt")
            << "noise kfkb --adapt --devices 1 --global-batch 1 --iterations 1 --every 1";
        QTest::newRow("plan") << "plan --model tiny --global-batch 1 --gpus 1 --why";
    }

    void oneIsSingular()
    {
        QFETCH(QString, line);
        std::vector<std::string> words;
        for (const QString& word : line.split(' '))
            words.push_back(word.toStdString());
        const pw::test::Said said = pw::test::ran(words);
        QVERIFY2(said.code == pw::app::ExitCode::Good, said.err.constData());
        static const QRegularExpression many(
            "(?<![\\d.,–-])\\b1 (devices|stages|micro-batches|samples|iterations|orders|layers|"
            "passes|ranks|steps|runs|units|chunks|segments|switches|configurations|replicas)\\b");
        const QRegularExpressionMatch found = many.match(QString::fromUtf8(said.out));
        QVERIFY2(!found.hasMatch(), qPrintable(found.captured() + " in\n" + said.out));
    }
};

PW_TEST(TestOneIsSingular)
#include "tst_one_is_singular.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw::app;

namespace {

struct Ended
{
    ExitCode code = ExitCode::Good;
    QString out, err;
};

Ended ran(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

/// The beginning of a line for one shape.
QString oneShape()
{
    return QStringLiteral("plan --hidden 2048 --layers 24 --heads 16 --sequence 1024 --vocabulary "
                          "51200 --hardware a100 "
                          "--gpus 8 --global-batch 32 ");
}

} // namespace

class TestPlanCommand : public QObject
{
    Q_OBJECT

private slots:
    void rowsHaveTheFieldsOfTheManual()
    {
        const Ended ended = ran(oneShape() + QStringLiteral("--json --top 3"));
        QCOMPARE(ended.code, ExitCode::Good);
        const QJsonArray rows = QJsonDocument::fromJson(ended.out.toUtf8()).array();
        QCOMPARE(rows.size(), 3);
        QStringList wanted = {QStringLiteral("family"),
                              QStringLiteral("parameters"),
                              QStringLiteral("pipeline_parallel"),
                              QStringLiteral("tensor_parallel"),
                              QStringLiteral("data_parallel"),
                              QStringLiteral("context_parallel"),
                              QStringLiteral("expert_parallel"),
                              QStringLiteral("micro_batch_size"),
                              QStringLiteral("micro_batches"),
                              QStringLiteral("chunks"),
                              QStringLiteral("recompute"),
                              QStringLiteral("split"),
                              QStringLiteral("iteration_ms"),
                              QStringLiteral("tokens_per_second"),
                              QStringLiteral("mfu"),
                              QStringLiteral("peak_bytes"),
                              QStringLiteral("fits"),
                              QStringLiteral("reason")};
        wanted.sort();
        double before = 0;
        for (const QJsonValue& value : rows) {
            const QJsonObject row = value.toObject();
            QStringList names = row.keys();
            names.sort();
            QCOMPARE(names, wanted);
            QVERIFY(row[QStringLiteral("iteration_ms")].toDouble() >= before);
            before = row[QStringLiteral("iteration_ms")].toDouble();
            const double tokens = 32 * 1024 / (before / 1000);
            QVERIFY(qAbs(row[QStringLiteral("tokens_per_second")].toDouble() / tokens - 1) < 1e-9);
            int layers = 0;
            const QJsonArray split = row[QStringLiteral("split")].toArray();
            for (const QJsonValue& stage : split)
                layers += stage.toInt();
            QCOMPARE(layers, 24);
            QCOMPARE(row[QStringLiteral("peak_bytes")].toArray().size(),
                     row[QStringLiteral("pipeline_parallel")].toInt());
            QVERIFY(row[QStringLiteral("mfu")].toDouble() > 0 &&
                    row[QStringLiteral("mfu")].toDouble() < 1);
            QVERIFY(row[QStringLiteral("fits")].toBool());
        }
    }

    void oneConfigurationIsOnlyEvaluated()
    {
        const Ended ended = ran(
            oneShape() + QStringLiteral("--tensor-parallel 2 --pipeline-parallel 2 "
                                        "--data-parallel 2 --micro-batch-size 2 --recompute full "
                                        "--family 1f1b --json"));
        QCOMPARE(ended.code, ExitCode::Good);
        const QJsonArray rows = QJsonDocument::fromJson(ended.out.toUtf8()).array();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0][QStringLiteral("split")].toArray(), (QJsonArray{12, 12}));
        QCOMPARE(rows[0][QStringLiteral("micro_batches")].toInt(), 8);
        QCOMPARE(rows[0][QStringLiteral("recompute")].toString(), QStringLiteral("full"));
    }

    void wishesThatCannotBeSayWhatWould_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("says");
        QTest::newRow("heads") << QStringLiteral("--tensor-parallel 5") << QStringLiteral("4 or 8");
        QTest::newRow("family") << QStringLiteral("--family 1f1c") << QStringLiteral("1f1b");
        QTest::newRow("memory") << QStringLiteral("--memory 3") << QStringLiteral("--memory");
        QTest::newRow("split") << QStringLiteral("--split 1,2")
                               << QStringLiteral("the model has 24");
        QTest::newRow("experts") << QStringLiteral("--expert-parallel 2")
                                 << QStringLiteral("1 would");
    }

    void wishesThatCannotBeSayWhatWould()
    {
        QFETCH(QString, options);
        QFETCH(QString, says);
        const Ended ended = ran(oneShape() + options);
        QVERIFY(ended.code != ExitCode::Good);
        QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
    }

    void tablesExplain()
    {
        const Ended ended = ran(oneShape() + QStringLiteral("--why"));
        QCOMPARE(ended.code, ExitCode::Good);
        for (const char* part : {"Row 2", "matrix products", "activations", "one more GPU",
                                 "10 % more memory", "links twice as fast"})
            QVERIFY2(ended.out.contains(QLatin1String(part)), part);
    }

    void rowsBecomeProjectsAndFiles()
    {
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("plan.json"));
        const QString csv = folder.filePath(QStringLiteral("plan.csv"));
        const QString given =
            oneShape() + QStringLiteral("--tensor-parallel 2 --pipeline-parallel 4 "
                                        "--family zb-h1 --emit torch --output ");
        QCOMPARE(ran(given + csv + QStringLiteral(" --save ") + project).code, ExitCode::Good);
        QFile table(csv);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll().count('\n'), 4);
        const Ended simulated = ran(QStringLiteral("simulate ") + project);
        QVERIFY2(simulated.code == ExitCode::Good, qPrintable(simulated.err));
    }

    void papersPlannersAnswer()
    {
        const Ended pipeDream = ran(oneShape() + QStringLiteral("--planner pipedream --json"));
        QCOMPARE(pipeDream.code, ExitCode::Good);
        const QJsonObject stages = QJsonDocument::fromJson(pipeDream.out.toUtf8()).object();
        int replicas = 0;
        const QJsonArray list = stages[QStringLiteral("stages")].toArray();
        for (const QJsonValue& stage : list)
            replicas += stage[QStringLiteral("replicas")].toInt();
        QCOMPARE(replicas, 8);
        const Ended doubled = ran(oneShape() + QStringLiteral("--planner 2bw --json"));
        QCOMPARE(doubled.code, ExitCode::Good);
        const QJsonObject plan = QJsonDocument::fromJson(doubled.out.toUtf8()).object();
        QCOMPARE(plan[QStringLiteral("width")].toInt() * plan[QStringLiteral("depth")].toInt(), 8);
    }

    void measurementsBecomeConstants()
    {
        QTemporaryDir folder;
        const QString table = folder.filePath(QStringLiteral("measured.csv"));
        QFile file(table);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("gpus,global_batch,micro_batch,hidden,heads,layers,sequence,tensor_parallel,"
                   "data_parallel,pipeline_parallel,iteration_ms\n"
                   "8,32,4,1024,16,24,1024,2,2,2,219.7\n8,4,1,1024,16,16,1024,1,2,4,77.2\n");
        file.close();
        const QString constants = folder.filePath(QStringLiteral("constants.json"));
        const Ended fitted = ran(QStringLiteral("fit --measured ") + table +
                                 QStringLiteral(" --output ") + constants);
        QVERIFY2(fitted.code == ExitCode::Good, qPrintable(fitted.err));
        QVERIFY(ran(oneShape() + QStringLiteral("--json --constants ") + constants).code ==
                ExitCode::Good);
        QVERIFY(ran(oneShape() + QStringLiteral("--json --constants ") + table).code !=
                ExitCode::Good);
        QVERIFY(ran(QStringLiteral("fit --measured /nowhere.csv")).code != ExitCode::Good);
    }
};

PW_TEST(TestPlanCommand)
#include "tst_plan_command.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/sqlite.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <string>

using namespace pw;
using namespace pw::app;

/// Runs of emulated devices beside each other: `diff` says whether the later one is better.
class TestVerdict : public QObject
{
    Q_OBJECT

    QString store() const { return m_folder.filePath(QStringLiteral("runs.sqlite")); }

    void run(const QString& more)
    {
        const auto said =
            test::ranLine(QStringLiteral("run 1f1b --backend emulated --devices 2 "
                                         "--forward 3 --backward 3 --weight 3 %1 --store %2")
                              .arg(more, store()));
        QVERIFY2(said.code == ExitCode::Good, said.err.constData());
    }

    QJsonObject verdict(int before, int after, const QString& of = {}) const
    {
        const auto said = test::ranLine(QStringLiteral("diff %1 %2 --json --store %3")
                                            .arg(before)
                                            .arg(after)
                                            .arg(of.isEmpty() ? store() : of));
        return QJsonDocument::fromJson(said.out).object()["verdict"].toObject();
    }

    QTemporaryDir m_folder;

private slots:
    void initTestCase()
    {
        run(QStringLiteral("--iterations 5"));
        run(QStringLiteral("--iterations 5"));
        run(QStringLiteral("--iterations 5 --slow 0.1*1.5"));
        run(QStringLiteral("--iterations 5 --micro-batches 6"));
        run(QStringLiteral("--iterations 2"));
        run(QStringLiteral("--iterations 15 --micro-batches 8 --replicas 2 --slow 1.0*1.3"));
    }

    void likeRunsDoNotDiffer()
    {
        const QJsonObject found = verdict(1, 2);
        QCOMPARE(found["outcome"].toString(), QStringLiteral("no_difference"));
        QVERIFY(found["comparable"].toBool());
        QVERIFY(found["noise_ns"].toDouble() > 0);
        QCOMPARE(found["steps_before"].toInt(), 5);
    }

    void aSlowStageIsWorseAndNamed()
    {
        const QJsonObject found = verdict(1, 3);
        QCOMPARE(found["outcome"].toString(), QStringLiteral("worse"));
        QVERIFY(found["change"].toDouble() > .1);
        const QJsonObject change = found["changes"].toArray()[0].toObject();
        QCOMPARE(change["kind"].toString(), QStringLiteral("BW"));
        QCOMPARE(change["stage"].toInt(), 1);
        QCOMPARE(verdict(3, 1)["outcome"].toString(), QStringLiteral("better"));
        const auto said = test::ranLine(QStringLiteral("diff 1 3 --store %1").arg(store()));
        QVERIFY2(said.out.contains("worse: a step is"), said.out.constData());
        QVERIFY2(said.out.contains("BW of stage 1"), said.out.constData());
    }

    void unlikeRunsAreNotCompared()
    {
        const QJsonObject found = verdict(1, 4);
        QCOMPARE(found["outcome"].toString(), QStringLiteral("not_comparable"));
        QCOMPARE(found["differences"].toArray()[0].toObject()["what"].toString(),
                 QStringLiteral("micro_batches"));
        QCOMPARE(verdict(1, 5)["outcome"].toString(), QStringLiteral("too_few_steps"));
        // A run and its plan have no verdict.
        const auto plan = test::ranLine(QStringLiteral("diff 1 --json --store %1").arg(store()));
        QVERIFY(QJsonDocument::fromJson(plan.out).object()["verdict"].isNull());
    }

    /// Runs that were not emulated computed a model; every field of it counts.
    void anotherModelIsNotCompared_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("now");
        QTest::addColumn<QString>("what");
        QTest::newRow("width") << "hidden"
                               << "96"
                               << "model";
        QTest::newRow("element") << "element"
                                 << "'bfloat16'"
                                 << "model";
        QTest::newRow("samples") << "samples"
                                 << "2"
                                 << "batch";
    }

    void anotherModelIsNotCompared()
    {
        QFETCH(QString, field);
        QFETCH(QString, now);
        QFETCH(QString, what);
        const QString copy = m_folder.filePath(QStringLiteral("%1.sqlite").arg(field));
        QVERIFY(QFile::copy(store(), copy));
        const auto change = [&copy](const QString& sql) {
            const auto database = *Database::open(copy.toStdString(), Database::Mode::Write);
            QVERIFY(database->run(sql.toStdString().c_str(), "x"));
        };
        change(QStringLiteral("UPDATE run SET backend = 'cpu'"));
        QVERIFY(verdict(1, 2, copy)["comparable"].toBool());
        change(QStringLiteral("UPDATE run SET settings = json_set(settings, '$.model.%1', %2) "
                              "WHERE number = 2")
                   .arg(field, now));
        const QJsonObject found = verdict(1, 2, copy);
        QVERIFY(!found["comparable"].toBool());
        QCOMPARE(found["differences"].toArray()[0].toObject()["what"].toString(), what);
    }

    /// A run with replicas is shown as their job, with the worker that was slowed down.
    void aSlowWorkerIsNamed()
    {
        const auto shown = test::ranLine(QStringLiteral("show 6 --store %1").arg(store()));
        QVERIFY2(shown.out.contains("2 replicas of 2 stages"), shown.out.constData());
        QVERIFY2(shown.out.contains("1. stage 0 of replica 1 (rank 2) computes slowly"),
                 shown.out.constData());
        QVERIFY(!test::ranLine(QStringLiteral("show 1 --store %1").arg(store()))
                     .out.contains("The job"));
        const QString file = m_folder.filePath(QStringLiteral("run.json"));
        test::ranLine(QStringLiteral("export 6 --store %1 --output %2").arg(store(), file));
        const QJsonObject job =
            QJsonDocument::fromJson(test::ranLine(QStringLiteral("import %1 --json").arg(file)).out)
                .object()["job"]
                .toObject();
        QCOMPARE(job["replicas"].toInt(), 2);
        QCOMPARE(job["ranks"].toInt(), 4);
        const QJsonArray causes = job["causes"].toArray();
        QVERIFY(!causes.isEmpty());
        // A machine that others use may make a step slow; no other worker is accused.
        for (qsizetype i = 1; i < causes.size(); ++i)
            QVERIFY(causes[i].toObject()["kind"].toString() != QStringLiteral("slow_worker"));
        QCOMPARE(causes[0].toObject()["kind"].toString(), QStringLiteral("slow_worker"));
        QCOMPARE(causes[0].toObject()["rank"].toInt(), 2);
    }

    void slowWorkersThatAreNone_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("said");
        QTest::newRow("no factor") << "--slow 0.1"
                                   << "REPLICA.STAGE*FACTOR";
        QTest::newRow("no replica") << "--slow 1.1*2"
                                    << "replica";
        QTest::newRow("no stage") << "--slow 0.2*2"
                                  << "the stage is from 0 to 1";
        QTest::newRow("no time") << "--slow 0.1*0"
                                 << "the factor is from";
    }

    void slowWorkersThatAreNone()
    {
        QFETCH(QString, line);
        QFETCH(QString, said);
        const auto wrong = test::ranLine(
            QStringLiteral("run 1f1b --devices 2 --backend emulated --no-store ") + line);
        QVERIFY(wrong.code != ExitCode::Good);
        QVERIFY2(wrong.err.contains(said.toUtf8()), wrong.err.constData());
    }
};

PW_TEST(TestVerdict)
#include "tst_verdict.moc"

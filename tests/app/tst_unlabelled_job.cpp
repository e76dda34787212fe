// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/job_traces.h"
#include "tests/support/kineto_job.h"
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::app;

namespace {

QJsonObject importOf(const test::MadeJob& job, int kernels, bool labelled,
                     test::GroupsTold told = test::GroupsTold::InArguments)
{
    const QTemporaryDir folder;
    const std::string place = folder.path().toStdString();
    test::writeKinetoJob(place, job, kernels, labelled, told);
    const test::Said said = test::ran({"import", "--json", place});
    if (said.code != ExitCode::Good)
        qFatal("%s", said.err.constData());
    return QJsonDocument::fromJson(said.out).object();
}

bool near(const QJsonValue& a, const QJsonValue& b, double part)
{
    return std::abs(a.toDouble() - b.toDouble()) <= part * std::abs(b.toDouble());
}

/// What is accused, without the figures in which it is said.
QStringList accused(const QJsonObject& job)
{
    QStringList all;
    for (const QJsonValue& value : job["causes"].toArray()) {
        const QJsonObject cause = value.toObject();
        QString one = cause["kind"].toString();
        for (const char* key : {"replica", "stage", "rank", "step", "from", "to"})
            if (cause.contains(QLatin1String(key)))
                one += QStringLiteral(" %1 %2")
                           .arg(QLatin1String(key))
                           .arg(cause[QLatin1String(key)].toInt());
        all.append(one);
    }
    return all;
}

} // namespace

/// `import --json` of a job whose traces have kernels and messages but no label, beside the same
/// job with labels.
class TestUnlabelledJob : public QObject
{
    Q_OBJECT

private slots:
    void itIsToldAsWithLabels_data()
    {
        QTest::addColumn<int>("kernels");
        QTest::addColumn<QString>("planted");
        QTest::addColumn<bool>("forwardsFirst");
        QTest::addColumn<int>("chunks");
        for (const int kernels : {1, 5, 10})
            QTest::addRow("%d kernels, nothing planted", kernels)
                << kernels << QString() << false << 1;
        for (const char* planted :
             {"slow worker", "slow step", "heavy stage", "slow link", "long micro-batch"})
            QTest::addRow("2 kernels, %s", planted)
                << 2 << QString::fromLatin1(planted) << false << 1;
        for (const int kernels : {1, 3})
            QTest::addRow("GPipe, %d kernels", kernels) << kernels << QString() << true << 1;
        QTest::addRow("GPipe, slow worker") << 2 << QStringLiteral("slow worker") << true << 1;
        for (const int chunks : {2, 3})
            QTest::addRow("%d chunks", chunks) << 3 << QString() << false << chunks;
        QTest::addRow("2 chunks, slow worker") << 2 << QStringLiteral("slow worker") << false << 2;
    }

    void itIsToldAsWithLabels()
    {
        QFETCH(int, kernels);
        QFETCH(QString, planted);
        QFETCH(bool, forwardsFirst);
        QFETCH(int, chunks);
        test::MadeJob made;
        made.forwardsFirst = forwardsFirst;
        made.chunks = chunks;
        if (planted == QLatin1String("slow worker"))
            made.slowReplica = made.slowStage = 1;
        made.slowStep = planted == QLatin1String("slow step") ? 3 : -1;
        made.heavyStage = planted == QLatin1String("heavy stage") ? 2 : -1;
        if (planted == QLatin1String("slow link"))
            made.linkReplica = made.linkFrom = 1;
        if (planted == QLatin1String("long micro-batch")) {
            made.longReplica = 0;
            made.longMicroBatch = 3;
        }
        const QJsonObject whole = importOf(made, kernels, true);
        const QJsonObject found = importOf(made, kernels, false);
        const QJsonObject job = found["job"].toObject(), labelled = whole["job"].toObject();
        for (const char* key :
             {"replicas", "stages", "micro_batches", "steps", "ranks", "family", "step_ms"})
            QCOMPARE(job[QLatin1String(key)], labelled[QLatin1String(key)]);
        QCOMPARE(job["family"].toString(), chunks > 1      ? QStringLiteral("interleaved-1f1b")
                                           : forwardsFirst ? QStringLiteral("gpipe")
                                                           : QStringLiteral("1f1b"));
        for (const char* key : {"parallel", "replicas", "stages", "order", "links"})
            QVERIFY2(near(job["efficiency"][QLatin1String(key)],
                          labelled["efficiency"][QLatin1String(key)], 0.005),
                     key);
        const QJsonArray workers = job["workers"].toArray(), others = labelled["workers"].toArray();
        QCOMPARE(workers.size(), others.size());
        for (int i = 0; i < workers.size(); ++i) {
            QCOMPARE(workers[i]["rank"], others[i]["rank"]);
            for (const char* key : {"forward_ms", "backward_ms"})
                QVERIFY(near(workers[i][QLatin1String(key)], others[i][QLatin1String(key)], 0.01));
        }
        QCOMPARE(accused(job), accused(labelled));
        QCOMPARE(accused(job).isEmpty(), planted.isEmpty());
    }

    /// Of the groups themselves the kernels have the name alone, or a list that is cut.
    void groupsOfTheHeadPlaceRanks()
    {
        test::MadeJob made;
        made.slowReplica = made.slowStage = 1;
        const QJsonObject whole = importOf(made, 2, false)["job"].toObject();
        for (const test::GroupsTold told : {test::GroupsTold::InHead, test::GroupsTold::HeadAndCut})
            QCOMPARE(importOf(made, 2, false, told)["job"].toObject(), whole);
        QVERIFY(!accused(whole).isEmpty());
    }

    void groupsThatTheHeadHasOtherwiseAreToldOnce()
    {
        const QJsonObject found = importOf({}, 2, false, test::GroupsTold::Differently);
        QCOMPARE(found["job"], importOf({}, 2, false)["job"]);
        QStringList said;
        for (const QJsonValue& warning : found["warnings"].toArray())
            if (warning.toString().contains(QLatin1String("the head says")))
                said.append(warning.toString());
        QCOMPARE(said.size(), 1);
        QVERIFY2(said.front().contains(QLatin1String(
                     "process group 'pp0' has the ranks 0, 3, 6, 109, and its events say the "
                     "ranks 0, 3, 6, 9; 11 more files differ likewise; the events count")),
                 qPrintable(said.front()));
    }

    void whatIsInferredIsSaidToBe()
    {
        const QJsonObject found = importOf({}, 2, false);
        QCOMPARE(found["trust"]["counted"], found["passes"]);
        QVERIFY(found["passes"].toInt() > 0);
        const QJsonArray notes = found["notes"].toArray();
        QVERIFY(!notes.isEmpty());
        QVERIFY(notes.first().toString().contains(QLatin1String("inferred")));
    }
};

PW_TEST(TestUnlabelledJob)

#include "tst_unlabelled_job.moc"

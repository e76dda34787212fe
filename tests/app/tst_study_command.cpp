// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/delay_study.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw;
using namespace pw::app;

namespace {

struct Heard
{
    ExitCode code = ExitCode::Good;
    QString out, err;
};

Heard heard(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

/// Losses at the end of three seeds, around a number.
DelayCurves around(double loss)
{
    DelayCurves curves;
    for (const double aside : {-0.01, 0.0, 0.01})
        curves.losses.push_back({4.0, loss + aside, loss + aside, loss + aside});
    curves.runs = {1, 2, 3};
    return curves;
}

DelayedOptimizer studiedOptimizer(const char* name, double flushed, double delayed,
                                  double corrected)
{
    DelayedOptimizer one;
    one.name = name;
    one.of(DelayCase::Flushed) = around(flushed);
    one.of(DelayCase::Delayed) = around(delayed);
    one.of(DelayCase::Corrected) = around(corrected);
    // Seeds that agree on no gap exactly.
    one.of(DelayCase::Delayed).losses[0].assign(4, delayed);
    return one;
}

} // namespace

class TestStudyCommand : public QObject
{
    Q_OBJECT

private slots:
    void aClaimIsHeldAgainstWhatCameOut_data();
    void aClaimIsHeldAgainstWhatCameOut();
    void oneSeedProvesNothing();
    void everyTrainingIsKept();
    void anotherStudyIsRefused();
};

void TestStudyCommand::aClaimIsHeldAgainstWhatCameOut_data()
{
    using Verdict = DelayClaim::Verdict;
    QTest::addColumn<double>("adamW");
    QTest::addColumn<double>("muon");
    QTest::addColumn<double>("corrected");
    QTest::addColumn<Verdict>("nothing");
    QTest::addColumn<Verdict>("robust");
    QTest::addColumn<Verdict>("closes");
    QTest::newRow("as the later paper says")
        << 2.5 << 2.05 << 2.02 << Verdict::NotHeld << Verdict::Held << Verdict::Held;
    QTest::newRow("as the earlier paper says")
        << 2.001 << 2.0 << 2.0 << Verdict::Held << Verdict::Undecided << Verdict::Undecided;
    QTest::newRow("Muon suffers more")
        << 2.1 << 2.6 << 2.7 << Verdict::NotHeld << Verdict::NotHeld << Verdict::NotHeld;
    QTest::newRow("the correction helps one of two")
        << 2.9 << 2.1 << 2.08 << Verdict::NotHeld << Verdict::Held << Verdict::Undecided;
}

void TestStudyCommand::aClaimIsHeldAgainstWhatCameOut()
{
    QFETCH(double, adamW);
    QFETCH(double, muon);
    QFETCH(double, corrected);
    const std::vector<DelayClaim> claims =
        delayClaims({studiedOptimizer(delayAdamW, 2.0, adamW, corrected),
                     studiedOptimizer(delayMuon, 2.0, muon, corrected)});
    QCOMPARE(claims.size(), std::size_t{3});
    QTEST(claims[0].verdict, "nothing");
    QTEST(claims[1].verdict, "robust");
    QTEST(claims[2].verdict, "closes");
    QCOMPARE(claims[0].source, std::string("arXiv:2006.09503"));
}

/// Every one of them, with its losses; what is printed has them, and the bands of the curves.
void TestStudyCommand::oneSeedProvesNothing()
{
    std::vector<DelayedOptimizer> studied = {studiedOptimizer(delayAdamW, 1.6, 1.9, 1.7),
                                             studiedOptimizer(delayMuon, 1.6, 1.7, 1.65)};
    for (DelayedOptimizer& one : studied)
        for (DelayCurves& curves : one.curves)
            curves.losses.resize(1);
    for (const DelayClaim& claim : delayClaims(studied)) {
        QCOMPARE(claim.verdict, DelayClaim::Verdict::Undecided);
        QVERIFY2(claim.here.find("one seed is too few") != std::string::npos, claim.here.c_str());
        QVERIFY2(claim.here.find("±") == std::string::npos, claim.here.c_str());
    }
}

void TestStudyCommand::everyTrainingIsKept()
{
    const QTemporaryDir folder;
    const std::string store = folder.filePath(QStringLiteral("study.sqlite")).toStdString();
    const Heard all =
        heard({"study", "2bw", "--steps", "4", "--seeds", "2", "--json", "--store", store});
    QVERIFY2(all.code == ExitCode::Good, qPrintable(all.err));
    const QJsonObject told = QJsonDocument::fromJson(all.out.toUtf8()).object();
    const QJsonArray trainings = told[QLatin1String("trainings")].toArray();
    QCOMPARE(trainings.size(), 15);
    int runs = 0;
    for (const QJsonValue& each : trainings) {
        runs += static_cast<int>(each[QLatin1String("runs")].toArray().size());
        const QJsonArray losses = each[QLatin1String("loss")].toArray();
        QCOMPARE(losses.size(), 4);
        for (int step = 0; step < 4; ++step) {
            QVERIFY(each[QLatin1String("lowest")][step].toDouble() <= losses[step].toDouble());
            QVERIFY(each[QLatin1String("highest")][step].toDouble() >= losses[step].toDouble());
        }
    }
    QCOMPARE(runs, 30);
    // Nothing is old in the first two steps, but for the second gradient; all begin alike.
    QCOMPARE(trainings[0][QLatin1String("loss")][0].toDouble(),
             trainings[1][QLatin1String("loss")][0].toDouble());
    QCOMPARE(told[QLatin1String("claims")].toArray().size(), 3);
    const Heard kept = heard({"runs", "--json", "--store", store});
    const QJsonArray stored =
        QJsonDocument::fromJson(kept.out.toUtf8())[QLatin1String("runs")].toArray();
    QCOMPARE(stored.size(), 30);
    QVERIFY(kept.out.contains(QStringLiteral("Muon, corrected, seed 2")));
}

void TestStudyCommand::anotherStudyIsRefused()
{
    const Heard other = heard({"study", "gpipe"});
    QCOMPARE(other.code, ExitCode::Usage);
    QVERIFY2(other.err.contains(QStringLiteral("only 2bw")), qPrintable(other.err));
}

PW_TEST(TestStudyCommand)
#include "tst_study_command.moc"

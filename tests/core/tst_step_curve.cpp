// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/step_curve.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

using namespace pw;

namespace {

/// A curve of `count` iterations from 1 on: what `value` says, with normal noise.
StepCurve madeCurve(int count, const std::function<double(int)>& value, double noise = 0,
                    CurveOf of = CurveOf::Time)
{
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0, 1);
    StepCurve curve;
    curve.of = of;
    curve.unit = of == CurveOf::Time ? "ms" : "";
    for (int i = 1; i <= count; ++i)
        curve.points.push_back({i, value(i) + noise * normal(random)});
    return curve;
}

QString eventsText(const std::vector<CurveFinding>& findings)
{
    QStringList lines;
    for (const CurveFinding& one : findings)
        lines += QString("%1 %2-%3")
                     .arg(QString::fromUtf8(name(one.event).data()))
                     .arg(one.from)
                     .arg(one.to);
    return lines.join(", ");
}

} // namespace

class TestStepCurve : public QObject
{
    Q_OBJECT

private slots:
    void whatStandsOutIsFound_data()
    {
        QTest::addColumn<double>("noise"); // part of a time
        QTest::newRow("none") << 0.0;
        QTest::newRow("1 %") << 0.01;
        QTest::newRow("5 %") << 0.05;
    }
    void whatStandsOutIsFound()
    {
        QFETCH(double, noise);
        const double n = noise * 1000;
        const auto flat = [](int) { return 1000.0; };
        QCOMPARE(eventsText(findingsOf(madeCurve(300, flat, n))), QString());
        QCOMPARE(eventsText(findingsOf(madeCurve(
                     300, [](int i) { return i == 34 ? 2300.0 : 1000.0; }, n))),
                 QString("spike 34-34"));
        QCOMPARE(eventsText(findingsOf(madeCurve(
                     300, [](int i) { return i < 3 ? 9000.0 : 1000.0; }, n))),
                 QString("warm_up 1-2"));
        QCOMPARE(eventsText(findingsOf(madeCurve(
                     300, [](int i) { return i % 50 == 0 ? 1900.0 : 1000.0; }, n))),
                 QString("recurring 50-300"));
        const auto phase = findingsOf(madeCurve(
            300, [](int i) { return i > 100 && i <= 160 ? 1300.0 : 1000.0; }, n));
        QCOMPARE(phase.size(), std::size_t{1});
        QCOMPARE(phase[0].event, CurveEvent::Phase);
        QVERIFY2(std::abs(phase[0].from - 101) <= 2 && std::abs(phase[0].to - 160) <= 2,
                 qPrintable(eventsText(phase)));
        QVERIFY(std::abs(phase[0].value - 1300) < 30 && std::abs(phase[0].usual - 1000) < 30);
    }

    /// Of iterations that stand out together the longest is told, wherever among them it is.
    void theWorstOfAStretchIsTold()
    {
        const auto spike = findingsOf(madeCurve(300, [](int i) {
            return i == 34 ? 2300.0 : i == 35 ? 3100.0 : i == 36 ? 2500.0 : 1000.0;
        }));
        QCOMPARE(eventsText(spike), QString("spike 34-36"));
        QCOMPARE(spike[0].value, 3100.0);
        const auto warmUp = findingsOf(madeCurve(300, [](int i) {
            return i == 1 ? 4000.0 : i == 2 ? 9000.0 : 1000.0;
        }));
        QCOMPARE(eventsText(warmUp), QString("warm_up 1-2"));
        QCOMPARE(warmUp[0].value, 9000.0);
    }

    void aPhaseMayBeMostOfTheRun()
    {
        for (const int slow : {30, 100, 180, 220}) {
            const auto found = findingsOf(madeCurve(
                300, [slow](int i) { return i > 300 - slow ? 1100.0 : 1000.0; }, 10));
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found[0].to, 300);
            QVERIFY2(std::abs(found[0].from - (301 - slow)) <= 3, qPrintable(eventsText(found)));
            QVERIFY(found[0].sentence.english().find("longer than usual") != std::string::npos);
        }
    }

    void aSpikeWithinAPhaseIsOneOfItsOwn()
    {
        const auto found = findingsOf(madeCurve(
            100, [](int i) { return i == 60            ? 4000.0
                                    : i > 40 && i < 81 ? 1300.0
                                                       : 1000.0; }, 5));
        QCOMPARE(eventsText(found), QString("slow_phase 41-80, spike 60-60"));
        QVERIFY(std::abs(found[1].usual - 1300) < 20);
    }

    void whatRecursHidesNoOtherSpike()
    {
        const auto found = findingsOf(madeCurve(
            2000, [](int i) { return i == 777      ? 9000.0
                                     : i % 50 == 0 ? 1900.0
                                                   : 1000.0; }, 10));
        QCOMPARE(eventsText(found), QString("recurring 50-2000, spike 777-777"));
        QCOMPARE(found[0].every, 50);
        QCOMPARE(found[0].count, 40);
    }

    void noiseAccusesNobody()
    {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            std::mt19937 random(seed);
            std::normal_distribution<double> normal(1000, 20);
            StepCurve curve;
            for (int i = 1; i <= 1000; ++i)
                curve.points.push_back({i, normal(random)});
            QVERIFY2(
                findingsOf(curve).empty(),
                qPrintable(QString("seed %1: %2").arg(seed).arg(eventsText(findingsOf(curve)))));
        }
    }

    void fewPointsHaveNoSpike()
    {
        StepCurve curve;
        curve.points = {{1, 100}, {2, 300}, {3, 100}};
        QCOMPARE(eventsText(findingsOf(curve)), QString());
        curve.points = {{1, 100}, {2, 100}, {3, 300}, {4, 100}, {5, 100}};
        QCOMPARE(eventsText(findingsOf(curve)), QString("spike 3-3"));
        curve.points = {{1, 800}, {2, 100}, {3, 100}};
        QCOMPARE(eventsText(findingsOf(curve)), QString("warm_up 1-1"));
        curve.points = {{1, 100}};
        QCOMPARE(eventsText(findingsOf(curve)), QString());
    }

    /// Of three or four the longest is told only where the others are close by its measure.
    void theLongestOfFew_data()
    {
        QTest::addColumn<QList<double>>("times");
        QTest::addColumn<QString>("found");
        QTest::newRow("of three") << QList<double>{100, 150, 101} << "spike 2-2";
        QTest::newRow("the last") << QList<double>{100, 101, 150} << "spike 3-3";
        QTest::newRow("as spread as the rest") << QList<double>{100, 150, 110} << "";
        QTest::newRow("hardly longer") << QList<double>{100, 118, 100} << "";
        QTest::newRow("of four") << QList<double>{100, 108, 96, 150} << "spike 4-4";
        QTest::newRow("two of four") << QList<double>{100, 150, 100, 150} << "";
        QTest::newRow("the shortest") << QList<double>{100, 50, 100} << "";
        QTest::newRow("of two") << QList<double>{100, 200} << "";
        QTest::newRow("of five") << QList<double>{100, 100, 100, 200, 100} << "";
    }
    void theLongestOfFew()
    {
        QFETCH(const QList<double>, times);
        QFETCH(const QString, found);
        StepCurve curve;
        for (const double time : times)
            curve.points.push_back({static_cast<int>(curve.points.size()) + 1, time});
        QCOMPARE(eventsText(longestOfFew(curve)), found);
    }

    void linesOfSeveralIterationsSayWhich()
    {
        StepCurve curve;
        curve.unit = "ms";
        curve.interval = 10;
        for (int i = 1; i <= 20; ++i)
            curve.points.push_back({10 * i, i == 11 ? 1564.1 : 1380.0});
        const auto found = findingsOf(curve);
        QCOMPARE(eventsText(found), QString("spike 101-110"));
        QCOMPARE(QString::fromStdString(found[0].sentence),
                 QString("iterations 101 to 110: 13.3 % longer than usual: 1564.1 ms beside "
                         "1380.0 ms"));
    }

    void aThroughputThatDropsIsWorse()
    {
        const auto drop = madeCurve(
            100, [](int i) { return i > 60 && i < 81 ? 80.0 : 100.0; }, 0.5, CurveOf::Throughput);
        QCOMPARE(eventsText(findingsOf(drop)), QString("slow_phase 61-80"));
        // It says nothing beside the time that it follows from.
        auto time = drop;
        time.of = CurveOf::Time;
        for (CurvePoint& point : time.points)
            point.value = 1000 / point.value;
        const auto both = findingsOf(std::vector<StepCurve>{time, drop});
        QCOMPARE(both.size(), std::size_t{1});
        QCOMPARE(both[0].of, CurveOf::Time);
    }

    void aLossMayFallAndNotJump()
    {
        const auto falling = [](int i) { return 2 + 10 * std::exp(-i / 30.0); };
        QCOMPARE(eventsText(findingsOf(madeCurve(300, falling, 0.01, CurveOf::Loss))), QString());
        const auto jumps = findingsOf(madeCurve(
            300, [&](int i) { return falling(i) + (i == 120 ? 5 : 0); }, 0.01, CurveOf::Loss));
        QCOMPARE(eventsText(jumps), QString("spike 120-120"));
    }

    void iterationsOfATraceRunFromStartToStart()
    {
        RecoveredPipeline pipeline;
        Ticks at = 0;
        for (int i = 0; i < 8; ++i) {
            RecoveredIteration one;
            one.number = i;
            one.first = at;
            one.last = at + 80 * ticksPerMs;
            pipeline.iterations.push_back(one);
            at += (i == 4 ? 500 : 100) * ticksPerMs; // something happens behind its passes
        }
        const auto curves = curvesOf({}, pipeline);
        QCOMPARE(curves.size(), std::size_t{1});
        QCOMPARE(curves[0].points.size(), std::size_t{7});
        QCOMPARE(eventsText(findingsOf(curves)), QString("spike 4-4"));
        pipeline.iterations.erase(pipeline.iterations.begin() + 3);
        QCOMPARE(curvesOf({}, pipeline)[0].points[0].value, 80.0); // one is not told: makespans
    }

    void aTraceOfOneIterationHasNoCurve()
    {
        RecoveredPipeline pipeline;
        pipeline.iterations.resize(1);
        QVERIFY(curvesOf({}, pipeline).empty());
    }
};

PW_TEST(TestStepCurve)
#include "tst_step_curve.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/reference.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;

namespace {

UniformCosts someCosts(int which)
{
    UniformCosts costs;
    if (which == 1) {
        costs.forward = 3 * ticksPerMs;
        costs.backward = 2 * ticksPerMs;
        costs.hop = ticksPerMs / 2;
    } else if (which == 2) {
        costs.weight = 4 * ticksPerMs;
        costs.pair = 5 * ticksPerMs;
        costs.hop = ticksPerMs / 10;
    }
    return costs;
}

} // namespace

class TestReference : public QObject
{
    Q_OBJECT

private slots:
    void noFamilyEndsBeforeTheBound()
    {
        int seen = 0;
        for (const Family& family : allFamilies()) {
            if (family.search)
                continue;
            for (const int devices : {2, 4}) {
                for (const int which : {0, 1, 2}) {
                    FamilyOptions options;
                    options.devices = devices;
                    options.microBatches = 2 * devices;
                    const UniformCosts uniform = someCosts(which);
                    const auto schedule = buildUniform(family, options, uniform);
                    if (!schedule)
                        continue;
                    const Costs costs = expand(uniform, schedule->spec());
                    const auto result = simulate(*schedule, costs);
                    QVERIFY2(result, qPrintable(QString::fromUtf8(family.id.data())));
                    const Ticks bound = lowerBound(*schedule, costs, *result);
                    // At least the work of the busiest device.
                    for (const DeviceResult& device : result->devices)
                        QVERIFY(bound >= device.busy);
                    QVERIFY2(bound <= result->makespan,
                             qPrintable(QStringLiteral("%1: %2 > %3")
                                            .arg(QString::fromUtf8(family.id.data()))
                                            .arg(bound)
                                            .arg(result->makespan)));
                    ++seen;
                }
            }
        }
        QVERIFY(seen > 60);
    }

    void theBoundIsMetWhereTheFormulaSaysSo_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("milliseconds");
        // p = 4, m = 8, one millisecond each: 1F1B takes (m+p−1)(F+BW); ZB-V's last device starts
        // after three halves and works for 3m.
        QTest::newRow("1F1B") << QStringLiteral("1f1b") << 33.0;
        QTest::newRow("ZB-V") << QStringLiteral("zb-v") << 25.5;
    }

    void theBoundIsMetWhereTheFormulaSaysSo()
    {
        QFETCH(QString, id);
        QFETCH(double, milliseconds);
        const auto family = findFamily(id.toStdString());
        const FamilyOptions options;
        const auto schedule = buildUniform(**family, options, {});
        QVERIFY(schedule);
        const Costs costs = expand({}, schedule->spec());
        const auto result = simulate(*schedule, costs);
        QCOMPARE(result->makespan, ticksFromMs(milliseconds));
        QCOMPARE(lowerBound(*schedule, costs, *result), result->makespan);
    }

    void oneFOneBOfTheSameWorkIsOneFOneB_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"1f1b", "zb-v", "interleaved-1f1b", "seq1f1b", "gpipe", "zb-h1"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }

    void oneFOneBOfTheSameWorkIsOneFOneB()
    {
        QFETCH(QString, id);
        const auto family = findFamily(id.toStdString());
        FamilyOptions options;
        options.devices = 4;
        options.microBatches = 12;
        UniformCosts uniform;
        uniform.activation = 1 << 20;
        const auto spec = specOf(**family, options);
        QVERIFY(spec);
        const auto reference = oneFOneBOf(*spec, expand(uniform, *spec));
        QVERIFY2(reference, reference ? "" : reference.error().message.c_str());
        QCOMPARE(reference->result.makespan, (12 + 4 - 1) * 3 * ticksPerMs);
        QCOMPARE(peakMicroBatches(reference->result), 4.0);
        QCOMPARE(peakActivation(reference->result), Bytes{4 << 20});
    }

    void stagesThatCannotBeDealtAreRefused()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.routes = {Placement{{DeviceId(0), DeviceId(1), DeviceId(0)}}};
        const auto reference = oneFOneBOf(spec, expand({}, spec));
        QVERIFY(!reference);
        QCOMPARE(QString::fromStdString(reference.error().message),
                 QStringLiteral("3 stages do not deal evenly to 2 devices"));
    }
};

PW_TEST(TestReference)
#include "tst_reference.moc"

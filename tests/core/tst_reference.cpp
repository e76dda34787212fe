// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/reference.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;

class TestReference : public QObject
{
    Q_OBJECT

private slots:
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

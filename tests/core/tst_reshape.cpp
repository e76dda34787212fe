// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/reshape.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;

namespace {

/// The order of a family as one of its own.
Project ownOrder(std::string_view id, int devices, int microBatches, int steps = 1)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    options.steps = steps;
    options.updates = steps > 1;
    Project project;
    project.draft = draftOf(*buildUniform(**findFamily(id), options, {}));
    return project;
}

QString refusal(const Result<void>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

} // namespace

class TestReshape : public QObject
{
    Q_OBJECT

private slots:
    void moreMicroBatchesWaitForTheirPasses()
    {
        Project project = ownOrder("1f1b", 4, 8);
        PipelineSpec shape = project.draft.spec;
        shape.microBatches = 10;
        const DeviceOrders before = project.draft.orders;
        QCOMPARE(refusal(reshape(project, shape)), QString());
        QVERIFY(project.draft.orders == before);
        // F and BW of two micro-batches on four stages.
        QCOMPARE(problems(project.draft)->count, 2 * 4 * 2);
    }

    void laterStepsAreCountedOn()
    {
        Project project = ownOrder("1f1b", 2, 4, 3);
        PipelineSpec shape = project.draft.spec;
        shape.microBatches = 5;
        QCOMPARE(refusal(reshape(project, shape)), QString());
        // F and BW of one micro-batch on two stages in three steps; all others have their place.
        QCOMPARE(problems(project.draft)->count, 3 * 2 * 2);
        shape.microBatches = 4;
        QCOMPARE(refusal(reshape(project, shape)), QString());
        QVERIFY(project == ownOrder("1f1b", 2, 4, 3));
    }

    void newDevicesBeginEmpty()
    {
        Project project = ownOrder("1f1b", 4, 8);
        PipelineSpec shape = project.draft.spec;
        shape.devices = 6;
        shape.routes = {*placementOn(shape.routes.front(), 4, 6)};
        QCOMPARE(refusal(reshape(project, shape)), QString());
        QCOMPARE(project.draft.orders.size(), std::size_t{6});
        QVERIFY(project.draft.orders[5].empty());
        QCOMPARE(project.draft.spec.stages(), 6);
    }

    void whatWouldLoseItsPlaceIsNamed_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a device less")
            << QStringLiteral("1f1b") << 3 << 8
            << QStringLiteral("16 passes, the first F of micro-batch 0 on stage 3 on device 3, "
                              "would have no place; delete them first");
        QTest::newRow("a micro-batch less")
            << QStringLiteral("1f1b") << 4 << 7
            << QStringLiteral("8 passes, the first F of micro-batch 7 on stage 0 on device 0, "
                              "would have no place; delete them first");
        // Stage 5 of a V over four devices is on device 2, over five on device 4.
        QTest::newRow("a V that is longer")
            << QStringLiteral("zb-v") << 5 << 8
            << QStringLiteral("96 passes, the first F of micro-batch 0 on stage 7 on device 0, "
                              "would have no place; delete them first");
    }

    void whatWouldLoseItsPlaceIsNamed()
    {
        QFETCH(QString, id);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QFETCH(QString, expected);
        Project project = ownOrder(id.toStdString(), 4, 8);
        const Project before = project;
        PipelineSpec shape = project.draft.spec;
        shape.devices = devices;
        shape.microBatches = microBatches;
        shape.routes = {*placementOn(shape.routes.front(), 4, devices)};
        QCOMPARE(refusal(reshape(project, shape)), expected);
        QVERIFY(project == before);
    }

    void severalStepsHaveUpdates()
    {
        Project project = ownOrder("1f1b", 2, 4);
        PipelineSpec shape = project.draft.spec;
        shape.steps = 2;
        QCOMPARE(refusal(reshape(project, shape)), QString());
        QVERIFY(project.draft.spec.updates);
    }

    void aPlacementIsContinuedInItsKind_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"linear", "reversed", "looped", "v", "zigzag"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }

    void aPlacementIsContinuedInItsKind()
    {
        QFETCH(QString, kind);
        const auto make = [&](int devices) {
            return kind == QStringLiteral("linear")     ? Placement::linear(devices)
                   : kind == QStringLiteral("reversed") ? Placement::reversed(devices)
                   : kind == QStringLiteral("looped")   ? Placement::looped(devices, 3)
                   : kind == QStringLiteral("v")        ? Placement::vShape(devices)
                                                        : Placement::zigzag(devices, 2);
        };
        QVERIFY(*placementOn(make(4), 4, 7) == make(7));
        const auto own = placementOn(Placement{{DeviceId(0), DeviceId(2), DeviceId(1)}}, 3, 4);
        QVERIFY(!own);
        QCOMPARE(QString::fromStdString(own.error().message),
                 QStringLiteral("the placement 0 2 1 is a map of its own; give the one on 4 "
                                "devices"));
    }
};

PW_TEST(TestReshape)
#include "tst_reshape.moc"

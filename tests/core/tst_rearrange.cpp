// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/reorder.h"
#include "core/edit/rearrange.h"
#include "core/edit/sketch.h"
#include "core/io/schedule_text.h"
#include "tests/support/blocks.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;
using namespace pw::test;

namespace {

Project projectOf(Draft draft)
{
    Project project;
    project.draft = std::move(draft);
    project.costs = UniformCosts{};
    return project;
}

template<typename T>
T need(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

Project repeated(const char* family, int devices, int microBatches)
{
    const Arrangement arrangement = need(repeat(blockOf(family, devices), microBatches));
    return projectOf({arrangement.spec, ordersOf(arrangement)});
}

Ticks makespanOf(const Project& project)
{
    return need(draftTimes(need(draftOf(project)), costsOf(project))).times.makespan;
}

Project with(const Project& project, const Proposal& proposal)
{
    Project after = project;
    if (const auto applied = apply(after, proposal.edit); !applied)
        qFatal("%s", applied.error().message.c_str());
    return after;
}

} // namespace

class TestRearrange : public QObject
{
    Q_OBJECT

private slots:
    void warmUpAndCoolDownGetShorter_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"v-half", "v-min", "v-zb", "zb-h1"})
            QTest::newRow(family) << QByteArray(family);
    }
    void warmUpAndCoolDownGetShorter()
    {
        QFETCH(QByteArray, family);
        const Project before = repeated(family.constData(), 4, 8);
        const Proposal proposal = need(reorderPasses(before));
        const Project after = with(before, proposal);
        QVERIFY(need(problems(need(draftOf(after)))).none());
        const bool changed = !proposal.edit.changes.empty();
        QVERIFY(changed ? makespanOf(after) < makespanOf(before)
                        : makespanOf(after) == makespanOf(before));
        const auto peaks = [](const Project& project) {
            return need(draftTimes(project.draft, costsOf(project))).times.devices;
        };
        for (std::size_t device = 0; device < 4; ++device)
            QVERIFY(peaks(after)[device].peakShare <= peaks(before)[device].peakShare);
        // Once more there is nothing left that the same moves find, or it ends sooner still.
        const Proposal again = need(reorderPasses(after));
        QVERIFY(makespanOf(with(after, again)) <= makespanOf(after));
    }

    void anOrderThatLeavesTimeIsReordered()
    {
        // Every W waits for the end although the devices idle before it.
        const Project before = projectOf(need(
            readScheduleText("d0: F0 F1 F2 B0 B1 B2 W0 W1 W2\nd1: F0 B0 F1 B1 F2 B2 W0 W1 W2\n")));
        const Proposal proposal = need(reorderPasses(before));
        QVERIFY(!proposal.edit.changes.empty());
        QVERIFY(makespanOf(with(before, proposal)) < makespanOf(before));
    }

    void whatCannotBeReorderedIsNamed()
    {
        Project missing = projectOf(need(readScheduleText("d0: F0 F1 BW0\nd1: F0 BW0 F1 BW1\n")));
        const auto gone = reorderPasses(missing);
        QVERIFY(!gone);
        QVERIFY2(gone.error().message.english().find("micro-batch 1") != std::string::npos,
                 gone.error().message.c_str());
        Project pairs;
        pairs.costs = UniformCosts{};
        pairs.family = FamilyChoice{"dualpipe", sized(4, 8)};
        pairs.draft.spec = need(specOf(familyOf("dualpipe"), sized(4, 8)));
        const auto overlapped = reorderPasses(pairs);
        QVERIFY(!overlapped);
        QVERIFY2(overlapped.error().message.english().find("overlap") != std::string::npos,
                 overlapped.error().message.c_str());
    }

    void aMicroBatchIsRepeatedForThoseThatHaveNone()
    {
        PipelineSpec spec;
        spec.devices = 4;
        spec.microBatches = 8;
        spec.routes = {Placement::linear(4)};
        Project project = projectOf({spec, DeviceOrders(4)});
        const BuildingBlock block = blockOf("1f1b", 4);
        project = with(project, need(stamp(project, block, 1, Growth::Refuse)));
        const Project whole = with(project, need(repeatMicroBatch(project, 0)));
        QVERIFY(need(problems(whole.draft)).none());
        QCOMPARE(whole.draft.spec.microBatches, 8);
        // It interlocks as the same block does in one go.
        const Project blank = projectOf({spec, DeviceOrders(4)});
        const DraftTimes times = need(draftTimes(project.draft, costsOf(project)));
        const BuildingBlock own =
            need(blockOfMicroBatch(project.draft, times, costsOf(project), 0));
        QVERIFY(whole.draft == with(blank, need(stamp(blank, own, 8, Growth::Refuse))).draft);
        // Where all have theirs there is one more.
        const Project more = with(whole, need(repeatMicroBatch(whole, 0)));
        QCOMPARE(more.draft.spec.microBatches, 9);
        QVERIFY(need(problems(more.draft)).none());
    }

    void anUnfinishedMicroBatchIsNotRepeated()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.microBatches = 4;
        spec.routes = {Placement::linear(2)};
        Project project = projectOf({spec, DeviceOrders(2)});
        const auto none = repeatMicroBatch(project, 0);
        QVERIFY(!none);
        QVERIFY(none.error().message.english().find("no pass") != std::string::npos);
        project.draft.orders[0].push_back(single({PassKind::F, 0, StageId(0), 0, 0}));
        QVERIFY(!repeatMicroBatch(project, 0));
    }
};

PW_TEST(TestRearrange)
#include "tst_rearrange.moc"

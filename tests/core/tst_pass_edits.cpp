// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/pass_edits.h"
#include "core/families/family.h"
#include "core/model/recompute.h"
#include "core/sim/draft_times.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

constexpr Ticks ms = ticksPerMs;

Project projectFor(const char* id, int devices, int microBatches)
{
    const Family* family = *findFamily(id);
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    const PipelineSpec spec = *specOf(*family, options);
    Project project;
    project.draft = draftOf(*family->build(spec, options, expand(UniformCosts{}, spec)));
    return project;
}

Pass passAt(PassKind kind, StageId stage, int microBatch)
{
    Pass pass;
    pass.kind = kind;
    pass.stage = stage;
    pass.microBatch = microBatch;
    return pass;
}

Project edited(Project project, const Result<Edit>& edit)
{
    if (!edit)
        qFatal("%s", edit.error().message.c_str());
    if (const auto done = apply(project, *edit); !done)
        qFatal("%s", done.error().message.c_str());
    return project;
}

Ticks makespanOf(const Project& project)
{
    return draftTimes(project.draft, costsOf(project))->times.makespan;
}

} // namespace

/// What is said of single passes and of one device.
class TestPassEdits : public QObject
{
    Q_OBJECT

private slots:
    void aPassHasATimeOfItsOwnUntilItIsTakenBack()
    {
        const Project project = projectFor("1f1b", 4, 8);
        const std::vector<Pass> which = {passAt(PassKind::F, StageId(0), 0)};
        const Project longer = edited(project, passTimeEdit(project, which, 6 * ms));
        QCOMPARE(makespanOf(longer), makespanOf(project) + 5 * ms);
        QVERIFY(hasOwnTime(costsOf(longer), which.front()));
        QCOMPARE(costsOf(longer).single.size(), std::size_t{1});
        const Project twice = edited(longer, passTimeEdit(longer, which, 2 * ms));
        QCOMPARE(makespanOf(twice), makespanOf(project) + ms);
        const Project back = edited(twice, passTimeEdit(twice, which, std::nullopt));
        QCOMPARE(makespanOf(back), makespanOf(project));
        QVERIFY(costsOf(back) == costsOf(project));
    }

    void cellsAreRecomputedOneByOneAndBack()
    {
        const Project project = projectFor("1f1b", 4, 8);
        const std::vector<Pass> cells = cellsOf(std::vector{passAt(PassKind::BW, StageId(1), 3),
                                                            passAt(PassKind::F, StageId(1), 3),
                                                            passAt(PassKind::F, StageId(2), 0)});
        QCOMPARE(cells.size(), std::size_t{2});
        const Project again = edited(project, recomputeEdit(project.draft, cells, true));
        QVERIFY(recomputedCells(again.draft, cells) == std::vector<bool>({true, true}));
        const auto schedule = Schedule::make(again.draft.spec, again.draft.orders);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        std::size_t count = 0;
        for (const auto& order : again.draft.orders)
            for (std::size_t i = 0; i < order.size(); ++i)
                if (order[i].pass.kind == PassKind::R) {
                    ++count;
                    QVERIFY(isBackward(order[i + 1].pass.kind));
                    QCOMPARE(order[i].pass.microBatch, order[i + 1].pass.microBatch);
                }
        QCOMPARE(count, std::size_t{2});
        // The other one's R stays.
        const std::vector<Pass> one = {cells.front()};
        const Project less = edited(again, recomputeEdit(again.draft, one, false));
        QVERIFY(recomputedCells(less.draft, cells) == std::vector<bool>({false, true}));
        QVERIFY(!recomputeEdit(less.draft, one, false));
        const Project none =
            edited(less, recomputeEdit(less.draft, std::vector<Pass>{cells.back()}, false));
        QVERIFY(none.draft == project.draft);
    }

    void aWholeStageIsAsTheTransformMakesIt()
    {
        for (const char* id : {"1f1b", "zb-v", "dualpipe"}) {
            const Project project = projectFor(id, 4, 12);
            const StageId stages[] = {StageId(2)};
            const auto made =
                withRecompute(*Schedule::make(project.draft.spec, project.draft.orders), stages);
            QVERIFY2(made, id);
            const Project own =
                edited(project,
                       recomputeEdit(project.draft, cellsOfStage(project.draft, StageId(2)), true));
            QVERIFY2(own.draft == draftOf(*made), id);
            QVERIFY(!recomputeEdit(own.draft, cellsOfStage(own.draft, StageId(2)), true));
        }
    }

    void oneDeviceHasACap()
    {
        const Project project = projectFor("1f1b", 4, 8);
        const Project capped = edited(project, deviceCapEdit(project, DeviceId(2), Bytes{1} << 30));
        QCOMPARE(costsOf(capped).memoryCap, (std::vector<Bytes>{0, 0, Bytes{1} << 30, 0}));
        const Project free = edited(capped, deviceCapEdit(capped, DeviceId(2), std::nullopt));
        QVERIFY(costsOf(free) == costsOf(project));
        QVERIFY(deviceCapEdit(project, DeviceId(4), 1).error().message.english().find("0 to 3") !=
                std::string::npos);
        QVERIFY(!deviceCapEdit(project, DeviceId(0), 0));
    }

    void whatCannotBeIsNamed()
    {
        const Project project = projectFor("1f1b", 2, 2);
        const std::vector<Pass> none, one = {passAt(PassKind::F, StageId(0), 0)},
                                      far = {passAt(PassKind::F, StageId(9), 0)};
        QVERIFY(!passTimeEdit(project, none, ms));
        QVERIFY(!passTimeEdit(project, one, -1));
        QCOMPARE(passTimeEdit(project, one, longestPass + 1).error().code, ErrorCode::TooLarge);
        QVERIFY(!passTimeEdit(project, far, ms));
    }
};

PW_TEST(TestPassEdits)
#include "tst_pass_edits.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/pass_edits.h"
#include "core/edit/reshape.h"
#include "core/families/family.h"
#include "core/io/offload_text.h"
#include "core/io/project_file.h"
#include "core/model/offload.h"
#include "core/model/replicas.h"
#include "core/noise/noise.h"
#include "core/sim/simulator.h"
#include "tests/support/random_drafts.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace pw;

namespace {

Project offloadProject(const char* id, int devices, int microBatches)
{
    const Family* family = *findFamily(id);
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    Project project;
    project.family = FamilyChoice{id, options};
    project.draft.spec = *specOf(*family, options);
    project.costs = UniformCosts{};
    return project;
}

/// The same with an order of its own.
Project ownOffloadProject(const char* id, int devices, int microBatches)
{
    Project project = offloadProject(id, devices, microBatches);
    project.draft = draftOf(*scheduleOf(project));
    project.family.reset();
    return project;
}

Pass offloadCell(StageId stage, int microBatch)
{
    return {PassKind::F, 0, stage, microBatch, 0};
}

Edit offloadMust(Result<Edit> edit)
{
    if (!edit)
        qFatal("%s", edit.error().message.c_str());
    return *std::move(edit);
}

QString offloadMessage(const Error& error)
{
    return QString::fromStdString(error.message);
}

} // namespace

/// Which activations are offloaded: what is said, kept, edited and refused.
class TestOffload : public QObject
{
    Q_OBJECT

private slots:
    void aTextNamesCells_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("cells");
        QTest::addColumn<QString>("written");
        QTest::newRow("everything") << "all" << 32 << "0,1,2,3";
        QTest::newRow("two stages") << "0,2" << 16 << "0,2";
        QTest::newRow("a micro-batch") << "1:3" << 1 << "1:3";
        QTest::newRow("a range") << "1:2-4" << 3 << "1:2-4";
        QTest::newRow("ranges that meet") << "1:2-4,1:5,1:4-5" << 4 << "1:2-5";
        QTest::newRow("a range that is all") << "1:0-7" << 8 << "1";
        QTest::newRow("the one segment") << "3/0" << 8 << "3";
    }

    void aTextNamesCells()
    {
        QFETCH(QString, text);
        QFETCH(int, cells);
        QFETCH(QString, written);
        const PipelineSpec spec = offloadProject("1f1b", 4, 8).draft.spec;
        const auto read = parseOffload(text.toStdString(), spec);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(int(read->size()), cells);
        QCOMPARE(QString::fromStdString(offloadText(*read, spec)), written);
    }

    void aTextThatNamesNoCellsIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("nothing") << ""
                                 << "STAGE:FIRST-LAST";
        QTest::newRow("words") << "first"
                               << "'first' is none of STAGE";
        QTest::newRow("an empty item") << "0,,1"
                                       << "'' is none of";
        QTest::newRow("a stage too far") << "4"
                                         << "there is no stage 4; the last is 3";
        QTest::newRow("a micro-batch too far") << "0:8"
                                               << "no micro-batch 8; the last is 7";
        QTest::newRow("a segment too far") << "0/1"
                                           << "no segment 1; the last is 0";
        QTest::newRow("backwards") << "0:5-2"
                                   << "begins behind its end";
        QTest::newRow("below 0") << "-1"
                                 << "'-1' is none of";
        QTest::newRow("the same again and again") << "0,1,2,3,0,1,2,3,0"
                                                  << "again and again";
        QTest::newRow("a huge number") << "0:99999999999"
                                       << "is none of";
    }

    void aTextThatNamesNoCellsIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, why);
        const auto read = parseOffload(text.toStdString(), offloadProject("1f1b", 4, 8).draft.spec);
        QVERIFY(!read.has_value());
        QVERIFY2(offloadMessage(read.error()).contains(why), read.error().message.c_str());
    }

    void whatIsWrittenIsReadAgain()
    {
        std::mt19937 random(test::randomSeed());
        for (const Family& family : allFamilies()) {
            const PipelineSpec spec = test::familySchedule(family, random).spec();
            std::vector<Pass> cells;
            for (int i = 0; i < 40; ++i)
                cells.push_back({PassKind::F, 0, StageId(test::below(random, spec.stages())),
                                 test::below(random, spec.totalMicroBatches()),
                                 test::below(random, spec.segments())});
            cells = offloadedCells(std::move(cells), spec);
            const auto read = parseOffload(offloadText(cells, spec), spec);
            QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
            QCOMPARE(*read, cells);
        }
    }

    void aProjectFileKeepsThem()
    {
        for (const Project& made :
             {offloadProject("chimera", 4, 8), ownOffloadProject("1f1b", 4, 8)}) {
            Project project = made;
            project.offload.cells = *parseOffload("0:1-3,2", project.draft.spec);
            project.offload.link = {1500, 25e9};
            const auto text = writeProject(project);
            QVERIFY2(text.has_value(), text ? "" : text.error().message.c_str());
            QVERIFY(text->find("\"cells\": \"0:1-3,2\"") != std::string::npos);
            QVERIFY(*readProject(*text) == project);
        }
        // Without any, a file is as it ever was.
        QVERIFY(writeProject(offloadProject("1f1b", 4, 8))->find("offload") == std::string::npos);
    }

    void aProjectFileThatIsWrongIsRefused_data()
    {
        QTest::addColumn<QString>("offload");
        QTest::addColumn<QString>("why");
        QTest::newRow("a stage too far") << "{\"cells\": \"9\"}"
                                         << "offload.cells is impossible";
        QTest::newRow("no text") << "{\"cells\": 3}"
                                 << "offload.cells";
        QTest::newRow("a rate below 0") << "{\"bytes_per_second\": -1}"
                                        << "offload.bytes_per_second";
        QTest::newRow("a latency that is none") << "{\"latency_ns\": 0.5}"
                                                << "offload.latency_ns";
        QTest::newRow("a field too many") << "{\"stages\": \"0\"}"
                                          << "offload.stages";
    }

    void aProjectFileThatIsWrongIsRefused()
    {
        QFETCH(QString, offload);
        QFETCH(QString, why);
        std::string text = *writeProject(offloadProject("1f1b", 4, 8));
        text.insert(text.find('{') + 1, "\"offload\": " + offload.toStdString() + ",");
        const auto read = readProject(text);
        QVERIFY(!read.has_value());
        QVERIFY2(offloadMessage(read.error()).contains(why), read.error().message.c_str());
    }

    void aCopyThatTakesForeverIsRefused()
    {
        Project project = offloadProject("1f1b", 4, 8);
        const Schedule schedule = *scheduleOf(project);
        project.costs = UniformCosts{.activation = 1 << 30};
        project.offload.cells = *parseOffload("all", project.draft.spec);
        project.offload.link.bytesPerSecond = 1e-3;
        const auto result = simulate(schedule, costsOf(project));
        QVERIFY(!result.has_value());
        QVERIFY(offloadMessage(result.error()).contains("copies to the host"));
    }

    void anEditMarksAndTakesBack()
    {
        Project project = offloadProject("1f1b", 4, 8);
        const Project before = project;
        const std::vector<Pass> cells = {offloadCell(StageId(0), 1), offloadCell(StageId(0), 2)};
        const auto inverse = apply(project, offloadMust(offloadEdit(project, cells, true)));
        QVERIFY(inverse.has_value());
        // Of a family, too: its order is not touched.
        QVERIFY(project.family.has_value());
        QCOMPARE(project.offload.cells, cells);
        QCOMPARE(offloadedOf(project.offload, std::vector<Pass>{offloadCell(StageId(0), 2),
                                                                offloadCell(StageId(1), 2)}),
                 (std::vector<bool>{true, false}));
        QVERIFY(!offloadEdit(project, cells, true).has_value());
        const auto kept =
            apply(project, offloadMust(offloadEdit(
                               project, std::vector<Pass>{offloadCell(StageId(0), 1)}, false)));
        QCOMPARE(project.offload.cells, (std::vector<Pass>{offloadCell(StageId(0), 2)}));
        QVERIFY(apply(project, *kept).has_value());
        QVERIFY(apply(project, *inverse).has_value());
        QVERIFY(project == before);
        QVERIFY(!offloadEdit(project, cells, false).has_value());
        const auto outside =
            offloadEdit(project, std::vector<Pass>{offloadCell(StageId(9), 0)}, true);
        QVERIFY(offloadMessage(outside.error()).contains("stage 9"));
    }

    void otherCostsKeepThem()
    {
        Project project = offloadProject("1f1b", 4, 8);
        apply(project, offloadMust(offloadEdit(
                           project, std::vector<Pass>{offloadCell(StageId(1), 1)}, true)))
            .value();
        apply(project, offloadMust(hostLinkEdit(project, {0, 1e9}))).value();
        apply(project, offloadMust(passTimeEdit(
                           project, std::vector<Pass>{offloadCell(StageId(0), 0)}, 3 * ticksPerMs)))
            .value();
        apply(project, Edit{{SetCosts{UniformCosts{}}}}).value();
        QCOMPARE(project.offload.cells, (std::vector<Pass>{offloadCell(StageId(1), 1)}));
        QCOMPARE(project.offload.link.bytesPerSecond, 1e9);
        QCOMPARE(costsOf(project).offload, project.offload);
        QVERIFY(!hostLinkEdit(project, {0, -1}).has_value());
        QVERIFY(writeProject(project).has_value());
    }

    void anotherShapeKeepsWhatItHas()
    {
        Project project = offloadProject("1f1b", 4, 8);
        project.offload.cells = {offloadCell(StageId(0), 1), offloadCell(StageId(3), 7)};
        const Project before = project;
        const Project fewer = offloadProject("1f1b", 4, 4),
                      other = offloadProject("interleaved-1f1b", 4, 8);
        const auto back = apply(project, Edit{{SetSchedule{fewer.family, fewer.draft}}});
        QCOMPARE(project.offload.cells, (std::vector<Pass>{offloadCell(StageId(0), 1)}));
        QVERIFY(apply(project, *back).has_value());
        QVERIFY(project == before);
        // Stages of another number are other stages.
        const auto again = apply(project, Edit{{SetSchedule{other.family, other.draft}}});
        QVERIFY(project.offload.cells.empty());
        QVERIFY(apply(project, *again).has_value());
        QVERIFY(project == before);
        // So are those of other segments, on as many stages.
        const Project sliced = offloadProject("seq1f1b", 4, 8);
        QCOMPARE(sliced.draft.spec.stages(), project.draft.spec.stages());
        QVERIFY(sliced.draft.spec.segments() > 1);
        QVERIFY(apply(project, Edit{{SetSchedule{sliced.family, sliced.draft}}}).has_value());
        QVERIFY(project.offload.cells.empty());
    }

    void furtherStepsDoAsTheFirst()
    {
        Project project = ownOffloadProject("1f1b", 2, 4);
        project.offload.cells = {offloadCell(StageId(0), 1), offloadCell(StageId(1), 3)};
        PipelineSpec shape = project.draft.spec;
        shape.steps = 2;
        QVERIFY(reshape(project, shape).has_value());
        QCOMPARE(project.offload.cells,
                 (std::vector<Pass>{offloadCell(StageId(0), 1), offloadCell(StageId(0), 5),
                                    offloadCell(StageId(1), 3), offloadCell(StageId(1), 7)}));
    }

    void replicasDoTheSameEach()
    {
        Project project = offloadProject("1f1b", 2, 4);
        project.offload.cells = {offloadCell(StageId(0), 1)};
        const Schedule schedule = *scheduleOf(project);
        const Costs costs = costsOf(project);
        const auto two = withReplicas(schedule, 2);
        const Costs ofTwo = replicatedCosts(costs, schedule.spec(), 2);
        QCOMPARE(ofTwo.offload.cells.size(), std::size_t(2));
        const auto result = simulate(*two, ofTwo);
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        QCOMPARE(result->copies.size(), std::size_t(2));
    }

    void whoKnowsNoCopiesRefusesThem()
    {
        Project project = offloadProject("1f1b", 2, 4);
        project.offload.cells = {offloadCell(StageId(0), 1), offloadCell(StageId(0), 2)};
        const Schedule schedule = *scheduleOf(project);
        const auto noisy = NoisyRuns::make(schedule, costsOf(project));
        QVERIFY(!noisy.has_value());
        QVERIFY2(offloadMessage(noisy.error())
                     .contains("2 activations, the first of micro-batch 1 on "
                               "stage 0, are marked"),
                 noisy.error().message.c_str());
        QVERIFY(offloadMessage(NoisyRuns::make(schedule, costsOf(project)).error())
                    .contains("noise knows no copies to the host"));
    }
};

PW_TEST(TestOffload)
#include "tst_offload.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/families/family.h"
#include "tests/support/blocks.h"
#include "tests/support/test_program.h"
#include "ui/bench/bench_model.h"

#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace pw;
using namespace pw::ui;

namespace {

Pass pass(PassKind kind, StageId stage)
{
    return {kind, 0, stage, 0, 0};
}

double peakOf(const BenchModel& model)
{
    Share peak = 0;
    for (const DeviceLifespans& device : model.findings().lifespans)
        peak = std::max(peak, device.peak);
    return microBatchesFromShare(peak);
}

/// One random change, with any of the ways to make one; most are refused or change something.
void changeSomething(BenchModel& model, std::mt19937& random)
{
    const std::vector<BlockPass>& there = model.block().passes;
    std::vector<Pass> some;
    for (int i = 0; i < 3 && !there.empty(); ++i)
        some.push_back(there[random() % there.size()].pass);
    Result<void> done;
    switch (random() % 14) {
    case 0:
        done = model.startFromFamily(random() % 2 == 0 ? QStringLiteral("zb-h1")
                                                       : QStringLiteral("chimera"));
        break;
    case 1:
        model.clear();
        break;
    case 2:
        done = model.setDevices(1 + static_cast<int>(random() % 6));
        break;
    case 3:
        done = model.setPlacement(static_cast<PlacementShape>(random() % 5),
                                  1 + static_cast<int>(random() % 4));
        break;
    case 4:
        done = model.setInterval(1 + static_cast<Ticks>(random() % 12));
        break;
    case 5:
        done = model.setLeastInterval();
        break;
    case 6:
        done = model.resize(some, 1 + static_cast<Ticks>(random() % 3));
        break;
    case 7:
        done = model.split(some);
        break;
    case 8:
        done = model.join(some);
        break;
    case 9:
        done = model.remove(some);
        break;
    case 10:
        done = model.complete();
        break;
    case 11:
        done = model.fillWeights();
        break;
    case 12:
        model.setTitle(QString::number(random() % 5));
        break;
    default:
        done = model.move(some, static_cast<Ticks>(random() % 9) - 4,
                          random() % 2 == 0 ? InTheWay::Push : InTheWay::Refuse, random() % 2 == 0);
        break;
    }
    Q_UNUSED(done)
}

} // namespace

class TestBenchModel : public QObject
{
    Q_OBJECT

private slots:
    void theBenchBeginsWithABlockThatRepeats()
    {
        const BenchModel model;
        QCOMPARE(model.title(), QStringLiteral("V-Half"));
        QCOMPARE(model.block().devices, 4);
        QVERIFY(model.findings().refusal.isEmpty());
        QVERIFY(model.shape() == PlacementShape::V);
        QVERIFY(model.assembly().has_value());
        QVERIFY(!model.undoStack().canUndo());
    }

    void vBlocksComeToTheirPublishedFigures_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("p");
        QTest::addColumn<double>("peak");
        QTest::addColumn<int>("bubble"); // of the span, in passes of one chunk
        for (const int p : {4, 5, 6, 8}) {
            const int third = (p + 4) / 3;
            QTest::addRow("V-Min on %d devices", p)
                << "v-min" << p << double(third) << 6 * p - 1 - 6 * third + (p % 3 == 2 ? 4 : 0);
            QTest::addRow("V-Half on %d devices", p)
                << "v-half" << p << double((p + 2) / 2) << (p % 2 == 0 ? 3 * p - 7 : 3 * p - 4);
            QTest::addRow("V-ZB on %d devices", p) << "v-zb" << p << double(p) << 0;
        }
    }

    void vBlocksComeToTheirPublishedFigures()
    {
        QFETCH(QString, family);
        QFETCH(int, p);
        QFETCH(double, peak);
        QFETCH(int, bubble);
        BenchModel model;
        QVERIFY(model.setDevices(p).has_value());
        QVERIFY(model.startFromFamily(family).has_value());
        QVERIFY(model.setMicroBatches(3 * p).has_value());
        QCOMPARE(model.block().interval, Ticks{6});
        QCOMPARE(peakOf(model), peak);
        const Result<Assembly>& made = model.assembly();
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        QCOMPARE(microBatchesFromShare(made->reordered.figures.peak()), peak);
        QVERIFY2(made->reordered.figures.spanBubble.idle <= bubble,
                 qPrintable(QString::number(made->reordered.figures.spanBubble.idle)));
        QVERIFY(made->squeezed.figures.makespan <= made->repeated.figures.makespan);
        QVERIFY(made->reordered.figures.makespan <= made->squeezed.figures.makespan);
    }

    void everyFamilyWithABlockIsAPreset_data()
    {
        QTest::addColumn<QString>("family");
        for (const Family& family : allFamilies())
            if (family.block != nullptr)
                QTest::newRow(std::string(family.id).c_str())
                    << QString::fromStdString(std::string(family.id));
    }

    void everyFamilyWithABlockIsAPreset()
    {
        QFETCH(QString, family);
        BenchModel model;
        const Result<void> started = model.startFromFamily(family);
        QVERIFY2(started.has_value(), started ? "" : started.error().message.c_str());
        QVERIFY2(model.findings().refusal.isEmpty(), qPrintable(model.findings().refusal));
        QVERIFY(model.assembly().has_value());
        // Made for as many devices as are asked for while it is the family's.
        QVERIFY(model.setDevices(6).has_value());
        QCOMPARE(model.block().devices, 6);
        QVERIFY2(model.findings().refusal.isEmpty(), qPrintable(model.findings().refusal));
    }

    void aShorterIntervalCollidesAndSaysWhere()
    {
        BenchModel model;
        QVERIFY(model.setInterval(5).has_value());
        QVERIFY(!model.findings().collisions.empty());
        QVERIFY2(model.findings().refusal.contains(QStringLiteral("of interval 5")),
                 qPrintable(model.findings().refusal));
        QVERIFY(model.findings().unfinished.isEmpty());
        QCOMPARE(model.findings().lifespans.size(), std::size_t{4});
        QVERIFY(!model.assembly().has_value());
        QVERIFY(model.setLeastInterval().has_value());
        QCOMPARE(model.block().interval, Ticks{6});
        QVERIFY(model.findings().refusal.isEmpty());
        QVERIFY(!model.setInterval(0).has_value());
        QCOMPARE(model.block().interval, Ticks{6});
    }

    void aPlaceThatBreaksADependencyIsRefused()
    {
        BenchModel model;
        const BuildingBlock before = model.block();
        const Result<void> moved =
            model.move({pass(PassKind::F, StageId(1))}, -2, InTheWay::Refuse, false);
        QVERIFY(!moved);
        QVERIFY(moved.error().message.english().find("before F of micro-batch 0 on stage 0 ends") !=
                std::string::npos);
        QVERIFY(model.block() == before);
        QVERIFY(!model.undoStack().canUndo());
        QVERIFY(model.move({pass(PassKind::F, StageId(1))}, -2, InTheWay::Push, false).has_value());
        QVERIFY(model.findings().unfinished.isEmpty());
        QCOMPARE(model.title(), QStringLiteral("V-Half, changed"));
    }

    void aTrialLeavesNoTrace()
    {
        BenchModel model;
        const BuildingBlock before = model.block();
        const QString figures =
            QString::number(model.assembly()->reordered.figures.spanBubble.idle);
        QVERIFY(model.tryMove({pass(PassKind::F, StageId(0))}, -1, InTheWay::Refuse).has_value());
        QVERIFY(model.trying());
        QVERIFY(!(model.block() == before));
        QVERIFY(!model.tryMove({pass(PassKind::F, StageId(1))}, -9, InTheWay::Refuse).has_value());
        QVERIFY(model.block() == before);
        QVERIFY(model.tryInterval(5).has_value());
        QVERIFY(!model.findings().collisions.empty());
        model.clearTrial();
        QVERIFY(model.block() == before);
        QVERIFY(model.findings().refusal.isEmpty());
        QCOMPARE(QString::number(model.assembly()->reordered.figures.spanBubble.idle), figures);
        QVERIFY(!model.undoStack().canUndo());
    }

    void nudgesOfTheSamePassesAreOneStep()
    {
        BenchModel model;
        const BuildingBlock before = model.block();
        for (int i = 0; i < 3; ++i)
            QVERIFY(
                model.move({pass(PassKind::W, StageId(0))}, 6, InTheWay::Refuse, true).has_value());
        QCOMPARE(model.undoStack().count(), 1);
        QVERIFY(model.move({pass(PassKind::W, StageId(1))}, 6, InTheWay::Refuse, true).has_value());
        QCOMPARE(model.undoStack().count(), 2);
        model.undoStack().undo();
        model.undoStack().undo();
        QVERIFY(model.block() == before);
        // There and back again leaves nothing to undo.
        QVERIFY(model.move({pass(PassKind::W, StageId(0))}, 6, InTheWay::Refuse, true).has_value());
        QVERIFY(
            model.move({pass(PassKind::W, StageId(0))}, -6, InTheWay::Refuse, true).has_value());
        QVERIFY(model.block().passes == before.passes);
    }

    void whateverIsDoneIsUndoneAndRedone()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            BenchModel model;
            std::mt19937 random(seed);
            std::vector<BuildingBlock> seen = {model.block()};
            for (int i = 0; i < 40; ++i) {
                const int before = model.undoStack().index();
                changeSomething(model, random);
                const int now = model.undoStack().index();
                if (now > before)
                    seen.push_back(model.block());
                else if (now == before)
                    seen.back() = model.block(); // merged, or refused and the same
                else
                    seen.pop_back(); // merged to nothing
            }
            const auto label = QStringLiteral("seed %1").arg(seed).toUtf8();
            for (auto block = seen.rbegin(); block != seen.rend(); ++block) {
                QVERIFY2(model.block() == *block, label.constData());
                model.undoStack().undo();
            }
            for (std::size_t i = 1; i < seen.size(); ++i) {
                model.undoStack().redo();
                QVERIFY2(model.block() == seen[i], label.constData());
            }
        }
    }

    void anEmptyBenchSaysWhatIsMissingAndCompletes()
    {
        BenchModel model;
        model.clear();
        QVERIFY(model.block().passes.empty());
        QVERIFY2(model.findings().refusal.contains(
                     QStringLiteral("F of micro-batch 0 on stage 0 and 23 more")),
                 qPrintable(model.findings().refusal));
        QVERIFY(model.add({pass(PassKind::F, StageId(0)), 3, 1}).has_value());
        QVERIFY(!model.add({pass(PassKind::F, StageId(0)), 9, 1}).has_value());
        QVERIFY(!model.add({pass(PassKind::F, StageId(1)), 3, 1}).has_value());
        QVERIFY(model.complete().has_value());
        QVERIFY2(model.findings().refusal.isEmpty(), qPrintable(model.findings().refusal));
        QVERIFY(model.assembly().has_value());
    }

    void anotherPlacementIsAPlainBlockThatRepeats_data()
    {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("chunks");
        QTest::newRow("linear") << int(PlacementShape::Linear) << 1;
        QTest::newRow("V") << int(PlacementShape::V) << 2;
        QTest::newRow("looped thrice") << int(PlacementShape::Looped) << 3;
        QTest::newRow("two waves") << int(PlacementShape::Zigzag) << 4;
    }

    void anotherPlacementIsAPlainBlockThatRepeats()
    {
        QFETCH(int, shape);
        QFETCH(int, chunks);
        BenchModel model;
        QVERIFY(model.startFromFamily(QStringLiteral("dualpipe")).has_value());
        QVERIFY(model.shape() == PlacementShape::Own);
        QVERIFY(model.setPlacement(static_cast<PlacementShape>(shape), chunks).has_value());
        QCOMPARE(int(model.shape()), shape);
        QCOMPARE(model.chunks(), chunks);
        QVERIFY2(model.findings().refusal.isEmpty(), qPrintable(model.findings().refusal));
        QVERIFY(model.setDevices(3).has_value());
        QCOMPARE(int(model.shape()), shape);
        QVERIFY2(model.findings().refusal.isEmpty(), qPrintable(model.findings().refusal));
    }

    void limitsAreSaid()
    {
        BenchModel model;
        QVERIFY(!model.setDevices(65).has_value());
        QVERIFY(!model.setDevices(0).has_value());
        QVERIFY(!model.setMicroBatches(0).has_value());
        QVERIFY(!model.setPlacement(PlacementShape::Zigzag, 3).has_value());
        QVERIFY(!model.startFromFamily(QStringLiteral("gpipe")).has_value());
        QVERIFY(!model.startFromFamily(QStringLiteral("nothing")).has_value());
        QVERIFY(model.startFromFamily(QStringLiteral("interleaved-1f1b")).has_value());
        const Result<void> large = model.setDevices(64);
        QVERIFY(!large);
        QVERIFY(large.error().message.english().find("draws up to 2000") != std::string::npos);
        QCOMPARE(model.block().devices, 4);
        QCOMPARE(model.undoStack().count(), 1);
    }

    void theProjectOfAnArrangementRunsAsItIsDrawn_data()
    {
        vBlocksComeToTheirPublishedFigures_data();
    }

    void theProjectOfAnArrangementRunsAsItIsDrawn()
    {
        QFETCH(QString, family);
        QFETCH(int, p);
        BenchModel model;
        QVERIFY(model.setDevices(p).has_value());
        QVERIFY(model.startFromFamily(family).has_value());
        const Result<Assembly>& made = model.assembly();
        QVERIFY(made.has_value());
        const Project project = projectOf(model.block(), made->reordered.arrangement);
        QVERIFY(std::holds_alternative<UniformCosts>(project.costs));
        const Result<Schedule> schedule = scheduleOf(project);
        QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().message.c_str());
        const Result<SimResult> result = simulate(*schedule, costsOf(project));
        QVERIFY(result.has_value());
        QCOMPARE(result->makespan, made->reordered.figures.makespan * ticksPerMs);
        QCOMPARE(peakMicroBatches(*result), microBatchesFromShare(made->reordered.figures.peak()));
        QVERIFY(writeProject(project).has_value());
    }

    void unequalPassesKeepTheirDrawnTimes()
    {
        BenchModel model;
        QVERIFY(model.resize({pass(PassKind::F, StageId(2))}, 3).has_value());
        QVERIFY(model.setLeastInterval().has_value());
        const Result<Assembly>& made = model.assembly();
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        const Project project = projectOf(model.block(), made->squeezed.arrangement);
        QVERIFY(std::holds_alternative<Costs>(project.costs));
        const Result<SimResult> result = simulate(*scheduleOf(project), costsOf(project));
        QVERIFY(result.has_value());
        QCOMPARE(result->makespan, made->squeezed.figures.makespan * ticksPerMs);
    }
};

PW_TEST(TestBenchModel)
#include "tst_bench_model.moc"

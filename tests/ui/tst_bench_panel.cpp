// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/bench/bench_panel.h"
#include "ui/bench/block_find.h"
#include "ui/bench/block_view.h"
#include "ui/bench/residue_view.h"
#include "ui/bench/step_card.h"
#include "ui/bench/steps_view.h"
#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoGroup>
#include <QWheelEvent>

#include <cmath>

using namespace pw;
using namespace pw::ui;

namespace {

Pass pass(PassKind kind, StageId stage)
{
    return {kind, 0, stage, 0, 0};
}

Ticks startOf(const BenchModel& model, const Pass& which)
{
    for (const BlockPass& placed : model.block().passes) {
        if (placed.pass == which)
            return placed.start;
    }
    return -1'000;
}

} // namespace

class TestBenchPanel : public QObject
{
    Q_OBJECT

private:
    struct Fixture
    {
        BenchPanel panel;

        Fixture()
        {
            panel.resize(1'200, 800);
            panel.show();
            panel.activateWindow();
            if (!QTest::qWaitForWindowActive(&panel))
                qFatal("the panel does not become active");
            view().setFocus();
        }
        BenchModel& model() { return panel.model(); }
        BlockView& view() { return panel.blockView(); }
        QString state() { return panel.findChild<QLabel*>(QStringLiteral("state"))->text(); }
        QPoint middleOf(const Pass& which) { return view().rectangleOf(which).center().toPoint(); }
        QSpinBox* box(const QString& name)
        {
            const QList<QSpinBox*> all = panel.findChildren<QSpinBox*>();
            for (QSpinBox* one : all) {
                if (one->accessibleName() == name)
                    return one;
            }
            qFatal("no such field");
            return nullptr;
        }
        /// Drags from a point by some pixels, in small moves as a hand does.
        void drag(QPoint from, int by, Qt::KeyboardModifiers keys = {}, bool drop = true)
        {
            QWidget* area = view().viewport();
            QTest::mousePress(area, Qt::LeftButton, keys, from);
            for (int i = 1; i <= 10; ++i) {
                const QPointF to = from + QPointF(by * i / 10.0, 0);
                QMouseEvent move(QEvent::MouseMove, to, area->mapToGlobal(to), Qt::NoButton,
                                 Qt::LeftButton, keys);
                QApplication::sendEvent(area, &move);
            }
            if (drop)
                QTest::mouseRelease(area, Qt::LeftButton, keys, from + QPoint(by, 0));
        }
        int unit() { return qRound(view().xOf(1) - view().xOf(0)); }
    };

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QVERIFY(m_folder.isValid());
        qputenv("PIPEWRIGHT_STORE", (m_folder.path() + QStringLiteral("/runs.sqlite")).toUtf8());
        applyGround(*qApp, Ground::Light);
    }

    void aPassIsDraggedToAnotherUnit()
    {
        Fixture f;
        const Pass weight = pass(PassKind::W, StageId(0));
        f.view().select({weight});
        const Ticks before = startOf(f.model(), weight);
        f.drag(f.middleOf(weight), 3 * f.unit());
        QCOMPARE(startOf(f.model(), weight), before + 3);
        QCOMPARE(f.model().undoStack().count(), 1);
        QVERIFY(!f.model().trying());
        f.model().undoStack().undo();
        QCOMPARE(startOf(f.model(), weight), before);
    }

    void aPlaceThatBreaksADependencyIsRefusedInWords()
    {
        Fixture f;
        const Pass backward = pass(PassKind::B, StageId(7));
        f.view().select({backward});
        const BuildingBlock before = f.model().block();
        f.drag(f.middleOf(backward), -5 * f.unit(), {}, false);
        QVERIFY2(f.state().contains(QStringLiteral("would start at")), qPrintable(f.state()));
        QVERIFY(f.model().block() == before);
        QTest::mouseRelease(f.view().viewport(), Qt::LeftButton);
        QVERIFY(f.model().block() == before);
        QVERIFY(!f.model().undoStack().canUndo());
        QVERIFY2(f.state().contains(QStringLiteral("would start at")), qPrintable(f.state()));
    }

    void withShiftWhatIsInTheWayMovesAlong()
    {
        Fixture f;
        const Pass forward = pass(PassKind::F, StageId(0));
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, f.middleOf(forward));
        QCOMPARE(f.view().selection(), std::vector<Pass>{forward});
        const Ticks next = startOf(f.model(), pass(PassKind::F, StageId(1)));
        QTest::keyClick(&f.view(), Qt::Key_Right, Qt::ShiftModifier | Qt::AltModifier);
        QTest::keyClick(&f.view(), Qt::Key_Right, Qt::ShiftModifier | Qt::AltModifier);
        QCOMPARE(startOf(f.model(), forward), Ticks{2});
        QCOMPARE(startOf(f.model(), pass(PassKind::F, StageId(1))), std::max<Ticks>(next, 3));
        QVERIFY(f.model().findings().unfinished.isEmpty());
        QCOMPARE(f.model().undoStack().count(), 1); // nudges of one pass
    }

    void escapeTakesADragBack()
    {
        Fixture f;
        const Pass weight = pass(PassKind::W, StageId(0));
        f.view().select({weight});
        const BuildingBlock before = f.model().block();
        f.drag(f.middleOf(weight), 4 * f.unit(), {}, false);
        QVERIFY(f.model().trying());
        QTest::keyClick(&f.view(), Qt::Key_Escape);
        QVERIFY(!f.model().trying());
        QTest::mouseRelease(f.view().viewport(), Qt::LeftButton);
        QVERIFY(f.model().block() == before);
        QVERIFY(!f.model().undoStack().canUndo());
    }

    void theIntervalIsDraggedInTheRuler()
    {
        Fixture f;
        const QPoint handle = f.view().intervalHandle().center().toPoint();
        QVERIFY(f.view().intervalHandle().width() >= 24);
        f.drag(handle, -f.unit());
        QCOMPARE(f.model().block().interval, Ticks{5});
        QVERIFY(!f.model().findings().collisions.empty());
        QVERIFY2(f.state().contains(QStringLiteral("meet at")), qPrintable(f.state()));
        QCOMPARE(f.box(QStringLiteral("Interval"))->value(), 5);
        f.panel.action(QStringLiteral("least"))->trigger();
        QCOMPARE(f.model().block().interval, Ticks{6});
        QVERIFY2(f.state().contains(QStringLiteral("without a collision")), qPrintable(f.state()));
    }

    void aRedResidueSaysItsSentenceAndChoosesBothPasses()
    {
        Fixture f;
        f.box(QStringLiteral("Interval"))->setValue(5);
        const Collision one = f.model().findings().collisions.front();
        ResidueView& residues = f.panel.residueView();
        const QPoint cell = residues.cellOf(one.device, one.residue).center().toPoint();
        QVERIFY(residues.collisionAt(cell) != nullptr);
        QTest::mouseClick(&residues, Qt::LeftButton, {}, cell);
        QCOMPARE(f.view().selection(), (std::vector<Pass>{one.first.pass, one.second.pass}));
        QTest::mouseMove(&residues, cell + QPoint(1, 1));
        QTRY_VERIFY2(f.state().contains(QStringLiteral("of interval 5")), qPrintable(f.state()));
    }

    void thePeakStandsBesideItsFormula()
    {
        Fixture f;
        const ResidueView& residues = f.panel.residueView();
        QCOMPARE(residues.peakText(DeviceId(0)), QStringLiteral("peak 3 mb"));
        QCOMPARE(residues.formulaText(DeviceId(0)), QStringLiteral("½·(⌈30⁄6⌉ + ⌈6⁄6⌉) = 3"));
        QVERIFY(f.model().startFromFamily(QStringLiteral("1f1b")).has_value());
        for (const DeviceId device : Ids<DeviceId>(4)) {
            QCOMPARE(residues.peakText(device), QStringLiteral("peak %1 mb").arg(4 - device));
            QCOMPARE(residues.formulaText(device),
                     QStringLiteral("⌈%1⁄3⌉ = %2").arg(3 * (4 - device)).arg(4 - device));
        }
        f.model().clear();
        QVERIFY(residues.formulaText(DeviceId(0)).isEmpty());
    }

    /// A pass that goes on at the beginning of the folded interval is named in its parts, not over
    /// the edges.
    void noNameIsCutAtTheEdgesOfTheInterval()
    {
        Fixture f;
        QVERIFY(f.model().startFromFamily(QStringLiteral("1f1b")).has_value());
        QApplication::processEvents();
        const QImage image = f.panel.residueView().grab().toImage();
        const QRectF row = f.view().rowOf(DeviceId(1));
        const int top = static_cast<int>(row.top()) + 1;
        const int bottom = static_cast<int>(row.top() + f.view().passHeight()) - 1;
        const auto filled = [&](int x) {
            return image.pixelColor(x, top + 2).hslSaturation() > 60;
        };
        const int left = 10;
        QVERIFY(filled(left + 3));
        int right = left + 3;
        while (right + 1 < image.width() && (filled(right + 1) || filled(right + 3)))
            ++right;
        QVERIFY(right > left + 60);
        for (const int x : {left + 1, right - 3}) // a hairline ends the block
            for (int y = top; y < bottom; ++y)
                QVERIFY2(image.pixelColor(x, y).lightness() < 220,
                         qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
    }

    void theKeysChooseAndMovePasses()
    {
        Fixture f;
        f.view().setFocus();
        QTest::keyClick(&f.view(), Qt::Key_Right);
        QCOMPARE(f.view().selection(), std::vector<Pass>{pass(PassKind::F, StageId(0))});
        QTest::keyClick(&f.view(), Qt::Key_Period);
        QCOMPARE(f.view().selection().front(), pass(PassKind::F, StageId(7)));
        QTest::keyClick(&f.view(), Qt::Key_Comma);
        QCOMPARE(f.view().selection().front(), pass(PassKind::F, StageId(0)));
        QTest::keyClick(&f.view(), Qt::Key_Down);
        QCOMPARE(f.model().block().device(f.view().selection().front()), 1);
        QTest::keyClick(&f.view(), Qt::Key_Up);
        QCOMPARE(f.model().block().device(f.view().selection().front()), 0);
        f.view().select({pass(PassKind::F, StageId(0))});
        QTest::keyClick(&f.view(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(startOf(f.model(), pass(PassKind::F, StageId(0))), Ticks{-1});
        // By a whole interval nothing else of the fold changes.
        QTest::keyClick(&f.view(), Qt::Key_Left, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(startOf(f.model(), pass(PassKind::F, StageId(0))), Ticks{-7});
        QTest::keyClick(&f.view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(f.view().selection().size(), f.model().block().passes.size());
        QTest::keyClick(&f.view(), Qt::Key_Escape);
        QVERIFY(f.view().selection().empty());
        QTest::keyClick(&f.view(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY2(f.state().contains(QStringLiteral("Choose a pass first")), qPrintable(f.state()));
    }

    /// Where a block is long its units are narrow: passes still have letters, and the one that keys
    /// move stays in sight.
    void aLongBlockIsReadAndFollowed()
    {
        Fixture f;
        f.panel.resize(960, 620); // beside a lesson on a projector
        const Pass weight = pass(PassKind::W, StageId(0)), forward = pass(PassKind::F, StageId(0));
        const auto letters = [&f, &forward] {
            const QRect box = f.view().rectangleOf(forward).toRect().adjusted(2, 2, -3, -2);
            const QImage image = f.view().viewport()->grab(box).toImage();
            int found = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    found += image.pixelColor(x, y) == color(Role::Forward) ? 0 : 1;
            return found;
        };
        f.view().select({weight});
        while (startOf(f.model(), weight) < 29)
            QTest::keyClick(&f.view(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY2(f.unit() < 16, qPrintable(QString::number(f.unit())));
        QVERIFY(letters() > 10);
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&f.view(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY(f.view().viewport()->rect().contains(f.middleOf(weight)));
    }

    /// Along the arrows: from the last forward to its backward, from there to W and the next B.
    void theKeysWalkAlongWhatWaits()
    {
        Fixture f;
        f.view().select({pass(PassKind::F, StageId(6))});
        QTest::keyClick(&f.view(), Qt::Key_BracketRight);
        QCOMPARE(f.view().selection().front(), pass(PassKind::F, StageId(7)));
        QTest::keyClick(&f.view(), Qt::Key_BraceRight);
        QCOMPARE(f.view().selection().front(), pass(PassKind::B, StageId(6)));
        QTest::keyClick(&f.view(), Qt::Key_BraceRight);
        QTest::keyClick(&f.view(), Qt::Key_BracketRight);
        QCOMPARE(f.view().selection().front(), pass(PassKind::B, StageId(7)));
        QTest::keyClick(&f.view(), Qt::Key_BracketLeft);
        QCOMPARE(f.view().selection().front(), pass(PassKind::F, StageId(7)));
        // What nothing waits for stays chosen.
        f.view().select({pass(PassKind::W, StageId(0))});
        QTest::keyClick(&f.view(), Qt::Key_BracketRight);
        QCOMPARE(f.view().selection().front(), pass(PassKind::W, StageId(0)));
    }

    void passesAreFoundAsOnTheTimeline()
    {
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("v-half"));
        window.commands().action(QStringLiteral("schedule.bench"))->trigger();
        auto* bench = qobject_cast<BenchPage*>(window.page());
        QVERIFY(bench != nullptr);
        BlockView& view = bench->panel().blockView();
        auto* state = bench->findChild<QLabel*>(QStringLiteral("find-state"));
        window.commands().action(QStringLiteral("view.find"))->trigger();
        QLineEdit& field = bench->panel().find().field();
        field.setText(QStringLiteral("stage 2"));
        QCOMPARE(state->text(), QStringLiteral("3 passes"));
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(view.selection(), std::vector<Pass>{pass(PassKind::F, StageId(2))});
        QCOMPARE(state->text(), QStringLiteral("1 of 3"));
        window.commands().action(QStringLiteral("view.find-next"))->trigger();
        QCOMPARE(view.selection(), std::vector<Pass>{pass(PassKind::B, StageId(2))});
        QTest::keyClick(&field, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(&field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(view.selection(), std::vector<Pass>{pass(PassKind::W, StageId(2))});
        field.setText(QStringLiteral("stage 77"));
        QCOMPARE(state->text(), QStringLiteral("no pass"));
        QTest::keyClick(&field, Qt::Key_Escape);
        QVERIFY(field.text().isEmpty());
        QVERIFY(state->text().isEmpty());
    }

    /// Numbers of passes can be read at first, however long the block is; 0 shows everything.
    void aLongBlockShowsItsBegin()
    {
        Fixture f;
        QVERIFY(f.view().range().showsAll());
        QVERIFY(f.model().setDevices(32).has_value());
        QVERIFY(!f.view().range().showsAll());
        QVERIFY(f.view().rectangleOf(pass(PassKind::F, StageId(0))).width() >= 8);
        QTest::keyClick(&f.view(), Qt::Key_0);
        QVERIFY(f.view().range().showsAll());
        // What somebody has asked for stays.
        QVERIFY(f.model().setInterval(7).has_value());
        QVERIFY(f.view().range().showsAll());
    }

    void aBandChoosesWhatItTouches()
    {
        Fixture f;
        const QRectF first = f.view().rectangleOf(pass(PassKind::F, StageId(0)));
        const QPoint from(qRound(first.right()) + 2, qRound(first.bottom()) + 2);
        QTest::mousePress(f.view().viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
        const QPointF to(first.left() + 2, first.top() + 3);
        QMouseEvent move(QEvent::MouseMove, to, f.view().viewport()->mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(f.view().viewport(), &move);
        QTest::mouseRelease(f.view().viewport(), Qt::LeftButton, {}, to.toPoint());
        QCOMPARE(f.view().selection(), std::vector<Pass>{pass(PassKind::F, StageId(0))});
    }

    void anEmptyBlockIsDrawnByDoubleClicks()
    {
        Fixture f;
        f.model().clear();
        QWidget* area = f.view().viewport();
        const auto point = [&](DeviceId device, Ticks time) {
            return QPoint(qRound(f.view().xOf(time)) + f.unit() / 2,
                          qRound(f.view().rowOf(device).top()) + 8);
        };
        QTest::mouseDClick(area, Qt::LeftButton, {}, point(DeviceId(0), 2));
        QCOMPARE(startOf(f.model(), pass(PassKind::F, StageId(0))), Ticks{2});
        QTest::mouseDClick(area, Qt::LeftButton, {}, point(DeviceId(1), 2));
        QCOMPARE(f.model().block().passes.size(), std::size_t{1});
        QVERIFY2(f.state().contains(QStringLiteral("before F of micro-batch 0 on stage 0 ends")),
                 qPrintable(f.state()));
        QTest::mouseDClick(area, Qt::LeftButton, {}, point(DeviceId(1), 4));
        QCOMPARE(startOf(f.model(), pass(PassKind::F, StageId(1))), Ticks{4});
        QTest::keyClick(&f.view(), Qt::Key_C);
        QVERIFY2(f.model().findings().refusal.isEmpty(), qPrintable(f.state()));
    }

    void toolsChangeTheChosenPasses()
    {
        Fixture f;
        QVERIFY(f.model().startFromFamily(QStringLiteral("1f1b")).has_value());
        f.view().select({{PassKind::BW, 0, StageId(3), 0, 0}});
        QTest::keyClick(&f.view(), Qt::Key_X);
        QVERIFY(startOf(f.model(), pass(PassKind::W, StageId(3))) > 0);
        QVERIFY(startOf(f.model(), pass(PassKind::BW, StageId(2))) > 0);
        f.panel.action(QStringLiteral("join"))->trigger();
        QCOMPARE(startOf(f.model(), pass(PassKind::W, StageId(3))), Ticks{-1'000});
        f.view().select({pass(PassKind::F, StageId(3))});
        QSpinBox* lasts = f.box(QStringLiteral("Lasts"));
        QCOMPARE(lasts->value(), 1);
        lasts->setValue(2);
        QCOMPARE(f.view().rectangleOf(pass(PassKind::F, StageId(3))).width(),
                 2 * f.view().rectangleOf(pass(PassKind::F, StageId(2))).width());
        QTest::keyClick(&f.view(), Qt::Key_Delete);
        QCOMPARE(startOf(f.model(), pass(PassKind::F, StageId(3))), Ticks{-1'000});
        QVERIFY2(f.state().contains(QStringLiteral("Missing: F of micro-batch 0 on stage 3")),
                 qPrintable(f.state()));
        QTest::keyClick(&f.view(), Qt::Key_Delete);
        QVERIFY2(f.state().contains(QStringLiteral("Choose passes first")), qPrintable(f.state()));
    }

    void fieldsShowTheBlockAndRefuseWhatCannotBe()
    {
        Fixture f;
        f.box(QStringLiteral("Devices"))->setValue(6);
        QCOMPARE(f.model().block().devices, 6);
        QCOMPARE(f.model().title(), QStringLiteral("V-Half"));
        auto* placement = f.panel.findChild<QComboBox*>();
        QCOMPARE(placement->currentText(), QStringLiteral("V"));
        placement->setCurrentIndex(int(PlacementShape::Looped));
        Q_EMIT placement->activated(int(PlacementShape::Looped));
        QVERIFY(f.model().shape() == PlacementShape::Looped);
        f.box(QStringLiteral("Chunks"))->setValue(3);
        QCOMPARE(f.model().chunks(), 3);
        QCOMPARE(f.box(QStringLiteral("Interval"))->value(), 9);
        f.model().undoStack().undo();
        f.model().undoStack().undo();
        QCOMPARE(f.box(QStringLiteral("Devices"))->value(), 4);
        QCOMPARE(placement->currentText(), QStringLiteral("V"));
        QVERIFY(f.model().startFromFamily(QStringLiteral("interleaved-1f1b")).has_value());
        f.box(QStringLiteral("Devices"))->setValue(64);
        QCOMPARE(f.box(QStringLiteral("Devices"))->value(), 4);
        QVERIFY2(f.state().contains(QStringLiteral("draws up to")), qPrintable(f.state()));
    }

    void theStartMenuHasFamiliesAndNothing()
    {
        Fixture f;
        Q_EMIT f.panel.startMenu().aboutToShow();
        const auto named = [&](const QString& name) {
            return f.panel.startMenu().findChild<QAction*>(name);
        };
        QVERIFY(named(QStringLiteral("v-min")) != nullptr);
        QVERIFY(named(QStringLiteral("gpipe")) == nullptr);
        named(QStringLiteral("v-zb"))->trigger();
        QCOMPARE(f.model().title(), QStringLiteral("V-ZB"));
        Q_EMIT f.panel.startMenu().aboutToShow();
        named(QStringLiteral("empty"))->trigger();
        QVERIFY(f.model().block().passes.empty());
    }

    void stagesAreMadeOneAfterAnotherAndFollowTheBlock()
    {
        Fixture f;
        StepsView& steps = f.panel.steps();
        QCOMPARE(steps.reached(), 0);
        QVERIFY(steps.card(BenchStage::Repeated).figures().empty());
        QTest::mouseClick(&steps.card(BenchStage::Repeated), Qt::LeftButton);
        QCOMPARE(steps.card(BenchStage::Repeated).figures().size(), std::size_t{4});
        QVERIFY(steps.card(BenchStage::Squeezed).figures().empty());
        QTest::keyClick(&steps.card(BenchStage::Squeezed), Qt::Key_Space);
        QTest::mouseClick(&steps.card(BenchStage::Reordered), Qt::LeftButton);
        const Assembly& made = *f.model().assembly();
        const auto makespan = [&](BenchStage stage) {
            return steps.card(stage).figures()[2].value;
        };
        QCOMPARE(makespan(BenchStage::Repeated), QString::number(made.repeated.figures.makespan));
        QCOMPARE(makespan(BenchStage::Reordered), QString::number(made.reordered.figures.makespan));
        QCOMPARE(steps.card(BenchStage::Squeezed).figures()[2].change,
                 QStringLiteral("−%1").arg(made.repeated.figures.makespan -
                                           made.squeezed.figures.makespan));
        QCOMPARE(steps.timeline().lanes()->end(), made.reordered.figures.makespan);
        QVERIFY(steps.changeText().contains(QStringLiteral("start at another time")));
        // The block changes, and what it becomes with it.
        f.box(QStringLiteral("Micro-batches"))->setValue(12);
        QCOMPARE(makespan(BenchStage::Reordered),
                 QString::number(f.model().assembly()->reordered.figures.makespan));
        f.box(QStringLiteral("Interval"))->setValue(5);
        QVERIFY(steps.card(BenchStage::Repeated).figures().empty());
        QVERIFY2(steps.card(BenchStage::Repeated).reason().contains(QStringLiteral("meet at")),
                 qPrintable(steps.card(BenchStage::Repeated).reason()));
    }

    void theArrangementGoesIntoTheScheduleAndBack()
    {
        MainWindow window;
        window.resize(1'400, 900);
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("v-half"));
        const Project before = schedule.document().project();
        window.commands().action(QStringLiteral("schedule.bench"))->trigger();
        window.commands().action(QStringLiteral("schedule.reorder"))->trigger();
        auto* bench = qobject_cast<BenchPage*>(window.page());
        QVERIFY(bench != nullptr);
        QVERIFY(bench->target() == &schedule);
        // The bench begins with what the schedule is made of.
        QCOMPARE(bench->panel().model().title(), QStringLiteral("V-Half"));
        QCOMPARE(bench->panel().model().microBatches(), before.draft.spec.microBatches);
        QVERIFY(!bench->modified());
        QCOMPARE(bench->panel().steps().reached(), 3);

        QVERIFY(bench->use(false).has_value());
        QVERIFY(window.page() == &schedule);
        QVERIFY(schedule.document().schedule() != nullptr);
        QVERIFY(!schedule.document().project().family);
        const Assembly& made = *bench->panel().model().assembly();
        QCOMPARE(schedule.document().draft().orders, ordersOf(made.reordered.arrangement));
        // Half a millisecond a chunk.
        QCOMPARE(schedule.document().result().makespan,
                 made.reordered.figures.makespan * ticksPerMs / 2);
        QCOMPARE(schedule.document().undoStack().count(), 1);
        schedule.document().undoStack().undo();
        QVERIFY(schedule.document().project() == before);
    }

    void aBlockIsKeptAndKeptAgain()
    {
        MainWindow window;
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("1f1b"));
        window.commands().action(QStringLiteral("schedule.bench"))->trigger();
        auto* bench = qobject_cast<BenchPage*>(window.page());
        QVERIFY(bench != nullptr);
        BenchModel& model = bench->panel().model();
        QCOMPARE(model.title(), QStringLiteral("1F1B"));
        model.setTitle(QStringLiteral("Mine"));
        QVERIFY(bench->modified());
        QVERIFY(bench->save(false));
        QVERIFY(!bench->modified());
        QCOMPARE(schedule.document().project().blocks.size(), std::size_t{1});
        QCOMPARE(schedule.document().project().blocks.front(), model.block());
        QVERIFY(model.setInterval(4).has_value());
        QVERIFY(bench->keep().has_value());
        QCOMPARE(schedule.document().project().blocks.size(), std::size_t{1});
        QCOMPARE(schedule.document().project().blocks.front().interval, Ticks{4});
        schedule.document().undoStack().undo();
        QCOMPARE(schedule.document().project().blocks.front().interval, Ticks{3});
        // The window's undo is the bench's while it is in front.
        QVERIFY(window.undoGroup().activeStack() == &model.undoStack());
        window.showPage(&schedule);
        QVERIFY(window.undoGroup().activeStack() == &schedule.document().undoStack());
    }

    void theSelectedMicroBatchComesToTheBench()
    {
        MainWindow window;
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("zb-h1"));
        window.commands().action(QStringLiteral("schedule.bench"))->trigger();
        auto* bench = qobject_cast<BenchPage*>(window.page());
        QVERIFY(bench != nullptr);
        const auto strand = [&] {
            Q_EMIT bench->panel().startMenu().aboutToShow();
            bench->panel().startMenu().findChild<QAction*>(QStringLiteral("strand"))->trigger();
        };
        strand();
        QCOMPARE(bench->panel().model().title(), QStringLiteral("ZB-H1"));
        QVERIFY(!bench->modified());
        schedule.timeline().select({0, 5});
        strand();
        QVERIFY2(bench->panel().model().title().startsWith(QStringLiteral("Micro-batch")),
                 qPrintable(bench->panel().model().title()));
        QCOMPARE(bench->panel().model().block().passes.size(), std::size_t{12});
        QVERIFY(bench->panel().model().findings().unfinished.isEmpty());
    }

    void withoutAScheduleTheArrangementOpensOne()
    {
        MainWindow window;
        window.show();
        window.commands().action(QStringLiteral("schedule.squeeze"))->trigger();
        auto* bench = qobject_cast<BenchPage*>(window.page());
        QVERIFY(bench != nullptr);
        QVERIFY(!bench->keep().has_value());
        QVERIFY(bench->use(false).has_value());
        QVERIFY(window.schedulePage() != nullptr);
        const ScheduleDocument& made = window.schedulePage()->document();
        QVERIFY(made.schedule() != nullptr);
        QCOMPARE(made.project().blocks.size(), std::size_t{1});
        const Assembly& assembly = *bench->panel().model().assembly();
        QCOMPARE(made.result().makespan, assembly.squeezed.figures.makespan * ticksPerMs);
        // There is one bench; it is brought back.
        window.commands().action(QStringLiteral("schedule.bench"))->trigger();
        QVERIFY(window.page() == bench);
    }

    /// As on the timeline: it zooms around the pointer, and moves along with Shift.
    void theWheelZoomsAndPans()
    {
        Fixture f;
        QVERIFY(f.model().startFromFamily(QStringLiteral("zb-h1")).has_value());
        const auto turn = [&](int notches, Qt::KeyboardModifiers keys) {
            const QPointF at(400, 40);
            QWheelEvent event(at, f.view().viewport()->mapToGlobal(at), {}, {0, 120 * notches},
                              Qt::NoButton, keys, Qt::NoScrollPhase, false);
            QApplication::sendEvent(f.view().viewport(), &event);
        };
        const Pass first = f.model().block().passes.front().pass;
        const double wide = f.view().rectangleOf(first).width();
        for (int i = 0; i < 3; ++i)
            turn(1, Qt::NoModifier);
        const double zoomed = f.view().rectangleOf(first).width();
        QVERIFY(std::abs(zoomed - wide * 1.25 * 1.25 * 1.25) < 1e-6 * zoomed);
        const double time = f.view().scale().time(400.0);
        turn(1, Qt::ControlModifier);
        QVERIFY(std::abs(f.view().scale().x(time) - 400) < 1e-6);
        const double before = f.view().range().begin();
        turn(-1, Qt::ShiftModifier);
        QVERIFY(f.view().range().begin() > before);
        turn(1, Qt::ShiftModifier);
        QVERIFY(std::abs(f.view().range().begin() - before) < 1e-6);
    }

    void everythingIsDrawnInEverySize_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << "v-half" << 4 << false;
        QTest::newRow("dark, many devices") << "v-zb" << 16 << true;
        QTest::newRow("groups of micro-batches") << "interleaved-1f1b" << 4 << false;
        QTest::newRow("two routes") << "chimera" << 4 << true;
        QTest::newRow("segments") << "seq1f1b" << 2 << false;
    }

    void everythingIsDrawnInEverySize()
    {
        QFETCH(QString, family);
        QFETCH(int, devices);
        QFETCH(bool, dark);
        applyGround(*qApp, dark ? Ground::Dark : Ground::Light);
        Fixture f;
        QVERIFY(f.model().setDevices(devices).has_value());
        QVERIFY(f.model().startFromFamily(family).has_value());
        f.panel.steps().choose(BenchStage::Reordered);
        for (const QSize size : {QSize(1'600, 1'000), QSize(700, 600)}) {
            f.panel.resize(size);
            QApplication::processEvents();
            const QImage image = f.view().viewport()->grab().toImage();
            // A pass is on the picture in its own colour.
            const BlockPass& first = f.model().block().passes.front();
            f.view().select({first.pass});
            const QRectF box = f.view().rectangleOf(first.pass);
            QVERIFY(box.width() >= 5);
            const QPoint inside(qRound(box.left()) + 3, qRound(box.top()) + 4);
            if (!image.rect().contains(inside))
                continue;
            const QColor seen = f.view().viewport()->grab().toImage().pixelColor(inside);
            const QColor expected =
                color(roleOf(first.pass.kind, f.view().lookOf(first.pass).tint));
            QVERIFY2(std::abs(seen.hslHue() - expected.hslHue()) < 12,
                     qPrintable(seen.name() + expected.name()));
        }
        applyGround(*qApp, Ground::Light);
    }

private:
    QTemporaryDir m_folder;
};

PW_WINDOW_TEST(TestBenchPanel)
#include "tst_bench_panel.moc"

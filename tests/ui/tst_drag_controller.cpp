// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/drag.h"
#include "core/io/schedule_text.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/drag_controller.h"
#include "ui/window/schedule_page.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr int patience = 60'000; ///< with a view that moves on by itself

} // namespace

class TestDragController : public QObject
{
    Q_OBJECT

private:
    /// A page with an order over two devices and four micro-batches, every pass 1 ms.
    struct Fixture
    {
        SchedulePage page;

        explicit Fixture(const char* orders = gpipe)
        {
            Result<Draft> draft =
                readScheduleText(std::string("devices: 2\nmicro-batches: 4\n") + orders);
            if (!draft)
                qFatal("%s", draft.error().message.c_str());
            Project project;
            project.draft = *std::move(draft);
            page.document().reset(std::move(project));
            page.resize(1300, 700);
            page.show();
        }
        static constexpr const char* gpipe = "d0: F0 F1 F2 F3 BW0 BW1 BW2 BW3\n"
                                             "d1: F0 F1 F2 F3 BW0 BW1 BW2 BW3\n";

        TimelineView& view() { return page.timeline(); }
        ScheduleDocument& document() { return page.document(); }
        QPoint middleOf(SpanRef span) { return view().rectangleOf(span).center().toPoint(); }
        int pixels(double ms)
        {
            return static_cast<int>(ms * static_cast<double>(ticksPerMs) /
                                    view().scale().ticksPerPixel);
        }
        void press(SpanRef span, Qt::KeyboardModifiers keys = {})
        {
            m_at = middleOf(span);
            m_keys = keys;
            QTest::mousePress(view().viewport(), Qt::LeftButton, keys, m_at);
        }
        void moveBy(double ms)
        {
            QTest::mouseMove(view().viewport(), m_at + QPoint(pixels(ms), 0));
        }
        void release(double ms)
        {
            QTest::mouseRelease(view().viewport(), Qt::LeftButton, m_keys,
                                m_at + QPoint(pixels(ms), 0));
        }
        QString order(std::size_t device)
        {
            QStringList words;
            for (const OrderEntry& entry : document().draft().orders[device])
                words += text(name(entry.pass.kind)) + QString::number(entry.pass.microBatch);
            return words.join(QLatin1Char(' '));
        }
        Ghost ghostOf(PassKind kind, int lane, int microBatch)
        {
            for (const Ghost& ghost : view().overlay().ghosts)
                if (ghost.lane == lane && ghost.pass.kind == kind &&
                    ghost.pass.microBatch == microBatch)
                    return ghost;
            return {};
        }

    private:
        QPoint m_at;
        Qt::KeyboardModifiers m_keys;
    };

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void aPassIsDraggedBehindTheNext()
    {
        Fixture f;
        const Project before = f.document().project();
        f.press({1, 0});
        f.moveBy(1);
        // Nothing has changed yet, but it is seen what would be.
        QVERIFY(f.document().project() == before);
        QVERIFY(f.page.drag().trial() != nullptr);
        QVERIFY(!f.view().overlay().ghosts.empty());
        f.release(1);
        QCOMPARE(f.order(1), QStringLiteral("F1 F0 F2 F3 BW0 BW1 BW2 BW3"));
        QCOMPARE(f.order(0), QStringLiteral("F0 F1 F2 F3 BW0 BW1 BW2 BW3"));
        QVERIFY(f.page.drag().trial() == nullptr);
        QVERIFY(f.view().overlay().ghosts.empty());
        // The pass stays selected where it has come to.
        QVERIFY((f.view().current() == SpanRef{1, 1}));
        QCOMPARE(f.document().undoStack().count(), 1);
        QCOMPARE(f.document().undoStack().undoText(),
                 QStringLiteral("Move F of micro-batch 0 on stage 1"));
        f.document().undoStack().undo();
        QVERIFY(f.document().project() == before);
    }

    void theTrialIsWhatTheDropGives()
    {
        Fixture f;
        f.press({0, 1});
        f.moveBy(2);
        const Draft draft = f.page.drag().trial()->draft();
        const DraftTimes times = f.page.drag().trial()->times();
        f.release(2);
        QVERIFY(f.document().draft() == draft);
        QVERIFY(f.document().times() == times);
    }

    void whatIsPushedIsSeenWhereItIsPushedTo()
    {
        Fixture f;
        // F3 on device 0 pushes its F on device 1 along.
        f.press({0, 3});
        f.moveBy(1.6);
        const Ghost own = f.ghostOf(PassKind::F, 0, 3);
        const Ghost pushed = f.ghostOf(PassKind::F, 1, 3);
        QCOMPARE(own.end - own.start, ticksPerMs);
        QVERIFY(own.start > 3 * ticksPerMs);
        QVERIFY2(pushed.start >= own.end, qPrintable(QString::number(pushed.start)));
        f.release(1.6);
    }

    void atTheEdgeTheViewMovesOnUnderTheDrag()
    {
        Fixture f;
        const ScheduleDocument& document = f.document();
        f.page.range().show(0, static_cast<double>(8 * ticksPerMs));
        f.press({1, 1});
        QTest::mouseMove(f.view().viewport(), {f.view().viewport()->width() - 2, 80});
        QTRY_VERIFY_WITH_TIMEOUT(
            f.page.range().end() >= static_cast<double>(document.result().makespan), patience);
        // The pass has come along to where the pointer is now: to the end of its device.
        QVERIFY(f.page.drag().trial() != nullptr);
        const double length = f.page.range().length();
        QTest::keyClick(&f.view(), Qt::Key_Escape);
        QVERIFY(f.page.drag().trial() == nullptr);
        // Nothing moves once nothing is dragged, and nothing was zoomed.
        const double begin = f.page.range().begin();
        QTest::qWait(0);
        QCOMPARE(f.page.range().begin(), begin);
        QCOMPARE(f.page.range().length(), length);
        QVERIFY(std::abs(length - static_cast<double>(8 * ticksPerMs)) < 2);
        QCOMPARE(f.document().undoStack().count(), 0);
    }

    void escapeLeavesNoTrace()
    {
        Fixture f;
        const Project before = f.document().project();
        const QImage picture = f.page.grab().toImage();
        f.press({0, 0});
        const QImage pressed = f.page.grab().toImage();
        QSignalSpy figures(&f.page, &Page::figuresTried);
        f.moveBy(2.5);
        QVERIFY(figures.count() > 0);
        QVERIFY(figures.last().at(0).toString() != f.page.figures());
        QTest::keyClick(&f.view(), Qt::Key_Escape);
        QCOMPARE(figures.last().at(0).toString(), f.page.figures());
        QVERIFY(f.page.drag().trial() == nullptr);
        QVERIFY(f.document().project() == before);
        QCOMPARE(f.document().undoStack().count(), 0);
        f.release(2.5);
        QVERIFY(f.document().project() == before);
        QCOMPARE(f.page.grab().toImage(), pressed);
        f.view().select({});
        QCOMPARE(f.page.grab().toImage(), picture);
    }

    /// An order that never ends has no makespan that another could be compared with.
    void whatMendsARingIsNotComparedWithIt()
    {
        Fixture f("d0: F0 BW0 F1 F2 F3 BW1 BW2 BW3\n"
                  "d1: F1 F0 BW0 F2 F3 BW1 BW2 BW3\n");
        QSignalSpy figures(&f.page, &Page::figuresTried);
        f.press({0, 2});
        QString told;
        for (double ms = -0.5; ms > -8 && !told.contains(QLatin1Char('%')); ms -= 0.5) {
            f.moveBy(ms);
            told = figures.isEmpty() ? QString() : figures.last().at(0).toString();
        }
        QVERIFY2(told.startsWith(QStringLiteral("makespan")), qPrintable(told));
        QVERIFY2(!told.contains(QLatin1Char('(')), qPrintable(told));
    }

    void aPlaceBeforeItsInputIsRefusedInWords()
    {
        Fixture f;
        QSignalSpy refused(&f.page.drag(), &DragController::refused);
        const Project before = f.document().project();
        f.press({1, 4});
        f.moveBy(-4.5);
        QVERIFY(f.page.drag().refusal());
        QVERIFY2(f.page.drag().hint().contains(QStringLiteral("cannot start before")),
                 qPrintable(f.page.drag().hint()));
        f.release(-4.5);
        QCOMPARE(refused.count(), 1);
        // It goes as far as the rules let it: behind its own F, over what it does not need.
        QCOMPARE(f.order(1), QStringLiteral("F0 BW0 F1 F2 F3 BW1 BW2 BW3"));
        f.document().undoStack().undo();
        QVERIFY(f.document().project() == before);
    }

    void inFreeEditTheRuleIsBrokenAndListed()
    {
        Fixture f;
        f.document().setFreeEdit(true);
        f.press({1, 4});
        f.moveBy(-4.9);
        QVERIFY(!f.page.drag().refusal());
        QVERIFY(f.page.drag().hint().contains(QStringLiteral("BW before F")));
        f.release(-4.9);
        QCOMPARE(f.order(1), QStringLiteral("BW0 F0 F1 F2 F3 BW1 BW2 BW3"));
        QVERIFY(!f.document().schedule());
        QVERIFY(!f.document().problems().none());
        f.document().undoStack().undo();
        QVERIFY(f.document().schedule());
    }

    void theWholeMicroBatchMovesWithShift()
    {
        Fixture f;
        f.press({0, 0}, Qt::ShiftModifier);
        f.moveBy(1.3);
        QCOMPARE(f.view().overlay().selected.size(), std::size_t{4});
        f.release(1.3);
        // F0 and BW0 of both devices have gone back by one place.
        QCOMPARE(f.order(0), QStringLiteral("F1 F0 F2 F3 BW1 BW0 BW2 BW3"));
        QCOMPARE(f.order(1), QStringLiteral("F1 F0 F2 F3 BW1 BW0 BW2 BW3"));
        QCOMPARE(f.document().undoStack().count(), 1);
        QCOMPARE(f.document().undoStack().undoText(), QStringLiteral("Move micro-batch 0"));
    }

    void aSelectionMovesTogether()
    {
        Fixture f;
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, f.middleOf({1, 0}));
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, Qt::ControlModifier,
                          f.middleOf({1, 1}));
        f.press({1, 0});
        f.moveBy(1.6);
        f.release(1.6);
        QCOMPARE(f.order(1), QStringLiteral("F2 F0 F1 F3 BW0 BW1 BW2 BW3"));
        QCOMPARE(f.view().overlay().selected.size(), std::size_t{2});
    }

    void aClickOnOneOfManySelectsItAlone()
    {
        Fixture f;
        f.view().setSelection({{0, 0}, {0, 1}, {1, 2}});
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, f.middleOf({0, 1}));
        QCOMPARE(f.view().overlay().selected.size(), std::size_t{1});
        // Shift takes all up to the click, Ctrl takes one away.
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, Qt::ShiftModifier,
                          f.middleOf({0, 4}));
        QCOMPARE(f.view().overlay().selected.size(), std::size_t{4});
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, Qt::ControlModifier,
                          f.middleOf({0, 2}));
        QCOMPARE(f.view().overlay().selected.size(), std::size_t{3});
    }

    void aBandSelectsWhatItTouches()
    {
        Fixture f;
        const QRectF first = f.view().rectangleOf({1, 0});
        // From idle time before device 1 begins, over its first two passes.
        const QPoint from(static_cast<int>(first.left()) - 8, static_cast<int>(first.center().y()));
        const QPoint to(f.middleOf({1, 1}) + QPoint(2, 8));
        QTest::mousePress(f.view().viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(f.view().viewport(), to);
        QVERIFY(f.view().overlay().band.has_value());
        QTest::mouseRelease(f.view().viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
        QVERIFY(!f.view().overlay().band.has_value());
        QVERIFY((f.view().overlay().selected == std::vector<SpanRef>{{1, 0}, {1, 1}}));
        QVERIFY(!f.view().marks().a.has_value());
    }

    void keysMoveTheSelectionByOnePlace()
    {
        Fixture f;
        QSignalSpy refused(&f.page.drag(), &DragController::refused);
        f.page.drag().moveByOne(1);
        QCOMPARE(refused.count(), 1);
        f.view().setSelection({{1, 1}, {1, 0}});
        f.page.drag().moveByOne(1);
        QCOMPARE(f.order(1), QStringLiteral("F2 F0 F1 F3 BW0 BW1 BW2 BW3"));
        QVERIFY((f.view().overlay().selected == std::vector<SpanRef>{{1, 2}, {1, 1}}));
        f.page.drag().moveByOne(-1);
        QCOMPARE(f.order(1), QStringLiteral("F0 F1 F2 F3 BW0 BW1 BW2 BW3"));
        f.page.drag().moveByOne(-1);
        QCOMPARE(refused.count(), 2);
        QCOMPARE(f.document().undoStack().count(), 2);
        // A rule that would be broken is refused in words.
        Fixture g("d0: F0 BW0 F1 BW1 F2 BW2 F3 BW3\nd1: F0 BW0 F1 BW1 F2 BW2 F3 BW3\n");
        QSignalSpy rule(&g.page.drag(), &DragController::refused);
        g.view().select({1, 0});
        g.page.drag().moveByOne(1);
        QCOMPARE(rule.count(), 1);
        QVERIFY(rule.last().at(0).toString().contains(QStringLiteral("before F")));
        QCOMPARE(g.document().undoStack().count(), 0);
    }

    void theStrandIsSelectedOnAllDevices()
    {
        Fixture f;
        f.view().select({1, 2});
        f.page.drag().selectStrand();
        QCOMPARE(f.view().overlay().selected.size(), std::size_t{4});
        QVERIFY((f.view().current() == SpanRef{1, 2}));
        for (const SpanRef span : f.view().overlay().selected)
            QCOMPARE(f.document().lanes()->pass(span).microBatch, 2);
    }

    void aFamilysScheduleBecomesAnOrderOfItsOwn()
    {
        Fixture f;
        FamilyOptions options;
        options.devices = 2;
        options.microBatches = 4;
        f.document().reset(projectOf("gpipe", options, UniformCosts{}));
        const Project before = f.document().project();
        f.press({1, 0});
        f.moveBy(1);
        f.release(1);
        QVERIFY(!f.document().project().family);
        QVERIFY(f.order(1).startsWith(QStringLiteral("F1 F0 F2")));
        f.document().undoStack().undo();
        QVERIFY(f.document().project() == before);
    }

    void whatChangesUnderADragEndsIt()
    {
        Fixture f;
        f.press({1, 0});
        f.moveBy(1);
        UniformCosts costs;
        costs.forward = 2 * ticksPerMs;
        QVERIFY(f.document().edit({{SetCosts{costs}}}, QStringLiteral("Costs")));
        QVERIFY(f.page.drag().trial() == nullptr);
        f.release(1);
        QCOMPARE(f.order(1), QStringLiteral("F0 F1 F2 F3 BW0 BW1 BW2 BW3"));
        QCOMPARE(f.document().undoStack().count(), 1);
    }

    void anUnfinishedDraftIsDraggedToo()
    {
        Fixture f("d0: F0 F1 F2\nd1: F0 F1\n");
        QVERIFY(!f.document().schedule());
        f.press({1, 0});
        f.moveBy(1);
        f.release(1);
        QCOMPARE(f.order(1), QStringLiteral("F1 F0"));
        // Arrows are drawn although there is no schedule.
        f.view().select({1, 0});
        QCOMPARE(f.view().overlay().arrows.size(), std::size_t{1});
    }
};

PW_WINDOW_TEST(TestDragController)
#include "tst_drag_controller.moc"

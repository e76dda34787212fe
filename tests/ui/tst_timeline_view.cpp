// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::ui;

class TestTimelineView : public QObject
{
    Q_OBJECT

private:
    struct Fixture
    {
        ViewRange range;
        TimelineView view{range};

        explicit Fixture(const char* family = "1f1b")
        {
            const test::FamilyRun run =
                test::runFamily(test::familyOf(family), test::sized(4, 8), UniformCosts{});
            view.resize(1200, 300);
            view.show();
            view.setLanes(lanesOf(std::make_shared<const Schedule>(run.schedule), run.result));
        }
        QPoint middleOf(SpanRef span) const { return view.rectangleOf(span).center().toPoint(); }
    };

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void aClickSelectsThePassUnderIt()
    {
        Fixture f;
        const SpanRef third{1, 2};
        QSignalSpy spy(&f.view, &TimelineView::selectionChanged);
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, f.middleOf(third));
        QCOMPARE(spy.count(), 1);
        QVERIFY(f.view.current() == third);
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, Qt::ControlModifier,
                          f.middleOf({2, 1}));
        QCOMPARE(f.view.overlay().selected.size(), std::size_t{2});
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QVERIFY(!f.view.current().valid());
    }

    void theArrowKeysWalkAlongALane()
    {
        Fixture f;
        QTest::keyClick(&f.view, Qt::Key_Right);
        QVERIFY((f.view.current() == SpanRef{0, 0}));
        QTest::keyClick(&f.view, Qt::Key_Right);
        QVERIFY((f.view.current() == SpanRef{0, 1}));
        QTest::keyClick(&f.view, Qt::Key_Down);
        QCOMPARE(f.view.current().lane, 1);
        QTest::keyClick(&f.view, Qt::Key_Left);
        QTest::keyClick(&f.view, Qt::Key_Left);
        QVERIFY((f.view.current() == SpanRef{1, 0}));
    }

    void zoomKeysGoInAndBackOut()
    {
        Fixture f;
        const double all = f.range.length();
        QTest::keyClick(&f.view, Qt::Key_W);
        QVERIFY(f.range.length() < all);
        f.view.select({2, 3});
        QTest::keyClick(&f.view, Qt::Key_F);
        QVERIFY(f.view.rectangleOf({2, 3}).width() > 100);
        QTest::keyClick(&f.view, Qt::Key_0);
        QCOMPARE(f.range.length(), all);
    }

    void aDragIsToldInTicksAndEnds()
    {
        Fixture f;
        const SpanRef span{1, 3};
        QSignalSpy begun(&f.view, &TimelineView::dragBegun);
        QSignalSpy moved(&f.view, &TimelineView::dragMoved);
        QSignalSpy ended(&f.view, &TimelineView::dragEnded);
        const QPoint from = f.middleOf(span);
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), from + QPoint(2, 0));
        QCOMPARE(begun.count(), 0);
        QTest::mouseMove(f.view.viewport(), from + QPoint(60, 0));
        QCOMPARE(begun.count(), 1);
        const double ticks = moved.last().at(0).toDouble();
        const double perPixel = f.view.scale().ticksPerPixel;
        QCOMPARE(ticks, 60 * perPixel);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, from + QPoint(60, 0));
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended.last().at(0).toBool(), true);
    }

    void escapeGivesADragUp()
    {
        Fixture f;
        QSignalSpy ended(&f.view, &TimelineView::dragEnded);
        const QPoint from = f.middleOf({0, 0});
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), from + QPoint(50, 0));
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended.last().at(0).toBool(), false);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, from + QPoint(50, 0));
        QCOMPARE(ended.count(), 1);
    }

    void measuringSnapsToTheEdgesOfPasses()
    {
        Fixture f;
        // Idle time of device 3 before its first pass.
        const QRectF first = f.view.rectangleOf({3, 0});
        const QPoint from(static_cast<int>(first.left()) - 60,
                          static_cast<int>(first.center().y()));
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), QPoint(static_cast<int>(first.left()) + 3, from.y()));
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, from);
        QVERIFY(f.view.marks().b.has_value());
        QCOMPARE(*f.view.marks().b, static_cast<double>(f.view.lanes()->lanes()[3].start[0]));
    }

    void aMarkerIsSetByKeyAndDraggedToAnEdge()
    {
        Fixture f;
        f.view.select({1, 2});
        const Lane& lane = f.view.lanes()->lanes()[1];
        QTest::keyClick(&f.view, Qt::Key_A, Qt::ShiftModifier);
        QTest::keyClick(&f.view, Qt::Key_B, Qt::ShiftModifier);
        QCOMPARE(f.view.marks().a, std::optional(static_cast<double>(lane.start[2])));
        QCOMPARE(f.view.marks().b, std::optional(static_cast<double>(lane.end[2])));
        // By the line of B, into the reach of the end of a later pass.
        QSignalSpy changed(&f.view, &TimelineView::marksChanged);
        const QRectF box = f.view.rectangleOf({1, 2});
        const QRectF later = f.view.rectangleOf({1, 5});
        const int y = static_cast<int>(box.center().y());
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(std::lround(box.right())), y));
        QTest::mouseMove(f.view.viewport(), QPoint(static_cast<int>(later.right()) - 3, y));
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {},
                            QPoint(static_cast<int>(later.right()) - 3, y));
        QVERIFY(changed.count() > 0);
        QCOMPARE(f.view.marks().b, std::optional(static_cast<double>(lane.end[5])));
        QCOMPARE(f.view.marks().a, std::optional(static_cast<double>(lane.start[2])));
        QVERIFY((f.view.current() == SpanRef{1, 2})); // the press was the marker's
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QVERIFY(!f.view.marks().a && !f.view.marks().b);
        QVERIFY(f.view.current().valid());
    }

    void passesAreSeenInTheirColours_data()
    {
        QTest::addColumn<bool>("light");
        QTest::newRow("light") << true;
        QTest::newRow("dark") << false;
    }
    void passesAreSeenInTheirColours()
    {
        QFETCH(bool, light);
        applyGround(*qApp, light ? Ground::Light : Ground::Dark);
        Fixture f("zb-v");
        const QImage picture = f.view.viewport()->grab().toImage();
        const auto at = [&](SpanRef span) {
            const QRectF box = f.view.rectangleOf(span);
            return picture.pixelColor(
                QPoint(static_cast<int>(box.left()) + 3, static_cast<int>(box.top()) + 5));
        };
        const Lane& lane = f.view.lanes()->lanes()[0];
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(lane.size()); ++i) {
            const SpanLook look = lane.look[static_cast<std::size_t>(i)];
            QCOMPARE(at({0, i}), color(roleOf(look.kind, look.tint)));
        }
    }

    void newLanesDropASelectionThatIsGone()
    {
        Fixture f;
        f.view.select({3, 15});
        QVERIFY(f.view.current().valid());
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 2), UniformCosts{});
        QSignalSpy spy(&f.view, &TimelineView::selectionChanged);
        f.view.setLanes(lanesOf(std::make_shared<const Schedule>(run.schedule), run.result));
        QVERIFY(!f.view.current().valid());
        QCOMPARE(spy.count(), 1);
    }
};

PW_WINDOW_TEST(TestTimelineView)
#include "tst_timeline_view.moc"

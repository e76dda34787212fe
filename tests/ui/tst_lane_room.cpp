// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Lanes have the room that there is, and an overview shows all of them.
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/timeline/lane_geometry.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/timeline_workspace.h"

#include <QImage>
#include <QScrollBar>
#include <QTest>

#include <set>

using namespace pw;
using namespace pw::ui;

namespace {

SchedulePage& openWith(MainWindow& window, const char* family, int devices, int microBatches)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    return window.openProject(projectOf(family, options, UniformCosts{}));
}

bool scrolls(const SchedulePage& page)
{
    return const_cast<SchedulePage&>(page).timeline().verticalScrollBar()->maximum() > 0;
}

} // namespace

class TestLaneRoom : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lane_room"); }

    void everyRowOfAnOverviewHasALane_data()
    {
        QTest::addColumn<int>("count");
        for (const int count : {1, 3, 4, 15, 26, 27, 64, 128, 129, 1000, 4096})
            QTest::newRow(std::to_string(count).c_str()) << count;
    }

    void everyRowOfAnOverviewHasALane()
    {
        QFETCH(int, count);
        constexpr int height = 26;
        std::vector<double> covered(height, 0.0);
        int last = 0;
        for (int lane = 0; lane < count; ++lane) {
            const OverviewLane place = overviewLane(lane, count, height);
            QVERIFY(place.height >= 1 && place.top >= last && place.top + place.height <= height);
            QVERIFY(place.opacity > 0 && place.opacity <= 1);
            last = place.top;
            for (int row = place.top; row < place.top + place.height; ++row) {
                auto& there = covered[static_cast<std::size_t>(row)];
                there = there * (1 - place.opacity) + place.opacity;
            }
        }
        // All but hairlines are painted, in full.
        const int rows = static_cast<int>(
            std::count_if(covered.begin(), covered.end(), [](double c) { return c > 0.999; }));
        QVERIFY2(rows >= height - (count <= height / 4 ? count : 0),
                 qPrintable(QString::number(rows)));
    }

    /// As seen: the strip has the colours of passes, at every height.
    void theOverviewIsNeverBlank_data()
    {
        QTest::addColumn<int>("devices");
        for (const int devices : {4, 64, 128, 256, 512})
            QTest::newRow(std::to_string(devices).c_str()) << devices;
    }

    void theOverviewIsNeverBlank()
    {
        QFETCH(int, devices);
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        SchedulePage& page = openWith(window, "gpipe", devices, 64);
        QTRY_VERIFY(page.document().schedule() != nullptr);
        const QImage seen = page.workspace()->overview()->grab().toImage();
        // GPipe's forwards stand at the left, its backwards at the right: both are seen at half
        // height, and the idle corner between them is not.
        const int y = seen.height() / 2;
        std::set<QRgb> colours;
        for (int x = seen.width() / 4; x < seen.width() - 20; x += 3)
            colours.insert(seen.pixel(x, y));
        QVERIFY2(colours.size() >= 2, "the overview is one colour");
        const auto distance = [](QRgb a, QRgb b) {
            return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) +
                   std::abs(qBlue(a) - qBlue(b));
        };
        const QRgb lane = color(Role::Lane).rgb();
        const auto coloured = std::count_if(colours.begin(), colours.end(),
                                            [&](QRgb one) { return distance(one, lane) > 40; });
        QVERIFY2(coloured >= 1, "no pass is seen in the overview");
        QVERIFY(test::closeQuietly(window));
    }

    void manyDevicesAreSeenAtOnceAndTwoAreLarge()
    {
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        SchedulePage& many = openWith(window, "1f1b", 64, 128);
        QTRY_VERIFY(!scrolls(many));
        QVERIFY(many.timeline().laneHeight() >= 1);
        SchedulePage& two = openWith(window, "1f1b", 2, 4);
        QTRY_VERIFY(two.timeline().laneHeight() >= 90);
        QVERIFY(!scrolls(two));
        QVERIFY(test::closeQuietly(window));
    }

    /// Lanes of a pixel leave most of the room empty where there is room for two.
    void manyDevicesUseTheRoomOfASmallWindow()
    {
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        SchedulePage& page = openWith(window, "1f1b", 64, 8);
        QTRY_VERIFY(page.document().schedule() != nullptr && !scrolls(page));
        const int high = page.timeline().laneHeight();
        const int whole = 64 * (high + LaneGeometry::gapBehind(high));
        const int next = 64 * (high + 1 + LaneGeometry::gapBehind(high + 1));
        const int room = page.timeline().viewport()->height();
        QVERIFY2(whole <= room && next + LaneGeometry::top > room && 2 * whole > room,
                 qPrintable(QStringLiteral("%1 of %2").arg(whole).arg(room)));
        QVERIFY(test::closeQuietly(window));
    }

    void fourDevicesNeedNoScrollingInASmallWindow_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"1f1b", "zb-v", "gpipe", "dualpipe"})
            QTest::newRow(family) << QString::fromLatin1(family);
    }

    void fourDevicesNeedNoScrollingInASmallWindow()
    {
        QFETCH(QString, family);
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        SchedulePage& page = window.openFamily(family);
        QTRY_VERIFY(!scrolls(page));
        QTRY_VERIFY2(page.timeline().laneHeight() >= 16,
                     qPrintable(QString::number(page.timeline().laneHeight())));
        QVERIFY(test::closeQuietly(window));
    }

    /// What is clicked is what is seen there, however low the lanes are.
    void lowLanesAreHitWhereTheyAre()
    {
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        SchedulePage& page = openWith(window, "gpipe", 64, 64);
        TimelineView& view = page.timeline();
        QTRY_VERIFY(!scrolls(page));
        const LanesPtr& lanes = view.lanes();
        for (const int lane : {0, 1, 31, 62, 63}) {
            const SpanRef span{lane, 0};
            QVERIFY(lanes->holds(span));
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                              view.rectangleOf(span).center().toPoint());
            QCOMPARE(view.current().lane, lane);
        }
        QVERIFY(test::closeQuietly(window));
    }

    void theLowestLanesStillScroll()
    {
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        SchedulePage& page = openWith(window, "gpipe", 1024, 8);
        QTRY_COMPARE(page.timeline().laneHeight(), 1);
        QVERIFY(scrolls(page));
        QVERIFY(test::closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestLaneRoom)
#include "tst_lane_room.moc"

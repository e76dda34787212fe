// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "tests/support/test_program.h"
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/time_scale.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;
using namespace pw::ui;

namespace {

/// Devices whose lanes are scrolled: of a pixel each, they are higher than a page.
constexpr int tall = 1024;

/// A page of so many devices that their lanes are scrolled.
struct TallPage
{
    SchedulePage page;

    TallPage(const char* family, int devices, int microBatches)
    {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        page.resize(1100, 700);
        page.show();
        page.document().reset(projectOf(family, options, UniformCosts{}));
        while (page.document().computing())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::processEvents();
    }

    QImage picture()
    {
        QCoreApplication::processEvents();
        return page.grab().toImage();
    }
    /// Where a widget of the page is in its picture.
    QRect placeOf(const QWidget& widget) const
    {
        return {widget.mapTo(&page, QPoint(0, 0)), widget.size()};
    }
};

/// Columns in which two pictures differ within some rows.
QList<int> changedColumns(const QImage& one, const QImage& other, int top, int bottom)
{
    QList<int> columns;
    for (int x = 0; x < one.width(); ++x)
        for (int y = top; y < bottom; ++y)
            if (one.pixel(x, y) != other.pixel(x, y)) {
                columns += x;
                break;
            }
    return columns;
}

} // namespace

class TestTimeAxis : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void aTimeHasOnePixelInAllViews_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::newRow("no scroll bar") << QByteArray("1f1b") << 4 << 8;
        QTest::newRow("1F1B of 1024 devices") << QByteArray("1f1b") << tall << 512;
        QTest::newRow("ZB-V of 1024 devices") << QByteArray("zb-v") << tall << 32;
    }
    void aTimeHasOnePixelInAllViews()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        TallPage f(family, devices, microBatches);
        TimelineView& lanes = f.page.timeline();
        QCOMPARE(lanes.verticalScrollBar()->isVisible(), devices == tall);
        f.page.charts().setShown(Chart::InFlight, true);
        f.page.range().zoom(0.37, static_cast<double>(f.page.range().wholeEnd()) * 0.6);

        const auto* ruler = f.page.findChild<TimeRuler*>();
        const TimeMarks marks = timeMarks(TimeAxis::of(f.page.range(), *ruler), 900, 84);
        QVERIFY(marks.times.size() > 3);
        const QImage before = f.picture();
        for (const double time : {marks.times.front(), marks.times[marks.times.size() / 2],
                                  marks.times[marks.times.size() - 2]}) {
            lanes.setLayer(CursorLayer{time});
            f.page.charts().setPointer(time);
            const QImage after = f.picture();

            const QRect rows = f.placeOf(*lanes.viewport());
            const QList<int> inLanes = changedColumns(before, after, rows.top(), rows.bottom() + 1);
            QCOMPARE(inLanes.size(), 1);
            const int x = inLanes.front();
            const QRect axis = f.placeOf(*ruler);
            QCOMPARE(before.pixelColor(x, axis.bottom() - 1), color(Role::Line));
            for (StepChart* chart : {&f.page.charts().memory(), &f.page.charts().flights()}) {
                // Below the line with the names, which tell other values there.
                const QRect curves = f.placeOf(*chart);
                QCOMPARE(changedColumns(before, after, curves.center().y(), curves.bottom() - 6),
                         QList<int>{x});
            }
            lanes.setLayer(CursorLayer{});
            f.page.charts().setPointer(std::nullopt);
        }
    }

    void curvesStepWhereTheLanesDo()
    {
        TallPage f("gpipe", tall, 4);
        TimelineView& lanes = f.page.timeline();
        QVERIFY(lanes.verticalScrollBar()->isVisible());
        // The first pass of the device whose memory is shown begins where its curve leaves 0.
        lanes.select({1, 0});
        f.page.range().show(-2.0 * ticksPerMs, 4.0 * ticksPerMs);
        const QImage picture = f.picture();
        const QRect chart = f.placeOf(f.page.charts().memory());
        const auto filled = [&](int x) {
            return picture.pixelColor(x, chart.bottom() - 8).saturation() > 30;
        };
        int first = TimeAxis::margin();
        while (first < picture.width() && !filled(first))
            ++first;
        QVERIFY(std::abs(first - lanes.rectangleOf({1, 0}).left()) <= 1.5);
    }

    void theOverviewOfEverythingStandsOverTheLanes()
    {
        TallPage f("zb-v", 16, 128);
        f.page.range().fit();
        const TimelineView& lanes = f.page.timeline();
        const LanesPtr all = lanes.lanes();
        const QImage picture = f.picture();
        const QRect strip =
            f.placeOf(*f.page.findChild<Overview*>()).adjusted(TimeAxis::margin() + 4, 5, 0, -5);
        const auto coloured = [&](int x) {
            for (int y = strip.top(); y < strip.bottom(); ++y)
                if (picture.pixelColor(x, y).saturation() > 40)
                    return true;
            return false;
        };
        int first = strip.left();
        while (!coloured(first))
            ++first;
        int last = static_cast<int>(lanes.room().right()) - 4;
        while (!coloured(last))
            --last;
        const TimeScale scale = lanes.scale();
        QVERIFY2(std::abs(first - scale.x(all->begin())) <= 1.5,
                 qPrintable(QString::number(first)));
        QVERIFY2(std::abs(last + 1 - scale.x(all->end())) <= 1.5,
                 qPrintable(QString::number(last)));
    }

    void lanesWithAndWithoutAScrollBarAgree()
    {
        ViewRange range;
        TimelineView high(range);
        TimelineView small(range);
        TallPage many("1f1b", tall, 64);
        TallPage few("1f1b", 4, 64);
        for (TimelineView* view : {&high, &small}) {
            view->setRangeIsOurs(false);
            view->resize(900, 300);
            view->show();
        }
        high.setLanes(many.page.document().lanes());
        small.setLanes(few.page.document().lanes());
        range.setWhole(0, 1000 * ticksPerMs);
        range.fit();
        QCoreApplication::processEvents();
        QVERIFY(high.verticalScrollBar()->isVisible());
        QVERIFY(!small.verticalScrollBar()->isVisible());
        QCOMPARE(high.scale().x(500 * ticksPerMs), small.scale().x(500 * ticksPerMs));
        // Both are the same first F.
        QCOMPARE(high.rectangleOf({0, 0}).right(), small.rectangleOf({0, 0}).right());
    }

    void allMarksOfAnAxisHaveOneUnit()
    {
        const TimeMarks marks = timeMarks({0, 12e9 / 600, 0}, 600, 84);
        QStringList words;
        for (const double time : marks.times)
            words << axisText(time, marks);
        QCOMPARE(words.join(QStringLiteral(", ")),
                 QStringLiteral("0 s, 2 s, 4 s, 6 s, 8 s, 10 s, 12 s"));
        const TimeMarks fine = timeMarks({9.9995e9, 1e6 / 300, 0}, 900, 250);
        QCOMPARE(axisText(fine.times[0], fine), QStringLiteral("10.000 s"));
        QCOMPARE(axisText(fine.times[1], fine), QStringLiteral("10.001 s"));
    }

    void theStartIsWrittenWithoutASignWhereTheViewBeginsBeforeIt()
    {
        // As "Everything" does, which leaves room before the first pass.
        const TimeMarks marks = timeMarks({-20e6, 1e9 / 600, 0}, 600, 84);
        QCOMPARE(axisText(marks.times[0], marks), QStringLiteral("0 ms"));
        const TimeMarks earlier = timeMarks({-250e6, 1e9 / 600, 0}, 600, 84);
        QCOMPARE(axisText(earlier.times[0], earlier), QStringLiteral("-200 ms"));
        QCOMPARE(axisText(earlier.times[1], earlier), QStringLiteral("0 ms"));
    }

    /// However low a chart is, its numbers stand under each other, and the curves under their name.
    void theNumbersOfALowChartDoNotTouch()
    {
        ViewRange range;
        range.setWhole(0, 100);
        range.fit();
        StepChart chart(range, QStringLiteral("Memory"), StepChart::Unit::Plain);
        chart.resize(700, chart.minimumHeight());
        StepSeries series;
        series.name = QStringLiteral("activations");
        series.times = {0, 50};
        series.values = {4, 4};
        series.color = Qt::blue;
        chart.setSeries({series});
        chart.show();
        QCoreApplication::processEvents();
        const QImage image = chart.grab().toImage();
        int run = 0, rows = 0, numbers = 0;
        for (int y = 0; y < image.height(); ++y) {
            bool ink = false;
            for (int x = TimeAxis::margin() - 14; x < TimeAxis::margin() - 3; ++x)
                ink = ink || image.pixelColor(x, y).lightness() < 200;
            run = ink ? run + 1 : 0;
            numbers += run == 1 ? 1 : 0;
            rows = std::max(rows, run);
        }
        QVERIFY2(numbers >= 2, qPrintable(QString::number(numbers)));
        QVERIFY2(rows <= 10, qPrintable(QString::number(rows)));
    }

    void namesHaveTheirLineFromTheFirstPictureOn_data()
    {
        QTest::addColumn<int>("height");
        for (const int height : {56, 60, 70, 90, 140, 300})
            QTest::newRow(QByteArray::number(height)) << height;
    }
    void namesHaveTheirLineFromTheFirstPictureOn()
    {
        QFETCH(int, height);
        ViewRange range;
        range.setWhole(0, 100);
        range.fit();
        StepChart chart(range, QStringLiteral("Memory"), StepChart::Unit::Plain);
        chart.resize(700, height);
        StepSeries series;
        series.name = QStringLiteral("activations");
        series.times = {0, 50};
        series.values = {4, 4};
        series.color = Qt::blue;
        chart.setSeries({series});
        chart.show();
        QCoreApplication::processEvents();
        const QImage first = chart.grab().toImage();
        chart.setSeries({series});
        QCoreApplication::processEvents();
        QCOMPARE(chart.grab().toImage(), first);
    }

    void numbersBesideTheAxisAreWhole_data()
    {
        QTest::addColumn<double>("most");
        for (const double most : {0.6, 1.0, 1.3, 2.2, 7.3, 10.5, 13.0, 99.0, 130.0})
            QTest::newRow(QByteArray::number(most)) << most;
    }
    void numbersBesideTheAxisAreWhole()
    {
        QFETCH(double, most);
        ViewRange range;
        range.setWhole(0, 100);
        range.fit();
        StepChart chart(range, QStringLiteral("Memory"), StepChart::Unit::Plain);
        chart.resize(700, 140);
        StepSeries series;
        series.times = {0, 50};
        series.values = {most, most};
        series.color = Qt::blue;
        chart.setSeries({series});
        chart.show();
        QCoreApplication::processEvents();
        const QImage image = chart.grab().toImage();
        // Numbers end at the axis and begin within the plot, whose first columns are free.
        const auto* plot = chart.findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(plot != nullptr && plot->x() < TimeAxis::margin());
        const auto inked = [&](int x) {
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y).lightness() < 200)
                    return true;
            return false;
        };
        QVERIFY(!inked(plot->x()) && !inked(plot->x() + 1));
        bool any = false;
        for (int x = plot->x(); x < TimeAxis::margin(); ++x)
            any = any || inked(x);
        QVERIFY(any);
    }

    void aSpanTellsItsEndsApart_data()
    {
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("end");
        QTest::addColumn<QString>("words");
        QTest::newRow("2 ms after 12 s")
            << 12.06e9 << 12.062e9 << QStringLiteral("12.060 – 12.062 s");
        QTest::newRow("a pass of the drawing")
            << 10.5e6 << 11e6 << QStringLiteral("10.5 – 11.0 ms");
        QTest::newRow("from the beginning") << 0.0 << 1e6 << QStringLiteral("0 – 1 ms");
        QTest::newRow("1 µs after 20 ms")
            << 20e6 << 20.001e6 << QStringLiteral("20.000 – 20.001 ms");
        QTest::newRow("nothing") << 3e6 << 3e6 << QStringLiteral("3 – 3 ms");
    }
    void aSpanTellsItsEndsApart()
    {
        QFETCH(double, begin);
        QFETCH(double, end);
        QFETCH(QString, words);
        QCOMPARE(spanText(begin, end), words);
    }
};

PW_WINDOW_TEST(TestTimeAxis)
#include "tst_time_axis.moc"

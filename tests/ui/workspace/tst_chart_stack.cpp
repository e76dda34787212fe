// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/chart_stack.h"

#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace pw;
using namespace pw::ui;

namespace {

/// A schedule of four devices and eight micro-batches below its timeline.
struct Fixture
{
    test::FamilyRun run;
    Draft draft;
    DraftTimes times;
    ViewRange range;
    TimelineView* timeline = new TimelineView(range);
    ChartStack charts{range, timeline};

    explicit Fixture(const char* family = "1f1b", const UniformCosts& costs = {})
        : run(test::runFamily(test::familyOf(family), test::sized(4, 8), costs))
        , draft(draftOf(run.schedule))
        , times(*draftTimes(draft, run.costs))
    {
        timeline->setLanes(lanesOf(std::make_shared<const Schedule>(run.schedule), run.result));
        charts.resize(1200, 900);
        charts.show();
        charts.show(order());
    }
    TimedOrder order() const { return {draft, times, run.costs, &run.schedule}; }
    void select(SpanRef span)
    {
        timeline->select(span);
        charts.show(order());
    }
};

double most(const StepSeries& series)
{
    return *std::max_element(series.values.begin(), series.values.end());
}

} // namespace

class TestChartStack : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    /// What stands in a file of charts is all that there is to be said of it.
    void everyFileIsAChart()
    {
        QDir folder(QStringLiteral(PW_SOURCE_DIR "/ui/workspace/charts"));
        const QStringList files = folder.entryList({QStringLiteral("*.cpp")}, QDir::Files);
        QCOMPARE(timelineCharts().size(), static_cast<std::size_t>(files.size()));
        Fixture f;
        std::set<int> places;
        for (const TimelineChart& chart : timelineCharts()) {
            places.insert(chart.place);
            QString stem = QString::fromLatin1(chart.id.data(), static_cast<int>(chart.id.size()));
            QVERIFY(files.contains(stem.replace(QLatin1Char('-'), QLatin1Char('_')) +
                                   QStringLiteral(".cpp")));
            QVERIFY(!chart.titleText().isEmpty() && chart.menuText().contains(QLatin1Char('&')));
            QCOMPARE(f.charts.shown(chart.id), chart.usual);
            f.charts.setShown(chart.id, !chart.usual);
            QCOMPARE(f.charts.shown(chart.id), !chart.usual);
        }
        QCOMPARE(places.size(), timelineCharts().size());
    }

    /// Words about a limit are whole: above its line, or below where there is no room.
    void aLimitIsReadInAnyHeight_data()
    {
        QTest::addColumn<int>("high");
        QTest::addColumn<bool>("below");
        QTest::newRow("lower than it asks for") << 48 << true;
        QTest::newRow("low") << 56 << false;
        QTest::newRow("high") << 260 << false;
    }
    void aLimitIsReadInAnyHeight()
    {
        QFETCH(int, high);
        QFETCH(bool, below);
        ViewRange range;
        range.setWhole(0, 800);
        StepChart chart(range, QStringLiteral("stairs"), StepChart::Unit::Plain);
        StepSeries stairs;
        stairs.color = color(Role::Forward);
        stairs.times = {0, 400};
        stairs.values = {8, 1}; // the words stand over the low part
        chart.setSeries({stairs});
        chart.setLimit(8, QStringLiteral("goal: at most 8"));
        chart.setMinimumHeight(std::min(high, chart.minimumHeight()));
        chart.resize(900, high);
        chart.show();
        QCoreApplication::processEvents();
        const QImage drawn = chart.grab().toImage();
        // Red pixels of each row, where the words stand.
        std::vector<int> red(static_cast<std::size_t>(drawn.height()), 0);
        for (int y = 0; y < drawn.height(); ++y)
            for (int x = drawn.width() * 3 / 4; x < drawn.width(); ++x) {
                const QColor seen = drawn.pixelColor(x, y);
                red[static_cast<std::size_t>(y)] += seen.red() > seen.green() + 60 ? 1 : 0;
            }
        const auto line = std::max_element(red.begin(), red.end());
        const int over = std::accumulate(red.begin(), line - 1, 0);
        const int under = std::accumulate(line + 2, red.end(), 0);
        QVERIFY2((below ? under : over) > 60 && (below ? over : under) < 20,
                 qPrintable(QStringLiteral("%1 over, %2 under").arg(over).arg(under)));
    }

    void aChartThatIsShownLaterDrawsEveryStep()
    {
        ViewRange range;
        range.setWhole(0, 800);
        StepChart chart(range, QStringLiteral("stairs"), StepChart::Unit::Plain);
        StepSeries stairs;
        stairs.color = color(Role::Forward);
        stairs.filled = true;
        for (int step = 0; step < 8; ++step) {
            stairs.times.push_back(100 * step);
            stairs.values.push_back(step + 1);
        }
        // As a tab gets it: filled first, then laid out and shown.
        chart.setSeries({stairs});
        chart.resize(1000, 200);
        chart.show();
        QCoreApplication::processEvents();
        const QImage drawn = chart.grab().toImage();
        const auto heightAt = [&](Ticks time) {
            const int x = static_cast<int>(TimeAxis::of(range, chart).x(time));
            int filled = 0;
            for (int y = 0; y < drawn.height(); ++y)
                filled += drawn.pixelColor(x, y).saturation() > 30 ? 1 : 0;
            return filled;
        };
        for (int step = 1; step < 8; ++step)
            QVERIFY2(heightAt(100 * step + 50) > heightAt(100 * step - 50),
                     qPrintable(QString::number(step)));
    }

    void theNumbersOfTheAxisAreNotCut_data()
    {
        QTest::addColumn<double>("most");
        QTest::newRow("48 GiB") << 60.0 * 1024 * 1024 * 1024;
        QTest::newRow("768 MiB") << 900.0 * 1024 * 1024;
        QTest::newRow("TiB") << 3.0 * 1024 * 1024 * 1024 * 1024;
    }
    void theNumbersOfTheAxisAreNotCut()
    {
        QFETCH(double, most);
        ViewRange range;
        range.setWhole(0, 800);
        StepChart chart(range, {}, StepChart::Unit::Bytes);
        StepSeries all;
        all.color = color(Role::Forward);
        all.times = {0, 400};
        all.values = {most / 2, most};
        chart.resize(1000, 200);
        chart.setSeries({all});
        chart.show();
        QCoreApplication::processEvents();
        const auto parts = chart.findChildren<QWidget*>();
        const auto found = std::find_if(parts.begin(), parts.end(), [](const QWidget* part) {
            return part->inherits("QCustomPlot");
        });
        QVERIFY(found != parts.end());
        const QWidget* plot = *found;
        const QImage drawn = chart.grab().toImage();
        const QColor paper = color(Role::Paper);
        // Between the plot's edge and its curves stands a number; nothing of it at the edge.
        bool ink = false;
        for (int y = 0; y < drawn.height(); ++y) {
            for (int x = plot->x(); x < plot->x() + 2; ++x)
                QCOMPARE(drawn.pixelColor(x, y), paper);
            for (int x = plot->x() + 2; x < TimeAxis::margin() - 2; ++x)
                ink = ink || std::abs(drawn.pixelColor(x, y).lightness() - paper.lightness()) > 80;
        }
        QVERIFY(ink);
    }

    void theHighestActivationIsThePeakOfTheDevice_data()
    {
        QTest::addColumn<int>("device");
        for (const DeviceId device : Ids<DeviceId>(4))
            QTest::addRow("device %d", device.value) << device.value;
    }
    void theHighestActivationIsThePeakOfTheDevice()
    {
        QFETCH(int, device);
        Fixture f;
        const Curves curves = timelineChart(memoryChart).curves(f.order(), DeviceId(device));
        QCOMPARE(curves.unit, StepChart::Unit::Plain);
        // 1F1B holds p − r micro-batches on device r.
        QCOMPARE(most(curves.series.front()), static_cast<double>(4 - device));
    }

    void memoryIsStackedByKindInBytes()
    {
        UniformCosts costs;
        costs.activation = 1000;
        costs.keptForWeight = 0.5;
        Fixture f("zb-h1", costs);
        const Curves curves = timelineChart(memoryChart).curves(f.order(), DeviceId(0));
        QCOMPARE(curves.unit, StepChart::Unit::Bytes);
        QCOMPARE(curves.series.size(), std::size_t{2});
        QCOMPARE(most(curves.series.back()),
                 static_cast<double>(f.run.result.devices[0].peakActivation));
    }

    void flightsOf1F1BAreTheDistanceToTheEnd()
    {
        Fixture f;
        const Curves curves = timelineChart(flightChart).curves(f.order(), DeviceId(1));
        QCOMPARE(curves.series.size(), std::size_t{4});
        QCOMPARE(most(curves.series.back()), 3.0);
    }

    void linksAreThoseOfTheDevice()
    {
        UniformCosts costs;
        costs.hop = ticksPerMs / 4;
        Fixture f("1f1b", costs);
        const Curves curves = timelineChart(linkChart).curves(f.order(), DeviceId(1));
        QStringList names;
        for (const StepSeries& series : curves.series) {
            names << series.name;
            QCOMPARE(most(series), 1.0);
        }
        names.sort();
        QCOMPARE(names.join(QStringLiteral(", ")), QStringLiteral("0 → 1, 1 → 0, 1 → 2, 2 → 1"));
        // Without a time for messages the chart says so.
        Fixture without;
        QVERIFY(timelineChart(linkChart).curves(without.order(), DeviceId(1)).series.empty());
        QVERIFY(timelineChart(linkChart)
                    .curves(without.order(), DeviceId(1))
                    .subtitle.contains(QStringLiteral("no time")));
    }

    void theSelectedDeviceIsShown()
    {
        Fixture f;
        QCOMPARE(f.charts.device(f.run.result), 0);
        f.select({2, 1});
        QCOMPARE(f.charts.device(f.run.result), 2);
        QCOMPARE(f.charts.memory().legend().size(), 1);
    }

    void aChartIsOpenedAndAsksForItsCurves()
    {
        Fixture f;
        QSignalSpy stale(&f.charts, &ChartStack::stale);
        QVERIFY(!f.charts.shown(flightChart));
        f.charts.setShown(flightChart, true);
        QCOMPARE(stale.count(), 1);
        f.charts.show(f.order());
        QCOMPARE(f.charts.steps(flightChart).legend().size(), 1);
        f.charts.setShown(flightChart, false);
        QVERIFY(!f.charts.shown(flightChart));
        QCOMPARE(stale.count(), 1);
    }

    void thePointerOfTheTimelineTellsTheValues()
    {
        Fixture f;
        QVERIFY(f.charts.memory().legend().front() == QStringLiteral("activations"));
        // Over the third pass of device 0: three micro-batches have begun.
        const QPoint at = f.timeline->rectangleOf({0, 2}).center().toPoint();
        QTest::mouseMove(f.timeline->viewport(), at);
        QCOMPARE(f.charts.memory().legend().front(), QStringLiteral("activations 3"));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(f.timeline->viewport(), &leave);
        QApplication::sendEvent(f.timeline, &leave);
        QCOMPARE(f.charts.memory().legend().front(), QStringLiteral("activations"));
    }

    void aTrialIsShownAndCleared()
    {
        Fixture f;
        f.charts.setShown(flightChart, true);
        f.charts.show(f.order());
        QCoreApplication::processEvents();
        const QImage before = f.charts.grab().toImage();
        Draft other = f.draft;
        std::swap(other.orders[0][3], other.orders[0][4]);
        const DraftTimes times = *draftTimes(other, f.run.costs);
        f.charts.showTrial({other, times, f.run.costs, nullptr});
        QCoreApplication::processEvents();
        QVERIFY(f.charts.grab().toImage() != before);
        f.charts.clearTrial();
        QCoreApplication::processEvents();
        QCOMPARE(f.charts.grab().toImage(), before);
    }
};

PW_WINDOW_TEST(TestChartStack)
#include "tst_chart_stack.moc"

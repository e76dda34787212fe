// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/charts/bubble_chart.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QHelpEvent>
#include <QImage>
#include <QTest>
#include <QToolTip>

#include <cmath>

using namespace pw;
using namespace pw::ui;

namespace {

std::vector<BubbleRow> rowsOf(int count, double first, double step)
{
    std::vector<BubbleRow> rows;
    for (int i = 0; i < count; ++i)
        rows.push_back({QStringLiteral("device %1").arg(i), first + step * i, 0});
    return rows;
}

/// Columns of a row of pixels that have a colour.
int lengthOf(const QImage& picture, int y, const QColor& wanted)
{
    int length = 0;
    for (int x = 0; x < picture.width(); ++x)
        length += picture.pixelColor(x, y) == wanted ? 1 : 0;
    return length;
}

} // namespace

class TestBubbleChart : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void aBarIsAsLongAsItsPartOfTheAxis_data()
    {
        QTest::addColumn<double>("rate");
        for (const double rate : {0.059, 0.25, 0.5, 1.0})
            QTest::addRow("%.1f percent", 100 * rate) << rate;
    }
    void aBarIsAsLongAsItsPartOfTheAxis()
    {
        QFETCH(double, rate);
        BubbleChart chart;
        chart.resize(1000, 120);
        chart.setRows(rowsOf(4, rate, 0));
        chart.show();
        QVERIFY(!chart.isStrip());
        const QImage picture = chart.grab().toImage();
        const QRectF axis = chart.axis();
        const int y = static_cast<int>(axis.top()) + 12; // through the first bar
        QVERIFY(std::abs(lengthOf(picture, y, color(Role::Secondary)) - rate * axis.width()) <= 2);
    }

    void theAxisHasItsQuarters()
    {
        BubbleChart chart;
        chart.resize(1000, 120);
        chart.setRows(rowsOf(4, 0.01, 0));
        chart.show();
        const QImage picture = chart.grab().toImage();
        const QRectF axis = chart.axis();
        for (const double mark : {0.25, 0.5, 0.75, 1.0}) {
            const int x = static_cast<int>(std::round(axis.left() + mark * axis.width()));
            QCOMPARE(picture.pixelColor(x, static_cast<int>(axis.bottom()) - 2), color(Role::Line));
            // And a number above.
            bool ink = false;
            for (int dx = -12; dx < 12; ++dx)
                for (int y = 3; y < axis.top() - 1; ++y)
                    ink = ink || picture.pixelColor(x + dx, y).lightness() < 200;
            QVERIFY(ink);
        }
    }

    void manyDevicesAreAStripOfShades()
    {
        BubbleChart chart;
        chart.resize(1000, 120);
        chart.setRows(rowsOf(64, 0, 1.0 / 64));
        chart.show();
        QVERIFY(chart.isStrip());
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("98.4 % on device 63")));
        const QImage picture = chart.grab().toImage();
        int last = 256;
        int device = -1;
        for (int x = 0; x < picture.width(); ++x) {
            const QPointF at(x + 2, 60);
            if (chart.deviceAt(at) == device || chart.deviceAt(at) < 0)
                continue;
            device = chart.deviceAt(at);
            const int lightness = picture.pixelColor(at.toPoint()).lightness();
            QVERIFY2(lightness < last, qPrintable(QString::number(device)));
            last = lightness;
        }
        QCOMPARE(device, 63);
    }

    void theRatesOfACellAreAtThePointer()
    {
        BubbleChart chart;
        chart.resize(1000, 120);
        chart.setRows(rowsOf(64, 0.389, 0));
        chart.show();
        int x = 0;
        while (chart.deviceAt(QPointF(x, 60)) != 12)
            ++x;
        const QPoint at(x, 60);
        QHelpEvent help(QEvent::ToolTip, at, chart.mapToGlobal(at));
        QApplication::sendEvent(&chart, &help);
        QVERIFY2(QToolTip::text().startsWith(QStringLiteral("device 12: idle for 38.9 %")),
                 qPrintable(QToolTip::text()));
    }
};

PW_WINDOW_TEST(TestBubbleChart)
#include "tst_bubble_chart.moc"

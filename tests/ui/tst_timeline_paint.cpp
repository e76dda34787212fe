// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/lane_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace pw;
using namespace pw::ui;

namespace {

/// A view that can say how a fresh painting of it looks.
struct View
{
    ViewRange range;
    TimelineView view{range};

    explicit View(LanesPtr lanes, int height = 300)
    {
        view.resize(1000, height);
        view.show();
        view.setLanes(std::move(lanes));
        QCoreApplication::processEvents();
    }
    QImage picture() { return view.viewport()->grab().toImage(); }
    QImage fresh()
    {
        view.setColorBy(view.colorBy()); // paints all anew
        return picture();
    }
    void pan(int pixels) { range.pan(pixels * view.scale().ticksPerPixel); }
    /// Shows a part of the whole, from a part of it on.
    void show(double from, double part)
    {
        const auto whole = static_cast<double>(range.wholeEnd());
        range.show(from * whole, (from + part) * whole);
    }
};

LanesPtr familyLanes(const char* family, int devices, int microBatches)
{
    UniformCosts costs;
    costs.hop = ticksPerMs / 10;
    const test::FamilyRun run =
        test::runFamily(test::familyOf(family), test::sized(devices, microBatches), costs);
    return lanesOf(std::make_shared<const Schedule>(run.schedule), run.result);
}

/// Spans of all lengths with idle time between, more than can be painted one by one.
LanesPtr randomLanes(std::size_t lanes, std::size_t spans)
{
    QRandomGenerator random(7);
    std::vector<Lane> all(lanes);
    for (Lane& lane : all) {
        lane.title = QStringLiteral("lane");
        Ticks now = 0;
        for (std::size_t i = 0; i < spans; ++i) {
            now += random.bounded(3) == 0 ? random.bounded(900) : 0;
            lane.start.push_back(now);
            now += 200 + random.bounded(1000);
            lane.end.push_back(now);
            SpanLook look;
            look.kind = random.bounded(2) == 0 ? PassKind::F : PassKind::B;
            look.guessed = random.bounded(5) == 0 ? 1 : 0;
            lane.look.push_back(look);
            lane.entry.push_back(static_cast<std::int32_t>(i));
        }
    }
    return std::make_shared<const Lanes>(std::move(all), [](std::int32_t entry, bool) {
        return Pass{PassKind::F, 0, StageId(0), entry, 0};
    });
}

/// The greatest difference of a channel between two pictures, and how many pixels differ at all.
std::pair<int, int> difference(const QImage& one, const QImage& other)
{
    int most = 0, pixels = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x) {
            const QColor a = one.pixelColor(x, y), b = other.pixelColor(x, y);
            const int off = std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                                      std::abs(a.blue() - b.blue())});
            most = std::max(most, off);
            pixels += off > 0 ? 1 : 0;
        }
    return {most, pixels};
}

/// What tells two pictures apart, for a message; empty: nothing.
QString apart(const QImage& one, const QImage& other)
{
    if (one == other)
        return {};
    const auto [most, pixels] = difference(one, other);
    QRect box;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            if (one.pixel(x, y) != other.pixel(x, y))
                box |= QRect(x, y, 1, 1);
    return QStringLiteral("%1 pixels by up to %2, from %3, %4 to %5, %6")
        .arg(pixels)
        .arg(most)
        .arg(box.left())
        .arg(box.top())
        .arg(box.right())
        .arg(box.bottom());
}

} // namespace

class TestTimelinePaint : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    // Passes of a micro-batch's segments are told apart where there is room, as in files.
    void aBlockNamesItsSegment()
    {
        const Lanes none;
        const LanePainter lanes(none, {}, ColorBy::Kind);
        const auto painted = [&](int segment, bool segmented, QSize size) {
            QImage image(size, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            SpanLook look;
            look.segmented = segmented ? 1 : 0;
            lanes.paintSpan(painter, QRectF(QPointF(), size), look,
                            Pass{PassKind::F, 0, StageId(0), 3, segment}, {});
            return image;
        };
        const QSize wide(60, 20), high(28, 60), narrow(17, 20);
        for (const QSize& size : {wide, high})
            QVERIFY(painted(0, true, size) != painted(1, true, size));
        QCOMPARE(painted(0, true, narrow), painted(1, true, narrow));
        QCOMPARE(painted(0, true, narrow), painted(0, false, narrow));
        QCOMPARE(painted(0, false, wide), painted(1, false, wide));
        QVERIFY(painted(0, true, wide) != painted(0, false, wide));

        for (const bool segmented : {true, false}) {
            const LanesPtr shown = familyLanes(segmented ? "seq1f1b" : "1f1b", 2, 4);
            for (const Lane& lane : shown->lanes())
                for (const SpanLook& look : lane.look)
                    QCOMPARE(look.segmented != 0, segmented);
        }
    }

    /// Lines under blocks are left out where nothing of them would be seen.
    void hatchingIsSeenWhereverNoBlockIs_data()
    {
        QTest::addColumn<double>("ticksPerPixel");
        for (const double ticks : {0.5, 3.0, 9.7, 40.0})
            QTest::newRow(qPrintable(QString::number(ticks))) << ticks;
    }
    void hatchingIsSeenWhereverNoBlockIs()
    {
        QFETCH(const double, ticksPerPixel);
        const LanesPtr lanes = randomLanes(1, 300);
        const Lane& lane = lanes->lanes().front();
        const TimeScale scale{static_cast<double>(lane.start[100]) + 13, ticksPerPixel, 0};
        const QRectF area(0, 2, 900, 46);
        const auto painted = [&](const std::function<void(QPainter&, const LanePainter&)>& paint) {
            QImage image(900, 50, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.setClipRect(area);
            paint(painter, LanePainter(*lanes, scale, ColorBy::Kind));
            return image;
        };
        const QImage quick = painted([&](QPainter& painter, const LanePainter& blocks) {
            QVERIFY(!blocks.mixes(0, area));
            blocks.paint(painter, 0, area);
        });
        const QImage whole = painted([&](QPainter& painter, const LanePainter& blocks) {
            blocks.paint(painter, 0, area); // for the origin of the lines
            painter.fillRect(area, color(Role::Lane));
            painter.fillRect(area, hatchBrush());
            const auto settled = [](double place) {
                return std::floor(place * 64 + 0.5 + 1e-4) / 64;
            };
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const double left = settled(std::max(scale.x(lane.start[i]), area.left() - 4));
                const double right = settled(std::min(scale.x(lane.end[i]), area.right() + 4));
                const SpanRef span{0, static_cast<std::int64_t>(i)};
                if (right - left >= 0.1)
                    blocks.paintSpan(painter, QRectF(left, area.top(), right - left, area.height()),
                                     lane.look[i], right - left >= 7 ? lanes->pass(span) : Pass{},
                                     Pass{});
            }
        });
        QCOMPARE(quick, whole);
    }

    /// A label is read on lines too: they stay away from its letters.
    void lettersOnHatchingKeepTheirGround_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void lettersOnHatchingKeepTheirGround()
    {
        QFETCH(const bool, dark);
        applyGround(*qApp, dark ? Ground::Dark : Ground::Light);
        const LanesPtr lanes = familyLanes("1f1b", 2, 4);
        const Pass pass = lanes->pass({0, 0});
        const QRectF box(10, 4, 120, 40);
        const auto painted = [&](bool guessed) {
            QImage image(140, 50, QImage::Format_RGB32);
            image.fill(color(Role::Lane));
            QPainter painter(&image);
            SpanLook look;
            look.kind = pass.kind;
            look.guessed = guessed ? 1 : 0;
            LanePainter(*lanes, {}, ColorBy::Kind).paintSpan(painter, box, look, pass, {});
            return image;
        };
        const QImage plain = painted(false), hatched = painted(true);
        QVERIFY(plain != hatched);
        const QColor ink = spanColor(ColorBy::Kind, pass.kind, 0, 0);
        int letters = 0;
        for (int x = 20; x < 120; ++x)
            for (int y = 6; y < 40; ++y)
                if (plain.pixelColor(x, y) != ink) {
                    ++letters;
                    QCOMPARE(hatched.pixelColor(x, y), plain.pixelColor(x, y));
                }
        QVERIFY(letters > 10);
        applyGround(*qApp, Ground::Light);
    }

    /// What a pass keeps waits in the host's memory: the ⇡ of the web page tells it, clear of the
    /// letters; a block that is low and narrow has a corner.
    void whatIsAwayHasAnArrow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("arrow");
        QTest::newRow("a wide one") << QSize(120, 40) << true;
        QTest::newRow("a wide one of a low lane") << QSize(120, 16) << true;
        QTest::newRow("a narrow one of a high lane") << QSize(24, 70) << true;
        QTest::newRow("a narrow one of a low lane") << QSize(24, 16) << false;
    }
    void whatIsAwayHasAnArrow()
    {
        QFETCH(const QSize, size);
        QFETCH(const bool, arrow);
        const LanesPtr lanes = familyLanes("1f1b", 2, 4);
        const Pass pass = lanes->pass({0, 0});
        const QRect box(QPoint(4, 4), size);
        const auto painted = [&](bool leaves) {
            QImage image(140, 90, QImage::Format_RGB32);
            image.fill(color(Role::Lane));
            QPainter painter(&image);
            QFont font = painter.font();
            font.setPixelSize(12);
            painter.setFont(font);
            SpanLook look;
            look.kind = pass.kind;
            look.leaves = leaves ? 1 : 0;
            LanePainter(*lanes, {}, ColorBy::Kind).paintSpan(painter, QRectF(box), look, pass, {});
            return image;
        };
        const QImage plain = painted(false), away = painted(true);
        const QColor block = spanColor(ColorBy::Kind, pass.kind, 0, 0);
        QRect mark;
        for (int y = 0; y < away.height(); ++y)
            for (int x = 0; x < away.width(); ++x)
                if (plain.pixel(x, y) != away.pixel(x, y)) {
                    mark |= QRect(x, y, 1, 1);
                    QVERIFY(!arrow || away.pixelColor(x, y) == inkOn(block));
                    // Nothing of the letters goes.
                    QVERIFY(!arrow || plain.pixelColor(x, y) == block);
                }
        QVERIFY(!mark.isEmpty() && box.contains(mark));
        QVERIFY(mark.left() > box.center().x() && mark.top() < box.top() + 4);
        if (!arrow)
            return;
        QCOMPARE(mark.size(), QSize(7, 10));
        // A head, and below it a stem that is dotted.
        const int middle = mark.center().x();
        QCOMPARE(away.pixelColor(mark.left(), mark.top()), block);
        QCOMPARE(away.pixelColor(mark.left(), mark.top() + 3), inkOn(block));
        int parts = 0;
        for (int y = mark.top() + 1; y <= mark.bottom(); ++y)
            parts += away.pixelColor(middle, y) == inkOn(block) &&
                             away.pixelColor(middle, y - 1) == block
                         ? 1
                         : 0;
        QCOMPARE(parts, 2);
    }

    void aPannedViewIsAsPaintedAfresh_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<double>("part");
        QTest::newRow("a few blocks") << QByteArray("1f1b") << 4 << 16 << 0.1;
        QTest::newRow("many blocks") << QByteArray("zb-v") << 8 << 64 << 0.4;
        QTest::newRow("pairs that overlap") << QByteArray("dualpipe") << 4 << 32 << 0.3;
        QTest::newRow("more lanes than have room") << QByteArray("zb-h1") << 32 << 64 << 0.2;
        QTest::newRow("one pass over all") << QByteArray("gpipe") << 2 << 4 << 0.02;
    }
    void aPannedViewIsAsPaintedAfresh()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QFETCH(double, part);
        View f(familyLanes(family, devices, microBatches));
        f.show(0.3, part);
        f.view.verticalScrollBar()->setValue(20);
        QCOMPARE(f.picture(), f.fresh());
        for (const int pixels : {1, -1, 37, -80, 300, -299, 5, 5, 5, -640, 12}) {
            f.pan(pixels);
            const QImage panned = f.picture();
            const QString wrong = apart(panned, f.fresh());
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QStringLiteral("by %1: %2").arg(pixels).arg(wrong)));
        }
        // Several in a row, none of them painted afresh between.
        for (int i = 0; i < 40; ++i) {
            f.pan(i % 7 - 2);
            f.picture();
        }
        const QImage panned = f.picture();
        QCOMPARE(panned, f.fresh());
        f.view.setColorBy(ColorBy::MicroBatch);
        f.picture();
        f.pan(-41);
        const QImage byMicroBatch = f.picture();
        QCOMPARE(byMicroBatch, f.fresh());
    }

    void mixedColoursMoveTheSameWay()
    {
        // A sum of parts may be rounded the other way: one step of a channel, here and there.
        View f(randomLanes(6, 40'000));
        for (const double part : {0.9, 0.3, 0.05, 0.012, 0.004}) {
            f.show(0.05, part);
            f.picture();
            for (const int pixels : {13, -200, 77}) {
                f.pan(pixels);
                const QImage panned = f.picture();
                const auto [most, count] = difference(panned, f.fresh());
                QVERIFY2(most <= 1 && count < 600,
                         qPrintable(QStringLiteral("%1 shown: %2 in %3 pixels")
                                        .arg(part)
                                        .arg(most)
                                        .arg(count)));
            }
        }
    }

    void aPartOfAPixelIsPaintedAfresh()
    {
        View f(familyLanes("1f1b", 4, 16));
        f.show(0.3, 0.1);
        f.picture();
        f.range.pan(10.4 * f.view.scale().ticksPerPixel);
        const QImage panned = f.picture();
        QCOMPARE(panned, f.fresh());
        f.range.zoom(0.9, f.range.begin());
        const QImage zoomed = f.picture();
        QCOMPARE(zoomed, f.fresh());
    }

    void onlyWhatIsNewIsPainted()
    {
        // Each block asks for its pass, to be named.
        int asked = 0;
        const LanesPtr all = familyLanes("1f1b", 8, 64);
        std::vector<Lane> lanes = all->lanes();
        View f(std::make_shared<const Lanes>(std::move(lanes), [&asked](std::int32_t entry, bool) {
            ++asked;
            return Pass{PassKind::F, 0, StageId(0), entry % 10, 0};
        }));
        f.show(0.3, 0.25);
        f.picture();
        asked = 0;
        f.fresh();
        const int whole = asked;
        QVERIFY(whole > 100);
        asked = 0;
        f.pan(16);
        f.picture();
        // Where a pixel is several all is painted.
        const int part = f.view.devicePixelRatioF() == 1 ? 3 : 0;
        QVERIFY2(asked > 0 && asked * part < whole,
                 qPrintable(QStringLiteral("%1 of %2").arg(asked).arg(whole)));
        asked = 0;
        f.picture(); // nothing has moved
        QCOMPARE(asked, 0);
    }

    void keysPanByWholePixels()
    {
        View f(familyLanes("1f1b", 4, 16));
        f.show(0.3, 0.1);
        f.view.setFocus();
        const TimeScale before = f.view.scale();
        QTest::keyClick(&f.view, Qt::Key_D);
        const double pixels = (f.view.scale().begin - before.begin) / before.ticksPerPixel;
        QVERIFY(pixels > 50);
        QVERIFY(std::abs(pixels - std::round(pixels)) < 1e-4);
    }
};

PW_WINDOW_TEST(TestTimelinePaint)
#include "tst_timeline_paint.moc"

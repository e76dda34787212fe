// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/traces/activity_view.h"
#include "ui/traces/slice_inks.h"

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;
using namespace pw::ui;

namespace {

/// Slices of random lengths that nest, from a time on; each is filled by what is inside of it.
void addNested(Trace& trace, QRandomGenerator& random, int track, Ticks from, Ticks to, int depth)
{
    constexpr int deepest = 6;
    for (Ticks now = from; now < to;) {
        now += random.bounded(3) == 0 ? random.bounded(900) : random.bounded(3);
        TraceSpan span;
        span.track = track;
        span.start = now;
        const int shift = std::max(0, 16 - 2 * depth);
        span.end = std::min<Ticks>(to, now + random.bounded(1 << shift) * random.bounded(2) +
                                           random.bounded(400));
        if (span.end < now)
            break;
        now = span.end;
        span.name = static_cast<int>(random.bounded(static_cast<int>(trace.names.size())));
        span.activity = static_cast<ActivityKind>(random.bounded(activityKindCount));
        trace.spans.push_back(span);
        if (depth < deepest && random.bounded(4) > 0)
            addNested(trace, random, track, span.start, span.end, depth + 1);
    }
}

/// Two streams and a thread, long enough for coarse levels; counters, passes, launches beside them.
Trace nestedTrace(Ticks length)
{
    QRandomGenerator random(11);
    Trace trace;
    trace.files = {"nested"};
    trace.ranks.push_back({0, "", "", false});
    trace.names = {"aten::linear",
                   "gemm",
                   "void at::native::vectorized_elementwise_kernel<4>",
                   "ncclDevKernel_AllReduce",
                   "größer",
                   "x"};
    for (int i = 0; i < 3; ++i)
        trace.tracks.push_back({TraceRankId(0), "1", std::to_string(i + 7), i < 2, i < 2 ? 0 : -1});
    SpanLabel label;
    label.role = SpanRole::Pass;
    label.stage = StageId(2);
    trace.labels.push_back(label);
    for (int track = 0; track < 3; ++track)
        addNested(trace, random, track, 0, length, track == 0 ? 4 : 0);
    for (std::size_t i = 0; i < trace.spans.size(); i += 97)
        trace.spans[i].label = 0;
    TraceCounter memory{TraceRankId(0), "allocated", CounterKind::Memory, true, false, {}};
    TraceCounter part{TraceRankId(0), "utilisation", CounterKind::Part, true, false, {}};
    for (Ticks at = 100; at < length; at += 1 + random.bounded(3000)) {
        memory.samples.push_back({at, static_cast<double>(random.bounded(1'000'000))});
        if (random.bounded(9) == 0)
            part.samples.push_back({at, random.bounded(1.0)});
    }
    trace.counters = {memory, part};
    return trace;
}

/// A view that can say how a fresh painting of it looks.
struct View
{
    ViewRange range;
    ActivityView view{range};
    SliceColors colors = SliceColors::Kind;

    explicit View(ShownActivityPtr activity, int height = 420)
    {
        view.resize(1000, height);
        view.show();
        view.setActivity(std::move(activity));
        QCoreApplication::processEvents();
    }
    QImage picture() { return view.viewport()->grab().toImage(); }
    QImage fresh()
    {
        view.setColorBy(colors); // paints all anew
        return picture();
    }
    void pan(double pixels) { range.pan(pixels * view.scale().ticksPerPixel); }
    void show(double from, double part)
    {
        const auto whole = static_cast<double>(range.wholeEnd());
        range.show(from * whole, (from + part) * whole);
    }
    const ActivityRows::Row& rowOf(int lane) const { return *view.rows().rowOf(lane); }
};

/// What tells two pictures apart, for a message; empty: nothing.
QString apart(const QImage& one, const QImage& other)
{
    QRect box;
    int pixels = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            if (one.pixel(x, y) != other.pixel(x, y)) {
                box |= QRect(x, y, 1, 1);
                ++pixels;
            }
    return one.size() == other.size() && pixels == 0
               ? QString()
               : QStringLiteral("%1 pixels, from %2, %3 to %4, %5")
                     .arg(pixels)
                     .arg(box.left())
                     .arg(box.top())
                     .arg(box.right())
                     .arg(box.bottom());
}

void hoverAt(ActivityView& view, QPoint at)
{
    QWidget* viewport = view.viewport();
    QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     {});
    QApplication::sendEvent(viewport, &move);
}

constexpr Ticks length = 20'000'000;

} // namespace

/// The picture of a trace: moved, it is the one that is painted anew.
class TestActivityPaint : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_activity = std::make_shared<ShownActivity>(nestedTrace(length));
        // Long lanes, so that coarse levels are painted.
        const std::vector<ActivityLane>& lanes = m_activity->source.lanes();
        QVERIFY(std::any_of(lanes.begin(), lanes.end(), [](const ActivityLane& lane) {
            return lane.slices > 70'000 && lane.rows > 3;
        }));
    }

    void panning_data()
    {
        QTest::addColumn<double>("part");
        QTest::addColumn<int>("colors");
        int color = 0;
        for (const double part : {1.0, 0.4, 0.1, 0.02, 0.003, 0.0003, 0.00002})
            QTest::addRow("%g of it", part) << part << color++ % 4;
    }

    /// Nested lanes and counters, by whole pixels and by parts of them, forwards and back.
    void panning()
    {
        QFETCH(const double, part);
        QFETCH(const int, colors);
        View f(m_activity, 700);
        f.colors = static_cast<SliceColors>(colors);
        f.show(0.37, part);
        f.view.setColorBy(f.colors);
        f.picture();
        for (const double pixels :
             {1.0, 21.92, -3.3, 140.0, -1.0, 0.4, 0.4, -333.7, 700.0, -12.0}) {
            f.pan(pixels);
            const QImage moved = f.picture();
            const QString words = apart(moved, f.fresh());
            QVERIFY2(words.isEmpty(),
                     qPrintable(QString::number(pixels) + QStringLiteral(": ") + words));
        }
        // Many that are never painted anew between.
        for (int i = 0; i < 60; ++i) {
            f.pan(i % 9 - 3.7);
            f.picture();
        }
        const QImage moved = f.picture();
        QCOMPARE(apart(moved, f.fresh()), QString());
    }

    void scrolling()
    {
        View f(m_activity, 200);
        f.show(0.2, 0.004);
        f.picture();
        QScrollBar* bar = f.view.verticalScrollBar();
        QVERIFY(bar->maximum() > 150);
        for (const int to : {1, 40, 75, 20, 150, 0, bar->maximum()}) {
            bar->setValue(to);
            if (to == 75)
                f.pan(31);
            const QImage moved = f.picture();
            QCOMPARE(apart(moved, f.fresh()), QString());
        }
    }

    /// What is over the rows goes with them: the selected slice, arrows, a stretch; and what is
    /// searched for is marked in what comes into view.
    void marksMoveToo()
    {
        View f(m_activity, 700);
        f.show(0.4, 0.002);
        QVERIFY(f.view.search(QStringLiteral("gemm")).isEmpty());
        QVERIFY(f.view.showNext());
        f.view.setStretch(TimeStretch{Ticks{8'000'000}, Ticks{8'020'000}});
        f.show(0.4, 0.002);
        f.picture();
        for (const double pixels : {13.0, 120.5, -77.0, -40.25}) {
            f.pan(pixels);
            hoverAt(f.view, QPoint(400, f.rowOf(2).top + 8));
            const QImage moved = f.picture();
            QCOMPARE(apart(moved, f.fresh()), QString());
        }
    }

    /// Colours, rows, fonts and sizes that change are seen though nothing has moved.
    void changesAreSeen()
    {
        View f(m_activity, 500);
        f.show(0.4, 0.01);
        QImage before = f.picture();
        const auto differs = [&](const char* what) {
            const QImage after = f.picture();
            const bool other = after != before;
            before = after;
            if (!other)
                qWarning("%s: the same picture", what);
            return other;
        };
        f.view.setColorBy(SliceColors::Name);
        QVERIFY(differs("colour by name"));
        f.view.search(QStringLiteral("gemm"));
        QVERIFY(differs("search"));
        f.view.search({});
        QVERIFY(differs("no search"));
        f.view.toggle(f.rowOf(2).key);
        QVERIFY(differs("fold"));
        f.view.togglePin(2);
        QVERIFY(differs("pin"));
        f.view.resize(900, 500);
        QVERIFY(differs("size"));
        applyGround(*qApp, Ground::Dark);
        QCoreApplication::processEvents();
        QVERIFY(differs("dark"));
        applyGround(*qApp, Ground::Light);
        f.range.zoom(0.5, f.range.begin());
        QVERIFY(differs("zoom"));
    }

    /// The name of a slice that begins before the view stands where the view begins.
    void namesStayInView()
    {
        Trace trace;
        trace.files = {"one"};
        trace.ranks.push_back({0, "", "", false});
        trace.names = {"a name"};
        trace.tracks.push_back({TraceRankId(0), "1", "7", true, 0});
        TraceSpan span;
        span.end = 1'000'000;
        trace.spans.push_back(span);
        View f(std::make_shared<ShownActivity>(std::move(trace)));
        f.range.show(0, 500'000);
        f.pan(50);
        const QImage one = f.picture();
        f.pan(100);
        QCOMPARE(apart(f.picture(), one), QString());
    }

    /// What is under a point is what is painted there.
    void slicesAreWhereTheyArePainted()
    {
        View f(m_activity, 700);
        f.show(0.31, 0.0005);
        const QImage picture = f.picture();
        const ActivityRows::Row& row = f.rowOf(2);
        const SliceInks inks(*m_activity, SliceColors::Kind);
        int wide = 0;
        for (int level = 0; level < row.levels; ++level)
            for (int x = 140; x < 900; x += 7) {
                const QPoint at(x, row.top + level * ActivityRows::levelHeight + 1);
                const std::optional<ChosenSlice> slice = f.view.sliceAt(at);
                if (!slice) {
                    QCOMPARE(picture.pixel(at), inks.lane());
                    continue;
                }
                const QRectF box = f.view.boxOf(*slice);
                if (slice->slice.count > 1 || box.width() < 6 || x < box.left() + 2 ||
                    x > box.right() - 3)
                    continue;
                QCOMPARE(picture.pixel(at), inks.of(slice->slice, TraceRankId(0)));
                ++wide;
            }
        QVERIFY(wide > 50);
    }

private:
    ShownActivityPtr m_activity;
};

PW_WINDOW_TEST(TestActivityPaint)

#include "tst_activity_paint.moc"

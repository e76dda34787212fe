// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/hover_card.h"
#include "ui/timeline/phase_bands.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/stretch_line.h"
#include "ui/workspace/timeline_workspace.h"

#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// Two devices with two streams inside of each: passes on the devices, four a lane, idle between.
LanesPtr nestedLanes()
{
    std::vector<Lane> lanes;
    for (int device = 0; device < 2; ++device)
        for (int stream = 0; stream < 3; ++stream) {
            Lane lane;
            lane.title = stream == 0 ? QStringLiteral("device %1").arg(device)
                                     : QStringLiteral("stream %1").arg(stream);
            lane.depth = stream == 0 ? 0 : 1;
            for (std::int32_t i = 0; i < 4; ++i) {
                lane.start.push_back((i * 100 + device * 50) * ticksPerMs / 1000);
                lane.end.push_back((i * 100 + device * 50 + 60) * ticksPerMs / 1000);
                lane.look.push_back({});
                lane.entry.push_back(device * 4 + i);
            }
            lanes.push_back(std::move(lane));
        }
    return std::make_shared<const Lanes>(std::move(lanes), [](std::int32_t entry, bool) {
        return Pass{PassKind::F, 0, StageId(0), entry % 4, 0};
    });
}

/// Says something of everything that it can be asked.
class TalkingSource : public TimelineSource
{
public:
    LanesPtr all = nestedLanes();
    HeatShown colours;
    std::vector<int> chartLanes; ///< that curves were asked for

    LanesPtr lanes() const override { return all; }
    HoverNews describe(SpanRef span, int lane, double) const override
    {
        HoverNews news;
        if (lane < 0)
            return news;
        news.title =
            span.valid() ? QStringLiteral("span %1").arg(span.index) : QStringLiteral("idle");
        news.sentence = QStringLiteral("lane %1, %2").arg(lane).arg(news.title);
        return news;
    }
    QString passWords(const Pass& pass) const override
    {
        return QStringLiteral("pass %1").arg(pass.microBatch);
    }
    std::optional<IdleStretch> idle(int lane, Ticks) const override
    {
        return IdleStretch{0, 1, QStringLiteral("waits for lane %1").arg(1 - lane)};
    }
    std::vector<SpanRef> linked(SpanRef span, int direction) const override
    {
        if (span.lane != 0 || direction < 0)
            return {};
        return {{3, span.index}, {4, span.index}};
    }
    std::vector<Arrow> arrows(SpanRef span) const override { return {{span, {3, span.index}}}; }
    std::vector<SpanRef> strand(SpanRef span) const override { return {span, {3, span.index}}; }
    std::vector<SpanRef> critical() const override { return {{0, 0}, {3, 1}}; }
    WrongLayer wrong() const override { return {{{0, 3}}, {}}; }
    std::optional<PhasesOf> phases() const override
    {
        const Phases one{0, 10, 20, 30};
        return PhasesOf{{one, one}, one};
    }
    Curves curves(const TimelineChart&, int lane) const override
    {
        Curves curves;
        curves.subtitle = QStringLiteral("of lane %1").arg(lane);
        StepSeries series;
        series.name = curves.subtitle;
        series.times = {0, 100};
        series.values = {1, 2};
        curves.series.push_back(series);
        return curves;
    }
    HeatShown heat() const override { return colours; }
};

struct WorkspaceFixture
{
    TalkingSource* source = new TalkingSource;
    TimelineWorkspace workspace{source};
    TimelineView& view = workspace.timeline();

    WorkspaceFixture()
    {
        workspace.resize(1200, 800);
        workspace.show();
        QCoreApplication::processEvents();
    }
    QPoint middleOf(SpanRef span) const { return view.rectangleOf(span).center().toPoint(); }
    QPoint titleOf(int lane) const
    {
        return {40, view.rectangleOf({lane, 0}).center().toPoint().y()};
    }
};

/// Has lanes, and nothing to say of them.
class SilentSource : public TimelineSource
{
public:
    LanesPtr all = nestedLanes();
    LanesPtr lanes() const override { return all; }
};

} // namespace

class TestTimelineWorkspace : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    /// Two markers: how much of the devices is busy, and whether somebody is while others are not.
    /// Streams inside of a device do not count.
    void aMarkedStretchTellsItsIdleTime()
    {
        WorkspaceFixture f;
        const auto* line = f.workspace.findChild<StretchLine*>();
        QVERIFY(line != nullptr && line->isHidden());
        const auto us = [](Ticks time) { return time * ticksPerMs / 1000; };
        f.view.setStretch(TimeStretch{us(300), us(500)});
        QVERIFY(!line->isHidden());
        QCOMPARE(line->text(),
                 QStringLiteral("0.2 ms marked, on 2 lanes: busy 32.5 %, idle 22.5 % while others "
                                "are busy and 45.0 % while none is."));
        f.view.setMark(Mark::B, static_cast<double>(us(400)));
        QVERIFY(line->text().contains(QStringLiteral("40.0 % while others are busy and 0.0 %")));
        f.view.setMark(Mark::B, static_cast<double>(us(300)));
        QVERIFY(line->isHidden());
        f.view.clearMarks();
        QVERIFY(line->isHidden());
    }

    void lanesAreAllThatASourceMustHave()
    {
        auto* source = new SilentSource;
        TimelineWorkspace workspace(source);
        workspace.resize(900, 600);
        workspace.show();
        TimelineView& view = workspace.timeline();
        QCOMPARE(view.lanes(), source->all);
        QCOMPARE(workspace.range().wholeEnd(), source->all->end());
        view.select({0, 1});
        for (const Qt::Key key : {Qt::Key_BracketRight, Qt::Key_BraceRight, Qt::Key_BracketLeft})
            QTest::keyClick(&view, key);
        QVERIFY((view.current() == SpanRef{0, 1}));
        QVERIFY(view.overlay().arrows.empty() && view.overlay().strand.empty());
        workspace.findChild<Playback*>()->step(1);
        QVERIFY(!workspace.findChild<Playback*>()->sentence().isEmpty());
        QVERIFY(!workspace.grab().isNull());
    }

    void whatIsKnownOfTheSelectedSpanIsShown()
    {
        WorkspaceFixture f;
        QSignalSpy changed(&f.workspace, &TimelineWorkspace::selectionChanged);
        f.view.select({0, 1});
        QVERIFY(changed.count() > 0);
        QCOMPARE(f.view.overlay().arrows.size(), std::size_t{1});
        QCOMPARE(f.view.overlay().strand.size(), std::size_t{2});
        QCOMPARE(f.view.overlay().wrong.size(), std::size_t{1});
        f.workspace.setStrandShown(false);
        QVERIFY(f.view.overlay().strand.empty());
        QVERIFY(f.view.overlay().critical.empty());
        QSignalSpy critical(&f.workspace, &TimelineWorkspace::criticalShownChanged);
        f.workspace.setCriticalShown(true);
        f.workspace.setCriticalShown(true);
        QCOMPARE(critical.count(), 1);
        QCOMPARE(f.view.overlay().critical.size(), std::size_t{2});
        f.view.select({});
        QVERIFY(f.view.overlay().arrows.empty());
        QCOMPARE(f.view.overlay().critical.size(), std::size_t{2});
    }

    void keysWalkAlongTheLinksOfTheSource()
    {
        WorkspaceFixture f;
        f.view.select({0, 2});
        QTest::keyClick(&f.view, Qt::Key_BracketRight);
        QVERIFY((f.view.current() == SpanRef{3, 2}));
        QTest::keyClick(&f.view, Qt::Key_BraceRight);
        QVERIFY((f.view.current() == SpanRef{4, 2}));
        QTest::keyClick(&f.view, Qt::Key_BraceRight);
        QVERIFY((f.view.current() == SpanRef{3, 2}));
        QTest::keyClick(&f.view, Qt::Key_BracketRight); // nothing waits for it
        QVERIFY((f.view.current() == SpanRef{3, 2}));
    }

    void thePointerSaysWhatTheSourceDoes()
    {
        WorkspaceFixture f;
        QSignalSpy told(&f.workspace, &TimelineWorkspace::told);
        QTest::mouseMove(f.view.viewport(), f.middleOf({3, 1}));
        QCOMPARE(told.last().at(0).toString(), QStringLiteral("lane 3, span 1"));
        const auto* card = f.workspace.window()->findChild<HoverCard*>();
        QCOMPARE(card->words(), QStringLiteral("span 1"));
        QTest::mouseMove(
            f.view.viewport(),
            f.middleOf({3, 1}) +
                QPoint(static_cast<int>(f.view.rectangleOf({3, 1}).width() / 2) + 8, 0));
        QCOMPARE(told.last().at(0).toString(), QStringLiteral("lane 3, idle"));
    }

    void curvesAndPhasesAreThoseOfTheSelectedLane()
    {
        WorkspaceFixture f;
        const auto legend = [&f] { return f.workspace.charts().memory().legend().front(); };
        QVERIFY2(legend().startsWith(QStringLiteral("of lane -1")), qPrintable(legend()));
        auto* phases = f.workspace.findChild<PhaseBands*>();
        QVERIFY(!phases->isVisible());
        f.workspace.setPhasesShown(true);
        QVERIFY(phases->isVisible() && !phases->accessibleDescription().isEmpty());
        f.view.select({1, 0});
        QVERIFY2(legend().startsWith(QStringLiteral("of lane 1")), qPrintable(legend()));
    }

    void searchAndPlaybackAskTheSource()
    {
        WorkspaceFixture f;
        auto* find = f.workspace.findChild<FindBar*>();
        find->open();
        QTest::keyClicks(find->findChild<QLineEdit*>(), QStringLiteral("mb 2"));
        QCOMPARE(find->hitCount(), std::int64_t{6});
        auto* playback = f.workspace.findChild<Playback*>();
        playback->step(1); // to the beginning
        QVERIFY2(playback->sentence().contains(QStringLiteral("pass 0")),
                 qPrintable(playback->sentence()));
        QVERIFY2(playback->sentence().contains(QStringLiteral("waits for lane -2")),
                 qPrintable(playback->sentence()));
        // Another one, to stand elsewhere, takes the place of the first.
        QWidget elsewhere;
        Playback* moved = f.workspace.makePlayback(&elsewhere);
        QCOMPARE(f.workspace.findChild<Playback*>(), nullptr);
        moved->step(1);
        QVERIFY(moved->sentence().contains(QStringLiteral("pass 0")));
        delete moved;
    }

    void theSourceSaysWhenItHasOtherLanesOrColours()
    {
        WorkspaceFixture f;
        f.view.select({0, 1});
        f.source->all = std::make_shared<const Lanes>();
        Q_EMIT f.source->lanesChanged();
        QVERIFY(!f.view.current().valid());
        QVERIFY(f.workspace.charts().memory().legend().isEmpty());
        f.source->all = nestedLanes();
        Q_EMIT f.source->lanesChanged();
        QCoreApplication::processEvents();
        const QImage kinds = f.view.grab().toImage();
        auto heat = std::make_shared<Heat>();
        heat->values.assign(6, {10, -10, 5, 0});
        heat->most = 10;
        f.source->colours = {heat, 10};
        Q_EMIT f.source->heatChanged();
        QVERIFY(f.view.grab().toImage() != kinds);
    }

    void laneViewsOfASharedRangeLeaveItsWholeAlone()
    {
        ViewRange range;
        range.setWhole(0, 5 * ticksPerMs);
        QWidget window;
        auto* workspace = new TimelineWorkspace(new SilentSource, range, &window);
        QCOMPARE(range.wholeEnd(), 5 * ticksPerMs);
        QCOMPARE(&workspace->range(), &range);
        QCOMPARE(workspace->findChild<FindBar*>(), nullptr);
    }

    void theMarkersAreTheStretch()
    {
        WorkspaceFixture f;
        QSignalSpy stretched(&f.workspace, &TimelineWorkspace::stretchChanged);
        QVERIFY(!f.workspace.view().stretch());
        f.view.setMark(Mark::A, 700.0);
        QVERIFY(!f.workspace.view().stretch());
        f.view.setMark(Mark::B, 200.0);
        QCOMPARE(f.workspace.view().stretch(), std::optional(TimeStretch{200, 700}));
        QCOMPARE(stretched.count(), 2);
        f.workspace.view().setStretch(TimeStretch{10, 20});
        QCOMPARE(f.view.marks().a, std::optional(10.0));
        QCOMPARE(f.view.marks().b, std::optional(20.0));
        f.workspace.view().setStretch(std::nullopt);
        QVERIFY(!f.view.marks().a && !f.view.marks().b);
    }

    void whatIsInsideOfADeviceFoldsAwayWithIt()
    {
        WorkspaceFixture f;
        QVERIFY(f.view.rectangleOf({1, 0}).height() < f.view.rectangleOf({0, 0}).height());
        QCOMPARE(f.view.laneAt(f.middleOf({4, 2})), 4);
        const double below = f.view.rectangleOf({3, 0}).top();
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, f.titleOf(0));
        QVERIFY(!f.view.isLaneShown(1) && !f.view.isLaneShown(2) && f.view.isLaneShown(4));
        QVERIFY(f.view.rectangleOf({1, 0}).isEmpty());
        QVERIFY(f.view.rectangleOf({3, 0}).top() < below);
        QVERIFY(!f.view.grab().isNull());
        // A stream has nothing inside of it.
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, f.titleOf(4));
        QVERIFY(f.view.isLaneShown(4) && f.view.isLaneShown(5));
        // Whatever leads to a span opens what is around it.
        f.view.select({2, 1});
        QVERIFY(f.view.isLaneShown(1) && f.view.isLaneShown(2));
        QTest::keyClick(&f.view, Qt::Key_Down);
        QCOMPARE(f.view.current().lane, 3);
        f.view.toggleLane(0);
        QTest::keyClick(&f.view, Qt::Key_Up);
        QCOMPARE(f.view.current().lane, 0);
    }

    void aPinnedLaneStandsAboveAll()
    {
        WorkspaceFixture f;
        const double top = f.view.rectangleOf({0, 0}).top();
        f.view.select({4, 0});
        QTest::keyClick(&f.view, Qt::Key_P);
        QVERIFY(f.view.isPinned(4));
        QVERIFY(f.view.rectangleOf({4, 0}).bottom() < f.view.rectangleOf({0, 0}).top());
        QCOMPARE(f.view.laneAt(f.middleOf({4, 2})), 4);
        QTest::keyClick(&f.view, Qt::Key_Down);
        QCOMPARE(f.view.current().lane, 0);
        // It stays in sight where its device is folded.
        f.view.toggleLane(3);
        QVERIFY(f.view.isLaneShown(4) && !f.view.isLaneShown(5));
        f.view.toggleLane(3);
        QTest::keyClick(&f.view, Qt::Key_Up);
        QTest::keyClick(&f.view, Qt::Key_P);
        QVERIFY(!f.view.isPinned(4));
        QCOMPARE(f.view.rectangleOf({0, 0}).top(), top);
    }
};

PW_WINDOW_TEST(TestTimelineWorkspace)
#include "tst_timeline_workspace.moc"

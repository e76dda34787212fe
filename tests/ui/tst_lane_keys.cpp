// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/reading/sniff.h"
#include "tests/support/compared.h"
#include "tests/support/family_runs.h"
#include "tests/support/import_hand.h"
#include "tests/support/stored_runs.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/bench/bench_panel.h"
#include "ui/bench/block_view.h"
#include "ui/bench/steps_view.h"
#include "ui/communication/communication_page.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/activity_page.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <memory>

using namespace pw;
using namespace pw::ui;

// The same keys and gestures do the same in every timeline, whatever its lanes are made of.

namespace {

struct Timeline
{
    std::unique_ptr<QObject> model; ///< what the widget needs; outlives it
    std::unique_ptr<QWidget> top;
    LaneView* view = nullptr;
};

Timeline ofSchedule()
{
    auto window = std::make_unique<MainWindow>();
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 8;
    window->openProject(projectOf("1f1b", options, UniformCosts{}));
    LaneView* view = &window->schedulePage()->timeline();
    return {nullptr, std::move(window), view};
}

Timeline ofCommunication()
{
    Timeline made = ofSchedule();
    auto& window = static_cast<MainWindow&>(*made.top);
    window.commands().action(QStringLiteral("schedule.communication"))->trigger();
    made.view = &qobject_cast<CommunicationPage*>(window.page())->timeline();
    return made;
}

Timeline ofTrace()
{
    QStringList events;
    // Two streams, their kernels launched by a thread of the host.
    for (int i = 0; i < 8; ++i) {
        const int launch = 100 * i, start = launch + 60;
        events +=
            QStringLiteral(
                R"({"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":42,"tid":1,)"
                R"("ts":%1,"dur":20,"args":{"correlation":%2}})")
                .arg(launch)
                .arg(i + 1);
        events +=
            QStringLiteral(R"({"ph":"X","name":"gemm_%3","cat":"kernel","pid":0,"tid":%4,"ts":%1,)"
                           R"("dur":30,"args":{"device":0,"stream":%4,"correlation":%2}})")
                .arg(start)
                .arg(i + 1)
                .arg(i)
                .arg(i % 2 == 0 ? 7 : 20);
    }
    const QString text = QStringLiteral(R"({"distributedInfo": {"rank": 0}, "traceEvents": [%1]})")
                             .arg(events.join(QLatin1Char(',')));
    Result<Trace> trace = importTraceText(text.toStdString(), "rank0.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    auto page = std::make_unique<ActivityPage>(std::make_shared<ShownActivity>(std::move(*trace)),
                                               QStringLiteral("one"));
    LaneView* view = &page->view();
    return {nullptr, std::move(page), view};
}

Timeline ofSteps()
{
    auto model = std::make_unique<BenchModel>();
    auto steps = std::make_unique<StepsView>(*model);
    steps->choose(BenchStage::Squeezed);
    LaneView* view = &steps->timeline();
    return {std::move(model), std::move(steps), view};
}

Timeline ofBlock()
{
    auto panel = std::make_unique<BenchPanel>();
    LaneView* view = &panel->blockView();
    return {nullptr, std::move(panel), view};
}

Timeline ofComparison()
{
    auto page = std::make_unique<StackedTimelines>();
    page->set(page->add({}), test::comparedOf(test::plannedRun("1f1b"), QStringLiteral("one")));
    page->set(page->add({}), test::comparedOf(test::plannedRun("zb-h1"), QStringLiteral("two")));
    LaneView* view = page->timelines().front();
    return {nullptr, std::move(page), view};
}

void move(QWidget* widget, QPointF to, Qt::MouseButtons held = Qt::NoButton)
{
    QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(widget, &event);
}

void drag(QWidget* widget, QPoint from, QPoint to)
{
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 8; ++step)
        move(widget, from + (to - from) * step / 8, Qt::LeftButton);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

} // namespace

class TestLaneKeys : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_lane_keys"); }

    void everyTimeline_data()
    {
        QTest::addColumn<int>("which");
        QTest::addRow("schedule") << 0;
        QTest::addRow("communication") << 1;
        QTest::addRow("trace") << 2;
        QTest::addRow("steps of a block") << 3;
        QTest::addRow("comparison") << 4;
        QTest::addRow("block") << 5;
    }

    void everyTimeline()
    {
        QFETCH(const int, which);
        Timeline (*const makers[])() = {ofSchedule, ofCommunication, ofTrace,
                                        ofSteps,    ofComparison,    ofBlock};
        const Timeline made = makers[which]();
        made.top->resize(1200, 800);
        made.top->show();
        QVERIFY(QTest::qWaitForWindowExposed(made.top.get()));
        LaneView& view = *made.view;
        QTRY_VERIFY(view.range().length() > 2);
        zoom(view);
        if (QTest::currentTestFailed())
            return;
        walk(view);
        if (QTest::currentTestFailed())
            return;
        mark(view);
        if (QTest::currentTestFailed())
            return;
        measure(view);
    }

private:
    void zoom(LaneView& view)
    {
        ViewRange& range = view.range();
        QTest::keyClick(&view, Qt::Key_0);
        const double all = range.length();
        // At the pointer: what is under it stays there.
        view.viewport()->setAttribute(Qt::WA_UnderMouse, true);
        const double x = view.room().left() + 0.25 * view.room().width();
        move(view.viewport(), {x, 30});
        const double under = view.timeAt(x);
        QTest::keyClick(&view, Qt::Key_W);
        QVERIFY(std::abs(range.length() / all - 0.8) < 1e-6);
        QVERIFY(std::abs(view.timeAt(x) - under) < 1e-3 * all);
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(std::abs(range.length() / all - 0.64) < 1e-6);
        QTest::keyClick(&view, Qt::Key_Minus);
        QTest::keyClick(&view, Qt::Key_W);
        QTest::keyClick(&view, Qt::Key_S);
        QVERIFY(std::abs(range.length() / all - 0.8) < 1e-6);
        view.viewport()->setAttribute(Qt::WA_UnderMouse, false);
        // By a tenth of what is shown, in whole pixels.
        const double begin = range.begin(), pixel = view.scale().ticksPerPixel;
        QTest::keyClick(&view, Qt::Key_D);
        QVERIFY(std::abs(range.begin() - begin - 0.1 * range.length()) <= pixel + 1e-6);
        QTest::keyClick(&view, Qt::Key_A);
        QVERIFY(std::abs(range.begin() - begin) < 1e-6 * all);
        // Keys of commands are none of these, also while their command rests.
        QTest::keyClick(&view, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(std::abs(range.length() / all - 0.8) < 1e-6);
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(std::abs(range.length() - all) < 1e-6 * all);
    }

    /// What is selected is told by the markers that M puts around it.
    std::optional<TimeStretch> selected(LaneView& view)
    {
        view.clearMarks();
        QTest::keyClick(&view, Qt::Key_M);
        const std::optional<TimeStretch> stretch = view.stretch();
        view.clearMarks();
        return stretch;
    }

    void walk(LaneView& view)
    {
        QVERIFY(!selected(view));
        QTest::keyClick(&view, Qt::Key_Right);
        const auto first = selected(view);
        QVERIFY(first);
        QTest::keyClick(&view, Qt::Key_Period);
        const auto second = selected(view);
        QVERIFY(second && second->start >= first->end);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(selected(view) == second);
        QTest::keyClick(&view, Qt::Key_Comma);
        QVERIFY(selected(view) == first);
        // The same time on another lane, and what is pinned stands above all.
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        const auto below = selected(view);
        QVERIFY(below && below->end > second->start);
        QTest::keyClick(&view, Qt::Key_Up);
        QVERIFY(selected(view));
        // On the selected one, and once that fills the view on everything.
        const double all = view.range().length();
        QTest::keyClick(&view, Qt::Key_F);
        const auto shown = selected(view);
        QVERIFY(view.range().length() < all);
        QVERIFY(view.range().begin() <= static_cast<double>(shown->start) &&
                view.range().end() >= static_cast<double>(shown->end));
        QTest::keyClick(&view, Qt::Key_F);
        QVERIFY(std::abs(view.range().length() - all) < 1e-6 * all);
        QTest::keyClick(&view, Qt::Key_P);
        int pinned = 0;
        for (int lane = 0; lane < 16; ++lane)
            pinned += view.isPinned(lane) ? 1 : 0;
        QCOMPARE(pinned, 1);
        QTest::keyClick(&view, Qt::Key_P);
        for (int lane = 0; lane < 16; ++lane)
            QVERIFY(!view.isPinned(lane));
    }

    void mark(LaneView& view)
    {
        QSignalSpy changed(&view, &LaneView::stretchChanged);
        const double left = view.room().left();
        view.viewport()->setAttribute(Qt::WA_UnderMouse, true);
        move(view.viewport(), {left + 200, 5});
        const double a = view.timeAt(left + 200);
        QTest::keyClick(&view, Qt::Key_A, Qt::ShiftModifier);
        QVERIFY(view.marks().a && !view.marks().b && !view.stretch());
        const double near = 7 * view.scale().ticksPerPixel;
        QVERIFY(std::abs(*view.marks().a - a) <= near);
        move(view.viewport(), {left + 500, 5});
        QTest::keyClick(&view, Qt::Key_B, Qt::ShiftModifier);
        QVERIFY(view.stretch());
        QVERIFY(changed.count() >= 2);
        view.viewport()->setAttribute(Qt::WA_UnderMouse, false);
        // The markers go first, then what is selected.
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.marks().any());
        QVERIFY(selected(view));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!selected(view));
    }

    void measure(LaneView& view)
    {
        QWidget* lanes = view.viewport();
        const int left = static_cast<int>(view.room().left());
        // Below the lowest lane there is nothing that a press could take.
        view.range().fit();
        const int y = lanes->height() - 3;
        drag(lanes, {left + 300, y}, {left + 420, y});
        QVERIFY(view.stretch());
        QVERIFY(!view.isMeasuring());
        const double near = 7 * view.scale().ticksPerPixel;
        QVERIFY(std::abs(*view.marks().b - view.timeAt(left + 420)) <= near);
        // An edge is dragged on, and comes back where it is given up.
        const auto x = [&](double time) {
            return static_cast<int>(std::lround(view.scale().x(time)));
        };
        const double before = *view.marks().b;
        drag(lanes, {x(before), y / 2}, {x(before) + 90, y / 2});
        QVERIFY(std::abs(*view.marks().b - view.timeAt(x(before) + 90)) <= near);
        const Marks kept = view.marks();
        QTest::mousePress(lanes, Qt::LeftButton, {}, {x(*kept.b), y / 2});
        move(lanes, {x(*kept.b) - 60.0, y / 2.0}, Qt::LeftButton);
        QVERIFY(view.isMeasuring());
        QVERIFY(view.marks() != kept);
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(view.marks() == kept);
        QTest::mouseRelease(lanes, Qt::LeftButton, {}, {x(*kept.b), y / 2});
        // The middle button moves the view.
        QTest::keyClick(&view, Qt::Key_W);
        const double begin = view.range().begin();
        QTest::mousePress(lanes, Qt::MiddleButton, {}, {left + 300, 20});
        move(lanes, {left + 260.0, 20}, Qt::MiddleButton);
        QTest::mouseRelease(lanes, Qt::MiddleButton, {}, {left + 260, 20});
        QVERIFY(view.range().begin() > begin);
    }

    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestLaneKeys)
#include "tst_lane_keys.moc"

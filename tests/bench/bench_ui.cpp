// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Frames of the window, drawn in memory at 1920 × 1080. Build the release preset, then:
//   QT_QPA_PLATFORM=offscreen build/release/tests/bench_ui [drag] [zoom] [block] [start] [job
//   STORE]
//
// STORE has a job as its first run: bench_job digests 512 2000 /tmp STORE makes one.
//
// A frame is a mouse or key event and everything that follows from it, the painting of what has
// changed included. Beside each the plain simulation of a schedule, in turns with the frames, so
// that a busy machine shows.

#include "core/families/family.h"
#include "ui/bench/bench_panel.h"
#include "ui/bench/block_view.h"
#include "ui/job/job_page.h"
#include "ui/job/step_strip.h"
#include "ui/job/worker_map.h"
#include "ui/job/workers_view.h"
#include "ui/models/lanes.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/jobs.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace pw;
using namespace pw::ui;

constexpr int frames = 100;

[[noreturn]] void stop(const std::string& message)
{
    std::fprintf(stderr, "bench_ui: %s\n", message.c_str());
    std::exit(1);
}

double milliseconds(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return took.count();
}

struct Times
{
    std::vector<double> all;

    double part(double rate)
    {
        std::sort(all.begin(), all.end());
        return all[static_cast<std::size_t>(rate * static_cast<double>(all.size() - 1))];
    }
};

void print(const char* what, Times& times)
{
    std::printf("  %-34s %8.2f %8.2f %8.2f %8.2f\n", what, times.part(0), times.part(0.5),
                times.part(0.95), times.part(1));
}

/// Memory of this process, in bytes.
double residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() *
           static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Milliseconds since this process was started, to the ten milliseconds of the system's clock tick.
double processAge()
{
    QFile stat(QStringLiteral("/proc/self/stat"));
    QFile uptime(QStringLiteral("/proc/uptime"));
    if (!stat.open(QIODevice::ReadOnly) || !uptime.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = stat.readAll();
    const double started = line.mid(line.lastIndexOf(')') + 2).split(' ').value(19).toDouble() /
                           static_cast<double>(sysconf(_SC_CLK_TCK));
    return 1000 * (uptime.readAll().split(' ').value(0).toDouble() - started);
}

Project bigProject()
{
    FamilyOptions options;
    options.devices = 64;
    options.microBatches = 512;
    return projectOf("v-half", options, UniformCosts{});
}

struct Plain
{
    Simulator simulator;
    SimResult result;

    void add(Times& times, const ScheduleDocument& document)
    {
        times.all.push_back(milliseconds([&] {
            if (!simulator.run(*document.schedule(), document.costs(), result))
                stop("the schedule deadlocks");
        }));
    }
};

/// Moves of the mouse with a pass, or a whole micro-batch, of the schedule in hand.
void timeDrag(SchedulePage& page, const char* what, Qt::KeyboardModifiers modifiers, double zoom)
{
    TimelineView& view = page.timeline();
    const Lanes& lanes = *page.document().lanes();
    const SpanRef grabbed{static_cast<std::int32_t>(lanes.lanes().size() / 2),
                          static_cast<std::int64_t>(lanes.lanes().front().size() / 2)};
    const Lane& lane = lanes.lanes()[static_cast<std::size_t>(grabbed.lane)];
    const auto middle = static_cast<double>(lane.start[static_cast<std::size_t>(grabbed.index)]);
    const double width = static_cast<double>(lanes.end()) * zoom;
    page.range().show(middle - width / 2, middle + width / 2);
    QCoreApplication::processEvents();
    const QRectF block = view.rectangleOf(grabbed);
    if (!block.isValid() || block.width() < 1)
        stop("the pass cannot be seen");
    const QPoint from = block.center().toPoint();
    QTest::mousePress(view.viewport(), Qt::LeftButton, modifiers, from);
    Times times, plain;
    Plain simulation;
    for (int i = 0; i < frames; ++i) {
        const int dx = ((i * 37) % 400 - 200) | 16;
        times.all.push_back(milliseconds([&] {
            QMouseEvent move(QEvent::MouseMove, from + QPoint(dx, 2),
                             view.viewport()->mapToGlobal(from + QPoint(dx, 2)), Qt::NoButton,
                             Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(view.viewport(), &move);
            QCoreApplication::processEvents();
        }));
        simulation.add(plain, page.document());
    }
    if (view.overlay().ghosts.empty())
        stop("nothing is dragged");
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, modifiers, from);
    std::printf(" %s\n", what);
    print("frame", times);
    print("plain simulate", plain);
}

void drag()
{
    MainWindow window;
    window.resize(1920, 1080);
    window.show();
    const double before = residentBytes();
    SchedulePage& page = window.openProject(bigProject());
    while (page.document().computing())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCoreApplication::processEvents();
    if (!page.document().schedule())
        stop(page.document().problem().toStdString());
    const auto passes = static_cast<double>(page.document().schedule()->passCount());
    std::printf("\nDragging, V-Half 64 × 512, %.0f passes; ms: best, median, 95th percentile, "
                "worst\n",
                passes);
    timeDrag(page, "one pass, 2 % of the time visible", Qt::NoModifier, 0.02);
    timeDrag(page, "one pass, a quarter visible", Qt::NoModifier, 0.25);
    timeDrag(page, "a whole micro-batch, 2 % visible", Qt::ShiftModifier, 0.02);
    std::printf("  memory of the open schedule: %.0f bytes a pass\n",
                (residentBytes() - before) / passes);
}

/// Lanes of a run that does not exist: 64 devices, passes of changing length.
LanesPtr manyLanes(std::size_t count)
{
    constexpr std::size_t devices = 64;
    std::vector<Lane> lanes(devices);
    std::uint64_t state = 1;
    for (std::size_t device = 0; device < devices; ++device) {
        Lane& lane = lanes[device];
        lane.title = QStringLiteral("device %1").arg(device);
        Ticks now = 0;
        for (std::size_t i = 0; i < count / devices; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const auto random = static_cast<Ticks>(state >> 40);
            now += i % 16 == 0 ? random % 4000 : 0;
            lane.start.push_back(now);
            now += 500 + random % 1000;
            lane.end.push_back(now);
            SpanLook look;
            look.kind = i % 3 == 0 ? PassKind::F : i % 3 == 1 ? PassKind::B : PassKind::W;
            lane.look.push_back(look);
            lane.entry.push_back(static_cast<std::int32_t>(i));
        }
    }
    return std::make_shared<const Lanes>(std::move(lanes), [](std::int32_t entry, bool) {
        return Pass{PassKind::F, 0, StageId(0), entry, 0};
    });
}

void zoom()
{
    for (const std::size_t count : {std::size_t{1'000'000}, std::size_t{10'000'000}}) {
        const double before = residentBytes();
        LanesPtr lanes;
        const double made = milliseconds([&] { lanes = manyLanes(count); });
        const double bytes = residentBytes() - before;
        ViewRange range;
        TimelineView view(range);
        view.resize(1920, 1080);
        view.setLanes(lanes);
        view.show();
        view.setFocus();
        range.fit();
        QCoreApplication::processEvents();
        std::printf("\nZoom and pan, %zu passes, made in %.0f ms, %.0f bytes a pass; ms: best, "
                    "median, 95th percentile, worst\n",
                    count, made, bytes / static_cast<double>(count));
        const QPointF center = view.viewport()->rect().center();
        const auto wheel = [&](QPoint angle, Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(center, view.viewport()->mapToGlobal(center), {}, angle, Qt::NoButton,
                              modifiers, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(view.viewport(), &event);
            QCoreApplication::processEvents();
        };
        Times in, pan, out;
        for (int i = 0; i < frames; ++i)
            in.all.push_back(milliseconds([&] { wheel({0, 120}, Qt::ControlModifier); }));
        for (int i = 0; i < frames; ++i)
            out.all.push_back(milliseconds([&] { wheel({0, -120}, Qt::ControlModifier); }));
        for (int level = 0; level < 10; ++level) {
            for (int i = 0; i < 5; ++i)
                wheel({0, 120}, Qt::ControlModifier);
            for (int i = 0; i < frames / 10; ++i)
                pan.all.push_back(milliseconds([&] { wheel({0, -120}, Qt::ShiftModifier); }));
        }
        print("zoom in, to single passes", in);
        print("zoom out", out);
        print("pan, at ten widths", pan);
    }
}

/// The bench: a block of 32 devices, of which one pass is dragged, and the pointer over it.
void block()
{
    BenchPanel panel;
    BenchModel& model = panel.model();
    if (!model.startFromFamily(QStringLiteral("v-half")) || !model.setDevices(32) ||
        !model.setMicroBatches(64))
        stop("the block of 32 devices is refused");
    panel.resize(1920, 1080);
    panel.show();
    QCoreApplication::processEvents();
    BlockView& view = panel.blockView();
    const Pass grabbed = model.block().passes[model.block().passes.size() / 2].pass;
    view.select({grabbed});
    const QPoint from = view.rectangleOf(grabbed).center().toPoint();
    const auto moved = [&](QPoint to, Qt::MouseButtons held) {
        QMouseEvent move(QEvent::MouseMove, to, view.viewport()->mapToGlobal(to), Qt::NoButton,
                         held, Qt::NoModifier);
        QCoreApplication::sendEvent(view.viewport(), &move);
        QCoreApplication::processEvents();
    };
    std::printf("\nBench, %zu passes; ms: best, median, 95th percentile, worst\n",
                model.block().passes.size());
    Times whole, hovered, dragged;
    for (int i = 0; i < frames; ++i)
        whole.all.push_back(milliseconds([&] { view.viewport()->repaint(); }));
    for (int i = 0; i < frames; ++i)
        hovered.all.push_back(milliseconds([&] {
            moved({300 + (i * 37) % 1200, 60 + (i * 53) % 400}, Qt::NoButton);
        }));
    QTest::mousePress(view.viewport(), Qt::LeftButton, Qt::NoModifier, from);
    for (int i = 0; i < frames; ++i)
        dragged.all.push_back(milliseconds(
            [&] { moved(from + QPoint(((i * 37) % 400 - 200) | 16, 2), Qt::LeftButton); }));
    if (!model.trying())
        stop("nothing is dragged");
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, Qt::NoModifier, from);
    print("painted whole", whole);
    print("the pointer over it", hovered);
    print("a pass dragged", dragged);
}

/// Waits for the window's work.
template<typename Done>
void until(const Done& done)
{
    while (!done())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// The page of a job that a store has, from nothing to lanes, and what is done on it.
void job(const QString& store)
{
    MainWindow window;
    window.resize(1920, 1080);
    window.show();
    QCoreApplication::processEvents();
    JobPage* page = nullptr;
    const double opened = milliseconds([&] {
        openKeptJob(window, store, 1);
        until([&] { return (page = qobject_cast<JobPage*>(window.page())) != nullptr; });
        until([&] { return page->shown() != nullptr; });
        QCoreApplication::processEvents();
    });
    const Job& all = page->job()->job();
    std::printf(
        "\nThe page of a job, %lld ranks and %zu steps, open with its lanes after %.0f ms; ms "
        "of a frame: best, median, 95th percentile, worst\n",
        static_cast<long long>(all.ranks), all.steps.size(), opened);
    const auto spin = [&page](const char* what, int count, const auto& turn) {
        Times times;
        for (int i = 0; i < count; ++i)
            times.all.push_back(milliseconds([&] {
                turn(i);
                QCoreApplication::processEvents();
            }));
        print(what, times);
    };
    TimelineView& view = page->timeline();
    const QPointF center = view.viewport()->rect().center();
    spin("zoom of the lanes", frames, [&](int i) {
        QWheelEvent event(center, view.viewport()->mapToGlobal(center), {},
                          {0, i % 50 < 25 ? 120 : -120}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.viewport(), &event);
    });
    spin("pointer over the strip of steps", frames, [&](int i) {
        StepStrip& strip = page->strip();
        QTest::mouseMove(&strip, {i * strip.width() / frames, strip.height() / 2});
    });
    spin("pointer over the map of workers", frames, [&](int i) {
        QWidget& map = page->workers().map();
        QTest::mouseMove(&map, {i * map.width() / frames, map.height() / 2});
    });
    // The window goes on while a step is read: its own part of it is a frame.
    spin("a step is asked for", frames, [&](int i) {
        page->showStep(static_cast<std::size_t>(i * 17 % static_cast<int>(all.steps.size())));
    });
    Times steps;
    for (int i = 0; i < 20; ++i)
        steps.all.push_back(milliseconds([&] {
            const auto step =
                static_cast<std::size_t>((i * 97 + 5) % static_cast<int>(all.steps.size()));
            page->showStep(step);
            until([&] { return page->shown()->step == step; });
            QCoreApplication::processEvents();
        }));
    print("until a step is there", steps);
    page->findBar()->open();
    auto* typed = page->findBar()->findChild<QLineEdit*>();
    std::printf(
        "  rank 300 is found in %.1f ms\n", milliseconds([&] {
            typed->setText(QStringLiteral("rank 300"));
            QTest::keyClick(typed, Qt::Key_Return);
            until([&] { return page->worker() && page->shown()->laneOf(*page->worker()) >= 0; });
        }));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    applyGround(application, Ground::Light);
    const QStringList wanted = QApplication::arguments().mid(1);
    const auto asked = [&](const char* part) {
        return wanted.isEmpty() || wanted.contains(QString::fromLatin1(part));
    };
    if (asked("start")) {
        MainWindow window;
        window.resize(1920, 1080);
        window.show();
        QCoreApplication::processEvents();
        std::printf("From the start of the process to the first window: %.0f ms\n", processAge());
    }
    if (wanted.value(0) == QLatin1String("job") && wanted.size() == 2) {
        job(wanted[1]);
        return 0;
    }
    if (asked("drag"))
        drag();
    if (asked("zoom"))
        zoom();
    if (asked("block"))
        block();
    return 0;
}

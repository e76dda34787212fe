// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How long a run of a million passes takes from the double click to its timeline, as one iteration
// and as many, and two of them to their differences. Run it from the release preset on a quiet
// machine:
//
//     QT_QPA_PLATFORM=offscreen build/release/tests/bench_runs [FOLDER]
//
// FOLDER is where two stores are made and removed.

#include "core/families/family.h"
#include "core/io/project_file.h"
#include "core/trace/match.h"
#include "tests/support/compared.h"
#include "tests/support/heartbeat.h"
#include "ui/presentation.h"
#include "ui/runs/run_history.h"
#include "ui/window/comparisons.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace pw;

template<typename T>
T orStop(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "bench_runs: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

/// Keeps a run of 1F1B on eight devices.
void store(const QString& path, int microBatches, int iterations)
{
    Project project;
    project.family = FamilyChoice{"1f1b", {}};
    project.family->options.devices = 8;
    project.family->options.microBatches = microBatches;
    project.draft.spec = orStop(specOf(*orStop(findFamily("1f1b")), project.family->options));
    project.costs = UniformCosts{};
    const Schedule schedule = orStop(scheduleOf(project));
    const SimResult times = orStop(simulate(schedule, costsOf(project)));
    RunStore store = orStop(RunStore::open(path.toStdString()));
    NewRun run;
    run.title = "1F1B";
    run.family = "1f1b";
    run.project = orStop(writeProject(project));
    run.ranks = 8;
    RunWriter writer = orStop(store.begin(run));
    std::vector<RecordedPass> passes = recordsOf(schedule, times);
    std::stable_sort(
        passes.begin(), passes.end(),
        [](const RecordedPass& a, const RecordedPass& b) { return a.start < b.start; });
    for (int iteration = 0; iteration < iterations; ++iteration) {
        RunBatch batch;
        batch.passes = passes;
        for (RecordedPass& record : batch.passes) {
            record.iteration = iteration;
            record.start += iteration * times.makespan;
            record.end += iteration * times.makespan;
        }
        if (!writer.append(batch))
            std::exit(1);
    }
    if (!writer.finish(RunStatus::Finished, {}))
        std::exit(1);
}

/// Milliseconds until the timeline has been painted, and until samples and messages are there.
void open(const char* what, const QString& path)
{
    ui::RunHistory history(path);
    QElapsedTimer clock;
    clock.start();
    ui::RunPage page(history, 1);
    page.resize(1920, 1080);
    page.show();
    qint64 shown = -1, longest = 0;
    while (page.records() == nullptr && page.problem().isEmpty()) {
        const qint64 before = clock.elapsed();
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
        longest = std::max(longest, clock.elapsed() - before);
        if (shown < 0 && page.shown() != nullptr) {
            page.repaint();
            shown = clock.elapsed();
        }
    }
    std::printf("%-32s timeline %5lld ms, samples and messages %5lld ms, longest wait %4lld ms\n",
                what, static_cast<long long>(shown), static_cast<long long>(clock.elapsed()),
                static_cast<long long>(longest));
}

/// Milliseconds until two runs stand below each other with their differences.
void compare(const char* what, const QString& path)
{
    ui::MainWindow window;
    window.resize(1920, 1080);
    window.show();
    ui::RunHistory history(path);
    ui::Comparisons comparisons(window, history);
    QCoreApplication::processEvents();
    QElapsedTimer clock;
    test::Heartbeat heart;
    clock.start();
    heart.start();
    comparisons.compareRuns({1, 2});
    const ui::StackedTimelines* page = pw::test::picturesOf(window.page());
    while (page == nullptr || page->rowCount() < 2 || page->difference(1) == nullptr) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
        page = pw::test::picturesOf(window.page());
    }
    const qint64 shown = clock.elapsed();
    QCoreApplication::processEvents();
    std::printf("%-32s differences %5lld ms, longest wait %4.0f ms\n", what,
                static_cast<long long>(shown), heart.longest());
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    pw::ui::applyGround(application, pw::Ground::Light);
    const QTemporaryDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) +
                                              QStringLiteral("/bench_runs-XXXXXX")
                                        : QString());
    const QString one = folder.filePath(QStringLiteral("one.sqlite"));
    const QString many = folder.filePath(QStringLiteral("many.sqlite"));
    store(one, 62'500, 1);
    store(one, 62'500, 1);
    store(many, 625, 100);
    for (int repeat = 0; repeat < 3; ++repeat) {
        open("1,000,000 passes, 1 iteration", one);
        open("1,000,000 passes, 100 iterations", many);
        compare("two of 1,000,000 passes", one);
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A long trace in the window: from its file to the first picture, frames while it is moved, and
// reopened from a store. Drawn in memory at 1280 x 800. Build the release preset, then:
//   QT_QPA_PLATFORM=offscreen build/release/tests/bench_trace_page [MEGABYTES [FOLDER]]
//
// Beside the time on the clock stands that of the program's processors: on a busy machine only the
// second one means something. FOLDER is where files are made and removed; the default is the
// temporary folder, 1000 MB.

#include "core/store/keep_trace.h"
#include "core/store/stored_trace.h"
#include "tests/support/kineto_text.h"
#include "ui/presentation.h"
#include "ui/traces/trace_import.h"
#include "ui/window/activity_page.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace pw;
using namespace pw::ui;

constexpr int longestWait = 600'000; // ms

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_trace_page: %s\n", why.c_str());
    std::exit(1);
}

/// Time on the clock and of all threads, in seconds.
struct Spent
{
    double clock = 0;
    double processor = 0;
};

Spent now()
{
    timespec clock{}, own{};
    ::clock_gettime(CLOCK_MONOTONIC, &clock);
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    const auto seconds = [](const timespec& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    };
    return {seconds(clock), seconds(own)};
}

Spent since(const Spent& begin)
{
    const Spent end = now();
    return {end.clock - begin.clock, end.processor - begin.processor};
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void say(const char* what, const Spent& spent)
{
    std::printf("%-44s %9.2f s %9.2f s\n", what, spent.clock, spent.processor);
    std::fflush(stdout);
}

double write(const std::string& path, std::size_t bytes)
{
    std::ofstream file(path, std::ios::binary);
    const std::size_t size = test::kinetoText(bytes, [&file](std::string& piece) {
        file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    });
    if (!file.flush())
        stop("cannot write " + path);
    return static_cast<double>(size) / 1e6;
}

std::unique_ptr<ActivityPage> pictureOf(const ShownActivityPtr& activity)
{
    auto page = std::make_unique<ActivityPage>(activity, QStringLiteral("bench"));
    page->resize(1280, 800);
    page->show();
    QCoreApplication::sendPostedEvents();
    if (page->grab().isNull())
        stop("no picture");
    return page;
}

/// Frames of a page that is moved by a part of what it shows, at several lengths of that.
void frames(ActivityPage& page)
{
    const double whole = page.range().end() - page.range().begin();
    std::printf("frames while moving, of the processor      median      95 %%     worst\n");
    for (const double part : {1.0, 0.3, 0.03, 0.001, 0.00003}) {
        std::vector<double> times;
        constexpr int steps = 60;
        const double length = whole * part, from = whole * 0.41 * (1 - part);
        page.range().show(from, from + length);
        page.grab();
        for (int i = 1; i <= steps; ++i) {
            const double at = std::min(from + length * 0.02 * i, whole - length);
            const Spent begin = now();
            page.range().show(at, at + length);
            QCoreApplication::sendPostedEvents();
            page.view().viewport()->grab();
            times.push_back(since(begin).processor * 1000);
        }
        std::sort(times.begin(), times.end());
        const auto of = [&times](double rate) {
            return times[static_cast<std::size_t>(rate * static_cast<double>(times.size() - 1))];
        };
        std::printf("  %-34g %8.2f ms %8.2f ms %8.2f ms\n", part, of(0.5), of(0.95), of(1));
        std::fflush(stdout);
    }
}

ImportedTracePtr import(const std::string& path)
{
    TraceImport import({QString::fromStdString(path)});
    ImportedTracePtr found;
    QObject::connect(&import, &TraceImport::ended,
                     [&found](const ImportedTracePtr& trace) { found = trace; });
    QObject::connect(&import, &TraceImport::failed,
                     [](const QString& why) { stop(why.toStdString()); });
    import.start();
    if (!QTest::qWaitFor([&found] { return found != nullptr; }, longestWait))
        stop("the import does not end");
    return found;
}

void bench(long megabytes, const std::string& folder)
{
    const std::string own = folder + "/bench_trace_page_" + std::to_string(::getpid());
    std::filesystem::create_directory(own);
    const std::string path = own + "/rank0.json", store = own + "/runs.sqlite";
    const double size = write(path, static_cast<std::size_t>(megabytes) * 1'000'000);
    std::printf("%.0f MB of Kineto events                          clock   processor\n", size);
    RunNumber run = 0;
    {
        Spent begin = now();
        const ImportedTracePtr imported = import(path);
        say("file to trace", since(begin));
        const std::unique_ptr<ActivityPage> page = pictureOf(imported->activity);
        say("file to first picture", since(begin));
        const double spans = static_cast<double>(imported->spans) * sizeof(TraceSpan) / 1e6;
        std::printf("  %lld spans, %.0f MB of them; the program's peak was %.0f MB\n",
                    static_cast<long long>(imported->spans), spans, peakMegabytes());
        frames(*page);
        begin = now();
        const ShownActivity& all = *imported->activity;
        const Result<RunNumber> kept =
            keepWholeTrace({all.trace, all.source, all.pairs, imported->pipeline.rankOfDevice},
                           imported->pipeline, {}, store, "bench");
        if (!kept)
            stop(kept.error().message);
        run = *kept;
        say("kept in a store", since(begin));
        std::printf("  a store of %.0f MB\n",
                    static_cast<double>(std::filesystem::file_size(store)) / 1e6);
    }
    const Spent begin = now();
    Result<StoredTrace> stored = loadStoredTrace(store, run);
    if (!stored)
        stop(stored.error().message);
    say("reopened from the store", since(begin));
    const auto shown = std::make_shared<ShownActivity>(
        std::move(stored->trace), std::move(stored->lanes), std::move(stored->pairs));
    const std::unique_ptr<ActivityPage> page = pictureOf(shown);
    say("store to first picture", since(begin));
    std::filesystem::remove_all(own);
}

} // namespace

int main(int argc, char** argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    const long megabytes = argc > 1 ? std::atol(argv[1]) : 1000;
    if (megabytes < 1 || megabytes > 4000)
        stop("usage: bench_trace_page [MEGABYTES [FOLDER]], up to 4000 MB");
    bench(megabytes, argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string());
    return 0;
}

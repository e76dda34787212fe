// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A long trace in the window: from its file to the first picture, frames while it is moved, and
// reopened from a store. Drawn in memory at 1280 x 800. Build the release preset, then:
//   QT_QPA_PLATFORM=offscreen build/release/tests/bench_trace_page [MEGABYTES [FOLDER]]
//   QT_QPA_PLATFORM=offscreen build/release/tests/bench_trace_page nested [MILLIONS]
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
#include <string_view>
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

/// Frames by the processor's time, in ms.
class Frames
{
public:
    explicit Frames(ActivityPage& page)
        : m_page(page)
    {
    }

    /// Shows a part of time and waits for its picture.
    void show(double from, double to)
    {
        const Spent begin = now();
        m_page.range().show(from, to);
        QCoreApplication::sendPostedEvents();
        m_page.view().viewport()->grab();
        m_times.push_back(since(begin).processor * 1000);
    }
    void print(const std::string& what)
    {
        std::sort(m_times.begin(), m_times.end());
        const auto of = [this](double rate) {
            return m_times[static_cast<std::size_t>(rate *
                                                    static_cast<double>(m_times.size() - 1))];
        };
        std::printf("  %-34s %8.2f ms %8.2f ms %8.2f ms\n", what.c_str(), of(0.5), of(0.95), of(1));
        std::fflush(stdout);
        m_times.clear();
    }

private:
    ActivityPage& m_page;
    std::vector<double> m_times;
};

/// Frames of a page that is moved by a part of what it shows, at several lengths of that, and of
/// one that is zoomed.
void frames(ActivityPage& page)
{
    const double whole = page.range().end() - page.range().begin();
    std::printf("frames, of the processor                  median      95 %%     worst\n");
    Frames moved(page);
    for (const double part : {1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.00003}) {
        constexpr int steps = 60;
        const double length = whole * part, from = whole * 0.41 * (1 - part);
        page.range().show(from, from + length);
        page.grab();
        for (int i = 1; i <= steps; ++i) {
            const double at = std::min(from + length * 0.02 * i, whole - length);
            moved.show(at, at + length);
        }
        char what[40];
        std::snprintf(what, sizeof what, "moved, %g of it in view", part);
        moved.print(what);
    }
    Frames zoomed(page);
    constexpr double least = 0.00003, step = 0.9;
    for (const bool in : {true, false}) {
        for (double part = 1; part > least; part *= step) {
            const double length = whole * (in ? part : least / part),
                         from = 0.41 * (whole - length);
            zoomed.show(from, from + length);
        }
        zoomed.print(in ? "zoomed in, a tenth at a time" : "zoomed out");
    }
}

ImportedTracePtr import(const std::string& path)
{
    TraceImport import({QString::fromStdString(path)}, 0);
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
            keepWholeTrace({all.trace, all.source, all.pairs, imported->pipeline().rankOfDevice},
                           imported->pipeline(), {}, store, "bench");
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

/// Threads and streams of slices that stand eight deep, with eight more in the innermost.
Trace nestedSlices(std::size_t count)
{
    constexpr int tracks = 8, levels = 8, leaves = 8, names = 40;
    constexpr Ticks apart = 100'000;
    Trace trace;
    trace.files = {"nested"};
    trace.ranks.push_back({0, "", "", false});
    for (int i = 0; i < names; ++i)
        trace.names.push_back("operator " + std::to_string(i));
    for (int i = 0; i < tracks; ++i) {
        const bool device = 2 * i < tracks;
        trace.tracks.push_back({TraceRankId(0), "1", std::to_string(i), device, device ? 0 : -1});
    }
    trace.spans.reserve(count);
    for (int tree = 0; trace.spans.size() + levels + leaves <= count; ++tree) {
        const Ticks at = static_cast<Ticks>(tree / tracks) * apart;
        const auto add = [&](Ticks start, Ticks end, int name) {
            TraceSpan span;
            span.start = start;
            span.end = end;
            span.track = tree % tracks;
            span.name = name % names;
            span.activity =
                2 * span.track < tracks ? ActivityKind::Compute : ActivityKind::Operator;
            trace.spans.push_back(span);
        };
        for (int level = 0; level < levels; ++level)
            add(at + level * 1000, at + 90'000 - level * 1000, tree % names * 7 + level);
        for (int leaf = 0; leaf < leaves; ++leaf) {
            const Ticks start = at + 10'000 + leaf * 9'000;
            add(start, start + 4'000 + (tree % 1000 * 131 + leaf * 17) % 4'000,
                tree % names + leaf);
        }
    }
    return trace;
}

void benchNested(long millions)
{
    Trace trace = nestedSlices(static_cast<std::size_t>(millions) * 1'000'000);
    const double spans = static_cast<double>(trace.spans.size()) * sizeof(TraceSpan) / 1e6;
    std::printf("%zu nested slices, %.0f MB of them              clock   processor\n",
                trace.spans.size(), spans);
    const Spent begin = now();
    const auto shown = std::make_shared<ShownActivity>(std::move(trace));
    say("lanes and levels", since(begin));
    const std::unique_ptr<ActivityPage> page = pictureOf(shown);
    say("first picture", since(begin));
    frames(*page);
    std::printf("the program's peak was %.0f MB\n", peakMegabytes());
    std::fflush(stdout);
    // Sums of all slices are still being made, and nobody waits for them.
    std::_Exit(0);
}

} // namespace

int main(int argc, char** argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    if (argc > 1 && std::string_view(argv[1]) == "nested") {
        const long millions = argc > 2 ? std::atol(argv[2]) : 50;
        if (millions < 1 || millions > 100)
            stop("usage: bench_trace_page nested [MILLIONS], 1 to 100");
        benchNested(millions);
    }
    const long megabytes = argc > 1 ? std::atol(argv[1]) : 1000;
    if (megabytes < 1 || megabytes > 4000)
        stop("usage: bench_trace_page [MEGABYTES [FOLDER]], up to 4000 MB");
    bench(megabytes, argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string());
    return 0;
}

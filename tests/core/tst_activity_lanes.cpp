// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/store/activity_store.h"
#include "core/trace/activity_export.h"
#include "core/trace/activity_lanes.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <tuple>

using namespace pw;

namespace {

std::string eventText(const char* category, const std::string& name, int process, int thread,
                      double start, double length)
{
    return std::string("{\"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" + name +
           "\", \"pid\": " + std::to_string(process) + ", \"tid\": " + std::to_string(thread) +
           ", \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(length) + "},\n";
}

Trace read(const std::string& events)
{
    const Result<Trace> trace = importTraceText(
        "{\"traceEvents\": [\n" + events + "{\"ph\": \"i\", \"ts\": 1}]}", "rank3.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

std::vector<ActivitySlice> all(const ActivitySource& source, std::size_t lane)
{
    std::vector<ActivitySlice> slices;
    const Result<void> read = source.each(lane, [&slices](const ActivitySlice& slice) {
        slices.push_back(slice);
        return true;
    });
    if (!read)
        qFatal("%s", read.error().message.c_str());
    return slices;
}

/// Whether slices of one depth follow each other, on every level.
bool apart(std::vector<ActivitySlice> slices)
{
    std::map<int, Ticks> ends;
    std::stable_sort(
        slices.begin(), slices.end(),
        [](const ActivitySlice& a, const ActivitySlice& b) { return a.start < b.start; });
    for (const ActivitySlice& slice : slices) {
        const auto [end, made] = ends.try_emplace(slice.depth, slice.end);
        if (!made && slice.start < end->second)
            return false;
        end->second = slice.end;
    }
    return true;
}

/// Times, depth and kind; ids and names differ between a trace and a store.
std::vector<std::tuple<Ticks, Ticks, int, int, int>> shape(const std::vector<ActivitySlice>& all)
{
    std::vector<std::tuple<Ticks, Ticks, int, int, int>> found;
    for (const ActivitySlice& one : all)
        found.emplace_back(one.start, one.end, one.depth, static_cast<int>(one.kind), one.name);
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

/// Everything that a trace holds, in rows.
class TestActivityLanes : public QObject
{
    Q_OBJECT

private slots:
    void slicesNest()
    {
        Trace trace = read(eventText("cpu_op", "outer", 500, 500, 0, 100) +
                           eventText("cpu_op", "first", 500, 500, 10, 30) +
                           eventText("cpu_op", "inner", 500, 500, 15, 10) +
                           eventText("cpu_op", "second", 500, 500, 40, 60) +
                           eventText("cpu_op", "behind", 500, 500, 100, 5) +
                           eventText("user_annotation", "gloo:send", 500, 500, 50, 80) +
                           eventText("kernel", "gemm", 0, 7, 20, 10) +
                           eventText("kernel", "gemm", 0, 13, 20, 10));
        const TraceActivity source(trace);
        QCOMPARE(source.lanes().size(), std::size_t{4});
        const ActivityLane& stream = source.lanes()[0];
        QVERIFY(stream.device);
        QCOMPARE(stream.rankNumber, 3);
        QCOMPARE(stream.owner, std::string("GPU 0"));
        QCOMPARE(stream.name, std::string("stream 7"));
        QCOMPARE(source.lanes()[1].name, std::string("stream 13"));
        const ActivityLane& thread = source.lanes()[2];
        QVERIFY(!thread.device);
        QCOMPARE(thread.rows, 3);
        QCOMPARE(thread.slices, std::int64_t{5});
        std::vector<int> depths;
        for (const ActivitySlice& slice : all(source, 2))
            depths.push_back(slice.depth);
        QCOMPARE(depths, (std::vector<int>{0, 1, 2, 1, 0}));
        // What crosses the others has a row of its own.
        QCOMPARE(source.lanes()[3].slices, std::int64_t{1});
        QCOMPARE(*source.name(all(source, 3).front().name), std::string("gloo:send"));
    }

    void slicesOfADepthNeverOverlap()
    {
        std::mt19937 random(7);
        std::string events;
        for (int i = 0; i < 600; ++i)
            events += eventText(
                "cpu_op", "op" + std::to_string(i % 5), 500, 500 + static_cast<int>(random() % 2),
                static_cast<double>(random() % 1000), static_cast<double>(random() % 200));
        Trace trace = read(events);
        const TraceActivity source(trace);
        std::int64_t count = 0;
        for (std::size_t lane = 0; lane < source.lanes().size(); ++lane) {
            QVERIFY(apart(all(source, lane)));
            count += source.lanes()[lane].slices;
            std::vector<ActivitySlice> merged;
            QVERIFY(source.slices(lane, 0, 2'000'000, 40'000, merged));
            QVERIFY(apart(merged));
            std::int64_t stands = 0;
            for (const ActivitySlice& slice : merged)
                stands += slice.count;
            QCOMPARE(stands, source.lanes()[lane].slices);
        }
        QCOMPARE(count, std::int64_t{600});
    }

    void aWindowHasWhatReachesIntoIt()
    {
        Trace trace = read(eventText("cpu_op", "outer", 500, 500, 0, 100) +
                           eventText("cpu_op", "early", 500, 500, 10, 10) +
                           eventText("cpu_op", "late", 500, 500, 60, 10));
        const TraceActivity source(trace);
        std::vector<ActivitySlice> slices;
        QVERIFY(source.slices(0, 50'000, 62'000, 0, slices));
        QCOMPARE(slices.size(), std::size_t{2});
        QCOMPARE(*source.name(slices[1].name), std::string("late"));
        QVERIFY(source.slices(0, 20'000, 60'000, 0, slices));
        QCOMPARE(slices.size(), std::size_t{1});
        QVERIFY(source.slices(9, 0, 1, 0, slices));
        QVERIFY(slices.empty());
    }

    void aStoreHasTheSameSlices_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("made") << QString();
        for (const char* file : {"kineto-nccl.json.gz", "kineto-rocm.json.gz", "nsys-2gpu.sqlite"})
            QTest::newRow(file) << QString(file);
    }

    void aStoreHasTheSameSlices()
    {
        QFETCH(const QString, file);
        const std::string folder = test::largeTraceFolder();
        if (!file.isEmpty() && !QDir(QString::fromStdString(folder)).exists())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        std::string events;
        for (int i = 0; i < 50; ++i)
            events += eventText("cpu_op", "op", 500, 500, i, i % 3 == 0 ? 0.5 : 0);
        Result<Trace> trace = file.isEmpty() ? Result<Trace>(read(events))
                                             : importTrace({folder + "/" + file.toStdString()});
        QVERIFY(trace);
        const QTemporaryDir place;
        const std::string store = place.path().toStdString() + "/runs.sqlite";
        const Result<RunNumber> run = keepTraceActivity(*trace, store, "a trace");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        const TraceActivity before(*trace);
        const Result<StoredActivity> after = StoredActivity::open(store, *run);
        QVERIFY(after);
        QCOMPARE(after->lanes().size(), before.lanes().size());
        for (std::size_t lane = 0; lane < before.lanes().size(); ++lane) {
            const ActivityLane& kept = after->lanes()[lane];
            QCOMPARE(kept.owner, before.lanes()[lane].owner);
            QCOMPARE(kept.name, before.lanes()[lane].name);
            QCOMPARE(kept.slices, before.lanes()[lane].slices);
            QCOMPARE(shape(all(*after, lane)), shape(all(before, lane)));
            const Ticks length = kept.end - kept.start;
            std::vector<ActivitySlice> one, other;
            QVERIFY(before.slices(lane, kept.start + length / 3, kept.start + length / 2, 0, one));
            QVERIFY(
                after->slices(lane, kept.start + length / 3, kept.start + length / 2, 0, other));
            QCOMPARE(shape(other), shape(one));
            // A coarse level has the same slices, fewer of them.
            QVERIFY(after->slices(lane, kept.start, kept.end + 1, length / 500, other));
            std::int64_t stands = 0;
            for (const ActivitySlice& slice : other)
                stands += slice.count;
            QCOMPARE(stands, kept.slices);
            QVERIFY(apart(other));
        }
        QCOMPARE(*after->name(0), trace->names.front());
        RunStore opened = *RunStore::open(store);
        QCOMPARE(opened.run(*run)->run.passes, std::int64_t{0});
        QVERIFY(opened.remove(*run));
        QVERIFY(!StoredActivity::open(store, *run));
    }

    /// Whatever the length of a window is, about as many slices are read as it has grains.
    void longLanesHaveLevels()
    {
        constexpr int trees = 60'000, levels = 8, leaves = 8;
        constexpr Ticks apart = 100'000;
        Trace trace;
        trace.files = {"many"};
        trace.ranks.push_back({0, "", "", false});
        trace.names = {"inside", "leaf"};
        trace.tracks.push_back({TraceRankId(0), "1", "1"});
        const auto add = [&trace](Ticks start, Ticks end, int name) {
            TraceSpan span;
            span.start = start;
            span.end = end;
            span.name = name;
            trace.spans.push_back(span);
        };
        for (int tree = 0; tree < trees; ++tree) {
            const Ticks at = tree * apart;
            for (int level = 0; level < levels; ++level)
                add(at + level * 1000, at + 90'000 - level * 1000, 0);
            for (int leaf = 0; leaf < leaves; ++leaf)
                add(at + 10'000 + leaf * 9'000, at + 15'000 + leaf * 9'000, 1);
        }
        const TraceActivity source(trace);
        const Ticks all = trees * apart;
        for (Ticks part = all; part > all / 1000; part /= 3) {
            std::vector<ActivitySlice> found;
            const Ticks from = (all - part) / 2 / apart * apart;
            QVERIFY(source.slices(0, from, from + part, part / 1000, found));
            std::int64_t stands = 0;
            for (const ActivitySlice& slice : found)
                stands += slice.count;
            // What a window cuts counts whole.
            const double inside = static_cast<double>(part) / apart * (levels + leaves);
            QVERIFY2(std::abs(static_cast<double>(stands) / inside - 1) < 0.2,
                     qPrintable(QString::number(stands)));
            QVERIFY2(found.size() < 3000U * (levels + 1U),
                     qPrintable(QString::number(found.size())));
        }
    }

    /// A picture that is moved reads strips of what it would read anew: what begins in the whole
    /// grains of a window is the same in all of them, and in no order but its level's.
    void windowsAgree()
    {
        std::mt19937 random(5);
        constexpr int spans = 150'000;
        constexpr std::size_t rows = 3;
        Trace trace;
        trace.files = {"many"};
        trace.ranks.push_back({0, "", "", false});
        trace.names = {"one", "other"};
        trace.tracks.push_back({TraceRankId(0), "1", "1"});
        Ticks now = 0;
        for (int i = 0; i < spans; i += 3) {
            const auto length = static_cast<Ticks>(40 + random() % 400);
            for (Ticks inside = 0; inside < 3; ++inside) {
                TraceSpan span;
                span.start = now + 10 * inside;
                span.end = now + length - 10 * inside;
                span.name = static_cast<int>(random() % 2);
                trace.spans.push_back(span);
            }
            now += length + static_cast<Ticks>(random() % 90);
        }
        const TraceActivity source(trace);
        using Levels = std::vector<std::vector<ActivitySlice>>;
        for (const Ticks grain : {Ticks{0}, Ticks{70}, Ticks{1000}, Ticks{9000}, Ticks{200'000}}) {
            const Ticks step = std::max<Ticks>(grain, 500);
            Levels all(rows), some(rows), outer(1);
            source.levels(0, 0, now + 1, grain, all);
            source.levels(0, 0, now + 1, grain, outer);
            QCOMPARE(outer[0], all[0]);
            const Ticks from = now / 3 / step * step, to = from + 40 * step;
            source.levels(0, from, to, grain, some);
            for (std::size_t level = 0; level < rows; ++level) {
                std::vector<ActivitySlice> expected, found;
                const auto inside = [&](const ActivitySlice& one) {
                    return one.start >= from + 2 * step && one.start < to - 2 * step;
                };
                std::copy_if(all[level].begin(), all[level].end(), std::back_inserter(expected),
                             inside);
                std::copy_if(some[level].begin(), some[level].end(), std::back_inserter(found),
                             inside);
                QVERIFY(!expected.empty());
                QCOMPARE(found, expected);
                QVERIFY(std::is_sorted(
                    found.begin(), found.end(),
                    [](const auto& one, const auto& other) { return one.start < other.start; }));
            }
            // The same slices as in one list.
            std::vector<ActivitySlice> list;
            QVERIFY(source.slices(0, 0, now + 1, grain, list));
            std::size_t count = 0;
            for (const std::vector<ActivitySlice>& level : all)
                count += level.size();
            QCOMPARE(list.size(), count);
        }
    }

    void everyRealTraceIsAPicture()
    {
        const QString folder = QString::fromStdString(test::largeTraceFolder());
        if (!QDir(folder).exists())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        QDirIterator files(folder, {"*.json", "*.json.gz", "*.sqlite"}, QDir::Files,
                           QDirIterator::Subdirectories);
        int pictures = 0;
        while (files.hasNext()) {
            const QString path = files.next();
            Result<Trace> trace = importTrace({path.toStdString()});
            if (!trace)
                continue; // of another importer, or none
            const TraceActivity source(*trace);
            const Result<std::string> svg = writeActivitySvg(source, {});
            QVERIFY2(svg && svg->find("class=\"lane") != std::string::npos, qPrintable(path));
            constexpr std::size_t most = 60'000'000;
            QVERIFY2(svg->size() < most, qPrintable(path));
            ++pictures;
        }
        QVERIFY(pictures > 10);
    }

    void eventsForOtherProgramsComeBack()
    {
        Trace trace = read(eventText("cpu_op", "outer \\\"quoted\\\"", 500, 500, 0, 100) +
                           eventText("kernel", "gemm", 0, 7, 20, 10));
        const TraceActivity source(trace);
        std::ostringstream out;
        QVERIFY(writeActivityChromeJson(source, out));
        const Result<Trace> again = importTraceText(out.str(), "again.json");
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(again->spans.size(), std::size_t{2});
        QVERIFY(again->repairs.list.empty());
        QVERIFY(std::find(again->names.begin(), again->names.end(), "outer \"quoted\"") !=
                again->names.end());
    }
};

PW_TEST(TestActivityLanes)

#include "tst_activity_lanes.moc"

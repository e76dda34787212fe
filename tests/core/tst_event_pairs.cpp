// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/held_ends.h"
#include "core/reading/import_trace.h"
#include "core/trace/activity_lanes.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;

// Slices whose begin and end are two events, as programs of all kinds write them: in order or not,
// on one thread or on none, without an end.

namespace {

/// @param more  further members, in single quotes
std::string eventText(char phase, const std::string& name, int time, std::string more = {})
{
    std::replace(more.begin(), more.end(), '\'', '"');
    return "{\"ph\":\"" + std::string(1, phase) + "\",\"name\":\"" + name +
           "\",\"ts\":" + std::to_string(time) + ",\"pid\":1,\"tid\":1" +
           (more.empty() ? "" : ",") + more + "}";
}

Trace traceOf(const std::vector<std::string>& events)
{
    std::string text = "[";
    for (const std::string& one : events)
        text += (text.size() > 1 ? "," : "") + one;
    Result<Trace> trace = importTraceText(text + "]", "trace.json");
    return trace ? std::move(*trace) : Trace();
}

/// "outer 0-100 1" in µs with the depth, by start.
QStringList slicesOf(Trace& trace)
{
    const ActivityLanes lanes = activityLanes(trace);
    QStringList found;
    for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane)
        for (std::size_t at = lanes.firstSpan[lane]; at < lanes.firstSpan[lane + 1]; ++at) {
            const TraceSpan& span = trace.spans[static_cast<std::size_t>(lanes.spans[at])];
            const std::string_view name = trace.nameOf(span);
            found << QStringLiteral("%1 | %2 %3-%4 %5")
                         .arg(QString::fromStdString(lanes.lanes[lane].name),
                              QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
                         .arg(span.start / 1000)
                         .arg(span.end / 1000)
                         .arg(span.depth);
        }
    return found;
}

bool warns(const Trace& trace, const std::string& part)
{
    return std::any_of(
        trace.warnings.begin(), trace.warnings.end(),
        [&part](const std::string& one) { return one.find(part) != std::string::npos; });
}

std::vector<std::string> nested()
{
    std::vector<std::string> events;
    for (int i = 0; i < 20; ++i) {
        const int at = i * 100;
        events.push_back(eventText('B', "outer", at));
        events.push_back(eventText('B', "inner" + std::to_string(i), at + 10));
        // An end need not say its name.
        events.push_back(eventText('E', "", at + 50));
        events.push_back(eventText('E', "outer", at + 90));
    }
    return events;
}

} // namespace

class TestEventPairs : public QObject
{
    Q_OBJECT

private slots:
    /// The order of the file says nothing of which begin an end belongs to; the times do.
    void endsArePairedInTheOrderOfTime()
    {
        std::vector<std::string> events = nested();
        Trace ordered = traceOf(events);
        const QStringList slices = slicesOf(ordered);
        QCOMPARE(slices.size(), 40);
        QCOMPARE(slices[0], QStringLiteral("1 | outer 0-90 0"));
        QCOMPARE(slices[1], QStringLiteral("1 | inner0 10-50 1"));
        std::reverse(events.begin(), events.end());
        Trace reversed = traceOf(events);
        QCOMPARE(slicesOf(reversed), slices);
        QCOMPARE(reversed.leftOut, 0);
        std::mt19937 random(7);
        for (int i = 0; i < 5; ++i) {
            std::shuffle(events.begin(), events.end(), random);
            Trace shuffled = traceOf(events);
            QCOMPARE(slicesOf(shuffled), slices);
        }
    }

    /// An end seldom repeats what its begin is of.
    void theBeginSaysTheKind()
    {
        Trace trace =
            traceOf({eventText('B', "gemm", 0, "'cat':'kernel'"), eventText('E', "", 10)});
        QCOMPARE(trace.spans.size(), 1U);
        QCOMPARE(trace.spans[0].activity, ActivityKind::Compute);
        QCOMPARE(trace.spans[0].trust, Trust::Device);
    }

    void whatNeverEndsLastsToTheEndOfTheRecording()
    {
        std::vector<std::string> events = nested();
        events.insert(events.begin(), eventText('B', "main", 0));
        Trace trace = traceOf(events);
        QCOMPARE(slicesOf(trace).at(0), QStringLiteral("1 | main 0-1990 0"));
        QCOMPARE(trace.leftOut, 0);
        QVERIFY(warns(trace, "begin and never end; they are shown to the end of the recording"));
        const auto main = std::find_if(trace.spans.begin(), trace.spans.end(),
                                       [&](const auto& s) { return trace.nameOf(s) == "main"; });
        QCOMPARE(main->trust, Trust::Guessed);
    }

    /// How long a pass took that was cut off is not known, and costs would be fitted to it.
    void aPassThatNeverEndsIsLeftOut()
    {
        Trace trace = traceOf({eventText('B', "PP:0F0", 0), eventText('E', "PP:0F0", 10),
                               eventText('B', "PP:0F1", 20), eventText('X', "x", 100, "'dur':5")});
        QCOMPARE(trace.spans.size(), 2U);
        QCOMPARE(trace.leftOut, 1);
    }

    void whatIsAsynchronousHasRowsOfItsOwn_data()
    {
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("id");
        QTest::newRow("nestable") << "b"
                                  << "e"
                                  << "'id':'0x%1'";
        QTest::newRow("nestable, a number") << "b"
                                            << "e"
                                            << "'id':%1";
        QTest::newRow("nestable, of a process") << "b"
                                                << "e"
                                                << "'id2':{'local':'0x%1'}";
        QTest::newRow("older") << "S"
                               << "F"
                               << "'id':%1";
    }
    void whatIsAsynchronousHasRowsOfItsOwn()
    {
        QFETCH(QString, begin);
        QFETCH(QString, end);
        QFETCH(QString, id);
        std::vector<std::string> events;
        for (int i = 0; i < 3; ++i) {
            const std::string of = "'cat':'net'," + id.arg(i + 1).toStdString();
            events.push_back(eventText(begin.toStdString()[0], "ask", i * 50, of));
            if (begin == QLatin1String("b")) {
                events.push_back(eventText('b', "read", i * 50 + 10, of));
                events.push_back(eventText('n', "half", i * 50 + 12, of));
                events.push_back(eventText('e', "read", i * 50 + 20, of));
            }
            events.push_back(eventText(end.toStdString()[0], "ask", i * 50 + 80, of));
        }
        Trace trace = traceOf(events);
        QStringList slices = slicesOf(trace);
        slices.removeIf([](const QString& s) { return s.contains(QLatin1String("read")); });
        // The third begins when the first has ended.
        QCOMPARE(slices, QStringList({QStringLiteral("net (async) | ask 0-80 0"),
                                      QStringLiteral("net (async) | ask 100-180 0"),
                                      QStringLiteral("net (async) 2 | ask 50-130 0")}));
        QCOMPARE(trace.leftOut, 0);
    }

    void rowsOfWhatIsAsynchronousAreBounded()
    {
        std::vector<LooseSlice> slices(1000);
        for (std::size_t i = 0; i < slices.size(); ++i) {
            slices[i].start = static_cast<Ticks>(i);
            slices[i].end = 5000;
            slices[i].tree = static_cast<std::int32_t>(i);
        }
        layOut(slices);
        QCOMPARE(slices.front().row, 0);
        QCOMPARE(slices.back().row, mostLooseRows - 1);
    }

    void momentsAreSlicesWithoutLength()
    {
        Trace trace =
            traceOf({eventText('X', "work", 0, "'dur':100"), eventText('i', "tick", 40, "'s':'t'"),
                     eventText('I', "old", 60), eventText('i', "Iteration Start", 0, "'s':'g'")});
        QCOMPARE(slicesOf(trace), QStringList({QStringLiteral("1 | work 0-100 0"),
                                               QStringLiteral("1 | tick 40-40 1"),
                                               QStringLiteral("1 | old 60-60 1")}));
    }

    /// As XLA's profiler writes them: no categories, operators and steps beside the streams.
    void devicesOfXlaAreDevices()
    {
        const auto on = [](int pid, int tid, const std::string& rest) {
            std::string text = "{'pid':" + std::to_string(pid) + ",'tid':" + std::to_string(tid) +
                               "," + rest + "}";
            std::replace(text.begin(), text.end(), '\'', '"');
            return text;
        };
        const auto thread = [&](int pid, int tid, const std::string& name) {
            return on(pid, tid, "'ph':'M','name':'thread_name','args':{'name':'" + name + "'}");
        };
        const auto process = [&](int pid, const std::string& name) {
            return on(pid, 0, "'ph':'M','name':'process_name','args':{'name':'" + name + "'}");
        };
        const auto work = [&](int pid, int tid, const std::string& name) {
            return on(pid, tid, "'ph':'X','ts':10,'dur':5,'name':'" + name + "'");
        };
        const Trace trace =
            traceOf({process(1, "/device:GPU:3"), thread(1, 9, "Stream #9(Compute,MemcpyD2D)"),
                     thread(1, 10, "XLA Ops"), process(7, "/host:CPU"), work(1, 9, "loop_fusion"),
                     work(1, 9, "MemcpyD2D"), work(1, 9, "ncclDevKernel_AllReduce"),
                     work(1, 10, "fusion.3"), work(7, 1, "python")});
        QCOMPARE(trace.spans.size(), std::size_t{5});
        const std::vector<ActivityKind> kinds = {ActivityKind::Compute, ActivityKind::Memory,
                                                 ActivityKind::Communication,
                                                 ActivityKind::Annotation, ActivityKind::Other};
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const TraceTrack& track = trace.tracks[static_cast<std::size_t>(trace.spans[i].track)];
            QCOMPARE(trace.spans[i].activity, kinds[i]);
            QCOMPARE(track.device, i < 4);
            QCOMPARE(track.deviceNumber, i < 4 ? 3 : -1);
        }
    }

    void processesAreCalledByTheirNames()
    {
        Trace trace = traceOf({eventText('X', "work", 0, "'dur':100"),
                               eventText('M', "process_name", 0, "'args':{'name':'Renderer'}")});
        QCOMPARE(trace.tracks[0].process, std::string("Renderer 1"));
    }
};

PW_TEST(TestEventPairs)
#include "tst_event_pairs.moc"

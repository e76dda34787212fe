// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/trace_memory.h"
#include "tests/support/protobuf_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace pw;
using test::doubleField;
using test::field;

namespace {

constexpr std::uint64_t process = 100, mainThread = 101, counters = 200;
constexpr std::uint64_t nanoseconds = 1, countUnit = 2, bytes = 3;

std::string packet(const std::string& content, std::uint64_t sequence = 1)
{
    return field(1, content + field(10, sequence));
}

std::string processNamed(const std::string& name, std::uint64_t uuid = process,
                         std::uint64_t pid = 1000)
{
    return packet(field(60, field(1, uuid) + field(3, field(1, pid) + field(6, name))) +
                  field(13, 1));
}

/// A track of a counter. @param told  the fields of its descriptor
std::string counterTrack(std::uint64_t uuid, const std::string& name, const std::string& told,
                         std::uint64_t parent = process)
{
    return packet(field(60, field(1, uuid) + field(2, name) + field(5, parent) + field(8, told)));
}

std::string valueAt(std::uint64_t time, std::uint64_t uuid, const std::string& value)
{
    return packet(field(8, time) + field(11, field(9, 4) + field(11, uuid) + value));
}

std::string whole(std::int64_t value)
{
    return field(30, static_cast<std::uint64_t>(value));
}

/// A slice of 100 ns at a time, with what its begin says beside.
std::string sliceAt(std::uint64_t time, const std::string& beside = {})
{
    return packet(field(8, time) + field(11, field(9, 1) + field(11, mainThread) +
                                                 field(23, std::string("work")) + beside)) +
           packet(field(8, time + 100) + field(11, field(9, 2) + field(11, mainThread)));
}

/// A rank with a thread and a slice at 1000, and what is put behind.
std::string traceWith(const std::string& more)
{
    return processNamed("rank 3") +
           packet(field(
               60, field(1, mainThread) + field(5, process) +
                       field(4, field(1, 1000) + field(2, 7) + field(5, std::string("main"))))) +
           sliceAt(1000) + more;
}

Trace readCounters(const std::string& content, const std::string& name = "rank3.pftrace")
{
    const Result<Trace> trace = importTraceText(content, name);
    return trace ? *trace : Trace{};
}

const TraceCounter* named(const Trace& trace, const std::string& name)
{
    for (const TraceCounter& counter : trace.counters)
        if (counter.name == name)
            return &counter;
    return nullptr;
}

std::vector<double> valuesOf(const TraceCounter* counter)
{
    std::vector<double> values;
    if (counter != nullptr)
        for (const CounterSample& sample : counter->samples)
            values.push_back(sample.value);
    return values;
}

using Values = std::vector<double>;

} // namespace

class TestPerfettoCounters : public QObject
{
    Q_OBJECT

private slots:
    void aCounterHasTimesAndValues()
    {
        const Trace trace = readCounters(
            traceWith(counterTrack(counters, "queue", field(3, countUnit)) +
                      valueAt(1010, counters, whole(4)) + valueAt(1050, counters, whole(-2)) +
                      valueAt(1020, counters, doubleField(44, 2.5))));
        const TraceCounter* queue = named(trace, "queue");
        QVERIFY(queue != nullptr);
        QVERIFY(queue->kind == CounterKind::Other);
        // By time, from the first slice on.
        QCOMPARE(valuesOf(queue), (Values{4, 2.5, -2}));
        QCOMPARE(queue->samples.front().time, Ticks{10});
        QCOMPARE(trace.ranks.at(static_cast<std::size_t>(queue->rank)).number, 3);
        QCOMPARE(trace.leftOut, std::int64_t{0});
        QVERIFY(trace.warnings.empty());
    }

    void unitsCount_data()
    {
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("value"); // of 2000
        const auto row = [](const char* what, const std::string& told, const char* name,
                            const char* shown, CounterKind kind, double value) {
            QTest::newRow(what) << QByteArray::fromStdString(told) << QString::fromLatin1(name)
                                << QString::fromLatin1(shown) << static_cast<int>(kind) << value;
        };
        const std::string kilo = field(4, 1024);
        const auto unit = [](const char* name) { return field(6, std::string(name)); };
        row("bytes", field(3, bytes), "in use", "in use", CounterKind::Memory, 2000);
        row("bytes times 1024", field(3, bytes) + kilo, "in use", "in use", CounterKind::Memory,
            2000.0 * 1024);
        row("a unit in the name too", field(3, bytes) + kilo, "memory_kb", "memory_kb",
            CounterKind::Memory, 2000.0 * 1024);
        row("bytes that move", field(3, bytes), "bytes sent", "bytes sent (bytes)",
            CounterKind::Other, 2000);
        row("MiB by name", unit("MiB"), "pool", "pool", CounterKind::Memory, 2000.0 * 1048576);
        row("percent", unit("%"), "busy", "busy", CounterKind::Part, 20);
        row("nanoseconds", field(3, nanoseconds), "cpu", "cpu (ms)", CounterKind::Other, 0.002);
        row("another unit", unit("W"), "power", "power (W)", CounterKind::Other, 2000);
        row("a count", field(3, countUnit), "memory pages", "memory pages", CounterKind::Other,
            2000);
        row("thread time", field(1, 1), "", "thread time (ms)", CounterKind::Other, 0.002);
        row("nothing told", {}, "GPU memory (MB)", "GPU memory (MB)", CounterKind::Memory, 2e9);
    }

    void unitsCount()
    {
        QFETCH(QByteArray, told);
        QFETCH(QString, name);
        QFETCH(QString, shown);
        QFETCH(int, kind);
        QFETCH(double, value);
        const Trace trace =
            readCounters(traceWith(counterTrack(counters, name.toStdString(), told.toStdString()) +
                                   valueAt(1010, counters, whole(2000))));
        const TraceCounter* counter = named(trace, shown.toStdString());
        QVERIFY(counter != nullptr);
        QCOMPARE(static_cast<int>(counter->kind), kind);
        QCOMPARE(counter->samples.front().value, value);
    }

    void changesAreSummedUp()
    {
        const std::string anew = packet(field(13, 1)); // the writer forgets what it said
        const Trace trace = readCounters(traceWith(
            counterTrack(counters, "allocated", field(3, bytes) + field(5, 1) + field(4, 10)) +
            valueAt(1010, counters, whole(300)) + valueAt(1020, counters, whole(200)) +
            valueAt(1030, counters, whole(-400)) + anew + valueAt(1040, counters, whole(70))));
        QCOMPARE(valuesOf(named(trace, "allocated")), (Values{3000, 5000, 1000, 700}));
        // The most of it is the most of the rank.
        QCOMPARE(peaksOfRanks(trace).at(0).bytes, Bytes{5000});
        QCOMPARE(peaksOfRanks(trace).at(0).at.value_or(-1), Ticks{20});
    }

    void aChangeWithoutATimeCountsInTheSum()
    {
        const Trace trace = readCounters(
            traceWith(counterTrack(counters, "held", field(3, countUnit) + field(5, 1)) +
                      packet(field(11, field(9, 4) + field(11, counters) + whole(5))) +
                      valueAt(1020, counters, whole(2))));
        QCOMPARE(valuesOf(named(trace, "held")), (Values{7}));
        QCOMPARE(trace.leftOut, std::int64_t{1});
        QCOMPARE(trace.warnings.size(), std::size_t{1});
    }

    void slicesTellCountersBeside_data()
    {
        QTest::addColumn<bool>("byDefault");
        QTest::addColumn<bool>("packed");
        QTest::newRow("the event names them") << false << false;
        QTest::newRow("the event names them, packed") << false << true;
        QTest::newRow("the writer named them before") << true << false;
    }

    void slicesTellCountersBeside()
    {
        QFETCH(bool, byDefault);
        QFETCH(bool, packed);
        const std::uint64_t exact = 300;
        const std::string tracks = field(31, counters) + field(31, counters + 1);
        const std::string exactTracks = field(45, exact);
        const std::string values = packed ? field(12, test::varint(8) + test::varint(9)) +
                                                field(46, test::eightBytes(0.25))
                                          : field(12, 8) + field(12, 9) + doubleField(46, 0.25);
        const std::string defaults = packet(field(59, field(11, tracks + exactTracks)));
        const Trace trace = readCounters(
            traceWith(counterTrack(counters, "one", {}) + counterTrack(counters + 1, "two", {}) +
                      counterTrack(exact, "three", {}) + (byDefault ? defaults : "") +
                      sliceAt(2000, (byDefault ? "" : tracks + exactTracks) + values)));
        QCOMPARE(valuesOf(named(trace, "one")), (Values{8}));
        QCOMPARE(valuesOf(named(trace, "two")), (Values{9}));
        QCOMPARE(valuesOf(named(trace, "three")), (Values{0.25}));
        QCOMPARE(trace.spans.size(), std::size_t{2});
    }

    void tracksOfOneNameStayApart()
    {
        const Trace trace = readCounters(traceWith(
            counterTrack(counters, "load", {}, mainThread) +
            counterTrack(counters + 1, "load", {}) + counterTrack(counters + 2, "load", {}) +
            valueAt(1010, counters, whole(1)) + valueAt(1010, counters + 1, whole(2)) +
            valueAt(1010, counters + 2, whole(3))));
        QCOMPARE(trace.counters.size(), std::size_t{3});
        QCOMPARE(valuesOf(named(trace, "load, main 7")), (Values{1}));
        QCOMPARE(valuesOf(&trace.counters.at(1)), (Values{2}));
        QCOMPARE(valuesOf(&trace.counters.at(2)), (Values{3}));
    }

    void aCounterOfNoRankIsKept()
    {
        const Trace trace =
            readCounters(traceWith(processNamed("rank 4", process + 50, 1001) +
                                   packet(field(60, field(1, 160) + field(5, process + 50) +
                                                        field(4, field(1, 1001) + field(2, 8)))) +
                                   counterTrack(counters, "power", field(6, std::string("W")), 0) +
                                   valueAt(1010, counters, whole(300))),
                         "some.pftrace");
        const TraceCounter* power = named(trace, "power (W)");
        QVERIFY(power != nullptr);
        QCOMPARE(trace.ranks.at(static_cast<std::size_t>(power->rank)).number, -1);
    }

    void countersAloneAreATrace()
    {
        constexpr std::uint64_t late = 5'000'000'000;
        const Trace trace = readCounters(
            processNamed("trainer") + counterTrack(counters, "load", {}) +
            valueAt(late, counters, whole(1)) + valueAt(late + 50, counters, whole(2)));
        QCOMPARE(valuesOf(named(trace, "load")), (Values{1, 2}));
        QCOMPARE(trace.counters.front().samples.front().time, Ticks{0});
        QCOMPARE(trace.counters.front().samples.back().time, Ticks{50});
    }

    void numbersThatAreNoneAreLeftOut()
    {
        const Trace trace = readCounters(traceWith(
            counterTrack(counters, "odd", field(5, 1)) +
            valueAt(1010, counters, doubleField(44, std::numeric_limits<double>::quiet_NaN())) +
            valueAt(1020, counters, doubleField(44, std::numeric_limits<double>::infinity())) +
            valueAt(1030, counters, whole(6)) + valueAt(1040, counters, {})));
        QCOMPARE(valuesOf(named(trace, "odd")), (Values{6}));
        QCOMPARE(trace.leftOut, std::int64_t{2});
    }
};

PW_TEST(TestPerfettoCounters)
#include "tst_perfetto_counters.moc"

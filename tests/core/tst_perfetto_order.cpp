// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "tests/support/protobuf_text.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

using namespace pw;

namespace {

using test::field;

constexpr std::uint64_t track = 7;
constexpr std::uint64_t second = 1'000'000'000;

std::string packetOf(std::uint64_t writer, std::uint64_t time, const std::string& event)
{
    return field(1,
                 field(8, second + time) + field(11, field(11, track) + event) + field(10, writer));
}

std::string begin(std::uint64_t writer, std::uint64_t time, const std::string& name)
{
    return packetOf(writer, time, field(9, 1) + field(23, name));
}

std::string end(std::uint64_t writer, std::uint64_t time)
{
    return packetOf(writer, time, field(9, 2));
}

} // namespace

/// Packets of several writers stand in a file as their buffers were written, not in the order of
/// time.
class TestPerfettoOrder : public QObject
{
    Q_OBJECT

private:
    Result<Trace> read(const std::string& packets)
    {
        const std::string file = m_folder.filePath(QStringLiteral("a.pftrace")).toStdString();
        const std::string described =
            field(1, field(60, field(1, track) + field(2, std::string("stream 7"))) + field(10, 1));
        std::ofstream(file, std::ios::binary) << described + packets;
        return importTrace({file});
    }

    /// Start and length by name.
    static std::map<std::string, std::pair<Ticks, Ticks>> slicesOf(const Trace& trace)
    {
        std::map<std::string, std::pair<Ticks, Ticks>> slices;
        Ticks first = 0;
        for (const TraceSpan& span : trace.spans)
            first = &span == &trace.spans.front() ? span.start : std::min(first, span.start);
        for (const TraceSpan& span : trace.spans)
            slices[trace.names[static_cast<std::size_t>(span.name)]] = {span.start - first,
                                                                        span.end - span.start};
        return slices;
    }

    QTemporaryDir m_folder;

private slots:
    /// One thread begins slices that another one ends, and the other's buffer comes first.
    void anEndMayComeBeforeItsSlice()
    {
        const Result<Trace> trace =
            read(end(2, 300) + end(2, 900) + begin(1, 100, "first") + begin(1, 500, "second"));
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const auto slices = slicesOf(*trace);
        QCOMPARE(slices.size(), std::size_t{2});
        QCOMPARE(slices.at("first"), std::pair(Ticks{0}, Ticks{200}));
        QCOMPARE(slices.at("second"), std::pair(Ticks{400}, Ticks{400}));
        QCOMPARE(trace->leftOut, std::int64_t{0});
    }

    void nestedSlicesEndFromTheInside()
    {
        const Result<Trace> trace =
            read(end(2, 300) + end(2, 900) + begin(1, 100, "outer") + begin(1, 200, "inner"));
        QVERIFY(trace);
        const auto slices = slicesOf(*trace);
        QCOMPARE(slices.at("inner"), std::pair(Ticks{100}, Ticks{100}));
        QCOMPARE(slices.at("outer"), std::pair(Ticks{0}, Ticks{800}));
    }

    /// Kernels of a queue may overlap; their writer tells each begin with its end.
    void slicesThatOverlapKeepTheirEnds()
    {
        const Result<Trace> trace =
            read(begin(1, 0, "a") + end(1, 100) + begin(1, 50, "b") + end(1, 150));
        QVERIFY(trace);
        const auto slices = slicesOf(*trace);
        QCOMPARE(slices.at("a"), std::pair(Ticks{0}, Ticks{100}));
        QCOMPARE(slices.at("b"), std::pair(Ticks{50}, Ticks{100}));
    }

    void anEndOfNothingIsLeftOut()
    {
        const Result<Trace> trace = read(end(2, 50) + begin(1, 100, "a") + end(1, 200));
        QVERIFY(trace);
        QCOMPARE(trace->spans.size(), std::size_t{1});
        QCOMPARE(trace->leftOut, std::int64_t{1});
    }
};

PW_TEST(TestPerfettoOrder)
#include "tst_perfetto_order.moc"

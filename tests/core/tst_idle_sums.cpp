// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/device_activity.h"
#include "core/analysis/idle_gaps.h"
#include "core/reading/import_trace.h"
#include "core/trace/activity_links.h"
#include "tests/support/data_files.h"
#include "tests/support/hand_trace.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace pw;
using pw::test::HandTrace;

namespace {

constexpr Ticks usOfGap = 1000;
constexpr int lengthOfGapTrace = 160; // µs

/// What stands in a random trace.
class RandomGapTrace
{
public:
    explicit RandomGapTrace(std::mt19937& random)
        : m_random(random)
    {
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<std::int32_t> threads;
            for (int i = below(2); i >= 0; --i) {
                threads.push_back(made.thread(rank));
                made.call(threads.back(), "begin", 0, 1, ActivityKind::Operator);
                calls(threads.back(), 0, lengthOfGapTrace);
            }
            std::int32_t last = -1;
            for (int device = below(2); device >= 0; --device)
                for (int stream = below(3); stream >= 0; --stream) {
                    last = made.stream(rank, stream, device);
                    kernels(last, threads);
                }
            for (int at = 20; at < lengthOfGapTrace; at += 30)
                made.kernel(last, "ring", at + below(9), at + 15, at, ActivityKind::Communication);
        }
    }

    HandTrace made;

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

    /// Calls one in the other, and one behind the other.
    void calls(std::int32_t thread, int from, int to)
    {
        for (int at = from + below(20); at < to;) {
            const int end = std::min(to, at + 1 + below(40));
            const auto kind = below(3) == 0 ? ActivityKind::Wait : ActivityKind::Operator;
            made.call(thread, "call " + std::to_string(at), at, end, kind);
            if (end - at > 4)
                calls(thread, at, end);
            at = end + below(12);
        }
    }

    /// Kernels of a stream, now and then two at once, most of them launched.
    void kernels(std::int32_t stream, const std::vector<std::int32_t>& threads)
    {
        for (int at = below(30); at < lengthOfGapTrace;) {
            int end = at + below(25);
            // Marks without length, some of them together.
            if (below(5) == 0)
                end = at = (at + 9) / 10 * 10;
            const int launched = std::max(0, at - below(50));
            const bool known = below(8) > 0;
            const bool nccl = below(4) == 0;
            made.kernel(stream, nccl ? "nccl" : "gemm", at, end, known ? launched : -1,
                        nccl ? ActivityKind::Communication : ActivityKind::Compute);
            if (known && below(6) > 0)
                made.call(
                    threads[static_cast<std::size_t>(below(static_cast<int>(threads.size())))],
                    "launch", launched, launched + 1);
            at = std::max({0, end - 4, end + below(30) - 6});
        }
    }

    std::mt19937& m_random;
};

/// The answer by looking at every activity, each time.
class GapLook
{
public:
    GapLook(const Trace& trace, std::vector<std::int32_t> device, std::int32_t track)
        : m_trace(trace)
        , m_device(std::move(device))
    {
        for (const std::int32_t one : m_device)
            if (track < 0 || at(one).track == track)
                m_row.push_back(one);
    }

    bool runs(Ticks time) const
    {
        return std::any_of(m_row.begin(), m_row.end(), [&](std::int32_t one) {
            return at(one).start <= time && time < at(one).end;
        });
    }
    Ticks first() const
    {
        Ticks first = at(m_row.front()).start;
        for (const std::int32_t one : m_row)
            first = std::min(first, at(one).start);
        return first;
    }
    Ticks last() const
    {
        Ticks last = 0;
        for (const std::int32_t one : m_row)
            last = std::max(last, at(one).end);
        return last;
    }

    /// Of a moment between the first and the last activity in which none runs.
    IdleGap gap(Ticks time) const
    {
        IdleGap gap;
        gap.end = last();
        for (const std::int32_t one : m_row) {
            if (at(one).end <= time)
                gap.start = std::max(gap.start, at(one).end);
            if (at(one).start > time)
                gap.end = std::min(gap.end, at(one).start);
        }
        std::int32_t ended = -1;
        for (const std::int32_t one : m_row)
            if (at(one).start == gap.end && (gap.next < 0 || key(one) < key(gap.next)))
                gap.next = one;
        std::int32_t ahead = gap.next;
        for (const std::int32_t one : m_row)
            if (!(key(one) < key(gap.next)) && std::tuple(launchedAt(at(one)), key(one)) <
                                                   std::tuple(launchedAt(at(ahead)), key(ahead)))
                ahead = one;
        const Ticks pending = launchedAt(at(ahead));
        for (const std::int32_t one : m_device)
            if (key(one) < key(gap.next) && at(one).end <= gap.end &&
                (ended < 0 ||
                 std::tuple(at(one).end, key(one)) > std::tuple(at(ended).end, key(ended))))
                ended = one;
        const Ticks launched = launchedAt(at(gap.next));
        if (launched == unlaunched) {
            gap.parts.unknown = gap.end - gap.start;
            return gap;
        }
        gap.parts.host = std::clamp(pending, gap.start, gap.end) - gap.start;
        const bool other = at(ended).track != at(gap.next).track && at(ended).end > launched;
        (other ? gap.parts.stream : gap.parts.launch) = gap.end - gap.start - gap.parts.host;
        gap.other = gap.parts.stream > 0 ? ended : -1;
        const bool late = launched > gap.start && launched > pending;
        if (gap.parts.launch > 0 && late && at(ahead).track != at(gap.next).track)
            gap.ahead = ahead;
        return gap;
    }

private:
    const TraceSpan& at(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }
    std::tuple<Ticks, Ticks, std::int32_t> key(std::int32_t index) const
    {
        return {at(index).start, at(index).end, index};
    }

    const Trace& m_trace;
    std::vector<std::int32_t> m_device, m_row;
};

/// What the launching thread does in a gap, by looking at all of its slices.
IdleGap lookAtThread(const Trace& trace, const ActivityLanes& lanes, const IdleGap& gap)
{
    IdleGap found;
    const std::int32_t lane = laneOfSpan(trace, lanes, gap.launch);
    if (lane < 0 || gap.parts.host == 0)
        return found;
    const auto thread = static_cast<std::size_t>(lane);
    std::vector<bool> busy(static_cast<std::size_t>(gap.parts.host / usOfGap), false);
    for (std::size_t i = lanes.firstSpan[thread]; i < lanes.firstSpan[thread + 1]; ++i) {
        const TraceSpan& span = trace.spans[static_cast<std::size_t>(lanes.spans[i])];
        if (span.activity == ActivityKind::Wait && span.start < gap.start && span.end > gap.start)
            found.wait = lanes.spans[i];
        const Ticks from = std::max(span.start, gap.start);
        const Ticks taken = std::min(span.end, gap.start + gap.parts.host) - from;
        if (2 * taken > gap.parts.host)
            found.doing = lanes.spans[i];
        found.slices += taken > 0 ? 1 : 0;
        for (Ticks at = 0; at < taken; at += usOfGap)
            busy[static_cast<std::size_t>((from - gap.start + at) / usOfGap)] = true;
    }
    found.busy = usOfGap * std::count(busy.begin(), busy.end(), true);
    return found;
}

} // namespace

/// One answer for every gap adds up to what is told of a device.
class TestIdleSums : public QObject
{
    Q_OBJECT

private slots:
    void randomGapsAreWhatALookFinds()
    {
        std::mt19937 random(pw::test::randomSeed());
        for (int round = 0; round < 60; ++round) {
            Trace trace = RandomGapTrace(random).made.trace;
            const ActivityLanes lanes = activityLanes(trace);
            const IdleGaps gaps(trace, lanes, {});
            const WorkDevices known = workDevices(trace);
            for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane) {
                const std::int32_t track = lanes.lanes[lane].track;
                const std::int32_t device = known.ofTrack[static_cast<std::size_t>(track)];
                if (device < 0)
                    continue;
                std::vector<std::int32_t> work;
                for (std::size_t i = 0; i < trace.spans.size(); ++i)
                    if (known.ofTrack[static_cast<std::size_t>(trace.spans[i].track)] == device)
                        work.push_back(static_cast<std::int32_t>(i));
                const auto asked = [&](bool whole, Ticks time) {
                    return whole ? gaps.ofDevice(lane, time) : gaps.ofStream(lane, time);
                };
                for (const bool whole : {false, true}) {
                    const GapLook look(trace, work, whole ? -1 : track);
                    for (Ticks time = 0; time < lengthOfGapTrace * usOfGap; time += usOfGap)
                        compare(look, asked(whole, time), time, trace, lanes);
                    if (QTest::currentTestFailed())
                        return;
                }
            }
        }
    }

    void randomGapsAddUp()
    {
        std::mt19937 random(pw::test::randomSeed());
        std::int64_t peers = 0;
        for (int round = 0; round < 300; ++round) {
            Trace trace = RandomGapTrace(random).made.trace;
            addsUp(trace);
            if (QTest::currentTestFailed())
                return;
            const DeviceFigures figures = deviceFigures(trace, true);
            for (const DeviceActivity& one : figures.devices)
                peers += one.peer > 0 ? 1 : 0;
        }
        QVERIFY2(peers > 0, "no random trace has a rank that waits");
    }

    void realGapsAddUp_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name :
             {"kineto-nccl.json.gz", "kineto-mi300-nccl.json.gz", "kineto-event-sync.json.gz",
              "kineto-rocm.json.gz", "nsys-2gpu.sqlite", "torch-zb-h1", "torch-1f1b"})
            QTest::newRow(name) << QString::fromStdString(test::largeTraceFolder()) + "/" + name;
    }

    void realGapsAddUp()
    {
        QFETCH(const QString, file);
        if (!QDir().exists(file))
            QSKIP("no folder of larger real traces; PW_DATA names it");
        Result<Trace> trace = importTrace({file.toStdString()});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        addsUp(*trace);
    }

private:
    static void compare(const GapLook& look, const std::optional<IdleGap>& found, Ticks time,
                        const Trace& trace, const ActivityLanes& lanes)
    {
        if (!found) {
            QVERIFY(look.runs(time) || time >= look.last());
            return;
        }
        QVERIFY(!look.runs(time));
        QVERIFY(found->start <= time && time < found->end && !found->text.empty());
        QCOMPARE(found->cause == IdleCause::Before, time < look.first());
        QCOMPARE(found->cause == IdleCause::After, time >= look.last());
        if (time < look.first() || time >= look.last()) {
            QCOMPARE(found->parts, IdleTime());
            return;
        }
        const IdleGap expected = look.gap(time);
        QCOMPARE(found->start, expected.start);
        QCOMPARE(found->end, expected.end);
        QCOMPARE(found->next, expected.next);
        QCOMPARE(found->parts, expected.parts);
        QCOMPARE(found->other, expected.other);
        QCOMPARE(found->ahead, expected.ahead);
        const IdleGap thread = lookAtThread(trace, lanes, *found);
        QCOMPARE(found->wait, thread.wait);
        QCOMPARE(found->doing, thread.doing);
        QCOMPARE(found->slices, thread.slices);
        QCOMPARE(found->busy, thread.busy);
    }

    /// Every gap of a device once, and what waits for other ranks.
    static void addsUp(Trace& trace)
    {
        const ActivityLanes lanes = activityLanes(trace);
        const TraceMessages messages = pairMessages(trace);
        const IdleGaps gaps(trace, lanes, messages.pairs);
        const DeviceFigures figures = deviceFigures(trace, true);
        QCOMPARE(gaps.devices().size(), figures.devices.size());
        std::map<TraceRankId, Ticks> waited;
        for (const PeerWait& wait : peerWaits(trace, messages.pairs)) {
            QVERIFY(wait.waited > 0);
            waited[trace.spans[static_cast<std::size_t>(wait.span)].rank] += wait.waited;
            const auto share = gaps.waitOf(wait.span);
            QCOMPARE(share->wait.waited, wait.waited);
            QCOMPARE(share->rank, trace.spans[static_cast<std::size_t>(wait.peer)].rank);
        }
        for (std::size_t device = 0; device < figures.devices.size(); ++device) {
            const DeviceActivity& one = figures.devices[device];
            IdleTime sum;
            for (const IdleGap& gap : gaps.longest(device, trace.spans.size())) {
                QCOMPARE(gap.parts.total(), gap.end - gap.start);
                QVERIFY(gap.peer <= gap.parts.stream && !gap.text.empty());
                sum += gap.parts;
            }
            QCOMPARE(sum, one.idle);
            QCOMPARE(gaps.sum(device), one.idle);
            QCOMPARE(gaps.devices()[device].rank, one.rank);
            QCOMPARE(gaps.devices()[device].number, one.deviceNumber);
            QCOMPARE(one.peer, one.peerKnown ? waited[one.rank] : 0);
        }
    }
};

PW_TEST(TestIdleSums)

#include "tst_idle_sums.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/device_activity.h"
#include "core/analysis/idle_gaps.h"
#include "tests/support/hand_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;
using pw::test::HandTrace;

namespace {

/// A trace with its lanes, and what is asked of it.
class AskedGaps
{
public:
    explicit AskedGaps(Trace taken)
        : trace(std::move(taken))
        , lanes(activityLanes(trace))
        , messages(pairMessages(trace))
        , gaps(trace, lanes, messages.pairs)
    {
    }

    std::size_t laneOf(std::int32_t track) const
    {
        const auto found =
            std::find_if(lanes.lanes.begin(), lanes.lanes.end(),
                         [track](const ActivityLane& one) { return one.track == track; });
        return static_cast<std::size_t>(found - lanes.lanes.begin());
    }
    std::optional<IdleGap> stream(std::int32_t track, Ticks us) const
    {
        return gaps.ofStream(laneOf(track), us * 1000);
    }
    std::optional<IdleGap> device(std::int32_t track, Ticks us) const
    {
        return gaps.ofDevice(laneOf(track), us * 1000);
    }

    Trace trace;
    ActivityLanes lanes;
    TraceMessages messages;
    IdleGaps gaps;
};

QString gapSaid(const std::optional<IdleGap>& gap)
{
    return gap ? QString::fromStdString(gap->text.english()) : QString("no gap");
}

IdleTime partsUs(const IdleGap& gap)
{
    return {gap.parts.host / 1000, gap.parts.stream / 1000, gap.parts.launch / 1000,
            gap.parts.unknown / 1000};
}

} // namespace

/// Why a stream or a device idles, gap by gap.
class TestIdleGaps : public QObject
{
    Q_OBJECT

private slots:
    /// 100–200 runs; the next was launched at 260, and begins at 270.
    void theHostIsLate()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7);
        made.kernel(stream, "softmax", 100, 200, 90);
        made.call(thread, "aten::item", 150, 215, ActivityKind::Operator);
        const auto wait = made.call(thread, "cudaStreamSynchronize", 160, 205, ActivityKind::Wait);
        const auto loader = made.call(thread, "loader", 218, 258, ActivityKind::Script);
        made.call(thread, "next", 219, 230, ActivityKind::Script);
        const auto launch = made.call(thread, "cudaLaunchKernel", 260, 264);
        const auto next = made.kernel(stream, "gemm", 270, 300, 260);
        const AskedGaps asked(made.trace);
        const auto gap = asked.stream(stream, 220);
        QCOMPARE(gapSaid(gap),
                 "waits for the host: cudaLaunchKernel launches gemm only 0.06 ms after the end of "
                 "softmax; its thread waits for the device in cudaStreamSynchronize until 5 µs "
                 "after that end; its thread is in loader for 0.04 ms of it; 0.01 ms of it is "
                 "launching");
        QCOMPARE(gap->start, Ticks{200'000});
        QCOMPARE(gap->end, Ticks{270'000});
        QCOMPARE(gap->cause, IdleCause::Host);
        QCOMPARE(partsUs(*gap), (IdleTime{60, 0, 10, 0}));
        QCOMPARE(gap->next, next);
        QCOMPARE(gap->launch, launch);
        QCOMPARE(gap->from(), launch);
        QCOMPARE(gap->wait, wait);
        QCOMPARE(gap->doing, loader);
        QCOMPARE(gap->slices, std::int64_t{4});
        QCOMPARE(gap->busy, Ticks{55'000});
        // Every moment of it has the same answer, and no other has.
        QCOMPARE(asked.stream(stream, 200)->end, gap->end);
        QCOMPARE(asked.gaps.ofStream(asked.laneOf(stream), 269'999)->start, gap->start);
        QVERIFY(!asked.stream(stream, 270));
        QVERIFY(!asked.gaps.ofStream(asked.laneOf(stream), 199'999));
    }

    void manyShortSlicesAreCounted()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7);
        made.kernel(stream, "a", 0, 100, 0);
        for (Ticks at = 110; at < 190; at += 20)
            made.call(thread, "aten::view", at, at + 15, ActivityKind::Operator);
        made.call(thread, "cudaLaunchKernel", 200, 201);
        made.kernel(stream, "b", 200, 210, 200);
        QCOMPARE(gapSaid(AskedGaps(made.trace).stream(stream, 150)),
                 "waits for the host: cudaLaunchKernel launches b only 0.1 ms after the end of a; "
                 "its thread runs 4 slices for 0.06 ms of it");
    }

    void aThreadMayDoNothing()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7);
        made.kernel(stream, "a", 0, 100, 0);
        made.call(thread, "cudaLaunchKernel", 200, 201);
        made.kernel(stream, "b", 200, 210, 200);
        for (Ticks at = 1000; at < 6000; ++at)
            made.call(thread, "short", at, at + 1, ActivityKind::Operator);
        made.call(thread, "cudaLaunchKernel", 6000, 6001);
        made.kernel(stream, "c", 6000, 6010, 6000);
        const AskedGaps asked(made.trace);
        QCOMPARE(gapSaid(asked.stream(stream, 150)),
                 "waits for the host: cudaLaunchKernel launches b only 0.1 ms after the end of a; "
                 "its thread does nothing that was recorded");
        QCOMPARE(gapSaid(asked.stream(stream, 3000)),
                 "waits for the host: cudaLaunchKernel launches c only 5.79 ms after the end of b; "
                 "its thread runs 5000 slices meanwhile");
    }

    void aLaunchThatNoThreadHasIsStillLate()
    {
        HandTrace made;
        const auto stream = made.stream(0, 7);
        made.kernel(stream, "a", 0, 100, 0);
        made.kernel(stream, "b", 200, 210, 190);
        const auto gap = AskedGaps(made.trace).stream(stream, 150);
        QCOMPARE(gapSaid(gap), "waits for the host: b is launched only 0.09 ms after the end of a; "
                               "0.01 ms of it is launching");
        QCOMPARE(gap->from(), -1);
    }

    void aLaunchTakesItsTime()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7);
        made.kernel(stream, "a", 10, 100, 0);
        made.call(thread, "cudaLaunchKernel", 80, 82);
        made.kernel(stream, "b", 105, 200, 80);
        made.call(thread, "cudaLaunchKernel", 203, 204);
        made.kernel(stream, "c", 210, 300, 203);
        const auto slow = made.call(thread, "cudaMemcpyAsync", 280, 350);
        made.kernel(stream, "Memcpy HtoD (Pageable -> Device)", 352, 360, 280,
                    ActivityKind::Memory);
        const AskedGaps asked(made.trace);
        const auto before = asked.stream(stream, 102);
        QCOMPARE(gapSaid(before),
                 "launch gap: b is launched 0.02 ms before the end of a and begins 5 µs after it");
        QCOMPARE(partsUs(*before), (IdleTime{0, 0, 5, 0}));
        QCOMPARE(before->cause, IdleCause::Launch);
        QCOMPARE(before->from(), before->launch);
        const auto after = asked.stream(stream, 205);
        QCOMPARE(gapSaid(after),
                 "launch gap: c is launched 3 µs after the end of b and begins 7 µs later");
        QCOMPARE(partsUs(*after), (IdleTime{3, 0, 7, 0}));
        const auto call = asked.stream(stream, 340);
        QCOMPARE(gapSaid(call), "launch gap: cudaMemcpyAsync takes 0.07 ms to launch Memcpy HtoD "
                                "(Pageable -> Device)");
        QCOMPARE(call->from(), slow);
    }

    void oneStreamWaitsForAnother()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7), other = made.stream(0, 9);
        made.kernel(stream, "a", 10, 100, 0);
        const auto longer = made.kernel(other, "copy", 20, 180, 5, ActivityKind::Memory);
        made.kernel(other, "later", 181, 400, 6);
        made.call(thread, "cudaLaunchKernel", 120, 121);
        made.kernel(stream, "b", 190, 200, 120);
        const AskedGaps asked(made.trace);
        const auto gap = asked.stream(stream, 150);
        QCOMPARE(gapSaid(gap), "waits for copy on stream 9, which ends 0.01 ms before b begins; "
                               "before that, 0.02 ms for the host");
        QCOMPARE(partsUs(*gap), (IdleTime{20, 70, 0, 0}));
        QCOMPARE(gap->cause, IdleCause::Stream);
        QCOMPARE(gap->other, longer);
        QCOMPARE(gap->from(), longer);
        // The device ran all the while.
        QVERIFY(!asked.device(stream, 150));
        QCOMPARE(asked.device(stream, 180)->parts.launch, Ticks{1000});
    }

    void whatWaitsAheadIsNamed()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7), other = made.stream(0, 9);
        made.kernel(stream, "a", 10, 100, 0);
        made.call(thread, "cudaLaunchKernel", 150, 151);
        made.kernel(stream, "c", 155, 160, 150);
        const auto ahead = made.kernel(other, "b", 165, 170, 90);
        const AskedGaps asked(made.trace);
        const auto gap = asked.device(stream, 120);
        QCOMPARE(gapSaid(gap), "b on stream 9 was launched before and waits, too; c is launched "
                               "0.05 ms after the end of a");
        QCOMPARE(gap->ahead, ahead);
        QCOMPARE(partsUs(*gap), (IdleTime{0, 0, 55, 0}));
        // On the stream alone the host is late.
        QCOMPARE(partsUs(*asked.stream(stream, 120)), (IdleTime{50, 0, 5, 0}));
    }

    /// Rank 1 begins its all-reduce 300 µs later: rank 0 waits in it, and so does what follows.
    void aRankIsWaitedFor()
    {
        HandTrace made;
        std::vector<std::int32_t> reduces, streams;
        for (int rank = 0; rank < 2; ++rank) {
            const auto thread = made.thread(rank), stream = made.stream(rank, 7),
                       other = made.stream(rank, 20);
            const Ticks late = rank * 300;
            made.kernel(stream, "backward", 10, 100 + late, 0);
            made.call(thread, "cudaLaunchKernel", 4, 5);
            reduces.push_back(made.kernel(other, "ncclDevKernel_AllReduce(ncclArgs)", 100 + late,
                                          450, 2, ActivityKind::Communication));
            made.kernel(stream, "optimizer", 455, 500, 4);
            streams.push_back(stream);
        }
        const AskedGaps asked(made.trace);
        const auto gap = asked.stream(streams[0], 300);
        QCOMPARE(gapSaid(gap),
                 "waits for rank 1, which begins 0.3 ms after ncclDevKernel_AllReduce "
                 "on stream 20");
        QCOMPARE(gap->cause, IdleCause::Peer);
        QCOMPARE(partsUs(*gap), (IdleTime{0, 355, 0, 0}));
        QCOMPARE(gap->peer, Ticks{300'000});
        QCOMPARE(gap->other, reduces[0]);
        QCOMPARE(gap->peerSpan, reduces[1]);
        QCOMPARE(gap->from(), reduces[1]);
        QCOMPARE(gapSaid(asked.stream(streams[1], 420)),
                 "waits for ncclDevKernel_AllReduce on stream 20, which ends 5 µs before "
                 "optimizer begins");
        const auto share = asked.gaps.waitOf(reduces[0]);
        QCOMPARE(QString::fromStdString(share->text.english()),
                 "waits 0.3 ms of its 0.35 ms for rank 1, which begins that much later");
        QCOMPARE(share->wait, (PeerWait{reduces[0], reduces[1], 300'000}));
        QVERIFY(!asked.gaps.waitOf(reduces[1]));
        const DeviceFigures figures = deviceFigures(asked.trace, true);
        QCOMPARE(figures.devices[0].peer, Ticks{300'000});
        QCOMPARE(figures.devices[1].peer, Ticks{0});
    }

    /// Rank 0 sends from 100 on, rank 1 receives from 250 on; the labels are around the kernels.
    void aKernelWaitsWithItsLabelledMessage()
    {
        HandTrace made;
        std::vector<std::int32_t> kernels, streams;
        for (int rank = 0; rank < 2; ++rank) {
            const auto stream = made.stream(rank, 7), other = made.stream(rank, 20);
            const Ticks start = rank == 0 ? 100 : 250;
            made.kernel(stream, "a", 10, 90, 0);
            const auto message = made.kernel(other, rank == 0 ? "send" : "receive", start, 390, -1,
                                             ActivityKind::Annotation);
            SpanLabel label;
            label.role = rank == 0 ? SpanRole::Send : SpanRole::Receive;
            label.stage = StageId(rank);
            label.microBatch = 3;
            made.trace.labels.push_back(label);
            made.trace.spans[static_cast<std::size_t>(message)].label = rank;
            kernels.push_back(made.kernel(other, "ncclDevKernel_SendRecv(args)", start + 10, 390, 2,
                                          ActivityKind::Communication));
            made.kernel(stream, "b", 395, 500, 4);
            streams.push_back(stream);
        }
        const AskedGaps asked(made.trace);
        QCOMPARE(asked.messages.pairs.size(), std::size_t{1});
        QCOMPARE(asked.gaps.waitOf(kernels[0])->wait.waited, Ticks{140'000});
        QVERIFY(!asked.gaps.waitOf(kernels[1]));
        const auto gap = asked.stream(streams[0], 300);
        QCOMPARE(gap->cause, IdleCause::Stream);
        QCOMPARE(gapSaid(gap), "waits for ncclDevKernel_SendRecv on stream 20, which ends 5 µs "
                               "before b begins; 0.14 ms of it for rank 1");
    }

    /// A part of the wait is the peer's; from half of it on it is the reason.
    void aShortWaitForARankIsTold()
    {
        const auto asked = [](Ticks late) {
            HandTrace made;
            for (int rank = 0; rank < 2; ++rank) {
                const auto stream = made.stream(rank, 7), other = made.stream(rank, 20);
                made.kernel(stream, "a", 10, 100, 0);
                made.kernel(other, "nccl_gather", 100 + rank * late, 450, 2,
                            ActivityKind::Communication);
                made.kernel(stream, "b", 460, 500, 4);
            }
            return AskedGaps(made.trace).stream(0, 300);
        };
        const auto gap = asked(40);
        QCOMPARE(gapSaid(gap), "waits for nccl_gather on stream 20, which ends 0.01 ms before b "
                               "begins; 0.04 ms of it for rank 1");
        QCOMPARE(gap->cause, IdleCause::Stream);
        QCOMPARE(asked(179)->cause, IdleCause::Stream);
        QCOMPARE(asked(180)->cause, IdleCause::Peer);
    }

    void beforeAndBehindEverything()
    {
        HandTrace made;
        const auto thread = made.thread(0), stream = made.stream(0, 7), other = made.stream(0, 9);
        made.call(thread, "main", 0, 1000, ActivityKind::Script);
        const auto launch = made.call(thread, "cudaLaunchKernel", 80, 81);
        made.kernel(stream, "a", 100, 200, 80);
        made.kernel(other, "b", 300, 400);
        made.kernel(other, "c", 450, 500);
        const AskedGaps asked(made.trace);
        const auto before = asked.stream(stream, 0);
        QCOMPARE(gapSaid(before),
                 "nothing runs yet: a is the first activity, launched 0.02 ms before "
                 "it begins");
        QCOMPARE(before->end, Ticks{100'000});
        QCOMPARE(before->parts, IdleTime());
        QCOMPARE(before->from(), launch);
        QCOMPARE(gapSaid(asked.stream(other, 299)), "nothing runs yet: b is the first activity");
        const auto after = asked.stream(stream, 200);
        QCOMPARE(gapSaid(after), "nothing runs any more: a is the last activity");
        QCOMPARE(after->end, Ticks{1'000'000});
        QCOMPARE(after->from(), -1);
        QCOMPARE(gapSaid(asked.device(stream, 999)),
                 "nothing runs any more: c is the last activity");
        const auto unknown = asked.device(stream, 250);
        QCOMPARE(gapSaid(unknown), "not known why: the launch of b is not in the trace");
        QCOMPARE(unknown->cause, IdleCause::Unknown);
        QCOMPARE(partsUs(*unknown), (IdleTime{0, 0, 0, 100}));
        QVERIFY(!asked.stream(stream, 1000));
        QVERIFY(!asked.stream(stream, -1));
        QVERIFY(!asked.stream(thread, 500));
        QVERIFY(!asked.device(thread, 500));
        QVERIFY(!asked.gaps.ofStream(99, 0));
    }

    /// An annotation on a stream is no activity, and one that crosses another is still its stream.
    void annotationsAndCrossingsAreNoWork()
    {
        HandTrace made;
        const auto stream = made.stream(0, 7), bare = made.stream(0, 8);
        made.kernel(stream, "step", 0, 500, -1, ActivityKind::Annotation);
        made.kernel(stream, "a", 10, 100, 0);
        made.kernel(stream, "b", 50, 150, 0);
        made.kernel(stream, "c", 200, 300, 160);
        made.kernel(bare, "step", 0, 500, -1, ActivityKind::Annotation);
        const AskedGaps asked(made.trace);
        QCOMPARE(asked.lanes.lanes.size(), std::size_t{3});
        for (std::size_t lane = 0; lane < 3; ++lane) {
            const bool works = asked.lanes.lanes[lane].track == stream;
            const auto gap = asked.gaps.ofStream(lane, 170'000);
            QCOMPARE(gap.has_value(), works);
            QCOMPARE(gap ? gap->start : 0, works ? Ticks{150'000} : 0);
            QVERIFY(!asked.gaps.ofStream(lane, 120'000));
        }
    }

    /// Of what ends together, the one that is last in order counts; of calls that begin together,
    /// that of the first thread.
    void tiesHaveOneAnswer()
    {
        HandTrace made;
        const auto thread = made.thread(0), second = made.thread(0), stream = made.stream(0, 7),
                   other = made.stream(0, 9);
        made.kernel(other, "x", 10, 100, 0);
        made.kernel(stream, "y", 20, 100, 0);
        const auto call = made.call(thread, "cudaLaunchKernel", 50, 51);
        made.call(second, "cudaLaunchKernel", 50, 52);
        made.kernel(stream, "z", 110, 120, 50);
        const auto last = made.kernel(other, "w", 110, 130, 60);
        const AskedGaps asked(made.trace);
        const auto gap = asked.device(stream, 105);
        QCOMPARE(asked.trace.nameOf(asked.trace.spans[static_cast<std::size_t>(gap->previous)]),
                 std::string_view("y"));
        QCOMPARE(gap->cause, IdleCause::Launch);
        QCOMPARE(gap->launch, call);
        // y, not x, ended last before w, though both end then.
        const auto waits = asked.stream(other, 105);
        QCOMPARE(waits->next, last);
        QCOMPARE(waits->cause, IdleCause::Stream);
        QCOMPARE(gapSaid(waits), "waits for y on stream 7, which ends 0.01 ms before w begins");
    }

    void theLongestComeFirst()
    {
        HandTrace made;
        const auto stream = made.stream(0, 7);
        Ticks at = 0;
        for (const Ticks gap : {5, 20, 20, 1}) {
            made.kernel(stream, "a", at, at + 10, at);
            at += 10 + gap;
        }
        made.kernel(stream, "a", at, at + 10, at);
        const AskedGaps asked(made.trace);
        QCOMPARE(asked.gaps.devices().size(), std::size_t{1});
        std::vector<Ticks> starts;
        for (const IdleGap& one : asked.gaps.longest(0, 3))
            starts.push_back(one.start / 1000);
        QCOMPARE(starts, (std::vector<Ticks>{25, 55, 10}));
        QCOMPARE(asked.gaps.longest(0, 99).size(), std::size_t{4});
        QVERIFY(asked.gaps.longest(0, 0).empty());
        QCOMPARE(asked.gaps.sum(0).total(), Ticks{46'000});
        QVERIFY(IdleGaps(Trace(), ActivityLanes(), {}).devices().empty());
    }

    void longNamesAreCut()
    {
        HandTrace made;
        const auto stream = made.stream(0, 7);
        made.kernel(stream, "a", 0, 10, 0);
        made.kernel(stream, "void at::copy<" + std::string(80, 'x') + ">(int)", 20, 30);
        made.kernel(stream, "at::copy(int)", 40, 50, -1, ActivityKind::Memory);
        const AskedGaps asked(made.trace);
        QCOMPARE(gapSaid(asked.stream(stream, 15)),
                 QString("not known why: the launch of copy<%1… is not in the trace")
                     .arg(QString(55, 'x')));
        QCOMPARE(gapSaid(asked.stream(stream, 35)),
                 "not known why: the launch of at::copy(int) is not in the trace");
    }
};

PW_TEST(TestIdleGaps)

#include "tst_idle_gaps.moc"

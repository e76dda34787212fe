// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/exposure.h"
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/match.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/read_traces.h"
#include "tests/support/recorded_run.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

using namespace pw;

namespace {

constexpr Ticks hop = 50'000;

/// Executions of a schedule in which every pass takes up to a fifth longer or shorter.
std::vector<SimResult> jittered(const test::FamilyRun& run, int executions, std::mt19937& random)
{
    std::uniform_real_distribution<double> factor(0.8, 1.2);
    const auto length = [&](std::int32_t, const OrderEntry&, Ticks costs) {
        return static_cast<Ticks>(static_cast<double>(costs) * factor(random));
    };
    std::vector<SimResult> results;
    for (int i = 0; i < executions; ++i) {
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1, length);
        results.push_back(*measuredResult(run.schedule, batch.passes, {}));
    }
    return results;
}

std::vector<test::SkewedClock> skewed(int devices, Ticks offset, double drift, std::mt19937& random)
{
    std::uniform_int_distribution<Ticks> offsets(0, offset);
    std::uniform_real_distribution<double> drifts(-drift, drift);
    std::vector<test::SkewedClock> clocks;
    for (int device = 0; device < devices; ++device)
        clocks.push_back({offsets(random), drifts(random)});
    return clocks;
}

/// What the clock of device 0 shows when another one shows `time`, less that.
double truth(const test::SkewedClock& first, const test::SkewedClock& other, Ticks time)
{
    constexpr double millionths = 1e6;
    const double moment = static_cast<double>(time - other.offset) / (1 + other.drift / millionths);
    return moment * (1 + first.drift / millionths) + static_cast<double>(first.offset - time);
}

bool inside(const ClockBand& band, double value, Ticks grain)
{
    const auto slack = static_cast<double>(2 * grain);
    return band.bounded() && static_cast<double>(*band.low) <= value + slack &&
           value <= static_cast<double>(*band.high) + slack && *band.low <= *band.high;
}

/// Messages both ways between two clocks: every `every` ticks one each way that takes `takes`, by
/// the clock of device 1 `offset` and `drift` more.
std::vector<ClockMessage> exchange(Ticks every, int count, Ticks takes, test::SkewedClock other)
{
    std::vector<ClockMessage> messages;
    for (int i = 0; i < count; ++i) {
        const Ticks time = i * every;
        ClockMessage message;
        message.from = DeviceId(i % 2);
        message.to = DeviceId(1 - message.from);
        message.sent = message.from == 0 ? time : other.shows(time);
        message.received = message.from == 0 ? other.shows(time + takes) : time + takes;
        messages.push_back(message);
    }
    return messages;
}

std::vector<ClockWindow> windowsOf(const std::vector<ClockMessage>& messages, std::size_t devices)
{
    std::vector<ClockWindow> windows(devices);
    std::vector<bool> any(devices, false);
    for (const ClockMessage& message : messages) {
        for (const auto& [device, time] :
             {std::pair(message.from, message.sent), std::pair(message.to, message.received)}) {
            const auto at = static_cast<std::size_t>(device);
            ClockWindow& window = windows[at];
            window.first = any[at] ? std::min(window.first, time) : time;
            window.last = any[at] ? std::max(window.last, time) : time;
            any[at] = true;
        }
    }
    return windows;
}

/// Two ranks with labelled messages; the clock of the second is later by `late` microseconds.
Trace labelledExchange(int late)
{
    const auto file = [](int rank, int shift,
                         const std::vector<std::tuple<const char*, int, int>>& spans) {
        std::string text =
            "{\"distributedInfo\": {\"rank\": " + std::to_string(rank) + "}, \"traceEvents\": [";
        for (const auto& [name, start, end] : spans)
            text += std::string(text.back() == '[' ? "" : ",") + "{\"ph\": \"X\", \"name\": \"" +
                    name + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + std::to_string(start + shift) +
                    ".5, \"dur\": " + std::to_string(end - start) + "}";
        return test::TraceText{"rank" + std::to_string(rank) + ".json", text + "]}"};
    };
    return test::traceOf({file(0, 0,
                               {{"PP:0F0", 0, 100},
                                {"PP:0SEND_F0", 110, 120},
                                {"PP:0RECV_B0", 400, 480},
                                {"PP:0B0", 500, 600}}),
                          file(1, late,
                               {{"PP:1RECV_F0", 90, 130},
                                {"PP:1F0", 200, 300},
                                {"PP:1B0", 300, 400},
                                {"PP:1SEND_B0", 470, 480}})});
}

} // namespace

class TestAlignClocks : public QObject
{
    Q_OBJECT

private slots:
    void offsetAndDriftAreInTheBand_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<Ticks>("offset");
        QTest::addColumn<double>("drift");
        for (const char* family : {"1f1b", "gpipe", "interleaved-1f1b", "zb-h1", "zb-v", "hanayo",
                                   "chimera", "dualpipe", "seq1f1b"}) {
            QTest::addRow("%s, offsets", family) << QByteArray(family) << Ticks{5'000'000} << 0.0;
            QTest::addRow("%s, drift", family) << QByteArray(family) << Ticks{5'000'000} << 80.0;
            QTest::addRow("%s, hours apart", family)
                << QByteArray(family) << 40'000'000 * ticksPerMs << 80.0;
        }
    }
    /// Through files, with jitter and lost passes.
    void offsetAndDriftAreInTheBand()
    {
        QFETCH(QByteArray, family);
        QFETCH(Ticks, offset);
        QFETCH(double, drift);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        const test::FamilyRun run =
            test::runFamily(test::familyOf(family.constData()), test::sized(4, 8),
                            test::equalStages(2'000'000, 1'900'000, 1'700'000, hop));
        const std::vector<SimResult> executions = jittered(run, 6, random);
        test::Recording recording;
        recording.clocks = skewed(4, offset, drift, random);
        recording.lost = 5;
        const Trace trace = test::traceOf(test::chromeTraces(run.schedule, executions, recording));
        RecoveredPipeline pipeline = recover(trace);
        QVERIFY(pipeline.schedule);
        QCOMPARE(pipeline.iterations.size(), std::size_t{6});
        QVERIFY(!pipeline.iterations.front().complete);
        const AlignedClocks clocks = alignClocks(trace, pipeline);
        QVERIFY2(clocks.outcome == ClockOutcome::Shifted, clocks.text.c_str());
        QVERIFY(clocks.impossible > 0);
        QVERIFY(static_cast<std::int64_t>(clocks.impossibleList.size()) == clocks.impossible);
        for (std::size_t device = 1; device < 4; ++device) {
            const RankClock& clock = clocks.ranks[device];
            const auto trueAt = [&](Ticks time) {
                return truth(recording.clocks[0], recording.clocks[device],
                             time + trace.base - test::recordingEpoch);
            };
            QVERIFY2(inside(clock.atFirst, trueAt(clock.first), clocks.grain),
                     qPrintable(QString("device %1: %2 not in %3 … %4")
                                    .arg(device)
                                    .arg(trueAt(clock.first))
                                    .arg(*clock.atFirst.low)
                                    .arg(*clock.atFirst.high)));
            QVERIFY(inside(clock.atLast, trueAt(clock.last), clocks.grain));
            QVERIFY(inside(clock.atFirst, static_cast<double>(clock.atFirst.value), 0));
            const double drifts = (trueAt(clock.last) - trueAt(clock.first)) /
                                  static_cast<double>(clock.last - clock.first) * 1e6;
            QVERIFY(clock.driftLow && clock.driftHigh);
            QVERIFY(*clock.driftLow - 0.1 <= drifts && drifts <= *clock.driftHigh + 0.1);
            QVERIFY(clock.atFirst.error() < 20 * ticksPerMs);
        }
        shiftClocks(pipeline, clocks);
        for (const ClockMessage& message : clockMessages(trace, pipeline))
            QVERIFY(message.early() <= 2 * clocks.grain + 2);
    }

    /// Spans of messages count in place of the passes at their ends, which are farther apart.
    void labelledMessagesSayMore()
    {
        const Trace trace = labelledExchange(0);
        const RecoveredPipeline pipeline = recover(trace);
        QVERIFY(pipeline.schedule);
        const std::vector<ClockMessage> messages = clockMessages(trace, pipeline);
        QCOMPARE(messages.size(), std::size_t{2});
        for (const ClockMessage& message : messages) {
            const bool forward = message.producer.kind == PassKind::F;
            QVERIFY(message.labelled);
            QCOMPARE(message.from, forward ? 0 : 1);
            QCOMPARE(message.sent, Ticks{forward ? 110'000 : 470'000});
            QCOMPARE(message.received, Ticks{forward ? 130'000 : 480'000});
        }
        const AlignedClocks clocks = alignClocks(trace, pipeline);
        QCOMPARE(clocks.outcome, ClockOutcome::Kept);
        const auto slack = static_cast<double>(clocks.grain);
        QVERIFY(inside(clocks.ranks[1].atFirst, 0, clocks.grain));
        QVERIFY(static_cast<double>(*clocks.ranks[1].atFirst.low) > -21'000 - 4 * slack);
    }

    void messagesAreSplitByOneClock()
    {
        Trace trace = labelledExchange(1000);
        QCOMPARE(pairMessages(trace).apart, 2);
        const AlignedPipeline aligned = recoverAligned(trace);
        QCOMPARE(aligned.clocks.outcome, ClockOutcome::Shifted);
        const TraceMessages messages = pairMessages(trace);
        QCOMPARE(messages.pairs.size(), std::size_t{2});
        QCOMPARE(messages.apart, 0);
        // The receive of rank 1 is posted 20 µs before the send begins, by clocks that may be wrong
        // by as much as messages leave open.
        const Ticks error = aligned.clocks.ranks[1].atFirst.error();
        for (const RankTransfers& one : transfersOf(trace, aligned.pipeline, messages))
            QCOMPARE(one.count, 2);
        const MessageSide receiver = messages.pairs[0].split.sides[1];
        QVERIFY2(std::abs(receiver.waiting - 20'000) <= error,
                 qPrintable(QString::number(receiver.waiting)));
    }

    void moreRanksThanAreAlignedAtOnce()
    {
        std::vector<ClockMessage> messages(1);
        messages[0].to = DeviceId(64);
        messages[0].sent = 1000;
        const std::vector<ClockWindow> windows(65, {0, 1000});
        const AlignedClocks clocks = alignClocks(messages, windows, 1);
        QCOMPARE(clocks.outcome, ClockOutcome::Shifted);
        QCOMPARE(clocks.impossible, std::int64_t{1});
        QVERIFY(clocks.ranks[64].corrected(0) >= 998);
        QCOMPARE(clocks.ranks[63].corrected(5), Ticks{5}); // no message is of it
        // What contradicts nothing needs no alignment.
        messages[0].sent = 0;
        messages[0].received = 10;
        QCOMPARE(alignClocks(messages, windows, 1).outcome, ClockOutcome::Kept);
    }

    /// Neighbours of a chain talk to each other; of many ranks each is aligned against the one
    /// before it.
    void clocksOfALongChain_data()
    {
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("drift");
        QTest::addColumn<bool>("ring");
        for (const int devices : {65, 128, 512}) {
            QTest::addRow("%d, offsets", devices) << devices << 0.0 << false;
            QTest::addRow("%d, drifts", devices) << devices << 150.0 << false;
            QTest::addRow("%d, a ring", devices) << devices << 0.0 << true;
        }
    }
    void clocksOfALongChain()
    {
        QFETCH(const int, devices);
        QFETCH(const double, drift);
        QFETCH(const bool, ring);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        std::vector<test::SkewedClock> all = skewed(devices, 20'000'000, drift, random);
        std::uniform_int_distribution<Ticks> moments(0, 500'000'000), takes(5'000, 900'000);
        std::vector<ClockMessage> messages;
        for (int device = 0; device < devices - (ring ? 0 : 1); ++device)
            for (int i = 0; i < 80; ++i) {
                ClockMessage message;
                const DeviceId lower(device), upper((device + 1) % devices);
                message.from = i % 2 == 0 ? lower : upper;
                message.to = i % 2 == 0 ? upper : lower;
                const Ticks time = moments(random);
                message.sent = all[message.from.index()].shows(time);
                message.received = all[message.to.index()].shows(time + takes(random));
                messages.push_back(message);
            }
        const AlignedClocks clocks = alignClocks(messages, windowsOf(messages, all.size()), 1);
        QVERIFY2(clocks.outcome == ClockOutcome::Shifted, clocks.text.c_str());
        for (const ClockMessage& message : messages)
            QVERIFY(clocks.ranks[message.from.index()].corrected(message.sent) <=
                    clocks.ranks[message.to.index()].corrected(message.received) + 4);
        // Neighbours are as near as messages are quick.
        for (std::size_t device = 1; device < all.size(); ++device) {
            const auto off = [&](std::size_t at) {
                const Ticks middle = all[at].shows(250'000'000);
                return static_cast<double>(clocks.ranks[at].corrected(middle)) -
                       static_cast<double>(middle) - truth(all[0], all[at], middle);
            };
            QVERIFY2(std::abs(off(device) - off(device - 1)) < 900'000,
                     qPrintable(QString("seed %1, device %2").arg(seed).arg(device)));
        }
    }

    /// A ring that gains time with every turn has no clocks, however many ranks it has.
    void contradictionsOfManyRanks()
    {
        std::vector<ClockMessage> messages;
        for (const bool forward : {true, false})
            for (int i = 0; i < 3; ++i) {
                ClockMessage message;
                message.from = DeviceId(forward ? 70 : 71);
                message.to = DeviceId(forward ? 71 : 70);
                message.sent = 1000 * i + 500;
                message.received = 1000 * i; // in both directions before it is sent
                messages.push_back(message);
            }
        for (int device = 0; device < 70; ++device) {
            ClockMessage message;
            message.from = DeviceId(device);
            message.to = DeviceId(device + 1);
            message.received = 100;
            messages.push_back(message);
        }
        const AlignedClocks clocks = alignClocks(messages, windowsOf(messages, 100), 1);
        QCOMPARE(clocks.outcome, ClockOutcome::Unsolvable);
        QVERIFY(!clocks.contradiction.empty());
        for (const ClockMessage& one : clocks.contradiction)
            QVERIFY(std::find(messages.begin(), messages.end(), one) != messages.end());
    }

    /// The band is as narrow as the messages are quick: nothing else is known.
    void theBandIsTheTimeOfTheMessages()
    {
        const test::SkewedClock other{7'000'000, 50};
        const std::vector<ClockMessage> messages = exchange(1'000'000, 200, 20'000, other);
        const std::vector<ClockWindow> windows = windowsOf(messages, 2);
        const AlignedClocks clocks = alignClocks(messages, windows, 1);
        QCOMPARE(clocks.outcome, ClockOutcome::Shifted);
        const RankClock& clock = clocks.ranks[1];
        QVERIFY(inside(clock.atFirst, truth({}, other, clock.first), 1));
        QVERIFY(inside(clock.atLast, truth({}, other, clock.last), 1));
        // 20 µs either way, and little more for the way from message to message at the ends.
        QVERIFY2(clock.atFirst.error() < 21'000, std::to_string(clock.atFirst.error()).c_str());
        QVERIFY(*clock.driftLow < -50 && -50 < *clock.driftHigh);
        QVERIFY2(std::abs(clock.drift + 50) < 2, std::to_string(clock.drift).c_str());
        QVERIFY(std::abs(static_cast<double>(clock.atFirst.value) - truth({}, other, clock.first)) <
                300);
    }

    /// No clock is moved that nothing contradicts.
    void soundClocksAreKept()
    {
        const test::SkewedClock near{15'000, 0};
        const std::vector<ClockMessage> messages = exchange(1'000'000, 50, 20'000, near);
        const AlignedClocks clocks = alignClocks(messages, windowsOf(messages, 2), 1);
        QVERIFY2(clocks.outcome == ClockOutcome::Kept, clocks.text.c_str());
        QCOMPARE(clocks.impossible, std::int64_t{0});
        QCOMPARE(clocks.ranks[1].atFirst.value, Ticks{0});
        QCOMPARE(clocks.ranks[1].corrected(1234), Ticks{1234});
        QVERIFY(inside(clocks.ranks[1].atFirst, truth({}, near, clocks.ranks[1].first), 1));
    }

    /// One message in the middle says that clock 1 is behind, all others that it is not.
    void whatNoClockSolvesShiftsNothing()
    {
        std::vector<ClockMessage> messages = exchange(1'000'000, 100, 20'000, {7'000'000, 10});
        messages[50].received -= 200'000;
        messages[50].iteration = 77;
        const AlignedClocks clocks = alignClocks(messages, windowsOf(messages, 2), 1);
        QVERIFY2(clocks.outcome == ClockOutcome::Unsolvable, clocks.text.c_str());
        QVERIFY(clocks.contradiction.size() >= 2 && clocks.contradiction.size() <= 4);
        QVERIFY(std::any_of(clocks.contradiction.begin(), clocks.contradiction.end(),
                            [](const ClockMessage& one) { return one.iteration == 77; }));
        QVERIFY(clocks.text.find("nothing is shifted") != std::string::npos);
        for (const RankClock& clock : clocks.ranks) {
            QCOMPARE(clock.corrected(5'000), Ticks{5'000});
            QVERIFY(!clock.atFirst.bounded());
        }
        // What contradicts itself does so without the others.
        const AlignedClocks alone = alignClocks(clocks.contradiction, windowsOf(messages, 2), 1);
        QCOMPARE(alone.outcome, ClockOutcome::Unsolvable);
    }

    /// Three clocks in a ring: every pair alone can be solved, all together cannot.
    void aRingThatGainsTimeIsUnsolvable()
    {
        std::vector<ClockMessage> messages;
        for (int i = 0; i < 3; ++i) {
            ClockMessage message;
            message.from = DeviceId(i);
            message.to = DeviceId((i + 1) % 3);
            message.sent = 100'000;
            message.received = 99'000;
            messages.push_back(message);
        }
        const std::vector<ClockWindow> windows(3, {0, 200'000});
        const AlignedClocks clocks = alignClocks(messages, windows, 1);
        QVERIFY2(clocks.outcome == ClockOutcome::Unsolvable, clocks.text.c_str());
        QCOMPARE(clocks.contradiction.size(), std::size_t{3});
        QCOMPARE(clocks.impossible, std::int64_t{3});
        messages.pop_back();
        QCOMPARE(alignClocks(messages, windows, 1).outcome, ClockOutcome::Shifted);
    }

    /// Messages one way bound a clock from one side; it is moved no farther than they ask.
    void oneWayLeavesASideOpen()
    {
        std::vector<ClockMessage> messages;
        for (int i = 0; i < 20; ++i) {
            ClockMessage message;
            message.to = DeviceId(1);
            message.sent = i * 1'000'000;
            message.received = message.sent - 300'000;
            messages.push_back(message);
        }
        std::vector<ClockWindow> windows = windowsOf(messages, 3);
        const AlignedClocks clocks = alignClocks(messages, windows, 1);
        QVERIFY2(clocks.outcome == ClockOutcome::Shifted, clocks.text.c_str());
        const RankClock& clock = clocks.ranks[1];
        QVERIFY(clock.atFirst.low && !clock.atFirst.high);
        QVERIFY(std::abs(static_cast<double>(clock.atFirst.value - 300'000)) < 10);
        // Nothing is said of the third.
        QVERIFY(!clocks.ranks[2].atFirst.low && !clocks.ranks[2].atFirst.high);
        QCOMPARE(clocks.ranks[2].corrected(9), Ticks{9});
    }

    void withoutMessagesNothingIsKnown()
    {
        const std::vector<ClockWindow> windows(2);
        const AlignedClocks clocks = alignClocks({}, windows, 1);
        QCOMPARE(clocks.outcome, ClockOutcome::Unknown);
        QCOMPARE(clocks.ranks.size(), std::size_t{2});
        QVERIFY(!clocks.text.empty());
    }

    /// Many devices, random messages between any of them: what is true is always inside.
    void manyClocksStayInTheirBands()
    {
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        for (const int devices : {2, 3, 8, 16}) {
            const std::vector<test::SkewedClock> all = skewed(devices, 3'000'000, 100, random);
            std::uniform_int_distribution<int> any(0, devices - 1);
            std::uniform_int_distribution<Ticks> moments(0, 500'000'000), takes(5'000, 900'000);
            std::vector<ClockMessage> messages;
            for (int i = 0; i < 150 * devices; ++i) {
                ClockMessage message;
                message.from = DeviceId(any(random));
                message.to = DeviceId((message.from + 1 + any(random) % (devices - 1)) % devices);
                const Ticks time = moments(random);
                message.sent = all[static_cast<std::size_t>(message.from)].shows(time);
                message.received =
                    all[static_cast<std::size_t>(message.to)].shows(time + takes(random));
                messages.push_back(message);
            }
            const AlignedClocks clocks = alignClocks(messages, windowsOf(messages, all.size()), 1);
            // Two clocks may happen to be as near as a message is long.
            const bool wrong =
                std::any_of(messages.begin(), messages.end(),
                            [](const ClockMessage& message) { return message.early() > 2; });
            const ClockOutcome expected = wrong ? ClockOutcome::Shifted : ClockOutcome::Kept;
            QVERIFY2(clocks.outcome == expected, clocks.text.c_str());
            for (std::size_t device = 1; device < all.size(); ++device) {
                const RankClock& clock = clocks.ranks[device];
                QVERIFY(inside(clock.atFirst, truth(all[0], all[device], clock.first), 1));
                QVERIFY(inside(clock.atLast, truth(all[0], all[device], clock.last), 1));
                QVERIFY(!wrong || clock.atFirst.error() < 1'000'000);
            }
        }
    }
};

PW_TEST(TestAlignClocks)
#include "tst_align_clocks.moc"

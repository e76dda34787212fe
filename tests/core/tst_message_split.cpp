// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/message_split.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace pw;

namespace {

/// Ranks 0, 1 … with one track each; spans are added by hand.
Trace traceOf(int ranks)
{
    Trace trace;
    for (int rank = 0; rank < ranks; ++rank) {
        trace.ranks.push_back({rank, "test", "", false});
        trace.tracks.push_back({TraceRankId(rank), "", ""});
    }
    trace.names = {"ncclDevKernel_SendRecv", "gemm", "message"};
    return trace;
}

void addKernel(Trace& trace, int rank, Ticks start, Ticks end)
{
    trace.spans.push_back({start, end, TraceRankId(rank), rank, 0, -1, Trust::Device});
}

void addLabelled(Trace& trace, int rank, SpanRole role, PassKind kind, int stage, int microBatch,
                 Ticks start, Ticks end)
{
    SpanLabel label;
    label.role = role;
    label.kind = kind;
    label.stage = StageId(stage);
    label.microBatch = microBatch;
    trace.spans.push_back({start, end, TraceRankId(rank), rank, 2,
                           static_cast<std::int32_t>(trace.labels.size()), Trust::Contained});
    trace.labels.push_back(label);
}

} // namespace

class TestMessageSplit : public QObject
{
    Q_OBJECT

private slots:
    void aPairIsSplitAtTheLaterStart_data()
    {
        QTest::addColumn<QList<int>>("times");
        QTest::addColumn<QList<int>>("first");
        QTest::addColumn<QList<int>>("second");
        QTest::addColumn<bool>("apart");
        QTest::newRow("the first waits")
            << QList<int>{0, 30, 20, 28} << QList<int>{20, 8, 2} << QList<int>{0, 8, 0} << false;
        QTest::newRow("the second waits")
            << QList<int>{20, 28, 0, 30} << QList<int>{0, 8, 0} << QList<int>{20, 8, 2} << false;
        QTest::newRow("together") << QList<int>{5, 9, 5, 9} << QList<int>{0, 4, 0}
                                  << QList<int>{0, 4, 0} << false;
        QTest::newRow("each has a part alone")
            << QList<int>{0, 10, 4, 15} << QList<int>{4, 6, 0} << QList<int>{0, 6, 5} << false;
        QTest::newRow("touching") << QList<int>{0, 10, 10, 15} << QList<int>{10, 0, 0}
                                  << QList<int>{0, 0, 5} << false;
        QTest::newRow("apart") << QList<int>{0, 10, 12, 15} << QList<int>{10, 0, 0}
                               << QList<int>{0, 0, 3} << true;
        QTest::newRow("no time at all")
            << QList<int>{3, 3, 3, 3} << QList<int>{0, 0, 0} << QList<int>{0, 0, 0} << false;
    }

    void aPairIsSplitAtTheLaterStart()
    {
        QFETCH(QList<int>, times);
        QFETCH(QList<int>, first);
        QFETCH(QList<int>, second);
        QFETCH(bool, apart);
        const MessageSplit split = splitMessage(times[0], times[1], times[2], times[3]);
        QVERIFY(split.sides[0] == (MessageSide{first[0], first[1], first[2]}));
        QVERIFY(split.sides[1] == (MessageSide{second[0], second[1], second[2]}));
        QCOMPARE(split.apart, apart);
    }

    void thePartsSumToTheSpansAndTheTransferIsTheOverlap()
    {
        constexpr unsigned seed = 20261121;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int i = 0; i < 20'000; ++i) {
            const auto below = [&](unsigned bound) { return static_cast<Ticks>(random() % bound); };
            const Ticks a = below(100), b = a + below(60);
            const Ticks c = below(100), d = c + below(60);
            const MessageSplit split = splitMessage(a, b, c, d);
            QCOMPARE(split.sides[0].total(), b - a);
            QCOMPARE(split.sides[1].total(), d - c);
            // The slow way: tick by tick.
            Ticks both = 0, firstAlone = 0, secondAlone = 0;
            for (Ticks t = 0; t < 160; ++t) {
                const bool inFirst = t >= a && t < b, inSecond = t >= c && t < d;
                both += inFirst && inSecond ? 1 : 0;
                firstAlone += inFirst && t < c ? 1 : 0;
                secondAlone += inSecond && t < a ? 1 : 0;
            }
            QCOMPARE(split.sides[0].transfer, both);
            QCOMPARE(split.sides[1].transfer, both);
            QCOMPARE(split.sides[0].waiting, firstAlone);
            QCOMPARE(split.sides[1].waiting, secondAlone);
            const MessageSplit other = splitMessage(c, d, a, b);
            QVERIFY(other.sides[0] == split.sides[1] && other.sides[1] == split.sides[0]);
            QCOMPARE(other.apart, split.apart);
        }
    }

    void kernelsOfTwoRanksArePairedInTheOrderOfTheirStarts()
    {
        Trace trace = traceOf(3);
        addKernel(trace, 2, 300, 350);
        addKernel(trace, 2, 100, 150);
        addKernel(trace, 0, 120, 149);
        trace.spans.push_back({0, 90, TraceRankId(1), 1, 1, -1, Trust::Device}); // not a message
        addKernel(trace, 0, 290, 352);
        const TraceMessages found = pairMessages(trace);
        QCOMPARE(found.pairs.size(), std::size_t{2});
        QCOMPARE(found.pairs[0].spans[0], 2);
        QCOMPARE(found.pairs[0].spans[1], 1);
        QCOMPARE(found.pairs[1].spans[0], 4);
        QCOMPARE(found.pairs[1].spans[1], 0);
        QCOMPARE(found.transfer, Ticks{29 + 50});
        QCOMPARE(found.ownTime, Ticks{50 + 50 + 29 + 62});
        QCOMPARE(found.endDifference, Ticks{2});
        QCOMPARE(found.ranks.size(), std::size_t{2});
        QVERIFY(found.ranks[0].time == (MessageSide{10, 79, 2}));
        QVERIFY(found.ranks[1].time == (MessageSide{20, 79, 1}));
        QVERIFY(found.unknown.empty());
    }

    void whatCannotBePairedIsSaid_data()
    {
        QTest::addColumn<QList<int>>("ranks");
        QTest::addColumn<QString>("unknown");
        QTest::newRow("one rank") << QList<int>{0, 0} << "2 kernels of sends and receives on one";
        QTest::newRow("three ranks") << QList<int>{0, 1, 2} << "on 3 ranks name no peer";
        QTest::newRow("unequal") << QList<int>{0, 0, 1} << "2 and 1 kernels";
    }

    void whatCannotBePairedIsSaid()
    {
        QFETCH(QList<int>, ranks);
        QFETCH(QString, unknown);
        Trace trace = traceOf(3);
        Ticks time = 0;
        for (const int rank : ranks) {
            addKernel(trace, rank, time, time + 5);
            time += 10;
        }
        const TraceMessages found = pairMessages(trace);
        QVERIFY(found.pairs.empty());
        QCOMPARE(found.unknown.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(found.unknown[0]).contains(unknown),
                 found.unknown[0].c_str());
    }

    void labelledMessagesArePairedByWhatTheySay()
    {
        Trace trace = traceOf(3);
        // Two iterations; the second rank's are written in another order.
        addLabelled(trace, 0, SpanRole::Send, PassKind::F, 0, 1, 10, 20);
        addLabelled(trace, 0, SpanRole::Send, PassKind::F, 0, 1, 110, 125);
        addLabelled(trace, 1, SpanRole::Receive, PassKind::F, 1, 1, 105, 125);
        addLabelled(trace, 1, SpanRole::Receive, PassKind::F, 1, 1, 5, 21);
        addLabelled(trace, 1, SpanRole::Send, PassKind::BW, 1, 1, 30, 40);
        addLabelled(trace, 0, SpanRole::Receive, PassKind::BW, 0, 1, 33, 40);
        addLabelled(trace, 1, SpanRole::Send, PassKind::F, 1, 1, 50, 60); // nobody receives it
        // Kernels of the labelled messages are not counted a second time.
        addKernel(trace, 0, 10, 20);
        addKernel(trace, 1, 5, 21);
        const TraceMessages found = pairMessages(trace);
        QCOMPARE(found.pairs.size(), std::size_t{3});
        QCOMPARE(found.transfer, Ticks{10 + 15 + 7});
        for (const MessagePair& pair : found.pairs) {
            const SpanLabel* sent = trace.labelOf(trace.spans[std::size_t(pair.spans[0])]);
            QCOMPARE(sent->role, SpanRole::Send);
            QCOMPARE(pair.trust, Trust::Contained);
        }
        QCOMPARE(found.unknown.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(found.unknown[0]).contains("1 labelled sends"));
    }

    /// What two sides say is as sure as the less sure of them.
    void aPairIsTrustedAsItsWeakerSide()
    {
        for (const bool first : {true, false}) {
            Trace trace = traceOf(2);
            addLabelled(trace, 0, SpanRole::Send, PassKind::F, 0, 0, 0, 10);
            addLabelled(trace, 1, SpanRole::Receive, PassKind::F, 1, 0, 2, 12);
            trace.spans[first ? 0 : 1].trust = Trust::Device;
            const TraceMessages found = pairMessages(trace);
            QCOMPARE(found.pairs.size(), std::size_t{1});
            QCOMPARE(found.pairs[0].trust, Trust::Contained);
        }
    }

    void messagesThatCannotOverlapAreCounted()
    {
        Trace trace = traceOf(2);
        addKernel(trace, 0, 0, 10);
        addKernel(trace, 1, 20, 30);
        const TraceMessages found = pairMessages(trace);
        QCOMPARE(found.apart, std::int64_t{1});
        QCOMPARE(found.transfer, Ticks{0});
        QVERIFY(QString::fromStdString(found.unknown[0]).contains("1 of 1"));
    }

    void namesOfTheKernelsAreKnown()
    {
        QVERIFY(isSendReceiveKernel("ncclDevKernel_SendRecv"));
        QVERIFY(isSendReceiveKernel("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"));
        QVERIFY(isSendReceiveKernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)"));
        QVERIFY(!isSendReceiveKernel("ncclDevKernel_AllGather_RING_LL"));
        QVERIFY(!isSendReceiveKernel("SendRecv"));
        QVERIFY(!isSendReceiveKernel(""));
    }
};

PW_TEST(TestMessageSplit)
#include "tst_message_split.moc"

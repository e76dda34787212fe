// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/collectives.h"
#include "core/analysis/device_activity.h"
#include "core/reading/import_trace.h"
#include "core/trace/message_split.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

using namespace pw;

namespace {

constexpr Ticks microseconds(double value)
{
    return static_cast<Ticks>(value * 1000);
}

const char* const allReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage)";
const char* const sendReceive = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";

/// The file of one rank, as Kineto writes it.
class RankText
{
public:
    /// @param around     a range of the host around the launch; empty: none
    /// @param arguments  more of the kernel
    void kernel(const std::string& name, int stream, double start, double length,
                const std::string& arguments = {}, const std::string& around = {},
                const std::string& aroundArguments = {})
    {
        const int number = ++m_number;
        const double launched = 0.1 * number;
        if (!around.empty())
            event("cpu_op", around, 500, 500, launched - 0.02, 0.08, aroundArguments);
        const std::string correlation = "\"correlation\": " + std::to_string(number);
        event("cuda_runtime", "cudaLaunchKernel", 500, 500, launched, 0.01, correlation);
        event("kernel", name, 0, stream, start, length,
              correlation + (arguments.empty() ? "" : ", ") + arguments);
    }

    std::string text(int rank) const
    {
        return "{\"distributedInfo\": {\"rank\": " + std::to_string(rank) +
               "}, \"traceEvents\": [\n" + m_events + "{\"ph\": \"i\", \"ts\": 1}]}";
    }

private:
    void event(const char* category, const std::string& name, int process, int thread, double start,
               double length, const std::string& arguments)
    {
        m_events += std::string("{\"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" +
                    name + "\", \"pid\": " + std::to_string(process) +
                    ", \"tid\": " + std::to_string(thread) + ", \"ts\": " + std::to_string(start) +
                    ", \"dur\": " + std::to_string(length) + ", \"args\": {" + arguments + "}},\n";
    }

    std::string m_events;
    int m_number = 0;
};

/// @param write  what a rank does
Trace traceOfRanks(int ranks, const std::function<void(int rank, RankText& text)>& write)
{
    QTemporaryDir folder;
    std::vector<std::string> files;
    for (int rank = 0; rank < ranks; ++rank) {
        RankText text;
        write(rank, text);
        files.push_back(folder.path().toStdString() + "/rank" + std::to_string(rank) + ".json");
        test::writeTrace(files.back(), text.text(rank));
    }
    const Result<Trace> trace = importTrace(files);
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

std::string inGroup(const std::string& name, const std::string& ranks, int size,
                    const std::string& operation = "allreduce", int elements = 1000,
                    const std::string& more = {})
{
    return "\"Collective name\": \"" + operation + "\", \"Process Group Name\": \"" + name +
           "\", \"Process Group Ranks\": " + ranks + ", \"Group size\": " + std::to_string(size) +
           ", \"In msg nelems\": " + std::to_string(elements) +
           ", \"Out msg nelems\": " + std::to_string(elements) + ", \"dtype\": \"Float\"" + more;
}

/// A trace of one kernel, whose file has its head behind the events.
/// @param head    process groups  @param events  arguments of the kernel; with ' in place of "
Trace traceWithHead(const std::string& head, const std::string& events)
{
    std::string text = std::string("{'traceEvents': [{'ph': 'X', 'cat': 'kernel', 'name': '") +
                       allReduce +
                       "', 'pid': 0, 'tid': 9, 'ts': 5, 'dur': 9, 'args': {'stream': 9, " + events +
                       "}}], 'distributedInfo': {'rank': 2, 'pg_config': [" + head + "]}}";
    std::replace(text.begin(), text.end(), '\'', '"');
    const Result<Trace> trace = importTraceText(text, "rank2.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

std::vector<Ticks> waitsOfRanks(const DeviceFigures& figures)
{
    std::vector<Ticks> waits;
    for (const DeviceActivity& one : figures.devices)
        waits.push_back(one.peerKnown ? one.peer : -1);
    return waits;
}

} // namespace

/// Which kernels of different ranks are one collective, and who waits in it.
class TestCollectives : public QObject
{
    Q_OBJECT

private slots:
    void operationsAreKnownByAnySpelling_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* text, CollectiveKind kind) {
            QTest::newRow(text) << QString(text) << static_cast<int>(kind);
        };
        using enum CollectiveKind;
        row(allReduce, AllReduce);
        row("allreduce_coalesced", AllReduce);
        row("_allgather_base", AllGather);
        row("all_gather_into_tensor_coalesced", AllGather);
        row("_reduce_scatter_base", ReduceScatter);
        row("hcom_reduceScatter__123", ReduceScatter);
        row("all_to_allv", AllToAll);
        row("_broadcast_oop", Broadcast);
        row("_reduce_oop", Reduce);
        row("gather", Gather);
        row("scatter", Scatter);
        row("barrier", Barrier);
        row("send", Message);
        row("recv", Message);
        row(sendReceive, Message);
        row("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", Other);
        row("wait", Other);
    }

    void operationsAreKnownByAnySpelling()
    {
        QFETCH(const QString, text);
        QFETCH(const int, kind);
        QCOMPARE(static_cast<int>(collectiveKind(text.toStdString())), kind);
    }

    void rangesOfLibrariesNameOperations()
    {
        QCOMPARE(collectiveKindOfRange("nccl:all_to_all"), CollectiveKind::AllToAll);
        QCOMPARE(collectiveKindOfRange("c10d::alltoall_base_"), CollectiveKind::AllToAll);
        QCOMPARE(collectiveKindOfRange("_AllToAllBackward"), CollectiveKind::AllToAll);
        QCOMPARE(collectiveKindOfRange("nccl:recv 0<-1"), CollectiveKind::Message);
        QCOMPARE(collectiveKindOfRange("ncclGather"), CollectiveKind::Gather);
        // What a program calls its own steps is no evidence.
        QCOMPARE(collectiveKindOfRange("reduce_gradients"), CollectiveKind::Other);
        QCOMPARE(collectiveKindOfRange("gather_statistics"), CollectiveKind::Other);
    }

    void groupsBesideEachOtherAreApart_data()
    {
        QTest::addColumn<bool>("listed"); // as a list, not as a text
        QTest::addColumn<bool>("oneName");
        QTest::newRow("a text") << false << false;
        QTest::newRow("a list") << true << false;
        QTest::newRow("groups of one name") << false << true;
    }

    void groupsBesideEachOtherAreApart()
    {
        QFETCH(const bool, listed);
        QFETCH(const bool, oneName);
        const Trace trace = traceOfRanks(4, [&](int rank, RankText& text) {
            const bool odd = rank % 2 == 1;
            const std::string ranks = odd ? "[1, 3]" : "[0, 2]";
            // Of the odd ranks, 3 comes 100 µs later than 1.
            for (int step = 0; step < 3; ++step) {
                const double start = 1000 * step + (odd ? 300 : 100) + (rank == 3 ? 100 : 0);
                text.kernel("gemm", 7, 1000 * step + 10, start - 1000 * step - 20);
                text.kernel(allReduce, 9, start, (odd ? 700 : 500) + 1000 * step - start,
                            inGroup(oneName ? "dp"
                                    : odd   ? "11"
                                            : "10",
                                    listed ? ranks : "\"" + ranks + "\"", 2));
            }
        });
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(waitsOfRanks(figures), (std::vector<Ticks>{0, microseconds(300), 0, 0}));
        QCOMPARE(figures.collectives.groups.size(), std::size_t{2});
        QCOMPARE(figures.collectives.operations.size(), std::size_t{6});
        QVERIFY(figures.slow.has_value());
        QCOMPARE(trace.ranks[figures.slow->rank.index()].number, 3);
    }

    void groupsOfAHeadAreTheTraces()
    {
        const std::string head =
            "{'pg_name': '0', 'pg_desc': 'default_pg', 'backend_config': 'cuda:nccl', 'pg_size': 4,"
            " 'ranks': [0, 1, 2, 3], 'more': {'ranks': [7], 'pg_name': 'x'}},"
            "{'pg_name': '5', 'pg_desc': 'mesh_pp', 'pg_size': 2, 'ranks': [0, 2]},"
            "{'pg_name': '6', 'pg_desc': 'mesh_tp', 'pg_size': 2, 'ranks': []}";
        // A name alone is that of the head; what lists its ranks is described.
        for (const char* ranks : {"", ", 'Process Group Ranks': '[0, 1, 2, 3]'",
                                  ", 'Process Group Ranks': '[0, 1, ..., 3]'"}) {
            const Trace trace = traceWithHead(
                head, std::string("'Process Group Name': '0', 'Group size': 4") + ranks);
            QVERIFY(trace.warnings.empty());
            QCOMPARE(trace.calls.size(), std::size_t{1});
            const ProcessGroup whole{"0", "default_pg", "0, 1, 2, 3", 4, false};
            QVERIFY(trace.groups[static_cast<std::size_t>(trace.calls[0].group)] == whole);
            const ProcessGroup quiet{"5", "mesh_pp", "0, 2", 2, false};
            QCOMPARE(std::count(trace.groups.begin(), trace.groups.end(), quiet), 1);
            QCOMPARE(std::count(trace.groups.begin(), trace.groups.end(), whole), 1);
        }
        // What a rank does by itself, as PyTorch tells it, is nothing of the group's.
        const Trace alone = traceWithHead(
            head, "'Process Group Name': '0', 'Process Group Ranks': '[]', 'Group size': 1,"
                  " 'Process Group Description': 'default_pg'");
        QVERIFY(alone.warnings.empty());
        QCOMPARE(alone.groups[static_cast<std::size_t>(alone.calls[0].group)].size, 1);
        // Of several groups of one name none is meant.
        const Trace twice =
            traceWithHead("{'pg_name': '0', 'ranks': [0, 2]}, {'pg_name': '0', 'ranks': [1, 2]}",
                          "'Process Group Name': '0'");
        QVERIFY(twice.warnings.empty());
        QVERIFY(!twice.groups[static_cast<std::size_t>(twice.calls[0].group)].listed());
        QCOMPARE(twice.groups.size(), std::size_t{3});
    }

    void whatAHeadHasOtherwiseIsToldAndDoesNotCount_data()
    {
        QTest::addColumn<QString>("events");
        QTest::addColumn<QString>("told");
        QTest::newRow("ranks") << "'Process Group Ranks': '[0, 1]', 'Group size': 2"
                               << "has the ranks 0, 2, and its events say the ranks 0, 1;";
        QTest::newRow("their order") << "'Process Group Ranks': '[2, 0]', 'Group size': 2"
                                     << "has the ranks 0, 2, and its events say the ranks 2, 0;";
        QTest::newRow("a list that is cut")
            << "'Process Group Ranks': '[0, ..., 7]', 'Group size': 2"
            << "has the ranks 0, 2, and its events say the ranks 0, ..., 7;";
        QTest::newRow("size") << "'Group size': 4"
                              << "has the ranks 0, 2, and its events say 4 ranks;";
        QTest::newRow("description") << "'Process Group Description': 'mesh_dp'"
                                     << "is 'mesh_pp', and its events say 'mesh_dp';";
    }

    void whatAHeadHasOtherwiseIsToldAndDoesNotCount()
    {
        QFETCH(const QString, events);
        QFETCH(const QString, told);
        const Trace trace =
            traceWithHead("{'pg_name': '5', 'pg_desc': 'mesh_pp', 'pg_size': 2, 'ranks': [0, 2]}",
                          "'Process Group Name': '5', " + events.toStdString());
        QCOMPARE(trace.groups.size(), std::size_t{1});
        QCOMPARE(trace.warnings.size(), std::size_t{1});
        const QString said = QString::fromStdString(trace.warnings.front());
        QVERIFY2(said.contains("the head says that process group '5' " + told), qPrintable(said));
        QVERIFY2(said.endsWith("the events count"), qPrintable(said));
    }

    void aGroupThatRanksCallDifferentlyIsOne()
    {
        // One rank describes it, and each numbers it for itself.
        const Trace trace = traceOfRanks(2, [](int rank, RankText& text) {
            text.kernel(allReduce, 9, rank == 1 ? 150 : 100, rank == 1 ? 250 : 300,
                        inGroup(rank == 0 ? "7" : "9", "\"[0, 1]\"", 2, "allreduce", 1000,
                                rank == 0 ? R"(, "Process Group Description": "mesh_dp")" : ""));
        });
        QCOMPARE(waitsOfRanks(deviceFigures(trace)), (std::vector<Ticks>{microseconds(50), 0}));
        // Two groups of the same ranks stay two.
        const Trace two = traceOfRanks(2, [](int rank, RankText& text) {
            text.kernel(allReduce, 9, 100, 100, inGroup("a", "\"[0, 1]\"", 2));
            text.kernel(allReduce, 9, rank == 1 ? 340 : 300, rank == 1 ? 160 : 200,
                        inGroup("b", "\"[0, 1]\"", 2));
        });
        QCOMPARE(matchCollectives(two).groups.size(), std::size_t{2});
        QCOMPARE(waitsOfRanks(deviceFigures(two)), (std::vector<Ticks>{microseconds(40), 0}));
    }

    void theOrderInAGroupIsWhatCounts()
    {
        // Two groups take turns; the kernels have one name, and each rank is in both.
        const auto ranksOf = [](int a, int b) {
            return "\"[" + std::to_string(a) + ", " + std::to_string(b) + "]\"";
        };
        const Trace trace = traceOfRanks(4, [&](int rank, RankText& text) {
            const int pair = rank / 2, column = rank % 2;
            const auto tensor = [&](double start, double end) {
                text.kernel(allReduce, 9, start, end - start,
                            inGroup("tp", ranksOf(2 * pair, 2 * pair + 1), 2));
            };
            const auto data = [&](double start, double end) {
                text.kernel(allReduce, 9, start, end - start,
                            inGroup("dp", ranksOf(column, column + 2), 2));
            };
            // The second pair has one more of its own.
            tensor(column == 1 ? 140 : 100, 200);
            if (pair == 1)
                tensor(220, 280);
            data(pair == 1 ? 400 : 300, 500);
        });
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(
            waitsOfRanks(figures),
            (std::vector<Ticks>{microseconds(40 + 100), microseconds(100), microseconds(40), 0}));
        QVERIFY(figures.collectives.unknown.empty());
    }

    void numbersOfOperationsComeFirst()
    {
        // The recording of rank 1 begins with the second operation.
        const Trace trace = traceOfRanks(2, [](int rank, RankText& text) {
            for (int i = rank; i < 4; ++i)
                text.kernel(allReduce, 9, 100 * i + (rank == 0 ? 10 : 30), rank == 0 ? 60 : 40,
                            inGroup("0", "\"[0, 1]\"", 2, "allreduce", 1000,
                                    ", \"Seq\": " + std::to_string(i)));
        });
        const TraceCollectives found = matchCollectives(trace);
        QCOMPARE(found.operations.size(), std::size_t{3});
        for (const Collective& one : found.operations)
            QCOMPARE(one.skew, microseconds(20));
    }

    void theCallOfTheHostTellsTheGroup()
    {
        // As on AMD's devices, whose kernels have no such arguments.
        const Trace trace = traceOfRanks(4, [](int rank, RankText& text) {
            const std::string ranks = rank < 2 ? "\"[0, 1]\"" : "\"[2, 3]\"";
            text.kernel("ncclDevKernel_Generic(ncclDevKernelArgsStorage)", 9,
                        rank < 2 ? 100 : 200 + 50 * (rank - 2),
                        rank < 2 ? 300 : 500 - 50 * (rank - 2), {}, "record_param_comms",
                        inGroup(rank < 2 ? "a" : "b", ranks, 2));
        });
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(waitsOfRanks(figures), (std::vector<Ticks>{0, 0, microseconds(50), 0}));
        for (const Collective& one : figures.collectives.operations)
            QCOMPARE(one.kind, CollectiveKind::AllReduce);
    }

    void anAllToAllIsNoMessage_data()
    {
        QTest::addColumn<bool>("byRange");
        QTest::newRow("the range around it says so") << true;
        QTest::newRow("its arguments say so") << false;
    }

    void anAllToAllIsNoMessage()
    {
        QFETCH(const bool, byRange);
        const Trace trace = traceOfRanks(3, [&](int rank, RankText& text) {
            const double start = rank == 2 ? 900 : 100;
            text.kernel("gemm", 7, 10, start - 20);
            text.kernel(sendReceive, 9, start, 1000 - start,
                        byRange ? std::string() : inGroup("0", "\"[0, 1, 2]\"", 3, "all_to_all"),
                        byRange ? "nccl:all_to_all" : "");
        });
        QVERIFY(pairMessages(trace).unknown.empty());
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(waitsOfRanks(figures),
                 (std::vector<Ticks>{microseconds(800), microseconds(800), 0}));
        QVERIFY(figures.slow.has_value());
        QCOMPARE(trace.ranks[figures.slow->rank.index()].number, 2);
        QCOMPARE(figures.collectives.operations.front().kind, CollectiveKind::AllToAll);
    }

    void sendsAndReceivesStayMessages()
    {
        const Trace trace = traceOfRanks(2, [](int rank, RankText& text) {
            text.kernel(sendReceive, 9, rank == 0 ? 100 : 300, rank == 0 ? 400 : 200, {},
                        rank == 0 ? "nccl:send 0->1" : "nccl:recv 1<-0");
        });
        QCOMPARE(pairMessages(trace).pairs.size(), std::size_t{1});
        QVERIFY(matchCollectives(trace).operations.empty());
    }

    void messagesThatNameTheOtherRankArePaired()
    {
        // A chain of three: each sends onward, and the second one twice as late as the first.
        const auto message = [](const char* operation, const char* key, int peer) {
            return inGroup("pp", "\"[0, 1, 2]\"", 3, operation, 1000,
                           std::string(", \"") + key + "\": " + std::to_string(peer));
        };
        const Trace trace = traceOfRanks(3, [&](int rank, RankText& text) {
            for (int i = 0; i < 4; ++i) {
                const double begin = 1000 * i;
                if (rank > 0)
                    text.kernel(sendReceive, 20, begin + 100 * rank, rank == 1 ? 60 : 160,
                                message("recv", "Src Rank", rank - 1));
                if (rank < 2)
                    text.kernel(sendReceive, 21, begin + (rank == 0 ? 120 : 300),
                                rank == 0 ? 40 : 60, message("send", "Dst Rank", rank + 1));
            }
        });
        const TraceMessages found = pairMessages(trace);
        QVERIFY(found.unknown.empty());
        QCOMPARE(found.pairs.size(), std::size_t{8});
        QCOMPARE(found.ranks[1].time.waiting, 4 * microseconds(20));
        QCOMPARE(found.ranks[2].time.waiting, 4 * microseconds(100));
        QVERIFY(matchCollectives(trace).operations.empty());
        // Rank 2 is in no file of this one.
        const Trace part = traceOfRanks(2, [&](int rank, RankText& text) {
            if (rank == 1)
                text.kernel(sendReceive, 21, 300, 60, message("send", "Dst Rank", 2));
        });
        QVERIFY(pairMessages(part).pairs.empty());
        QVERIFY(pairMessages(part).unknown.empty());
    }

    void whatSaysNoGroupIsNotInvented()
    {
        // Two groups of two, as far apart at their ends as at their begins.
        const Trace apart = traceOfRanks(4, [](int rank, RankText& text) {
            for (int step = 0; step < 3; ++step)
                text.kernel(allReduce, 9, 1000 * step + (rank % 2 == 1 ? 200 : 100), 400);
        });
        const DeviceFigures figures = deviceFigures(apart);
        QCOMPARE(waitsOfRanks(figures), (std::vector<Ticks>{-1, -1, -1, -1}));
        QVERIFY(!figures.slow.has_value());
        QCOMPARE(figures.collectives.unknown.size(), std::size_t{1});
        // What ends together is one operation.
        const Trace together = traceOfRanks(4, [](int rank, RankText& text) {
            const double late = rank == 1 ? 100 : 0;
            for (int step = 0; step < 3; ++step)
                text.kernel(allReduce, 9, 1000 * step + 100 + late, 400 - late);
        });
        QCOMPARE(waitsOfRanks(deviceFigures(together)),
                 (std::vector<Ticks>{microseconds(300), 0, microseconds(300), microseconds(300)}));
    }

    void aNameOfSeveralGroupsIsNotEnough()
    {
        const Trace trace = traceOfRanks(4, [](int rank, RankText& text) {
            text.kernel(allReduce, 9, rank % 2 == 1 ? 200 : 100, 400,
                        "\"Process Group Name\": \"dp\", \"Group size\": 2");
        });
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(waitsOfRanks(figures), (std::vector<Ticks>{-1, -1, -1, -1}));
        QCOMPARE(figures.collectives.unknown.size(), std::size_t{1});
        QVERIFY(figures.collectives.unknown.front().find("has 2 ranks and is named on 4") !=
                std::string::npos);
    }

    void whatCannotBeToldApartIsCounted()
    {
        // One name, no list of ranks, and ends of two kinds: which ones belong together is open.
        const Trace trace = traceOfRanks(4, [](int rank, RankText& text) {
            for (int step = 0; step < 3; ++step)
                text.kernel(allReduce, 9, 1000 * step + (rank % 2 == 1 ? 300 : 100), 400,
                            "\"Process Group Name\": \"dp\", \"Group size\": 4");
        });
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(waitsOfRanks(figures), (std::vector<Ticks>{-1, -1, -1, -1}));
        QCOMPARE(figures.collectives.unknown.size(), std::size_t{1});
        const std::string& unknown = figures.collectives.unknown.front();
        QVERIFY2(unknown.find("of 12 kernels") != std::string::npos, unknown.c_str());
        QVERIFY2(unknown.find(" 12 cannot be told apart") != std::string::npos, unknown.c_str());
    }

    void ranksThatAreNotInTheTraceAreCounted()
    {
        const Trace trace = traceOfRanks(2, [](int rank, RankText& text) {
            text.kernel(allReduce, 9, rank == 1 ? 200 : 100, rank == 1 ? 300 : 400,
                        inGroup("0", "\"[0, 1, 2, 3]\"", 4));
        });
        const TraceCollectives found = matchCollectives(trace);
        QCOMPARE(found.groups.size(), std::size_t{1});
        QVERIFY(!found.groups.front().whole());
        QCOMPARE(found.groups.front().size, 4);
        QCOMPARE(found.groups.front().waited, (std::vector<Ticks>{microseconds(100), 0}));
    }

    void bandwidthsFollowFromBytes()
    {
        const Trace trace = traceOfRanks(4, [](int rank, RankText& text) {
            // 4,000,000 bytes in 100 µs from the last start: 40 GB/s.
            text.kernel(allReduce, 9, rank == 3 ? 300 : 100, rank == 3 ? 100 : 300,
                        inGroup("0", "\"[0, 1, 2, 3]\"", 4, "allreduce", 1'000'000));
        });
        const TraceCollectives found = matchCollectives(trace);
        const Collective& one = found.operations.front();
        QCOMPARE(one.bytes, Bytes{4'000'000});
        QCOMPARE(one.together, microseconds(100));
        const CollectiveBandwidth speed = bandwidthOf(one.kind, 4, one.bytes, one.together);
        QCOMPARE(speed.algorithm, 40e9);
        QCOMPARE(speed.bus, 60e9);
        QCOMPARE(bandwidthOf(CollectiveKind::AllToAll, 4, 4000, 1000).bus, 3e9);
        QCOMPARE(bandwidthOf(CollectiveKind::Broadcast, 4, 4000, 1000).bus, 4e9);
        QCOMPARE(bandwidthOf(CollectiveKind::AllReduce, 4, -1, 1000).bus, 0.0);
        QCOMPARE(bytesOfType("BFloat16"), Bytes{2});
        QCOMPARE(bytesOfType("Float8_e4m3fn"), Bytes{1});
        QCOMPARE(bytesOfType("c10::ComplexFloat"), Bytes{8});
        QCOMPARE(bytesOfType("Long"), Bytes{8});
        QCOMPARE(bytesOfType("Thing"), Bytes{0});
    }

    void bytesThatNobodySendsAreNotTold()
    {
        const Trace trace = traceOfRanks(2, [](int, RankText& text) {
            text.kernel(
                allReduce, 9, 100, 100,
                "\"Collective name\": \"allgather\", \"Process Group Name\": \"0\", \"Process "
                "Group Ranks\": [0, 1], \"Group size\": 2, \"In msg nelems\": "
                "9223372036854775807, \"dtype\": \"Double\"");
        });
        QCOMPARE(matchCollectives(trace).operations.front().bytes, Bytes{-1});
    }

    void noRankIsSlowByNoise_data()
    {
        QTest::addColumn<double>("jitter"); // µs
        QTest::newRow("all begin at the same moment") << 0.0;
        QTest::newRow("all begin within 4 µs") << 4.0;
        QTest::newRow("all begin within 60 µs") << 60.0;
    }

    /// Of steps of 20 ms.
    void noRankIsSlowByNoise()
    {
        QFETCH(const double, jitter);
        for (const int ranks : {2, 4})
            for (unsigned seed = 1; seed <= 20; ++seed) {
                std::mt19937 random(seed);
                std::uniform_real_distribution<double> noise(0, jitter);
                const Trace trace = traceOfRanks(ranks, [&](int, RankText& text) {
                    for (int step = 0; step < 3; ++step) {
                        const double late = noise(random);
                        text.kernel("gemm", 7, 20'000 * step + 1, 10'000 + late);
                        text.kernel(allReduce, 9, 20'000 * step + 10'010 + late, 2000 - late,
                                    inGroup("0", "\"[0, 1]\"", ranks));
                    }
                });
                const DeviceFigures figures = deviceFigures(trace);
                QVERIFY2(!figures.slow.has_value(),
                         qPrintable(QStringLiteral("seed %1: %2")
                                        .arg(seed)
                                        .arg(QString::fromStdString(figures.slow->evidence))));
            }
    }

    /// Two stages of two replicas; rank 3 is in the second replica, and rank 1 late because of it.
    void aRankThatIsLateWithAnotherIsNotNamed_data()
    {
        QTest::addColumn<bool>("computes");
        QTest::newRow("one of them computes longer") << true;
        QTest::newRow("none does: a slow link, or something else") << false;
    }

    void aRankThatIsLateWithAnotherIsNotNamed()
    {
        QFETCH(const bool, computes);
        const Trace trace = traceOfRanks(4, [&](int rank, RankText& text) {
            const double late = rank % 2 == 1 ? 800 : 0;
            for (int step = 0; step < 5; ++step) {
                const double begin = 20'000 * step;
                text.kernel("gemm", 7, begin + 1, 8'000 + (computes && rank == 3 ? late : 0));
                text.kernel(
                    allReduce, 9, begin + 10'010 + late + (rank == 1 ? 1 : 0),
                    3000 - late - (rank == 1 ? 1 : 0),
                    inGroup(rank < 2 ? "0" : "1", rank < 2 ? "\"[0, 1]\"" : "\"[2, 3]\"", 2));
            }
        });
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(figures.slow.has_value(), computes);
        if (computes)
            QCOMPARE(trace.ranks[figures.slow->rank.index()].number, 3);
    }

    void aRankThatIsSlowerThanTheNoiseIsNamed()
    {
        for (const int ranks : {2, 4}) {
            std::mt19937 random(7);
            std::uniform_real_distribution<double> noise(0, 60);
            const Trace trace = traceOfRanks(ranks, [&](int rank, RankText& text) {
                for (int step = 0; step < 5; ++step) {
                    const double late = noise(random) + (rank == 1 ? 800 : 0);
                    text.kernel(allReduce, 9, 20'000 * step + 10'010 + late, 3000 - late);
                }
            });
            const DeviceFigures figures = deviceFigures(trace);
            QVERIFY(figures.slow.has_value());
            QCOMPARE(trace.ranks[figures.slow->rank.index()].number, 1);
        }
    }
};

PW_TEST(TestCollectives)

#include "tst_collectives.moc"

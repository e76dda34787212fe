// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/collectives.h"
#include "core/reading/import_trace.h"
#include "core/trace/message_split.h"
#include "core/trace/recover.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/data_files.h"
#include "tests/support/family_runs.h"
#include "tests/support/nsys_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using test::NsysFile;

namespace {

std::int64_t countOf(const Trace& trace, std::string_view name)
{
    return std::count_if(trace.spans.begin(), trace.spans.end(),
                         [&](const TraceSpan& span) { return trace.nameOf(span) == name; });
}

/// The only span with a label of a name; null where there is none or several.
const TraceSpan* labelled(const Trace& trace, std::string_view name)
{
    const TraceSpan* found = nullptr;
    for (const TraceSpan& span : trace.spans)
        if (span.label >= 0 && trace.nameOf(span) == name) {
            if (found != nullptr)
                return nullptr;
            found = &span;
        }
    return found;
}

bool warns(const Trace& trace, const QString& part)
{
    return std::any_of(trace.warnings.begin(), trace.warnings.end(), [&](const std::string& line) {
        return QString::fromStdString(line).contains(part);
    });
}

} // namespace

class TestNsysSqlite : public QObject
{
    Q_OBJECT

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// A trace, or an empty one with a warning.
    Trace imported(const char* name) const
    {
        Result<Trace> trace = importTrace({path(name)});
        if (!trace) {
            qWarning("%s", trace.error().message.c_str());
            return {};
        }
        return std::move(*trace);
    }

    QString refused(const char* name) const
    {
        const Result<Trace> trace = importTrace({path(name)});
        return trace ? QString() : QString::fromStdString(trace.error().message);
    }

    QTemporaryDir m_folder;

private slots:
    void init() { QVERIFY(m_folder.isValid()); }

    void aRealExportHasItsFigures()
    {
        const std::string file = path("2gpu.sqlite");
        test::makeDatabase("traces/nsys-2gpu.sql.gz", file);
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), QString("Nsight Systems"));
        std::int64_t onDevice = 0, onHost = 0, kernels = 0;
        for (const TraceSpan& span : trace->spans) {
            const std::string_view name = trace->nameOf(span);
            onDevice += span.trust == Trust::Device ? 1 : 0;
            onHost += span.trust == Trust::Host ? 1 : 0;
            kernels +=
                span.trust == Trust::Device && name.substr(0, 6) != "Memcpy" && name != "Memset"
                    ? 1
                    : 0;
        }
        QCOMPARE(kernels, std::int64_t{4'010});
        QCOMPARE(onDevice, std::int64_t{4'010 + 1'020 + 269});
        QCOMPARE(onHost, std::int64_t{19'118});
        QCOMPARE(trace->leftOut, std::int64_t{0});
        QCOMPARE(countOf(*trace, "ncclSend"), std::int64_t{132});
        QCOMPARE(countOf(*trace, "ncclRecv"), std::int64_t{132});
        QCOMPARE(countOf(*trace, "ncclDevKernel_SendRecv"), std::int64_t{66});
        // Joined by correlation and process 3,986 kernels have a launch; without the process there
        // would be 4,280 pairs.
        QVERIFY(warns(*trace, "24 of 4,010 kernels have no launch"));
        QCOMPARE(trace->ranks.size(), std::size_t{2});
        for (std::size_t rank = 0; rank < 2; ++rank) {
            QCOMPARE(trace->ranks[rank].number, static_cast<std::int32_t>(rank));
            QCOMPARE(QString::fromStdString(trace->ranks[rank].source), QString("device"));
            QVERIFY(!trace->ranks[rank].guessed);
        }
        QVERIFY(trace->base > Ticks{1'779'782'330'176'752'435});
    }

    void itsMessagesAreSplitIntoWaitingAndTransfer()
    {
        const std::string file = path("2gpu-again.sqlite");
        test::makeDatabase("traces/nsys-2gpu.sql.gz", file);
        Trace trace = *importTrace({file});
        // PyTorch's ranges say that the kernels of sends and receives are exchanges of all with
        // all.
        QVERIFY(pairMessages(trace).pairs.empty());
        const TraceCollectives collectives = matchCollectives(trace);
        QCOMPARE(collectives.groups.size(), std::size_t{1});
        QCOMPARE(collectives.groups.front().waited, (std::vector<Ticks>{10'898'336, 2'477'480}));
        QCOMPARE(collectives.operations.size(), std::size_t{33});
        for (const Collective& one : collectives.operations)
            QCOMPARE(one.kind, CollectiveKind::AllToAll);
        // Without them they are messages, with the same waiting.
        trace.calls.clear();
        const TraceMessages found = pairMessages(trace);
        QCOMPARE(found.pairs.size(), std::size_t{33});
        QCOMPARE(found.endDifference, Ticks{26'587});
        QCOMPARE(found.ownTime, Ticks{25'401'752});
        QCOMPARE(found.transfer, Ticks{5'739'662});
        QCOMPARE(found.apart, std::int64_t{0});
        QCOMPARE(found.ranks.size(), std::size_t{2});
        QCOMPARE(found.ranks[0].time.waiting, Ticks{10'898'336});
        QCOMPARE(found.ranks[1].time.waiting, Ticks{2'477'480});
        QCOMPARE(found.ranks[0].time.after + found.ranks[1].time.after,
                 found.ownTime - 2 * found.transfer - Ticks{13'375'816});
    }

    void payloadsOfNcclTellTheGroup_data()
    {
        QTest::addColumn<QString>("form");
        for (const char* form : {"bytes", "digits", "JSON", "none"})
            QTest::newRow(form) << QString(form);
    }

    /// Ranks 0 and 2 share a communicator, and 1 and 3 another one, which begins later.
    void payloadsOfNcclTellTheGroup()
    {
        QFETCH(const QString, form);
        const std::string file = path("payload.sqlite");
        QFile::remove(QString::fromStdString(file));
        {
            test::NsysFile nsys(file);
            nsys.run("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType "
                     "INTEGER NOT NULL, text TEXT, globalTid INTEGER, textId INTEGER, domainId "
                     "INTEGER, jsonText TEXT, binaryData TEXT)");
            for (int rank = 0; rank < 4; ++rank) {
                const test::NsysFile::Thread thread{1000 + rank, 1};
                const char* word = rank % 2 == 0 ? "a1b2c3d4e5f60718" : "0102030405060708";
                // 4,000,000 bytes.
                const QString digits = QString(word) + "00093d0000000000";
                const QString binary = form == "bytes"    ? "x'" + digits + "'"
                                       : form == "digits" ? "'" + digits + "'"
                                                          : QString("NULL");
                const QString json =
                    form == "JSON"
                        ? "'{\"NCCL communicator ID\": " + QString(rank % 2 == 0 ? "77" : "88") +
                              ", \"Message size [bytes]\": 4000000}'"
                        : QString("NULL");
                for (int i = 0; i < 3; ++i) {
                    const Ticks host = 10'000 + 2'000 * i;
                    nsys.run((QString("INSERT INTO NVTX_EVENTS VALUES (%1, %2, 59, "
                                      "'ncclAllReduce', %3, NULL, 1, %4, %5)")
                                  .arg(host)
                                  .arg(host + 1'000)
                                  .arg(test::NsysFile::globalThread(thread))
                                  .arg(json, binary))
                                 .toStdString());
                    nsys.launch(thread, i + 1, host + 500);
                    const Ticks start = 1'000'000 * (i + 1) + (rank % 2 == 1 ? 100'000 : 0) +
                                        (rank == 2 ? 30'000 : 0);
                    const Ticks end = 1'000'000 * (i + 1) + 500'000 + (rank % 2 == 1 ? 100'000 : 0);
                    nsys.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1000 + rank, {rank, 20},
                                i + 1, start, end);
                }
            }
        }
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const TraceCollectives found = matchCollectives(*trace);
        if (form == "none") {
            QVERIFY(found.operations.empty());
            QCOMPARE(found.unknown.size(), std::size_t{1});
            return;
        }
        QCOMPARE(found.groups.size(), std::size_t{2});
        QCOMPARE(found.operations.size(), std::size_t{6});
        QCOMPARE(found.groups[0].waited, (std::vector<Ticks>{90'000, 0}));
        QCOMPARE(found.groups[1].waited, (std::vector<Ticks>{0, 0}));
        for (const Collective& one : found.operations)
            QCOMPARE(one.bytes, Bytes{4'000'000});
        // Nobody says how many ranks a communicator has.
        QVERIFY(!found.groups[0].whole());
    }

    void anExportWithoutRangesIsRead()
    {
        const std::string file = path("no-nvtx.sqlite");
        test::makeDatabase("traces/nsys-no-nvtx.sql", file);
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->spans.size(), std::size_t{3});
        QCOMPARE(trace->ranks.size(), std::size_t{1});
        QVERIFY(!warns(*trace, "no launch"));
    }

    /// From file to family: kernels at the simulated times give back the schedule that made them.
    void aScheduleComesBackFromItsKernels_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<bool>("oneProcess");
        QTest::addColumn<bool>("sameDevice");
        QTest::addColumn<bool>("steps");
        QTest::newRow("a process a rank") << "1f1b" << 1 << false << false << false;
        QTest::newRow("several iterations") << "1f1b" << 3 << false << false << false;
        QTest::newRow("profiler steps") << "zb-h1" << 3 << false << false << true;
        QTest::newRow("threads and devices") << "1f1b" << 2 << true << false << false;
        QTest::newRow("threads on one device") << "zb-h1" << 2 << true << true << false;
    }

    void aScheduleComesBackFromItsKernels()
    {
        QFETCH(QString, family);
        QFETCH(int, iterations);
        QFETCH(bool, oneProcess);
        QFETCH(bool, sameDevice);
        QFETCH(bool, steps);
        const test::FamilyRun run =
            test::runFamily(test::familyOf(family.toStdString()), test::sized(4, 8),
                            test::equalStages(2'000'003, 1'000'000, 1'500'000));
        const QByteArray name = QByteArray(QTest::currentDataTag()) + ".sqlite";
        {
            NsysFile file(path(name));
            test::recordNsys(file, run.schedule, run.result,
                             {iterations, oneProcess, sameDevice, steps});
        }
        const Trace trace = imported(name);
        QCOMPARE(trace.ranks.size(), std::size_t{4});
        QVERIFY2(trace.warnings.empty(), trace.warnings.empty() ? "" : trace.warnings[0].c_str());
        const RecoveredPipeline found = recover(trace);
        QVERIFY2(found.schedule, found.unknown.empty() ? "" : found.unknown[0].c_str());
        QCOMPARE(static_cast<int>(found.iterations.size()), iterations);
        QCOMPARE(QString::fromUtf8(found.family.matches.front().family->id), family);
        QCOMPARE(found.family.matches.front().outOfOrder, 0);
        QVERIFY(found.measured.start == run.result.start);
        QVERIFY(found.measured.end == run.result.end);
        for (const RecoveredIteration& one : found.iterations)
            for (const Trust trust : one.trust)
                QCOMPARE(trust, Trust::Contained);
        if (steps)
            QCOMPARE(found.iterations[0].number, 4);
    }

    void equalCorrelationsOfProcessesStayApart()
    {
        {
            NsysFile file(path("processes.sqlite"));
            for (const int process : {1, 2, 3}) {
                file.range("PP:" + std::to_string(process - 1) + "F0", {process, 9}, 100, 200);
                file.launch({process, 9}, 77, 150);
                file.kernel("gemm", process, {process - 1, 7}, 77, 1000 * process,
                            1000 * process + 500);
            }
        }
        const Trace trace = imported("processes.sqlite");
        QCOMPARE(trace.ranks.size(), std::size_t{3});
        const Ticks first = 100; // of the ranges: time 0 of the trace
        for (const int process : {1, 2, 3}) {
            const TraceSpan* pass = labelled(trace, "PP:" + std::to_string(process - 1) + "F0");
            QVERIFY(pass != nullptr);
            QCOMPARE(pass->start, Ticks{1000 * process - first});
            QCOMPARE(pass->end, Ticks{1000 * process + 500 - first});
            QCOMPARE(pass->trust, Trust::Contained);
            QCOMPARE(pass->rank, process - 1);
        }
    }

    void equalDeviceNumbersAreToldApartByTheMachine()
    {
        {
            NsysFile file(path("visible.sqlite"));
            for (const int process : {1, 2})
                file.kernel("gemm", process, {0, 7}, 1, 10, 20);
            file.run("CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid "
                     "INTEGER); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 0, 1), (2, 0, 2)");
        }
        const Trace trace = imported("visible.sqlite");
        QCOMPARE(trace.ranks.size(), std::size_t{2});
        QCOMPARE(trace.ranks[0].number, 2);
        QCOMPARE(trace.ranks[1].number, 3);
        {
            NsysFile file(path("unknown.sqlite"));
            for (const int process : {1, 2})
                file.kernel("gemm", process, {0, 7}, 1, 10, 20);
        }
        const Trace counted = imported("unknown.sqlite");
        QCOMPARE(counted.ranks.size(), std::size_t{2});
        QVERIFY(counted.ranks[0].guessed && counted.ranks[1].guessed);
    }

    void aFileARankHasItFromItsName()
    {
        for (const int rank : {0, 1}) {
            const QByteArray name = "report_rank" + QByteArray::number(rank) + ".sqlite";
            NsysFile file(path(name));
            file.session(1'700'000'000'000'000'000 + rank * 1000);
            file.range("PP:" + std::to_string(rank) + "F0", {50, 50}, 100, 200);
            file.launch({50, 50}, 1, 150);
            file.kernel("gemm", 50, {0, 7}, 1, 300, 400);
        }
        const Result<Trace> trace =
            importTrace({path("report_rank1.sqlite"), path("report_rank0.sqlite")});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->ranks.size(), std::size_t{2});
        QCOMPARE(trace->ranks[1].number, 1);
        QCOMPARE(QString::fromStdString(trace->ranks[1].source), QString("file name"));
        QCOMPARE(trace->base, Ticks{1'700'000'000'000'000'100});
        QCOMPARE(labelled(*trace, "PP:1F0")->start, Ticks{1'200});
        QCOMPARE(labelled(*trace, "PP:0F0")->start, Ticks{200});
    }

    void kernelsBelongToTheInnermostRangeOfTheirLaunch()
    {
        {
            NsysFile file(path("nested.sqlite"));
            const NsysFile::Thread main{1, 1}, autograd{1, 2};
            file.range("PP:0F0", main, 100, 500);
            file.range("PP:0RECV_F0", main, 110, 120);
            file.range("aten::mm, seq = 4, op_id = 9", main, 150, 160);
            file.range("PP:0B0", main, 600, 900);
            file.launch(main, 1, 115);
            file.kernel("ncclDevKernel_SendRecv", 1, {0, 20}, 1, 1000, 2000);
            file.launch(main, 2, 155);
            file.kernel("gemm", 1, {0, 7}, 2, 2100, 2200);
            file.launch(main, 3, 200);
            file.kernel("ncclDevKernel_SendRecv", 1, {0, 20}, 3, 2050, 9000);
            file.launch(autograd, 4, 700);
            file.kernel("gemm", 1, {0, 7}, 4, 3000, 3100);
            file.launch(main, 5, 950); // in no range
            file.kernel("gemm", 1, {0, 7}, 5, 4000, 4100);
            file.launch(main, 6, 800);
            file.copy(1, 1, {0, 7}, 6, 2000, 9000);
        }
        const Trace trace = imported("nested.sqlite");
        const auto times = [&](const char* name) {
            const TraceSpan* span = labelled(trace, name);
            return span == nullptr ? std::pair(Ticks{-1}, Ticks{-1})
                                   : std::pair(span->start + 100, span->end + 100);
        };
        QCOMPARE(times("PP:0F0"), (std::pair<Ticks, Ticks>(2100, 2200)));
        QCOMPARE(times("PP:0RECV_F0"), (std::pair<Ticks, Ticks>(1000, 2000)));
        QCOMPARE(times("PP:0B0"), (std::pair<Ticks, Ticks>(3000, 3100)));
        QCOMPARE(countOf(trace, "aten::mm"), std::int64_t{1});
        QCOMPARE(countOf(trace, "Memcpy HtoD"), std::int64_t{1});
    }

    void rangesWithoutKernelsAreByTheHostsClock()
    {
        {
            NsysFile file(path("host.sqlite"));
            file.range("PP:0F0", {1, 1}, 100, 500, true);
            file.range("PP:(0F1;0B0)OVERLAP_F_B", {1, 1}, 600, 900);
        }
        const Trace trace = imported("host.sqlite");
        QCOMPARE(trace.spans.size(), std::size_t{3});
        QCOMPARE(trace.labels.size(), std::size_t{3});
        for (const TraceSpan& span : trace.spans)
            QCOMPARE(span.trust, Trust::Host);
    }

    /// Of a trimmed file neither the host's time stands in for the device's nor a made-up one.
    void aPassWithoutItsKernelsIsLeftOut()
    {
        {
            NsysFile file(path("trimmed.sqlite"));
            onePass(file, {1, 1});
            file.range("PP:0F1", {1, 1}, 300, 400);
            file.kernel("gemm", 1, {0, 7}, 2, 1200, 1300);
        }
        const Trace trace = imported("trimmed.sqlite");
        QVERIFY(labelled(trace, "PP:0F0") != nullptr);
        QVERIFY(labelled(trace, "PP:0F1") == nullptr);
        QVERIFY(warns(trace, "1 of 2 kernels have no launch"));
        QVERIFY(warns(trace, "1 labelled passes launched no kernel"));
    }

    /// PyTorch's backward of the first stage for its input is such a pass.
    void aPassThatLaunchesNothingHasNoLength()
    {
        test::FamilyRun run = test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8),
                                              test::equalStages(2'000'003, 1'000'000, 1'500'000));
        {
            NsysFile file(path("nothing.sqlite"));
            test::NsysRun how;
            how.emptyFirst = true;
            test::recordNsys(file, run.schedule, run.result, how);
        }
        const Trace trace = imported("nothing.sqlite");
        QVERIFY(warns(trace, "8 labelled passes launched nothing"));
        const RecoveredPipeline found = recover(trace);
        QVERIFY2(found.schedule, found.unknown.empty() ? "" : found.unknown[0].c_str());
        QVERIFY(*found.schedule == run.schedule);
        for (const EntryId i : run.schedule.entries()) {
            const auto at = static_cast<std::size_t>(i);
            const Pass pass = run.schedule.entry(i).pass;
            const bool empty = pass.kind == PassKind::B && pass.stage == 0;
            QCOMPARE(found.measured.end[at] - found.measured.start[at],
                     empty ? Ticks{0} : run.result.end[at] - run.result.start[at]);
            if (!empty)
                QCOMPARE(found.measured.start[at], run.result.start[at]);
        }
        const RecoveredIteration& one = found.iterations[0];
        for (std::size_t i = 0; i < one.passes.size(); ++i)
            QCOMPARE(one.trust[i],
                     one.passes[i].start == one.passes[i].end ? Trust::Guessed : Trust::Contained);
    }

    void workThatTwoThreadsCouldOwnBelongsToNone()
    {
        {
            NsysFile file(path("doubt.sqlite"));
            onePass(file, {1, 3});
            file.range("PP:1F0", {1, 2}, 100, 200);
        }
        const Trace trace = imported("doubt.sqlite");
        QVERIFY(warns(trace, "1 kernels and copies were launched while several threads"));
    }

    void rowsWithoutATimeAreLeftOut()
    {
        {
            NsysFile file(path("rows.sqlite"));
            file.range("a", {1, 1}, 100, 200);
            file.range("b", {1, 1}, 300, 250);
            file.range("c", {1, 1}, 300, 400);
            file.run("UPDATE NVTX_EVENTS SET end = NULL WHERE text = 'c'");
            file.range("d", {1, 1}, 300, 400);
            file.run("UPDATE NVTX_EVENTS SET start = 'soon' WHERE text = 'd'");
            file.range("e", {1, 1}, 300, 9'223'372'036'854'775'807);
            file.range("f", {1, 1}, 0, 0, true);
            file.run("UPDATE NVTX_EVENTS SET textId = 999 WHERE textId NOT NULL");
        }
        const Trace trace = imported("rows.sqlite");
        QCOMPARE(trace.spans.size(), std::size_t{2});
        QCOMPARE(trace.leftOut, std::int64_t{4});
        QVERIFY(warns(trace, "3 rows of NVTX_EVENTS have no time"));
        QVERIFY(warns(trace, "1 ranges of NVTX_EVENTS begin and never end"));
        QVERIFY(warns(trace, "1 string ids are not in StringIds"));
        QCOMPARE(countOf(trace, "string 999"), std::int64_t{1});
    }

    /// Without the version that the exporter puts behind their names.
    void callsOfTheRuntimeAreSlicesOfTheirThread()
    {
        {
            NsysFile file(path("calls.sqlite"));
            everything(file);
        }
        const Trace trace = imported("calls.sqlite");
        const auto call =
            std::find_if(trace.spans.begin(), trace.spans.end(), [&](const TraceSpan& span) {
                return trace.nameOf(span) == "cudaLaunchKernel";
            });
        QVERIFY(call != trace.spans.end());
        QCOMPARE(call->activity, ActivityKind::Launch);
        QCOMPARE(call->end - call->start, Ticks{1});
        QCOMPARE(call->track, trace.spans[2].track);
        const auto kernel =
            std::find_if(trace.spans.begin(), trace.spans.end(),
                         [&](const TraceSpan& span) { return trace.nameOf(span) == "gemm"; });
        QCOMPARE(kernel->start - kernel->queued, call->start);
    }

    void aGraphWithoutItsKernelsIsWorkOfItsDevice()
    {
        {
            NsysFile file(path("graph.sqlite"));
            everything(file);
            file.run("CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, "
                     "deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
                     "INTEGER, graphId INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE "
                     "VALUES (1400, 1600, 0, 7, 9, " +
                     std::to_string(NsysFile::globalThread({1, 0})) + ", 12)");
        }
        const Trace trace = imported("graph.sqlite");
        QCOMPARE(countOf(trace, "CUDA graph 12"), std::int64_t{1});
        QCOMPARE(trace.ranks.size(), std::size_t{1});
    }

    /// A short name stands for many long ones, which say what a kernel does; ids may be any number.
    void kernelsAreWhatTheirLongNamesSay()
    {
        {
            NsysFile file(path("long.sqlite"));
            const std::string process = std::to_string(NsysFile::globalThread({1, 0}));
            const auto row = [&](int start, const char* shortName, const char* longName) {
                file.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(start) +
                         ", " + std::to_string(start + 5) + ", 0, 7, NULL, " + process + ", " +
                         shortName + ", " + longName + ")");
            };
            file.run("CREATE TABLE IF NOT EXISTS StringIds (id INTEGER PRIMARY KEY, value TEXT); "
                     "INSERT INTO StringIds VALUES (1, 'kernel'), (2, 'at::native::add'), "
                     "(70000, 'ncclDevKernel_AllReduce_Sum'), (-3, 'gemm'); "
                     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, "
                     "deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
                     "INTEGER, shortName INTEGER, demangledName INTEGER)");
            row(0, "1", "2");
            row(10, "1", "70000");
            row(20, "1", "2");
            row(30, "1", "70000");
            row(40, "-3", "NULL");
            row(50, "NULL", "70000");
            row(60, "70000", "70000");
            row(70, "5", "NULL");
        }
        const Trace trace = imported("long.sqlite");
        std::string said;
        for (const TraceSpan& span : trace.spans)
            said += std::string(trace.nameOf(span)) + " " +
                    (span.activity == ActivityKind::Communication ? "communication; " : "; ");
        QCOMPARE(said, std::string("kernel ; kernel communication; kernel ; kernel communication; "
                                   "gemm ; ncclDevKernel_AllReduce_Sum communication; "
                                   "ncclDevKernel_AllReduce_Sum communication; string 5 ; "));
        QVERIFY(warns(trace, "1 string ids are not in StringIds"));
    }

    void samplesOfADeviceAreCounters()
    {
        {
            NsysFile file(path("metrics.sqlite"));
            everything(file);
            file.run("CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, "
                     "typeName TEXT, metricId INTEGER, metricName TEXT); INSERT INTO "
                     "TARGET_INFO_GPU_METRICS VALUES (256, 1, 'g', 3, 'SMs Active [Throughput "
                     "%]'), (256, 1, 'g', 4, 'GPC Clock Frequency [MHz]'); CREATE TABLE "
                     "GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value "
                     "INTEGER); INSERT INTO GPU_METRICS VALUES (1100, 256, 3, 80), (1000, 256, 3, "
                     "50), (1000, 256, 4, 1980), (NULL, 256, 3, 1)");
        }
        const Trace trace = imported("metrics.sqlite");
        QCOMPARE(trace.counters.size(), std::size_t{2});
        QCOMPARE(trace.counters[0].name, std::string("SMs Active [Throughput %]"));
        QCOMPARE(trace.counters[0].kind, CounterKind::Part);
        QCOMPARE(trace.counters[0].samples, (std::vector<CounterSample>{{900, 0.5}, {1000, 0.8}}));
        QCOMPARE(trace.counters[1].samples.front().value, 1980.0);
        QVERIFY(warns(trace, "1 values of GPU_METRICS have no time"));
    }

    void missingTablesAreNoFailure_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<int>("spans");
        const auto row = [](const char* what, const char* table, int spans) {
            QTest::newRow(what) << table << spans;
        };
        row("ranges", "NVTX_EVENTS", 3);
        row("kernels", "CUPTI_ACTIVITY_KIND_KERNEL", 4);
        row("copies", "CUPTI_ACTIVITY_KIND_MEMCPY", 4);
        row("launches", "CUPTI_ACTIVITY_KIND_RUNTIME", 4);
        row("texts", "StringIds", 5);
        row("the session", "TARGET_INFO_SESSION_START_TIME", 5);
    }

    void missingTablesAreNoFailure()
    {
        QFETCH(QString, table);
        QFETCH(int, spans);
        const QByteArray name = table.toUtf8() + ".sqlite";
        {
            NsysFile file(path(name));
            everything(file);
            file.run("DROP TABLE " + table.toStdString());
        }
        const Trace trace = imported(name);
        QCOMPARE(static_cast<int>(trace.spans.size()), spans);
    }

    void aMissingColumnIsNamedWithItsTable_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("column");
        const auto row = [](const char* table, const char* column) {
            QTest::addRow("%s %s", table, column) << table << column;
        };
        row("CUPTI_ACTIVITY_KIND_KERNEL", "start");
        row("CUPTI_ACTIVITY_KIND_KERNEL", "globalPid");
        row("CUPTI_ACTIVITY_KIND_KERNEL", "correlationId");
        row("CUPTI_ACTIVITY_KIND_MEMCPY", "deviceId");
        row("CUPTI_ACTIVITY_KIND_RUNTIME", "globalTid");
        row("NVTX_EVENTS", "end");
        row("NVTX_EVENTS", "eventType");
        row("StringIds", "value");
    }

    void aMissingColumnIsNamedWithItsTable()
    {
        QFETCH(QString, table);
        QFETCH(QString, column);
        const QByteArray name = table.toUtf8() + column.toUtf8() + ".sqlite";
        {
            NsysFile file(path(name));
            everything(file);
            file.run("ALTER TABLE " + table.toStdString() + " RENAME COLUMN \"" +
                     column.toStdString() + "\" TO other");
        }
        const QString message = refused(name);
        QVERIFY2(message.contains("table " + table + " has no column " + column),
                 qPrintable(message));
        QVERIFY(message.contains(QString::fromUtf8(name)));
    }

    void foreignFilesAreRefused()
    {
        {
            NsysFile file(path("foreign.sqlite"));
            file.run("CREATE TABLE cats (name TEXT); CREATE TABLE dogs (name TEXT)");
        }
        QVERIFY(refused("foreign.sqlite").contains("no table NVTX_EVENTS"));
        QVERIFY(refused("foreign.sqlite").contains("it has cats, dogs"));
        {
            // A view of the name runs a stranger's query; it is not a table.
            NsysFile file(path("view.sqlite"));
            file.run("CREATE TABLE cats (name TEXT); CREATE VIEW NVTX_EVENTS AS SELECT 1 AS start");
        }
        QVERIFY(refused("view.sqlite").contains("no table NVTX_EVENTS"));
        test::writeTrace(path("junk.sqlite"),
                         std::string("SQLite format 3") + '\0' + std::string(5000, 'x'));
        QVERIFY(
            refused("junk.sqlite").contains("not an export of Nsight Systems that can be read"));
    }

    void aFolderTakesExportsAndLeavesOtherDatabases()
    {
        QTemporaryDir folder;
        const auto in = [&](const char* name) { return folder.filePath(name).toStdString(); };
        {
            NsysFile foreign(in("runs.sqlite"));
            foreign.run("CREATE TABLE cats (name TEXT)");
            NsysFile file(in("rank0.sqlite"));
            everything(file);
        }
        const Result<Trace> trace = importTrace({folder.path().toStdString()});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->files.size(), std::size_t{1});
    }

private:
    /// PP:0F0 on the first thread, and a kernel that a thread launches meanwhile.
    static void onePass(NsysFile& file, NsysFile::Thread launcher)
    {
        file.range("PP:0F0", {1, 1}, 100, 200);
        file.launch(launcher, 1, 150);
        file.kernel("gemm", 1, {0, 7}, 1, 1000, 1100);
    }

    /// One row of everything: two ranges, a kernel with its launch, a copy.
    static void everything(NsysFile& file)
    {
        file.session(1'700'000'000'000'000'000);
        file.range("outer", {1, 1}, 100, 900);
        file.range("aten::mm", {1, 1}, 200, 300, true);
        file.launch({1, 1}, 1, 250);
        file.kernel("gemm", 1, {0, 7}, 1, 1000, 1100);
        file.copy(1, 1, {0, 7}, 2, 1200, 1300);
    }
};

PW_TEST(TestNsysSqlite)
#include "tst_nsys_sqlite.moc"

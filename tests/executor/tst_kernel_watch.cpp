// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cupti_records.h"
#include "executor/cuda/kernel_watch.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::cuda;

// What the executor makes of what CUPTI says, with functions in CUPTI's place.
namespace {

constexpr std::size_t recordBytes = 112; ///< of all records here

CuptiApi::Requested askForRoom = nullptr;
CuptiApi::Completed handOver = nullptr;
std::vector<std::uint32_t> enabled;
std::vector<std::vector<std::uint8_t>> told; ///< records, in the order in which they come
std::size_t inABuffer = 1;
bool asIfFull = false; ///< buffers are handed over as if records filled them
std::map<const std::uint8_t*, std::size_t> reallyValid; ///< of such buffers
std::size_t droppedByCupti = 0;
int refusedKind = -1;
int answerOfRefusal = 0;
std::vector<std::uint32_t> queriesOff;
thread_local std::vector<std::uint64_t> saidByThread;

template<typename Value>
void put(std::vector<std::uint8_t>& record, std::size_t place, Value value)
{
    std::memcpy(record.data() + place, &value, sizeof(value));
}

void tellKernel(std::uint32_t call, std::uint64_t start, std::uint64_t end, const char* name)
{
    std::vector<std::uint8_t> record(recordBytes, 0x77);
    put(record, 0, CuptiKind::Kernel);
    put(record, cupti_places::start, start);
    put(record, cupti_places::end, end);
    put(record, cupti_places::kernelCorrelation, call);
    put(record, cupti_places::kernelName, name);
    told.push_back(record);
}

void tellCopy(std::uint32_t call, std::uint64_t start, std::uint64_t end, std::uint8_t how)
{
    std::vector<std::uint8_t> record(recordBytes, 0x77);
    put(record, 0, CuptiKind::Copy);
    put(record, cupti_places::copyKind, how);
    put(record, cupti_places::start, start);
    put(record, cupti_places::end, end);
    put(record, cupti_places::copyCorrelation, call);
    told.push_back(record);
}

/// A call of the thread as it is now.
void tellCall(std::uint32_t call)
{
    std::vector<std::uint8_t> record(recordBytes, 0x77);
    put(record, 0, CuptiKind::RuntimeCall);
    told.push_back(record);
    if (saidByThread.empty())
        return;
    put(record, 0, CuptiKind::Link);
    put(record, cupti_places::linkKind, cuptiCustom);
    put(record, cupti_places::linkId, saidByThread.back());
    put(record, cupti_places::linkCorrelation, call);
    told.push_back(record);
}

int deliver(std::uint32_t)
{
    for (std::size_t first = 0; first < told.size();) {
        std::uint8_t* buffer = nullptr;
        std::size_t bytes = 0;
        std::size_t most = 1;
        askForRoom(&buffer, &bytes, &most);
        const std::size_t end = std::min(told.size(), first + inABuffer);
        if (buffer == nullptr) {
            droppedByCupti += end - first;
            first = end;
            continue;
        }
        std::size_t valid = 0;
        for (; first < end; ++first, valid += recordBytes)
            std::memcpy(buffer + valid, told[first].data(), recordBytes);
        if (asIfFull)
            reallyValid[buffer] = std::exchange(valid, bytes);
        // From a thread of the library's own.
        std::thread([&] { handOver(nullptr, 0, buffer, bytes, valid); }).join();
    }
    told.clear();
    return 0;
}

CuptiApi fakeCupti()
{
    CuptiApi api;
    api.getResultString = [](int, const char** text) {
        *text = "what CUPTI says";
        return 0;
    };
    api.registerCallbacks = [](CuptiApi::Requested requested, CuptiApi::Completed completed) {
        askForRoom = requested;
        handOver = completed;
        return 0;
    };
    api.enable = [](std::uint32_t kind) {
        if (static_cast<int>(kind) == refusedKind)
            return answerOfRefusal;
        enabled.push_back(kind);
        return 0;
    };
    api.disable = [](std::uint32_t kind) {
        enabled.erase(std::remove(enabled.begin(), enabled.end(), kind), enabled.end());
        return 0;
    };
    api.flushAll = deliver;
    api.getNextRecord = [](std::uint8_t* buffer, std::size_t validBytes, void** record) {
        auto* const next =
            *record == nullptr ? buffer : static_cast<std::uint8_t*>(*record) + recordBytes;
        const auto really = reallyValid.find(buffer);
        if (next >= buffer + (really == reallyValid.end() ? validBytes : really->second))
            return 12;
        *record = next;
        return 0;
    };
    api.getNumDroppedRecords = [](void*, std::uint32_t, std::size_t* dropped) {
        *dropped = std::exchange(droppedByCupti, 0);
        return 0;
    };
    api.pushExternalCorrelationId = [](std::uint32_t kind, std::uint64_t id) {
        if (kind == cuptiCustom)
            saidByThread.push_back(id);
        return 0;
    };
    api.popExternalCorrelationId = [](std::uint32_t, std::uint64_t* last) {
        *last = saidByThread.back();
        saidByThread.pop_back();
        return 0;
    };
    api.enableRuntimeApi = [](std::uint32_t call, std::uint8_t on) {
        if (on == 0)
            queriesOff.push_back(call);
        return 0;
    };
    return api;
}

WatchedPass watchedPass(int stage)
{
    WatchedPass pass;
    pass.entry.pass.stage = StageId(stage);
    return pass;
}

} // namespace

class TestKernelWatch : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        enabled.clear();
        told.clear();
        queriesOff.clear();
        droppedByCupti = 0;
        refusedKind = -1;
        inABuffer = 1;
        asIfFull = false;
        reallyValid.clear();
    }

    void recordsOutOfOrderInManyBuffersAreAddedUpByPass_data();
    void recordsOutOfOrderInManyBuffersAreAddedUpByPass();
    void threadsHavePassesOfTheirOwn();
    void whatCuptiDropsIsCounted();
    void aRefusalLeavesNothingOn_data();
    void aRefusalLeavesNothingOn();
    void whatTellsNothingIsSaid();
    void aWatchThatIsLeftStops();
    void aLibraryThatIsNotThereIsSaid();
};

void TestKernelWatch::recordsOutOfOrderInManyBuffersAreAddedUpByPass_data()
{
    QTest::addColumn<int>("records");
    QTest::addColumn<bool>("backwards");
    for (const int records : {1, 2, 3, 100}) {
        QTest::addRow("%d a buffer", records) << records << false;
        QTest::addRow("%d a buffer, backwards", records) << records << true;
    }
}

void TestKernelWatch::recordsOutOfOrderInManyBuffersAreAddedUpByPass()
{
    QFETCH(int, records);
    QFETCH(bool, backwards);
    const CuptiApi api = fakeCupti();
    const auto watch = KernelWatch::begin(api);
    QVERIFY(watch.has_value());
    QCOMPARE(queriesOff, (std::vector<std::uint32_t>{132, 138}));
    // The same text at two places, as two modules have it.
    const std::string gemm = "gemm";
    const std::string again = "gemm";
    tellCall(1); // before any pass
    tellKernel(1, 10, 90, gemm.c_str());
    {
        const WatchedScope scope(watch->get(), watchedPass(0));
        tellCall(2);
        tellCall(3);
        tellKernel(2, 100, 140, gemm.c_str());
        tellCopy(3, 140, 150, cuptiCopyWithin);
    }
    {
        const WatchedScope scope(watch->get(), watchedPass(1));
        tellCall(4);
        tellCall(5);
        tellCall(6);
        tellKernel(4, 200, 300, again.c_str());
        tellKernel(5, 250, 330, "norm"); // beside the one before
        tellCopy(6, 400, 900, 2);        // to the host, which is not the pass's own time
    }
    tellCall(7);
    tellKernel(7, 1'000, 2'000, nullptr);
    if (backwards)
        std::reverse(told.begin(), told.end());
    inABuffer = static_cast<std::size_t>(records);
    const Result<KernelRecords> heard = (*watch)->end();
    QVERIFY(heard.has_value());
    QVERIFY(enabled.empty());
    const KernelCount count = countKernels(*heard);
    QCOMPARE(count.passes.size(), std::size_t{2});
    QCOMPARE(count.passes[0].busy, Ticks{50});
    QCOMPARE(count.passes[0].kernels, std::int64_t{1});
    QCOMPARE(count.passes[1].busy, Ticks{130});
    QCOMPARE(count.passes[1].kernels, std::int64_t{2});
    QVERIFY(count.passes[1].pass.entry == watchedPass(1).entry);
    QCOMPARE(count.beside, std::int64_t{2});
    QCOMPARE(count.lost, std::int64_t{0});
    QCOMPARE(count.names.size(), std::size_t{2});
    QCOMPARE(count.names[0].name, std::string("gemm"));
    QCOMPARE(count.names[0].time, Ticks{140});
}

void TestKernelWatch::threadsHavePassesOfTheirOwn()
{
    const CuptiApi api = fakeCupti();
    const auto watch = KernelWatch::begin(api);
    QVERIFY(watch.has_value());
    const WatchedScope outer(watch->get(), watchedPass(0));
    std::thread([&] {
        const WatchedScope scope(watch->get(), watchedPass(1));
        tellCall(1);
    }).join();
    tellCall(2);
    const WatchedScope nobody(nullptr, watchedPass(2));
    tellCall(3);
    for (std::uint32_t call = 1; call <= 3; ++call)
        tellKernel(call, 100 * call, 100 * call + 10 * call, "gemm");
    const Result<KernelRecords> heard = (*watch)->end();
    QVERIFY(heard.has_value());
    const KernelCount count = countKernels(*heard);
    QCOMPARE(count.passes.size(), std::size_t{2});
    QCOMPARE(count.passes[0].busy, Ticks{20 + 30});
    QCOMPARE(count.passes[1].busy, Ticks{10});
}

void TestKernelWatch::whatCuptiDropsIsCounted()
{
    const CuptiApi api = fakeCupti();
    const auto watch = KernelWatch::begin(api);
    QVERIFY(watch.has_value());
    {
        const WatchedScope scope(watch->get(), watchedPass(0));
        tellCall(1);
    }
    // A full buffer each: more than are kept, so that CUPTI finds no room for the last.
    asIfFull = true;
    for (std::uint64_t i = 1; i <= 300; ++i)
        tellKernel(1, i, i + 1, "gemm");
    droppedByCupti = 5;
    const std::size_t records = told.size();
    const Result<KernelRecords> heard = (*watch)->end();
    QVERIFY(heard.has_value());
    const KernelCount count = countKernels(*heard);
    constexpr std::size_t kept = 128; // of 4 MiB
    QCOMPARE(count.lost, static_cast<std::int64_t>(records - kept + 5));
    QCOMPARE(count.passes.size(), std::size_t{1});
    QCOMPARE(count.passes[0].kernels, static_cast<std::int64_t>(kept - 2)); // call and link
}

void TestKernelWatch::aRefusalLeavesNothingOn_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<QString>("says");
    QTest::newRow("permission") << 35 << "only administrators";
    QTest::newRow("permission of a virtual GPU") << 40 << "only administrators";
    QTest::newRow("another profiler") << 39 << "cuptiActivityEnable: what CUPTI says";
}

void TestKernelWatch::aRefusalLeavesNothingOn()
{
    QFETCH(int, answer);
    QFETCH(QString, says);
    const CuptiApi api = fakeCupti();
    refusedKind = static_cast<int>(CuptiKind::Kernel);
    answerOfRefusal = answer;
    const auto watch = KernelWatch::begin(api);
    QVERIFY(!watch.has_value());
    QVERIFY2(QString::fromStdString(watch.error().message.english()).contains(says),
             watch.error().message.c_str());
    QVERIFY(enabled.empty());
}

void TestKernelWatch::whatTellsNothingIsSaid()
{
    const CuptiApi api = fakeCupti();
    auto watch = KernelWatch::begin(api);
    QVERIFY(watch.has_value());
    QCOMPARE((*watch)->end().error().message.english(), std::string("CUPTI has told of no kernel"));
    watch = KernelWatch::begin(api);
    QVERIFY(watch.has_value());
    tellKernel(1, 10, 20, "gemm");
    QVERIFY((*watch)->end().error().message.english().find("of none which pass") !=
            std::string::npos);
}

void TestKernelWatch::aWatchThatIsLeftStops()
{
    const CuptiApi api = fakeCupti();
    {
        const auto watch = KernelWatch::begin(api);
        QVERIFY(watch.has_value());
        QCOMPARE(enabled.size(), std::size_t{6});
    }
    QVERIFY(enabled.empty());
    // What comes late is given back, and not found in the next one's records.
    tellKernel(1, 10, 20, "gemm");
    deliver(1);
    const auto watch = KernelWatch::begin(api);
    QVERIFY(watch.has_value());
    QVERIFY(!(*watch)->end().has_value());
}

void TestKernelWatch::aLibraryThatIsNotThereIsSaid()
{
    qputenv("PW_CUPTI", "/nowhere/libcupti.so.13"); // before anybody asks
    const auto api = loadCupti();
    qunsetenv("PW_CUPTI");
    QVERIFY(!api.has_value());
    QVERIFY2(api.error().message.english().find("CUPTI does not load: /nowhere/libcupti.so.13") ==
                 0,
             api.error().message.c_str());
}

PW_TEST(TestKernelWatch)
#include "tst_kernel_watch.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_api.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace pw;
using namespace pw::exec;
using namespace pw::exec::cuda;

// What the executor makes of what NCCL says, with functions in NCCL's place.
namespace {

std::vector<std::string> calls;
ncclResult_t state = ncclSuccess;
int inProgress = 0; ///< questions until the state is told

ncclResult_t travel(const char* how, std::size_t count, ncclDataType_t type, int peer)
{
    calls.push_back(how + (" " + std::to_string(count)) + ", peer " + std::to_string(peer));
    return type == ncclUint8 ? ncclSuccess : ncclInvalidArgument;
}

NcclApi fakeNccl()
{
    NcclApi api;
    api.getErrorString = [](ncclResult_t) { return "what NCCL says"; };
    api.getLastError = [](ncclComm_t) { return ""; };
    api.commGetAsyncError = [](ncclComm_t, ncclResult_t* told) {
        *told = inProgress-- > 0 ? ncclInProgress : state;
        return ncclSuccess;
    };
    api.groupStart = [] {
        calls.emplace_back("start");
        return ncclSuccess;
    };
    api.groupEnd = [] {
        calls.emplace_back("end");
        return ncclSuccess;
    };
    api.commAbort = [](ncclComm_t comm) {
        calls.push_back("abort " + std::to_string(reinterpret_cast<std::uintptr_t>(comm)));
        return ncclSuccess;
    };
    api.send = [](const void*, std::size_t count, ncclDataType_t type, int peer, ncclComm_t,
                  cudaStream_t) { return travel("send", count, type, peer); };
    api.recv = [](void*, std::size_t count, ncclDataType_t type, int peer, ncclComm_t,
                  cudaStream_t) { return travel("receive", count, type, peer); };
    return api;
}

} // namespace

class TestCudaNccl : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        calls.clear();
        state = ncclSuccess;
        inProgress = 0;
    }
    void aGroupEndsOnceAndWithAnException();
    void settlingWaitsForTheState();
    void settlingEndsWithTheRun();
    void anErrorOfACommunicatorIsFoundWhenAskedFor();
    void aSwapIsOneCallOfBothWays_data();
    void aSwapIsOneCallOfBothWays();
    void aSwapThatFailsLeavesNoGroupOpen();
    void communicatorsAreCutOffTogether();
    void communicatorsAreCutOffWithoutAGroupToo();
};

void TestCudaNccl::aGroupEndsOnceAndWithAnException()
{
    const NcclApi api = fakeNccl();
    {
        NcclGroup group(api);
        group.end();
    }
    QCOMPARE(calls, (std::vector<std::string>{"start", "end"}));
    calls.clear();
    try {
        const NcclGroup group(api);
        api.check("ncclSend", ncclInvalidUsage);
        QFAIL("the error was not told");
    } catch (const DeviceError& failure) {
        QCOMPARE(std::string(failure.what()), std::string("ncclSend: what NCCL says"));
    }
    QCOMPARE(calls, (std::vector<std::string>{"start", "end"}));
}

void TestCudaNccl::settlingWaitsForTheState()
{
    const NcclApi api = fakeNccl();
    inProgress = 5;
    api.settle(nullptr, {nullptr, 1'000 * ticksPerMs}, "ncclSend");
    QVERIFY(inProgress < 0);
    inProgress = 5;
    state = ncclSystemError;
    QVERIFY_THROWS_EXCEPTION(DeviceError,
                             api.settle(nullptr, {nullptr, 1'000 * ticksPerMs}, "ncclSend"));
}

void TestCudaNccl::settlingEndsWithTheRun()
{
    const NcclApi api = fakeNccl();
    inProgress = 1'000'000'000;
    Stop stop;
    stop.request();
    std::string said;
    try {
        api.settle(nullptr, {&stop, 3'600'000 * ticksPerMs}, "ncclRecv");
    } catch (const DeviceError& failure) {
        said = failure.what();
    }
    QCOMPARE(said, std::string("the run was stopped before ncclRecv was done"));
}

void TestCudaNccl::anErrorOfACommunicatorIsFoundWhenAskedFor()
{
    const NcclApi api = fakeNccl();
    QVERIFY(api.health(nullptr));
    inProgress = 1;
    QVERIFY(api.health(nullptr)); // under way is not a failure
    state = ncclRemoteError;
    const Result<void> found = api.health(nullptr);
    QVERIFY(!found);
    QCOMPARE(found.error().message, std::string("an NCCL connection: what NCCL says"));
}

void TestCudaNccl::aSwapIsOneCallOfBothWays_data()
{
    QTest::addColumn<int>("own");
    QTest::addColumn<int>("theirs");
    QTest::newRow("equal") << 8 << 8;
    QTest::newRow("shards of two lengths") << 8 << 4;
    QTest::newRow("an empty one goes") << 0 << 4;
    QTest::newRow("an empty one comes") << 8 << 0;
    QTest::newRow("both empty") << 0 << 0;
}

void TestCudaNccl::aSwapIsOneCallOfBothWays()
{
    QFETCH(int, own);
    QFETCH(int, theirs);
    const NcclApi api = fakeNccl();
    const std::vector<std::byte> goes(static_cast<std::size_t>(own));
    std::vector<std::byte> comes(static_cast<std::size_t>(theirs));
    api.swap(goes, comes, 1, nullptr, nullptr);
    std::vector<std::string> wanted = {"start"};
    if (own > 0)
        wanted.push_back("send " + std::to_string(own) + ", peer 1");
    if (theirs > 0)
        wanted.push_back("receive " + std::to_string(theirs) + ", peer 1");
    wanted.emplace_back("end");
    QCOMPARE(calls, wanted);
}

void TestCudaNccl::aSwapThatFailsLeavesNoGroupOpen()
{
    NcclApi api = fakeNccl();
    api.recv = [](void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
        return ncclInvalidArgument;
    };
    std::vector<std::byte> bytes(4);
    QVERIFY_THROWS_EXCEPTION(DeviceError, api.swap(bytes, bytes, 0, nullptr, nullptr));
    QCOMPARE(calls, (std::vector<std::string>{"start", "send 4, peer 0", "end"}));
}

void TestCudaNccl::communicatorsAreCutOffTogether()
{
    const NcclApi api = fakeNccl();
    {
        const NcclAborts all(api);
        all.add(reinterpret_cast<ncclComm_t>(std::uintptr_t{8}));
        all.add(reinterpret_cast<ncclComm_t>(std::uintptr_t{16}));
    }
    QCOMPARE(calls, (std::vector<std::string>{"start", "abort 8", "abort 16", "end"}));
}

void TestCudaNccl::communicatorsAreCutOffWithoutAGroupToo()
{
    NcclApi api = fakeNccl();
    api.groupStart = [] { return ncclSystemError; };
    {
        const NcclAborts all(api);
        all.add(reinterpret_cast<ncclComm_t>(std::uintptr_t{8}));
    }
    QCOMPARE(calls, (std::vector<std::string>{"abort 8"}));
}

PW_TEST(TestCudaNccl)
#include "tst_cuda_nccl.moc"

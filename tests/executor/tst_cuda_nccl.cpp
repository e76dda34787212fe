// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_api.h"
#include "tests/support/test_program.h"

#include <QtTest>

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

PW_TEST(TestCudaNccl)
#include "tst_cuda_nccl.moc"

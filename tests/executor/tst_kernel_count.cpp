// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/kernel_count.h"
#include "executor/cuda/cupti_records.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>

using namespace pw;
using namespace pw::exec;

namespace {

/// Records as CUPTI's manual has them, of version 13.0, as far as they are read.
#define PW_RECORD __attribute__((packed, aligned(8)))
struct PW_RECORD ManualKernel
{
    std::uint32_t kind;
    std::uint8_t cacheConfig;
    std::uint8_t sharedMemoryConfig;
    std::uint16_t registersPerThread;
    std::uint32_t partitionedGlobalCacheRequested;
    std::uint32_t partitionedGlobalCacheExecuted;
    std::uint64_t start;
    std::uint64_t end;
    std::uint64_t completed;
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::int32_t grid[3];
    std::int32_t block[3];
    std::int32_t staticSharedMemory;
    std::int32_t dynamicSharedMemory;
    std::uint32_t localMemoryPerThread;
    std::uint32_t localMemoryTotal;
    std::uint32_t correlationId;
    std::int64_t gridId;
    const char* name;
};
struct PW_RECORD ManualCopy
{
    std::uint32_t kind;
    std::uint8_t copyKind;
    std::uint8_t srcKind;
    std::uint8_t dstKind;
    std::uint8_t flags;
    std::uint64_t bytes;
    std::uint64_t start;
    std::uint64_t end;
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t correlationId;
};
struct PW_RECORD ManualFill
{
    std::uint32_t kind;
    std::uint32_t value;
    std::uint64_t bytes;
    std::uint64_t start;
    std::uint64_t end;
    std::uint32_t deviceId;
    std::uint32_t contextId;
    std::uint32_t streamId;
    std::uint32_t correlationId;
};
struct PW_RECORD ManualLink
{
    std::uint32_t kind;
    std::uint32_t externalKind;
    std::uint64_t externalId;
    std::uint32_t correlationId;
    std::uint32_t reserved;
};
#undef PW_RECORD

WatchedPass watchedF(int stage, int microBatch)
{
    WatchedPass pass;
    pass.rank = RankId(stage);
    pass.entry.pass = {PassKind::F, 0, StageId(stage), microBatch, 0};
    return pass;
}

/// Three passes: two kernels and a gap; two that overlap, and a fill within them; nothing at all.
KernelRecords threePasses()
{
    KernelRecords records;
    records.passes = {watchedF(0, 0), watchedF(1, 0), watchedF(1, 1)};
    records.names = {"gemm", "norm"};
    records.works = {{1, 100, 140, 0},   {2, 150, 160, 1},    {3, 1000, 1100, 0},
                     {4, 1050, 1180, 1}, {5, 1060, 1070, -1}, {9, 5000, 6000, 0}};
    records.links = {{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 1}};
    return records;
}

} // namespace

class TestKernelCount : public QObject
{
    Q_OBJECT

private slots:
    void kernelsAreAddedUpByPass();
    void anyOrderOfRecordsGivesTheSame();
    void whatRunsAtTheSameTimeIsCountedOnce();
    void recordsThatAreLostOrHaveNoTimeAreCounted();
    void namesReadAsPeopleWriteThem_data();
    void namesReadAsPeopleWriteThem();
    void sharesAreOfWhatPassesTakeUnwatched();
    void aPairIsOneAndNeverMoreThanWhole();
    void whoLimitsIsSaid_data();
    void whoLimitsIsSaid();
    void recordsOfTheManualAreRead();
    void versionsThatAreNotKnownAreRefused();
};

void TestKernelCount::kernelsAreAddedUpByPass()
{
    const KernelCount count = countKernels(threePasses());
    QCOMPARE(count.passes.size(), std::size_t{2}); // the third launched nothing
    QCOMPARE(count.passes[0].kernels, std::int64_t{2});
    QCOMPARE(count.passes[0].busy, Ticks{50});
    QVERIFY(count.passes[0].pass.entry == watchedF(0, 0).entry);
    QCOMPARE(count.passes[1].kernels, std::int64_t{2});
    QCOMPARE(count.beside, std::int64_t{1});
    QCOMPARE(count.lost, std::int64_t{0});
    // By name all of a kernel's time counts, whatever runs beside it; what is in no pass does not.
    QCOMPARE(count.names.size(), std::size_t{2});
    QCOMPARE(count.names[0].name, std::string("gemm"));
    QCOMPARE(count.names[0].count, std::int64_t{2});
    QCOMPARE(count.names[0].time, Ticks{140});
    QCOMPARE(count.names[1].name, std::string("norm"));
    QCOMPARE(count.names[1].time, Ticks{140});
}

void TestKernelCount::anyOrderOfRecordsGivesTheSame()
{
    std::mt19937 random(test::randomSeed());
    KernelRecords records;
    std::vector<Ticks> busy;
    std::vector<std::int64_t> kernels;
    Ticks now = 1'000;
    std::uint32_t call = 0;
    records.names = {"one", "two", "three"};
    for (int i = 0; i < 50; ++i) {
        records.passes.push_back(watchedF(i % 4, i));
        busy.push_back(0);
        kernels.push_back(static_cast<std::int64_t>(1 + random() % 40));
        for (std::int64_t k = 0; k < kernels.back(); ++k) {
            const auto length = static_cast<Ticks>(1 + random() % 9'000);
            now += static_cast<Ticks>(random() % 3) * 700; // gaps, or none
            records.works.push_back({++call, now, now + length, static_cast<int>(random() % 3)});
            records.links.push_back({call, records.passes.size() - 1});
            if (random() % 4 == 0) // told by two kinds of calls
                records.links.push_back(records.links.back());
            busy.back() += length;
            now += length;
        }
    }
    std::shuffle(records.works.begin(), records.works.end(), random);
    std::shuffle(records.links.begin(), records.links.end(), random);
    const KernelCount count = countKernels(records);
    QCOMPARE(count.passes.size(), busy.size());
    for (std::size_t i = 0; i < busy.size(); ++i) {
        QCOMPARE(count.passes[i].busy, busy[i]);
        QCOMPARE(count.passes[i].kernels, kernels[i]);
    }
    QCOMPARE(count.beside, std::int64_t{0});
}

void TestKernelCount::whatRunsAtTheSameTimeIsCountedOnce()
{
    const KernelCount count = countKernels(threePasses());
    QCOMPARE(count.passes[1].busy, Ticks{180}); // 1000 to 1180, not 100 + 130 + 10
    // One within another, and one that begins where another ends.
    KernelRecords records;
    records.passes = {watchedF(0, 0)};
    records.names = {"gemm"};
    records.works = {{1, 10, 100, 0}, {1, 20, 30, 0}, {1, 100, 110, 0}, {1, 90, 95, 0}};
    records.links = {{1, 0}};
    QCOMPARE(countKernels(records).passes[0].busy, Ticks{100});
    QCOMPARE(countKernels(records).passes[0].kernels, std::int64_t{4});
}

void TestKernelCount::recordsThatAreLostOrHaveNoTimeAreCounted()
{
    KernelRecords records = threePasses();
    records.lost = 7;
    records.works[1].start = records.works[1].end = 0;
    records.links.push_back({77, 12}); // of a pass that nobody has begun
    const KernelCount count = countKernels(records);
    QCOMPARE(count.lost, std::int64_t{8});
    QCOMPARE(count.passes[0].kernels, std::int64_t{1});
    QCOMPARE(count.passes[0].busy, Ticks{40});
    QVERIFY(countKernels({}).passes.empty());
}

void TestKernelCount::namesReadAsPeopleWriteThem_data()
{
    QTest::addColumn<QString>("symbol");
    QTest::addColumn<QString>("name");
    QTest::newRow("plain") << "sm90_xmma_gemm_f32"
                           << "sm90_xmma_gemm_f32";
    QTest::newRow("no name of a compiler") << "_Znonsense"
                                           << "_Znonsense";
    QTest::newRow("namespaces and arguments go") << "_ZN2pw4exec4cuda10columnSumsEPKfPfi"
                                                 << "columnSums";
    QTest::newRow("of no name") << "_ZN2pw12_GLOBAL__N_13addEPKfPf"
                                << "add";
    QTest::newRow("result goes, arguments of the template stay")
        << "_ZN2pw7softmaxIfLi4EEEvPKT_PS1_"
        << "softmax<float, 4>";
    QTest::newRow("what stands in brackets is no namespace")
        << "_ZN7cutlass7Kernel2I45cutlass_80_simt_sgemm_128x64_8x5_nn_align1xxxEEvNT_6ParamsE"
        << QString::fromUtf8("Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1xxx>");
    QTest::newRow("long ones are cut off")
        << QString(80, QChar('k')) << QString(57, QChar('k')) + QString::fromUtf8("…");
    QTest::newRow("nothing") << ""
                             << "";
}

void TestKernelCount::namesReadAsPeopleWriteThem()
{
    QFETCH(QString, symbol);
    QFETCH(QString, name);
    QCOMPARE(QString::fromStdString(kernelName(symbol.toStdString())), name);
}

void TestKernelCount::sharesAreOfWhatPassesTakeUnwatched()
{
    const test::FamilyRun run = test::runFamily(test::familyOf("1f1b"), test::sized(2, 4),
                                                test::equalStages(1'000, 800, 600, 100));
    const std::vector<RecordedPass> alone = test::recordedRun(run.schedule, run.costs, 1, 3).passes;
    // Watched, everything takes three times as long; kernels fill what a pass takes alone by half
    // on stage 0 and whole on stage 1, in which one pass of four was held up.
    std::vector<RecordedPass> slow;
    KernelCount count;
    for (RecordedPass pass : alone) {
        if (pass.iteration != 0)
            continue;
        const Ticks took = pass.end - pass.start;
        pass.end = pass.start + 3 * took;
        slow.push_back(pass);
        PassKernels kernels;
        kernels.pass = {pass.rank, 0, run.schedule.entry(pass.entry)};
        kernels.kernels = 5 + pass.pass.stage.value;
        kernels.busy = pass.pass.stage == StageId(0) ? took / 2 : took;
        if (pass.pass.microBatch == 2)
            kernels.busy *= 2;
        count.passes.push_back(kernels);
    }
    const auto shares = kernelShares(run.schedule, count, alone, slow);
    QVERIFY(shares.size() >= 4);
    for (const KernelShare& share : shares) {
        const bool first = share.stage == StageId(0);
        QCOMPARE(share.passes, std::int64_t{4});
        QCOMPARE(share.kernels, std::int64_t{first ? 5 : 6});
        QCOMPARE(share.watched, 3 * share.ordinary);
        QCOMPARE(share.share(), first ? 0.5 : 1.0);
    }
    QCOMPARE(nameOf(shares[0], run.schedule.spec()), std::string("F of stage 0"));
    QVERIFY(kernelShares(run.schedule, count, {}, slow).empty());
}

void TestKernelCount::aPairIsOneAndNeverMoreThanWhole()
{
    KernelShare share;
    share.paired = true;
    share.stage = StageId(3);
    share.busy = 110;
    share.ordinary = 100;
    QCOMPARE(share.share(), 1.0);
    // A GPU that was faster while kernels were counted than before.
    share.busy = 90;
    share.watched = 92;
    QCOMPARE(share.share(), 90.0 / 92);
    share.watched = 120;
    QCOMPARE(share.share(), 0.9);
    share.ordinary = 0;
    QCOMPARE(share.share(), 0.0);
    PipelineSpec spec;
    QCOMPARE(nameOf(share, spec), std::string("F+BW of stage 3"));
}

void TestKernelCount::whoLimitsIsSaid_data()
{
    QTest::addColumn<Ticks>("busy");
    QTest::addColumn<Ticks>("ordinary");
    QTest::addColumn<QString>("says");
    QTest::newRow("the GPU") << Ticks{980'000} << Ticks{1'000'000} << "kernels fill at least 98 %";
    QTest::newRow("the host") << Ticks{246'000} << Ticks{600'000}
                              << "F of stage 1: kernels fill 41 % of it (40 kernels in 0.6 ms): "
                                 "launching takes its part of passes so short";
    QTest::newRow("neither") << Ticks{10'000'000} << Ticks{40'000'000}
                             << "waits within itself, or shares its GPU";
}

void TestKernelCount::whoLimitsIsSaid()
{
    QFETCH(Ticks, busy);
    QFETCH(Ticks, ordinary);
    QFETCH(QString, says);
    std::vector<KernelShare> shares(3);
    shares[0].busy = 99;
    shares[0].ordinary = 100;
    shares[1].stage = StageId(1);
    shares[1].kernels = 40;
    shares[1].busy = busy;
    shares[1].ordinary = ordinary;
    shares[2].kind = PassKind::U; // which nobody waits for
    shares[2].busy = 1;
    shares[2].ordinary = 100;
    const QString text = QString::fromStdString(limitText(shares, {}));
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY(limitText({}, {}).empty());
    QVERIFY(limitText(std::span(shares).subspan(2), {}).empty());
}

void TestKernelCount::recordsOfTheManualAreRead()
{
    using namespace pw::exec::cuda;
    static_assert(offsetof(ManualKernel, start) == cupti_places::start);
    ManualKernel kernel{};
    std::memset(static_cast<void*>(&kernel), 0x5a, sizeof(kernel));
    kernel.kind = 10;
    kernel.start = 1'000;
    kernel.end = 1'700;
    kernel.correlationId = 42;
    kernel.name = "gemm";
    CuptiRecord read = readCupti(&kernel);
    QVERIFY(read.kind == CuptiKind::Kernel);
    QCOMPARE(read.start, std::uint64_t{1'000});
    QCOMPARE(read.end, std::uint64_t{1'700});
    QCOMPARE(read.correlation, std::uint32_t{42});
    QCOMPARE(std::string(read.name), std::string("gemm"));

    ManualCopy copy{1, 8, 1, 2, 3, 64, 20, 30, 1, 2, 3, 43};
    read = readCupti(&copy);
    QVERIFY(read.kind == CuptiKind::Copy && read.start == 20 && read.end == 30);
    QCOMPARE(read.correlation, std::uint32_t{43});
    copy.copyKind = 1; // from the host: no work of the pass
    QVERIFY(readCupti(&copy).kind == CuptiKind::RuntimeCall);

    const ManualFill fill{2, 0, 64, 21, 31, 1, 2, 3, 44};
    read = readCupti(&fill);
    QVERIFY(read.kind == CuptiKind::Fill && read.start == 21 && read.end == 31);
    QCOMPARE(read.correlation, std::uint32_t{44});

    ManualLink link{39, 3, 12'345'678'901, 45, 0};
    read = readCupti(&link);
    QVERIFY(read.kind == CuptiKind::Link);
    QCOMPARE(read.said, std::uint64_t{12'345'678'901});
    QCOMPARE(read.correlation, std::uint32_t{45});
    link.externalKind = 4; // somebody else's
    QVERIFY(readCupti(&link).kind == CuptiKind::RuntimeCall);
}

void TestKernelCount::versionsThatAreNotKnownAreRefused()
{
    using pw::exec::cuda::readsCupti;
    for (const std::uint32_t version : {19U, 24U, 28U, 130'000U, 130'001U, 130'200U})
        QVERIFY(readsCupti(version));
    for (const std::uint32_t version : {0U, 18U, 29U, 129'999U, 140'000U})
        QVERIFY(!readsCupti(version));
}

PW_TEST(TestKernelCount)
#include "tst_kernel_count.moc"

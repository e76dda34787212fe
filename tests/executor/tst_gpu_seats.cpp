// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/gpu_seats.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>
#include <string>

using namespace pw;
using namespace pw::exec::cuda;

// Which GPU a process takes that sees only some of those of its host, or one alone.
namespace {

GpuIdentity gpu(int number)
{
    GpuIdentity identity{};
    identity[0] = std::byte{0x67};
    identity[15] = static_cast<std::byte>(number);
    return identity;
}

GpuSight sees(int place, const std::vector<int>& numbers)
{
    GpuSight sight;
    sight.place = place;
    sight.count = static_cast<std::int32_t>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sight.gpus[i] = gpu(numbers[i]);
    return sight;
}

/// The slow way: every choice of every process, until all differ.
bool anySeats(const std::vector<std::vector<int>>& seen, std::size_t rank, std::set<int>& taken)
{
    if (rank == seen.size())
        return true;
    for (const int one : seen[rank]) {
        if (!taken.insert(one).second)
            continue;
        if (anySeats(seen, rank + 1, taken))
            return true;
        taken.erase(one);
    }
    return false;
}

} // namespace

class TestGpuSeats : public QObject
{
    Q_OBJECT

private slots:
    void whereAllAreSeenTheProcessTakesThatOfItsPlace()
    {
        const std::vector<GpuSight> sights = {sees(0, {4, 5, 6}), sees(1, {4, 5, 6}),
                                              sees(2, {4, 5, 6})};
        QVERIFY(seatsOf(sights).value() == (std::vector<int>{0, 1, 2}));
    }

    void aProcessThatSeesItsOwnAloneTakesThat()
    {
        // Slurm's --gpus-per-task=1: the second process of the host has one GPU, too.
        const std::vector<GpuSight> sights = {sees(0, {7}), sees(1, {3}), sees(0, {9})};
        QVERIFY(seatsOf(sights).value() == (std::vector<int>{0, 0, 0}));
    }

    void whoHasAChoiceMakesRoom()
    {
        const std::vector<GpuSight> sights = {sees(0, {1, 2}), sees(1, {1, 3}), sees(2, {1})};
        QVERIFY(seatsOf(sights).value() == (std::vector<int>{1, 1, 0}));
    }

    void gpusWithoutANumberAreTakenByPlace()
    {
        std::vector<GpuSight> sights(2);
        for (std::size_t rank = 0; rank < 2; ++rank) {
            sights[rank].place = static_cast<int>(rank);
            sights[rank].count = 2;
        }
        QVERIFY(seatsOf(sights).value() == (std::vector<int>{0, 1}));
    }

    void tooFewAreRefusedInWords()
    {
        const std::vector<GpuSight> sights = {sees(0, {1}), sees(1, {2}), sees(2, {1, 2})};
        const Result<std::vector<int>> seats = seatsOf(sights);
        QVERIFY(!seats);
        QCOMPARE(seats.error().message,
                 std::string("there is no GPU for rank 2: ranks 0, 1 have all that it sees (2); "
                             "NCCL takes one process a GPU"));
        const std::vector<GpuSight> blind = {sees(0, {1}), sees(1, {})};
        QCOMPARE(seatsOf(blind).error().message, std::string("rank 1 sees no GPU"));
    }

    void seatsAreFoundWheneverThereAreSome()
    {
        std::mt19937 random(test::randomSeed());
        for (int trial = 0; trial < 2000; ++trial) {
            std::vector<std::vector<int>> seen(1 + random() % 5);
            std::vector<GpuSight> sights;
            for (std::vector<int>& numbers : seen) {
                for (int one = 1; one <= 5; ++one) {
                    if (random() % 3 == 0)
                        numbers.push_back(one);
                }
                std::shuffle(numbers.begin(), numbers.end(), random);
                sights.push_back(sees(static_cast<int>(random() % 4), numbers));
            }
            std::set<int> taken;
            const Result<std::vector<int>> seats = seatsOf(sights);
            QCOMPARE(seats.has_value(), anySeats(seen, 0, taken));
            if (!seats)
                continue;
            std::set<int> used;
            for (std::size_t rank = 0; rank < seen.size(); ++rank)
                QVERIFY(
                    used.insert(seen[rank].at(static_cast<std::size_t>((*seats)[rank]))).second);
        }
    }
};

PW_TEST(TestGpuSeats)
#include "tst_gpu_seats.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/exposure.h"
#include "tests/support/family_runs.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace pw;

class TestExposure : public QObject
{
    Q_OBJECT

private slots:
    void whatNoPassCoversIsExposed()
    {
        QCOMPARE(exposureOf({{0, 10}}, {}), (Exposure{10, 0}));
        QCOMPARE(exposureOf({{0, 10}}, {{0, 10}}), (Exposure{0, 10}));
        QCOMPARE(exposureOf({{0, 10}}, {{4, 6}, {8, 20}}), (Exposure{6, 4}));
        QCOMPARE(exposureOf({}, {{0, 10}}), (Exposure{}));
        QCOMPARE(exposureOf({{5, 5}}, {{0, 10}}), (Exposure{}));
    }

    void aPassMayHideTwoTransfers()
    {
        QCOMPARE(exposureOf({{0, 4}, {6, 12}}, {{2, 8}}), (Exposure{2 + 4, 2 + 2}));
    }

    void whatTransfersShareCountsOnce()
    {
        QCOMPARE(exposureOf({{0, 10}, {5, 12}}, {{9, 11}}), (Exposure{10, 2}));
    }

    void theSplitIsThatOfEveryMoment()
    {
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        constexpr int length = 60;
        std::uniform_int_distribution<int> place(0, length), count(0, 6);
        for (int round = 0; round < 500; ++round) {
            const auto draw = [&] {
                std::vector<TimeStretch> all;
                for (int i = count(random); i > 0; --i) {
                    const int a = place(random), b = place(random);
                    all.push_back({std::min(a, b), std::max(a, b)});
                }
                return all;
            };
            const std::vector<TimeStretch> transfers = draw(), busy = draw();
            Exposure slow;
            for (int moment = 0; moment < length; ++moment) {
                const auto within = [moment](const std::vector<TimeStretch>& all) {
                    return std::any_of(all.begin(), all.end(), [moment](const TimeStretch& one) {
                        return one.start <= moment && moment < one.end;
                    });
                };
                if (within(transfers))
                    ++(within(busy) ? slow.hidden : slow.exposed);
            }
            QCOMPARE(exposureOf(transfers, busy), slow);
        }
    }

    void messagesOfARunAreSplitByDevice()
    {
        const test::FamilyRun run = test::runFamily(test::familyOf("gpipe"), test::sized(2, 1),
                                                    test::equalStages(10, 10, 10));
        // Device 0: F 0–10, then idle until BW.
        RecordedMessage message;
        message.message = 0;
        message.from = RankId(0);
        message.to = RankId(1);
        message.posted = 5;
        message.started = 8;
        message.ended = 13;
        RecordedMessage reduction = message;
        reduction.message = -1;
        const std::vector<DeviceTransfers> rows =
            transfersOf(run.schedule, run.result, std::vector{message, reduction});
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].count, 1);
        QCOMPARE(rows[0].time, (MessageSide{3, 5, 0}));
        QCOMPARE(rows[0].exposure, (Exposure{3, 2}));
        QCOMPARE(rows[1].exposure, (Exposure{2, 3})); // its F begins at 10
    }
};

PW_TEST(TestExposure)

#include "tst_exposure.moc"

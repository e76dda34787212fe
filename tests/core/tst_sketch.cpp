// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/draw.h"
#include "core/block/reorder.h"
#include "core/edit/compose.h"
#include "core/edit/sketch.h"
#include "tests/support/blocks.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

Pass pass(PassKind kind, StageId stage)
{
    return {kind, 0, stage, 0, 0};
}

const BlockPass& placed(const BuildingBlock& block, const Pass& which)
{
    const auto found = std::find_if(block.passes.begin(), block.passes.end(),
                                    [&](const BlockPass& one) { return one.pass == which; });
    if (found == block.passes.end())
        qFatal("no such pass");
    return *found;
}

std::vector<Pass> all(const BuildingBlock& block)
{
    std::vector<Pass> passes;
    for (const BlockPass& one : block.passes)
        passes.push_back(one.pass);
    return passes;
}

BuildingBlock sorted(BuildingBlock block)
{
    std::sort(block.passes.begin(), block.passes.end(),
              [](const BlockPass& a, const BlockPass& b) { return a.pass < b.pass; });
    return block;
}

template<typename T>
T orFail(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

} // namespace

class tst_sketch : public QObject
{
    Q_OBJECT

private slots:
    void aPlaceThatBreaksADependencyIsRefusedInWords();
    void aPushedNeighbourGivesWay();
    void pushingBreaksNothingAndMovesOnlyAsNeeded();
    void thereAndBackIsTheSameBlock();
    void aLongerPassPushesWhatWaitsForIt();
    void splittingAndJoiningAreInverse();
    void whatIsRemovedIsMissedAndAddedAgain();
    void anEmptyBlockIsCompletedWithoutCollision_data();
    void anEmptyBlockIsCompletedWithoutCollision();
    void theLeastIntervalIsTheFirstThatFits();
    void theFirstFreeStartIsTheFirstThatFits();
    void theStrandOfARepeatedBlockIsTheBlock_data();
    void theStrandOfARepeatedBlockIsTheBlock();
    void whatIsNoPassOfTheShapeIsRefused();
};

void tst_sketch::aPlaceThatBreaksADependencyIsRefusedInWords()
{
    const BuildingBlock block = blockOf("1f1b", 4);
    const Pass forward = pass(PassKind::F, StageId(1));
    const auto early = movePasses(block, std::span<const Pass>(&forward, 1), -1);
    QVERIFY(!early);
    QCOMPARE(QString::fromStdString(early.error().message),
             QStringLiteral("F of micro-batch 0 on stage 1 would start at 0, before F of "
                            "micro-batch 0 on stage 0 ends at 1"));
    const auto late = movePasses(block, std::span<const Pass>(&forward, 1), 1);
    QVERIFY(!late);
    QVERIFY(late.error().message.english().find("F of micro-batch 0 on stage 2") !=
            std::string::npos);
    const Pass other = pass(PassKind::W, StageId(0));
    QVERIFY(!movePasses(block, std::span<const Pass>(&other, 1), 1));
}

void tst_sketch::aPushedNeighbourGivesWay()
{
    const BuildingBlock block = blockOf("1f1b", 4);
    const Pass forward = pass(PassKind::F, StageId(1));
    const auto later =
        orFail(movePasses(block, std::span<const Pass>(&forward, 1), 2, InTheWay::Push));
    QCOMPARE(placed(later, pass(PassKind::F, StageId(0))).start, Ticks{0});
    QCOMPARE(placed(later, pass(PassKind::F, StageId(2))).start, Ticks{4});
    QCOMPARE(placed(later, pass(PassKind::F, StageId(3))).start, Ticks{5});
    const auto earlier =
        orFail(movePasses(block, std::span<const Pass>(&forward, 1), -3, InTheWay::Push));
    QCOMPARE(placed(earlier, pass(PassKind::F, StageId(0))).start, Ticks{-3});
    QCOMPARE(placed(earlier, pass(PassKind::F, StageId(2))).start, Ticks{2});
}

void tst_sketch::pushingBreaksNothingAndMovesOnlyAsNeeded()
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        const BuildingBlock block = randomBlock(seed);
        std::mt19937 random(seed);
        const Pass chosen = block.passes[random() % block.passes.size()].pass;
        const Ticks by = static_cast<Ticks>(random() % 21) - 10;
        const auto moved =
            orFail(movePasses(block, std::span<const Pass>(&chosen, 1), by, InTheWay::Push));
        QVERIFY2(brokenPlace(moved).empty(), qPrintable(QStringLiteral("seed %1").arg(seed)));
        for (const BlockPass& before : block.passes) {
            const Ticks way = placed(moved, before.pass).start - before.start;
            if (before.pass == chosen)
                QCOMPARE(way, by);
            else // in the same direction, and never further than what pushes
                QVERIFY2(by >= 0 ? way >= 0 && way <= by : way <= 0 && way >= by,
                         qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
}

void tst_sketch::thereAndBackIsTheSameBlock()
{
    for (unsigned seed = 0; seed < 100; ++seed) {
        const BuildingBlock block = randomBlock(seed);
        const std::vector<Pass> passes = all(block);
        const auto away = orFail(movePasses(block, passes, 7));
        QVERIFY(orFail(movePasses(away, passes, -7)) == block);
    }
}

void tst_sketch::aLongerPassPushesWhatWaitsForIt()
{
    const BuildingBlock block = blockOf("zb-h1", 4);
    const Pass forward = pass(PassKind::F, StageId(3));
    const auto longer = orFail(resizePasses(block, std::span<const Pass>(&forward, 1), 4));
    QCOMPARE(placed(longer, forward).duration, Ticks{4});
    QCOMPARE(placed(longer, pass(PassKind::B, StageId(3))).start, placed(longer, forward).end());
    QVERIFY(brokenPlace(longer).empty());
    QVERIFY(!resizePasses(block, std::span<const Pass>(&forward, 1), 0));
}

void tst_sketch::splittingAndJoiningAreInverse()
{
    const BuildingBlock block = blockOf("1f1b", 4);
    const auto split = orFail(splitBackwards(block, all(block)));
    QCOMPARE(split.passes.size(), std::size_t{12});
    QVERIFY(check(split).has_value());
    QVERIFY(sorted(orFail(joinBackwards(split, all(split)))) == sorted(block));
    const auto again = splitBackwards(split, all(split));
    QVERIFY(!again);
    QVERIFY(again.error().message.english().find("no BW") != std::string::npos);
    QVERIFY(!joinBackwards(block, all(block)));
}

void tst_sketch::whatIsRemovedIsMissedAndAddedAgain()
{
    for (unsigned seed = 0; seed < 100; ++seed) {
        const BuildingBlock block = randomBlock(seed);
        QVERIFY(missingPasses(block).empty());
        std::mt19937 random(seed);
        const BlockPass chosen = block.passes[random() % block.passes.size()];
        if (chosen.pass.kind != PassKind::F)
            continue;
        const auto without = orFail(removePasses(block, std::span<const Pass>(&chosen.pass, 1)));
        QCOMPARE(missingPasses(without), std::vector<Pass>{chosen.pass});
        QVERIFY(sorted(orFail(addPass(without, chosen))) == sorted(block));
        QVERIFY(!addPass(block, chosen));
    }
    const BuildingBlock block = blockOf("v-half", 4);
    const Pass backward = pass(PassKind::B, StageId(2));
    const auto without = orFail(removePasses(block, std::span<const Pass>(&backward, 1)));
    QCOMPARE(missingPasses(without), (std::vector<Pass>{backward, pass(PassKind::W, StageId(2))}));
    QVERIFY(check(orFail(completeBlock(without))).has_value());
    QVERIFY(!addPass(block, {pass(PassKind::BW, StageId(2)), 90, 2}));
}

void tst_sketch::anEmptyBlockIsCompletedWithoutCollision_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("shape");
    for (const int devices : {1, 2, 3, 4, 8}) {
        const char* const shapes[] = {"linear", "V", "looped twice", "two waves"};
        for (int shape = 0; shape < 4; ++shape)
            QTest::addRow("%d devices, %s", devices, shapes[shape]) << devices << shape;
    }
}

void tst_sketch::anEmptyBlockIsCompletedWithoutCollision()
{
    QFETCH(int, devices);
    QFETCH(int, shape);
    const Placement placement = shape == 0   ? Placement::linear(devices)
                                : shape == 1 ? Placement::vShape(devices)
                                : shape == 2 ? Placement::looped(devices, 2)
                                             : Placement::zigzag(devices, 2);
    const BuildingBlock block = orFail(plainBlock(devices, placement));
    const auto whole = check(block);
    QVERIFY2(whole.has_value(), whole ? "" : whole.error().message.c_str());
    QVERIFY(collisions(block).empty());
    QCOMPARE(block.interval, static_cast<Ticks>(3 * placement.stages() / devices));
    QCOMPARE(block.passes.size(), static_cast<std::size_t>(3 * placement.stages()));
}

void tst_sketch::theLeastIntervalIsTheFirstThatFits()
{
    int some = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        BuildingBlock block = randomBlock(seed);
        const auto least = leastInterval(block);
        std::vector<Ticks> work(static_cast<std::size_t>(block.devices), 0);
        Ticks last = 1;
        for (const BlockPass& one : block.passes) {
            work[static_cast<std::size_t>(block.device(one.pass))] += one.duration;
            last = std::max(last, one.end() + 1000);
        }
        block.interval = *std::max_element(work.begin(), work.end());
        while (block.interval < last && !collisions(block).empty())
            ++block.interval;
        QCOMPARE(least.has_value(), block.interval < last);
        if (least)
            QCOMPARE(*least, block.interval);
        some += least ? 1 : 0;
    }
    QVERIFY(some > 20);
}

void tst_sketch::theFirstFreeStartIsTheFirstThatFits()
{
    int some = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        BuildingBlock block = randomBlock(seed);
        block.interval += seed % 5;
        const Pass extra = block.passes.front().pass;
        block.passes.erase(block.passes.begin());
        const Ticks duration = 1 + seed % 3;
        const auto meets = [&](Ticks start) {
            BuildingBlock with = block;
            with.passes.push_back({extra, start, duration});
            const auto found = collisions(with);
            return std::any_of(found.begin(), found.end(), [&](const Collision& one) {
                return one.first.pass == extra || one.second.pass == extra;
            });
        };
        std::optional<Ticks> slow;
        for (Ticks start = 3; start < 3 + block.interval && !slow; ++start) {
            if (!meets(start))
                slow = start;
        }
        QCOMPARE(firstFreeStart(block, block.device(extra), 3, duration), slow);
        some += slow ? 1 : 0;
    }
    QVERIFY(some > 20);
}

void tst_sketch::theStrandOfARepeatedBlockIsTheBlock_data()
{
    QTest::addColumn<QString>("family");
    for (const char* family : {"1f1b", "zb-h1", "v-min", "v-half", "v-zb"})
        QTest::newRow(family) << QString::fromLatin1(family);
}

void tst_sketch::theStrandOfARepeatedBlockIsTheBlock()
{
    QFETCH(QString, family);
    BuildingBlock block = blockOf(family.toStdString(), 4);
    block.title.clear();
    const Arrangement repeated = orFail(repeat(block, 6));
    // The repetition runs as it is drawn only where every pass is held at its time.
    Draft draft{repeated.spec, ordersOf(repeated)};
    const Costs costs = costsOf(repeated);
    DraftTimes times = orFail(draftTimes(draft, costs));
    times.times = timesOf(repeated);
    for (int j : {0, 3, 5})
        QVERIFY(sorted(orFail(blockOfMicroBatch(draft, times, costs, j))) == sorted(block));
    QVERIFY(!blockOfMicroBatch(draft, times, costs, 6));
    draft.orders.assign(draft.orders.size(), {});
    const auto none = blockOfMicroBatch(draft, orFail(draftTimes(draft, costs)), costs, 0);
    QVERIFY(!none);
    QVERIFY(none.error().message.english().find("no pass yet") != std::string::npos);
}

void tst_sketch::whatIsNoPassOfTheShapeIsRefused()
{
    BuildingBlock block = blockOf("1f1b", 4);
    QVERIFY(checkPasses(block).has_value());
    block.passes.push_back({pass(PassKind::F, StageId(4)), 0, 1});
    QVERIFY(!checkPasses(block));
    block.passes.back().pass.stage = StageId(3);
    QVERIFY(!checkPasses(block)); // a second time
    block.passes.back() = {pass(PassKind::R, StageId(3)), 0, 0};
    QVERIFY(!checkPasses(block));
    block.passes.pop_back();
    block.routes = {Placement{{DeviceId(0), DeviceId(1), DeviceId(2), DeviceId(7)}}};
    QVERIFY(!checkPasses(block));
}

PW_TEST(tst_sketch)
#include "tst_sketch.moc"

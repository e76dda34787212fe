// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/draw.h"
#include "core/block/lifespan.h"
#include "tests/support/blocks.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace pw;

namespace {

BlockPass& passOf(BuildingBlock& block, PassKind kind, int stage)
{
    return *std::find_if(block.passes.begin(), block.passes.end(), [&](const BlockPass& placed) {
        return placed.pass.kind == kind && placed.pass.stage == stage;
    });
}

/// Paints every residue that a pass occupies; pairs that paint the same one collide.
std::set<std::pair<Pass, Pass>> paintedCollisions(const BuildingBlock& block)
{
    std::map<std::pair<int, Ticks>, std::vector<Pass>> paint;
    for (const BlockPass& placed : block.passes) {
        for (Ticks t = placed.start; t < placed.end(); ++t) {
            const Ticks at = ((t % block.interval) + block.interval) % block.interval;
            paint[{block.device(placed.pass), at}].push_back(placed.pass);
        }
    }
    std::set<std::pair<Pass, Pass>> pairs;
    for (const auto& [place, passes] : paint) {
        for (std::size_t i = 0; i < passes.size(); ++i) {
            for (std::size_t j = i + 1; j < passes.size(); ++j)
                pairs.insert(std::minmax(passes[i], passes[j]));
        }
    }
    return pairs;
}

/// What a device holds at a time when blocks 0 … blocks−1 run, pass by pass.
Share heldAt(const BuildingBlock& block, int device, Ticks time, int microBatches,
             const Retention& keep)
{
    const auto shares =
        activationShares(specOf(block, block.microBatches), keep.keptForWeight, keep.stash);
    std::set<std::pair<int, std::pair<int, int>>> recomputed;
    for (const BlockPass& placed : block.passes) {
        const Pass& pass = placed.pass;
        if (pass.kind == PassKind::R)
            recomputed.insert({pass.stage, {pass.microBatch, pass.segment}});
    }
    Share held = 0;
    for (int first = 0; first < microBatches; first += block.microBatches) {
        const Ticks shift = (first / block.microBatches) * block.interval;
        for (const BlockPass& placed : block.passes) {
            const Pass& pass = placed.pass;
            if (first + pass.microBatch >= microBatches || block.device(pass) != device)
                continue;
            const bool started = placed.start + shift <= time;
            const bool ended = placed.end() + shift <= time;
            const auto& cost = shares[static_cast<std::size_t>(
                pass.stage * static_cast<int>(block.segmentLengths.size()) + pass.segment)];
            const bool again = recomputed.count({pass.stage, {pass.microBatch, pass.segment}}) != 0;
            if (pass.kind == PassKind::F && started)
                held += again ? cost.stashShare : cost.share;
            if (pass.kind == PassKind::R && started)
                held += cost.share - cost.stashShare;
            if (pass.kind == PassKind::B && ended)
                held -= cost.share - cost.keptForWeightShare;
            if (pass.kind == PassKind::W && ended)
                held -= cost.keptForWeightShare;
            if (pass.kind == PassKind::BW && ended)
                held -= cost.share;
        }
    }
    return held;
}

/// Peak of a device at every tick of an unrolled block.
Share countedPeak(const BuildingBlock& block, int device, int microBatches, const Retention& keep)
{
    Ticks first = 0;
    Ticks last = 0;
    for (const BlockPass& placed : block.passes) {
        first = std::min(first, placed.start);
        last = std::max(last, placed.end());
    }
    last += microBatches / block.microBatches * block.interval;
    Share peak = 0;
    for (Ticks time = first; time <= last; ++time)
        peak = std::max(peak, heldAt(block, device, time, microBatches, keep));
    return peak;
}

} // namespace

class tst_building_block : public QObject
{
    Q_OBJECT

private slots:
    void aWholeBlockPasses();
    void aBrokenBlockSaysWhatIsWrong_data();
    void aBrokenBlockSaysWhatIsWrong();
    void theSpecTakesAnyNumberOfMicroBatches();
    void collisionsAreThoseOfThePaintedResidues();
    void aCollisionNamesBothPassesAndTheResidue();
    void aPassLongerThanTheIntervalMeetsItself();
    void aBlockOfPassesInOnePlaceIsListedUpToALimit();
    void thePeakIsTheCountedOne();
    void theBoundIsNeverBelowThePeak();
    void tabledBlocksHaveTheirLifespansAndPeaks_data();
    void tabledBlocksHaveTheirLifespansAndPeaks();
    void weightsFillTheFreeResidues();
    void weightsThatDoNotFitAreRefused();
};

void tst_building_block::aWholeBlockPasses()
{
    const BuildingBlock block = blockOf("1f1b", 4);
    const auto checked = check(block);
    QVERIFY2(checked.has_value(), checked ? "" : checked.error().message.c_str());
    QVERIFY(collisions(block).empty());
}

void tst_building_block::aBrokenBlockSaysWhatIsWrong_data()
{
    using Break = std::function<void(BuildingBlock&)>;
    QTest::addColumn<Break>("breakIt");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* label, Break change, const char* message) {
        QTest::newRow(label) << std::move(change) << QString::fromUtf8(message);
    };
    row(
        "a missing backward", [](BuildingBlock& b) { b.passes.pop_back(); }, "stage 2");
    row(
        "a doubled pass", [](BuildingBlock& b) { b.passes.push_back(b.passes.front()); },
        "stage 0");
    row(
        "an early forward", [](BuildingBlock& b) { passOf(b, PassKind::F, 1).start = 0; },
        "F of micro-batch 0 on stage 1 starts at 0, before F of micro-batch 0 on stage 0 ends "
        "at 1");
    row(
        "an early backward", [](BuildingBlock& b) { passOf(b, PassKind::BW, 0).start = 5; },
        "BW of micro-batch 0 on stage 0 starts at 5, before BW of micro-batch 0 on stage 1 ends "
        "at 7");
    row(
        "no duration", [](BuildingBlock& b) { passOf(b, PassKind::F, 0).duration = 0; },
        "the duration of F of micro-batch 0 on stage 0 is 0; 1 to 1000000000000");
    row(
        "an offset far away",
        [](BuildingBlock& b) { passOf(b, PassKind::F, 0).start = -maxBlockTicks - 1; },
        "the start of F of micro-batch 0 on stage 0 is -1000000000001; -1000000000000 to "
        "1000000000000");
    row(
        "no interval", [](BuildingBlock& b) { b.interval = 0; },
        "interval is 0; 1 to 1000000000000");
    row(
        "too short an interval",
        [](BuildingBlock& b) {
            b.interval = 3;
            passOf(b, PassKind::BW, 1).duration = 2;
            passOf(b, PassKind::F, 1).duration = 2;
            for (const int stage : {2})
                passOf(b, PassKind::F, stage).start += 1;
            for (const int stage : {0, 1, 2})
                passOf(b, PassKind::BW, stage).start += 1;
        },
        "interval is 3; device 1 works 4 for one block");
    row(
        "an unknown stage", [](BuildingBlock& b) { b.passes.front().pass.stage = StageId(3); },
        "pass 0 of the block, a F, has stage 3; 0 to 2");
    row(
        "an unknown micro-batch", [](BuildingBlock& b) { b.passes.front().pass.microBatch = 1; },
        "pass 0 of the block, a F, has micro-batch 1; 0 to 0");
    row(
        "an unknown segment", [](BuildingBlock& b) { b.passes.front().pass.segment = -1; },
        "pass 0 of the block, a F, has segment -1; 0 to 0");
    row(
        "another route", [](BuildingBlock& b) { b.passes.front().pass.route = 1; },
        "is on route 1; its micro-batch takes route 0");
    row(
        "an update", [](BuildingBlock& b) { b.passes.front().pass.kind = PassKind::U; },
        "a block has no U");
    row(
        "a stage nowhere", [](BuildingBlock& b) { b.routes[0].deviceOfStage[1] = DeviceId(7); },
        "stage 1 is placed on device 7; devices are 0 to 2");
}

void tst_building_block::aBrokenBlockSaysWhatIsWrong()
{
    QFETCH(std::function<void(BuildingBlock&)>, breakIt);
    QFETCH(QString, message);
    BuildingBlock block = blockOf("1f1b", 3);
    breakIt(block);
    const auto checked = check(block);
    QVERIFY(!checked.has_value());
    const QString text = QString::fromStdString(checked.error().message);
    QVERIFY2(text.contains(message), qPrintable(text));
}

void tst_building_block::theSpecTakesAnyNumberOfMicroBatches()
{
    BuildingBlock block;
    block.devices = 2;
    block.routes = {Placement::linear(2), Placement::reversed(2)};
    block.microBatches = 2;
    block.routeOfMicroBatch = {0, 1};
    for (int m = 1; m <= 5; ++m) {
        const PipelineSpec spec = specOf(block, m);
        QVERIFY(check(spec).has_value());
        QCOMPARE(spec.microBatches, m);
        for (int j = 0; j < m; ++j)
            QCOMPARE(spec.route(j), j % 2);
    }
}

void tst_building_block::collisionsAreThoseOfThePaintedResidues()
{
    int collided = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        const BuildingBlock block = randomBlock(seed);
        const auto found = collisions(block);
        std::set<std::pair<Pass, Pass>> pairs;
        for (const Collision& collision : found) {
            const auto& [device, first, second, at] = collision;
            pairs.insert(std::minmax(first.pass, second.pass));
            for (const BlockPass* placed : {&first, &second}) {
                const Ticks into =
                    (((at - placed->start) % block.interval) + block.interval) % block.interval;
                QVERIFY2(into < placed->duration, qPrintable(QString("seed %1").arg(seed)));
                QCOMPARE(block.device(placed->pass), device);
            }
        }
        QVERIFY2(pairs == paintedCollisions(block), qPrintable(QString("seed %1").arg(seed)));
        QCOMPARE(found.size(), pairs.size());
        collided += found.empty() ? 0 : 1;
    }
    QVERIFY(collided > 50);
    QVERIFY(collided < 400);
}

void tst_building_block::aCollisionNamesBothPassesAndTheResidue()
{
    BuildingBlock block = blockOf("1f1b", 3);
    passOf(block, PassKind::F, 2).start += 1;
    passOf(block, PassKind::BW, 2).start += 2;
    passOf(block, PassKind::BW, 2).duration = 1;
    const auto found = collisions(block);
    QCOMPARE(found.size(), std::size_t{0});
    passOf(block, PassKind::BW, 2).start += 1;
    const auto now = collisions(block);
    QCOMPARE(now.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(now.front().text(block)),
             QString("device 2: F of micro-batch 0 on stage 2 at 3 and BW of micro-batch 0 on "
                     "stage 2 at 6 meet at 0 of interval 3"));
}

void tst_building_block::aPassLongerThanTheIntervalMeetsItself()
{
    BuildingBlock block = drawBlock(1, Placement::linear(1), 4, {{0, 5, std::nullopt}}, {5, 1, 1});
    const auto found = collisions(block);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].first, found[0].second);
    QCOMPARE(QString::fromStdString(found[0].text(block)),
             QString("device 0: F of micro-batch 0 on stage 0 takes 5 and meets its own repetition "
                     "at 0 of interval 4"));
}

void tst_building_block::aBlockOfPassesInOnePlaceIsListedUpToALimit()
{
    BuildingBlock block;
    block.microBatches = 100'000;
    block.interval = 10;
    for (int j = 0; j < block.microBatches; ++j)
        block.passes.push_back({{PassKind::F, 0, StageId(0), j, 0}, 0, 1});
    QCOMPARE(collisions(block).size(), mostCollisions);
}

void tst_building_block::thePeakIsTheCountedOne()
{
    for (unsigned seed = 1; seed <= 120; ++seed) {
        const BuildingBlock block = randomBlock(seed);
        const Retention keep{seed % 3 == 0 ? 0.5 : 1.0, seed % 5 == 0 ? 0.25 : 0.0};
        // Ten intervals hold the longest random block several times over.
        const auto steady = predictedPeak(block, keep);
        for (const int m : {1, 2, 3, 5, 10 * block.microBatches}) {
            const auto ramp = predictedPeak(block, m, keep);
            for (const DeviceId device : Ids<DeviceId>(block.devices)) {
                const auto i = static_cast<std::size_t>(device);
                QVERIFY2(ramp[i] == countedPeak(block, device, m, keep),
                         qPrintable(QString("seed %1, m %2").arg(seed).arg(m)));
                QVERIFY(ramp[i] <= steady[i]);
                if (m == 10 * block.microBatches)
                    QCOMPARE(ramp[i], steady[i]);
            }
        }
    }
}

void tst_building_block::theBoundIsNeverBelowThePeak()
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const BuildingBlock block = randomBlock(seed);
        std::size_t cells = 0;
        for (const DeviceLifespans& device : lifespans(block)) {
            QVERIFY(device.peak <= device.bound);
            QVERIFY(device.peak > 0 || device.cells.empty());
            cells += device.cells.size();
        }
        QCOMPARE(cells,
                 block.segmentLengths.size() *
                     static_cast<std::size_t>(block.routes[0].stages() * block.microBatches));
    }
}

namespace {

/// A block of the literature in unit passes, and what it is known for, on device i of p.
struct Tabled
{
    StageOffsets (*offsets)(Ticks i, Ticks p);
    Ticks (*lifespan)(Ticks i, Ticks p);
    Ticks (*peak)(Ticks i, Ticks p);
};

} // namespace

void tst_building_block::tabledBlocksHaveTheirLifespansAndPeaks_data()
{
    QTest::addColumn<Tabled>("tabled");
    QTest::newRow("1F1B") << Tabled{[](Ticks i, Ticks p) {
                                        return StageOffsets{i, 3 * p - 2 - 2 * i, std::nullopt};
                                    },
                                    [](Ticks i, Ticks p) { return 3 * (p - i); },
                                    [](Ticks i, Ticks p) { return p - i; }};
    QTest::newRow("ZB-H1") << Tabled{[](Ticks i, Ticks p) {
                                         return StageOffsets{i, 3 * p - 2 - 2 * i, 3 * p - 1 + i};
                                     },
                                     [](Ticks, Ticks p) { return 3 * p; },
                                     [](Ticks, Ticks p) { return p; }};
    QTest::newRow("ZB-H2") << Tabled{
        [](Ticks i, Ticks p) {
            return StageOffsets{4 * i, 6 * p - 5 - 2 * i, 6 * p - 4 + 4 * i};
        },
        [](Ticks, Ticks p) { return 6 * p - 3; }, [](Ticks, Ticks p) { return 2 * p - 1; }};
    QTest::newRow("eager 1F1B") << Tabled{
        [](Ticks i, Ticks p) {
            return StageOffsets{4 * i, 6 * p - 5 - 2 * i, std::nullopt};
        },
        [](Ticks i, Ticks p) { return 6 * (p - i) - 3; },
        [](Ticks i, Ticks p) { return 2 * (p - i) - 1; }};
}

void tst_building_block::tabledBlocksHaveTheirLifespansAndPeaks()
{
    QFETCH(Tabled, tabled);
    for (int p = 2; p <= 32; ++p) {
        std::vector<StageOffsets> offsets;
        for (int i = 0; i < p; ++i)
            offsets.push_back(tabled.offsets(i, p));
        const BuildingBlock block = drawBlock(p, Placement::linear(p), 3, offsets);
        QVERIFY(check(block).has_value());
        QVERIFY(collisions(block).empty());
        const auto devices = lifespans(block);
        for (int i = 0; i < p; ++i) {
            const DeviceLifespans& device = devices[static_cast<std::size_t>(i)];
            QCOMPARE(device.cells.front().length(), tabled.lifespan(i, p));
            QCOMPARE(device.bound, shareOne * tabled.peak(i, p));
            QCOMPARE(device.peak, shareOne * tabled.peak(i, p));
        }
    }
}

void tst_building_block::weightsFillTheFreeResidues()
{
    int filled = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        BuildingBlock block = randomBlock(seed, PassKind::B);
        if (!collisions(block).empty())
            continue;
        const BuildingBlock before = block;
        if (!fillWeights(block).has_value())
            continue;
        ++filled;
        QVERIFY(collisions(block).empty());
        QVERIFY2(check(block).has_value(), qPrintable(QString("seed %1").arg(seed)));
        QVERIFY(std::equal(before.passes.begin(), before.passes.end(), block.passes.begin()));
    }
    QVERIFY(filled > 10);
}

void tst_building_block::weightsThatDoNotFitAreRefused()
{
    BuildingBlock block = drawBlock(1, Placement::linear(1), 2, {{0, 1, 2}});
    block.passes.pop_back();
    const auto filled = fillWeights(block);
    QVERIFY(!filled.has_value());
    QCOMPARE(QString::fromStdString(filled.error().message),
             QString("device 0 has no free stretch of 1 in the interval 2 for W of micro-batch 0 "
                     "on stage 0"));
}

PW_TEST(tst_building_block)
#include "tst_building_block.moc"

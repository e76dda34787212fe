// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/arrangement.h"
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/draw.h"
#include "core/block/lifespan.h"
#include "core/block/reorder.h"
#include "core/sim/simulator.h"
#include "tests/support/blocks.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace pw;

namespace {

enum class VBlock
{
    Min,
    Half,
    ZeroBubble
};

/// The V-shaped blocks of arXiv:2405.15362, in unit passes.
BuildingBlock vBlock(VBlock kind, Ticks p)
{
    BuildingBlock block;
    block.devices = static_cast<int>(p);
    block.routes = {Placement::vShape(block.devices)};
    block.interval = 6;
    for (Ticks i = 0; i < p; ++i) {
        Ticks f0 = 0, f1 = 0, b1 = 0, b0 = 0;
        if (kind == VBlock::Min) {
            const Ticks g = p % 3 == 0 ? 2 : 0;
            f0 = i, f1 = 2 * p - 1 - i, b1 = 2 * p + g + i, b0 = 4 * p + g - 1 - i;
        } else if (kind == VBlock::Half) {
            const Ticks g = p % 2 == 0 ? 3 : 0;
            f0 = 2 * i, f1 = 3 * p - 2 - i, b1 = 3 * p + g + 2 * i - 1, b0 = 6 * p + g - 2 - i;
        } else {
            f0 = 4 * i, f1 = 6 * p - 5 - 2 * i, b1 = 6 * p - 4 + 4 * i, b0 = 12 * p - 9 - 2 * i;
        }
        const auto add = [&](PassKind pass, Ticks stage, Ticks start) {
            block.passes.push_back({{pass, 0, StageId(stage), 0, 0}, start, 1});
        };
        add(PassKind::F, i, f0);
        add(PassKind::F, 2 * p - 1 - i, f1);
        add(PassKind::B, 2 * p - 1 - i, b1);
        add(PassKind::B, i, b0);
    }
    if (!fillWeights(block).has_value())
        block.passes.clear();
    return block;
}

/// Bubble that the paper's authors reach, in units. @source arXiv:2405.15362
Ticks publishedBubble(VBlock kind, Ticks p)
{
    switch (kind) {
    case VBlock::Min:
        return 6 * p - 1 - 6 * ((p + 4) / 3) + (p % 3 == 2 ? 4 : 0);
    case VBlock::Half:
        return p % 2 == 0 ? 3 * p - 7 : 3 * p - 4;
    case VBlock::ZeroBubble:
        break;
    }
    return 0;
}

double publishedPeak(VBlock kind, int p)
{
    switch (kind) {
    case VBlock::Min:
        return (p + 4) / 3;
    case VBlock::Half:
        return (p + 2) / 2;
    case VBlock::ZeroBubble:
        break;
    }
    return p;
}

/// Random blocks that can be repeated.
std::vector<std::pair<unsigned, BuildingBlock>> repeatableBlocks(std::size_t count)
{
    std::vector<std::pair<unsigned, BuildingBlock>> blocks;
    for (unsigned seed = 1; blocks.size() < count; ++seed) {
        BuildingBlock block = randomBlock(seed);
        if (collisions(block).empty())
            blocks.emplace_back(seed, std::move(block));
    }
    return blocks;
}

bool overlaps(const Arrangement& arrangement)
{
    for (const auto& device : arrangement.devices) {
        for (std::size_t i = 1; i < device.size(); ++i) {
            if (device[i].start < device[i - 1].end())
                return true;
        }
    }
    return false;
}

Ticks firstStart(const Arrangement& arrangement)
{
    Ticks first = std::numeric_limits<Ticks>::max();
    for (const auto& device : arrangement.devices) {
        if (!device.empty())
            first = std::min(first, device.front().start);
    }
    return first;
}

std::map<Pass, Ticks> startsOf(const Arrangement& arrangement)
{
    std::map<Pass, Ticks> starts;
    const Ticks first = firstStart(arrangement);
    for (const auto& device : arrangement.devices) {
        for (const BlockPass& placed : device)
            starts[placed.pass] = placed.start - first;
    }
    return starts;
}

/// Whether the passes of two runs are free of each other when the second one starts at `start`.
bool fits(const Arrangement& first, const Arrangement& second, Ticks start)
{
    for (std::size_t device = 0; device < first.devices.size(); ++device) {
        for (const BlockPass& a : first.devices[device]) {
            for (const BlockPass& b : second.devices[device]) {
                if (a.start < b.end() + start && b.start + start < a.end())
                    return false;
            }
        }
    }
    return true;
}

const char* labelled(unsigned seed)
{
    static QByteArray text;
    text = "seed " + QByteArray::number(seed);
    return text.constData();
}

} // namespace

class tst_unroll : public QObject
{
    Q_OBJECT

private slots:
    void everyPassIsRepeatedAtTheInterval();
    void theUnrolledPeakIsThePredictedOne();
    void blocksFollowEachOtherAtTheSmallestShift();
    void twoBlocksMakeOneSchedule();
    void whatCannotBeRepeatedIsRefused();
    void squeezingKeepsTheOrderAndNeverLengthens();
    void squeezedTimesAreThoseOfTheSimulator();
    void reorderingNeverCosts();
    void reorderingWorksAcrossTwoBlocks();
    void reorderingKeepsTheMiddle();
    void vBlocksDoNotCollideAndKeepTheirPeak();
    void vBlocksReachThePublishedBubble_data();
    void vBlocksReachThePublishedBubble();
    void theWayOfABlockShowsWhatEachStageBrings();
};

void tst_unroll::everyPassIsRepeatedAtTheInterval()
{
    for (const auto& [seed, block] : repeatableBlocks(60)) {
        for (const int m : {1, 2, 5, 8}) {
            const auto arrangement = repeat(block, m);
            QVERIFY2(arrangement.has_value(), labelled(seed));
            QVERIFY2(!overlaps(*arrangement), labelled(seed));
            QVERIFY(scheduleOf(*arrangement).has_value());
            QCOMPARE(arrangement->spec, specOf(block, m));
            std::map<Pass, Ticks> expected;
            for (BlockPass placed : block.passes) {
                const int inBlock = placed.pass.microBatch;
                for (int k = 0; k * block.microBatches + inBlock < m; ++k) {
                    placed.pass.microBatch = k * block.microBatches + inBlock;
                    expected[placed.pass] = placed.start + k * block.interval;
                }
            }
            std::map<Pass, Ticks> starts;
            for (const auto& device : arrangement->devices) {
                for (const BlockPass& placed : device)
                    starts[placed.pass] = placed.start;
            }
            QVERIFY2(starts == expected, labelled(seed));
        }
    }
}

void tst_unroll::theUnrolledPeakIsThePredictedOne()
{
    for (const auto& [seed, block] : repeatableBlocks(60)) {
        const Retention keep{seed % 2 == 0 ? 1.0 : 0.5, 0.25};
        for (const int m : {1, 3, 7, 12 * block.microBatches}) {
            const auto arrangement = repeat(block, m);
            QVERIFY(arrangement.has_value());
            QVERIFY2(peaksOf(*arrangement, keep) == predictedPeak(block, m, keep), labelled(seed));
            const auto result = simulate(*scheduleOf(*arrangement), costsOf(*arrangement, keep));
            QVERIFY(result.has_value());
            const auto peaks = peaksOf(*arrangement, keep);
            for (std::size_t device = 0; device < peaks.size(); ++device)
                QCOMPARE(result->devices[device].peakShare, peaks[device]);
        }
        QVERIFY(predictedPeak(block, 12 * block.microBatches, keep) == predictedPeak(block, keep));
    }
}

void tst_unroll::blocksFollowEachOtherAtTheSmallestShift()
{
    int shifted = 0;
    for (const auto& [seed, block] : repeatableBlocks(60)) {
        // The same passes at another pace and place.
        BuildingBlock other = block;
        other.interval += 5;
        for (BlockPass& placed : other.passes)
            placed.start -= static_cast<Ticks>(seed % 11);
        if (!collisions(other).empty())
            continue;
        const std::vector<BlockRun> runs = {{block, 5}, {other, 4}};
        const auto both = repeat(runs);
        QVERIFY2(both.has_value(), labelled(seed));
        QVERIFY2(!overlaps(*both), labelled(seed));
        QCOMPARE(both->runs.size(), std::size_t{2});
        QCOMPARE(both->runs[1].firstMicroBatch, 5);
        const auto first = repeat(block, 5);
        const auto second = repeat(other, 4);
        const int g = block.microBatches;
        Ticks start = (5 + g - 1) / g * block.interval;
        const Ticks unshifted = start;
        while (!fits(*first, *second, start))
            ++start;
        QVERIFY2(both->runs[1].start == start, labelled(seed));
        shifted += start > unshifted ? 1 : 0;
    }
    QVERIFY(shifted > 10);
}

void tst_unroll::twoBlocksMakeOneSchedule()
{
    const int p = 5;
    std::vector<StageOffsets> offsets;
    for (Ticks i = 0; i < p; ++i)
        offsets.push_back({i, 13 - 2 * i, 14 - 2 * i});
    const std::vector<BlockRun> runs = {{blockOf("1f1b", p), 7},
                                        {drawBlock(p, Placement::linear(p), 6, offsets), 6}};
    QVERIFY(collisions(runs[1].block).empty());
    const auto assembly = assemble(runs);
    QVERIFY2(assembly.has_value(), assembly ? "" : assembly.error().message.c_str());
    const auto schedule = scheduleOf(assembly->reordered.arrangement);
    QVERIFY(schedule.has_value());
    QCOMPARE(schedule->spec().microBatches, 13);
    for (int j = 0; j < 13; ++j) {
        const PassId backward = schedule->table().id({PassKind::B, 0, StageId(2), j, 0});
        QCOMPARE(schedule->kind(backward), j < 7 ? PassKind::BW : PassKind::B);
    }
}

void tst_unroll::whatCannotBeRepeatedIsRefused()
{
    const auto message = [](const Result<Arrangement>& result) {
        return result ? QString("no error") : QString::fromStdString(result.error().message);
    };
    QCOMPARE(message(repeat(std::vector<BlockRun>{})), QString("there is no block to repeat"));
    const BuildingBlock block = blockOf("1f1b", 3);
    QCOMPARE(message(repeat(block, 0)), QString("micro-batches is 0; at least 1"));

    BuildingBlock colliding = block;
    for (BlockPass& placed : colliding.passes)
        placed.start += placed.pass.kind == PassKind::BW ? 1 : 0;
    QCOMPARE(message(repeat(colliding, 4)),
             QString("the block collides: device 0: BW of micro-batch 0 on stage 0 at 8 and F of "
                     "micro-batch 0 on stage 0 at 0 meet at 0 of interval 3 (and 2 more)"));

    const std::vector<BlockRun> unlike = {{block, 2}, {blockOf("1f1b", 4), 2}};
    QCOMPARE(message(repeat(unlike)), QString("block 1 of the sequence: devices and placement are "
                                              "not those of the first block"));

    BuildingBlock broken = block;
    broken.passes.pop_back();
    QVERIFY(message(repeat(std::vector<BlockRun>{{block, 2}, {broken, 2}}))
                .startsWith("block 1 of the sequence: "));

    const auto large = repeat(block, 2'000'000'000);
    QVERIFY(!large.has_value());
    QCOMPARE(large.error().code, ErrorCode::TooLarge);
}

void tst_unroll::squeezingKeepsTheOrderAndNeverLengthens()
{
    for (const auto& [seed, block] : repeatableBlocks(80)) {
        const auto repeated = repeat(block, 9);
        const auto squeezed = squeeze(*repeated);
        QVERIFY2(squeezed.has_value(), labelled(seed));
        QVERIFY2(ordersOf(*squeezed) == ordersOf(*repeated), labelled(seed));
        QVERIFY2(!overlaps(*squeezed), labelled(seed));
        const auto before = startsOf(*repeated);
        for (const auto& [pass, start] : startsOf(*squeezed))
            QVERIFY2(start <= before.at(pass), labelled(seed));
        QVERIFY(figuresOf(*squeezed).makespan <= figuresOf(*repeated).makespan);
        QCOMPARE(*squeeze(*squeezed), *squeezed);
    }
}

void tst_unroll::squeezedTimesAreThoseOfTheSimulator()
{
    for (const auto& [seed, block] : repeatableBlocks(30)) {
        const auto squeezed = squeeze(*repeat(block, 6));
        QVERIFY2(squeezed.has_value(), labelled(seed));
        const auto schedule = scheduleOf(*squeezed);
        const Costs costs = costsOf(*squeezed);
        const auto valid = check(costs, schedule->spec());
        QVERIFY2(valid.has_value(), valid ? "" : valid.error().message.c_str());
        const auto result = simulate(*schedule, costs);
        const ArrangementFigures figures = figuresOf(*squeezed);
        QCOMPARE(figures.makespan, result->makespan);
        QCOMPARE(figures.spanBubble.idle, spanBubble(*result).idle);
        QCOMPARE(figures.wallBubble.idle, wallBubble(*result).idle);
        // Micro-batches of a group are drawn with durations of their own.
        for (const auto& device : squeezed->devices) {
            for (const BlockPass& placed : device)
                QCOMPARE(passTime(costs, schedule->spec(), placed.pass), placed.duration);
        }
    }
}

void tst_unroll::reorderingNeverCosts()
{
    int better = 0;
    for (const auto& [seed, block] : repeatableBlocks(150)) {
        const Retention keep{seed % 2 == 0 ? 1.0 : 0.5, 0.25};
        for (const int m : {3, 10}) {
            const auto repeated = repeat(block, m);
            const auto squeezed = squeeze(*repeated);
            const auto reordered = reorder(*repeated, keep);
            QVERIFY2(reordered.has_value(), labelled(seed));
            QVERIFY2(scheduleOf(*reordered).has_value(), labelled(seed));
            QCOMPARE(*squeeze(*reordered), *reordered);
            const ArrangementFigures before = figuresOf(*squeezed, keep);
            const ArrangementFigures now = figuresOf(*reordered, keep);
            QVERIFY2(now.makespan <= before.makespan, labelled(seed));
            QVERIFY2(now.spanBubble.within <= before.spanBubble.within, labelled(seed));
            for (std::size_t device = 0; device < now.peaks.size(); ++device)
                QVERIFY2(now.peaks[device] <= before.peaks[device], labelled(seed));
            better += now.makespan < before.makespan ? 1 : 0;
        }
    }
    QVERIFY(better > 20);
}

void tst_unroll::reorderingWorksAcrossTwoBlocks()
{
    for (const int p : {4, 5, 6, 8}) {
        const BuildingBlock half = vBlock(VBlock::Half, p);
        const BuildingBlock zeroBubble = vBlock(VBlock::ZeroBubble, p);
        for (const auto& [first, second] :
             {std::pair(half, zeroBubble), std::pair(zeroBubble, half)}) {
            const std::vector<BlockRun> runs = {{first, 3 * p}, {second, 3 * p}};
            const auto assembly = assemble(runs);
            QVERIFY2(assembly.has_value(), assembly ? "" : assembly.error().message.c_str());
            QVERIFY(scheduleOf(assembly->reordered.arrangement).has_value());
            const ArrangementFigures& squeezed = assembly->squeezed.figures;
            const ArrangementFigures& reordered = assembly->reordered.figures;
            QVERIFY(squeezed.makespan < assembly->repeated.figures.makespan);
            QVERIFY(reordered.makespan < squeezed.makespan);
            for (std::size_t device = 0; device < reordered.peaks.size(); ++device)
                QVERIFY(reordered.peaks[device] <= squeezed.peaks[device]);
        }
    }
}

void tst_unroll::reorderingKeepsTheMiddle()
{
    const int p = 8;
    const int m = 6 * p;
    const BuildingBlock block = vBlock(VBlock::Half, p);
    const auto repeated = repeat(block, m);
    const auto reordered = reorder(*repeated);
    QVERIFY(reordered.has_value());
    QVERIFY(ordersOf(*reordered) != ordersOf(*repeated));
    for (std::size_t device = 0; device < static_cast<std::size_t>(p); ++device) {
        const auto inMiddle = [&](const std::vector<BlockPass>& passes) {
            std::vector<Pass> middle;
            for (const BlockPass& placed : passes) {
                if (placed.pass.microBatch >= 2 * p && placed.pass.microBatch < m - 2 * p)
                    middle.push_back(placed.pass);
            }
            return middle;
        };
        QVERIFY(inMiddle(reordered->devices[device]) == inMiddle(repeated->devices[device]));
    }
}

void tst_unroll::vBlocksDoNotCollideAndKeepTheirPeak()
{
    for (const VBlock kind : {VBlock::Min, VBlock::Half, VBlock::ZeroBubble}) {
        for (int p = 2; p <= 32; ++p) {
            const BuildingBlock block = vBlock(kind, p);
            QVERIFY(check(block).has_value());
            QVERIFY(collisions(block).empty());
            const auto peaks = predictedPeak(block);
            QCOMPARE(microBatchesFromShare(*std::max_element(peaks.begin(), peaks.end())),
                     publishedPeak(kind, p));
        }
    }
}

void tst_unroll::vBlocksReachThePublishedBubble_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("V-Min") << static_cast<int>(VBlock::Min);
    QTest::newRow("V-Half") << static_cast<int>(VBlock::Half);
    QTest::newRow("V-ZB") << static_cast<int>(VBlock::ZeroBubble);
}

void tst_unroll::vBlocksReachThePublishedBubble()
{
    QFETCH(int, kind);
    const auto shape = static_cast<VBlock>(kind);
    for (const int p : {4, 5, 6, 7, 8, 9, 12, 16}) {
        const BuildingBlock block = vBlock(shape, p);
        const BlockRun run{block, 3 * p};
        const auto assembly = assemble(std::span<const BlockRun>(&run, 1));
        QVERIFY2(assembly.has_value(), assembly ? "" : assembly.error().message.c_str());
        const ArrangementFigures& figures = assembly->reordered.figures;
        QVERIFY2(figures.spanBubble.idle <= publishedBubble(shape, p),
                 qPrintable(QString("p %1: %2").arg(p).arg(figures.spanBubble.idle)));
        QCOMPARE(microBatchesFromShare(figures.peak()), publishedPeak(shape, p));
    }
}

void tst_unroll::theWayOfABlockShowsWhatEachStageBrings()
{
    const BlockRun run{vBlock(VBlock::Half, 8), 32};
    const auto assembly = assemble(std::span<const BlockRun>(&run, 1));
    QVERIFY(assembly.has_value());
    QCOMPARE(assembly->repeated.figures.spanBubble.idle, Ticks{48});
    QCOMPARE(assembly->squeezed.figures.spanBubble.idle, Ticks{26});
    QCOMPARE(assembly->reordered.figures.spanBubble.idle, Ticks{17});
    for (const AssemblyStage* stage :
         {&assembly->repeated, &assembly->squeezed, &assembly->reordered}) {
        QCOMPARE(stage->figures, figuresOf(stage->arrangement));
        QCOMPARE(stage->figures.peak(), 5 * shareOne);
    }
}

PW_TEST(tst_unroll)
#include "tst_unroll.moc"

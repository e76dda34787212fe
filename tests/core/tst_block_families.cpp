// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/arrangement.h"
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/families/family.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <optional>

using namespace pw;

namespace {

FamilyOptions optionsOf(int devices, int microBatches)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    return options;
}

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString where(const Family& family, const FamilyOptions& options)
{
    return QString("%1, %2 devices, %3 micro-batches")
        .arg(text(family.id))
        .arg(options.devices)
        .arg(options.microBatches);
}

/// The passes of a device in order, pairs one after the other, without updates; micro-batches are
/// numbered within their route, since families count two routes in different ways.
///
/// @param fused  the other side has unsplit backwards only: a B counts as one, a W not at all
std::vector<Pass> passesOf(const Schedule& schedule, DeviceId device, bool fused)
{
    std::vector<int> next(schedule.spec().routes.size(), 0);
    std::vector<int> numberInRoute;
    for (int j = 0; j < schedule.spec().microBatches; ++j)
        numberInRoute.push_back(next[static_cast<std::size_t>(schedule.spec().route(j))]++);
    std::vector<Pass> passes;
    const auto add = [&](Pass pass) {
        if (pass.kind == PassKind::U || (fused && pass.kind == PassKind::W))
            return;
        if (fused && pass.kind == PassKind::B)
            pass.kind = PassKind::BW;
        pass.microBatch = numberInRoute[static_cast<std::size_t>(pass.microBatch)];
        passes.push_back(pass);
    };
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        add(entry.pass);
        if (entry.paired)
            add(entry.partner);
    }
    return passes;
}

/// Only the micro-batches that are neither among the first nor the last third of their route.
std::vector<Pass> middleOf(const std::vector<Pass>& passes)
{
    int last = 0;
    for (const Pass& pass : passes)
        last = std::max(last, pass.microBatch);
    std::vector<Pass> middle;
    for (const Pass& pass : passes) {
        if (3 * pass.microBatch > last && 3 * pass.microBatch < 2 * last)
            middle.push_back(pass);
    }
    return middle;
}

bool hasWeightPasses(const BuildingBlock& block)
{
    return std::any_of(block.passes.begin(), block.passes.end(),
                       [](const BlockPass& placed) { return placed.pass.kind == PassKind::W; });
}

/// The order of a family and that of its block, repeated as often.
struct TwoOrders
{
    Schedule family;
    Schedule block;
    bool fused; ///< the block has unsplit backwards only
};

/// Nothing where the family does not take the options. A failure else fails the test.
std::optional<TwoOrders> ordersFor(const Family& family, const FamilyOptions& options)
{
    if (!specOf(family, options))
        return std::nullopt;
    const auto failed = [&](const Error& error) {
        const QString message = where(family, options) + ": " + error.message.c_str();
        QTest::qFail(qPrintable(message), __FILE__, __LINE__);
        return std::nullopt;
    };
    const auto block = family.block(options);
    if (!block)
        return failed(block.error());
    const auto arrangement = repeat(*block, options.microBatches);
    if (!arrangement)
        return failed(arrangement.error());
    const auto drawn = scheduleOf(*arrangement);
    if (!drawn)
        return failed(drawn.error());
    const auto own = buildUniform(family, options, UniformCosts());
    if (!own)
        return failed(own.error());
    return TwoOrders{*own, *drawn, !hasWeightPasses(*block)};
}

void rowsOfFamiliesWithABlock()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies()) {
        if (family.block)
            QTest::newRow(text(family.id).toUtf8().constData()) << text(family.id);
    }
}

const Family& familyOf(const QString& id)
{
    return **findFamily(id.toStdString());
}

} // namespace

/// What holds for the block of every family that has one.
class tst_block_families : public QObject
{
    Q_OBJECT

private slots:
    void blocksAreWholeAndDoNotCollide_data() { rowsOfFamiliesWithABlock(); }
    void blocksAreWholeAndDoNotCollide();
    void fewMicroBatchesHaveAWholeBlockOrNone_data() { rowsOfFamiliesWithABlock(); }
    void fewMicroBatchesHaveAWholeBlockOrNone();
    void thePredictedPeakIsThatOfTheSchedule_data() { rowsOfFamiliesWithABlock(); }
    void thePredictedPeakIsThatOfTheSchedule();
    void theRepeatedBlockRunsInTheOrderOfTheFamily_data() { rowsOfFamiliesWithABlock(); }
    void theRepeatedBlockRunsInTheOrderOfTheFamily();
    void theWholeOrderIsThatOfTheRepeatedBlock_data();
    void theWholeOrderIsThatOfTheRepeatedBlock();
};

void tst_block_families::blocksAreWholeAndDoNotCollide()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    int blocks = 0;
    for (int p = 2; p <= 32; ++p) {
        const FamilyOptions options = optionsOf(p, 4 * p);
        if (!specOf(family, options))
            continue;
        const auto block = family.block(options);
        QVERIFY2(block.has_value(), block ? "" : block.error().message.c_str());
        ++blocks;
        const auto checked = check(*block);
        QVERIFY2(checked.has_value(), checked ? "" : checked.error().message.c_str());
        const auto found = collisions(*block);
        QVERIFY2(found.empty(), found.empty() ? "" : found.front().text(*block).c_str());
    }
    QVERIFY(blocks > 5);
}

void tst_block_families::fewMicroBatchesHaveAWholeBlockOrNone()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    for (int p = 2; p <= 9; ++p) {
        for (int m = 1; m <= p; ++m) {
            const FamilyOptions options = optionsOf(p, m);
            if (!specOf(family, options))
                continue;
            const auto block = family.block(options);
            if (!block)
                continue;
            const auto checked = check(*block);
            QVERIFY2(checked.has_value(), checked ? ""
                                                  : qPrintable(where(family, options) + ": " +
                                                               checked.error().message.c_str()));
        }
    }
}

void tst_block_families::thePredictedPeakIsThatOfTheSchedule()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    const UniformCosts uniform;
    int compared = 0;
    for (const int p : {2, 3, 4, 5, 6, 8, 12}) {
        for (const int m : {1, 2, p - 1, p, p + 1, 2 * p, 3 * p, 6 * p}) {
            const FamilyOptions options = optionsOf(p, m);
            if (!specOf(family, options))
                continue;
            const auto block = family.block(options);
            // A family may run few micro-batches in a way that no block repeats.
            if (!block && m <= p)
                continue;
            QVERIFY2(block.has_value(), block ? "" : block.error().message.c_str());
            const auto schedule = buildUniform(family, options, uniform);
            QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().message.c_str());
            const auto result = simulate(*schedule, expand(uniform, schedule->spec()));
            QVERIFY(result.has_value());
            const auto predicted = predictedPeak(*block, m);
            Share worst = 0;
            QStringList unlike;
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                const Share peak = result->devices[i].peakShare;
                worst = std::max(worst, peak);
                if (predicted[i] != peak) {
                    unlike << QString("device %1 keeps %2, by its block %3")
                                  .arg(i)
                                  .arg(microBatchesFromShare(peak))
                                  .arg(microBatchesFromShare(predicted[i]));
                }
            }
            const QString message = where(family, options) + ": " + unlike.join(", ");
            QVERIFY2(worst == *std::max_element(predicted.begin(), predicted.end()),
                     qPrintable(message));
            if (m >= 6 * p) {
                QVERIFY2(predicted == predictedPeak(*block), qPrintable(message));
                // A published reordering lets a device use as much as the worst one in its ramps;
                // the steady state asks for what the block says on every device.
                for (std::size_t i = 0; i < predicted.size(); ++i)
                    QVERIFY2(result->devices[i].peakShare >= predicted[i], qPrintable(message));
            }
            ++compared;
        }
    }
    QVERIFY(compared > 5);
}

void tst_block_families::theRepeatedBlockRunsInTheOrderOfTheFamily()
{
    // Families may warm up and cool down in an order of their own; the steady state is that of the
    // block.
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    int compared = 0;
    for (const int p : {2, 3, 4, 7, 8}) {
        const FamilyOptions options = optionsOf(p, 6 * p);
        const auto orders = ordersFor(family, options);
        if (!orders)
            continue;
        for (const DeviceId device : Ids<DeviceId>(p)) {
            const auto own = middleOf(passesOf(orders->family, device, orders->fused));
            QVERIFY(!own.empty());
            QVERIFY2(own == middleOf(passesOf(orders->block, device, orders->fused)),
                     qPrintable(where(family, options) + QString(": device %1").arg(device)));
        }
        ++compared;
    }
    QVERIFY(compared > 1);
}

void tst_block_families::theWholeOrderIsThatOfTheRepeatedBlock_data()
{
    QTest::addColumn<QString>("id");
    for (const char* id :
         {"1f1b", "zb-h1", "zb-h2", "kfkb", "interleaved-1f1b", "chimera", "seq1f1b", "gis"})
        QTest::newRow(id) << QString(id);
}

void tst_block_families::theWholeOrderIsThatOfTheRepeatedBlock()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    int compared = 0;
    for (int p = 2; p <= 16; ++p) {
        for (const int m : {2 * p, 5 * p}) {
            const FamilyOptions options = optionsOf(p, m);
            const auto orders = ordersFor(family, options);
            if (!orders)
                continue;
            for (const DeviceId device : Ids<DeviceId>(p)) {
                QVERIFY2(passesOf(orders->family, device, orders->fused) ==
                             passesOf(orders->block, device, orders->fused),
                         qPrintable(where(family, options) + QString(": device %1").arg(device)));
            }
            ++compared;
        }
    }
    QVERIFY(compared > 7);
}

PW_TEST(tst_block_families)
#include "tst_block_families.moc"

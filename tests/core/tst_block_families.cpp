// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/arrangement.h"
#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/families/family.h"
#include "core/sim/simulator.h"

#include <QtTest>

#include <algorithm>

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

/// The block of a family for options that the family takes; nothing for those that it refuses.
std::optional<BuildingBlock> blockFor(const Family& family, const FamilyOptions& options)
{
    if (!specOf(family, options))
        return std::nullopt;
    auto block = family.block(options);
    if (!block) {
        QTest::qFail(qPrintable(where(family, options) + ": " +
                                QString::fromStdString(block.error().message)),
                     __FILE__, __LINE__);
        return std::nullopt;
    }
    return *block;
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
    void thePredictedPeakIsThatOfTheSchedule_data() { rowsOfFamiliesWithABlock(); }
    void thePredictedPeakIsThatOfTheSchedule();
    void theRepeatedBlockRunsInTheOrderOfTheFamily_data() { rowsOfFamiliesWithABlock(); }
    void theRepeatedBlockRunsInTheOrderOfTheFamily();
};

void tst_block_families::blocksAreWholeAndDoNotCollide()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    int blocks = 0;
    for (int p = 2; p <= 32; ++p) {
        const FamilyOptions options = optionsOf(p, 4 * p);
        const auto block = blockFor(family, options);
        if (!block)
            continue;
        ++blocks;
        const auto checked = check(*block);
        QVERIFY2(checked.has_value(), checked ? "" : checked.error().message.c_str());
        const auto found = collisions(*block);
        QVERIFY2(found.empty(), found.empty() ? "" : found.front().text(*block).c_str());
    }
    QVERIFY(blocks > 5);
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
            const auto block = blockFor(family, options);
            if (!block)
                continue;
            const auto schedule = buildUniform(family, options, uniform);
            QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().message.c_str());
            const auto result = simulate(*schedule, expand(uniform, schedule->spec()));
            QVERIFY(result.has_value());
            const auto predicted = predictedPeak(*block, m);
            ++compared;
            Share worstPredicted = 0;
            Share worst = 0;
            QStringList unlike;
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                worstPredicted = std::max(worstPredicted, predicted[i]);
                worst = std::max(worst, result->devices[i].peakShare);
                if (predicted[i] != result->devices[i].peakShare) {
                    unlike << QString("device %1 %2 (block %3)")
                                  .arg(i)
                                  .arg(microBatchesFromShare(result->devices[i].peakShare))
                                  .arg(microBatchesFromShare(predicted[i]));
                }
            }
            QVERIFY2(worst == worstPredicted,
                     qPrintable(where(family, options) + ": " + unlike.join(", ")));
            if (!unlike.isEmpty())
                qInfo().noquote() << where(family, options) + ": " + unlike.join(", ");
        }
    }
    QVERIFY(compared > 5);
}

void tst_block_families::theRepeatedBlockRunsInTheOrderOfTheFamily()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id);
    const UniformCosts uniform;
    int compared = 0;
    for (const int p : {2, 4, 8}) {
        const FamilyOptions options = optionsOf(p, 6 * p);
        const auto block = blockFor(family, options);
        if (!block)
            continue;
        const auto arrangement = repeat(*block, options.microBatches);
        QVERIFY2(arrangement.has_value(), arrangement ? "" : arrangement.error().message.c_str());
        const auto unrolled = scheduleOf(*arrangement);
        QVERIFY2(unrolled.has_value(), unrolled ? "" : unrolled.error().message.c_str());
        const auto schedule = buildUniform(family, options, uniform);
        QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().message.c_str());
        ++compared;
        // Families may warm up and cool down in a way of their own; then the block differs there by
        // design.
        const DeviceOrders own = schedule->orders();
        const DeviceOrders drawn = unrolled->orders();
        for (std::size_t device = 0; device < own.size(); ++device) {
            if (own[device] == drawn[device])
                continue;
            qInfo().noquote() << where(family, options) +
                                     QString(": device %1 has another order").arg(device);
            break;
        }
    }
    QVERIFY(compared > 0);
}

QTEST_GUILESS_MAIN(tst_block_families)
#include "tst_block_families.moc"

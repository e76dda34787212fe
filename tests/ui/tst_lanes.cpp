// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/models/lane_pyramid.h"
#include "ui/models/lanes.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace pw;
using namespace pw::ui;

namespace {

LanesPtr lanesOfRun(const test::FamilyRun& run)
{
    return lanesOf(std::make_shared<const Schedule>(run.schedule), run.result);
}

/// A lane of many spans of random kinds with random gaps.
Lane randomLane(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    Lane lane;
    Ticks now = 0;
    for (std::size_t i = 0; i < count; ++i) {
        now += static_cast<Ticks>(random() % 50);
        lane.start.push_back(now);
        now += 1 + static_cast<Ticks>(random() % 200);
        lane.end.push_back(now);
        SpanLook look;
        look.kind = allPassKinds[random() % 4];
        look.tint = random() % 2 == 0 ? fullTint : 0;
        lane.look.push_back(look);
        lane.entry.push_back(static_cast<std::int32_t>(i));
    }
    return lane;
}

/// Busy part of a stretch, one look alone, the slow way.
double partOf(const Lane& lane, double from, double to, int look)
{
    double busy = 0;
    for (std::size_t i = 0; i < lane.size(); ++i)
        if (Fill::indexOf(lane.look[i].kind, lane.look[i].tint) == look)
            busy += std::max(0.0, std::min(to, static_cast<double>(lane.end[i])) -
                                      std::max(from, static_cast<double>(lane.start[i])));
    return busy / (to - from);
}

} // namespace

class TestLanes : public QObject
{
    Q_OBJECT

private slots:
    void everyEntryIsASpanOnItsDevice_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"1f1b", "zb-v", "dualpipe", "chimera", "seq1f1b"})
            QTest::addRow("%s", family) << QString::fromLatin1(family);
    }
    void everyEntryIsASpanOnItsDevice()
    {
        QFETCH(QString, family);
        const test::FamilyRun run = test::runFamily(test::familyOf(family.toStdString()),
                                                    test::sized(4, 8), UniformCosts{});
        const LanesPtr lanes = lanesOfRun(run);
        QCOMPARE(lanes->spanCount(), static_cast<std::size_t>(run.schedule.entryCount()));
        QCOMPARE(lanes->end() - lanes->begin(), run.result.makespan);
        for (std::int32_t device = 0; device < 4; ++device) {
            const Lane& lane = lanes->lanes()[static_cast<std::size_t>(device)];
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const SpanRef ref{device, static_cast<std::int64_t>(i)};
                const OrderEntry entry = run.schedule.entry(EntryId(lane.entry[i]));
                QVERIFY(lanes->pass(ref) == entry.pass);
                QCOMPARE(lane.look[i].paired == 1, entry.paired);
                if (entry.paired)
                    QVERIFY(lanes->pass(ref, true) == entry.partner);
                QCOMPARE(lane.at(lane.start[i]), static_cast<std::int64_t>(i));
                QCOMPARE(lane.at(lane.end[i] - 1), static_cast<std::int64_t>(i));
            }
            QCOMPARE(lane.at(lane.end.back()), std::int64_t{-1});
        }
    }

    void laterChunksAreTinted()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("zb-v"), test::sized(4, 8), UniformCosts{});
        const LanesPtr lanes = lanesOfRun(run);
        for (std::int32_t device = 0; device < 4; ++device) {
            const Lane& lane = lanes->lanes()[static_cast<std::size_t>(device)];
            QCOMPARE(lane.detail, QStringLiteral("stages %1, %2").arg(device).arg(7 - device));
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const Pass pass = lanes->pass({device, static_cast<std::int64_t>(i)});
                QCOMPARE(lane.look[i].tint == fullTint, pass.stage >= 4);
            }
        }
    }

    void levelsSayWhatTheSpansSay()
    {
        constexpr unsigned seed = 7;
        const Lane lane = randomLane(LanePyramid::worthwhile, seed);
        const Ticks end = lane.end.back();
        const LanePyramid pyramid(lane, 0, end);
        for (const int columns : {64, 256, 1024}) {
            std::vector<Fill> fills(static_cast<std::size_t>(columns));
            const double width = static_cast<double>(end) / columns;
            QVERIFY(pyramid.sample(0, width, columns, fills.data()));
            for (int column = 0; column < columns; column += 1 + columns / 11) {
                for (int look = 0; look < Fill::looks; ++look) {
                    const double slow =
                        255 * partOf(lane, column * width, (column + 1) * width, look);
                    const int quick = fills[static_cast<std::size_t>(column)]
                                          .part[static_cast<std::size_t>(look)];
                    // Columns of whole stretches; what is left is that every level rounds.
                    QVERIFY2(std::abs(quick - slow) <= 3,
                             qPrintable(QStringLiteral("%1 of %2: %3 for %4")
                                            .arg(column)
                                            .arg(columns)
                                            .arg(quick)
                                            .arg(slow)));
                }
            }
        }
        Fill one;
        QVERIFY(!pyramid.sample(0, 1, 1, &one));
    }

    void manySpansTakeLittleMemoryBeside()
    {
        const Lane lane = randomLane(1'000'000, 3);
        const LanePyramid pyramid(lane, 0, lane.end.back());
        // Levels cost less than a half of the 24 bytes of every span.
        QVERIFY(pyramid.bytes() < 12 * lane.size());
    }
};

PW_TEST(TestLanes)
#include "tst_lanes.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/chunk_placement.h"
#include "core/trace/match.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

using namespace pw;

namespace {

/// Passes of several iterations as labels of rank and chunk tell them, with their true stages
/// beside.
struct Labelled
{
    std::vector<FoundPass> found;
    std::vector<StageId> stages;
    RecoveredPipeline pipeline;
};

/// @param most  by which clocks of ranks differ, anew in every iteration
Labelled labelled(const char* family, int devices, int microBatches, int chunks, Ticks most,
                  std::mt19937& random)
{
    FamilyOptions options = chunks > 0 ? test::sized(devices, microBatches, "chunks", chunks)
                                       : test::sized(devices, microBatches);
    const test::FamilyRun run =
        test::runFamily(test::familyOf(family), options, test::equalStages(1000, 1100, 900, 40));
    Labelled made;
    for (int device = 0; device < devices; ++device)
        made.pipeline.rankOfDevice.push_back(TraceRankId(device));
    std::uniform_int_distribution<Ticks> offset(-most, most);
    for (int iteration = 0; iteration < 3; ++iteration) {
        std::vector<Ticks> offsets;
        for (int device = 0; device < devices; ++device)
            offsets.push_back(offset(random));
        for (const RecordedPass& record : recordsOf(run.schedule, run.result)) {
            FoundPass one;
            const Ticks shift = iteration * 3 * run.result.makespan + offsets[record.rank.index()];
            one.start = record.start + shift;
            one.end = record.end + shift;
            one.device = DeviceId(record.rank.value);
            one.iteration = iteration;
            one.label.role = SpanRole::Pass;
            one.label.kind = record.pass.kind;
            one.label.microBatch = record.pass.microBatch;
            one.label.segment = 0;
            one.label.chunk = record.pass.stage.value / devices;
            made.found.push_back(one);
            made.stages.push_back(record.pass.stage);
        }
    }
    return made;
}

} // namespace

class TestChunkPlacement : public QObject
{
    Q_OBJECT

private slots:
    void placementsWithClocksThatDiffer_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("chunks");
        for (const int chunks : {2, 3, 4})
            QTest::addRow("interleaved, %d chunks", chunks)
                << QStringLiteral("interleaved-1f1b") << chunks;
        QTest::newRow("breadth-first") << QStringLiteral("breadth-first") << 2;
        for (const char* family : {"zb-v", "v-half", "v-min", "v-zb", "dualpipe-v"})
            QTest::newRow(family) << QString::fromLatin1(family) << 0;
    }

    /// Clocks may differ by far more than a step takes, and drift from step to step.
    void placementsWithClocksThatDiffer()
    {
        QFETCH(QString, family);
        QFETCH(int, chunks);
        std::mt19937 random(7);
        for (const Ticks most : {Ticks{0}, Ticks{100}, Ticks{2'000}, Ticks{1'000'000}})
            for (const int devices : {2, 4, 7}) {
                const int microBatches = family == QLatin1String("dualpipe-v") ? 2 * devices
                                         : chunks > 0                          ? 2 * devices
                                                                               : 9;
                Labelled made =
                    labelled(family.toLatin1(), devices, microBatches, chunks, most, random);
                stagesFromChunks(made.found, made.pipeline);
                QVERIFY2(made.found.size() == made.stages.size(),
                         made.pipeline.unknown.empty() ? ""
                                                       : made.pipeline.unknown.front().c_str());
                for (std::size_t i = 0; i < made.stages.size(); ++i)
                    QVERIFY(made.found[i].label.stage == made.stages[i]);
            }
    }

    /// Passes that all run at the same time fit neither placement, whatever the clocks are.
    void whatFitsNeitherIsSaid()
    {
        Labelled made;
        made.pipeline.rankOfDevice = {TraceRankId(0), TraceRankId(1)};
        for (int device = 0; device < 2; ++device)
            for (int chunk = 0; chunk < 2; ++chunk)
                for (int microBatch = 0; microBatch < 4; ++microBatch) {
                    FoundPass one;
                    one.start = 10 * microBatch;
                    one.end = one.start + 1000;
                    one.device = DeviceId(device);
                    one.iteration = 0;
                    one.label.role = SpanRole::Pass;
                    one.label.kind = PassKind::F;
                    one.label.microBatch = microBatch;
                    one.label.segment = 0;
                    one.label.chunk = chunk;
                    made.found.push_back(one);
                }
        stagesFromChunks(made.found, made.pipeline);
        QVERIFY(made.found.empty());
        QCOMPARE(made.pipeline.unknown.size(), std::size_t{1});
        QVERIFY(made.pipeline.unknown.front().find("placement") == 0);
    }
};

PW_TEST(TestChunkPlacement)

#include "tst_chunk_placement.moc"

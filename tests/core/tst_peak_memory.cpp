// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/sim/memory.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

/// Costs of a spec whose every number is drawn.
Costs drawnCosts(const PipelineSpec& spec, std::mt19937_64& random)
{
    const auto draw = [&random](Bytes least, Bytes most) {
        return std::uniform_int_distribution<Bytes>(least, most)(random);
    };
    Costs costs = expand(UniformCosts{}, spec);
    for (auto* times : {&costs.forward, &costs.backward, &costs.weight})
        for (Ticks& time : *times)
            time = draw(1, 20) * 1000;
    for (ActivationCost& cost : costs.activation) {
        cost.activation = draw(10, 1000);
        cost.keptForWeight = draw(0, cost.activation);
    }
    for (auto* bytes : {&costs.weights, &costs.gradients, &costs.optimizer}) {
        bytes->resize(static_cast<std::size_t>(spec.stages()));
        for (Bytes& one : *bytes)
            one = draw(0, 2000);
    }
    return costs;
}

/// A pass as it ran.
struct Ran
{
    Pass pass;
    Ticks start = 0, end = 0;
};

std::vector<Ran> ranOn(const Schedule& schedule, const SimResult& result, DeviceId device)
{
    std::vector<Ran> all;
    for (const EntryId id : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(id);
        const Ticks start = result.start[id.index()], end = result.end[id.index()];
        all.push_back({entry.pass, start, end});
        if (entry.paired)
            all.push_back({entry.partner, start, end});
    }
    return all;
}

bool sameCell(const Pass& a, const Pass& b)
{
    return a.stage == b.stage && a.microBatch == b.microBatch && a.segment == b.segment;
}

/// What a device holds of activations just behind a moment: of every F that has begun all until its
/// B or BW has ended, then what W needs until that has.
Bytes activationsAt(const std::vector<Ran>& all, const Costs& costs, const PipelineSpec& spec,
                    Ticks now)
{
    Bytes sum = 0;
    for (const Ran& forward : all) {
        if (forward.pass.kind != PassKind::F || forward.start > now)
            continue;
        const ActivationCost& cost =
            costs.activation[cellIndex(spec, forward.pass.stage, forward.pass.segment)];
        Bytes held = cost.activation;
        for (const Ran& other : all) {
            if (!sameCell(other.pass, forward.pass) || other.end > now)
                continue;
            if (other.pass.kind == PassKind::B)
                held = std::min(held, cost.keptForWeight);
            if (other.pass.kind == PassKind::W || other.pass.kind == PassKind::BW)
                held = 0;
        }
        sum += held;
    }
    return sum;
}

/// The most that a device holds, by looking at every moment at which a pass begins.
Bytes slowPeak(const Schedule& schedule, const Costs& costs, const SimResult& result,
               DeviceId device)
{
    const PipelineSpec& spec = schedule.spec();
    Bytes standing = 0;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != device)
                continue;
            const auto i = static_cast<std::size_t>(stage);
            standing += costs.weights[i] + costs.gradients[i] + costs.optimizer[i];
        }
    }
    const std::vector<Ran> all = ranOn(schedule, result, device);
    Bytes most = standing;
    for (const Ran& one : all)
        most = std::max(most, standing + activationsAt(all, costs, spec, one.start));
    return most;
}

} // namespace

class TestPeakMemory : public QObject
{
    Q_OBJECT

private slots:
    void thePeakIsTheFullestMoment_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-v", "chimera",
                                   "hanayo", "seq1f1b", "kfkb"})
            QTest::newRow(family) << family;
    }

    void thePeakIsTheFullestMoment()
    {
        QFETCH(QString, family);
        const std::uint32_t seed = pw::test::randomSeed();
        std::mt19937_64 random(seed);
        const Result<const Family*> found = findFamily(family.toStdString());
        QVERIFY(found);
        FamilyOptions options;
        for (int round = 0; round < 20; ++round) {
            const Result<PipelineSpec> spec = specOf(**found, options);
            QVERIFY(spec);
            const Costs costs = drawnCosts(*spec, random);
            const Result<Schedule> schedule = (*found)->build(*spec, options, costs);
            QVERIFY(schedule);
            const Result<SimResult> result = simulate(*schedule, costs);
            QVERIFY(result);
            Bytes most = 0;
            for (const DeviceId device : Ids<DeviceId>(schedule->devices())) {
                const MemoryPoint peak = peakMemory(*schedule, costs, *result, device);
                QCOMPARE(peak.total(), slowPeak(*schedule, costs, *result, device));
                most = std::max(most, peak.total());
            }
            const PeakMemory whole = peakMemory(*schedule, costs, *result);
            QCOMPARE(whole.total(), most);
            QCOMPARE(peakMemory(*schedule, costs, *result, whole.device), whole.point);
        }
    }

    /// A second version of the weights counts beside them.
    void versionsAreAKindOfTheirOwn()
    {
        FamilyOptions options;
        options.steps = 4;
        const Result<const Family*> found = findFamily("pipedream-2bw");
        QVERIFY(found);
        const Result<PipelineSpec> spec = specOf(**found, options);
        QVERIFY(spec);
        Costs costs = expand(UniformCosts{}, *spec);
        costs.weights.assign(static_cast<std::size_t>(spec->stages()), 100);
        const Result<Schedule> schedule = (*found)->build(*spec, options, costs);
        QVERIFY(schedule);
        const Result<SimResult> result = simulate(*schedule, costs);
        QVERIFY(result);
        const PeakMemory peak = peakMemory(*schedule, costs, *result);
        QCOMPARE(peak.point.bytes[static_cast<std::size_t>(MemoryKind::Weights)], Bytes{100});
        QCOMPARE(peak.point.bytes[static_cast<std::size_t>(MemoryKind::Versions)], Bytes{100});
        QCOMPARE(peak.total(), Bytes{200});
    }
};

PW_TEST(TestPeakMemory)
#include "tst_peak_memory.moc"

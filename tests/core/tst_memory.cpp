// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;

namespace {

constexpr Bytes GiB = Bytes{1} << 30;

struct Made
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

/// 1F1B with 1 GiB of activation a micro-batch, half of it kept for W, 3 GiB standing on every
/// stage.
Made make(const char* id, int p, int m, bool split)
{
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    UniformCosts uniform;
    uniform.activation = GiB;
    uniform.keptForWeight = 0.5;
    auto schedule = *buildUniform(**findFamily(id), options, uniform);
    if (split) {
        DeviceOrders orders;
        for (const auto& order : schedule.orders()) {
            auto& to = orders.emplace_back();
            for (OrderEntry entry : order) {
                if (entry.pass.kind == PassKind::BW) {
                    entry.pass.kind = PassKind::B;
                    to.push_back(entry);
                    entry.pass.kind = PassKind::W;
                }
                to.push_back(entry);
            }
        }
        schedule = *Schedule::make(schedule.spec(), orders);
    }
    Costs costs = expand(uniform, schedule.spec());
    const auto stages = static_cast<std::size_t>(schedule.spec().stages());
    costs.weights.assign(stages, GiB);
    costs.gradients.assign(stages, GiB / 2);
    costs.optimizer.assign(stages, 3 * GiB / 2);
    SimResult result = *simulate(schedule, costs);
    return {std::move(schedule), std::move(costs), std::move(result)};
}

} // namespace

class tst_memory : public QObject
{
    Q_OBJECT

private slots:
    void theCurveEndsAtTheStandingMemory();
    void thePeakOfTheCurveIsTheSimulatedPeak();
    void whatIsKeptForWShowsAfterB();
    void theFirstPassAboveTheCapIsNamed();
    void theFirstPassAboveTheShareCapIsNamed();
    void ofTwoDevicesAtOnceTheFirstIsNamed();
    void aScheduleUnderItsCapHasNoOverflow();
    void aLimitBearsTheRoundingOfUnequalSegments();
    void synchronousFamiliesHaveOneVersion();
};

void tst_memory::theCurveEndsAtTheStandingMemory()
{
    for (const bool split : {false, true}) {
        const Made made = make("1f1b", 4, 8, split);
        for (const DeviceId device : Ids<DeviceId>(4)) {
            const auto curve = memoryCurve(made.schedule, made.costs, made.result, device);
            QCOMPARE(curve.back().total(), 3 * GiB);
            for (std::size_t i = 1; i < curve.size(); ++i)
                QVERIFY(curve[i - 1].time < curve[i].time);
            for (const MemoryPoint& point : curve) {
                for (const Bytes bytes : point.bytes)
                    QVERIFY(bytes >= 0);
            }
        }
    }
}

void tst_memory::thePeakOfTheCurveIsTheSimulatedPeak()
{
    for (const bool split : {false, true}) {
        const Made made = make("1f1b", 4, 8, split);
        for (const DeviceId device : Ids<DeviceId>(4)) {
            Bytes peak = 0;
            for (const MemoryPoint& point :
                 memoryCurve(made.schedule, made.costs, made.result, device))
                peak = std::max(peak, point.total() - 3 * GiB);
            const DeviceResult& own = made.result.devices[static_cast<std::size_t>(device)];
            QCOMPARE(peak, own.peakActivation);
            QCOMPARE(peak, (4 - device) * GiB);
        }
    }
}

void tst_memory::whatIsKeptForWShowsAfterB()
{
    const Made made = make("1f1b", 2, 2, true);
    Bytes held = 0;
    for (const MemoryPoint& point :
         memoryCurve(made.schedule, made.costs, made.result, DeviceId(0)))
        held = std::max(held, point.bytes[static_cast<std::size_t>(MemoryKind::HeldForWeight)]);
    QCOMPARE(held, GiB / 2);
}

void tst_memory::theFirstPassAboveTheCapIsNamed()
{
    Made made = make("1f1b", 4, 8, false);
    made.costs.memoryCap.assign(4, 5 * GiB + GiB / 2);
    const auto overflow = firstOverflow(made.schedule, made.costs, made.result);
    QVERIFY(overflow.has_value());
    // Two activations fit beside 3 GiB; the third forward of device 0 is the first that does not.
    QCOMPARE(overflow->device, 0);
    QCOMPARE(overflow->pass, (Pass{PassKind::F, 0, StageId(0), 2, 0}));
    QCOMPARE(
        QString::fromStdString(overflow->text(made.schedule.spec())),
        QString("device 0 needs 6 GiB with F of micro-batch 2 on stage 0 at 2 ms; the limit is "
                "5.5 GiB"));
}

void tst_memory::ofTwoDevicesAtOnceTheFirstIsNamed()
{
    // Both routes begin at once, at both ends.
    Made made = make("chimera", 4, 4, false);
    made.costs.shareCap = shareOne / 8;
    QCOMPARE(made.result.start[static_cast<std::size_t>(made.schedule.begin(DeviceId(3)))], 0);
    const auto overflow = firstOverflow(made.schedule, made.costs, made.result);
    QVERIFY(overflow.has_value());
    QCOMPARE(overflow->time, 0);
    QCOMPARE(overflow->device, 0);
}

void tst_memory::theFirstPassAboveTheShareCapIsNamed()
{
    Made made = make("gpipe", 2, 4, false);
    made.costs.shareCap = 3 * shareOne;
    const auto overflow = firstOverflow(made.schedule, made.costs, made.result);
    QVERIFY(overflow.has_value());
    QCOMPARE(overflow->pass, (Pass{PassKind::F, 0, StageId(0), 3, 0}));
    QCOMPARE(QString::fromStdString(overflow->text(made.schedule.spec())),
             QString("device 0 needs 4 micro-batches of activation with F of micro-batch 3 on "
                     "stage 0 at 3 ms; the limit is 3"));
}

void tst_memory::aScheduleUnderItsCapHasNoOverflow()
{
    Made made = make("1f1b", 4, 8, false);
    made.costs.memoryCap.assign(4, 7 * GiB);
    made.costs.shareCap = 4 * shareOne;
    QVERIFY(!firstOverflow(made.schedule, made.costs, made.result).has_value());
}

void tst_memory::aLimitBearsTheRoundingOfUnequalSegments()
{
    FamilyOptions options;
    options.devices = 1;
    options.microBatches = 5;
    options.parameters = {{"segments", 4}};
    for (const std::vector<int>& lengths : {std::vector<int>{4, 3, 7, 9}, {7, 2, 7, 9}}) {
        options.segmentLengths = lengths;
        const auto schedule = buildUniform(**findFamily("seq1f1b"), options, {});
        QVERIFY(schedule);
        Costs costs = expand(UniformCosts{}, schedule->spec());
        const auto result = simulate(*schedule, costs);
        QVERIFY(result);
        costs.shareCap = shareLimit(1);
        QVERIFY(!firstOverflow(*schedule, costs, *result).has_value());
        costs.shareCap = shareLimit(0.999);
        QVERIFY(firstOverflow(*schedule, costs, *result).has_value());
    }
}

void tst_memory::synchronousFamiliesHaveOneVersion()
{
    FamilyOptions options;
    options.devices = 3;
    options.microBatches = 4;
    options.steps = 3;
    const auto schedule = *buildUniform(**findFamily("1f1b"), options, UniformCosts{});
    const auto result = *simulate(schedule, expand(UniformCosts{}, schedule.spec()));
    for (const StageId stage : Ids<StageId>(3))
        QCOMPARE(weightVersionsAlive(schedule, result, 0, stage), 1);
}

PW_TEST(tst_memory)
#include "tst_memory.moc"

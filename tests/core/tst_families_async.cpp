// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/closed_forms.h"
#include "core/families/family.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace pw;

namespace {

Schedule make(const char* id, const FamilyOptions& options)
{
    const auto family = findFamily(id);
    if (!family)
        qFatal("%s", family.error().message.c_str());
    auto schedule = buildUniform(**family, options, {});
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return std::move(*schedule);
}

FamilyOptions sized(int devices, int microBatches, int steps)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    options.steps = steps;
    return options;
}

/// What a device holds as it goes through its order, counted pass by pass.
struct Replay
{
    int mostVersions = 0;
    bool readsKeptVersions = true; ///< every version that is read exists then and was not dropped
    bool updatesFollowGradients =
        true; ///< every U stands after the backwards whose gradients it takes in
    bool readsWhatForwardRead = true; ///< BW reads the version of its F
};

/// A version is alive from the U that makes it until no pass that follows reads it; the newest is
/// always alive.
Replay replay(const Schedule& schedule, DeviceId device)
{
    Replay seen;
    const EntryId begin = schedule.begin(device);
    const EntryId end = schedule.end(device);
    int newest = 0;
    std::map<int, int> readBy; // micro-batch of an F: its version
    std::set<int> gradients;   // micro-batches with their BW done
    for (EntryId e(begin); e < end; ++e) {
        const Pass pass = schedule.entry(e).pass;
        if (pass.kind == PassKind::U) {
            for (int j = 0; j < schedule.spec().totalMicroBatches(); ++j) {
                if (schedule.spec().updateOf(j) == pass.microBatch && gradients.count(j) == 0)
                    seen.updatesFollowGradients = false;
            }
            ++newest;
        } else {
            const int version = schedule.weightVersion(pass.stage, pass.microBatch);
            if (version > newest || version < 0)
                seen.readsKeptVersions = false;
            if (pass.kind == PassKind::F)
                readBy[pass.microBatch] = version;
            else if (readBy.count(pass.microBatch) == 0 || readBy[pass.microBatch] != version)
                seen.readsWhatForwardRead = false;
            gradients.insert(pass.kind == PassKind::F ? -1 : pass.microBatch);
        }
        std::set<int> alive = {newest};
        for (EntryId later(e + 1); later < end; ++later) {
            const Pass next = schedule.entry(later).pass;
            if (next.kind == PassKind::U)
                continue;
            const int version = schedule.weightVersion(next.stage, next.microBatch);
            if (version <= newest)
                alive.insert(version);
        }
        seen.mostVersions = std::max(seen.mostVersions, static_cast<int>(alive.size()));
    }
    return seen;
}

} // namespace

/// Families that never flush: PipeDream and PipeDream-2BW.
class TestFamiliesAsync : public QObject
{
    Q_OBJECT

private slots:
    void pipeDreamReadsTheVersionOfItsStage();
    void doubleBufferedStepsReadTheVersionBefore();
    void versionFourIsFirstReadByInputNine();
    void orderAlternatesWithoutAFlush();
    void versionsStayInsideTheirBounds_data();
    void versionsStayInsideTheirBounds();
    void theBubbleIsPaidOnceARun_data();
    void theBubbleIsPaidOnceARun();
    void closedFormsOfVersionsAndPeaksHold_data();
    void closedFormsOfVersionsAndPeaksHold();
    void doubleBufferingNeedsOneMicroBatchADevice();
    void updatesTakeTheirTime();
};

void TestFamiliesAsync::pipeDreamReadsTheVersionOfItsStage()
{
    // w(t) = w(t−1) − η∇f(w₁(t−n+1), …, wₙ(t)): the first of n stages is n−1 updates late, the last
    // none.
    const int p = 4;
    const Schedule schedule = make("pipedream", sized(p, 12, 1));
    for (const StageId stage : Ids<StageId>(p)) {
        for (int j = 0; j < 12; ++j)
            QCOMPARE(schedule.weightVersion(stage, j), std::max(0, j - (p - 1 - stage)));
    }
}

void TestFamiliesAsync::doubleBufferedStepsReadTheVersionBefore()
{
    const int m = 5;
    const Schedule schedule = make("pipedream-2bw", sized(3, m, 4));
    for (const StageId stage : Ids<StageId>(3)) {
        for (int k = 1; k <= 4 * m; ++k) // counted from 1, as the paper does
            QCOMPARE(schedule.weightVersion(stage, k - 1), std::max((k - 1) / m - 1, 0));
    }
}

void TestFamiliesAsync::versionFourIsFirstReadByInputNine()
{
    // The paper names a version by the inputs it has seen: version 4 is the first update of steps
    // of 4 inputs.
    const Schedule schedule = make("pipedream-2bw", sized(4, 4, 3));
    for (const StageId stage : Ids<StageId>(4)) {
        QCOMPARE(schedule.weightVersion(stage, 7), 0); // input 8, the last to read version 0
        QCOMPARE(schedule.weightVersion(stage, 8), 1); // input 9
    }
    // On the first device the update stands before input 9 enters, and input 8's backward after it.
    std::vector<std::pair<PassKind, int>> order;
    for (const EntryId e : schedule.entries(DeviceId(0))) {
        const Pass pass = schedule.entry(e).pass;
        order.emplace_back(pass.kind, pass.microBatch);
    }
    const auto place = [&](PassKind kind, int j) {
        return std::find(order.begin(), order.end(), std::pair(kind, j)) - order.begin();
    };
    QVERIFY(place(PassKind::U, 0) < place(PassKind::F, 8));
    QVERIFY(place(PassKind::F, 8) < place(PassKind::BW, 7));
    QVERIFY(place(PassKind::U, 0) == place(PassKind::BW, 3) + 1);
}

void TestFamiliesAsync::orderAlternatesWithoutAFlush()
{
    const int p = 4;
    for (const char* id : {"pipedream", "pipedream-2bw"}) {
        const Schedule schedule = make(id, sized(p, 6, 3));
        for (const DeviceId device : Ids<DeviceId>(p)) {
            std::vector<PassKind> kinds;
            for (const EntryId e : schedule.entries(device)) {
                const PassKind kind = schedule.entry(e).pass.kind;
                if (kind != PassKind::U)
                    kinds.push_back(kind);
            }
            const auto warmUp = static_cast<std::size_t>(p - 1 - device);
            for (std::size_t i = 0; i < kinds.size(); ++i) {
                const bool fill = i < warmUp;
                const bool drain = i >= kinds.size() - warmUp;
                const bool forward = fill || (!drain && (i - warmUp) % 2 == 0);
                QCOMPARE(kinds[i], forward ? PassKind::F : PassKind::BW);
            }
        }
    }
}

void TestFamiliesAsync::versionsStayInsideTheirBounds_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("twoAreEnough");
    QTest::newRow("PipeDream") << "pipedream" << false;
    QTest::newRow("PipeDream-2BW") << "pipedream-2bw" << true;
}

void TestFamiliesAsync::versionsStayInsideTheirBounds()
{
    QFETCH(QString, id);
    QFETCH(bool, twoAreEnough);
    for (int p = 1; p <= 8; ++p) {
        for (const int m : {p, p + 1, 2 * p}) {
            const Schedule schedule = make(id.toStdString().c_str(), sized(p, m, 4));
            const auto result = simulate(schedule, expand({}, schedule.spec()));
            QVERIFY(result);
            for (const DeviceId device : Ids<DeviceId>(p)) {
                const Replay seen = replay(schedule, device);
                QVERIFY(seen.readsKeptVersions);
                QVERIFY(seen.readsWhatForwardRead);
                QVERIFY(seen.updatesFollowGradients);
                QCOMPARE(seen.mostVersions, twoAreEnough ? 2 : p - device);
                QCOMPARE(weightVersionsAlive(schedule, *result, 0, StageId(device.value)),
                         seen.mostVersions);
            }
        }
    }
}

void TestFamiliesAsync::theBubbleIsPaidOnceARun_data()
{
    versionsStayInsideTheirBounds_data();
}

void TestFamiliesAsync::theBubbleIsPaidOnceARun()
{
    QFETCH(QString, id);
    UniformCosts uniform;
    uniform.forward = 3;
    uniform.backward = 4;
    uniform.weight = 2;
    for (const int p : {1, 2, 5, 8, 32}) {
        for (const int steps : {1, 2, 7}) {
            const FamilyOptions options = sized(p, p + 3, steps);
            const Schedule schedule = make(id.toStdString().c_str(), options);
            const auto result = simulate(schedule, expand(uniform, schedule.spec()));
            QVERIFY(result);
            QCOMPARE(spanBubble(*result).idle, Ticks{p - 1} * 9);
            QCOMPARE(result->makespan, (Ticks{p - 1} + (p + 3) * steps) * 9);
            // Once full, no device waits: the last one never does.
            QCOMPARE(spanBubble(*result, DeviceId(p - 1)).idle, Ticks{0});
            for (int device = 0; device < p; ++device)
                QCOMPARE(result->devices[static_cast<std::size_t>(device)].peakShare,
                         (p - device) * shareOne);
        }
    }
}

void TestFamiliesAsync::closedFormsOfVersionsAndPeaksHold_data()
{
    versionsStayInsideTheirBounds_data();
}

void TestFamiliesAsync::closedFormsOfVersionsAndPeaksHold()
{
    QFETCH(QString, id);
    const Family& family = **findFamily(id.toStdString());
    int compared = 0;
    for (int p = 1; p <= 6; ++p) {
        for (int m = 1; m <= 3 * p; ++m) {
            const FamilyOptions options = sized(p, m, 2);
            if (!specOf(family, options))
                continue;
            const Schedule schedule = make(id.toStdString().c_str(), options);
            const auto result = simulate(schedule, expand({}, schedule.spec()));
            QVERIFY(result);
            const ClosedFormInput input = closedFormInput(family, options, {});
            for (const ClosedForm& form : family.closedForms) {
                const auto expected = valueOf(form, input);
                if (!expected)
                    continue;
                ++compared;
                double got = 0;
                if (form.quantity == Quantity::SpanBubble)
                    got = static_cast<double>(spanBubble(*result).idle);
                else if (form.quantity == Quantity::PeakActivation)
                    got = peakMicroBatches(*result);
                else
                    got = replay(schedule, DeviceId(0)).mostVersions;
                QCOMPARE(got, *expected);
            }
        }
    }
    QVERIFY(compared > 50);
}

void TestFamiliesAsync::doubleBufferingNeedsOneMicroBatchADevice()
{
    const auto spec = specOf(**findFamily("pipedream-2bw"), sized(4, 3, 2));
    QVERIFY(!spec);
    QCOMPARE(spec.error().code, ErrorCode::BadValue);
    QVERIFY(QString::fromStdString(spec.error().message).contains("micro-batches is 3"));
}

void TestFamiliesAsync::updatesTakeTheirTime()
{
    UniformCosts uniform;
    uniform.update = ticksPerMs / 2;
    const int p = 4;
    const int total = 24;
    const auto makespan = [&](const char* id) {
        const Schedule schedule = make(id, sized(p, 8, 3));
        return simulate(schedule, expand(uniform, schedule.spec()))->makespan;
    };
    const Ticks work = Ticks{total + p - 1} * 3 * ticksPerMs;
    // An update a micro-batch, and the last update of the first device is alone; against one a
    // step.
    QVERIFY(makespan("pipedream") >= work + total * uniform.update);
    QVERIFY(makespan("pipedream-2bw") < makespan("pipedream"));
    QVERIFY(makespan("pipedream-2bw") >= work + 3 * uniform.update);
}

PW_TEST(TestFamiliesAsync)
#include "tst_families_async.moc"

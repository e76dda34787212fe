// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/end_shift.h"
#include "core/trace/match.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <random>

using namespace pw;

namespace {

test::FamilyRun runOf(const QByteArray& family, int devices = 4, int microBatches = 8)
{
    UniformCosts costs;
    costs.hop = 100'000;
    return test::runFamily(test::familyOf(family.constData()), test::sized(devices, microBatches),
                           costs);
}

/// The schedule as it runs with other pass times.
SimResult taken(const test::FamilyRun& run, const test::PassLength& length)
{
    const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1, length);
    return *measuredResult(run.schedule, batch.passes, {});
}

} // namespace

class TestEndShift : public QObject
{
    Q_OBJECT

private slots:
    void samePassesAreFound_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        for (const char* before : {"1f1b", "zb-h1", "zb-v", "dualpipe", "seq1f1b", "pipedream"})
            for (const char* after : {"1f1b", "zb-v", "dualpipe", "seq1f1b", "pipedream"})
                QTest::addRow("%s in %s", after, before) << QByteArray(before) << QByteArray(after);
    }
    void samePassesAreFound()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const Schedule one = runOf(before, 4, 8).schedule;
        const Schedule two = runOf(after, 4, 16).schedule;
        std::map<Pass, std::int32_t> entries;
        for (const EntryId e : Ids<EntryId>(one.entryCount())) {
            const OrderEntry entry = one.entry(e);
            for (Pass pass : {entry.pass, entry.paired ? entry.partner : entry.pass}) {
                entries[pass] = e;
                if (!isBackward(pass.kind))
                    continue;
                pass.kind = pass.kind == PassKind::B ? PassKind::BW : PassKind::B;
                entries[pass] = e;
            }
        }
        int found = 0;
        for (const EntryId e : Ids<EntryId>(two.entryCount())) {
            const auto at = entries.find(two.entry(e).pass);
            QCOMPARE(sameEntry(one, two.entry(e).pass), at == entries.end() ? -1 : at->second);
            found += at == entries.end() ? 0 : 1;
        }
        QVERIFY(found > 0);
    }

    void theTwoHalvesOfABackwardAreOneWork()
    {
        const Schedule whole = runOf("1f1b", 4, 8).schedule;
        const Schedule split = runOf("zb-h1", 4, 8).schedule;
        const Pass input{PassKind::B, 0, StageId(2), 3, 0};
        const Pass weight{PassKind::W, 0, StageId(2), 3, 0};
        const Pass both{PassKind::BW, 0, StageId(2), 3, 0};
        const EntryId entry = sameEntry(whole, both);
        QVERIFY(entry >= 0);
        QVERIFY((sameWork(whole, input) == SameWork{entry, EntryId::none()}));
        QVERIFY((sameWork(whole, weight) == SameWork{entry, EntryId::none()}));
        QVERIFY(
            (sameWork(split, both) == SameWork{sameEntry(split, input), sameEntry(split, weight)}));
        QVERIFY((sameWork(split, weight) == SameWork{sameEntry(split, weight), EntryId::none()}));
        QVERIFY((sameWork(split, input) == SameWork{sameEntry(split, input), EntryId::none()}));
    }

    void shiftsAddUpToTheDifference_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"gpipe", "1f1b", "zb-h1", "zb-v", "dualpipe", "seq1f1b"})
            QTest::newRow(family) << QByteArray(family);
    }
    void shiftsAddUpToTheDifference()
    {
        QFETCH(QByteArray, family);
        const test::FamilyRun run = runOf(family);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        std::uniform_int_distribution<Ticks> noise(-200'000, 400'000);
        const auto noisy = [&](std::int32_t, const OrderEntry&, Ticks costs) {
            return std::max<Ticks>(1000, costs + noise(random));
        };
        for (int round = 0; round < 20; ++round) {
            const SimResult before = taken(run, noisy);
            const SimResult after = taken(run, noisy);
            const EndShifts shifts = endShifts(run.schedule, before, run.schedule, after);
            QCOMPARE(shifts.total, after.makespan - before.makespan);
            Ticks sum = shifts.other;
            for (const EndShift& link : shifts.links) {
                QCOMPARE(link.before, link.entry);
                QCOMPARE(link.shift, link.grown + link.waited);
                sum += link.shift;
            }
            QCOMPARE(sum, shifts.total);
            QVERIFY(shifts.other <= 0);
        }
    }

    void theOnePassThatTookLongerIsTheReason()
    {
        const test::FamilyRun run = runOf("1f1b");
        const Pass slow{PassKind::BW, 0, StageId(0), 7, 0}; // the last of all
        const SimResult after = taken(run, [&](std::int32_t, const OrderEntry& entry, Ticks costs) {
            return costs + (entry.pass == slow ? 250'000 : 0);
        });
        const EndShifts shifts = endShifts(run.schedule, run.result, run.schedule, after);
        QCOMPARE(shifts.total, Ticks{250'000});
        QCOMPARE(shifts.other, Ticks{0});
        for (const EndShift& link : shifts.links) {
            const bool isSlow = run.schedule.entry(link.entry).pass == slow;
            QCOMPARE(link.shift, isSlow ? Ticks{250'000} : Ticks{0});
            QCOMPARE(link.grown, link.shift);
        }
        QVERIFY(run.schedule.entry(shifts.links.back().entry).pass == slow);
    }

    void equalTimelinesHaveNoShift()
    {
        const test::FamilyRun run = runOf("zb-h1");
        const EndShifts shifts = endShifts(run.schedule, run.result, run.schedule, run.result);
        QCOMPARE(shifts.total, Ticks{0});
        for (const EndShift& link : shifts.links)
            QCOMPARE(link.shift, Ticks{0});
    }

    void familiesWithOtherPassesStillAddUp()
    {
        const test::FamilyRun before = runOf("1f1b");
        const test::FamilyRun after = runOf("zb-v");
        const EndShifts shifts =
            endShifts(before.schedule, before.result, after.schedule, after.result);
        Ticks sum = shifts.other;
        for (const EndShift& link : shifts.links) {
            sum += link.shift;
            QVERIFY(link.before >= 0 || link.shift == 0);
        }
        QCOMPARE(sum, after.result.makespan - before.result.makespan);
    }
};

PW_TEST(TestEndShift)
#include "tst_end_shift.moc"

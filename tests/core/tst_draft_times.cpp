// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/sim/dependencies.h"
#include "core/sim/draft_times.h"
#include "tests/support/random_drafts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

using namespace pw;
using namespace pw::test;

namespace {

constexpr Ticks ms = ticksPerMs;

Draft draftFrom(const std::string& text)
{
    auto draft = readScheduleText(text);
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    return *draft;
}

DraftTimes timesFor(const Draft& draft, const Costs& costs)
{
    auto times = draftTimes(draft, costs);
    if (!times)
        qFatal("%s", times.error().message.c_str());
    return *times;
}

bool anyEmpty(const SimResult& result)
{
    return !std::equal(result.start.begin(), result.start.end(), result.end.begin(),
                       [](Ticks start, Ticks end) { return start < end; });
}

/// The slow, obvious way for drafts without rings: sweeps over the devices and starts whatever has
/// all inputs that are there at all. Early messages.
class Sweeps
{
public:
    Sweeps(const Draft& draft, const Costs& costs)
        : m_draft(draft)
        , m_costs(costs)
    {
        for (std::size_t d = 0; d < draft.orders.size(); ++d) {
            for (const OrderEntry& entry : draft.orders[d]) {
                claim(entry.pass, DeviceId(d));
                if (entry.paired)
                    claim(entry.partner, DeviceId(d));
            }
        }
    }

    /// Starts of all entries; nothing where they wait in a ring.
    std::optional<std::vector<Ticks>> run()
    {
        std::vector<std::vector<Ticks>> starts(m_draft.orders.size());
        std::vector<Ticks> free(m_draft.orders.size(), 0);
        std::set<std::tuple<int, Pass>> begun;
        bool progress = true;
        while (progress) {
            progress = false;
            for (std::size_t d = 0; d < starts.size(); ++d) {
                if (starts[d].size() == m_draft.orders[d].size())
                    continue;
                const OrderEntry& entry = m_draft.orders[d][starts[d].size()];
                const DeviceId device(d);
                const bool first =
                    counts(entry.pass, device) && begun.count({device, entry.pass}) == 0;
                const bool second = entry.paired && counts(entry.partner, device) &&
                                    begun.count({device, entry.partner}) == 0 &&
                                    !(entry.partner == entry.pass);
                Ticks start = free[d];
                if ((first && !ready(entry.pass, start)) ||
                    (second && !ready(entry.partner, start)))
                    continue;
                const Ticks end = start + entryTime(m_costs, m_draft.spec, entry);
                if (first)
                    m_ends[entry.pass] = end;
                if (second)
                    m_ends[entry.partner] = end;
                begun.insert({device, entry.pass});
                if (entry.paired)
                    begun.insert({device, entry.partner});
                starts[d].push_back(start);
                free[d] = end;
                progress = true;
            }
        }
        std::vector<Ticks> all;
        for (std::size_t d = 0; d < starts.size(); ++d) {
            if (starts[d].size() != m_draft.orders[d].size())
                return std::nullopt;
            all.insert(all.end(), starts[d].begin(), starts[d].end());
        }
        return all;
    }

private:
    bool counts(const Pass& pass, DeviceId device) const
    {
        return belongs(m_draft.spec, pass, device) && m_there.count(pass) > 0;
    }

    void claim(const Pass& pass, DeviceId device)
    {
        if (!belongs(m_draft.spec, pass, device))
            return;
        // B and BW are one place.
        Pass other = pass;
        if (isBackward(pass.kind))
            other.kind = pass.kind == PassKind::B ? PassKind::BW : PassKind::B;
        if (m_there.count(other) == 0 || other == pass)
            m_there.insert(pass);
    }

    bool ready(const Pass& pass, Ticks& start) const
    {
        std::vector<Pass> needs;
        Pass need = pass;
        const auto want = [&](PassKind kind, StageId stage, int segment) {
            need.kind = kind;
            need.stage = stage;
            need.segment = segment;
            needs.push_back(need);
        };
        if (pass.kind == PassKind::F) {
            want(PassKind::F, pass.stage - 1, pass.segment);
            want(PassKind::F, pass.stage, pass.segment - 1);
        } else if (isBackward(pass.kind)) {
            for (const PassKind kind : {PassKind::B, PassKind::BW}) {
                want(kind, pass.stage + 1, pass.segment);
                want(kind, pass.stage, pass.segment + 1);
            }
            want(PassKind::F, pass.stage, pass.segment);
            want(PassKind::R, pass.stage, pass.segment);
        } else if (pass.kind == PassKind::R) {
            want(PassKind::F, pass.stage, pass.segment);
        } else if (pass.kind == PassKind::W) {
            want(PassKind::B, pass.stage, pass.segment);
            want(PassKind::BW, pass.stage, pass.segment);
        } else {
            for (int j = 0; j < m_draft.spec.totalMicroBatches(); ++j) {
                if (m_draft.spec.updateOf(j) != pass.microBatch)
                    continue;
                need.route = static_cast<std::uint8_t>(m_draft.spec.route(j));
                need.microBatch = j;
                for (int q = 0; q < m_draft.spec.segments(); ++q) {
                    want(PassKind::W, pass.stage, q);
                    want(PassKind::BW, pass.stage, q);
                }
            }
        }
        const DeviceId to = m_draft.spec.device(pass.route, pass.stage);
        for (const Pass& one : needs) {
            if (m_there.count(one) == 0)
                continue;
            // Beside a BW a W brings no gradient of its own.
            Pass fused = one;
            fused.kind = PassKind::BW;
            if (pass.kind == PassKind::U && one.kind == PassKind::W && m_there.count(fused) > 0)
                continue;
            const auto end = m_ends.find(one);
            if (end == m_ends.end())
                return false;
            const DeviceId from = m_draft.spec.device(one.route, one.stage);
            const Bytes bytes = messageBytes(m_costs, m_draft.spec, one, pass.kind);
            start = std::max(start, arrival(m_costs, m_draft.spec, from, to, bytes, end->second));
        }
        return true;
    }

    const Draft& m_draft;
    const Costs& m_costs;
    std::set<Pass> m_there;
    std::map<Pass, Ticks> m_ends;
};

} // namespace

class TestDraftTimes : public QObject
{
    Q_OBJECT

private:
    /// Both simulators, with some entries held.
    static void holdsAgree(const Draft& draft, const Schedule& schedule, const Costs& costs,
                           Ticks makespan, std::mt19937& random)
    {
        std::vector<Hold> holds;
        for (const EntryId entry : schedule.entries()) {
            if (random() % 9 == 0)
                holds.push_back({entry, static_cast<Ticks>(random() % 100) * makespan / 80});
        }
        DraftTimes slow;
        DraftSimulator().run(draft, costs, slow, holds);
        SimResult quick;
        QVERIFY(Simulator().run(schedule, costs, quick, holds));
        QVERIFY(quick == slow.times);
        for (const Hold& hold : holds)
            QVERIFY(quick.start[static_cast<std::size_t>(hold.entry)] >= hold.earliest);
    }

private slots:
    void aWholeScheduleHasTheTimesOfTheSimulator_data()
    {
        QTest::addColumn<QString>("id");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }

    void aWholeScheduleHasTheTimesOfTheSimulator()
    {
        QFETCH(QString, id);
        constexpr unsigned seed = 20261;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        int rings = 0;
        for (int round = 0; round < 12; ++round) {
            const Schedule made = familySchedule(**findFamily(id.toStdString()), random);
            Draft draft = draftOf(made);
            if (round % 3 == 2)
                draft.spec.messages = MessageRule::Committed;
            const Costs costs = randomCosts(draft.spec, random);
            const auto schedule = Schedule::make(draft.spec, draft.orders);
            QVERIFY(schedule);
            const auto expected = simulate(*schedule, costs);
            const DraftTimes times = timesFor(draft, costs);
            if (!expected) {
                QCOMPARE(ringText(times, draft.spec), expected.error().message);
                QVERIFY(!times.blocked.empty());
                ++rings;
                continue;
            }
            QCOMPARE(times.ring.size(), std::size_t{0});
            QVERIFY(times.blocked.empty());
            QVERIFY(times.times == *expected);
            if (draft.spec.messages != MessageRule::Committed)
                holdsAgree(draft, *schedule, costs, expected->makespan, random);
            if (draft.spec.updateRule != UpdateRule::Flush)
                continue;
            const auto memory = draftMemory(draft, costs, times);
            for (const DeviceId device : Ids<DeviceId>(draft.spec.devices)) {
                QVERIFY(memory[static_cast<std::size_t>(device)] ==
                        memoryCurve(*schedule, costs, *expected, device));
                QVERIFY(draftMemory(draft, costs, times, device) ==
                        memory[static_cast<std::size_t>(device)]);
                Share most = 0;
                const std::vector<SharePoint> shares = draftShares(draft, costs, times, device);
                for (const SharePoint& point : shares)
                    most = std::max(most, point.share);
                // What comes and goes in one moment, in passes that take no time, is not seen.
                const Share peak = expected->devices[static_cast<std::size_t>(device)].peakShare;
                QVERIFY(most <= peak);
                if (!anyEmpty(*expected))
                    QCOMPARE(most, peak);
                QCOMPARE(shares.back().share, Share{0});
            }
        }
        QVERIFY(rings < 12);
    }

    void recomputationIsCountedAsTheSimulatorDoes()
    {
        const Draft draft = draftFrom("d0: F0 F1 R0 BW0 R1 B1 W1\nd1: F0 BW0 F1 R1 BW1\n");
        std::mt19937 random(7);
        const Costs costs = randomCosts(draft.spec, random);
        const auto schedule = Schedule::make(draft.spec, draft.orders);
        QVERIFY(schedule);
        const auto expected = simulate(*schedule, costs);
        const DraftTimes times = timesFor(draft, costs);
        QVERIFY(times.times == *expected);
        const auto memory = draftMemory(draft, costs, times);
        QVERIFY(memory[0] == memoryCurve(*schedule, costs, *expected, DeviceId(0)));
    }

    void aRingIsNamedAsTheSimulatorNamesIt_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("two devices") << "d0: F0 BW0 F1 BW1\nd1: F1 BW1 F0 BW0\n";
        QTest::newRow("three devices")
            << "d0: F0 BW0 F1 BW1\nd1: F0 F1 BW1 BW0\nd2: F1 F0 BW0 BW1\n";
        QTest::newRow("one device") << "segments: 2\nF0/1 F0/0 BW0/1 BW0/0\n";
    }

    void aRingIsNamedAsTheSimulatorNamesIt()
    {
        QFETCH(QString, text);
        const Draft draft = draftFrom(text.toStdString());
        const auto schedule = Schedule::make(draft.spec, draft.orders);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        const Costs costs = expand(UniformCosts{}, draft.spec);
        const auto deadlock = simulate(*schedule, costs);
        QVERIFY(!deadlock);
        const DraftTimes times = timesFor(draft, costs);
        QCOMPARE(ringText(times, draft.spec), deadlock.error().message);
        QCOMPARE(times.blocked.size(), times.ring.size());
    }

    void aMissingProducerHoldsNothingUp()
    {
        const Draft draft = draftFrom("devices: 2\nd0: F1\nd1: F0 F1 BW0\n");
        const DraftTimes times = timesFor(draft, expand(UniformCosts{}, draft.spec));
        // F0 of stage 1 does not wait for F0 of stage 0; F1 does for F1.
        const std::vector<Ticks> starts = {0, 0, ms, 2 * ms};
        QCOMPARE(times.times.start, starts);
        QVERIFY(times.ring.empty());
        QCOMPARE(times.deviceOf(EntryId(0)), DeviceId(0));
        QCOMPARE(times.deviceOf(EntryId(3)), DeviceId(1));
    }

    void aBackwardBeforeItsForwardIsBlocked()
    {
        const Draft draft = draftFrom("BW0 F0\n");
        const DraftTimes times = timesFor(draft, expand(UniformCosts{}, draft.spec));
        QCOMPARE(times.blocked, std::vector<EntryId>{EntryId(0)});
        QCOMPARE(times.times.start, (std::vector<Ticks>{0, 2 * ms}));
        QCOMPARE(ringText(times, draft.spec),
                 std::string("deadlock: device 0 waits in BW of micro-batch 0 on stage 0 for F of "
                             "micro-batch 0 on stage 0"));
        // The backward found nothing to release, so the F's activation stays.
        QCOMPARE(times.times.devices[0].peakShare, shareOne);
        const auto memory = draftMemory(draft, expand(UniformCosts{}, draft.spec), times);
        QCOMPARE(memory[0].back().bytes[static_cast<std::size_t>(MemoryKind::Activations)], 0);
    }

    void activationOfAnUnfinishedDraftIsWhatItsPassesKeep()
    {
        const Draft draft = draftFrom("devices: 1\nmicro-batches: 3\nF0 F1 B0 BW2\n");
        UniformCosts uniform;
        uniform.activation = 100;
        uniform.keptForWeight = 0.5;
        const Costs costs = expand(uniform, draft.spec);
        const DraftTimes times = timesFor(draft, costs);
        QCOMPARE(times.times.devices[0].peakActivation, 200);
        const auto memory = draftMemory(draft, costs, times);
        const MemoryPoint& last = memory[0].back();
        QCOMPARE(last.time, 3 * ms);
        QCOMPARE(last.bytes[static_cast<std::size_t>(MemoryKind::Activations)], 100);
        QCOMPARE(last.bytes[static_cast<std::size_t>(MemoryKind::HeldForWeight)], 50);
    }

    void aHeldEntryPushesWhatDependsOnIt()
    {
        const Draft draft = draftFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
        const Costs costs = expand(UniformCosts{}, draft.spec);
        DraftTimes times;
        const std::vector<Hold> holds = {{EntryId(1), 3 * ms}};
        DraftSimulator().run(draft, costs, times, holds);
        // F1 of device 0 is held at 3 ms; F1 of device 1 follows at 4 ms, and everything behind.
        QCOMPARE(times.times.start,
                 (std::vector<Ticks>{0, 3 * ms, 4 * ms, 7 * ms, ms, 2 * ms, 4 * ms, 5 * ms}));
    }

    /// Any draft: entries keep their order, do not overlap, and start at the first time that their
    /// device and their inputs allow, but for the blocked ones; and the slow way agrees.
    void randomDraftsAgreeWithTheSlowWay()
    {
        constexpr unsigned seed = 815;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        int rings = 0, free = 0;
        for (int round = 0; round < 1500; ++round) {
            const auto families = allFamilies();
            const Family& family = families[static_cast<std::size_t>(
                below(random, static_cast<int>(families.size())))];
            if (family.search)
                continue;
            Draft draft = draftOf(familySchedule(family, random));
            if (round % 2 == 0)
                removeSome(draft, random);
            else
                disturb(draft, random);
            Costs costs = randomCosts(draft.spec, random);
            for (auto& order : draft.orders) {
                // The slow way looks up times, so it wants stages that are there.
                for (OrderEntry& entry : order)
                    entry.pass.stage =
                        StageId(std::clamp<int>(entry.pass.stage, 0, draft.spec.stages() - 1));
            }
            const DraftTimes times = timesFor(draft, costs);
            for (std::size_t d = 0; d < draft.orders.size(); ++d) {
                for (std::int32_t i = times.begin[d]; i + 1 < times.begin[d + 1]; ++i) {
                    QVERIFY(times.times.end[static_cast<std::size_t>(i)] <=
                            times.times.start[static_cast<std::size_t>(i) + 1]);
                }
            }
            const auto slow = Sweeps(draft, costs).run();
            QCOMPARE(!slow.has_value(), !times.blocked.empty());
            QCOMPARE(times.ring.empty(), times.blocked.empty());
            if (slow) {
                QVERIFY2(*slow == times.times.start, qPrintable(QString::number(round)));
                ++free;
            } else {
                ++rings;
            }
        }
        QVERIFY(rings > 50);
        QVERIFY(free > 300);
    }

    void impossibleInputIsRefused()
    {
        Draft draft = draftFrom("F0 BW0\n");
        const Costs costs = expand(UniformCosts{}, draft.spec);
        draft.orders.emplace_back();
        QCOMPARE(draftTimes(draft, costs).error().code, ErrorCode::BadValue);
        draft.orders.pop_back();
        draft.spec.microBatches = 0;
        QCOMPARE(draftTimes(draft, costs).error().code, ErrorCode::BadValue);
        draft.spec.microBatches = 1;
        QCOMPARE(draftTimes(draft, Costs{}).error().code, ErrorCode::BadValue);
    }
};

PW_TEST(TestDraftTimes)
#include "tst_draft_times.moc"

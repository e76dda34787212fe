// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/collisions.h"
#include "core/block/reorder.h"
#include "core/edit/compose.h"
#include "core/io/schedule_text.h"
#include "tests/support/blocks.h"
#include "tests/support/family_runs.h"
#include "tests/support/random_drafts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace pw;
using namespace pw::test;

namespace {

constexpr Ticks ms = ticksPerMs;

Project projectFrom(const std::string& text)
{
    auto draft = readScheduleText(text);
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    Project project;
    project.draft = *draft;
    return project;
}

Project emptyProject(const PipelineSpec& spec)
{
    Project project;
    project.draft.spec = spec;
    project.draft.orders.resize(static_cast<std::size_t>(spec.devices));
    return project;
}

QString shown(const Draft& draft)
{
    QStringList lines;
    for (const auto& order : draft.orders) {
        QStringList words;
        for (const OrderEntry& entry : order)
            words += QString::fromUtf8(name(entry.pass.kind).data()) +
                     QString::number(entry.pass.microBatch);
        lines += words.join(' ');
    }
    return lines.join(" | ");
}

/// The project with a proposal's edit; it must be what the proposal showed.
Project done(const Project& project, const Proposal& proposal)
{
    Project after = project;
    if (const auto applied = apply(after, proposal.edit); !applied)
        qFatal("%s", applied.error().message.c_str());
    const auto draft = draftOf(after);
    if (!draft || !(*draft == proposal.draft))
        qFatal("the edit gives another draft than was proposed");
    const auto times = draftTimes(*draft, costsOf(after));
    if (!times || !(*times == proposal.times))
        qFatal("the edit gives other times than were proposed");
    return after;
}

template<typename T>
T need(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

/// Whether `part` stands in `whole` in its order.
bool keeps(const DeviceOrders& part, const DeviceOrders& whole)
{
    for (std::size_t device = 0; device < part.size(); ++device) {
        auto at = whole[device].begin();
        for (const OrderEntry& entry : part[device]) {
            at = std::find(at, whole[device].end(), entry);
            if (at == whole[device].end())
                return false;
            ++at;
        }
    }
    return true;
}

/// The orders without the entries that a proposal calls new.
DeviceOrders withoutAdded(const Proposal& proposal)
{
    DeviceOrders rest(proposal.draft.orders.size());
    for (const EntryId i : Ids<EntryId>(EntryId(0), proposal.times.begin.back())) {
        if (std::binary_search(proposal.added.begin(), proposal.added.end(), i))
            continue;
        const auto device = static_cast<std::size_t>(proposal.times.deviceOf(i));
        rest[device].push_back(
            proposal.draft
                .orders[device][static_cast<std::size_t>(i - proposal.times.begin[device])]);
    }
    return rest;
}

Share worstPeak(const Proposal& proposal)
{
    Share peak = 0;
    for (const DeviceResult& device : proposal.times.times.devices)
        peak = std::max(peak, device.peakShare);
    return peak;
}

} // namespace

class TestCompose : public QObject
{
    Q_OBJECT

private slots:
    void aFamilyFillsTheTimeline()
    {
        const FamilyChoice choice{"zb-h1", sized(4, 8)};
        const Project empty = emptyProject(PipelineSpec{});
        const Proposal proposal = need(fillWithFamily(empty, choice));
        const Project after = done(empty, proposal);
        QVERIFY(after.family == choice);
        const Schedule schedule = need(scheduleOf(after));
        QVERIFY(proposal.times.times == need(simulate(schedule, costsOf(after))));
        QCOMPARE(proposal.added.size(), static_cast<std::size_t>(schedule.entryCount()));
        // After a change it is an order of its own, and the family gives it back.
        const Project less = done(
            after,
            need(removeEntries(after, {{DeviceId(0), 0}, {DeviceId(2), 3}, {DeviceId(0), 0}})));
        QVERIFY(!less.family);
        QCOMPARE(need(problems(less.draft)).count, 2);
        const Project back = done(less, need(fillWithFamily(less, choice)));
        QVERIFY(back == after);
    }

    void aFamilyThatCannotBeSaysWhy()
    {
        const Project empty = emptyProject(PipelineSpec{});
        QVERIFY(!fillWithFamily(empty, {"zb-h3", sized(4, 8)}));
        Project fixed = empty;
        fixed.costs = expand(UniformCosts{}, PipelineSpec{});
        const auto refused = fillWithFamily(fixed, {"1f1b", sized(4, 8)});
        QVERIFY(!refused);
        QVERIFY(refused.error().message.english().find("costs") != std::string::npos);
        QVERIFY(fillWithFamily(fixed, {"1f1b", sized(4, 8)}, UniformCosts{}));
    }

    void anArrangementOfBlocksFillsTheTimeline()
    {
        const BlockRun run{blockOf("1f1b", 4), 6};
        const Assembly assembly = need(assemble(std::span<const BlockRun>(&run, 1)));
        const Project empty = emptyProject(PipelineSpec{});
        const Proposal proposal = need(fillWithArrangement(empty, assembly.reordered.arrangement));
        QVERIFY(need(problems(done(empty, proposal).draft)).none());
    }

    void oneStampGivesTheOrderOfTheRepeatedBlock_data()
    {
        QTest::addColumn<QString>("id");
        for (const Family& family : allFamilies()) {
            if (family.block == nullptr)
                continue;
            const std::string id(family.id);
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }

    void oneStampGivesTheOrderOfTheRepeatedBlock()
    {
        QFETCH(QString, id);
        const BuildingBlock block = blockOf(id.toStdString(), 4);
        Project project = emptyProject(PipelineSpec{});
        const int k = 5 * block.microBatches;
        const Proposal first = need(stamp(project, block, k, Growth::Grow));
        QVERIFY(first.draft.orders == ordersOf(need(repeat(block, k))));
        project = done(project, first);
        // Further blocks go behind; the whole stays valid, and what was there keeps its order.
        const Proposal second = need(stamp(project, block, k, Growth::Grow));
        QVERIFY(need(problems(second.draft)).none());
        QVERIFY(second.times.ring.empty());
        QCOMPARE(second.draft.spec.microBatches, 2 * k);
        QVERIFY(withoutAdded(second) == project.draft.orders);
        project = done(project, second);
        const auto refused = stamp(project, block, k, Growth::Refuse);
        QVERIFY(!refused);
        QVERIFY(refused.error().message.english().find("0 of " + std::to_string(2 * k) +
                                                       " are free") != std::string::npos);
    }

    void severalStampsAreOneOfAll_data() { oneStampGivesTheOrderOfTheRepeatedBlock_data(); }
    void severalStampsAreOneOfAll()
    {
        QFETCH(QString, id);
        const BuildingBlock block = blockOf(id.toStdString(), 4);
        const int g = block.microBatches;
        // Passes that take other times than the block has them, on stages that differ.
        UniformCosts uneven;
        uneven.forward = 3 * ms;
        uneven.backward = 2 * ms;
        uneven.weight = 5 * ms;
        uneven.hop = ms / 2;
        for (const UniformCosts& costs : {UniformCosts{}, uneven}) {
            Project blank = emptyProject(specOf(block, 8 * g));
            blank.costs = costs;
            const Proposal once = need(stamp(blank, block, 8 * g, Growth::Refuse));
            for (const std::vector<int>& parts :
                 {std::vector<int>{4, 4}, std::vector<int>{1, 2, 5}, std::vector<int>{7, 1}}) {
                Project project = blank;
                for (const int k : parts)
                    project = done(project, need(stamp(project, block, k * g, Growth::Refuse)));
                QVERIFY(project.draft == once.draft);
            }
        }
    }

    void aStampGoesOnBehindOthersPasses()
    {
        // Blocks of one kind interlock also where another order stands before them.
        const BuildingBlock block = blockOf("1f1b", 4);
        const Project start = emptyProject(specOf(block, 12));
        const Project filled =
            done(start, need(stamp(start, blockOf("zb-h1", 4), 4, Growth::Refuse)));
        const Project once = done(filled, need(stamp(filled, block, 8, Growth::Refuse)));
        Project twice = filled;
        for (int i = 0; i < 2; ++i)
            twice = done(twice, need(stamp(twice, block, 4, Growth::Refuse)));
        const auto makespan = [](const Project& project) {
            return need(draftTimes(project.draft, costsOf(project))).times.makespan;
        };
        QVERIFY(need(problems(twice.draft)).none());
        QCOMPARE(makespan(twice), makespan(once));
    }

    void anEmptyTimelineKeepsItsMicroBatches()
    {
        PipelineSpec spec;
        spec.devices = 4;
        spec.microBatches = 8;
        spec.routes = {Placement::linear(4)};
        const BuildingBlock block = blockOf("v-half", 4);
        const Proposal few = need(stamp(emptyProject(spec), block, 4, Growth::Grow));
        QVERIFY(few.draft.spec.routes == block.routes);
        QCOMPARE(few.draft.spec.microBatches, 8);
        QCOMPARE(need(problems(few.draft)).count, std::int64_t{4 * 8 * 2});
        const Proposal many = need(stamp(emptyProject(spec), block, 12, Growth::Grow));
        QCOMPARE(many.draft.spec.microBatches, 12);
        spec.steps = 2;
        spec.updates = true;
        const Proposal steps = need(stamp(emptyProject(spec), block, 4, Growth::Grow));
        QCOMPARE(steps.draft.spec.totalMicroBatches(), 16);
        QVERIFY(steps.draft.spec.updates);
    }

    void aStampedStreamIsAsDenseAsTheBlock()
    {
        const BuildingBlock block = blockOf("1f1b", 4);
        Project project = emptyProject(PipelineSpec{});
        for (int i = 0; i < 4; ++i)
            project = done(project, need(stamp(project, block, 4, Growth::Grow)));
        const Project blank = emptyProject(PipelineSpec{});
        const Project once = done(blank, need(stamp(blank, block, 16, Growth::Grow)));
        QVERIFY(project.draft == once.draft);
    }

    void aStampOnUnequalStagesStaysFreeOfRings()
    {
        constexpr unsigned seed = 99;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        int made = 0;
        for (unsigned round = 1; round < 200; ++round) {
            const BuildingBlock block = randomBlock(round);
            if (!collisions(block).empty())
                continue;
            Project project = emptyProject(specOf(block, 1));
            project.costs = randomCosts(project.draft.spec, random);
            for (int i = 0; i < 3; ++i) {
                const auto stamped = stamp(
                    project, block, block.microBatches * (1 + below(random, 2)), Growth::Grow);
                QVERIFY2(stamped, stamped ? "" : stamped.error().message.c_str());
                QVERIFY(stamped->times.ring.empty());
                QVERIFY(withoutAdded(*stamped) == project.draft.orders);
                project = done(project, *stamped);
            }
            ++made;
        }
        QVERIFY(made > 5);
    }

    void aBlockOfAnotherShapeIsRefused()
    {
        const Project project = projectFrom("d0: F0 BW0\nd1: F0 BW0\n");
        const auto refused = stamp(project, blockOf("1f1b", 4), 2, Growth::Grow);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message,
                 std::string("the block is for 4 devices, the schedule has 2"));
    }

    void suggestionsNameTheNextPassThatFits()
    {
        const Project project = projectFrom("micro-batches: 3\nd0: F0 F1\nd1: F0 B0\n");
        const auto early = need(suggestions(project, DeviceId(1), 2 * ms));
        QVERIFY(!early.empty());
        QCOMPARE(early[0].pass, (Pass{PassKind::F, 0, StageId(1), 1, 0}));
        QCOMPARE(early[0].ready, 2 * ms);
        const auto late = need(suggestions(project, DeviceId(1), 5 * ms));
        QCOMPARE(late[0].pass, (Pass{PassKind::W, 0, StageId(1), 0, 0}));
        const auto first = need(suggestions(project, DeviceId(0), 0));
        QCOMPARE(first[0].pass, (Pass{PassKind::F, 0, StageId(0), 2, 0}));
        const auto backward = std::find_if(first.begin(), first.end(), [](const Suggestion& one) {
            return one.pass.kind == PassKind::BW;
        });
        QVERIFY(backward != first.end());
        QCOMPARE(backward->ready, 3 * ms);
        QVERIFY(backward->complete);
        QVERIFY(!suggestions(project, DeviceId(2), 0));
    }

    /// Who put the backward first can still put R before it.
    void aForgottenRecomputationIsStillSuggested()
    {
        const Project project =
            projectFrom("micro-batches: 2\nd0: F0 BW0 F1\nd1: F0 R0 BW0 F1 BW1\n");
        std::vector<int> micro;
        for (const Suggestion& one : need(suggestions(project, DeviceId(0), 3 * ms)))
            if (one.pass.kind == PassKind::R)
                micro.push_back(one.pass.microBatch);
        QCOMPARE(micro, (std::vector<int>{1, 0}));
        const Pass r0{PassKind::R, 0, StageId(0), 0, 0};
        const Draft made = need(insertPass(project, r0, 2 * ms)).draft;
        QCOMPARE(shown(made).section(" | ", 0, 0), QString("F0 R0 BW0 F1"));
        QVERIFY(!insertPass(project, r0, 20 * ms));
    }

    void aPassIsInsertedWhereItIsDropped()
    {
        const Project project = projectFrom("micro-batches: 3\nd0: F0 F1\nd1: F0 BW0\n");
        const Pass pass{PassKind::F, 0, StageId(0), 2, 0};
        const auto at = [&](Ticks time) {
            return shown(need(insertPass(project, pass, time)).draft).section(" | ", 0, 0);
        };
        QCOMPARE(at(0), QString("F2 F0 F1"));
        QCOMPARE(at(ms), QString("F0 F2 F1"));
        QCOMPARE(at(9 * ms), QString("F0 F1 F2"));
        const Proposal proposal = need(insertPass(project, pass, ms));
        QCOMPARE(proposal.added, std::vector<EntryId>{EntryId(1)});
        done(project, proposal);
    }

    void aPassThatBreaksARuleIsRefused()
    {
        const Project project = projectFrom("micro-batches: 3\nd0: F0 F1\nd1: F0 BW0\n");
        const auto text = [&](const Pass& pass, Ticks time) {
            const auto refused = insertPass(project, pass, time);
            return refused ? std::string() : refused.error().message.english();
        };
        QCOMPARE(text({PassKind::F, 0, StageId(0), 1, 0}, 0),
                 std::string("F of micro-batch 1 on stage 0 is there already"));
        QCOMPARE(text({PassKind::B, 0, StageId(1), 0, 0}, 0),
                 std::string("BW of micro-batch 0 on stage 1 is there already"));
        QCOMPARE(text({PassKind::BW, 0, StageId(0), 0, 0}, 0),
                 std::string("device 0, entry 0: micro-batch 0 of stage 0 has BW before F"));
        QVERIFY(!text({PassKind::F, 0, StageId(7), 1, 0}, 0).empty());
    }

    void aCopyIsPastedForTheNextFreeMicroBatches()
    {
        const Project project =
            projectFrom("micro-batches: 4\nd0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
        // Both passes of micro-batch 1 on device 0, the forward on device 1.
        const Clip clip =
            need(copyEntries(project, {{DeviceId(0), 1}, {DeviceId(1), 2}, {DeviceId(0), 3}}));
        QCOMPARE(clip.entries.size(), std::size_t{3});
        const Proposal pasted = need(paste(project, clip, 100 * ms, Growth::Refuse));
        QCOMPARE(shown(pasted.draft), QString("F0 F1 BW0 BW1 F2 BW2 | F0 BW0 F1 BW1 F2"));
        Project twice = done(project, pasted);
        twice = done(twice, need(paste(twice, clip, 200 * ms, Growth::Refuse)));
        QVERIFY(!paste(twice, clip, 300 * ms, Growth::Refuse));
        const Proposal grown = need(paste(twice, clip, 300 * ms, Growth::Grow));
        QCOMPARE(grown.draft.spec.microBatches, 5);
        done(twice, grown);
        QVERIFY(!copyEntries(project, {{DeviceId(0), 9}}));
    }

    /// Micro-batches are added until one takes the route of the copy.
    void aCopyOfTheSecondRouteIsPastedThere()
    {
        const Project project = projectFrom("micro-batches: 3\nplacement: linear, reversed\n"
                                            "routes: 0*2 1*1\nd0: F0 F2[1/1]\nd1: F2[1/0]\n");
        const Clip clip = need(copyEntries(project, {{DeviceId(1), 0}}));
        QVERIFY(!paste(project, clip, 0, Growth::Refuse));
        const Proposal pasted = need(paste(project, clip, 0, Growth::Grow));
        QCOMPARE(pasted.draft.spec.microBatches, 6);
        QCOMPARE(pasted.draft.spec.route(5), 1);
        const Proposal again = need(paste(done(project, pasted), clip, 0, Growth::Grow));
        QCOMPARE(again.draft.spec.microBatches, 9);
    }

    /// Whatever is missing of a family's schedule, the rest can be added, and what is there stays.
    void missingPassesAreAddedToAnyFamily_data()
    {
        QTest::addColumn<QString>("id");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }

    void missingPassesAreAddedToAnyFamily()
    {
        QFETCH(QString, id);
        constexpr unsigned seed = 31;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int round = 0; round < 12; ++round) {
            const Schedule whole = familySchedule(**findFamily(id.toStdString()), random);
            Project project;
            project.draft = draftOf(whole);
            project.costs = randomCosts(whole.spec(), random);
            // Orders that run under any times: those costs may ask for others, not deadlock.
            if (round > 0)
                removeSome(project.draft, random);
            for (const FinishRule rule :
                 {FinishRule::BackwardFirst, FinishRule::ForwardFirst, FinishRule::ZeroBubble}) {
                const auto finished = finishRest(project, rule);
                QVERIFY2(finished, finished ? "" : finished.error().message.c_str());
                QVERIFY(keeps(project.draft.orders, finished->draft.orders));
                QVERIFY(withoutAdded(*finished) == project.draft.orders);
                const auto schedule = Schedule::make(finished->draft.spec, finished->draft.orders);
                QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
                QVERIFY(simulate(*schedule, costsOf(project)).has_value());
                done(project, *finished);
                if (round == 0)
                    QVERIFY(finished->added.empty());
            }
        }
    }

    void anEmptyDraftIsFinishedUnderACap_data()
    {
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("cap");
        for (int rule = 0; rule < 3; ++rule) {
            for (const int cap : {1, 2, 3, 5, 100})
                QTest::addRow("rule %d, limit %d", rule, cap) << rule << cap;
        }
    }

    void anEmptyDraftIsFinishedUnderACap()
    {
        QFETCH(int, rule);
        QFETCH(int, cap);
        for (const Placement& placement :
             {Placement::linear(4), Placement::looped(4, 2), Placement::vShape(4)}) {
            PipelineSpec spec;
            spec.devices = 4;
            spec.microBatches = 12;
            spec.routes = {placement};
            const Project project = emptyProject(spec);
            const auto finished =
                finishRest(project, static_cast<FinishRule>(rule), cap * shareOne);
            QVERIFY2(finished, finished ? "" : finished.error().message.c_str());
            QVERIFY(need(problems(finished->draft)).none());
            QVERIFY(worstPeak(*finished) <= cap * shareOne);
        }
    }

    /// The clock never goes back: what is let in when another micro-batch is through starts then.
    void aMicroBatchIsLetInWhenAnotherIsThrough()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.microBatches = 4;
        spec.routes = {Placement::looped(2, 2)};
        UniformCosts costs;
        costs.forward = 9 * ticksPerMs / 10;
        costs.backward = 13 * ticksPerMs / 10;
        costs.weight = 7 * ticksPerMs / 10;
        costs.hop = ticksPerMs / 3;
        Project project = emptyProject(spec);
        project.costs = costs;
        const Proposal finished =
            need(finishRest(project, FinishRule::BackwardFirst, 2 * shareOne));
        QVERIFY2(finished.times.times.makespan < 18 * ticksPerMs,
                 qPrintable(QString::number(finished.times.times.makespan)));
    }

    /// Hanayo's order comes from a list scheduler that knows the placement; p is its own cap.
    void underACapAnEmptyWaveIsNearlyAsShortAsHanayo()
    {
        const Family& hanayo = *need(findFamily("hanayo"));
        for (const int devices : {2, 3, 4, 6}) {
            for (const int microBatches : {4, 8, 16}) {
                for (const int waves : {1, 2}) {
                    FamilyOptions options;
                    options.devices = devices;
                    options.microBatches = microBatches;
                    options.parameters = {{"waves", waves}};
                    const PipelineSpec spec = need(specOf(hanayo, options));
                    const Costs costs = expand(UniformCosts{}, spec);
                    const Schedule theirs = need(hanayo.build(spec, options, costs));
                    Project project = emptyProject(spec);
                    project.costs = costs;
                    const Proposal ours =
                        need(finishRest(project, FinishRule::BackwardFirst, devices * shareOne));
                    QVERIFY(worstPeak(ours) <= devices * shareOne);
                    const Ticks most = need(simulate(theirs, costs)).makespan * 6 / 5;
                    QVERIFY2(ours.times.times.makespan <= most,
                             qPrintable(QStringLiteral("p %1, m %2, waves %3: %4 above %5")
                                            .arg(devices)
                                            .arg(microBatches)
                                            .arg(waves)
                                            .arg(ours.times.times.makespan)
                                            .arg(most)));
                }
            }
        }
    }

    void aCapInBytesHolds()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.microBatches = 8;
        spec.routes = {Placement::linear(2)};
        Project project = emptyProject(spec);
        UniformCosts uniform;
        uniform.activation = 100;
        Costs costs = expand(uniform, spec);
        costs.weights = {1000, 1000};
        costs.memoryCap = {1200, 1100};
        project.costs = costs;
        const Proposal finished = need(finishRest(project, FinishRule::BackwardFirst));
        QCOMPARE(finished.times.times.devices[0].peakActivation, 200);
        QCOMPARE(finished.times.times.devices[1].peakActivation, 100);
    }

    void forwardFirstWithoutACapIsGPipe()
    {
        const FamilyChoice choice{"gpipe", sized(4, 6)};
        const Project family = done(emptyProject(PipelineSpec{}),
                                    need(fillWithFamily(emptyProject(PipelineSpec{}), choice)));
        const Proposal finished =
            need(finishRest(emptyProject(family.draft.spec), FinishRule::ForwardFirst));
        QCOMPARE(finished.times.times.makespan,
                 need(simulate(need(scheduleOf(family)), costsOf(family))).makespan);
    }

    void whatCannotBeFinishedSaysWhy()
    {
        PipelineSpec spec;
        spec.microBatches = 2;
        const auto narrow = finishRest(emptyProject(spec), FinishRule::BackwardFirst, shareOne / 2);
        QVERIFY(!narrow);
        QCOMPARE(narrow.error().code, ErrorCode::MemoryLimit);
        QCOMPARE(narrow.error().message,
                 std::string("device 0 cannot start F of micro-batch 0 on stage 0: it holds 0 "
                             "micro-batches of activation, and the limit is 0.5"));
        const auto wrong = finishRest(projectFrom("F0 F0\n"), FinishRule::BackwardFirst);
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, ErrorCode::BadSchedule);
        // The ring goes through a pass of stage 1 that is missing.
        const auto ring =
            finishRest(projectFrom("devices: 3\nmicro-batches: 2\nd0: BW0 F1\nd1:\nd2: F1 BW0\n"),
                       FinishRule::ZeroBubble);
        QVERIFY(!ring);
        QCOMPARE(ring.error().code, ErrorCode::Deadlock);
        QCOMPARE(ring.error().message,
                 std::string("deadlock: device 0 waits in BW of micro-batch 0 on stage 0 for BW of "
                             "micro-batch 0 on stage 2; device 2 waits in F of micro-batch 1 on "
                             "stage 2 for F of micro-batch 1 on stage 0"));
    }
};

PW_TEST(TestCompose)
#include "tst_compose.moc"

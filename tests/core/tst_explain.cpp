// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/sim/dependencies.h"
#include "core/sim/explain.h"
#include "core/sim/explanation.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace pw;

namespace {

constexpr Ticks ms = ticksPerMs;

struct Made
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

Made make(const char* id, int p, int m, double hopMs)
{
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    UniformCosts uniform;
    uniform.hop = ticksFromMs(hopMs);
    Schedule schedule = *buildUniform(**findFamily(id), options, uniform);
    Costs costs = expand(uniform, schedule.spec());
    SimResult result = *simulate(schedule, costs);
    return {std::move(schedule), std::move(costs), std::move(result)};
}

} // namespace

class tst_explain : public QObject
{
    Q_OBJECT

private slots:
    void gapsAndPassesFillTheMakespan_data();
    void gapsAndPassesFillTheMakespan();
    void theCriticalPathHasNoSlack_data();
    void theCriticalPathHasNoSlack();
    void aLongerPassOnTheCriticalPathMovesTheEnd();
    void aGapNamesThePassItWaitsFor();
    void aGapNamesTheMessageItWaitsFor();
    void ofInputsThatArriveTogetherTheLaterMadeIsNamed_data();
    void ofInputsThatArriveTogetherTheLaterMadeIsNamed();
    void anUpdateWaitsForTheGradientsOfTheOtherRoute();
    void aGapNamesMissingMemory();
    void theLastGapSaysNothingIsLeft();
};

void tst_explain::gapsAndPassesFillTheMakespan_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<double>("hop");
    QTest::newRow("GPipe") << "gpipe" << 0.0;
    QTest::newRow("1F1B") << "1f1b" << 0.0;
    QTest::newRow("1F1B with links") << "1f1b" << 0.7;
}

void tst_explain::gapsAndPassesFillTheMakespan()
{
    QFETCH(QString, family);
    QFETCH(double, hop);
    const Made made = make(family.toLatin1().constData(), 4, 6, hop);
    for (const DeviceId device : Ids<DeviceId>(4)) {
        Ticks idle = 0;
        for (const Gap& gap : gaps(made.schedule, made.costs, made.result, device)) {
            QVERIFY(gap.end > gap.start);
            QVERIFY(!gap.text.empty());
            idle += gap.end - gap.start;
        }
        const auto at = static_cast<std::size_t>(device);
        QCOMPARE(idle + made.result.devices[at].busy, made.result.makespan);
    }
}

void tst_explain::theCriticalPathHasNoSlack_data()
{
    gapsAndPassesFillTheMakespan_data();
}

void tst_explain::theCriticalPathHasNoSlack()
{
    QFETCH(QString, family);
    QFETCH(double, hop);
    const Made made = make(family.toLatin1().constData(), 4, 6, hop);
    const auto path = criticalPath(made.schedule, made.costs, made.result);
    QVERIFY(path.size() > 1);
    auto start = [&](const CriticalEntry& e) {
        return made.result.start[static_cast<std::size_t>(e.entry)];
    };
    auto end = [&](const CriticalEntry& e) {
        return made.result.end[static_cast<std::size_t>(e.entry)];
    };
    QCOMPARE(start(path.front()), Ticks{0});
    QCOMPARE(path.front().reason, WaitReason::Start);
    QCOMPARE(end(path.back()), made.result.makespan);
    for (std::size_t i = 1; i < path.size(); ++i) {
        const Ticks flight = path[i].reason == WaitReason::Message ? ticksFromMs(hop) : 0;
        QCOMPARE(end(path[i - 1]) + flight, start(path[i]));
    }
}

void tst_explain::aLongerPassOnTheCriticalPathMovesTheEnd()
{
    const Made made = make("1f1b", 4, 6, 0.3);
    for (const CriticalEntry& entry : criticalPath(made.schedule, made.costs, made.result)) {
        Costs longer = made.costs;
        const Pass pass = made.schedule.entry(entry.entry).pass;
        longer.single = {{pass, passTime(made.costs, made.schedule.spec(), pass) + 5 * ms}};
        const auto result = simulate(made.schedule, longer);
        QVERIFY(result.has_value());
        QCOMPARE(result->makespan, made.result.makespan + 5 * ms);
    }
}

void tst_explain::aGapNamesThePassItWaitsFor()
{
    const Made made = make("1f1b", 4, 4, 0);
    const auto first = gaps(made.schedule, made.costs, made.result, DeviceId(3)).front();
    QCOMPARE(first.reason, WaitReason::Dependency);
    QCOMPARE(QString::fromStdString(first.text.english()),
             QString("waits for F of micro-batch 0 on stage 2 (device 2), which ends at 3 ms"));
}

void tst_explain::aGapNamesTheMessageItWaitsFor()
{
    Made made = make("1f1b", 2, 8, 2.5);
    // A fast first stage has its next forward behind it while the gradient still travels.
    made.costs.forward[0] = made.costs.backward[0] = made.costs.weight[0] = ms / 5;
    made.result = *simulate(made.schedule, made.costs);
    const auto all = gaps(made.schedule, made.costs, made.result, DeviceId(0));
    const auto message = std::find_if(
        all.begin(), all.end(), [](const Gap& gap) { return gap.reason == WaitReason::Message; });
    QVERIFY(message != all.end());
    QVERIFY(message->text.english().rfind("waits for the message of BW of micro-batch", 0) == 0);
}

void tst_explain::ofInputsThatArriveTogetherTheLaterMadeIsNamed_data()
{
    QTest::addColumn<int>("forwardMs");
    QTest::addColumn<int>("gradientMs");
    QTest::newRow("the forward") << 1 << 3;
    QTest::newRow("the gradient") << 3 << 1;
}

void tst_explain::ofInputsThatArriveTogetherTheLaterMadeIsNamed()
{
    QFETCH(int, forwardMs);
    QFETCH(int, gradientMs);
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 8;
    const Schedule schedule = *buildUniform(**findFamily("dualpipe"), options, {});
    Costs costs = expand({}, schedule.spec());
    costs.link.bytesPerSecond = 1e6;
    costs.forwardMessage.assign(static_cast<std::size_t>(schedule.spec().stages()),
                                1000 * forwardMs);
    costs.backwardMessage.assign(static_cast<std::size_t>(schedule.spec().stages()),
                                 1000 * gradientMs);
    const SimResult result = *simulate(schedule, costs);
    int pairs = 0;
    for (const DeviceId device : Ids<DeviceId>(4)) {
        for (const EntryId entry : schedule.entries(device)) {
            const Schedule::Places& here = schedule.places()[static_cast<std::size_t>(entry)];
            const Ticks start = result.start[static_cast<std::size_t>(entry)];
            std::vector<Dependency> needs;
            Dependencies(schedule).append(here.first, needs);
            if (here.second.valid())
                Dependencies(schedule).append(here.second, needs);
            std::erase_if(needs, [](const Dependency& need) { return !need.message; });
            // An overlapped pair makes both at once.
            if (needs.size() != 2 || start < 5 * ticksPerMs ||
                schedule.entryOf(needs[0].producer) == schedule.entryOf(needs[1].producer))
                continue;
            // Both are there when the pair begins; who is sooner on its way was made later.
            SimResult times = result;
            times.end[static_cast<std::size_t>(entry) - 1] = start - 4 * ticksPerMs;
            Pass later;
            for (const Dependency& need : needs) {
                const Pass producer = schedule.pass(need.producer);
                const bool forward = producer.kind == PassKind::F;
                times.end[static_cast<std::size_t>(schedule.entryOf(need.producer))] =
                    start - (forward ? forwardMs : gradientMs) * ticksPerMs;
                if (forward == (forwardMs < gradientMs))
                    later = producer;
            }
            const auto all = gaps(schedule, costs, times, device);
            const auto gap = std::find_if(all.begin(), all.end(),
                                          [&](const Gap& one) { return one.next == entry; });
            QVERIFY(gap != all.end());
            QVERIFY2(gap->cause == later, gap->text.english().c_str());
            // The card of the pair names the same.
            const EntryId made = schedule.entryOf(schedule.table().id(later));
            const Explanation card = explainEntry(schedule, costs, times, entry);
            QVERIFY2(card.entries.size() > 1 && card.entries[1] == made,
                     card.sentences[1].english().c_str());
            ++pairs;
        }
    }
    QVERIFY(pairs > 0);
}

void tst_explain::anUpdateWaitsForTheGradientsOfTheOtherRoute()
{
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 2;
    options.updates = true;
    const Schedule schedule = *buildUniform(**findFamily("chimera"), options, {});
    Costs costs = expand({}, schedule.spec());
    costs.link.bytesPerSecond = 1e6;
    costs.backwardMessage.assign(2, 1000);
    costs.gradients.assign(2, 9000);
    const SimResult result = *simulate(schedule, costs);
    for (const DeviceId device : Ids<DeviceId>(2)) {
        const auto all = gaps(schedule, costs, result, device);
        const bool gradients = std::any_of(all.begin(), all.end(), [&](const Gap& gap) {
            return gap.next >= 0 && schedule.entry(gap.next).pass.kind == PassKind::U &&
                   gap.text.english().find("9 ms for its message") != std::string::npos;
        });
        const bool message = std::any_of(all.begin(), all.end(), [&](const Gap& gap) {
            return gap.next >= 0 && schedule.entry(gap.next).pass.kind == PassKind::U &&
                   gap.reason == WaitReason::Message;
        });
        QVERIFY(gradients || message);
    }
}

void tst_explain::aGapNamesMissingMemory()
{
    Made made = make("1f1b", 4, 8, 0);
    made.costs.shareCap = 4 * shareOne;
    const auto all = gaps(made.schedule, made.costs, made.result, DeviceId(0));
    // Device 0 has four activations and waits for the first gradient while F 4 could run.
    QCOMPARE(all.front().reason, WaitReason::Memory);
    QCOMPARE(all.front().cause, (Pass{PassKind::F, 0, StageId(0), 4, 0}));
}

void tst_explain::theLastGapSaysNothingIsLeft()
{
    const Made made = make("1f1b", 4, 8, 0);
    const auto last = gaps(made.schedule, made.costs, made.result, DeviceId(3)).back();
    QCOMPARE(last.reason, WaitReason::Finished);
    QCOMPARE(QString::fromStdString(last.text.english()), QString("nothing left to do"));
}

PW_TEST(tst_explain)
#include "tst_explain.moc"

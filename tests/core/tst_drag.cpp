// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/drag.h"
#include "core/io/schedule_text.h"
#include "tests/support/random_drafts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

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

Drag grab(const Draft& draft, std::vector<EntryAt> grabbed, DragMode mode = DragMode::Strict)
{
    auto drag = Drag::begin(draft, expand(UniformCosts{}, draft.spec), std::move(grabbed), mode);
    if (!drag)
        qFatal("%s", drag.error().message.c_str());
    return *std::move(drag);
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

/// The draft after an edit, done by the door that all edits take.
Draft after(const Draft& draft, const Edit& edit)
{
    Project project;
    project.draft = draft;
    if (const auto done = apply(project, edit); !done)
        qFatal("%s", done.error().message.c_str());
    return project.draft;
}

// 0 1 2 3 4 5 6 7 8 9 ms
// F0 F1 . BW0.. F2 BW1.. BW2..
const char* const oneFOneB = "d0: F0 F1 BW0 F2 BW1 BW2\nd1: F0 BW0 F1 BW1 F2 BW2\n";

} // namespace

class TestDrag : public QObject
{
    Q_OBJECT

private slots:
    void aPassMovesInItsOrder_data()
    {
        QTest::addColumn<int>("position");
        QTest::addColumn<double>("offset");
        QTest::addColumn<QString>("expected");
        // Device 0: F0 0–1, F1 1–2, BW0 4–6, F2 6–7, BW1 7–9, BW2 10–12.
        QTest::newRow("stays while less than a middle is passed")
            << 3 << 0.9 << "F0 F1 BW0 F2 BW1 BW2";
        QTest::newRow("overtakes what does not depend on it") << 3 << 1.1 << "F0 F1 BW0 BW1 F2 BW2";
        QTest::newRow("pushes its own backward along") << 3 << 30.0 << "F0 F1 BW0 BW1 F2 BW2";
        QTest::newRow("goes to the front") << 3 << -7.0 << "F2 F0 F1 BW0 BW1 BW2";
        QTest::newRow("to the left past one") << 3 << -1.5 << "F0 F1 F2 BW0 BW1 BW2";
        QTest::newRow("a forward stops at its backward, not before")
            << 1 << 20.0 << "F0 BW0 F2 F1 BW1 BW2";
    }

    void aPassMovesInItsOrder()
    {
        QFETCH(int, position);
        QFETCH(double, offset);
        QFETCH(QString, expected);
        const Draft draft = draftFrom(oneFOneB);
        Drag drag = grab(draft, {{DeviceId(0), position}});
        const DragTrial& trial = drag.trial(static_cast<Ticks>(offset * ms));
        QVERIFY(!trial.refused());
        QCOMPARE(shown(drag.draft()).section(" | ", 0, 0), expected);
        QVERIFY(after(draft, trial.edit) == drag.draft());
        QVERIFY(drag.schedule() != nullptr);
    }

    void aPlaceBeforeAnInputIsRefusedInWords()
    {
        const Draft draft = draftFrom(oneFOneB);
        // F1 of device 1 runs 4–5 behind BW0; its input is there at 2.
        Drag drag = grab(draft, {{DeviceId(1), 2}});
        QVERIFY(!drag.trial(-ms).refused());
        const DragTrial far = drag.trial(-4 * ms);
        QCOMPARE(refusalText(far.why, draft.spec),
                 std::string("F of micro-batch 1 on stage 1 cannot start before F of "
                             "micro-batch 1 on stage 0 ends at 2 ms"));
        // The nearest place is in front of BW0, whose middle is at 2.
        Drag backward = grab(draft, {{DeviceId(0), 4}});
        QCOMPARE(refusalText(backward.trial(-5 * ms).why, draft.spec),
                 std::string("BW of micro-batch 1 on stage 0 cannot start before BW of micro-batch "
                             "1 on stage 1 ends at 7 ms"));
        QVERIFY(backward.trial(-5 * ms).edit.empty());
        Drag own = grab(draftFrom("F0 F1 BW1 BW0\n"), {{DeviceId(0), 2}});
        QCOMPARE(refusalText(own.trial(-2 * ms).why, draft.spec),
                 std::string("BW of micro-batch 1 on stage 0 cannot "
                             "start before F of micro-batch 1 on stage "
                             "0 ends at 2 ms"));
    }

    void aStrandMovesAsOneBody()
    {
        const Draft draft = draftFrom(oneFOneB);
        // Micro-batch 2 in front of micro-batch 1, on both devices.
        Drag drag = grab(draft, strandOf(draft, 2));
        QCOMPARE(drag.trial(0).grabbed.size(), std::size_t{4});
        QVERIFY(drag.trial(0).edit.empty());
        const DragTrial& trial = drag.trial(-6 * ms);
        QVERIFY(!trial.refused());
        QVERIFY(drag.schedule() != nullptr);
        QVERIFY(after(draft, trial.edit) == drag.draft());
        const QString got = shown(drag.draft());
        QVERIFY2(got.indexOf("F2") < got.indexOf("F1"), qPrintable(got));
    }

    void aFreeDragListsWhatIsWrong()
    {
        const Draft draft = draftFrom(oneFOneB);
        Drag drag = grab(draft, {{DeviceId(0), 4}}, DragMode::Free);
        const DragTrial first = drag.trial(-30 * ms);
        QCOMPARE(shown(drag.draft()).section(" | ", 0, 0), QString("BW1 F0 F1 BW0 F2 BW2"));
        QVERIFY(!first.refused());
        QCOMPARE(first.problems.count, 1);
        QCOMPARE(first.problems.list[0].text,
                 std::string("micro-batch 1 of stage 0 has BW before F"));
        QVERIFY(drag.schedule() == nullptr);
        QVERIFY(!drag.times().blocked.empty());
        // Back where it was everything is well again.
        const DragTrial back = drag.trial(0);
        QVERIFY(back.problems.none());
        QVERIFY(back.edit.empty());
        QVERIFY(drag.schedule() != nullptr);
        QVERIFY(drag.draft() == draft);
    }

    void aFreeDragIntoARingNamesIt()
    {
        Drag drag = grab(draftFrom(oneFOneB), {{DeviceId(0), 1}}, DragMode::Free);
        drag.trial(5 * ms);
        QCOMPARE(shown(drag.draft()).section(" | ", 0, 0), QString("F0 BW0 F2 F1 BW1 BW2"));
        Drag ring = grab(draftFrom("d0: F0 F1 BW0 BW1\nd1: F0 F1 BW0 BW1\n"), {{DeviceId(0), 1}},
                         DragMode::Free);
        ring.trial(4 * ms + ms / 2);
        QCOMPARE(shown(ring.draft()).section(" | ", 0, 0), QString("F0 BW0 F1 BW1"));
        QVERIFY(ringText(ring.times(), ring.draft().spec).english().find("deadlock: ") == 0);
        // The same in strict mode pushes the backward along.
        Drag strict = grab(draftFrom("d0: F0 F1 BW0 BW1\nd1: F0 F1 BW0 BW1\n"), {{DeviceId(0), 1}});
        QVERIFY(strict.trial(4 * ms + ms / 2).edit.empty());
        QCOMPARE(strict.held().times.start[1], 5 * ms + ms / 2);
        QCOMPARE(strict.held().times.start[2], 9 * ms + ms / 2);
    }

    /// Times of what waits in a ring are only drawn; they hold nobody back who mends it.
    void anOrderThatNeverEndsIsMended()
    {
        Draft draft = draftFrom("d0: F0 BW0 F1 BW1\nd1: F1 F0 BW1 BW0\n");
        Drag first = grab(draft, {{DeviceId(1), 1}});
        QCOMPARE(first.times().blocked.size(), std::size_t{2});
        QVERIFY(!first.trial(-ms).refused());
        QCOMPARE(shown(first.draft()).section(" | ", 1), QString("F0 F1 BW1 BW0"));
        draft = first.draft();
        Drag second = grab(draft, {{DeviceId(1), 3}});
        const Ticks behind = second.times().times.start[7] - second.times().times.start[5];
        QVERIFY(!second.trial(-behind).refused());
        QCOMPARE(shown(second.draft()).section(" | ", 1), QString("F0 BW0 F1 BW1"));
        QVERIFY(second.times().blocked.empty());
        QVERIFY(second.schedule() != nullptr);
    }

    /// Nor does a ring let an order become worse.
    void anOrderThatNeverEndsGetsNoSecondRing()
    {
        const Draft draft = draftFrom("d0: F0 F1 BW0 BW1 F2 BW2 F3 BW3\n"
                                      "d1: F0 BW0 F1 BW1 F3 F2 BW3 BW2\n");
        Drag drag = grab(draft, {{DeviceId(0), 1}});
        const std::size_t before = drag.times().blocked.size();
        QVERIFY(before > 0);
        const DraftTimes times = drag.times();
        // Behind BW0 it waits for nothing more.
        QVERIFY(!drag.trial(times.times.end[2] - times.times.end[1]).refused());
        // Behind BW1, which needs it.
        const DragTrial& refused = drag.trial(times.times.end[3] - times.times.end[1]);
        QVERIFY2(refused.refused(), qPrintable(shown(drag.draft())));
        QVERIFY(refused.edit.empty());
        QCOMPARE(drag.times().blocked.size(), before);
    }

    void anUnfinishedDraftIsDragged()
    {
        const Draft draft = draftFrom("devices: 2\nmicro-batches: 4\nd0: F0 F1 F2\nd1: F2 F0\n");
        Drag drag = grab(draft, {{DeviceId(1), 0}});
        const DragTrial& trial = drag.trial(3 * ms);
        QCOMPARE(shown(drag.draft()), QString("F0 F1 F2 | F0 F2"));
        QVERIFY(after(draft, trial.edit) == drag.draft());
        QVERIFY(drag.schedule() == nullptr);
        QVERIFY(drag.trial(-3 * ms).refused());
    }

    void whatIsNotThereCannotBeGrabbed()
    {
        const Draft draft = draftFrom(oneFOneB);
        const Costs costs = expand(UniformCosts{}, draft.spec);
        QVERIFY(!Drag::begin(draft, costs, {}, DragMode::Strict));
        QVERIFY(!Drag::begin(draft, costs, {{DeviceId(0), 6}}, DragMode::Strict));
        QVERIFY(!Drag::begin(draft, costs, {{DeviceId(2), 0}}, DragMode::Strict));
        QVERIFY(!Drag::begin(draft, Costs{}, {{DeviceId(0), 0}}, DragMode::Strict));
    }

    /// In every family, with unequal costs, whatever is grabbed and wherever it goes: a strict drag
    /// gives an order that runs, with the simulator's times, and only grabbed entries change their
    /// order with others; a free drag says what the checker says.
    void randomDragsKeepTheRules_data()
    {
        QTest::addColumn<QString>("id");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }

    void randomDragsKeepTheRules()
    {
        QFETCH(QString, id);
        constexpr unsigned seed = 77;
        qInfo("seed %u", seed);
        std::mt19937 random(seed), views(seed);
        int moved = 0, left = 0;
        for (int round = 0; round < 25; ++round) {
            const Schedule whole = familySchedule(**findFamily(id.toStdString()), random);
            Draft draft = draftOf(whole);
            const Costs costs = randomCosts(whole.spec(), random);
            // Blocking sends, where the family's order runs with them.
            draft.spec.messages = MessageRule::Committed;
            if (round % 4 != 2 || !simulate(*Schedule::make(draft.spec, draft.orders), costs))
                draft.spec.messages = MessageRule::Early;
            const bool early = draft.spec.messages == MessageRule::Early;
            std::vector<EntryAt> grabbed;
            if (round % 5 == 4) {
                grabbed = strandOf(draft, below(random, draft.spec.totalMicroBatches()));
            } else {
                for (int count = 1 + below(random, 3); count > 0; --count) {
                    const int device = below(random, draft.spec.devices);
                    const auto& order = draft.orders[static_cast<std::size_t>(device)];
                    grabbed.push_back(
                        {DeviceId(device), below(random, static_cast<int>(order.size()))});
                }
            }
            const DragMode mode = round % 2 == 0 ? DragMode::Strict : DragMode::Free;
            auto begun = Drag::begin(draft, costs, grabbed, mode);
            QVERIFY(begun);
            Drag drag = *std::move(begun);
            const Ticks reach = drag.times().times.makespan + 1;
            for (int attempt = 0; attempt < 12; ++attempt) {
                const Ticks offset = static_cast<Ticks>(random() % 2001) * reach / 1000 - reach;
                const DragTrial trial = drag.trial(offset);
                const Draft got = after(draft, trial.edit);
                QVERIFY(got == drag.draft());
                moved += trial.edit.empty() ? 0 : 1;
                const auto found = problems(got);
                QVERIFY(found);
                if (mode == DragMode::Strict) {
                    QVERIFY2(found->none(), found->none() ? "" : found->list[0].text.c_str());
                    const auto schedule = Schedule::make(got.spec, got.orders);
                    const auto times = simulate(*schedule, costs);
                    QVERIFY2(times, times ? "" : times.error().message.c_str());
                    QVERIFY(*times == drag.times().times);
                    QVERIFY(drag.schedule() != nullptr);
                    QVERIFY(*drag.schedule() == *schedule);
                    QVERIFY(offset < 0 || !trial.refused() || draft.spec.updates || !early);
                } else {
                    QVERIFY(!trial.refused());
                    QCOMPARE(trial.problems.count, found->count);
                    const auto times = draftTimes(got, costs);
                    QVERIFY(*times == drag.times());
                    QCOMPARE(drag.schedule() != nullptr, found->none() && times->blocked.empty());
                }
                // Held entries are where the pointer is, or later, and everything else is pushed.
                QVERIFY(leftOut(drag, views, left));
                const DraftTimes held = drag.held();
                for (std::size_t i = 0; i < held.times.start.size(); ++i) {
                    if (held.blocked.empty() && drag.times().blocked.empty())
                        QVERIFY(held.times.start[i] >= drag.times().times.start[i] ||
                                !draftIsMonotone(costs));
                }
            }
            QVERIFY(drag.trial(0).edit.empty());
            QVERIFY(drag.draft() == draft);
        }
        QVERIFY(moved > 20);
        QVERIFY(left > 20);
    }

private:
    /// Whether held times up to somewhere are all of them up to there; counts those left out.
    static bool leftOut(Drag& drag, std::mt19937& random, int& left)
    {
        const Ticks until = below(random, 1200) * drag.times().times.makespan / 1000;
        const SimResult seen = drag.held(until).times;
        const SimResult& held = drag.held().times;
        for (std::size_t i = 0; i < held.start.size(); ++i) {
            const bool none = seen.start[i] == Simulator::never;
            if (none ? held.start[i] <= until || seen.end[i] != Simulator::never
                     : seen.start[i] != held.start[i] || seen.end[i] != held.end[i])
                return false;
            left += none ? 1 : 0;
        }
        return true;
    }

    /// Messages over a link that becomes faster can overtake; then holding can help.
    static bool draftIsMonotone(const Costs& costs) { return costs.linkTrace.empty(); }
};

PW_TEST(TestDrag)
#include "tst_drag.moc"

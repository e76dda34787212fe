// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/event_clock.h"
#include "core/sim/list_scheduler.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <vector>

using namespace pw;

namespace {

/// Takes the greatest number that may start; each takes as many ticks as it says.
struct GreatestFirst
{
    explicit GreatestFirst(ListScheduler<int>& clock)
        : scheduler(clock)
    {
    }
    void take(DeviceId device, int number) { waiting[device.index()].push_back(number); }
    void ended(DeviceId) { ++ends; }
    void choose(DeviceId device)
    {
        ++choices;
        std::vector<int>& mine = waiting[device.index()];
        if (!scheduler.isFree(device) || mine.empty())
            return;
        const auto greatest = std::max_element(mine.begin(), mine.end());
        const int number = *greatest;
        mine.erase(greatest);
        scheduler.start(device, single({PassKind::F, 0, StageId(0), number, 0}), number);
    }

    ListScheduler<int>& scheduler;
    std::vector<int> waiting[2];
    int ends = 0;
    int choices = 0;
};

std::vector<int> numbersOf(const std::vector<OrderEntry>& order)
{
    std::vector<int> numbers;
    for (const OrderEntry& entry : order)
        numbers.push_back(entry.pass.microBatch);
    return numbers;
}

} // namespace

class TestEventClock : public QObject
{
    Q_OBJECT

private slots:
    void eventsComeByTimeAndThenAsTheyWereAdded()
    {
        EventClock<int> clock;
        clock.add(7, 1);
        clock.add(3, 2);
        clock.add(7, 3);
        std::vector<int> now;
        clock.next(now);
        QCOMPARE(clock.now(), Ticks(3));
        QCOMPARE(now, std::vector<int>{2});
        clock.next(now);
        QCOMPARE(clock.now(), Ticks(7));
        QCOMPARE(now, (std::vector<int>{1, 3}));
        QVERIFY(clock.empty());
    }

    void whatTakesNoTimeComesInTheSameInstant()
    {
        EventClock<int> clock;
        clock.add(5, 1);
        std::vector<int> now;
        clock.next(now);
        QVERIFY(!clock.moreNow());
        clock.add(6, 3);
        QVERIFY(!clock.moreNow());
        clock.add(5, 2);
        QVERIFY(clock.moreNow());
        clock.next(now);
        QCOMPARE(clock.now(), Ticks(5));
        QCOMPARE(now, std::vector<int>{2});
        QVERIFY(!clock.moreNow());
    }

    /// All that an instant brings is there before a device chooses, and a device that is busy takes
    /// nothing.
    void aFreeDeviceChoosesAmongAllThatAnInstantBrings()
    {
        ListScheduler<int> scheduler(2);
        GreatestFirst rule(scheduler);
        scheduler.ready(1, DeviceId(0), 3);
        scheduler.ready(1, DeviceId(0), 5);
        scheduler.ready(2, DeviceId(0), 9);
        scheduler.ready(4, DeviceId(1), 2);
        scheduler.run(rule);
        // 5 from 1 to 6, then what waits by its size: 9 to 15, 3 to 18.
        QCOMPARE(numbersOf(scheduler.order(DeviceId(0))), (std::vector<int>{5, 9, 3}));
        QCOMPARE(scheduler.now(), Ticks(18));
        QCOMPARE(rule.ends, 4);
        QCOMPARE(numbersOf(scheduler.takeOrders()[1]), std::vector<int>{2});
    }

    /// What others do is no reason for a device to look again.
    void aDeviceThatNothingComesToIsNotAsked()
    {
        ListScheduler<int> scheduler(2);
        GreatestFirst rule(scheduler);
        for (int i = 1; i <= 4; ++i)
            scheduler.ready(10 * i, DeviceId(1), 1);
        scheduler.run(rule);
        QCOMPARE(rule.choices, 8); // each comes and ends
        QVERIFY(scheduler.order(DeviceId(0)).empty());
    }
};

PW_TEST(TestEventClock)
#include "tst_event_clock.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/event_clock.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <vector>

using namespace pw;

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
};

PW_TEST(TestEventClock)
#include "tst_event_clock.moc"

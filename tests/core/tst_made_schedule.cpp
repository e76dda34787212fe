// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/stop.h"
#include "core/io/made_schedule.h"
#include "core/search/v_auto.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <thread>

using namespace pw;

namespace {

/// @param forward  ticks; what is remembered of one time says nothing of another
Project projectFor(const char* family, int devices, int microBatches, Ticks forward)
{
    Project project;
    project.family = FamilyChoice{family, {}};
    project.family->options.devices = devices;
    project.family->options.microBatches = microBatches;
    UniformCosts costs;
    costs.forward = forward;
    costs.hop = 7;
    project.costs = costs;
    const Result<PipelineSpec> spec = specOf(**findFamily(family), project.family->options);
    if (!spec)
        qFatal("%s", spec.error().message.c_str());
    project.draft.spec = *spec;
    return project;
}

constexpr std::chrono::milliseconds none(0);

} // namespace

class TestMadeSchedule : public QObject
{
    Q_OBJECT

private slots:
    void withoutAScopeNothingStops() { QVERIFY(!stopAsked()); }

    void theInnermostScopeCountsAndStays()
    {
        std::atomic<bool> flag = false;
        const StopScope outer(flag);
        QVERIFY(!stopAsked());
        {
            const StopScope inner(std::chrono::steady_clock::now());
            QVERIFY(stopAsked());
        }
        QVERIFY(!stopAsked());
        flag = true;
        QVERIFY(stopAsked());
        flag = false;
        QVERIFY(stopAsked());
    }

    void aScopeIsOfItsThread()
    {
        const std::atomic<bool> flag = true;
        const StopScope scope(flag);
        bool elsewhere = true;
        std::thread([&elsewhere] { elsewhere = stopAsked(); }).join();
        QVERIFY(stopAsked());
        QVERIFY(!elsewhere);
    }

    void aStoppedSearchSaysSo()
    {
        const std::atomic<bool> flag = true;
        const StopScope scope(flag);
        const auto order = vAutoOrder(VProblem::uniform(8, 32, 10, 11, 9, 1), 8);
        QVERIFY(!order);
        QCOMPARE(order.error().code, ErrorCode::Cancelled);
    }

    void familiesTakeTheirTime_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<int>("making");
        QTest::newRow("plain") << QByteArray("1f1b") << 8 << 32 << int(Making::Quick);
        QTest::newRow("plain and very large")
            << QByteArray("1f1b") << 128 << 512 << int(Making::Slow);
        QTest::newRow("a small search")
            << QByteArray("zb-auto") << 4 << 8 << int(Making::Uncertain);
        QTest::newRow("a search") << QByteArray("v-auto") << 8 << 16 << int(Making::Slow);
    }
    void familiesTakeTheirTime()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QTEST(int(makingOf(projectFor(family.constData(), devices, microBatches, 10))), "making");
    }

    void anOwnOrderIsQuick()
    {
        Project project = projectFor("zb-auto", 16, 64, 10);
        project.family.reset();
        QCOMPARE(makingOf(project), Making::Quick);
    }

    void whatTookLongIsRemembered()
    {
        const Project project = projectFor("v-auto", 4, 16, 11);
        QVERIFY(!madeAtOnce(project, none));
        const Result<SchedulePtr> made = madeSchedule(project);
        QVERIFY(made);
        QVERIFY(madeAtOnce(project, none));
        QCOMPARE(madeSchedule(project)->get(), made->get());
        QCOMPARE(*scheduleOf(project), **made);
        // Words about it change nothing, costs do.
        Project other = project;
        other.title = "other";
        QVERIFY(madeAtOnce(other, none));
        other.costs = UniformCosts{};
        QVERIFY(!madeAtOnce(other, none));
    }

    void whatWasStoppedIsNotRemembered()
    {
        const Project project = projectFor("zb-auto", 8, 16, 12);
        {
            const std::atomic<bool> flag = true;
            const StopScope scope(flag);
            (void)madeSchedule(project);
        }
        QVERIFY(!madeAtOnce(project, none));
    }

    void aSmallSearchIsTriedForAWhile()
    {
        const Project project = projectFor("v-auto", 2, 4, 13);
        QVERIFY(!madeAtOnce(project, none));
        QVERIFY(madeAtOnce(project, std::chrono::hours(1)));
        QVERIFY(madeAtOnce(project, none));
    }

    void whatAHistoryKeepsIsKnownAgain()
    {
        const Project project = projectFor("v-auto", 4, 20, 14);
        const Result<SchedulePtr> kept = madeSchedule(projectFor("v-auto", 4, 20, 15));
        QVERIFY(kept);
        rememberSchedule(project, *kept);
        QCOMPARE(madeSchedule(project)->get(), kept->get());
    }

    void theOldestIsForgotten()
    {
        const Project first = projectFor("v-auto", 2, 3, 16);
        const SchedulePtr made = *madeSchedule(first);
        for (int other = 0; other < 40; ++other)
            QVERIFY(madeSchedule(projectFor("v-auto", 2, 3, 100 + other)));
        const SchedulePtr again = *madeSchedule(first);
        QVERIFY(again != made);
        QCOMPARE(*again, *made);
    }

    void aFailureIsToldAsTheFamilyTellsIt()
    {
        Project project = projectFor("zb-auto", 8, 16, 17);
        project.family->options.parameters = {{"memory-limit", 0.5}};
        const Result<SchedulePtr> made = madeSchedule(project);
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::MemoryLimit);
    }
};

PW_TEST(TestMadeSchedule)
#include "tst_made_schedule.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/io/schedule_text.h"
#include "core/lesson/field.h"
#include "core/lesson/ready.h"
#include "core/lesson/standing.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

using namespace pw;

namespace {

/// A level of two devices with two micro-batches.
Lesson levelWith(const std::string& goals, const std::string& orders, int devices = 2,
                 int microBatches = 2)
{
    std::string text = R"({"pipewright_lesson": 1, "title": "t", "summary": "s", "steps": [{
        "title": "t", "text": "x", "level": {"task": "t",
        "start": {"devices": D, "micro_batches": M, "orders": [ORDERS]},
        "goals": [GOALS], "par": {"time_ms": 9},
        "hints": {"say": "a", "show": "b"}, "demonstration": []}}]})";
    const auto put = [&](const std::string& what, const std::string& by) {
        text.replace(text.find(what), what.size(), by);
    };
    put("D,", std::to_string(devices) + ",");
    put("M,", std::to_string(microBatches) + ",");
    put("ORDERS", orders);
    put("GOALS", goals);
    auto lesson = readLesson(text, "t");
    if (!lesson)
        qFatal("%s", lesson.error().message.c_str());
    return *lesson;
}

QString textOf(const std::vector<ReadyPass>& ready)
{
    QStringList all;
    for (const ReadyPass& one : ready)
        all << QStringLiteral("%1:%2%3@%4")
                   .arg(one.device)
                   .arg(QString::fromUtf8(name(one.pass.kind).data()))
                   .arg(one.pass.microBatch)
                   .arg(one.start / ticksPerMs);
    return all.join(QLatin1Char(' '));
}

Project after(Project project, const Edit& edit)
{
    if (const auto done = apply(project, edit); !done)
        qFatal("%s", done.error().message.c_str());
    return project;
}

QString ordersOf(const Project& project)
{
    QStringList lines;
    for (const std::string& line : writeOrders(project.draft))
        lines << QString::fromStdString(line);
    return lines.join(QStringLiteral(" | "));
}

} // namespace

/// What can come next in a level, and what is placed for a person.
class TestLessonReady : public QObject
{
    Q_OBJECT

private slots:
    void whatIsReady_data()
    {
        QTest::addColumn<QByteArray>("orders");
        QTest::addColumn<QByteArray>("goals");
        QTest::addColumn<QString>("ready");
        const QByteArray whole = R"({"complete": true})";
        QTest::newRow("nothing is there") << QByteArray(R"("", "")") << whole << "0:F0@0";
        QTest::newRow("one forward") << QByteArray(R"("F0", "")") << whole << "0:F1@1 1:F0@1";
        QTest::newRow("a choice") << QByteArray(R"("F0 F1", "F0")") << whole << "1:F1@2 1:BW0@2";
        QTest::newRow("the peak has no room")
            << QByteArray(R"("F0", "F0")") << QByteArray(R"({"peak": 1})") << "1:BW0@2";
        QTest::newRow("backwards in any order")
            << QByteArray(R"("F0 F1", "F0 F1")") << whole << "1:BW0@3";
        QTest::newRow("backwards of an order by name")
            << QByteArray(R"("F0 F1", "F0 F1")") << QByteArray(R"({"family": "gpipe"})")
            << "1:BW0@3 1:BW1@3";
        QTest::newRow("the last one that can come")
            << QByteArray(R"("F0 F1", "F0")") << QByteArray(R"({"family": "1f1b"})")
            << "1:F1@2 1:BW0@2";
        QTest::newRow("all is there")
            << QByteArray(R"("F0 F1 BW0 BW1", "F0 BW0 F1 BW1")") << whole << "";
        QTest::newRow("a wrong order") << QByteArray(R"("BW0 F0", "")") << whole << "";
    }

    void whatIsReady()
    {
        QFETCH(QByteArray, orders);
        QFETCH(QByteArray, goals);
        QFETCH(QString, ready);
        const Lesson lesson = levelWith(goals.toStdString(), orders.toStdString());
        QCOMPARE(textOf(readyPasses(lesson.level(0), lesson.level(0).start)), ready);
    }

    void aReadyPassIsPlaced()
    {
        const Lesson lesson = levelWith(R"({"complete": true})", R"("F0", "")");
        const Project& start = lesson.level(0).start;
        const auto ready = readyPasses(lesson.level(0), start);
        QCOMPARE(ordersOf(after(start, placeReady(start, ready[1]))), QStringLiteral("F0 | F0"));
    }

    void aMicroBatchIsCompleted()
    {
        const Lesson lesson = levelWith(R"({"complete": true})", R"("F0 F1", "")");
        const Project& start = lesson.level(0).start;
        const ReadyRun run = completeMicroBatch(lesson.level(0), start, 1);
        QCOMPARE(run.passes, 3);
        QCOMPARE(ordersOf(after(start, run.edit)), QStringLiteral("F0 F1 BW1 | F1 BW1"));
        const Project then = after(start, run.edit);
        const ReadyRun again = completeMicroBatch(lesson.level(0), then, 1);
        QCOMPARE(again.passes, 0);
        QVERIFY(again.edit.empty());
        QVERIFY(again.end == ReadyEnd::WasComplete);
        QCOMPARE(again.first.microBatch, 1);
    }

    void theRunStopsAtAChoice()
    {
        const Lesson lesson = levelWith(R"({"complete": true})", R"("", "")");
        const Project& start = lesson.level(0).start;
        const ReadyRun run = runUntilChoice(lesson.level(0), start);
        QCOMPARE(ordersOf(after(start, run.edit)), QStringLiteral("F0 F1 | F0"));
        QVERIFY(run.end == ReadyEnd::Choice);
        QCOMPARE(run.device, 1);
        QVERIFY(run.first != run.second);
    }

    /// With a cap of one there is nothing to decide: one micro-batch after the other.
    void withoutAChoiceItRunsToTheEnd()
    {
        const Lesson lesson =
            levelWith(R"({"complete": true}, {"peak": 1})", R"("", "", "")", 3, 4);
        const Project& start = lesson.level(0).start;
        const ReadyRun run = runUntilChoice(lesson.level(0), start);
        const Project project = after(start, run.edit);
        QVERIFY2(standingOf(lesson.level(0), project).solved(),
                 ordersOf(project).toUtf8().constData());
        QCOMPARE(run.passes, 24);
        QVERIFY(run.end == ReadyEnd::Whole);
    }

    /// Whoever takes what is offered, however, comes to an end in every shipped level of orders
    /// without a limit, and makes nothing wrong on the way.
    void whatIsOfferedIsNeverWrong()
    {
        int levels = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson);
            for (int i = 0; i < lesson->levels(); ++i) {
                const LessonLevel& level = lesson->level(i);
                if (level.freedom != Freedom::Order)
                    continue;
                ++levels;
                Project project = level.start;
                unsigned pick = 7;
                for (int step = 0; step < 400; ++step) {
                    const auto ready = readyPasses(level, project);
                    if (ready.empty())
                        break;
                    pick = pick * 1103515245U + 12345U;
                    const auto& one = ready[(pick >> 16) % ready.size()];
                    project = after(project, placeReady(project, one));
                    const Standing now = standingOf(level, project);
                    QVERIFY2(now.trouble.empty(), now.trouble.c_str());
                }
            }
        }
        QVERIFY(levels > 30);
    }

    void theFieldHasTheFamilies()
    {
        const Lesson lesson = levelWith(R"({"complete": true})", R"("", "", "", "")", 4, 8);
        const auto field = familyField(lesson.level(0), 8);
        const auto find = [&](const std::string& id) {
            for (const FieldPoint& point : field)
                if (point.family == id)
                    return point;
            return FieldPoint{};
        };
        // (m + p − 1)(T_F + T_BW), peaks m and p.
        QCOMPARE(find("gpipe").makespan, 33 * ticksPerMs);
        QCOMPARE(find("gpipe").peak, 8 * shareOne);
        QCOMPARE(find("1f1b").makespan, 33 * ticksPerMs);
        QCOMPARE(find("1f1b").peak, 4 * shareOne);
        QVERIFY(find("zb-h1").makespan < 33 * ticksPerMs);
        // No flush: another thing.
        QCOMPARE(find("pipedream").makespan, Ticks{0});
        QVERIFY(field.size() >= 12);
        // Beside a solution with as many micro-batches as were chosen.
        for (const FieldPoint& point : familyField(lesson.level(0), 16))
            if (point.family == "gpipe")
                QCOMPARE(point.makespan, 57 * ticksPerMs);
    }

    /// Devices that were measured keep their times in families that cut them into chunks.
    void unequalDevicesKeepTheirWorkInChunks()
    {
        const auto lesson = shippedLesson("16-a-measured-run");
        const LessonLevel& level = lesson->level(2);
        const Costs& costs = std::get<Costs>(level.start.costs);
        Ticks busiest = 0;
        for (std::size_t d = 0; d < costs.forward.size(); ++d)
            busiest =
                std::max(busiest, level.start.draft.spec.microBatches *
                                      (costs.forward[d] + costs.backward[d] + costs.weight[d]));
        const auto field = familyField(level, level.start.draft.spec.microBatches);
        QVERIFY(field.size() >= 6);
        int folded = 0;
        for (const FieldPoint& point : field) {
            // Chunks of odd nanoseconds lose a fraction each.
            QVERIFY2(point.makespan > busiest - 1000, point.family.c_str());
            folded += point.family == "zb-v" || point.family == "interleaved-1f1b";
        }
        QCOMPARE(folded, 2);
    }
};

PW_TEST(TestLessonReady)
#include "tst_lesson_ready.moc"

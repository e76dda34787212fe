// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/families/family.h"
#include "core/lesson/block_search.h"
#include "core/lesson/field.h"
#include "core/lesson/gifts.h"
#include "core/lesson/level_draft.h"
#include "core/lesson/order_search.h"
#include "core/lesson/par.h"
#include "core/lesson/play.h"
#include "core/lesson/practice.h"
#include "core/lesson/results.h"
#include "core/lesson/standing.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

using namespace pw;

namespace {

constexpr Share noCap = shareOne * 1000;

/// Every order of a device's passes in which F, B and W of a cell follow each other.
std::vector<std::vector<OrderEntry>> allOrders(const OrderSpace& space, int device)
{
    std::vector<OrderEntry> passes;
    for (const StageId s : Ids<StageId>(space.spec.stages()))
        for (int j = 0; j < space.spec.microBatches; ++j)
            for (const PassKind kind : space.kinds)
                if (space.spec.device(0, s) == device)
                    passes.push_back(single({kind, 0, s, j, 0}));
    std::vector<int> places(passes.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = static_cast<int>(i);
    std::vector<std::vector<OrderEntry>> all;
    do {
        bool sound = true;
        std::vector<std::size_t> at(passes.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            at[static_cast<std::size_t>(places[i])] = i;
        for (std::size_t i = 0; i + 1 < passes.size() && sound; ++i) {
            const bool sameCell = passes[i].pass.stage == passes[i + 1].pass.stage &&
                                  passes[i].pass.microBatch == passes[i + 1].pass.microBatch;
            sound = !sameCell || at[i] < at[i + 1];
        }
        if (!sound)
            continue;
        all.emplace_back();
        for (const int place : places)
            all.back().push_back(passes[static_cast<std::size_t>(place)]);
    } while (std::next_permutation(places.begin(), places.end()));
    return all;
}

/// The least makespan of all orders of two devices that hold a cap, one by one.
std::optional<Ticks> leastTime(const OrderSpace& space, Share cap)
{
    std::optional<Ticks> least;
    const auto first = allOrders(space, 0);
    const auto second = allOrders(space, 1);
    Simulator simulator;
    SimResult result;
    for (const auto& a : first) {
        for (const auto& b : second) {
            const auto schedule = Schedule::make(space.spec, {a, b});
            if (!schedule || !simulator.run(*schedule, space.costs, result))
                continue;
            const Share peak = std::max(result.devices[0].peakShare, result.devices[1].peakShare);
            if (peak <= cap)
                least = std::min(least.value_or(result.makespan), result.makespan);
        }
    }
    return least;
}

OrderSpace spaceOf(int microBatches, std::vector<PassKind> kinds, const UniformCosts& costs)
{
    OrderSpace space;
    space.spec.devices = 2;
    space.spec.microBatches = microBatches;
    space.spec.routes = {Placement::linear(2)};
    space.costs = expand(costs, space.spec);
    space.kinds = std::move(kinds);
    return space;
}

const char* const smallLesson = R"({
  "pipewright_lesson": 1, "title": {"en": "Small", "de": "Klein"}, "summary": "s",
  "steps": [ { "title": "t", "text": "x", "level": {
    "task": "do", "start": {"devices": 2, "micro_batches": 2},
    "goals": [{"complete": true}, {"makespan_ms": 12}],
    "par": {"time_ms": 9, "memory": 1},
    "hints": {"say": "a", "show": "b", "device": 0, "pass": "F0", "do": 2},
    "demonstration": {"orders": ["F0 F1 BW0 BW1", "F0 BW0 F1 BW1"]} } } ] })";

Lesson small()
{
    auto lesson = readLesson(smallLesson, "small");
    if (!lesson)
        qFatal("%s", lesson.error().message.c_str());
    return *lesson;
}

} // namespace

class TestLesson : public QObject
{
    Q_OBJECT

private slots:
    void everyLessonIsProven_data()
    {
        QTest::addColumn<QString>("id");
        for (const ShippedLesson& lesson : shippedLessons()) {
            const QString id = QString::fromUtf8(lesson.id.data(), qsizetype(lesson.id.size()));
            QTest::newRow(qPrintable(id)) << id;
        }
    }

    /// Its demonstrations solve its levels, its pars are what a search finds, its pictures draw.
    void everyLessonIsProven()
    {
        QFETCH(QString, id);
        const auto lesson = shippedLesson(id.toStdString());
        QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
        for (const std::string& problem : checkPictures(*lesson))
            QFAIL(problem.c_str());
        QVERIFY(lesson->levels() >= 1);
        QVERIFY(!lesson->source.empty());
        for (int i = 0; i < lesson->levels(); ++i) {
            const LevelCheck check = checkLevel(lesson->level(i));
            for (const std::string& problem : check.problems)
                QFAIL(("level " + std::to_string(i + 1) + " " + problem).c_str());
            QVERIFY(check.proof.proven);
        }
    }

    void thereAreEnoughAndTheyAreOneThread()
    {
        int levels = 0;
        std::set<std::string> reached;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson);
            levels += lesson->levels();
            if (!lesson->next.empty()) {
                QVERIFY(shippedLesson(lesson->next));
                reached.insert(lesson->next);
            }
        }
        QVERIFY(shippedLessons().size() >= 16);
        QVERIFY(levels >= 60);
        QCOMPARE(reached.size(), shippedLessons().size() - 1);
    }

    /// The search leaves out what cannot matter: it finds what looking at every order finds.
    void theSearchFindsTheBestOfAllOrders_data()
    {
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<bool>("split");
        QTest::newRow("two, unsplit") << 2 << false;
        QTest::newRow("three, unsplit") << 3 << false;
        QTest::newRow("two, split") << 2 << true;
    }

    void theSearchFindsTheBestOfAllOrders()
    {
        QFETCH(int, microBatches);
        QFETCH(bool, split);
        std::mt19937 random(7);
        std::uniform_int_distribution<Ticks> time(1, 5);
        for (int round = 0; round < (split ? 4 : 12); ++round) {
            OrderSpace space = spaceOf(microBatches,
                                       split ? std::vector{PassKind::F, PassKind::B, PassKind::W}
                                             : std::vector{PassKind::F, PassKind::BW},
                                       {});
            for (auto* table : {&space.costs.forward, &space.costs.backward, &space.costs.weight})
                for (Ticks& entry : *table)
                    entry = time(random);
            space.costs.link.latency = time(random) - 1;
            for (const Share cap : {shareOne, 2 * shareOne, noCap}) {
                const auto least = leastTime(space, cap);
                QVERIFY(least);
                const auto reached = findOrder(space, *least, cap, 1'000'000);
                QVERIFY(reached && reached->order);
                const auto schedule = Schedule::make(space.spec, *reached->order);
                QVERIFY(schedule);
                QCOMPARE(simulate(*schedule, space.costs)->makespan, *least);
                const auto less = findOrder(space, *least - 1, cap, 1'000'000);
                QVERIFY(less && less->finished);
                QVERIFY(!less->order);
            }
        }
    }

    /// One chunk, unsplit: nothing is below (m + p − 1)(T_F + T_BW).
    void knownBoundsComeOut()
    {
        for (int p = 2; p <= 5; ++p) {
            OrderSpace space = spaceOf(4, {PassKind::F, PassKind::BW}, {});
            space.spec.devices = p;
            space.spec.routes = {Placement::linear(p)};
            space.costs = expand(UniformCosts{}, space.spec);
            const Ticks known = (4 + p - 1) * 3 * ticksPerMs;
            QVERIFY(findOrder(space, known, noCap, 1'000'000)->order);
            const auto less = findOrder(space, known - 1, noCap, 1'000'000);
            QVERIFY(less->finished && !less->order);
        }
    }

    void aSearchThatIsCutShortProvesNothing()
    {
        OrderSpace space = spaceOf(4, {PassKind::F, PassKind::B, PassKind::W}, {});
        const auto answer = findOrder(space, serialTime(space), noCap, 2);
        QVERIFY(answer);
        QVERIFY(!answer->finished && !answer->order);
        Lesson lesson = small();
        const LevelCheck check = checkLevel(lesson.level(0), 2);
        QVERIFY(!check.problems.empty());
    }

    void blocksAreSearched()
    {
        BuildingBlock block;
        block.devices = 2;
        block.routes = {Placement::linear(2)};
        for (const StageId s : Ids<StageId>(2))
            for (const PassKind kind : {PassKind::F, PassKind::B, PassKind::W})
                block.passes.push_back({{kind, 0, s, 0, 0}, 0, 1});
        const auto found = findBlock({block, 3, 2 * shareOne, {}}, 1'000'000);
        QVERIFY(found && found->block);
        const auto peaks = predictedPeak(*found->block);
        QVERIFY(*std::max_element(peaks.begin(), peaks.end()) <= 2 * shareOne);
        const auto none = findBlock({block, 2, noCap, {}}, 1'000'000);
        QVERIFY(none && none->finished && !none->block);
    }

    /// A search that is cut less is held against trying all places of a small block.
    void theLeastPeakOfABlockIsThatOfAllPlaces()
    {
        BuildingBlock block;
        block.devices = 2;
        block.routes = {Placement::vShape(2)};
        for (const StageId s : Ids<StageId>(4))
            for (const PassKind kind : {PassKind::F, PassKind::BW})
                block.passes.push_back({{kind, 0, s, 0, 0}, 0, kind == PassKind::F ? 1 : 2});
        constexpr Ticks interval = 6;
        Share least = noCap;
        // Forwards down, backwards up; each up to an interval later than it could.
        std::vector<std::size_t> chain = {0, 2, 4, 6, 7, 5, 3, 1};
        const std::function<void(std::size_t, Ticks)> placeAll = [&](std::size_t at, Ticks ready) {
            if (at == chain.size()) {
                block.interval = interval;
                if (!collisions(block).empty())
                    return;
                const auto peaks = predictedPeak(block);
                least = std::min(least, *std::max_element(peaks.begin(), peaks.end()));
                return;
            }
            BlockPass& pass = block.passes[chain[at]];
            for (Ticks gap = 0; gap < (at == 0 ? 1 : interval); ++gap) {
                pass.start = ready + gap;
                placeAll(at + 1, pass.end());
            }
        };
        placeAll(0, 0);
        QVERIFY(least < noCap);
        const auto found = findBlock({block, interval, least, {}}, 10'000'000);
        QVERIFY(found && found->block);
        const auto less = findBlock({block, interval, least - 1, {}}, 10'000'000);
        QVERIFY(less && less->finished && !less->block);
    }

    void blocksAreAskedForTheirRepetition_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("uneven");
        QTest::addColumn<int>("ms");
        QTest::newRow("V-Min, equal") << "v-min" << false << 59;
        QTest::newRow("V-Half, equal") << "v-half" << false << 53;
        QTest::newRow("V-ZB, equal") << "v-zb" << false << 51;
        QTest::newRow("V-Min, unequal") << "v-min" << true << 117;
        QTest::newRow("V-Half, unequal") << "v-half" << true << 95;
    }

    void blocksAreAskedForTheirRepetition()
    {
        QFETCH(QString, family);
        QFETCH(bool, uneven);
        QFETCH(int, ms);
        const auto lesson = shippedLesson("11-v-shapes");
        QVERIFY(lesson.has_value());
        const LessonLevel& level = lesson->level(uneven ? 3 : 4);
        Project project = level.start;
        FamilyOptions options;
        options.devices = 4;
        options.microBatches = 8;
        const auto block = (*findFamily(family.toStdString()))->block(options);
        QVERIFY(block.has_value());
        project.blocks = {*block};
        const Standing standing = standingOf(level, project);
        QVERIFY2(standing.trouble.empty(), std::string(standing.trouble).c_str());
        QCOMPARE(standing.repeated, ms * ticksPerMs);
        // Each level is solved by the block that it is about, and visibly not by the others.
        const bool solves = uneven ? family == "v-half" : family == "v-zb";
        QCOMPARE(standing.solved(), solves);
        const GoalStanding& goal = standing.goals.back();
        QCOMPARE(goal.text, uneven ? std::string("makespan at most 105 ms")
                                   : std::string("makespan at most 52 ms"));
        QCOMPARE(goal.nowText, std::to_string(ms) + " ms");
        QCOMPARE(goal.met, solves);
    }

    void aMedalThatEverySolutionWinsIsFound_data()
    {
        QTest::addColumn<QString>("goals");
        QTest::addColumn<QStringList>("gifts");
        QTest::newRow("nothing asked") << "" << QStringList{"messages"};
        QTest::newRow("the par of time")
            << ", {\"makespan_ms\": 9}" << QStringList{"time", "messages"};
        QTest::newRow("more than the par") << ", {\"makespan_ms\": 10}" << QStringList{"messages"};
        QTest::newRow("the par of memory")
            << ", {\"peak\": 1}" << QStringList{"memory", "messages"};
        QTest::newRow("one order")
            << ", {\"family\": \"1f1b\"}" << QStringList{"time", "memory", "messages"};
    }

    void aMedalThatEverySolutionWinsIsFound()
    {
        QFETCH(QString, goals);
        QFETCH(QStringList, gifts);
        const std::string text = QStringLiteral(R"({"pipewright_lesson": 1, "title": "t",
 "summary": "s", "steps": [{"title": "t", "text": "x", "level": {"task": "t",
 "start": {"devices": 2, "micro_batches": 2}, "goals": [{"complete": true}%1],
 "par": {"time_ms": 9, "memory": 1, "messages": 4}, "hints": {"say": "", "show": ""},
 "demonstration": {"orders": ["F0 F1 BW0 BW1", "F0 BW0 F1 BW1"]}}}]})")
                                     .arg(goals)
                                     .toStdString();
        const auto lesson = readLesson(text, "x");
        QVERIFY(lesson.has_value());
        QStringList found;
        for (const std::string& gift : giftsOf(lesson->level(0)))
            found << QString::fromStdString(gift);
        QCOMPARE(found, gifts);
    }

    void everyMedalOfTheCourseMeansSomething()
    {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            for (int i = 0; i < lesson->levels(); ++i) {
                const auto gifts = giftsOf(lesson->level(i));
                QVERIFY2(gifts.empty(), (lesson->id + ", level " + std::to_string(i + 1) + ": " +
                                         (gifts.empty() ? "" : gifts.front()))
                                            .c_str());
            }
        }
    }

    /// Two devices, three micro-batches, by hand: 12 ms hold three, 15 ms two.
    void timeAndMemoryMakeACurve()
    {
        const std::string text = R"({"pipewright_lesson": 1, "title": "t", "summary": "s",
 "steps": [{"title": "t", "text": "x", "level": {"task": "t",
 "start": {"devices": 3, "micro_batches": 4}, "passes": ["F", "B", "W"],
 "goals": [{"complete": true}],
 "par": {"curve": [{"time_ms": 14, "memory": 3}, {"time_ms": 17, "memory": 2}]},
 "hints": {"say": "", "show": ""},
 "demonstration": {"orders": ["F0 F1 F2 F3 B0 W0 B1 W1 B2 W2 B3 W3",
  "F0 F1 F2 B0 F3 B1 W0 B2 W1 B3 W2 W3", "F0 B0 F1 B1 F2 B2 F3 B3 W0 W1 W2 W3"]}}}]})";
        const auto lesson = readLesson(text, "x");
        QVERIFY(lesson.has_value());
        const LessonLevel& level = lesson->level(0);
        const auto proof = provePar(level, level.par);
        QVERIFY(proof && proof->proven && proof->least.curve.size() >= 2);
        // Neither of two neighbours can have less time with its memory, nor less memory in its
        // time.
        OrderSpace space{level.start.draft.spec, costsOf(level.start), level.kinds, {}};
        for (const auto& [time, memory] : proof->least.curve) {
            QVERIFY(findOrder(space, time, memory, usualParNodes)->order);
            QVERIFY(!findOrder(space, time - 1, memory, usualParNodes)->order);
            QVERIFY(!findOrder(space, time, memory - 1, usualParNodes)->order);
        }
        QVERIFY(proof->least.curve.back().first < serialTime(space));
        // The demonstration takes 14 ms, and more memory than that needs: it is not on the curve.
        const auto played = play(level, level.start);
        QVERIFY(played.has_value());
        const Standing standing = standingOf(level, *played);
        QVERIFY(standing.solved() && standing.memory.offered && !standing.memory.won);
        QVERIFY(standing.memory.par.rfind("14 ms 3 mb", 0) == 0);
    }

    /// A batch of fixed size: more micro-batches are smaller ones, and each costs something.
    void aFixedBatchHasABestNumberOfMicroBatches()
    {
        const auto lesson = shippedLesson("03-m-at-least-4k");
        const LessonLevel& level = lesson->level(3);
        QVERIFY(level.batch.has_value());
        std::vector<double> times;
        for (const FamilyChoice& choice : level.choices) {
            Project project = level.start;
            const auto filled = fillWithChoice(level, project, choice);
            QVERIFY(filled && apply(project, filled->edit));
            const Standing standing = standingOf(level, project);
            QVERIFY2(standing.trouble.empty(), std::string(standing.trouble).c_str());
            const int m = choice.options.microBatches;
            // (m + p − 1)·(48 ms ⁄ m + 0.75 ms)
            QCOMPARE(msFromTicks(standing.makespan), (m + 3) * (48.0 / m + 0.75));
            times.push_back(msFromTicks(standing.makespan));
        }
        const auto best = std::min_element(times.begin(), times.end());
        QVERIFY(best != times.begin() && best != times.end() - 1);
        // Times of another number of micro-batches are not those of the level.
        Project project = level.start;
        const auto filled = fillWithFamily(project, level.choices[2]);
        QVERIFY(filled && apply(project, filled->edit));
        QCOMPARE(int(standingOf(level, project).why), int(LevelTrouble::Times));
    }

    void anOrderThatNeverEndsHasNoTime()
    {
        const auto lesson = shippedLesson("01-devices-and-passes");
        const LessonLevel& level = lesson->level(2);
        const Standing standing = standingOf(level, level.start);
        QCOMPARE(int(standing.why), int(LevelTrouble::Ring));
        QCOMPARE(standing.goals[1].nowText, std::string("–"));
        QCOMPARE(standing.goals[1].now, -1.0);
    }

    void onlyFamiliesThatWereMetAreNamed()
    {
        const auto first = shippedLesson("01-devices-and-passes");
        QVERIFY(familiesMetInCourse(*first, 3).empty());
        const auto fifth = shippedLesson("05-1f1b");
        const auto met = familiesMetInCourse(*fifth, 0);
        QVERIFY(met.contains("gpipe") && met.contains("1f1b"));
        QVERIFY(!met.contains("zb-v") && !met.contains("zb-h1"));
    }

    void anImpossibleBlockSaysWhatIsPossible()
    {
        const auto lesson = shippedLesson("10-building-blocks");
        QVERIFY(lesson.has_value());
        LessonLevel level = lesson->level(1);
        level.goals[0].limit = 2;
        const auto narrow = provePar(level, level.par);
        QVERIFY(!narrow);
        QCOMPARE(std::string(narrow.error().message),
                 std::string("no block meets the goals of the level; the busiest device has 3 "
                             "units of work, and an interval of 2 is asked for"));
        level.goals[0].limit = 3;
        level.goals[1].limit = static_cast<double>(shareOne);
        const auto lean = provePar(level, level.par);
        QVERIFY(!lean);
        QCOMPARE(std::string(lean.error().message),
                 std::string("no block meets the goals of the level; the least peak is 2 "
                             "micro-batches, and 1 are asked for"));
    }

    void standingFollowsTheOrder()
    {
        const Lesson lesson = small();
        const LessonLevel& level = lesson.level(0);
        const Standing before = standingOf(level, level.start);
        QVERIFY(!before.solved());
        QCOMPARE(before.passes, 0);
        QCOMPARE(before.wanted, 8);
        const auto part = play(level, level.start, 3);
        QVERIFY(part);
        QCOMPARE(standingOf(level, *part).passes, 3);
        const auto whole = play(level, level.start);
        QVERIFY(whole);
        const Standing after = standingOf(level, *whole);
        QVERIFY(after.solved());
        QCOMPARE(after.makespan, 9 * ticksPerMs);
        QCOMPARE(after.messages, 4);
        QCOMPARE(after.medals(), 1);
        QVERIFY(after.time.won && !after.memory.won && !after.letters.offered);
        QCOMPARE(QString::fromStdString(trickOf(*scheduleOf(*whole), costsOf(*whole))),
                 QStringLiteral("1F1B"));
    }

    void whatIsLockedStaysLocked()
    {
        const Lesson lesson = small();
        const LessonLevel& level = lesson.level(0);
        Project project = *play(level, level.start);
        std::get<UniformCosts>(project.costs).forward /= 2;
        QVERIFY(!standingOf(level, project).solved());
        QVERIFY(!standingOf(level, project).trouble.empty());
    }

    void aWrongParIsFound()
    {
        Lesson lesson = small();
        LessonLevel level = lesson.level(0);
        level.par.time = 10 * ticksPerMs;
        QCOMPARE(checkLevel(level).problems.size(), std::size_t{1});
        level.par.time = 9 * ticksPerMs;
        QVERIFY(checkLevel(level).problems.empty());
        level.demonstration.pop_back();
        QVERIFY(!checkLevel(level).problems.empty());
    }

    /// What cannot be reached is said with what can.
    void anImpossibleLevelSaysWhatIsPossible()
    {
        const auto said = [](LessonLevel level, GoalKind kind, double limit) {
            LessonGoal goal;
            goal.kind = kind;
            goal.limit = limit;
            level.goals.push_back(goal);
            QString all;
            for (const std::string& problem : checkLevel(level).problems)
                all += QString::fromStdString(problem) + QLatin1Char('\n');
            return all;
        };
        const Lesson lesson = small();
        const QString time =
            said(lesson.level(0), GoalKind::Makespan, 7 * static_cast<double>(ticksPerMs));
        QVERIFY2(time.contains(QStringLiteral("the least time is 9 ms, and 7 ms are asked for")),
                 qPrintable(time));
        const QString peak =
            said(lesson.level(0), GoalKind::Peak, 0.5 * static_cast<double>(shareOne));
        QVERIFY2(peak.contains(QStringLiteral("the least peak is 1 micro-batches, and 0.5 are")),
                 qPrintable(peak));
    }

    void aHintThatPointsAtNothingIsFound()
    {
        Lesson lesson = small();
        LessonLevel level = lesson.level(0);
        level.hints.showPass = "F9";
        const auto problems = checkLevel(level).problems;
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY2(problems.front().find("'F9'") != std::string::npos, problems.front().c_str());
    }

    void textsComeInLanguages()
    {
        const Lesson lesson = small();
        QCOMPARE(lesson.title.in("de"), std::string("Klein"));
        QCOMPARE(lesson.title.in("fr"), std::string("Small"));
    }

    void damagedLessonsAreRefusedByField_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        QTest::newRow("version") << "\"pipewright_lesson\": 1"
                                 << "\"pipewright_lesson\": 2"
                                 << "version 2";
        QTest::newRow("unknown field") << "\"task\""
                                       << "\"tosk\""
                                       << "task is missing";
        QTest::newRow("goal") << "\"makespan_ms\""
                              << "\"makespan\""
                              << "steps[0].level.goals[1]";
        QTest::newRow("order") << "F0 F1 BW0 BW1\""
                               << "F0 F1 BWx BW1\""
                               << "steps[0].level.demonstration.orders[0]";
        QTest::newRow("devices") << "\"devices\": 2"
                                 << "\"devices\": 0"
                                 << "start.devices";
        QTest::newRow("huge") << "\"micro_batches\": 2"
                              << "\"micro_batches\": 2000000000"
                              << "steps[0].level.start";
        QTest::newRow("par") << "{\"time_ms\": 9, \"memory\": 1}"
                             << "{}"
                             << "par";
    }

    void damagedLessonsAreRefusedByField()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        const QString text = QString::fromLatin1(smallLesson).replace(from, to);
        const auto lesson = readLesson(text.toStdString(), "x");
        QVERIFY(!lesson);
        QVERIFY2(lesson.error().message.english().find(said.toStdString()) != std::string::npos,
                 lesson.error().message.c_str());
    }

    /// The first part of the course has every word in German too, with the same numbers and marks.
    void theFirstPartIsGermanToo()
    {
        const auto digits = [](const std::string& text) {
            QString found = QString::fromStdString(text);
            static const QRegularExpression comma(QStringLiteral("(\\d),(\\d)"));
            found.replace(comma, QStringLiteral("\\1.\\2"));
            QStringList numbers;
            static const QRegularExpression number(QStringLiteral("\\d+(\\.\\d+)?"));
            for (auto one = number.globalMatch(found); one.hasNext();)
                numbers << one.next().captured();
            numbers.sort();
            return numbers.join(QLatin1Char(' '));
        };
        const auto same = [&](const LessonText& text) {
            QVERIFY2(text.languages.size() == 2 && text.languages[1].first == "de",
                     text.in().c_str());
            QCOMPARE(digits(text.in("de")), digits(text.in("en")));
            QCOMPARE(QString::fromStdString(text.in("de")).count(QLatin1Char('`')),
                     QString::fromStdString(text.in("en")).count(QLatin1Char('`')));
        };
        for (int i = 0; i < 5; ++i) {
            const ShippedLesson& shipped = shippedLessons()[std::size_t(i)];
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            same(lesson->title);
            same(lesson->summary);
            for (const LessonStep& step : lesson->steps) {
                same(step.title);
                same(step.text);
                for (const LessonPicture& picture : step.pictures)
                    same(picture.caption);
                for (const LessonQuestion& question : step.questions) {
                    same(question.ask);
                    same(question.why);
                }
                if (step.level) {
                    same(step.level->task);
                    same(step.level->hints.say);
                    same(step.level->hints.show);
                }
            }
        }
    }

    /// Practice becomes harder, has more than lines, and its goals on the peak cost time.
    void practiceSaysSomething()
    {
        int folded = 0, unequal = 0, capped = 0;
        for (std::uint64_t seed = 1; seed < 40; ++seed) {
            const auto lesson = readLesson(*practiceLesson(seed), "practice");
            const LessonLevel& level = lesson->level(0);
            const PipelineSpec& spec = level.start.draft.spec;
            folded += spec.stages() > spec.devices;
            const Costs costs = costsOf(level.start);
            const bool equal = std::all_of(costs.forward.begin(), costs.forward.end(),
                                           [&](Ticks time) { return time == costs.forward[0]; });
            unequal += !equal;
            QVERIFY(seed > 3 || (equal && spec.devices == 2));
            Ticks latest = 0;
            bool peak = false;
            for (const LessonGoal& goal : level.goals) {
                if (goal.kind == GoalKind::Makespan)
                    latest = static_cast<Ticks>(goal.limit);
                peak = peak || goal.kind == GoalKind::Peak;
            }
            if (!peak)
                continue;
            ++capped;
            const OrderSpace space{spec, costs, level.kinds, {}};
            const auto free = findOrder(space, *level.par.time - 1, noCap, usualParNodes);
            QVERIFY(free && free->order); // without the goal it is quicker
            QVERIFY(latest < serialTime(space));
        }
        QVERIFY(folded > 3 && unequal > 20 && capped > 3);
    }

    /// What is made of a seed, or of a schedule, is a lesson that checks.
    void madeLessonsAreProven()
    {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto text = practiceLesson(seed);
            QVERIFY2(text, text ? "" : text.error().message.c_str());
            QCOMPARE(*practiceLesson(seed), *text);
            const auto lesson = readLesson(*text, "practice");
            QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
            for (const std::string& problem : checkLevel(lesson->level(0)).problems)
                QFAIL((std::to_string(seed) + ": " + problem).c_str());
        }
        Project project;
        project.family = FamilyChoice{"zb-h1", {}};
        project.family->options.devices = 3;
        project.family->options.microBatches = 4;
        project.draft.spec = *specOf(**findFamily("zb-h1"), project.family->options);
        project.costs = UniformCosts{};
        const auto draftOfProject = [&project](const char* title) {
            return levelDraftOf({scheduleOf(project).value(), costsOf(project), title});
        };
        auto draft = draftOfProject("Beat it");
        QVERIFY2(draft && proveDraft(*draft), "of a project");
        QVERIFY(checkLevel(readLesson(writeLevelLesson(*draft), "x")->level(0)).problems.empty());
        project.family = FamilyChoice{"dualpipe", {}};
        project.draft.spec = *specOf(**findFamily("dualpipe"), project.family->options);
        QVERIFY(!draftOfProject("Pairs"));
    }

    void resultsComeBack()
    {
        LessonResults results;
        results.who = "Ada";
        results.note({"02-gpipe", 0, true, true, false, false, 12, 1, "GPipe"});
        results.note({"02-gpipe", 0, true, false, true, false, 3, 0, "1F1B"});
        const LevelResult* level = results.find("02-gpipe", 0);
        QVERIFY(level != nullptr);
        QVERIFY(level->time && level->memory && !level->messages);
        QCOMPARE(level->tries, 15);
        const auto back = readResults(writeResults(results));
        QVERIFY(back);
        QCOMPARE(*back, results);
        QVERIFY(!readResults("{}"));
        QVERIFY(!readResults("{\"pipewright_results\": 1, \"who\": 3, \"levels\": []}"));
    }
};

PW_TEST(TestLesson)
#include "tst_lesson.moc"

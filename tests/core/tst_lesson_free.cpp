// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/lesson/candidates.h"
#include "core/lesson/layers.h"
#include "core/lesson/order_search.h"
#include "core/lesson/order_walk.h"
#include "core/lesson/par.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"
#include "core/lesson/toggle.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

LessonLevel freeLevel(const std::string& body)
{
    const std::string text = R"({"pipewright_lesson": 1, "title": "t", "summary": "s", "steps": [
      {"title": "t", "text": "x", "level": {"task": "t", "hints": {"say": "a", "show": "b"}, )" +
                             body + "}}]}";
    auto lesson = readLesson(text, "t");
    if (!lesson)
        qFatal("%s", lesson.error().message.c_str());
    return *lesson->steps.front().level;
}

std::string freeRefusal(const std::string& body)
{
    const std::string text = R"({"pipewright_lesson": 1, "title": "t", "summary": "s", "steps": [
      {"title": "t", "text": "x", "level": {"task": "t", "hints": {"say": "a", "show": "b"}, )" +
                             body + "}}]}";
    const auto lesson = readLesson(text, "t");
    return lesson ? std::string() : lesson.error().message.english();
}

LessonLevel freeLayers()
{
    return freeLevel(R"("start": {"family": "1f1b", "devices": 3, "micro_batches": 4},
      "free": "layers", "layers": {"split": [2, 2, 2], "besides": [0, 0, 1.5], "pace": [1, 1.5, 1]},
      "goals": [{"makespan_ms": 60}], "par": {"time_ms": 1},
      "demonstration": [{"do": "layer", "from": 1, "to": 0}])");
}

LessonLevel freeRepairs()
{
    return freeLevel(R"("start": {"family": "1f1b", "devices": 2, "micro_batches": 3, "longer": [
        {"device": 0, "pass": "F2", "ms": 2}, {"device": 1, "times": 1.5}]},
      "free": "repair", "goals": [{"makespan_ms": 14}],
      "demonstration": [{"do": "toggle", "device": 1, "passes": "F0"}])");
}

Pass freePass(PassKind kind, int stage, int microBatch)
{
    Pass made;
    made.kind = kind;
    made.stage = StageId(stage);
    made.microBatch = microBatch;
    return made;
}

/// Every order of a device of one stage, with micro-batches in any sequence.
std::vector<std::vector<OrderEntry>> freeOrders(int stage, int microBatches)
{
    std::vector<OrderEntry> passes;
    for (int j = 0; j < microBatches; ++j) {
        passes.push_back({freePass(PassKind::F, stage, j)});
        passes.push_back({freePass(PassKind::BW, stage, j)});
    }
    std::vector<int> places(passes.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = static_cast<int>(i);
    std::vector<std::vector<OrderEntry>> all;
    do {
        bool sound = true;
        std::vector<std::size_t> at(places.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            at[static_cast<std::size_t>(places[i])] = i;
        for (std::size_t i = 0; i < places.size(); i += 2)
            sound = sound && at[i] < at[i + 1];
        if (!sound)
            continue;
        all.emplace_back();
        for (const int place : places)
            all.back().push_back(passes[static_cast<std::size_t>(place)]);
    } while (std::next_permutation(places.begin(), places.end()));
    return all;
}

} // namespace

class TestLessonFree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void walkFindsWhatTheSearchFinds();
    void walkOfMeetingMessagesMissesNothing();
    void walkHasAnEnd();
    void layersSetTimesAndMemory();
    void layersAreMovedOneByOne();
    void onlyLayersAreFree();
    void candidatesAreAll();
    void repairsAreCounted();
    void activationsGoAndStay();
    void gathersAreVisits();
    void whatIsWrongIsNamed();
};

void TestLessonFree::walkFindsWhatTheSearchFinds()
{
    std::mt19937 random(7);
    for (int round = 0; round < 12; ++round) {
        OrderSpace space;
        space.spec.devices = 2;
        space.spec.microBatches = 2 + round % 2;
        space.spec.routes = {round % 3 == 0 ? Placement::looped(2, 2) : Placement::linear(2)};
        if (round % 3 == 0)
            space.spec.microBatches = 2;
        space.kinds = {PassKind::F, PassKind::BW};
        space.costs = expand(UniformCosts{}, space.spec);
        for (auto* table : {&space.costs.forward, &space.costs.backward, &space.costs.weight})
            for (Ticks& time : *table)
                time = (1 + static_cast<int>(random() % 4)) * ticksPerMs;
        space.costs.link.latency = static_cast<int>(random() % 3) * ticksPerMs;
        Ticks least = serialTime(space);
        const auto walk =
            walkOrders(space, 1'000'000, [&](const Schedule&, const SimResult& result) {
                least = std::min(least, result.makespan);
            });
        QVERIFY(walk && walk->finished);
        const auto found = findOrder(space, least, shareOne * 100, 1'000'000);
        const auto better = findOrder(space, least - 1, shareOne * 100, 1'000'000);
        QVERIFY(found && found->order);
        QVERIFY(better && better->finished && !better->order);
    }
}

/// Against every order of two devices, whatever the sequence of micro-batches is.
void TestLessonFree::walkOfMeetingMessagesMissesNothing()
{
    std::mt19937 random(11);
    for (int round = 0; round < 6; ++round) {
        OrderSpace space;
        space.spec.devices = 2;
        space.spec.microBatches = round < 3 ? 2 : 3;
        space.spec.routes = {Placement::linear(2)};
        space.spec.messages = MessageRule::Committed;
        space.kinds = {PassKind::F, PassKind::BW};
        space.costs = expand(UniformCosts{}, space.spec);
        for (auto* table : {&space.costs.forward, &space.costs.backward, &space.costs.weight})
            for (Ticks& time : *table)
                time = (1 + static_cast<int>(random() % 4)) * ticksPerMs;
        space.costs.link.latency = static_cast<int>(random() % 3) * ticksPerMs;
        Ticks walked = std::numeric_limits<Ticks>::max(), all = walked;
        const auto walk =
            walkOrders(space, 1'000'000, [&](const Schedule&, const SimResult& result) {
                walked = std::min(walked, result.makespan);
            });
        QVERIFY(walk && walk->finished);
        const auto first = freeOrders(0, space.spec.microBatches);
        const auto second = freeOrders(1, space.spec.microBatches);
        for (const auto& a : first) {
            for (const auto& b : second) {
                const auto schedule = Schedule::make(space.spec, {a, b});
                const auto result = schedule ? simulate(*schedule, space.costs)
                                             : Result<SimResult>(fail(schedule.error()));
                if (result)
                    all = std::min(all, result->makespan);
            }
        }
        QCOMPARE(walked, all);
    }
}

void TestLessonFree::walkHasAnEnd()
{
    OrderSpace space;
    space.spec.devices = 3;
    space.spec.microBatches = 6;
    space.spec.routes = {Placement::linear(3)};
    space.kinds = {PassKind::F, PassKind::BW};
    space.costs = expand(UniformCosts{}, space.spec);
    const auto walk = walkOrders(space, 1000, [](const Schedule&, const SimResult&) {});
    QVERIFY(walk && !walk->finished);
    space.spec.segmentLengths = {1, 1};
    QVERIFY(!walkOrders(space, 1000, [](const Schedule&, const SimResult&) {}));
}

void TestLessonFree::layersSetTimesAndMemory()
{
    const LessonLevel level = freeLayers();
    const Costs costs = costsOf(level.start);
    QCOMPARE(costs.forward,
             (std::vector<Ticks>{2 * ticksPerMs, 3 * ticksPerMs, 7 * ticksPerMs / 2}));
    QCOMPARE(costs.backward, costs.forward);
    // Two of six layers on each of three stages: an equal share.
    QCOMPARE(costs.activation[0].share, shareOne);
    const auto played = play(level, level.start);
    QVERIFY(played);
    const Costs moved = costsOf(*played);
    QCOMPARE(moved.forward[0], 3 * ticksPerMs);
    QCOMPARE(moved.forward[1], 3 * ticksPerMs / 2);
    QCOMPARE(moved.activation[0].share, shareOne * 3 / 2);
    QCOMPARE(moved.activation[1].share, shareOne / 2);
    QCOMPARE(*layersOf(level, *played), (std::vector<int>{3, 1, 2}));
}

void TestLessonFree::layersAreMovedOneByOne()
{
    const LessonLevel level = freeLayers();
    Project project = level.start;
    const auto first = moveLayer(level, project, 1, 2);
    QVERIFY(first && apply(project, *first));
    QCOMPARE(*layersOf(level, project), (std::vector<int>{2, 1, 3}));
    const auto last = moveLayer(level, project, 1, 0);
    QVERIFY(!last);
    QCOMPARE(last.error().message.english(),
             std::string("stage 1 has one layer only, and keeps it"));
    QVERIFY(!moveLayer(level, project, 0, 3));
    QVERIFY(!moveLayer(level, project, 0, 0));
}

void TestLessonFree::onlyLayersAreFree()
{
    const LessonLevel level = freeLayers();
    QVERIFY(standingOf(level, level.start).trouble.empty());
    Project other = level.start;
    Costs costs = costsOf(other);
    costs.backward[0] += ticksPerMs;
    setTables(other, costs);
    QCOMPARE(standingOf(level, other).why, LevelTrouble::Times);
    other = level.start;
    FamilyChoice gpipe{"gpipe", {}};
    gpipe.options.devices = 3;
    gpipe.options.microBatches = 4;
    const auto cleared = fillWithFamily(other, gpipe);
    QVERIFY(cleared && apply(other, cleared->edit));
    setTables(other, costsOf(level.start));
    QCOMPARE(standingOf(level, other).why, LevelTrouble::Order);
}

void TestLessonFree::candidatesAreAll()
{
    const auto count = [](const LessonLevel& level, std::int64_t most, bool whole = true) {
        std::int64_t found = 0;
        const auto all = eachCandidate(level, most, [&](const Project& project) -> Result<void> {
            ++found;
            if (!standingOf(level, project).trouble.empty())
                return fail(ErrorCode::BadValue, "a candidate is none of the level");
            return {};
        });
        return all && *all == whole ? found : -1;
    };
    QCOMPARE(count(freeLayers(), 1000), 10); // six layers over three stages
    QCOMPARE(count(freeLayers(), 9, false), 9);
    QCOMPARE(count(freeRepairs(), 1000), 3); // none, or one of two
    LessonLevel away = freeLevel(R"("start": {"family": "gpipe", "devices": 2, "micro_batches": 2,
        "offload": {"copy_ms": 1}}, "free": "offload", "goals": [{"peak": 1}],
        "demonstration": [{"do": "toggle", "device": 0, "passes": "F0"}])");
    QCOMPARE(count(away, 1000), 16); // four activations
    const auto proof = provePar(freeLayers(), freeLayers().par);
    QVERIFY(proof && proof->proven);
    QCOMPARE(proof->nodes, 10);
}

void TestLessonFree::repairsAreCounted()
{
    const LessonLevel level = freeRepairs();
    Project project = level.start;
    QCOMPARE(standingOf(level, project).solved(), false);
    QCOMPARE(standingOf(level, project).mended, 0);
    const auto usual = toggle(level, project, freePass(PassKind::F, 0, 0));
    QVERIFY(!usual); // nothing makes it longer
    const auto mended = toggle(level, project, freePass(PassKind::BW, 1, 2)); // the whole device
    QVERIFY(mended && apply(project, *mended));
    QCOMPARE(*mendedOf(level, project), (std::vector<bool>{false, true}));
    QVERIFY(standingOf(level, project).solved());
    QCOMPARE(standingOf(level, project).mended, 1);
    const auto second = toggle(level, project, freePass(PassKind::F, 0, 2));
    QVERIFY(!second);
    QCOMPARE(second.error().message.english(),
             std::string("1 may be mended here; take one back first"));
    const auto back = toggle(level, project, freePass(PassKind::F, 1, 0));
    QVERIFY(back && apply(project, *back));
    QCOMPARE(project.costs, level.start.costs);
    QCOMPARE(standingOf(level, project).mended, 0);
    // More than may be mended is none of the level.
    Costs costs = costsOf(project);
    costs.single.clear();
    setTables(project, costs);
    QCOMPARE(standingOf(level, project).why, LevelTrouble::Times);
    QCOMPARE(standingOf(level, project).mended, 0);
}

void TestLessonFree::activationsGoAndStay()
{
    const LessonLevel level =
        freeLevel(R"("start": {"family": "gpipe", "devices": 2, "micro_batches": 4,
          "offload": {"copy_ms": 1, "cells": ["F3", ""]}}, "free": "offload", "goals": [{"peak": 3}],
          "demonstration": [{"do": "toggle", "device": 0, "passes": "F0"},
                            {"do": "toggle", "device": 1, "passes": "F0"},
                            {"do": "toggle", "device": 0, "passes": "F3"}])");
    QCOMPARE(level.start.offload.cells, (std::vector<Pass>{freePass(PassKind::F, 0, 3)}));
    const auto played = play(level, level.start);
    QVERIFY(played);
    QCOMPARE(played->offload.cells,
             (std::vector<Pass>{freePass(PassKind::F, 0, 0), freePass(PassKind::F, 1, 0)}));
    QVERIFY(standingOf(level, *played).solved());
    QCOMPARE(standingOf(level, *played).makespan, 15 * ticksPerMs);
    Project faster = *played;
    faster.offload.link.latency = 0;
    QCOMPARE(standingOf(level, faster).why, LevelTrouble::Times);
}

void TestLessonFree::gathersAreVisits()
{
    const auto gathers = [](const std::vector<std::string>& orders) {
        std::string lines;
        for (const std::string& order : orders)
            lines += (lines.empty() ? "\"" : ", \"") + order + "\"";
        const LessonLevel level = freeLevel(
            R"("start": {"devices": 2, "micro_batches": 2, "placement": ["looped 2"], "orders": [)" +
            lines +
            R"(]}, "passes": ["F", "B", "W"], "goals": [{"gathers": 6}], "demonstration": [])");
        const auto schedule = scheduleOf(level.start);
        return schedule ? gathersOf(*schedule) : -1;
    };
    // Forward chunk 0, chunk 1 and its backward, chunk 0 again; W needs no weights.
    const std::string wide = "F0 F1 F0.1 F1.1 B0.1 B1.1 B0 B1 W0.1 W1.1 W0 W1";
    QCOMPARE(gathers({wide, wide}), 6);
    const std::string deep = "F0 F0.1 B0.1 B0 W0.1 W0 F1 F1.1 B1.1 B1 W1.1 W1";
    QCOMPARE(gathers({deep, deep}), 10);
    // Where: F0, F0.1 with its backward, B0, F1, …; of an order that is not finished too.
    const auto at = [](PassKind kind, int stage) {
        return OrderEntry{freePass(kind, stage, 0), {}, false};
    };
    const DeviceOrders begun = {{at(PassKind::F, 0), at(PassKind::F, 0), at(PassKind::F, 2),
                                 at(PassKind::W, 0), at(PassKind::B, 2), at(PassKind::B, 0)},
                                {}};
    QCOMPARE(gatheringPlaces(begun), (std::vector<std::vector<int>>{{0, 2, 5}, {}}));
}

void TestLessonFree::whatIsWrongIsNamed()
{
    const std::string start = R"("start": {"family": "1f1b", "devices": 2, "micro_batches": 2)";
    const std::string end = R"("goals": [{"complete": true}], "demonstration": [])";
    const auto says = [](const std::string& refusal, const char* part) {
        return refusal.find(part) != std::string::npos;
    };
    QVERIFY(says(freeRefusal(start + R"(}, "free": "layers", "layers": {"split": [2]}, )" + end),
                 "split needs a number for each of the 2 stages"));
    QVERIFY(says(freeRefusal(start + R"(}, "free": "repair", )" + end), "longer"));
    QVERIFY(
        says(freeRefusal(start + R"(, "longer": [{"device": 0, "pass": "F9", "ms": 1}]}, )" + end),
             "not a pass of that device"));
    QVERIFY(says(freeRefusal(start + R"(, "longer": [{"device": 0, "ms": 1},
                 {"device": 0, "pass": "F0", "ms": 1}]}, "free": "repair", )" +
                             end),
                 "longer twice"));
    QVERIFY(says(freeRefusal(start + R"(}, "free": "wishes", )" + end), "offload or repair"));
}

PW_TEST(TestLessonFree)
#include "tst_lesson_free.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/practice.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/lesson/level_draft.h"
#include "core/lesson/order_search.h"
#include "core/sim/simulator.h"

namespace pw {

namespace {

/// A generator that is the same on every machine.
class Dice
{
public:
    explicit Dice(std::uint64_t seed)
        : m_state(seed)
    {
    }

    int between(int least, int most)
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t x = m_state;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        x ^= x >> 31;
        return least + static_cast<int>(x % static_cast<std::uint64_t>(most - least + 1));
    }

private:
    std::uint64_t m_state;
};

} // namespace

Result<std::string> lessonOfProject(const Project& project, const std::string& title,
                                    std::int64_t mostNodes)
{
    PW_TRY(const auto schedule, scheduleOf(project));
    const Costs costs = costsOf(project);
    PW_TRY(auto draft, levelDraftOf({schedule, costs, title}));
    PW_DO(proveDraft(draft, mostNodes));
    return writeLevelLesson(draft);
}

Result<std::string> practiceLesson(std::uint64_t seed)
{
    Dice dice(seed);
    LevelDraft made;
    PipelineSpec& spec = made.spec;
    spec.devices = dice.between(2, 3);
    spec.microBatches = dice.between(2, 4);
    spec.routes = {Placement::linear(spec.devices)};
    const bool split = dice.between(0, 1) == 1;
    made.kinds = split ? std::vector{PassKind::F, PassKind::B, PassKind::W}
                       : std::vector{PassKind::F, PassKind::BW};
    Costs costs = expand(UniformCosts{}, spec);
    for (auto* table : {&costs.forward, &costs.backward, &costs.weight})
        for (Ticks& time : *table)
            time = dice.between(1, 3) * ticksPerMs;
    costs.link.latency = dice.between(0, 2) * ticksPerMs;
    costs.fused.clear();
    costs.recompute.clear();
    made.costs = costs;
    if (dice.between(0, 1) == 1)
        made.cap = dice.between(1, spec.devices) * shareOne;
    // The goal leaves a little room above the best that there is.
    const OrderSpace space{spec, costs, made.kinds, {}};
    const Share cap = made.cap.value_or(shareOne * 1000);
    Ticks best = serialTime(space);
    for (;;) {
        PW_TRY(const auto answer, findOrder(space, best - 1, cap, usualParNodes));
        if (!answer.order)
            break;
        const auto schedule = Schedule::make(spec, *answer.order);
        best = simulate(*schedule, costs)->makespan;
    }
    made.latest = best + dice.between(0, 1) * ticksPerMs;
    made.title = "Practice " + std::to_string(seed);
    made.summary = "One level, with a par that is proven.";
    made.text = "All times are locked; the order is yours.";
    made.task = "Put the passes in order: at most " + timeText(*made.latest) +
                (made.cap ? ", and at most " + plainNumber(microBatchesFromShare(*made.cap)) +
                                " micro-batches in memory on any device."
                          : ".");
    made.say = "Which device has the most work? It should never wait once it has begun.";
    made.show = "Run a backward whenever one is ready, and a forward else.";
    PW_DO(proveDraft(made));
    StepWords german;
    german.lessonTitle = "Übung " + std::to_string(seed);
    german.summary = "Ein Level, dessen Par bewiesen ist.";
    german.title = "Übung " + std::to_string(seed);
    german.text = "Alle Zeiten sind fest; die Reihenfolge ist frei.";
    german.task = "Bringe die Pässe in eine Reihenfolge: höchstens " + timeText(*made.latest) +
                  (made.cap ? ", und auf keinem Gerät mehr als " +
                                  plainNumber(microBatchesFromShare(*made.cap)) +
                                  " Micro-Batches im Speicher."
                            : ".");
    german.say = "Welches Gerät hat die meiste Arbeit? Es sollte nie warten, wenn es einmal "
                 "begonnen hat.";
    german.show = "Führe einen Backward aus, sobald einer bereit ist, und sonst einen Forward.";
    return withWords(writeLevelLesson(made), 0, german, "de");
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/practice.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/lesson/level_draft.h"
#include "core/lesson/order_search.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <optional>

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

/// How hard a level of practice is: 0 … 3, harder with each few that were played.
int hardnessOf(std::uint64_t seed)
{
    constexpr std::uint64_t each = 3, hardest = 3;
    return static_cast<int>(std::min(hardest, (std::max<std::uint64_t>(seed, 1) - 1) / each));
}

/// Devices, placement, passes and times.
void makeShape(LevelDraft& made, Dice& dice, int hardness)
{
    PipelineSpec& spec = made.spec;
    const bool folded = hardness == 3 && dice.between(0, 1) == 1;
    spec.devices = folded ? 2 : dice.between(2, hardness == 0 ? 2 : 3);
    spec.microBatches = folded ? 2 : dice.between(hardness == 0 ? 3 : 2, hardness == 0 ? 4 : 3);
    spec.routes = {folded ? Placement::vShape(spec.devices) : Placement::linear(spec.devices)};
    const bool split = hardness >= 2 && !folded && dice.between(0, 1) == 1;
    made.kinds = split ? std::vector{PassKind::F, PassKind::B, PassKind::W}
                       : std::vector{PassKind::F, PassKind::BW};
    Costs costs = expand(UniformCosts{}, spec);
    const int forward = dice.between(1, 2), backward = dice.between(1, 2);
    for (auto* table : {&costs.forward, &costs.backward, &costs.weight})
        for (Ticks& time : *table)
            time = (hardness == 0 ? (table == &costs.forward ? forward : backward)
                                  : dice.between(1, 3)) *
                   ticksPerMs;
    costs.link.latency = hardness == 0 ? 0 : dice.between(0, 2) * ticksPerMs;
    costs.fused.clear();
    costs.recompute.clear();
    made.costs = costs;
}

/// The fastest order that holds a cap; none: there is none.
Result<std::optional<SimResult>> fastest(const LevelDraft& made, Share cap)
{
    const OrderSpace space{made.spec, made.costs, made.kinds, {}};
    std::optional<SimResult> best;
    for (Ticks latest = serialTime(space);; latest = best->makespan - 1) {
        PW_TRY(const auto answer, findOrder(space, latest, cap, usualParNodes));
        if (!answer.order)
            return best;
        PW_TRY(const auto schedule, Schedule::make(made.spec, *answer.order));
        PW_TRY(best, simulate(schedule, made.costs));
    }
}

Share peakOf(const SimResult& result)
{
    Share peak = 0;
    for (const DeviceResult& device : result.devices)
        peak = std::max(peak, device.peakShare);
    return peak;
}

/// A goal on the peak is one that costs time, and leaves more than one micro-batch after the other.
Result<void> makeGoals(LevelDraft& made, Dice& dice)
{
    constexpr Share free = shareOne * 1000;
    PW_TRY(auto best, fastest(made, free));
    if (dice.between(0, 1) == 1) {
        const OrderSpace space{made.spec, made.costs, made.kinds, {}};
        const Share cap = peakOf(*best) - shareOne / (made.spec.stages() / made.spec.devices);
        PW_TRY(const auto capped, fastest(made, cap));
        if (capped && capped->makespan > best->makespan && capped->makespan < serialTime(space)) {
            made.cap = cap;
            best = capped;
        }
    }
    made.latest = best->makespan + dice.between(0, 1) * ticksPerMs;
    return {};
}

} // namespace

Result<std::string> practiceLesson(std::uint64_t seed)
{
    Dice dice(seed);
    LevelDraft made;
    makeShape(made, dice, hardnessOf(seed));
    PW_DO(makeGoals(made, dice));
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
    german.task = "Bringe die Durchläufe in eine Reihenfolge: höchstens " + timeText(*made.latest) +
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

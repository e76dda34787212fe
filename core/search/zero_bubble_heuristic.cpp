// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_heuristic.h"

#include "core/base/index.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pw {
namespace {

struct Variant
{
    bool bubbleBeforeFirstB = false;
    bool preferB = false;
    bool fillEvenGaps = false;
};

/// One run of the published scheduler with one choice of its flags.
class Scheduler
{
public:
    Scheduler(const ZeroBubbleProblem& problem, Variant variant)
        : m_problem(problem)
        , m_variant(variant)
        , m_stages(at(problem.devices))
        , m_forwardEnd(at(problem.devices) * at(problem.microBatches))
        , m_backwardEnd(at(problem.devices) * at(problem.microBatches))
        , m_kinds(at(problem.devices) * at(problem.microBatches) * 3)
    {
    }

    /// How many forwards each stage runs between F0 and B0, by the rule of the variant or with a
    /// tolerance of ours: F may end up to that many tenths of itself after B0's input is there.
    std::vector<int> warmUp(int toleranceTenths = -1);
    ZeroBubbleCandidate run(const std::vector<int>& extra);
    /// Sum of the spans of all stages, after a run that found an order.
    Ticks spanSum() const;

private:
    struct Stage
    {
        Ticks clock = 0;
        Ticks firstStart = 0;
        Ticks bubble = 0;
        std::int64_t memory = 0;
        int forwards = 0;
        int backwards = 0;
        int weights = 0;
        int length = 0;
        bool runsForward = false;
    };

    int devices() const { return m_problem.devices; }
    int microBatches() const { return m_problem.microBatches; }
    Ticks arrival(ZeroBubbleKind kind, int j) const;
    std::int64_t memory(ZeroBubbleKind kind, int j) const;
    void put(ZeroBubbleKind kind, int j);
    bool putWithWeights(ZeroBubbleKind kind, int j);
    bool startUp(const std::vector<int>& extra);
    bool waitsForBackward(int j) const;
    void chooseForwards();

    const ZeroBubbleProblem& m_problem;
    Variant m_variant;
    std::vector<Stage> m_stages;
    std::vector<Ticks> m_forwardEnd;
    std::vector<Ticks> m_backwardEnd;
    ZeroBubbleKinds m_kinds;
    Ticks m_maxBubble = 0;
};

/// When the input of the stage's next pass of a kind is there.
Ticks Scheduler::arrival(ZeroBubbleKind kind, int j) const
{
    const Stage& stage = m_stages[at(j)];
    const std::size_t m = at(microBatches());
    if (kind == zbF)
        return j == 0 ? 0
                      : m_forwardEnd[at(j - 1) * m + at(stage.forwards)] +
                            m_problem.forwardLatency[at(j - 1)];
    if (kind == zbB)
        return j == devices() - 1 ? 0
                                  : m_backwardEnd[at(j + 1) * m + at(stage.backwards)] +
                                        m_problem.backwardLatency[at(j)];
    return 0;
}

std::int64_t Scheduler::memory(ZeroBubbleKind kind, int j) const
{
    return kind == zbF   ? m_problem.forwardMemory[at(j)]
           : kind == zbB ? m_problem.backwardMemory[at(j)]
                         : m_problem.weightMemory[at(j)];
}

void Scheduler::put(ZeroBubbleKind kind, int j)
{
    Stage& stage = m_stages[at(j)];
    const std::size_t m = at(microBatches());
    const Ticks start = std::max(stage.clock, arrival(kind, j));
    if (stage.forwards == 0) {
        stage.firstStart = start;
    } else {
        stage.bubble += start - stage.clock;
        m_maxBubble = std::max(m_maxBubble, stage.bubble);
    }
    m_kinds[at(j) * m * 3 + at(stage.length++)] = kind;
    stage.memory += memory(kind, j);
    switch (kind) {
    case zbF:
        stage.clock = start + m_problem.forward[at(j)];
        m_forwardEnd[at(j) * m + at(stage.forwards++)] = stage.clock;
        break;
    case zbB:
        stage.clock = start + m_problem.backward[at(j)];
        m_backwardEnd[at(j) * m + at(stage.backwards++)] = stage.clock;
        break;
    case zbW:
        stage.clock = start + m_problem.weight[at(j)];
        ++stage.weights;
        break;
    }
}

/// Puts the stage's next F or B, with the W before it that memory needs and that fit the wait for
/// its input.
bool Scheduler::putWithWeights(ZeroBubbleKind kind, int j)
{
    Stage& stage = m_stages[at(j)];
    if (kind == zbF && j > 0 && stage.forwards >= m_stages[at(j - 1)].forwards)
        return false;
    const auto pending = [&stage] { return stage.weights < stage.backwards; };
    while (stage.memory + memory(kind, j) > m_problem.memoryLimit[at(j)]) {
        if (!pending())
            return false;
        put(zbW, j);
    }
    const Ticks input = arrival(kind, j);
    while (pending() && stage.clock + m_problem.weight[at(j)] <= input)
        put(zbW, j);
    if (pending() && stage.clock < input) {
        const bool even = input - stage.clock <= m_maxBubble - stage.bubble;
        if (!even || m_variant.fillEvenGaps)
            put(zbW, j);
    }
    put(kind, j);
    return true;
}

std::vector<int> Scheduler::warmUp(int toleranceTenths)
{
    std::vector<int> extra(m_stages.size());
    std::vector<Ticks> firstEnd(m_stages.size());
    Ticks input = 0;
    for (const DeviceId j : Ids<DeviceId>(devices())) {
        input += m_problem.forward[at(j)] + (j > 0 ? m_problem.forwardLatency[at(j - 1)] : 0);
        firstEnd[at(j)] = input;
    }
    for (int j = devices() - 1; j >= 0; --j) {
        const Ticks length = m_problem.forward[at(j)];
        const Ticks tolerated = length * toleranceTenths / 10;
        Ticks clock = firstEnd[at(j)];
        std::int64_t held = memory(zbF, j);
        int& count = extra[at(j)];
        while (1 + count < microBatches() &&
               held + memory(zbF, j) <= m_problem.memoryLimit[at(j)]) {
            const bool late = toleranceTenths >= 0           ? clock + length > input + tolerated
                              : m_variant.bubbleBeforeFirstB ? clock + length > input
                                                             : clock >= input;
            if (late)
                break;
            clock += length;
            held += memory(zbF, j);
            ++count;
        }
        if (j > 0)
            input = std::max(clock, input) + m_problem.backward[at(j)] +
                    m_problem.backwardLatency[at(j - 1)];
    }
    // a stage stays ahead of the next one as long as it has forwards left
    for (int j = 1; j < devices(); ++j) {
        if (extra[at(j - 1)] + 1 < microBatches())
            extra[at(j)] = std::min(extra[at(j)], std::max(0, extra[at(j - 1)] - 1));
    }
    return extra;
}

/// Runs micro-batch 0 through the pipeline, with the given forwards before its B.
bool Scheduler::startUp(const std::vector<int>& extra)
{
    for (const DeviceId j : Ids<DeviceId>(devices())) {
        for (int i = 0; i <= extra[at(j)]; ++i) {
            const bool fits =
                m_stages[at(j)].memory + memory(zbF, j) <= m_problem.memoryLimit[at(j)];
            if (!fits || !putWithWeights(zbF, j))
                return false;
        }
    }
    for (int j = devices() - 1; j >= 0; --j) {
        if (!putWithWeights(zbB, j))
            return false;
    }
    return true;
}

Ticks Scheduler::spanSum() const
{
    Ticks sum = 0;
    for (const Stage& stage : m_stages)
        sum += stage.clock - stage.firstStart;
    return sum;
}

/// True where the stage had better leave its F for later, because the next B comes soon.
bool Scheduler::waitsForBackward(int j) const
{
    const Stage& stage = m_stages[at(j)];
    const Stage& next = m_stages[at(j + 1)];
    if (stage.forwards < next.forwards + 2)
        return false;
    const Ticks until = next.clock + m_problem.forward[at(j + 1)] + m_problem.backward[at(j + 1)] +
                        m_problem.backwardLatency[at(j)];
    if (stage.clock >= until)
        return true;
    std::int64_t held = stage.memory + memory(zbF, j);
    Ticks end = stage.clock + m_problem.forward[at(j)];
    for (int w = stage.weights; held > m_problem.memoryLimit[at(j)] && w < stage.backwards; ++w) {
        held += memory(zbW, j);
        end += m_problem.weight[at(j)];
    }
    return end > until && until - stage.clock <= m_maxBubble - stage.bubble;
}

void Scheduler::chooseForwards()
{
    bool nextRuns = true;
    for (int j = devices() - 1; j >= 0; --j) {
        Stage& stage = m_stages[at(j)];
        stage.runsForward = nextRuns && stage.forwards < microBatches() &&
                            !(m_variant.preferB && j + 1 < devices() && waitsForBackward(j));
        nextRuns = stage.runsForward;
        if (stage.forwards == microBatches())
            nextRuns = true;
    }
}

ZeroBubbleCandidate Scheduler::run(const std::vector<int>& extra)
{
    if (!startUp(extra))
        return {};
    for (int i = 1; i < microBatches(); ++i) {
        chooseForwards();
        for (const DeviceId j : Ids<DeviceId>(devices())) {
            if (m_stages[at(j)].runsForward && !putWithWeights(zbF, j))
                return {};
        }
        for (int j = devices() - 1; j >= 0; --j) {
            Stage& stage = m_stages[at(j)];
            if (stage.backwards >= stage.forwards)
                return {};
            if (j == 0 && stage.forwards == microBatches()) {
                while (stage.weights < stage.backwards)
                    put(zbW, j);
            }
            if (!putWithWeights(zbB, j))
                return {};
        }
    }
    Ticks span = 0;
    for (const DeviceId j : Ids<DeviceId>(devices())) {
        Stage& stage = m_stages[at(j)];
        while (stage.weights < microBatches())
            put(zbW, j);
        span = std::max(span, stage.clock - stage.firstStart);
    }
    return {std::move(m_kinds), span};
}

/// Climbs over the numbers of forwards that the stages run before B0.
class WarmUpClimb
{
public:
    WarmUpClimb(const ZeroBubbleProblem& problem, Ticks enough, ZeroBubbleCandidate& best,
                ZeroBubbleBudget& budget)
        : m_problem(problem)
        , m_enough(enough)
        , m_best(best)
        , m_budget(budget)
    {
    }

    void climb(std::vector<int> start);

private:
    bool better(const std::vector<int>& extra);
    bool finished() const { return m_best.span <= m_enough || m_budget.spent(); }
    bool shiftAny(std::vector<int>& extra);

    const ZeroBubbleProblem& m_problem;
    Ticks m_enough;
    ZeroBubbleCandidate& m_best;
    ZeroBubbleBudget& m_budget;
    std::pair<Ticks, Ticks> m_here; // longest span and sum of spans
};

/// Runs the variants with these numbers; true if one is better than where the climb stands.
bool WarmUpClimb::better(const std::vector<int>& extra)
{
    for (std::size_t j = 0; j < extra.size(); ++j) {
        if (extra[j] < 0 || extra[j] >= m_problem.microBatches ||
            (j > 0 && extra[j] > extra[j - 1]))
            return false;
    }
    bool found = false;
    for (int flags = 0; flags < 4 && !finished(); ++flags) {
        m_budget.work -= 6 * static_cast<std::int64_t>(m_problem.devices) * m_problem.microBatches;
        m_budget.lookAtClock();
        Scheduler scheduler(m_problem, {false, (flags & 2) != 0, (flags & 1) != 0});
        ZeroBubbleCandidate candidate = scheduler.run(extra);
        if (candidate.kinds.empty())
            continue;
        const std::pair<Ticks, Ticks> value{candidate.span, scheduler.spanSum()};
        if (value < m_here) {
            m_here = value;
            found = true;
        }
        if (candidate.span < m_best.span)
            m_best = std::move(candidate);
    }
    return found;
}

/// One forward more or less on one stage, on all up to it, or on all from it on.
bool WarmUpClimb::shiftAny(std::vector<int>& extra)
{
    const std::size_t stages = extra.size();
    for (std::size_t j = 0; j < stages; ++j) {
        const std::array<std::pair<std::size_t, std::size_t>, 3> ranges = {
            {{j, j + 1}, {0, j + 1}, {j, stages}}};
        for (const auto& range : ranges) {
            for (const int change : {1, -1}) {
                std::vector<int> moved = extra;
                for (std::size_t k = range.first; k < range.second; ++k)
                    moved[k] += change;
                if (better(moved)) {
                    extra = std::move(moved);
                    return true;
                }
                if (finished())
                    return false;
            }
        }
    }
    return false;
}

void WarmUpClimb::climb(std::vector<int> start)
{
    m_here = {zeroBubbleNoSpan, zeroBubbleNoSpan};
    better(start);
    while (!finished() && shiftAny(start))
        ;
}

} // namespace

ZeroBubbleCandidate zeroBubbleHeuristic(const ZeroBubbleProblem& problem)
{
    ZeroBubbleCandidate best;
    for (int flags = 7; flags >= 0; --flags) {
        const Variant variant{(flags & 4) != 0, (flags & 2) != 0, (flags & 1) != 0};
        Scheduler scheduler(problem, variant);
        ZeroBubbleCandidate candidate = scheduler.run(scheduler.warmUp());
        if (candidate.span < best.span)
            best = std::move(candidate);
    }
    return best;
}

void improveWarmUp(const ZeroBubbleProblem& problem, Ticks enough, ZeroBubbleCandidate& best,
                   ZeroBubbleBudget& budget)
{
    WarmUpClimb climb(problem, enough, best, budget);
    std::vector<std::vector<int>> starts;
    for (int tenths = 0; tenths <= 10; ++tenths) {
        std::vector<int> start = Scheduler(problem, {}).warmUp(tenths);
        if (std::find(starts.begin(), starts.end(), start) == starts.end())
            starts.push_back(std::move(start));
    }
    for (const std::vector<int>& start : starts) {
        if (best.span <= enough || budget.spent())
            return;
        climb.climb(start);
    }
}

} // namespace pw

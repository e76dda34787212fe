// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_heuristic.h"

#include <algorithm>

namespace pw {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

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

    ZeroBubbleCandidate run();

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
    bool startUp();
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

/// Runs micro-batch 0 through the pipeline, with the forwards that fit before its B.
bool Scheduler::startUp()
{
    for (int j = 0; j < devices(); ++j) {
        if (memory(zbF, j) > m_problem.memoryLimit[at(j)])
            return false;
        put(zbF, j);
    }
    std::vector<int> extra(m_stages.size());
    Ticks input = m_stages.back().clock;
    for (int j = devices() - 1; j >= 0; --j) {
        const Stage& stage = m_stages[at(j)];
        const Ticks length = m_problem.forward[at(j)];
        Ticks clock = stage.clock;
        std::int64_t held = stage.memory;
        int& count = extra[at(j)];
        while (1 + count < microBatches() &&
               held + memory(zbF, j) <= m_problem.memoryLimit[at(j)]) {
            if (m_variant.bubbleBeforeFirstB ? clock + length > input : clock >= input)
                break;
            clock += length;
            held += memory(zbF, j);
            ++count;
        }
        if (j > 0)
            input = std::max(clock, input) + m_problem.backward[at(j)] +
                    m_problem.backwardLatency[at(j - 1)];
    }
    for (int j = 0; j < devices(); ++j) {
        // a stage stays ahead of the next one as long as it has forwards left
        if (j > 0 && extra[at(j - 1)] + 1 < microBatches())
            extra[at(j)] = std::min(extra[at(j)], std::max(0, extra[at(j - 1)] - 1));
        for (int i = 0; i < extra[at(j)]; ++i)
            put(zbF, j);
    }
    for (int j = devices() - 1; j >= 0; --j) {
        if (!putWithWeights(zbB, j))
            return false;
    }
    return true;
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

ZeroBubbleCandidate Scheduler::run()
{
    if (!startUp())
        return {};
    for (int i = 1; i < microBatches(); ++i) {
        chooseForwards();
        for (int j = 0; j < devices(); ++j) {
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
    for (int j = 0; j < devices(); ++j) {
        Stage& stage = m_stages[at(j)];
        while (stage.weights < microBatches())
            put(zbW, j);
        span = std::max(span, stage.clock - stage.firstStart);
    }
    return {std::move(m_kinds), span};
}

} // namespace

ZeroBubbleCandidate zeroBubbleHeuristic(const ZeroBubbleProblem& problem)
{
    ZeroBubbleCandidate best;
    for (int flags = 7; flags >= 0; --flags) {
        const Variant variant{(flags & 4) != 0, (flags & 2) != 0, (flags & 1) != 0};
        ZeroBubbleCandidate candidate = Scheduler(problem, variant).run();
        if (candidate.span < best.span)
            best = std::move(candidate);
    }
    return best;
}

} // namespace pw

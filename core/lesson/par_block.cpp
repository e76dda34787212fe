// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/par_block.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/block/lifespan.h"
#include "core/edit/compose.h"
#include "core/lesson/block_figures.h"
#include "core/lesson/block_search.h"
#include "core/lesson/play.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw {

namespace {

constexpr Share noBlockCap = std::numeric_limits<Share>::max() / 4;

Ticks workOf(const BuildingBlock& block)
{
    std::vector<Ticks> work(static_cast<std::size_t>(block.devices), 0);
    for (const BlockPass& placed : block.passes)
        work[static_cast<std::size_t>(block.device(placed.pass))] += placed.duration;
    return *std::max_element(work.begin(), work.end());
}

Share peakOf(const BuildingBlock& block)
{
    const std::vector<Share> peaks = predictedPeak(block);
    return *std::max_element(peaks.begin(), peaks.end());
}

class BlockProof
{
public:
    BlockProof(const LessonLevel& level, std::int64_t mostNodes)
        : m_level(level)
        , m_mostNodes(mostNodes)
        , m_work(workOf(level.start.blocks.front()))
    {
    }

    Result<ParProof> run(const LessonPar& wanted)
    {
        for (const LessonGoal& goal : m_level.goals)
            PW_DO(limit(goal));
        if (wanted.memory && !m_bounded)
            return fail(ErrorCode::BadValue,
                        "a par for the memory of a block needs a goal for its interval");
        m_proof.proven = true;
        PW_DO(findAny());
        if (!m_known)
            return m_proof;
        m_proof.block = m_known;
        if (wanted.time && wanted.repeated)
            PW_DO(proveMakespan());
        else if (wanted.time)
            PW_DO(proveInterval());
        if (wanted.memory)
            PW_DO(proveMemory());
        if (wanted.messages)
            m_proof.least.messages = blockMessages(m_level.start.blocks.front());
        m_proof.least.repeated = wanted.repeated;
        return m_proof;
    }

private:
    Result<void> limit(const LessonGoal& goal)
    {
        if (goal.kind == GoalKind::Interval) {
            m_most = std::min(m_most, static_cast<Ticks>(goal.limit));
            m_bounded = true;
        } else if (goal.kind == GoalKind::BlockPeak) {
            m_cap = std::min(m_cap, static_cast<Share>(std::floor(goal.limit + 0.5)));
        } else if (isOfRepeated(goal)) {
            m_repeated.push_back(goal);
        } else if (goal.kind != GoalKind::Complete) {
            return fail(ErrorCode::BadValue, "the goal '%1' is none of a block", goalText(goal));
        }
        return {};
    }

    /// Whether the repeated block meets all goals and ends by a time.
    bool isGood(const BuildingBlock& block, Ticks latest) const
    {
        const auto figures = repeatedFigures(m_level, block);
        return figures && figures->makespan <= latest &&
               std::all_of(m_repeated.begin(), m_repeated.end(),
                           [&](const LessonGoal& goal) { return meets(goal, *figures); });
    }

    Result<BlockAnswer> find(Ticks interval, Share cap, std::optional<Ticks> latest = {})
    {
        BlockWanted wanted{m_level.start.blocks.front(), interval, cap, {}};
        if (!m_repeated.empty() || latest)
            wanted.accept = [this, latest](const BuildingBlock& block) {
                return isGood(block, latest.value_or(std::numeric_limits<Ticks>::max()));
            };
        auto answer = findBlock(std::move(wanted), m_mostNodes);
        if (!answer)
            return answer;
        m_proof.nodes += answer->nodes;
        if (!answer->block && !answer->finished) {
            m_proof.proven = false;
            m_proof.why = said("the search of interval %1 ended unfinished", interval);
        }
        return answer;
    }

    /// A block that meets the goals: that of the demonstration, or the first one that is found.
    Result<void> findAny()
    {
        const auto played = play(m_level, m_level.start);
        if (played && standingOf(m_level, *played).solved()) {
            m_known = played->blocks.front();
            return {};
        }
        for (Ticks interval = m_work; interval <= m_most && !m_known; ++interval) {
            PW_TRY(const auto answer, find(interval, m_cap));
            m_known = answer.block;
        }
        if (!m_known && m_proof.proven)
            return fail(ErrorCode::BadValue, "no block meets the goals of the level%1", whyNone());
        return {};
    }

    /// What the best block comes to where none meets the goals; empty: not known.
    Sentence whyNone()
    {
        if (m_most < m_work)
            return said("; the busiest device has %1 units of work, and an interval of %2 is asked "
                        "for",
                        m_work, m_most);
        Share least = noBlockCap;
        for (Ticks interval = m_work; interval <= m_most; ++interval) {
            for (;;) {
                const auto answer =
                    findBlock({m_level.start.blocks.front(), interval, least - 1, {}}, m_mostNodes);
                if (!answer || (!answer->block && !answer->finished))
                    return {};
                if (!answer->block)
                    break;
                least = peakOf(*answer->block);
            }
        }
        return least <= m_cap ? Sentence()
                              : said("; the least peak is %1 micro-batches, and %2 are asked for",
                                     plainNumber(microBatchesFromShare(least)),
                                     plainNumber(microBatchesFromShare(m_cap)));
    }

    Result<void> proveInterval()
    {
        m_proof.least.time = m_known->interval;
        for (Ticks interval = m_work; interval < m_known->interval; ++interval) {
            PW_TRY(const auto answer, find(interval, m_cap));
            if (!answer.block)
                continue;
            m_proof.least.time = interval;
            m_proof.block = answer.block;
            break;
        }
        return {};
    }

    Result<void> proveMemory()
    {
        Share least = peakOf(*m_known);
        for (Ticks interval = m_work; interval <= m_most; ++interval) {
            for (;;) {
                PW_TRY(const auto answer, find(interval, std::min(m_cap, least - 1)));
                if (!answer.block)
                    break;
                least = peakOf(*answer.block);
                m_proof.block = answer.block;
            }
        }
        m_proof.least.memory = least;
        return {};
    }

    Result<void> proveMakespan()
    {
        PW_TRY(const auto known, repeatedFigures(m_level, *m_known));
        Ticks least = known.makespan;
        const Ticks bound = leastMakespan();
        for (Ticks interval = m_work; interval <= m_most && least > bound; ++interval) {
            for (;;) {
                PW_TRY(const auto answer, find(interval, m_cap, least - 1));
                if (!answer.block)
                    break;
                PW_TRY(const auto better, repeatedFigures(m_level, *answer.block));
                least = better.makespan;
                m_proof.block = answer.block;
            }
        }
        m_proof.least.time = least;
        return {};
    }

    /// What no order can be below: a device cannot begin before the first micro-batch has reached
    /// it, and then has all its work.
    Ticks leastMakespan() const
    {
        const PipelineSpec& spec = m_level.start.draft.spec;
        const Costs costs = costsOf(m_level.start);
        std::vector<Ticks> begin(static_cast<std::size_t>(spec.devices), -1), work(begin.size(), 0);
        Ticks way = 0;
        for (const StageId s : Ids<StageId>(spec.stages())) {
            const auto device = static_cast<std::size_t>(spec.device(0, s));
            if (s > 0 && spec.device(0, s) != spec.device(0, StageId(s - 1)))
                way += costs.link.latency;
            if (begin[device] < 0)
                begin[device] = way;
            const std::size_t cell = cellIndex(spec, s, 0);
            way += costs.forward[cell];
            work[device] += spec.microBatches *
                            (costs.forward[cell] + costs.backward[cell] + costs.weight[cell]);
        }
        Ticks bound = 0;
        for (std::size_t d = 0; d < begin.size(); ++d)
            bound = std::max(bound, begin[d] + work[d]);
        return bound;
    }

    const LessonLevel& m_level;
    std::int64_t m_mostNodes;
    Ticks m_work; // of the busiest device: no interval is shorter
    Ticks m_most = 64;
    Share m_cap = noBlockCap;
    bool m_bounded = false;
    std::vector<LessonGoal> m_repeated;
    std::optional<BuildingBlock> m_known;
    ParProof m_proof;
};

} // namespace

Result<ParProof> proveBlock(const LessonLevel& level, const LessonPar& wanted,
                            std::int64_t mostNodes)
{
    return BlockProof(level, mostNodes).run(wanted);
}

} // namespace pw

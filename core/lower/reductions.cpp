// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lower/reductions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// Puts exchanges between the copies of stages into a program.
///
/// Every rank does its exchanges of one row of updates by their index, which is one order for all,
/// so no two ranks wait for each other crosswise.
class Reducing
{
public:
    Reducing(const Schedule& schedule, Program& program)
        : m_spec(schedule.spec())
        , m_schedule(schedule)
        , m_program(program)
        , m_first(program.reductions.size())
    {
    }

    void gradients()
    {
        if (m_spec.routeCount() == 2)
            makeAll(std::vector{ReductionKind::Sum});
        else
            makeAll(std::vector{ReductionKind::Scatter, ReductionKind::Gather});
        if (!m_spec.updates)
            atTheEnd();
        else
            besideUpdates(true);
    }

    void weights()
    {
        makeAll(std::vector{ReductionKind::Weights});
        if (m_spec.updates)
            besideUpdates(false);
    }

private:
    using StageUpdate = std::pair<StageId, int>;

    /// By stage, then by update, then by kind: all shards are complete before they are handed on.
    void makeAll(std::span<const ReductionKind> kinds)
    {
        for (const StageId stage : Ids<StageId>(m_spec.stages())) {
            for (int update = 0; update < m_spec.updatesPerStage(); ++update) {
                for (const ReductionKind kind : kinds)
                    makePairs(stage, update, kind);
            }
        }
        const std::size_t made = m_program.reductions.size() - m_first;
        m_ofUpdate = made / static_cast<std::size_t>(m_spec.stages() * m_spec.updatesPerStage());
    }

    void makePairs(StageId stage, int update, ReductionKind kind)
    {
        for (int a = 0; a < m_spec.routeCount(); ++a) {
            for (int b = a + 1; b < m_spec.routeCount(); ++b)
                m_program.reductions.push_back(
                    {stage,
                     update,
                     {rankOf(m_spec.device(a, stage)), rankOf(m_spec.device(b, stage))},
                     {a, b},
                     kind});
        }
    }

    /// The exchanges of a stage and update that a rank takes part in.
    void appendOf(StageId stage, int update, RankId rank, std::vector<Instruction>& out) const
    {
        const int number = stage * m_spec.updatesPerStage() + update;
        const std::size_t first = m_first + static_cast<std::size_t>(number) * m_ofUpdate;
        for (std::size_t i = first; i < first + m_ofUpdate; ++i) {
            const Reduction& reduction = m_program.reductions[i];
            if (reduction.ranks[0] == rank || reduction.ranks[1] == rank)
                out.push_back({InstructionKind::Reduce, static_cast<std::int32_t>(i)});
        }
    }

    const Pass* updateOf(const Instruction& instruction)
    {
        if (instruction.kind != InstructionKind::Compute)
            return nullptr;
        m_pass = m_schedule.entry(EntryId(instruction.index)).pass;
        return m_pass.kind == PassKind::U ? &m_pass : nullptr;
    }

    void besideUpdates(bool before)
    {
        for (const RankId rank : Ids<RankId>(m_program.ranks.size()))
            besideUpdates(rank, before);
    }

    /// Updates that stand in a row are reduced together, by stage: two ranks that share two stages
    /// then meet in the same order, also where their updates are in different ones. A rank with
    /// several copies of a stage may have something to receive between their updates: it exchanges
    /// before the first or after the last of them, and only once.
    void besideUpdates(RankId rank, bool before)
    {
        std::vector<Instruction>& instructions = m_program.ranks[rank.index()];
        std::map<StageUpdate, int> toCome = copiesOn(instructions);
        const std::map<StageUpdate, int> copies = toCome;
        // After every micro-batch each update makes a version of its own, whole before the next:
        // its exchanges come between the two, wherever a receive cuts the row on a rank.
        const bool apart = m_spec.updateRule == UpdateRule::Stashed;
        std::vector<Instruction> out;
        out.reserve(instructions.size() + m_program.reductions.size() - m_first);
        for (std::size_t i = 0; i < instructions.size();) {
            std::vector<Instruction> reductions;
            std::size_t end = i;
            int number = 0;
            for (; end < instructions.size(); ++end) {
                const Pass* update = updateOf(instructions[end]);
                if (update == nullptr || (apart && end > i && update->microBatch != number))
                    break;
                number = update->microBatch;
                const StageUpdate which(update->stage, update->microBatch);
                int& left = toCome[which];
                if (left-- == (before ? copies.at(which) : 1))
                    appendOf(update->stage, update->microBatch, rank, reductions);
            }
            sortUnique(reductions);
            if (before)
                out.insert(out.end(), reductions.begin(), reductions.end());
            end = std::max(end, i + 1);
            for (; i < end; ++i)
                out.push_back(instructions[i]);
            if (!before)
                out.insert(out.end(), reductions.begin(), reductions.end());
        }
        instructions = std::move(out);
    }

    /// Copies of a stage on a rank, by stage and update.
    std::map<StageUpdate, int> copiesOn(const std::vector<Instruction>& instructions)
    {
        std::map<StageUpdate, int> copies;
        for (const Instruction& instruction : instructions) {
            if (const Pass* update = updateOf(instruction))
                ++copies[{update->stage, update->microBatch}];
        }
        return copies;
    }

    void atTheEnd()
    {
        for (const RankId rank : Ids<RankId>(m_program.ranks.size())) {
            for (const StageId stage : Ids<StageId>(m_spec.stages()))
                appendOf(stage, 0, rank, m_program.ranks[rank.index()]);
        }
    }

    /// A rank that holds two copies exchanges once.
    static void sortUnique(std::vector<Instruction>& reductions)
    {
        std::sort(reductions.begin(), reductions.end(),
                  [](const Instruction& a, const Instruction& b) { return a.index < b.index; });
        reductions.erase(std::unique(reductions.begin(), reductions.end()), reductions.end());
    }

    const PipelineSpec& m_spec;
    const Schedule& m_schedule;
    Program& m_program;
    const std::size_t m_first;  ///< reduction that is made here
    std::size_t m_ofUpdate = 0; ///< reductions of one stage and update
    Pass m_pass;
};

} // namespace

void addReductions(Program& program, const Schedule& schedule)
{
    Reducing(schedule, program).gradients();
}

Result<void> shardOptimizer(Program& program, const Schedule& schedule)
{
    if (schedule.spec().routeCount() < 2)
        return fail(ErrorCode::BadValue, "a sharded optimizer needs several copies of every stage, "
                                         "and there is one; 2 replicas or more make it possible");
    Reducing(schedule, program).weights();
    return {};
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/host_blocks.h"

#include <algorithm>

namespace pw::exec::cuda {

std::map<Bytes, int> hostBlocks(const RunPlan& plan, RankId rank)
{
    constexpr int waiting = 2;
    const PipelineSpec& spec = plan.schedule.spec();
    const auto bytesOf = [&](const Pass& cell) {
        const ActivationCost& cost =
            plan.costs.activation[cellIndex(spec, cell.stage, cell.segment)];
        return activationChange(cost, PassKind::F, plan.schedule.recomputed(cell)).bytes;
    };
    std::map<Bytes, int> used, most;
    std::multimap<EntryId, Bytes> back; // by the entry that needs it
    for (const Instruction& instruction : plan.program.ranks[rank.index()]) {
        if (instruction.kind == InstructionKind::Stow) {
            const HostMove& move = plan.program.moves[static_cast<std::size_t>(instruction.index)];
            const Bytes bytes = bytesOf(move.cell);
            most[bytes] = std::max(most[bytes], ++used[bytes]);
            back.emplace(move.needed, bytes);
        } else if (instruction.kind == InstructionKind::Compute) {
            const auto [first, last] = back.equal_range(EntryId(instruction.index));
            for (auto one = first; one != last; ++one)
                --used[one->second];
        }
    }
    for (auto& [bytes, count] : most)
        count += waiting;
    return most;
}

} // namespace pw::exec::cuda

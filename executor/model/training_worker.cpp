// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/training_worker.h"

#include <utility>

namespace pw::exec {

Result<void> TrainingWorker::begin()
{
    const Result<std::vector<int>> tokens = segmentTokens(m_spec, m_plan.model);
    if (!tokens)
        return fail(tokens.error());
    m_segmentTokens = *tokens;
    if (const Result<void> made = m_stages.begin(m_segmentTokens); !made)
        return made;
    if (m_stages.anyOutputs())
        m_texts.holdLosses();
    return {};
}

Result<void> TrainingWorker::beginIteration(int iteration)
{
    m_iteration = iteration;
    m_stages.beginIteration();
    m_texts.beginIteration(iteration);
    return {};
}

Result<void> TrainingWorker::forget(const OrderEntry& entry)
{
    const Pass& pass = entry.pass;
    if (entry.paired || pass.kind != PassKind::F)
        return fail(ErrorCode::Fault, "%1 cannot be computed again", describe(pass, m_spec));
    m_cells.erase(cellNumber(pass));
    m_results.forget(pass);
    if (last(pass))
        m_texts.forget(pass.microBatch);
    return {};
}

std::vector<std::string> TrainingWorker::notes()
{
    std::vector<std::string> notes;
    if (m_pairsInTurn)
        notes.emplace_back(
            "overlapped pairs ran one pass after the other: the device does one thing at a time");
    if (std::string copies = m_onHost.text(); !copies.empty())
        notes.push_back(std::move(copies));
    return notes;
}

std::unique_ptr<Worker> makeTrainingWorker(const RunPlan& plan, RankId rank,
                                           std::shared_ptr<Ops> ops, SnapshotListener snapshot)
{
    return std::make_unique<TrainingWorker>(plan, rank, std::move(ops), std::move(snapshot));
}

} // namespace pw::exec

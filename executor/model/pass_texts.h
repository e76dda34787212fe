// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/model/cell.h"
#include "executor/model/gpt_stage.h"
#include "executor/model/micro_batch_text.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// What the first and the last stage take of a micro-batch's text, and the losses that come of it.
class PassTexts
{
public:
    /// References outlive this.
    PassTexts(const RunPlan& plan, Ops& ops)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_ops(ops)
    {
    }

    /// Takes room for the losses of an iteration.
    void holdLosses();
    void beginIteration(int iteration);

    /// The text of a pass; of the last stage also what it is held against, and where its loss goes.
    /// @param target  set for the last stage
    TextRows textOf(const Pass& pass, const CellLayout& layout, Scratch& scratch, Target& target);
    Tokens upload(void* to, const std::vector<std::int32_t>& tokens);

    /// The loss of a micro-batch is made.
    void made(int microBatch) { m_made.push_back(microBatch); }
    /// It is computed again.
    void forget(int microBatch);
    /// Those that were made since.
    std::vector<MicroBatchLoss> takeLosses();

private:
    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    Ops& m_ops;
    int m_iteration = 0;
    Buffer m_losses; // a float a micro-batch
    std::vector<std::int32_t> m_made;
};

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/micro_batch_text.h"

#include "executor/model/data.h"

namespace pw::exec {

std::int64_t microBatchNumber(const RunPlan& plan, int iteration, int microBatch)
{
    const std::int64_t run = iteration + plan.warmup + plan.firstIteration;
    return run * plan.schedule.spec().totalMicroBatches() + microBatch;
}

TextRows textRows(const RunPlan& plan, std::int64_t microBatchNumber, int first, int count)
{
    const GptModel& model = plan.model;
    TextRows rows;
    for (int i = 0; i < model.samples; ++i) {
        const std::vector<std::int32_t> text = sample(
            plan.seed, microBatchNumber * model.samples + i, model.sequence + 1, model.vocabulary);
        const auto begin = text.begin() + first;
        rows.tokens.insert(rows.tokens.end(), begin, begin + count);
        rows.targets.insert(rows.targets.end(), begin + 1, begin + 1 + count);
    }
    return rows;
}

} // namespace pw::exec

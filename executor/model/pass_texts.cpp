// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/pass_texts.h"

namespace pw::exec {

void PassTexts::holdLosses()
{
    const auto count = static_cast<Bytes>(m_spec.totalMicroBatches());
    m_losses = Buffer(m_ops, count * static_cast<Bytes>(sizeof(float)), MemoryUse::Workspace);
}

void PassTexts::beginIteration(int iteration)
{
    m_iteration = iteration;
    if (m_losses)
        m_ops.zero(m_losses.data(), m_losses.bytes());
}

Tokens PassTexts::upload(void* to, const std::vector<std::int32_t>& tokens)
{
    m_ops.upload(to, tokens.data(),
                 static_cast<Bytes>(tokens.size()) * static_cast<Bytes>(sizeof(std::int32_t)));
    return {static_cast<const std::int32_t*>(to), static_cast<std::int64_t>(tokens.size())};
}

TextRows PassTexts::textOf(const Pass& pass, const CellLayout& layout, Scratch& scratch,
                           Target& target)
{
    TextRows text = textRows(m_plan, microBatchNumber(m_plan, m_iteration, pass.microBatch),
                             layout.firstToken(), layout.segmentTokens());
    if (pass.stage + 1 < m_spec.stages())
        return text;
    const auto bytes = layout.rows() * static_cast<Bytes>(sizeof(std::int32_t));
    target.tokens = upload(scratch.bytes(bytes), text.targets);
    // An update takes in the mean over the tokens of its micro-batches.
    const int microBatches = m_spec.updateRule == UpdateRule::Stashed ? 1 : m_spec.microBatches;
    target.scale =
        static_cast<float>(1.0 / (static_cast<double>(m_plan.model.tokens()) * microBatches));
    // The loss counts when F makes it, not once more when R does.
    target.loss = pass.kind == PassKind::R ? static_cast<float*>(scratch.bytes(sizeof(float)))
                                           : static_cast<float*>(m_losses.data()) + pass.microBatch;
    return text;
}

void PassTexts::forget(int microBatch)
{
    std::erase(m_made, microBatch);
    m_ops.zero(static_cast<float*>(m_losses.data()) + microBatch, sizeof(float));
}

std::vector<MicroBatchLoss> PassTexts::takeLosses()
{
    std::vector<MicroBatchLoss> losses;
    if (m_made.empty())
        return losses;
    std::vector<float> sums(static_cast<std::size_t>(m_spec.totalMicroBatches()));
    m_ops.download(sums.data(), m_losses.data(), m_losses.bytes());
    for (const std::int32_t j : m_made) {
        const double sum = sums[static_cast<std::size_t>(j)];
        losses.push_back({j, sum / m_plan.model.tokens()});
    }
    m_made.clear();
    return losses;
}

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_drag.h"

#include "ui/core_sentences.h"

#include <utility>

namespace pw::ui {

void BlockDrag::beginPasses(std::vector<Pass> passes)
{
    m_what = What::Passes;
    m_passes = std::move(passes);
    m_tried = 0;
    m_refusal.clear();
}

void BlockDrag::beginInterval()
{
    m_what = What::Interval;
    m_tried = m_model.block().interval;
    m_refusal.clear();
}

Result<void> BlockDrag::tell(Result<void> tried)
{
    m_refusal = tried ? QString() : coreSentence(tried.error().message);
    return tried;
}

Result<void> BlockDrag::tryPasses(Ticks by, InTheWay others)
{
    m_tried = by;
    return tell(m_model.tryMove(m_passes, by, others));
}

Result<void> BlockDrag::tryInterval(Ticks interval)
{
    m_tried = interval;
    return tell(m_model.tryInterval(interval));
}

Result<void> BlockDrag::end(bool kept, InTheWay others)
{
    const What what = std::exchange(m_what, What::None);
    m_model.clearTrial();
    if (!kept || !m_refusal.isEmpty())
        return {};
    if (what == What::Interval)
        return m_model.setInterval(m_tried);
    return m_tried != 0 ? m_model.move(m_passes, m_tried, others, false) : Result<void>{};
}

} // namespace pw::ui

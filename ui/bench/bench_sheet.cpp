// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/bench_sheet.h"

#include <utility>

namespace pw::ui {

BenchStep::BenchStep(Show show, BenchSheet before, BenchSheet after, const QString& text,
                     const QString& merge)
    : QUndoCommand(text)
    , m_show(std::move(show))
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_merge(merge)
{
}

bool BenchStep::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const BenchStep*>(other);
    if (next->m_merge != m_merge)
        return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    return true;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/gap_reasons.h"

#include <algorithm>

namespace pw::ui {

const Gap* GapReasons::at(DeviceId device, Ticks time)
{
    if (!m_document.schedule() || device < 0 || device >= m_document.schedule()->devices())
        return nullptr;
    // Lanes are made anew with every result.
    if (m_lanes != m_document.lanes()) {
        m_lanes = m_document.lanes();
        m_gaps.assign(static_cast<std::size_t>(m_document.schedule()->devices()), std::nullopt);
    }
    std::optional<std::vector<Gap>>& own = m_gaps[static_cast<std::size_t>(device)];
    if (!own)
        own = gaps(*m_document.schedule(), m_document.costs(), m_document.result(), device);
    const auto next = std::upper_bound(own->begin(), own->end(), time,
                                       [](Ticks a, const Gap& gap) { return a < gap.end; });
    return next != own->end() && next->start <= time ? &*next : nullptr;
}

} // namespace pw::ui

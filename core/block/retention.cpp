// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/retention.h"

#include <algorithm>

namespace pw {

Holdings::Holdings(const PipelineSpec& spec, const Retention& keep)
    : m_table(spec)
    , m_segments(spec.segmentLengths.size())
    , m_shares(activationShares(spec, keep.keptForWeight, keep.stash))
    , m_recomputed(static_cast<std::size_t>(m_table.firstUpdate() / PassTable::slotsPerCell), false)
{
}

void Holdings::tell(const Pass& pass)
{
    if (pass.kind == PassKind::R)
        m_recomputed[cell(pass)] = true;
}

Holding Holdings::of(const Pass& pass) const
{
    const ActivationCost& cost = m_shares[static_cast<std::size_t>(pass.stage) * m_segments +
                                          static_cast<std::size_t>(pass.segment)];
    const Share change = activationChange(cost, pass.kind, m_recomputed[cell(pass)]).share;
    return {std::max<Share>(change, 0), std::max<Share>(-change, 0)};
}

} // namespace pw

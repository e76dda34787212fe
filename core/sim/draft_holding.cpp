// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/draft_holding.h"

namespace pw {

DraftHolding::Change DraftHolding::change(std::uint8_t& state, PassKind kind,
                                          const ActivationCost& cost)
{
    const auto plain = [&](bool stashed) {
        const ActivationChange change = activationChange(cost, kind, stashed);
        return Change{change.bytes, 0, change.share};
    };
    const auto leave = [&](std::uint8_t flag) {
        const bool was = (state & flag) != 0;
        state = static_cast<std::uint8_t>(state & ~flag);
        return was;
    };
    switch (kind) {
    case PassKind::F:
        state = static_cast<std::uint8_t>(state | forward);
        return plain((state & recomputed) != 0);
    case PassKind::R:
        if ((state & forward) == 0)
            return {};
        state = static_cast<std::uint8_t>(state | again);
        return plain(false);
    case PassKind::B:
    case PassKind::BW:
        if (!leave(forward))
            return {};
        // Before its R only the input is there.
        if ((state & recomputed) != 0 && (state & again) == 0)
            return {-cost.stash, 0, -cost.stashShare};
        if (kind == PassKind::BW)
            return plain(false);
        state = static_cast<std::uint8_t>(state | forWeight);
        return {-cost.activation, cost.keptForWeight, plain(false).share};
    case PassKind::W:
        if (!leave(forWeight))
            return {};
        return {0, -cost.keptForWeight, -cost.keptForWeightShare};
    case PassKind::U:
        break;
    }
    return {};
}

} // namespace pw

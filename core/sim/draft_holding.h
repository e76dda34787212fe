// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"

#include <cstdint>

namespace pw {

/// What the passes of one cell of a draft keep and release, whichever of them are there.
///
/// The state of a cell is a byte: `recomputed` or 0 before its first pass. A pass releases only
/// what passes before it have kept, so nothing falls below 0.
struct DraftHolding
{
    static constexpr std::uint8_t recomputed = 1; ///< the draft has an R of the cell
    static constexpr std::uint8_t forward = 2;    ///< F has run, and no backward
    static constexpr std::uint8_t again = 4;      ///< R has run
    static constexpr std::uint8_t forWeight = 8;  ///< B has run, and no W

    /// A change of the activations, and of what is held for W. In shares only the sum is known.
    struct Change
    {
        Bytes activation = 0;
        Bytes forWeight = 0;
        Share share = 0;

        ActivationChange sum() const { return {activation + forWeight, share}; }
    };

    static Change change(std::uint8_t& state, PassKind kind, const ActivationCost& cost);
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/ids.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

namespace pw {

/// What a pass does. `B` is the backward for the input only; `BW` does input and weights in one.
enum class PassKind : std::uint8_t
{
    F,  ///< forward
    B,  ///< backward for the input
    W,  ///< backward for the weights
    BW, ///< backward for both, unsplit
    R,  ///< recompute: the forward once more, before the backward
    U   ///< optimizer update of one stage, once a step
};

constexpr int passKindCount = 6;

constexpr std::array<PassKind, passKindCount> allPassKinds = {
    PassKind::F, PassKind::B, PassKind::W, PassKind::BW, PassKind::R, PassKind::U};

/// The kind as it is written in the text notation: `F B W BW R U`.
constexpr std::string_view name(PassKind kind)
{
    constexpr std::array<std::string_view, passKindCount> names = {"F", "B", "W", "BW", "R", "U"};
    return names[static_cast<std::size_t>(kind)];
}

/// True for B and BW: the pass that hands a gradient to the previous stage.
constexpr bool isBackward(PassKind kind)
{
    return kind == PassKind::B || kind == PassKind::BW;
}

/// One kind of work on one stage for one micro-batch and segment.
///
/// For U, `microBatch` is the optimizer step and `segment` is 0. The route follows from the
/// micro-batch; it is kept here because U has none and because a stage of two routes is hosted
/// twice.
struct Pass
{
    PassKind kind = PassKind::F;
    std::uint8_t route = 0;      ///< 0, or 1 for the second direction of a bidirectional family
    StageId stage{0};            ///< 0 … S−1
    std::int32_t microBatch = 0; ///< 0 … m−1, counting on over optimizer steps
    std::int32_t segment = 0;    ///< 0 … k−1

    friend constexpr auto operator<=>(const Pass&, const Pass&) = default;
};

/// Position of a pass in the flat tables of a schedule; computed, see `PassTable`.
using PassId = Id<struct PassTag>;

/// One entry of a device's order: a pass, or an overlapped pair that runs as one unit.
struct OrderEntry
{
    Pass pass;      ///< the pass; of a pair, the one named first
    Pass partner{}; ///< of a pair, the second one; meaningless else
    bool paired = false;

    friend constexpr bool operator==(const OrderEntry& a, const OrderEntry& b)
    {
        return a.pass == b.pass && a.paired == b.paired && (!a.paired || a.partner == b.partner);
    }
};

} // namespace pw

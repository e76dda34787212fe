// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/lane_spans.h"
#include "core/io/picture.h"

namespace pw {

/// The mark ⇡ of an activation that leaves for the host's memory, in the upper right of its block:
/// a head of `head` rows, each two wider than the one before, and a stem of dashes below it.
/// Lanes and figures draw it, in pixels.
struct AwayMark
{
    static constexpr int width = 7, height = 10;
    static constexpr int head = 4;           ///< rows
    static constexpr int stem[] = {5, 8};    ///< where its dashes begin
    static constexpr int dash = 2, room = 3; ///< room: to the letters and the edges
    static constexpr int top = 2;            ///< from the edge of the block

    /// Whether it stands beside or above the letters in the middle of a block; else there is a
    /// corner.
    static bool fits(PictureBox block, PictureBox letters, SpanLook look)
    {
        const bool beside = block.width >= letters.width + 2 * (width + room);
        const bool above =
            block.width >= 2 * width && block.height >= letters.height + 2 * (height + room);
        return look.paired == 0 && (beside || above);
    }
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/timeline/lane_rows.h"

namespace pw::ui {

/// How high the lanes of a timeline are, one height for all: as somebody wants it, or as high as
/// there is room for all of them. Those inside of others are lower.
class LaneHeights
{
public:
    /// Of all lanes together, in pixels.
    struct Extent
    {
        int now = 0;
        int most = 0; ///< no taller do they become
    };

    /// Pixels of a lane that is inside of no other.
    int height() const { return m_height; }
    /// @param height  0: as high as there is room for all of them
    void want(int height);
    /// As it was wanted last; 0: by the room.
    int wanted() const { return m_wanted; }
    /// Lanes that fit the room are not lower than this.
    void setLeast(int height);

    /// Makes lanes as high as they are to be.
    /// @param room  pixels that there are
    /// @param rows  become those of the lanes; what was folded or pinned stays so
    Extent layOut(const Lanes& lanes, int room, LaneRows& rows);
    /// The rows, where lanes stand as a tree that they tell; null: one stands below the other.
    const LaneRows* tree(const LaneRows& rows) const;

private:
    void outline(const Lanes& lanes, LaneRows& rows);

    int m_height = 46;
    int m_least = 1;
    int m_wanted = 0;      ///< 0: as there is room for
    bool m_nested = false; ///< some lanes are inside of others
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <cstddef>
#include <set>
#include <vector>

namespace pw::ui {

/// Rows of lanes below each other, as a tree that can be folded: what is inside of a row stands
/// behind it in the outline, deeper. Says where each row stands, in pixels from the top of all
/// rows.
class LaneRows
{
public:
    struct Row
    {
        int depth = 0;
        int lane = -1;       ///< −1: the row is a heading or a counter
        int counter = -1;    ///< of a counter: its number
        std::size_t key = 0; ///< what it is folded by
        QString title;
        QString pinnedTitle; ///< above all others, where nothing around says more; empty: the title
        QString note;        ///< beside the title: how much it holds
        int height = 0;      ///< with the gap behind it
        int levels = 0;      ///< of slices that are shown
        int foldedHeight = 0; ///< with one level of several

        // What the rows say of it.
        bool inner = false; ///< something is inside of it
        bool pinned = false;
        bool folded = false;
        int top = 0;
    };

    LaneRows() = default;
    /// @param outline     all rows with nothing folded, each as its first part says
    /// @param headHeight  of the heading of what is pinned
    LaneRows(std::vector<Row> outline, int headHeight);
    /// Other rows or heights; what was folded or pinned stays so.
    void setOutline(std::vector<Row> outline, int headHeight);

    /// Those that are not inside of something folded.
    const std::vector<Row>& rows() const { return m_rows; }
    int height() const;
    /// The row at a height; −1: none.
    int rowAt(int y) const;
    /// The row of a lane; null: it is folded away, or there is none. @complexity O(1)
    const Row* rowOf(int lane) const;

    /// The lane that is shown below (+1) or above (−1) another one; −1: there is none.
    int laneBeside(int lane, int direction) const;

    /// Folds a row, or opens it again; one of several levels that is folded shows the outermost.
    void toggle(std::size_t key);
    /// Lets a lane stand above all others, or puts it back.
    void togglePin(int lane);
    bool isPinned(int lane) const { return m_pinned.count(lane) > 0; }
    bool anyPinned() const { return !m_pinned.empty(); }
    /// The row of a lane, which everything around it opens for; −1: there is none.
    int openLane(int lane);

private:
    void layOut();
    /// Place in the outline; −1: there is no such lane.
    int placeOf(int lane) const;

    std::vector<Row> m_outline;
    int m_headHeight = 0;
    std::set<int> m_pinned;
    std::set<std::size_t> m_folded;
    std::vector<Row> m_rows;
    std::vector<int> m_rowOf; ///< by lane; −1: not shown
};

} // namespace pw::ui

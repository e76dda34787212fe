// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/mark_painter.h"

#include <QPointF>
#include <Qt>

namespace pw::ui {

class LaneView;

/// What the mouse does to every timeline, whatever its lanes are made of: it moves the view, widens
/// the titles, moves the two markers, and measures time from one place to another.
class LaneGestures
{
public:
    explicit LaneGestures(LaneView& view)
        : m_view(view)
    {
    }

    /// Whether something was begun and has not ended.
    bool holds() const { return m_hold != Hold::None; }
    /// A marker is being moved, or set by measuring.
    bool isMeasuring() const { return m_hold == Hold::Mark || m_hold == Hold::Measure; }

    // What a press begins, at the view's press point; each false: it is not about that.

    bool pressView(Qt::MouseButton button);
    bool pressMark();
    /// The press was none of the lanes': time is measured from there on.
    void measure();

    /// The pointer is elsewhere. @return  false: nothing is held
    bool move(QPointF before);
    /// The lanes have moved under a marker that is held.
    void moveMark();
    /// @return  whether what was held was no more than a click
    bool release(Qt::MouseButton button);
    /// All is as it was before the press. @return  false: nothing is held
    bool giveUp();

    /// What the pointer looks like over a point where nothing is held.
    Qt::CursorShape cursorAt(QPointF point) const;

private:
    enum class Hold
    {
        None,
        Pan,
        Titles, ///< the edge of the margin is moved
        Mark,   ///< a marker is moved
        Measure ///< from where it was pressed
    };

    void begin(Hold hold);
    bool isTitlesEdge(QPointF point) const;
    std::optional<Mark> markAt(QPointF point) const;
    void end(bool kept);

    LaneView& m_view;
    Hold m_hold = Hold::None;
    Mark m_grabbed = Mark::A;
    Marks m_before;          ///< the markers as they were before the press
    bool m_measured = false; ///< the pointer went far enough
};

} // namespace pw::ui

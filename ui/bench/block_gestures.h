// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/block_drag.h"

#include <Qt>

class QPainter;

namespace pw::ui {

class BlockPainter;
class BlockView;

/// What the left button does to a building block: it chooses passes, with Ctrl one more, with Shift
/// those in a band; it drags passes, with Shift what is in the way along, and the end of the
/// interval. Knows the view as all others do.
class BlockGestures
{
public:
    BlockGestures(BlockView& view, BenchModel& model)
        : m_view(view)
        , m_model(model)
        , m_drag(model)
    {
    }

    /// Whether something was begun and has not ended.
    bool holds() const { return m_hold != Hold::None || m_drag.holds(); }
    /// Whether the block may be another one while the button is down.
    bool drags() const { return m_drag.holds(); }
    /// A press in the lanes. @return  false: it begins nothing
    bool press(Qt::KeyboardModifiers modifiers);
    /// The pointer is elsewhere.
    void move(Qt::MouseButtons buttons);
    /// What is dragged comes to where the pointer is now.
    void moveHeld();
    void end(bool kept);
    /// What is being chosen, and where a drag is refused.
    void paint(QPainter& painter, const BlockPainter& block) const;

private:
    /// What the button holds, beside what it drags.
    enum class Hold
    {
        None,
        Press, ///< on a pass, not yet moved
        Band
    };

    void hover();

    BlockView& m_view;
    BenchModel& m_model;
    BlockDrag m_drag;
    Hold m_hold = Hold::None;
};

/// With Shift, what is in the way of passes moves along.
InTheWay pushedBy(Qt::KeyboardModifiers modifiers);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QObject>
#include <QPointF>

#include <vector>

namespace pw::ui {

class TimelineView;

/// What the left button does to the spans of a timeline: a click selects one, with Ctrl it adds or
/// takes one away, with Shift it selects up to there; a band that Shift draws selects what is in
/// it; a span can be dragged. Knows the view as all others do.
class SpanGestures : public QObject
{
    Q_OBJECT

public:
    explicit SpanGestures(TimelineView& view);

    /// Whether something was begun and has not ended.
    bool holds() const { return m_gesture != Gesture::None; }
    /// A press between or on spans. @return  false: it begins nothing
    bool press(QPointF point, Qt::KeyboardModifiers modifiers);
    /// The pointer is elsewhere, with the button down.
    void move(QPointF point);
    /// The lanes have moved under what is held.
    void moveHeld();
    void release(Qt::MouseButton button);
    /// Gives up what was begun. @return  false: nothing was
    bool giveUp();
    /// Modifier keys of the last press.
    Qt::KeyboardModifiers modifiers() const { return m_modifiers; }

Q_SIGNALS:
    void dragBegun(pw::ui::SpanRef span);
    void dragMoved(double ticks, int lane);
    void dragEnded(bool dropped);

private:
    enum class Gesture
    {
        None,
        Press, ///< on a span, not yet moved
        Drag,
        Band ///< around spans to select
    };

    bool adds() const { return (m_modifiers & Qt::ControlModifier) != 0; }
    bool extends() const { return (m_modifiers & Qt::ShiftModifier) != 0; }
    void pressSpan(SpanRef span);
    void clickSpan(SpanRef span);
    void selectUpTo(SpanRef span);
    void moveBand(QPointF point);
    void end(bool kept);

    TimelineView& m_view;
    Gesture m_gesture = Gesture::None;
    SpanRef m_pressed;
    bool m_addedByPress = false;
    Qt::KeyboardModifiers m_modifiers;
    std::vector<SpanRef> m_kept; ///< selection that a band adds to
};

} // namespace pw::ui

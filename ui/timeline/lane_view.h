// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/stretches.h"
#include "ui/timeline/lane_gestures.h"
#include "ui/timeline/lane_rows.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/view_range.h"

#include <QAbstractScrollArea>

#include <optional>

namespace pw::ui {

class EdgeScroll;

/// Lanes over a range of time, whatever they are made of, with titles in a margin on the left: the
/// one host of what every timeline does. Keys, wheel, moving by the middle button, measuring, the
/// two markers, folding and pinning are here, so that they are the same everywhere; what a lane is
/// made of, and what is selected in it, is asked of the views that derive from this one.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LaneView(ViewRange& range, QWidget* parent = nullptr);

    ViewRange& range() { return m_range; }
    /// Where times are on the viewport.
    TimeScale scale() const { return TimeAxis::of(m_range, *this); }
    double timeAt(double x) const { return scale().time(x); }
    /// Pixels of the margin on the left, as of every view of the range.
    int margin() const { return TimeAxis::margin(m_range); }
    /// Whether the margin can be dragged wider: nothing else beside the lanes has it.
    void setTitlesCanWiden(bool can) { m_titlesCanWiden = can; }
    bool titlesCanWiden() const { return m_titlesCanWiden; }
    /// Where the viewport has lanes: between the margins, over the whole height.
    QRectF room() const;

    /// How times are told: from one to another, and how long something lasts.
    virtual QString stretchText(double from, double to) const { return spanText(from, to); }
    virtual QString lengthText(double ticks) const { return durationText(ticks); }

    const Marks& marks() const { return m_marks; }
    /// Sets or clears a marker.
    void setMark(Mark mark, std::optional<double> time);
    void setMarks(const Marks& marks);
    void clearMarks() { setMarks({}); }
    /// Between the two markers, all lanes through; none: nothing is marked.
    std::optional<TimeStretch> stretch() const;
    void setStretch(std::optional<TimeStretch> stretch);
    /// A marker is being moved: `stretchChanged` comes again when it stays.
    bool isMeasuring() const { return m_hold.isMeasuring(); }

    /// Lets a lane stand above all others, or puts it back.
    void togglePin(int lane);
    bool isPinned(int lane) const { return m_rows.isPinned(lane); }

    // What keys ask of the lanes. "The current one" is what was selected last.

    /// From when to when the current one is; none: nothing is selected.
    virtual std::optional<TimeStretch> currentTimes() const = 0;
    /// −1: nothing is selected.
    virtual int currentLane() const = 0;
    virtual void clearSelection() = 0;
    /// Selects the next (+1) or previous one (−1) of the lane.
    virtual void stepAlong(int direction) = 0;
    /// Selects what is at the same time in the lane below (+1) or above (−1).
    virtual void stepAcross(int direction) = 0;
    /// Along the arrows: to what waits for the current one (+1), to what it waits for (−1).
    virtual void walk(int direction) = 0;
    /// To the next or previous of those that the last walk could have come to.
    virtual void walkAside(int direction) = 0;
    /// Enter: opens the current one, or shows it from near.
    virtual void open() = 0;
    /// The nearest edge of something at a point, within a few pixels, else the time itself.
    virtual double snapped(double time, QPointF at) const = 0;

    /// The lane at a point, titles included; −1: none.
    virtual int laneAt(QPointF point) const = 0;
    /// Rows were folded, opened, pinned, or put back.
    virtual void relayout() = 0;

    /// By a part of what is shown, in whole pixels: then what is painted moves as it is.
    void panBy(double part);
    /// The time under the pointer; none: it is not over the lanes.
    std::optional<double> pointerTime() const;
    QPointF pointer() const { return m_pointer; }
    QPointF pressPoint() const { return m_pressPoint; }
    /// The time that was pressed, wherever it has moved to since.
    double pressTime() const { return m_pressTime; }
    /// Something is dragged at a point: near an edge the view moves on under it.
    void followEdge(QPointF point, Qt::Orientations directions);
    void stopFollowing();
    /// The margin of the titles stays as wide as it was dragged.
    void keepTitles() { Q_EMIT titlesWidened(); }
    /// A marker at the pointer while it is over the lanes, else at the edge of the current one.
    void markHere(Mark mark);
    /// Gives up what is going on, else clears the markers, else the selection.
    void leave();

Q_SIGNALS:
    void selectionChanged();
    void marksChanged();
    /// Somebody has dragged the margin of the titles wider or back.
    void titlesWidened();
    void stretchChanged();
    /// The view has moved under what is dragged: the same point is another place now.
    void movedUnderDrag();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

    /// A press of the left button in the lanes. @return  false: it begins nothing of the view's
    /// own, and time is measured from there on
    virtual bool pressLanes(QMouseEvent& event) = 0;
    /// The pointer moved, with or without what a press began.
    virtual void moveLanes(QMouseEvent& event) = 0;
    /// What `pressLanes` began ends.
    virtual void releaseLanes(QMouseEvent& event) = 0;
    /// A press that was none of the view's own is let go where it began.
    virtual void clickLanes(QPointF point) = 0;
    /// A press on a title. @return  false: nothing came of it
    virtual bool pressTitle(QPointF point) = 0;
    /// Gives up what a press began. @return  false: nothing was going on
    virtual bool giveUp() = 0;
    /// The lanes have moved under a pointer that holds something.
    virtual void moveHeld() {}

    void setPointer(QPointF point) { m_pointer = point; }
    /// Whether the view holds the pointer for something: moving, a marker, measuring.
    bool holdsPointer() const { return m_hold.holds(); }

    ViewRange& m_range;
    LaneRows m_rows;

private:
    void moveUnder(double x, double y);

    EdgeScroll* m_edge;
    Marks m_marks;
    LaneGestures m_hold;
    bool m_titlesCanWiden = false;
    QPointF m_pressPoint;
    QPointF m_pointer;
    double m_pressTime = 0;
};

} // namespace pw::ui

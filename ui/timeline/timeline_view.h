// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/lane_heights.h"
#include "ui/timeline/lane_view.h"
#include "ui/timeline/lanes_picture.h"
#include "ui/timeline/overlay_painter.h"
#include "ui/timeline/span_gestures.h"
#include "ui/timeline/span_walk.h"

#include <optional>
#include <utility>
#include <vector>

namespace pw::ui {

/// Lanes over time with titles in a margin on the left, as a tree where some are inside of others.
/// Shows and asks; changes nothing itself but the visible range and what is selected.
class TimelineView : public LaneView
{
    Q_OBJECT

public:
    explicit TimelineView(ViewRange& range, QWidget* parent = nullptr);

    /// @param room  time that the range reaches to at least, so that something can be put behind
    ///              the lanes and their scale is steady; 0: as far as they do
    void setLanes(LanesPtr lanes, Ticks room = 0);
    /// Whether the whole of the range is that of the lanes, as at first; false where another view
    /// of the range decides it.
    void setRangeIsOurs(bool ours) { m_rangeIsOurs = ours; }
    const LanesPtr& lanes() const { return m_lanes; }
    /// Shows other lanes palely for a while, in the place of the present ones, which stay what is
    /// selected and asked for; null: no more. The range reaches as far as they do.
    void setPreview(LanesPtr lanes);
    void setColorBy(ColorBy colorBy);
    ColorBy colorBy() const { return m_picture.colorBy(); }
    /// Colours spans by their difference to another timeline; null: not.
    /// @param most  difference that has the full colour
    void setHeat(HeatPtr heat, Ticks most);
    /// Shows a layer over the lanes as they are, in place of what it showed; spans that they do not
    /// have are left out.
    template<class Layer>
    void setLayer(Layer layer)
    {
        static_cast<Layer&>(m_overlay) = std::move(layer);
        viewport()->update();
    }
    const Overlay& overlay() const { return m_overlay; }
    /// A sentence beside the pointer while something is dragged; empty: none.
    /// @param at  where the pointer is, of a drag that sends no mouse events
    void setHint(const QString& hint, bool refusal, std::optional<QPointF> at = {});

    /// Something else than the mouse's own gestures is dragged over the view and is at a point:
    /// near an edge the view moves on under it. None: nothing is dragged any more.
    void setDraggedAt(std::optional<QPointF> point);

    /// Selects one span, or adds it to the selection; an invalid one clears.
    void select(SpanRef span, bool add = false);
    /// Selects these; the last one is the current one.
    void setSelection(std::vector<SpanRef> spans);
    const std::vector<SpanRef>& selection() const { return m_overlay.selected; }
    SpanRef current() const { return selection().empty() ? SpanRef{} : selection().back(); }
    /// Scrolls and moves the range as little as needed to show a span.
    void reveal(SpanRef span);
    /// Modifier keys of the press that a drag began with.
    Qt::KeyboardModifiers pressModifiers() const { return m_gestures.modifiers(); }

    /// Where the lanes are now; until the view changes.
    LaneGeometry laneGeometry() const;
    SpanRef spanAt(QPointF point) const { return laneGeometry().spanAt(point); }
    /// Place of the block of `ready` under a point; −1: none.
    int readyAt(QPointF point) const;
    /// Lane under a point, or −1.
    int laneAt(QPointF point) const override { return laneGeometry().laneAt(point); }
    /// Whether any of a lane is on the viewport.
    bool sees(int lane) const { return laneGeometry().laneArea(lane).intersects(room()); }
    QRectF rectangleOf(SpanRef span) const { return laneGeometry().rectangleOf(span); }
    /// The nearest edge of a pass of the lane within a few pixels, else the time itself.
    double snapped(double time, int lane) const;

    /// Says that the pointer is over nothing, as when it leaves: something else has it.
    void leaveHover() { Q_EMIT hovered({}, -1, 0); }

    /// Height of a lane in pixels, for all lanes; those inside of others are lower.
    int laneHeight() const { return m_heights.height(); }
    /// @param height  0: as high as there is room for all of them
    void setLaneHeight(int height);
    /// As it was set last; 0: by the room.
    int wantedLaneHeight() const { return m_heights.wanted(); }
    /// Lanes that fit the room are not lower than this; what then has no room is scrolled to.
    void setLeastLaneHeight(int height);
    /// Folds the lanes that are inside of one away, or opens it again. A click on its title does
    /// it.
    void toggleLane(int lane);
    /// Whether a lane is not folded away.
    bool isLaneShown(int lane) const { return rows() == nullptr || m_rows.rowOf(lane) != nullptr; }

    QSize sizeHint() const override { return {900, 320}; }
    QSize minimumSizeHint() const override { return {320, 60}; }

Q_SIGNALS:
    void lanesChanged();
    void coloursChanged();
    /// The pointer is over a span, over idle time of a lane (invalid span), or gone (lane −1).
    void hovered(pw::ui::SpanRef span, int lane, double time);
    void activated(pw::ui::SpanRef span); ///< double click or Enter
    /// A double click on a block of the overlay's `ready`, by its place there.
    void readyActivated(int place);
    void dragBegun(pw::ui::SpanRef span);
    void dragMoved(double ticks, int lane);
    void dragEnded(bool dropped);
    /// Keys that walk along arrows: next (+1) or previous (−1) pass that waits for the current one.
    void walkAsked(int direction);
    /// The next or previous of those that the last walk could have come to.
    void siblingAsked(int direction);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

    std::optional<TimeStretch> currentTimes() const override
    {
        return spanWalk().timesOf(current());
    }
    int currentLane() const override { return m_lanes->holds(current()) ? current().lane : -1; }
    void clearSelection() override { select({}); }
    void stepAlong(int direction) override;
    void stepAcross(int direction) override { goTo(spanWalk().across(current(), direction)); }
    void walk(int direction) override { Q_EMIT walkAsked(direction); }
    void walkAside(int direction) override { Q_EMIT siblingAsked(direction); }
    void open() override { Q_EMIT activated(current()); }
    double snapped(double time, QPointF at) const override { return snapped(time, laneAt(at)); }
    void relayout() override;
    bool pressLanes(QMouseEvent& event) override;
    void moveLanes(QMouseEvent& event) override;
    void releaseLanes(QMouseEvent& event) override;
    void clickLanes(QPointF) override {}
    bool pressTitle(QPointF point) override;
    bool giveUp() override { return m_gestures.giveUp(); }
    void moveHeld() override { m_gestures.moveHeld(); }

private:
    SpanWalk spanWalk() const { return {*m_lanes, rows()}; }
    /// Of a tree; null: lanes stand one below the other.
    const LaneRows* rows() const { return m_heights.tree(m_rows); }
    void layoutLanes();
    void refresh();
    void goTo(SpanRef span);

    LanesPtr m_lanes;
    Ticks m_room = 0; ///< end of the range where the lanes end sooner
    bool m_rangeIsOurs = true;
    LaneHeights m_heights;
    LanesPicture m_picture;
    Overlay m_overlay;
    QString m_hint;
    bool m_hintIsRefusal = false;
    SpanGestures m_gestures;
};

} // namespace pw::ui

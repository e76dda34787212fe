// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_links.h"
#include "ui/timeline/lane_view.h"
#include "ui/traces/activity_rows.h"
#include "ui/traces/found_slices.h"
#include "ui/traces/pixel_scale.h"
#include "ui/traces/slice_painter.h"

#include <QPixmap>

#include <optional>
#include <vector>

class QLabel;

namespace pw::ui {

/// The rows of a trace over a range of time: rank ▸ device ▸ stream and rank ▸ process ▸ thread,
/// slices nested in each other. A click on a title folds it, a click on a slice selects it; all
/// else is as in every view of lanes.
///
/// The rows are painted into a picture that is kept. Moved along the axis or scrolled the picture
/// moves too, and only what is new in it is painted.
class ActivityView : public LaneView
{
    Q_OBJECT

public:
    explicit ActivityView(ViewRange& range, QWidget* parent = nullptr);
    ~ActivityView() override;

    void setActivity(ShownActivityPtr activity);
    const ShownActivityPtr& activity() const { return m_activity; }
    const LaneRows& rows() const { return m_rows; }
    void toggle(std::size_t key);

    const std::optional<ChosenSlice>& chosen() const { return m_chosen; }

    /// What the colours of slices tell.
    void setColorBy(SliceColors by);
    /// The arrows of the selected slice.
    const std::vector<SliceLink>& arrows() const { return m_links; }

    /// Marks slices by their names, see `FoundSlices::search`.
    /// @return  why it cannot be; empty: it can
    QString search(const QString& words);
    /// Marks the slices of one name; −1: none.
    void searchName(std::int32_t name);
    const FoundSlices& found() const { return m_found; }
    /// Selects the next slice that was searched for, behind the selected one (+1) or before it
    /// (−1), and shows it. @return  false: there is none
    bool showNext(int direction = 1);
    /// Selects the slice of a span, and shows it.
    void showSpan(std::int32_t span) { goTo(span); }

    /// What is under a point of the viewport; none: nothing.
    std::optional<ChosenSlice> sliceAt(QPoint point) const;
    /// The whole name of a slice, and of several that stand as one how many.
    QString nameOf(const ActivitySlice& slice) const;
    /// Where a slice is, in the viewport.
    QRectF boxOf(const ChosenSlice& one) const;

Q_SIGNALS:
    void told(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

    std::optional<TimeStretch> currentTimes() const override;
    int currentLane() const override { return m_chosen ? m_chosen->lane : -1; }
    void clearSelection() override { choose(std::nullopt); }
    void stepAlong(int direction) override;
    void stepAcross(int direction) override;
    void walk(int direction) override;
    void walkAside(int direction) override;
    void open() override;
    double snapped(double time, QPointF at) const override;
    int laneAt(QPointF point) const override;
    void relayout() override;
    bool pressLanes(QMouseEvent& event) override;
    void moveLanes(QMouseEvent& event) override;
    void releaseLanes(QMouseEvent&) override {}
    void clickLanes(QPointF point) override;
    bool pressTitle(QPointF point) override;
    bool giveUp() override { return false; }

private:
    void choose(std::optional<ChosenSlice> chosen);
    /// Selects a slice, opens what its lane is folded into, and shows it.
    void goTo(const ChosenSlice& slice);
    void goTo(std::int32_t span);
    /// Slices of a level of a lane that reach into a stretch.
    /// @param grain  0: each alone; else as of `ActivitySource::slices`
    std::vector<ActivitySlice> level(int lane, int depth, Ticks from, Ticks to,
                                     Ticks grain = 0) const;
    /// What is at a time on a level, else what comes next there; none: nothing does.
    std::optional<ChosenSlice> sliceOn(int lane, int depth, Ticks time) const;
    const LaneRows::Row* rowAt(QPointF point) const;
    /// Paints the whole picture of the rows when it is next shown.
    void repaintRows();

    PixelScale pixelScale() const { return {scale(), devicePixelRatioF()}; }
    /// Pixels of the device that the axis is long.
    int columns() const;
    /// Where a row is in the viewport, without titles and the gap behind it.
    QRectF areaOf(const ActivityRows::Row& row) const;
    void paintBase();
    bool moveBase(const PixelScale& scale, int top);
    void moveAlong(std::int64_t by);
    void scrollBase(int by);
    /// The rows that reach into a stretch of the viewport's height.
    void paintRows(QPainter& painter, int from, int to);
    void paintRow(QPainter& painter, SlicePainter& slices, const ActivityRows::Row& row,
                  PixelStretch stretch) const;
    SlicePainter slicePainter(const SliceInks& inks) const;
    void paintTitle(QPainter& painter, const ActivityRows::Row& row) const;
    void paintCounter(QPainter& painter, const ActivityRows::Row& row, PixelStretch stretch) const;
    void paintChosen(QPainter& painter) const;
    void paintArrows(QPainter& painter) const;
    /// Where the slice of a span is, in the viewport; empty where its lane is folded away.
    QRectF boxOfSpan(std::int32_t span) const;
    std::vector<ActivityRows::Counter> counterRows();
    void hover(QPoint point);
    void showCard(const QString& words, QPoint point);
    void hideCard();

    ShownActivityPtr m_activity;
    std::optional<ChosenSlice> m_chosen;
    std::vector<SliceLink> m_links;       ///< of the selected slice
    std::vector<std::int32_t> m_walkedTo; ///< spans at the ends of the last walk; one was taken
    SliceColors m_colorBy = SliceColors::Kind;
    FoundSlices m_found;
    QLabel* m_card;
    QPixmap m_base;                ///< the rows, without what is over them
    PixelScale m_painted;          ///< of the picture
    int m_paintedTop = 0;          ///< what it was scrolled to
    bool m_stale = true;           ///< the picture shows something else
    std::vector<double> m_highest; ///< by counter, of its values
    mutable SliceNames m_names;    ///< as they are painted
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_links.h"
#include "ui/timeline/lane_view.h"
#include "ui/traces/activity_rows.h"
#include "ui/traces/pixel_scale.h"
#include "ui/traces/slice_painter.h"

#include <QPixmap>
#include <QPoint>
#include <QRegularExpression>

#include <optional>
#include <vector>

class QLabel;

namespace pw::ui {

/// A slice with its lane.
struct ChosenSlice
{
    int lane = -1;
    ActivitySlice slice;

    friend bool operator==(const ChosenSlice&, const ChosenSlice&) = default;
};

/// The rows of a trace over a range of time: rank ▸ device ▸ stream and rank ▸ process ▸ thread,
/// slices nested in each other. A click on a title folds it, a drag marks a stretch of time, a
/// click on a slice selects it; Ctrl and the wheel zoom, as do W and S.
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
    const ActivityRows& rows() const { return m_rows; }
    void toggle(std::size_t key);

    /// The stretch that is marked; none: nothing.
    std::optional<TimeStretch> stretch() const override { return m_stretch; }
    void setStretch(std::optional<TimeStretch> stretch) override;
    const std::optional<ChosenSlice>& chosen() const { return m_chosen; }

    /// What the colours of slices tell.
    void setColorBy(SliceColors by);
    /// Lets a lane stand above all others, or puts it back.
    void togglePin(int lane);
    /// The arrows of the selected slice.
    const std::vector<SliceLink>& arrows() const { return m_links; }

    /// Marks slices by their names: a part of the name, or a pattern between slashes.
    /// @return  why it cannot be; empty: it can
    QString search(const QString& words);
    /// Selects the next slice that was searched for, behind the selected one, and shows it.
    /// @return  false: there is none
    bool showNext();
    /// How many of the trace's names are meant by what is searched.
    std::int64_t namesFound() const;

    /// What is under a point of the viewport; none: nothing.
    std::optional<ChosenSlice> sliceAt(QPoint point) const;
    /// The name of a slice, and of several that stand as one how many.
    QString nameOf(const ActivitySlice& slice) const;
    /// Where a slice is, in the viewport.
    QRectF boxOf(const ChosenSlice& one) const;

Q_SIGNALS:
    void told(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    bool matches(std::int32_t name) const;
    void choose(std::optional<ChosenSlice> chosen);
    void relayout();
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
    void paintStretch(QPainter& painter, const TimeScale& now) const;
    void hover(QPoint point);
    double anchor() const;
    void showCard(const QString& words, QPoint point);
    void hideCard();

    ShownActivityPtr m_activity;
    ActivityRows m_rows;
    std::optional<TimeStretch> m_stretch;
    std::optional<ChosenSlice> m_chosen;
    std::vector<SliceLink> m_links; ///< of the selected slice
    SliceColors m_colorBy = SliceColors::Kind;
    QString m_part; ///< of names that are searched for
    std::optional<QRegularExpression> m_pattern;
    QLabel* m_card;
    QPoint m_pointer; ///< where it was last
    std::optional<QPoint> m_pressed;
    std::optional<double> m_panned; ///< x at which the range is held
    bool m_dragging = false;
    QPixmap m_base;                ///< the rows, without what is over them
    PixelScale m_painted;          ///< of the picture
    int m_paintedTop = 0;          ///< what it was scrolled to
    bool m_stale = true;           ///< the picture shows something else
    std::vector<double> m_highest; ///< by counter, of its values
    mutable SliceNames m_names;
    mutable std::vector<signed char> m_matches; ///< by name; −1: not looked at yet
};

} // namespace pw::ui

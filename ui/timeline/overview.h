// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/time_scale.h"
#include "ui/timeline/view_range.h"

#include <QImage>
#include <QWidget>

#include <functional>

class QPainter;

namespace pw::ui {

/// Where a lane stands in an overview: on whole rows of pixels, however many lanes share one.
struct OverviewLane
{
    int top = 0, height = 1;
    double opacity =
        1; ///< so that the lanes of a row, painted one after the other, are mixed evenly
};

/// @param height  of the overview, in pixels
OverviewLane overviewLane(int lane, int count, int height);

/// All lanes in a strip, with a frame around what the timeline shows: drag the frame, its edges, or
/// a new one.
class Overview : public QWidget
{
    Q_OBJECT

public:
    explicit Overview(ViewRange& range, QWidget* parent = nullptr);

    /// Paints all there is into a picture of some size; times are where the scale says.
    using Painter = std::function<void(QPainter& painter, QSize pixels, const TimeScale& scale)>;
    /// What is shown is new. @param painter  called whenever the picture has to be painted
    void setPainter(Painter painter);

    /// What stands beside it in the place of "Overview".
    void setTitle(const QString& title);

    QSize sizeHint() const override { return {900, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Grip
    {
        None,
        Inside,
        Begin,
        End,
        New
    };

    QRectF strip() const;
    QRectF frame() const;
    TimeScale scale() const;
    double timeAt(double x) const;
    Grip gripAt(QPointF point) const;

    ViewRange& m_range;
    QString m_title;
    Painter m_painter;
    QImage m_picture;
    Grip m_grip = Grip::None;
    double m_grabbed = 0;
};

} // namespace pw::ui

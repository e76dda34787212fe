// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"
#include "ui/models/lanes.h"
#include "ui/timeline/time_scale.h"

#include <QAbstractScrollArea>

#include <optional>
#include <vector>

class QPainter;

namespace pw::ui {

/// Where a block is drawn: a row a device, its passes over time in units, paler before and behind
/// as they are repeated. Below the passes of a device a ruler for every lifespan.
///
/// Passes are dragged, or moved by the arrow keys; the end of the interval is dragged in the ruler.
class BlockView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit BlockView(BenchModel& model, QWidget* parent = nullptr);

    /// Chosen passes, in the order in which they were chosen.
    const std::vector<Pass>& selection() const { return m_selection; }
    void select(std::vector<Pass> passes);

    /// Places in the viewport.
    QRectF rectangleOf(const Pass& pass) const;
    QRectF rowOf(DeviceId device) const;
    QRectF intervalHandle() const;
    TimeScale scale() const;
    double xOf(Ticks time) const;
    double rulerHeight() const;
    double passHeight() const;
    /// How a pass of the block is drawn.
    SpanLook lookOf(const Pass& pass) const;

    /// Adds the next missing pass of a device at a time.
    void addAt(DeviceId device, Ticks time);
    /// Moves the chosen passes, as a key does.
    void nudge(Ticks by, InTheWay others);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void selectionChanged();
    /// A sentence on what is under the pointer or was refused; empty: nothing.
    void told(const QString& sentence, bool refusal);
    /// Rows are elsewhere.
    void laidOut();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    enum class Gesture
    {
        None,
        Press, ///< on a pass, not yet moved
        Move,
        Interval,
        Band
    };

    void showModel();
    void layoutRows();
    QFont smallFont() const;
    double titleWidth() const;
    /// The least height of a row: two lines of a pass where there are few devices.
    double leastRow() const;
    Ticks timeAt(double x) const;
    DeviceId deviceAt(double y) const;
    /// Place of a pass, or of its repetition so many ticks later.
    QRectF boxOf(const BlockPass& placed, Ticks shift = 0) const;
    const BlockPass* passAt(QPointF point) const;
    QString tell(const BlockPass& placed) const;
    void walk(int along, int across);
    void endGesture(bool keep);
    void refuse(const QString& sentence);

    void paintRuler(QPainter& painter) const;
    QFont blockFont(DeviceId device) const;
    void paintRow(QPainter& painter, DeviceId device) const;
    QStringList lifespanLabels(DeviceId device, std::size_t cell) const;
    void paintLifespans(QPainter& painter, DeviceId device) const;
    void paintCollisions(QPainter& painter, DeviceId device) const;
    void paintTitles(QPainter& painter) const;
    void paintPass(QPainter& painter, const BlockPass& placed, Ticks shift) const;
    void paintRefused(QPainter& painter) const;

    BenchModel& m_model;
    Lanes m_none; ///< what a lane painter is made for
    std::vector<Pass> m_selection;
    std::vector<std::vector<HostedStage>> m_stages; ///< by device
    Ticks m_first = 0;                              ///< drawn from here
    Ticks m_last = 1;                               ///< to here
    double m_perTick = 16;                          ///< pixels
    double m_zoom = 1;
    double m_rowHeight = 40;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressPoint;
    QPointF m_pointer;
    Ticks m_by = 0; ///< what the gesture asks for
    QString m_refusal;
};

} // namespace pw::ui

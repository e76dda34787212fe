// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"
#include "ui/bench/block_drag.h"
#include "ui/bench/block_geometry.h"
#include "ui/bench/block_painter.h"
#include "ui/bench/block_selection.h"

#include <QAbstractScrollArea>
#include <QScrollBar>

#include <vector>

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
    const std::vector<Pass>& selection() const { return m_selection.passes(); }
    void select(std::vector<Pass> passes);

    /// Where the block is now; until the view or the block changes.
    BlockGeometry geometry() const
    {
        return {m_model.block(), m_layout, viewport()->size(),
                QPoint(horizontalScrollBar()->value(), verticalScrollBar()->value())};
    }
    // Places in the viewport.
    QRectF rectangleOf(const Pass& pass) const { return geometry().rectangleOf(pass); }
    QRectF rowOf(DeviceId device) const { return geometry().rowOf(device); }
    QRectF intervalHandle() const { return geometry().intervalHandle(); }
    TimeScale scale() const { return geometry().scale(); }
    double xOf(Ticks time) const { return geometry().xOf(time); }
    double rulerHeight() const { return m_layout.rulerHeight(); }
    double passHeight() const { return m_layout.passHeight(); }
    /// How a pass of the block is drawn.
    SpanLook lookOf(const Pass& pass) const { return m_looks.of(pass, m_model.block()); }

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
    /// What the left button holds, beside what it drags.
    enum class Hold
    {
        None,
        Press, ///< on a pass, not yet moved
        Band
    };

    void showModel();
    void layoutRows();
    void reveal(const QRectF& box);
    QString tell(const BlockPass& placed) const;
    void walk(int along, int across);
    void moveDrag(Qt::KeyboardModifiers modifiers);
    void hover();
    void endGesture(bool keep);
    bool isHolding() const { return m_hold != Hold::None || m_drag.holds(); }
    void refuse(const QString& sentence) { Q_EMIT told(sentence, true); }
    void report(const Result<void>& done, const QString& sentence = {});

    BenchModel& m_model;
    BlockLayout m_layout;
    BlockLooks m_looks;
    BlockDrag m_drag;
    BlockSelection m_selection;
    Hold m_hold = Hold::None;
    QPointF m_pressPoint;
    QPointF m_pointer;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"
#include "ui/bench/block_geometry.h"
#include "ui/bench/block_gestures.h"
#include "ui/bench/block_painter.h"
#include "ui/bench/block_selection.h"
#include "ui/bench/block_walk.h"
#include "ui/timeline/lane_view.h"

#include <QMouseEvent>

#include <utility>
#include <vector>

namespace pw::ui {

/// Where a block is drawn: a row a device, its passes over time in units, paler before and behind
/// as they are repeated. Below the passes of a device a line for every lifespan.
///
/// Passes are dragged, or moved by keys; the end of the interval is dragged in the ruler. All else
/// is as in every view of lanes.
class BlockView : public LaneView
{
    Q_OBJECT

public:
    /// @param range  of units; this view says what there is to see
    BlockView(BenchModel& model, ViewRange& range, QWidget* parent = nullptr);

    /// Chosen passes, in the order in which they were chosen.
    const std::vector<Pass>& selection() const { return m_selection.passes(); }
    void select(std::vector<Pass> passes);

    const BlockSelection& chosen() const { return m_selection; }
    /// What is known of a pass, in a sentence.
    QString sentenceOf(const BlockPass& placed) const;
    /// Says why something was refused, else a sentence.
    void report(const Result<void>& done, const QString& sentence = {});
    void relayout() override;

    /// Where the block is now; until the view or the block changes.
    BlockGeometry geometry() const;
    // Places in the viewport.
    QRectF rectangleOf(const Pass& pass) const { return geometry().rectangleOf(pass); }
    QRectF rowOf(DeviceId device) const { return geometry().rowOf(device); }
    QRectF intervalHandle() const { return geometry().intervalHandle(); }
    double xOf(Ticks time) const { return geometry().xOf(time); }
    double rulerHeight() const { return m_layout.rulerHeight(); }
    double passHeight() const { return m_layout.passHeight(); }
    /// How a pass of the block is drawn.
    SpanLook lookOf(const Pass& pass) const { return m_looks.of(pass, m_model.block()); }

    /// Adds the next missing pass of a device at a time.
    void addAt(DeviceId device, Ticks time);
    /// Moves the chosen passes, as a key does.
    void nudge(Ticks by, InTheWay others);

    /// In units.
    QString stretchText(double from, double to) const override;
    QString lengthText(double units) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    void tell(const QString& sentence, bool refusal) { Q_EMIT told(sentence, refusal); }

Q_SIGNALS:
    /// A sentence on what is under the pointer or was refused; empty: nothing.
    void told(const QString& sentence, bool refusal);
    /// Rows are elsewhere.
    void laidOut();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

    std::optional<TimeStretch> currentTimes() const override;
    int currentLane() const override;
    void clearSelection() override { select({}); }
    void stepAlong(int direction) override;
    void stepAcross(int direction) override;
    void walk(int direction) override { goTo(m_selection.walk(m_model.block(), direction)); }
    void walkAside(int direction) override { goTo(m_selection.walkAside(direction)); }
    void open() override;
    double snapped(double time, QPointF at) const override;
    int laneAt(QPointF point) const override;
    bool pressLanes(QMouseEvent& event) override { return m_gestures.press(event.modifiers()); }
    void moveLanes(QMouseEvent& event) override { m_gestures.move(event.buttons()); }
    void releaseLanes(QMouseEvent& event) override
    {
        if (event.button() == Qt::LeftButton)
            m_gestures.end(true);
    }
    void clickLanes(QPointF) override {}
    bool pressTitle(QPointF) override { return false; }
    bool giveUp() override;
    void moveHeld() override { m_gestures.moveHeld(); }

private:
    const BlockPass* current() const { return m_selection.current(m_model.block()); }
    void showModel();
    void layoutRows();
    void showTimes();
    void reveal(const BlockPass& placed);
    void goTo(const BlockPass* placed);
    void goTo(std::vector<Pass> passes);
    void refuse(const QString& sentence) { Q_EMIT told(sentence, true); }

    BenchModel& m_model;
    BlockLayout m_layout;
    BlockLooks m_looks;
    BlockGestures m_gestures;
    BlockSelection m_selection;
    std::pair<double, double> m_usual; ///< what was shown when nobody had zoomed or moved
};

} // namespace pw::ui

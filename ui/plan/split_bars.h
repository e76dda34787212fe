// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/ids.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace pw::ui {

/// A stage as a bar: its layers, and what they bring.
struct SplitStage
{
    int layers = 0;
    double milliseconds = 0; ///< F, B and W of a micro-batch
    DeviceId rank{0};        ///< its device
    double gibibytes = 0;    ///< that the device holds, over all its stages
    bool full = false;       ///< more than the device has
    QString kind = {};       ///< of the device, where there are several
    int shade = 0;           ///< number of its kind: each has a shade of its own

    friend bool operator==(const SplitStage&, const SplitStage&) = default;
};

/// The layers of a pipeline's stages, side by side: as wide as a stage has layers, as high as it
/// takes time. Dragging the boundary of two stages moves layers from one to the other; so do the
/// arrow keys: left and right choose a boundary, with Ctrl they move it by a layer. Of several
/// kinds of devices each has a shade, and its name stands below the stage.
class SplitBars : public QWidget
{
    Q_OBJECT

public:
    explicit SplitBars(QWidget* parent = nullptr);

    void setStages(std::vector<SplitStage> stages);
    const std::vector<SplitStage>& stages() const { return m_stages; }
    /// The boundary behind a stage, as a place of the widget. @pre not the last stage
    QPointF boundary(int stage) const;
    int current() const { return m_current; }
    /// What stands below each stage, lines of it: as full as all of them have room for.
    std::vector<QStringList> words() const;

    QSize sizeHint() const override { return {700, 120}; }
    QSize minimumSizeHint() const override { return {200, 84}; }

Q_SIGNALS:
    /// Layers of every stage, as they are wished.
    void splitAsked(const std::vector<int>& layers);
    void hovered(int stage);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int layerCount() const;
    int boundaryAt(QPointF place) const;
    std::vector<int> layers() const;
    void paintBar(QPainter& painter, const QRectF& bar, std::size_t stage) const;
    void paintWords(QPainter& painter, const QRectF& below, const QStringList& lines) const;
    /// The split of the press with its boundary moved by so many layers, a layer left to each.
    void ask(const std::vector<int>& from, int boundary, int moved);

    std::vector<SplitStage> m_stages;
    int m_current = -1; ///< boundary behind this stage; −1: none
    bool m_dragging = false;
    double m_pressed = 0; ///< x of the press
    std::vector<int> m_pressedSplit;
};

} // namespace pw::ui

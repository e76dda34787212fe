// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"

#include <QWidget>

#include <vector>

namespace pw::ui {

class BlockView;

/// The interval that all repetitions fold into: for each device a strip of residues with what
/// occupies them, collisions in the colour of refusals, and what the device keeps at most. Its rows
/// are those of a block view.
class ResidueView : public QWidget
{
    Q_OBJECT

public:
    ResidueView(BenchModel& model, BlockView& rows, QWidget* parent = nullptr);

    /// Place of a residue of a device.
    QRectF cellOf(DeviceId device, Ticks residue) const;
    /// The collision at a point; null: none.
    const Collision* collisionAt(QPointF point) const;
    /// What a device keeps: "peak 2.5", and the formula "½·(⌈9⁄6⌉ + ⌈15⁄6⌉)".
    QString peakText(DeviceId device) const;
    QString formulaText(DeviceId device) const;

    QSize sizeHint() const override { return {320, 200}; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Passes that collide were clicked.
    void chosen(const std::vector<pw::Pass>& passes);
    void told(const QString& sentence, bool refusal);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    double peakWidth() const;
    double stripWidth() const;
    QRectF stripOf(DeviceId device) const;
    void paintStrip(QPainter& painter, DeviceId device) const;

    BenchModel& m_model;
    BlockView& m_rows;
};

} // namespace pw::ui

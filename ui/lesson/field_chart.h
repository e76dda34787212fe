// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/field.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace pw::ui {

/// One's own solution among the families: makespan to the right, peak activation upwards.
class FieldChart : public QWidget
{
    Q_OBJECT

public:
    explicit FieldChart(QWidget* parent = nullptr);

    void setPoints(std::vector<FieldPoint> points, FieldPoint own);
    const std::vector<FieldPoint>& points() const { return m_points; }
    /// What the chart says, for those who do not see it.
    QString words() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintDot(QPainter& painter, const FieldPoint& point, bool own) const;
    void paintNames(QPainter& painter, const QFontMetricsF& metrics) const;
    /// One's own point, and families that are just there.
    QString ownName() const;
    QPointF placeOf(const FieldPoint& point) const;
    QRectF area() const;

    std::vector<FieldPoint> m_points;
    FieldPoint m_own;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/charts/plot_axis.h"

#include <QWidget>

#include <vector>

namespace pw::ui {

/// A number over another one, for one of several things.
struct PlotCurve
{
    QString name;
    std::vector<QPointF> points; ///< by x
};

/// Curves with their names at their right ends. The one under the pointer, or the current one,
/// stands out.
class CurveChart : public QWidget
{
    Q_OBJECT

public:
    explicit CurveChart(QWidget* parent = nullptr);

    void setAxes(const PlotAxis& across, const PlotAxis& up);
    void setCurves(std::vector<PlotCurve> curves);
    void setCurrent(const QString& name);
    void setSentence(const QString& sentence);

    const std::vector<PlotCurve>& curves() const { return m_curves; }
    QSize sizeHint() const override { return {700, 360}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

Q_SIGNALS:
    /// What is under the pointer: "zb-v: 12.5 ms at 8 devices"; empty: nothing.
    void told(const QString& sentence);
    /// A curve was clicked.
    void chosen(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void scale();
    int nearest(QPointF place, QPointF& value) const;
    QColor inkOf(std::size_t curve) const;

    PlotAxis m_across;
    PlotAxis m_up;
    std::vector<PlotCurve> m_curves;
    QString m_current;
    QString m_sentence;
    QRectF m_box;
    int m_hovered = -1;
};

} // namespace pw::ui

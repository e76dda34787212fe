// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/charts/plot_axis.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace pw::ui {

/// A thing with two numbers, of which less is better.
struct ScatterPoint
{
    double x = 0;
    double y = 0;
    QString label;
    bool muted = false;  ///< cannot be chosen for what is wished: above the cap
    bool pareto = false; ///< nothing else is better in both numbers
    double low = 0;      ///< with `high` the band that x varies in; equal: none
    double high = 0;
    bool square = false; ///< another sort of thing than those with round points
};

/// Things by two numbers, with the line of those that nothing beats in both and a limit that must
/// not be crossed. One of them is the current one; arrow keys go from one to the next.
class ScatterChart : public QWidget
{
    Q_OBJECT

public:
    explicit ScatterChart(QWidget* parent = nullptr);

    /// @param across, up  titles and the way numbers are written; ranges follow from the points
    void setAxes(const PlotAxis& across, const PlotAxis& up);
    void setPoints(std::vector<ScatterPoint> points);
    void setLimit(std::optional<double> limit, const QString& label);
    /// Whether the axis of height begins at 0, as it does; else it spans the points.
    void setUpFromZero(bool zero);
    void setCurrent(int point); ///< −1: none
    /// What is said where there are no points.
    void setSentence(const QString& sentence);

    int current() const { return m_current; }
    int count() const { return static_cast<int>(m_points.size()); }
    /// Where a point is drawn.
    QPointF placeOf(int point) const;
    /// The point at a place of the widget, or −1.
    int pointAt(QPointF place) const;

    QSize sizeHint() const override { return {700, 360}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

Q_SIGNALS:
    /// The pointer is over a point; −1: over none.
    void hovered(int point);
    /// A point was clicked, or gone to by a key.
    void chosen(int point);
    /// A click on the current point, a double click, or Enter: it is to be opened.
    void activated(int point);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Label
    {
        QRectF box;
        QString words;
        std::size_t point = 0;
    };

    void scale();
    PlotArea area() const;
    std::vector<Label> labels(const PlotArea& area, const QFontMetricsF& metrics) const;
    void paintLimit(QPainter& painter, const PlotArea& area) const;
    QPolygonF paretoLine(const PlotArea& area) const;
    void paintPareto(QPainter& painter, const PlotArea& area) const;
    void paintPoints(QPainter& painter, const PlotArea& area) const;
    void goAlong(int step);

    PlotAxis m_across;
    PlotAxis m_up;
    std::vector<ScatterPoint> m_points;
    std::optional<double> m_limit;
    QString m_limitLabel;
    QString m_sentence;
    QRectF m_box; ///< of the last painting
    bool m_fromZero = true;
    int m_current = -1;
    int m_hovered = -1;
};

} // namespace pw::ui

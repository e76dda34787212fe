// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/export/figure.h"
#include "ui/presentation.h"
#include "ui/timeline/kind_key.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <utility>
#include <vector>

class QPainter;

namespace pw::ui {

// The inside of a figure: where its parts lie, and who draws them.

/// Words of figures.
struct FigureWords
{
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

/// A figure with the places of its parts, in pixels of which an inch has 96.
struct FigureDrawing::Parts
{
    class MemoryChart;

    Parts(FigureContent of, FigureLook as);

    void paint(QPainter& painter) const;
    void paintHead(QPainter& painter) const;
    void paintLanes(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintAnnotations(QPainter& painter) const;
    void paintMemory(QPainter& painter) const;
    void paintBubbles(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintCopyLegend(QPainter& painter, double top) const;

    bool paper() const { return look.ground == FigureGround::Paper; }
    Ground ground() const
    {
        return look.ground == FigureGround::Dark ? Ground::Dark : Ground::Light;
    }
    QColor textColor() const { return paper() ? QColor(Qt::black) : color(Role::Text); }
    QColor quietColor() const { return paper() ? QColor(Qt::black) : color(Role::Secondary); }
    QColor pageColor() const { return paper() ? QColor(Qt::white) : color(Role::Paper); }
    double line() const { return metrics.height(); }
    double laneTop(std::size_t lane) const
    {
        return lanesTop + static_cast<double>(lane) * (laneHeight + laneGap);
    }
    QRectF laneBox(std::size_t lane) const
    {
        return {left, laneTop(lane), right - left, laneHeight};
    }
    bool hasMemory() const
    {
        return look.memory && (!content.memory.empty() || !content.microBatches.empty());
    }
    bool hasCopies() const;
    bool hasBubbles() const { return look.bubbles && !content.bubbles.empty(); }
    QFont labelFont() const;
    std::vector<std::pair<QRectF, PassKind>> legendBoxes(double* bottom, QRectF* note) const;

    FigureContent content;
    FigureLook look;
    KindKey key;
    QFont font;
    QFont bold;
    QFontMetricsF metrics;
    TimeScale scale;
    double width = 0;
    double height = 0;
    double left = 0;
    double right = 0;
    double laneHeight = 0;
    double laneGap = 0;
    double lanesTop = 0;
    double axisTop = 0;
    double memoryTop = 0;
    double bubblesTop = 0;
    double bubbleRow = 0;
    double legendTop = 0;
    double copyLegendTop = 0;
    static constexpr double memoryHeight = 84;
    static constexpr double pad = 6;
};

} // namespace pw::ui

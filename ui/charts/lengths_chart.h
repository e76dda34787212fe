// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/pass_histogram.h"

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace pw::ui {

/// How long passes take in two timelines: of each kind a histogram, hatched for the one and filled
/// for the other, in the colour that the kind has in a timeline. Columns are parts of the passes of
/// their own timeline, so that one with more iterations is not higher for it; lines stand at the
/// medians. A tool tip says the numbers under the pointer.
class LengthsChart : public QWidget
{
    Q_OBJECT

public:
    explicit LengthsChart(QWidget* parent = nullptr);

    /// @param before  what the first timeline is called
    /// @param after   likewise the other
    void setHistograms(std::vector<PassHistogram> histograms, const QString& before,
                       const QString& after);

    const std::vector<PassHistogram>& histograms() const { return m_histograms; }
    /// What a person who does not see the columns is told: a sentence a kind.
    QStringList sentences() const;
    /// The bin under a point, in words; empty: none.
    QString binAt(QPointF point) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Where a kind's histogram is.
    struct Panel
    {
        QRectF heading;
        QRectF columns;
        QRectF marks; ///< below them
    };

    QFont smallFont() const;
    double line() const;
    int across(int width) const;
    Panel panelOf(std::size_t index) const;
    void paintLegend(QPainter& painter) const;
    void paintPanel(QPainter& painter, std::size_t index) const;
    void paintColumns(QPainter& painter, const PassHistogram& one, const QRectF& box) const;
    void paintMedian(QPainter& painter, const PassHistogram& one, const QRectF& box, Ticks median,
                     Qt::PenStyle style) const;

    std::vector<PassHistogram> m_histograms;
    QString m_before, m_after;
};

} // namespace pw::ui

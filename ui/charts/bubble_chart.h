// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace pw::ui {

/// Idle part of a device by both measures, 0 … 1.
struct BubbleRow
{
    QString device;
    double wall = 0;
    double span = 0;
};

/// What nine of ten runs of a device under noise stay between, by the wall bubble.
struct BubbleBand
{
    double low = 0;
    double high = 0;
};

/// The device's two rates with their names: "wall 5.9 %   span 0.0 %".
QString ratesText(const BubbleRow& row);

/// Idle time of every device against an axis from 0 to 100 %: bars with both rates beside them, or,
/// where so many have no room, a strip of cells, the darker the more idle, with its key and the two
/// ends in words; the rates of a device are then at the pointer.
class BubbleChart : public QWidget
{
    Q_OBJECT

public:
    explicit BubbleChart(QWidget* parent = nullptr);

    void setRows(std::vector<BubbleRow> rows);
    /// Thinner bars of a trial under the present ones; empty: none.
    void setTrial(std::vector<BubbleRow> rows);

    /// Shows these in place of the rows, as long as a play has not come to its end: what is idle so
    /// far, of the whole time, so that a bar grows to the length that it has in the rows. Empty:
    /// the rows themselves.
    void setSoFar(std::vector<BubbleRow> rows);
    const std::vector<BubbleRow>& rows() const { return m_rows; }
    /// The rows, or what stands for them so far.
    const std::vector<BubbleRow>& shown() const;

    /// A span over each bar; empty: none.
    void setBands(std::vector<BubbleBand> bands);

    /// Whether the devices are cells of a strip rather than bars.
    bool isStrip() const;
    /// Where 0 and 100 % of a bar, or of the strip's key, are.
    QRectF axis() const;
    /// Device at a point of the chart, or −1.
    int deviceAt(QPointF point) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    double rowHeight() const;
    QRectF rowArea(std::size_t device) const;
    QRectF stripArea() const;
    QFont smallFont() const;
    void paintAxis(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintBand(QPainter& painter, const QRectF& area, const BubbleBand& band) const;
    QString bandText(int device) const;
    void paintStrip(QPainter& painter) const;
    QString endsText() const;

    std::vector<BubbleRow> m_rows;
    std::vector<BubbleRow> m_trial;
    std::vector<BubbleRow> m_soFar;
    std::vector<BubbleBand> m_bands; ///< by device, or none
    bool m_low = false;              ///< the window is
};

} // namespace pw::ui

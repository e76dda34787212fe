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

/// Idle time of every device as bars with both rates beside them.
class BubbleChart : public QWidget
{
    Q_OBJECT

public:
    explicit BubbleChart(QWidget* parent = nullptr);

    void setRows(std::vector<BubbleRow> rows);
    /// Thinner bars of a trial under the present ones; empty: none.
    void setTrial(std::vector<BubbleRow> rows);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double rowHeight() const;

    std::vector<BubbleRow> m_rows;
    std::vector<BubbleRow> m_trial;
};

} // namespace pw::ui

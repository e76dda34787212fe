// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/job/worker_choice.h"
#include "ui/job/worker_values.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

namespace pw::ui {

/// How a figure is spread over all workers: a histogram in which workers can be chosen. A click on
/// a bar goes through the workers in it, arrow keys through all of them by value.
class WorkerSpread : public QWidget
{
    Q_OBJECT

public:
    /// @param choice  outlives this
    explicit WorkerSpread(WorkerChoice& choice, QWidget* parent = nullptr);

    void setValues(WorkerValues values);

    /// Where there are bars, from the least value to the greatest.
    int bars() const { return static_cast<int>(m_bars.size()); }
    /// Workers of a bar, least value first.
    const std::vector<Worker>& workersOf(int bar) const
    {
        return m_bars[static_cast<std::size_t>(bar)];
    }
    /// The place of a bar, over the whole height: thin ones can be met, too.
    QRectF placeOf(int bar) const;
    QString textOf(int bar) const;

    QSize sizeHint() const override { return {480, 240}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int barAt(QPointF point) const;
    QRectF room() const;
    double xOf(double value) const;
    void showCurrent();
    const std::optional<Worker>& current() const { return m_choice.current(); }

    WorkerChoice& m_choice;
    WorkerValues m_values;
    std::vector<Worker> m_sorted; ///< that have a value, least first
    std::vector<std::vector<Worker>> m_bars;
    double m_low = 0;
    double m_high = 0;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/job/worker_choice.h"
#include "ui/job/worker_values.h"

#include <QAbstractScrollArea>

#include <optional>

namespace pw::ui {

/// One figure of every worker as a colour: a column a replica, a row a stage. Many replicas are
/// scrolled; arrow keys go from worker to worker.
class WorkerMap : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// @param choice  outlives this
    explicit WorkerMap(WorkerChoice& choice, QWidget* parent = nullptr);

    void setValues(WorkerValues values);
    /// The worker at a place of the viewport.
    std::optional<Worker> workerAt(QPointF point) const;
    /// Where a worker is on the viewport.
    QRectF boxOf(const Worker& worker) const;
    QString textOf(const Worker& worker) const { return m_values.textOf(worker); }

    QSize sizeHint() const override { return {480, 240}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int replicas() const { return m_values.replicas(); }
    int devices() const { return m_values.devices(); }
    double margin() const; ///< with the names of the stages
    double head() const;   ///< with the numbers of the replicas
    QSizeF cell() const;
    /// −1 … 1
    double partOf(double value) const;
    QString shortText(double value) const;
    void scale();
    void showCurrent();
    void reveal(const Worker& worker);

    WorkerChoice& m_choice;
    WorkerValues m_values;
    double m_low = 0;
    double m_high = 1;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

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
    explicit WorkerMap(QWidget* parent = nullptr);

    void setValues(WorkerValues values);
    void setCurrent(std::optional<Worker> worker);
    const std::optional<Worker>& current() const { return m_current; }
    /// The worker at a place of the viewport.
    std::optional<Worker> workerAt(QPointF point) const;
    /// Where a worker is on the viewport.
    QRectF boxOf(const Worker& worker) const;
    QString textOf(const Worker& worker) const { return m_values.textOf(worker); }

    QSize sizeHint() const override { return {480, 240}; }

Q_SIGNALS:
    void chosen(const pw::Worker& worker);
    /// A double click, or Enter: all of its rank is to be shown.
    void opened(const pw::Worker& worker);
    void told(const QString& sentence);

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
    void reveal(const Worker& worker);

    WorkerValues m_values;
    double m_low = 0;
    double m_high = 1;
    std::optional<Worker> m_current;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_views.h"
#include "ui/traces/shown_job.h"

#include <QAbstractScrollArea>

#include <cstddef>
#include <optional>
#include <vector>

namespace pw::ui {

/// One figure of every worker as a colour: a column a replica, a row a stage. Many replicas are
/// scrolled; arrow keys go from worker to worker.
class WorkerMap : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit WorkerMap(QWidget* parent = nullptr);

    /// @param values  as of `workerValues`
    void setValues(const ShownJobPtr& job, WorkerMeasure measure,
                   std::vector<std::optional<double>> values);
    void setCurrent(std::optional<Worker> worker);
    const std::optional<Worker>& current() const { return m_current; }
    /// The worker at a place of the viewport.
    std::optional<Worker> workerAt(QPointF point) const;
    /// Where a worker is on the viewport.
    QRectF boxOf(const Worker& worker) const;
    /// "stage 2 of replica 5, rank 42: 1.62 times the median of its stage"
    QString textOf(const Worker& worker) const;

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
    int replicas() const;
    int devices() const;
    double margin() const; ///< with the names of the stages
    double head() const;   ///< with the numbers of the replicas
    QSizeF cell() const;
    std::optional<double> valueOf(const Worker& worker) const;
    /// −1 … 1
    double partOf(double value) const;
    QString shortText(double value) const;
    QString valueText(double value) const;
    void scale();
    void reveal(const Worker& worker);

    ShownJobPtr m_job;
    WorkerMeasure m_measure = WorkerMeasure::Work;
    std::vector<std::optional<double>> m_values;
    double m_low = 0;
    double m_high = 1;
    std::optional<Worker> m_current;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/ranking.h"
#include "ui/document/latest_work.h"

#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QSpinBox;

namespace pw::ui {

class CurveChart;
class FieldBar;

/// Families over a number: devices, micro-batches, the size of groups, chunks.
class SweepPart : public QWidget
{
    Q_OBJECT

public:
    /// @param question  what is asked for besides
    explicit SweepPart(std::function<RankQuestion()> question, QWidget* parent = nullptr);

    /// Another question: the curves are made anew, where there are any.
    void begin();
    bool on() const;
    bool busy() const { return m_work.busy(); }
    const std::vector<SweepCurve>& curves() const { return m_curves; }
    void setCurrent(const QString& name);

Q_SIGNALS:
    /// A sweep has begun or ended.
    void changed();
    /// A curve was clicked.
    void chosen(const QString& name);
    void told(const QString& sentence);

private:
    void makeFields();
    void setRange();
    void show();

    std::function<RankQuestion()> m_question;
    std::vector<SweepCurve> m_curves;
    LatestWork m_work;
    FieldBar* m_fields;
    QComboBox* m_sweep = nullptr;
    QSpinBox* m_from = nullptr;
    QSpinBox* m_to = nullptr;
    QComboBox* m_shown = nullptr;
    CurveChart* m_chart;
};

} // namespace pw::ui

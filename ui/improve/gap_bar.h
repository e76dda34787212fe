// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QWidget>

namespace pw::ui {

/// Where an order stands between the one that was given, at the right end, and the proven bound, at
/// the left: what was saved, what may be left.
class GapBar : public QWidget
{
    Q_OBJECT

public:
    explicit GapBar(QWidget* parent = nullptr);

    /// @param bound  0: not known, the bar is empty
    void setTimes(Ticks bound, Ticks best, Ticks given);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Ticks m_bound = 0, m_best = 0, m_given = 0;
};

} // namespace pw::ui

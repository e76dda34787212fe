// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/time_axis.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

namespace pw::ui {

/// The axis above the lanes: round times; drag to pan, wheel to zoom.
class TimeRuler : public QWidget
{
    Q_OBJECT

public:
    explicit TimeRuler(ViewRange& range, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, TimeAxis::letters(26)}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    ViewRange& m_range;
    double m_grabbed = 0;
};

} // namespace pw::ui

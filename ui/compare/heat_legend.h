// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QString>
#include <QWidget>

namespace pw::ui {

/// The scale of differences: a band of colours with a number and a word at both ends.
class HeatLegend : public QWidget
{
    Q_OBJECT

public:
    explicit HeatLegend(QWidget* parent = nullptr);

    /// @param most   difference that has the full colour
    /// @param less, more  what the ends mean: "sooner", "later"
    void setScale(Ticks most, const QString& less, const QString& more);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_left;
    QString m_right;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <QWidget>

namespace pw::ui {

/// A box with round corners around a part of a lesson.
class LessonCard : public QWidget
{
    Q_OBJECT

public:
    /// @param line  colour of the frame
    explicit LessonCard(QWidget* parent = nullptr, Role line = Role::Line);

    void setLine(Role line);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Role m_line;
};

/// The steps of a lesson as a row of bars; those behind are full, the present one is bright.
class LessonSteps : public QWidget
{
    Q_OBJECT

public:
    LessonSteps(int steps, int now, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_steps;
    int m_now;
};

} // namespace pw::ui

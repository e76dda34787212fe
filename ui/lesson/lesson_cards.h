// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <QWidget>

class QLabel;
class QScrollArea;

namespace pw {
struct MedalStanding;
}

namespace pw::ui {

/// Scrolls to a part that has just come, once it has its place. It may be gone by then.
void bringIntoSight(QScrollArea& area, QWidget& part);

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

/// A medal of a level: its par, and where one stands. Not shown where the level has none of it.
class MedalCard : public LessonCard
{
    Q_OBJECT

public:
    MedalCard(const QString& name, const MedalStanding& medal, QWidget* parent = nullptr);

    void setStanding(const MedalStanding& medal);
    /// What was reached before, beside par.
    void setBest(const MedalStanding& best);
    /// Whether par is told, or still to be predicted.
    void setParShown(bool shown);

private:
    QString m_par; ///< points of a curve below each other
    QLabel* m_mark;
    QLabel* m_parLabel;
    QLabel* m_now;
    QLabel* m_best;
};

/// The steps of a lesson as a row of bars; those behind are full, the present one is bright.
class LessonSteps : public QWidget
{
    Q_OBJECT

public:
    LessonSteps(int steps, int now, QWidget* parent = nullptr);

    void setNow(int now);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_steps;
    int m_now;
};

} // namespace pw::ui

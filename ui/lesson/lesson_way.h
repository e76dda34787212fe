// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

class QPushButton;

namespace pw::ui {

/// The way through a course: back, past a level, on to the next step.
class LessonWay : public QWidget
{
    Q_OBJECT

public:
    /// Without buttons until a step is shown.
    explicit LessonWay(QWidget* parent = nullptr);

    /// @param first  nothing comes before the step
    /// @param last   nothing comes behind it
    /// @param level  it goes on once the level is solved, or skipped
    void showStep(bool first, bool last, bool level);
    /// The level of the step is solved.
    void open();

Q_SIGNALS:
    void backAsked();
    void skipAsked();
    void nextAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    QPushButton* button(const QString& words, const char* name, void (LessonWay::*asked)());
    void paintNext();

    QPushButton* m_back;
    QPushButton* m_skip;
    QPushButton* m_next;
    bool m_last = false;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/level_draft.h"

#include <QWidget>

class QLineEdit;
class QPlainTextEdit;

namespace pw::ui {

/// The words of a step of a lesson, in one language. Narrow, to stand beside the lesson.
class StepEditor : public QWidget
{
    Q_OBJECT

public:
    StepEditor(const Lesson& lesson, std::size_t step, const QString& language,
               QWidget* parent = nullptr);

    /// What was changed.
    StepWords words() const;

Q_SIGNALS:
    void saveAsked();
    void closeAsked();

private:
    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QPlainTextEdit* m_task = nullptr;
    QPlainTextEdit* m_say = nullptr;
    QPlainTextEdit* m_show = nullptr;
    StepWords m_before;
};

} // namespace pw::ui

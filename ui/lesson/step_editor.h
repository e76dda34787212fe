// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/level_draft.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;

namespace pw::ui {

/// The words of a step of a lesson, in one language.
class StepEditor : public QDialog
{
    Q_OBJECT

public:
    StepEditor(const Lesson& lesson, std::size_t step, const QString& language,
               QWidget* parent = nullptr);

    /// What was changed.
    StepWords words() const;

Q_SIGNALS:
    void saveAsked();

private:
    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QPlainTextEdit* m_task = nullptr;
    QLineEdit* m_say = nullptr;
    QLineEdit* m_show = nullptr;
    StepWords m_before;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/level_draft.h"
#include "core/lesson/step_parts.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace pw::ui {

/// A step of a lesson: its words and questions in one language, and of its level what is asked for,
/// what may be done, where it begins and what is demonstrated. Narrow, to stand beside the lesson.
class StepEditor : public QWidget
{
    Q_OBJECT

public:
    /// @param source  text of the lesson's file
    StepEditor(const Lesson& lesson, const std::string& source, std::size_t step,
               const QString& language, QWidget* parent = nullptr);

    /// What was changed.
    StepWords words() const;
    StepParts parts() const;

    /// What stands in the level is taken for its start, or its demonstration.
    void takeStart(const Project& project);
    void takeDemonstration(const Project& project);
    /// From here on, what is done in the level is its demonstration.
    /// @param now  what stands in it
    void beginRecording(const LessonLevel& level, const Project& now);
    /// The level has become something else: one more act, or one fewer where it was undone.
    void record(const LessonLevel& level, const Project& now);
    void endRecording();
    /// What a check has found; its par is a part from now on.
    void showCheck(const Result<StepCheck>& check);

Q_SIGNALS:
    void startAsked();
    void demonstrationAsked();
    void recordToggled(bool on);
    void checkAsked();
    void saveAsked();
    void closeAsked();

private:
    void addWords(QFormLayout& form, const LessonStep& shown);
    void addParts(QFormLayout& form);
    void addStands(QVBoxLayout& layout);
    void addButtons(QVBoxLayout& layout, bool level);

    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QPlainTextEdit* m_task = nullptr;
    QPlainTextEdit* m_say = nullptr;
    QPlainTextEdit* m_show = nullptr;
    QPlainTextEdit* m_questions = nullptr;
    QPlainTextEdit* m_goals = nullptr;
    QPlainTextEdit* m_passes = nullptr;
    QPlainTextEdit* m_choices = nullptr;
    QPlainTextEdit* m_acts = nullptr;
    QPushButton* m_record = nullptr;
    std::vector<Project> m_states; ///< of the level while it is recorded; empty: it is not
    QStringList m_recorded;        ///< lines of the acts between them
    QLabel* m_stands = nullptr;
    QLabel* m_found = nullptr;
    StepWords m_before;
    StepParts m_partsBefore;
    StepParts m_taken; ///< start, demonstration and par
    std::string m_language;
};

} // namespace pw::ui

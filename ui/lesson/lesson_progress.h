// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/results.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw::ui {

/// What a person has done in the lessons; kept in a file beside the studio's other data.
class LessonProgress
{
public:
    /// Reads what was kept; a damaged file counts as none, and stays as it is until something is
    /// noted.
    LessonProgress();

    const LessonResults& results() const { return m_results; }
    /// @error Io  it cannot be kept
    Result<void> note(const LevelResult& result);
    /// The same for a prediction; the first one for a question stays.
    Result<void> note(const AnswerResult& answer);
    /// What was answered to the questions of a step; −1: nothing yet.
    std::vector<int> answers(const Lesson& lesson, int step) const;
    /// The solution of a level that was kept; none: there is none that can be read.
    std::optional<Project> solution(const std::string& lesson, int level) const;
    /// Keeps a solution instead of the one before. @error Io  it cannot be kept
    Result<void> keepSolution(const std::string& lesson, int level, const Project& project) const;
    /// Forgets everything. @error Io
    Result<void> forget();
    /// Writes a results file for a teacher. @error Io
    Result<void> save(const QString& path, const QString& who) const;

    /// Lessons that may be opened: those that were reached, or all.
    bool open(const QString& lesson) const;
    void reach(const QString& lesson);
    /// Of the order of answers: drawn once for everybody, and kept.
    static std::uint32_t seed();
    bool allOpen() const;
    void setAllOpen(bool on);

private:
    static QString file();
    static QString solutions();

    LessonResults m_results;
    QStringList m_reached;
};

} // namespace pw::ui

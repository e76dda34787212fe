// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_progress.h"

#include "core/io/file_problem.h"
#include "core/io/listed_file.h"
#include "core/io/project_file.h"
#include "ui/text.h"

#include <QDir>
#include <QRandomGenerator>
#include <QSettings>
#include <QStandardPaths>

namespace pw::ui {

namespace {

QString reachedKey()
{
    return QStringLiteral("lessons/reached");
}

QString solutionFile(const QString& folder, const std::string& lesson, int level)
{
    return QStringLiteral("%1/%2-%3.pipewright.json").arg(folder, text(lesson)).arg(level + 1);
}

QString allOpenKey()
{
    return QStringLiteral("lessons/all-open");
}

} // namespace

QString LessonProgress::file()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + QStringLiteral("/lessons.json");
}

/// A folder with a project for each level that was solved.
QString LessonProgress::solutions()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/solutions");
}

LessonProgress::LessonProgress()
    : m_reached(QSettings().value(reachedKey()).toStringList())
{
    const auto content = readListedFile(file().toStdString(), maxResultsBytes);
    if (!content)
        return;
    if (auto results = readResults(*content))
        m_results = std::move(*results);
}

Result<void> LessonProgress::note(const LevelResult& result)
{
    m_results.note(result);
    return writeFile(file().toStdString(), writeResults(m_results));
}

Result<void> LessonProgress::note(const AnswerResult& answer)
{
    m_results.note(answer);
    return writeFile(file().toStdString(), writeResults(m_results));
}

std::vector<int> LessonProgress::answers(const Lesson& lesson, int step) const
{
    const LessonStep& asked = lesson.steps[static_cast<std::size_t>(step)];
    std::vector<int> answers(asked.questions.size(), -1);
    for (const AnswerResult& one : m_results.answers)
        if (one.lesson == lesson.id && one.step == step && one.question >= 0 &&
            one.question < static_cast<int>(answers.size()))
            answers[static_cast<std::size_t>(one.question)] = one.chosen;
    return answers;
}

std::optional<Project> LessonProgress::solution(const std::string& lesson, int level) const
{
    auto project = loadProject(solutionFile(solutions(), lesson, level).toStdString());
    return project ? std::optional(std::move(*project)) : std::nullopt;
}

Result<void> LessonProgress::keepSolution(const std::string& lesson, int level,
                                          const Project& project) const
{
    QDir().mkpath(solutions());
    return saveProject(project, solutionFile(solutions(), lesson, level).toStdString());
}

Result<void> LessonProgress::forget()
{
    QDir(solutions()).removeRecursively();
    m_results = {};
    m_reached.clear();
    QSettings().remove(reachedKey());
    return writeFile(file().toStdString(), writeResults(m_results));
}

Result<void> LessonProgress::save(const QString& path, const QString& who) const
{
    LessonResults results = m_results;
    results.who = who.toStdString();
    return writeFile(path.toStdString(), writeResults(results));
}

bool LessonProgress::open(const QString& lesson) const
{
    return allOpen() || m_reached.contains(lesson);
}

void LessonProgress::reach(const QString& lesson)
{
    if (m_reached.contains(lesson))
        return;
    m_reached.append(lesson);
    QSettings().setValue(reachedKey(), m_reached);
}

std::uint32_t LessonProgress::seed()
{
    const QString key = QStringLiteral("lessons/seed");
    bool kept = false;
    const std::uint32_t seed = QSettings().value(key).toUInt(&kept);
    if (kept)
        return seed;
    const std::uint32_t drawn = QRandomGenerator::global()->generate();
    QSettings().setValue(key, drawn);
    return drawn;
}

bool LessonProgress::allOpen() const
{
    return QSettings().value(allOpenKey(), false).toBool();
}

void LessonProgress::setAllOpen(bool on)
{
    QSettings().setValue(allOpenKey(), on);
}

} // namespace pw::ui

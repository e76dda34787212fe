// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/level_guess.h"

#include "core/lesson/guess.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/timeline/time_scale.h"
#include "ui/window/main_window.h"

namespace pw::ui {

GuessLayer guessLayer(const Lesson& lesson, int step, const LessonProgress& progress)
{
    GuessLayer layer;
    if (lesson.steps.empty())
        return layer;
    const LessonStep& shown = lesson.steps[static_cast<std::size_t>(step)];
    const std::vector<int> answers = progress.answers(lesson, step);
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (const auto guess = guessOf(shown, shown.questions[i]))
            if (const auto time = guess->timeOf(answers[i])) {
                layer.guess = time;
                layer.guessWords =
                    MainWindow::tr("your guess: %1").arg(durationText(static_cast<double>(*time)));
            }
    return layer;
}

} // namespace pw::ui

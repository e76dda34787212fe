// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"
#include "ui/timeline/overlay_painter.h"

namespace pw::ui {

class LessonProgress;

/// The makespan that a person has predicted for the level of a step, over its lanes.
GuessLayer guessLayer(const Lesson& lesson, int step, const LessonProgress& progress);

} // namespace pw::ui

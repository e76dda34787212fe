// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <QString>

namespace pw::ui {

/// What a goal asks for, in the language of the window; English is that of `goalText`.
QString goalWords(const LessonGoal& goal);

} // namespace pw::ui

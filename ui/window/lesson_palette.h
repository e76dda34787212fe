// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

namespace pw::ui {

class MainWindow;
class SchedulePage;

/// What the window has beside a level is what the level needs: where a family is to be chosen, the
/// palette has the families alone, else the tiles of the passes, and the lesson has its room. What
/// a level gives, the page does not change. Until the lesson is closed.
void prepareForLevel(MainWindow& window, SchedulePage& page, const LessonLevel& level);

} // namespace pw::ui

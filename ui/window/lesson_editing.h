// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw::ui {

class LessonRoom;
class MainWindow;

/// The commands that make levels and change lessons.
void addLessonEditing(MainWindow& window, LessonRoom* room);

} // namespace pw::ui

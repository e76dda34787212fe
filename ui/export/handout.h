// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <QByteArray>
#include <QString>

namespace pw::ui {

/// A lesson on paper, A4: its texts with pictures, questions with boxes to tick, levels with empty
/// lanes to draw in; behind, on pages of their own, the answers and a solution of each level with
/// its numbers. The same lesson makes the same bytes.
///
/// @param language  of the texts, "en"
/// @return          a PDF
/// @error BadValue  a demonstration that cannot be played
Result<QByteArray> handoutOf(const Lesson& lesson, const QString& language);

/// Writes the handout of a lesson of the program, or of a file, by its id or path.
/// @error as of `loadLesson`, of `handoutOf` and of writing
Result<void> writeHandout(const QString& lesson, const QString& language, const QString& path);

} // namespace pw::ui

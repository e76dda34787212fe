// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

/// A name for a file about something that has a title: letters, digits and dashes of the title,
/// without ending. "schedule" where nothing is left.
QString fileName(const QString& title);

} // namespace pw::ui

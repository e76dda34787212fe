// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <QColor>
#include <QPalette>

class QApplication;

namespace pw::ui {

/// A colour of the one table, on the ground that the window has now.
QColor color(Role role);

/// The ground that the window has.
Ground ground();

/// Sets the ground and gives the application its palette and style.
void applyGround(QApplication& application, Ground ground);

/// What the desktop prefers, as far as it says so.
Ground desktopGround();

} // namespace pw::ui

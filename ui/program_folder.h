// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

/// The folder of the program; what belongs to it is beside it. Unlike Qt's it is right where the
/// program was unpacked with its own loader, see `ownProgram`.
QString programFolder();

/// Has Qt take its plug-ins from what was unpacked with the program, where it was. Before the
/// application is made.
void usePluginsOfProgram();

} // namespace pw::ui

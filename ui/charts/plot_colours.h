// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

class QCustomPlot;

namespace pw::ui {

/// Gives a plot's ground, axes and grid the colours of the window as it is now.
void colourGround(QCustomPlot& plot);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"
#include "core/sim/memory.h"

#include <QColor>
#include <QPalette>

class QApplication;

namespace pw::ui {

/// A colour of the one table, on the ground that the window has now.
QColor color(Role role);

/// The colour of a part of a memory chart.
QColor color(MemoryKind kind);

/// The ground that the window has.
Ground ground();

/// Colours of another ground while it lives, for what is painted for elsewhere; the window is not
/// painted meanwhile.
class GroundScope
{
public:
    explicit GroundScope(Ground ground);
    ~GroundScope();
    GroundScope(const GroundScope&) = delete;
    GroundScope& operator=(const GroundScope&) = delete;

private:
    Ground m_before;
};

/// Sets the ground and gives the application its palette and style.
void applyGround(QApplication& application, Ground ground);

/// What the desktop prefers, as far as it says so.
Ground desktopGround();

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"
#include "core/sim/memory.h"

#include <QColor>
#include <QPalette>

#include <optional>

class QApplication;
class QLabel;

namespace pw::ui {

/// A colour of the one table, on the ground that this thread paints for. Of any thread.
QColor color(Role role);

/// A colour on the way from one to another. @param part  0: the one, 1: the other
QColor mixedColor(const QColor& one, const QColor& other, double part);

/// The colour of a part of a memory chart.
QColor color(MemoryKind kind);

/// Writes a label in a colour of the table, on the window's ground and on those that it has later.
void setInk(QLabel* label, Role role);

/// The ground that this thread paints for: the window's, where no `GroundScope` says otherwise.
Ground ground();

/// Colours of another ground in this thread while it lives, for what is painted for elsewhere.
class GroundScope
{
public:
    explicit GroundScope(Ground ground);
    ~GroundScope();
    GroundScope(const GroundScope&) = delete;
    GroundScope& operator=(const GroundScope&) = delete;

private:
    std::optional<Ground> m_before;
};

/// Sets the ground and gives the application its palette and style.
void applyGround(QApplication& application, Ground ground);

/// What the desktop prefers, as far as it says so.
Ground desktopGround();

} // namespace pw::ui

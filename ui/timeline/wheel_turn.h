// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

class QWheelEvent;

namespace pw::ui {

/// What a turn of the wheel asks of a view of time.
struct WheelTurn
{
    enum class What
    {
        Rows, ///< to move up or down, by notches
        Pan,  ///< to move along, by a part of what is shown
        Zoom  ///< to show so many times as much, around the pointer
    };

    What what = What::Rows;
    double amount = 0;
};

/// With Ctrl, or where all rows are in sight, the wheel zooms; with Shift, or turned aside, it
/// pans.
/// @param rows  not all of them are in sight
WheelTurn turnOf(const QWheelEvent& event, bool rows);

} // namespace pw::ui

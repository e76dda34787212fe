// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QLabel>

namespace pw::ui {

/// What empty lanes wait for.
enum class EmptyLanes
{
    Anything,
    Passes,   ///< of a level
    Families, ///< of which a level wants one
    Block     ///< a level is about its block, which is on the bench
};

/// What an empty timeline says: in the middle of its lanes, out of the pointer's way.
class EmptyNote : public QLabel
{
    Q_OBJECT

public:
    /// @param over  widget that it lies over, beginning at x = `left`
    EmptyNote(QWidget* over, int left);

    void setWaiting(EmptyLanes what);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();

    int m_left;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QLabel>

namespace pw::ui {

/// What an empty timeline says: in the middle of its lanes, out of the pointer's way.
class EmptyNote : public QLabel
{
    Q_OBJECT

public:
    /// @param over  widget that it lies over, beginning at x = `left`
    EmptyNote(QWidget* over, int left);

    /// Says what goes into the lanes of a level, where passes alone can be had.
    void setLevel(bool level);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();

    int m_left;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QBasicTimer>
#include <QPoint>
#include <QWidget>

#include <deque>

namespace pw::ui {

/// A red dot with a short trail, in the place of the pointer, for who speaks to a room. Lies over
/// a widget, as large as it is, and takes no clicks from it.
class LaserPointer : public QWidget
{
    Q_OBJECT

public:
    explicit LaserPointer(QWidget* over);
    ~LaserPointer() override;

    /// Where the dot is, in the widget.
    QPoint dot() const { return m_trail.back(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRect reach() const;

    QBasicTimer m_timer;
    std::deque<QPoint> m_trail; ///< the last is the present place; never empty
};

} // namespace pw::ui

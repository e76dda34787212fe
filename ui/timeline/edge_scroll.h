// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QTimer>

namespace pw::ui {

/// Says when and how far a view moves on under something that is dragged to its edge: after a
/// moment, and faster the nearer to the edge or beyond it.
class EdgeScroll : public QObject
{
    Q_OBJECT

public:
    explicit EdgeScroll(QObject* parent = nullptr);

    /// Something is dragged, and is here.
    /// @param area        what is moved under it
    /// @param directions  in which it can be moved
    void follow(QPointF point, const QRectF& area, Qt::Orientations directions);
    /// Nothing is dragged any more.
    void stop();

Q_SIGNALS:
    /// The view is to move by a part of its own size. @param x, y  −1 … 1
    void moveAsked(double x, double y);

private:
    void tick();

    QTimer m_timer;
    QPointF m_pull; ///< −1 … 1 in each direction
    int m_waited = 0;
};

} // namespace pw::ui

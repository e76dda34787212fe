// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/presentation.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

class QPainter;

namespace pw::ui {

// What is drawn over lanes of any kind, on the timeline and in the bench.

/// Around things that are being selected.
void paintBand(QPainter& painter, const QRectF& band);

/// Around one that is selected, with a rim that keeps it apart from its neighbours.
void paintFrame(QPainter& painter, const QRectF& box, Role role);

/// A sentence in a box beside a point, inside of a room; an empty one is none.
void paintHint(QPainter& painter, const QString& hint, bool refusal, QPointF beside,
               const QRectF& room, const QFont& font);

} // namespace pw::ui

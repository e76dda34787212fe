// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/time_scale.h"

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include <optional>

class QPainter;

namespace pw::ui {

/// The two markers between which time is measured.
enum class Mark : bool
{
    A,
    B
};

/// Where they are; none: not set.
struct Marks
{
    std::optional<double> a;
    std::optional<double> b;

    const std::optional<double>& of(Mark mark) const { return mark == Mark::A ? a : b; }
    std::optional<double>& of(Mark mark) { return mark == Mark::A ? a : b; }
    bool any() const { return a.has_value() || b.has_value(); }
    friend bool operator==(const Marks&, const Marks&) = default;
};

/// Paints markers over lanes: lines with flags, and the time between them.
class MarkPainter
{
public:
    /// @param room  of the lanes, without titles
    MarkPainter(const TimeScale& scale, const QRectF& room, const QFont& font)
        : m_scale(scale)
        , m_room(room)
        , m_font(font)
    {
    }

    /// @param between  what is said of the time between them; empty: how long it is
    void paint(QPainter& painter, const Marks& marks, const QString& between = {}) const;
    /// Where the flag of a marker is, by which it is moved.
    QRectF flagOf(Mark mark, double time) const;
    /// The marker whose line or flag is at a point.
    std::optional<Mark> at(QPointF point, const Marks& marks) const;

private:
    void paintBetween(QPainter& painter, double from, double to, const QString& words) const;

    TimeScale m_scale;
    QRectF m_room;
    QFont m_font;
};

/// A line over the whole height at a time.
void paintTimeLine(QPainter& painter, double x, double height, const QColor& ink);

} // namespace pw::ui

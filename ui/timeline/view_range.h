// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QObject>

namespace pw::ui {

/// The part of time that every view with this range shows, and the whole that there is to see. The
/// one truth of zoom and scroll; views hold none of their own.
class ViewRange : public QObject
{
    Q_OBJECT

public:
    explicit ViewRange(QObject* parent = nullptr);

    /// Visible part; may reach beyond the whole by a margin. Always begin < end.
    double begin() const { return m_begin; }
    double end() const { return m_end; }
    double length() const { return m_end - m_begin; }

    Ticks wholeBegin() const { return m_wholeBegin; }
    Ticks wholeEnd() const { return m_wholeEnd; }
    /// What `fit` shows: the whole and the margins before and behind it.
    double farBegin() const { return static_cast<double>(m_wholeBegin) - spare(); }
    double farEnd() const { return static_cast<double>(m_wholeEnd) + spare(); }

    /// What there is to see. A view that showed all of the old whole shows all of the new one;
    /// any other stays where it is.
    void setWhole(Ticks begin, Ticks end);

    /// The least that is shown, at the deepest zoom: 20 ticks where nothing else is said.
    void setShortest(double ticks) { m_shortest = ticks; }
    /// Shows a part, clamped: no shorter than the least, no longer than the whole with margins.
    void show(double begin, double end);
    /// Shows everything, with a small margin.
    void fit();
    /// Makes the visible part `factor` times as long; the time at `anchor` stays in its place.
    void zoom(double factor, double anchor);
    void pan(double ticks);
    /// Moves as little as needed to show a part; zooms out where it is longer than the view.
    void reveal(double begin, double end);
    bool showsAll() const;

    /// Pixels of usual letters that titles beside the lanes have more than usual, in every view of
    /// this range; at least 0.
    int widerTitles() const { return m_widerTitles; }
    void setWiderTitles(int pixels);

Q_SIGNALS:
    void changed();
    void wholeChanged();

private:
    double spare() const;

    Ticks m_wholeBegin = 0;
    Ticks m_wholeEnd = 1;
    double m_begin = 0;
    double m_end = 1;
    double m_shortest = 20; ///< ticks
    int m_widerTitles = 0;
};

} // namespace pw::ui

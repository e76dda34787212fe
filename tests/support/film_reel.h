// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/x_hand.h"

#include <QElapsedTimer>
#include <QImage>
#include <QString>

/// Pictures of the screen in a row, each with how long it is shown, taken while a hand works. A
/// picture has the pointer, which a screen's own picture lacks, and a line of words below. Pictures
/// are taken where the hand has come to, not by a clock: a slow machine makes the same film.
class FilmReel
{
public:
    /// @param folder  where pictures and their list, `frames.txt`, go; empty: none are kept
    FilmReel(XHand& hand, QString folder);

    /// The line of words from here on.
    FilmReel& caption(const QString& words);
    /// A picture. @param milliseconds  that it is shown
    FilmReel& shot(int milliseconds);
    /// The pointer on its way, faster in the middle, a picture at each place that it passes.
    FilmReel& glide(const XHand::Place& to, int pictures);
    FilmReel& press();
    FilmReel& release();
    FilmReel& click(const XHand::Place& place, int pictures);
    /// Pictures in equal distances until something is so.
    FilmReel& watch(const QString& what, const std::function<bool()>& so, int milliseconds);

    int pictures() const { return m_pictures; }
    int milliseconds() const { return m_milliseconds; }
    /// The last that was taken.
    const QImage& last() const { return m_last; }

private:
    /// Waits until the window has painted what came.
    void breathe();
    void take(int milliseconds);

    XHand& m_hand;
    QString m_folder;
    QString m_words;
    bool m_pressed = false;
    int m_pictures = 0;
    int m_milliseconds = 0;
    QImage m_last;
    QElapsedTimer m_breath;
};

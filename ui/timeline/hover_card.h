// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/overlay_painter.h"

#include <QFrame>
#include <QPoint>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <vector>

class QLabel;

namespace pw::ui {

class TimelineView;

/// What is known of what is under the pointer.
struct HoverNews
{
    QString title;             ///< the pass, or that a device idles
    QStringList lines;         ///< times, the reason
    QString wrong;             ///< a rule that it breaks; empty: none
    std::vector<SpanRef> lit;  ///< spans that it waits for
    std::vector<Arrow> arrows; ///< from them
    QString sentence;          ///< the same in short, for the status line

    bool empty() const { return title.isEmpty(); }
};

/// A card beside the pointer over a timeline, which also lights up what the card speaks of. It
/// comes when the pointer rests, follows it from there on, and is out of the way of what is lit and
/// of gestures.
class HoverCard : public QFrame
{
    Q_OBJECT

public:
    /// A child of the timeline's window while it is shown, so that it is not cut off at the lanes.
    explicit HoverCard(TimelineView& view);

    /// What is under the pointer now; empty: nothing.
    void setNews(HoverNews news);
    const HoverNews& news() const { return m_news; }
    /// The words of the card, for a reader and for tests.
    QString words() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void appear();
    void vanish();
    void write();
    void settle();
    void light(const HoverNews* news);
    QRect placeFor(QSize size) const;

    /// Whether the view is still whole: a view that goes away hides its parts, which is seen here
    /// too.
    bool viewLives() const;

    TimelineView& m_view;
    QPointer<QObject> m_life;
    HoverNews m_news;
    QLabel* m_label;
    QTimer m_rest;
    QPoint m_pointer; ///< in the viewport
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"
#include "ui/models/note_cards.h"

#include <QFont>
#include <QObject>
#include <QPointer>

#include <utility>
#include <vector>

class QLabel;
class QWidget;

namespace pw::ui {

class NoteView;
class Page;
class StageCard;
class TimelineView;

/// The font of a stage on a screen of some height, of the one that a page has in the window: the
/// last row of a room reads it.
QFont stageFont(QFont font, int height);

/// How much larger than in the window everything in the timelines is for a room, on a screen of a
/// height.
double stageScale(int height);

/// What stands around the timeline of a page on the stage: a title above it, below it the cards of
/// the page's notes and what happens; what has not happened yet is pale. While it lives.
class StageCurtain : public QObject
{
public:
    /// @pre the page has a playback, and its parts stand one above the other
    StageCurtain(Page& page, QObject* parent);
    ~StageCurtain() override;

    /// Shares the height of the page between lanes, charts and cards.
    void arrange();
    /// The play and its cards from the beginning.
    void restart();

    bool hasCards() const { return !m_deck.empty(); }
    /// The next card (1), or the one before (−1). Where it names a time, the play goes there.
    void walkCards(int by);
    /// Takes the cards away, or brings them back.
    void toggleCards();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TimelineView* timeline() const;
    void hide(QWidget* widget);
    void fitLanes();
    void addTitle();
    void addCards();
    void follow();
    void tell();
    void light(Ticks now);

    QPointer<Page> m_page;
    LanesPtr m_lanes;            ///< that the events are of
    std::vector<Ticks> m_events; ///< of the play
    NoteDeck m_deck;
    bool m_chainWas = false;  ///< shown before
    bool m_bubbleWas = false; ///< and the charts
    bool m_memoryWas = false;
    bool m_cardsAway = false;             ///< a person has taken them away
    int m_wanted = 0;                     ///< height of a lane where there is room
    std::pair<int, int> m_fitted{-1, -1}; ///< room and height that lanes were fitted to
    int m_laneHeight = 0;                 ///< before
    QPointer<QWidget> m_head;             ///< title and keys
    QPointer<QLabel> m_title;
    QPointer<QLabel> m_keys;   ///< what a lecturer can press
    QPointer<QWidget> m_foot;  ///< the cards
    QPointer<NoteView> m_note; ///< null: there are no notes
    QPointer<StageCard> m_card;
    std::vector<QPointer<QWidget>> m_hidden;
};

} // namespace pw::ui

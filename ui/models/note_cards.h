// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QString>

#include <optional>
#include <vector>

namespace pw::ui {

class Lanes;

/// A card of the stage: a paragraph of a schedule's notes, or a part of a long one.
struct NoteCard
{
    QString heading; ///< empty: none
    QString body;
    /// When it comes by itself; none: it waits to be asked for. At most one of the two is there.
    std::optional<Ticks> time;
    std::optional<int> step; ///< events of the play from its beginning on

    friend bool operator==(const NoteCard&, const NoteCard&) = default;
};

/// The cards of notes: empty lines part them. A first line `# …` is a heading; one that stands
/// alone belongs to what follows. A paragraph that begins with `@12` comes at the play's twelfth
/// step, one with `@3.5 ms` (us, ms, s) at that time; what only looks like it is text. What is
/// longer than a room reads at once goes on on the next card.
/// @complexity  O(length)
std::vector<NoteCard> noteCards(const QString& notes);

/// When something starts or ends, each time once, in order: where the steps of a play stand. The
/// beginning is none of them.
/// @complexity  O(spans log spans)
std::vector<Ticks> eventTimes(const Lanes& lanes);

/// Cards that a play goes through, and which of them is shown.
class NoteDeck
{
public:
    NoteDeck() = default;
    /// Shows the first card.
    /// @param events  of the play, as of `eventTimes`
    /// @param begin   of the play, where times count from
    NoteDeck(std::vector<NoteCard> cards, const std::vector<Ticks>& events, Ticks begin);

    const std::vector<NoteCard>& cards() const { return m_cards; }
    bool empty() const { return m_cards.empty(); }
    /// Which card is shown. @pre there are some
    int shown() const { return m_shown; }
    /// When a card comes by itself; none: never.
    const std::optional<Ticks>& due(int card) const;
    /// The play is at a time: where it has come to another card's time, that card is shown, and on
    /// the way back the one before.
    /// @return  whether another card is shown
    bool follow(Ticks now);
    /// Shows the first card again, as before the play.
    void restart();
    /// A card on or back, whatever the time; where it has one, the play is to go there.
    /// @return  false: there is none
    bool walk(int by);

private:
    int reachedAt(Ticks now) const;

    std::vector<NoteCard> m_cards;
    std::vector<std::optional<Ticks>> m_due; ///< one a card
    int m_shown = 0;
    int m_reached = -1; ///< the last card whose time has come; −1: none
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"
#include "core/communication/play.h"

#include <QString>

namespace pw::ui {

/// What is said of a listing that was played, and of its actions.
class PlayedWords
{
public:
    struct Sentence
    {
        QString words;
        bool bad = false; ///< it does not come to its end, or messages are mixed up
    };

    /// All outlive this.
    /// @param planned  end of the schedule alone
    PlayedWords(const communication::Listing& listing, const Schedule& schedule,
                const communication::Played& played, Ticks planned)
        : m_listing(listing)
        , m_schedule(schedule)
        , m_played(played)
        , m_planned(planned)
    {
    }

    /// "end 12 ms (+3.1 %)     exposed communication 1 ms".
    QString end() const;
    /// How it ends, and what stands in the way.
    Sentence sentence() const;
    /// When an action happens.
    QString of(communication::ActionPlace place) const;
    /// When a part of a pass happens.
    QString of(const communication::PartSpan& part) const;

private:
    const communication::Listing& m_listing;
    const Schedule& m_schedule;
    const communication::Played& m_played;
    Ticks m_planned;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/lane_rows.h"
#include "ui/traces/slice_selection.h"

#include <QString>

#include <functional>
#include <optional>

namespace pw::ui {

/// What is said of the slices of a trace, and of its idle time.
class SliceWords
{
public:
    /// What a card beside the pointer says, and in a line elsewhere.
    struct Said
    {
        QString card;
        QString line;
    };

    /// @param gaps  null: why streams idle is not known yet. Both outlive this
    SliceWords(const ShownActivity& activity, const IdleGaps* gaps)
        : m_activity(activity)
        , m_gaps(gaps)
    {
    }

    /// The whole name of a slice, and of several that stand as one how many.
    QString nameOf(const ActivitySlice& slice) const;
    /// For which rank a slice waits; none: for nobody, or that is not known.
    std::optional<PeerShare> waitOf(const ActivitySlice& slice) const;

    /// @param shorten  makes a name short enough for a card
    Said of(const ChosenSlice& one, const std::function<QString(const QString&)>& shorten) const;
    static Said of(const ChosenGap& one);
    /// Of a title, in a card.
    static QString of(const LaneRows::Row& row);

private:
    const ShownActivity& m_activity;
    const IdleGaps* m_gaps;
};

} // namespace pw::ui

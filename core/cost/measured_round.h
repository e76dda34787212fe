// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/schedule.h"

#include <compare>
#include <map>
#include <vector>

namespace pw {

/// What single times of entries are gathered by: an entry without its micro-batch and its route.
struct EntryKind
{
    PassKind kind = PassKind::F; ///< of a pair with an F: F
    StageId stage{0};
    int segment = 0;
    bool paired = false;
    PassKind partner = PassKind::F; ///< the other pass of a pair
    StageId partnerStage{0};
    int partnerSegment = 0;

    friend auto operator<=>(const EntryKind&, const EntryKind&) = default;
};

/// The kind of an entry; an F of a pair comes first, wherever it stands.
EntryKind kindOf(const OrderEntry& entry);

/// "F of stage 2", "F of stage 2 with BW of stage 1"; the segment where there is more than one.
std::string describe(const EntryKind& kind, int segments);

/// What single times of messages are gathered by.
struct MessageKind
{
    PassKind carries = PassKind::F; ///< F: an activation; B: a gradient; U: gradients of weights
    int segment = 0;

    friend auto operator<=>(const MessageKind&, const MessageKind&) = default;
};

/// The single times of one short stretch of time: what a machine was like just then.
struct MeasuredRound
{
    std::map<EntryKind, std::vector<Ticks>> entries;
    std::vector<Ticks> gaps;       ///< between two entries of a device that nothing separates
    std::vector<Ticks> updateGaps; ///< the same before a U
    std::vector<Ticks> openings;   ///< start of devices that wait for nobody, after the first one
    /// From the end of a pass to the start of one that waited for it on another device.
    std::map<MessageKind, std::vector<Ticks>> messages;

    friend bool operator==(const MeasuredRound&, const MeasuredRound&) = default;
};

/// Adds the times of another stretch.
void append(MeasuredRound& to, const MeasuredRound& from);

/// Keeps about so many single times in all: of each list every so-many-th, at least four.
void thin(std::vector<MeasuredRound>& rounds, std::size_t most);

} // namespace pw

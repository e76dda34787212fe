// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/communication/buffers.h"
#include "core/communication/expert_pair.h"
#include "core/communication/lowering.h"
#include "core/communication/play.h"

#include <string>

namespace pw::app {

/// A listing that was played, with everything that is told of it.
struct CommunicationStudy
{
    std::string title;
    std::string origin; ///< where the listing comes from, in words
    const Schedule* schedule = nullptr;
    const Costs* costs = nullptr;
    communication::Listing listing;
    communication::Transport transport;
    communication::Played played;
    Ticks planned = 0; ///< makespan of the schedule alone
    int shards = 1;    ///< ranks of the data-parallel group
    /// Layers of every stage, where passes have inner parts.
    std::vector<std::vector<communication::LayerTimes>> layers;
};

/// End, exposed communication, buffers by rank, the ring or the mix-up.
std::string communicationText(const CommunicationStudy& study, const Screen& screen);

/// What every rank does, wrapped.
std::string listingLines(const CommunicationStudy& study, const Screen& screen);

/// The same as one object. @param listed  with every action and its times
std::string communicationJson(const CommunicationStudy& study, bool listed);

} // namespace pw::app

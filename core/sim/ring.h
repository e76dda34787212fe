// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// One device of a ring of waiting devices.
struct RingLink
{
    DeviceId device{0};
    Pass waiting; ///< the pass that the device cannot start
    Pass needed;  ///< what it waits for, later in the order of the next link's device

    friend bool operator==(const RingLink&, const RingLink&) = default;
};

/// The ring in which devices wait for each other.
///
/// @param reached  for each device the entry that it could not start, or its end
/// @return         the links in order, each waits for the next and the last for the first; empty if
/// nothing waits
std::vector<RingLink> waitingRing(const Schedule& schedule, const std::vector<EntryId>& reached);

/// The links of a ring, one after the other, as the text of a deadlock. A ring over hundreds is cut
/// in the middle; its beginning and end say enough.
///
/// @param link  the text of a link
Sentence ringText(std::size_t links, const std::function<Sentence(std::size_t)>& link);

/// Which devices wait for each other, and in which passes; empty without links.
Sentence ringText(const std::vector<RingLink>& ring, const PipelineSpec& spec);

/// A ring as an error: names every device and pass of it.
Error deadlockError(const std::vector<RingLink>& ring, const PipelineSpec& spec);

/// The ring of a schedule as an error.
Error deadlockError(const Schedule& schedule, const std::vector<EntryId>& reached);

} // namespace pw

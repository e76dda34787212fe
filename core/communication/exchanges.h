// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw::communication {

// Copies of a stage on several routes sum their gradients before the update. An exchange is of one
// stage and update; its number is update · S + stage.

/// The ranks that hold a copy of a stage, ascending, each once.
std::vector<DeviceId> holdersOf(const PipelineSpec& spec, StageId stage);

/// The exchange that a pass makes gradients for; −1: it makes none, or nobody else has a copy.
std::int32_t exchangeOf(const PipelineSpec& spec, const Pass& pass);

/// Calls `use(exchange)` for what an entry makes gradients for: none, one or two times.
template<typename Use>
void eachExchangeOf(const Schedule& schedule, EntryId entry, Use use)
{
    const OrderEntry passes = schedule.entry(entry);
    const std::int32_t first = exchangeOf(schedule.spec(), passes.pass);
    if (first >= 0)
        use(first);
    const std::int32_t second =
        passes.paired ? exchangeOf(schedule.spec(), passes.partner) : std::int32_t{-1};
    if (second >= 0)
        use(second);
}

/// The exchange that an update waits for; −1: none.
std::int32_t exchangeBefore(const PipelineSpec& spec, const Pass& update);

/// Puts the exchanges into a listing.
///
/// @param walked  entries of all ranks in an order in which they can be computed
/// @pre           no exchanges yet
void addExchanges(Listing& listing, const Schedule& schedule, std::span<const EntryId> walked,
                  ExchangePlace place);

} // namespace pw::communication

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"

namespace pw {

/// A new entry and the time that it is put in order by.
struct Addition
{
    DeviceId device{0};
    Ticks start = 0;
    OrderEntry entry;
};

/// The edit that makes what a family builds an order of its own; nothing where it is.
Edit ownOrders(const Project& project, const Draft& draft);

/// Fills in draft and times from the edit, which the project must take.
Result<Proposal> proposed(const Project& project, Edit edit, std::vector<EntryId> added = {});

/// Inserts entries between those of a draft, each at a position of its device afterwards.
///
/// @param draft   of the project, with the spec as it will be
/// @param placed  by device; sorted by position
Result<Proposal> inserted(const Project& project, const Draft& draft,
                          std::vector<std::vector<PlacedEntry>> placed);

/// Merges entries into the orders by their starts; of equal starts, what is there comes first.
Result<Proposal> merged(const Project& project, const Draft& draft, const DraftTimes& times,
                        std::vector<Addition> additions);

/// More micro-batches for a spec with one step; on two routes they go on as the first ones do.
Result<void> grow(PipelineSpec& spec, int microBatches);

} // namespace pw

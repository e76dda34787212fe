// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/listing.h"
#include "core/io/torch_csv.h"

namespace pw::communication {

/// A communicating file of PyTorch's runtime: its passes, and everything between them.
struct TorchListing
{
    Schedule schedule;
    Listing listing;
    bool gathers = false; ///< has UNSHARD, RESHARD or REDUCE_GRAD
};

/// Takes the actions of a file as they stand there.
///
/// @pre csv.communicates
/// @error Syntax       the first problem of the file
/// @error BadSchedule  a pass is missing; or as of `check(Listing)`
Result<TorchListing> listingOf(const TorchCsv& csv);

/// The fields of a listing; of what the format has letters for.
///
/// @error BadValue  segments, a second route, recompute, updates, a stage in two ranks; a wait
Result<TorchTable> torchTableOf(const Listing& listing, const Schedule& schedule);

} // namespace pw::communication

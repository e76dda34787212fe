// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/backend.h"
#include "executor/mpi/mpi_session.h"

#include <memory>
#include <string>
#include <string_view>

namespace pw::exec {

/// What rank 0 says of the next run.
struct MpiRunOrder
{
    std::int32_t run = 0; ///< its number, from 1
    std::string backend;
    bool snapshots = false; ///< whether somebody listens
};

/// Rank 0: has all processes run a plan, and runs its own part.
///
/// @param listener  hears of the snapshots of all ranks, one at a time; may be empty
/// @error           as of `Backend::run`
Result<RunFigures> leadRun(MpiSession& session, const MpiRunOrder& order, const RunPlan& plan,
                           RunSink& sink, const SnapshotListener& listener, const Stop& stop);

/// The other ranks: the part of this process in the run of a mail of the kind `Plan`. How it ends
/// is told to rank 0.
void followRun(MpiSession& session, const Mail& mail, const Stop& stop);

} // namespace pw::exec

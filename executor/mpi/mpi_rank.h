// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/snapshot.h"
#include "executor/mpi/mpi_session.h"
#include "executor/transport/rank_parts.h"

#include <memory>
#include <string>
#include <string_view>

namespace pw::exec {

/// The device of this process for a run by a backend, with its host's name.
/// @error BadValue  the backend is not available here, or cannot run the plan
Result<RunDevice> deviceOf(const std::string& backend, const RunPlan& plan,
                           const MpiSession& session);

/// Where this process runs, without devices.
RunEnvironment environmentOf(const std::string& backend);

/// What `runRanks` needs for the one rank of this process.
///
/// @param clock  aligned; must outlive the parts, as must plan, session and ended
/// @param ended  of this process's part of the run
/// @pre `deviceOf` is good
/// @error BadValue, Fault  of the device
Result<std::unique_ptr<RankParts>> makeMpiRank(const std::string& backend, const RunPlan& plan,
                                               MpiSession& session, std::int32_t run,
                                               const RunClock& clock, const Stop& ended,
                                               const SnapshotListener& listener);

} // namespace pw::exec

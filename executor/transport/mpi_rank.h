// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/runner.h"
#include "executor/api/snapshot.h"
#include "executor/transport/mpi_transport.h"

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
class MpiRank
{
public:
    /// @param clock  aligned; must outlive the object, as must plan, session and stop
    /// @param ended  of this process's part of the run
    /// @pre `deviceOf` is good
    Result<void> make(const std::string& backend, const RunPlan& plan, MpiSession& session,
                      std::int32_t run, const RunClock& clock, const Stop& ended,
                      const SnapshotListener& listener);

    const WorkerFactory& workers() const { return m_workers; }
    MpiTransport& transport() { return *m_transport; }
    const RunEnvironment& environment() const { return m_environment; }

private:
    std::unique_ptr<PlanClock> m_planned;
    std::unique_ptr<MpiTransport> m_transport;
    WorkerFactory m_workers;
    RunEnvironment m_environment;
};

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "executor/api/backend.h"
#include "executor/mpi/mpi_backend.h"

#include <memory>
#include <string>

namespace pw::app {

/// The way to a backend: in this process, or in the processes of an mpirun.
class BackendAccess
{
public:
    /// Meets the other processes, where a launcher has started several.
    static tl::expected<BackendAccess, Failure> join();

    /// Whether this process reads the command line and prints; the others only `serve`.
    bool leads() const { return m_ranks == nullptr || m_ranks->leads(); }
    /// Whether the devices are processes.
    bool spansProcesses() const { return m_ranks != nullptr; }
    /// Does this process's part of every run until the leading one ends.
    Outcome serve(const exec::Stop& stop);

    /// The backend of --backend, for so many devices.
    /// @param reason  what was picked and why
    tl::expected<std::unique_ptr<exec::Backend>, Failure> open(const Arguments& arguments,
                                                               int devices, std::string& reason);
    /// The backend of a name.
    tl::expected<std::unique_ptr<exec::Backend>, Failure> open(const std::string& name, int devices,
                                                               std::string& reason);

private:
    std::unique_ptr<exec::MpiRanks> m_ranks; // null: one process
};

/// --backend.
Option backendOption();

/// Whether a backend takes modelled times and trains nothing.
bool isEmulated(const exec::Backend& backend);

} // namespace pw::app

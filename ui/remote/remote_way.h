// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/remote_place.h"
#include "ui/run/connection.h"

#include <QStringList>

#include <vector>

namespace pw::ui {

/// How a machine is reached, and what the program is called there.
struct RemoteWay
{
    QStringList ssh;     ///< ssh, its options, and the destination
    QStringList program; ///< words that end with `pipewright`

    /// Starts the program there with a command of its own.
    QStringList commandThere(const QString& command) const;
    /// Sends the file there whose path is a line of the standard input: its size on a line, then
    /// its bytes. No path is part of a command line, where a shell could read more into it.
    QStringList sending() const;
};

/// By the connection whose ssh goes to that host, with its options and its program; else by ssh
/// alone, as it knows the host. A place with a port is reached by ssh alone.
/// @param connections  of the first that fits, as they stand
RemoteWay wayTo(const RemotePlace& place, const std::vector<Connection>& connections);

/// The destinations that connections have, each once.
QStringList knownHosts(const std::vector<Connection>& connections);

} // namespace pw::ui

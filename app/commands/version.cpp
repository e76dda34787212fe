// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome runVersion(const Arguments&, Console& console)
{
    console.out << "pipewright " PW_VERSION "\n";
    return ExitCode::Good;
}

} // namespace

Command version()
{
    Command command;
    command.name = "version";
    command.group = CommandGroup::Learn;
    command.summary = "the version of this program";
    command.examples = {"pipewright version"};
    command.run = runVersion;
    return command;
}

} // namespace pw::app::commands

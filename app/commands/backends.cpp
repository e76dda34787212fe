// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"

#include "app/backend_access.h"
#include "app/backend_report.h"
#include "core/base/try.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome runBackends(const Arguments& arguments, Console& console)
{
    // Of several processes that a launcher has started one speaks.
    PW_TRY(const BackendAccess access, BackendAccess::join());
    if (!access.leads())
        return ExitCode::Good;
    const std::vector<exec::BackendInfo> infos = exec::backendInfos();
    console.out << (arguments.has("json") ? backendJson(infos)
                                          : backendText(infos, console.screen));
    return ExitCode::Good;
}

std::vector<Option> optionsOfBackends()
{
    return {{.name = "json", .summary = "for programs: an array", .section = "Output"}};
}

} // namespace

Command backends()
{
    Command command;
    command.name = "backends";
    command.group = CommandGroup::Run;
    command.summary = "what schedules can be run on here, and what is missing for the rest";
    command.about = "What each backend computes with and the devices that it found. Of a backend "
                    "that is not available: what is missing, and what would bring it.";
    command.examples = {"pipewright backends", "pipewright backends --json"};
    command.options = optionsOfBackends;
    command.run = runBackends;
    return command;
}

} // namespace pw::app::commands

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"

#include <ostream>

namespace pw::app::commands {

namespace {

Outcome run(const Arguments& arguments, Console& console)
{
    if (arguments.words().empty()) {
        console.out << overview(console.screen);
        return ExitCode::Good;
    }
    const Command* command = findCommand(arguments.words()[0]);
    if (command == nullptr)
        return usage("there is no command " + quotedWord(arguments.words()[0]));
    console.out << helpOf(*command, console.screen);
    return ExitCode::Good;
}

} // namespace

Command help()
{
    Command command;
    command.name = "help";
    command.summary = "the commands, or the help of one of them";
    command.words = "[COMMAND]";
    command.examples = {"pipewright help", "pipewright help simulate"};
    command.wordKind = WordKind::Command;
    command.maximumWords = 1;
    command.run = run;
    return command;
}

} // namespace pw::app::commands

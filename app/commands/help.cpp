// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/manual.h"
#include "core/base/text.h"

#include <ostream>
#include <string>
#include <vector>

namespace pw::app::commands {

namespace {

/// What is neither a command nor a page, with the command that was meant.
std::string noTopic(const std::string& topic)
{
    std::vector<std::string> names;
    for (const Command& command : allCommands())
        names.emplace_back(command.name);
    const std::string near = nearest(topic, names);
    const std::string text = "there is no command " + quotedWord(topic);
    return near.empty() ? text + ", and " + noManualPage(topic)
                        : text + "; did you mean " + near + "?";
}

std::string helpAbout()
{
    std::string text = "`pipewright COMMAND -h` is a command on one screen, --help everything "
                       "about it, and `pipewright help options` what several commands share. A "
                       "name that is a command's and a page's is taken for the command; "
                       "`pipewright manual PAGE` shows the page.\nExit codes:";
    for (const auto& [code, meaning] : exitMeanings())
        text += (code == "0" ? " " : "; ") + std::string(code) + " " + std::string(meaning);
    return text;
}

Outcome runHelp(const Arguments& arguments, Console& console)
{
    if (arguments.words().empty()) {
        console.out << overview(console.screen);
        return ExitCode::Good;
    }
    const std::string& topic = arguments.words()[0];
    if (topic == "options")
        console.out << sharedOptionsHelp(console.screen);
    else if (const Command* command = findCommand(topic))
        console.out << helpOf(*command, console.screen);
    else if (const ManualPage* page = findManualPage(topic))
        console.out << manualText(*page, console.screen);
    else
        return usage(noTopic(topic));
    return ExitCode::Good;
}

} // namespace

Command help()
{
    Command command;
    command.name = "help";
    command.group = CommandGroup::Learn;
    command.summary = "the commands, the help of one, or a page of the manual";
    command.words = "[COMMAND|PAGE|options]";
    static const std::string about = helpAbout();
    command.about = about;
    command.examples = {"pipewright help", "pipewright help simulate", "pipewright help options",
                        "pipewright help families", "pipewright help files"};
    command.wordKind = WordKind::Command;
    command.maximumWords = 1;
    command.run = runHelp;
    return command;
}

} // namespace pw::app::commands

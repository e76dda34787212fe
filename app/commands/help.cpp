// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/manual.h"
#include "app/roff_page.h"
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
                       "name that is a command's and a page's is taken for the command; with "
                       "--manual for the page, and without a name for the list of pages. The same "
                       "pages are in the studio under Help > Manual (F1), and as files in "
                       "share/pipewright/manual. Packages install what --roff prints, so that "
                       "`man pipewright` shows it.\nExit codes:";
    for (const auto& [code, meaning] : exitMeanings())
        text += (code == "0" ? " " : "; ") + std::string(code) + " " + std::string(meaning);
    return text;
}

std::vector<Option> optionsOfHelp()
{
    return {{.name = "manual", .summary = "a page of the manual, or the list of its pages"},
            {.name = "search",
             .kind = ValueKind::Text,
             .placeholder = "WORDS",
             .summary = "the lines of the manual that have all of these words, with page and "
                        "heading"},
            {.name = "roff", .summary = "the help of all commands as a man page, in roff"}};
}

Outcome search(const std::string& words, Console& console)
{
    const std::string places = manualPlaces(words, console.screen);
    if (places.empty())
        return wrong("no line of the manual has " + quotedWord(words));
    console.out << places;
    return ExitCode::Good;
}

Outcome showPage(const std::string& name, Console& console)
{
    const ManualPage* page = findManualPage(name);
    if (page == nullptr)
        return usage(noManualPage(name));
    console.out << manualText(*page, console.screen);
    return ExitCode::Good;
}

Outcome runHelp(const Arguments& arguments, Console& console)
{
    std::string topic;
    for (const std::string& word : arguments.words())
        topic += (topic.empty() ? "" : " ") + word;
    if (!topic.empty() && (arguments.has("search") || arguments.has("roff")))
        return usage("--search looks through all pages, and --roff has all commands: they take no "
                     "COMMAND and no PAGE");
    if (arguments.has("search"))
        return search(arguments.text("search"), console);
    if (arguments.has("manual"))
        return showPage(topic.empty() ? "index" : topic, console);
    if (arguments.has("roff"))
        console.out << roffPage();
    else if (topic.empty())
        console.out << overview(console.screen);
    else if (topic == "options")
        console.out << sharedOptionsHelp(console.screen);
    else if (const Command* command = findCommand(topic))
        console.out << helpOf(*command, console.screen);
    else if (findManualPage(topic) != nullptr)
        return showPage(topic, console);
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
    command.examples = {"pipewright help",
                        "pipewright help simulate",
                        "pipewright help options",
                        "pipewright help files",
                        "pipewright help families --manual",
                        "pipewright help --manual",
                        "pipewright help --search lifespan"};
    command.wordKind = WordKind::Command;
    command.maximumWords = 2;
    command.options = optionsOfHelp;
    command.run = runHelp;
    return command;
}

} // namespace pw::app::commands

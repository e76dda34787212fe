// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/manual.h"

#include "app/command.h"
#include "core/base/text.h"

#include <ostream>

namespace pw::app::commands {

namespace {

std::vector<Option> optionsOfManual()
{
    return {{.name = "search",
             .kind = ValueKind::Text,
             .placeholder = "WORDS",
             .summary = "the lines that have all of these words, with page and heading"}};
}

Outcome runManual(const Arguments& arguments, Console& console)
{
    if (arguments.has("search")) {
        const std::string words = arguments.text("search");
        if (!arguments.words().empty())
            return usage("--search looks through all pages, and takes no PAGE");
        const std::string places = manualPlaces(words, console.screen);
        if (places.empty())
            return wrong("no line of the manual has " + quotedWord(words));
        console.out << places;
        return ExitCode::Good;
    }
    const std::string name = arguments.words().empty() ? "index" : arguments.words()[0];
    const ManualPage* page = findManualPage(name);
    if (page == nullptr)
        return usage(noManualPage(name));
    console.out << manualText(*page, console.screen);
    return ExitCode::Good;
}

} // namespace

Command manual()
{
    Command command;
    command.name = "manual";
    command.group = CommandGroup::Learn;
    command.summary = "a page of the manual, or the list of its pages";
    command.words = "[PAGE]";
    command.about = "The same pages are in the studio under Help > Manual (F1), and as files in "
                    "share/pipewright/manual.";
    command.examples = {"pipewright manual", "pipewright manual families",
                        "pipewright manual --search lifespan"};
    command.wordKind = WordKind::Page;
    command.maximumWords = 1;
    command.options = optionsOfManual;
    command.run = runManual;
    return command;
}

} // namespace pw::app::commands

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/roff_page.h"

#include "app/command.h"
#include "core/base/man_page.h"

#include <algorithm>

namespace pw::app {

namespace {

void addCommand(ManPage& page, const Command& command)
{
    page.subsection(std::string(command.name) +
                    (command.words.empty() ? "" : " " + std::string(command.words)) + " [options]");
    page.paragraph(command.summary);
    for (std::string_view rest = command.about; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (end > 0)
            page.paragraph(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::vector<Option> options = allOptions(command);
    for (const std::string& section : optionSections(options)) {
        if (!section.empty())
            page.paragraph("`" + section + "`");
        for (const Option& option : options)
            if (option.section == section)
                page.item(optionLabel(option), option.summary);
    }
    for (const std::string_view example : command.examples)
        page.example(example);
}

} // namespace

std::string roffPage()
{
    ManPage page("pipewright", programSummary, PW_VERSION);
    page.section("Synopsis");
    page.paragraph("`pipewright` COMMAND [options]");
    page.section("Commands");
    for (const Command& command : allCommands())
        addCommand(page, command);
    page.section("Exit status");
    for (const auto& [code, meaning] : exitMeanings())
        page.item(code, meaning);
    page.section("Examples");
    for (const std::string_view example : firstExamples())
        page.example(example);
    page.section("See also");
    page.paragraph(
        "`pipewright-studio`(1); `pipewright help --manual` has the pages of the manual");
    return page.text();
}

} // namespace pw::app

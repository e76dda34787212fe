// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/text_table.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace pw::app {

namespace {

/// The options of one section, labels in a column and summaries beside them.
std::string sectionText(const std::vector<Option>& options, const std::string& section,
                        const Screen& screen)
{
    constexpr int widestLabel = 26;
    std::string out;
    for (const Option& option : options) {
        if (option.section != section)
            continue;
        const std::string label = optionLabel(option);
        const int used = 2 + displayWidth(label);
        const int column = widestLabel + 2;
        out += "  " + screen.paint(label, Role::Accent);
        out += used < column ? std::string(static_cast<std::size_t>(column - used), ' ')
                             : "\n" + std::string(static_cast<std::size_t>(column), ' ');
        out += wrapped(option.summary, std::max(screen.width, column + 30), column, 0);
    }
    return out;
}

std::string examplesText(std::span<const std::string_view> examples)
{
    std::string out;
    for (const std::string_view example : examples)
        out += "  " + std::string(example) + "\n";
    return out;
}

constexpr std::pair<CommandGroup, std::string_view> groupHeadings[] = {
    {CommandGroup::Design, "Design a schedule"},
    {CommandGroup::Plan, "Plan a training"},
    {CommandGroup::Run, "Run it"},
    {CommandGroup::Traces, "Read traces"},
    {CommandGroup::Files, "Files and the store"},
    {CommandGroup::Learn, "Learn"}};

std::string usageText(const Command& command, const Screen& screen)
{
    return screen.bold("pipewright " + std::string(command.name)) + " — " +
           std::string(command.summary) + "\n\n" + screen.bold("Usage") + "\n  pipewright " +
           std::string(command.name) +
           (command.words.empty() ? "" : " " + std::string(command.words)) + " [options]\n";
}

std::string_view headingOf(const std::string& section)
{
    return section.empty() ? std::string_view("Options") : std::string_view(section);
}

/// Options that so many commands have under the same heading that each explains only its own.
class SharedOptions
{
public:
    SharedOptions()
    {
        for (const Command& command : allCommands())
            for (Option& option : allOptions(command))
                take(std::move(option), command.name);
        const auto few = [](const Shared& one) { return one.owners.size() < 3; };
        m_all.erase(std::remove_if(m_all.begin(), m_all.end(), few), m_all.end());
    }

    bool has(const Option& option) const
    {
        return std::any_of(m_all.begin(), m_all.end(), [&](const Shared& one) {
            return one.section == option.section && one.name == option.name;
        });
    }

    /// Under one heading, each in the words that most commands have for it.
    std::vector<Option> in(const std::string& section) const
    {
        std::vector<Option> all;
        for (const Shared& one : m_all)
            if (one.section == section)
                all.push_back(std::max_element(one.wordings.begin(), one.wordings.end(),
                                               [](const Wording& a, const Wording& b) {
                                                   return a.owners < b.owners;
                                               })
                                  ->option);
        return all;
    }

    std::vector<std::string> sections() const
    {
        std::vector<Option> options;
        for (const Shared& one : m_all)
            options.push_back(one.wordings.front().option);
        return optionSections(options);
    }

    /// The commands that have one of a heading's: "compare, run and simulate".
    std::string ownersText(const std::string& section) const
    {
        std::set<std::string_view> owners;
        for (const Shared& one : m_all)
            if (one.section == section)
                owners.insert(one.owners.begin(), one.owners.end());
        std::string text;
        for (std::size_t i = 0; const std::string_view owner : owners) {
            text += (i == 0 ? "" : i + 1 == owners.size() ? " and " : ", ") + std::string(owner);
            ++i;
        }
        return text;
    }

private:
    struct Wording
    {
        Option option;
        int owners = 0;
    };
    struct Shared
    {
        std::string section;
        std::string name;
        std::vector<std::string_view> owners;
        std::vector<Wording> wordings;
    };

    void take(Option option, std::string_view owner)
    {
        auto shared = std::find_if(m_all.begin(), m_all.end(), [&](const Shared& one) {
            return one.section == option.section && one.name == option.name;
        });
        if (shared == m_all.end())
            shared = m_all.insert(m_all.end(), Shared{option.section, option.name, {}, {}});
        shared->owners.push_back(owner);
        auto wording =
            std::find_if(shared->wordings.begin(), shared->wordings.end(),
                         [&](const Wording& one) { return one.option.summary == option.summary; });
        if (wording == shared->wordings.end())
            wording = shared->wordings.insert(wording, Wording{std::move(option)});
        ++wording->owners;
    }

    std::vector<Shared> m_all;
};

/// Options by their names alone, behind their heading.
std::string namesText(const std::vector<Option>& options, const std::string& section,
                      const Screen& screen)
{
    std::string names = (section.empty() ? std::string("Every command") : section) + ":";
    for (const Option& option : options)
        names += " --" + option.name;
    return wrapped(names, screen.width, 4, 2);
}

/// The commands of a group with what each is, under a heading; empty where there are none.
std::string groupText(std::optional<CommandGroup> group, std::string_view heading,
                      const Screen& screen)
{
    int widest = 0;
    for (const Command& command : allCommands())
        widest = std::max(widest, displayWidth(command.name));
    std::string lines;
    for (const Command& command : allCommands())
        if (command.group == group)
            lines += "  " + screen.paint(command.name, Role::Accent) +
                     std::string(static_cast<std::size_t>(widest + 2 - displayWidth(command.name)),
                                 ' ') +
                     std::string(command.summary) + "\n";
    return lines.empty() ? lines : "\n" + screen.bold(heading) + "\n" + lines;
}

} // namespace

std::string helpOf(const Command& command, const Screen& screen)
{
    std::string out = usageText(command, screen);
    for (std::string_view rest = command.about; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        out += "\n" + wrapped(rest.substr(0, end), screen.width);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!command.examples.empty())
        out += "\n" + screen.bold("Examples") + "\n" + examplesText(command.examples);
    const std::vector<Option> options = allOptions(command);
    for (const std::string& section : optionSections(options))
        out +=
            "\n" + screen.bold(headingOf(section)) + "\n" + sectionText(options, section, screen);
    return out;
}

std::string shortHelpOf(const Command& command, const Screen& screen)
{
    std::string out = usageText(command, screen);
    constexpr std::size_t most = 5;
    const std::span<const std::string_view> examples = command.examples;
    if (!examples.empty())
        out += "\n" + screen.bold("Examples") + "\n" +
               examplesText(examples.first(std::min(most, examples.size())));
    const SharedOptions known;
    std::vector<Option> own, shared;
    for (Option& option : allOptions(command))
        (known.has(option) ? shared : own).push_back(std::move(option));
    for (const std::string& section : optionSections(own))
        out += "\n" + screen.bold(headingOf(section)) + "\n" + sectionText(own, section, screen);
    out += "\n" + screen.bold("As other commands have them") + " (`pipewright help options`)\n";
    for (const std::string& section : optionSections(shared)) {
        std::vector<Option> of;
        std::copy_if(shared.begin(), shared.end(), std::back_inserter(of),
                     [&](const Option& option) { return option.section == section; });
        out += namesText(of, section, screen);
    }
    return out + "\nEverything: `pipewright " + std::string(command.name) + " --help`\n";
}

std::string sharedOptionsHelp(const Screen& screen)
{
    const SharedOptions known;
    std::string out = screen.bold("pipewright") + " — options that several commands share\n";
    for (const std::string& section : known.sections()) {
        out += "\n" + screen.bold(section.empty() ? "Every command" : section) + "\n" +
               sectionText(known.in(section), section, screen);
        if (!section.empty())
            out += wrapped("Of " + known.ownersText(section) + ".", screen.width, 2, 2);
    }
    return out;
}

std::string overview(const Screen& screen)
{
    std::string out = screen.bold("pipewright") + " — " + std::string(programSummary) + "\n\n" +
                      screen.bold("Usage") + "  pipewright COMMAND [options]\n";
    for (const auto& [group, heading] : groupHeadings)
        out += groupText(group, heading, screen);
    out += groupText(std::nullopt, "More", screen);
    return out + "\n" + screen.bold("First") + "\n" + examplesText(firstExamples());
}

} // namespace pw::app

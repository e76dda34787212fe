// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/manual.h"
#include "core/families/family.h"
#include "core/lesson/lesson.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace pw::app::commands {

namespace {

std::string joined(const std::vector<std::string>& words)
{
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : " ") + word;
    return all;
}

/// The name of a command, in its one word or two.
std::pair<std::string, std::string> nameOf(const Command& command)
{
    const std::size_t space = std::min(command.name.find(' '), command.name.size());
    return {std::string(command.name.substr(0, space)),
            std::string(command.name.substr(std::min(space + 1, command.name.size())))};
}

/// The first words of all commands, each once, with the second words of those that have two.
std::map<std::string, std::vector<std::string>> commandNames()
{
    std::map<std::string, std::vector<std::string>> names;
    for (const Command& command : allCommands()) {
        const auto [first, second] = nameOf(command);
        std::vector<std::string>& seconds = names[first];
        if (!second.empty())
            seconds.push_back(second);
    }
    return names;
}

std::string firstWords()
{
    std::vector<std::string> words;
    for (const auto& [first, seconds] : commandNames())
        words.push_back(first);
    return joined(words);
}

/// Plain words that a command may take, apart from files.
std::vector<std::string> plainWords(const Command& command)
{
    std::vector<std::string> words;
    switch (command.wordKind) {
    case WordKind::Family:
    case WordKind::FamilyOrFile:
        for (const Family& family : allFamilies())
            words.emplace_back(family.id);
        break;
    case WordKind::Command:
        for (const auto& [first, seconds] : commandNames())
            words.push_back(first);
        [[fallthrough]];
    case WordKind::Page:
        for (const ManualPage& page : manualPages())
            if (std::find(words.begin(), words.end(), page.name) == words.end())
                words.emplace_back(page.name);
        break;
    case WordKind::LessonOrFile:
        for (const ShippedLesson& lesson : shippedLessons())
            words.emplace_back(lesson.id);
        break;
    case WordKind::Shell:
        words = {"bash", "zsh", "fish"};
        break;
    case WordKind::Nothing:
    case WordKind::Run:
    case WordKind::File:
        break;
    }
    return words;
}

bool takesFiles(const Command& command)
{
    return command.wordKind == WordKind::File || command.wordKind == WordKind::FamilyOrFile ||
           command.wordKind == WordKind::LessonOrFile;
}

/// Text inside single quotes of a shell.
std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out;
}

/// For bash, and for zsh through its bash mode.
std::string bashScript()
{
    std::string out =
        "# Completion of pipewright for bash. Load it with:\n"
        "#   source <(pipewright completion bash)\n"
        "_pipewright() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local words= files=no command=${COMP_WORDS[1]}\n"
        "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "        COMPREPLY=($(compgen -W '" +
        firstWords() +
        "' -- \"$word\"))\n"
        "        return\n"
        "    fi\n";
    for (const auto& [first, seconds] : commandNames())
        if (!seconds.empty())
            out += "    if [[ $command == " + first +
                   " ]]; then\n"
                   "        if [[ $COMP_CWORD -eq 2 ]]; then\n"
                   "            COMPREPLY=($(compgen -W '" +
                   joined(seconds) +
                   "' -- \"$word\"))\n"
                   "            return\n"
                   "        fi\n"
                   "        command=\"$command ${COMP_WORDS[2]}\"\n"
                   "    fi\n";
    out += "    case $command in\n";
    for (const Command& command : allCommands()) {
        std::vector<std::string> words = plainWords(command);
        std::string values;
        for (const Option& option : allOptions(command)) {
            words.push_back("--" + option.name);
            if (option.kind == ValueKind::Flag || option.kind == ValueKind::Switch)
                continue;
            // A value is completed where the choices are known, or where it may be a file.
            std::string reply = "return";
            if (option.optional)
                reply = "COMPREPLY=($(compgen -W '" + joined(option.choices) +
                        "' -- \"$word\")); [[ ${#COMPREPLY[@]} -gt 0 ]] && return";
            else if (!option.choices.empty())
                reply = "COMPREPLY=($(compgen -W '" + joined(option.choices) +
                        "' -- \"$word\")); return";
            else if (option.placeholder.rfind("FILE", 0) == 0)
                reply = "COMPREPLY=($(compgen -f -- \"$word\")); return";
            values += "            --" + option.name + ") " + reply + " ;;\n";
        }
        out += "    '" + std::string(command.name) +
               "')\n"
               "        case $before in\n" +
               values +
               "        esac\n"
               "        words='" +
               joined(words) + "' files=" + (takesFiles(command) ? "yes" : "no") + " ;;\n";
    }
    out += "    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    [[ $files == yes && $word != -* ]] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _pipewright pipewright\n";
    return out;
}

std::string zshScript()
{
    std::string script = bashScript();
    script.erase(0, script.find("_pipewright() {"));
    return "#compdef pipewright\n"
           "# Completion of pipewright for zsh. Load it with:\n"
           "#   source <(pipewright completion zsh)\n"
           "autoload -U +X compinit && compinit\n"
           "autoload -U +X bashcompinit && bashcompinit\n" +
           script;
}

std::string fishScript()
{
    std::string out = "# Completion of pipewright for fish. Load it with:\n"
                      "#   pipewright completion fish | source\n"
                      "complete -c pipewright -f\n";
    for (const auto& [first, seconds] : commandNames())
        if (!seconds.empty())
            out += "complete -c pipewright -n __fish_use_subcommand -a " + first +
                   "\ncomplete -c pipewright -n '__fish_seen_subcommand_from " + first +
                   "; and not __fish_seen_subcommand_from " + joined(seconds) + "' -a '" +
                   joined(seconds) + "'\n";
    for (const Command& command : allCommands()) {
        const auto [first, second] = nameOf(command);
        if (second.empty())
            out += "complete -c pipewright -n __fish_use_subcommand -a " + first + " -d '" +
                   escaped(command.summary) + "'\n";
        const std::string seen = "__fish_seen_subcommand_from ";
        const std::string here = "complete -c pipewright -n '" + seen + first +
                                 (second.empty() ? "" : "; and " + seen + second) + "'";
        if (const std::vector<std::string> words = plainWords(command); !words.empty())
            out += here + " -a '" + joined(words) + "'\n";
        if (takesFiles(command))
            out += here + " -F\n";
        for (const Option& option : allOptions(command)) {
            out += here + " -l " + option.name;
            if (option.kind != ValueKind::Flag && option.kind != ValueKind::Switch &&
                !option.optional)
                out += option.placeholder.rfind("FILE", 0) == 0 ? " -r -F" : " -x";
            if (!option.choices.empty())
                out += " -a '" + joined(option.choices) + "'";
            out += " -d '" + escaped(option.summary) + "'\n";
        }
    }
    return out;
}

Outcome runCompletion(const Arguments& arguments, Console& console)
{
    const std::string& shell = arguments.words()[0];
    if (shell == "bash")
        console.out << bashScript();
    else if (shell == "zsh")
        console.out << zshScript();
    else if (shell == "fish")
        console.out << fishScript();
    else
        return usage("completion is for bash, zsh or fish, not " + quotedWord(shell));
    return ExitCode::Good;
}

} // namespace

Command completion()
{
    Command command;
    command.name = "completion";
    command.group = CommandGroup::Learn;
    command.summary = "a script that completes commands and options in your shell";
    command.words = "bash|zsh|fish";
    command.about = "Prints the script. For good, put the line `source <(pipewright completion "
                    "bash)` into ~/.bashrc, or the like for the other shells.";
    command.examples = {"pipewright completion bash", "pipewright completion zsh",
                        "pipewright completion fish"};
    command.wordKind = WordKind::Shell;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.run = runCompletion;
    return command;
}

} // namespace pw::app::commands

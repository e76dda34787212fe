// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"

#include "app/command_registry.h"
#include "app/old_spellings.h"
#include "app/own_families.h"
#include "app/safe_output.h"
#include "app/text_table.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/cost/cluster.h"
#include "core/cost/language_model.h"
#include "core/cost/transformer.h"
#include "core/families/family_names.h"
#include "core/io/file_problem.h"
#include "core/io/model_file.h"

#include <algorithm>
#include <ostream>

namespace pw::app {

namespace {

/// In one piece: a signal cuts no sentence, and ranks that speak at once do not mix their words.
ExitCode report(const Failure& failure, const Command* command, std::ostream& err)
{
    const std::string name =
        command == nullptr ? "pipewright" : "pipewright " + std::string(command->name);
    std::string text = name + ": " + failure.message + "\n";
    if (failure.code == ExitCode::Usage)
        text += "See `" + name + " --help`.\n";
    err << text;
    return failure.code;
}

/// Good, or Wrong where what was printed did not reach its place: a full disk.
ExitCode written(std::ostream& out, const Command* command, std::ostream& err)
{
    out.flush();
    return out ? ExitCode::Good
               : report({ExitCode::Wrong, "the output could not be written"}, command, err);
}

/// What people type for a command, of other programs or at a first try.
struct OtherCommand
{
    std::string_view word;
    std::string_view meant;
};

constexpr OtherCommand otherCommands[] = {{"list", "families (schedules), runs or backends"},
                                          {"ls", "families (schedules), runs or backends"},
                                          {"schedules", "families"},
                                          {"schedule", "simulate"},
                                          {"algorithms", "families"},
                                          {"models", "model"},
                                          {"hardware", "model"},
                                          {"gantt", "simulate"},
                                          {"draw", "simulate or convert"},
                                          {"plot", "simulate or convert"},
                                          {"render", "convert"},
                                          {"picture", "convert"},
                                          {"view", "show or simulate"},
                                          {"open", "show or simulate"},
                                          {"train", "run"},
                                          {"execute", "run"},
                                          {"start", "run"},
                                          {"bench", "run"},
                                          {"profile", "costs calibrate"},
                                          {"measure", "costs calibrate"},
                                          {"tune", "optimise"},
                                          {"improve", "optimise"},
                                          {"solve", "optimise"},
                                          {"search", "plan or optimise"},
                                          {"history", "runs"},
                                          {"validate", "check"},
                                          {"lint", "check"},
                                          {"test", "verify"},
                                          {"trace", "import"},
                                          {"read", "import"},
                                          {"save", "convert"},
                                          {"why", "explain"},
                                          {"sql", "query"},
                                          {"memory", "simulate"},
                                          {"learn", "lesson"},
                                          {"lessons", "lesson"},
                                          {"docs", "help --manual"},
                                          {"doc", "help --manual"}};

/// The commands of two words that begin with one: "calibrate or fit" of costs; empty: there are
/// none.
std::string secondWords(const std::string& first)
{
    std::string text;
    for (const Command& command : allCommands()) {
        const std::size_t space = command.name.find(' ');
        if (space != command.name.npos && sameName(command.name.substr(0, space), first))
            text += (text.empty() ? "" : " or ") + std::string(command.name.substr(space + 1));
    }
    return text;
}

Failure unknownCommand(const std::string& name)
{
    if (const std::string seconds = secondWords(name); !seconds.empty())
        return {ExitCode::Usage, name + " is followed by " + seconds};
    std::vector<std::string> names;
    for (const Command& command : allCommands())
        names.emplace_back(command.name);
    const auto said = [](const OtherCommand& one) { return one.word; };
    std::string meant = nearest(name, names);
    if (const OtherCommand* other = findNamed(otherCommands, name, said))
        meant = other->meant;
    return {ExitCode::Usage, "there is no command " + quotedWord(name) +
                                 (meant.empty() ? "" : "; did you mean " + meant + "?")};
}

/// What a word that a command does not take is, and the option that takes it; empty where it is
/// nothing known.
std::string placeOfWord(const std::vector<Option>& options, const std::string& word)
{
    const auto takesIt = [&options](std::string_view name) {
        return std::any_of(options.begin(), options.end(),
                           [name](const Option& option) { return option.name == name; });
    };
    const bool model = loadModel(word).has_value();
    if (model && takesIt("model"))
        return "; a model is given as --model " + word;
    if (findAccelerator(word) && takesIt("hardware"))
        return "; an accelerator is given as --hardware " + word;
    if (familyNamed(word) && takesIt("family"))
        return "; a family is given as --family " + word;
    return {};
}

/// The commands that have what another one was asked for: "tensor parallelism is --tensor-parallel
/// of model and plan".
std::string commandsWithOption(std::string_view name)
{
    const auto said = [](const FieldOption& one) { return one.name; };
    const FieldOption* known = findNamed(fieldOptions(), name, said);
    if (known == nullptr)
        return {};
    for (const std::string_view meant : known->options) {
        std::vector<std::string> owners;
        for (const Command& command : allCommands()) {
            const std::vector<Option> options = allOptions(command);
            if (std::any_of(options.begin(), options.end(),
                            [meant](const Option& option) { return option.name == meant; }))
                owners.emplace_back(command.name);
        }
        if (owners.empty())
            continue;
        std::string text = std::string(known->meaning) + " is --" + std::string(meant) + " of ";
        for (std::size_t i = 0; i < owners.size(); ++i)
            text += (i == 0 ? "" : i + 1 == owners.size() ? " and " : ", ") + owners[i];
        return text;
    }
    return {};
}

Failure badWordCount(const Command& command, const Arguments& arguments)
{
    const int count = static_cast<int>(arguments.words().size());
    if (command.maximumWords == 0)
        return {ExitCode::Usage, "takes no plain words, and not " +
                                     quotedWord(arguments.words()[0]) +
                                     placeOfWord(allOptions(command), arguments.words()[0])};
    if (count < command.minimumWords)
        return {ExitCode::Usage, "needs " + std::string(command.words)};
    return {ExitCode::Usage,
            "takes " + std::string(command.words) + ", and " +
                quotedWord(arguments.words()[static_cast<std::size_t>(command.maximumWords)]) +
                " is one too many" +
                placeOfWord(allOptions(command),
                            arguments.words()[static_cast<std::size_t>(command.maximumWords)])};
}

/// Families where a command takes files or runs: "1f1b is a family, and check takes a file".
std::optional<Failure> familiesInPlace(const Command& command, const Arguments& arguments)
{
    if (command.wordKind != WordKind::File && command.wordKind != WordKind::Run)
        return std::nullopt;
    std::vector<std::string> typed;
    std::string ids;
    for (const std::string& word : arguments.words()) {
        if (fileKind(word) != FileKind::Missing)
            continue;
        if (const Result<const Family*> family = familyNamed(word)) {
            typed.push_back(word);
            ids += " " + std::string((*family)->id);
        }
    }
    if (typed.empty())
        return std::nullopt;
    const bool several = typed.size() > 1;
    const std::string name(command.name);
    const std::string file = several ? "files" : "a file", run = several ? "runs" : "a run";
    const std::string takes =
        name + " takes " +
        (command.wordKind == WordKind::Run                     ? run
         : command.words.find("RUN") != std::string_view::npos ? file + " or " + run
                                                               : file);
    return Failure{ExitCode::Usage,
                   several ? takes + ", and these are families; pipewright compare" + ids +
                                 " sets schedules side by side"
                           : typed[0] + " is a family, and " + takes + "; pipewright simulate" +
                                 ids + " builds its schedule and checks it, and run trains by it"};
}

/// Screen for help, wherever it is asked for: the colours as the words say, read leniently.
Screen helpScreen(std::span<const std::string> words)
{
    const bool never = std::find(words.begin(), words.end(), "--color=never") != words.end();
    return detectScreen(never ? "never" : "auto");
}

} // namespace

std::span<const Command> allCommands()
{
    static const std::vector<Command> all = [] {
        std::vector<Command> made = commands::makeAll();
        std::sort(made.begin(), made.end(),
                  [](const Command& a, const Command& b) { return a.name < b.name; });
        return made;
    }();
    return all;
}

TypedCommand commandIn(std::span<const std::string> words)
{
    if (words.size() > 1) {
        // A sign such as "-" counts for nothing in a name: what is found has to have two words.
        const Command* command = findCommand(words[0] + " " + words[1]);
        if (command != nullptr && command->name.find(' ') != command->name.npos)
            return {command, 2};
    }
    return {findCommand(words[0]), 1};
}

const Command* findCommand(std::string_view name)
{
    return findNamed(allCommands(), name, [](const Command& command) { return command.name; });
}

std::vector<Option> allOptions(const Command& command)
{
    std::vector<Option> options;
    if (command.options != nullptr)
        options = command.options();
    options.push_back({.name = "color",
                       .kind = ValueKind::Text,
                       .placeholder = "WHEN",
                       .summary = "auto, always or never; auto heeds NO_COLOR and the terminal",
                       .choices = {"auto", "always", "never"}});
    options.push_back(familiesOption());
    options.push_back({.name = "help", .summary = "this text"});
    return options;
}

std::string optionLabel(const Option& option)
{
    if (option.optional || !option.omitted.empty())
        return "--" + option.name + " [" + option.placeholder + "]";
    return "--" + option.name + (option.placeholder.empty() ? "" : " " + option.placeholder);
}

std::vector<std::string> optionSections(const std::vector<Option>& options)
{
    std::vector<std::string> sections;
    for (const Option& option : options) {
        if (std::find(sections.begin(), sections.end(), option.section) == sections.end())
            sections.push_back(option.section);
    }
    std::stable_partition(sections.begin(), sections.end(),
                          [](const std::string& section) { return !section.empty(); });
    return sections;
}

std::span<const std::pair<std::string_view, std::string_view>> exitMeanings()
{
    static constexpr std::pair<std::string_view, std::string_view> meanings[] = {
        {"0", "done"},
        {"1", "the thing is wrong: a file, a schedule, a limit that cannot be met"},
        {"2", "the command line is wrong"},
        {"128 + n", "ended by signal n: 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP"}};
    return meanings;
}

std::span<const std::string_view> firstExamples()
{
    static constexpr std::string_view examples[] = {
        "pipewright simulate zb-v", "pipewright compare 1f1b zb-h1 zb-v --devices 8",
        "pipewright simulate -h"};
    return examples;
}

ExitCode runProgram(const std::vector<std::string>& words, std::ostream& target,
                    std::ostream& errorTarget)
{
    SafeOutput safeOut(target), safeErr(errorTarget);
    std::ostream out(&safeOut), err(&safeErr);
    const auto colored = [&safeOut, &safeErr](const Screen& screen) {
        safeOut.allowColors(screen.colors != ColorDepth::None);
        safeErr.allowColors(screen.colors != ColorDepth::None);
        return screen;
    };
    if (words.empty()) {
        err << overview(detectScreen("never"));
        return ExitCode::Usage;
    }
    if (words[0] == "--help" || words[0] == "-h") {
        out << overview(colored(helpScreen(std::span(words).subspan(1))));
        return written(out, nullptr, err);
    }
    if (const std::optional<std::vector<std::string>> now = currentSpelling(words)) {
        err << oldSpellingText(words[0], *now) << std::flush;
        return runProgram(*now, target, errorTarget);
    }
    const TypedCommand typed =
        words[0] == "--version" ? TypedCommand{findCommand("version"), 1} : commandIn(words);
    const Command* const command = typed.command;
    const std::span<const std::string> rest = std::span(words).subspan(typed.words);
    if (command == nullptr) {
        if (words[0].rfind('-', 0) == 0)
            return report(
                {ExitCode::Usage, "a command comes first, and not " + quotedWord(words[0])},
                nullptr, err);
        return report(unknownCommand(words[0]), nullptr, err);
    }
    if (const auto known = useFamilies(rest); !known)
        return report(known.error(), command, err);
    const std::vector<Option> options = allOptions(*command);
    const Result<Arguments> arguments = parse(options, rest, commandsWithOption);
    if (!arguments)
        return report({ExitCode::Usage, arguments.error().message}, command, err);
    for (const std::string& old : arguments->oldSpellings())
        err << "pipewright " << command->name << ": " << old << "\n" << std::flush;
    if (arguments->has("help")) {
        const Screen screen = colored(detectScreen(arguments->text("color", "auto")));
        const bool whole = std::find(rest.begin(), rest.end(), "-h") == rest.end();
        out << (whole ? helpOf(*command, screen) : shortHelpOf(*command, screen));
        return written(out, command, err);
    }
    const int count = static_cast<int>(arguments->words().size());
    if (count < command->minimumWords || count > command->maximumWords)
        return report(badWordCount(*command, *arguments), command, err);
    if (const std::optional<Failure> wrong = familiesInPlace(*command, *arguments))
        return report(*wrong, command, err);

    Console console{out, err, colored(detectScreen(arguments->text("color", "auto")))};
    const Outcome outcome = command->run(*arguments, console);
    if (!outcome) {
        out.flush();
        return report(outcome.error(), command, err);
    }
    const ExitCode good = written(out, command, err);
    return good == ExitCode::Good ? *outcome : good;
}

} // namespace pw::app

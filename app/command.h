// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/options.h"
#include "app/screen.h"

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::app {

/// What the program is for.
inline constexpr std::string_view programSummary =
    "schedules of pipeline-parallel training: times, bubbles, memory";

/// What the program says to its caller when it ends.
enum class ExitCode
{
    Good = 0,
    Wrong = 1, ///< what was asked for cannot be, or the file is wrong
    Usage = 2  ///< the command line is wrong
};

/// Why a command ends without its result.
struct Failure
{
    Failure(ExitCode as, std::string why)
        : code(as)
        , message(std::move(why))
    {
    }
    /// What core refuses is wrong with what the command was given; `PW_TRY` hands it on as that.
    Failure(const Error& error) // NOLINT(google-explicit-constructor)
        : message(error.message)
    {
    }

    ExitCode code = ExitCode::Wrong;
    std::string message; ///< goes to standard error; one line or several
};

/// How a command ended.
using Outcome = tl::expected<ExitCode, Failure>;

/// The failure of a command whose command line is wrong.
inline tl::unexpected<Failure> usage(std::string message)
{
    return tl::unexpected<Failure>(Failure{ExitCode::Usage, std::move(message)});
}

/// The failure of a command whose subject is wrong.
inline tl::unexpected<Failure> wrong(std::string message)
{
    return tl::unexpected<Failure>(Failure{ExitCode::Wrong, std::move(message)});
}
inline tl::unexpected<Failure> wrong(const Error& error)
{
    return wrong(error.message);
}

/// Where a command writes, and what people see of it.
struct Console
{
    std::ostream& out;
    std::ostream& err;
    Screen screen;
};

/// What may stand in place of a plain word; the shell completes it.
enum class WordKind
{
    Nothing,
    Family,
    FamilyOrFile,
    File,
    Run,     ///< a number, or last
    Command, ///< or a page of the manual
    Page,    ///< of the manual
    LessonOrFile,
    Shell
};

/// What a command is for: a heading of the overview.
enum class CommandGroup
{
    Design,
    Plan,
    Run,
    Traces,
    Files,
    Learn
};

/// A command of the program.
///
/// One file a command: `app/commands/<name>.cpp` defines `Command <name>()` in namespace
/// `pw::app::commands`; the build lists the folder.
struct Command
{
    std::string_view name;             ///< one word, or two: "costs fit"
    std::optional<CommandGroup> group; ///< none, as of examples: it stands behind the others
    std::string_view summary;          ///< one line, lower case, no full stop
    std::string_view words;            ///< plain words as the usage line shows them: "FAMILY|FILE"
    std::string_view about;            ///< paragraphs of the help, newline between them
    std::vector<std::string_view> examples; ///< command lines, each of which works as it is
    WordKind wordKind = WordKind::Nothing;
    int minimumWords = 0;
    int maximumWords = 0;

    /// Made when needed: the options of families come from the registry.
    std::vector<Option> (*options)() = nullptr;
    Outcome (*run)(const Arguments& arguments, Console& console) = nullptr;
};

/// All commands, sorted by name.
std::span<const Command> allCommands();

/// The command that words begin with, and how many of them name it; null: none.
struct TypedCommand
{
    const Command* command = nullptr;
    std::size_t words = 1;
};
TypedCommand commandIn(std::span<const std::string> words);

/// The command of a name, "simulate" or "costs fit", or null.
const Command* findCommand(std::string_view name);

/// Options of a command with those that every command has.
std::vector<Option> allOptions(const Command& command);

/// What the exit codes mean, in their order.
std::span<const std::pair<std::string_view, std::string_view>> exitMeanings();

/// Command lines that show what the program does.
std::span<const std::string_view> firstExamples();

/// How an option is shown: "--micro-batches M".
std::string optionLabel(const Option& option);

/// The headings of a command's options, in the order they are shown; the common options, with an
/// empty heading, come last.
std::vector<std::string> optionSections(const std::vector<Option>& options);

/// Everything about one command: `--help`.
std::string helpOf(const Command& command, const Screen& screen);
/// On one screen: `-h`. Options that many commands share are named, and not explained.
std::string shortHelpOf(const Command& command, const Screen& screen);
/// The options that several commands share, each explained once: `pipewright help options`.
std::string sharedOptionsHelp(const Screen& screen);
/// Help of the program: the commands by what they are for.
std::string overview(const Screen& screen);

/// Runs the program on its arguments, the program's own name not among them.
ExitCode runProgram(const std::vector<std::string>& words, std::ostream& target,
                    std::ostream& errorTarget);

} // namespace pw::app

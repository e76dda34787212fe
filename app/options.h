// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"

#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::app {

/// What follows an option.
enum class ValueKind
{
    Flag,   ///< nothing
    Switch, ///< nothing, or on, off, 1 or 0; kept as 1 or 0
    Whole,  ///< a whole number
    Number, ///< a decimal number
    Text    ///< any text, or one of `choices`
};

/// What an older version called an option. It is read for one more version, is in no help, and is
/// told once where it is typed.
struct OldSpelling
{
    std::string_view name;
    /// What the value is now; null: the same.
    std::string (*value)(const std::string& old) = nullptr;
};

/// An option as it is declared, documented, completed and read.
struct Option
{
    std::string name; ///< without dashes: "micro-batches"
    ValueKind kind = ValueKind::Flag;
    std::string placeholder{}; ///< "M" in `--micro-batches M`
    std::string summary{};     ///< one line, lower case, no full stop
    std::string section{};     ///< heading in the help; empty: "Options"
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices{}; ///< of a text; empty: any
    /// Of a choice with a value of its own behind a colon: how that is written, such as fit:P%.
    std::string_view parametrised{};
    bool repeats = false;  ///< may be given several times
    bool numbered = false; ///< a choice is kept as its number from 0, which may be typed too
    bool lists = false;    ///< several values of a switch or a numbered choice, with commas between
    /// Of a choice that may be left out, and then is empty: a word behind it that is none of the
    /// choices is a plain word.
    bool optional = false;
    /// Of a text that may be left out: what it is then. What follows is the value only where it is
    /// a list of numbers, such as 0,2.
    std::string_view omitted{};
    std::vector<OldSpelling> formerly{};
};

/// The same option with one more old spelling.
Option withOldSpelling(Option option, OldSpelling old);

/// What to say of an option that a command does not have: "tensor parallelism is --tensor-parallel
/// of plan", or nothing.
using Elsewhere = std::string (*)(std::string_view name);

/// Options and other words of a command line, checked against their declarations.
class Arguments
{
public:
    const std::vector<std::string>& words() const { return m_words; }
    bool has(std::string_view name) const { return m_values.find(name) != m_values.end(); }
    /// Value as typed; `fallback` where the option is absent.
    std::string text(std::string_view name, std::string_view fallback = {}) const;
    /// Values of an option that repeats, in their order.
    std::vector<std::string> texts(std::string_view name) const;
    /// Value of a Whole or Number option, none where it is absent.
    std::optional<double> number(std::string_view name) const;
    double number(std::string_view name, double fallback) const;
    int whole(std::string_view name, int fallback) const;
    /// A command line that says the same, but for some options: "1f1b", "--devices", "8".
    std::vector<std::string> typed(std::span<const std::string_view> without) const;
    std::vector<std::string> typed(std::initializer_list<std::string_view> without) const
    {
        return typed(std::span(without.begin(), without.size()));
    }
    /// Names of the options that are given, in their order.
    std::vector<std::string> names() const;
    /// What to type instead of old spellings: "'--cap' is an old name, and goes with the next
    /// version: --memory-limit=6mb", one an option.
    const std::vector<std::string>& oldSpellings() const { return m_oldSpellings; }
    /// The same but for some options.
    Arguments without(std::initializer_list<std::string_view> names) const;

private:
    friend Result<Arguments> parse(std::span<const Option>, std::span<const std::string>,
                                   Elsewhere);

    std::vector<std::string> m_words;
    std::map<std::string, std::string, std::less<>> m_values; ///< of one that repeats, the first
    std::vector<std::pair<std::string, std::string>> m_repeated;
    std::vector<std::pair<std::string, std::optional<std::string>>> m_options; ///< in their order
    std::vector<std::string> m_oldSpellings;
};

/// Reads `--name value`, `--name=value`, flags and plain words, in any order. After `--` everything
/// is a plain word.
///
/// A short name of the field is read as the option that it stands for where there is one (`--tp`,
/// `--seq-length`). Choices are read in any case, and numbers with a unit of their option.
///
/// @param elsewhere  asked of an option that is not known, for the end of the message
/// @error BadValue  an unknown option (with the nearest known one), a missing or needless value, a
///                  repeated option, or a value that is not a number or outside its range:
///                  "--devices takes a whole number from 1, not 'four'"
Result<Arguments> parse(std::span<const Option> options, std::span<const std::string> words,
                        Elsewhere elsewhere = nullptr);

/// What the field calls an option, and the options of this program that it may be, the likeliest
/// first.
struct FieldOption
{
    std::string_view name;
    std::string_view meaning; ///< "tensor parallelism"
    std::vector<std::string_view> options;
};

/// All of them.
std::span<const FieldOption> fieldOptions();

/// A word in quotes for a message: shortened, control characters replaced.
std::string quotedWord(std::string_view word);

/// What an option takes, in words: "a whole number from 1 to 64".
std::string takes(const Option& option);

/// Whether a duration is not 0 and would become 0 in nanoseconds.
constexpr bool isBelowTick(double ms)
{
    return ms != 0 && ticksFromMs(ms) == 0;
}

/// What such a time is.
constexpr const char* belowTickText = "less than half a nanosecond, and would count as none";

/// Reads all of `text` as a decimal number: no sign but '-', no unit, no "inf" or "nan", and
/// nothing that a double can only take as 0.
std::optional<double> parseNumber(std::string_view text);

} // namespace pw::app

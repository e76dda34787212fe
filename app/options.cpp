// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/options.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <algorithm>
#include <cmath>

namespace pw::app {

namespace {

/// Longest part of a word that a message repeats.
constexpr std::size_t quotedLength = 60;

Error badValue(const Option& option, std::string_view value)
{
    return {ErrorCode::BadValue,
            "--" + option.name + " takes " + takes(option) + ", not " + quotedWord(value)};
}

/// The number of a word of a switch or a numbered choice, or of its number; none: it is neither.
std::optional<std::size_t> numberOfWord(const Option& option, std::string_view word)
{
    std::span<const std::string> words = option.choices;
    static const std::vector<std::string> states = {"off", "on"};
    if (option.kind == ValueKind::Switch)
        words = states;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (word == words[i] || word == std::to_string(i))
            return i;
    return std::nullopt;
}

/// Words as their numbers: "fixed" → "1", "best,greedy" → "0,2". None where a word is none.
std::optional<std::string> numbersOfWords(const Option& option, std::string_view value)
{
    std::string numbers;
    for (;;) {
        const std::size_t comma = option.lists ? value.find(',') : std::string_view::npos;
        std::string_view word = value.substr(0, comma);
        while (option.lists && !word.empty() && word.front() == ' ')
            word.remove_prefix(1);
        const std::optional<std::size_t> number = numberOfWord(option, word);
        if (!number)
            return std::nullopt;
        numbers += (numbers.empty() ? "" : ",") + std::to_string(*number);
        if (comma == std::string_view::npos)
            return numbers;
        value.remove_prefix(comma + 1);
    }
}

/// The placeholder of a text that may be empty.
constexpr std::string_view emptyOr = "TEXT|''";

Result<void> checkValue(const Option& option, std::string_view value)
{
    if (option.numbered || option.kind == ValueKind::Switch)
        return numbersOfWords(option, value) ? Result<void>() : fail(badValue(option, value));
    if (option.kind == ValueKind::Text) {
        const auto& choices = option.choices;
        const std::string_view stem =
            option.parametrised.substr(0, option.parametrised.find(':') + 1);
        if (!stem.empty() && value.size() > stem.size() && value.substr(0, stem.size()) == stem)
            return {};
        if ((value.empty() && option.placeholder != emptyOr) ||
            (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()))
            return fail(badValue(option, value));
        return {};
    }
    const std::optional<double> number = parseNumber(value);
    if (!number || *number < option.minimum || *number > option.maximum ||
        (option.kind == ValueKind::Whole && *number != std::floor(*number)))
        return fail(badValue(option, value));
    if (option.placeholder == "MS" && isBelowTick(*number))
        return fail(ErrorCode::BadValue, "--%1 %2 is %3", option.name, quotedWord(value),
                    belowTickText);
    return {};
}

bool isNumberList(std::string_view word)
{
    return !word.empty() && word.find_first_not_of("0123456789,") == std::string_view::npos;
}

Error unknownOption(std::span<const Option> options, std::string_view name)
{
    std::vector<std::string> names;
    for (const Option& option : options)
        names.push_back(option.name);
    const std::string near = nearest(name, names);
    return {ErrorCode::BadValue, "unknown option " + quotedWord("--" + std::string(name)) +
                                     (near.empty() ? "" : "; did you mean --" + near + "?")};
}

} // namespace

std::string Arguments::text(std::string_view name, std::string_view fallback) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::string(fallback) : found->second;
}

std::vector<std::string> Arguments::texts(std::string_view name) const
{
    std::vector<std::string> all;
    for (const auto& [option, value] : m_repeated)
        if (option == name)
            all.push_back(value);
    return all;
}

std::optional<double> Arguments::number(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::nullopt : parseNumber(found->second);
}

double Arguments::number(std::string_view name, double fallback) const
{
    return number(name).value_or(fallback);
}

int Arguments::whole(std::string_view name, int fallback) const
{
    return static_cast<int>(number(name, fallback));
}

Result<Arguments> parse(std::span<const Option> options, std::span<const std::string> words)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--") {
            arguments.m_words.insert(arguments.m_words.end(),
                                     words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     words.end());
            break;
        }
        if (word.size() < 2 || word[0] != '-') {
            arguments.m_words.emplace_back(word);
            continue;
        }
        if (word[1] != '-' && word != "-h")
            return fail(ErrorCode::BadValue,
                        "unknown option %1; options have two dashes, as in --help",
                        quotedWord(word));
        const std::size_t equals = word.find('=');
        const std::string_view name = word == "-h" ? "help" : word.substr(2, equals - 2);
        const auto option = std::find_if(options.begin(), options.end(),
                                         [name](const Option& o) { return o.name == name; });
        if (option == options.end())
            return fail(unknownOption(options, name));
        if (arguments.has(name) && !option->repeats)
            return fail(ErrorCode::BadValue, "--%1 is given twice", option->name);

        std::string value;
        const bool inWord = word != "-h" && equals != std::string_view::npos;
        if (inWord)
            value = word.substr(equals + 1);
        if (option->kind == ValueKind::Flag) {
            if (inWord)
                return fail(ErrorCode::BadValue, "--%1 takes no value", option->name);
        } else if (option->kind == ValueKind::Switch) {
            // A word behind it that is not a state is a plain word.
            if (!inWord && i + 1 < words.size() && numbersOfWords(*option, words[i + 1]))
                value = words[++i];
            else if (!inWord)
                value = "on";
            PW_DO(checkValue(*option, value));
        } else if (option->optional) {
            if (!inWord && i + 1 < words.size() && numberOfWord(*option, words[i + 1]))
                value = words[++i];
            if (inWord || !value.empty()) {
                PW_DO(checkValue(*option, value));
            }
        } else {
            const bool more = i + 1 < words.size();
            if (!inWord && !option->omitted.empty()) {
                value =
                    more && isNumberList(words[i + 1]) ? words[++i] : std::string(option->omitted);
            } else if (!inWord) {
                if (i + 1 == words.size() || words[i + 1].rfind("--", 0) == 0)
                    return fail(ErrorCode::BadValue, "--%1 needs a value: %2", option->name,
                                takes(*option));
                value = words[++i];
            }
            PW_DO(checkValue(*option, value));
        }
        const bool left = option->optional && value.empty();
        if ((option->numbered && !left) || option->kind == ValueKind::Switch)
            value = *numbersOfWords(*option, value);
        if (option->repeats)
            arguments.m_repeated.emplace_back(option->name, value);
        arguments.m_values.emplace(option->name, std::move(value));
    }
    return arguments;
}

std::string quotedWord(std::string_view word)
{
    std::string out = "'";
    for (const char c : word.substr(0, quotedLength))
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return out + (word.size() > quotedLength ? "…'" : "'");
}

std::string takes(const Option& option)
{
    if (option.kind == ValueKind::Flag)
        return "no value";
    if (option.kind == ValueKind::Switch)
        return option.lists ? "on, off, or both with a comma between" : "no value, on or off";
    if (option.kind == ValueKind::Text) {
        if (option.choices.empty())
            return option.placeholder == "FILE" ? "the name of a file" : "a text";
        std::string all;
        for (std::size_t i = 0; i < option.choices.size(); ++i) {
            if (i > 0)
                all += i + 1 == option.choices.size() ? " or " : ", ";
            all += option.choices[i];
        }
        if (!option.parametrised.empty())
            all += " (" + std::string(option.parametrised) + ")";
        return all;
    }
    std::string text = option.kind == ValueKind::Whole ? "a whole number" : "a number";
    if (option.placeholder == "MS")
        text += " of milliseconds without a unit";
    if (std::isfinite(option.minimum))
        text += " from " + plainNumber(option.minimum);
    if (std::isfinite(option.maximum))
        text += " to " + plainNumber(option.maximum);
    return text;
}

std::optional<double> parseNumber(std::string_view text)
{
    // A person who types 1e-400 means something else than 0.
    return lostToZero(text) ? std::nullopt : decimalNumber(text);
}

} // namespace pw::app

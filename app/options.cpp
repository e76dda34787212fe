// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/options.h"

#include "core/base/names.h"
#include "core/base/number.h"
#include "core/base/quantity.h"
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
        if (sameName(word, words[i]) || word == std::to_string(i))
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

struct MeasuredPlaceholder
{
    std::string_view placeholder;
    Measure measure;
};

/// What a number is follows from what the help calls it.
constexpr MeasuredPlaceholder measured[] = {
    {"MS", Measure::Milliseconds}, {"SECONDS", Measure::Seconds},
    {"BYTES", Measure::Size},      {"GB", Measure::Gigabytes},
    {"GiB", Measure::Gibibytes},   {"GB/s", Measure::GigabytesPerSecond},
    {"PERCENT", Measure::Percent}};

std::optional<Measure> measureOf(const Option& option)
{
    if (option.kind != ValueKind::Whole && option.kind != ValueKind::Number)
        return std::nullopt;
    for (const MeasuredPlaceholder& one : measured)
        if (option.placeholder == one.placeholder)
            return one.measure;
    return std::nullopt;
}

/// The value of a number, in the unit of its option.
std::optional<double> valueOf(const Option& option, std::string_view text)
{
    const std::optional<Measure> measure = measureOf(option);
    return measure ? readQuantity(text, *measure) : parseNumber(text);
}

/// The choice that a person names, in any spelling; the word itself where there is none.
std::string choiceOf(const Option& option, std::string_view word)
{
    const auto nameOf = [](const std::string& choice) -> std::string_view { return choice; };
    const std::string* choice = findNamed(option.choices, word, nameOf);
    return choice == nullptr ? std::string(word) : *choice;
}

/// A value as it is kept: a choice as it is declared, a number without its unit.
std::string keptValue(const Option& option, std::string value)
{
    if (option.kind == ValueKind::Text && !option.numbered)
        return choiceOf(option, value);
    if (const std::optional<Measure> measure = measureOf(option); measure && !parseNumber(value))
        return exactNumber(*readQuantity(value, *measure));
    return value;
}

/// What stands behind an option that says the same; none where nothing does.
std::optional<std::string> shownValue(const Option& option, const std::string& value)
{
    const bool alone = option.kind == ValueKind::Flag || (option.optional && value.empty());
    return alone ? std::nullopt : std::optional(value);
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
            (!choices.empty() &&
             std::find(choices.begin(), choices.end(), choiceOf(option, value)) == choices.end()))
            return fail(badValue(option, value));
        return {};
    }
    const std::optional<double> number = valueOf(option, value);
    if (!number || *number < option.minimum || *number > option.maximum ||
        (option.kind == ValueKind::Whole && *number != std::floor(*number)))
        return fail(badValue(option, value));
    if (measureOf(option) == Measure::Milliseconds && isBelowTick(*number))
        return fail(ErrorCode::BadValue, "--%1 %2 is %3", option.name, quotedWord(value),
                    belowTickText);
    return {};
}

bool isNumberList(std::string_view word)
{
    return !word.empty() && word.find_first_not_of("0123456789,") == std::string_view::npos;
}

/// What is said once of an old spelling.
std::string oldOptionText(const OldSpelling& old, const Option& option, const std::string& value)
{
    return quotedWord("--" + std::string(old.name)) +
           " is an old name, and goes with the next version: --" + option.name +
           (option.kind == ValueKind::Flag ? std::string() : "=" + value);
}

/// An option as it is typed, and its older name where it is typed so.
struct NamedOption
{
    const Option* option = nullptr;
    const OldSpelling* old = nullptr;
};

NamedOption formerOption(std::span<const Option> options, std::string_view name)
{
    for (const Option& option : options)
        for (const OldSpelling& old : option.formerly)
            if (sameName(old.name, name))
                return {&option, &old};
    return {};
}

/// The value of an option at a place of the words, as it is kept; the place moves on to the last
/// word that is taken.
Result<std::string> valueBehind(const Option& option, const OldSpelling* old,
                                std::span<const std::string> words, std::size_t& i)
{
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    std::string value;
    const bool inWord = word != "-h" && equals != std::string_view::npos;
    if (inWord)
        value = word.substr(equals + 1);
    if (option.kind == ValueKind::Flag) {
        if (inWord)
            return fail(ErrorCode::BadValue, "--%1 takes no value", option.name);
    } else if (option.kind == ValueKind::Switch) {
        // A word behind it that is not a state is a plain word.
        if (!inWord && i + 1 < words.size() && numbersOfWords(option, words[i + 1]))
            value = words[++i];
        else if (!inWord)
            value = "on";
        PW_DO(checkValue(option, value));
    } else if (option.optional) {
        if (!inWord && i + 1 < words.size() && numberOfWord(option, words[i + 1]))
            value = words[++i];
        if (inWord || !value.empty()) {
            PW_DO(checkValue(option, value));
        }
    } else {
        const bool more = i + 1 < words.size();
        if (!inWord && !option.omitted.empty()) {
            value = more && isNumberList(words[i + 1]) ? words[++i] : std::string(option.omitted);
        } else if (!inWord) {
            if (i + 1 == words.size() || words[i + 1].rfind("--", 0) == 0)
                return fail(ErrorCode::BadValue, "--%1 needs a value: %2", option.name,
                            takes(option));
            value = words[++i];
        }
        if (old != nullptr && old->value != nullptr)
            value = old->value(value);
        PW_DO(checkValue(option, value));
    }
    const bool left = option.optional && value.empty();
    if ((option.numbered && !left) || option.kind == ValueKind::Switch)
        value = *numbersOfWords(option, value);
    else if (!left)
        value = keptValue(option, std::move(value));
    return value;
}

const Option* optionNamed(std::span<const Option> options, std::string_view name)
{
    for (const Option& option : options)
        if (option.name == name)
            return &option;
    // Spelled otherwise, as in --micro_batches; or as the field says it.
    for (const Option& option : options)
        if (sameName(option.name, name))
            return &option;
    for (const FieldOption& known : fieldOptions()) {
        for (const std::string_view meant : known.options)
            if (sameName(known.name, name))
                for (const Option& option : options)
                    if (option.name == meant)
                        return &option;
    }
    return nullptr;
}

Error unknownOption(std::span<const Option> options, std::string_view name, Elsewhere elsewhere)
{
    const std::string other = elsewhere == nullptr ? std::string() : elsewhere(name);
    if (!other.empty())
        return {ErrorCode::BadValue,
                "unknown option " + quotedWord("--" + std::string(name)) + "; " + other};
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

std::vector<std::string> Arguments::names() const
{
    std::vector<std::string> all;
    for (const auto& [name, value] : m_options)
        all.push_back(name);
    return all;
}

Arguments Arguments::without(std::initializer_list<std::string_view> names) const
{
    Arguments rest = *this;
    const auto goes = [names](const auto& one) {
        return std::find(names.begin(), names.end(), one.first) != names.end();
    };
    std::erase_if(rest.m_values, goes);
    std::erase_if(rest.m_repeated, goes);
    std::erase_if(rest.m_options, goes);
    return rest;
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

std::vector<std::string> Arguments::typed(std::span<const std::string_view> without) const
{
    std::vector<std::string> line = m_words;
    for (const auto& [name, value] : m_options) {
        if (std::find(without.begin(), without.end(), name) != without.end())
            continue;
        line.push_back("--" + name + (value ? "=" + *value : std::string()));
    }
    return line;
}

Option withOldSpelling(Option option, OldSpelling old)
{
    option.formerly.push_back(old);
    return option;
}

Result<Arguments> parse(std::span<const Option> options, std::span<const std::string> words,
                        Elsewhere elsewhere)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--") {
            const auto rest = words.subspan(i + 1);
            arguments.m_words.insert(arguments.m_words.end(), rest.begin(), rest.end());
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
        NamedOption named{optionNamed(options, name)};
        if (named.option == nullptr)
            named = formerOption(options, name);
        const auto& [option, old] = named;
        if (option == nullptr)
            return fail(unknownOption(options, name, elsewhere));
        if (arguments.has(option->name) && !option->repeats)
            return fail(ErrorCode::BadValue, "--%1 is given twice", option->name);

        const std::size_t at = i;
        PW_TRY(std::string value, valueBehind(*option, old, words, i));
        arguments.m_options.emplace_back(option->name, shownValue(*option, value));
        if (old != nullptr) {
            // As it was typed, unless the old name meant it otherwise: 80GB, not its GiB.
            const std::string typed = i == at ? words[i].substr(words[i].find('=') + 1) : words[i];
            arguments.m_oldSpellings.push_back(
                oldOptionText(*old, *option, old->value == nullptr ? typed : value));
        }
        if (option->repeats)
            arguments.m_repeated.emplace_back(option->name, value);
        arguments.m_values.emplace(option->name, std::move(value));
    }
    return arguments;
}

std::span<const FieldOption> fieldOptions()
{
    static const std::vector<FieldOption> all = {
        {"tp", "tensor parallelism", {"tensor-parallel"}},
        {"tp-size", "tensor parallelism", {"tensor-parallel"}},
        {"tensor-model-parallel-size", "tensor parallelism", {"tensor-parallel"}},
        {"tensor-parallel-size", "tensor parallelism", {"tensor-parallel"}},
        {"pp", "pipeline parallelism", {"pipeline-parallel", "devices"}},
        {"pp-size", "pipeline parallelism", {"pipeline-parallel", "devices"}},
        {"pipeline-model-parallel-size", "pipeline parallelism", {"pipeline-parallel", "devices"}},
        {"pipeline-parallel-size", "pipeline parallelism", {"pipeline-parallel", "devices"}},
        {"stages", "the length of a pipeline", {"pipeline-parallel", "devices"}},
        {"dp", "data parallelism", {"data-parallel", "replicas"}},
        {"dp-size", "data parallelism", {"data-parallel", "replicas"}},
        {"data-parallel-size", "data parallelism", {"data-parallel", "replicas"}},
        {"cp", "context parallelism", {"context-parallel"}},
        {"cp-size", "context parallelism", {"context-parallel"}},
        {"context-parallel-size", "context parallelism", {"context-parallel"}},
        {"ep", "expert parallelism", {"expert-parallel"}},
        {"ep-size", "expert parallelism", {"expert-parallel"}},
        {"expert-model-parallel-size", "expert parallelism", {"expert-parallel"}},
        {"vp", "interleaving", {"chunks"}},
        {"vpp", "interleaving", {"chunks"}},
        {"virtual-stages", "interleaving", {"chunks"}},
        {"virtual-pipeline-model-parallel-size", "interleaving", {"chunks"}},
        {"mbs", "the size of a micro-batch", {"micro-batch-size"}},
        {"gbs", "the batch of an iteration", {"global-batch"}},
        {"global-batch-size", "the batch of an iteration", {"global-batch"}},
        {"batch-size", "the batch of an iteration", {"global-batch"}},
        {"num-microbatches", "the number of micro-batches", {"micro-batches"}},
        {"seq", "the length of a sequence", {"sequence"}},
        {"seq-len", "the length of a sequence", {"sequence"}},
        {"seq-length", "the length of a sequence", {"sequence"}},
        {"sequence-length", "the length of a sequence", {"sequence"}},
        {"hidden-size", "the width of the model", {"hidden"}},
        {"num-layers", "the layers of the model", {"layers"}},
        {"num-attention-heads", "the attention heads", {"heads"}},
        {"world-size", "the number of accelerators", {"gpus", "devices"}},
        {"num-gpus", "the number of accelerators", {"gpus", "devices"}},
        {"ngpus", "the number of accelerators", {"gpus", "devices"}},
        {"gpus", "the number of accelerators", {"devices"}},
        {"gpu", "the accelerator", {"hardware"}},
        {"hw", "the accelerator", {"hardware"}},
        {"machine", "the accelerator", {"hardware"}},
        {"accelerator", "the accelerator", {"hardware"}},
        {"vram", "the memory of an accelerator", {"memory"}},
        {"gpu-memory", "the memory of an accelerator", {"memory"}},
        {"noise", "how far times scatter", {"jitter"}},
        {"sigma", "how far times scatter", {"jitter"}},
        {"schedule", "the family of the schedule", {"family"}},
        {"out", "the file that is written", {"output", "save"}}};
    return all;
}

std::string quotedWord(std::string_view word)
{
    std::string out = "'";
    for (const char c : word.substr(0, quotedLength))
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return out + (word.size() > quotedLength ? "…'" : "'");
}

namespace {

/// What a number without a unit counts.
std::string countedIn(Measure measure)
{
    switch (measure) {
    case Measure::Milliseconds:
        return " of milliseconds";
    case Measure::Seconds:
        return " of seconds";
    case Measure::Size:
        return " of bytes";
    case Measure::Gigabytes:
        return " of GB";
    case Measure::Gibibytes:
        return " of GiB";
    case Measure::GigabytesPerSecond:
        return " of GB/s";
    case Measure::Percent:
        return " of per cent";
    }
    return {};
}

} // namespace

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
    if (const std::optional<Measure> measure = measureOf(option))
        text += countedIn(*measure);
    if (std::isfinite(option.minimum))
        text += " from " + plainNumber(option.minimum);
    if (std::isfinite(option.maximum))
        text += " to " + plainNumber(option.maximum);
    if (const std::optional<Measure> measure = measureOf(option))
        text += ", or with a unit (" + std::string(unitsOf(*measure)) + ")";
    return text;
}

std::optional<double> parseNumber(std::string_view text)
{
    // A person who types 1e-400 means something else than 0.
    return lostToZero(text) ? std::nullopt : decimalNumber(text);
}

} // namespace pw::app

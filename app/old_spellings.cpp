// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/old_spellings.h"

#include "app/command.h"
#include "core/base/names.h"
#include "core/families/family_traits.h"
#include "core/io/slurm_job.h"

#include <initializer_list>
#include <span>
#include <string_view>

namespace pw::app {

namespace {

using Words = std::vector<std::string>;

/// The words behind the name of the command, with these before them.
Words behind(std::initializer_list<std::string_view> now, std::span<const std::string> rest)
{
    Words all(now.begin(), now.end());
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

/// `export` had other names for two forms, --format beside --to, and --output beside OUT.
Words convertOfExport(std::span<const std::string> rest)
{
    Words all = {"convert"};
    std::optional<std::string> out;
    const auto target = [](const std::string& old) {
        return sameName(old, "chrome") ? std::string("chrome-json")
               : sameName(old, "csv")  ? std::string("table")
                                       : old;
    };
    for (std::size_t i = 0; i < rest.size(); ++i) {
        std::string name = rest[i];
        std::optional<std::string> value;
        if (const std::size_t equals = name.find('=');
            name.rfind("--", 0) == 0 && equals < name.size()) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        const bool known = name == "--to" || name == "--format" || name == "--output";
        if (known && !value && i + 1 < rest.size())
            value = rest[++i];
        if (!known || !value) {
            all.push_back(rest[i]);
        } else if (name == "--output") {
            out = *value != "-" && value->rfind('-', 0) == 0 ? "./" + *value : *value;
        } else {
            all.emplace_back("--to");
            all.push_back(target(*value));
        }
    }
    if (out)
        all.push_back(*out);
    return all;
}

/// `emit TARGET INPUT --to FOLDER` had the target as its first word.
Words convertOfEmit(std::span<const std::string> rest)
{
    std::vector<Option> options = allOptions(*findCommand("convert"));
    for (Option& option : options)
        if (option.name == "to")
            option.choices.clear();
    const Result<Arguments> old = parse(options, rest);
    if (!old || old->words().empty())
        return behind({"convert"}, rest);
    Words all = old->typed({"to"});
    const std::string target = all.front();
    all.front() = "convert";
    if (old->has("to") && old->words().size() > 1)
        all.insert(all.begin() + 2, old->text("to"));
    all.push_back("--to=" + target);
    return all;
}

struct OldName
{
    std::string_view name;
    Words (*now)(std::span<const std::string> rest);
};

constexpr OldName oldNames[] = {
    {"export", convertOfExport},
    {"emit", convertOfEmit},
    {"fit",
     [](std::span<const std::string> rest) {
         return behind({"costs", "fit"}, rest);
     }},
    {"calibrate",
     [](std::span<const std::string> rest) {
         return behind({"costs", "calibrate"}, rest);
     }},
    {"adapt",
     [](std::span<const std::string> rest) {
         return behind({"noise", regroupingFamily().id, "--adapt"}, rest);
     }},
    {"manual",
     [](std::span<const std::string> rest) {
         return behind({"help", "--manual"}, rest);
     }},
    {"man", [](std::span<const std::string> rest) {
         return behind({"help", "--roff"}, rest);
     }}};

} // namespace

std::optional<std::vector<std::string>> currentSpelling(const std::vector<std::string>& words)
{
    const OldName* old = findNamed(oldNames, words[0], [](const OldName& one) { return one.name; });
    if (old == nullptr)
        return std::nullopt;
    return old->now(std::span(words).subspan(1));
}

std::string oldSpellingText(const std::string& old, const std::vector<std::string>& now)
{
    std::string line;
    for (const std::string& word : now)
        line += " " + shellWord(word);
    return "pipewright: " + quotedWord(old) +
           " is an old name, and goes with the next version: pipewright" + line + "\n";
}

} // namespace pw::app

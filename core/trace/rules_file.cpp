// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/rules_file.h"

#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <cstdlib>
#include <filesystem>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t longestFile = 1 << 20;
constexpr std::size_t mostRules = 1000;

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

} // namespace

std::string defaultRulesPath()
{
    if (const std::string rules = variable("PIPEWRIGHT_RULES"); !rules.empty())
        return rules;
    if (const std::string config = variable("XDG_CONFIG_HOME"); !config.empty())
        return config + "/pipewright/trace-rules.json";
    if (const std::string home = variable("HOME"); !home.empty())
        return home + "/.config/pipewright/trace-rules.json";
    return "trace-rules.json";
}

Result<std::vector<NameRule>> readNameRules(std::string_view text)
{
    const Result<JsonDocument> document = parseJson(text, longestFile);
    if (!document)
        return fail(document.error());
    if (!document->IsObject())
        return fail(ErrorCode::Syntax, "a rules file is an object");
    JsonFields::Failure failure;
    JsonFields fields(*document, "", failure);
    const std::int64_t version = fields.integer("pipewright_rules", 1, 1'000'000);
    if (!failure && version != 1)
        return fail(ErrorCode::Version, "the rules file is of version " + std::to_string(version) +
                                            "; this program reads version 1");
    const std::vector<std::string> patterns = fields.texts("rules");
    fields.finish();
    if (failure)
        return fail(*failure);
    if (patterns.size() > mostRules)
        return fail(ErrorCode::TooLarge, "the rules file has " + std::to_string(patterns.size()) +
                                             " rules; at most " + std::to_string(mostRules) +
                                             " are read");
    std::vector<NameRule> rules;
    for (const std::string& pattern : patterns) {
        Result<NameRule> rule = NameRule::parse(pattern);
        if (!rule)
            return fail(rule.error().code,
                        "rule " + std::to_string(rules.size() + 1) + ", " + rule.error().message);
        rules.push_back(std::move(*rule));
    }
    return rules;
}

std::string writeNameRules(const std::vector<NameRule>& rules)
{
    JsonText text;
    text.beginObject();
    text.member("pipewright_rules", 1);
    text.key("rules");
    text.beginArray();
    for (const NameRule& rule : rules)
        text.value(std::string_view(rule.pattern()));
    text.endArray();
    text.endObject();
    return text.text();
}

Result<std::vector<NameRule>> loadNameRules(const std::string& path)
{
    const Result<std::string> text = readFile(path, longestFile);
    if (!text)
        return fail(text.error());
    Result<std::vector<NameRule>> rules = readNameRules(*text);
    if (!rules)
        return fail(rules.error().code, path + ": " + rules.error().message);
    return rules;
}

Result<std::vector<NameRule>> keptNameRules(const std::string& path)
{
    std::error_code problem;
    if (!fs::exists(path, problem) && !problem)
        return std::vector<NameRule>{};
    return loadNameRules(path);
}

Result<void> keepNameRules(const std::string& path, const std::vector<NameRule>& rules)
{
    if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) {
        std::error_code problem;
        fs::create_directories(folder, problem);
        if (problem)
            return fail(ErrorCode::Io, "cannot make " + folder.string() + ": " + problem.message());
    }
    return writeFile(path, writeNameRules(rules));
}

} // namespace pw

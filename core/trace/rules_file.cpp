// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/rules_file.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/io/listed_file.h"
#include "core/io/user_folder.h"
#include "core/system/files.h"
#include "core/system/process.h"

#include <filesystem>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t longestFile = 16 << 20; // examples have many names
constexpr std::size_t mostRules = 1000;

} // namespace

std::string defaultRulesPath()
{
    if (std::optional<std::string> rules = sys::variable("PIPEWRIGHT_RULES");
        rules && !rules->empty())
        return *rules;
    const std::string config = userConfigFolder();
    return config.empty() ? config : config + "/pipewright/trace-rules.json";
}

namespace {

/// What a rules file holds.
struct RulesFile
{
    std::vector<NameRule> rules;
    std::vector<PassExample> examples;
};

std::vector<PassExample> examplesOf(JsonFields& fields, JsonFields::Failure& failure)
{
    std::vector<PassExample> examples;
    const JsonValue* list = fields.has("examples") ? fields.list("examples") : nullptr;
    if (list == nullptr)
        return examples;
    if (list->Size() > mostRules) {
        fields.refuse("examples", "%1 has more than %2 examples", mostRules);
        return examples;
    }
    for (rapidjson::SizeType i = 0; i < list->Size() && !failure; ++i) {
        const JsonValue& value = (*list)[i];
        if (!value.IsObject()) {
            fields.refuse("examples", "%1 has an element that is not an object");
            break;
        }
        JsonFields one(value, fields.pathOf("examples", i), failure);
        PassExample example;
        const std::string kind = one.text("kind");
        bool known = false;
        for (const PassKind each : {PassKind::F, PassKind::B, PassKind::W, PassKind::BW})
            if (kind == pw::name(each)) {
                example.kind = each;
                known = true;
            }
        if (!known)
            one.refuse("kind", "%1 is none of F, B, W and BW");
        constexpr int mostStages = 1'000'000;
        example.stage = StageId(one.integer("stage", 0, mostStages));
        example.names = one.texts("names");
        if (example.names.size() < 2 || example.names.size() > PassExample::mostNames)
            one.refuse("names", "%1 has %2 names; 2 to %3 make an example", example.names.size(),
                       PassExample::mostNames);
        one.finish();
        examples.push_back(std::move(example));
    }
    return examples;
}

Result<RulesFile> readRulesFile(std::string_view text)
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
        return fail(ErrorCode::Version,
                    "the rules file is of version %1; this program reads version 1", version);
    const std::vector<std::string> patterns = fields.texts("rules");
    RulesFile file;
    file.examples = examplesOf(fields, failure);
    fields.finish();
    if (failure)
        return fail(*failure);
    if (patterns.size() > mostRules)
        return fail(ErrorCode::TooLarge, "the rules file has %1 rules; at most %2 are read",
                    patterns.size(), mostRules);
    for (const std::string& pattern : patterns) {
        Result<NameRule> rule = NameRule::parse(pattern);
        if (!rule)
            return fail(rule.error().code, "rule %1, %2", file.rules.size() + 1,
                        rule.error().message);
        file.rules.push_back(std::move(*rule));
    }
    return file;
}

Result<void> keepRulesFile(const std::string& path, const RulesFile& file)
{
    if (path.empty())
        return fail(ErrorCode::Io,
                    "there is no home folder (HOME) to keep rules in: name a file in "
                    "PIPEWRIGHT_RULES");
    if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) {
        std::error_code problem;
        fs::create_directories(folder, problem);
        if (problem)
            return fail(ErrorCode::Io, "cannot make %1: %2", folder.string(),
                        systemSentence(sys::reasonOf(problem)));
    }
    return writeFile(path, writeNameRules(file.rules, file.examples));
}

} // namespace

Result<std::vector<NameRule>> readNameRules(std::string_view text)
{
    PW_TRY(RulesFile file, readRulesFile(text));
    return std::move(file.rules);
}

Result<std::vector<PassExample>> readPassExamples(std::string_view text)
{
    PW_TRY(RulesFile file, readRulesFile(text));
    return std::move(file.examples);
}

std::string writeNameRules(const std::vector<NameRule>& rules,
                           const std::vector<PassExample>& examples)
{
    JsonText text;
    text.beginObject();
    text.member("pipewright_rules", 1);
    text.key("rules");
    text.beginArray();
    for (const NameRule& rule : rules)
        text.value(std::string_view(rule.pattern()));
    text.endArray();
    if (!examples.empty()) {
        text.key("examples");
        text.beginArray();
        for (const PassExample& example : examples) {
            text.beginObject();
            text.member("kind", pw::name(example.kind));
            text.member("stage", example.stage);
            text.key("names");
            text.beginArray();
            for (const std::string& name : example.names)
                text.value(std::string_view(name));
            text.endArray();
            text.endObject();
        }
        text.endArray();
    }
    text.endObject();
    return text.text();
}

namespace {

Result<std::vector<NameRule>> namedRules(const std::string& path, const std::string& text)
{
    Result<std::vector<NameRule>> rules = readNameRules(text);
    if (!rules)
        return fail(rules.error().code, "%1: %2", path, rules.error().message);
    return rules;
}

} // namespace

Result<std::vector<NameRule>> loadNameRules(const std::string& path)
{
    PW_TRY(const std::string text, readFile(path, longestFile));
    return namedRules(path, text);
}

Result<std::vector<NameRule>> keptNameRules(const std::string& path)
{
    std::error_code problem;
    if (!fs::exists(path, problem) && !problem)
        return std::vector<NameRule>{};
    PW_TRY(const std::string text, readListedFile(path, longestFile));
    return namedRules(path, text);
}

Result<std::vector<PassExample>> keptPassExamples(const std::string& path)
{
    std::error_code problem;
    if (!fs::exists(path, problem) && !problem)
        return std::vector<PassExample>{};
    PW_TRY(const std::string text, readListedFile(path, longestFile));
    Result<std::vector<PassExample>> examples = readPassExamples(text);
    if (!examples)
        return fail(examples.error().code, "%1: %2", path, examples.error().message);
    return examples;
}

Result<void> keepNameRules(const std::string& path, const std::vector<NameRule>& rules)
{
    // What cannot be read is written anew, as it always was.
    const Result<std::vector<PassExample>> examples = keptPassExamples(path);
    return keepRulesFile(path, {rules, examples ? *examples : std::vector<PassExample>{}});
}

Result<void> keepPassExamples(const std::string& path, const std::vector<PassExample>& examples)
{
    PW_TRY(std::vector<NameRule> rules, keptNameRules(path));
    return keepRulesFile(path, {std::move(rules), examples});
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/reading_rules.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <utility>

namespace pw {

namespace {

constexpr std::int64_t longestLine = std::int64_t{1} << 20;

void writeTexts(JsonText& text, std::string_view name, const std::vector<std::string>& all)
{
    if (all.empty())
        return;
    text.key(name);
    text.beginArray();
    for (const std::string& one : all)
        text.value(std::string_view(one));
    text.endArray();
}

} // namespace

ReadingRuleTexts ReadingRuleTexts::in(JsonFields& fields)
{
    ReadingRuleTexts texts;
    if (fields.has("rules"))
        texts.names = fields.texts("rules");
    if (fields.has("kernels"))
        texts.kernels = fields.texts("kernels");
    return texts;
}

Result<ReadingRules> ReadingRuleTexts::rules() const
{
    ReadingRules rules;
    for (const std::string& pattern : names) {
        PW_TRY(NameRule rule, NameRule::parse(pattern));
        rules.names.push_back(std::move(rule));
    }
    for (const std::string& one : kernels) {
        PW_TRY(KernelRule rule, KernelRule::parse(one));
        rules.kernels.push_back(std::move(rule));
    }
    return rules;
}

void writeReadingRules(JsonText& text, const ReadingRules& rules)
{
    ReadingRuleTexts texts;
    for (const NameRule& rule : rules.names)
        texts.names.push_back(rule.pattern());
    for (const KernelRule& rule : rules.kernels)
        texts.kernels.push_back(rule.text());
    writeTexts(text, "rules", texts.names);
    writeTexts(text, "kernels", texts.kernels);
}

std::string readingRulesText(const ReadingRules& rules)
{
    if (rules.empty())
        return {};
    JsonText text;
    text.beginObject(JsonText::Layout::OneLine);
    writeReadingRules(text, rules);
    text.endObject();
    return text.text();
}

Result<ReadingRules> readingRulesOf(std::string_view text)
{
    if (text.empty())
        return ReadingRules{};
    PW_TRY(const JsonDocument document, parseJson(text, longestLine));
    if (!document.IsObject())
        return fail(ErrorCode::Syntax, "rules of a reading are one object");
    JsonFields::Failure failure;
    JsonFields fields(document, "", failure);
    const ReadingRuleTexts texts = ReadingRuleTexts::in(fields);
    fields.finish();
    if (failure)
        return fail(*failure);
    if (texts.names.empty() && texts.kernels.empty())
        return fail(ErrorCode::Syntax, "rules of a reading are one or more");
    return texts.rules();
}

} // namespace pw

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
    text.key(name);
    text.beginArray();
    for (const std::string& one : all)
        text.value(std::string_view(one));
    text.endArray();
}

} // namespace

std::string readingRulesText(const ReadingRules& rules)
{
    if (rules.empty())
        return {};
    std::vector<std::string> names, kernels;
    for (const NameRule& rule : rules.names)
        names.push_back(rule.pattern());
    for (const KernelRule& rule : rules.kernels)
        kernels.push_back(rule.text());
    JsonText text;
    text.beginObject(JsonText::Layout::OneLine);
    writeTexts(text, "rules", names);
    writeTexts(text, "kernels", kernels);
    text.endObject();
    return text.text();
}

Result<ReadingRules> readingRulesOf(std::string_view text)
{
    ReadingRules rules;
    if (text.empty())
        return rules;
    PW_TRY(const JsonDocument document, parseJson(text, longestLine));
    if (!document.IsObject())
        return fail(ErrorCode::Syntax, "rules of a reading are one object");
    JsonFields::Failure failure;
    JsonFields fields(document, "", failure);
    const std::vector<std::string> names = fields.texts("rules");
    const std::vector<std::string> kernels = fields.texts("kernels");
    fields.finish();
    if (failure)
        return fail(*failure);
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

} // namespace pw

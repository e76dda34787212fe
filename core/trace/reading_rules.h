// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/activity_kind.h"
#include "core/trace/name_rule.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

class JsonFields;
class JsonText;

/// A person's rules by which a trace is read, besides all that is known of names.
struct ReadingRules
{
    std::vector<NameRule> names{};
    std::vector<KernelRule> kernels{};

    bool empty() const { return names.empty() && kernels.empty(); }
};

/// Their texts, as members `rules` and `kernels` of an object of JSON, each where there are any:
/// an earlier program refuses what it does not know.
struct ReadingRuleTexts
{
    std::vector<std::string> names{};
    std::vector<std::string> kernels{};

    static ReadingRuleTexts in(JsonFields& fields);
    /// @error Syntax  says which rule
    Result<ReadingRules> rules() const;
};
void writeReadingRules(JsonText& text, const ReadingRules& rules);

/// Them as one line of JSON, as digests and stores have them; empty where there are none.
std::string readingRulesText(const ReadingRules& rules);

/// The same again.
/// @error Syntax  it is no such line, or says which rule
Result<ReadingRules> readingRulesOf(std::string_view text);

} // namespace pw

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

/// A person's rules by which a trace is read, besides all that is known of names.
struct ReadingRules
{
    std::vector<NameRule> names{};
    std::vector<KernelRule> kernels{};

    bool empty() const { return names.empty() && kernels.empty(); }
};

/// Them as one line of JSON, as digests and stores have them; empty where there are none.
std::string readingRulesText(const ReadingRules& rules);

/// The same again.
/// @error Syntax  it is no such line, or says which rule
Result<ReadingRules> readingRulesOf(std::string_view text);

} // namespace pw

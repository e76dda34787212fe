// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/name_rule.h"
#include "core/trace/pass_example.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A rules file keeps a person's rules for the names of foreign traces. JSON in UTF-8, version 1,
// described in the manual (import); the studio writes it, `pipewright import --rules` reads it.

/// Where the studio keeps rules: PIPEWRIGHT_RULES, else pipewright/trace-rules.json under
/// XDG_CONFIG_HOME or ~/.config; empty where there
/// is no home.
std::string defaultRulesPath();

/// @error Syntax   no JSON, a field is wrong, or a rule is: with its number and character
/// @error Version  of a version that this program does not know
Result<std::vector<NameRule>> readNameRules(std::string_view text);

/// The examples of passes that a rules file holds beside its rules. @error  as of `readNameRules`
Result<std::vector<PassExample>> readPassExamples(std::string_view text);

std::string writeNameRules(const std::vector<NameRule>& rules,
                           const std::vector<PassExample>& examples = {});

/// Reads a rules file. @error Io  cannot be read; else as of `readNameRules`, with the path
Result<std::vector<NameRule>> loadNameRules(const std::string& path);

/// The examples of a rules file; none where there is no such file. @error  as of `loadNameRules`
Result<std::vector<PassExample>> keptPassExamples(const std::string& path);

/// The rules that are kept; none where there is no such file. @error  as of `loadNameRules`
Result<std::vector<NameRule>> keptNameRules(const std::string& path);

/// Keeps rules, and the examples that the file has already; makes the folders of the path.
/// @error Io  with the system's reason
Result<void> keepNameRules(const std::string& path, const std::vector<NameRule>& rules);

/// Keeps examples, and the rules that the file has already; makes the folders of the path.
/// @error  as of `loadNameRules` for a file that is there; Io with the system's reason
Result<void> keepPassExamples(const std::string& path, const std::vector<PassExample>& examples);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/store/kept_answers.h"

#include <string>
#include <vector>

namespace pw::app {

/// --keep and --store, of commands whose answers can be kept.
std::vector<Option> keepOptions();

/// Keeps what a command said in the store, and tells its number on standard error.
/// @param shown  may hold colours; they are not kept
tl::expected<void, Failure> keepAnswer(AnswerKind kind, std::string title, std::string shown,
                                       std::string data, const Arguments& arguments,
                                       Console& console);

/// The list of what is kept; empty where nothing is.
std::string answersTable(const std::vector<StoredAnswer>& answers, const Screen& screen);

/// `show a1`.
Outcome showAnswer(std::int64_t number, const Arguments& arguments, Console& console);

/// --rename, --note or --delete of `runs a1`.
Outcome changeAnswer(std::int64_t number, const Arguments& arguments, Console& console);

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A table that questions are put to. Times are milliseconds, from the zero of the run.
struct StoreView
{
    std::string_view name;
    std::string_view about;
    std::string_view sql; ///< of the view
};

/// All of them; they are made for a connection and are not in the file.
const std::vector<StoreView>& storeViews();

/// A question that shows how to ask.
struct ExampleQuery
{
    std::string_view title;
    std::string_view sql;
};

/// Ten of them, about the newest run where they are about one.
const std::vector<ExampleQuery>& exampleQueries();

struct QueryCell
{
    std::string text;
    bool number = false;
    bool null = false;

    friend bool operator==(const QueryCell&, const QueryCell&) = default;
};

/// What a question was answered with.
struct QueryAnswer
{
    std::vector<std::string> columns;
    std::vector<std::vector<QueryCell>> rows;
    bool cut = false; ///< there are more rows, or they are too large to be kept
};

struct QueryLimits
{
    std::size_t rows = 1000;
    std::chrono::milliseconds time{10'000}; ///< for all of it, once the store is open
};

/// Answers one SELECT (or WITH) over a store. The file is opened to be read; statements that would
/// change, attach or set anything are refused, and so are several at once. At most 64 MiB of
/// answers are kept, 1 MiB of one value.
///
/// @error Syntax   what SQLite says of the text
/// @error TooLarge it takes longer than the limit
/// @error          as of `RunStore`
Result<QueryAnswer> queryStore(const std::string& store, std::string_view sql,
                               const QueryLimits& limits = {});

} // namespace pw

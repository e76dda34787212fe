// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/store_path.h"
#include "app/text_table.h"
#include "app/time_limit.h"
#include "core/base/display_text.h"
#include "core/base/number.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/store/store_query.h"

#include <ostream>

namespace pw::app::commands {

namespace {

std::string answerTable(const QueryAnswer& answer, const Screen& screen)
{
    std::vector<TextTable::Column> columns;
    for (std::size_t i = 0; i < answer.columns.size(); ++i) {
        const bool numbers = !answer.rows.empty() && answer.rows.front()[i].number;
        columns.push_back({oneLine(answer.columns[i]), "",
                           numbers ? TextTable::Align::Right : TextTable::Align::Left});
    }
    TextTable table(screen, columns);
    for (const std::vector<QueryCell>& row : answer.rows) {
        std::vector<std::string> cells;
        for (const QueryCell& cell : row)
            cells.push_back(cell.null ? "–" : oneLine(cell.text));
        table.append(std::move(cells));
    }
    std::string out = table.text();
    if (answer.rows.empty())
        out += "  no row\n";
    if (answer.cut)
        out += "  and more; --rows allows them\n";
    return out;
}

/// As spreadsheets read it: quoted where a text has a comma or a quote. A row is a line, whatever
/// its texts hold: what ends a line is spelled out.
std::string answerCsv(const QueryAnswer& answer)
{
    const auto field = [](const std::string& foreign) {
        const std::string text = displayText(foreign);
        if (text.find_first_of(",\"") == std::string::npos)
            return text;
        std::string quoted = "\"";
        for (const char c : text)
            quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        return quoted + "\"";
    };
    std::string out;
    for (std::size_t i = 0; i < answer.columns.size(); ++i)
        out += (i == 0 ? "" : ",") + field(answer.columns[i]);
    out += "\n";
    for (const std::vector<QueryCell>& row : answer.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out += (i == 0 ? "" : ",") + field(row[i].text);
        out += "\n";
    }
    return out;
}

std::string answerJson(const QueryAnswer& answer)
{
    JsonText text;
    text.beginObject();
    text.key("columns");
    text.beginArray();
    for (const std::string& column : answer.columns)
        text.value(std::string_view(column));
    text.endArray();
    text.key("rows");
    text.beginArray();
    for (const std::vector<QueryCell>& row : answer.rows) {
        text.beginArray();
        for (const QueryCell& cell : row) {
            // An infinite one is a text: JSON has no such number.
            if (cell.null)
                text.null();
            else if (const auto whole = wholeNumber(cell.text); cell.number && whole)
                text.value(*whole);
            else if (const auto real = decimalNumber(cell.text); cell.number && real)
                text.value(*real);
            else
                text.value(std::string_view(cell.text));
        }
        text.endArray();
    }
    text.endArray();
    text.member("cut", answer.cut);
    text.endObject();
    return text.text();
}

std::string viewsText(const Screen& screen)
{
    TextTable table(screen, {{"view", "", TextTable::Align::Left},
                             {"what is in it", "", TextTable::Align::Left}});
    for (const StoreView& view : storeViews())
        table.append({std::string(view.name), std::string(view.about)});
    std::string out = table.text() + "\n";
    int number = 0;
    for (const ExampleQuery& one : exampleQueries())
        out += wrapped(std::to_string(++number) + " " + std::string(one.title) + ": " +
                           std::string(one.sql),
                       screen.width, 4, 2);
    return out;
}

Outcome runQuery(const Arguments& arguments, Console& console)
{
    if (arguments.has("views")) {
        console.out << viewsText(console.screen);
        return ExitCode::Good;
    }
    if (arguments.has("csv") && arguments.has("json"))
        return usage("--csv and --json are two forms: one of them at a time");
    std::string sql;
    for (const std::string& word : arguments.words())
        sql += (sql.empty() ? "" : " ") + word;
    if (arguments.has("example")) {
        if (!sql.empty())
            return usage("--example asks its own question; " + quotedWord(sql) +
                         " is one too many");
        sql = exampleQueries()[static_cast<std::size_t>(arguments.whole("example", 1)) - 1].sql;
    }
    if (sql.empty())
        return usage("a question is needed, as in pipewright query 'SELECT * FROM runs'; --views "
                     "lists what can be asked");
    QueryLimits limits;
    limits.rows = static_cast<std::size_t>(arguments.whole("rows", 1000));
    constexpr double thousand = 1000;
    limits.time = std::chrono::milliseconds(
        static_cast<std::int64_t>(thousand * arguments.number(timeLimitName, 10)));
    PW_TRY(const QueryAnswer answer, queryStore(storePath(arguments), sql, limits));
    console.out << (arguments.has("json")  ? answerJson(answer)
                    : arguments.has("csv") ? answerCsv(answer)
                                           : answerTable(answer, console.screen));
    return ExitCode::Good;
}

std::vector<Option> optionsOfQuery()
{
    return {storeOption(),
            {.name = "views", .summary = "lists the views, and the ten examples with their text"},
            {.name = "example",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "runs an example of --views",
             .minimum = 1,
             .maximum = 10},
            {.name = "rows",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "rows of the answer at most (default 1000)",
             .minimum = 1,
             .maximum = 10'000'000},
            timeLimitOption("time that the answer may take (default 10)", 3600, "seconds"),
            {.name = "csv",
             .summary = "the answer as comma-separated text, a row a line: line ends and other "
                        "control characters of a text are spelled out, as \\u000a"},
            {.name = "json", .summary = "the answer as JSON: columns and rows, cells as texts"}};
}

} // namespace

Command query()
{
    Command command;
    command.name = "query";
    command.group = CommandGroup::Files;
    command.summary = "queries the store of runs in SQL";
    command.words = "SQL";
    command.about =
        "Answers one SELECT over the runs that were kept and the traces that were imported into "
        "the store. The store is only read: statements that would change, attach or set anything "
        "are refused, and a query that takes longer than --time-limit is ended.\n"
        "The views runs, passes, transfers, memory_use, iterations, losses, devices, lanes, "
        "kernels and slices have times in milliseconds; --views says what is in them and lists "
        "ten examples, which --example runs.";
    command.examples = {"pipewright query 'SELECT run, title, makespan_ms FROM runs'",
                        "pipewright query --example 3", "pipewright query --views"};
    command.maximumWords = 1000;
    command.options = optionsOfQuery;
    command.run = runQuery;
    return command;
}

} // namespace pw::app::commands

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/comparison.h"
#include "app/file_options.h"
#include "app/kept_answer.h"
#include "app/model_options.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <sstream>

namespace pw::app::commands {

namespace {

void writeForm(JsonText& json, std::string_view name, const std::optional<FormValue>& form,
               double scale)
{
    json.key(name);
    if (form)
        json.value(form->value / scale);
    else
        json.null();
}

std::string jsonOf(const std::vector<ComparedRow>& rows)
{
    JsonText json;
    json.beginArray();
    for (const ComparedRow& row : rows) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("family", std::string_view(row.id));
        json.member("title", std::string_view(row.title));
        if (!row.refusal.empty()) {
            json.member("refusal", std::string_view(row.refusal));
            json.endObject();
            continue;
        }
        json.member("makespan_ms", msFromTicks(row.figures.makespan));
        json.member("span_bubble_ms", msFromTicks(row.figures.span.idle));
        json.member("span_bubble_rate", row.figures.span.rate());
        writeForm(json, "span_bubble_formula_ms", row.spanForm, ticksPerMs);
        if (row.spanPublished) {
            writeForm(json, "span_bubble_published_ms", row.spanPublished, ticksPerMs);
            json.member("span_bubble_published_rate",
                        rateBeside(row.figures.span, row.spanPublished->value));
        }
        json.member("wall_bubble_ms", msFromTicks(row.figures.wall.idle));
        json.member("wall_bubble_rate", row.figures.wall.rate());
        writeForm(json, "wall_bubble_formula_ms", row.wallForm, ticksPerMs);
        json.member("peak_activation_mb", row.figures.peakMicroBatches);
        json.member("peak_activation_bytes", row.figures.peakBytes);
        writePeakMemory(json, row.figures.memory);
        writeForm(json, "peak_activation_formula_mb", row.peakForm, 1);
        if (!row.carried.empty())
            json.member("carried", std::string_view(row.carried));
        if (!row.project.empty())
            json.member("project", std::string_view(row.project));
        json.endObject();
    }
    json.endArray();
    return json.text();
}

/// A number of a row, or a dash where it has none.
using Number = std::optional<double>;

/// Texts of the numbers of several columns with as many decimals in one as in the other.
std::vector<std::vector<std::string>> columnTexts(const std::vector<std::vector<Number>>& columns,
                                                  int decimals = 4)
{
    std::vector<double> present;
    for (const std::vector<Number>& column : columns) {
        for (const Number& number : column) {
            if (number)
                present.push_back(*number);
        }
    }
    const std::vector<std::string> texts = columnNumbers(present, decimals);
    std::vector<std::vector<std::string>> out(columns.size());
    std::size_t next = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        for (const Number& number : columns[c])
            out[c].push_back(number ? texts[next++] : "–");
    }
    return out;
}

/// The units that fit the largest of all rows.
struct RowUnits
{
    Unit time;
    Unit bytes;
    bool bytesKnown = false;
    bool wholeKnown = false; ///< more than activations
};

RowUnits unitsOf(const std::vector<ComparedRow>& rows)
{
    Ticks longest = 0;
    Bytes largest = 0;
    bool more = false;
    for (const ComparedRow& row : rows) {
        if (!row.refusal.empty())
            continue;
        longest = std::max(longest, row.figures.makespan);
        largest = std::max(largest, row.figures.memory.total());
        more = more || row.figures.memory.total() > row.figures.peakBytes;
    }
    return {timeUnit(longest), byteUnit(largest), largest > 0, more};
}

/// The texts of all columns behind the name, each with one entry a row that is not refused.
std::vector<std::vector<std::string>> figureColumns(const std::vector<ComparedRow>& rows,
                                                    const RowUnits& units)
{
    const Unit& time = units.time;
    std::array<std::vector<Number>, 11> values;
    const auto form = [](const std::optional<FormValue>& f, double size) {
        return f ? Number(f->value / size) : std::nullopt;
    };
    for (const ComparedRow& row : rows) {
        if (!row.refusal.empty())
            continue;
        const Figures& figures = row.figures;
        const std::array<Number, 11> numbers = {
            static_cast<double>(figures.makespan) / time.size,
            static_cast<double>(figures.span.idle) / time.size,
            form(row.spanForm, time.size),
            100 * figures.span.rate(),
            static_cast<double>(figures.wall.idle) / time.size,
            form(row.wallForm, time.size),
            100 * figures.wall.rate(),
            figures.peakMicroBatches,
            form(row.peakForm, 1),
            static_cast<double>(figures.peakBytes) / units.bytes.size,
            static_cast<double>(figures.memory.total()) / units.bytes.size};
        for (std::size_t c = 0; c < numbers.size(); ++c)
            values[c].push_back(numbers[c]);
    }
    std::vector<std::vector<std::string>> columns;
    const auto append = [&columns](const std::vector<std::vector<Number>>& group,
                                   int decimals = 4) {
        for (std::vector<std::string>& texts : columnTexts(group, decimals))
            columns.push_back(std::move(texts));
    };
    append({values[0]});
    append({values[1], values[2]});
    append({values[3]}, 2);
    append({values[4], values[5]});
    append({values[6]}, 2);
    append({values[7], values[8]});
    append({values[9], values[10]});
    return columns;
}

std::vector<TextTable::Column> headsOf(const RowUnits& units)
{
    using Align = TextTable::Align;
    const std::string unit(units.time.name);
    // Where there is no room, formulas go before what was simulated, the whole memory above all.
    constexpr int less = TextTable::usualWorth - 1;
    std::vector<TextTable::Column> heads = {{"family", "", Align::Left},
                                            {"makespan", unit},
                                            {"span", unit, Align::Right, 3},
                                            {"formula", unit, Align::Right, 1, less},
                                            {"", "%"},
                                            {"wall", unit, Align::Right, 3},
                                            {"formula", unit, Align::Right, 1, less},
                                            {"", "%"},
                                            {"peak", "mb", Align::Right, 3},
                                            {"formula", "mb", Align::Right, 1, less}};
    if (units.bytesKnown)
        heads.push_back({"", std::string(units.bytes.name)});
    if (units.wholeKnown)
        heads.push_back({"memory", std::string(units.bytes.name)});
    return heads;
}

std::string tableOf(const std::vector<ComparedRow>& rows, const Screen& screen)
{
    const RowUnits units = unitsOf(rows);
    const std::vector<std::vector<std::string>> columns = figureColumns(rows, units);
    const std::vector<TextTable::Column> heads = headsOf(units);
    // On a narrow screen the rates go: they follow from the times.
    constexpr std::array<std::size_t, 2> rates = {4, 7};
    constexpr int wide = 96;
    const bool narrow = screen.width < wide;
    const auto kept = [narrow, &rates](std::size_t c) {
        return !narrow || std::find(rates.begin(), rates.end(), c) == rates.end();
    };
    std::vector<TextTable::Column> shownHeads;
    for (std::size_t c = 0; c < heads.size(); ++c) {
        if (kept(c))
            shownHeads.push_back(heads[c]);
    }
    TextTable table(screen, shownHeads);
    std::size_t next = 0;
    for (const ComparedRow& row : rows) {
        if (!row.refusal.empty()) {
            table.appendNote(row.id, screen.paint(row.refusal, Role::Refusal));
            continue;
        }
        std::vector<std::string> cells = {row.id};
        for (std::size_t c = 1; c < heads.size(); ++c) {
            const std::string& text = columns[c - 1][next];
            const bool formula = heads[c].title == "formula";
            if (kept(c))
                cells.push_back(formula ? screen.paint(text, Role::Secondary) : text);
        }
        table.append(std::move(cells));
        ++next;
    }
    return table.text(0);
}

/// What the fullest device of every row holds, by kind; empty where activations are all.
std::string kindsOf(const std::vector<ComparedRow>& rows, const Screen& screen)
{
    const RowUnits units = unitsOf(rows);
    if (!units.wholeKnown)
        return {};
    using Align = TextTable::Align;
    std::vector<TextTable::Column> heads = {
        {"memory, " + std::string(units.bytes.name), "", Align::Left}, {"device"}};
    std::vector<std::vector<Number>> columns;
    for (int kind = 0; kind < memoryKindCount; ++kind) {
        std::vector<Number> column;
        bool any = false;
        for (const ComparedRow& row : rows) {
            if (!row.refusal.empty())
                continue;
            const Bytes bytes = row.figures.memory.point.bytes[static_cast<std::size_t>(kind)];
            any = any || bytes > 0;
            column.emplace_back(static_cast<double>(bytes) / units.bytes.size);
        }
        if (!any)
            continue;
        heads.push_back({std::string(name(static_cast<MemoryKind>(kind)))});
        columns.push_back(std::move(column));
    }
    const std::vector<std::vector<std::string>> texts = columnTexts(columns);
    TextTable table(screen, heads);
    std::size_t next = 0;
    for (const ComparedRow& row : rows) {
        if (!row.refusal.empty())
            continue;
        std::vector<std::string> cells = {row.id, std::to_string(row.figures.memory.device)};
        for (const std::vector<std::string>& column : texts)
            cells.push_back(column[next]);
        table.append(std::move(cells));
        ++next;
    }
    return "\n" + table.text(0);
}

/// The values that papers print where these are not the simulated ones.
std::string publishedOf(const std::vector<ComparedRow>& rows, const Screen& screen)
{
    std::string text;
    for (const ComparedRow& row : rows) {
        if (!row.spanPublished)
            continue;
        const std::array<double, 1> rate = {100 *
                                            rateBeside(row.figures.span, row.spanPublished->value)};
        text += wrapped(row.id + ": the published span bubble is " +
                            timeText(static_cast<Ticks>(row.spanPublished->value)) + ", " +
                            columnNumbers(rate, 2)[0] + " %, " +
                            std::string(row.spanPublished->formula) + ", " +
                            std::string(row.spanPublished->condition),
                        screen.width);
    }
    return text.empty() ? text : "\n" + screen.paint(text, Role::Secondary);
}

/// How costs were carried over, each way with the rows that it holds for.
std::string carriedOf(const std::vector<ComparedRow>& rows, const Screen& screen)
{
    std::vector<std::pair<std::string, std::string>> ways;
    for (const ComparedRow& row : rows) {
        if (row.carried.empty())
            continue;
        const auto known = std::find_if(
            ways.begin(), ways.end(), [&row](const auto& way) { return way.first == row.carried; });
        if (known == ways.end())
            ways.emplace_back(row.carried, row.id);
        else
            known->second += ", " + row.id;
    }
    std::string text;
    for (const auto& [how, ids] : ways)
        text += wrapped(how + ": " + ids, screen.width, 2, 0);
    return text.empty() ? text : "\n" + screen.bold("How the costs are carried over") + "\n" + text;
}

/// The row that stands for the others above the table: of a family rather than of a file, which has
/// a shape and costs of its own.
std::vector<ComparedRow>::const_iterator headOf(const std::vector<ComparedRow>& rows)
{
    const auto shown = [](const ComparedRow& row) { return row.refusal.empty(); };
    const auto family = std::find_if(rows.begin(), rows.end(), [&shown](const ComparedRow& row) {
        return shown(row) && findFamily(row.id).has_value();
    });
    return family != rows.end() ? family : std::find_if(rows.begin(), rows.end(), shown);
}

std::string headingOf(const ComparedRow& row)
{
    return row.size + "; " + row.costsText;
}

/// Rows that the lines above the table do not hold for, each with what does: files.
std::string othersOf(const std::vector<ComparedRow>& rows, const ComparedRow& head,
                     const Screen& screen)
{
    std::string text;
    for (const ComparedRow& row : rows) {
        if (row.refusal.empty() && !findFamily(row.id) && headingOf(row) != headingOf(head))
            text += wrapped(row.id + ": " + headingOf(row), screen.width, 2, 0);
    }
    return text.empty() ? text : "\n" + screen.bold("Of their own shape and costs") + "\n" + text;
}

/// What a column is sorted by.
double keyOf(const ComparedRow& row, const std::string& column)
{
    const Figures& figures = row.figures;
    if (column == "makespan")
        return static_cast<double>(figures.makespan);
    if (column == "span")
        return static_cast<double>(figures.span.idle);
    if (column == "wall")
        return static_cast<double>(figures.wall.idle);
    // Without sizes micro-batches are all that is known.
    if (column == "memory" && figures.memory.total() > 0)
        return static_cast<double>(figures.memory.total());
    return figures.peakMicroBatches;
}

/// Rows by a column; those that are alike there stay as they were.
void sortRows(std::vector<ComparedRow>& rows, const std::string& column)
{
    std::stable_sort(rows.begin(), rows.end(),
                     [&column](const ComparedRow& a, const ComparedRow& b) {
                         if (a.refusal.empty() != b.refusal.empty())
                             return a.refusal.empty();
                         if (column == "family")
                             return a.id < b.id;
                         return a.refusal.empty() && keyOf(a, column) < keyOf(b, column);
                     });
}

/// "1f1b, gpipe: 4 devices, 8 micro-batches".
std::string titleOf(const std::vector<ComparedRow>& rows, const ComparedRow& head)
{
    constexpr std::size_t mostNames = 4;
    std::string title;
    for (std::size_t i = 0; i < std::min(rows.size(), mostNames); ++i)
        title += (i == 0 ? "" : ", ") + rows[i].id;
    return title + (rows.size() > mostNames ? " …: " : ": ") + head.size;
}

Outcome runCompare(const Arguments& arguments, Console& console)
{
    PW_TRY(auto rows, comparedRows(arguments.words(), arguments));
    if (arguments.has("sort"))
        sortRows(rows, arguments.text("sort"));
    const auto shown = headOf(rows);
    std::ostringstream text;
    const Screen& screen = console.screen;
    if (shown != rows.end())
        text << screen.bold(shown->size) << "\n"
             << screen.paint(wrapped(shown->costsText, screen.width), Role::Secondary) << "\n";
    text << tableOf(rows, screen) << kindsOf(rows, screen) << publishedOf(rows, screen)
         << (shown != rows.end() ? othersOf(rows, *shown, screen) : "") << carriedOf(rows, screen);
    console.out << (arguments.has("json") ? jsonOf(rows) : text.str());
    if (shown != rows.end() && arguments.has("keep"))
        PW_DO(keepAnswer(AnswerKind::Comparison, titleOf(rows, *shown), text.str(), jsonOf(rows),
                         arguments, console));
    if (shown == rows.end())
        return wrong("no schedule of the table can be made");
    return ExitCode::Good;
}

std::vector<Option> optionsOfCompare()
{
    std::vector<Option> all = shapeOptions();
    for (const std::vector<Option>& more : {costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    all.push_back({.name = "sort",
                   .kind = ValueKind::Text,
                   .placeholder = "COLUMN",
                   .summary = "the smallest first, refused ones last: family, makespan, span, "
                              "wall, peak or memory (default: as they are given)",
                   .section = "Output",
                   .choices = {"family", "makespan", "span", "wall", "peak", "memory"}});
    for (Option& option : keepOptions())
        all.push_back(std::move(option));
    all.push_back({.name = "json", .summary = "for programs: an array", .section = "Output"});
    return all;
}

} // namespace

Command compare()
{
    Command command;
    command.name = "compare";
    command.group = CommandGroup::Design;
    command.summary = "several schedules in one table, under the same costs";
    command.words = "FAMILY|FILE… | all";
    command.about =
        "One line a schedule: the makespan, the span and the wall bubble, the peak activation, and "
        "beside each what the closed form says, or a dash where there is none for this case. Where "
        "more than activations has a size, the memory of the fullest device too, all kinds "
        "together and, below, each by itself. A family that cannot be built for the shape says "
        "why.\n"
        "A parameter counts for the families that have it. A file has the shape that it says, and "
        "the costs where it says them.";
    command.examples = {"pipewright compare 1f1b gpipe",
                        "pipewright compare all --devices 8 --micro-batches 32"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1000;
    command.options = optionsOfCompare;
    command.run = runCompare;
    return command;
}

} // namespace pw::app::commands

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/number_mark.h"

#include "core/io/file_problem.h"
#include "core/lesson/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace pw {

namespace {

/// Where a mark stands: from its { on, up to and with its }.
struct MarkPlace
{
    std::size_t from = 0, bar = 0, end = 0;
};

std::optional<MarkPlace> nextMark(std::string_view text, std::size_t from)
{
    for (; (from = text.find('{', from)) != std::string_view::npos; ++from) {
        const std::size_t end = text.find_first_of("{}", from + 1);
        const std::size_t bar = text.find('|', from);
        if (end != std::string_view::npos && text[end] == '}' && bar < end)
            return MarkPlace{from, bar, end + 1};
    }
    return std::nullopt;
}

/// The text with something else for each mark.
template<typename Instead>
std::string replaced(std::string_view text, Instead instead)
{
    std::string made;
    std::size_t at = 0;
    while (const auto mark = nextMark(text, at)) {
        made += text.substr(at, mark->from - at);
        made += instead(text.substr(mark->from + 1, mark->bar - mark->from - 1));
        at = mark->end;
    }
    return made += text.substr(at);
}

NumberMark markOf(std::string_view shown, std::string_view behind)
{
    NumberMark mark;
    mark.shown = std::string(trimmed(shown));
    std::size_t semicolon = std::min(behind.find(';'), behind.size());
    std::string_view formula = trimmed(behind.substr(0, semicolon));
    if (!formula.empty() && formula.front() == '~') {
        mark.rounded = true;
        formula = trimmed(formula.substr(1));
    }
    mark.formula = std::string(formula);
    behind.remove_prefix(semicolon);
    while (!behind.empty()) {
        behind.remove_prefix(1);
        semicolon = std::min(behind.find(';'), behind.size());
        const std::string_view one = behind.substr(0, semicolon);
        const std::size_t equal = std::min(one.find('='), one.size());
        mark.where.emplace_back(trimmed(one.substr(0, equal)),
                                trimmed(one.substr(std::min(equal + 1, one.size()))));
        behind.remove_prefix(semicolon);
    }
    return mark;
}

template<std::size_t N>
bool isOne(std::string_view word, const std::array<std::string_view, N>& all)
{
    return std::find(all.begin(), all.end(), word) != all.end();
}

/// What a number behind it names, and does not count.
bool isLabel(std::string_view word)
{
    static constexpr std::array<std::string_view, 36> labels = {
        "F",       "B",       "W",           "BW",
        "R",       "U",       "device",      "Device",
        "stage",   "Stage",   "chunk",       "Chunk",
        "segment", "Segment", "micro-batch", "Micro-batch",
        "rank",    "Rank",    "Table",       "Fig.",
        "App.",    "Gerät",   "Stufe",       "Micro-Batch",
        "Rang",    "lesson",  "Lektion",     "level",
        "Aufgabe", "place",   "Platz",       "Micro-Batches",
        "step",    "Schritt", "Tabelle",     "Abb."};
    return isOne(word, labels);
}

bool isCounted(std::string_view word)
{
    static constexpr std::array<std::string_view, 36> things = {
        "device",     "devices",     "micro-batch",   "micro-batches", "stages",    "chunks",
        "segments",   "steps",       "messages",      "versions",      "copies",    "weight",
        "passes",     "forwards",    "backwards",     "places",        "units",     "borders",
        "Geräte",     "Geräten",     "Micro-Batches", "Stufen",        "Chunks",    "Segmente",
        "Segmenten",  "Schritte",    "Schritten",     "Nachrichten",   "Versionen", "Kopien",
        "Durchläufe", "Durchläufen", "Forwards",      "Backwards",     "Plätze",    "Einheiten"};
    return isOne(word, things);
}

/// A token without the brackets and stops around it.
std::string_view bare(std::string_view token)
{
    constexpr std::string_view around = "()[],.;:?!*\"";
    while (!token.empty() && around.find(token.front()) != std::string_view::npos)
        token.remove_prefix(1);
    while (!token.empty() && around.find(token.back()) != std::string_view::npos)
        token.remove_suffix(1);
    return token;
}

/// Digits and signs alone, no letters: "12", "0.3", "(1", "30".
bool isNumber(std::string_view token)
{
    bool digit = false;
    for (const char c : token) {
        digit = digit || (c >= '0' && c <= '9');
        if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            return false;
    }
    return digit;
}

std::vector<std::string_view> tokensOf(std::string_view text)
{
    std::vector<std::string_view> tokens;
    bool code = false;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of(" \n`", at), text.size());
        if (!code && end > at)
            tokens.push_back(text.substr(at, end - at));
        if (end < text.size() && text[end] == '`')
            code = !code;
        at = end + 1;
    }
    return tokens;
}

} // namespace

std::string NumberMark::subject() const
{
    std::string text = (rounded ? "~" : "") + formula;
    for (const auto& [name, value] : where)
        text += "; " + name + " = " + value;
    return text;
}

bool hasMarks(std::string_view written)
{
    return nextMark(written, 0).has_value();
}

std::string shownText(std::string_view written)
{
    return replaced(written, [](std::string_view shown) { return trimmed(shown); });
}

std::vector<NumberMark> marksOf(std::string_view written)
{
    std::vector<NumberMark> marks;
    std::size_t at = 0;
    while (const auto mark = nextMark(written, at)) {
        marks.push_back(markOf(written.substr(mark->from + 1, mark->bar - mark->from - 1),
                               written.substr(mark->bar + 1, mark->end - mark->bar - 2)));
        at = mark->end;
    }
    return marks;
}

std::vector<std::string> bareNumbers(std::string_view written, std::string_view language)
{
    const std::string text = replaced(written, [](std::string_view) { return "marked"; });
    std::vector<std::string> found;
    std::string_view before;
    const auto tokens = tokensOf(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view word = bare(tokens[i]);
        const std::string_view next = i + 1 < tokens.size() ? bare(tokens[i + 1]) : "";
        const bool place = tokens[i].find("§") != std::string_view::npos;
        const bool counts = numberWord(word, language).value_or(1) != 1 && isCounted(next);
        if ((isNumber(word) && !place && !isLabel(before)) || counts)
            found.push_back(std::string(word) + " " + std::string(next));
        // "Fig. 2": the stop is part of the label.
        before = isLabel(tokens[i]) ? tokens[i] : word;
    }
    return found;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/file_order.h"

#include "core/io/file_problem.h"
#include "core/system/files.h"
#include "core/trace/name_rule_characters.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

/// A number with as much or more is a time, a process or a job, and no rank.
constexpr std::int32_t mostRanksNamed = 65'536;

bool isBetween(char c)
{
    return c == '_' || c == '-' || c == ' ' || c == '=' || c == '.';
}

std::string inLowerCase(std::string_view text)
{
    std::string made(text);
    for (char& c : made)
        c = lower(c);
    return made;
}

/// Takes the digits at the front of a text, without zeros before them.
std::string_view takeDigits(std::string_view& text)
{
    const auto end = std::find_if_not(text.begin(), text.end(), isDigit);
    std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(digits.size());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

/// The word that stands right before a place in a text: "pp" before "rank" in "pp_rank_3".
std::string_view wordBefore(std::string_view text, std::size_t place)
{
    while (place > 0 && isBetween(text[place - 1]))
        --place;
    std::size_t begin = place;
    while (begin > 0 && isLetter(text[begin - 1]))
        --begin;
    return text.substr(begin, place - begin);
}

/// How surely a rank behind this word is that of the run, the surest 0.
std::optional<int> doubtOf(std::string_view word)
{
    constexpr std::array<std::string_view, 3> none = {"local", "node", "machine"};
    constexpr std::array<std::string_view, 2> pipeline = {"pp", "pipeline"};
    constexpr std::array<std::string_view, 13> groups = {
        "tp",  "dp",     "cp",   "ep",      "sp",     "mp",   "etp",
        "edp", "tensor", "data", "context", "expert", "model"};
    const auto in = [word](const auto& words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    constexpr int ofTheRun = 0, ofThePipeline = 1, ofAGroup = 2;
    if (in(none))
        return std::nullopt;
    return in(pipeline) ? ofThePipeline : in(groups) ? ofAGroup : ofTheRun;
}

struct RankSaid
{
    std::int32_t number = -1;
    int doubt = 3; ///< beyond all
};

/// The surest rank that a name without folders says, and of several the first.
RankSaid rankInName(const std::string& name)
{
    constexpr std::string_view word = "rank";
    RankSaid best;
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
        const std::optional<int> doubt = doubtOf(wordBefore(name, at));
        const std::size_t next = std::min(name.find(word, at + 1), name.size());
        const std::optional<std::int32_t> number =
            numberBehind(std::string_view(name).substr(at, next - at), word);
        if (doubt && number && *number < mostRanksNamed && *doubt < best.doubt)
            best = {*number, *doubt};
    }
    return best;
}

} // namespace

bool namedBefore(std::string_view one, std::string_view other)
{
    std::string_view a = one, b = other;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view x = takeDigits(a), y = takeDigits(b);
            if (x != y)
                return x.size() != y.size() ? x.size() < y.size() : x < y;
            continue;
        }
        if (a.front() != b.front())
            return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty())
        return a.empty();
    return one < other; // 01 and 1
}

std::optional<std::int32_t> numberBehind(std::string_view text, std::string_view word)
{
    const std::string in = inLowerCase(text);
    for (std::size_t at = in.find(word); at != std::string::npos; at = in.find(word, at + 1)) {
        std::size_t from = at + word.size();
        while (from < in.size() && isBetween(in[from]))
            ++from;
        std::size_t end = from;
        while (end < in.size() && isDigit(in[end]))
            ++end;
        if (const auto number = parseNumber(std::string_view(in).substr(from, end - from)))
            return number;
    }
    return std::nullopt;
}

std::optional<std::int32_t> rankInPath(std::string_view path, std::size_t firstFolder)
{
    RankSaid best;
    std::size_t end = path.size();
    while (end > 0) {
        const std::size_t slash = path.find_last_of(sys::pathSeparators, end - 1);
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        const RankSaid said = rankInName(inLowerCase(path.substr(begin, end - begin)));
        if (said.doubt < best.doubt)
            best = said;
        if (begin <= firstFolder)
            break;
        end = slash;
    }
    return best.number < 0 ? std::nullopt : std::optional(best.number);
}

std::size_t commonFolder(const std::vector<std::string>& paths)
{
    // A single one has its own folder for itself.
    if (paths.size() == 1) {
        const std::size_t name = paths.front().find_last_of(sys::pathSeparators);
        const std::size_t folder = name == std::string::npos || name == 0
                                       ? name
                                       : paths.front().find_last_of(sys::pathSeparators, name - 1);
        return folder == std::string::npos ? 0 : folder + 1;
    }
    std::size_t same = paths.empty() ? 0 : paths.front().size();
    for (const std::string& path : paths) {
        const auto [here, there] = std::mismatch(
            path.begin(), path.begin() + static_cast<std::ptrdiff_t>(std::min(path.size(), same)),
            paths.front().begin());
        same = static_cast<std::size_t>(here - path.begin());
    }
    const std::size_t slash =
        same == 0 ? std::string::npos : paths.front().find_last_of(sys::pathSeparators, same - 1);
    return slash == std::string::npos ? 0 : slash + 1;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/pass_words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace pw {

namespace {

std::map<std::int32_t, std::int64_t> countsOf(const PassWord& word)
{
    std::map<std::int32_t, std::int64_t> counts;
    for (const std::int32_t name : word)
        ++counts[name];
    return counts;
}

/// The longest of the words that a word has at its begin or at its end; 0: none.
template<typename Has>
std::size_t longestOf(const std::set<PassWord>& words, const Has& has)
{
    std::size_t longest = 0;
    for (const PassWord& one : words)
        if (one.size() > longest && has(one))
            longest = one.size();
    return longest;
}

} // namespace

double likeness(const PassWord& a, const PassWord& b)
{
    if (a.empty() || b.empty())
        return 0;
    const std::map<std::int32_t, std::int64_t> ofA = countsOf(a), ofB = countsOf(b);
    std::int64_t common = 0;
    for (const auto& [name, count] : ofA)
        if (const auto other = ofB.find(name); other != ofB.end())
            common += std::min(count, other->second);
    return 2 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

bool endsWith(const PassWord& word, const PassWord& end)
{
    return end.size() <= word.size() && std::equal(end.rbegin(), end.rend(), word.rbegin());
}

bool beginsWith(const PassWord& word, const PassWord& begin)
{
    return begin.size() <= word.size() && std::equal(begin.begin(), begin.end(), word.begin());
}

std::optional<WordCuts> cutByWords(const PassWord& word, const std::set<PassWord>& known,
                                   std::size_t count, bool more)
{
    std::vector<const PassWord*> words;
    for (const PassWord& one : known)
        if (!one.empty())
            words.push_back(&one);
    std::stable_sort(words.begin(), words.end(),
                     [](const PassWord* a, const PassWord* b) { return a->size() > b->size(); });
    WordCuts cuts;
    std::size_t at = 0;
    while (count == 0 ? at < word.size() : cuts.size() < count) {
        const auto fits = std::find_if(words.begin(), words.end(), [&](const PassWord* one) {
            return one->size() <= word.size() - at &&
                   std::equal(one->begin(), one->end(),
                              word.begin() + static_cast<std::ptrdiff_t>(at));
        });
        if (fits == words.end())
            return std::nullopt;
        at += (*fits)->size();
        cuts.push_back(at);
    }
    return more || at == word.size() ? std::optional(std::move(cuts)) : std::nullopt;
}

std::optional<WordCuts> cutByRepeats(const PassWord& word, std::size_t count)
{
    for (std::size_t length = word.size() / count; length > 0; --length) {
        // The same kernel comes again a part later, up to the last part.
        const auto last = static_cast<std::ptrdiff_t>(length * (count - 1));
        if (!std::equal(word.begin(), word.begin() + last,
                        word.begin() + static_cast<std::ptrdiff_t>(length)))
            continue;
        WordCuts cuts;
        for (std::size_t part = 1; part <= count; ++part)
            cuts.push_back(part * length);
        return cuts;
    }
    return std::nullopt;
}

std::size_t spreadIn(const PassWord& word, const PassWord& sought)
{
    std::size_t found = 0;
    const std::size_t most = std::min(word.size(), sought.size() + sought.size() / 2);
    for (std::size_t at = 0; at < most; ++at) {
        found += word[at] == sought[found] ? 1 : 0;
        if (found == sought.size())
            return at + 1;
    }
    return 0;
}

void PassWords::learn(const PassWord& word, bool forward)
{
    if (!(forward ? m_forwards : m_backwards).insert(word).second)
        return;
    for (const std::int32_t name : word) {
        auto& [inForwards, inBackwards] = m_seen[name];
        (forward ? inForwards : inBackwards) = true;
    }
}

std::size_t PassWords::backwardAt(const PassWord& word) const
{
    return longestOf(m_backwards, [&](const PassWord& one) { return beginsWith(word, one); });
}

int PassWords::sideOf(std::int32_t name) const
{
    if (const auto seen = m_seen.find(name); seen != m_seen.end())
        return (seen->second.second ? 1 : 0) - (seen->second.first ? 1 : 0);
    return passSaidBy(m_names[static_cast<std::size_t>(name)]);
}

std::optional<PassWords::Cut> PassWords::cutPair(const PassWord& word) const
{
    constexpr std::size_t oneWrongIn = 20;
    if (word.size() < 2)
        return std::nullopt;
    std::vector<int> sides;
    for (const std::int32_t name : word)
        sides.push_back(sideOf(name));
    // Before a place backwards' kernels are wrong, behind it forwards'.
    auto wrong = static_cast<std::ptrdiff_t>(std::count(sides.begin(), sides.end(), -1));
    std::ptrdiff_t fewest = wrong;
    Cut cut;
    for (std::size_t at = 1; at < word.size(); ++at) {
        wrong += sides[at - 1];
        if (at == 1 || wrong < fewest) {
            fewest = wrong;
            cut.from = cut.to = at;
        } else if (wrong == fewest && cut.to == at - 1) {
            cut.to = at;
        }
    }
    if (static_cast<std::size_t>(fewest) * oneWrongIn > word.size())
        return std::nullopt;
    const std::size_t begin =
        longestOf(m_forwards, [&](const PassWord& one) { return beginsWith(word, one); });
    const std::size_t end =
        longestOf(m_backwards, [&](const PassWord& one) { return endsWith(word, one); });
    const bool none = begin == 0 && end == 0 &&
                      std::all_of(sides.begin(), sides.end(), [](int side) { return side == 0; });
    if (none && cut.from < cut.to)
        return std::nullopt;
    if (begin >= cut.from && begin <= cut.to)
        cut.from = begin;
    if (end > 0 && word.size() - end >= cut.from && word.size() - end <= cut.to)
        cut.to = word.size() - end;
    if ((cut.to - cut.from) * 2 >= word.size())
        return std::nullopt;
    cut.at = (cut.from + cut.to) / 2;
    return cut;
}

int passSaidBy(const std::string& kernel)
{
    constexpr std::array<std::string_view, 6> backwards = {"bwd",   "backward", "dgrad",
                                                           "wgrad", "grad_",    "_bprop"};
    constexpr std::array<std::string_view, 3> forwards = {"fwd", "forward", "fprop"};
    std::string small = kernel;
    std::transform(small.begin(), small.end(), small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto has = [&small](const auto& words) {
        return std::any_of(words.begin(), words.end(), [&small](std::string_view word) {
            return small.find(word) != std::string::npos;
        });
    };
    return (has(backwards) ? 1 : 0) - (has(forwards) ? 1 : 0);
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/group_ranks.h"

#include <algorithm>
#include <set>
#include <string>

namespace pw {

bool saysWord(std::string_view description, std::string_view shortWord, std::string_view longWord)
{
    std::string word;
    const auto ends = [&] {
        const bool is = word == shortWord || word == longWord;
        word.clear();
        return is;
    };
    for (const char c : description) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter)
            word += static_cast<char>(c | 0x20);
        else if (ends())
            return true;
    }
    return ends();
}

bool isBetweenReplicas(const ProcessGroup& group)
{
    return saysWord(group.description, "dp", "data");
}

std::vector<std::int32_t> listedRanks(const ProcessGroup& group)
{
    constexpr std::int32_t most = 1'000'000;
    std::vector<std::int32_t> ranks;
    std::int32_t number = -1;
    for (const char c : group.ranks + ",") {
        if (c >= '0' && c <= '9' && number < most)
            number = std::max(number, 0) * 10 + (c - '0');
        else if (number >= 0) {
            ranks.push_back(number);
            number = -1;
        }
    }
    return ranks;
}

std::vector<std::int32_t> ranksOf(const ProcessGroup& group)
{
    std::vector<std::int32_t> ranks = listedRanks(group);
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

std::vector<std::vector<std::int32_t>> tensorGroups(const Trace& trace)
{
    std::set<std::vector<std::int32_t>> groups;
    for (const ProcessGroup& group : trace.groups)
        if (group.listed() && saysWord(group.description, "tp", "tensor"))
            if (std::vector<std::int32_t> ranks = ranksOf(group); ranks.size() > 1)
                groups.insert(std::move(ranks));
    return {groups.begin(), groups.end()};
}

} // namespace pw

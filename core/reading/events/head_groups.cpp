// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/head_groups.h"

#include "core/trace/group_ranks.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// A rank of a job of any size is of some dozens.
constexpr std::size_t mostGroups = 4096;

/// What is told of the ranks of a group, in words.
std::string ranksText(const ProcessGroup& group)
{
    constexpr std::size_t longest = 60;
    if (group.ranks.empty())
        return std::to_string(group.size) + " ranks";
    if (group.ranks.size() <= longest)
        return "the ranks " + group.ranks;
    return "the ranks " + group.ranks.substr(0, group.ranks.find(',', longest)) + ", ...";
}

/// What a rank does by itself is said to be of one rank, and of none in particular.
bool isAlone(const ProcessGroup& group)
{
    return group.ranks.empty() && group.size == 1;
}

/// Whether the ranks of an event's group may be those of the head, as far as it lists them; a list
/// that is cut has its first ones and its last.
bool mayHaveRanksOf(const ProcessGroup& called, const ProcessGroup& head)
{
    const std::vector<std::int32_t> some = listedRanks(called), all = listedRanks(head);
    if (called.listed())
        return some == all;
    auto at = all.begin();
    for (const std::int32_t rank : some) {
        at = std::find(at, all.end(), rank);
        if (at == all.end())
            return false;
        ++at;
    }
    return called.size < 0 || called.size == head.size;
}

/// What head and events tell differently, as a part of a sentence; empty: nothing.
std::string differenceOf(const ProcessGroup& called, const ProcessGroup& head)
{
    if (!isAlone(called) && !mayHaveRanksOf(called, head))
        return "has " + ranksText(head) + ", and its events say " + ranksText(called);
    if (!called.description.empty() && !head.description.empty() &&
        called.description != cleanText(head.description))
        return "is '" + cleanText(head.description) + "', and its events say '" +
               called.description + "'";
    return {};
}

} // namespace

CollectiveField headGroupField(std::string_view key)
{
    return key == "pg_name"   ? CollectiveField::Group
           : key == "pg_desc" ? CollectiveField::Description
           : key == "pg_size" ? CollectiveField::Size
           : key == "ranks"   ? CollectiveField::Ranks
                              : CollectiveField::None;
}

void HeadGroups::take(const CollectiveArguments& said)
{
    ProcessGroup group{said.group, said.description, said.ranks,
                       static_cast<std::int32_t>(said.size), false};
    if (!group.listed())
        return; // it tells no more than its events
    if (m_groups.size() == mostGroups) {
        ++m_tooMany;
        return;
    }
    group.size = static_cast<std::int32_t>(listedRanks(group).size());
    m_groups.push_back(std::move(group));
}

void HeadGroups::finish(Trace& trace, TraceNames& names, std::size_t firstCall, EventFile& file)
{
    warnOfFile(trace, m_tooMany, " process groups of its head are beyond the 4,096 that are read");
    if (m_groups.empty())
        return;
    std::map<std::string, std::vector<std::size_t>> byName;
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        if (!m_groups[i].name.empty())
            byName[cleanText(m_groups[i].name)].push_back(i);
    std::vector<bool> called(m_groups.size(), false);
    std::map<std::int32_t, std::int32_t> places; // of an event's group, where it is then
    for (std::size_t i = firstCall; i < trace.calls.size(); ++i) {
        const std::int32_t number = trace.calls[i].group;
        if (number < 0 || !places.emplace(number, number).second)
            continue;
        const ProcessGroup group = trace.groups[static_cast<std::size_t>(number)];
        const auto known = byName.find(group.name);
        if (known == byName.end() || known->second.size() != 1)
            continue;
        const std::size_t at = known->second.front();
        const ProcessGroup& head = m_groups[at];
        if (const std::string difference = differenceOf(group, head); !difference.empty()) {
            called[at] = true;
            if (file.groupsDiffer.empty())
                file.groupsDiffer = trace.files.back() + ": the head says that process group '" +
                                    group.name + "' " + difference;
        } else if (isAlone(group) == isAlone(head)) {
            called[at] = true;
            ProcessGroup whole = head;
            if (group.listed())
                whole.size = group.size; // it is that very group, with its description
            places[number] = names.groupOf(whole);
        }
    }
    for (std::size_t i = firstCall; i < trace.calls.size(); ++i)
        if (std::int32_t& group = trace.calls[i].group; group >= 0)
            group = places.at(group);
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        if (!called[i])
            names.groupOf(m_groups[i]);
}

} // namespace pw

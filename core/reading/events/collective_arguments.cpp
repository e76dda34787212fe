// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/collective_arguments.h"

#include "core/reading/events/event_time.h"

namespace pw {

namespace {

/// A list longer than this is cut, so that it is not taken for a whole one.
constexpr std::size_t longestRanks = 65'536;
constexpr std::size_t longestGroup = 200;

void appendRank(std::string& ranks, std::string_view number)
{
    if (ranks.size() >= longestRanks)
        number = "...";
    if (ranks.size() < longestRanks + number.size())
        ranks.append(ranks.empty() ? "" : ", ").append(number);
}

/// Whether a list of ranks is numbers with ", " between them: as it is kept.
bool isPlainList(std::string_view list)
{
    bool digit = false;
    for (std::size_t at = 0; at < list.size(); ++at) {
        if (list[at] >= '0' && list[at] <= '9')
            digit = true;
        else if (digit && list[at] == ',' && at + 1 < list.size() && list[++at] == ' ')
            digit = false;
        else
            return false;
    }
    return digit && list.size() < longestRanks;
}

/// "[0, 2]" and "[0,2]" as "0, 2".
std::string ranksOf(std::string_view text)
{
    std::string ranks;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = text.find_first_not_of("[] ,\"", at);
        if (from == std::string_view::npos)
            break;
        at = std::min(text.find_first_of("[] ,\"", from), text.size());
        appendRank(ranks, text.substr(from, at - from));
    }
    return ranks;
}

} // namespace

CollectiveField collectiveField(std::string_view key)
{
    using enum CollectiveField;
    switch (key.size()) {
    case 3:
        return key == "Seq" ? Sequence : None;
    case 5:
        return key == "dtype" ? Type : None;
    case 8:
        return key == "Dst Rank" ? Receiver : key == "Src Rank" ? Sender : None;
    case 10:
        return key == "Group size" ? Size : None;
    case 13:
        return key == "In msg nelems" ? Sent : None;
    case 14:
        return key == "Out msg nelems" ? Received : None;
    case 15:
        return key == "Collective name" ? Operation : None;
    case 18:
        return key == "Process Group Name" ? Group : None;
    case 19:
        return key == "Process Group Ranks" ? Ranks : None;
    case 25:
        return key == "Process Group Description" ? Description : None;
    default:
        return None;
    }
}

void CollectiveArguments::clear()
{
    if (!any)
        return;
    any = false;
    operation.clear();
    group.clear();
    description.clear();
    ranks.clear();
    type.clear();
    size = sent = received = sequence = receiver = sender = -1;
}

void CollectiveArguments::take(CollectiveField field, std::string_view text)
{
    any = true;
    switch (field) {
    case CollectiveField::Operation:
        operation.assign(text.substr(0, longestGroup));
        break;
    case CollectiveField::Group:
        group.assign(text.substr(0, longestGroup));
        break;
    case CollectiveField::Description:
        description.assign(text.substr(0, longestGroup));
        break;
    case CollectiveField::Ranks:
        if (text.size() > 2 && text.front() == '[' && text.back() == ']' &&
            isPlainList(text.substr(1, text.size() - 2)))
            ranks.assign(text.substr(1, text.size() - 2));
        else
            ranks = ranksOf(text);
        break;
    case CollectiveField::Type:
        type.assign(text.substr(0, longestGroup));
        break;
    case CollectiveField::Size:
        size = smallNumber(text);
        break;
    case CollectiveField::Sent:
        sent = largeNumber(text);
        break;
    case CollectiveField::Received:
        received = largeNumber(text);
        break;
    case CollectiveField::Sequence:
        sequence = largeNumber(text);
        break;
    case CollectiveField::Receiver:
        receiver = smallNumber(text);
        break;
    case CollectiveField::Sender:
        sender = smallNumber(text);
        break;
    case CollectiveField::None:
        break;
    }
}

void CollectiveArguments::takeRank(std::string_view number)
{
    any = true;
    appendRank(ranks, number);
}

} // namespace pw

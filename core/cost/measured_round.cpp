// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/measured_round.h"

#include <algorithm>

namespace pw {

namespace {

void appendTimes(std::vector<Ticks>& to, const std::vector<Ticks>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

std::string describePlace(PassKind kind, StageId stage, int segment, int segments)
{
    std::string text = std::string(name(kind)) + " of stage " + std::to_string(stage);
    if (segments > 1 && kind != PassKind::U)
        text += ", segment " + std::to_string(segment);
    return text;
}

} // namespace

EntryKind kindOf(const OrderEntry& entry)
{
    if (!entry.paired)
        return {.kind = entry.pass.kind, .stage = entry.pass.stage, .segment = entry.pass.segment};
    const bool turned = entry.pass.kind != PassKind::F && entry.partner.kind == PassKind::F;
    const Pass& first = turned ? entry.partner : entry.pass;
    const Pass& second = turned ? entry.pass : entry.partner;
    return {first.kind,  first.stage,  first.segment, true,
            second.kind, second.stage, second.segment};
}

std::string describe(const EntryKind& kind, int segments)
{
    std::string text = describePlace(kind.kind, kind.stage, kind.segment, segments);
    if (kind.paired)
        text += " with " +
                describePlace(kind.partner, kind.partnerStage, kind.partnerSegment, segments);
    return text;
}

void append(MeasuredRound& to, const MeasuredRound& from)
{
    for (const auto& [kind, times] : from.entries)
        appendTimes(to.entries[kind], times);
    appendTimes(to.gaps, from.gaps);
    appendTimes(to.updateGaps, from.updateGaps);
    appendTimes(to.openings, from.openings);
    for (const auto& [kind, times] : from.messages)
        appendTimes(to.messages[kind], times);
}

void thin(std::vector<MeasuredRound>& rounds, std::size_t most)
{
    std::vector<std::vector<Ticks>*> lists;
    for (MeasuredRound& round : rounds) {
        for (auto& [kind, times] : round.entries)
            lists.push_back(&times);
        for (auto& [kind, times] : round.messages)
            lists.push_back(&times);
        lists.insert(lists.end(), {&round.gaps, &round.updateGaps, &round.openings});
    }
    std::size_t count = 0;
    for (const std::vector<Ticks>* list : lists)
        count += list->size();
    if (count <= most)
        return;
    const std::size_t step = (count + most - 1) / std::max<std::size_t>(most, 1);
    constexpr std::size_t least = 4;
    for (std::vector<Ticks>* list : lists) {
        const std::size_t size = list->size();
        const std::size_t kept = std::min(size, std::max(size / step, least));
        for (std::size_t i = 0; i < kept; ++i)
            (*list)[i] = (*list)[i * size / kept];
        list->resize(kept);
    }
}

} // namespace pw

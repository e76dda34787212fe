// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/rank_parts.h"

#include <iterator>
#include <optional>
#include <set>

namespace pw {

ProcessId RankParts::part(ProcessId process, std::int32_t number, const char* saidBy,
                          std::int32_t replica)
{
    const auto [found, made] =
        m_parts.try_emplace({process, number, replica}, ProcessId(m_file.processes.size()));
    if (made) {
        EventProcess one;
        one.id = m_file.processes[process.index()].id;
        one.rankSaid = number;
        one.saidBy = saidBy;
        one.replica = replica;
        m_file.processes.push_back(std::move(one));
    }
    return found->second;
}

ProcessId RankParts::said(ProcessId process, std::int32_t number, std::int32_t replica)
{
    EventProcess& first = m_file.processes[process.index()];
    if (first.rankSaid < 0) {
        first.rankSaid = number;
        first.replica = replica;
        return process;
    }
    const bool same = first.rankSaid == number && (replica < 0 || first.replica == replica);
    return same ? process : part(process, number, "arguments", replica);
}

RankParts::Places RankParts::placesOf(std::size_t firstTrack, std::vector<ProcessId>& into)
{
    std::set<std::int32_t> rules;
    for (const auto& [span, rule] : m_ruled)
        rules.insert(rule);
    Places places;
    for (std::size_t i = firstTrack; i < m_trace.tracks.size(); ++i) {
        const TraceTrack& track = m_trace.tracks[i];
        const ProcessId process = processOf(track.rank);
        const EventProcess owner = m_file.processes[process.index()];
        for (const std::int32_t rule : rules) {
            const std::optional<SpanName> place = m_names.rule(rule).readPlace(
                owner.name.empty() ? owner.id : owner.name, track.thread, m_trace.files.back());
            if (!place)
                continue;
            places.emplace(std::pair(static_cast<std::int32_t>(i), rule), *place);
            const std::int32_t number =
                place->rankNumber < 0 ? place->first.stage.value : place->rankNumber;
            if (number >= 0 && !into[i].valid())
                into[i] = part(process, number, "rules", place->replica);
        }
    }
    return places;
}

void RankParts::fillLabels(const Places& places)
{
    const auto fill = [](auto& mine, auto theirs) { mine = mine < 0 ? theirs : mine; };
    for (const auto& [index, rule] : m_ruled) {
        TraceSpan& span = m_trace.spans[index];
        const auto place = places.find({span.track, rule});
        if (place == places.end()) {
            span.label = -1;
            continue;
        }
        SpanLabel& label = m_trace.labels[static_cast<std::size_t>(span.label)];
        const SpanLabel& said = place->second.first;
        fill(label.stage, said.stage);
        fill(label.chunk, said.chunk);
        fill(label.microBatch, said.microBatch);
        fill(label.segment, said.segment);
        fill(label.iteration, said.iteration);
    }
}

void RankParts::placeByRules(std::size_t firstTrack)
{
    if (m_ruled.empty())
        return;
    std::vector<ProcessId> into(m_trace.tracks.size());
    fillLabels(placesOf(firstTrack, into));
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i) {
        TraceSpan& span = m_trace.spans[i];
        const ProcessId process = into[static_cast<std::size_t>(span.track)];
        if (!process.valid())
            continue;
        span.rank = rankAsYet(process);
        if (const SpanLabel* label = m_trace.labelOf(span);
            label != nullptr && label->role == SpanRole::Pass) {
            EventProcess& owner = m_file.processes[process.index()];
            ++owner.labelled;
            owner.onTheHost += span.trust == Trust::Device ? 0 : 1;
        }
    }
}

void RankParts::joinLone()
{
    std::vector<ProcessId> into(m_file.processes.size());
    bool any = false;
    for (auto at = m_parts.begin(); at != m_parts.end();) {
        const ProcessId process = std::get<0>(at->first);
        const auto next = m_parts.lower_bound({process + 1, -1, -1});
        EventProcess& whole = m_file.processes[process.index()];
        if (std::next(at) == next && whole.rankSaid < 0) {
            EventProcess& part = m_file.processes[at->second.index()];
            whole.rankSaid = part.rankSaid;
            whole.saidBy = part.saidBy;
            whole.replica = part.replica;
            whole.labelled += part.labelled;
            whole.onTheHost += part.onTheHost;
            part = {};
            into[at->second.index()] = process;
            any = true;
        }
        at = next;
    }
    for (std::size_t i = m_file.firstSpan; any && i < m_trace.spans.size(); ++i) {
        TraceRankId& rank = m_trace.spans[i].rank;
        if (const ProcessId process = into[processOf(rank).index()]; process.valid())
            rank = rankAsYet(process);
    }
}

} // namespace pw

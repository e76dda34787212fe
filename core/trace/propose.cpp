// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/propose.h"

#include "core/base/text.h"
#include "core/trace/propose_parts.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// What stays unknown of proposals, and what a person can do about it.
void sayUnknown(const Trace& trace, PassProposal& proposal)
{
    if (proposal.passes.empty())
        return;
    const bool anyStage = std::any_of(proposal.passes.begin(), proposal.passes.end(),
                                      [](const ProposedPass& one) { return one.stage >= 0; });
    const bool overlapped = std::any_of(proposal.passes.begin(), proposal.passes.end(),
                                        [](const ProposedPass& one) { return one.overlapped; });
    if (!anyStage)
        proposal.unknown.push_back(
            std::string("stages: kernels do not say which stage they are of, and ") +
            (trace.ranks.size() == 1 ? "the trace has one rank alone"
                                     : "no message between the ranks names one") +
            "; an example says it (--example)");
    proposal.unknown.emplace_back(
        overlapped ? "micro-batches: which one each half of an overlapped pair is of is not told; "
                     "they are counted in the order of their starts"
                   : "micro-batches: they are counted in the order of their starts, where "
                     "autograd's numbers do not lead from a backward to its F");
}

void sayRank(const Trace& trace, const ProposeRank& rank, const PassProposal& proposal,
             std::size_t first, std::vector<std::string>& notes)
{
    std::map<std::string, std::int64_t> counts;
    for (std::size_t i = first; i < proposal.passes.size(); ++i) {
        const ProposedPass& one = proposal.passes[i];
        if (one.inside < 0)
            ++counts[one.overlapped ? "F over a backward" : std::string(name(one.kind))];
    }
    const std::int32_t number = trace.ranks[rank.rank.index()].number;
    std::string text;
    for (const auto& [kind, count] : counts)
        text += (text.empty() ? "" : ", ") + groupedNumber(count) + " " + kind;
    notes.push_back("rank " + (number < 0 ? std::string("?") : std::to_string(number)) + ": " +
                    (text.empty() ? "nothing looks like a pass" : "proposed are " + text));
}

} // namespace

PassProposal propose(const Trace& trace, const ProposeOptions& options)
{
    PassProposal proposal;
    Ticks all = 0, covered = 0;
    for (ProposeRank& rank : proposeRanks(trace)) {
        if (options.goOn && !options.goOn())
            break;
        if (!options.examples.empty())
            applyExamples(trace, options.examples, options.goOn, rank, proposal.notes);
        const bool any =
            std::any_of(rank.items.begin(), rank.items.end(),
                        [](const ProposeItem& item) { return item.hint != ProposeHint::None; });
        for (const ProposeItem& item : rank.items)
            all += item.end - item.start;
        if (!any)
            continue;
        const std::size_t first = proposal.passes.size();
        const std::vector<ProposeState> states = explain(rank);
        const std::vector<ProposeSegment> segments = segmentsOf(trace, rank, states);
        describeSegments(trace, rank, segments, proposal);
        for (const ProposeSegment& segment : segments)
            for (const std::size_t i : segment.items)
                covered += rank.items[i].end - rank.items[i].start;
        sayRank(trace, rank, proposal, first, proposal.notes);
    }
    if (all > 0)
        proposal.covered = static_cast<double>(covered) / static_cast<double>(all);
    sayUnknown(trace, proposal);
    return proposal;
}

std::int64_t acceptProposal(Trace& trace, const PassProposal& proposal, double confidence)
{
    std::map<TraceRankId, std::int32_t> tracks;
    std::int64_t taken = 0;
    const auto append = [&trace](const ProposedPass& one, std::int32_t track, PassKind kind,
                                 std::int32_t name) {
        SpanLabel label;
        label.role = SpanRole::Pass;
        label.kind = kind;
        label.paired = one.overlapped;
        label.iteration = one.iteration;
        label.stage = one.stage;
        label.microBatch = one.microBatch;
        TraceSpan span;
        span.start = one.start;
        span.end = one.end;
        span.rank = one.rank;
        span.track = track;
        span.name = name;
        span.label = static_cast<std::int32_t>(trace.labels.size());
        span.trust = Trust::Guessed;
        span.activity = ActivityKind::Annotation;
        trace.labels.push_back(label);
        trace.spans.push_back(span);
    };
    const auto nameFor = [&trace](const std::string& text) {
        const auto known = std::find(trace.names.begin(), trace.names.end(), text);
        if (known == trace.names.end()) {
            trace.names.push_back(text);
            return static_cast<std::int32_t>(trace.names.size()) - 1;
        }
        return static_cast<std::int32_t>(known - trace.names.begin());
    };
    for (const ProposedPass& one : proposal.passes) {
        const bool update = one.kind == PassKind::U && !one.overlapped;
        if (one.inside >= 0 || one.confidence < confidence || one.microBatch < 0 || update)
            continue;
        const auto [track, made] =
            tracks.try_emplace(one.rank, static_cast<std::int32_t>(trace.tracks.size()));
        if (made)
            trace.tracks.push_back({one.rank, "proposed", "passes proposed", false, -1});
        ++taken;
        if (one.overlapped) {
            const std::int32_t name = nameFor("F over a backward (proposed)");
            append(one, track->second, PassKind::F, name);
            append(one, track->second, PassKind::BW, name);
            continue;
        }
        append(one, track->second, one.kind,
               nameFor(std::string(pw::name(one.kind)) + " (proposed)"));
    }
    return taken;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/proposal_report.h"

#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>

namespace pw::app {

namespace {

constexpr std::size_t mostProposedRows = 12;
constexpr double wholeInPercent = 100;

std::string kindText(const ProposedPass& one)
{
    return one.overlapped ? "F+BW" : std::string(name(one.kind));
}

std::string evidenceText(const ProposedPass& one)
{
    std::string text;
    for (const std::string& line : one.evidence)
        text += (text.empty() ? "" : "; ") + line;
    return text;
}

} // namespace

std::string proposalText(const Trace& trace, const PassProposal& proposal, bool all,
                         const Screen& screen)
{
    if (proposal.empty())
        return {};
    TextTable table(screen, {{"proposed", "", TextTable::Align::Left},
                             {"rank"},
                             {"from"},
                             {"time"},
                             {"kernels"},
                             {"stage"},
                             {"sure"}});
    std::string evidence;
    std::size_t shown = 0, left = 0;
    for (const ProposedPass& one : proposal.passes) {
        if (!all && shown >= mostProposedRows) {
            ++left;
            continue;
        }
        ++shown;
        const std::int32_t number = trace.ranks[one.rank.index()].number;
        table.append({(one.inside >= 0 ? "  " : "") + kindText(one) +
                          (one.microBatch >= 0 ? std::to_string(one.microBatch) : ""),
                      number < 0 ? "?" : std::to_string(number), millisecondText(one.start),
                      timeText(one.end - one.start), groupedNumber(one.items),
                      one.stage < 0 ? "?" : std::to_string(one.stage),
                      plainNumber(one.confidence * wholeInPercent, 2) + " %"});
        if (all || evidence.empty())
            evidence += wrapped(kindText(one) + " at " + millisecondText(one.start) + ": " +
                                    evidenceText(one),
                                screen.width, 4, 2);
    }
    std::string out = "\n" + screen.bold("passes that nobody labelled: proposals, no facts") +
                      "\n" + table.text();
    if (left > 0)
        out += "  and " + groupedNumber(static_cast<std::int64_t>(left)) +
               " more; --propose shows all, with what speaks for each\n";
    out += evidence;
    for (const std::string& note : proposal.notes)
        out += wrapped(note, screen.width, 4, 2);
    for (const std::string& unknown : proposal.unknown)
        out += wrapped("not known: " + unknown, screen.width, 4, 2);
    return out;
}

void proposalJson(JsonText& text, const Trace& trace, const PassProposal& proposal)
{
    text.key("proposals");
    text.beginArray();
    for (const ProposedPass& one : proposal.passes) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", trace.ranks[one.rank.index()].number);
        text.member("kind", std::string_view(kindText(one)));
        text.member("start_ms", msFromTicks(one.start));
        text.member("end_ms", msFromTicks(one.end));
        text.member("busy_ms", msFromTicks(one.busy));
        text.member("items", one.items);
        text.member("confidence", one.confidence);
        if (one.stage >= 0)
            text.member("stage", one.stage);
        if (one.microBatch >= 0)
            text.member("micro_batch", one.microBatch);
        if (one.iteration >= 0)
            text.member("iteration", one.iteration);
        if (one.inside >= 0)
            text.member("inside", one.inside);
        text.key("evidence");
        text.beginArray();
        for (const std::string& line : one.evidence)
            text.value(std::string_view(line));
        text.endArray();
        text.endObject();
    }
    text.endArray();
    text.member("proposed_share", proposal.covered);
    text.key("proposal_unknown");
    text.beginArray();
    for (const std::string& line : proposal.unknown)
        text.value(std::string_view(line));
    text.endArray();
}

} // namespace pw::app

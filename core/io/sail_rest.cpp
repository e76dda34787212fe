// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/io/sail_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

/// "0 to 4, 6"
std::string rangesText(const std::set<std::int32_t>& numbers)
{
    std::string text;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const std::int32_t first = *at;
        std::int32_t last = first;
        for (++at; at != numbers.end() && *at == last + 1; ++at)
            last = *at;
        text += text.empty() ? "" : ", ";
        text += std::to_string(first);
        if (last > first)
            text += (last == first + 1 ? ", " : " to ") + std::to_string(last);
    }
    return text;
}

/// How many activations a rank holds at once, transfers counted or not.
struct Held
{
    int now = 0;
    int most = 0;

    void add(int change)
    {
        now += change;
        most = std::max(most, now);
    }
};

/// Follows the activations of a rank to the host and back.
class RankOffloads
{
public:
    RankOffloads(std::int32_t rank, SailPlan& plan)
        : m_rank(rank)
        , m_plan(plan)
    {
    }

    void take(const SailNode& node)
    {
        if (isSailPass(node.kind))
            takePass(node);
        else if (isSailOffload(node.kind))
            takeTransfer(node);
    }

    void tell()
    {
        for (const auto& [key, trip] : m_trips)
            if (trip.begun && !trip.returned)
                note(trip.place, nameOf(key) + " goes to the host and does not come back");
        if (m_done.empty())
            return;
        std::map<std::int32_t, std::set<std::int32_t>> byStage;
        for (const SailOffload& one : m_done)
            byStage[one.forward.stage].insert(one.forward.microBatch);
        std::string text =
            "rank " + std::to_string(m_rank) + " offloads " +
            counted(static_cast<std::int64_t>(m_done.size()), "%1 activation", "%1 activations") +
            ":";
        const char* separator = " ";
        for (const auto& [stage, microBatches] : byStage) {
            text += separator + ("stage " + std::to_string(stage)) +
                    (microBatches.size() == 1 ? ", micro-batch " : ", micro-batches ") +
                    rangesText(microBatches);
            separator = "; ";
        }
        text += "; " + copies() + "away " + lengths() + ", at most " + std::to_string(m_mostAway) +
                " at once; it holds at most " + std::to_string(m_heldWith.most) + " in place of " +
                std::to_string(m_held.most);
        m_plan.notes.add({}, text);
        m_plan.offloads.insert(m_plan.offloads.end(), m_done.begin(), m_done.end());
    }

private:
    using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

    struct Trip
    {
        bool begun = false;
        bool gone = false;     // the way out has ended
        bool prepared = false; // has memory again
        bool returned = false; // the way back has begun
        std::optional<double> begin;
        std::optional<double> left;
        std::int64_t leftAt = 0; // passes of the rank by then
        FilePlace place;
    };

    static Key keyOf(const SailNode& node) { return {node.group, node.microBatch, node.segment}; }

    static std::string nameOf(const Key& key)
    {
        return "the activation of micro-batch " + std::to_string(std::get<1>(key)) + " on stage " +
               std::to_string(std::get<0>(key));
    }

    void note(FilePlace place, const std::string& text) { m_plan.notes.add(place, text); }

    void takePass(const SailNode& node)
    {
        ++m_passes;
        if (node.kind == SailKind::F) {
            m_held.add(1);
            m_heldWith.add(1);
        } else if (node.kind == SailKind::W || node.kind == SailKind::BW) {
            m_held.add(-1);
            m_heldWith.add(-1);
        }
        if (node.kind != SailKind::B && node.kind != SailKind::BW)
            return;
        const auto trip = m_trips.find(keyOf(node));
        if (trip != m_trips.end() && trip->second.begun && !trip->second.returned)
            note(node.place, nameOf(keyOf(node)) + " is needed here and is still on the host");
    }

    void takeTransfer(const SailNode& node)
    {
        Trip& trip = m_trips[keyOf(node)];
        switch (node.kind) {
        case SailKind::OffloadSendStart:
            trip.begun = true;
            trip.begin = node.start;
            trip.place = node.place;
            break;
        case SailKind::OffloadSendEnd:
            trip.gone = true;
            trip.left = node.end ? node.end : node.start;
            trip.leftAt = m_passes;
            m_heldWith.add(-1);
            m_mostAway = std::max(m_mostAway, ++m_away);
            break;
        case SailKind::OffloadRecvPrep:
            comeBack(trip, node);
            break;
        case SailKind::OffloadRecvStart:
            comeBack(trip, node); // older plans have no PREP
            trip.returned = true;
            break;
        default:
            break;
        }
    }

    static std::optional<Ticks> between(std::optional<double> from, std::optional<double> to)
    {
        if (!from || !to)
            return std::nullopt;
        return static_cast<Ticks>(std::llround(1000 * std::max(*to - *from, 0.0)));
    }

    void comeBack(Trip& trip, const SailNode& node)
    {
        if (!trip.gone) {
            note(node.place, nameOf(keyOf(node)) + " comes back before it has left");
            trip.gone = trip.prepared = true;
            return;
        }
        if (trip.prepared)
            return;
        trip.prepared = true;
        --m_away;
        m_heldWith.add(1);
        SailOffload done;
        done.rank = m_rank;
        done.forward = {PassKind::F, 0, StageId(node.group), node.microBatch, node.segment};
        done.passesBetween = static_cast<std::int32_t>(m_passes - trip.leftAt);
        done.copy = between(trip.begin, trip.left);
        done.away = between(trip.left, node.start);
        m_done.push_back(done);
    }

    template<typename Value, typename Text>
    static std::string range(Value least, Value most, Text text)
    {
        return least == most ? text(least) : text(least) + " to " + text(most);
    }

    /// "a copy takes 1.5 ms; "
    std::string copies() const
    {
        std::optional<Ticks> shortest;
        std::optional<Ticks> longest;
        for (const SailOffload& one : m_done) {
            if (!one.copy)
                return {};
            shortest = std::min(shortest.value_or(*one.copy), *one.copy);
            longest = std::max(longest.value_or(*one.copy), *one.copy);
        }
        return "a copy takes " + range(*shortest, *longest, timeText) + "; ";
    }

    /// "for 12.5 to 40.1 ms, while 7 to 12 passes run"
    std::string lengths() const
    {
        std::int32_t least = m_done.front().passesBetween;
        std::int32_t most = least;
        std::optional<Ticks> shortest = m_done.front().away;
        std::optional<Ticks> longest = shortest;
        for (const SailOffload& one : m_done) {
            least = std::min(least, one.passesBetween);
            most = std::max(most, one.passesBetween);
            if (!shortest || !one.away) {
                shortest.reset();
                continue;
            }
            shortest = std::min(*shortest, *one.away);
            longest = std::max(*longest, *one.away);
        }
        std::string text = "while " +
                           range(least, most, [](std::int32_t n) { return std::to_string(n); }) +
                           (most == 1 ? " pass runs" : " passes run");
        if (shortest)
            text = "for " + range(*shortest, *longest, timeText) + ", " + text;
        return text;
    }

    std::int32_t m_rank;
    SailPlan& m_plan;
    std::map<Key, Trip> m_trips;
    std::vector<SailOffload> m_done;
    std::int64_t m_passes = 0;
    int m_away = 0;
    int m_mostAway = 0;
    Held m_held;
    Held m_heldWith;
};

/// Sends and receives that the order asks for: results that cross from a rank to another.
std::int64_t crossings(const PipelineSpec& spec)
{
    std::int64_t count = 0;
    for (StageId stage(1); stage < spec.stages(); ++stage)
        count += spec.device(0, stage) != spec.device(0, stage - 1) ? 2 : 0;
    return count * spec.microBatches * spec.segments();
}

void tellLeftOut(const SailNodes& nodes, SailPlan& plan)
{
    std::int64_t sends = 0;
    std::int64_t receives = 0;
    std::int64_t transfers = 0;
    std::int64_t barriers = 0;
    std::int64_t checks = 0;
    std::int64_t vocabulary = 0;
    for (const SailNode& node : nodes.nodes) {
        sends += node.kind == SailKind::SendForward || node.kind == SailKind::SendBackward ? 1 : 0;
        receives +=
            node.kind == SailKind::RecvForward || node.kind == SailKind::RecvBackward ? 1 : 0;
        transfers += isSailOffload(node.kind) ? 1 : 0;
        barriers += node.kind == SailKind::Barrier ? 1 : 0;
        checks += node.kind == SailKind::PostValidation ? 1 : 0;
        vocabulary += node.kind == SailKind::Vocabulary ? 1 : 0;
    }
    Sentence left;
    const auto leave = [&left](std::int64_t count, Pattern<std::int64_t> one,
                               Pattern<std::int64_t> many) {
        if (count > 0)
            left = left.empty() ? counted(count, one, many)
                                : said("%1, %2", left, counted(count, one, many));
    };
    leave(sends, "%1 send", "%1 sends");
    leave(receives, "%1 receive", "%1 receives");
    leave(transfers, "%1 offload node", "%1 offload nodes");
    leave(barriers, "%1 offload barrier", "%1 offload barriers");
    leave(checks, "%1 post-validation node", "%1 post-validation nodes");
    leave(vocabulary, "%1 node of a split vocabulary", "%1 nodes of a split vocabulary");
    if (!left.empty())
        plan.notes.add({}, said("left out of the order: %1", left));
    const std::int64_t wanted = crossings(plan.draft.spec);
    if (sends + receives > 0 && (sends != wanted || receives != wanted))
        plan.notes.add({}, said("%1 from a rank to another, and the plan has %2 and %3",
                                counted(wanted, "%1 result crosses", "%1 results cross"),
                                counted(sends, "%1 send", "%1 sends"),
                                counted(receives, "%1 receive", "%1 receives")));
}

} // namespace

void tellSailRest(const SailNodes& nodes, SailPlan& plan)
{
    tellLeftOut(nodes, plan);
    std::int64_t recomputed = 0;
    bool recomputePasses = false;
    std::vector<RankOffloads> ranks;
    for (int rank = 0; rank < plan.draft.spec.devices; ++rank)
        ranks.emplace_back(rank, plan);
    for (const SailNode& node : nodes.nodes) {
        recomputed += node.kind == SailKind::F && node.recompute ? 1 : 0;
        recomputePasses |= node.kind == SailKind::R;
        ranks[static_cast<std::size_t>(node.rank)].take(node);
    }
    for (RankOffloads& rank : ranks)
        rank.tell();
    if (recomputed > 0 && !recomputePasses)
        plan.notes.add({}, said("%1 need_recompute and there are no R nodes: the recompute is part "
                                "of the backwards",
                                counted(recomputed, "%1 forward says", "%1 forwards say")));
}

} // namespace pw

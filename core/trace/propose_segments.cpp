// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/propose_parts.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace pw {

namespace {

/// What a change of kind costs; evidence against a kind costs as below.
constexpr double changeCost = 2;
/// A kernel without evidence in a stretch of a kind: so much that hundreds of them are in none.
constexpr double silentCost = 0.02;

double weightOf(HintSource source)
{
    switch (source) {
    case HintSource::Example:
        return 20;
    case HintSource::Range:
        return 8;
    case HintSource::Autograd:
        return 6;
    case HintSource::Linked:
    case HintSource::Step:
        return 5;
    case HintSource::Name:
        return 3;
    case HintSource::Learned:
        return 1.5;
    case HintSource::None:
        break;
    }
    return 0;
}

double costOf(const ProposeItem& item, ProposeState state)
{
    const double against = weightOf(item.source);
    switch (item.hint) {
    case ProposeHint::None:
        return state == ProposeState::Other ? 0 : silentCost;
    case ProposeHint::F:
        return state == ProposeState::F ? 0 : against;
    case ProposeHint::U:
        return state == ProposeState::U ? 0 : against;
    case ProposeHint::Backward:
        // Other kernels stand between those of W, few of them.
        return state == ProposeState::B ? 0 : state == ProposeState::W ? 0.4 : against;
    case ProposeHint::B:
        return state == ProposeState::B ? 0 : against;
    case ProposeHint::W:
        // Where B and W alternate kernel by kernel they are one backward.
        return state == ProposeState::W                                       ? 0
               : state == ProposeState::B && item.source != HintSource::Range ? 1.5
                                                                              : against;
    }
    return 0;
}

void explainTrack(const std::vector<ProposeItem>& items, std::size_t first, std::size_t behind,
                  std::vector<ProposeState>& states)
{
    std::array<double, proposeStateCount> cost{};
    std::vector<std::array<std::uint8_t, proposeStateCount>> from(behind - first);
    for (std::size_t i = first; i < behind; ++i) {
        const auto least =
            static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
        // Where an example begins or ends anything may follow.
        const double change = items[i].begins ? 0 : changeCost;
        std::array<double, proposeStateCount> next{};
        for (std::size_t s = 0; s < proposeStateCount; ++s) {
            const bool stays = cost[s] <= cost[least] + change;
            from[i - first][s] = static_cast<std::uint8_t>(stays ? s : least);
            next[s] = (stays ? cost[s] : cost[least] + change) +
                      costOf(items[i], static_cast<ProposeState>(s));
        }
        cost = next;
    }
    auto state =
        static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
    for (std::size_t i = behind; i-- > first;) {
        states[i] = static_cast<ProposeState>(state);
        state = from[i - first][state];
    }
}

/// What launched kernels of a name elsewhere says more than the name: where the launches of some
/// are in the file and those of others are not.
void learnLaunches(std::vector<ProposeItem>& items)
{
    std::unordered_map<std::int32_t, std::array<std::int64_t, 4>> counts; // F, backward, U; all
    const auto launched = [](const ProposeItem& item) {
        return item.source == HintSource::Range || item.source == HintSource::Autograd ||
               item.source == HintSource::Linked || item.source == HintSource::Step;
    };
    for (const ProposeItem& item : items)
        if (launched(item)) {
            auto& of = counts[item.name];
            ++of[item.hint == ProposeHint::F ? 0 : item.hint == ProposeHint::U ? 2 : 1];
            ++of[3];
        }
    constexpr std::array<ProposeHint, 3> hints = {ProposeHint::F, ProposeHint::Backward,
                                                  ProposeHint::U};
    for (ProposeItem& item : items) {
        const auto found = counts.find(item.name);
        if (found == counts.end() ||
            (item.source != HintSource::Name && item.source != HintSource::None))
            continue;
        const auto& of = found->second;
        const auto most = std::max_element(of.begin(), of.begin() + 3);
        constexpr std::int64_t enough = 2, tenth = 10, nine = 9;
        const bool clear = of[3] >= enough && *most * tenth >= of[3] * nine;
        item.hint = clear ? hints[static_cast<std::size_t>(most - of.begin())] : ProposeHint::None;
        item.source = clear ? HintSource::Learned : HintSource::None;
    }
}

/// Kernels without evidence whose name is nearly always of one kind get that as a hint.
void learnNames(std::vector<ProposeItem>& items, const std::vector<ProposeState>& states)
{
    std::unordered_map<std::int32_t, std::array<std::int64_t, proposeStateCount>> counts;
    // Those near evidence count; far from it the neighbours say nothing.
    constexpr std::size_t near = 10;
    std::size_t last = items.size();
    for (int back = 0; back < 2; ++back)
        for (std::size_t k = 0; k < items.size(); ++k) {
            const std::size_t i = back == 0 ? k : items.size() - 1 - k;
            if (items[i].hint != ProposeHint::None)
                last = i;
            const bool close = last < items.size() && items[last].track == items[i].track &&
                               (i > last ? i - last : last - i) <= near;
            if (items[i].hint == ProposeHint::None)
                ++counts[items[i].name]
                        [close ? static_cast<std::size_t>(states[i]) : proposeStateCount - 1];
            if (k + 1 == items.size())
                last = items.size();
        }
    constexpr std::array<ProposeHint, proposeStateCount> hints = {
        ProposeHint::F, ProposeHint::Backward, ProposeHint::W, ProposeHint::U, ProposeHint::None};
    for (ProposeItem& item : items) {
        if (item.hint != ProposeHint::None)
            continue;
        const auto& of = counts[item.name];
        std::int64_t all = 0;
        for (const std::int64_t one : of)
            all += one;
        const auto most = std::max_element(of.begin(), of.end());
        constexpr std::int64_t enough = 3, tenth = 10, nine = 9;
        if (all >= enough && *most * tenth >= all * nine &&
            hints[static_cast<std::size_t>(most - of.begin())] != ProposeHint::None) {
            item.hint = hints[static_cast<std::size_t>(most - of.begin())];
            item.source = HintSource::Learned;
        }
    }
}

/// Marks the first items of passes inside a stretch of one kind. `marks` is parallel to its items.
struct Cuts
{
    std::vector<bool> message, numbers, repeat, example;

    explicit Cuts(std::size_t count)
        : message(count, false)
        , numbers(count, false)
        , repeat(count, false)
        , example(count, false)
    {
    }
    bool any(std::size_t i) const { return message[i] || numbers[i] || repeat[i] || example[i]; }
};

/// Sends and receives begin between passes.
void cutAtMessages(const ProposeRank& rank, const ProposeSegment& segment, Cuts& cuts)
{
    constexpr std::size_t fewest = 3; // items of a pass
    std::size_t last = 0;
    for (std::size_t i = fewest; i + fewest <= segment.items.size(); ++i) {
        const Ticks before = rank.items[segment.items[i - 1]].start;
        const Ticks here = rank.items[segment.items[i]].start;
        const auto message = std::upper_bound(rank.messages.begin(), rank.messages.end(), before);
        if (message != rank.messages.end() && *message <= here && i - last >= fewest) {
            cuts.message[i] = true;
            last = i;
        }
    }
}

/// Within one backward the operators are those of ever earlier forwards: the first is of the last.
void cutBackwards(const Trace& trace, const ProposeRank& rank, const ProposeSegment& segment,
                  Cuts& cuts)
{
    Ticks latest = std::numeric_limits<Ticks>::max();
    for (std::size_t i = 0; i < segment.items.size(); ++i) {
        const std::int32_t forward = rank.items[segment.items[i]].forward;
        if (forward < 0)
            continue;
        const Ticks time = trace.spans[static_cast<std::size_t>(forward)].start;
        if (latest != std::numeric_limits<Ticks>::max() && time > latest)
            cuts.numbers[i] = true;
        if (latest == std::numeric_limits<Ticks>::max() || time > latest)
            latest = time;
    }
}

/// Where the operators' backwards are in another stretch than before.
void cutForwards(const ProposeRank& rank, const ProposeSegment& segment,
                 const std::unordered_map<std::int32_t, std::size_t>& backwardOf, Cuts& cuts)
{
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::size_t partner = none, lastPlace = 0;
    for (std::size_t i = 0; i < segment.items.size(); ++i) {
        const auto found = backwardOf.find(rank.items[segment.items[i]].forward);
        if (found == backwardOf.end())
            continue;
        if (partner != none && found->second != partner) {
            // What is between them belongs to either; the longest gap tells them apart.
            std::size_t at = i;
            Ticks longest = -1;
            for (std::size_t k = lastPlace + 1; k <= i; ++k) {
                const Ticks gap =
                    rank.items[segment.items[k]].start - rank.items[segment.items[k - 1]].end;
                if (gap > longest) {
                    longest = gap;
                    at = k;
                }
            }
            cuts.numbers[at] = true;
        }
        partner = found->second;
        lastPlace = i;
    }
}

void cutAtExamples(const ProposeRank& rank, const ProposeSegment& segment, Cuts& cuts)
{
    for (std::size_t i = 1; i < segment.items.size(); ++i)
        cuts.example[i] = rank.items[segment.items[i]].begins;
}

void cutInto(const ProposeRank& rank, const ProposeSegment& segment, const Cuts& cuts,
             std::vector<ProposeSegment>& out)
{
    ProposeSegment part = segment;
    part.items.clear();
    const auto close = [&rank, &out](ProposeSegment& one) {
        if (one.items.empty())
            return;
        one.start = rank.items[one.items.front()].start;
        one.end = one.start;
        for (const std::size_t i : one.items)
            one.end = std::max(one.end, rank.items[i].end);
        out.push_back(one);
    };
    for (std::size_t i = 0; i < segment.items.size(); ++i) {
        if (i > 0 && cuts.any(i)) {
            close(part);
            part.items.clear();
            part.cutByMessage = cuts.message[i];
            part.cutByNumbers = cuts.numbers[i];
            part.cutByRepeat = cuts.repeat[i];
            part.cutByExample = cuts.example[i];
        }
        part.items.push_back(segment.items[i]);
    }
    close(part);
}

/// Stretches of one kind on each track; on several tracks they join where they touch.
std::vector<ProposeSegment> stretchesOf(const ProposeRank& rank,
                                        const std::vector<ProposeState>& states)
{
    std::vector<ProposeSegment> runs;
    for (std::size_t i = 0; i < rank.items.size(); ++i) {
        const ProposeItem& item = rank.items[i];
        const bool same = i > 0 && rank.items[i - 1].track == item.track &&
                          states[i - 1] == states[i] && !runs.empty();
        if (states[i] == ProposeState::Other)
            continue;
        if (!same)
            runs.push_back({states[i], item.start, item.end, {}, false, false, false, false});
        runs.back().items.push_back(i);
        runs.back().end = std::max(runs.back().end, item.end);
    }
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return std::tie(a.start, a.end) < std::tie(b.start, b.end);
    });
    std::vector<ProposeSegment> joined;
    for (ProposeSegment& run : runs) {
        // The last few may still run when a further one of their kind begins.
        constexpr std::size_t back = 4;
        ProposeSegment* into = nullptr;
        for (std::size_t k = joined.size(); k-- > 0 && joined.size() - k <= back;)
            if (joined[k].state == run.state &&
                (k + 1 == joined.size() || run.start < joined[k].end)) {
                into = &joined[k];
                break;
            }
        if (into == nullptr) {
            joined.push_back(std::move(run));
            continue;
        }
        into->items.insert(into->items.end(), run.items.begin(), run.items.end());
        into->end = std::max(into->end, run.end);
    }
    for (ProposeSegment& one : joined)
        std::stable_sort(one.items.begin(), one.items.end(), [&rank](std::size_t a, std::size_t b) {
            return rank.items[a].start < rank.items[b].start;
        });
    return joined;
}

/// A stretch that is another one of its kind several times over is cut there.
void cutRepeats(const ProposeRank& rank, std::vector<ProposeSegment>& segments)
{
    constexpr std::size_t head = 3, fewest = 6;
    const auto nameAt = [&rank](const ProposeSegment& one, std::size_t i) {
        return rank.items[one.items[i]].name;
    };
    std::vector<ProposeSegment> out;
    for (const ProposeSegment& segment : segments) {
        Cuts cuts(segment.items.size());
        for (const ProposeSegment& shorter : segments) {
            const std::size_t length = shorter.items.size();
            if (shorter.state != segment.state || length < fewest ||
                segment.items.size() < 2 * length - length / 20)
                continue;
            const std::size_t times = (segment.items.size() + length / 2) / length;
            const std::size_t off = times * length > segment.items.size()
                                        ? times * length - segment.items.size()
                                        : segment.items.size() - times * length;
            bool alike = off * 50 <= segment.items.size();
            for (std::size_t k = 0; alike && k < times; ++k)
                for (std::size_t i = 0; alike && i < head; ++i)
                    alike = k * length + i < segment.items.size() &&
                            nameAt(segment, k * length + i) == nameAt(shorter, i);
            if (!alike)
                continue;
            for (std::size_t k = 1; k < times; ++k)
                cuts.repeat[k * length] = true;
            break;
        }
        cutInto(rank, segment, cuts, out);
    }
    segments = std::move(out);
}

} // namespace

std::vector<ProposeState> explain(ProposeRank& rank)
{
    std::vector<ProposeItem>& items = rank.items;
    // What an operator of the host is called says little: all passes have the same ones.
    if (rank.device)
        learnLaunches(items);
    std::vector<ProposeState> states(items.size(), ProposeState::Other);
    for (int round = 0; round < 2; ++round) {
        for (std::size_t first = 0; first < items.size();) {
            std::size_t behind = first;
            while (behind < items.size() && items[behind].track == items[first].track)
                ++behind;
            explainTrack(items, first, behind, states);
            first = behind;
        }
        if (round == 0 && rank.device)
            learnNames(items, states);
    }
    return states;
}

std::vector<ProposeSegment> segmentsOf(const Trace& trace, const ProposeRank& rank,
                                       const std::vector<ProposeState>& states)
{
    const std::vector<ProposeSegment> stretches = stretchesOf(rank, states);
    const auto isBackwardState = [](const ProposeSegment& one) {
        return one.state == ProposeState::B || one.state == ProposeState::W;
    };
    std::vector<ProposeSegment> backwards, segments;
    for (const ProposeSegment& one : stretches) {
        if (!isBackwardState(one))
            continue;
        Cuts cuts(one.items.size());
        cutAtMessages(rank, one, cuts);
        cutBackwards(trace, rank, one, cuts);
        cutAtExamples(rank, one, cuts);
        cutInto(rank, one, cuts, backwards);
    }
    std::unordered_map<std::int32_t, std::size_t> backwardOf; // by the forward operator
    for (std::size_t i = 0; i < backwards.size(); ++i)
        for (const std::size_t item : backwards[i].items)
            if (backwards[i].state == ProposeState::B && rank.items[item].forward >= 0)
                backwardOf.emplace(rank.items[item].forward, i);
    for (const ProposeSegment& one : stretches) {
        if (isBackwardState(one))
            continue;
        Cuts cuts(one.items.size());
        if (one.state == ProposeState::F) {
            cutAtMessages(rank, one, cuts);
            cutForwards(rank, one, backwardOf, cuts);
            cutAtExamples(rank, one, cuts);
        }
        cutInto(rank, one, cuts, segments);
    }
    segments.insert(segments.end(), backwards.begin(), backwards.end());
    cutRepeats(rank, segments);
    std::stable_sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) {
        return std::tie(a.start, a.end) < std::tie(b.start, b.end);
    });
    return segments;
}

} // namespace pw

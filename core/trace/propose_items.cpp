// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/message_split.h"
#include "core/trace/nested_spans.h"
#include "core/trace/propose_parts.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

namespace pw {

namespace {

std::string loweredText(std::string_view name)
{
    constexpr std::size_t enough = 1024;
    std::string lowered(name.substr(0, enough));
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    // A template's way to hand something on is not a direction.
    for (std::size_t at = lowered.find("std::forward"); at != std::string::npos;
         at = lowered.find("std::forward", at))
        lowered.erase(at, std::string_view("std::forward").size());
    return lowered;
}

template<std::size_t N>
bool anyOf(const std::string& text, const std::array<std::string_view, N>& parts)
{
    return std::any_of(parts.begin(), parts.end(), [&text](std::string_view part) {
        return text.find(part) != std::string::npos;
    });
}

/// What spans of the host say of a moment on their thread.
enum class HostWord : std::uint8_t
{
    PartF, ///< a range that names its kind
    PartB,
    PartW,
    Backward,
    Linked,
    Optimizer
};

/// The spans of a rank's host that say something, and its launches.
struct HostWords
{
    std::vector<NestedSpans::Item> items;
    std::vector<HostWord> words;                          // by id of an item
    std::vector<std::int32_t> forwards;                   // likewise: span of the forward operator;
                                                          // of a range its name
    std::vector<std::pair<Ticks, std::int32_t>> launches; // start, track; sorted
    NestedSpans nested;
};

bool isBackwardOperator(std::string_view name)
{
    constexpr std::string_view engine = "autograd::engine::evaluate_function";
    if (name.substr(0, engine.size()) == engine)
        return true;
    const std::size_t at = name.rfind("Backward");
    if (at == std::string_view::npos || at == 0)
        return false;
    const std::string_view rest = name.substr(at + std::string_view("Backward").size());
    return rest.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isOptimizerWord(std::string_view name)
{
    const std::string lowered = loweredText(name);
    return lowered.find("optimizer") != std::string::npos &&
           lowered.find("zero_grad") == std::string::npos;
}

void addWord(HostWords& host, const TraceSpan& span, HostWord word, std::int32_t forward)
{
    host.items.push_back(
        {span.track, span.start, span.end, static_cast<std::int32_t>(host.words.size())});
    host.words.push_back(word);
    host.forwards.push_back(forward);
}

struct Links
{
    std::unordered_map<std::int32_t, std::int32_t> forwardOf; // a backward's operator
    std::unordered_map<std::int32_t, bool> forwards;
};

Links linksOf(const Trace& trace)
{
    Links links;
    for (const TraceLink& link : trace.links) {
        links.forwardOf.emplace(link.to, link.from);
        links.forwards.emplace(link.from, true);
    }
    return links;
}

/// What names mean, once for each.
struct NameFacts
{
    ProposeHint hint = ProposeHint::None;
    ProposeHint range = ProposeHint::None;
    bool backward = false;
    bool optimizer = false;
    bool message = false;
    bool expert = false;
};

std::vector<NameFacts> factsOf(const Trace& trace)
{
    constexpr std::array<std::string_view, 8> experts = {
        "dispatch", "combine", "alltoall", "all_to_all", "all2all", "deep_ep", "deepep", "a2a"};
    constexpr std::array<std::string_view, 6> messages = {"gloo:send", "gloo:recv",  "nccl:send",
                                                          "nccl:recv", "c10d::send", "c10d::recv_"};
    std::vector<NameFacts> facts(trace.names.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const std::string& name = trace.names[i];
        facts[i].hint = hintOfName(name);
        facts[i].range = hintOfRange(name);
        facts[i].backward = isBackwardOperator(name);
        facts[i].optimizer = isOptimizerWord(name);
        const std::string lowered = loweredText(name);
        facts[i].message = isSendReceiveKernel(name) ||
                           std::find(messages.begin(), messages.end(), lowered) != messages.end();
        facts[i].expert = anyOf(lowered, experts) && !facts[i].message;
    }
    return facts;
}

void takeHint(ProposeItem& item, ProposeHint hint, HintSource source)
{
    if (item.hint != ProposeHint::None || hint == ProposeHint::None)
        return;
    item.hint = hint;
    item.source = source;
}

HostWord wordOf(ProposeHint range)
{
    return range == ProposeHint::F   ? HostWord::PartF
           : range == ProposeHint::B ? HostWord::PartB
                                     : HostWord::PartW;
}

/// The innermost range around a moment that names its kind says more than operators and names do.
void hintFromRange(const HostWords& host, std::int32_t track, Ticks time, ProposeItem& item)
{
    host.nested.around(track, time, [&](std::int32_t id) {
        const HostWord word = host.words[static_cast<std::size_t>(id)];
        if (word > HostWord::PartW)
            return false;
        constexpr std::array<ProposeHint, 3> hints = {ProposeHint::F, ProposeHint::B,
                                                      ProposeHint::W};
        takeHint(item, hints[static_cast<std::size_t>(word)], HintSource::Range);
        item.range = host.forwards[static_cast<std::size_t>(id)];
        return true;
    });
}

/// A moment on a thread: what is around it, the innermost that says something.
void hintFromHost(const HostWords& host, std::int32_t track, Ticks time, ProposeHint named,
                  ProposeItem& item)
{
    host.nested.around(track, time, [&](std::int32_t id) {
        const auto at = static_cast<std::size_t>(id);
        switch (host.words[at]) {
        case HostWord::PartF:
        case HostWord::PartB:
        case HostWord::PartW:
            return false;
        case HostWord::Backward: {
            const bool part = named == ProposeHint::W || named == ProposeHint::B;
            takeHint(item, part ? named : ProposeHint::Backward, HintSource::Autograd);
            if (item.forward < 0)
                item.forward = host.forwards[at];
            // The operator around it may know the number.
            return item.forward >= 0;
        }
        case HostWord::Linked:
            if (item.hint == ProposeHint::None)
                item.forward = host.forwards[at];
            takeHint(item, ProposeHint::F, HintSource::Linked);
            // A forward inside a backward is computed once more.
            return false;
        case HostWord::Optimizer:
            takeHint(item, ProposeHint::U, HintSource::Step);
            return true;
        }
        return true;
    });
}

/// Autograd's engine calls an operator's backward, which may call others.
void findOperation(const HostWords& host, std::int32_t track, Ticks time, ProposeItem& item)
{
    host.nested.around(track, time, [&](std::int32_t id) {
        if (host.words[static_cast<std::size_t>(id)] == HostWord::Backward)
            item.operation = id;
        return false;
    });
}

/// A forward that is run again inside a backward is part of it.
void hintFromBackwardAround(const HostWords& host, std::int32_t track, Ticks time,
                            ProposeItem& item)
{
    if (item.source != HintSource::Linked)
        return;
    host.nested.around(track, time, [&](std::int32_t id) {
        if (host.words[static_cast<std::size_t>(id)] != HostWord::Backward)
            return false;
        item.hint = ProposeHint::Backward;
        item.source = HintSource::Autograd;
        item.forward = host.forwards[static_cast<std::size_t>(id)];
        return true;
    });
}

bool labelledPass(const Trace& trace, const TraceSpan& span)
{
    const SpanLabel* label = trace.labelOf(span);
    return label != nullptr && label->role == SpanRole::Pass;
}

/// Operators that are inside no other one of their thread.
void keepOutermost(std::vector<ProposeItem>& items)
{
    std::vector<ProposeItem> outer;
    for (const ProposeItem& item : items)
        if (outer.empty() || outer.back().track != item.track || item.start >= outer.back().end)
            outer.push_back(item);
    items = std::move(outer);
}

void sortItems(std::vector<ProposeItem>& items)
{
    std::sort(items.begin(), items.end(), [](const ProposeItem& a, const ProposeItem& b) {
        return std::tie(a.track, a.start, b.end, a.span) <
               std::tie(b.track, b.start, a.end, b.span);
    });
}

} // namespace

ProposeHint hintOfName(std::string_view name)
{
    const std::string lowered = loweredText(name);
    constexpr std::array<std::string_view, 4> weights = {"wgrad", "_wrw", "weight_grad", "dweight"};
    constexpr std::array<std::string_view, 4> inputs = {"dgrad", "input_grad", "gradinput",
                                                        "grad_input"};
    constexpr std::array<std::string_view, 9> backward = {
        "backward", "_bwd",         "bwd_",        "bn_bw",    "_bw_",
        "gradbias", "_grad_kernel", "grad_weight", "gradgamma"};
    constexpr std::array<std::string_view, 7> forward = {"forward", "_fwd", "fwd_",     "fprop",
                                                         "bn_fw",   "_fw_", "inference"};
    constexpr std::array<std::string_view, 8> updates = {
        "multi_tensor_apply", "adam",     "multitensorapply", "_sgd", "sgd_", "lamb_",
        "fused_step",         "optimizer"};
    if (anyOf(lowered, updates))
        return ProposeHint::U;
    if (anyOf(lowered, weights))
        return ProposeHint::W;
    if (anyOf(lowered, inputs))
        return ProposeHint::B;
    if (anyOf(lowered, backward))
        return ProposeHint::Backward;
    return anyOf(lowered, forward) ? ProposeHint::F : ProposeHint::None;
}

ProposeHint hintOfRange(std::string_view name)
{
    const auto endsWith = [name](std::string_view end) {
        return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
    };
    return endsWith("(F)")   ? ProposeHint::F
           : endsWith("(B)") ? ProposeHint::B
           : endsWith("(W)") ? ProposeHint::W
                             : ProposeHint::None;
}

bool isLossName(std::string_view name)
{
    constexpr std::array<std::string_view, 5> parts = {"nll_loss", "cross_entropy", "crossentropy",
                                                       "mse_loss", "log_softmax"};
    return anyOf(loweredText(name), parts);
}

namespace {

/// What is collected of every rank before its items get their hints.
struct RankCollection
{
    std::vector<ProposeRank> ranks;
    std::vector<HostWords> hosts;
    std::vector<bool> labelled;
};

void collectSpan(const Trace& trace, const std::vector<NameFacts>& facts, const Links& links,
                 std::int32_t number, RankCollection& all)
{
    const TraceSpan& span = trace.spans[static_cast<std::size_t>(number)];
    const NameFacts& said = facts[static_cast<std::size_t>(span.name)];
    HostWords& host = all.hosts[span.rank.index()];
    ProposeRank& rank = all.ranks[span.rank.index()];
    if (span.activity == ActivityKind::Operator || span.activity == ActivityKind::Annotation) {
        const auto forward = links.forwardOf.find(number);
        if (said.range != ProposeHint::None && span.trust == Trust::Host)
            addWord(host, span, wordOf(said.range), span.name);
        else if (said.backward || forward != links.forwardOf.end())
            addWord(host, span, HostWord::Backward,
                    forward == links.forwardOf.end() ? -1 : forward->second);
        else if (links.forwards.count(number) > 0)
            addWord(host, span, HostWord::Linked, number);
        else if (said.optimizer && span.trust == Trust::Host)
            addWord(host, span, HostWord::Optimizer, -1);
    }
    if (span.activity == ActivityKind::Launch)
        host.launches.emplace_back(span.start, span.track);
    if (said.message)
        rank.messages.push_back(span.start);
    if (said.expert && span.activity == ActivityKind::Communication)
        rank.experts.emplace_back(span.start, span.end);
    const ActivityKind wanted = rank.device ? ActivityKind::Compute : ActivityKind::Operator;
    if (span.activity == wanted && !said.message)
        rank.items.push_back({span.start, span.end, number, span.name, span.track, -1, -1, -1,
                              ProposeHint::None, HintSource::None, StageId::none(), false});
}

/// By what launched it, or what is around it, else by its name.
void hintItem(const Trace& trace, const HostWords& host, bool device, ProposeHint named,
              ProposeItem& item)
{
    const TraceSpan& span = trace.spans[static_cast<std::size_t>(item.span)];
    std::int32_t track = device ? -1 : item.track;
    const Ticks time = device ? span.start - span.queued : span.start;
    if (device && span.queued >= 0) {
        const auto launch = std::lower_bound(host.launches.begin(), host.launches.end(),
                                             std::pair(time, std::int32_t{-1}));
        if (launch != host.launches.end() && launch->first == time)
            track = launch->second;
    }
    if (track >= 0) {
        hintFromRange(host, track, time, item);
        hintFromHost(host, track, time, named, item);
        hintFromBackwardAround(host, track, time, item);
        findOperation(host, track, time, item);
    }
    takeHint(item, named, HintSource::Name);
}

/// Autograd's own structure says more than the name of a kernel: where W is computed apart, the
/// backwards of the same operators come twice, once for the inputs and once for the weights. What
/// a single walk over the operators launches is one backward, whatever its kernels are called.
void joinWholeBackwards(ProposeRank& rank)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rank.items.size(); ++i)
        if (rank.items[i].source == HintSource::Autograd)
            order.push_back(i);
    const auto part = [](ProposeHint hint) {
        return hint == ProposeHint::B || hint == ProposeHint::W;
    };
    // By the forward where autograd's numbers tell it, else by the backward itself: of it are W
    // alone, or something else as well.
    std::unordered_map<std::int32_t, std::set<std::int32_t>> backwardsOf; // by forward
    std::unordered_map<std::int32_t, std::pair<bool, bool>> of; // by backward: W, anything else
    for (const std::size_t i : order) {
        const ProposeItem& item = rank.items[i];
        if (item.forward >= 0)
            backwardsOf[item.forward].insert(item.operation);
        auto& [weights, other] = of[item.operation];
        (item.hint == ProposeHint::W ? weights : other) = true;
    }
    for (const std::size_t i : order) {
        ProposeItem& item = rank.items[i];
        if (!part(item.hint))
            continue;
        const auto& [weights, other] = of[item.operation];
        const bool once = item.forward >= 0 && backwardsOf[item.forward].size() < 2;
        if (once || (weights && other))
            item.hint = ProposeHint::Backward;
    }
}

} // namespace

std::vector<ProposeRank> proposeRanks(const Trace& trace)
{
    const std::vector<NameFacts> facts = factsOf(trace);
    const Links links = linksOf(trace);
    const std::size_t count = trace.ranks.size();
    RankCollection all{std::vector<ProposeRank>(count), std::vector<HostWords>(count),
                       std::vector<bool>(count, false)};
    for (const TraceSpan& span : trace.spans) {
        const std::size_t rank = span.rank.index();
        all.labelled[rank] = all.labelled[rank] || labelledPass(trace, span);
        all.ranks[rank].device = all.ranks[rank].device || span.activity == ActivityKind::Compute;
    }
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
        if (!all.labelled[trace.spans[i].rank.index()])
            collectSpan(trace, facts, links, static_cast<std::int32_t>(i), all);
    std::vector<ProposeRank> found;
    for (const TraceRankId r : Ids<TraceRankId>(count)) {
        ProposeRank& rank = all.ranks[r.index()];
        if (rank.items.empty())
            continue;
        HostWords& host = all.hosts[r.index()];
        rank.rank = r;
        std::sort(rank.messages.begin(), rank.messages.end());
        std::sort(rank.experts.begin(), rank.experts.end());
        std::sort(host.launches.begin(), host.launches.end());
        host.nested = NestedSpans(std::move(host.items));
        sortItems(rank.items);
        if (!rank.device)
            keepOutermost(rank.items);
        for (ProposeItem& item : rank.items)
            hintItem(trace, host, rank.device, facts[static_cast<std::size_t>(item.name)].hint,
                     item);
        joinWholeBackwards(rank);
        found.push_back(std::move(rank));
    }
    return found;
}

void applyExamples(const Trace& trace, const std::vector<PassExample>& examples,
                   const std::function<bool()>& goOn, ProposeRank& rank,
                   std::vector<std::string>& notes)
{
    std::unordered_map<std::string_view, std::int32_t> numbers;
    for (std::size_t i = 0; i < trace.names.size(); ++i)
        numbers.emplace(trace.names[i], static_cast<std::int32_t>(i));
    for (const PassExample& example : examples) {
        std::vector<std::int32_t> pattern;
        for (const std::string& name : example.names) {
            const auto known = numbers.find(name);
            pattern.push_back(known == numbers.end() ? -2 : known->second);
        }
        std::size_t matched = 0;
        for (std::size_t first = 0; first < rank.items.size();) {
            std::size_t behind = first;
            std::vector<std::int32_t> sequence;
            while (behind < rank.items.size() &&
                   rank.items[behind].track == rank.items[first].track)
                sequence.push_back(rank.items[behind++].name);
            for (const ExampleMatch& match : matchesOf(pattern, sequence, goOn)) {
                ++matched;
                for (std::size_t i = match.first; i < match.behind; ++i) {
                    ProposeItem& item = rank.items[first + i];
                    item.hint = example.kind == PassKind::F   ? ProposeHint::F
                                : example.kind == PassKind::B ? ProposeHint::B
                                : example.kind == PassKind::W ? ProposeHint::W
                                                              : ProposeHint::Backward;
                    item.source = HintSource::Example;
                    item.stage = example.stage;
                    item.begins = i == match.first;
                }
                if (first + match.behind < behind)
                    rank.items[first + match.behind].begins = true;
            }
            first = behind;
        }
        const std::int32_t number = trace.ranks[rank.rank.index()].number;
        notes.push_back("rank " + (number < 0 ? std::string("?") : std::to_string(number)) + ": " +
                        std::to_string(matched) + " stretches are like the example of " +
                        std::string(name(example.kind)) + " of stage " +
                        std::to_string(example.stage) + ", of " +
                        std::to_string(example.names.size()) + " kernels");
    }
}

} // namespace pw

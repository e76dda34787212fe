// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/trace/propose_parts.h"
#include "core/trace/short_name.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace pw {

namespace {

std::string countOf(std::int64_t count, const ProposeRank& rank)
{
    return countText(count, rank.device ? "kernel" : "operator");
}

bool isBackwardSegment(const ProposeSegment& segment)
{
    return segment.state == ProposeState::B || segment.state == ProposeState::W;
}

/// How a name stands in a sentence.
std::string quotedName(std::string_view name)
{
    constexpr std::size_t longest = 60;
    return "\"" + cutName(name, longest) + "\"";
}

/// What the items of a segment have for it.
struct Support
{
    std::array<std::int64_t, hintSourceCount> counts{};
    std::array<Ticks, hintSourceCount> times{};
    std::int64_t against = 0;
    Ticks againstTime = 0;
    Ticks busy = 0;
    std::int64_t weights = 0; ///< items that are W alone
    std::int32_t named = -1;  ///< the item with a name that says the kind which took most
    std::int32_t loss = -1;

    double confidence() const;
};

/// Evidence that is surer counts more; what has none counts little, and against it counts fully.
double Support::confidence() const
{
    constexpr std::array<double, hintSourceCount> sure = {1,    0.97, 0.97, 0.95,
                                                          0.95, 0.85, 0.5,  0.3};
    if (busy <= 0)
        return 0;
    double sum = 0;
    for (std::size_t i = 0; i < hintSourceCount; ++i)
        sum += sure[i] * static_cast<double>(times[i]);
    const double share = (sum - static_cast<double>(againstTime)) / static_cast<double>(busy);
    return std::clamp(share, 0.0, 1.0);
}

bool speaksFor(ProposeHint hint, ProposeState state)
{
    switch (hint) {
    case ProposeHint::None:
        return true;
    case ProposeHint::F:
        return state == ProposeState::F;
    case ProposeHint::U:
        return state == ProposeState::U;
    case ProposeHint::B:
        return state == ProposeState::B;
    case ProposeHint::Backward:
    case ProposeHint::W:
        return state == ProposeState::B || state == ProposeState::W;
    }
    return false;
}

Support supportOf(const Trace& trace, const ProposeRank& rank, const ProposeSegment& segment)
{
    Support support;
    Ticks longest = -1;
    for (const std::size_t i : segment.items) {
        const ProposeItem& item = rank.items[i];
        // A kernel of no length is evidence too.
        const Ticks time = std::max<Ticks>(item.end - item.start, 1);
        support.busy += time;
        if (!speaksFor(item.hint, segment.state)) {
            ++support.against;
            support.againstTime += time;
            continue;
        }
        const auto source = static_cast<std::size_t>(item.source);
        ++support.counts[source];
        support.times[source] += time;
        support.weights += item.hint == ProposeHint::W ? 1 : 0;
        if (item.source == HintSource::Name && time > longest) {
            longest = time;
            support.named = item.name;
        }
        if (support.loss < 0 && isLossName(trace.names[static_cast<std::size_t>(item.name)]))
            support.loss = item.name;
    }
    return support;
}

std::vector<std::string> evidenceOf(const Trace& trace, const ProposeRank& rank,
                                    const ProposeSegment& segment, const Support& support)
{
    std::vector<std::string> lines;
    const auto say = [&](HintSource source, const char* what) {
        if (const std::int64_t count = support.counts[static_cast<std::size_t>(source)]; count > 0)
            lines.push_back(countOf(count, rank) + what);
    };
    const char* launched = rank.device ? " launched in " : " in ";
    const std::string autograd = launched + std::string("autograd's backward");
    const std::string linked = launched + std::string("operators that a backward belongs to");
    const std::string step = launched + std::string("an optimizer's step");
    say(HintSource::Example, " of a stretch that is like an example");
    const std::string ranges = launched + std::string("ranges that name the kind");
    say(HintSource::Range, ranges.c_str());
    say(HintSource::Autograd, autograd.c_str());
    say(HintSource::Linked, linked.c_str());
    say(HintSource::Step, step.c_str());
    if (const std::int64_t count = support.counts[static_cast<std::size_t>(HintSource::Name)];
        count > 0 && support.named >= 0)
        lines.push_back(countOf(count, rank) + " whose names say so, as " +
                        quotedName(trace.names[static_cast<std::size_t>(support.named)]));
    say(HintSource::Learned, " of this kind elsewhere, by name");
    say(HintSource::None, " by what stands beside them");
    if (support.against > 0)
        lines.push_back("against it: " + countOf(support.against, rank));
    if (support.loss >= 0 && segment.state == ProposeState::F)
        lines.push_back("a loss in it, " +
                        quotedName(trace.names[static_cast<std::size_t>(support.loss)]));
    if (segment.cutByMessage)
        lines.emplace_back("begins behind a send or a receive");
    if (segment.cutByNumbers)
        lines.emplace_back("begins where autograd's numbers lead to another pass");
    if (segment.cutByRepeat)
        lines.emplace_back("begins where the sequence of a shorter one comes again");
    return lines;
}

/// The shortest sequence of which a segment consists several times, at least 8 of 10 of it; of the
/// layers of a stage, mostly. 0: none.
std::size_t periodOf(const ProposeRank& rank, const ProposeSegment& segment)
{
    constexpr std::size_t most = 4000, longestPeriod = 400, fewest = 2;
    const std::size_t count = std::min(segment.items.size(), most);
    for (std::size_t period = fewest; period <= std::min(count / 3, longestPeriod); ++period) {
        std::size_t same = 0;
        bool varied = false; // one kernel again and again is not a layer
        for (std::size_t i = 0; i + period < count; ++i) {
            const std::int32_t here = rank.items[segment.items[i]].name;
            same += here == rank.items[segment.items[i + period]].name ? 1U : 0U;
            varied = varied || (i < period && here != rank.items[segment.items[0]].name);
        }
        if (varied && same * 10 >= (count - period) * 8)
            return period;
    }
    return 0;
}

PassKind kindOf(const ProposeSegment& segment, const Support& support, bool anyWeight)
{
    switch (segment.state) {
    case ProposeState::F:
    case ProposeState::Other:
        return PassKind::F;
    case ProposeState::W:
        return PassKind::W;
    case ProposeState::U:
        return PassKind::U;
    case ProposeState::B:
        break;
    }
    // Where W stands apart, a backward without a kernel of W is B.
    return anyWeight && support.weights == 0 ? PassKind::B : PassKind::BW;
}

/// Makes passes of the segments of a rank, one after another, and counts them.
class SegmentDescriber
{
public:
    SegmentDescriber(const Trace& trace, const ProposeRank& rank,
                     const std::vector<ProposeSegment>& segments, PassProposal& proposal)
        : m_trace(trace)
        , m_rank(rank)
        , m_segments(segments)
        , m_proposal(proposal)
        , m_anyWeight(std::any_of(segments.begin(), segments.end(),
                                  [](const auto& one) { return one.state == ProposeState::W; }))
    {
    }

    void run()
    {
        const std::vector<ProposeOverlap> overlaps = overlapsOf(m_rank, m_segments);
        auto overlap = overlaps.begin();
        for (std::size_t s = 0; s < m_segments.size(); ++s) {
            if (overlap != overlaps.end() && s == overlap->first)
                beginOverlap(*overlap);
            if (m_inside < 0) {
                const std::size_t behind =
                    partsBehind(s, overlap == overlaps.end() ? m_segments.size() : overlap->first);
                if (behind > s + 1) {
                    take(joined(s, behind));
                    s = behind - 1;
                    continue;
                }
            }
            take(m_segments[s]);
            if (overlap != overlaps.end() && s + 1 == overlap->behind) {
                m_inside = -1;
                ++overlap;
            }
        }
    }

private:
    /// Where parts of one backward end that begin here: B and W take turns, and the ranges around
    /// them name one part after another.
    std::size_t partsBehind(std::size_t first, std::size_t limit) const
    {
        std::set<std::set<std::int32_t>> inputs; // parts of each B
        std::size_t behind = first;
        for (; behind < limit && isBackwardSegment(m_segments[behind]); ++behind) {
            const ProposeSegment& here = m_segments[behind];
            const std::set<std::int32_t> ranges = rangesOf(m_rank, here);
            if (ranges.empty() || (behind > first && (here.cutByMessage || here.cutByNumbers ||
                                                      here.cutByRepeat || here.cutByExample)))
                break;
            if (here.state == ProposeState::B)
                inputs.insert(ranges);
        }
        return inputs.size() > 1 ? behind : first + 1;
    }

    ProposeSegment joined(std::size_t first, std::size_t behind) const
    {
        ProposeSegment whole = m_segments[first];
        whole.state = ProposeState::B;
        for (std::size_t s = first + 1; s < behind; ++s) {
            const ProposeSegment& more = m_segments[s];
            whole.items.insert(whole.items.end(), more.items.begin(), more.items.end());
            whole.end = std::max(whole.end, more.end);
        }
        return whole;
    }

    void beginOverlap(const ProposeOverlap& overlap)
    {
        ProposedPass pass;
        pass.rank = m_rank.rank;
        pass.overlapped = true;
        pass.start = m_segments[overlap.first].start;
        pass.iteration = m_iteration;
        for (std::size_t k = overlap.first; k < overlap.behind; ++k)
            pass.end = std::max(pass.end, m_segments[k].end);
        pass.confidence = overlap.sure ? 0.9 : 0.6;
        pass.evidence = {groupedNumber(static_cast<std::int64_t>(overlap.forwards)) +
                             " parts of F and " +
                             groupedNumber(static_cast<std::int64_t>(overlap.backwards)) +
                             " of a backward alternate",
                         overlap.why};
        m_inside = static_cast<std::int32_t>(m_proposal.passes.size());
        pass.microBatch = m_forwards++;
        ++m_backwards;
        m_proposal.passes.push_back(std::move(pass));
    }

    void take(const ProposeSegment& segment)
    {
        ProposedPass pass = described(segment);
        if (pass.kind == PassKind::U) {
            m_update = true;
        } else if (m_update && segment.state == ProposeState::F && m_inside < 0) {
            m_update = false;
            ++m_iteration;
            m_forwards = m_backwards = m_weights = 0;
        }
        pass.iteration = m_iteration;
        if (m_inside >= 0) {
            ProposedPass& whole = m_proposal.passes[static_cast<std::size_t>(m_inside)];
            whole.items += pass.items;
            whole.busy += pass.busy;
        } else {
            number(segment, pass);
        }
        m_proposal.passes.push_back(std::move(pass));
    }

    ProposedPass described(const ProposeSegment& segment) const
    {
        const Support support = supportOf(m_trace, m_rank, segment);
        ProposedPass pass;
        pass.rank = m_rank.rank;
        pass.kind = kindOf(segment, support, m_anyWeight);
        pass.inside = m_inside;
        pass.start = segment.start;
        pass.end = segment.end;
        pass.items = static_cast<std::int64_t>(segment.items.size());
        pass.busy = support.busy;
        pass.confidence = support.confidence();
        pass.evidence = evidenceOf(m_trace, m_rank, segment, support);
        for (const std::size_t i : segment.items)
            pass.stage = std::max(pass.stage, m_rank.items[i].stage);
        if (const std::size_t period = periodOf(m_rank, segment); period > 0)
            pass.evidence.push_back(
                "a sequence of " + countOf(static_cast<std::int64_t>(period), m_rank) +
                " comes about " + std::to_string(segment.items.size() / period) +
                " times: layers, if they are alike");
        return pass;
    }

    /// The micro-batch of a pass: counted, or that of the F which autograd's numbers lead to.
    void number(const ProposeSegment& segment, ProposedPass& pass)
    {
        if (pass.kind == PassKind::U) {
            pass.microBatch = 0;
        } else if (pass.kind == PassKind::F) {
            pass.microBatch = m_forwards++;
            for (const std::size_t i : segment.items)
                if (m_rank.items[i].forward >= 0)
                    m_passOfForward.emplace(m_rank.items[i].forward, m_proposal.passes.size());
        } else if (isBackwardSegment(segment)) {
            pass.microBatch = (pass.kind == PassKind::W ? m_weights : m_backwards)++;
            followForward(segment, pass);
        }
    }

    void followForward(const ProposeSegment& segment, ProposedPass& pass) const
    {
        std::map<std::size_t, std::size_t> of;
        for (const std::size_t i : segment.items)
            if (const auto found = m_passOfForward.find(m_rank.items[i].forward);
                found != m_passOfForward.end())
                ++of[found->second];
        const auto most = std::max_element(
            of.begin(), of.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most == of.end())
            return;
        const ProposedPass& forward = m_proposal.passes[most->first];
        pass.microBatch = forward.microBatch;
        pass.iteration = forward.iteration;
        pass.stage = std::max(pass.stage, forward.stage);
        pass.evidence.push_back("autograd's numbers lead to F at " +
                                millisecondText(forward.start));
    }

    const Trace& m_trace;
    const ProposeRank& m_rank;
    const std::vector<ProposeSegment>& m_segments;
    PassProposal& m_proposal;
    bool m_anyWeight;
    std::int32_t m_inside = -1;
    std::unordered_map<std::int32_t, std::size_t> m_passOfForward; // by its operator
    std::int32_t m_iteration = 0, m_forwards = 0, m_backwards = 0, m_weights = 0;
    bool m_update = false; // an optimizer's step ended the passes so far
};

} // namespace

void describeSegments(const Trace& trace, const ProposeRank& rank,
                      const std::vector<ProposeSegment>& segments, PassProposal& proposal)
{
    SegmentDescriber(trace, rank, segments, proposal).run();
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/linked_passes.h"

#include "core/reading/events/label_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace pw {

namespace {

constexpr std::string_view evaluation = "autograd::engine::evaluate_function";

/// What the name of a span of the host is.
enum class LinkedName : std::uint8_t
{
    Other,
    Send,    ///< the backend's span, which lasts as long as the transfer
    Receive, ///< likewise
    Posting, ///< another one at a send or receive
    Backward ///< autograd evaluates a function
};

LinkedName linkedName(std::string_view name)
{
    if (name.starts_with(evaluation))
        return LinkedName::Backward;
    if (name.starts_with("c10d::send") || name.starts_with("c10d::recv") ||
        name == "nccl:coalesced")
        return LinkedName::Posting;
    constexpr std::array<std::string_view, 5> backends = {
        "gloo:", "nccl:", "xccl:", "ucc:", "hccl:"};
    for (const std::string_view backend : backends)
        if (name.starts_with(backend)) {
            const std::string_view what = name.substr(backend.size());
            return what.starts_with("send")   ? LinkedName::Send
                   : what.starts_with("recv") ? LinkedName::Receive
                                              : LinkedName::Other;
        }
    return LinkedName::Other;
}

/// From the first operator to the last.
struct LinkedStretch
{
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t track = -1;

    bool any() const { return track >= 0; }
    void take(Ticks from, Ticks to, std::int32_t on)
    {
        start = any() ? std::min(start, from) : from;
        end = any() ? std::max(end, to) : to;
        track = any() ? track : on;
    }
};

struct LinkedPass
{
    LinkedStretch forward;
    LinkedStretch backward;
};

class LinkedPasses
{
public:
    LinkedPasses(Trace& trace, TraceNames& names, EventFile& file)
        : m_trace(trace)
        , m_names(names)
        , m_file(file)
        , m_end(trace.spans.size())
    {
    }

    void run()
    {
        if (!readSpans() || !findForwards() || !findBackwards())
            return;
        extendBackwards();
        dropPlainPasses();
        append();
        labelMessages();
        m_file.linkedPasses = true;
    }

private:
    TraceSpan& at(std::int32_t index) { return m_trace.spans[static_cast<std::size_t>(index)]; }
    LinkedName nameOf(const TraceSpan& span) const
    {
        return m_kinds[static_cast<std::size_t>(span.name)];
    }

    /// @return whether there are links and messages, and no labelled pass
    bool readSpans()
    {
        m_links = std::lower_bound(m_trace.links.begin(), m_trace.links.end(), m_file.firstSpan,
                                   [](const TraceLink& link, std::size_t first) {
                                       return static_cast<std::size_t>(link.to) < first;
                                   });
        if (m_links == m_trace.links.end())
            return false;
        for (const std::string& name : m_trace.names)
            m_kinds.push_back(linkedName(name));
        for (std::size_t i = m_file.firstSpan; i < m_end; ++i) {
            const TraceSpan& span = m_trace.spans[i];
            const SpanLabel* label = m_trace.labelOf(span);
            if (label != nullptr && label->role != SpanRole::Step &&
                !isPlainPass(m_trace.nameOf(span)))
                return false;
            const LinkedName kind = nameOf(span);
            m_anyDevice = m_anyDevice || span.trust == Trust::Device;
            if (span.trust == Trust::Host && kind != LinkedName::Other &&
                kind != LinkedName::Backward)
                m_messages.push_back(static_cast<std::int32_t>(i));
        }
        return !m_messages.empty();
    }

    /// The thread that runs most forwards, and between which of its messages they are.
    bool findForwards()
    {
        std::map<std::int32_t, std::int64_t> counts;
        for (auto link = m_links; link != m_trace.links.end(); ++link)
            ++counts[at(link->from).track];
        m_track = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                  })->first;
        const auto elsewhere = [this](std::int32_t one) { return at(one).track != m_track; };
        m_messages.erase(std::remove_if(m_messages.begin(), m_messages.end(), elsewhere),
                         m_messages.end());
        std::sort(m_messages.begin(), m_messages.end(), [this](std::int32_t a, std::int32_t b) {
            return std::tuple(at(a).start, a) < std::tuple(at(b).start, b);
        });
        findOutermost();
        for (auto link = m_links; link != m_trace.links.end(); ++link) {
            const TraceSpan& op = at(link->from);
            if (op.track == m_track && nameOf(op) == LinkedName::Other) {
                const LinkedStretch whole = outermostOf(op);
                m_byGap[gapOf(op.start)].forward.take(whole.start, whole.end, m_track);
            }
        }
        return !m_messages.empty() && !m_byGap.empty();
    }

    /// How many messages have begun.
    std::size_t gapOf(Ticks time) const
    {
        const auto behind = std::upper_bound(
            m_messages.begin(), m_messages.end(), time, [this](Ticks moment, std::int32_t one) {
                return moment < m_trace.spans[static_cast<std::size_t>(one)].start;
            });
        return static_cast<std::size_t>(behind - m_messages.begin());
    }

    /// Operators of every thread that stand in no other.
    void findOutermost()
    {
        std::vector<const TraceSpan*> ops;
        for (std::size_t i = m_file.firstSpan; i < m_end; ++i)
            if (m_trace.spans[i].activity == ActivityKind::Operator)
                ops.push_back(&m_trace.spans[i]);
        std::sort(ops.begin(), ops.end(), [](const TraceSpan* a, const TraceSpan* b) {
            return std::tuple(a->track, a->start, -a->end) <
                   std::tuple(b->track, b->start, -b->end);
        });
        for (const TraceSpan* op : ops)
            if (m_outermost.empty() || m_outermost.back().track != op->track ||
                op->start >= m_outermost.back().end)
                m_outermost.push_back({op->start, op->end, op->track});
    }

    LinkedStretch outermostOf(const TraceSpan& op) const
    {
        const auto behind =
            std::upper_bound(m_outermost.begin(), m_outermost.end(), std::tuple(op.track, op.start),
                             [](const auto& wanted, const LinkedStretch& one) {
                                 return wanted < std::tuple(one.track, one.start);
                             });
        if (behind != m_outermost.begin() && std::prev(behind)->track == op.track &&
            op.end <= std::prev(behind)->end)
            return *std::prev(behind);
        return {op.start, op.end, op.track};
    }

    /// @return whether each backward is of one forward, and none between the same messages of two
    bool findBackwards()
    {
        std::map<std::size_t, std::size_t> forwardOf; // by gaps
        for (auto link = m_links; link != m_trace.links.end(); ++link) {
            const TraceSpan& op = at(link->from);
            const TraceSpan& back = at(link->to);
            if (op.track != m_track || nameOf(op) != LinkedName::Other)
                continue;
            const std::size_t forward = gapOf(op.start), backward = gapOf(back.start);
            if (forwardOf.try_emplace(backward, forward).first->second != forward)
                return false;
            const LinkedStretch whole = outermostOf(back);
            m_byGap[forward].backward.take(whole.start, whole.end, back.track);
        }
        return true;
    }

    /// Sums into gradients have no numbers: they are of the backward that began last.
    void extendBackwards()
    {
        std::map<std::pair<std::int32_t, Ticks>, LinkedPass*> begins; // by track
        for (auto& [gap, pass] : m_byGap)
            begins[{pass.backward.track, pass.backward.start}] = &pass;
        for (const LinkedStretch& one : m_outermost) {
            auto behind = begins.upper_bound({one.track, one.start});
            if (behind == begins.begin())
                continue;
            LinkedPass& pass = *std::prev(behind)->second;
            if (pass.backward.track == one.track && one.start > pass.backward.end &&
                gapOf(one.start) == gapOf(pass.backward.start) && evaluates(one))
                pass.backward.end = one.end;
        }
    }

    bool evaluates(const LinkedStretch& one)
    {
        if (m_evaluations.empty())
            for (std::size_t i = m_file.firstSpan; i < m_end; ++i)
                if (nameOf(m_trace.spans[i]) == LinkedName::Backward)
                    m_evaluations.emplace_back(m_trace.spans[i].track, m_trace.spans[i].start);
        std::sort(m_evaluations.begin(), m_evaluations.end());
        return std::binary_search(m_evaluations.begin(), m_evaluations.end(),
                                  std::pair(one.track, one.start));
    }

    /// What PyTorch's GPipe names itself holds the waiting too.
    void dropPlainPasses()
    {
        for (std::size_t i = m_file.firstSpan; i < m_end; ++i) {
            TraceSpan& span = m_trace.spans[i];
            if (span.label < 0 || !isPlainPass(m_trace.nameOf(span)))
                continue;
            span.label = -1;
            EventProcess& owner = m_file.processes[processOf(span.rank).index()];
            --owner.labelled;
            owner.onTheHost -= span.trust == Trust::Device ? 0 : 1;
        }
    }

    void append()
    {
        std::int32_t number = 0;
        for (auto& [gap, pass] : m_byGap) {
            if (!pass.backward.any() || pass.backward.start < pass.forward.end)
                continue; // of an evaluation, or of one that is still to come
            appendPass(pass.forward, PassKind::F, number);
            appendPass(pass.backward, PassKind::BW, number);
            ++number;
        }
    }

    void appendPass(const LinkedStretch& one, PassKind kind, std::int32_t number)
    {
        TraceSpan span;
        span.start = one.start;
        span.end = one.end;
        span.track = one.track;
        span.rank = at(m_links->from).rank;
        span.name = m_names.indexOf(kind == PassKind::F ? "forward (found)" : "backward (found)");
        // On a device the kernels say when it ran, and what was launched in it is not counted.
        span.trust = m_anyDevice ? Trust::Host : Trust::Counted;
        span.activity = ActivityKind::Annotation;
        span.label = label(SpanRole::Pass, kind, number);
        EventProcess& owner = m_file.processes[processOf(span.rank).index()];
        ++owner.labelled;
        ++owner.onTheHost;
        m_passes[one.start] = m_trace.spans.size();
        m_trace.spans.push_back(span);
    }

    std::int32_t label(SpanRole role, PassKind kind, std::int32_t number)
    {
        SpanLabel label;
        label.role = role;
        label.kind = kind;
        label.microBatch = number;
        m_trace.labels.push_back(label);
        return static_cast<std::int32_t>(m_trace.labels.size()) - 1;
    }

    /// Of several tensors of a pass, the last one that is received and the last one that is sent.
    void labelMessages()
    {
        std::map<std::pair<bool, std::size_t>, std::int32_t> last; // receives? and pass
        for (const std::int32_t message : m_messages) {
            const LinkedName kind = nameOf(at(message));
            if (kind == LinkedName::Posting)
                continue;
            auto pass = m_passes.upper_bound(at(message).start);
            if (kind == LinkedName::Send && pass == m_passes.begin())
                continue;
            if (kind == LinkedName::Send)
                --pass;
            if (pass != m_passes.end())
                last[{kind == LinkedName::Receive, pass->second}] = message;
        }
        for (const auto& [place, message] : last) {
            const SpanLabel of = *m_trace.labelOf(m_trace.spans[place.second]);
            const std::int32_t said =
                label(place.first ? SpanRole::Receive : SpanRole::Send, of.kind, of.microBatch);
            if (place.first || m_anyDevice)
                at(message).label = said;
            else
                appendSend(message, said);
        }
    }

    /// A send of the host can arrive before the backend's span begins: it begins with its posting.
    void appendSend(std::int32_t message, std::int32_t said)
    {
        const auto here = std::lower_bound(
            m_messages.begin(), m_messages.end(), message, [this](std::int32_t a, std::int32_t b) {
                return std::tuple(at(a).start, a) < std::tuple(at(b).start, b);
            });
        TraceSpan span = at(message);
        if (here != m_messages.begin() && nameOf(at(*std::prev(here))) == LinkedName::Posting)
            span.start = std::min(span.start, at(*std::prev(here)).start);
        if (m_sends < 0) {
            m_sends = static_cast<std::int32_t>(m_trace.tracks.size());
            TraceTrack row = m_trace.tracks[static_cast<std::size_t>(m_track)];
            row.thread += " sends";
            m_trace.tracks.push_back(std::move(row));
        }
        span.track = m_sends;
        span.label = said;
        span.trust = Trust::Contained;
        m_trace.spans.push_back(span);
    }

    Trace& m_trace;
    TraceNames& m_names;
    EventFile& m_file;
    std::size_t m_end;
    std::vector<TraceLink>::const_iterator m_links;
    std::vector<LinkedName> m_kinds; // by name
    bool m_anyDevice = false;
    std::int32_t m_track = -1; // that runs forwards, and posts messages
    std::int32_t m_sends = -1; // made for sends
    std::vector<std::int32_t> m_messages;
    std::vector<LinkedStretch> m_outermost; // by track and start
    std::vector<std::pair<std::int32_t, Ticks>> m_evaluations;
    std::map<std::size_t, LinkedPass> m_byGap; // by the messages before the forward
    std::map<Ticks, std::size_t> m_passes;     // spans, by start
};

} // namespace

void findLinkedPasses(Trace& trace, TraceNames& names, EventFile& file)
{
    LinkedPasses(trace, names, file).run();
}

} // namespace pw

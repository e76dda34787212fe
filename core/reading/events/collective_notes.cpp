// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/collective_notes.h"

#include "core/trace/nested_spans.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace pw {

namespace {

Bytes bytesOf(std::int64_t elements, Bytes each)
{
    if (elements < 0 || each == 0 || elements > mostCollectiveBytes / each)
        return -1;
    return elements * each;
}

/// By the rank at its other end, else by the operation's name.
MessageEnd endOf(const CollectiveArguments& said, CollectiveKind kind)
{
    if (said.receiver >= 0)
        return MessageEnd::Sends;
    if (said.sender >= 0)
        return MessageEnd::Receives;
    return kind == CollectiveKind::Message ? messageEnd(said.operation) : MessageEnd::NotTold;
}

/// Whether the kernels of an operation may be those of sends and receives.
bool runsAsMessages(CollectiveKind kind)
{
    return kind == CollectiveKind::AllToAll || kind == CollectiveKind::Gather ||
           kind == CollectiveKind::Scatter || kind == CollectiveKind::AllGather;
}

/// The calls of the host that say something of the communication launched in them.
class HostCalls
{
public:
    HostCalls(const Trace& trace, std::size_t firstSpan, const std::vector<CollectiveCall>& said)
    {
        std::vector<std::optional<CollectiveKind>> kinds(trace.names.size());
        std::vector<NestedSpans::Item> items;
        auto next = said.begin();
        for (std::size_t i = firstSpan; i < trace.spans.size(); ++i) {
            const TraceSpan& span = trace.spans[i];
            const auto index = static_cast<std::int32_t>(i);
            while (next != said.end() && next->span < index)
                ++next;
            if (span.trust != Trust::Host)
                continue;
            CollectiveCall call;
            if (next != said.end() && next->span == index)
                call = *next;
            auto& kind = kinds[static_cast<std::size_t>(span.name)];
            if (!kind)
                kind = collectiveKindOfRange(trace.nameOf(span));
            if (call.kind == CollectiveKind::Other)
                call.kind = *kind;
            if (call.kind == CollectiveKind::Message && call.end == MessageEnd::NotTold)
                call.end = messageEnd(trace.nameOf(span));
            if (call.kind == CollectiveKind::Other && call.group < 0)
                continue;
            items.push_back(
                {span.track, span.start, span.end, static_cast<std::int32_t>(m_calls.size())});
            m_calls.push_back(call);
        }
        m_nested = NestedSpans(std::move(items));
    }

    /// Fills in what a kernel's own arguments do not say.
    /// @param sure  its kind is said, not only that sends and receives run by its kernel
    void fill(const LaunchPlace& launch, bool& sure, CollectiveCall& call) const
    {
        m_nested.around(launch.track, launch.time, [&](std::int32_t at) {
            const CollectiveCall& around = m_calls[static_cast<std::size_t>(at)];
            if (!sure && around.kind != CollectiveKind::Other &&
                (call.kind == CollectiveKind::Other || runsAsMessages(around.kind))) {
                call.kind = around.kind;
                sure = true;
            }
            // A call around it of another kind is not the one that it is of.
            if (around.kind != CollectiveKind::Other && around.kind != call.kind)
                return false;
            if (call.group >= 0)
                return true;
            call.group = around.group;
            if (call.peer < 0 && (around.peer >= 0 || call.end == MessageEnd::NotTold)) {
                call.peer = around.peer;
                call.end = around.end;
            }
            call.sent = call.sent < 0 ? around.sent : call.sent;
            call.received = call.received < 0 ? around.received : call.received;
            call.sequence = call.sequence < 0 ? around.sequence : call.sequence;
            return call.group >= 0;
        });
    }

private:
    std::vector<CollectiveCall> m_calls;
    NestedSpans m_nested;
};

} // namespace

void CollectiveNotes::take(const CollectiveArguments& said, std::int32_t span, TraceNames& names)
{
    CollectiveCall call;
    call.span = span;
    call.kind = collectiveKind(said.operation);
    call.group = groupOf(said, names);
    if (call.kind == CollectiveKind::Other && call.group < 0)
        return;
    const Bytes each = bytesOfType(said.type);
    call.sent = bytesOf(said.sent, each);
    call.received = bytesOf(said.received, each);
    call.sequence = said.sequence;
    call.end = endOf(said, call.kind);
    call.peer = static_cast<std::int32_t>(call.sends() ? said.receiver : said.sender);
    m_said.push_back(call);
}

/// −1: it is not told.
std::int32_t CollectiveNotes::groupOf(const CollectiveArguments& said, TraceNames& names)
{
    const auto size = static_cast<std::int32_t>(said.size);
    for (const KnownGroup& known : m_groups)
        if (known.number >= 0 && known.group.size == size && known.group.name == said.group &&
            known.group.ranks == said.ranks && known.group.description == said.description)
            return known.number;
    ProcessGroup group{said.group, said.description, said.ranks, size, false};
    if (!group.told())
        return -1;
    const std::int32_t number = names.groupOf(group);
    m_groups[m_nextGroup] = {std::move(group), number};
    m_nextGroup = (m_nextGroup + 1) % m_groups.size();
    return number;
}

void CollectiveNotes::finish(Trace& trace, std::size_t firstSpan, const LaunchOf& launchOf)
{
    std::optional<HostCalls> hosts;
    std::vector<std::optional<CollectiveKind>> kinds(trace.names.size());
    std::map<std::pair<std::int32_t, std::int32_t>, std::set<CollectiveKind>> learned;
    std::vector<std::size_t> alone; // without a launch: which of the calls
    auto next = m_said.begin();
    for (std::size_t i = firstSpan; i < trace.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[i];
        const auto index = static_cast<std::int32_t>(i);
        while (next != m_said.end() && next->span < index)
            ++next;
        if (span.activity != ActivityKind::Communication || span.trust != Trust::Device)
            continue;
        CollectiveCall call;
        if (next != m_said.end() && next->span == index)
            call = *next;
        call.span = index;
        bool sure = call.kind != CollectiveKind::Other;
        if (!sure) {
            auto& kind = kinds[static_cast<std::size_t>(span.name)];
            if (!kind)
                kind = collectiveKind(trace.nameOf(span));
            call.kind = *kind;
            sure = call.kind != CollectiveKind::Other && call.kind != CollectiveKind::Message;
        }
        bool launched = false;
        if (!sure || call.group < 0) {
            if (const std::optional<LaunchPlace> launch = launchOf(index)) {
                launched = true;
                if (!hosts)
                    hosts.emplace(trace, firstSpan, m_said);
                hosts->fill(*launch, sure, call);
            }
        }
        if (call.kind != CollectiveKind::Message || sure)
            learned[{span.track, span.name}].insert(call.kind);
        else if (!launched)
            alone.push_back(trace.calls.size());
        else
            learned[{span.track, span.name}].insert(CollectiveKind::Message);
        trace.calls.push_back(call);
    }
    // A communicator has a stream of its own: what was launched before the recording began is what
    // all others of its name there are.
    for (const std::size_t at : alone) {
        const TraceSpan& span = trace.spans[static_cast<std::size_t>(trace.calls[at].span)];
        const auto found = learned.find({span.track, span.name});
        if (found != learned.end() && found->second.size() == 1)
            trace.calls[at].kind = *found->second.begin();
    }
}

} // namespace pw

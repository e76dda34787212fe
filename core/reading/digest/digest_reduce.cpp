// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/digest/digest.h"
#include "core/trace/collector_name.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// A stretch of time.
struct Stretch
{
    Ticks start = 0;
    Ticks end = 0;
};

bool byStart(const Stretch& a, const Stretch& b)
{
    return a.start < b.start;
}

/// Stretches that touch as one; sorted.
std::vector<Stretch> joined(std::vector<Stretch> all)
{
    std::sort(all.begin(), all.end(), byStart);
    std::vector<Stretch> out;
    for (const Stretch& one : all) {
        if (!out.empty() && one.start <= out.back().end)
            out.back().end = std::max(out.back().end, one.end);
        else
            out.push_back(one);
    }
    return out;
}

/// Time of sorted stretches within one.
Ticks within(const std::vector<Stretch>& all, const Stretch& window)
{
    Ticks sum = 0;
    auto one = std::lower_bound(all.begin(), all.end(), window,
                                [](const Stretch& a, const Stretch& b) { return a.end < b.start; });
    for (; one != all.end() && one->start < window.end; ++one)
        sum +=
            std::max<Ticks>(0, std::min(one->end, window.end) - std::max(one->start, window.start));
    return sum;
}

/// With more kernels a digest leaves them out: what has them would be no small file.
constexpr std::ptrdiff_t mostKeptKernels = 1'000'000;

bool isWork(ActivityKind kind)
{
    return kind == ActivityKind::Compute || kind == ActivityKind::Communication ||
           kind == ActivityKind::Memory;
}

/// Reduces the part of one file.
class PartReduction
{
public:
    explicit PartReduction(FilePart part)
        : m_part(std::move(part))
        , m_trace(m_part.trace)
    {
    }

    FilePart run()
    {
        keepWhole();
        keepSpans();
        addWork();
        sumKernels();
        sumSteps();
        keepUsedNames();
        return {std::move(m_out), std::move(m_part.said)};
    }

private:
    bool onDevice(const TraceSpan& span) const
    {
        return m_trace.tracks[static_cast<std::size_t>(span.track)].device;
    }

    /// What is said of the file as a whole.
    void keepWhole()
    {
        m_out.files = m_trace.files;
        m_out.tracks = m_trace.tracks;
        m_out.names = m_trace.names;
        m_out.groups = m_trace.groups;
        m_out.warnings = m_trace.warnings;
        if (std::string& differ = m_part.said.groupsDiffer; !differ.empty())
            m_out.warnings.push_back(std::exchange(differ, {}) + std::string(eventsCount));
        m_out.events = m_trace.events;
        m_out.leftOut = m_trace.leftOut;
        m_out.repairs = m_trace.repairs;
        m_out.ended = m_trace.ended;
        for (const std::string& name : m_trace.names)
            m_collects.push_back(namesCollector(name));
        // Where times begin anew, the first one says nothing of the others.
        const auto first = std::min_element(
            m_trace.spans.begin(), m_trace.spans.end(),
            [](const TraceSpan& a, const TraceSpan& b) { return a.start < b.start; });
        if (first != m_trace.spans.end() && m_part.said.steps.empty())
            m_part.said.earliest = first->start;
        m_keepsKernels = mayHavePasses();
    }

    /// Whether passes may be found when all ranks are there, by messages and kernels: no label says
    /// one, but steps are told and devices send or receive.
    bool mayHavePasses() const
    {
        bool passes = false, steps = false;
        for (const SpanLabel& label : m_trace.labels) {
            passes = passes || label.role == SpanRole::Pass;
            steps = steps || label.role == SpanRole::Step;
        }
        if (!steps || passes ||
            std::none_of(
                m_trace.calls.begin(), m_trace.calls.end(),
                [](const CollectiveCall& call) { return call.kind == CollectiveKind::Message; }))
            return false;
        return std::count_if(m_trace.spans.begin(), m_trace.spans.end(),
                             [this](const TraceSpan& span) { return isKernel(span); }) <=
               mostKeptKernels;
    }

    bool isKernel(const TraceSpan& span) const
    {
        return onDevice(span) && span.activity == ActivityKind::Compute;
    }

    /// Whether a span stays, beside those with a call: it has a meaning in the pipeline, or
    /// explains a slow step, or its name tells what pass it is of.
    bool stays(const TraceSpan& span) const
    {
        const SpanLabel* label = m_trace.labelOf(span);
        return (label != nullptr && label->role != SpanRole::Other) ||
               (m_keepsKernels && isKernel(span)) ||
               (span.name >= 0 && m_collects[static_cast<std::size_t>(span.name)] &&
                !onDevice(span));
    }

    /// Spans with a meaning stay as they are, with what is said of them.
    void keepSpans()
    {
        std::map<std::int32_t, std::int32_t> labels;
        auto call = m_trace.calls.begin();
        auto step = m_part.said.steps.begin();
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i) {
            for (; step != m_part.said.steps.end() && step->firstSpan <= i; ++step)
                step->firstSpan = m_out.spans.size();
            TraceSpan span = m_trace.spans[i];
            const SpanLabel* label = m_trace.labelOf(span);
            while (call != m_trace.calls.end() && call->span < static_cast<std::int32_t>(i))
                ++call;
            const bool called =
                call != m_trace.calls.end() && call->span == static_cast<std::int32_t>(i);
            if (!stays(span) && !called)
                continue;
            if (called) {
                CollectiveCall kept = *call;
                kept.span = static_cast<std::int32_t>(m_out.spans.size());
                m_out.calls.push_back(kept);
            }
            if (label != nullptr) {
                const auto [at, fresh] =
                    labels.emplace(span.label, static_cast<std::int32_t>(m_out.labels.size()));
                if (fresh)
                    m_out.labels.push_back(*label);
                span.label = at->second;
            }
            m_out.spans.push_back(span);
        }
        for (; step != m_part.said.steps.end(); ++step)
            step->firstSpan = m_out.spans.size();
    }

    /// When each process works on its devices. Within a pass all time counts: what a job's step has
    /// beside its passes is asked for outside of them.
    void addWork()
    {
        if (!m_part.said.steps.empty())
            return; // stretches of all steps would be one above the other
        std::map<TraceRankId, std::vector<Stretch>> work, passes;
        std::map<TraceRankId, std::int32_t> trackOf;
        for (const TraceSpan& span : m_trace.spans) {
            const SpanLabel* label = m_trace.labelOf(span);
            if (label != nullptr && label->role == SpanRole::Pass)
                passes[span.rank].push_back({span.start, span.end});
            if (!onDevice(span) || !isWork(span.activity))
                continue;
            work[span.rank].push_back({span.start, span.end});
            trackOf.emplace(span.rank, span.track);
        }
        for (auto& [process, stretches] : work) {
            const auto inPasses = passes.find(process);
            if (inPasses != passes.end())
                stretches.insert(stretches.end(), inPasses->second.begin(), inPasses->second.end());
            for (const Stretch& one : joined(std::move(stretches))) {
                TraceSpan span;
                span.start = one.start;
                span.end = one.end;
                span.rank = process;
                span.track = trackOf.at(process);
                span.name = nameOf(std::string(reducedWorkName));
                span.trust = Trust::Device;
                span.activity = ActivityKind::Compute;
                m_out.spans.push_back(span);
            }
        }
    }

    std::int32_t nameOf(const std::string& text)
    {
        const auto found = std::find(m_out.names.begin(), m_out.names.end(), text);
        if (found != m_out.names.end())
            return static_cast<std::int32_t>(found - m_out.names.begin());
        m_out.names.push_back(text);
        return static_cast<std::int32_t>(m_out.names.size()) - 1;
    }

    void sumKernels()
    {
        std::map<std::tuple<TraceRankId, std::int32_t>, WorkSum> sums;
        for (const TraceSpan& span : m_trace.spans) {
            if (!onDevice(span) || !isWork(span.activity))
                continue;
            WorkSum& sum = sums[{span.rank, span.name}];
            sum.rank = span.rank;
            sum.name = span.name;
            sum.kind = span.activity;
            ++sum.count;
            sum.total += span.end - span.start;
        }
        for (auto& [key, sum] : sums)
            m_part.said.sums.push_back(sum);
    }

    /// What devices do in each step that the file names.
    void sumSteps()
    {
        std::map<std::int32_t, Stretch> steps;
        for (const TraceSpan& span : m_trace.spans) {
            const SpanLabel* label = m_trace.labelOf(span);
            if (label == nullptr || label->role != SpanRole::Step || label->iteration < 0)
                continue;
            const auto [at, fresh] = steps.emplace(label->iteration, Stretch{span.start, span.end});
            at->second.start = std::min(at->second.start, span.start);
            at->second.end = std::max(at->second.end, span.end);
        }
        if (steps.empty())
            return;
        std::map<std::tuple<TraceRankId, ActivityKind>, std::vector<Stretch>> work;
        for (const TraceSpan& span : m_trace.spans)
            if (onDevice(span) && isWork(span.activity))
                work[{span.rank, span.activity}].push_back({span.start, span.end});
        for (auto& [key, stretches] : work) {
            const std::vector<Stretch> all = joined(std::move(stretches));
            for (const auto& [step, window] : steps) {
                WorkSum sum;
                sum.rank = std::get<TraceRankId>(key);
                sum.kind = std::get<ActivityKind>(key);
                sum.step = step;
                sum.total = within(all, window);
                if (sum.total > 0)
                    m_part.said.sums.push_back(sum);
            }
        }
    }

    void keepUsedNames()
    {
        std::vector<std::int32_t> place(m_out.names.size(), -1);
        std::vector<std::string> names;
        const auto keep = [&](std::int32_t& name) {
            if (name < 0)
                return;
            std::int32_t& at = place[static_cast<std::size_t>(name)];
            if (at < 0) {
                at = static_cast<std::int32_t>(names.size());
                names.push_back(m_out.names[static_cast<std::size_t>(name)]);
            }
            name = at;
        };
        for (TraceSpan& span : m_out.spans)
            keep(span.name);
        for (WorkSum& sum : m_part.said.sums)
            keep(sum.name);
        m_out.names = std::move(names);
    }

    FilePart m_part;
    Trace& m_trace;
    Trace m_out;
    std::vector<bool> m_collects; // by name
    bool m_keepsKernels = false;
};

} // namespace

FilePart reduced(FilePart part)
{
    return PartReduction(std::move(part)).run();
}

} // namespace pw

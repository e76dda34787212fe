// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/kernel_diff.h"

#include "core/trace/activity_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace pw {

namespace {

using KernelKey = std::tuple<std::string, std::string>; // pass, name

struct KernelCell
{
    ActivityKind kind = ActivityKind::Other;
    KernelSide side;
};

/// A rank of one trace.
struct KernelRank
{
    std::map<KernelKey, KernelCell> cells;
    Ticks first = 0;
    Ticks last = 0;
};

constexpr const char* idleName = "(idle)";

/// The passes of a rank by start; device times where there are any.
struct PassWindow
{
    Ticks start = 0;
    Ticks end = 0;
    std::string text;
};

std::vector<std::vector<PassWindow>> passWindows(const Trace& trace)
{
    std::vector<Trust> surest(trace.ranks.size(), Trust::Guessed);
    const auto labelOf = [&trace](const TraceSpan& span) -> const SpanLabel* {
        const SpanLabel* label = trace.labelOf(span);
        return label != nullptr && label->role == SpanRole::Pass ? label : nullptr;
    };
    // On the device, then by containment, then what is guessed; the host's times do not count.
    const auto order = [](Trust trust) {
        return trust == Trust::Device ? 0 : trust == Trust::Contained ? 1 : 2;
    };
    for (const TraceSpan& span : trace.spans)
        if (labelOf(span) != nullptr && span.trust != Trust::Host) {
            Trust& best = surest[span.rank.index()];
            best = order(span.trust) < order(best) ? span.trust : best;
        }
    std::vector<std::vector<PassWindow>> windows(trace.ranks.size());
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = labelOf(span);
        if (label == nullptr || span.trust != surest[span.rank.index()])
            continue;
        windows[span.rank.index()].push_back(
            {span.start, span.end,
             std::string(name(label->kind)) +
                 (label->stage >= 0 ? " stage " + std::to_string(label->stage) : "")});
    }
    for (std::vector<PassWindow>& list : windows)
        std::stable_sort(list.begin(), list.end(), [](const PassWindow& a, const PassWindow& b) {
            return a.start < b.start;
        });
    return windows;
}

std::string passAround(const std::vector<PassWindow>& windows, Ticks time)
{
    auto behind = std::upper_bound(
        windows.begin(), windows.end(), time,
        [](Ticks wanted, const PassWindow& window) { return wanted < window.start; });
    // Both halves of an overlapped pair begin together.
    for (int back = 0; back < 2 && behind != windows.begin(); ++back) {
        --behind;
        if (behind->end >= time)
            return behind->text;
    }
    return {};
}

/// Shares every moment of a rank's devices out among what runs then; what is left is idle.
void shareOut(const Trace& trace, std::vector<const TraceSpan*>& spans,
              const std::vector<PassWindow>& windows, KernelRank& rank)
{
    std::sort(spans.begin(), spans.end(),
              [](const TraceSpan* a, const TraceSpan* b) { return a->start < b->start; });
    std::vector<KernelCell*> cells;
    std::vector<std::pair<Ticks, std::int64_t>> moments; // time; begins (≥ 0) or ends (−1 − i)
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const TraceSpan& span = *spans[i];
        KernelCell& cell =
            rank.cells[{passAround(windows, span.start), std::string(trace.nameOf(span))}];
        cell.kind = span.activity;
        ++cell.side.count;
        cell.side.total += span.end - span.start;
        cells.push_back(&cell);
        if (span.end > span.start) {
            moments.emplace_back(span.start, static_cast<std::int64_t>(i));
            moments.emplace_back(span.end, -1 - static_cast<std::int64_t>(i));
        }
    }
    if (moments.empty())
        return;
    std::sort(moments.begin(), moments.end());
    rank.first = moments.front().first;
    rank.last = moments.back().first;
    KernelCell& idle = rank.cells[{std::string(), std::string(idleName)}];
    // What a running kernel gets is the growth of this sum while it runs.
    double given = 0, idleTime = 0;
    std::vector<double> from(spans.size(), 0);
    std::int64_t running = 0;
    Ticks now = rank.first;
    for (const auto& [time, what] : moments) {
        if (running > 0)
            given += static_cast<double>(time - now) / static_cast<double>(running);
        else
            idleTime += static_cast<double>(time - now);
        now = time;
        const auto i = static_cast<std::size_t>(what >= 0 ? what : -1 - what);
        if (what >= 0)
            from[i] = given;
        else
            cells[i]->side.share += given - from[i];
        running += what >= 0 ? 1 : -1;
    }
    idle.side.share = idleTime;
    idle.side.total = static_cast<Ticks>(std::llround(idleTime));
}

/// By number.
std::map<std::int32_t, KernelRank> kernelRanks(const Trace& trace)
{
    std::vector<std::vector<const TraceSpan*>> spans(trace.ranks.size());
    for (const TraceSpan& span : trace.spans)
        if (isDeviceWork(span.activity) && span.end >= span.start)
            spans[span.rank.index()].push_back(&span);
    const std::vector<std::vector<PassWindow>> windows = passWindows(trace);
    std::map<std::int32_t, KernelRank> ranks;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (!spans[i].empty())
            shareOut(trace, spans[i], windows[i], ranks[trace.ranks[i].number]);
    return ranks;
}

PassLengths passLengths(const Trace& trace)
{
    PassLengths lengths;
    std::vector<bool> surer(trace.ranks.size(), false);
    for (const TraceSpan& span : trace.spans)
        if (const SpanLabel* label = trace.labelOf(span);
            label != nullptr && label->role == SpanRole::Pass && span.trust != Trust::Host)
            surer[span.rank.index()] = true;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr || label->role != SpanRole::Pass ||
            (span.trust == Trust::Host && surer[span.rank.index()]))
            continue;
        lengths[label->kind].push_back(span.end - span.start);
    }
    return lengths;
}

} // namespace

std::string_view name(KernelChange change)
{
    constexpr std::array<std::string_view, 5> names = {"same", "grew", "shrank", "new", "vanished"};
    return names[static_cast<std::size_t>(change)];
}

KernelChange KernelDelta::change() const
{
    if (kind != ActivityKind::Other && before.count == 0)
        return KernelChange::New;
    if (kind != ActivityKind::Other && after.count == 0)
        return KernelChange::Vanished;
    return after.total > before.total   ? KernelChange::Grew
           : after.total < before.total ? KernelChange::Shrank
                                        : KernelChange::Same;
}

KernelDiff diffKernels(const Trace& before, const Trace& after)
{
    std::map<std::int32_t, KernelRank> one = kernelRanks(before), two = kernelRanks(after);
    KernelDiff diff;
    if (one.size() == 1 && two.size() == 1 && one.begin()->first != two.begin()->first) {
        diff.notes.push_back("each trace has one rank with a device; they are compared, whatever "
                             "their numbers");
        auto only = one.extract(one.begin());
        only.key() = two.begin()->first;
        one.insert(std::move(only));
    }
    std::set<std::int32_t> numbers;
    for (const auto* side : {&one, &two})
        for (const auto& [number, cells] : *side)
            numbers.insert(number);
    if (numbers.empty())
        diff.notes.push_back("nothing ran on a device in either trace");
    for (const std::int32_t number : numbers) {
        const bool inBoth = one.count(number) > 0 && two.count(number) > 0;
        if (!inBoth) {
            diff.notes.push_back(
                "rank " + (number < 0 ? std::string("?") : std::to_string(number)) +
                " ran on a device in the " + (one.count(number) > 0 ? "earlier" : "later") +
                " trace alone; it is left out");
            continue;
        }
        const KernelRank &old = one[number], &now = two[number];
        diff.spans.push_back({number, old.last - old.first, now.last - now.first});
        std::set<KernelKey> keys;
        for (const auto* side : {&old, &now})
            for (const auto& [key, cell] : side->cells)
                keys.insert(key);
        for (const KernelKey& key : keys) {
            KernelDelta delta;
            delta.number = number;
            std::tie(delta.pass, delta.name) = key;
            if (const auto found = old.cells.find(key); found != old.cells.end()) {
                delta.before = found->second.side;
                delta.kind = found->second.kind;
            }
            if (const auto found = now.cells.find(key); found != now.cells.end()) {
                delta.after = found->second.side;
                delta.kind = found->second.kind;
            }
            diff.kernels.push_back(std::move(delta));
        }
    }
    std::stable_sort(diff.kernels.begin(), diff.kernels.end(),
                     [](const KernelDelta& a, const KernelDelta& b) {
                         return std::abs(a.effect()) > std::abs(b.effect());
                     });
    diff.passes = passHistograms(passLengths(before), passLengths(after));
    return diff;
}

} // namespace pw

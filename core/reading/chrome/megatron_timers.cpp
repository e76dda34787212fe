// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/megatron_timers.h"

#include "core/reading/events/event_time.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace pw {

namespace {

/// The part of a key before the next "-", which is cut off with it.
std::string_view takePart(std::string_view& key)
{
    const std::size_t dash = key.find('-');
    const std::string_view part = key.substr(0, dash);
    key = dash == std::string_view::npos ? std::string_view() : key.substr(dash + 1);
    return part;
}

/// The digits behind a word; −1 without them.
std::int32_t numberAfter(std::string_view text, std::string_view word)
{
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos)
        return -1;
    std::string_view digits = text.substr(at + word.size());
    const std::size_t end = digits.find_first_not_of("0123456789");
    return smallNumber(digits.substr(0, end));
}

} // namespace

TimerFileName readTimerFileName(std::string_view name)
{
    return {numberAfter(name, "_pp_rank_"), numberAfter(name, "DP_rank_")};
}

void MegatronTimers::take(std::string_view key, std::string_view value)
{
    const std::string_view kind = takePart(key);
    if (kind != "forward" && kind != "backward")
        return;
    std::vector<std::string_view> parts;
    while (!key.empty() && parts.size() < 4)
        parts.push_back(takePart(key));
    if (parts.size() != 2 && parts.size() != 3)
        return;
    const std::int32_t microBatch = smallNumber(parts[parts.size() - 2]);
    const std::int32_t chunk = parts.size() == 3 ? smallNumber(parts[0]) : -1;
    const bool start = parts.back() == "start";
    if (microBatch < 0 || (parts.size() == 3 && chunk < 0) || (!start && parts.back() != "end"))
        return;
    ++m_trace.events;
    Marks& marks = m_passes[{kind == "backward", chunk, microBatch}];
    (start ? marks.start : marks.end) = ticksFromDecimal(value, millisecondDigits);
}

EventFile MegatronTimers::finish()
{
    EventFile file;
    file.firstSpan = m_trace.spans.size();
    file.origin = "Megatron timers";
    const std::string name = std::filesystem::path(m_trace.files.back()).filename().string();
    const TimerFileName said = readTimerFileName(name);
    file.rankNumber = said.pipelineRank;
    file.replica = said.replica;
    file.rankFrom = "file name";
    EventProcess process;
    process.id = "0";
    m_trace.tracks.push_back({rankAsYet(ProcessId(0)), "compute", "compute"});
    const auto track = static_cast<std::int32_t>(m_trace.tracks.size()) - 1;
    std::int64_t alone = 0;
    std::vector<std::pair<TraceSpan, SpanLabel>> found;
    for (const auto& [key, marks] : m_passes) {
        const auto& [backward, chunk, microBatch] = key;
        if (!marks.start || !marks.end || *marks.end < *marks.start) {
            ++alone;
            continue;
        }
        SpanLabel label;
        label.role = SpanRole::Pass;
        label.kind = backward ? PassKind::BW : PassKind::F;
        label.chunk = chunk;
        label.microBatch = microBatch;
        const std::string text = std::string(backward ? "backward" : "forward") +
                                 (chunk < 0 ? "" : "-" + std::to_string(chunk)) + "-" +
                                 std::to_string(microBatch);
        TraceSpan span;
        span.start = *marks.start;
        span.end = *marks.end;
        span.track = track;
        span.name = m_names.indexOf(text);
        span.trust = Trust::Device;
        found.emplace_back(span, label);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first.start, a.first.end) < std::pair(b.first.start, b.first.end);
    });
    for (auto& [span, label] : found) {
        span.label = static_cast<std::int32_t>(m_trace.labels.size());
        m_trace.labels.push_back(label);
        m_trace.spans.push_back(span);
    }
    process.labelled = static_cast<std::int64_t>(found.size());
    file.processes.push_back(std::move(process));
    m_trace.leftOut += alone;
    if (alone > 0)
        m_trace.warnings.push_back(m_trace.files.back() + ": " + std::to_string(alone) +
                                   " passes lack their start or their end; left out");
    return file;
}

} // namespace pw

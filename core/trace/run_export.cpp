// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/run_export.h"

#include "core/io/pass_label.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace pw {

namespace {

/// Ticks divided by 10^digits, exactly; without trailing zeros unless `fixed`.
std::string decimal(Ticks ticks, std::size_t digits, bool fixed)
{
    std::string text = std::to_string(ticks < 0 ? -ticks : ticks);
    if (text.size() <= digits)
        text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, 1, '.');
    if (!fixed) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return (ticks < 0 ? "-" : "") + text;
}

/// Events one a line; every text in them is ours and needs no escaping.
class RunEvents
{
public:
    RunEvents() { m_text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"; }

    void begin(char phase, std::int32_t rank)
    {
        m_text += m_first ? "" : ",\n";
        m_first = false;
        m_text += std::string("{\"ph\": \"") + phase + "\", \"pid\": " + std::to_string(rank) +
                  ", \"tid\": 0";
    }
    void text(std::string_view name, std::string_view value)
    {
        m_text.append(", \"").append(name).append("\": \"").append(value).append("\"");
    }
    void raw(std::string_view name, const std::string& value)
    {
        m_text.append(", \"").append(name).append("\": ").append(value);
    }
    void time(std::string_view name, Ticks ticks) { raw(name, decimal(ticks, 3, true)); }
    void end(std::string_view closing = "}") { m_text += closing; }

    std::string whole() { return m_text + "\n]}\n"; }

private:
    std::string m_text;
    bool m_first = true;
};

void writeNames(RunEvents& events, std::int32_t rank)
{
    const auto meta = [&](const char* name, const std::string& arguments) {
        events.begin('M', rank);
        events.text("name", name);
        events.raw("args", arguments);
        events.end();
    };
    meta("process_name", "{\"name\": \"rank " + std::to_string(rank) + "\"}");
    meta("process_sort_index", "{\"sort_index\": " + std::to_string(rank) + "}");
    meta("thread_name", "{\"name\": \"compute\"}");
}

std::string passArguments(const Pass& pass, const std::string& prefix)
{
    const auto number = [&prefix](const char* key, std::int32_t value) {
        return ", \"" + prefix + key + "\": " + std::to_string(value);
    };
    return ", \"" + prefix + "kind\": \"" + std::string(name(pass.kind)) + "\"" +
           number("route", pass.route) + number("stage", pass.stage) +
           number(pass.kind == PassKind::U ? "update" : "micro_batch", pass.microBatch) +
           number("segment", pass.segment);
}

/// @param partner  the other half of an overlapped pair, or null
void writeSlice(RunEvents& events, const RecordedPass& record, const RecordedPass* partner)
{
    OrderEntry entry;
    entry.pass = record.pass;
    entry.paired = partner != nullptr;
    if (partner != nullptr)
        entry.partner = partner->pass;
    events.begin('X', record.rank);
    events.text("name", entryLabel(entry));
    events.text("cat", "pass");
    events.time("ts", record.start);
    events.time("dur", record.end - record.start);
    std::string arguments = "{\"iteration\": " + std::to_string(record.iteration) +
                            ", \"entry\": " + std::to_string(record.entry) +
                            passArguments(record.pass, "");
    if (partner != nullptr)
        arguments += passArguments(partner->pass, "second_");
    events.raw("args", arguments + "}");
    events.end();
}

void writeArrow(RunEvents& events, const RecordedMessage& message, std::size_t number)
{
    const bool reduction = message.producer.kind == PassKind::U;
    const char* what = reduction                              ? "weight gradients"
                       : message.producer.kind == PassKind::F ? "activation"
                                                              : "gradient";
    const auto side = [&](char phase, std::int32_t rank, Ticks time) {
        events.begin(phase, rank);
        events.text("name", what);
        events.text("cat", "message");
        events.raw("id", std::to_string(number));
        events.time("ts", time);
        if (phase == 'f')
            events.text("bp", "e");
        events.raw("args", "{\"bytes\": " + std::to_string(message.bytes) +
                               ", \"iteration\": " + std::to_string(message.iteration) + "}");
        events.end();
    };
    // An arrow belongs to the slice around it: just before the end of the one that made the result.
    side('s', message.from, message.posted - 1);
    side('f', message.to, message.ended);
}

void writeCounter(RunEvents& events, const MemorySample& sample)
{
    events.begin('C', sample.rank);
    events.text("name", "memory");
    events.time("ts", sample.time);
    std::string arguments = "{";
    for (int use = 0; use < memoryUseCount; ++use) {
        const auto kind = static_cast<MemoryUse>(use);
        arguments += (use == 0 ? "\"" : ", \"") + std::string(name(kind)) +
                     "\": " + std::to_string(sample.of(kind));
    }
    events.raw("args", arguments + "}");
    events.end();
}

} // namespace

std::string writeRunChromeJson(std::span<const RecordedPass> passes,
                               std::span<const RecordedMessage> messages,
                               std::span<const MemorySample> memory)
{
    RunEvents events;
    std::set<std::int32_t> ranks;
    for (const RecordedPass& record : passes)
        ranks.insert(record.rank);
    // The halves of an overlapped pair are one slice.
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::vector<std::size_t>> halves;
    for (std::size_t i = 0; i < passes.size(); ++i)
        halves[{passes[i].iteration, passes[i].rank, passes[i].entry}].push_back(i);
    for (const std::int32_t rank : ranks)
        writeNames(events, rank);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const RecordedPass& record = passes[i];
        const auto other = halves.find({record.iteration, record.rank, record.entry});
        const bool paired = record.entry >= 0 && other->second.size() == 2;
        if (!paired)
            writeSlice(events, record, nullptr);
        else if (other->second.front() == i)
            writeSlice(events, record, &passes[other->second.back()]);
    }
    for (std::size_t i = 0; i < messages.size(); ++i)
        writeArrow(events, messages[i], i);
    for (const MemorySample& sample : memory)
        writeCounter(events, sample);
    return events.whole();
}

std::string writeRunCsv(std::span<const RecordedPass> passes)
{
    std::string text = "device,kind,route,stage,micro_batch,segment,start_ms,end_ms,iteration\n";
    for (const RecordedPass& record : passes) {
        text += std::to_string(record.rank) + ',' + std::string(name(record.pass.kind));
        for (const std::int32_t number : {std::int32_t{record.pass.route}, record.pass.stage,
                                          record.pass.microBatch, record.pass.segment})
            text += ',' + std::to_string(number);
        text += ',' + decimal(record.start, 6, false) + ',' + decimal(record.end, 6, false) + ',' +
                std::to_string(record.iteration) + '\n';
    }
    return text;
}

} // namespace pw

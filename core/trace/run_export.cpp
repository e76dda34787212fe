// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/run_export.h"

#include "core/io/pass_events.h"
#include "core/io/pass_label.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace pw {

namespace {

void writeNames(PassEvents& events, RankId rank)
{
    events.nameOf("process_name", rank, "rank " + std::to_string(rank));
    events.placeOf("process_sort_index", rank, rank);
    events.nameOf("thread_name", rank, "compute");
}

/// @param partner  the other half of an overlapped pair, or null
void writeSlice(PassEvents& events, const RecordedPass& record, const RecordedPass* partner)
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
                            passFields(record.pass, "");
    if (partner != nullptr)
        arguments += passFields(partner->pass, "second_");
    events.json("args", arguments + "}");
    events.end();
}

void writeArrow(PassEvents& events, const RecordedMessage& message, std::size_t number)
{
    const bool reduction = message.producer.kind == PassKind::U;
    const char* what = reduction                              ? "weight gradients"
                       : message.producer.kind == PassKind::F ? "activation"
                                                              : "gradient";
    const auto side = [&](char phase, RankId rank, Ticks time) {
        events.begin(phase, rank);
        events.text("name", what);
        events.text("cat", "message");
        events.number("id", static_cast<std::int64_t>(number));
        events.time("ts", time);
        if (phase == 'f')
            events.text("bp", "e");
        events.json("args", "{\"bytes\": " + std::to_string(message.bytes) +
                                ", \"iteration\": " + std::to_string(message.iteration) + "}");
        events.end();
    };
    // An arrow belongs to the slice around it: just before the end of the one that made the result.
    side('s', message.from, message.posted - 1);
    side('f', message.to, message.ended);
}

void writeCounter(PassEvents& events, const MemorySample& sample)
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
    events.json("args", arguments + "}");
    events.end();
}

/// Copies between device and host, each direction on a thread of its own.
void writeCopies(PassEvents& events, std::span<const RecordedCopy> copies)
{
    std::set<std::pair<RankId, bool>> named;
    for (const RecordedCopy& copy : copies) {
        const int thread = copy.back ? 2 : 1;
        if (named.emplace(copy.rank, copy.back).second)
            events.nameOf("thread_name", copy.rank, copy.back ? "from host" : "to host", thread);
        events.begin('X', copy.rank, thread);
        events.text("name", (copy.back ? "H2D " : "D2H ") + passLabel(copy.cell));
        events.text("cat", "copy");
        events.time("ts", copy.start);
        events.time("dur", copy.end - copy.start);
        events.json("args", "{\"bytes\": " + std::to_string(copy.bytes) + ", \"iteration\": " +
                                std::to_string(copy.iteration) + passFields(copy.cell, "") + "}");
        events.end();
    }
}

} // namespace

std::string writeRunChromeJson(std::span<const RecordedPass> passes,
                               std::span<const RecordedMessage> messages,
                               std::span<const MemorySample> memory,
                               std::span<const RecordedCopy> copies)
{
    PassEvents events;
    std::set<RankId> ranks;
    for (const RecordedPass& record : passes)
        ranks.insert(record.rank);
    // The halves of an overlapped pair are one slice.
    std::map<std::tuple<std::int32_t, RankId, EntryId>, std::vector<std::size_t>> halves;
    for (std::size_t i = 0; i < passes.size(); ++i)
        halves[{passes[i].iteration, passes[i].rank, passes[i].entry}].push_back(i);
    for (const RankId rank : ranks)
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
    writeCopies(events, copies);
    return events.take();
}

std::string writeRunCsv(std::span<const RecordedPass> passes)
{
    std::string text = std::string(passColumns) + ",iteration\n";
    for (const RecordedPass& record : passes) {
        appendPassRow(text, deviceOf(record.rank), record.pass, record.start, record.end);
        text += ',' + std::to_string(record.iteration) + '\n';
    }
    return text;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/chrome_json.h"

#include "core/io/pass_label.h"
#include "core/io/schedule_text.h"
#include "core/sim/dependencies.h"
#include "core/sim/memory.h"

#include <algorithm>

namespace pw {

namespace {

/// Ticks divided by 10^digits, written out exactly; without trailing zeros unless `fixed`.
std::string decimal(Ticks ticks, int digits, bool fixed)
{
    std::string text = std::to_string(ticks < 0 ? -ticks : ticks);
    const auto places = static_cast<std::size_t>(digits);
    if (text.size() <= places)
        text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
    if (!fixed) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return (ticks < 0 ? "-" : "") + text;
}

std::string microseconds(Ticks ticks)
{
    return decimal(ticks, 3, true);
}

/// Writes the events one a line; every text in them is ours and needs no escaping.
class ChromeWriter
{
public:
    ChromeWriter(const Schedule& schedule, const Costs& costs, const SimResult& result)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_result(result)
        , m_chunks(schedule.spec())
    {
    }

    std::string run()
    {
        m_text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
        for (int device = 0; device < m_schedule.devices(); ++device) {
            writeNames(device);
            for (std::int32_t i = m_schedule.begin(device); i < m_schedule.end(device); ++i)
                writeSlice(device, i);
            writeMemory(device);
        }
        for (int device = 0; device < m_schedule.devices(); ++device) {
            for (std::int32_t i = m_schedule.begin(device); i < m_schedule.end(device); ++i)
                writeArrows(device, i);
        }
        m_text += "\n]}\n";
        return std::move(m_text);
    }

private:
    /// Begins an event: phase, device and thread.
    void begin(char phase, int device)
    {
        m_text += m_first ? "" : ",\n";
        m_first = false;
        m_text += "{\"ph\": \"";
        m_text += phase;
        m_text += "\", \"pid\": " + std::to_string(device) + ", \"tid\": 0";
    }

    void field(std::string_view name, const std::string& value, bool text)
    {
        m_text.append(", \"").append(name).append(text ? "\": \"" : "\": ").append(value);
        if (text)
            m_text += '"';
    }

    void writeNames(int device)
    {
        auto meta = [&](const std::string& name, const std::string& value, bool text) {
            begin('M', device);
            field("name", name, true);
            const bool sorting = name.find("sort_index") != std::string::npos;
            m_text += std::string(", \"args\": {\"") + (sorting ? "sort_index" : "name") +
                      "\": " + (text ? '"' + value + '"' : value) + "}}";
        };
        meta("process_name", "device " + std::to_string(device), true);
        meta("process_sort_index", std::to_string(device), false);
        meta("thread_name", "compute", true);
        meta("thread_sort_index", "0", false);
    }

    void writeSlice(int device, std::int32_t index)
    {
        const OrderEntry entry = m_schedule.entry(index);
        const auto at = static_cast<std::size_t>(index);
        begin('X', device);
        field("name", entryLabel(entry), true);
        field("cat", "pass", true);
        field("ts", microseconds(m_result.start[at]), false);
        field("dur", microseconds(m_result.end[at] - m_result.start[at]), false);
        m_text += ", \"args\": {\"entry\": " + std::to_string(index - m_schedule.begin(device));
        writePass(entry.pass, "");
        if (entry.paired)
            writePass(entry.partner, "second_");
        m_text += "}}";
    }

    void writePass(const Pass& pass, const std::string& prefix)
    {
        field(prefix + "kind", std::string(name(pass.kind)), true);
        field(prefix + "route", std::to_string(pass.route), false);
        field(prefix + "stage", std::to_string(pass.stage), false);
        field(prefix + "chunk", std::to_string(m_chunks.chunk(pass.route, pass.stage)), false);
        field(prefix + (pass.kind == PassKind::U ? "update" : "micro_batch"),
              std::to_string(pass.microBatch), false);
        field(prefix + "segment", std::to_string(pass.segment), false);
    }

    void writeArrows(int device, std::int32_t index)
    {
        const Schedule::Places& places = m_schedule.places()[static_cast<std::size_t>(index)];
        for (const PassId id : {places.first, places.second}) {
            if (!id.valid() || m_schedule.kind(id) == PassKind::U)
                continue;
            m_needs.clear();
            Dependencies(m_schedule).append(id, m_needs);
            for (const Dependency& need : m_needs) {
                if (need.message)
                    writeArrow(device, index, need.producer);
            }
        }
    }

    void writeArrow(int device, std::int32_t index, PassId producer)
    {
        const bool forward = m_schedule.kind(producer) == PassKind::F;
        const auto from = static_cast<std::size_t>(m_schedule.entryOf(producer));
        // An arrow belongs to the slice around it, and at its very end a slice is over.
        const Ticks leaves = std::max(m_result.start[from], m_result.end[from] - 1);
        auto end = [&](char phase, int where, Ticks time) {
            begin(phase, where);
            field("name", forward ? "activation" : "gradient", true);
            field("cat", "message", true);
            field("id", std::to_string(m_arrows), false);
            field("ts", microseconds(time), false);
        };
        end('s', m_schedule.device(producer), leaves);
        m_text += '}';
        end('f', device, m_result.start[static_cast<std::size_t>(index)]);
        field("bp", "e", true);
        m_text += '}';
        ++m_arrows;
    }

    void writeMemory(int device)
    {
        const auto curve = memoryCurve(m_schedule, m_costs, m_result, device);
        const bool anything = std::any_of(
            curve.begin(), curve.end(), [](const MemoryPoint& point) { return point.total() > 0; });
        if (!anything)
            return;
        for (const MemoryPoint& point : curve) {
            begin('C', device);
            field("name", "memory", true);
            field("ts", microseconds(point.time), false);
            m_text += ", \"args\": {";
            for (int kind = 0; kind < memoryKindCount; ++kind) {
                m_text += (kind == 0 ? "\"" : ", \"") +
                          std::string(name(static_cast<MemoryKind>(kind))) +
                          "\": " + std::to_string(point.bytes[static_cast<std::size_t>(kind)]);
            }
            m_text += "}}";
        }
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
    ChunkTable m_chunks;
    std::string m_text;
    bool m_first = true;
    std::int64_t m_arrows = 0;
    std::vector<Dependency> m_needs;
};

} // namespace

std::string writeChromeJson(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    return ChromeWriter(schedule, costs, result).run();
}

std::string writeTimelineCsv(const Schedule& schedule, const SimResult& result)
{
    std::string text = "device,kind,route,stage,micro_batch,segment,start_ms,end_ms\n";
    for (int device = 0; device < schedule.devices(); ++device) {
        for (std::int32_t i = schedule.begin(device); i < schedule.end(device); ++i) {
            const auto at = static_cast<std::size_t>(i);
            const OrderEntry entry = schedule.entry(i);
            auto row = [&](const Pass& pass) {
                text += std::to_string(device) + ',' + std::string(name(pass.kind));
                for (const std::int32_t number :
                     {std::int32_t{pass.route}, pass.stage, pass.microBatch, pass.segment})
                    text += ',' + std::to_string(number);
                text += ',' + decimal(result.start[at], 6, false) + ',' +
                        decimal(result.end[at], 6, false) + '\n';
            };
            row(entry.pass);
            if (entry.paired)
                row(entry.partner);
        }
    }
    return text;
}

} // namespace pw

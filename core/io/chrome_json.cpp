// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/chrome_json.h"

#include "core/base/text.h"
#include "core/io/pass_events.h"
#include "core/io/pass_label.h"
#include "core/io/schedule_text.h"
#include "core/sim/dependencies.h"
#include "core/sim/memory.h"

#include <algorithm>

namespace pw {

namespace {

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
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            writeNames(device);
            for (const EntryId i : m_schedule.entries(device))
                writeSlice(device, i);
            writeMemory(device);
        }
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            for (const EntryId i : m_schedule.entries(device))
                writeArrows(device, i);
        }
        writeCopies();
        return m_events.take();
    }

private:
    void writeNames(DeviceId device)
    {
        m_events.nameOf("process_name", device, "device " + std::to_string(device));
        m_events.placeOf("process_sort_index", device, device);
        m_events.nameOf("thread_name", device, "compute");
        m_events.placeOf("thread_sort_index", device, 0);
    }

    void writeSlice(DeviceId device, EntryId index)
    {
        const OrderEntry entry = m_schedule.entry(index);
        const auto at = static_cast<std::size_t>(index);
        m_events.begin('X', device);
        m_events.text("name", entryLabel(entry));
        m_events.text("cat", "pass");
        m_events.time("ts", m_result.start[at]);
        m_events.time("dur", m_result.end[at] - m_result.start[at]);
        std::string arguments = "{\"entry\": " + std::to_string(index - m_schedule.begin(device)) +
                                fieldsOf(entry.pass, "");
        if (entry.paired)
            arguments += fieldsOf(entry.partner, "second_");
        m_events.json("args", arguments + "}");
        m_events.end();
    }

    std::string fieldsOf(const Pass& pass, std::string_view prefix) const
    {
        return passFields(pass, prefix, m_chunks.chunk(pass.route, pass.stage));
    }

    void writeArrows(DeviceId device, std::int32_t index)
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

    void writeArrow(DeviceId device, std::int32_t index, PassId producer)
    {
        const bool forward = m_schedule.kind(producer) == PassKind::F;
        const auto from = static_cast<std::size_t>(m_schedule.entryOf(producer));
        // An arrow belongs to the slice around it, and at its very end a slice is over.
        const Ticks leaves = std::max(m_result.start[from], m_result.end[from] - 1);
        auto begin = [&](char phase, int where, Ticks time) {
            m_events.begin(phase, where);
            m_events.text("name", forward ? "activation" : "gradient");
            m_events.text("cat", "message");
            m_events.number("id", m_arrows);
            m_events.time("ts", time);
        };
        begin('s', m_schedule.device(producer), leaves);
        m_events.end();
        begin('f', device, m_result.start[static_cast<std::size_t>(index)]);
        m_events.text("bp", "e");
        m_events.end();
        ++m_arrows;
    }

    /// Ways to the host's memory and back, on a thread for either engine of a device.
    void writeCopies()
    {
        int named = -1;
        for (const HostCopy& copy : m_result.copies) {
            if (copy.device != named) {
                named = copy.device;
                for (const int thread : {toHost, fromHost}) {
                    m_events.nameOf("thread_name", named,
                                    thread == toHost ? "to host" : "from host", thread);
                    m_events.placeOf("thread_sort_index", named, thread, thread);
                }
            }
            writeCopy(copy, toHost, copy.outStart, copy.outEnd);
            if (copy.needed >= 0)
                writeCopy(copy, fromHost, copy.backStart, copy.backEnd);
        }
    }

    void writeCopy(const HostCopy& copy, int thread, Ticks start, Ticks end)
    {
        m_events.begin('X', copy.device, thread);
        // No label of a pass: who reads the file is not to take it for one.
        const Pass& cell = copy.cell;
        std::string name = (thread == toHost ? "to host: stage " : "from host: stage ") +
                           std::to_string(cell.stage) + ", micro-batch " +
                           std::to_string(cell.microBatch);
        if (m_schedule.spec().segments() > 1)
            name += ", segment " + std::to_string(cell.segment);
        m_events.text("name", name);
        m_events.text("cat", "copy");
        m_events.time("ts", start);
        m_events.time("dur", end - start);
        std::string arguments = "{\"bytes\": " + std::to_string(copy.bytes) + fieldsOf(cell, "of_");
        if (thread == fromHost)
            arguments += ", \"waited_ms\": " + plainNumber(msFromTicks(copy.wait), 12);
        m_events.json("args", arguments + "}");
        m_events.end();
    }

    void writeMemory(DeviceId device)
    {
        const auto curve = memoryCurve(m_schedule, m_costs, m_result, device);
        const bool anything = std::any_of(
            curve.begin(), curve.end(), [](const MemoryPoint& point) { return point.total() > 0; });
        if (!anything)
            return;
        for (const MemoryPoint& point : curve) {
            m_events.begin('C', device);
            m_events.text("name", "memory");
            m_events.time("ts", point.time);
            std::string bytes;
            for (int kind = 0; kind < memoryKindCount; ++kind) {
                bytes += (kind == 0 ? "{\"" : ", \"") +
                         std::string(name(static_cast<MemoryKind>(kind))) +
                         "\": " + std::to_string(point.bytes[static_cast<std::size_t>(kind)]);
            }
            m_events.json("args", bytes + "}");
            m_events.end();
        }
    }

    static constexpr int toHost = 1, fromHost = 2; // threads

    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
    ChunkTable m_chunks;
    PassEvents m_events;
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
    std::string text = std::string(passColumns) + "\n";
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        for (const EntryId i : schedule.entries(device)) {
            const auto at = static_cast<std::size_t>(i);
            const OrderEntry entry = schedule.entry(i);
            auto row = [&](const Pass& pass) {
                appendPassRow(text, device, pass, result.start[at], result.end[at]);
                text += '\n';
            };
            row(entry.pass);
            if (entry.paired)
                row(entry.partner);
        }
    }
    return text;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"

#include "core/io/schedule_text_parts.h"
#include "core/io/spec_names.h"

#include <algorithm>

namespace pw {

ChunkTable::ChunkTable(const PipelineSpec& spec)
    : m_routes(spec.routes)
    , m_stages(chunksOfDevices(spec))
    , m_chunks(spec.routes.size(), std::vector<int>(static_cast<std::size_t>(spec.stages())))
{
    for (const auto& stages : m_stages) {
        for (std::size_t chunk = 0; chunk < stages.size(); ++chunk) {
            const HostedStage& hosted = stages[chunk];
            m_chunks[static_cast<std::size_t>(hosted.route)]
                    [static_cast<std::size_t>(hosted.stage)] = static_cast<int>(chunk);
        }
    }
}

bool ChunkTable::hosts(DeviceId device, const Pass& pass) const
{
    return pass.route < m_routes.size() && pass.stage >= 0 &&
           pass.stage < m_routes[pass.route].stages() &&
           m_routes[pass.route].device(pass.stage) == device;
}

std::string passText(const Pass& pass, DeviceId device, const ChunkTable& chunks)
{
    std::string text(name(pass.kind));
    text += std::to_string(pass.microBatch);
    if (!chunks.hosts(device, pass)) {
        text += '[';
        if (pass.route != 0)
            text += std::to_string(pass.route) + '/';
        text += std::to_string(pass.stage) + ']';
    } else if (const int chunk = chunks.chunk(pass.route, pass.stage); chunk != 0) {
        text += '.' + std::to_string(chunk);
    }
    if (pass.segment != 0)
        text += '/' + std::to_string(pass.segment);
    return text;
}

VersionReader::VersionReader(const PipelineSpec& spec)
    : m_spec(spec)
{
}

std::optional<int> VersionReader::next(const Pass& pass)
{
    if (pass.kind == PassKind::U) {
        ++m_updates[{pass.route, pass.stage}];
        return std::nullopt;
    }
    if (pass.kind == PassKind::W || m_spec.updateRule == UpdateRule::Flush)
        return std::nullopt;
    if (m_spec.updateRule == UpdateRule::DoubleBuffered)
        return std::max(pass.microBatch / m_spec.microBatches - 1, 0);
    // Stashed: the backward reads what the first segment's F read, so it is kept.
    const std::pair<int, int> key{pass.stage, pass.microBatch};
    if (pass.kind == PassKind::F && pass.segment == 0)
        m_read[key] = m_updates[{pass.route, pass.stage}];
    const auto found = m_read.find(key);
    if (found == m_read.end())
        return std::nullopt;
    return found->second;
}

std::vector<std::string> writeOrders(const Draft& draft)
{
    const ChunkTable chunks(draft.spec);
    std::vector<std::string> lines;
    lines.reserve(draft.orders.size());
    for (std::size_t device = 0; device < draft.orders.size(); ++device) {
        VersionReader versions(draft.spec);
        std::string line;
        auto write = [&](const Pass& pass) {
            line += passText(pass, DeviceId(device), chunks);
            if (const auto version = versions.next(pass))
                line += '@' + std::to_string(*version);
        };
        for (const OrderEntry& entry : draft.orders[device]) {
            if (!line.empty())
                line += ' ';
            if (entry.paired)
                line += '(';
            write(entry.pass);
            if (entry.paired) {
                line += '+';
                write(entry.partner);
                line += ')';
            }
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

namespace {

/// What reading the device lines alone would take for the spec.
Occurring occurringIn(const Draft& draft, const ChunkTable& chunks)
{
    Occurring seen;
    auto note = [&](const Pass& pass, DeviceId device) {
        if (chunks.hosts(device, pass))
            seen.chunk = std::max<std::int64_t>(seen.chunk, chunks.chunk(pass.route, pass.stage));
        seen.note(pass);
    };
    for (std::size_t device = 0; device < draft.orders.size(); ++device) {
        for (const OrderEntry& entry : draft.orders[device]) {
            note(entry.pass, DeviceId(device));
            if (entry.paired)
                note(entry.partner, DeviceId(device));
        }
    }
    return seen;
}

std::string routesText(const std::vector<std::uint8_t>& routes)
{
    std::string text;
    for (std::size_t j = 0; j < routes.size();) {
        std::size_t end = j + 1;
        while (end < routes.size() && routes[end] == routes[j])
            ++end;
        text += ' ' + std::to_string(routes[j]);
        if (end - j > 1)
            text += '*' + std::to_string(end - j);
        j = end;
    }
    return text;
}

} // namespace

std::string writeScheduleText(const Draft& draft)
{
    const PipelineSpec& spec = draft.spec;
    const ChunkTable chunks(spec);
    const Occurring seen = occurringIn(draft, chunks);
    const PipelineSpec guess = inferredSpec(HeaderLines(), seen, spec.devices);
    std::string text;
    if (spec.steps != 1)
        text += "steps: " + std::to_string(spec.steps) + '\n';
    const std::int64_t inferred = (seen.microBatches + spec.steps - 1) / spec.steps;
    if (spec.routeOfMicroBatch.empty() && spec.microBatches != std::max<std::int64_t>(inferred, 1))
        text += "micro-batches: " + std::to_string(spec.microBatches) + '\n';
    if (spec.routes != guess.routes || seen.chunk > 0) {
        text += "placement:";
        for (std::size_t route = 0; route < spec.routes.size(); ++route)
            text += (route == 0 ? " " : ", ") + placementText(spec.routes[route], spec.devices);
        text += '\n';
    }
    if (!spec.routeOfMicroBatch.empty())
        text += "routes:" + routesText(spec.routeOfMicroBatch) + '\n';
    if (spec.segmentLengths != guess.segmentLengths) {
        const auto& lengths = spec.segmentLengths;
        if (std::all_of(lengths.begin(), lengths.end(), [](int length) { return length == 1; })) {
            text += "segments: " + std::to_string(lengths.size()) + '\n';
        } else {
            text += "segment-lengths:";
            for (const int length : lengths)
                text += ' ' + std::to_string(length);
            text += '\n';
        }
    }
    if (spec.updates && (spec.updateRule != UpdateRule::Flush || !seen.updates))
        text += "updates: " + std::string(name(spec.updateRule)) + '\n';
    if (!spec.updates && seen.updates)
        text += "updates: none\n";
    if (spec.messages != MessageRule::Early)
        text += "messages: " + std::string(name(spec.messages)) + '\n';
    const std::vector<std::string> lines = writeOrders(draft);
    for (std::size_t device = 0; device < lines.size(); ++device) {
        text += 'd' + std::to_string(device) + ':';
        if (!lines[device].empty())
            text += ' ' + lines[device];
        text += '\n';
    }
    return text;
}

std::string writeScheduleText(const Schedule& schedule)
{
    return writeScheduleText(draftOf(schedule));
}

Result<Draft> readScheduleText(std::string_view text, const PipelineSpec* spec)
{
    ScheduleText read = parseScheduleText(text, spec);
    if (!read.problems.none())
        return fail(read.problems.error());
    return std::move(read.draft);
}

} // namespace pw

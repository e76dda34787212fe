// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/reading/large_room.h"
#include "core/reading/nsys/nccl_payload.h"
#include "core/reading/nsys/nsys_content.h"
#include "core/reading/nsys/row_texts.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

namespace pw::nsys {

namespace {

// Of NVTX_EVENTS.eventType.
constexpr std::int64_t pushPop = 59;
constexpr std::int64_t startEnd = 60;

constexpr std::int64_t mostCorrelations = std::int64_t{1} << 32;

std::string_view copyName(std::int64_t kind)
{
    switch (kind) {
    case 1:
        return "Memcpy HtoD";
    case 2:
        return "Memcpy DtoH";
    case 8:
        return "Memcpy DtoD";
    case 10:
        return "Memcpy PtoP";
    default:
        return "Memcpy";
    }
}

class RowReader
{
public:
    RowReader(NsysTables& tables, Content& content)
        : m_tables(tables)
        , m_in(content)
        , m_texts(tables, content)
    {
    }

    Result<void> run()
    {
        m_tables.expect({kernels, copies, memsets, graphs, ranges, launches});
        // Growing would hold millions of them twice; room that is never used takes no memory. A
        // range may have two labels, each a span more.
        std::int64_t onDevices = 0;
        for (const char* table : {kernels, copies, memsets, graphs})
            onDevices += m_tables.expectedRows(table);
        reserveLarge(m_in.work, static_cast<std::size_t>(onDevices));
        reserveLarge(m_in.trace.spans,
                     m_in.trace.spans.size() +
                         static_cast<std::size_t>(onDevices + 3 * m_tables.expectedRows(ranges) +
                                                  m_tables.expectedRows(launches)));
        for (const auto part :
             {&RowReader::readKernels, &RowReader::readCopies, &RowReader::readMemsets,
              &RowReader::readGraphs, &RowReader::readRanges, &RowReader::readLaunches,
              &RowReader::readProcessNames, &RowReader::readThreadNames}) {
            PW_DO((this->*part)());
        }
        return {};
    }

private:
    /// Where a row of the device is: as the row has it, and what that is here.
    struct DevicePlace
    {
        std::int64_t said = 0; ///< process
        std::int64_t number = 0;
        std::int64_t stream = 0;
        std::int32_t process = -1;
        std::int32_t device = -1;
        std::int32_t track = -1;
    };

    const DevicePlace& placeOf(std::int64_t process, std::int64_t device, std::int64_t stream);
    std::optional<std::pair<Ticks, Ticks>> stretchOf(const RowValues& row, const char* table);
    void deviceRow(const RowValues& row, Ticks start, Ticks end, std::int32_t name, DeviceWork work,
                   ActivityKind activity);
    Result<void> readKernels();
    Result<void> readCopies();
    Result<void> readMemsets();
    Result<void> readGraphs();
    void payloadRow(const RowValues& row, std::int32_t name);
    void rangeRow(Ticks start, Ticks end, std::int64_t globalThread, const KnownText& text);
    Result<void> readRanges();
    Result<void> callRow(const RowValues& row, std::int32_t thread);
    Result<void> readLaunches();
    Result<void> readProcessNames();
    Result<void> readThreadNames();

    NsysTables& m_tables;
    Content& m_in;
    RowTexts m_texts;
    DevicePlace m_place;
};

std::optional<std::pair<Ticks, Ticks>> RowReader::stretchOf(const RowValues& row, const char* table)
{
    ++m_in.trace.events;
    constexpr Ticks furthest = latestTime / 4;
    if (row.isWhole(0) && row.isWhole(1)) {
        const Ticks start = row.whole(0), end = row.whole(1);
        if (start <= end && start > -furthest && end < furthest)
            return std::pair(start, end);
    }
    ++m_in.badTimes[table];
    ++m_in.trace.leftOut;
    return std::nullopt;
}

/// Most rows have the place of the row before.
const RowReader::DevicePlace& RowReader::placeOf(std::int64_t process, std::int64_t device,
                                                 std::int64_t stream)
{
    // Of the three the stream changes the most.
    if (m_place.stream == stream && m_place.number == device && m_place.said == process &&
        m_place.device >= 0)
        return m_place;
    m_place.said = process;
    m_place.number = device;
    m_place.stream = stream;
    m_place.process = m_in.processOf(process);
    m_place.device = m_in.deviceOf(m_place.process, device);
    auto& tracks = m_in.devices[m_in.at(m_place.device)].tracks;
    auto track = tracks.find(stream);
    if (track == tracks.end())
        track = tracks.emplace(stream, m_in.newTrack()).first;
    m_place.track = track->second;
    return m_place;
}

/// Columns behind the times: device, stream, correlation, process.
void RowReader::deviceRow(const RowValues& row, Ticks start, Ticks end, std::int32_t name,
                          DeviceWork work, ActivityKind activity)
{
    const DevicePlace& place = placeOf(row.whole(5) >> threadBits, row.whole(2), row.whole(3));
    const auto index = static_cast<std::int32_t>(m_in.trace.spans.size());
    m_in.trace.spans.push_back(
        {start, end, rowAsYet(place.device), place.track, name, -1, Trust::Device, activity});
    LaunchedWork launched;
    launched.span = index;
    launched.work = work;
    const std::int64_t correlation = row.whole(4);
    const bool known = row.isWhole(4) && correlation > 0 && correlation < mostCorrelations;
    launched.key = launchKey(place.process, known ? correlation : 0);
    m_in.work.push_back(launched);
    m_in.communicates = m_in.communicates || activity == ActivityKind::Communication;
}

Result<void> RowReader::readKernels()
{
    if (m_tables.has(kernels) && !m_tables.has(kernels, "shortName") &&
        !m_tables.has(kernels, "demangledName"))
        return fail(m_tables.lacks(kernels, "shortName"));
    return m_tables.each(kernels,
                         {{"start"},
                          {"end"},
                          {"deviceId"},
                          {"streamId"},
                          {"correlationId"},
                          {"globalPid"},
                          {"shortName", false},
                          {"demangledName", false}},
                         [this](const RowValues& row) -> Result<void> {
                             const auto stretch = stretchOf(row, kernels);
                             if (!stretch)
                                 return {};
                             PW_TRY(const KnownKernel kernel, m_texts.kernelOf(row));
                             ++m_in.kernelRows;
                             deviceRow(row, stretch->first, stretch->second, kernel.name,
                                       kernel.work, kernel.activity);
                             return {};
                         });
}

Result<void> RowReader::readCopies()
{
    return m_tables.each(copies,
                         {{"start"},
                          {"end"},
                          {"deviceId"},
                          {"streamId"},
                          {"correlationId"},
                          {"globalPid"},
                          {"copyKind", false}},
                         [this](const RowValues& row) -> Result<void> {
                             if (const auto stretch = stretchOf(row, copies))
                                 deviceRow(row, stretch->first, stretch->second,
                                           m_in.names.indexOf(copyName(row.whole(6))),
                                           DeviceWork::Copy, ActivityKind::Memory);
                             return {};
                         });
}

Result<void> RowReader::readMemsets()
{
    return m_tables.each(
        memsets, {{"start"}, {"end"}, {"deviceId"}, {"streamId"}, {"correlationId"}, {"globalPid"}},
        [this](const RowValues& row) -> Result<void> {
            if (const auto stretch = stretchOf(row, memsets))
                deviceRow(row, stretch->first, stretch->second, m_in.names.indexOf("Memset"),
                          DeviceWork::Copy, ActivityKind::Memory);
            return {};
        });
}

/// A CUDA graph that was recorded as a whole, without the kernels in it.
Result<void> RowReader::readGraphs()
{
    return m_tables.each(
        graphs,
        {{"start"},
         {"end"},
         {"deviceId"},
         {"streamId"},
         {"correlationId"},
         {"globalPid"},
         {"graphId", false}},
        [this](const RowValues& row) -> Result<void> {
            const auto stretch = stretchOf(row, graphs);
            if (!stretch)
                return {};
            const std::string name =
                "CUDA graph" + (row.isNull(6) ? std::string() : " " + std::to_string(row.whole(6)));
            ++m_in.kernelRows;
            deviceRow(row, stretch->first, stretch->second, m_in.names.indexOf(name),
                      DeviceWork::Compute, ActivityKind::Compute);
            return {};
        });
}

void RowReader::rangeRow(Ticks start, Ticks end, std::int64_t globalThread, const KnownText& text)
{
    const std::int32_t thread = m_in.threadOf(globalThread);
    Thread& owner = m_in.threads[m_in.at(thread)];
    if (owner.track < 0)
        owner.track = m_in.newTrack();
    const auto index = static_cast<std::int32_t>(m_in.trace.spans.size());
    m_in.trace.spans.push_back({start, end, rowAsYet(thread), owner.track, text.name, -1,
                                Trust::Host, ActivityKind::Annotation});
    const SpanName& said = m_in.names.said(text.name);
    if (said.first.role == SpanRole::Other || said.needsArguments)
        return;
    if (const std::int32_t number = text.rankNumber >= 0 ? text.rankNumber : said.rankNumber;
        number >= 0 && number < mostRanks)
        owner.said = number;
    LabelledRange range;
    range.start = start;
    range.end = end;
    range.span = index;
    range.process = owner.process;
    range.thread = thread;
    range.name = text.name;
    range.iteration = text.iteration >= 0 ? text.iteration : said.first.iteration;
    range.segment = text.segment;
    range.role = said.first.role;
    m_in.ranges.push_back(range);
}

/// What NCCL says of a collective, before the span of the range is made.
void RowReader::payloadRow(const RowValues& row, std::int32_t name)
{
    const std::string_view called = m_in.trace.names[m_in.at(name)];
    if (called.compare(0, 4, "nccl") != 0)
        return;
    const std::string binary(row.view(6)), json(row.view(7));
    const std::optional<NcclPayload> payload = ncclPayload(binary, json);
    if (!payload)
        return;
    CollectiveCall call;
    call.span = static_cast<std::int32_t>(m_in.trace.spans.size());
    call.kind = collectiveKindOfRange(called);
    std::array<char, 16> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), payload->communicator, 16);
    call.group = m_in.names.groupOf(
        {std::string(digits.data(), end.ptr), "NCCL communicator", {}, -1, true});
    // Of a reduce-scatter NCCL tells what each rank gets.
    (call.kind == CollectiveKind::ReduceScatter ? call.received : call.sent) = payload->bytes;
    m_in.collectives.take(call);
}

Result<void> RowReader::readRanges()
{
    m_in.firstRange = m_in.trace.spans.size();
    if (m_tables.has(ranges) && !m_tables.has(ranges, "text") && !m_tables.has(ranges, "textId"))
        return fail(m_tables.lacks(ranges, "text"));
    return m_tables.each(ranges,
                         {{"start"},
                          {"end"},
                          {"eventType"},
                          {"globalTid"},
                          {"text", false},
                          {"textId", false},
                          {"binaryData", false},
                          {"jsonText", false}},
                         [this](const RowValues& row) -> Result<void> {
                             if (const std::int64_t type = row.whole(2);
                                 type != pushPop && type != startEnd) {
                                 ++m_in.trace.events;
                                 return {};
                             }
                             if (row.isWhole(0) && row.isNull(1)) {
                                 ++m_in.trace.events;
                                 ++m_in.trace.leftOut;
                                 ++m_in.neverEnded;
                                 return {};
                             }
                             const auto stretch = stretchOf(row, ranges);
                             if (!stretch)
                                 return {};
                             KnownText text;
                             if (!row.isNull(4)) {
                                 text = m_texts.rangeOf(row.view(4));
                             } else if (!row.isNull(5)) {
                                 PW_TRY(const KnownText known, m_texts.rangeOfId(row.whole(5)));
                                 text = known;
                             } else {
                                 text = m_texts.rangeOf({});
                             }
                             if (!row.isNull(6) || !row.isNull(7))
                                 payloadRow(row, text.name);
                             rangeRow(stretch->first, stretch->second, row.whole(3), text);
                             return {};
                         });
}

/// A call of the device's runtime or driver, as a slice of its thread.
Result<void> RowReader::callRow(const RowValues& row, std::int32_t thread)
{
    if (row.isNull(1) || row.isNull(4))
        return {};
    const auto stretch = stretchOf(row, launches);
    if (!stretch)
        return {};
    PW_TRY(const KnownCall call, m_texts.callOfId(row.whole(4)));
    Thread& owner = m_in.threads[m_in.at(thread)];
    if (owner.track < 0)
        owner.track = m_in.newTrack();
    m_in.trace.spans.push_back({stretch->first, stretch->second, rowAsYet(thread), owner.track,
                                call.name, -1, Trust::Host, call.kind});
    return {};
}

Result<void> RowReader::readLaunches()
{
    LaunchNotes notes(m_in.work);
    const Result<void> read = m_tables.each(
        launches, {{"start"}, {"end", false}, {"globalTid"}, {"correlationId"}, {"nameId", false}},
        [this, &notes](const RowValues& row) -> Result<void> {
            const std::int64_t globalThread = row.whole(2), correlation = row.whole(3);
            if (!row.isWhole(0) ||
                (!m_in.isLastThread(globalThread) &&
                 m_in.processOfId.find(globalThread >> threadBits) == m_in.processOfId.end()))
                return {};
            const std::int32_t thread = m_in.threadOf(globalThread);
            if (correlation > 0 && correlation < mostCorrelations)
                notes.note(launchKey(m_in.threads[m_in.at(thread)].process, correlation), thread,
                           row.whole(0));
            return callRow(row, thread);
        });
    for (const LaunchedWork& one : m_in.work) {
        m_in.withoutLaunch += one.thread < 0 && one.work != DeviceWork::Copy ? 1 : 0;
        TraceSpan& span = m_in.span(one.span);
        if (one.thread >= 0)
            span.queued = static_cast<std::int32_t>(
                std::clamp<Ticks>(span.start - one.launched, 0, TraceSpan::longestQueued));
    }
    return read;
}

Result<void> RowReader::readProcessNames()
{
    return m_tables.each("PROCESSES", {{"globalPid", false}, {"name", false}},
                         [this](const RowValues& row) -> Result<void> {
                             const auto known = m_in.processOfId.find(row.whole(0) >> threadBits);
                             if (known != m_in.processOfId.end())
                                 m_in.processes[m_in.at(known->second)].name =
                                     cleanText(row.view(1).substr(0, longestName));
                             return {};
                         });
}

Result<void> RowReader::readThreadNames()
{
    return m_tables.each("ThreadNames", {{"globalTid", false}, {"nameId", false}},
                         [this](const RowValues& row) -> Result<void> {
                             const auto known = m_in.threadOfId.find(row.whole(0));
                             if (known == m_in.threadOfId.end())
                                 return {};
                             PW_TRY(const std::string text, m_tables.text(row.whole(1)));
                             m_in.threads[m_in.at(known->second)].name =
                                 cleanText(std::string_view(text).substr(0, longestName));
                             return {};
                         });
}

} // namespace

Result<void> readRows(NsysTables& tables, Content& content)
{
    return RowReader(tables, content).run();
}

} // namespace pw::nsys

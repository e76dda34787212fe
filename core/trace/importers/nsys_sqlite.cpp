// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/nsys_sqlite.h"

#include "core/base/text.h"
#include "core/io/file_problem.h"
#include "core/trace/importers/nsys_join.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace pw {

namespace {

constexpr const char* kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* memsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* launches = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* ranges = "NVTX_EVENTS";

// Of NVTX_EVENTS.eventType.
constexpr std::int64_t pushPop = 59;
constexpr std::int64_t startEnd = 60;

/// Ids of threads and processes: machine, process and thread, 24 bits each but the first.
constexpr int threadBits = 24;
constexpr std::int64_t idMask = (std::int64_t{1} << threadBits) - 1;

constexpr std::int64_t mostCorrelations = std::int64_t{1} << 32;

/// Of a rank that a range names.
constexpr std::int32_t mostRanks = 65'536;

/// What the text of a range says beside its name.
struct RangeText
{
    std::string_view name;
    std::int32_t iteration = -1;
    std::int32_t rank = -1;
    std::int32_t segment = -1;
};

/// Cuts off what PyTorch adds, "aten::mm, seq = 7, op_id = 9", and reads what Pipewright's executor
/// adds, "PP:0F3, iteration 2, rank 1".
RangeText readRangeText(std::string_view text)
{
    RangeText said;
    said.name = text;
    if (text.substr(0, 3) != "PP:") {
        for (const std::string_view tail : {", seq = ", ", op_id = "})
            said.name = said.name.substr(0, said.name.find(tail));
        return said;
    }
    constexpr std::string_view comma = ", ";
    std::size_t at = text.find(comma);
    said.name = text.substr(0, at);
    while (at != std::string_view::npos) {
        at += comma.size();
        const std::size_t next = text.find(comma, at);
        const std::string_view part =
            text.substr(at, next == std::string_view::npos ? next : next - at);
        const std::size_t space = part.find(' ');
        const std::string_view word = part.substr(0, space);
        const std::int32_t number =
            space == std::string_view::npos ? -1 : parseNumber(part.substr(space + 1)).value_or(-1);
        if (word == "iteration")
            said.iteration = number;
        else if (word == "rank")
            said.rank = number < mostRanks ? number : -1;
        else if (word == "segment")
            said.segment = number;
        at = next;
    }
    return said;
}

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

struct Process
{
    std::int64_t id = 0; // machine and process
    std::string name;

    std::string number() const { return std::to_string(id & idMask); }
};

struct Thread
{
    std::int64_t id = 0;
    std::int32_t process = -1;
    std::int32_t said = -1; // rank that its ranges name
    std::int32_t track = -1;
    std::int32_t deviceTrack = -1;
    std::int32_t rank = -1; // of EventFile::processes
    std::string name;
    std::map<std::int32_t, std::int64_t> launchedOn; // work by rank
};

/// A device as a process works on it.
struct Device
{
    std::int32_t process = -1;
    std::int64_t number = 0;
    std::int32_t said = -1; // rank that the ranges of all threads that launch on it name
    bool mixed = false;     // they name several
    std::int32_t rank = -1; // of EventFile::processes
    std::map<std::int64_t, std::int32_t> tracks; // by stream
};

/// What a text id stands for.
struct KnownText
{
    std::int32_t name = -1;
    std::int32_t iteration = -1;
    std::int32_t rank = -1;
    std::int32_t segment = -1;
};

/// What a thread's passes came to on the device so far.
struct LastPass
{
    bool any = false;
    Ticks end = 0;
    std::vector<const LabelledRange*> without; // passes behind it that launched nothing
};

class NsysReader
{
public:
    NsysReader(NsysTables& tables, Trace& trace, TraceNames& names, const KeepReadingRows& goOn)
        : m_tables(tables)
        , m_trace(trace)
        , m_names(names)
        , m_goOn(goOn)
    {
        m_file.firstSpan = trace.spans.size();
        m_file.origin = "Nsight Systems";
    }

    Result<EventFile> run();

private:
    Result<void> readKernels();
    Result<void> readCopies();
    Result<void> readMemsets();
    Result<void> readRanges();
    Result<void> readLaunches();
    Result<void> readThreadNames();
    Result<void> readProcessNames();
    Result<std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>> readDeviceNumbers();
    Result<void> readBase();

    /// Times of a row in its first two columns, if they are a stretch of time.
    std::optional<std::pair<Ticks, Ticks>> stretchOf(const Statement& row, const char* table);
    Result<std::int32_t> nameOfText(std::int64_t id);
    Result<KnownText> rangeOfText(std::int64_t id);
    KnownText rangeOf(std::string_view text);
    void deviceRow(const Statement& row, Ticks start, Ticks end, std::int32_t name,
                   DeviceWork work);
    void rangeRow(Ticks start, Ticks end, std::int64_t globalThread, const KnownText& text);

    std::int32_t processOf(std::int64_t id);
    std::int32_t threadOf(std::int64_t globalThread);
    std::int32_t deviceOf(std::int32_t process, std::int64_t number);
    std::int32_t newTrack();

    void findSaidRanks();
    Result<void> makeRanks();
    Result<void> numberDevices();
    void rankThreads();
    void nameTracks();
    void placeSpans();

    Result<void> label();
    SpanLabel labelOf(const LabelledRange& range, SpanLabel label) const;
    void labelOnHost(const LabelledRange& range);
    void labelOnDevice(const LabelledRange& range);
    void appendOnDevice(const LabelledRange& range, Ticks start, Ticks end, Trust trust);
    void warn();

    std::size_t at(std::int32_t index) const { return static_cast<std::size_t>(index); }
    TraceSpan& span(std::int32_t index) { return m_trace.spans[at(index)]; }
    EventProcess& rankOf(const Thread& thread) { return m_file.processes[at(thread.rank)]; }

    NsysTables& m_tables;
    Trace& m_trace;
    TraceNames& m_names;
    const KeepReadingRows& m_goOn;
    EventFile m_file;

    std::vector<Process> m_processes;
    std::unordered_map<std::int64_t, std::int32_t> m_processOfId;
    std::vector<Thread> m_threads;
    std::unordered_map<std::int64_t, std::int32_t> m_threadOfId;
    std::vector<Device> m_devices;
    std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> m_deviceOf;
    std::unordered_map<std::int64_t, std::int32_t> m_nameOfText;
    std::unordered_map<std::int64_t, KnownText> m_rangeOfText;

    std::vector<LaunchedWork> m_work;
    std::vector<LabelledRange> m_ranges;
    std::size_t m_firstRange = 0; // of the trace's spans; before it they are the device's
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> m_saidRanks; // process, rank

    std::map<std::string, std::int64_t> m_badTimes; // by table
    std::int64_t m_neverEnded = 0;
    std::int64_t m_withoutText = 0;
    std::int64_t m_kernelRows = 0;
    std::int64_t m_withoutLaunch = 0; // kernels
    std::int64_t m_doubtful = 0;
    std::unordered_map<std::int32_t, LastPass> m_lastPass; // by thread
    std::int64_t m_withoutKernels = 0;                     // passes
    std::int64_t m_withoutWork = 0;                        // passes between others that have some
};

std::int32_t NsysReader::processOf(std::int64_t id)
{
    const auto [found, made] =
        m_processOfId.emplace(id, static_cast<std::int32_t>(m_processes.size()));
    if (made)
        m_processes.push_back({id, {}});
    return found->second;
}

std::int32_t NsysReader::threadOf(std::int64_t globalThread)
{
    const auto [found, made] =
        m_threadOfId.emplace(globalThread, static_cast<std::int32_t>(m_threads.size()));
    if (made) {
        Thread thread;
        thread.id = globalThread;
        thread.process = processOf(globalThread >> threadBits);
        m_threads.push_back(std::move(thread));
    }
    return found->second;
}

std::int32_t NsysReader::deviceOf(std::int32_t process, std::int64_t number)
{
    const auto [found, made] =
        m_deviceOf.emplace(std::pair(process, number), static_cast<std::int32_t>(m_devices.size()));
    if (made) {
        Device device;
        device.process = process;
        device.number = number;
        m_devices.push_back(std::move(device));
    }
    return found->second;
}

std::int32_t NsysReader::newTrack()
{
    m_trace.tracks.emplace_back();
    return static_cast<std::int32_t>(m_trace.tracks.size()) - 1;
}

std::optional<std::pair<Ticks, Ticks>> NsysReader::stretchOf(const Statement& row,
                                                             const char* table)
{
    ++m_trace.events;
    constexpr Ticks furthest = latestTime / 4;
    if (row.isWhole(0) && row.isWhole(1)) {
        const Ticks start = row.whole(0), end = row.whole(1);
        if (start <= end && start > -furthest && end < furthest)
            return std::pair(start, end);
    }
    ++m_badTimes[table];
    ++m_trace.leftOut;
    return std::nullopt;
}

Result<std::int32_t> NsysReader::nameOfText(std::int64_t id)
{
    if (const auto known = m_nameOfText.find(id); known != m_nameOfText.end())
        return known->second;
    Result<std::string> text = m_tables.text(id);
    if (!text)
        return fail(text.error());
    if (text->empty()) {
        ++m_withoutText;
        *text = "string " + std::to_string(id);
    }
    const std::int32_t name = m_names.indexOf(std::string_view(*text).substr(0, longestName));
    m_nameOfText.emplace(id, name);
    return name;
}

KnownText NsysReader::rangeOf(std::string_view text)
{
    const RangeText said = readRangeText(text.substr(0, longestName));
    return {m_names.indexOf(said.name), said.iteration, said.rank, said.segment};
}

Result<KnownText> NsysReader::rangeOfText(std::int64_t id)
{
    if (const auto known = m_rangeOfText.find(id); known != m_rangeOfText.end())
        return known->second;
    Result<std::string> text = m_tables.text(id);
    if (!text)
        return fail(text.error());
    if (text->empty()) {
        ++m_withoutText;
        *text = "string " + std::to_string(id);
    }
    return m_rangeOfText.emplace(id, rangeOf(*text)).first->second;
}

/// Columns behind the times: device, stream, correlation, process.
void NsysReader::deviceRow(const Statement& row, Ticks start, Ticks end, std::int32_t name,
                           DeviceWork work)
{
    const std::int32_t process = processOf(row.whole(5) >> threadBits);
    const std::int32_t device = deviceOf(process, row.whole(2));
    auto& tracks = m_devices[at(device)].tracks;
    auto track = tracks.find(row.whole(3));
    if (track == tracks.end())
        track = tracks.emplace(row.whole(3), newTrack()).first;
    const auto index = static_cast<std::int32_t>(m_trace.spans.size());
    m_trace.spans.push_back({start, end, device, track->second, name, -1, Trust::Device});
    LaunchedWork launched;
    launched.span = index;
    launched.work = work;
    const std::int64_t correlation = row.whole(4);
    const bool known = row.isWhole(4) && correlation > 0 && correlation < mostCorrelations;
    launched.key = launchKey(process, known ? correlation : 0);
    m_work.push_back(launched);
}

Result<void> NsysReader::readKernels()
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
                         [this](const Statement& row) -> Result<void> {
                             const auto stretch = stretchOf(row, kernels);
                             if (!stretch)
                                 return {};
                             const int column = row.isNull(6) ? 7 : 6;
                             const Result<std::int32_t> name = nameOfText(row.whole(column));
                             if (!name)
                                 return fail(name.error());
                             ++m_kernelRows;
                             deviceRow(row, stretch->first, stretch->second, *name,
                                       isSendReceiveKernel(m_trace.names[at(*name)])
                                           ? DeviceWork::Message
                                           : DeviceWork::Compute);
                             return {};
                         });
}

Result<void> NsysReader::readCopies()
{
    return m_tables.each(copies,
                         {{"start"},
                          {"end"},
                          {"deviceId"},
                          {"streamId"},
                          {"correlationId"},
                          {"globalPid"},
                          {"copyKind", false}},
                         [this](const Statement& row) -> Result<void> {
                             if (const auto stretch = stretchOf(row, copies))
                                 deviceRow(row, stretch->first, stretch->second,
                                           m_names.indexOf(copyName(row.whole(6))),
                                           DeviceWork::Copy);
                             return {};
                         });
}

Result<void> NsysReader::readMemsets()
{
    return m_tables.each(
        memsets, {{"start"}, {"end"}, {"deviceId"}, {"streamId"}, {"correlationId"}, {"globalPid"}},
        [this](const Statement& row) -> Result<void> {
            if (const auto stretch = stretchOf(row, memsets))
                deviceRow(row, stretch->first, stretch->second, m_names.indexOf("Memset"),
                          DeviceWork::Copy);
            return {};
        });
}

void NsysReader::rangeRow(Ticks start, Ticks end, std::int64_t globalThread, const KnownText& text)
{
    const std::int32_t thread = threadOf(globalThread);
    Thread& owner = m_threads[at(thread)];
    if (owner.track < 0)
        owner.track = newTrack();
    const auto index = static_cast<std::int32_t>(m_trace.spans.size());
    m_trace.spans.push_back({start, end, thread, owner.track, text.name, -1, Trust::Host});
    const SpanName& said = m_names.said(text.name);
    if (said.first.role == SpanRole::Other || said.needsArguments)
        return;
    if (const std::int32_t rank = text.rank >= 0 ? text.rank : said.rank;
        rank >= 0 && rank < mostRanks)
        owner.said = rank;
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
    m_ranges.push_back(range);
}

Result<void> NsysReader::readRanges()
{
    m_firstRange = m_trace.spans.size();
    if (m_tables.has(ranges) && !m_tables.has(ranges, "text") && !m_tables.has(ranges, "textId"))
        return fail(m_tables.lacks(ranges, "text"));
    return m_tables.each(
        ranges,
        {{"start"}, {"end"}, {"eventType"}, {"globalTid"}, {"text", false}, {"textId", false}},
        [this](const Statement& row) -> Result<void> {
            if (const std::int64_t type = row.whole(2); type != pushPop && type != startEnd) {
                ++m_trace.events;
                return {};
            }
            if (row.isWhole(0) && row.isNull(1)) {
                ++m_trace.events;
                ++m_trace.leftOut;
                ++m_neverEnded;
                return {};
            }
            const auto stretch = stretchOf(row, ranges);
            if (!stretch)
                return {};
            KnownText text;
            if (!row.isNull(4)) {
                text = rangeOf(row.view(4));
            } else if (!row.isNull(5)) {
                const Result<KnownText> known = rangeOfText(row.whole(5));
                if (!known)
                    return fail(known.error());
                text = *known;
            } else {
                text = rangeOf({});
            }
            rangeRow(stretch->first, stretch->second, row.whole(3), text);
            return {};
        });
}

Result<void> NsysReader::readLaunches()
{
    std::sort(m_work.begin(), m_work.end(), [](const LaunchedWork& a, const LaunchedWork& b) {
        return std::tuple(a.key, a.span) < std::tuple(b.key, b.span);
    });
    const Result<void> read = m_tables.each(
        launches, {{"start"}, {"globalTid"}, {"correlationId"}},
        [this](const Statement& row) -> Result<void> {
            const std::int64_t correlation = row.whole(2);
            if (!row.isWhole(0) || correlation <= 0 || correlation >= mostCorrelations)
                return {};
            const std::int64_t thread = row.whole(1);
            const auto process = m_processOfId.find(thread >> threadBits);
            if (process != m_processOfId.end())
                noteLaunch(m_work, launchKey(process->second, correlation), threadOf(thread),
                           row.whole(0));
            return {};
        });
    for (const LaunchedWork& one : m_work)
        m_withoutLaunch += one.thread < 0 && one.work != DeviceWork::Copy ? 1 : 0;
    return read;
}

Result<void> NsysReader::readProcessNames()
{
    return m_tables.each("PROCESSES", {{"globalPid", false}, {"name", false}},
                         [this](const Statement& row) -> Result<void> {
                             const auto known = m_processOfId.find(row.whole(0) >> threadBits);
                             if (known != m_processOfId.end())
                                 m_processes[at(known->second)].name =
                                     cleanText(row.view(1).substr(0, longestName));
                             return {};
                         });
}

Result<void> NsysReader::readThreadNames()
{
    return m_tables.each("ThreadNames", {{"globalTid", false}, {"nameId", false}},
                         [this](const Statement& row) -> Result<void> {
                             const auto known = m_threadOfId.find(row.whole(0));
                             if (known == m_threadOfId.end())
                                 return {};
                             const Result<std::string> text = m_tables.text(row.whole(1));
                             if (!text)
                                 return fail(text.error());
                             m_threads[at(known->second)].name =
                                 cleanText(std::string_view(*text).substr(0, longestName));
                             return {};
                         });
}

/// Numbers of the machine's devices by process and by the process's own number.
Result<std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>>
NsysReader::readDeviceNumbers()
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> numbers;
    const Result<void> read = m_tables.each(
        "TARGET_INFO_CUDA_DEVICE", {{"pid", false}, {"cudaId", false}, {"gpuId", false}},
        [&](const Statement& row) -> Result<void> {
            if (row.isWhole(2))
                numbers[{row.whole(0), row.whole(1)}] = row.whole(2);
            return {};
        });
    if (!read)
        return fail(read.error());
    return numbers;
}

/// Threads whose ranges name a rank give it to the devices that they work on.
void NsysReader::findSaidRanks()
{
    for (LaunchedWork& work : m_work) {
        if (work.thread < 0)
            continue;
        const std::int32_t said = m_threads[at(work.thread)].said;
        if (said < 0)
            continue;
        Device& device = m_devices[at(span(work.span).rank)];
        device.mixed = device.mixed || (device.said >= 0 && device.said != said);
        device.said = said;
    }
}

/// Device numbers that tell the ranks of a file apart: as the processes count them, else as the
/// machine does.
Result<void> NsysReader::numberDevices()
{
    const auto numbers = readDeviceNumbers();
    if (!numbers)
        return fail(numbers.error());
    const auto machine = [&](const Device& device) {
        const auto found =
            numbers->find({m_processes[at(device.process)].id & idMask, device.number});
        return found == numbers->end() ? std::int64_t{-1} : found->second;
    };
    const auto own = [](const Device& device) { return device.number; };
    const auto give = [this](const auto& numberOf) {
        std::set<std::int64_t> distinct;
        for (const Device& device : m_devices) {
            const std::int64_t number = numberOf(device);
            if (number < 0 || number >= mostRanks || !distinct.insert(number).second)
                return false;
        }
        for (const Device& device : m_devices)
            m_file.processes[at(device.rank)].device = static_cast<std::int32_t>(numberOf(device));
        return true;
    };
    if (!give(own))
        give(machine);
    return {};
}

/// Ranks of the file: those that ranges name, devices of processes, and processes without either.
Result<void> NsysReader::makeRanks()
{
    findSaidRanks();
    std::vector<std::int32_t> order(m_devices.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(i);
    std::sort(order.begin(), order.end(), [this](std::int32_t a, std::int32_t b) {
        const Device& one = m_devices[at(a)];
        const Device& other = m_devices[at(b)];
        return std::tuple(m_processes[at(one.process)].id, one.number) <
               std::tuple(m_processes[at(other.process)].id, other.number);
    });
    const auto add = [this](std::int32_t process, const std::string& more) {
        const Process& owner = m_processes[at(process)];
        EventProcess made;
        made.id = owner.number();
        made.name = (owner.name.empty() ? "process" : owner.name) + " " + made.id + more;
        m_file.processes.push_back(std::move(made));
        return static_cast<std::int32_t>(m_file.processes.size()) - 1;
    };
    for (const Thread& thread : m_threads)
        if (thread.said >= 0 && m_saidRanks.count({thread.process, thread.said}) == 0) {
            const std::int32_t made = add(thread.process, ", rank " + std::to_string(thread.said));
            m_file.processes[at(made)].rankSaid = thread.said;
            m_saidRanks[{thread.process, thread.said}] = made;
        }
    for (const std::int32_t index : order) {
        Device& device = m_devices[at(index)];
        if (device.said >= 0 && !device.mixed) {
            device.rank = m_saidRanks[{device.process, device.said}];
            continue;
        }
        device.rank = add(device.process, ", device " + std::to_string(device.number));
        m_file.processes[at(device.rank)].ownDevice = true;
    }
    for (LaunchedWork& work : m_work) {
        const std::int32_t said = work.thread < 0 ? -1 : m_threads[at(work.thread)].said;
        const Device& device = m_devices[at(span(work.span).rank)];
        work.rank = said < 0 ? device.rank : m_saidRanks[{device.process, said}];
    }
    if (const Result<void> numbered = numberDevices(); !numbered)
        return numbered;
    rankThreads();
    std::map<std::int32_t, std::int32_t> withoutDevice; // process to rank
    for (Thread& thread : m_threads)
        if (thread.rank < 0) {
            const auto sibling =
                std::find_if(m_devices.begin(), m_devices.end(), [&](const Device& device) {
                    return device.process == thread.process;
                });
            if (sibling != m_devices.end()) {
                thread.rank = sibling->rank;
                continue;
            }
            const auto [alone, made] = withoutDevice.try_emplace(thread.process, -1);
            if (made)
                alone->second = add(thread.process, "");
            thread.rank = alone->second;
        }
    return {};
}

/// Threads that name no rank have that of most of what they launch, else that of their process
/// where it has only one.
void NsysReader::rankThreads()
{
    for (const LaunchedWork& work : m_work)
        if (work.thread >= 0)
            ++m_threads[at(work.thread)].launchedOn[work.rank];
    std::map<std::int32_t, std::set<std::int32_t>> ofProcess;
    for (const Device& device : m_devices)
        ofProcess[device.process].insert(device.rank);
    for (const auto& [key, rank] : m_saidRanks)
        ofProcess[key.first].insert(rank);
    for (Thread& thread : m_threads) {
        if (thread.said >= 0) {
            thread.rank = m_saidRanks[{thread.process, thread.said}];
            continue;
        }
        std::int64_t most = 0;
        for (const auto& [rank, count] : thread.launchedOn)
            if (count > most) {
                most = count;
                thread.rank = rank;
            }
        const std::set<std::int32_t>& ranks = ofProcess[thread.process];
        if (thread.rank < 0 && ranks.size() == 1)
            thread.rank = *ranks.begin();
    }
}

void NsysReader::nameTracks()
{
    const auto processName = [this](std::int32_t process) {
        const Process& owner = m_processes[at(process)];
        return (owner.name.empty() ? "process" : owner.name) + " " + owner.number();
    };
    for (const Device& device : m_devices)
        for (const auto& [stream, track] : device.tracks) {
            TraceTrack& row = m_trace.tracks[at(track)];
            row.rank = device.rank;
            row.process = processName(device.process);
            row.thread =
                "device " + std::to_string(device.number) + " stream " + std::to_string(stream);
        }
    for (const Thread& thread : m_threads) {
        const std::string name = (thread.name.empty() ? "thread" : thread.name) + " " +
                                 std::to_string(thread.id & idMask);
        for (const bool device : {false, true}) {
            const std::int32_t track = device ? thread.deviceTrack : thread.track;
            if (track < 0)
                continue;
            TraceTrack& row = m_trace.tracks[at(track)];
            row.rank = thread.rank;
            row.process = processName(thread.process);
            row.thread = name + (device ? ", on the device" : "");
        }
    }
}

/// Gives spans the ranks that devices and threads have turned out to be.
void NsysReader::placeSpans()
{
    for (std::size_t i = m_firstRange; i < m_trace.spans.size(); ++i)
        m_trace.spans[i].rank = m_threads[at(m_trace.spans[i].rank)].rank;
    for (const LaunchedWork& work : m_work)
        span(work.span).rank = work.rank;
}

SpanLabel NsysReader::labelOf(const LabelledRange& range, SpanLabel label) const
{
    label.iteration = range.iteration >= 0 ? range.iteration : label.iteration;
    label.segment = label.segment >= 0 ? label.segment : range.segment;
    return label;
}

void NsysReader::labelOnHost(const LabelledRange& range)
{
    const SpanName said = m_names.said(range.name);
    const auto next = [this] { return static_cast<std::int32_t>(m_trace.labels.size()); };
    span(range.span).label = next();
    m_trace.labels.push_back(labelOf(range, said.first));
    EventProcess& owner = rankOf(m_threads[at(range.thread)]);
    owner.labelled += range.role == SpanRole::Pass ? 1 : 0;
    owner.onTheHost += range.role == SpanRole::Pass ? 1 : 0;
    if (said.second.role == SpanRole::Other)
        return;
    TraceSpan second = span(range.span);
    second.label = next();
    m_trace.labels.push_back(labelOf(range, said.second));
    m_trace.spans.push_back(second);
}

void NsysReader::labelOnDevice(const LabelledRange& range)
{
    if (range.role == SpanRole::Step)
        return;
    const bool pass = range.role == SpanRole::Pass;
    LastPass& last = m_lastPass[range.thread];
    const Extent& extent = range.extent();
    if (extent.any()) {
        if (pass) {
            for (const LabelledRange* without : last.without)
                appendOnDevice(*without, last.end, last.end, Trust::Guessed);
            m_withoutWork += static_cast<std::int64_t>(last.without.size());
            last = {true, extent.last, {}};
        }
        appendOnDevice(range, extent.first, extent.last, Trust::Contained);
    } else if (pass && last.any && m_withoutLaunch == 0) {
        last.without.push_back(&range);
    } else if (pass) {
        ++m_withoutKernels;
    }
}

void NsysReader::appendOnDevice(const LabelledRange& range, Ticks start, Ticks end, Trust trust)
{
    Thread& thread = m_threads[at(range.thread)];
    if (thread.deviceTrack < 0)
        thread.deviceTrack = newTrack();
    rankOf(thread).labelled += range.role == SpanRole::Pass ? 1 : 0;
    const SpanName said = m_names.said(range.name);
    for (const SpanLabel& label : {said.first, said.second}) {
        if (label.role == SpanRole::Other)
            continue;
        m_trace.spans.push_back({start, end, thread.rank, thread.deviceTrack, range.name,
                                 static_cast<std::int32_t>(m_trace.labels.size()), trust});
        m_trace.labels.push_back(labelOf(range, label));
    }
}

/// Gives labelled ranges what was launched in them, and the labels to whichever times count.
Result<void> NsysReader::label()
{
    numberIterations(m_ranges);
    std::vector<std::int32_t> rankOfThread;
    for (const Thread& thread : m_threads)
        rankOfThread.push_back(thread.launchedOn.empty() && thread.said < 0 ? -1 : thread.rank);
    m_doubtful = joinLaunches(m_trace, m_work, m_ranges, rankOfThread,
                              [this] { return !m_goOn || m_goOn(1); });
    if (m_doubtful < 0)
        return fail(ErrorCode::Cancelled, m_tables.path() + ": reading was stopped");
    // Where no pass was seen on the device, messages alone decide.
    struct Seen
    {
        bool passes = false, passesOnDevice = false, messagesOnDevice = false;
    };
    std::vector<Seen> ofRank(m_file.processes.size());
    for (const LabelledRange& range : m_ranges) {
        Seen& seen = ofRank[at(m_threads[at(range.thread)].rank)];
        const bool pass = range.role == SpanRole::Pass;
        seen.passes = seen.passes || pass;
        if (range.extent().any())
            (pass ? seen.passesOnDevice : seen.messagesOnDevice) = true;
    }
    for (const LabelledRange& range : m_ranges) {
        const Seen& seen = ofRank[at(m_threads[at(range.thread)].rank)];
        if (seen.passes ? seen.passesOnDevice : seen.messagesOnDevice)
            labelOnDevice(range);
        else
            labelOnHost(range);
    }
    for (const auto& [thread, last] : m_lastPass)
        m_withoutKernels += static_cast<std::int64_t>(last.without.size());
    return {};
}

/// Times count from the start of the session, unless they were exported since 1970.
Result<void> NsysReader::readBase()
{
    constexpr Ticks surelyEpoch = Ticks{365} * 24 * 3600 * 1'000'000'000;
    Ticks base = 0;
    const Result<void> read =
        m_tables.each("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", false}},
                      [&](const Statement& row) -> Result<void> {
                          base = row.whole(0);
                          return {};
                      });
    if (!read)
        return read;
    const auto first = m_trace.spans.begin() + static_cast<std::ptrdiff_t>(m_file.firstSpan);
    if (first == m_trace.spans.end() || base <= surelyEpoch || base >= latestTime / 2)
        return {};
    const auto earliest =
        std::min_element(first, m_trace.spans.end(),
                         [](const TraceSpan& a, const TraceSpan& b) { return a.start < b.start; });
    m_file.hasBase = true;
    if (earliest->start > surelyEpoch)
        return {};
    for (auto one = first; one != m_trace.spans.end(); ++one) {
        one->start += base;
        one->end += base;
    }
    return {};
}

void NsysReader::warn()
{
    const auto say = [this](std::int64_t count, const std::string& what) {
        if (count > 0)
            m_trace.warnings.push_back(m_trace.files.back() + ": " + groupedNumber(count) + what);
    };
    for (const auto& [table, count] : m_badTimes)
        say(count, " rows of " + table + " have no time that can be read; left out");
    say(m_neverEnded, " ranges of NVTX_EVENTS begin and never end; left out");
    say(m_withoutText, " string ids are not in StringIds; their names are numbers");
    say(m_withoutLaunch, " of " + groupedNumber(m_kernelRows) +
                             " kernels have no launch in CUPTI_ACTIVITY_KIND_RUNTIME; they belong "
                             "to no range");
    say(m_doubtful, " kernels and copies were launched while several threads had a labelled range; "
                    "they belong to none");
    say(m_withoutWork, " labelled passes launched nothing; they stand without length behind the "
                       "pass before them, guessed");
    say(m_withoutKernels, " labelled passes launched no kernel that is in the file; they have no "
                          "time on the device and are left out");
}

Result<EventFile> NsysReader::run()
{
    m_tables.expect({kernels, copies, memsets, ranges, launches});
    for (const auto part :
         {&NsysReader::readKernels, &NsysReader::readCopies, &NsysReader::readMemsets,
          &NsysReader::readRanges, &NsysReader::readLaunches, &NsysReader::readProcessNames,
          &NsysReader::readThreadNames, &NsysReader::makeRanks}) {
        if (const Result<void> done = (this->*part)(); !done)
            return fail(done.error());
    }
    placeSpans();
    if (const Result<void> labelled = label(); !labelled)
        return fail(labelled.error());
    nameTracks();
    if (const Result<void> based = readBase(); !based)
        return fail(based.error());
    warn();
    return std::move(m_file);
}

} // namespace

Result<EventFile> readNsysSqlite(const std::string& path, Trace& trace, TraceNames& names,
                                 const KeepReadingRows& goOn)
{
    const Result<std::unique_ptr<NsysTables>> tables = NsysTables::open(path, goOn);
    if (!tables)
        return fail(tables.error());
    return NsysReader(**tables, trace, names, goOn).run();
}

} // namespace pw

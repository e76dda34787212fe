// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/reading/nsys/nsys_content.h"
#include "core/reading/nsys/nsys_range_text.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pw::nsys {

namespace {

class RankFinder
{
public:
    RankFinder(NsysTables& tables, Content& content)
        : m_tables(tables)
        , m_in(content)
    {
    }

    Result<void> run()
    {
        PW_DO(makeRanks());
        placeSpans();
        return {};
    }

private:
    Result<std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>> readDeviceNumbers();
    void findSaidRanks();
    void ownWork();
    Result<void> numberDevices();
    Result<void> makeRanks();
    void rankThreads();
    void placeSpans();

    NsysTables& m_tables;
    Content& m_in;
    std::map<std::pair<std::int32_t, std::int32_t>, ProcessId> m_saidRanks; // process, number
};

/// Numbers of the machine's devices by process and by the process's own number.
Result<std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>>
RankFinder::readDeviceNumbers()
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> numbers;
    const Result<void> read = m_tables.each(
        "TARGET_INFO_CUDA_DEVICE", {{"pid", false}, {"cudaId", false}, {"gpuId", false}},
        [&](const RowValues& row) -> Result<void> {
            if (row.isWhole(2))
                numbers[{row.whole(0), row.whole(1)}] = row.whole(2);
            return {};
        });
    if (!read)
        return fail(read.error());
    return numbers;
}

/// Threads whose ranges name a rank give it to the devices that they work on.
void RankFinder::findSaidRanks()
{
    if (std::none_of(m_in.threads.begin(), m_in.threads.end(),
                     [](const Thread& thread) { return thread.said >= 0; }))
        return;
    for (const LaunchedWork& work : m_in.work) {
        if (work.thread < 0)
            continue;
        const std::int32_t said = m_in.threads[m_in.at(work.thread)].said;
        if (said < 0)
            continue;
        Device& device = m_in.deviceAsYet(m_in.span(work.span));
        device.mixed = device.mixed || (device.said >= 0 && device.said != said);
        device.said = said;
    }
}

/// Device numbers that tell the ranks of a file apart: as the processes count them, else as the
/// machine does.
Result<void> RankFinder::numberDevices()
{
    const auto numbers = readDeviceNumbers();
    if (!numbers)
        return fail(numbers.error());
    const auto machine = [&](const Device& device) {
        const auto found =
            numbers->find({m_in.processes[m_in.at(device.process)].id & idMask, device.number});
        return found == numbers->end() ? std::int64_t{-1} : found->second;
    };
    const auto own = [](const Device& device) { return device.number; };
    const auto give = [this](const auto& numberOf) {
        std::set<std::int64_t> distinct;
        for (const Device& device : m_in.devices) {
            const std::int64_t number = numberOf(device);
            if (number < 0 || number >= mostRanks || !distinct.insert(number).second)
                return false;
        }
        for (const Device& device : m_in.devices)
            m_in.file.processes[device.owner.index()].device =
                static_cast<std::int32_t>(numberOf(device));
        return true;
    };
    if (!give(own))
        give(machine);
    return {};
}

/// Ranks of the file: those that ranges name, devices of processes, and processes without either.
Result<void> RankFinder::makeRanks()
{
    findSaidRanks();
    std::vector<std::int32_t> order(m_in.devices.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(i);
    std::sort(order.begin(), order.end(), [this](std::int32_t a, std::int32_t b) {
        const Device& one = m_in.devices[m_in.at(a)];
        const Device& other = m_in.devices[m_in.at(b)];
        return std::tuple(m_in.processes[m_in.at(one.process)].id, one.number) <
               std::tuple(m_in.processes[m_in.at(other.process)].id, other.number);
    });
    const auto add = [this](std::int32_t process, const std::string& more) {
        const Process& owner = m_in.processes[m_in.at(process)];
        EventProcess made;
        made.id = owner.number();
        made.name = (owner.name.empty() ? "process" : owner.name) + " " + made.id + more;
        m_in.file.processes.push_back(std::move(made));
        return ProcessId(m_in.file.processes.size() - 1);
    };
    for (const Thread& thread : m_in.threads)
        if (thread.said >= 0 && m_saidRanks.count({thread.process, thread.said}) == 0) {
            const ProcessId made = add(thread.process, ", rank " + std::to_string(thread.said));
            m_in.file.processes[made.index()].rankSaid = thread.said;
            m_saidRanks[{thread.process, thread.said}] = made;
        }
    for (const std::int32_t index : order) {
        Device& device = m_in.devices[m_in.at(index)];
        if (device.said >= 0 && !device.mixed) {
            device.owner = m_saidRanks[{device.process, device.said}];
            continue;
        }
        device.owner = add(device.process, ", device " + std::to_string(device.number));
        m_in.file.processes[device.owner.index()].ownDevice = true;
    }
    ownWork();
    PW_DO(numberDevices());
    rankThreads();
    std::map<std::int32_t, ProcessId> withoutDevice; // by process
    for (Thread& thread : m_in.threads)
        if (!thread.owner.valid()) {
            const auto sibling =
                std::find_if(m_in.devices.begin(), m_in.devices.end(), [&](const Device& device) {
                    return device.process == thread.process;
                });
            if (sibling != m_in.devices.end()) {
                thread.owner = sibling->owner;
                continue;
            }
            const auto [alone, made] = withoutDevice.try_emplace(thread.process);
            if (made)
                alone->second = add(thread.process, "");
            thread.owner = alone->second;
        }
    return {};
}

/// Gives the spans of work the ranks that launched it.
void RankFinder::ownWork()
{
    // Mostly that of the work before: a thread launches on one device.
    std::int32_t lastThread = -1, lastDevice = -1;
    ProcessId owner;
    std::int64_t* launched = nullptr; // by the thread on the owner
    for (const LaunchedWork& work : m_in.work) {
        TraceSpan& span = m_in.span(work.span);
        if (lastDevice < 0 || work.thread != lastThread || span.rank != lastDevice) {
            lastThread = work.thread;
            lastDevice = span.rank;
            const Device& device = m_in.deviceAsYet(span);
            Thread* const thread = work.thread < 0 ? nullptr : &m_in.threads[m_in.at(work.thread)];
            owner = thread == nullptr || thread->said < 0
                        ? device.owner
                        : m_saidRanks[{device.process, thread->said}];
            launched = thread == nullptr ? nullptr : &thread->launchedOn[owner];
        }
        span.rank = rankAsYet(owner);
        if (launched != nullptr)
            ++*launched;
    }
}

/// Threads that name no rank have that of most of what they launch, else that of their process
/// where it has only one.
void RankFinder::rankThreads()
{
    std::map<std::int32_t, std::set<ProcessId>> ofProcess;
    for (const Device& device : m_in.devices)
        ofProcess[device.process].insert(device.owner);
    for (const auto& [key, owner] : m_saidRanks)
        ofProcess[key.first].insert(owner);
    for (Thread& thread : m_in.threads) {
        if (thread.said >= 0) {
            thread.owner = m_saidRanks[{thread.process, thread.said}];
            continue;
        }
        std::int64_t most = 0;
        for (const auto& [owner, count] : thread.launchedOn)
            if (count > most) {
                most = count;
                thread.owner = owner;
            }
        const std::set<ProcessId>& owners = ofProcess[thread.process];
        if (!thread.owner.valid() && owners.size() == 1)
            thread.owner = *owners.begin();
    }
}

/// Gives ranges and calls the ranks that their threads have turned out to be.
void RankFinder::placeSpans()
{
    for (std::size_t i = m_in.firstRange; i < m_in.trace.spans.size(); ++i) {
        TraceSpan& span = m_in.trace.spans[i];
        span.rank = rankAsYet(m_in.threadAsYet(span).owner);
    }
}

} // namespace

Result<void> findRanks(NsysTables& tables, Content& content)
{
    return RankFinder(tables, content).run();
}

void nameTracks(Content& content)
{
    const auto processName = [&content](std::int32_t process) {
        const Process& owner = content.processes[content.at(process)];
        return (owner.name.empty() ? "process" : owner.name) + " " + owner.number();
    };
    for (const Device& device : content.devices)
        for (const auto& [stream, track] : device.tracks) {
            TraceTrack& row = content.trace.tracks[content.at(track)];
            row.rank = rankAsYet(device.owner);
            row.device = true;
            row.deviceNumber = static_cast<std::int32_t>(
                device.number >= 0 && device.number < mostRanks ? device.number : -1);
            row.process = processName(device.process);
            row.thread =
                "device " + std::to_string(device.number) + " stream " + std::to_string(stream);
        }
    for (const Thread& thread : content.threads) {
        const std::string name = (thread.name.empty() ? "thread" : thread.name) + " " +
                                 std::to_string(thread.id & idMask);
        for (const bool device : {false, true}) {
            const std::int32_t track = device ? thread.deviceTrack : thread.track;
            if (track < 0)
                continue;
            TraceTrack& row = content.trace.tracks[content.at(track)];
            row.rank = rankAsYet(thread.owner);
            row.process = processName(thread.process);
            row.thread = name + (device ? ", on the device" : "");
        }
    }
}

} // namespace pw::nsys

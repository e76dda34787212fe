// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/collective_notes.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/launch_join.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/nsys/nsys_tables.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// What the parts of the reader of Nsight Systems share; nobody else includes this.
namespace pw::nsys {

constexpr const char* kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* memsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* graphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr const char* launches = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* ranges = "NVTX_EVENTS";

/// Ids of threads and processes: machine, process and thread, 24 bits each but the first.
constexpr int threadBits = 24;
constexpr std::int64_t idMask = (std::int64_t{1} << threadBits) - 1;

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
    ProcessId owner;
    std::string name;
    std::map<ProcessId, std::int64_t> launchedOn; // work by owner
};

/// A device as a process works on it.
struct Device
{
    std::int32_t process = -1;
    std::int64_t number = 0;
    std::int32_t said = -1; // rank that the ranges of all threads that launch on it name
    bool mixed = false;     // they name several
    ProcessId owner;
    std::map<std::int64_t, std::int32_t> tracks; // by stream
};

/// Before `findRanks` a span has in the place of its rank its device, or behind `firstRange` its
/// thread.
constexpr TraceRankId rowAsYet(std::int32_t deviceOrThread)
{
    return TraceRankId(deviceOrThread);
}

/// An export while it is read: its rows as spans, and who they belong to.
struct Content
{
    Content(Trace& theTrace, TraceNames& theNames);

    std::int32_t processOf(std::int64_t id);
    std::int32_t threadOf(std::int64_t globalThread)
    {
        return isLastThread(globalThread) ? lastThread.second : findThread(globalThread);
    }
    /// Most rows have the thread of the row before.
    bool isLastThread(std::int64_t globalThread) const
    {
        return lastThread.second >= 0 && lastThread.first == globalThread;
    }
    std::int32_t findThread(std::int64_t globalThread);
    std::int32_t deviceOf(std::int32_t process, std::int64_t number);
    std::int32_t newTrack();
    std::size_t at(std::int32_t index) const { return static_cast<std::size_t>(index); }
    TraceSpan& span(std::int32_t index) { return trace.spans[at(index)]; }
    Device& deviceAsYet(const TraceSpan& of) { return devices[of.rank.index()]; }
    Thread& threadAsYet(const TraceSpan& of) { return threads[of.rank.index()]; }
    EventProcess& ownerOf(const Thread& thread) { return file.processes[thread.owner.index()]; }

    Trace& trace;
    TraceNames& names;
    EventFile file;

    std::vector<Process> processes;
    std::unordered_map<std::int64_t, std::int32_t> processOfId;
    std::vector<Thread> threads;
    std::unordered_map<std::int64_t, std::int32_t> threadOfId;
    std::pair<std::int64_t, std::int32_t> lastThread{0, -1}; // by id, that was asked for last
    std::vector<Device> devices;
    std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> deviceOfNumber;

    std::vector<LaunchedWork> work;
    std::vector<LabelledRange> ranges;
    CollectiveNotes collectives;
    bool communicates = false;  // some kernel does
    std::size_t firstRange = 0; // of the trace's spans; before it they are the device's

    // For the warnings.
    std::map<std::string, std::int64_t> badTimes; // by table
    std::int64_t neverEnded = 0;
    std::int64_t withoutText = 0;
    std::int64_t kernelRows = 0;
    std::int64_t withoutLaunch = 0; // kernels
    std::int64_t doubtful = 0;
    std::int64_t withoutKernels = 0; // passes
    std::int64_t withoutWork = 0;    // passes between others that have some
};

/// Reads all tables: spans on tracks, whose ranks are devices and threads as yet.
Result<void> readRows(NsysTables& tables, Content& content);

/// Finds the ranks of devices and threads, and gives them to spans.
Result<void> findRanks(NsysTables& tables, Content& content);

/// Reads what was sampled of the devices (SMs active, bandwidths) as counters. @pre the ranks are
/// found
Result<void> readMetrics(NsysTables& tables, Content& content);

/// Names tracks, also those that labels make. @pre the ranks are found
void nameTracks(Content& content);

/// Gives labelled ranges what was launched in them, and the labels to whichever times count.
/// @error Cancelled  `goOn` said so
Result<void> labelRanges(const std::string& path, Content& content, const KeepReadingRows& goOn);

} // namespace pw::nsys

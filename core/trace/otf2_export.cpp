// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/otf2_export.h"

#include "core/base/try.h"
#include "core/system/process.h"

#ifdef PW_HAVE_OTF2
#include <algorithm>
#include <cstdarg>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <otf2/otf2.h>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>
#endif

namespace pw {

#ifndef PW_HAVE_OTF2

bool writesOtf2()
{
    return false;
}

Result<void> writeOtf2(const Trace& /*trace*/, const ActivityLanes& /*lanes*/,
                       std::span<const MessagePair> /*messages*/, const std::string& /*folder*/,
                       std::span<const PlacedMessage> /*placed*/)
{
    return fail(ErrorCode::BadValue, "this Pipewright was built without the library of OTF2; with "
                                     "libopen-trace-format2-dev installed, a build has it");
}

#else

namespace {

namespace fs = std::filesystem;

/// The library would print what it thinks.
OTF2_ErrorCode silent(void* /*data*/, const char* /*file*/, std::uint64_t /*line*/,
                      const char* /*function*/, OTF2_ErrorCode code, const char* /*format*/,
                      va_list /*values*/)
{
    return code;
}

OTF2_FlushType alwaysFlush(void* /*data*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/,
                           void* /*caller*/, bool /*final*/)
{
    return OTF2_FLUSH;
}

struct CloseArchive
{
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};

OTF2_RegionRole roleOf(const Trace& trace, std::int32_t span, ActivityKind kind)
{
    switch (kind) {
    case ActivityKind::Communication: {
        const CollectiveCall* call = trace.callOf(span);
        return call == nullptr                         ? OTF2_REGION_ROLE_DATA_TRANSFER
               : call->kind == CollectiveKind::Message ? OTF2_REGION_ROLE_POINT2POINT
                                                       : OTF2_REGION_ROLE_COLL_OTHER;
    }
    case ActivityKind::Memory:
        return OTF2_REGION_ROLE_DATA_TRANSFER;
    case ActivityKind::Launch:
        return OTF2_REGION_ROLE_WRAPPER;
    case ActivityKind::Annotation:
        return OTF2_REGION_ROLE_CODE;
    case ActivityKind::Other:
    case ActivityKind::Compute:
    case ActivityKind::Operator:
    case ActivityKind::Wait:
    case ActivityKind::Script:
        return OTF2_REGION_ROLE_FUNCTION;
    }
    return OTF2_REGION_ROLE_UNKNOWN;
}

/// Writes the archive into a folder that is there.
class Otf2Writer
{
public:
    Otf2Writer(const Trace& trace, const ActivityLanes& lanes,
               std::span<const MessagePair> messages, std::span<const PlacedMessage> placed)
        : m_trace(trace)
        , m_lanes(lanes)
        , m_regionOf(trace.names.size(), none)
        , m_events(lanes.lanes.size() + trace.counters.size(), 0)
        , m_placeOf(lanes.lanes.size(), none)
        , m_sides(lanes.lanes.size())
    {
        findTimes(placed);
        findMessages(messages);
        placeMessages(placed);
    }

    Result<void> write(const std::string& folder)
    {
        OTF2_Error_RegisterCallback(silent, nullptr);
        constexpr std::uint64_t eventChunk = 1 << 18, definitionChunk = 1 << 22;
        m_archive.reset(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, eventChunk,
                                          definitionChunk, OTF2_SUBSTRATE_POSIX,
                                          OTF2_COMPRESSION_NONE));
        if (!m_archive)
            return fail(ErrorCode::Io, "%1: no archive can be made in it", folder);
        const OTF2_FlushCallbacks flush{alwaysFlush, nullptr};
        check(OTF2_Archive_SetFlushCallbacks(m_archive.get(), &flush, nullptr));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(m_archive.get()));
        check(OTF2_Archive_SetCreator(m_archive.get(), "Pipewright"));
        writeEvents();
        writeDefinitions();
        check(OTF2_Archive_Close(m_archive.release()));
        if (m_problem != OTF2_SUCCESS)
            return fail(ErrorCode::Io, "%1 cannot be written: %2", folder,
                        OTF2_Error_GetDescription(m_problem));
        return {};
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// A slice that has begun.
    struct Open
    {
        Ticks end = 0;
        std::int32_t span = -1;
    };

    /// One end of a message that no slice is of.
    struct Side
    {
        Ticks time = 0;
        bool sends = false;
        std::uint32_t peer = 0; ///< its place
        std::uint32_t tag = 0;
        std::uint64_t bytes = 0;
    };

    /// The first failure counts.
    void check(OTF2_ErrorCode code)
    {
        if (m_problem == OTF2_SUCCESS)
            m_problem = code;
    }

    void findTimes(std::span<const PlacedMessage> placed)
    {
        const auto take = [this](Ticks start, Ticks end) {
            m_first = std::min({m_first, start, end});
            m_last = std::max({m_last, start, end});
        };
        for (const TraceSpan& span : m_trace.spans)
            take(span.start, span.end);
        for (const PlacedMessage& message : placed)
            take(message.sent, message.received);
        for (const TraceCounter& counter : m_trace.counters)
            for (const CounterSample& sample : counter.samples)
                take(sample.time, sample.time);
        m_first = std::min(m_first, m_last);
    }

    void findMessages(std::span<const MessagePair> messages)
    {
        std::vector<std::int32_t> laneOf(m_trace.spans.size(), -1);
        for (std::size_t lane = 0; lane < m_lanes.lanes.size(); ++lane)
            for (std::size_t at = m_lanes.firstSpan[lane]; at < m_lanes.firstSpan[lane + 1]; ++at)
                laneOf[static_cast<std::size_t>(m_lanes.spans[at])] =
                    static_cast<std::int32_t>(lane);
        const auto place = [&](std::int32_t span) {
            return placeOf(static_cast<std::size_t>(laneOf[static_cast<std::size_t>(span)]));
        };
        for (const MessagePair& pair : messages) {
            const auto [from, to] = pair.spans;
            if (laneOf[static_cast<std::size_t>(from)] < 0 ||
                laneOf[static_cast<std::size_t>(to)] < 0)
                continue;
            const std::uint32_t sender = place(from), receiver = place(to);
            m_sendTo[from] = receiver;
            m_receiveFrom[to] = sender;
        }
    }

    /// In the communicator.
    std::uint32_t placeOf(std::size_t lane)
    {
        std::uint32_t& found = m_placeOf[lane];
        if (found == none) {
            found = static_cast<std::uint32_t>(m_placed.size());
            m_placed.push_back(lane);
        }
        return found;
    }

    /// The first lane of each rank that has a pass, by its number.
    std::map<std::int32_t, std::size_t> lanesOfPasses() const
    {
        std::map<std::int32_t, std::size_t> lanes;
        for (std::size_t lane = 0; lane < m_lanes.lanes.size(); ++lane)
            for (std::size_t at = m_lanes.firstSpan[lane]; at < m_lanes.firstSpan[lane + 1]; ++at) {
                const SpanLabel* label =
                    m_trace.labelOf(m_trace.spans[static_cast<std::size_t>(m_lanes.spans[at])]);
                if (label == nullptr || label->role != SpanRole::Pass)
                    continue;
                lanes.emplace(m_lanes.lanes[lane].rankNumber, lane);
                break;
            }
        return lanes;
    }

    /// Each with a tag of its own, since messages may overtake each other.
    void placeMessages(std::span<const PlacedMessage> placed)
    {
        const std::map<std::int32_t, std::size_t> lanes = lanesOfPasses();
        std::uint32_t tag = 0;
        for (const PlacedMessage& message : placed) {
            const auto from = lanes.find(message.from), to = lanes.find(message.to);
            if (from == lanes.end() || to == lanes.end())
                continue;
            const std::uint32_t sender = placeOf(from->second), receiver = placeOf(to->second);
            const auto bytes = static_cast<std::uint64_t>(std::max<Bytes>(message.bytes, 0));
            m_sides[from->second].push_back({message.sent, true, receiver, tag, bytes});
            m_sides[to->second].push_back({message.received, false, sender, tag, bytes});
            ++tag;
        }
        for (std::vector<Side>& sides : m_sides)
            std::stable_sort(sides.begin(), sides.end(),
                             [](const Side& a, const Side& b) { return a.time < b.time; });
    }

    std::uint64_t timeOf(Ticks time) const { return static_cast<std::uint64_t>(time - m_first); }

    std::uint64_t bytesOf(std::int32_t span) const
    {
        const CollectiveCall* call = m_trace.callOf(span);
        return call == nullptr
                   ? 0
                   : static_cast<std::uint64_t>(std::max<Bytes>({call->sent, call->received, 0}));
    }

    OTF2_RegionRef regionOf(std::int32_t span)
    {
        const TraceSpan& one = m_trace.spans[static_cast<std::size_t>(span)];
        std::uint32_t& region = m_regionOf[static_cast<std::size_t>(one.name)];
        if (region == none) {
            region = static_cast<std::uint32_t>(m_regions.size());
            m_regions.emplace_back(one.name, roleOf(m_trace, span, one.activity));
        }
        return region;
    }

    void leave(OTF2_EvtWriter* writer, const Open& open)
    {
        if (const auto from = m_receiveFrom.find(open.span); from != m_receiveFrom.end())
            check(OTF2_EvtWriter_MpiRecv(writer, nullptr, timeOf(open.end), from->second, 0, 0,
                                         bytesOf(open.span)));
        check(OTF2_EvtWriter_Leave(writer, nullptr, timeOf(open.end), regionOf(open.span)));
    }

    void writeSide(OTF2_EvtWriter* writer, const Side& side)
    {
        check(side.sends ? OTF2_EvtWriter_MpiSend(writer, nullptr, timeOf(side.time), side.peer, 0,
                                                  side.tag, side.bytes)
                         : OTF2_EvtWriter_MpiRecv(writer, nullptr, timeOf(side.time), side.peer, 0,
                                                  side.tag, side.bytes));
    }

    /// What ends or is sent and received up to a time.
    void writeUntil(OTF2_EvtWriter* writer, Ticks time, std::vector<Open>& open,
                    std::span<const Side>& sides)
    {
        for (;;) {
            const bool ends = !open.empty() && open.back().end <= time;
            const bool any = !sides.empty() && sides.front().time <= time;
            if (any && (!ends || sides.front().time <= open.back().end)) {
                writeSide(writer, sides.front());
                sides = sides.subspan(1);
            } else if (ends) {
                leave(writer, open.back());
                open.pop_back();
            } else {
                return;
            }
        }
    }

    void writeLane(std::size_t lane, OTF2_EvtWriter* writer)
    {
        std::vector<Open> open;
        std::span<const Side> sides = m_sides[lane];
        for (std::size_t at = m_lanes.firstSpan[lane]; at < m_lanes.firstSpan[lane + 1]; ++at) {
            const std::int32_t span = m_lanes.spans[at];
            const TraceSpan& one = m_trace.spans[static_cast<std::size_t>(span)];
            writeUntil(writer, one.start, open, sides);
            check(OTF2_EvtWriter_Enter(writer, nullptr, timeOf(one.start), regionOf(span)));
            if (const auto to = m_sendTo.find(span); to != m_sendTo.end())
                check(OTF2_EvtWriter_MpiSend(writer, nullptr, timeOf(one.start), to->second, 0, 0,
                                             bytesOf(span)));
            open.push_back({open.empty() ? one.end : std::min(one.end, open.back().end), span});
        }
        writeUntil(writer, std::numeric_limits<Ticks>::max(), open, sides);
        check(OTF2_EvtWriter_GetNumberOfEvents(writer, &m_events[lane]));
    }

    void writeCounter(std::size_t counter, OTF2_EvtWriter* writer)
    {
        const OTF2_Type type = OTF2_TYPE_DOUBLE;
        for (const CounterSample& sample : m_trace.counters[counter].samples) {
            OTF2_MetricValue value;
            value.floating_point = sample.value;
            check(OTF2_EvtWriter_Metric(writer, nullptr, timeOf(sample.time),
                                        static_cast<OTF2_MetricRef>(counter), 1, &type, &value));
        }
        check(OTF2_EvtWriter_GetNumberOfEvents(writer, &m_events[m_lanes.lanes.size() + counter]));
    }

    void writeEvents()
    {
        check(OTF2_Archive_OpenEvtFiles(m_archive.get()));
        const std::size_t lanes = m_lanes.lanes.size();
        for (std::size_t place = 0; place < m_events.size() && m_problem == OTF2_SUCCESS; ++place) {
            OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(m_archive.get(), place);
            if (writer == nullptr) {
                check(OTF2_ERROR_MEM_ALLOC_FAILED);
                break;
            }
            if (place < lanes)
                writeLane(place, writer);
            else
                writeCounter(place - lanes, writer);
            check(OTF2_Archive_CloseEvtWriter(m_archive.get(), writer));
        }
        check(OTF2_Archive_CloseEvtFiles(m_archive.get()));
        check(OTF2_Archive_OpenDefFiles(m_archive.get()));
        for (std::size_t place = 0; place < m_events.size() && m_problem == OTF2_SUCCESS; ++place)
            check(OTF2_Archive_CloseDefWriter(m_archive.get(),
                                              OTF2_Archive_GetDefWriter(m_archive.get(), place)));
        check(OTF2_Archive_CloseDefFiles(m_archive.get()));
    }

    OTF2_StringRef text(const std::string& one)
    {
        const auto [found, made] =
            m_texts.try_emplace(one, static_cast<std::uint32_t>(m_texts.size()));
        if (made)
            check(OTF2_GlobalDefWriter_WriteString(m_definitions, found->second, one.c_str()));
        return found->second;
    }

    void writeDefinitions()
    {
        m_definitions = OTF2_Archive_GetGlobalDefWriter(m_archive.get());
        if (m_definitions == nullptr) {
            check(OTF2_ERROR_MEM_ALLOC_FAILED);
            return;
        }
        constexpr std::uint64_t nanoseconds = 1'000'000'000;
        check(OTF2_GlobalDefWriter_WriteClockProperties(
            m_definitions, nanoseconds, 0, timeOf(m_last),
            m_trace.base > 0 ? static_cast<std::uint64_t>(m_trace.base + m_first)
                             : OTF2_UNDEFINED_TIMESTAMP));
        const OTF2_StringRef nothing = text("");
        for (std::size_t i = 0; i < m_regions.size(); ++i) {
            const OTF2_StringRef called =
                text(m_trace.names[static_cast<std::size_t>(m_regions[i].first)]);
            check(OTF2_GlobalDefWriter_WriteRegion(
                m_definitions, static_cast<OTF2_RegionRef>(i), called, called, nothing,
                m_regions[i].second, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, nothing, 0, 0));
        }
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
            m_definitions, 0, text("job"), text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        writeLocations();
        writeCounters();
        writeCommunicator();
    }

    void writeGroup(OTF2_LocationGroupRef group, const std::string& called)
    {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(m_definitions, group, text(called),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        ++m_groups;
    }

    /// A process for every owner of a rank, and its lanes.
    void writeLocations()
    {
        OTF2_LocationGroupRef group = 0;
        for (std::size_t i = 0; i < m_lanes.lanes.size(); ++i) {
            const ActivityLane& lane = m_lanes.lanes[i];
            const ActivityLane* before = i > 0 ? &m_lanes.lanes[i - 1] : nullptr;
            if (before == nullptr || before->rankNumber != lane.rankNumber ||
                before->replica != lane.replica || before->owner != lane.owner) {
                group += before == nullptr ? 0 : 1;
                std::string called = lane.owner;
                if (lane.rankNumber >= 0)
                    called = "rank " + std::to_string(lane.rankNumber) +
                             (lane.owner.empty() ? "" : ", " + lane.owner);
                writeGroup(group, called);
                m_groupOf.emplace(std::pair(lane.rankNumber, lane.replica), group);
            }
            check(OTF2_GlobalDefWriter_WriteLocation(
                m_definitions, i, text(lane.name),
                lane.device ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_CPU_THREAD,
                m_events[i], group));
        }
    }

    /// A metric and a location each, in the process of its rank.
    void writeCounters()
    {
        for (std::size_t i = 0; i < m_trace.counters.size(); ++i) {
            const TraceCounter& counter = m_trace.counters[i];
            const auto metric = static_cast<std::uint32_t>(i);
            const OTF2_StringRef called = text(counter.name);
            check(OTF2_GlobalDefWriter_WriteMetricMember(
                m_definitions, metric, called, text(""), OTF2_METRIC_TYPE_OTHER,
                OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0,
                text(counter.kind == CounterKind::Memory ? "B" : "")));
            const OTF2_MetricMemberRef member = metric;
            check(OTF2_GlobalDefWriter_WriteMetricClass(m_definitions, metric, 1, &member,
                                                        OTF2_METRIC_ASYNCHRONOUS,
                                                        OTF2_RECORDER_KIND_ABSTRACT));
            const TraceRank& rank = m_trace.ranks[counter.rank.index()];
            auto group = m_groupOf.find({rank.number, rank.replica});
            if (group == m_groupOf.end()) {
                group = m_groupOf.emplace(std::pair(rank.number, rank.replica), m_groups).first;
                writeGroup(group->second, "rank " + std::to_string(rank.number));
            }
            const std::size_t place = m_lanes.lanes.size() + i;
            check(OTF2_GlobalDefWriter_WriteLocation(m_definitions, place, called,
                                                     OTF2_LOCATION_TYPE_METRIC, m_events[place],
                                                     group->second));
        }
    }

    /// Of all lanes that send or receive.
    void writeCommunicator()
    {
        if (m_placed.empty())
            return;
        std::vector<std::uint64_t> places(m_placed.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = i;
        const auto count = static_cast<std::uint32_t>(m_placed.size());
        const OTF2_StringRef called = text("messages");
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, 0, called,
                                              OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, count, m_placed.data()));
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, 1, called, OTF2_GROUP_TYPE_COMM_GROUP,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count,
                                              places.data()));
        check(OTF2_GlobalDefWriter_WriteComm(m_definitions, 0, called, 1, OTF2_UNDEFINED_COMM,
                                             OTF2_COMM_FLAG_NONE));
    }

    const Trace& m_trace;
    const ActivityLanes& m_lanes;
    std::unique_ptr<OTF2_Archive, CloseArchive> m_archive;
    OTF2_GlobalDefWriter* m_definitions = nullptr; // the archive's
    OTF2_ErrorCode m_problem = OTF2_SUCCESS;
    Ticks m_first = std::numeric_limits<Ticks>::max();
    Ticks m_last = 0;
    std::vector<std::uint32_t> m_regionOf; // by name
    std::vector<std::pair<std::int32_t, OTF2_RegionRole>> m_regions;
    std::vector<std::uint64_t> m_events;                      // by lane, then by counter
    std::vector<std::uint32_t> m_placeOf;                     // in the communicator, by lane
    std::vector<std::uint64_t> m_placed;                      // lanes in the communicator
    std::unordered_map<std::int32_t, std::uint32_t> m_sendTo; // places, by span
    std::unordered_map<std::int32_t, std::uint32_t> m_receiveFrom;
    std::unordered_map<std::string, std::uint32_t> m_texts;
    std::vector<std::vector<Side>> m_sides; // by lane, by time
    std::map<std::pair<std::int32_t, std::int32_t>, OTF2_LocationGroupRef>
        m_groupOf; // the first of a rank, by its number and replica
    OTF2_LocationGroupRef m_groups = 0;
};

} // namespace

bool writesOtf2()
{
    return true;
}

Result<void> writeOtf2(const Trace& trace, const ActivityLanes& lanes,
                       std::span<const MessagePair> messages, const std::string& folder,
                       std::span<const PlacedMessage> placed)
{
    std::error_code problem;
    if (fs::exists(folder, problem) && !(fs::is_directory(folder) && fs::is_empty(folder, problem)))
        return fail(ErrorCode::BadValue, "%1 is there already; an archive goes to a new folder",
                    folder);
    // Whole or not at all: others see it once everything is in it.
    const std::string beside = folder + "." + std::to_string(sys::processNumber()) + ".part";
    if (!fs::create_directory(beside, problem))
        return fail(ErrorCode::Io, "%1 cannot be made: %2", beside, problem.message());
    Result<void> written = Otf2Writer(trace, lanes, messages, placed).write(beside);
    if (written) {
        fs::rename(beside, folder, problem);
        if (problem)
            written = fail(ErrorCode::Io, "%1 cannot be made: %2", folder, problem.message());
    }
    if (!written)
        fs::remove_all(beside, problem);
    return written;
}

#endif

} // namespace pw

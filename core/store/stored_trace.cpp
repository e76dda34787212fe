// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_trace.h"

#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/stored_limits.h"
#include "core/trace/trace_memory.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace pw {

namespace {

constexpr std::int64_t mostStoredSpans = 1'000'000'000;
constexpr std::int64_t largestSmall = std::numeric_limits<std::int32_t>::max();

/// Reads one run. Lanes are read by several of these at a time.
class TraceLoader
{
public:
    TraceLoader(Database& database, RunNumber run)
        : m_database(database)
        , m_run(run)
    {
    }

    Result<void> header(StoredTrace& out)
    {
        for (const auto step :
             {&TraceLoader::about, &TraceLoader::lanes, &TraceLoader::names, &TraceLoader::labels})
            PW_DO((this->*step)(out));
        return {};
    }

    Result<void> spansOfLane(StoredTrace& out, std::size_t lane) const;
    Result<void> arrows(StoredTrace& out) const;
    Result<void> collectives(StoredTrace& out) const;
    Result<void> counters(StoredTrace& out) const;
    Result<void> sums(StoredTrace& out) const;

private:
    Result<void> about(StoredTrace& out);
    Result<void> lanes(StoredTrace& out);
    Result<void> names(StoredTrace& out);
    Result<void> labels(StoredTrace& out);

    Database& m_database;
    RunNumber m_run;
};

/// The place of a rank by its number and replica; it is made where it is new.
TraceRankId rankOfNumber(Trace& trace, std::int32_t number, std::int32_t replica)
{
    for (const TraceRankId rank : Ids<TraceRankId>(trace.ranks.size()))
        if (trace.ranks[rank.index()].number == number &&
            trace.ranks[rank.index()].replica == replica)
            return rank;
    trace.ranks.push_back({number, "kept run", {}, false, replica});
    return TraceRankId(trace.ranks.size() - 1);
}

/// The same of whichever replica: a counter is kept without it.
TraceRankId anyRankOfNumber(Trace& trace, std::int32_t number)
{
    for (const TraceRankId rank : Ids<TraceRankId>(trace.ranks.size()))
        if (trace.ranks[rank.index()].number == number)
            return rank;
    return rankOfNumber(trace, number, -1);
}

Result<void> TraceLoader::about(StoredTrace& out)
{
    PW_TRY(Statement query,
           m_database.prepare("SELECT title, origin, started_ms FROM run WHERE number = ?"));
    query.bindAll(m_run);
    return query.each([&out](const Statement& row) {
        out.title = row.text(0);
        out.trace.origin = row.text(1);
        out.trace.base =
            row.within(2, 0, latestStored / ticksPerMs, "when a run began") * ticksPerMs;
    });
}

Result<void> TraceLoader::lanes(StoredTrace& out)
{
    PW_TRY(Statement query,
           m_database.prepare(
               "SELECT rank, device, owner, name, depths, slices, first, last, gpu, replica "
               "FROM activity_lane WHERE run = ? ORDER BY lane"));
    query.bindAll(m_run);
    std::int64_t spans = 0;
    const Result<void> read = query.each([&](const Statement& row) {
        ActivityLane lane;
        lane.rankNumber =
            static_cast<std::int32_t>(row.within(0, -1, mostStoredRanks, "a lane's rank"));
        lane.device = row.whole(1) != 0;
        lane.owner = row.text(2);
        lane.name = row.text(3);
        lane.rows = static_cast<std::int32_t>(
            row.within(4, 0, std::numeric_limits<std::uint16_t>::max() + 1, "a lane's levels"));
        lane.slices = row.within(5, 0, mostStoredSpans - spans, "a lane's slices");
        lane.start = row.within(6, -latestStored, latestStored, "a lane's start");
        lane.end = row.within(7, -latestStored, latestStored, "a lane's end");
        lane.track = static_cast<std::int32_t>(out.trace.tracks.size());
        TraceTrack track;
        lane.replica =
            static_cast<std::int32_t>(row.within(9, -1, mostStoredRanks, "a lane's replica"));
        track.rank = rankOfNumber(out.trace, lane.rankNumber, lane.replica);
        track.process = lane.owner;
        track.thread = lane.name;
        track.device = lane.device;
        track.deviceNumber =
            static_cast<std::int32_t>(row.within(8, -1, largestSmall, "a device's number"));
        out.trace.tracks.push_back(std::move(track));
        out.lanes.firstSpan.push_back(static_cast<std::size_t>(spans));
        spans += lane.slices;
        out.lanes.lanes.push_back(std::move(lane));
    });
    if (!read)
        return read;
    if (out.lanes.lanes.empty())
        return fail(ErrorCode::BadValue, "run %1 of %2 was kept without its trace", m_run,
                    m_database.path());
    // A damaged count must not ask for memory that no file of this size can fill.
    constexpr std::int64_t leastBytes = 8; // of a row
    PW_TRY(const std::int64_t bytes,
           m_database.number(
               "SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM "
               "pragma_page_size)"));
    if (spans > bytes / leastBytes)
        return fail(
            ErrorCode::Io,
            "%1 is damaged: the lanes of run %2 tell %3 slices, more than the file has room for",
            m_database.path(), m_run, spans);
    out.lanes.firstSpan.push_back(static_cast<std::size_t>(spans));
    out.trace.spans.resize(static_cast<std::size_t>(spans));
    out.trace.events = spans;
    out.lanes.spans.resize(static_cast<std::size_t>(spans));
    for (std::size_t i = 0; i < out.lanes.spans.size(); ++i)
        out.lanes.spans[i] = static_cast<std::int32_t>(i);
    return {};
}

Result<void> TraceLoader::names(StoredTrace& out)
{
    PW_TRY(Statement query,
           m_database.prepare("SELECT name, text FROM activity_name WHERE run = ? ORDER BY name"));
    query.bindAll(m_run);
    return query.each([&out](const Statement& row) {
        // They are numbered from 0 on.
        row.within(0, static_cast<std::int64_t>(out.trace.names.size()),
                   static_cast<std::int64_t>(out.trace.names.size()), "the number of a name");
        out.trace.names.push_back(row.text(1));
    });
}

Result<void> TraceLoader::labels(StoredTrace& out)
{
    PW_TRY(Statement query,
           m_database.prepare(
               "SELECT label, role, kind, open_backward, paired, iteration, route, stage, chunk, "
               "micro_batch, segment FROM activity_label WHERE run = ? ORDER BY label"));
    query.bindAll(m_run);
    return query.each([&out](const Statement& row) {
        const auto small = [&row](int column) {
            return static_cast<std::int32_t>(
                row.within(column, -1, largestSmall, "a number of a label"));
        };
        SpanLabel label;
        label.role = static_cast<SpanRole>(row.within(1, 0, 4, "a label's role"));
        label.kind = static_cast<PassKind>(row.within(2, 0, passKindCount - 1, "a label's kind"));
        label.openBackward = row.whole(3) != 0;
        label.paired = row.whole(4) != 0;
        label.iteration = small(5);
        label.route = small(6);
        label.stage = StageId(small(7));
        label.chunk = small(8);
        label.microBatch = small(9);
        label.segment = small(10);
        // Labels that no slice has are not kept; their places stay.
        const auto at = static_cast<std::size_t>(
            row.within(0, 0, std::int64_t{largestSmall} * trustCount, "a label's number") /
            trustCount);
        constexpr std::size_t mostGap = 50'000'000;
        if (at > out.trace.labels.size() + mostGap) {
            row.refuse(said("a label's number is beyond all slices"));
            return;
        }
        if (out.trace.labels.size() <= at)
            out.trace.labels.resize(at + 1);
        out.trace.labels[at] = label;
    });
}

Result<void> TraceLoader::spansOfLane(StoredTrace& out, std::size_t lane) const
{
    PW_TRY(Statement* const query,
           m_database.kept(
               "SELECT start, duration, seq, depth, name, kind, queued, label FROM activity "
               "WHERE run = ? AND lane = ? AND level = 0"));
    query->bindAll(m_run, static_cast<std::int64_t>(lane));
    const std::size_t first = out.lanes.firstSpan[lane];
    const std::int64_t last = out.lanes.lanes[lane].slices - 1;
    const std::int64_t mostNames = static_cast<std::int64_t>(out.trace.names.size()) - 1;
    const std::int64_t mostLabels =
        static_cast<std::int64_t>(out.trace.labels.size()) * trustCount - 1;
    const TraceRankId rank = out.trace.tracks[lane].rank;
    std::int64_t count = 0;
    const Result<void> read = query->each([&](const Statement& row) {
        ++count;
        TraceSpan& span =
            out.trace
                .spans[first + static_cast<std::size_t>(row.within(
                                   2, 0, std::max<std::int64_t>(last, 0), "a slice's number"))];
        span.start = row.within(0, -latestStored, latestStored, "a slice's start");
        span.end = span.start + row.within(1, 0, longestFrom(span.start), "a slice's length");
        span.depth = static_cast<std::uint16_t>(
            row.within(3, 0, std::numeric_limits<std::uint16_t>::max(), "a slice's depth"));
        span.name = static_cast<std::int32_t>(row.within(4, 0, mostNames, "a slice's name"));
        span.activity =
            static_cast<ActivityKind>(row.within(5, 0, activityKindCount - 1, "a slice's kind"));
        span.queued =
            row.isNull(6)
                ? -1
                : static_cast<std::int32_t>(row.within(6, 0, largestSmall, "how long it waited"));
        if (!row.isNull(7) && mostLabels >= 0) {
            const std::int64_t label = row.within(7, 0, mostLabels, "a slice's label");
            span.label = static_cast<std::int32_t>(label / trustCount);
            span.trust = static_cast<Trust>(label % trustCount);
        }
        span.rank = rank;
        span.track = static_cast<std::int32_t>(lane);
    });
    if (!read || count == last + 1)
        return read;
    return fail(ErrorCode::Io, "%1 is damaged: lane %2 of run %3 has %4 slices of %5",
                m_database.path(), lane, m_run, count, last + 1);
}

Result<void> TraceLoader::arrows(StoredTrace& out) const
{
    PW_TRY(Statement query, m_database.prepare("SELECT kind, from_lane, from_slice, to_lane, "
                                               "to_slice FROM activity_link WHERE run = ? "
                                               "ORDER BY link"));
    query.bindAll(m_run);
    const auto most = static_cast<std::int64_t>(out.lanes.lanes.size()) - 1;
    return query.each([&](const Statement& row) {
        const auto place = [&](int column) {
            const auto lane =
                static_cast<std::size_t>(row.within(column, 0, most, "the lane of an arrow"));
            return static_cast<std::int32_t>(
                out.lanes.firstSpan[lane] +
                static_cast<std::size_t>(row.within(
                    column + 1, 0, std::max<std::int64_t>(out.lanes.lanes[lane].slices - 1, 0),
                    "the slice of an arrow")));
        };
        const std::int32_t from = place(1), to = place(3);
        const auto count = static_cast<std::int32_t>(out.trace.spans.size());
        if (from >= count || to >= count)
            return; // an empty lane at the end
        constexpr std::int64_t messageKind = 1, backwardKind = 2;
        if (row.within(0, messageKind, backwardKind, "the kind of an arrow") == backwardKind) {
            out.trace.links.push_back({from, to});
            return;
        }
        MessagePair pair;
        pair.spans = {from, to};
        out.pairs.push_back(pair);
    });
}

Result<void> TraceLoader::collectives(StoredTrace& out) const
{
    PW_TRY(Statement groups,
           m_database.prepare("SELECT number, name, description, ranks, size, alone FROM "
                              "process_group WHERE run = ? ORDER BY number"));
    groups.bindAll(m_run);
    PW_DO(groups.each([&out](const Statement& row) {
        // They are numbered from 0 on.
        const auto next = static_cast<std::int64_t>(out.trace.groups.size());
        row.within(0, next, next, "the number of a group");
        out.trace.groups.push_back(
            {row.text(1), row.text(2), row.text(3),
             static_cast<std::int32_t>(row.within(4, -1, mostStoredRanks, "a group's size")),
             row.whole(5) != 0});
    }));
    PW_TRY(Statement calls,
           m_database.prepare("SELECT lane, slice, group_number, kind, sent, received, sequence, "
                              "peer, sends FROM collective WHERE run = ? ORDER BY lane, slice"));
    calls.bindAll(m_run);
    const auto lanes = static_cast<std::int64_t>(out.lanes.lanes.size());
    const auto known = static_cast<std::int64_t>(out.trace.groups.size());
    return calls.each([&](const Statement& row) {
        const auto lane =
            static_cast<std::size_t>(row.within(0, 0, lanes - 1, "the lane of an operation"));
        CollectiveCall call;
        call.span = static_cast<std::int32_t>(
            out.lanes.firstSpan[lane] +
            static_cast<std::size_t>(
                row.within(1, 0, std::max<std::int64_t>(out.lanes.lanes[lane].slices - 1, 0),
                           "the slice of an operation")));
        if (call.span >= static_cast<std::int32_t>(out.trace.spans.size()))
            return; // an empty lane at the end
        call.group = static_cast<std::int32_t>(row.within(2, -1, known - 1, "a group's number"));
        call.kind = static_cast<CollectiveKind>(
            row.within(3, 0, collectiveKindCount - 1, "the kind of an operation"));
        call.sent = row.within(4, -1, mostCollectiveBytes, "bytes of an operation");
        call.received = row.within(5, -1, mostCollectiveBytes, "bytes of an operation");
        call.sequence = row.whole(6);
        call.peer =
            static_cast<std::int32_t>(row.within(7, -1, mostStoredRanks, "an operation's peer"));
        if (call.peer >= 0)
            call.end = row.whole(8) != 0 ? MessageEnd::Sends : MessageEnd::Receives;
        out.trace.calls.push_back(call);
    });
}

Result<void> TraceLoader::sums(StoredTrace& out) const
{
    PW_TRY(Statement query,
           m_database.prepare("SELECT rank, replica, step, kind, name, count, total FROM work_sum "
                              "WHERE run = ? ORDER BY seq"));
    query.bindAll(m_run);
    std::map<std::string, std::int32_t> names;
    for (std::size_t i = 0; i < out.trace.names.size(); ++i)
        names.emplace(out.trace.names[i], static_cast<std::int32_t>(i));
    return query.each([&](const Statement& row) {
        WorkSum sum;
        sum.rank = rankOfNumber(
            out.trace,
            static_cast<std::int32_t>(row.within(0, -1, mostStoredRanks, "the rank of a sum")),
            static_cast<std::int32_t>(row.within(1, -1, mostStoredRanks, "the replica of a sum")));
        sum.step = static_cast<std::int32_t>(row.within(2, -1, largestSmall, "the step of a sum"));
        sum.kind =
            static_cast<ActivityKind>(row.within(3, 0, activityKindCount - 1, "a sum's kind"));
        if (!row.isNull(4)) {
            const auto [at, fresh] =
                names.emplace(row.text(4), static_cast<std::int32_t>(out.trace.names.size()));
            if (fresh)
                out.trace.names.push_back(row.text(4));
            sum.name = at->second;
        }
        sum.count = row.within(5, 0, latestStored, "the count of a sum");
        sum.total = row.within(6, 0, latestStored, "the time of a sum");
        out.trace.sums.push_back(sum);
    });
}

Result<void> TraceLoader::counters(StoredTrace& out) const
{
    PW_TRY(Statement query,
           m_database.prepare(
               "SELECT counter, rank, name, kind, device, reserved FROM counter WHERE run = ? "
               "ORDER BY counter"));
    query.bindAll(m_run);
    std::map<std::int64_t, std::size_t> places;
    const Result<void> read = query.each([&](const Statement& row) {
        TraceCounter counter;
        counter.rank = anyRankOfNumber(out.trace, static_cast<std::int32_t>(row.within(
                                                      1, -1, mostStoredRanks, "a counter's rank")));
        counter.name = row.text(2);
        counter.kind = static_cast<CounterKind>(row.within(3, 0, 2, "a counter's kind"));
        counter.device = row.whole(4) != 0;
        counter.reserved = row.whole(5) != 0;
        places[row.whole(0)] = out.trace.counters.size();
        out.trace.counters.push_back(std::move(counter));
    });
    if (!read)
        return read;
    PW_TRY(Statement values, m_database.prepare("SELECT counter, time, value FROM counter_value "
                                                "WHERE run = ? ORDER BY counter, time, seq"));
    values.bindAll(m_run);
    return values.each([&](const Statement& row) {
        if (const auto found = places.find(row.whole(0)); found != places.end())
            out.trace.counters[found->second].samples.push_back(
                {row.within(1, -latestStored, latestStored, "when a counter had a value"),
                 row.number(2)});
    });
}

Result<std::unique_ptr<Database>> openTrace(const std::string& store)
{
    Result<std::unique_ptr<Database>> database = Database::open(store, Database::Mode::Read);
    if (database)
        (*database)->refuseViews();
    return database;
}

/// The most memory of each rank, as its counters tell it.
void addPeaks(Trace& trace)
{
    for (const TraceRankId rank : Ids<TraceRankId>(trace.ranks.size())) {
        const std::int32_t counter = memoryCounter(trace.counters, rank);
        double most = 0;
        if (counter >= 0)
            for (const CounterSample& sample :
                 trace.counters[static_cast<std::size_t>(counter)].samples)
                most = std::max(most, sample.value);
        constexpr double furthest = 1e18;
        if (most > 0 && most < furthest)
            trace.peaks.push_back({rank, -1, static_cast<Bytes>(most)});
    }
}

/// Lanes are independent of each other; each worker has a connection of its own.
Result<void> readLanes(const std::string& store, RunNumber run, StoredTrace& out,
                       const std::function<bool(double)>& goOn)
{
    constexpr unsigned mostWorkers = 4;
    const auto lanes = out.lanes.lanes.size();
    const std::size_t workers = std::min<std::size_t>(
        {std::clamp(std::thread::hardware_concurrency(), 1U, mostWorkers), lanes});
    std::atomic<std::size_t> next{0};
    std::atomic<std::int64_t> read{0};
    std::atomic<bool> stop{false};
    std::vector<Result<void>> results(workers);
    const auto work = [&](std::size_t worker) {
        Result<std::unique_ptr<Database>> database = openTrace(store);
        if (!database) {
            results[worker] = fail(database.error());
            return;
        }
        const TraceLoader loader(**database, run);
        for (std::size_t lane = next++; lane < lanes && !stop; lane = next++) {
            if (results[worker] = loader.spansOfLane(out, lane); !results[worker]) {
                stop = true;
                return;
            }
            read += out.lanes.lanes[lane].slices;
            // Only the first asks, so that what is asked need not be made for several threads.
            if (worker == 0 && goOn &&
                !goOn(static_cast<double>(read) /
                      static_cast<double>(std::max<std::size_t>(out.trace.spans.size(), 1)))) {
                results[worker] = fail(ErrorCode::Cancelled, "%1: reading was stopped", store);
                stop = true;
            }
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t worker = 1; worker < workers; ++worker)
        threads.emplace_back(work, worker);
    work(0);
    for (std::thread& thread : threads)
        thread.join();
    for (const Result<void>& result : results)
        if (!result)
            return result;
    return {};
}

} // namespace

Result<StoredTrace> loadStoredTrace(const std::string& store, RunNumber run,
                                    const std::function<bool(double)>& goOn)
{
    // Brings an older store up to date, and says what is wrong with it.
    PW_TRY(RunStore opened, RunStore::openToRead(store));
    PW_DO(opened.run(run));
    PW_TRY(std::unique_ptr<Database> database, openTrace(store));
    StoredTrace out;
    TraceLoader loader(*database, run);
    PW_DO(loader.header(out));
    PW_DO(readLanes(store, run, out, goOn));
    PW_DO(loader.arrows(out));
    PW_DO(loader.collectives(out));
    PW_DO(loader.counters(out));
    PW_DO(loader.sums(out));
    addPeaks(out.trace);
    return out;
}

} // namespace pw

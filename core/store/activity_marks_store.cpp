// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/activity_marks_store.h"

#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/keep_meter.h"
#include "core/store/row_batch.h"
#include "core/trace/activity_links.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace pw {

namespace {

/// Where the slice of a span is kept: its lane, and its number in that.
struct KeptPlace
{
    std::int64_t lane = -1;
    std::int64_t slice = -1;
};

/// The places of spans that arrows join. One list of numbers serves all of them.
class KeptPlaces
{
public:
    explicit KeptPlaces(const ActivityLanes& lanes)
        : m_lanes(lanes)
        , m_position(lanes.spans.size())
    {
        for (std::size_t at = 0; at < lanes.spans.size(); ++at)
            m_position[static_cast<std::size_t>(lanes.spans[at])] = static_cast<std::int32_t>(at);
    }

    KeptPlace of(std::int32_t span) const
    {
        const auto at = static_cast<std::size_t>(m_position[static_cast<std::size_t>(span)]);
        const auto behind =
            std::upper_bound(m_lanes.firstSpan.begin(), m_lanes.firstSpan.end(), at);
        const auto lane = static_cast<std::size_t>(behind - m_lanes.firstSpan.begin()) - 1;
        return {static_cast<std::int64_t>(lane),
                static_cast<std::int64_t>(at - m_lanes.firstSpan[lane])};
    }

private:
    const ActivityLanes& m_lanes;
    std::vector<std::int32_t> m_position; // in the lanes, by span
};

} // namespace

Result<void> writeLabels(Database& database, RunNumber run, const KeptActivity& kept,
                         KeepMeter& meter)
{
    std::vector<bool> used(kept.trace.labels.size() * trustCount, false);
    for (const TraceSpan& span : kept.trace.spans)
        if (span.label >= 0)
            used[static_cast<std::size_t>(keptLabel(span))] = true;
    PW_TRY(RowBatch rows,
           RowBatch::open(database, "activity_label",
                          "label, role, kind, open_backward, paired, iteration, route, stage, "
                          "chunk, micro_batch, segment, trust",
                          run));
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i])
            continue;
        const SpanLabel& label = kept.trace.labels[i / trustCount];
        PW_DO(rows.add(static_cast<std::int64_t>(i), static_cast<std::int64_t>(label.role),
                       static_cast<std::int64_t>(label.kind),
                       std::int64_t{label.openBackward ? 1 : 0}, std::int64_t{label.paired ? 1 : 0},
                       label.iteration, label.route, label.stage, label.chunk, label.microBatch,
                       label.segment, static_cast<std::int64_t>(i % trustCount)));
        PW_DO(meter.step());
    }
    return rows.flush();
}

Result<void> writeArrows(Database& database, RunNumber run, const KeptActivity& kept,
                         KeepMeter& meter)
{
    if (kept.pairs.empty() && kept.trace.links.empty())
        return {};
    PW_TRY(RowBatch rows,
           RowBatch::open(database, "activity_link",
                          "link, kind, from_lane, from_slice, to_lane, to_slice", run));
    const KeptPlaces places(kept.source.order());
    const auto count = static_cast<std::int32_t>(kept.trace.spans.size());
    std::int64_t number = 0;
    const auto write = [&](SliceLinkKind kind, std::int32_t from, std::int32_t to) -> Result<void> {
        if (from < 0 || to < 0 || from >= count || to >= count)
            return {};
        const KeptPlace a = places.of(from), b = places.of(to);
        PW_DO(
            rows.add(number++, static_cast<std::int64_t>(kind), a.lane, a.slice, b.lane, b.slice));
        return meter.step();
    };
    for (const MessagePair& pair : kept.pairs)
        if (const Result<void> done = write(SliceLinkKind::Message, pair.spans[0], pair.spans[1]);
            !done)
            return done;
    for (const TraceLink& link : kept.trace.links)
        if (const Result<void> done = write(SliceLinkKind::Backward, link.from, link.to); !done)
            return done;
    return rows.flush();
}

Result<void> writeCollectives(Database& database, RunNumber run, const KeptActivity& kept,
                              KeepMeter& meter)
{
    PW_TRY(Statement groups,
           database.prepare("INSERT INTO process_group (run, number, name, description, ranks, "
                            "size, alone) VALUES (?,?,?,?,?,?,?)"));
    std::int64_t number = 0;
    for (const ProcessGroup& group : kept.trace.groups) {
        groups.bindAll(run, number++, group.name, group.description, group.ranks, group.size,
                       std::int64_t{group.unique ? 1 : 0});
        PW_DO(groups.run());
    }
    if (kept.trace.calls.empty())
        return {};
    PW_TRY(RowBatch calls,
           RowBatch::open(database, "collective",
                          "lane, slice, group_number, kind, sent, received, sequence, peer, sends",
                          run));
    const KeptPlaces places(kept.source.order());
    const auto count = static_cast<std::int32_t>(kept.trace.spans.size());
    for (const CollectiveCall& call : kept.trace.calls) {
        if (call.span < 0 || call.span >= count)
            continue;
        const KeptPlace place = places.of(call.span);
        PW_DO(calls.add(place.lane, place.slice, call.group, static_cast<std::int64_t>(call.kind),
                        call.sent, call.received, call.sequence, call.peer,
                        std::int64_t{call.sends() ? 1 : 0}));
        PW_DO(meter.step());
    }
    return calls.flush();
}

Result<void> writeSums(Database& database, RunNumber run, const KeptActivity& kept,
                       KeepMeter& meter)
{
    PW_TRY(RowBatch rows,
           RowBatch::open(database, "work_sum",
                          "seq, rank, replica, step, kind, name, count, total", run));
    std::int64_t number = 0;
    for (const WorkSum& sum : kept.trace.sums) {
        const TraceRank& rank = kept.trace.ranks[sum.rank.index()];
        PW_DO(rows.add(number++, rank.number, rank.replica, sum.step,
                       static_cast<std::int64_t>(sum.kind),
                       sum.name < 0 ? std::optional<std::string>()
                                    : kept.trace.names[static_cast<std::size_t>(sum.name)],
                       sum.count, sum.total));
        PW_DO(meter.step());
    }
    return rows.flush();
}

Result<void> writeCounters(Database& database, RunNumber run, const KeptActivity& kept,
                           KeepMeter& meter)
{
    PW_TRY(Statement counters,
           database.prepare(
               "INSERT INTO counter (run, counter, rank, place, name, kind, device, reserved) "
               "VALUES (?,?,?,?,?,?,?,?)"));
    PW_TRY(RowBatch values,
           RowBatch::open(database, "counter_value", "counter, time, seq, value", run));
    std::int64_t number = 0;
    for (const TraceCounter& counter : kept.trace.counters) {
        const auto device =
            std::find(kept.rankOfDevice.begin(), kept.rankOfDevice.end(), counter.rank);
        const std::int64_t place =
            device == kept.rankOfDevice.end() ? -1 : device - kept.rankOfDevice.begin();
        const bool known = counter.rank.valid() && counter.rank.index() < kept.trace.ranks.size();
        const std::int32_t rank = known ? kept.trace.ranks[counter.rank.index()].number : -1;
        counters.bindAll(
            run, number, rank, place, counter.name, static_cast<std::int64_t>(counter.kind),
            std::int64_t{counter.device ? 1 : 0}, std::int64_t{counter.reserved ? 1 : 0});
        PW_DO(counters.run());
        std::int64_t seq = 0;
        for (const CounterSample& sample : counter.samples) {
            if (!std::isfinite(sample.value))
                continue;
            PW_DO(values.add(number, sample.time, seq++, sample.value));
            PW_DO(meter.step());
        }
        ++number;
    }
    return values.flush();
}

Result<void> writeRankFiles(Database& database, RunNumber run, const KeptActivity& kept,
                            KeepMeter& meter)
{
    PW_TRY(Statement files,
           database.prepare("INSERT INTO rank_file (run, seq, rank, replica, path, host, content, "
                            "bytes, read_by) VALUES (?,?,?,?,?,?,?,?,?)"));
    std::int64_t number = 0;
    for (const RankFile& file : kept.trace.rankFiles) {
        const TraceRank& rank = kept.trace.ranks[file.rank.index()];
        files.bindAll(run, number++, rank.number, rank.replica, file.path, file.host, file.content,
                      file.bytes, file.readBy);
        PW_DO(files.run());
        PW_DO(meter.step());
    }
    return {};
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/job_bytes.h"
#include "core/store/kept_job.h"
#include "core/store/stored_limits.h"

#include <array>
#include <limits>
#include <utility>

namespace pw {

namespace {

/// How the passes of an iteration are written.
enum class PassNames : std::uint8_t
{
    Order, ///< they are those of the order, one after the other
    Each   ///< each says what it is
};

/// The passes of an order, device by device, as an iteration has them that keeps to it.
std::vector<RecordedPass> passesOf(const Schedule& schedule, std::int32_t iteration)
{
    std::vector<RecordedPass> all;
    for (const DeviceId device : Ids<DeviceId>(static_cast<std::size_t>(schedule.devices())))
        for (const EntryId entry : schedule.entries(device)) {
            const OrderEntry both = schedule.entry(entry);
            all.push_back({iteration, RankId(device.value), entry, both.pass, 0, 0});
            if (both.paired)
                all.push_back({iteration, RankId(device.value), entry, both.partner, 0, 0});
        }
    return all;
}

bool samePlace(RecordedPass a, const RecordedPass& b)
{
    a.start = b.start;
    a.end = b.end;
    return a == b;
}

bool keepsTo(const std::vector<RecordedPass>& order, const std::vector<RecordedPass>& passes)
{
    if (order.size() != passes.size())
        return false;
    for (std::size_t i = 0; i < order.size(); ++i)
        if (!samePlace(order[i], passes[i]))
            return false;
    return true;
}

/// Times as short numbers: a start from the end before it on the device, a length from that of the
/// kind before it.
class PassTimes
{
public:
    explicit PassTimes(Ticks first)
        : m_first(first)
        , m_before(first)
    {
    }

    void write(JobBytes& bytes, const RecordedPass& pass)
    {
        begin(pass.rank);
        Ticks& usual = m_lengths[static_cast<std::size_t>(pass.pass.kind)];
        bytes.whole(pass.start - m_before);
        bytes.whole(pass.end - pass.start - usual);
        usual = pass.end - pass.start;
        m_before = pass.end;
    }

    void read(JobBytesRead& bytes, RecordedPass& pass)
    {
        begin(pass.rank);
        Ticks& usual = m_lengths[static_cast<std::size_t>(pass.pass.kind)];
        const auto within = [&bytes](Ticks from) {
            return from + bytes.whole(-latestStored - from, latestStored - 1 - from);
        };
        pass.start = within(m_before);
        const Ticks length = usual + bytes.whole(-usual, longestFrom(pass.start) - usual);
        usual = length;
        pass.end = m_before = pass.start + length;
    }

private:
    void begin(RankId rank)
    {
        if (rank == m_rank)
            return;
        m_rank = rank;
        m_before = m_first;
    }

    Ticks m_first;
    Ticks m_before;
    RankId m_rank{-1};
    std::array<Ticks, passKindCount> m_lengths{}; // of one that kept to its limits
};

void writeName(JobBytes& bytes, const RecordedPass& one)
{
    bytes.whole(one.iteration);
    bytes.whole(one.rank.value);
    bytes.whole(one.entry.value);
    bytes.whole(static_cast<int>(one.pass.kind));
    bytes.whole(one.pass.route);
    bytes.whole(one.pass.stage.value);
    bytes.whole(one.pass.microBatch);
    bytes.whole(one.pass.segment);
}

RecordedPass readName(JobBytesRead& bytes, const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    RecordedPass one;
    one.iteration = bytes.small<std::int32_t>(-mostCounted, mostCounted);
    one.rank = RankId(bytes.small<std::int32_t>(0, spec.devices - 1));
    one.entry = EntryId(bytes.small<std::int32_t>(-1, schedule.entryCount() - 1));
    one.pass.kind = bytes.small<PassKind>(0, passKindCount - 1);
    one.pass.route = bytes.small<std::uint8_t>(0, std::numeric_limits<std::uint8_t>::max());
    one.pass.stage = StageId(bytes.small<std::int32_t>(0, mostCounted));
    one.pass.microBatch = bytes.small<std::int32_t>(0, mostCounted);
    one.pass.segment = bytes.small<std::int32_t>(0, mostCounted);
    return one;
}

void writeIteration(JobBytes& bytes, const Schedule& schedule, const RecoveredIteration& iteration)
{
    const std::vector<RecordedPass>& passes = iteration.passes;
    const std::int32_t number = passes.empty() ? 0 : passes.front().iteration;
    const bool inOrder = keepsTo(passesOf(schedule, number), passes);
    bytes.whole(static_cast<int>(inOrder ? PassNames::Order : PassNames::Each));
    if (inOrder)
        bytes.whole(number);
    else
        bytes.count(passes.size());
    PassTimes times(iteration.first);
    for (const RecordedPass& pass : passes) {
        if (!inOrder)
            writeName(bytes, pass);
        times.write(bytes, pass);
    }
}

std::vector<RecordedPass> readPasses(JobBytesRead& bytes, const Schedule& schedule, Ticks first)
{
    const bool inOrder = bytes.small<PassNames>(0, 1) == PassNames::Order;
    std::vector<RecordedPass> passes;
    if (inOrder)
        passes = passesOf(schedule, bytes.small<std::int32_t>(-mostCounted, mostCounted));
    else
        passes.resize(bytes.count());
    PassTimes times(first);
    for (RecordedPass& pass : passes) {
        if (!inOrder)
            pass = readName(bytes, schedule);
        times.read(bytes, pass);
        if (!bytes.good())
            return {};
    }
    return passes;
}

/// A replica with one iteration at most.
RecoveredPipeline ofOneStep(const RecoveredPipeline& whole)
{
    RecoveredPipeline one;
    one.rankOfDevice = whole.rankOfDevice;
    one.peakBytes = whole.peakBytes;
    one.stages = whole.stages;
    one.chunks = whole.chunks;
    one.microBatches = whole.microBatches;
    one.segments = whole.segments;
    one.split = whole.split;
    one.replica = whole.replica;
    one.replicas = whole.replicas;
    one.schedule = whole.schedule;
    return one;
}

} // namespace

std::string keptStepBytes(const Job& job, std::size_t step)
{
    JobBytes bytes;
    for (std::size_t r = 0; r < job.replicas.size(); ++r)
        if (const std::int32_t at = job.steps[step].iteration[r]; at >= 0)
            writeIteration(bytes, *job.replicas[r]->schedule,
                           job.replicas[r]->iterations[static_cast<std::size_t>(at)]);
    return bytes.bytes();
}

std::optional<JobOfStep> keptStepOf(std::string_view bytes, const Job& job, std::size_t step)
{
    JobBytesRead read(bytes);
    auto pipelines = std::make_shared<std::vector<RecoveredPipeline>>();
    JobStep own = job.steps[step];
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        const RecoveredPipeline& whole = *job.replicas[r];
        RecoveredPipeline& one = pipelines->emplace_back(ofOneStep(whole));
        if (own.iteration[r] < 0)
            continue;
        RecoveredIteration iteration = whole.iterations[static_cast<std::size_t>(own.iteration[r])];
        iteration.passes = readPasses(read, *whole.schedule, iteration.first);
        own.iteration[r] = 0;
        one.iterations.push_back(std::move(iteration));
    }
    if (!read.good())
        return std::nullopt;
    auto made = std::make_shared<Job>();
    for (const RecoveredPipeline& one : *pipelines)
        made->replicas.push_back(&one);
    made->made = std::move(pipelines);
    made->steps = {std::move(own)};
    made->ranks = job.ranks;
    return JobOfStep{std::move(made), 0};
}

} // namespace pw

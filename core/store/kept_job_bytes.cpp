// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/store/kept_analysis.h"
#include "core/store/kept_job.h"
#include "core/store/stored_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pw {

namespace {

/// The order's name alone; where orders stand elsewhere is left out.
void writeFamily(JobBytes& bytes, const Recognition& recognition)
{
    const bool any = !recognition.matches.empty();
    bytes.whole(any);
    if (!any)
        return;
    const FamilyMatch& match = recognition.matches.front();
    bytes.text(match.family->id);
    bytes.whole(match.options.devices);
    bytes.whole(match.options.microBatches);
    bytes.whole(match.options.steps);
    bytes.whole(match.options.updates);
    writeList(bytes, match.options.segmentLengths, [&bytes](int one) { bytes.whole(one); });
    writeList(bytes, match.options.parameters, [&bytes](const auto& one) {
        bytes.text(one.first);
        bytes.fraction(one.second);
    });
    bytes.whole(match.outOfOrder);
    bytes.whole(match.entries);
}

Recognition readFamily(JobBytesRead& bytes)
{
    Recognition recognition;
    if (!bytes.yes())
        return recognition;
    const Result<const Family*> family = findFamily(bytes.text());
    FamilyMatch match;
    match.options.devices = readSmall(bytes);
    match.options.microBatches = readSmall(bytes);
    match.options.steps = readSmall(bytes);
    match.options.updates = bytes.yes();
    match.options.segmentLengths = readList<int>(bytes, [&bytes] { return readSmall(bytes); });
    match.options.parameters = readList<std::pair<std::string, double>>(bytes, [&bytes] {
        std::string name = bytes.text();
        return std::pair(std::move(name), bytes.fraction());
    });
    match.outOfOrder = readLength(bytes);
    match.entries = readLength(bytes);
    if (family) { // one of a user's own may be gone
        match.family = *family;
        recognition.matches.push_back(std::move(match));
    }
    return recognition;
}

std::string orderText(const Schedule& schedule)
{
    Project project;
    project.draft = draftOf(schedule);
    const Result<std::string> text = writeProject(project);
    return text ? *text : std::string();
}

std::optional<Schedule> orderOf(std::string_view text)
{
    const Result<Project> project = readProject(text);
    if (!project)
        return std::nullopt;
    Result<Schedule> schedule = scheduleOf(*project);
    return schedule ? std::optional(std::move(*schedule)) : std::nullopt;
}

void writeReplica(JobBytes& bytes, const RecoveredPipeline& one)
{
    writeList(bytes, one.rankOfDevice, [&bytes](TraceRankId rank) { bytes.whole(rank.value); });
    writeList(bytes, one.peakBytes, [&bytes](Bytes peak) { bytes.whole(peak); });
    bytes.whole(one.stages);
    bytes.whole(one.chunks);
    bytes.whole(one.microBatches);
    bytes.whole(one.segments);
    bytes.whole(one.split);
    bytes.whole(one.replica);
    bytes.whole(one.replicas);
    writeFamily(bytes, one.family);
    Ticks before = 0;
    writeList(bytes, one.iterations, [&](const RecoveredIteration& iteration) {
        bytes.whole(iteration.number);
        bytes.whole(iteration.first - before);
        bytes.whole(iteration.last - iteration.first);
        bytes.whole((iteration.warmUp ? 1 : 0) + (iteration.complete ? 2 : 0));
        before = iteration.last;
    });
}

RecoveredIteration readIteration(JobBytesRead& bytes, Ticks before)
{
    RecoveredIteration one;
    one.number = readSmall(bytes);
    one.first = before + bytes.whole(-latestStored - before, latestStored - 1 - before);
    one.last = one.first + bytes.whole(0, longestFrom(one.first));
    const std::int64_t marks = bytes.whole(0, 3);
    one.warmUp = (marks & 1) != 0;
    one.complete = (marks & 2) != 0;
    return one;
}

RecoveredPipeline readReplica(JobBytesRead& bytes, const std::vector<Schedule>& orders,
                              std::size_t ranks)
{
    RecoveredPipeline one;
    if (orders.empty()) {
        bytes.refuse();
        return one;
    }
    one.schedule = orders[readIndex(bytes, orders.size())];
    one.rankOfDevice = readList<TraceRankId>(bytes, [&bytes, ranks] {
        return TraceRankId(static_cast<std::int32_t>(readIndex(bytes, ranks)));
    });
    one.peakBytes = readList<Bytes>(bytes, [&bytes] { return readLength(bytes); });
    one.stages = readSmall(bytes);
    one.chunks = readSmall(bytes);
    one.microBatches = readSmall(bytes);
    one.segments = readSmall(bytes);
    one.split = bytes.yes();
    one.replica = readSmall(bytes);
    one.replicas = readSmall(bytes);
    one.family = readFamily(bytes);
    Ticks before = 0;
    one.iterations = readList<RecoveredIteration>(bytes, [&bytes, &before] {
        RecoveredIteration iteration = readIteration(bytes, before);
        before = iteration.last;
        return iteration;
    });
    if (one.rankOfDevice.size() != static_cast<std::size_t>(one.schedule->devices()))
        bytes.refuse();
    return one;
}

void writeStep(JobBytes& bytes, const JobStep& step)
{
    bytes.whole(step.number);
    bytes.whole(step.time);
    bytes.whole((step.warmUp ? 1 : 0) + (step.complete ? 2 : 0));
    for (std::size_t r = 0; r < step.iteration.size(); ++r) {
        bytes.whole(step.iteration[r]);
        bytes.whole(step.span[r]);
    }
    bytes.whole(step.around);
    bytes.whole(step.leastAround);
}

JobStep readStep(JobBytesRead& bytes, const std::vector<RecoveredPipeline>& replicas)
{
    JobStep step;
    step.number = readSmall(bytes);
    step.time = readLength(bytes);
    const std::int64_t marks = bytes.whole(0, 3);
    step.warmUp = (marks & 1) != 0;
    step.complete = (marks & 2) != 0;
    bool any = false;
    for (const RecoveredPipeline& one : replicas) {
        step.iteration.push_back(readPlace(bytes, one.iterations.size()));
        step.span.push_back(readLength(bytes));
        any = any || step.iteration.back() >= 0;
        if (step.complete && step.iteration.back() < 0)
            bytes.refuse();
    }
    step.around = readLength(bytes);
    step.leastAround = readLength(bytes);
    if (!any)
        bytes.refuse();
    return step;
}

using Values = std::vector<std::optional<double>>;

void writeValues(JobBytes& bytes, const Values& values)
{
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();
    writeList(bytes, values,
              [&bytes](const std::optional<double>& one) { bytes.fraction(one.value_or(none)); });
}

Values readValues(JobBytesRead& bytes, std::size_t size)
{
    Values values = readList<std::optional<double>>(bytes, [&bytes] {
        const double value = bytes.fraction();
        return std::isnan(value) ? std::nullopt : std::optional(value);
    });
    if (values.size() != size)
        bytes.refuse();
    return values;
}

JobMedians readMedians(JobBytesRead& bytes, const Job& job)
{
    const auto devices = static_cast<std::size_t>(job.devices());
    JobMedians medians;
    for (Values& of : medians.workers)
        of = readValues(bytes, job.replicas.size() * devices);
    medians.balance = readList<double>(bytes, [&bytes] { return bytes.fraction(); });
    for (const RecoveredPipeline* replica : job.replicas)
        medians.passes.push_back(
            readValues(bytes, static_cast<std::size_t>(replica->schedule->table().size())));
    if (medians.balance.size() != devices)
        bytes.refuse();
    return medians;
}

/// Of replicas that have one shape, as `jobOf` leaves them.
Job readJob(JobBytesRead& bytes, std::size_t ranks)
{
    Job job;
    std::vector<Schedule> orders;
    for (const std::string& text :
         readList<std::string>(bytes, [&bytes] { return bytes.text(); })) {
        std::optional<Schedule> order = orderOf(text);
        if (!order || (!orders.empty() && !(order->spec() == orders.front().spec()))) {
            bytes.refuse();
            return job;
        }
        orders.push_back(std::move(*order));
    }
    auto made = std::make_shared<const std::vector<RecoveredPipeline>>(
        readList<RecoveredPipeline>(bytes, [&] { return readReplica(bytes, orders, ranks); }));
    job.ranks = readLength(bytes);
    if (!bytes.good())
        return job;
    job.steps = readList<JobStep>(bytes, [&] { return readStep(bytes, *made); });
    for (const RecoveredPipeline& one : *made)
        job.replicas.push_back(&one);
    job.made = std::move(made);
    return job;
}

void writeRanks(JobBytes& bytes, const Trace& trace)
{
    writeList(bytes, trace.ranks, [&bytes](const TraceRank& rank) {
        bytes.whole(rank.number);
        bytes.text(rank.source);
        bytes.text(rank.process);
        bytes.whole(rank.guessed);
        bytes.whole(rank.replica);
        bytes.whole(rank.run);
    });
}

TraceRank readRank(JobBytesRead& bytes)
{
    TraceRank rank;
    rank.number = readPlace(bytes, mostCounted);
    rank.source = bytes.text();
    rank.process = bytes.text();
    rank.guessed = bytes.yes();
    rank.replica = readSmall(bytes);
    rank.run = readSmall(bytes);
    return rank;
}

} // namespace

std::string keptJobBytes(const JobAnalysis& analysis, const JobMedians& medians, const Trace& trace)
{
    const Job& job = analysis.job;
    JobBytes bytes;
    bytes.text(trace.origin);
    writeRanks(bytes, trace);
    std::vector<const Schedule*> orders;
    std::vector<std::size_t> orderOfReplica;
    for (const RecoveredPipeline* replica : job.replicas) {
        const auto same =
            std::find_if(orders.begin(), orders.end(),
                         [replica](const Schedule* one) { return *one == *replica->schedule; });
        orderOfReplica.push_back(static_cast<std::size_t>(same - orders.begin()));
        if (same == orders.end())
            orders.push_back(&*replica->schedule);
    }
    writeList(bytes, orders, [&bytes](const Schedule* one) { bytes.text(orderText(*one)); });
    bytes.count(job.replicas.size());
    for (std::size_t r = 0; r < job.replicas.size(); ++r) {
        bytes.count(orderOfReplica[r]);
        writeReplica(bytes, *job.replicas[r]);
    }
    bytes.whole(job.ranks);
    writeList(bytes, job.steps, [&bytes](const JobStep& step) { writeStep(bytes, step); });
    writeAnalysis(bytes, analysis);
    for (const Values& of : medians.workers)
        writeValues(bytes, of);
    writeList(bytes, medians.balance, [&bytes](double one) { bytes.fraction(one); });
    for (const Values& of : medians.passes)
        writeValues(bytes, of);
    return bytes.bytes();
}

std::optional<KeptJob> keptJobOf(std::string_view rows)
{
    JobBytesRead bytes(rows);
    KeptJob kept;
    kept.origin = bytes.text();
    kept.ranks = readList<TraceRank>(bytes, [&bytes] { return readRank(bytes); });
    Job& job = kept.analysis.job;
    job = readJob(bytes, kept.ranks.size());
    if (!bytes.good() || job.replicas.empty() || job.counted().empty())
        return std::nullopt;
    readAnalysis(bytes, kept.ranks.size(), kept.analysis);
    if (bytes.good())
        kept.medians = readMedians(bytes, job);
    return bytes.good() ? std::optional(std::move(kept)) : std::nullopt;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/memory.h"

#include "core/base/text.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

/// A change of memory, and the entry that makes it.
struct LevelChange
{
    Ticks time = 0;
    MemoryKind kind = MemoryKind::Activations;
    Bytes bytes = 0;
    Share share = 0;
    EntryId entry;
};

Bytes byStage(const std::vector<Bytes>& table, StageId stage)
{
    return table.empty() ? 0 : table[static_cast<std::size_t>(stage)];
}

/// The stages of one device; for all devices `chunksOfDevices` is the quicker way.
std::vector<HostedStage> hostedStages(const PipelineSpec& spec, DeviceId device)
{
    std::vector<HostedStage> hosted;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) == device)
                hosted.push_back({route, stage});
        }
    }
    return hosted;
}

/// Life of one weight version of a stage.
struct VersionLife
{
    Ticks born = 0;
    Ticks dies = 0;    ///< meaningless while `last`
    bool last = false; ///< the newest at the end, which stays
    EntryId maker;     ///< the update
};

/// When each weight version of a hosted stage is made and dropped.
///
/// A version is needed until its last reader's backward has ended, and until there is a newer one.
std::vector<VersionLife> versionLives(const Schedule& schedule, const SimResult& result, int route,
                                      StageId stage)
{
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    const int updates = spec.updates ? spec.updatesPerStage() : 0;
    std::vector<VersionLife> lives(static_cast<std::size_t>(updates) + 1);
    for (int update = 0; update < updates; ++update) {
        VersionLife& life = lives[static_cast<std::size_t>(update) + 1];
        life.maker = schedule.entryOf(table.updateId(route, stage, update));
        life.born = result.end[static_cast<std::size_t>(life.maker)];
    }
    std::vector<Ticks> lastRead(lives.size(), 0);
    for (int j = 0; j < spec.totalMicroBatches(); ++j) {
        if (spec.route(j) != route)
            continue;
        // Without updates all micro-batches read the weights that are there.
        const int version = spec.updates ? schedule.weightVersion(stage, j) : 0;
        const PassId backward = table.at(table.cell(stage, j, 0), PassTable::backwardSlot);
        Ticks& last = lastRead[static_cast<std::size_t>(version)];
        last = std::max(last, result.end[static_cast<std::size_t>(schedule.entryOf(backward))]);
    }
    for (std::size_t v = 0; v < lives.size(); ++v) {
        lives[v].last = v + 1 == lives.size();
        if (!lives[v].last)
            lives[v].dies = std::max(lastRead[v], lives[v + 1].born);
    }
    return lives;
}

class CurveBuilder
{
public:
    /// @param hosted  the stages of the device
    CurveBuilder(const Schedule& schedule, const Costs& costs, const SimResult& result,
                 DeviceId device, const std::vector<HostedStage>& hosted)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_result(result)
        , m_device(device)
        , m_hosted(hosted)
    {
    }

    std::vector<LevelChange> changes()
    {
        // At one time room that copies to the host leave is free first, and that of copies back
        // is taken last.
        addCopies(false);
        for (const EntryId i : m_schedule.entries(m_device)) {
            const OrderEntry entry = m_schedule.entry(i);
            // Both activations of a pair are there while it runs, so what adds comes first.
            add(entry.pass, i);
            if (entry.paired)
                add(entry.partner, i);
            release(entry.pass, i);
            if (entry.paired)
                release(entry.partner, i);
        }
        for (const HostedStage& hosted : m_hosted)
            addVersions(hosted);
        addCopies(true);
        std::stable_sort(
            m_changes.begin(), m_changes.end(),
            [](const LevelChange& a, const LevelChange& b) { return a.time < b.time; });
        return std::move(m_changes);
    }

private:
    const ActivationCost& cost(const Pass& pass) const
    {
        return m_costs.activation[cellIndex(m_schedule.spec(), pass.stage, pass.segment)];
    }

    void push(EntryId entry, bool atStart, MemoryKind kind, Bytes bytes, Share share)
    {
        const auto at = static_cast<std::size_t>(entry);
        m_changes.push_back(
            {atStart ? m_result.start[at] : m_result.end[at], kind, bytes, share, entry});
    }

    void add(const Pass& pass, EntryId entry)
    {
        if (pass.kind != PassKind::F && pass.kind != PassKind::R)
            return;
        const auto change = activationChange(cost(pass), pass.kind, m_schedule.recomputed(pass));
        push(entry, true, MemoryKind::Activations, change.bytes, change.share);
    }

    void release(const Pass& pass, EntryId entry)
    {
        if (!isBackward(pass.kind) && pass.kind != PassKind::W)
            return;
        const auto change = activationChange(cost(pass), pass.kind, false);
        push(entry, false,
             pass.kind == PassKind::W ? MemoryKind::HeldForWeight : MemoryKind::Activations,
             change.bytes, change.share);
        if (pass.kind != PassKind::B)
            return;
        // What B leaves is held for W from here on.
        const Bytes left = cost(pass).keptForWeight;
        push(entry, false, MemoryKind::Activations, -left, 0);
        push(entry, false, MemoryKind::HeldForWeight, left, 0);
    }

    void addCopies(bool back)
    {
        for (const HostCopy& copy : m_result.copies) {
            if (copy.device != m_device || (back && copy.needed < 0))
                continue;
            if (back)
                m_changes.push_back(
                    {copy.backStart, MemoryKind::Activations, copy.bytes, copy.share, copy.needed});
            else
                m_changes.push_back(
                    {copy.outEnd, MemoryKind::Activations, -copy.bytes, -copy.share, copy.forward});
        }
    }

    void addVersions(const HostedStage& hosted)
    {
        const Bytes bytes = byStage(m_costs.weights, hosted.stage);
        if (bytes == 0 || m_schedule.spec().updateRule == UpdateRule::Flush)
            return;
        if (m_schedule.spec().updateRule == UpdateRule::DoubleBuffered) {
            // The second of two buffers is there from the first step on.
            m_changes.push_back(
                {0, MemoryKind::Versions, bytes, 0, *m_schedule.entries(m_device).begin()});
            return;
        }
        bool first = true;
        for (const VersionLife& life :
             versionLives(m_schedule, m_result, hosted.route, hosted.stage)) {
            // The first version is among the weights; each later one comes on top until an older
            // one goes.
            if (!first)
                m_changes.push_back({life.born, MemoryKind::Versions, bytes, 0, life.maker});
            first = false;
            if (!life.last)
                m_changes.push_back({life.dies, MemoryKind::Versions, -bytes, 0, life.maker});
        }
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
    DeviceId m_device{0};
    const std::vector<HostedStage>& m_hosted;
    std::vector<LevelChange> m_changes;
};

} // namespace

std::string_view name(MemoryKind kind)
{
    constexpr std::array<std::string_view, memoryKindCount> names = {
        "weights",    "weight versions", "gradients", "optimizer", "activations",
        "held for W", "buffers",         "workspace", "fragments"};
    return names[static_cast<std::size_t>(kind)];
}

Bytes MemoryPoint::total() const
{
    return std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
}

MemoryPoint pointOf(const StandingMemory& standing)
{
    MemoryPoint point;
    point.of(MemoryKind::Weights) = standing.weights;
    point.of(MemoryKind::Gradients) = standing.gradients;
    point.of(MemoryKind::Optimizer) = standing.optimizer;
    point.of(MemoryKind::Buffers) = standing.buffers;
    point.of(MemoryKind::Workspace) = standing.workspace;
    point.of(MemoryKind::Fragments) = standing.fragmentsOf(0);
    return point;
}

std::vector<MemoryPoint> memoryCurve(const Schedule& schedule, const Costs& costs,
                                     const SimResult& result, DeviceId device)
{
    const std::vector<HostedStage> hosted = hostedStages(schedule.spec(), device);
    const StandingMemory standing = standingMemory(costs, hosted);
    CurveBuilder builder(schedule, costs, result, device, hosted);
    std::vector<MemoryPoint> curve{pointOf(standing)};
    for (const LevelChange& change : builder.changes()) {
        if (change.bytes == 0)
            continue;
        if (change.time > curve.back().time)
            curve.push_back({change.time, curve.back().bytes});
        MemoryPoint& now = curve.back();
        now.of(change.kind) += change.bytes;
        now.of(MemoryKind::Fragments) = standing.fragmentsOf(now.activation());
    }
    return curve;
}

std::optional<MemoryOverflow> firstOverflow(const Schedule& schedule, const Costs& costs,
                                            const SimResult& result)
{
    std::optional<MemoryOverflow> first;
    if (costs.memoryCap.empty() && costs.shareCap == 0)
        return first;
    const auto chunks = chunksOfDevices(schedule.spec());
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const auto at = static_cast<std::size_t>(device);
        const Bytes cap = costs.memoryCap.empty() ? 0 : costs.memoryCap[at];
        CurveBuilder builder(schedule, costs, result, device, chunks[at]);
        const StandingMemory standing = standingMemory(costs, chunks[at]);
        Bytes versions = 0, activation = 0;
        Share share = 0;
        for (const LevelChange& change : builder.changes()) {
            (change.kind == MemoryKind::Versions ? versions : activation) += change.bytes;
            const Bytes bytes = versions + standing.with(activation);
            share += change.share;
            const bool over =
                (cap > 0 && bytes > cap) || (costs.shareCap > 0 && share > costs.shareCap);
            if (!over || (first && change.time >= first->time))
                continue;
            MemoryOverflow found;
            found.device = device;
            found.pass = schedule.entry(change.entry).pass;
            found.time = change.time;
            found.bytes = bytes;
            found.cap = cap > 0 && bytes > cap ? cap : 0;
            found.share = share;
            found.shareCap = costs.shareCap;
            first = found;
            break;
        }
    }
    return first;
}

Sentence MemoryOverflow::text(const PipelineSpec& spec) const
{
    const Sentence with = describe(pass, spec);
    const std::string at = millisecondText(time);
    if (cap > 0)
        return said("device %1 needs %2 with %3 at %4; the limit is %5", device, byteText(bytes),
                    with, at, byteText(cap));
    const std::string count = plainNumber(microBatchesFromShare(share));
    const std::string most = plainNumber(microBatchesFromShare(shareCap));
    return count == "1"
               ? said("device %1 needs 1 micro-batch of activation with %2 at %3; the limit is %4",
                      device, with, at, most)
               : said("device %1 needs %2 micro-batches of activation with %3 at %4; the limit is "
                      "%5",
                      device, count, with, at, most);
}

MemoryPoint peakMemory(const Schedule& schedule, const Costs& costs, const SimResult& result,
                       DeviceId device)
{
    MemoryPoint peak;
    Bytes most = -1;
    for (const MemoryPoint& point : memoryCurve(schedule, costs, result, device)) {
        if (const Bytes total = point.total(); total > most) {
            most = total;
            peak = point;
        }
    }
    return peak;
}

std::vector<Bytes> heldAtMost(const PipelineSpec& spec, const Costs& costs, const SimResult& result)
{
    const std::vector<StandingMemory> standing = standingMemory(costs, spec);
    std::vector<Bytes> most;
    for (std::size_t device = 0; device < result.devices.size(); ++device)
        most.push_back(standing[device].with(result.devices[device].peakActivation));
    return most;
}

std::vector<Bytes> heldAtMost(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    if (schedule.spec().updateRule == UpdateRule::Flush || costs.weights.empty())
        return heldAtMost(schedule.spec(), costs, result);
    std::vector<Bytes> most; // versions come and go
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        most.push_back(peakMemory(schedule, costs, result, device).total());
    return most;
}

PeakMemory peakMemory(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    const std::vector<Bytes> most = heldAtMost(schedule, costs, result);
    const auto fullest = std::max_element(most.begin(), most.end());
    if (fullest == most.end())
        return {};
    const DeviceId device(static_cast<int>(fullest - most.begin()));
    return {device, peakMemory(schedule, costs, result, device)};
}

int weightVersionsAlive(const Schedule& schedule, const SimResult& result, int route, StageId stage)
{
    std::vector<std::pair<Ticks, int>> changes;
    for (const VersionLife& life : versionLives(schedule, result, route, stage)) {
        changes.emplace_back(life.born, 1);
        if (!life.last)
            changes.emplace_back(life.dies, -1);
    }
    std::sort(changes.begin(), changes.end());
    int alive = 0, most = 0;
    // Sorted, what dies at a time comes before what is born then: an update in place overwrites.
    for (const auto& [time, change] : changes) {
        alive += change;
        most = std::max(most, alive);
    }
    return most;
}

} // namespace pw

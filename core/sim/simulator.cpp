// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/simulator.h"

#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/sim/dependencies.h"
#include "core/sim/held_entries.h"
#include "core/sim/host_copies.h"
#include "core/sim/ring.h"
#include "core/sim/run_marks.h"
#include "core/sim/sites.h"
#include "core/sim/timeline_summary.h"
#include "core/sim/waiters.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

/// A run over the entries of all devices, and the buffers that stay for the next one.
struct SimulatedRun
{
    std::vector<Site> sites;
    std::vector<LaneProgress> devices;
    std::vector<Ticks> finish;   ///< by place, see `placeOf`
    std::vector<DeviceId> ready; ///< a stack of devices that may go on; each is there at most once
    std::size_t readyCount = 0;
    std::vector<Dependency> scratch;
    std::vector<PassId> scratchPasses;

    const Schedule* schedule = nullptr;
    const Costs* costs = nullptr;
    SimResult* result = nullptr;
    HeldEntries held;
    std::int32_t stageStride = 0;   ///< places in `finish` from a stage to the next
    std::int32_t segmentStride = 0; ///< from a segment to the next
    std::int32_t finishPlaces = 0;
    bool plain = false;
    bool anyBytes = false;  ///< any activation has a size
    bool slowTimes = false; ///< single times: ask `entryTime`
    bool traced = false;    ///< message times change over time
    bool committed = false;
    bool recompute = false;
    bool offloads = false;
    HostClock hostClock;
    RunMarks marks;
    Ticks lastStart = Simulator::never; ///< what starts later is left out

    void prepare();
    void begin();
    void resume(const RunMark& mark, const Simulator::Part& part);
    void run(const Simulator::Part& part);
    void goOn(const RunMark* until);
    /// Place of a pass in `finish`. The plain loop keeps only F and backwards, side by side: half
    /// the memory.
    template<bool plain>
    static std::int32_t placeOf(PassId id)
    {
        const auto place = static_cast<std::uint32_t>(id.value);
        return static_cast<std::int32_t>(plain ? place / PassTable::slotsPerCell * 2 + place % 2
                                               : place);
    }

    /// Runs a device until it waits or has ended. `plain`: nothing but early messages over links of
    /// constant speed, times by table, no recomputation and no updates across devices, which is
    /// what the inner loop is made for.
    /// `sized`: activations have sizes in bytes, too.
    template<bool plain, bool sized>
    void runDevice(DeviceId index);
    /// At a stop: lets a held entry be next. @return false at the end of the device
    bool passHold(LaneProgress& device, EntryId last) const;
    template<bool plain>
    void finishPass(PassId id, PassKind kind, Ticks at);

    /// Raises `start` to when the inputs of a pass are there.
    /// @return the place in `finish` that is still undone, or `none`
    template<bool plain>
    std::int32_t inputs(PassId id, const Site& site, PassKind kind, Ticks& start);
    PassId updateInputs(PassId id, Ticks& start);
    PassId commitments(EntryId entry, Ticks& start);
    PassId ownSends(PassId id, EntryId entry, Ticks& start);
    template<bool plain>
    Ticks messageEnd(Ticks sent, DeviceId from, const Site& site, Bytes bytes, Ticks nominal) const;
    template<bool plain, bool sized>
    void account(LaneProgress& device, const Site& site, PassKind kind, PassId id);
};

void SimulatedRun::prepare()
{
    const PipelineSpec& spec = schedule->spec();
    slowTimes = !costs->single.empty();
    traced = !costs->linkTrace.empty();
    committed = spec.messages == MessageRule::Committed;
    recompute = schedule->anyRecompute();
    // Without updates across devices nobody waits for a W.
    const bool updatesAcross = spec.updates && spec.routeCount() > 1;
    offloads = hostClock.begin(*schedule, *costs);
    plain = !slowTimes && !traced && !committed && !recompute && !updatesAcross && !offloads;
    stageStride = schedule->table().stageStride();
    segmentStride = PassTable::slotsPerCell;
    finishPlaces = schedule->table().size();
    if (plain) {
        static_assert(PassTable::slotsPerCell == 4 && PassTable::forwardSlot == 0 &&
                      PassTable::backwardSlot == 1);
        stageStride /= 2;
        segmentStride /= 2;
        finishPlaces = schedule->table().firstUpdate() / 2;
    }
    anyBytes = std::any_of(costs->activation.begin(), costs->activation.end(),
                           [](const ActivationCost& cost) { return cost.activation != 0; });
    fillSites(spec, *costs, sites);
}

/// Nothing has run.
void SimulatedRun::begin()
{
    devices.assign(static_cast<std::size_t>(schedule->spec().devices), LaneProgress{});
    finish.assign(static_cast<std::size_t>(finishPlaces), undone);
    for (const DeviceId device : Ids<DeviceId>(schedule->devices()))
        devices[device.index()].next = schedule->begin(device);
}

/// As far as a mark says, with what was kept of that.
void SimulatedRun::resume(const RunMark& mark, const Simulator::Part& part)
{
    devices = mark.devices;
    finish = mark.finish;
    mark.copy(*schedule, part.kept, marks.before(part.has), *result);
}

/// To the end, or until all devices wait. Where each device does what it did in the kept run, only
/// later, the rest is known.
void SimulatedRun::run(const Simulator::Part& part)
{
    const auto entries = static_cast<std::size_t>(schedule->entryCount());
    const RunMark* const from = marks.before(part.from);
    if (from != nullptr)
        resume(*from, part);
    else
        begin();
    result->start.resize(entries);
    result->end.resize(entries);
    result->devices.resize(devices.size());
    result->copies.clear();
    ready.resize(devices.size());
    readyCount = 0;
    const Ticks begun = from != nullptr ? std::max(from->time, part.again) : part.again;
    for (std::size_t at = marks.firstBehind(begun); at < marks.size(); ++at) {
        goOn(&marks[at]);
        at = marks.skip(at, *schedule, part.kept, devices, finish, *result);
        if (at == marks.size())
            return;
    }
    goOn(nullptr);
}

/// @param until  null: the end
void SimulatedRun::goOn(const RunMark* until)
{
    for (DeviceId device(schedule->spec().devices); device-- > 0;) {
        LaneProgress& running = devices[static_cast<std::size_t>(device)];
        if (running.next < running.last)
            continue; // it waits, and is woken
        running.last = until != nullptr ? until->devices[static_cast<std::size_t>(device)].next
                                        : schedule->end(device).value;
        running.stop = held.stopFrom(EntryId(running.next), EntryId(running.last));
        ready[readyCount++] = device;
    }
    while (readyCount > 0) {
        const DeviceId device = ready[--readyCount];
        // Behind a time nothing is asked for that begins before it.
        if (devices[device.index()].free > lastStart)
            continue;
        if (!plain)
            runDevice<false, true>(device);
        else if (anyBytes)
            runDevice<true, true>(device);
        else
            runDevice<true, false>(device);
    }
}

/// Without committed messages an entry that is held is one whose device is not free before.
bool SimulatedRun::passHold(LaneProgress& device, EntryId last) const
{
    if (device.next == last)
        return false;
    device.free = held.startOf(EntryId(device.next), device.free);
    device.stop = held.stopFrom(EntryId(device.next + 1), last);
    return true;
}

template<bool plain>
inline void SimulatedRun::finishPass(PassId id, PassKind kind, Ticks at)
{
    // Of W, R and U only updates across devices and committed messages ask.
    if (plain && kind != PassKind::F && !isBackward(kind))
        return;
    Ticks& slot = finish[static_cast<std::size_t>(placeOf<plain>(id))];
    Ticks waiting = slot;
    slot = at;
    while (waiting < undone) {
        const DeviceId device = waiterOf(waiting);
        ready[readyCount++] = device;
        const DeviceId next(devices[device.index()].nextWaiter);
        waiting = next.valid() ? waiterCode(next) : undone;
    }
}

template<bool plain>
inline Ticks SimulatedRun::messageEnd(Ticks sent, DeviceId from, const Site& site, Bytes bytes,
                                      Ticks nominal) const
{
    if constexpr (plain)
        return sent + nominal;
    if (from == site.device)
        return sent;
    // With committed messages the transfer begins when the receiver has come to its receive.
    if (committed)
        sent = std::max(sent, devices[static_cast<std::size_t>(site.device)].free);
    return traced ? arrival(*costs, schedule->spec(), from, site.device, bytes, sent)
                  : sent + nominal;
}

template<bool plain>
inline std::int32_t SimulatedRun::inputs(PassId id, const Site& site, PassKind kind, Ticks& start)
{
    // The rules of `Dependencies`, spelled out for places; its order and messages are the same
    // (tested). What a pass needs of its own cell stands before it in the same order, as `Schedule`
    // has checked.
    const std::int32_t here = placeOf<plain>(id);
    if (kind == PassKind::F) {
        if (!site.first) {
            const std::int32_t from = here - stageStride;
            const Ticks sent = finish[static_cast<std::size_t>(from)];
            if (sent < 0)
                return from;
            start = std::max(start, messageEnd<plain>(sent, site.previousDevice, site,
                                                      site.previousBytes, site.fromPrevious));
        }
        if (!site.firstSegment) {
            const std::int32_t from = here - segmentStride;
            if (finish[static_cast<std::size_t>(from)] < 0)
                return from;
        }
        return none;
    }
    if (isBackward(kind)) {
        if (!site.last) {
            const std::int32_t from = here + stageStride;
            const Ticks sent = finish[static_cast<std::size_t>(from)];
            if (sent < 0)
                return from;
            start = std::max(start, messageEnd<plain>(sent, site.nextDevice, site, site.nextBytes,
                                                      site.fromNext));
        }
        if (!site.lastSegment) {
            const std::int32_t from = here + segmentStride;
            if (finish[static_cast<std::size_t>(from)] < 0)
                return from;
        }
        return none;
    }
    return !plain && kind == PassKind::U ? updateInputs(id, start).value : none;
}

PassId SimulatedRun::updateInputs(PassId id, Ticks& start)
{
    // On one route all gradients of a stage come from its own device, before the update in its
    // order.
    if (schedule->spec().routeCount() == 1)
        return {};
    scratch.clear();
    Dependencies(*schedule).append(id, scratch);
    const Pass update = schedule->pass(id);
    const DeviceId device(schedule->spec().device(update.route, update.stage));
    for (const Dependency& dependency : scratch) {
        const Ticks done = finish[static_cast<std::size_t>(dependency.producer.value)];
        if (done < 0)
            return dependency.producer;
        Ticks there = done;
        if (dependency.message) {
            const Pass producer = schedule->pass(dependency.producer);
            there = arrival(*costs, schedule->spec(), schedule->device(dependency.producer), device,
                            messageBytes(*costs, schedule->spec(), producer, PassKind::U), done);
        }
        start = std::max(start, there);
    }
    return {};
}

PassId SimulatedRun::commitments(EntryId entry, Ticks& start)
{
    const Schedule::Places& before = schedule->places()[static_cast<std::size_t>(entry - 1)];
    for (const PassId id : {before.first, before.second}) {
        if (!id.valid())
            continue;
        if (const PassId open = ownSends(id, entry - 1, start); open.valid())
            return open;
    }
    return {};
}

PassId SimulatedRun::ownSends(PassId id, EntryId entry, Ticks& start)
{
    scratchPasses.clear();
    Dependencies(*schedule).appendConsumers(id, scratchPasses);
    const DeviceId from = schedule->device(id);
    for (const PassId consumer : scratchPasses) {
        const DeviceId to = schedule->device(consumer);
        if (to == from || schedule->kind(consumer) == PassKind::U)
            continue;
        Ticks met = result->end[static_cast<std::size_t>(entry)];
        const EntryId receive = schedule->entryOf(consumer);
        if (receive > schedule->begin(to)) {
            const PassId last = schedule->places()[static_cast<std::size_t>(receive - 1)].first;
            const Ticks came = finish[static_cast<std::size_t>(last.value)];
            if (came < 0)
                return last;
            met = std::max(met, came);
        }
        const Bytes bytes =
            messageBytes(*costs, schedule->spec(), schedule->pass(id), schedule->kind(consumer));
        start = std::max(start, arrival(*costs, schedule->spec(), from, to, bytes, met));
    }
    return {};
}

template<bool plain, bool sized>
inline void SimulatedRun::account(LaneProgress& device, const Site& site, PassKind kind, PassId id)
{
    const bool stashed = !plain && recompute && kind == PassKind::F &&
                         schedule->has(PassId(id.value + PassTable::recomputeSlot));
    const ActivationChange& change =
        stashed ? site.stash : site.change[static_cast<std::size_t>(kind)];
    device.share += change.share;
    device.peakShare = std::max(device.peakShare, device.share);
    if constexpr (sized) {
        device.bytes += change.bytes;
        device.peakBytes = std::max(device.peakBytes, device.bytes);
    }
    if (!plain && offloads) {
        const bool adds = kind == PassKind::F || kind == PassKind::R;
        hostClock.held(
            site.device,
            adds ? result->start[static_cast<std::size_t>(device.next - 1)] : device.free, change);
    }
}

template<bool plain, bool sized>
void SimulatedRun::runDevice(DeviceId index)
{
    // A copy, so that its fields stay in registers.
    LaneProgress device = devices[static_cast<std::size_t>(index)];
    const EntryId last(device.last);
    const Schedule::Places* const places = schedule->places().data();
    const Site* const allSites = sites.data();
    Ticks* const starts = result->start.data();
    Ticks* const ends = result->end.data();
    while (device.next < device.stop || passHold(device, last)) {
        const EntryId entry(device.next);
        const Schedule::Places here = places[entry];
        const PassKind kind = here.kind();
        const Site& site = allSites[here.site()];
        const Site* partner = nullptr;
        Ticks start = device.free;
        std::int32_t open = inputs<plain>(here.first, site, kind, start);
        if (here.second.valid()) {
            partner = &sites[static_cast<std::size_t>(schedule->site(here.second))];
            if (open == none)
                open = inputs<plain>(here.second, *partner, schedule->kind(here.second), start);
        }
        if (!plain && open == none && committed && entry > schedule->begin(index))
            open = commitments(entry, start).value;
        if (open != none) {
            Ticks& slot = finish[static_cast<std::size_t>(open)];
            device.nextWaiter = slot == undone ? -1 : waiterOf(slot);
            slot = waiterCode(index);
            break;
        }
        if (!plain && offloads)
            start = hostClock.ready(index, entry, start, result->start, result->end);
        Ticks time = site.time[static_cast<std::size_t>(kind)];
        if ((!plain && slowTimes) || partner != nullptr)
            time = entryTime(*costs, schedule->spec(), schedule->entry(entry));
        const Ticks end = start + time;
        starts[entry] = start;
        ends[entry] = end;
        device.free = end;
        if constexpr (!plain)
            devices[static_cast<std::size_t>(index)].free = end;
        if (!plain && offloads)
            hostClock.ended(index, entry, end);
        device.busy += time;
        ++device.next;
        finishPass<plain>(here.first, kind, end);
        if (partner == nullptr) {
            account<plain, sized>(device, site, kind, here.first);
            continue;
        }
        const PassKind second = schedule->kind(here.second);
        finishPass<plain>(here.second, second, end);
        // Of a pair the forward is counted first: both activations are there while it runs.
        if (second == PassKind::F)
            account<plain, sized>(device, *partner, second, here.second);
        account<plain, sized>(device, site, kind, here.first);
        if (second != PassKind::F)
            account<plain, sized>(device, *partner, second, here.second);
    }
    // Many devices are more streams than a processor foresees, so the lines of the next visit are
    // asked for now.
    __builtin_prefetch(places + device.next + 4);
    __builtin_prefetch(starts + device.next + 4, 1);
    __builtin_prefetch(ends + device.next + 4, 1);
    devices[static_cast<std::size_t>(index)] = device;
}

/// A run whose times are known is gone through once more, for its marks.
struct MarkedRun : SimulatedRun
{
    void keep(const SimResult& kept);
    void repeatDevice(DeviceId index, Ticks until, const SimResult& kept);
    void noteMessages(DeviceId index, EntryId first, const SimResult& kept);
    void noteMessage(PassId id, Ticks start, bool idle);
};

/// Goes on to a time by what was kept: nothing is waited for.
void MarkedRun::repeatDevice(DeviceId index, Ticks until, const SimResult& kept)
{
    LaneProgress& device = devices[index.index()];
    const std::int32_t last = schedule->end(index);
    for (; device.next < last && kept.start[static_cast<std::size_t>(device.next)] < until;
         ++device.next) {
        const auto entry = static_cast<std::size_t>(device.next);
        const Schedule::Places here = schedule->places()[entry];
        device.free = kept.end[entry];
        device.busy += kept.end[entry] - kept.start[entry];
        // Of a pair the forward is counted first, as in `runDevice`.
        PassId one = here.first, other = here.second;
        if (other.valid() && schedule->kind(other) == PassKind::F)
            std::swap(one, other);
        for (const PassId id : {one, other}) {
            if (!id.valid())
                continue;
            const PassKind kind = schedule->kind(id);
            if (kind == PassKind::F || isBackward(kind)) {
                const std::int32_t place = placeOf<true>(id);
                finish[static_cast<std::size_t>(place)] = device.free;
                marks.ended(place);
            }
            const Site& site = sites[static_cast<std::size_t>(schedule->site(id))];
            if (anyBytes)
                account<true, true>(device, site, kind, id);
            else
                account<true, false>(device, site, kind, id);
        }
    }
}

/// The messages for what a device has done since an entry.
void MarkedRun::noteMessages(DeviceId index, EntryId first, const SimResult& kept)
{
    const EntryId last(devices[index.index()].next);
    for (EntryId entry = first; entry < last; ++entry) {
        const Schedule::Places here = schedule->places()[entry.index()];
        const Ticks start = kept.start[entry.index()];
        const bool idle =
            start > (entry == schedule->begin(index) ? 0 : kept.end[(entry - 1).index()]);
        for (const PassId id : {here.first, here.second})
            if (id.valid())
                noteMessage(id, start, idle);
    }
}

/// What a pass waits for, as `inputs` has it.
/// @param idle  its device has waited, too
void MarkedRun::noteMessage(PassId id, Ticks start, bool idle)
{
    const PassKind kind = schedule->kind(id);
    const bool forward = kind == PassKind::F;
    const auto number = static_cast<std::size_t>(schedule->site(id));
    const Site& site = sites[number];
    if ((!forward && !isBackward(kind)) || (forward ? site.first : site.last))
        return;
    const std::int32_t place = placeOf<true>(id) + (forward ? -stageStride : stageStride);
    const Ticks slack = start - finish[static_cast<std::size_t>(place)] -
                        (forward ? site.fromPrevious : site.fromNext);
    const DeviceId from = forward ? site.previousDevice : site.nextDevice;
    marks.awaited({place, from, site.device, {slack, idle && slack == 0}},
                  2 * number + (forward ? 1 : 0));
}

void MarkedRun::keep(const SimResult& kept)
{
    const bool marked = plain && !finish.empty();
    marks.begin(marked ? finish.size() : 0);
    if (!marked)
        return;
    std::vector<Ticks> times = RunMarks::times(kept, finish.size());
    times.push_back(Simulator::never);
    for (const Ticks time : times) {
        const std::vector<LaneProgress> before = devices;
        marks.beginPeaks(devices);
        for (const DeviceId device : Ids<DeviceId>(schedule->devices()))
            repeatDevice(device, time, kept);
        for (const DeviceId device : Ids<DeviceId>(schedule->devices()))
            noteMessages(device, EntryId(before[device.index()].next), kept);
        marks.endPeaks(devices);
        if (time != Simulator::never)
            marks.add({time, devices, finish, {}, {}, {}, {}}, 2 * sites.size());
    }
}

} // namespace

struct Simulator::Buffers : MarkedRun
{
};

Simulator::Simulator()
    : m_buffers(std::make_unique<Buffers>())
{
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

Result<void> Simulator::run(const Schedule& schedule, const Costs& costs, SimResult& result,
                            std::span<const Hold> holds)
{
    return runPart({.kept = result, .from = std::numeric_limits<Ticks>::min()}, schedule, costs,
                   result, holds);
}

void Simulator::keep(const Schedule& schedule, const Costs& costs, const SimResult& result)
{
    Buffers& buffers = *m_buffers;
    buffers.schedule = &schedule;
    buffers.costs = &costs;
    buffers.prepare();
    buffers.begin();
    buffers.keep(result);
}

Result<void> Simulator::runPart(const Part& part, const Schedule& schedule, const Costs& costs,
                                SimResult& result, std::span<const Hold> holds)
{
    PW_ASSERT(holds.empty() || schedule.spec().messages != MessageRule::Committed);
    Buffers& buffers = *m_buffers;
    buffers.held = HeldEntries(holds);
    buffers.schedule = &schedule;
    buffers.costs = &costs;
    buffers.result = &result;
    buffers.prepare();
    // Only what the inner loop is made for is known to need nothing that comes later.
    buffers.lastStart = buffers.plain ? part.until : never;
    buffers.run(part);
    if (buffers.lastStart == never)
        return finish();
    leaveOut(schedule, buffers.devices, result);
    return {};
}

/// What follows from the times of all entries; or the ring in which devices wait.
Result<void> Simulator::finish()
{
    Buffers& buffers = *m_buffers;
    const Schedule& schedule = *buffers.schedule;
    SimResult& result = *buffers.result;
    TimelineSummary summary(result);
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const LaneProgress& done = buffers.devices[static_cast<std::size_t>(device)];
        if (done.next < schedule.end(device)) {
            std::vector<EntryId> reached;
            for (const LaneProgress& at : buffers.devices)
                reached.emplace_back(at.next);
            return fail(deadlockError(schedule, reached));
        }
        summary.add(device, {done.busy, 0, 0, done.peakShare, done.peakBytes},
                    schedule.begin(device), schedule.end(device));
    }
    summary.finish();
    if (buffers.offloads)
        buffers.hostClock.settle(result);
    return {};
}

Result<SimResult> simulate(const Schedule& schedule, const Costs& costs)
{
    PW_DO(check(costs, schedule.spec()));
    SimResult result;
    PW_DO(Simulator().run(schedule, costs, result));
    return result;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/sim/draft_buffers.h"

namespace pw {

namespace {

/// A pass that the spec does not have, moved to a stage and segment that have times.
OrderEntry inside(OrderEntry entry, const PipelineSpec& spec)
{
    for (Pass* pass : {&entry.pass, &entry.partner}) {
        pass->stage = StageId(std::clamp<int>(pass->stage, 0, spec.stages() - 1));
        pass->segment = std::clamp(pass->segment, 0, spec.segments() - 1);
    }
    return entry;
}

} // namespace

DraftPlace DraftSimulator::Buffers::claim(const Pass& pass, DeviceId device, EntryId entry)
{
    if (!belongs(spec(), pass, device))
        return {};
    const std::int32_t place = table.id(pass).value;
    Ticks& slot = finish[static_cast<std::size_t>(place)];
    if (slot != notThere)
        return {};
    slot = undone;
    kinds[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(pass.kind);
    if (committed)
        entryOf[static_cast<std::size_t>(place)] = entry;
    if (pass.kind == PassKind::R)
        held[static_cast<std::size_t>(place / PassTable::slotsPerCell)] = DraftHolding::recomputed;
    const int at = (pass.route * spec().stages() + pass.stage) * spec().segments() + pass.segment;
    return {place, static_cast<std::uint32_t>(at) * 8 + static_cast<std::uint32_t>(pass.kind)};
}

void DraftSimulator::Buffers::prepare()
{
    slowTimes = !costs->single.empty();
    traced = !costs->linkTrace.empty();
    committed = spec().messages == MessageRule::Committed;
    table = PassTable(spec());
    fillSites(spec(), *costs, sites);
    keeps.clear();
    const std::size_t cells = costs->activation.size();
    for (std::size_t i = 0; i < sites.size(); ++i)
        keeps.push_back(&costs->activation[i % cells]);
    const auto places = static_cast<std::size_t>(table.size());
    finish.assign(places, notThere);
    kinds.resize(places);
    if (committed)
        entryOf.resize(places);
    held.assign(static_cast<std::size_t>(table.firstUpdate() / PassTable::slotsPerCell), 0);
    devices.assign(draft->orders.size(), DraftDevice{});
    onWalk.assign(draft->orders.size(), 0);
    ready.clear();
    entries.clear();
    out->begin.assign(1, EntryId(0));
    for (std::size_t device = 0; device < draft->orders.size(); ++device) {
        devices[device].next = out->begin.back();
        for (const OrderEntry& passes : draft->orders[device]) {
            const EntryId index(entries.size());
            // In its place at once: a copy of what has just been written, part by part, waits for
            // it.
            DraftEntry& entry = entries.emplace_back();
            entry.first = claim(passes.pass, DeviceId(device), index);
            entry.paired = passes.paired;
            if (passes.paired)
                entry.second = claim(passes.partner, DeviceId(device), index);
        }
        out->begin.push_back(EntryId(entries.size()));
    }
    for (DeviceId device(devices.size()); device-- > 0;)
        ready.push_back(device);
    out->times.start.resize(entries.size());
    out->times.end.resize(entries.size());
    out->times.devices.resize(devices.size());
    out->blocked.clear();
    out->ring.clear();
    out->times.copies.clear();
    offloads = hostClock.plan().begin(spec(), *costs);
    if (offloads)
        prepareOffload();
}

void DraftSimulator::Buffers::prepareOffload()
{
    for (std::size_t device = 0; device < draft->orders.size(); ++device) {
        EntryId entry(out->begin[device]);
        for (const OrderEntry& passes : draft->orders[device])
            hostClock.plan().add(DeviceId(device), entry++, passes,
                                 entryTime(*costs, spec(), inside(passes, spec())));
    }
    hostClock.plan().finish();
    hostClock.start(spec().devices);
}

Ticks DraftSimulator::Buffers::messageEnd(Ticks sent, DeviceId from, const Site& site, Bytes bytes,
                                          Ticks nominal) const
{
    if (from == site.device)
        return sent;
    if (committed)
        sent = std::max(sent, devices[static_cast<std::size_t>(site.device)].free);
    return traced ? arrival(*costs, spec(), from, site.device, bytes, sent) : sent + nominal;
}

bool DraftSimulator::Buffers::inputs(DraftDevice& device, const DraftPlace& pass, Ticks& start)
{
    // The rules of `Dependencies`, spelled out for places (tested). What its own cell needs may
    // stand later in the order here, so it is asked for, too.
    const auto undoneAt = [&](std::int32_t needed) {
        const Ticks sent = at(needed);
        if (sent >= 0 || sent == notThere || device.forced)
            return false;
        device.waiting = pass.place;
        device.needed = needed;
        return true;
    };
    const std::int32_t place = pass.place;
    const std::int32_t cell = place - place % PassTable::slotsPerCell;
    const Site& own = site(pass);
    switch (pass.kind()) {
    case PassKind::F:
        if (!own.first) {
            const std::int32_t from = place - table.stageStride();
            if (undoneAt(from))
                return false;
            if (at(from) >= 0)
                start = std::max(start, messageEnd(at(from), own.previousDevice, own,
                                                   own.previousBytes, own.fromPrevious));
        }
        return own.firstSegment || !undoneAt(place - PassTable::slotsPerCell);
    case PassKind::B:
    case PassKind::BW: {
        if (!own.last) {
            const std::int32_t from = place + table.stageStride();
            if (undoneAt(from))
                return false;
            if (at(from) >= 0)
                start = std::max(
                    start, messageEnd(at(from), own.nextDevice, own, own.nextBytes, own.fromNext));
        }
        if (!own.lastSegment && undoneAt(place + PassTable::slotsPerCell))
            return false;
        const std::int32_t again = cell + PassTable::recomputeSlot;
        return !undoneAt(there(again) ? again : cell + PassTable::forwardSlot);
    }
    case PassKind::R:
        return !undoneAt(cell + PassTable::forwardSlot);
    case PassKind::W:
        return !undoneAt(cell + PassTable::backwardSlot);
    case PassKind::U:
        return updateInputs(device, place, passOf(place), start);
    }
    return true;
}

bool DraftSimulator::Buffers::updateInputs(DraftDevice& device, std::int32_t place,
                                           const Pass& update, Ticks& start)
{
    const GradientRange range = gradientsOf(spec(), update);
    const int segments = spec().segments();
    const int count = range.count * segments;
    const DeviceId own = spec().device(update.route, update.stage);
    // Goes on where it stopped: there are as many inputs as micro-batches.
    for (; device.gradient < count; ++device.gradient) {
        const int j = range.first + device.gradient / segments;
        const std::int32_t cell = table.cell(update.stage, j, device.gradient % segments);
        const std::int32_t backward = table.at(cell, PassTable::backwardSlot).value;
        const bool fused = there(backward) && kinds[static_cast<std::size_t>(backward)] ==
                                                  static_cast<std::uint8_t>(PassKind::BW);
        const std::int32_t from = fused ? backward : table.at(cell, PassTable::weightSlot).value;
        const Ticks sent = at(from);
        if (sent == notThere)
            continue;
        if (sent < 0) {
            if (device.forced)
                continue;
            device.waiting = place;
            device.needed = from;
            return false;
        }
        const Pass producer = passOf(from);
        const DeviceId where = spec().device(producer.route, producer.stage);
        device.gradientStart = std::max(
            device.gradientStart,
            arrival(*costs, spec(), where, own,
                    where == own ? 0 : messageBytes(*costs, spec(), producer, PassKind::U), sent));
    }
    start = std::max(start, device.gradientStart);
    device.gradient = 0;
    device.gradientStart = 0;
    return true;
}

bool DraftSimulator::Buffers::commitments(DraftDevice& device, DeviceId index, Ticks& start)
{
    const DraftEntry& before = entries[static_cast<std::size_t>(device.next - 1)];
    const std::int32_t waiting = entries[static_cast<std::size_t>(device.next)].first.place;
    const Ticks met = out->times.end[static_cast<std::size_t>(device.next - 1)];
    for (const std::int32_t place : {before.first.place, before.second.place}) {
        if (place == none)
            continue;
        const Pass sent = passOf(place);
        Pass wanted = sent;
        if (sent.kind == PassKind::F)
            ++wanted.stage;
        else if (isBackward(sent.kind))
            --wanted.stage;
        else
            continue;
        if (wanted.stage < 0 || wanted.stage >= spec().stages())
            continue;
        if (!commitment(device, index, waiting, sent, wanted, met, start))
            return false;
    }
    return true;
}

/// The receiver has come to its receive when the entry before it has ended.
bool DraftSimulator::Buffers::commitment(DraftDevice& device, DeviceId from, std::int32_t waiting,
                                         const Pass& producer, const Pass& wanted, Ticks met,
                                         Ticks& start)
{
    const DeviceId to = spec().device(wanted.route, wanted.stage);
    const std::int32_t consumer = table.id(wanted).value;
    if (to == from || !there(consumer))
        return true;
    std::int32_t last = entryOf[static_cast<std::size_t>(consumer)] - 1;
    const std::int32_t first = out->begin[static_cast<std::size_t>(to)];
    while (last >= first && entries[static_cast<std::size_t>(last)].first.place == none)
        --last;
    if (last >= first) {
        const std::int32_t needed = entries[static_cast<std::size_t>(last)].first.place;
        const Ticks came = at(needed);
        if (came < 0) {
            if (device.forced)
                return true;
            device.waiting = waiting;
            device.needed = needed;
            return false;
        }
        met = std::max(met, came);
    }
    const Bytes bytes = messageBytes(*costs, spec(), producer, wanted.kind);
    start = std::max(start, arrival(*costs, spec(), from, to, bytes, met));
    return true;
}

void DraftSimulator::Buffers::finishPass(std::int32_t place, Ticks time)
{
    Ticks& slot = finish[static_cast<std::size_t>(place)];
    Ticks waiting = slot;
    slot = time;
    while (waiting < undone) {
        const DeviceId device(waiterOf(waiting));
        ready.push_back(device);
        const DeviceId next = devices[device.index()].nextWaiter;
        waiting = next.valid() ? waiterCode(next) : undone;
    }
}

void DraftSimulator::Buffers::account(DraftDevice& device, DeviceId index, const DraftPlace& pass,
                                      Ticks start)
{
    if (pass.place == none || pass.kind() == PassKind::U)
        return;
    const auto cell = static_cast<std::size_t>(pass.place / PassTable::slotsPerCell);
    const ActivationChange change =
        DraftHolding::change(held[cell], pass.kind(), *keeps[pass.site()]).sum();
    device.share += change.share;
    device.bytes += change.bytes;
    device.peakShare = std::max(device.peakShare, device.share);
    device.peakBytes = std::max(device.peakBytes, device.bytes);
    if (offloads) {
        const bool adds = pass.kind() == PassKind::F || pass.kind() == PassKind::R;
        hostClock.held(index, adds ? start : device.free, change);
    }
}

void DraftSimulator::Buffers::accountEntry(DraftDevice& device, DeviceId index,
                                           const DraftEntry& entry, Ticks start)
{
    // Of a pair the forward is counted first: both activations are there while it runs.
    const bool swapped = entry.second.place != none && entry.second.kind() == PassKind::F;
    account(device, index, swapped ? entry.second : entry.first, start);
    account(device, index, swapped ? entry.first : entry.second, start);
}

void DraftSimulator::Buffers::runDevice(DeviceId index)
{
    DraftDevice& device = devices[static_cast<std::size_t>(index)];
    const std::int32_t last = out->begin[static_cast<std::size_t>(index) + 1];
    const std::int32_t first = out->begin[static_cast<std::size_t>(index)];
    // A device that was forced may also be woken by what it waited for.
    device.nextWaiter = DeviceId::none();
    for (; device.next < last; ++device.next) {
        const EntryId at = device.next;
        const DraftEntry entry = entries[static_cast<std::size_t>(at)];
        Ticks start = device.free;
        const bool counts = entry.first.place != none;
        const bool pair = entry.second.place != none;
        bool open = (counts && !inputs(device, entry.first, start)) ||
                    (pair && !inputs(device, entry.second, start));
        if (!open && committed && at > first && counts)
            open = !commitments(device, index, start);
        if (open) {
            Ticks& slot = finish[static_cast<std::size_t>(device.needed)];
            device.nextWaiter = slot == undone ? DeviceId::none() : waiterOf(slot);
            slot = waiterCode(index);
            return;
        }
        if (!holds.empty()) {
            const auto hold = std::lower_bound(
                holds.begin(), holds.end(), at,
                [](const Hold& one, std::int32_t wanted) { return one.entry < wanted; });
            if (hold != holds.end() && hold->entry == at)
                start = std::max(start, hold->earliest);
        }
        if (offloads)
            start = hostClock.ready(index, at, start, out->times.start, out->times.end);
        Ticks time = 0;
        if (counts && !entry.paired && !slowTimes)
            time = site(entry.first).time[static_cast<std::size_t>(entry.first.kind())];
        else
            time = entryTime(*costs, spec(), inside(order(index, at), spec()));
        const Ticks end = start + time;
        out->times.start[static_cast<std::size_t>(at)] = start;
        out->times.end[static_cast<std::size_t>(at)] = end;
        device.free = end;
        device.busy += time;
        device.forced = false;
        if (offloads)
            hostClock.ended(index, at, end);
        accountEntry(device, index, entry, start);
        if (counts)
            finishPass(entry.first.place, end);
        if (pair)
            finishPass(entry.second.place, end);
    }
}

void DraftSimulator::Buffers::drain()
{
    while (!ready.empty()) {
        const DeviceId device(ready.back());
        ready.pop_back();
        runDevice(device);
    }
}

void DraftSimulator::Buffers::summarise()
{
    SimResult& result = out->times;
    result.makespan = 0;
    Ticks first = std::numeric_limits<Ticks>::max();
    for (std::size_t device = 0; device < devices.size(); ++device) {
        const DraftDevice& done = devices[device];
        DeviceResult& summary = result.devices[device];
        summary = {done.busy, 0, 0, done.peakShare, done.peakBytes};
        if (out->begin[device] == out->begin[device + 1])
            continue;
        summary.firstStart = result.start[static_cast<std::size_t>(out->begin[device])];
        summary.lastEnd = result.end[static_cast<std::size_t>(out->begin[device + 1] - 1)];
        first = std::min(first, summary.firstStart);
        result.makespan = std::max(result.makespan, summary.lastEnd);
    }
    if (!entries.empty())
        result.makespan -= first;
    if (offloads)
        hostClock.settle(result);
    std::sort(out->blocked.begin(), out->blocked.end());
}

DeviceId DraftTimes::deviceOf(EntryId index) const
{
    return DeviceId(std::upper_bound(begin.begin(), begin.end(), index) - begin.begin() - 1);
}

Sentence ringText(const DraftTimes& times, const PipelineSpec& spec)
{
    return times.ring.empty() ? Sentence() : deadlockError(times.ring, spec).message;
}

DraftSimulator::DraftSimulator()
    : m_buffers(std::make_unique<Buffers>())
{
}
DraftSimulator::~DraftSimulator() = default;
DraftSimulator::DraftSimulator(DraftSimulator&&) noexcept = default;
DraftSimulator& DraftSimulator::operator=(DraftSimulator&&) noexcept = default;

void DraftSimulator::run(const Draft& draft, const Costs& costs, DraftTimes& out,
                         std::span<const Hold> holds)
{
    Buffers& buffers = *m_buffers;
    buffers.draft = &draft;
    buffers.costs = &costs;
    buffers.out = &out;
    buffers.holds = holds;
    buffers.prepare();
    buffers.breakRings();
    buffers.summarise();
}

Result<DraftTimes> draftTimes(const Draft& draft, const Costs& costs)
{
    PW_DO(check(draft.spec));
    PW_DO(check(costs, draft.spec));
    if (draft.orders.size() != static_cast<std::size_t>(draft.spec.devices)) {
        return fail(ErrorCode::BadValue, "orders are given for %1 of %2 devices",
                    draft.orders.size(), draft.spec.devices);
    }
    DraftTimes times;
    DraftSimulator().run(draft, costs, times);
    return times;
}

} // namespace pw

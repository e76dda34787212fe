// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/sim/draft_run.h"
#include "core/sim/timeline_summary.h"

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

void DraftPlaces::clear(const PipelineSpec& spec)
{
    m_spec = &spec;
    m_table = PassTable(spec);
    m_committed = spec.messages == MessageRule::Committed;
    const auto places = static_cast<std::size_t>(m_table.size());
    m_finish.assign(places, notThere);
    m_kinds.resize(places);
    if (m_committed)
        m_entries.resize(places);
}

DraftPlace DraftPlaces::claim(const Pass& pass, DeviceId device, EntryId entry)
{
    const PipelineSpec& spec = *m_spec;
    if (!belongs(spec, pass, device))
        return {};
    const std::int32_t place = m_table.id(pass).value;
    Ticks& finish = slot(place);
    if (finish != notThere)
        return {};
    finish = undone;
    m_kinds[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(pass.kind);
    if (m_committed)
        m_entries[static_cast<std::size_t>(place)] = entry;
    const int at = (pass.route * spec.stages() + pass.stage) * spec.segments() + pass.segment;
    return {place, static_cast<std::uint32_t>(at) * 8 + static_cast<std::uint32_t>(pass.kind)};
}

void DraftRun::prepare()
{
    m_slowTimes = !m_costs->single.empty();
    m_traced = !m_costs->linkTrace.empty();
    m_committed = spec().messages == MessageRule::Committed;
    fillSites(spec(), *m_costs, m_sites);
    m_keeps.clear();
    const std::size_t cells = m_costs->activation.size();
    for (std::size_t i = 0; i < m_sites.size(); ++i)
        m_keeps.push_back(&m_costs->activation[i % cells]);
    m_places.clear(spec());
    m_held.assign(
        static_cast<std::size_t>(m_places.table().firstUpdate() / PassTable::slotsPerCell), 0);
    m_devices.assign(m_draft->orders.size(), DraftDevice{});
    m_ready.clear();
    m_entries.clear();
    m_out->begin.assign(1, EntryId(0));
    for (std::size_t device = 0; device < m_draft->orders.size(); ++device) {
        m_devices[device].next = m_out->begin.back();
        for (const OrderEntry& passes : m_draft->orders[device]) {
            const EntryId index(m_entries.size());
            // In its place at once: a copy of what has just been written, part by part, waits for
            // it.
            DraftEntry& entry = m_entries.emplace_back();
            entry.first = m_places.claim(passes.pass, DeviceId(device), index);
            entry.paired = passes.paired;
            if (passes.paired)
                entry.second = m_places.claim(passes.partner, DeviceId(device), index);
            for (const DraftPlace* one : {&entry.first, &entry.second})
                if (one->place != none && one->kind() == PassKind::R)
                    m_held[static_cast<std::size_t>(one->place / PassTable::slotsPerCell)] =
                        DraftHolding::recomputed;
        }
        m_out->begin.push_back(EntryId(m_entries.size()));
    }
    for (DeviceId device(m_devices.size()); device-- > 0;)
        m_ready.push_back(device);
    m_out->times.start.resize(m_entries.size());
    m_out->times.end.resize(m_entries.size());
    m_out->times.devices.resize(m_devices.size());
    m_out->blocked.clear();
    m_out->ring.clear();
    m_out->times.copies.clear();
    m_offloads = m_hostClock.plan().begin(spec(), *m_costs);
    if (m_offloads)
        prepareOffload();
}

void DraftRun::prepareOffload()
{
    for (std::size_t device = 0; device < m_draft->orders.size(); ++device) {
        EntryId entry(m_out->begin[device]);
        for (const OrderEntry& passes : m_draft->orders[device])
            m_hostClock.plan().add(DeviceId(device), entry++, passes,
                                   entryTime(*m_costs, spec(), inside(passes, spec())));
    }
    m_hostClock.plan().finish();
    m_hostClock.start(spec().devices);
}

Ticks DraftRun::messageEnd(Ticks sent, DeviceId from, const Site& site, Bytes bytes,
                           Ticks nominal) const
{
    if (from == site.device)
        return sent;
    if (m_committed)
        sent = std::max(sent, m_devices[static_cast<std::size_t>(site.device)].free);
    return m_traced ? arrival(*m_costs, spec(), from, site.device, bytes, sent) : sent + nominal;
}

bool DraftRun::inputs(DraftDevice& device, const DraftPlace& pass, Ticks& start)
{
    // The rules of `Dependencies`, spelled m_out for m_places (tested). What its own cell needs may
    // stand later in the order here, so it is asked for, too.
    const auto undoneAt = [&](std::int32_t needed) {
        const Ticks sent = m_places.at(needed);
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
            const std::int32_t from = place - m_places.table().stageStride();
            if (undoneAt(from))
                return false;
            if (m_places.at(from) >= 0)
                start = std::max(start, messageEnd(m_places.at(from), own.previousDevice, own,
                                                   own.previousBytes, own.fromPrevious));
        }
        return own.firstSegment || !undoneAt(place - PassTable::slotsPerCell);
    case PassKind::B:
    case PassKind::BW: {
        if (!own.last) {
            const std::int32_t from = place + m_places.table().stageStride();
            if (undoneAt(from))
                return false;
            if (m_places.at(from) >= 0)
                start = std::max(start, messageEnd(m_places.at(from), own.nextDevice, own,
                                                   own.nextBytes, own.fromNext));
        }
        if (!own.lastSegment && undoneAt(place + PassTable::slotsPerCell))
            return false;
        const std::int32_t again = cell + PassTable::recomputeSlot;
        return !undoneAt(m_places.there(again) ? again : cell + PassTable::forwardSlot);
    }
    case PassKind::R:
        return !undoneAt(cell + PassTable::forwardSlot);
    case PassKind::W:
        return !undoneAt(cell + PassTable::backwardSlot);
    case PassKind::U:
        return updateInputs(device, place, m_places.pass(place), start);
    }
    return true;
}

bool DraftRun::updateInputs(DraftDevice& device, std::int32_t place, const Pass& update,
                            Ticks& start)
{
    const GradientRange range = gradientsOf(spec(), update);
    const int segments = spec().segments();
    const int count = range.count * segments;
    const DeviceId own = spec().device(update.route, update.stage);
    // Goes on where it stopped: there are as many inputs as micro-batches.
    for (; device.gradient < count; ++device.gradient) {
        const int j = range.first + device.gradient / segments;
        const std::int32_t cell =
            m_places.table().cell(update.stage, j, device.gradient % segments);
        const std::int32_t backward = m_places.table().at(cell, PassTable::backwardSlot).value;
        const bool fused = m_places.there(backward) && m_places.kind(backward) == PassKind::BW;
        const std::int32_t from =
            fused ? backward : m_places.table().at(cell, PassTable::weightSlot).value;
        const Ticks sent = m_places.at(from);
        if (sent == notThere)
            continue;
        if (sent < 0) {
            if (device.forced)
                continue;
            device.waiting = place;
            device.needed = from;
            return false;
        }
        const Pass producer = m_places.pass(from);
        const DeviceId where = spec().device(producer.route, producer.stage);
        device.gradientStart = std::max(
            device.gradientStart,
            arrival(*m_costs, spec(), where, own,
                    where == own ? 0 : messageBytes(*m_costs, spec(), producer, PassKind::U),
                    sent));
    }
    start = std::max(start, device.gradientStart);
    device.gradient = 0;
    device.gradientStart = 0;
    return true;
}

bool DraftRun::commitments(DraftDevice& device, DeviceId index, Ticks& start)
{
    const DraftEntry& before = m_entries[static_cast<std::size_t>(device.next - 1)];
    const std::int32_t waiting = m_entries[static_cast<std::size_t>(device.next)].first.place;
    const Ticks met = m_out->times.end[static_cast<std::size_t>(device.next - 1)];
    for (const std::int32_t place : {before.first.place, before.second.place}) {
        if (place == none)
            continue;
        const Pass sent = m_places.pass(place);
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
bool DraftRun::commitment(DraftDevice& device, DeviceId from, std::int32_t waiting,
                          const Pass& producer, const Pass& wanted, Ticks met, Ticks& start)
{
    const DeviceId to = spec().device(wanted.route, wanted.stage);
    const std::int32_t consumer = m_places.table().id(wanted).value;
    if (to == from || !m_places.there(consumer))
        return true;
    std::int32_t last = m_places.entry(consumer) - 1;
    const std::int32_t first = m_out->begin[static_cast<std::size_t>(to)];
    while (last >= first && m_entries[static_cast<std::size_t>(last)].first.place == none)
        --last;
    if (last >= first) {
        const std::int32_t needed = m_entries[static_cast<std::size_t>(last)].first.place;
        const Ticks came = m_places.at(needed);
        if (came < 0) {
            if (device.forced)
                return true;
            device.waiting = waiting;
            device.needed = needed;
            return false;
        }
        met = std::max(met, came);
    }
    const Bytes bytes = messageBytes(*m_costs, spec(), producer, wanted.kind);
    start = std::max(start, arrival(*m_costs, spec(), from, to, bytes, met));
    return true;
}

void DraftRun::finishPass(std::int32_t place, Ticks time)
{
    Ticks& slot = m_places.slot(place);
    Ticks waiting = slot;
    slot = time;
    while (waiting < undone) {
        const DeviceId device(waiterOf(waiting));
        m_ready.push_back(device);
        const DeviceId next = m_devices[device.index()].nextWaiter;
        waiting = next.valid() ? waiterCode(next) : undone;
    }
}

void DraftRun::account(DraftDevice& device, DeviceId index, const DraftPlace& pass, Ticks start)
{
    if (pass.place == none || pass.kind() == PassKind::U)
        return;
    const auto cell = static_cast<std::size_t>(pass.place / PassTable::slotsPerCell);
    const ActivationChange change =
        DraftHolding::change(m_held[cell], pass.kind(), *m_keeps[pass.site()]).sum();
    device.share += change.share;
    device.bytes += change.bytes;
    device.peakShare = std::max(device.peakShare, device.share);
    device.peakBytes = std::max(device.peakBytes, device.bytes);
    if (m_offloads) {
        const bool adds = pass.kind() == PassKind::F || pass.kind() == PassKind::R;
        m_hostClock.held(index, adds ? start : device.free, change);
    }
}

void DraftRun::accountEntry(DraftDevice& device, DeviceId index, const DraftEntry& entry,
                            Ticks start)
{
    // Of a pair the forward is counted first: both activations are there while it runs.
    const bool swapped = entry.second.place != none && entry.second.kind() == PassKind::F;
    account(device, index, swapped ? entry.second : entry.first, start);
    account(device, index, swapped ? entry.first : entry.second, start);
}

void DraftRun::runDevice(DeviceId index)
{
    DraftDevice& device = m_devices[static_cast<std::size_t>(index)];
    const std::int32_t last = m_out->begin[static_cast<std::size_t>(index) + 1];
    const std::int32_t first = m_out->begin[static_cast<std::size_t>(index)];
    // A device that was forced may also be woken by what it waited for.
    device.nextWaiter = DeviceId::none();
    for (; device.next < last; ++device.next) {
        const EntryId at = device.next;
        const DraftEntry entry = m_entries[static_cast<std::size_t>(at)];
        Ticks start = device.free;
        const bool counts = entry.first.place != none;
        const bool pair = entry.second.place != none;
        bool open = (counts && !inputs(device, entry.first, start)) ||
                    (pair && !inputs(device, entry.second, start));
        if (!open && m_committed && at > first && counts)
            open = !commitments(device, index, start);
        if (open) {
            Ticks& slot = m_places.slot(device.needed);
            device.nextWaiter = slot == undone ? DeviceId::none() : waiterOf(slot);
            slot = waiterCode(index);
            return;
        }
        if (m_anyHolds)
            start = m_holds.startOf(at, start);
        if (m_offloads)
            start = m_hostClock.ready(index, at, start, m_out->times.start, m_out->times.end);
        Ticks time = 0;
        if (counts && !entry.paired && !m_slowTimes)
            time = site(entry.first).time[static_cast<std::size_t>(entry.first.kind())];
        else
            time = entryTime(*m_costs, spec(), inside(order(index, at), spec()));
        const Ticks end = start + time;
        m_out->times.start[static_cast<std::size_t>(at)] = start;
        m_out->times.end[static_cast<std::size_t>(at)] = end;
        device.free = end;
        device.busy += time;
        device.forced = false;
        if (m_offloads)
            m_hostClock.ended(index, at, end);
        accountEntry(device, index, entry, start);
        if (counts)
            finishPass(entry.first.place, end);
        if (pair)
            finishPass(entry.second.place, end);
    }
}

void DraftRun::drain()
{
    while (!m_ready.empty()) {
        const DeviceId device(m_ready.back());
        m_ready.pop_back();
        runDevice(device);
    }
}

void DraftRun::summarise()
{
    TimelineSummary summary(m_out->times);
    for (const DeviceId device : Ids<DeviceId>(m_devices.size())) {
        const DraftDevice& done = m_devices[device.index()];
        summary.add(device, {done.busy, 0, 0, done.peakShare, done.peakBytes},
                    m_out->begin[device.index()], m_out->begin[device.index() + 1]);
    }
    summary.finish();
    if (m_offloads)
        m_hostClock.settle(m_out->times);
    std::sort(m_out->blocked.begin(), m_out->blocked.end());
}

void DraftRun::run(const Draft& draft, const Costs& costs, DraftTimes& out,
                   std::span<const Hold> holds)
{
    m_draft = &draft;
    m_costs = &costs;
    m_out = &out;
    m_holds = HeldEntries(holds);
    m_anyHolds = !holds.empty();
    prepare();
    m_rings.run(*this);
    summarise();
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
    : m_run(std::make_unique<DraftRun>())
{
}
DraftSimulator::~DraftSimulator() = default;
DraftSimulator::DraftSimulator(DraftSimulator&&) noexcept = default;
DraftSimulator& DraftSimulator::operator=(DraftSimulator&&) noexcept = default;

void DraftSimulator::run(const Draft& draft, const Costs& costs, DraftTimes& out,
                         std::span<const Hold> holds)
{
    m_run->run(draft, costs, out, holds);
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

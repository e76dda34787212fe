// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/host_copies.h"

#include "core/model/draft.h"
#include "core/model/offload.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace pw {

namespace {

constexpr Ticks endOfTime = std::numeric_limits<Ticks>::max();

std::size_t indexOf(std::int32_t number)
{
    return static_cast<std::size_t>(number);
}

/// Levels of a device in time order. At one time room that copies leave is free first, and room
/// that they take is taken last.
class PeakOfDevice
{
public:
    PeakOfDevice(const std::vector<HeldChange>& held, std::span<const HostCopy> copies)
        : m_held(held)
    {
        for (const HostCopy& copy : copies) {
            m_outs.push_back({copy.outEnd, {-copy.bytes, -copy.share}});
            if (copy.needed >= 0)
                m_backs.push_back({copy.backStart, {copy.bytes, copy.share}});
        }
        for (auto* changes : {&m_outs, &m_backs})
            std::stable_sort(
                changes->begin(), changes->end(),
                [](const HeldChange& a, const HeldChange& b) { return a.time < b.time; });
    }

    void run(DeviceResult& result)
    {
        std::size_t out = 0, pass = 0, back = 0;
        const auto timeOf = [](const std::vector<HeldChange>& changes, std::size_t at) {
            return at < changes.size() ? changes[at].time : endOfTime;
        };
        result.peakShare = 0;
        result.peakActivation = 0;
        const std::size_t all = m_outs.size() + m_held.size() + m_backs.size();
        for (std::size_t i = 0; i < all; ++i) {
            const Ticks leaves = timeOf(m_outs, out), held = timeOf(m_held, pass),
                        comes = timeOf(m_backs, back);
            const HeldChange& next = leaves <= std::min(held, comes) ? m_outs[out++]
                                     : held <= comes                 ? m_held[pass++]
                                                                     : m_backs[back++];
            m_level.bytes += next.change.bytes;
            m_level.share += next.change.share;
            result.peakShare = std::max(result.peakShare, m_level.share);
            result.peakActivation = std::max(result.peakActivation, m_level.bytes);
        }
    }

private:
    const std::vector<HeldChange>& m_held;
    std::vector<HeldChange> m_outs, m_backs;
    ActivationChange m_level;
};

} // namespace

bool HostPlan::begin(const PipelineSpec& spec, const Costs& costs)
{
    m_cells.clear();
    m_spec = &spec;
    m_costs = &costs;
    if (costs.offload.cells.empty())
        return false;
    m_table = PassTable(spec);
    m_marks.assign(indexOf(m_table.firstUpdate() / PassTable::slotsPerCell), -1);
    for (const Pass& cell : costs.offload.cells) {
        m_marks[indexOf(m_table.cell(cell.stage, cell.microBatch, cell.segment))] =
            static_cast<std::int32_t>(m_cells.size());
        HostCell& made = m_cells.emplace_back();
        made.cell = cell;
        made.device = spec.device(cell.route, cell.stage);
    }
    m_worked.assign(static_cast<std::size_t>(spec.devices), {0});
    m_firstEntry.assign(static_cast<std::size_t>(spec.devices), EntryId(0));
    return true;
}

void HostPlan::add(DeviceId device, EntryId entry, const OrderEntry& passes, Ticks time)
{
    std::vector<Ticks>& worked = m_worked[static_cast<std::size_t>(device)];
    if (worked.size() == 1)
        m_firstEntry[static_cast<std::size_t>(device)] = entry;
    worked.push_back(worked.back() + time);
    addPass(device, entry, passes.pass);
    if (passes.paired)
        addPass(device, entry, passes.partner);
}

void HostPlan::addPass(DeviceId device, EntryId entry, const Pass& pass)
{
    if (pass.kind == PassKind::U || pass.kind == PassKind::W || !belongs(*m_spec, pass, device))
        return;
    const std::int32_t mark =
        m_marks[indexOf(m_table.cell(pass.stage, pass.microBatch, pass.segment))];
    if (mark < 0)
        return;
    HostCell& cell = m_cells[indexOf(mark)];
    if (pass.kind == PassKind::F) {
        if (cell.forward < 0)
            cell.forward = entry;
        return;
    }
    cell.recomputed = cell.recomputed || pass.kind == PassKind::R;
    if (cell.forward < 0 || cell.forward == entry)
        cell.lost = cell.lost || isBackward(pass.kind);
    else if (cell.needed < 0)
        cell.needed = entry;
}

void HostPlan::finish()
{
    std::erase_if(m_cells, [](const HostCell& cell) { return cell.forward < 0 || cell.lost; });
    for (HostCell& cell : m_cells) {
        const ActivationCost& cost =
            m_costs->activation[cellIndex(*m_spec, cell.cell.stage, cell.cell.segment)];
        const ActivationChange left = activationChange(cost, PassKind::F, cell.recomputed);
        cell.bytes = left.bytes;
        cell.share = left.share;
        cell.way = hostCopyTime(m_costs->offload, cell.bytes);
    }
    std::sort(m_cells.begin(), m_cells.end(), [](const HostCell& a, const HostCell& b) {
        // What is never needed comes last.
        return std::tuple(a.device, static_cast<std::uint32_t>(a.needed), a.forward, a.cell) <
               std::tuple(b.device, static_cast<std::uint32_t>(b.needed), b.forward, b.cell);
    });
    m_byForward.resize(m_cells.size());
    std::iota(m_byForward.begin(), m_byForward.end(), 0);
    std::sort(m_byForward.begin(), m_byForward.end(), [this](std::int32_t a, std::int32_t b) {
        const HostCell &one = m_cells[indexOf(a)], &other = m_cells[indexOf(b)];
        return std::tuple(one.device, one.forward, a) < std::tuple(other.device, other.forward, b);
    });
    m_begin.assign(static_cast<std::size_t>(m_spec->devices) + 1, 0);
    for (const HostCell& cell : m_cells)
        ++m_begin[static_cast<std::size_t>(cell.device) + 1];
    std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
    for (const DeviceId device : Ids<DeviceId>(m_spec->devices))
        askBack(device);
}

void HostPlan::askBack(DeviceId device)
{
    const std::vector<Ticks>& worked = m_worked[static_cast<std::size_t>(device)];
    const EntryId firstEntry = m_firstEntry[device.index()];
    Ticks next = endOfTime;
    for (std::int32_t i = first(device + 1); i-- > first(device);) {
        HostCell& cell = m_cells[indexOf(i)];
        if (cell.needed < 0)
            continue;
        next = std::min(worked[indexOf(cell.needed - firstEntry)], next) - cell.way;
        // The last entry that has begun by then.
        const auto at = std::upper_bound(worked.begin(), worked.end(), next) - worked.begin() - 1;
        cell.asked =
            std::clamp(firstEntry + static_cast<std::int32_t>(at), cell.forward + 1, cell.needed);
    }
    EntryId latest;
    for (std::int32_t i = first(device); i < first(device + 1); ++i) {
        HostCell& cell = m_cells[indexOf(i)];
        if (cell.needed >= 0)
            cell.asked = latest = std::max(latest, cell.asked);
    }
}

bool HostPlan::make(const Schedule& schedule, const Costs& costs)
{
    if (!begin(schedule.spec(), costs))
        return false;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        for (const EntryId i : schedule.entries(device)) {
            const OrderEntry entry = schedule.entry(i);
            add(device, i, entry, entryTime(costs, schedule.spec(), entry));
        }
    }
    finish();
    return true;
}

bool HostClock::begin(const Schedule& schedule, const Costs& costs)
{
    if (!m_plan.make(schedule, costs))
        return false;
    start(schedule.devices());
    return true;
}

void HostClock::start(int devices)
{
    m_devices.assign(static_cast<std::size_t>(devices), Device{});
    m_held.assign(static_cast<std::size_t>(devices), {});
    for (const DeviceId device : Ids<DeviceId>(devices)) {
        Device& fresh = m_devices[static_cast<std::size_t>(device)];
        fresh.next = fresh.leaving = m_plan.first(device);
    }
    m_copies.clear();
    for (const HostCell& cell : m_plan.cells()) {
        HostCopy& copy = m_copies.emplace_back();
        copy.cell = cell.cell;
        copy.device = cell.device;
        copy.forward = cell.forward;
        copy.needed = cell.needed;
        copy.bytes = cell.bytes;
        copy.share = cell.share;
    }
}

Ticks HostClock::ready(DeviceId device, EntryId entry, Ticks start,
                       const std::vector<Ticks>& starts, const std::vector<Ticks>& ends)
{
    Device& state = m_devices[static_cast<std::size_t>(device)];
    const std::int32_t last = m_plan.first(device + 1);
    for (; state.next < last && m_copies[indexOf(state.next)].needed == entry; ++state.next) {
        const HostCell& cell = m_plan.cells()[indexOf(state.next)];
        HostCopy& copy = m_copies[indexOf(state.next)];
        const Ticks asked =
            cell.asked < entry ? starts[indexOf(cell.asked)] : ends[indexOf(entry - 1)];
        copy.backStart = std::max({asked, copy.outEnd, state.backFree});
        copy.backEnd = state.backFree = copy.backStart + cell.way;
        copy.wait = std::max<Ticks>(copy.backEnd - start, 0);
        start = std::max(start, copy.backEnd);
    }
    return start;
}

void HostClock::ended(DeviceId device, EntryId entry, Ticks end)
{
    Device& state = m_devices[static_cast<std::size_t>(device)];
    const std::int32_t last = m_plan.first(device + 1);
    for (; state.leaving < last; ++state.leaving) {
        const std::int32_t at = m_plan.byForward(state.leaving);
        HostCopy& copy = m_copies[indexOf(at)];
        if (copy.forward != entry)
            break;
        copy.outStart = std::max(end, state.outFree);
        copy.outEnd = state.outFree = copy.outStart + m_plan.cells()[indexOf(at)].way;
    }
}

void HostClock::held(DeviceId device, Ticks time, const ActivationChange& change)
{
    m_held[static_cast<std::size_t>(device)].push_back({time, change});
}

void HostClock::settle(SimResult& result) const
{
    result.copies = m_copies;
    for (std::size_t device = 0; device < m_devices.size(); ++device) {
        const auto first = indexOf(m_plan.first(DeviceId(device)));
        const auto last = indexOf(m_plan.first(DeviceId(device + 1)));
        if (first < last)
            PeakOfDevice(m_held[device], std::span(m_copies).subspan(first, last - first))
                .run(result.devices[device]);
    }
}

double HostTraffic::hidden() const
{
    if (copying <= 0)
        return 1;
    return std::clamp(1 - static_cast<double>(waiting) / static_cast<double>(copying), 0.0, 1.0);
}

HostTraffic hostTraffic(const SimResult& result, DeviceId device)
{
    HostTraffic traffic;
    std::vector<std::pair<Ticks, Bytes>> changes;
    for (const HostCopy& copy : result.copies) {
        if (copy.device != device)
            continue;
        ++traffic.cells;
        traffic.bytes += copy.bytes;
        traffic.copying += copy.outEnd - copy.outStart;
        changes.emplace_back(copy.outStart, copy.bytes);
        if (copy.needed < 0)
            continue;
        traffic.copying += copy.backEnd - copy.backStart;
        traffic.waiting += copy.wait;
        changes.emplace_back(copy.backEnd, -copy.bytes);
    }
    // Sorted, what is back comes before what leaves at the same time.
    std::sort(changes.begin(), changes.end());
    Bytes level = 0;
    for (const auto& [time, bytes] : changes) {
        level += bytes;
        traffic.peakOnHost = std::max(traffic.peakOnHost, level);
    }
    return traffic;
}

} // namespace pw

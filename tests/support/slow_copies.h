// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/offload.h"
#include "core/sim/dependencies.h"

#include <QtGlobal>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace pw::test {

/// A way to the host and back as the slow simulator has it.
struct SlowCopy
{
    Pass cell;
    int device = 0;
    std::int32_t forward = -1, needed = -1, asked = -1;
    Ticks way = 0;
    Bytes bytes = 0;
    Ticks outStart = -1, outEnd = -1, backStart = -1, backEnd = -1;
};

/// Goes from one tick to the next and starts whatever can start, passes and copies, with queues for
/// the copy engines. Slow and obvious; short times and early messages alone.
class SlowRun
{
public:
    SlowRun(const Schedule& schedule, const Costs& costs)
        : m_schedule(schedule)
        , m_costs(costs)
        , start(static_cast<std::size_t>(schedule.entryCount()), -1)
        , end(start)
        , m_next(static_cast<std::size_t>(schedule.devices()))
        , m_outs(m_next.size())
        , m_backs(m_next.size())
    {
        for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
            m_next[at(device)] = schedule.begin(device);
        findCopies();
    }

    void run()
    {
        for (Ticks now = 0; !finished(); ++now) {
            if (now > 1'000'000)
                qFatal("the slow simulator does not end");
            while (step(now)) {
            }
        }
    }

    /// The most activation at once, counted at every tick.
    std::pair<Bytes, Share> peaks(DeviceId device) const
    {
        std::map<Ticks, std::pair<Bytes, Share>> changes;
        const auto change = [&](Ticks time, Bytes bytes, Share share) {
            changes[time].first += bytes;
            changes[time].second += share;
        };
        for (const EntryId i : m_schedule.entries(device)) {
            const OrderEntry entry = m_schedule.entry(i);
            std::vector<Pass> passes{entry.pass};
            if (entry.paired)
                passes.push_back(entry.partner);
            for (const Pass& pass : passes) {
                if (pass.kind == PassKind::U)
                    continue;
                const auto by =
                    activationChange(cost(pass), pass.kind, m_schedule.recomputed(pass));
                const bool adds = pass.kind == PassKind::F || pass.kind == PassKind::R;
                change(adds ? start[at(i)] : end[at(i)], by.bytes, by.share);
            }
        }
        for (const SlowCopy& copy : copies) {
            if (copy.device != device)
                continue;
            const auto by =
                activationChange(cost(copy.cell), PassKind::F, m_schedule.recomputed(copy.cell));
            change(copy.outEnd, -by.bytes, -by.share);
            change(copy.backStart, by.bytes, by.share);
        }
        std::pair<Bytes, Share> level, peak;
        for (const auto& [time, by] : changes) {
            level.first += by.first;
            level.second += by.second;
            peak.first = std::max(peak.first, level.first);
            peak.second = std::max(peak.second, level.second);
        }
        return peak;
    }

private:
    const Schedule& m_schedule;
    const Costs& m_costs;

public:
    std::vector<Ticks> start, end;
    std::vector<SlowCopy> copies; ///< by device and need

private:
    static std::size_t at(std::int32_t number) { return static_cast<std::size_t>(number); }

    const ActivationCost& cost(const Pass& pass) const
    {
        return m_costs.activation[cellIndex(m_schedule.spec(), pass.stage, pass.segment)];
    }

    Ticks timeOf(EntryId entry) const
    {
        return entryTime(m_costs, m_schedule.spec(), m_schedule.entry(entry));
    }

    void findCopies()
    {
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            std::vector<SlowCopy> own;
            for (const Pass& cell : m_costs.offload.cells) {
                if (m_schedule.spec().device(cell.route, cell.stage) != device)
                    continue;
                SlowCopy copy;
                copy.cell = cell;
                copy.device = device;
                for (const EntryId i : m_schedule.entries(device)) {
                    const OrderEntry entry = m_schedule.entry(i);
                    for (Pass pass : {entry.pass, entry.paired ? entry.partner : entry.pass}) {
                        const PassKind kind = pass.kind;
                        pass.kind = PassKind::F;
                        if (kind == PassKind::U || pass != cell)
                            continue;
                        if (kind == PassKind::F)
                            copy.forward = i;
                        else if (copy.needed < 0)
                            copy.needed = i;
                    }
                }
                copy.bytes = m_schedule.recomputed(cell) ? cost(cell).stash : cost(cell).activation;
                copy.way = hostCopyTime(m_costs.offload, copy.bytes);
                own.push_back(copy);
            }
            std::sort(own.begin(), own.end(),
                      [](const SlowCopy& a, const SlowCopy& b) { return a.needed < b.needed; });
            ask(own, device);
            copies.insert(copies.end(), own.begin(), own.end());
        }
    }

    /// The entries at whose start copies back are asked for: slots from right to left in the time
    /// that the device works.
    void ask(std::vector<SlowCopy>& own, DeviceId device) const
    {
        const auto workBefore = [&](std::int32_t entry) {
            Ticks sum = 0;
            for (EntryId i = m_schedule.begin(device); i < entry; ++i)
                sum += timeOf(i);
            return sum;
        };
        Ticks taken = std::numeric_limits<Ticks>::max();
        for (auto copy = own.rbegin(); copy != own.rend(); ++copy) {
            taken = std::min(taken, workBefore(copy->needed)) - copy->way;
            copy->asked = copy->needed;
            while (copy->asked > copy->forward + 1 && workBefore(copy->asked) > taken)
                --copy->asked;
        }
        for (std::size_t i = 1; i < own.size(); ++i)
            own[i].asked = std::max(own[i].asked, own[i - 1].asked);
    }

    bool finished() const
    {
        return std::none_of(end.begin(), end.end(), [](Ticks time) { return time < 0; });
    }

    /// @return whether anything happened
    bool step(Ticks now)
    {
        bool moved = false;
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices()))
            moved = stepPass(device, now) || stepOut(device, now) || stepBack(device, now) || moved;
        return moved;
    }

    /// Whether the device has ended everything before an entry.
    bool free(DeviceId device, std::int32_t entry, Ticks now) const
    {
        return entry == m_schedule.begin(device) ||
               (end[at(entry - 1)] >= 0 && end[at(entry - 1)] <= now);
    }

    bool stepPass(DeviceId device, Ticks now)
    {
        const EntryId entry(m_next[at(device)]);
        if (entry == m_schedule.end(device) || !free(device, entry, now))
            return false;
        bool asked = false;
        for (std::size_t i = 0; i < copies.size(); ++i)
            if (copies[i].needed == entry && copies[i].asked == entry && copies[i].device == device)
                asked = askFor(i) || asked;
        for (const SlowCopy& copy : copies)
            if (copy.device == device && copy.needed == entry &&
                (copy.backEnd < 0 || copy.backEnd > now))
                return asked;
        const Schedule::Places& here = m_schedule.places()[at(entry)];
        for (const PassId id : {here.first, here.second})
            if (id.valid() && !inputsThere(id, now))
                return asked;
        start[at(entry)] = now;
        end[at(entry)] = now + timeOf(entry);
        ++m_next[at(device)];
        for (std::size_t i = 0; i < copies.size(); ++i) {
            if (copies[i].device == device && copies[i].asked == entry)
                askFor(i);
            if (copies[i].device == device && copies[i].forward == entry)
                m_outs[at(device)].push_back(i);
        }
        return true;
    }

    bool askFor(std::size_t copy)
    {
        auto& asked = m_asked;
        if (std::find(asked.begin(), asked.end(), copy) != asked.end())
            return false;
        asked.push_back(copy);
        m_backs[at(copies[copy].device)].push_back(copy);
        return true;
    }

    bool inputsThere(PassId id, Ticks now) const
    {
        std::vector<Dependency> needs;
        Dependencies(m_schedule).append(id, needs);
        for (const Dependency& need : needs) {
            const Ticks made = end[at(m_schedule.entryOf(need.producer))];
            if (made < 0)
                return false;
            Ticks there = made;
            if (need.message)
                there = arrival(m_costs, m_schedule.spec(), m_schedule.device(need.producer),
                                m_schedule.device(id),
                                messageBytes(m_costs, m_schedule.spec(),
                                             m_schedule.pass(need.producer), m_schedule.kind(id)),
                                made);
            if (there > now)
                return false;
        }
        return true;
    }

    bool stepOut(int device, Ticks now)
    {
        auto& queue = m_outs[at(device)];
        if (queue.empty())
            return false;
        SlowCopy& copy = copies[queue.front()];
        if (copy.outStart < 0 && end[at(copy.forward)] <= now) {
            copy.outStart = now;
            copy.outEnd = now + copy.way;
            return true;
        }
        if (copy.outStart < 0 || copy.outEnd > now)
            return false;
        queue.pop_front();
        return true;
    }

    bool stepBack(int device, Ticks now)
    {
        auto& queue = m_backs[at(device)];
        if (queue.empty())
            return false;
        SlowCopy& copy = copies[queue.front()];
        if (copy.backStart < 0 && copy.outEnd >= 0 && copy.outEnd <= now) {
            copy.backStart = now;
            copy.backEnd = now + copy.way;
            return true;
        }
        if (copy.backStart < 0 || copy.backEnd > now)
            return false;
        queue.pop_front();
        return true;
    }

    std::vector<std::int32_t> m_next;
    std::vector<std::deque<std::size_t>> m_outs, m_backs;
    std::vector<std::size_t> m_asked;
};

} // namespace pw::test

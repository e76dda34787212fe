// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/waits.h"

#include "core/base/index.h"
#include "core/sim/last_input.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pw {

namespace {

DeviceId deviceOf(const Schedule& schedule, EntryId entry)
{
    return schedule.device(schedule.places()[at(entry)].first);
}

/// Goes through the entries of every device in their order.
class Waits
{
public:
    /// @param first, last  devices of whose entries the waits are wanted
    Waits(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
          DeviceId first, DeviceId last)
        : m_schedule(schedule)
        , m_times(times)
        , m_arrivals(arrivals)
        , m_rules(schedule)
        , m_first(schedule.begin(first))
        , m_end(schedule.end(last))
        , m_waits(at(m_end - m_first))
    {
        for (DeviceId device = first; device <= last; ++device)
            findFree(device);
    }

    std::vector<Wait> run()
    {
        findLinks();
        for (const EntryId e : Ids<EntryId>(m_first, m_end))
            if (timed(e))
                findInput(e);
        return std::move(m_waits);
    }

private:
    using Link = std::pair<DeviceId, DeviceId>;

    Wait& waitOf(EntryId entry) { return m_waits[at(entry - m_first)]; }
    /// An entry that was never recorded has no times.
    bool timed(EntryId entry) const { return m_times.end[at(entry)] > 0; }

    const std::vector<EntryInput>& inputsOf(EntryId entry)
    {
        m_rules.find(entry, m_inputs);
        m_inputs.erase(
            std::remove_if(m_inputs.begin(), m_inputs.end(),
                           [this](const EntryInput& one) { return !timed(one.producer); }),
            m_inputs.end());
        return m_inputs;
    }

    void findFree(DeviceId device)
    {
        Ticks free = 0;
        EntryId before;
        for (const EntryId e : m_schedule.entries(device)) {
            if (!timed(e))
                continue;
            Wait& wait = waitOf(e);
            wait.free = free;
            wait.before = before;
            wait.begun = std::max(free, m_times.start[at(e)]);
            if (m_times.end[at(e)] >= free) {
                free = m_times.end[at(e)];
                before = e;
            }
        }
    }

    /// How long a message takes, by link; what a link brings to a device follows from its entries.
    void findLinks()
    {
        std::map<Link, std::vector<Ticks>> waited;
        for (const EntryId e : Ids<EntryId>(m_first, m_end)) {
            if (!timed(e))
                continue;
            const DeviceId device = deviceOf(m_schedule, e);
            const Ticks start = m_times.start[at(e)];
            DeviceId from; // of the last input
            Ticks produced = waitOf(e).free;
            for (const EntryInput& input : inputsOf(e)) {
                if (!input.message)
                    continue;
                const Ticks end = m_times.end[at(input.producer)];
                const DeviceId other = deviceOf(m_schedule, input.producer);
                const Ticks gap = std::max<Ticks>(0, start - end);
                const auto [link, made] = m_links.try_emplace({other, device}, gap);
                link->second = std::min(link->second, gap);
                if (end > produced) {
                    from = other;
                    produced = end;
                }
            }
            if (from >= 0 && produced <= start)
                waited[{from, device}].push_back(start - produced);
        }
        for (auto& [link, times] : waited) {
            std::sort(times.begin(), times.end());
            m_links[link] = times[(times.size() - 1) / 2];
        }
    }

    void findInput(EntryId entry)
    {
        Wait& wait = waitOf(entry);
        for (const EntryInput& one : inputsOf(entry)) {
            Wait input = wait;
            input.producer = one.producer;
            input.pass = one.pass;
            input.message = one.message;
            input.known = true;
            input.produced = input.sent = input.there = m_times.end[at(one.producer)];
            if (one.message) {
                if (const RecordedMessage* message = m_arrivals.of(one.pass)) {
                    input.sent = std::max(input.produced, message->started);
                    input.there = std::max(input.sent, message->ended);
                } else {
                    input.there += m_links.at(
                        {deviceOf(m_schedule, one.producer), deviceOf(m_schedule, entry)});
                    input.known = false;
                }
            }
            if (wait.producer < 0 || cameLater(input, wait))
                wait = input;
        }
    }

    const Schedule& m_schedule;
    const SimResult& m_times;
    const RecordedArrivals& m_arrivals;
    EntryInputs m_rules;
    std::vector<EntryInput> m_inputs;
    std::map<Link, Ticks> m_links;
    EntryId m_first;
    EntryId m_end;
    std::vector<Wait> m_waits;
};

} // namespace

void EntryInputs::find(EntryId entry, std::vector<EntryInput>& inputs)
{
    inputs.clear();
    m_needs.clear();
    const Schedule::Places& places = m_schedule.places()[at(entry)];
    m_rules.append(places.first, m_needs);
    if (places.second.valid())
        m_rules.append(places.second, m_needs);
    for (const Dependency& need : m_needs) {
        const EntryId producer = m_schedule.entryOf(need.producer);
        if (producer >= 0 && producer != entry)
            inputs.push_back({producer, need.producer, need.message});
    }
}

std::vector<Wait> waitsOf(const Schedule& schedule, const SimResult& times,
                          const RecordedArrivals& arrivals)
{
    if (schedule.devices() == 0)
        return {};
    return Waits(schedule, times, arrivals, DeviceId(0), DeviceId(schedule.devices() - 1)).run();
}

std::vector<Wait> waitsOfDevice(const Schedule& schedule, const SimResult& times,
                                const RecordedArrivals& arrivals, DeviceId device)
{
    return Waits(schedule, times, arrivals, device, device).run();
}

std::vector<ChainLink> decidingChain(const Schedule& schedule, const SimResult& times,
                                     const RecordedArrivals& arrivals)
{
    std::vector<ChainLink> chain;
    if (schedule.entryCount() == 0)
        return chain;
    const std::vector<Wait> waits = waitsOf(schedule, times, arrivals);
    std::vector<bool> seen(waits.size(), false);
    EntryId last(std::max_element(times.end.begin(), times.end.end()) - times.end.begin());
    while (true) {
        const Wait& wait = waits[at(last)];
        const Ticks start = times.start[at(last)];
        seen[at(last)] = true;
        // A damaged record could otherwise lead forward in time, or to where the walk has been.
        const auto earlier = [&](EntryId cause) {
            return cause >= 0 && !seen[at(cause)] && times.start[at(cause)] <= start;
        };
        const bool forInput = wait.forInput();
        EntryId cause = forInput ? wait.producer : wait.before;
        if (!earlier(cause))
            cause = forInput ? wait.before : wait.producer;
        if (!earlier(cause)) {
            chain.push_back({last, 0, false});
            break;
        }
        chain.push_back({last, start - times.end[at(cause)],
                         deviceOf(schedule, cause) != deviceOf(schedule, last)});
        last = cause;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace pw

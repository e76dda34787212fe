// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/percent.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/sim/last_input.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <optional>
#include <string>

// What the explanations of passes and those of charts share; nobody else includes this.
namespace pw::explaining {

inline std::string explainedPercent(Ticks part, Ticks whole)
{
    return whole > 0 ? percentText(static_cast<double>(part), static_cast<double>(whole))
                     : percentText(0);
}

inline Sentence explainedShare(Share share)
{
    const std::string number = plainNumber(microBatchesFromShare(share));
    if (number == "1")
        return said("%1 micro-batch", number);
    return said("%1 micro-batches", number);
}

/// What there is to ask, and the answers that several sentences need.
class Asked
{
public:
    Asked(const Schedule& schedule, const Costs& costs, const SimResult& result)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_result(result)
    {
    }

    const Schedule& schedule() const { return m_schedule; }
    const Costs& costs() const { return m_costs; }
    const SimResult& result() const { return m_result; }
    Ticks start(EntryId entry) const { return m_result.start[at(entry)]; }
    Ticks end(EntryId entry) const { return m_result.end[at(entry)]; }

    Sentence name(EntryId entry) const
    {
        const OrderEntry there = m_schedule.entry(entry);
        const Sentence pass = describe(there.pass, m_schedule.spec());
        return there.paired ? said("%1 with %2", pass, describe(there.partner, m_schedule.spec()))
                            : pass;
    }

    DeviceId deviceOf(EntryId entry) const
    {
        DeviceId device{0};
        while (m_schedule.end(device) <= entry)
            ++device;
        return device;
    }

    /// How much later the end comes when an entry takes longer, or sooner below 0; none where its
    /// times cannot be changed so.
    std::optional<Ticks> endMoves(EntryId entry, Ticks by) const
    {
        const OrderEntry there = m_schedule.entry(entry);
        const Ticks time = end(entry) - start(entry) + by;
        if (there.paired || time < 0)
            return std::nullopt;
        Costs changed = m_costs;
        const auto place =
            std::lower_bound(changed.single.begin(), changed.single.end(), there.pass,
                             [](const PassTime& a, const Pass& b) { return a.pass < b; });
        if (place != changed.single.end() && place->pass == there.pass)
            place->time = time;
        else
            changed.single.insert(place, {there.pass, time});
        const auto after = simulate(m_schedule, changed);
        return after ? std::optional(after->makespan - m_result.makespan) : std::nullopt;
    }

    std::optional<InputArrival> lastInput(EntryId entry) const
    {
        return pw::lastInput(m_schedule, m_costs, m_result, entry);
    }

private:
    static std::size_t at(EntryId entry) { return static_cast<std::size_t>(entry); }

    const Schedule& m_schedule;
    const Costs& m_costs;
    const SimResult& m_result;
};

inline Result<void> checkDevice(const Schedule& schedule, DeviceId device)
{
    if (device >= -1 && device < schedule.devices())
        return {};
    return fail(ErrorCode::BadValue, "there is no device %1; 0 to %2", device,
                schedule.devices() - 1);
}

} // namespace pw::explaining

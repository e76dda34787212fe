// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/account.h"

#include "core/base/index.h"
#include "core/io/costs_file.h"
#include "core/trace/match.h"
#include "core/trace/waits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pw {

namespace {

/// An entry that was never recorded has no times.
bool timed(const SimResult& times, EntryId entry)
{
    return times.end[at(entry)] > 0;
}

/// By entry: whether a wait before it is one for the pipeline to fill or to drain.
std::vector<bool> rampEntries(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const bool flush = spec.updateRule == UpdateRule::Flush;
    const auto stepOf = [&](const Pass& pass) {
        if (!flush)
            return std::size_t{0};
        return at(pass.kind == PassKind::U ? pass.microBatch : pass.microBatch / spec.microBatches);
    };
    const auto any = [](const OrderEntry& entry, bool (*is)(PassKind)) {
        return is(entry.pass.kind) || (entry.paired && is(entry.partner.kind));
    };
    std::vector<bool> ramp(at(schedule.entryCount()), false);
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        std::vector<bool> seen(at(spec.steps), false);
        for (const EntryId e : schedule.entries(device)) {
            const OrderEntry entry = schedule.entry(e);
            const std::size_t step = stepOf(entry.pass);
            ramp[at(e)] = !seen[step];
            if (any(entry, isBackward))
                seen[step] = true;
        }
        seen.assign(at(spec.steps), false);
        for (EntryId e(schedule.end(device) - 1); e >= schedule.begin(device); --e) {
            const OrderEntry entry = schedule.entry(e);
            const std::size_t step = stepOf(entry.pass);
            if (any(entry, [](PassKind kind) { return kind == PassKind::F; }))
                seen[step] = true;
            if (!seen[step])
                ramp[at(e)] = true;
        }
    }
    return ramp;
}

/// Goes through the entries in an order in which those that one waits for come before it.
class Accountant
{
public:
    Accountant(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
               std::span<const Ticks> usual)
        : m_schedule(schedule)
        , m_times(times)
        , m_usual(usual)
        , m_rules(schedule)
        , m_even(evenTimes(schedule, usual))
        , m_ramp(rampEntries(schedule))
        , m_waits(waitsOf(schedule, times, arrivals))
        , m_done(at(schedule.devices()))
        , m_chains(m_done.size())
        , m_most(m_done.size())
        , m_ends(m_waits.size())
    {
    }

    Account run()
    {
        findFence();
        walk();
        finish();
        Account account;
        account.wall = m_times.makespan;
        for (std::vector<LossStretch>& stretches : m_done)
            account.ranks.push_back(accountOf(std::move(stretches)));
        return account;
    }

private:
    /// What makes up the time from 0 to a moment along the chain that decided it.
    struct Chain
    {
        enum Part
        {
            Even,   // passes, as long as they would take with the work split evenly
            Beyond, // what they usually take more, or below 0 less
            Late,   // what they took more than usual or less; launch gaps
            Flight,
            Unknown,
            PartCount
        };
        std::array<Ticks, PartCount> parts{};
        // The entries that added most to Beyond and Late, and how much.
        EntryId mostBeyond, mostLate;
        Ticks beyond = 0, late = 0;

        void add(Part part, Ticks time, EntryId entry)
        {
            parts[part] += time;
            if (part == Beyond && time > beyond) {
                beyond = time;
                mostBeyond = entry;
            } else if (part == Late && time > late) {
                late = time;
                mostLate = entry;
            }
        }
    };

    /// How long a device may take to begin with everything there.
    void findFence()
    {
        std::vector<Ticks> launches;
        for (const EntryId e : m_schedule.entries()) {
            const Wait& wait = m_waits[at(e)];
            if (timed(m_times, e) && (wait.there <= wait.free || wait.known))
                launches.push_back(
                    std::max<Ticks>(0, wait.begun - std::max(wait.free, wait.there)));
        }
        const Spread spread = spreadOf(std::move(launches));
        m_fence = spread.high + (spread.high - spread.low) * 3 / 2;
    }

    void walk()
    {
        const Ids<DeviceId> devices(m_schedule.devices());
        std::vector<EntryId> next;
        for (const DeviceId d : devices)
            next.push_back(m_schedule.begin(d));
        std::vector<bool> passed(at(m_schedule.entryCount()), false);
        std::vector<EntryInput> inputs;
        const auto ready = [&](EntryId entry) {
            m_rules.find(entry, inputs);
            return std::all_of(inputs.begin(), inputs.end(),
                               [&](const EntryInput& input) { return passed[at(input.producer)]; });
        };
        for (bool moved = true; moved;) {
            moved = false;
            for (const DeviceId d : devices) {
                EntryId& entry = next[d.index()];
                while (entry < m_schedule.end(d) && ready(entry)) {
                    append(entry, d);
                    passed[at(entry++)] = true;
                    moved = true;
                }
            }
        }
        // An order that waits for itself in a ring never ran like this: nothing explains its waits.
        for (const DeviceId d : devices) {
            for (const EntryId entry : Ids<EntryId>(next[d.index()], m_schedule.end(d))) {
                const Wait& wait = m_waits[at(entry)];
                if (!timed(m_times, entry))
                    continue;
                put(m_done[d.index()], wait.free, wait.begun, LossCause::Unexplained, entry);
                m_chains[d.index()].add(Chain::Unknown, wait.begun - wait.free, entry);
                appendRun(entry, d);
            }
        }
    }

    void append(EntryId entry, DeviceId device)
    {
        if (!timed(m_times, entry))
            return;
        const Wait& wait = m_waits[at(entry)];
        std::vector<LossStretch>& done = m_done[at(device)];
        Chain& chain = m_chains[at(device)];
        const Ticks there = std::clamp(wait.there, wait.free, wait.begun);
        if (wait.free < there) {
            // Cut where clocks or records are wrong.
            Chain other = m_ends[at(wait.producer)];
            const auto cut = [&](Ticks time) { return std::min(time, wait.begun); };
            other.parts[Chain::Even] -= wait.produced - cut(wait.produced);
            other.add(Chain::Late, cut(wait.sent) - cut(wait.produced), wait.producer);
            other.add(Chain::Flight, there - cut(wait.sent), entry);
            appendWait(wait.free, there, other, wait.producer, m_ramp[at(entry)], done,
                       m_most[at(device)]);
            chain = other;
        }
        const bool launch = wait.there <= wait.free || wait.known;
        const Ticks usual = launch ? std::min(wait.begun, there + m_fence) : there;
        put(done, there, usual, LossCause::LaunchGap, entry);
        chain.add(Chain::Late, usual - there, entry);
        put(done, usual, wait.begun, LossCause::Unexplained, entry);
        chain.add(Chain::Unknown, wait.begun - usual, entry);
        remember(device);
        appendRun(entry, device);
    }

    void appendRun(EntryId entry, DeviceId device)
    {
        const Ticks start = m_times.start[at(entry)], end = m_times.end[at(entry)];
        const Ticks from = m_waits[at(entry)].begun;
        Chain& chain = m_chains[at(device)];
        m_ends[at(entry)] = chain;
        if (from >= end) {
            // Inside another pass: its end lies before that of the chain.
            m_ends[at(entry)].parts[Chain::Even] -= from - end;
            return;
        }
        const Ticks usual = std::clamp(start + m_usual[at(entry)], from, end);
        const bool again = m_schedule.places()[at(entry)].kind() == PassKind::R;
        put(m_done[at(device)], from, usual, again ? LossCause::Recompute : LossCause::Computing,
            entry);
        put(m_done[at(device)], usual, end, LossCause::Jitter, entry);
        chain.add(Chain::Even, m_even[at(entry)], entry);
        chain.add(Chain::Beyond, m_usual[at(entry)] - m_even[at(entry)], entry);
        chain.add(Chain::Late, end - from - m_usual[at(entry)], entry);
        m_ends[at(entry)] = chain;
        remember(device);
    }

    /// What a device has once lost is not lost again when another chain brings it.
    void remember(DeviceId device)
    {
        for (std::size_t part = 0; part < Chain::PartCount; ++part)
            m_most[at(device)][part] =
                std::max(m_most[at(device)][part], m_chains[at(device)].parts[part]);
    }

    /// A wait for an entry of another device, which ends a chain; `own` is the most that the
    /// waiting device's chains had of each part.
    static void appendWait(Ticks from, Ticks to, const Chain& other, EntryId producer, bool ramp,
                           std::vector<LossStretch>& done,
                           const std::array<Ticks, Chain::PartCount>& own)
    {
        Ticks left = to - from;
        const auto take = [&](Chain::Part part) {
            const Ticks more = std::clamp<Ticks>(other.parts[part] - own[part], 0, left);
            left -= more;
            return more;
        };
        const Ticks unknown = take(Chain::Unknown), late = take(Chain::Late),
                    beyond = take(Chain::Beyond), flight = take(Chain::Flight);
        const auto next = [&](Ticks time, LossCause cause, EntryId entry) {
            put(done, from, from + time, cause, entry);
            from += time;
        };
        next(left, ramp ? LossCause::WarmUpCoolDown : LossCause::Dependency, producer);
        next(flight, LossCause::Transfer, producer);
        next(beyond, LossCause::Imbalance, other.mostBeyond);
        next(late, LossCause::PeerLate, other.mostLate);
        next(unknown, LossCause::Unexplained, producer);
    }

    static void put(std::vector<LossStretch>& stretches, Ticks from, Ticks to, LossCause cause,
                    EntryId entry)
    {
        if (from >= to)
            return;
        if (!stretches.empty() && stretches.back().cause == cause &&
            stretches.back().entry == entry)
            stretches.back().end = to;
        else
            stretches.push_back({from, to, cause, entry});
    }

    /// From the last pass of a device to the end of all.
    void finish()
    {
        const auto last = std::max_element(m_times.end.begin(), m_times.end.end());
        if (last == m_times.end.end() || *last <= 0)
            return;
        const EntryId entry(last - m_times.end.begin());
        for (std::size_t d = 0; d < m_done.size(); ++d) {
            const Ticks free = m_done[d].empty() ? 0 : m_done[d].back().end;
            if (free < *last)
                appendWait(free, *last, m_ends[at(entry)], entry, true, m_done[d], m_most[d]);
        }
    }

    static RankAccount accountOf(std::vector<LossStretch>&& stretches)
    {
        RankAccount rank;
        for (const LossStretch& stretch : stretches)
            rank.parts[static_cast<std::size_t>(stretch.cause)] += stretch.end - stretch.start;
        rank.stretches = std::move(stretches);
        return rank;
    }

    const Schedule& m_schedule;
    const SimResult& m_times;
    std::span<const Ticks> m_usual;
    EntryInputs m_rules;
    std::vector<Ticks> m_even;
    std::vector<bool> m_ramp;
    std::vector<Wait> m_waits;
    Ticks m_fence = 0;
    std::vector<std::vector<LossStretch>> m_done;            // by device
    std::vector<Chain> m_chains;                             // by device, to its last end so far
    std::vector<std::array<Ticks, Chain::PartCount>> m_most; // of each part, by device
    std::vector<Chain> m_ends;                               // by entry, to its end
};

} // namespace

std::string_view name(LossCause cause)
{
    constexpr std::array<std::string_view, lossCauseCount> names = {
        "computing",  "recompute",  "warm-up and cool-down",
        "dependency", "transfer",   "peer late",
        "imbalance",  "launch gap", "jitter",
        "unexplained"};
    return names[static_cast<std::size_t>(cause)];
}

std::array<Ticks, lossCauseCount> Account::parts() const
{
    std::array<Ticks, lossCauseCount> sums{};
    for (const RankAccount& rank : ranks)
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += rank.parts[i];
    return sums;
}

Account account(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
                std::span<const Ticks> usual)
{
    return Accountant(schedule, times, arrivals, usual).run();
}

Account account(const RecoveredPipeline& pipeline)
{
    const Schedule& schedule = *pipeline.schedule;
    const std::size_t most = usualIterations(schedule);
    std::vector<SimResult> timelines;
    for (const RecoveredIteration& iteration : pipeline.iterations) {
        if (iteration.warmUp || !iteration.complete || timelines.size() == most)
            continue;
        if (Result<SimResult> times = measuredResult(schedule, iteration.passes, {}))
            timelines.push_back(std::move(*times));
    }
    if (timelines.empty())
        timelines.push_back(pipeline.measured);
    return account(schedule, pipeline.measured, {}, usualTimes(schedule, timelines));
}

} // namespace pw

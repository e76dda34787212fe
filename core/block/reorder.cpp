// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/reorder.h"

#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/sim/dependencies.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace pw {

namespace {

constexpr Ticks never = std::numeric_limits<Ticks>::max();
// Each round has to shorten something, and few find more than one shift.
constexpr int mostRounds = 8;

bool startsBefore(const BlockPass& a, const BlockPass& b)
{
    return a.start < b.start;
}

/// Passes in time that can be moved one by one; every move keeps the times possible.
class Lanes
{
public:
    Lanes(const Arrangement& arrangement, const Schedule& schedule, const Holdings& holdings,
          const std::vector<Share>& limits)
        : m_arrangement(arrangement)
        , m_table(schedule.table())
        , m_dependencies(schedule)
        , m_holdings(holdings)
        , m_limits(limits)
        , m_levels(arrangement.devices.size())
        , m_end(static_cast<std::size_t>(schedule.table().size()), 0)
    {
        for (std::size_t device = 0; device < lanes().size(); ++device) {
            for (const BlockPass& placed : lanes()[device])
                endOf(placed.pass) = placed.end();
            relevel(device, 0, lanes()[device].size());
        }
        findPhases();
    }

    const Arrangement& arrangement() const { return m_arrangement; }

    /// Moves every pass of warm-up and cool-down to the first free stretch that it fits into.
    void moveEarlier()
    {
        struct Candidate
        {
            BlockPass placed;
            std::size_t device;
        };
        std::vector<Candidate> candidates;
        for (std::size_t device = 0; device < lanes().size(); ++device) {
            for (const BlockPass& placed : lanes()[device]) {
                if (inWarmUp(placed) || inCoolDown(placed, device))
                    candidates.push_back({placed, device});
            }
        }
        // In time order a pass meets the new places of those that it waits for.
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) {
                             return startsBefore(a.placed, b.placed);
                         });
        for (const Candidate& candidate : candidates)
            moveEarlier(candidate.placed, candidate.device);
    }

    /// The same for the cool-down with its W passes taken out; they come back into the free time.
    void yieldWeights()
    {
        std::vector<std::vector<BlockPass>> weights(lanes().size());
        for (std::size_t device = 0; device < lanes().size(); ++device) {
            auto& lane = lanes()[device];
            const Ticks lastForward = m_lastForward.back()[device];
            const auto kept =
                std::stable_partition(lane.begin(), lane.end(), [&](const BlockPass& placed) {
                    return placed.pass.kind != PassKind::W || placed.start < lastForward;
                });
            weights[device].assign(kept, lane.end());
            lane.erase(kept, lane.end());
            relevel(device, 0, lane.size());
        }
        moveEarlier();
        for (std::size_t device = 0; device < lanes().size(); ++device) {
            for (const BlockPass& placed : weights[device])
                putBack(placed, device);
        }
    }

private:
    std::vector<std::vector<BlockPass>>& lanes() { return m_arrangement.devices; }

    Ticks& endOf(const Pass& pass)
    {
        return m_end[static_cast<std::size_t>(m_table.id(pass).value)];
    }

    std::size_t runOf(const Pass& pass) const
    {
        std::size_t run = 0;
        while (run + 1 < m_arrangement.runs.size() &&
               m_arrangement.runs[run + 1].firstMicroBatch <= pass.microBatch)
            ++run;
        return run;
    }

    void findPhases()
    {
        const std::size_t runs = std::max<std::size_t>(m_arrangement.runs.size(), 1);
        m_firstBackward.assign(runs, never);
        m_lastForward.assign(runs, std::vector<Ticks>(lanes().size(), -never));
        for (std::size_t device = 0; device < lanes().size(); ++device) {
            for (const BlockPass& placed : lanes()[device]) {
                const std::size_t run = runOf(placed.pass);
                if (isBackward(placed.pass.kind) && placed.pass.stage == 0)
                    m_firstBackward[run] = std::min(m_firstBackward[run], placed.start);
                if (placed.pass.kind == PassKind::F) {
                    Ticks& last = m_lastForward[run][device];
                    last = std::max(last, placed.start);
                }
            }
        }
    }

    bool inWarmUp(const BlockPass& placed) const
    {
        return placed.start < m_firstBackward[runOf(placed.pass)];
    }

    bool inCoolDown(const BlockPass& placed, std::size_t device) const
    {
        return placed.start >= m_lastForward[runOf(placed.pass)][device];
    }

    Ticks readyTime(const Pass& pass)
    {
        m_waits.clear();
        m_dependencies.append(m_table.id(pass), m_waits);
        Ticks ready = -never;
        for (const Dependency& wait : m_waits)
            ready = std::max(ready, m_end[static_cast<std::size_t>(wait.producer.value)]);
        return ready == -never ? firstTime() : ready;
    }

    /// A pass without a predecessor may start with the first of all.
    Ticks firstTime()
    {
        Ticks first = never;
        for (const auto& lane : lanes()) {
            if (!lane.empty())
                first = std::min(first, lane.front().start);
        }
        return first;
    }

    /// Levels before the passes from one position to another, from the level before the first of
    /// them.
    void relevel(std::size_t device, std::size_t from, std::size_t to)
    {
        auto& levels = m_levels[device];
        levels.resize(lanes()[device].size() + 1, 0);
        for (std::size_t i = from; i < to; ++i) {
            const Holding holding = m_holdings.of(lanes()[device][i].pass);
            levels[i + 1] = levels[i] + holding.added - holding.freed;
        }
    }

    /// The first position that a pass at `position` may move to without breaking the limit of its
    /// device.
    std::size_t firstAllowed(std::size_t device, std::size_t position, std::size_t lowest) const
    {
        const auto& lane = m_arrangement.devices[device];
        const Share added = m_holdings.of(lane[position].pass).added;
        std::size_t allowed = position;
        while (allowed > lowest) {
            const std::size_t i = allowed - 1;
            // At its new place, and while the pass that it goes before runs.
            const Share level = m_levels[device][i] + m_holdings.of(lane[i].pass).added + added;
            if (added > 0 && level > m_limits[device])
                break;
            allowed = i;
        }
        return allowed;
    }

    void moveEarlier(const BlockPass& placed, std::size_t device)
    {
        auto& lane = lanes()[device];
        const auto here = std::lower_bound(lane.begin(), lane.end(), placed, startsBefore);
        PW_ASSERT(here != lane.end() && here->pass == placed.pass);
        const Ticks ready = readyTime(placed.pass);
        if (ready >= placed.start)
            return;
        const auto position = static_cast<std::size_t>(here - lane.begin());
        const auto after = std::partition_point(
            lane.begin(), here, [&](const BlockPass& other) { return other.end() <= ready; });
        const std::size_t lowest =
            firstAllowed(device, position, static_cast<std::size_t>(after - lane.begin()));
        for (std::size_t i = lowest; i <= position; ++i) {
            const Ticks start = std::max(ready, i == 0 ? ready : lane[i - 1].end());
            if (i < position && start + placed.duration > lane[i].start)
                continue;
            lane[position].start = start;
            endOf(placed.pass) = start + placed.duration;
            const auto first = lane.begin() + static_cast<std::ptrdiff_t>(i);
            const auto last = lane.begin() + static_cast<std::ptrdiff_t>(position);
            std::rotate(first, last, last + 1);
            relevel(device, i, position + 1);
            return;
        }
    }

    /// Puts a W into the first free stretch behind its backward.
    void putBack(BlockPass placed, std::size_t device)
    {
        auto& lane = lanes()[device];
        const Ticks ready = readyTime(placed.pass);
        auto at = std::partition_point(
            lane.begin(), lane.end(), [&](const BlockPass& other) { return other.end() <= ready; });
        for (;; ++at) {
            placed.start = at == lane.begin() ? ready : std::max(ready, std::prev(at)->end());
            if (at == lane.end() || placed.end() <= at->start)
                break;
        }
        lane.insert(at, placed);
    }

    Arrangement m_arrangement;
    const PassTable& m_table;
    Dependencies m_dependencies;
    const Holdings& m_holdings;
    const std::vector<Share>& m_limits;
    std::vector<std::vector<Share>> m_levels;      // before each pass of a device
    std::vector<Ticks> m_end;                      // by place of the pass
    std::vector<Ticks> m_firstBackward;            // of stage 0, by run
    std::vector<std::vector<Ticks>> m_lastForward; // by run and device
    std::vector<Dependency> m_waits;
};

/// What a reordering is to make smaller, the first thing first.
std::tuple<Ticks, Ticks, Ticks> worth(const Arrangement& arrangement)
{
    Ticks longest = 0;
    Ticks sum = 0;
    Ticks first = never;
    Ticks last = -never;
    for (const auto& lane : arrangement.devices) {
        if (lane.empty())
            continue;
        const Ticks span = lane.back().end() - lane.front().start;
        longest = std::max(longest, span);
        sum += span;
        first = std::min(first, lane.front().start);
        last = std::max(last, lane.back().end());
    }
    return {longest, last - first, sum};
}

class Reordering
{
public:
    Reordering(const Arrangement& arrangement, const Schedule& schedule, const Retention& keep,
               std::optional<Share> limit)
        : m_schedule(schedule)
        , m_keep(keep)
        , m_holdings(arrangement.spec, keep)
        , m_limits(peaksOf(arrangement, keep))
    {
        for (const auto& lane : arrangement.devices) {
            for (const BlockPass& placed : lane)
                m_holdings.tell(placed.pass);
        }
        for (Share& own : m_limits)
            own = std::max(own, limit.value_or(0));
    }

    Result<Arrangement> run(const Arrangement& arrangement)
    {
        auto squeezed = squeeze(arrangement);
        if (!squeezed)
            return squeezed;
        m_best = std::move(*squeezed);
        bool better = tryFrom(arrangement);
        for (int round = 0; round < mostRounds && (round == 0 || better); ++round)
            better = tryFrom(m_best);
        return std::move(m_best);
    }

private:
    bool tryFrom(Arrangement base)
    {
        Lanes earlier(base, m_schedule, m_holdings, m_limits);
        earlier.moveEarlier();
        bool better = keep(earlier.arrangement());
        Lanes yielding(base, m_schedule, m_holdings, m_limits);
        yielding.yieldWeights();
        better = keep(yielding.arrangement()) || better;
        Lanes both(earlier.arrangement(), m_schedule, m_holdings, m_limits);
        both.yieldWeights();
        return keep(both.arrangement()) || better;
    }

    /// Keeps a candidate if it is allowed and better than the best so far.
    bool keep(const Arrangement& candidate)
    {
        const auto peaks = peaksOf(candidate, m_keep);
        for (std::size_t device = 0; device < peaks.size(); ++device) {
            if (peaks[device] > m_limits[device])
                return false;
        }
        auto squeezed = squeeze(candidate);
        // Every candidate has times that run, so its order does.
        PW_ASSERT(squeezed.has_value());
        const auto now = worth(*squeezed);
        const auto before = worth(m_best);
        if (now >= before || std::get<1>(now) > std::get<1>(before))
            return false;
        m_best = std::move(*squeezed);
        return true;
    }

    const Schedule& m_schedule;
    Retention m_keep;
    Holdings m_holdings;
    std::vector<Share> m_limits;
    Arrangement m_best;
};

} // namespace

Result<Arrangement> reorder(const Arrangement& arrangement, const Retention& keep,
                            std::optional<Share> limit)
{
    PW_TRY(const auto schedule, scheduleOf(arrangement));
    return Reordering(arrangement, schedule, keep, limit).run(arrangement);
}

Result<Assembly> assemble(std::span<const BlockRun> runs, const Retention& keep)
{
    PW_TRY(auto repeated, repeat(runs));
    PW_TRY(auto squeezed, squeeze(repeated));
    PW_TRY(auto reordered, reorder(repeated, keep));
    const auto stage = [&](Arrangement arrangement) {
        ArrangementFigures figures = figuresOf(arrangement, keep);
        return AssemblyStage{std::move(arrangement), std::move(figures)};
    };
    return Assembly{stage(std::move(repeated)), stage(std::move(squeezed)),
                    stage(std::move(reordered))};
}

} // namespace pw

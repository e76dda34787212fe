// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/activity_sums.h"

#include "core/analysis/stretches.h"
#include "core/base/try.h"
#include "core/trace/activity_kind.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace pw {

namespace {

/// The slices of one rank, kind by kind.
struct RankStretches
{
    std::array<std::vector<TimeStretch>, activityKindCount> byKind;
    std::vector<TimeStretch> device;
};

class SummingUp
{
public:
    SummingUp(Ticks from, Ticks to, ActivitySums& sums)
        : m_from(from)
        , m_to(to)
        , m_sums(sums)
    {
    }

    /// A slice of the lane at hand, by start and depth.
    void take(const ActivitySlice& slice, RankStretches& rank)
    {
        const TimeStretch inside{std::max(slice.start, m_from), std::min(slice.end, m_to)};
        const Ticks length = std::max<Ticks>(0, inside.end - inside.start);
        const auto kind = static_cast<std::size_t>(slice.kind);
        ++m_sums.counts[kind];
        rank.byKind[kind].push_back(inside);
        if (isDeviceWork(slice.kind))
            rank.device.push_back(inside);
        const std::size_t place = placeOf(slice);
        NameSum& sum = m_sums.names[place];
        ++sum.count;
        sum.total += length;
        sum.self += length;
        m_open.resize(std::min<std::size_t>(m_open.size(), slice.depth));
        if (!m_open.empty() && m_open.size() == slice.depth)
            m_sums.names[m_open.back()].self -= length;
        if (m_open.size() == slice.depth)
            m_open.push_back(place);
    }

    void endLane() { m_open.clear(); }

private:
    std::size_t placeOf(const ActivitySlice& slice)
    {
        const std::int64_t key =
            std::int64_t{slice.name} * activityKindCount + static_cast<int>(slice.kind);
        const auto [found, made] = m_places.try_emplace(key, m_sums.names.size());
        if (made) {
            NameSum sum;
            sum.name = slice.name;
            sum.kind = slice.kind;
            m_sums.names.push_back(sum);
        }
        return found->second;
    }

    Ticks m_from;
    Ticks m_to;
    ActivitySums& m_sums;
    std::unordered_map<std::int64_t, std::size_t> m_places;
    std::vector<std::size_t> m_open; // names of what is around, by depth
};

} // namespace

Result<ActivitySums> activitySums(const ActivitySource& source, Ticks from, Ticks to,
                                  const std::set<std::int32_t>& ranks,
                                  const std::function<bool()>& goOn)
{
    ActivitySums sums;
    sums.from = from;
    sums.to = std::max(from, to);
    IdleSharing device({sums.from, sums.to});
    SummingUp summing(sums.from, sums.to, sums);
    const std::vector<ActivityLane>& lanes = source.lanes();
    std::vector<ActivitySlice> slices;
    // Lanes come rank by rank.
    for (std::size_t lane = 0; lane < lanes.size();) {
        RankStretches rank;
        const std::int32_t number = lanes[lane].rankNumber;
        if (!ranks.empty() && ranks.count(number) == 0) {
            ++lane;
            continue;
        }
        for (; lane < lanes.size() && lanes[lane].rankNumber == number; ++lane) {
            if (goOn && !goOn())
                return fail(ErrorCode::Cancelled, "summing up was stopped");
            PW_DO(source.slices(lane, sums.from, sums.to, 0, slices));
            for (const ActivitySlice& slice : slices)
                if (slice.start < sums.to && (slice.end > sums.from || slice.start >= sums.from))
                    summing.take(slice, rank);
            summing.endLane();
        }
        ++sums.ranks;
        for (std::size_t kind = 0; kind < rank.byKind.size(); ++kind)
            sums.busy[kind] += covered(std::move(rank.byKind[kind]));
        device.addLane(std::move(rank.device));
    }
    sums.device = device.share();
    std::sort(sums.names.begin(), sums.names.end(), [](const NameSum& a, const NameSum& b) {
        return std::tuple(-a.self, -a.total, a.name, a.kind) <
               std::tuple(-b.self, -b.total, b.name, b.kind);
    });
    return sums;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/lanes.h"

#include "core/model/draft.h"
#include "core/model/schedule.h"
#include "core/sim/draft_times.h"
#include "core/sim/simulator.h"
#include "ui/models/lane_pyramid.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace pw::ui {

Lanes::Lanes(std::vector<Lane> lanes, PassSource passes)
    : m_lanes(std::move(lanes))
    , m_passes(std::move(passes))
{
    bool any = false;
    for (const Lane& lane : m_lanes) {
        if (lane.size() == 0)
            continue;
        m_begin = any ? std::min(m_begin, lane.start.front()) : lane.start.front();
        m_end = any ? std::max(m_end, lane.end.back()) : lane.end.back();
        any = true;
    }
    m_end = std::max(m_end, m_begin + 1);
    for (const Lane& lane : m_lanes)
        m_pyramids.push_back(lane.size() >= LanePyramid::worthwhile
                                 ? std::make_unique<LanePyramid>(lane, m_begin, m_end)
                                 : nullptr);
}

Lanes::Lanes() = default;
Lanes::~Lanes() = default;
Lanes::Lanes(Lanes&&) noexcept = default;
Lanes& Lanes::operator=(Lanes&&) noexcept = default;

std::size_t Lanes::spanCount() const
{
    return std::accumulate(m_lanes.begin(), m_lanes.end(), std::size_t{0},
                           [](std::size_t sum, const Lane& lane) { return sum + lane.size(); });
}

bool Lanes::holds(SpanRef span) const
{
    return span.valid() && static_cast<std::size_t>(span.lane) < m_lanes.size() &&
           static_cast<std::size_t>(span.index) <
               m_lanes[static_cast<std::size_t>(span.lane)].size();
}

Pass Lanes::pass(SpanRef span, bool partner) const
{
    const Lane& lane = m_lanes[static_cast<std::size_t>(span.lane)];
    return m_passes(lane.entry[static_cast<std::size_t>(span.index)], partner);
}

const LanePyramid* Lanes::pyramid(std::size_t lane) const
{
    return m_pyramids[lane].get();
}

namespace {

struct LaneWords
{
    Q_DECLARE_TR_FUNCTIONS(Lanes)
};

QString stagesText(const std::vector<HostedStage>& chunks)
{
    constexpr std::size_t shown = 4;
    QStringList numbers;
    for (std::size_t i = 0; i < std::min(shown, chunks.size()); ++i)
        numbers += QString::number(chunks[i].stage);
    if (chunks.size() > shown)
        numbers += QStringLiteral("…");
    return (chunks.size() == 1 ? LaneWords::tr("stage %1") : LaneWords::tr("stages %1"))
        .arg(numbers.join(QStringLiteral(", ")));
}

} // namespace

namespace {

/// A lane a device, with its words.
std::vector<Lane> namedLanes(const PipelineSpec& spec, std::vector<LaneSpans> spans)
{
    const auto chunks = chunksOfDevices(spec);
    std::vector<Lane> lanes(spans.size());
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        Lane& lane = lanes[device];
        static_cast<LaneSpans&>(lane) = std::move(spans[device]);
        lane.title = LaneWords::tr("device %1").arg(device);
        lane.detail = stagesText(chunks[device]);
    }
    return lanes;
}

} // namespace

LanesPtr lanesOf(std::shared_ptr<const Schedule> shared, const SimResult& result)
{
    std::vector<Lane> lanes = namedLanes(shared->spec(), spansOf(*shared, result));
    PassSource passes = [shared = std::move(shared)](std::int32_t entry, bool partner) {
        const OrderEntry both = shared->entry(EntryId(entry));
        return partner ? both.partner : both.pass;
    };
    return std::make_shared<const Lanes>(std::move(lanes), std::move(passes));
}

LanesPtr lanesOf(const Draft& draft, const DraftTimes& times)
{
    const EntryLooks looks(draft.spec);
    auto entries = std::make_shared<std::vector<OrderEntry>>();
    entries->reserve(times.times.start.size());
    for (const std::vector<OrderEntry>& order : draft.orders)
        entries->insert(entries->end(), order.begin(), order.end());
    std::vector<Lane> lanes =
        namedLanes(draft.spec, spansOf(times.begin, times.times, [&](std::int32_t entry) {
                       return looks.look((*entries)[static_cast<std::size_t>(entry)]);
                   }));
    for (const EntryId entry : times.blocked) {
        Lane& lane = lanes[static_cast<std::size_t>(times.deviceOf(entry))];
        lane.look[static_cast<std::size_t>(entry - lane.entry.front())].blocked = 1;
    }
    PassSource passes = [entries = std::move(entries)](std::int32_t entry, bool partner) {
        const OrderEntry& both = (*entries)[static_cast<std::size_t>(entry)];
        return partner ? both.partner : both.pass;
    };
    return std::make_shared<const Lanes>(std::move(lanes), std::move(passes));
}

} // namespace pw::ui

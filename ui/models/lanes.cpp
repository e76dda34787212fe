// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/lanes.h"

#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "ui/models/lane_pyramid.h"

#include <QStringList>

#include <algorithm>
#include <numeric>

namespace pw::ui {

std::size_t Lane::firstEndingAfter(Ticks time) const
{
    return static_cast<std::size_t>(std::upper_bound(end.begin(), end.end(), time) - end.begin());
}

std::int64_t Lane::at(Ticks time) const
{
    const std::size_t i = firstEndingAfter(time);
    return i < size() && start[i] <= time ? static_cast<std::int64_t>(i) : -1;
}

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

QString stagesText(const std::vector<HostedStage>& chunks)
{
    constexpr std::size_t shown = 4;
    QStringList numbers;
    for (std::size_t i = 0; i < std::min(shown, chunks.size()); ++i)
        numbers += QString::number(chunks[i].stage);
    if (chunks.size() > shown)
        numbers += QStringLiteral("…");
    return (chunks.size() == 1 ? QStringLiteral("stage ") : QStringLiteral("stages ")) +
           numbers.join(QStringLiteral(", "));
}

} // namespace

LanesPtr lanesOf(std::shared_ptr<const Schedule> shared, const SimResult& result)
{
    const Schedule& schedule = *shared;
    const PipelineSpec& spec = schedule.spec();
    const std::vector<std::vector<HostedStage>> chunks = chunksOfDevices(spec);
    // Whether a site's stage is a later chunk of its device.
    const auto stages = static_cast<std::size_t>(spec.stages());
    std::vector<bool> later(stages * static_cast<std::size_t>(spec.routeCount()), false);
    for (const std::vector<HostedStage>& device : chunks)
        for (std::size_t chunk = 1; chunk < device.size(); ++chunk)
            later[static_cast<std::size_t>(device[chunk].route) * stages +
                  static_cast<std::size_t>(device[chunk].stage)] = true;
    const auto isLater = [&](const Pass& pass) {
        return later[pass.route * stages + static_cast<std::size_t>(pass.stage)];
    };

    std::vector<Lane> lanes(static_cast<std::size_t>(schedule.devices()));
    for (int device = 0; device < schedule.devices(); ++device) {
        Lane& lane = lanes[static_cast<std::size_t>(device)];
        lane.title = QStringLiteral("device %1").arg(device);
        lane.detail = stagesText(chunks[static_cast<std::size_t>(device)]);
        const auto begin = static_cast<std::size_t>(schedule.begin(device));
        const auto end = static_cast<std::size_t>(schedule.end(device));
        lane.start.assign(result.start.begin() + static_cast<std::ptrdiff_t>(begin),
                          result.start.begin() + static_cast<std::ptrdiff_t>(end));
        lane.end.assign(result.end.begin() + static_cast<std::ptrdiff_t>(begin),
                        result.end.begin() + static_cast<std::ptrdiff_t>(end));
        lane.entry.resize(end - begin);
        std::iota(lane.entry.begin(), lane.entry.end(), schedule.begin(device));
        lane.look.reserve(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const OrderEntry entry = schedule.entry(static_cast<std::int32_t>(i));
            SpanLook look;
            look.kind = entry.pass.kind;
            look.tint = isLater(entry.pass);
            look.paired = entry.paired;
            if (entry.paired) {
                look.partner = entry.partner.kind;
                look.partnerTint = isLater(entry.partner);
            }
            lane.look.push_back(look);
        }
    }
    PassSource passes = [shared = std::move(shared)](std::int32_t entry, bool partner) {
        const OrderEntry both = shared->entry(entry);
        return partner ? both.partner : both.pass;
    };
    return std::make_shared<const Lanes>(std::move(lanes), std::move(passes));
}

} // namespace pw::ui

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

std::uint8_t tintOf(int chunk, int chunks)
{
    if (chunk <= 0 || chunks <= 1)
        return 0;
    // Rounded up, so that no later chunk looks like the first.
    return static_cast<std::uint8_t>(
        std::min((fullTint * chunk + chunks - 2) / (chunks - 1), fullTint));
}

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

EntryLooks::EntryLooks(const PipelineSpec& spec)
    : m_stages(static_cast<std::size_t>(spec.stages()))
    , m_tints(m_stages * static_cast<std::size_t>(spec.routeCount()), 0)
{
    for (const std::vector<HostedStage>& device : chunksOfDevices(spec))
        for (std::size_t chunk = 1; chunk < device.size(); ++chunk)
            m_tints[static_cast<std::size_t>(device[chunk].route) * m_stages +
                    static_cast<std::size_t>(device[chunk].stage)] =
                tintOf(static_cast<int>(chunk), static_cast<int>(device.size()));
}

std::uint8_t EntryLooks::tint(const Pass& pass) const
{
    // A draft may name a stage that its spec does not have.
    const std::size_t at = pass.route * m_stages + static_cast<std::size_t>(pass.stage);
    return at < m_tints.size() ? m_tints[at] : std::uint8_t{0};
}

SpanLook EntryLooks::look(const OrderEntry& entry) const
{
    SpanLook look;
    look.kind = entry.pass.kind;
    look.tint = tint(entry.pass) & fullTint;
    look.paired = entry.paired;
    if (entry.paired) {
        look.partner = entry.partner.kind;
        look.partnerTint = tint(entry.partner) & fullTint;
    }
    return look;
}

namespace {

/// Lanes with titles and times, for looks to be filled in.
std::vector<Lane> timedLanes(const PipelineSpec& spec, const std::vector<EntryId>& begin,
                             const SimResult& result)
{
    const std::vector<std::vector<HostedStage>> chunks = chunksOfDevices(spec);
    std::vector<Lane> lanes(begin.size() - 1);
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        Lane& lane = lanes[device];
        lane.title = LaneWords::tr("device %1").arg(device);
        lane.detail = stagesText(chunks[device]);
        const auto first = static_cast<std::ptrdiff_t>(begin[device]);
        const auto end = static_cast<std::ptrdiff_t>(begin[device + 1]);
        lane.start.assign(result.start.begin() + first, result.start.begin() + end);
        lane.end.assign(result.end.begin() + first, result.end.begin() + end);
        lane.entry.resize(lane.start.size());
        std::iota(lane.entry.begin(), lane.entry.end(), begin[device].value);
        lane.look.reserve(lane.start.size());
    }
    return lanes;
}

/// Copies to the host and back, and marks on the passes that they are of.
void addCopies(std::vector<Lane>& lanes, const SimResult& result)
{
    for (const HostCopy& copy : result.copies) {
        Lane& lane = lanes[static_cast<std::size_t>(copy.device)];
        const auto look = [&lane](std::int32_t entry) -> SpanLook& {
            return lane.look[static_cast<std::size_t>(entry - lane.entry.front())];
        };
        look(copy.forward).leaves = 1;
        lane.copies.push_back({copy.outStart, copy.outEnd, false});
        if (copy.needed < 0)
            continue;
        look(copy.needed).returns = 1;
        lane.copies.push_back({copy.backStart, copy.backEnd, true});
    }
}

} // namespace

LanesPtr lanesOf(std::shared_ptr<const Schedule> shared, const SimResult& result)
{
    const Schedule& schedule = *shared;
    std::vector<EntryId> begin;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        begin.push_back(schedule.begin(device));
    begin.emplace_back(schedule.entryCount());
    std::vector<Lane> lanes = timedLanes(schedule.spec(), begin, result);
    const EntryLooks looks(schedule.spec());
    for (Lane& lane : lanes)
        for (const std::int32_t entry : lane.entry)
            lane.look.push_back(looks.look(schedule.entry(EntryId(entry))));
    addCopies(lanes, result);
    PassSource passes = [shared = std::move(shared)](std::int32_t entry, bool partner) {
        const OrderEntry both = shared->entry(EntryId(entry));
        return partner ? both.partner : both.pass;
    };
    return std::make_shared<const Lanes>(std::move(lanes), std::move(passes));
}

LanesPtr lanesOf(const Draft& draft, const DraftTimes& times)
{
    std::vector<Lane> lanes = timedLanes(draft.spec, times.begin, times.times);
    const EntryLooks looks(draft.spec);
    auto entries = std::make_shared<std::vector<OrderEntry>>();
    entries->reserve(times.times.start.size());
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        for (const OrderEntry& entry : draft.orders[device]) {
            lanes[device].look.push_back(looks.look(entry));
            entries->push_back(entry);
        }
    }
    addCopies(lanes, times.times);
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

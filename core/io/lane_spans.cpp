// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/lane_spans.h"

#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

std::uint8_t tintOf(int chunk, int chunks)
{
    if (chunk <= 0 || chunks <= 1)
        return 0;
    // Rounded up, so that no later chunk looks like the first.
    return static_cast<std::uint8_t>(
        std::min((fullTint * chunk + chunks - 2) / (chunks - 1), fullTint));
}

std::size_t LaneSpans::firstEndingAfter(Ticks time) const
{
    return static_cast<std::size_t>(std::upper_bound(end.begin(), end.end(), time) - end.begin());
}

std::int64_t LaneSpans::at(Ticks time) const
{
    const std::size_t i = firstEndingAfter(time);
    return i < size() && start[i] <= time ? static_cast<std::int64_t>(i) : -1;
}

EntryLooks::EntryLooks(const PipelineSpec& spec)
    : m_stages(static_cast<std::size_t>(spec.stages()))
    , m_segmented(spec.segments() > 1)
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
    look.segmented = m_segmented;
    if (entry.paired) {
        look.partner = entry.partner.kind;
        look.partnerTint = tint(entry.partner) & fullTint;
    }
    return look;
}

namespace {

/// Copies to the host and back, and marks on the passes that they are of.
void addCopies(std::vector<LaneSpans>& lanes, const SimResult& result)
{
    for (const HostCopy& copy : result.copies) {
        LaneSpans& lane = lanes[static_cast<std::size_t>(copy.device)];
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

/// There are millions of entries: the looks are asked for without a detour.
template<typename Looks>
std::vector<LaneSpans> timedSpans(const std::vector<EntryId>& begin, const SimResult& result,
                                  const Looks& looks)
{
    std::vector<LaneSpans> lanes(begin.empty() ? 0 : begin.size() - 1);
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        LaneSpans& lane = lanes[device];
        const auto first = static_cast<std::ptrdiff_t>(begin[device]);
        const auto end = static_cast<std::ptrdiff_t>(begin[device + 1]);
        lane.start.assign(result.start.begin() + first, result.start.begin() + end);
        lane.end.assign(result.end.begin() + first, result.end.begin() + end);
        lane.entry.resize(lane.start.size());
        std::iota(lane.entry.begin(), lane.entry.end(), static_cast<int>(begin[device]));
        lane.look.reserve(lane.start.size());
        for (const std::int32_t entry : lane.entry)
            lane.look.push_back(looks(EntryId(entry)));
    }
    addCopies(lanes, result);
    return lanes;
}

} // namespace

std::vector<LaneSpans> spansOf(const std::vector<EntryId>& begin, const SimResult& result,
                               const std::function<SpanLook(EntryId entry)>& looks)
{
    return timedSpans(begin, result, looks);
}

std::vector<LaneSpans> spansOf(const Schedule& schedule, const SimResult& result)
{
    std::vector<EntryId> begin;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        begin.push_back(schedule.begin(device));
    begin.push_back(EntryId(schedule.entryCount()));
    const EntryLooks looks(schedule.spec());
    return timedSpans(begin, result,
                      [&](EntryId entry) { return looks.look(schedule.entry(entry)); });
}

Rgb mixedColor(Rgb one, Rgb other, double part)
{
    const auto mix = [part](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround(a + (b - a) * part));
    };
    return {mix(one.red, other.red), mix(one.green, other.green), mix(one.blue, other.blue)};
}

namespace {

/// A colour by hue, saturation and lightness, each 0 … 1.
Rgb colorOfHue(double hue, double saturation, double lightness)
{
    const double reach = saturation * std::min(lightness, 1 - lightness);
    const auto channel = [&](double turn) {
        const double k = std::fmod(turn + hue * 12, 12.0);
        const double value = lightness - reach * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
        return static_cast<std::uint8_t>(std::lround(255 * value));
    };
    return {channel(0), channel(8), channel(4)};
}

} // namespace

Rgb spanColor(ColorBy colorBy, PassKind kind, int tint, int microBatch, Ground ground)
{
    if (colorBy == ColorBy::Kind)
        return mixedColor(colorOf(roleOf(kind, false), ground), colorOf(roleOf(kind, true), ground),
                          static_cast<double>(tint) / fullTint);
    // Steps of the golden angle: neighbours differ, and so do any few in a row.
    const double hue = std::fmod(0.58 + 0.381966 * microBatch, 1.0);
    const bool forward = kind == PassKind::F;
    return colorOfHue(hue, forward ? 0.45 : 0.35,
                      (ground == Ground::Light ? 0.62 : 0.55) + (forward ? 0.0 : 0.14));
}

void fillOf(const LaneSpans& lane, std::size_t first, std::size_t last, const TimeScale& scale,
            double left, std::vector<Fill>& columns)
{
    std::vector<std::array<float, Fill::looks>> sums(columns.size());
    const auto count = static_cast<double>(columns.size());
    for (std::size_t i = first; i < last; ++i) {
        const double from = std::max(0.0, scale.x(lane.start[i]) - left);
        const double to = std::min(count, scale.x(lane.end[i]) - left);
        const SpanLook look = lane.look[i];
        for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to;
             ++column) {
            const auto part = static_cast<float>(std::min(to, static_cast<double>(column) + 1) -
                                                 std::max(from, static_cast<double>(column))) /
                              2;
            Fill::add(sums[column], look.kind, look.tint, look.paired ? part : 2 * part);
            if (look.paired)
                Fill::add(sums[column], look.partner, look.partnerTint, part);
        }
    }
    for (std::size_t column = 0; column < columns.size(); ++column)
        for (std::size_t look = 0; look < Fill::looks; ++look)
            columns[column].part[look] = static_cast<std::uint8_t>(
                std::clamp(std::lround(255.0F * sums[column][look]), 0L, 255L));
}

FillMixer::FillMixer(Ground ground)
{
    const auto ink = [ground](Role role) {
        const Rgb color = colorOf(role, ground);
        return Ink{color.red, color.green, color.blue};
    };
    for (const PassKind kind : allPassKinds)
        for (const bool tint : {false, true})
            m_inks[static_cast<std::size_t>(Fill::indexOf(kind, tint))] = ink(roleOf(kind, tint));
    m_idle = ink(Role::Lane);
}

Rgb FillMixer::color(const Fill& fill) const
{
    int red = 0, green = 0, blue = 0, busy = 0;
    for (std::size_t look = 0; look < Fill::looks; ++look) {
        const int part = fill.part[look];
        busy += part;
        red += part * m_inks[look].red;
        green += part * m_inks[look].green;
        blue += part * m_inks[look].blue;
    }
    const int rest = std::max(0, 255 - busy);
    const int whole = busy + rest;
    const auto mixed = [&](int sum, int idle) {
        return static_cast<std::uint8_t>((sum + rest * idle) / whole);
    };
    return {mixed(red, m_idle.red), mixed(green, m_idle.green), mixed(blue, m_idle.blue)};
}

void KindKey::add(const LaneSpans& lane)
{
    const auto add = [this](PassKind kind, int tint) {
        std::uint8_t& bits = m_tints[static_cast<std::size_t>(kind)];
        bits = static_cast<std::uint8_t>(bits | (1U << static_cast<unsigned>(tint)));
    };
    for (const SpanLook look : lane.look) {
        add(look.kind, look.tint);
        if (look.paired != 0)
            add(look.partner, look.partnerTint);
    }
}

std::vector<int> KindKey::tints(PassKind kind) const
{
    std::vector<int> all;
    for (int tint = 0; tint <= fullTint; ++tint)
        if ((m_tints[static_cast<std::size_t>(kind)] >> tint & 1) != 0)
            all.push_back(tint);
    return all;
}

bool KindKey::anyTint() const
{
    return std::any_of(m_tints.begin(), m_tints.end(), [](std::uint8_t bits) { return bits > 1; });
}

} // namespace pw
